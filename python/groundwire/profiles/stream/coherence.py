"""Is new content coherent with what was said: contradictions, drift, goalposts (S4-020..024)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from groundwire import _core
from groundwire._given import turns
from groundwire.errors import ArgumentError, NotFoundError
from groundwire.findings import Claim
from groundwire.monitor import Monitor
from groundwire.profiles.stream.language import affirmed, content_words, negative, numbers, tables
from groundwire.profiles.stream.needs import plain_name, table_attribute
from groundwire.profiles.stream.shapes import SeedResult

HISTORY_TURNS = 10
"""Latest turns that are compared with (as S0-046 has it)."""
DRIFT_THRESHOLD = 0.8
"""Drift from which a concept that is defined anew counts as drifted."""
SAME_WORDS = 0.8
"""Share of words that two statements have in common if one denies the other."""
APPROXIMATE = 0.1
"""Relative difference up to which a value that is called approximate is the same."""
_YEAR = re.compile(r"\b(?:in|since|during|by|as of) ((?:1\d|20)\d\d)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:it|he|she|they|this|that)", re.IGNORECASE)


@dataclass(frozen=True)
class Contradiction(SeedResult):
    """A new claim and the earlier fact it contradicts (S4-021).

    ``severity`` (0..1) is how surely the two exclude each other, times the confidence with which
    the fact was stated. ``kind`` is ``value``, ``negation`` or ``quantifier``.
    """

    claim: str
    contradicts: str
    severity: float
    kind: Literal["value", "negation", "quantifier"]

    def to_dict(self) -> dict[str, Any]:
        """Return the document's form."""
        keys = ("claim", "contradicts", "severity")
        return {key: getattr(self, key) for key in keys}


@dataclass(frozen=True)
class Drift:
    """How far what is said of a concept has moved (S4-023).

    ``drift`` is 1 minus the overlap of the content words said of it now (``now``) and at first
    (``first``), over the smaller of the two; ``drifted`` says that it was given another definition
    without saying so.
    """

    concept: str
    first: str
    now: str
    drift: float
    drifted: bool


@dataclass(frozen=True)
class Coherence(SeedResult):
    """What came of a validation; also read by the document's keys (``found["coherent"]``).

    Attributes:
        contradictions: in the order of the new claims.
        goalposts: those of them that change a value or quantifier of the same statement (S4-024).
        drifts: how far each concept that both sides speak of has moved.
        corrections: claims that would contradict, but say openly that they correct.
    """

    contradictions: tuple[Contradiction, ...] = ()
    goalposts: tuple[Contradiction, ...] = ()
    drifts: tuple[Drift, ...] = ()
    corrections: tuple[str, ...] = ()

    @property
    def coherent(self) -> bool:
        """Whether nothing is contradicted (S4-022)."""
        return not self.contradictions

    def to_dict(self) -> dict[str, Any]:
        """Return the document's form."""
        found = [one.to_dict() for one in self.contradictions]
        return {"coherent": self.coherent, "contradictions": found}


@dataclass(frozen=True)
class _Said:
    """A claim in the form that is compared."""

    claim: Claim
    content: str
    subject: str
    predicate: str
    value: str
    words: frozenset[str]
    denied: bool
    quantifier: str | None
    quantified: frozenset[str]
    years: frozenset[str]
    corrects: bool


def validate_coherence(
    new_content: str, context_history: Iterable[Any] = (), *, monitor: Monitor | None = None
) -> Coherence:
    """Compare every claim of new content with every fact of the history (S4-020).

    Args:
        new_content: the new text.
        context_history: earlier turns: (role, text) pairs, mappings with ``role`` and ``text``, or
            plain texts; the last ten count, whoever said them. Questions establish nothing.
        monitor: reads the claims; the default monitor unless given.

    Returns:
        Contradictions, goalposts and drifts. A claim that is marked as a correction ("actually",
        "correction:", "I misspoke") contradicts nothing; from there on it is the fact.

    Raises:
        ArgumentError: content or history are no texts.

    """
    if not isinstance(new_content, str):
        raise ArgumentError(f"new_content is a string, not {type(new_content).__name__}")
    given = [("assistant", turn) if isinstance(turn, str) else turn for turn in context_history]
    reader = monitor or _reader()
    facts = [said for _, text in turns(given)[-HISTORY_TURNS:] for said in _read(text, reader)]
    facts = list(_standing(facts))
    new = list(_read(new_content, reader))
    contradictions: list[Contradiction] = []
    corrections: list[str] = []
    for said in new:
        for fact in facts:
            found = _contradiction(said, fact)
            if found is None:
                continue
            if said.corrects:
                corrections.append(said.content)
            elif found not in contradictions:
                contradictions.append(found)
    moved = tuple(c for c in contradictions if c.kind != "negation")
    drifts = tuple(_drifts(new, facts))
    return Coherence(tuple(contradictions), moved, drifts, tuple(dict.fromkeys(corrections)))


