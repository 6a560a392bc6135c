"""Pages in a browser: only the gateway's own may ask, and those of hosts that are named.

A program says what it likes; a browser says which page asks, and a name that a page's site has let
point to its reader's machine stands in ``Host``. Without this, any page could ask with the keys
that the gateway adds.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from typing import Any

from groundwire.gateway.errors import Refused

ANY = "*"
"""The name that stands for every host."""
_HOST = re.compile(r"(?P<name>\[[^\]]*\]|[^:/?#@\s]*)(?::\d*)?")
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>[^/?#@\s]+)", re.IGNORECASE)
_PORTS = {"http": ":80", "https": ":443"}


def refuse_foreign(headers: Mapping[str, str], server: Any, hosts: Collection[str]) -> None:
    """Refuse what a page of another origin asks.

    Args:
        headers: those of the request.
        server: where the connection was taken, as an ASGI server says it: address and port.
        hosts: names beside the gateway's own under which it is reached, or whose pages may ask.

    Raises:
        Refused: the request comes from such a page, or under a name that is not the gateway's.

    """
    if ANY in hosts:
        return
    host = headers.get("host", "").strip().lower()
    found = _HOST.fullmatch(host)
    name = "" if found is None else _bare(found["name"])
    origin = headers.get("origin")
    local = _is_loopback(str(server[0])) if server else False
    # A site's name has a dot; what has none is an address book's, and no site's.
    if (local or origin is not None) and "." in name and not _is_own(name, hosts):
        raise Refused(
            403,
            "foreign_host",
            f"{name!a:.80} is not known as a name of this gateway; list it in serving.hosts",
        )
    if origin is None:
        fetched = headers.get("sec-fetch-site", "none").lower()
        foreign = fetched not in {"none", "same-origin"}
        said = fetched
    else:
        foreign, said = not _fits(origin.strip(), host, hosts), origin
    if foreign:
        raise Refused(
            403,
            "foreign_origin",
            f"a page of another origin ({said!a:.80}) may not ask here; list its host in "
            "serving.hosts",
        )


def _fits(origin: str, host: str, hosts: Collection[str]) -> bool:
    """Whether an origin is the one that the request went to, or one whose host is named."""
    found = _ORIGIN.fullmatch(origin)
    if found is None:
        return False
    scheme, own = found["scheme"].lower(), found["host"].lower()
    named = _HOST.fullmatch(own)
    if named is None:
        return False
    port = _PORTS[scheme]
    return own.removesuffix(port) == host.removesuffix(port) or _bare(named["name"]) in hosts


def _bare(name: str) -> str:
    return name.strip("[]").rstrip(".").lower()


def _is_own(name: str, hosts: Collection[str]) -> bool:
    return name in hosts or name.endswith(".localhost") or _address(name) is not None


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    found = _address(name)
    return found is not None and found.is_loopback
