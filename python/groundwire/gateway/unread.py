"""Whether an answer holds code, which claims nothing and is not judged, whatever it says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

CODE = (
    "text in code (a fenced block, a code span of several words) is not judged, unless it is JSON"
)
"""Note of an answer that holds some."""
_FENCES = ("```", "~~~")
_FORMS = ("json", "jsonc", "json5", "jsonl")
"""Blocks that are read, by what stands behind the mark; one without a word is, if it is JSON."""
_BEFORE = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+")
_CLOSED = re.compile(r"(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)")
_ELEMENT = re.compile(r"<(code|pre|script|style|kbd|samp|tt)\b(?!.*</\1\s*>)", re.I | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`(?!`)([^`\n]+)`(?!`)")
_WORDS = re.compile(r"[^\W\d_]{2,}\S*\s+\S")


def holds_code(text: str, lead: str = "") -> bool:
    """Whether ``text`` holds words that are not judged because they stand in code.

    ``lead`` is what the text goes on with, whose code it may stand in.
    """
    if not any(mark in one for mark in ("`", "~~~") for one in (lead, text)):
        return False
    return any(end > len(lead) for end in _words_in_code(lead + text))


def leaves_code_open(text: str) -> bool:
    """Whether what is put behind ``text`` may be taken for code: better once too often."""
    paragraph = text.rpartition("\n\n")[2]
    inside = "`" in _CLOSED.sub("", paragraph) or text.rstrip().endswith(("`", "~"))
    fenced = any(_fence(text.split("\n"), read) for read in (str.strip, _bare))
    return fenced or inside or _ELEMENT.search(text) is not None


def _fence(lines: list[str], read: Callable[[str], str]) -> bool:
    """Whether a block is open behind ``lines``, as ``read`` has them."""
    fence = ""
    for bare in map(read, lines):
        if fence:
            fence = "" if bare.startswith(fence) else fence
        else:
            fence = bare[:3] if bare.startswith(_FENCES) else ""
    return bool(fence)


def _words_in_code(text: str) -> Iterator[int]:
    """Yield where words end that are not judged."""
    mark, named, said, read, at = "", "", False, False, 0
    form: list[str] = []
    for whole in text.splitlines(keepends=True):
        start, at = at, at + len(whole)
        bare = whole.strip()
        if not mark:
            bare = _bare(whole)
            mark = bare[:3] if bare.startswith(_FENCES) else ""
            named, said = bare.lstrip("`~").strip().split(" ")[0].lower(), False
            if not mark:
                spans = _SPAN.finditer(whole)
                yield from (start + one.end(1) for one in spans if _WORDS.search(one[1]))
        elif bare.startswith(mark):
            if form and not _is_json(form):
                yield start
            mark, form = "", []
        elif bare:
            if not said:
                said, read = True, named in _FORMS or (not named and bare[0] in "{[")
            if read:
                form.append(bare)
            else:
                yield start + len(whole.rstrip())


def _is_json(lines: list[str]) -> bool:
    """Whether lines are objects or lists of JSON, together or each: other forms are not read."""
    for texts in (["\n".join(lines)], lines):
        try:
            if all(isinstance(json.loads(text), dict | list) for text in texts):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _bare(line: str) -> str:
    """Return a line without its spaces and the mark of an item before it."""
    return _BEFORE.sub("", line.strip(), count=1)
