"""Whether the sentences of a passage give an attribute of the one that is asked about (S4-004)."""

from __future__ import annotations

import re

from groundwire.profiles.stream.language import tables
from groundwire.profiles.stream.needs import attribute_names

_DATE = re.compile(
    r"\b\d{4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE
)
_TIMES = (
    "January February March April May June July August September October November December"
    " Monday Tuesday Wednesday Thursday Friday Saturday Sunday I"
)
_PHONE = re.compile(
    r"\+?\d[\d ()./-]{3,}\d|\b(?:number|phone|telephone|tel|call)\W+(?:\w+\W+){0,3}\d{3}",
    re.IGNORECASE,
)
# A part of a sentence ends where another clause with a subject of its own can begin.
_PARTS = re.compile(r";\s*|,?\s+(?:and|but|while|whereas|although|though)\s+(?=[A-Z])")
_NAME = re.compile(r"\b[A-Z][\w’'-]*(?:\s+[A-Z][\w’'-]*)*")
_PRONOUN = re.compile(r"\b(?:it|its|he|his|him|she|her|hers|they|their|them|this)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"(?P<before>[\w’'.-]+),?\s+(?:which|who|that|whose)\s", re.IGNORECASE)


def tells_of(attribute: str, entity: str, parts: list[str]) -> bool:
    """Return whether sentences say what an attribute of an entity is.

    Args:
        attribute: as the tables or a request name it.
        entity: whose, as the request names it.
        parts: the sentences of one text, in order. One that names the entity is about it, and so
            are those after it until one names another: "The Maritime Museum was founded in
            1900." says nothing of a harbour museum named before it. What a relative clause
            says is of the name in front of it.
    """
    about = False
    for sentence in parts:
        for part in _PARTS.split(sentence):
            named = _holds(part, entity)
            about = named or (about and _goes_on(part, entity))
            if about and _tells(attribute, entity, part):
                return True
        about = about or _holds(sentence, entity)
    return False


def _goes_on(part: str, entity: str) -> bool:
    """Whether a part without the name may still be about it.

    So are those with a pronoun, with "the museum", or that name nobody else.
    """
    last = re.findall(r"\w+", entity)[-1:]
    if _PRONOUN.search(part) or (last and _holds(part, f"the {last[0].lower()}", exact=True)):
        return True
    for match in _NAME.finditer(part):
        words = [w for w in match.group().split() if w not in _TIMES.split()]
        opens = not part[: match.start()].strip(" \t\"“'([*-")
        if len(words) > 1 or (words and not opens):
            return False
    return True


def _holds(text: str, phrase: str, *, exact: bool = False) -> bool:
    flags = re.NOFLAG if exact else re.IGNORECASE
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, flags) is not None


def _tells(attribute: str, entity: str, sentence: str) -> bool:
    entry = tables()["attributes"].get(attribute)
    cues = entry["cues"].split("|") if entry else []
    names = {*cues, *attribute_names(attribute)}
    spoken = any(
        _of_it(match.start(), entity, sentence)
        for cue in names
        for match in re.finditer(
            cue if re.fullmatch(r"\W+", cue) else rf"(?<!\w){re.escape(cue)}(?!\w)",
            sentence,
            re.IGNORECASE,
        )
    )
    value = entry["value"] if entry else "any"
    if value == "date":
        return spoken and _DATE.search(sentence) is not None
    if value == "phone":
        return spoken and _PHONE.search(sentence) is not None
    return spoken and (value != "number" or re.search(r"\d", sentence) is not None)


def _of_it(at: int, entity: str, sentence: str) -> bool:
    """Whether what stands at an offset is no relative clause of another name."""
    opened = [match for match in _RELATIVE.finditer(sentence) if match.end() <= at]
    if not opened:
        return True
    before = sentence[: opened[-1].end("before")]
    named = [match.group() for match in _NAME.finditer(before) if match.end() == len(before)]
    closed = "," in sentence[opened[-1].end() : at]
    own = {"the", *entity.casefold().split()}
    return closed or not named or set(named[0].casefold().split()) <= own
