"""Whether an answer holds code, which claims nothing and is not judged, whatever it says."""

from __future__ import annotations

import re

CODE = (
    "text in code (a fenced block, a code span of several words) is not judged, unless it is JSON"
)
"""Note of an answer that holds some."""
_FENCES = ("```", "~~~")
_FORMS = ("json", "jsonc", "json5", "jsonl")
"""Blocks that are read, by what stands behind the mark; one without a word is, if it is JSON."""
_BEFORE = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+")
_SPAN = re.compile(r"(?<!`)`(?!`)([^`\n]+)`(?!`)")
_WORDS = re.compile(r"[^\W\d_]{2,}\S*\s+\S")


def holds_code(text: str) -> bool:
    """Whether ``text`` holds words that are not judged because they stand in code."""
    if "`" not in text and "~~~" not in text:
        return False
    mark, named, said = "", "", False
    for line in text.splitlines():
        bare = line.strip()
        if not mark:
            bare = _BEFORE.sub("", bare, count=1)
            mark = bare[:3] if bare.startswith(_FENCES) else ""
            named, said = bare.lstrip("`~").strip().split(" ")[0].lower(), False
            if not mark and any(_WORDS.search(span) for span in _SPAN.findall(bare)):
                return True
        elif bare.startswith(mark):
            mark = ""
        elif bare and not said:
            said = True
            if named not in _FORMS and not (not named and bare[0] in "{["):
                return True
    return False
