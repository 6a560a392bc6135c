"""What a text's layout says of a place in it: whether a note would break it, and what ends it."""

from __future__ import annotations

import re

_ROW = re.compile(r"[ \t]*\|")
_RULE = re.compile(r":?-+:?")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_CLOSERS = frozenset("”’»)]\"'*_`%°$€£¥")
"""Marks behind which a sentence's full stop may stand."""
REACH = 8192
"""Characters at the end of a text that are looked at for a table."""
_FORMED = ("{", "[{", '["')


def in_table(text: str) -> bool:
    """Whether ``text`` ends inside a table of Markdown, which goes on to the first empty line."""
    *before, here = text[-REACH:].split("\n")
    lines = [here] if here.strip() else []
    for line in reversed(before):
        if not line.strip():
            break
        lines.append(line)
    return bool(lines) and (_ROW.match(lines[0]) is not None or any(map(_is_rule, lines)))


def _is_rule(line: str) -> bool:
    """Whether a line parts a table's head from its rows."""
    cells = line.strip().strip("|").split("|")
    return "|" in line and all(_RULE.fullmatch(cell.strip()) for cell in cells)


def closing(text: str) -> str:
    """Return what ends the last sentence of a text that the model ends without a mark.

    A full stop in prose, a line's end where that would break something, and nothing in code and in
    text that has a form.
    """
    if text.lstrip().startswith(_FORMED) or len(_FENCE.findall(text)) % 2 or not text.strip():
        return ""
    last = text[text.rfind("\n") + 1 :]
    if in_table(text) or _HEADING.match(last) or _FENCE.match(last):
        return "\n"
    return "." if text[-1].isalnum() or text[-1] in _CLOSERS else "\n"
