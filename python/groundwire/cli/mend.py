"""What ``check --mitigate`` shows: the actions, and the text with them carried out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groundwire.plain import MASK
from groundwire.reports.text import safe

if TYPE_CHECKING:
    from groundwire.mitigation import MitigationAction

_QUOTING = ("original", "replacement", "reason", "guidance")


def as_data(actions: Sequence[MitigationAction], text: str, *, mask: bool) -> dict[str, Any]:
    """Return the mended text and the actions as JSON-like data."""
    found = [action.to_dict() for action in actions]
    if mask:
        found = [{k: MASK if k in _QUOTING else v for k, v in item.items()} for item in found]
    return {"text": MASK if mask else text, "actions": found}


def as_lines(actions: Sequence[MitigationAction], text: str, *, mask: bool) -> str:
    """Return one line an action that does something, and the mended text behind them."""
    lines = []
    for item in as_data(actions, text, mask=mask)["actions"]:
        kind = item["type"]
        if kind == "none":
            continue
        where = " at {}-{}".format(*item["span"]) if "span" in item else ""
        if kind == "correct":
            what = f"'{item['original']}' to '{item['replacement']}' ({item['source']})"
        else:
            what = item.get("annotation") or item.get("reason") or item.get("guidance") or ""
        lines += [safe(line) for line in f"{kind}{where}: {what}".splitlines()]
    shown = MASK if mask else "\n".join(safe(line) for line in text.splitlines())
    return "\n".join(["", "mitigation", *(lines or ["nothing to do"]), "", shown, ""])