def validateCoherence(  # the document's own name
    new_content: str, context_history: Iterable[Any] = ()
) -> dict[str, Any]:
    """Return ``validate_coherence`` in the form that the document gives it (S4-022)."""
    return validate_coherence(new_content, context_history).to_dict()


def contradiction_severity(predicate: str, prior_confidence: float) -> float:
    """Return exclusivity of the predicate (0..1; 0 if values may differ) times the confidence.

    Raises ``ArgumentError`` for a confidence outside 0..1.
    """
    if not 0.0 <= prior_confidence <= 1.0:
        raise ArgumentError(f"a confidence lies in 0..1, not {prior_confidence!r:.60}")
    exclusivity = float(tables()["exclusivity"].get(table_attribute(predicate), 0.0))
    return exclusivity * prior_confidence


@lru_cache(maxsize=1)
def _reader() -> Monitor:
    return Monitor()


def _read(text: str, monitor: Monitor) -> Iterator[_Said]:
    """Yield what a text states; pronouns stand for the subject before."""
    before = ""
    for claim, content in _claims(text, monitor):
        if content.rstrip().endswith("?") or claim.modality in {"hypothetical", "conditional"}:
            continue
        plain = _marks().sub("", content)
        subject = _subject(claim.subject or "")
        if _PRONOUN.fullmatch(subject):
            subject = before
        before = subject or before
        quantifier, rest = _quantified(plain.strip(" ,:;"))
        value = claim.object or ""
        yield _Said(
            claim,
            content,
            subject,
            plain_name(table_attribute(claim.predicate or "")),
            value,
            frozenset(content_words(affirmed(plain))),
            negative(plain) and quantifier is None,
            quantifier,
            frozenset(content_words(rest)),
            frozenset(_YEAR.findall(plain)) - numbers(value),
            _marks().search(content) is not None,
        )


def _claims(text: str, monitor: Monitor) -> Iterator[tuple[Claim, str]]:
    """Yield claims and their words; what is marked as a correction is read without its mark."""
    done: set[int] = set()
    for claim in monitor.check(text).claims:
        mark = re.match(_marks(), claim.content)
        if mark is None:
            yield claim, claim.content
        elif claim.span[0] not in done:
            done.add(claim.span[0])
            for inner in monitor.check(claim.content[mark.end() :].lstrip(" ,:;-")).claims:
                yield inner, claim.content


@lru_cache(maxsize=1)
def _marks() -> re.Pattern[str]:
    return re.compile(tables()["corrections"]["marks"], re.IGNORECASE)


def _standing(facts: list[_Said]) -> Iterator[_Said]:
    """Yield the facts that no later correction takes back."""
    for i, fact in enumerate(facts):
        later = (other for other in facts[i + 1 :] if other.corrects)
        if not any(_contradiction(other, fact) for other in later):
            yield fact


def _subject(name: str) -> str:
    return re.sub(r"^(?:the|an?|our|my)\s+", "", name.strip().casefold())


@lru_cache(maxsize=1)
def _quantifiers() -> tuple[tuple[str, re.Pattern[str]], ...]:
    kinds = {k: v for k, v in tables()["quantifiers"].items() if isinstance(v, str)}
    words = [(word, kind) for kind, listed in kinds.items() for word in listed.split("|")]
    words.sort(key=lambda pair: -len(pair[0]))
    return tuple(
        (kind, re.compile(rf"{re.escape(word)}\b\s*", re.IGNORECASE)) for word, kind in words
    )


def _quantified(text: str) -> tuple[str | None, str]:
    """Return the quantifier that opens a statement, and the statement without it."""
    for kind, pattern in _quantifiers():
        match = pattern.match(text)
        if match is not None:
            return kind, text[match.end() :]
    return None, text


