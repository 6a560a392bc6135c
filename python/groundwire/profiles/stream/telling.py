"""Whether a sentence tells what is needed, and of whom it tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from groundwire import _core
from groundwire.profiles.stream.language import tables
from groundwire.profiles.stream.needs import Need, attribute_names, plain_name

_DATE = re.compile(
    r"\b\d{4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|its|he|his|she|her|they|their|who|which|that)\b", re.IGNORECASE)
_OBJECT = re.compile(r"\s+(?:it|him|her|them)\b", re.IGNORECASE)
_OWNER = re.compile(r"\b[A-Z][\w-]+(?=['’]s?\s)")
_OWN_CLAUSE = re.compile(
    r"(?:[;:.!?]|\w\W*\b(?:and|but|while|whereas|or))\s+(?:the\s+|an?\s+)?$", re.IGNORECASE
)
_TITLE = r"(?:(?:the|an?|dr|mr|mrs|ms|prof)\.?\s+)?"
_CALLED = re.compile(
    r"(?:^|[.;:!?,]|\b(?:to|please|or|and|just|then|can|could|should|may|must))\W*"
    r"(?:(?:call|phone|telephone|ring|dial|text|fax|contact|reach|message|ask|e-?mail|mail)(?:\s+up)?"
    rf"|(?:write|talk|speak|reach\s+out)\s+to|get\s+in\s+touch\s+with)\s+{_TITLE}$",
    re.IGNORECASE,
)
_REACHED = re.compile(r"\s*,?\s*(?:[:(]|(?:on|at|via|by|under|through|using)(?!\w))")
_STRAIGHT = re.compile(rf"[\w-]*\s+(?:(?:to|up)\s+)?{_TITLE}", re.IGNORECASE)
_LABEL = re.compile(rf"[\w-]*\s*:\s*{_TITLE}", re.IGNORECASE)
_OF = re.compile(
    rf"(?:\w[\w -]*\s)?(?:numbers?|address(?:es)?|phone|telephone|mobile|e-?mail)\s+for\s+{_TITLE}"
    rf"|[\w-]*(?:\s+(?:numbers?|address(?:es)?))?\s+of\s+{_TITLE}",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:['’]s?\b|,?\s+(?:which|who|whose|that|where)\b)")


def told_at(need: Need, sentence: str) -> Iterator[int]:
    """Yield where a sentence speaks of the attribute that is needed.

    Nothing where it lacks what a value of the attribute has: a date, or a number.
    """
    attribute = need.attribute or ""
    entry = tables()["attributes"].get(attribute)
    value = entry["value"] if entry else "any"
    if value == "date" and not _DATE.search(sentence):
        return
    if value == "number" and not re.search(r"\d", sentence):
        return
    names = set(attribute_names(attribute))
    if value == "number":
        # Of a thing that has a number, several are others: "sold 3 phones" is no phone number.
        listed = {plain_name(name) for name in (entry["names"] if entry else "").split("|")}
        names &= {plain_name(attribute), *listed}
    for cue in {*(entry["cues"].split("|") if entry else ()), *names}:
        pattern = cue if re.fullmatch(r"\W+", cue) else rf"(?<!\w){re.escape(cue)}(?!\w)"
        yield from (m.start() for m in re.finditer(pattern, sentence, re.IGNORECASE))


def of_whom(sentence: str, entity: str, at: int) -> bool:
    """Whether what a sentence tells at ``at`` is told of ``entity``, which was named up to there.

    It is not where the name that stands last before it is another's, and has a clause of its own:
    it opens the sentence, follows "and" or "while", or a relative clause or a possessive goes on
    from it. A pronoun in between may be anybody's, and passes. Nor is it where another's name
    stands right behind it: "Call Bo Ring on …", "the phone number of Bo Ring".
    """
    own = [m.span() for m in re.finditer(re.escape(entity), sentence, re.IGNORECASE)]
    named = [(start, end) for start, end, *_ in _no_names().scan(sentence)]
    # Whoever owns something is somebody, though the name be a common word.
    named += [m.span() for m in _OWNER.finditer(sentence) if not _PRONOUN.fullmatch(m.group())]
    foreign = [(a, b) for a, b in named if not any(a < end and start < b for start, end in own)]
    if any(_told_to(sentence, at, start, end) for start, end in foreign):
        return False
    before = sorted((start, end) for start, end in foreign if end <= at)
    last = max((end for _, end in own if end <= at), default=0)
    others = [(start, end) for start, end in before if start >= last]
    # "Bo Ek is the director of X" names it behind.
    named_behind = any(start >= at for start, _ in own)
    if not others or named_behind or _OBJECT.match(sentence, _word_end(sentence, at)):
        return True
    start, end = others[-1]
    if _called(sentence, start, end):
        return False
    relative = _RELATIVE.match(sentence, end)
    if relative is None and _PRONOUN.search(sentence, end, at):
        return True
    opens = not re.sub(r"(?i)\b(?:the|an?)\b|\W", "", sentence[last:start]) and last == 0
    return not (opens or relative or _OWN_CLAUSE.search(sentence, last, start))


def _called(sentence: str, start: int, end: int) -> bool:
    """Whether the name there is whom the sentence says how to reach: "Call Bo Ring on …"."""
    return bool(_CALLED.search(sentence[:start]) and _REACHED.match(sentence, end))


def _told_to(sentence: str, at: int, start: int, end: int) -> bool:
    """Whether what ``at`` begins is told of the name right behind it."""
    if start == at:
        # "Telephone Kest Ltd", read as one name.
        start = sentence.find(" ", at) + 1
    if not at < start < end:
        return False
    if _STRAIGHT.fullmatch(sentence, at, start):
        return _called(sentence, start, end)
    labelled = _LABEL.fullmatch(sentence, at, start) and _REACHED.match(sentence, end)
    return bool(labelled or _OF.fullmatch(sentence, at, start))


def holds(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase between the bounds of words, in any case."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def _word_end(text: str, at: int) -> int:
    word = re.compile(r"[\w-]+").match(text, at)
    return word.end() if word else at


@lru_cache(maxsize=1)
def _no_names() -> _core.EntityIndex:
    return _core.EntityIndex.build([])
