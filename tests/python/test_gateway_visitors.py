"""Pages of other sites get nothing of a gateway that runs on their reader's machine."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway
from groundwire.config import Config
from groundwire.gateway.errors import Refused
from groundwire.gateway.visitors import refuse_foreign

LOOPBACK, ANYWHERE = ("127.0.0.1", 8100), ("10.0.0.5", 8100)
OWN = "localhost:8100"
GOES: list[tuple[dict[str, str], Any]] = [
    ({}, LOOPBACK),
    ({"host": OWN}, LOOPBACK),
    ({"host": "127.0.0.1:8100"}, LOOPBACK),
    ({"host": "[::1]:8100"}, ("::1", 8100, 0, 0)),
    ({"host": "gateway:8100"}, LOOPBACK),
    ({"host": "gw.localhost:8100"}, LOOPBACK),
    ({"host": OWN, "origin": f"http://{OWN}"}, LOOPBACK),
    ({"host": "LOCALHOST", "origin": "http://localhost:80"}, LOOPBACK),
    ({"host": "10.0.0.5:8100", "origin": "http://10.0.0.5:8100"}, ANYWHERE),
    ({"host": "[fe80::1]:8100", "origin": "http://[fe80::1]:8100"}, ANYWHERE),
    ({"host": OWN, "sec-fetch-site": "same-origin"}, LOOPBACK),
    ({"host": OWN, "sec-fetch-site": "none"}, LOOPBACK),
    # A program elsewhere may be told any name.
    ({"host": "gw.example.com"}, ANYWHERE),
    ({"host": "gw.example.com"}, None),
]
STAYS: list[tuple[dict[str, str], Any, str]] = [
    ({"host": OWN, "origin": "https://a.example"}, LOOPBACK, "origin"),
    ({"host": OWN, "origin": "http://localhost:3000"}, LOOPBACK, "origin"),
    ({"host": OWN, "origin": "http://localhost:8100.a.example"}, LOOPBACK, "origin"),
    ({"host": OWN, "origin": "http://localhost:8100@a.example"}, LOOPBACK, "origin"),
    ({"host": OWN, "origin": "null"}, LOOPBACK, "origin"),
    ({"host": OWN, "origin": ""}, LOOPBACK, "origin"),
    ({"origin": "https://a.example"}, LOOPBACK, "origin"),
    ({"host": OWN, "sec-fetch-site": "cross-site"}, LOOPBACK, "origin"),
    ({"host": OWN, "sec-fetch-site": "same-site"}, LOOPBACK, "origin"),
    # A site's name that was let point to this machine.
    ({"host": "a.example:8100"}, LOOPBACK, "host"),
    ({"host": "A.Example.:8100"}, LOOPBACK, "host"),
    ({"host": "127.0.0.1.a.example:8100"}, LOOPBACK, "host"),
    ({"host": "a.example:8100", "origin": "http://a.example:8100"}, LOOPBACK, "host"),
    ({"host": "a.example:8100", "origin": "http://a.example:8100"}, ANYWHERE, "host"),
    ({"host": "a.example:8100", "origin": "http://a.example:8100"}, None, "host"),
]


@pytest.mark.parametrize(("headers", "server"), GOES)
def test_the_gateways_own_page_and_programs_may_ask(headers: dict[str, str], server: Any) -> None:
    refuse_foreign(headers, server, ())


@pytest.mark.parametrize(("headers", "server", "why"), STAYS)
def test_pages_of_other_sites_may_not(headers: dict[str, str], server: Any, why: str) -> None:
    with pytest.raises(Refused) as refused:
        refuse_foreign(headers, server, ("gw.example.com",))
    assert refused.value.status == 403 and refused.value.code == f"foreign_{why}"
    assert "serving.hosts" in str(refused.value)
    refuse_foreign(headers, server, ("*",))


def test_hosts_that_are_listed_may() -> None:
    listed = ("gw.example.com",)
    for name in ("gw.example.com", "gw.example.com:443"):
        refuse_foreign({"host": name, "origin": "https://gw.example.com"}, LOOPBACK, listed)
    # A proxy in front that asks under its own name.
    refuse_foreign({"host": OWN, "origin": "https://gw.example.com"}, LOOPBACK, listed)
    with pytest.raises(Refused):
        refuse_foreign({"host": OWN, "origin": "https://x.gw.example.com"}, LOOPBACK, listed)


def test_over_http_nothing_reaches_the_upstream() -> None:
    model = Model()
    body = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
    environ = {"GROUNDWIRE_UPSTREAM_KEY": "sk-own"}
    with gateway(model, environ=environ, continuation="none") as (url, _):
        bad = [{"Origin": "https://a.example"}, {"Host": "a.example"}]
        bad.append({"Sec-Fetch-Site": "cross-site"})
        model.seen.clear()
        model.headers.clear()
        for headers in bad:
            for path in ("chat/completions", "completions", "responses"):
                answer = httpx.post(f"{url}/v1/{path}", json=body, headers=headers)
                assert answer.status_code == 403, answer.text
                assert not any("access-control" in name for name in answer.headers)
            for path in ("v1/models", f"v1/models/{MODEL}", "metrics"):
                assert httpx.get(f"{url}/{path}", headers=headers).status_code == 403
            assert httpx.get(f"{url}/healthz", headers=headers).status_code == 200
        asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
        answer = httpx.options(f"{url}/v1/chat/completions", headers=asked)
        assert answer.status_code == 405
        assert not any("access-control" in name for name in answer.headers)
        assert not model.seen and not model.headers
        answer = httpx.post(f"{url}/v1/chat/completions", json=body, headers={"Origin": url})
        assert answer.status_code == 200
    with gateway(model, continuation="none", hosts=["A.Example"]) as (url, _):
        for headers in bad[:2]:
            answer = httpx.post(f"{url}/v1/chat/completions", json=body, headers=headers)
            assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("name", ["http://a.example", "a.example/", "", "*.example", "a b"])
def test_what_is_no_host_is_refused(name: str) -> None:
    with pytest.raises(Exception, match="hosts"):
        Config.load(environ={}, serving={"hosts": [name]})