def _contradiction(said: _Said, fact: _Said) -> Contradiction | None:
    """Return how a claim contradicts a fact, or none where both may hold."""
    if said.years and fact.years and said.years != fact.years:
        # Both may hold, each in its time.
        return None
    confidence = fact.claim.stated_confidence
    severity, kind = 0.0, "value"
    if said.quantifier and fact.quantifier:
        two = {said.quantifier, fact.quantifier}
        clash = any(two == set(line.split()) for line in tables()["quantifiers"]["conflicts"])
        if clash and _alike(said.quantified, fact.quantified):
            severity, kind = confidence, "quantifier"
    elif said.denied != fact.denied:
        if _alike(said.words, fact.words) and said.subject == fact.subject:
            severity, kind = confidence, "negation"
    elif _moved(said, fact):
        severity = contradiction_severity(said.predicate, confidence)
    if severity == 0.0:
        return None
    return Contradiction(said.content, fact.content, severity, kind)  # type: ignore[arg-type]


def _moved(said: _Said, fact: _Said) -> bool:
    """Whether one attribute of one thing was given another value."""
    known = bool(said.subject) and said.subject == fact.subject and said.predicate == fact.predicate
    if not known or said.denied or not said.predicate:
        return False
    return _differ(said, fact) and not _goes_on(said.content)


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    both = left | right
    return bool(both) and len(left & right) / len(both) >= SAME_WORDS


def _goes_on(text: str) -> bool:
    return re.search(tables()["corrections"]["also"], text, re.IGNORECASE) is not None


def _differ(said: _Said, fact: _Said) -> bool:
    """Whether two values of one attribute cannot be the same."""
    if _same_amount(said.claim, fact.claim):
        return False
    left, right = numbers(said.value), numbers(fact.value)
    if left and right:
        if left & right:
            return False
        near = any(q.get("approximate") for c in (said, fact) for q in c.claim.quantities)
        pairs = [(float(a), float(b)) for a in left for b in right]
        return not (near and any(abs(a - b) <= APPROXIMATE * max(a, b) for a, b in pairs))
    one, other = content_words(said.value), content_words(fact.value)
    # "March" and "March 1987", "Ada" and "Ada Lind" are the same, said less or more exactly.
    return bool(one and other) and not one <= other and not other <= one


def _same_amount(left: Claim, right: Claim) -> bool:
    """Whether two claims give one amount in different units."""
    for one in left.quantities:
        for other in right.quantities:
            if None in (one["unit"], other["unit"]) or one["unit"] == other["unit"]:
                continue
            value = _converted(one["value"], _unit(left, one), _unit(right, other))
            if value is not None and abs(value - other["value"]) <= 0.01 * abs(other["value"]):
                return True
    return False


def _converted(value: float, source: str, target: str) -> float | None:
    try:
        return _core.convert_unit(value, source, target)
    except NotFoundError:
        return None


def _unit(claim: Claim, quantity: Mapping[str, Any]) -> str:
    """Return the unit of a quantity as the claim writes it."""
    start = claim.byte_span[0]
    place = quantity["span"]
    data = claim.content.encode()[place["start"] - start : place["end"] - start]
    name = re.sub(r"^[\d.,\s-]+", "", data.decode("utf-8", "replace")).strip()
    return {"feet": "foot", "inches": "inch"}.get(name, name.removesuffix("s"))


def _drifts(new: list[_Said], facts: list[_Said]) -> Iterator[Drift]:
    first: dict[str, list[_Said]] = {}
    for fact in facts:
        first.setdefault(fact.subject, []).append(fact)
    now: dict[str, list[_Said]] = {}
    for said in new:
        now.setdefault(said.subject, []).append(said)
    for concept in (c for c in now if c and c in first):
        name = content_words(concept)
        told = set().union(*(s.words for s in now[concept])) - name
        before = set().union(*(s.words for s in first[concept])) - name
        if not told or not before:
            continue
        drift = 1 - len(told & before) / min(len(told), len(before))
        was, is_ = _definition(first[concept]), _definition(now[concept])
        anew = was is not None and is_ is not None and not (is_.corrects or _goes_on(is_.content))
        if anew and was is not None and is_ is not None:
            apart = not (content_words(was.value) & content_words(is_.value))
            anew = apart and not is_.denied and not was.denied
        shown = (is_ or now[concept][0]).content
        yield Drift(
            concept,
            (was or first[concept][0]).content,
            shown,
            drift,
            bool(anew and drift >= DRIFT_THRESHOLD),
        )


def _definition(said: list[_Said]) -> _Said | None:
    """Return the first statement of what something is ("X is a …")."""
    for one in said:
        if one.predicate in {"is", "are", "is a", "type"} and re.match(r"an? ", one.value, re.I):
            return one
    return None
