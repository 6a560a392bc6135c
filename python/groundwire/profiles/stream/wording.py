"""What of a request is only words to be worked on: translated, spelled, rephrased."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.profiles.stream.language import tables

_QUOTED = r"""["“„«][^"”“»\n]{1,300}["”“»]|['‘][^\n]{1,300}?['’](?!\w)"""
_NAME = r"[A-Z][\w-]*(?: [A-Z][\w-]*){0,4}(?![\w'’-])"
_CALLED = (
    r"(?:(?i:the|this|these) (?i:following )?"
    r"(?i:words?|names?|phrases?|sentences?|terms?|titles?),? )?"
)


def without_words(text: str) -> str:
    """Return ``text`` with blanks for what it only gives as words, so that places stay.

    "Translate 'Orvelle' into German" asks nothing of Orvelle; "Translate Orvelle's report into
    German" needs the report.
    """
    spans = [m.span("t") for form in _forms() for m in form.finditer(text)]
    brought = re.search(tables()["words"]["brought"], text)
    if brought:
        spans.append((brought.end(), len(text)))
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    thing = rf"{_CALLED}(?P<t>{_QUOTED}|{_NAME})"
    return tuple(
        re.compile(r"\b" + form.replace("{t}", thing)) for form in tables()["words"]["forms"]
    )
