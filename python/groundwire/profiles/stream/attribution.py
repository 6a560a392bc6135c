"""Which claim rests on which source, and whether that source bears it out (S4-006..008)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from groundwire import _core
from groundwire._checks import every
from groundwire._given import passages, turns
from groundwire.errors import ArgumentError
from groundwire.findings import Claim
from groundwire.profiles.stream.language import (
    content_words,
    denies,
    differs,
    excluding,
    names,
    names_other,
    negative,
    numbers,
    opposed,
    renamed,
    sentences,
    stem,
)
from groundwire.profiles.stream.needs import attribute_names, plain_name, table_attribute
from groundwire.profiles.stream.shapes import SeedResult
from groundwire.profiles.stream.sources import (
    BASE_CONFIDENCE,
    OTHER_CONFIDENCE,
    FileContent,
    Inference,
    KnowledgeFact,
    Observation,
    Source,
    UserStatement,
)

MIN_COVERAGE = 0.6
"""Share of a claim's content words that a sentence has to hold to be its source."""
SPEAKERS = frozenset(map(stem, ("user", "customer", "client", "guest")))
"""What an answer calls the person who says "I"."""
MAX_PREMISES = 100_000
"""Claims followed for one inference; a longer chain counts as unverifiable."""


@dataclass(frozen=True)
class Verification(SeedResult):
    """What came of verifying a claim; also read by the document's keys (``found["verified"]``).

    Attributes:
        verified: whether the source bears the claim's attribution out.
        reason: if not, why: ``unattributed_claim``, ``unverifiable_source``, ``source_missing``,
            ``source_changed``, ``quote_not_found``, ``unverified_premise``,
            ``circular_inference``, ``source_contradicts``, ``not_in_source``.
        source: the claim's source, if it has one.
        premise: the premise that failed, for ``unverified_premise``.
    """

    verified: bool
    reason: str | None = None
    source: Any = None
    premise: Hashable = None

    def to_dict(self) -> dict[str, Any]:
        """Return the document's form (S4-007)."""
        if self.verified:
            return {"verified": True, "source": self.source}
        return {"verified": False, "reason": self.reason}


class SourceAttributionTracker:
    """Maps claims to sources and verifies them (S4-006, S4-007).

    A claim is any hashable value, such as its text, or a ``groundwire.Claim``, which counts by
    its id. Tracking a claim again replaces its source.

    Attributes:
        attribution_map: the source of each claim.
    """

    def __init__(self) -> None:
        self.attribution_map: dict[Hashable, Any] = {}
        self._said: dict[Hashable, str] = {}

    def track_claim(self, claim: Any, source: Any) -> None:
        """Say which source a claim rests on.

        Raises ``ArgumentError`` for a source without ``is_verifiable()``.
        """
        if not callable(getattr(source, "is_verifiable", None)):
            raise ArgumentError(f"a source needs a method is_verifiable(); {source!r:.60} has none")
        key = _key(claim)
        self.attribution_map[key] = source
        said = claim.content if isinstance(claim, Claim) else claim
        if isinstance(said, str):
            self._said[key] = said
        else:
            self._said.pop(key, None)

    def source_of(self, claim: Any) -> Any:
        """Return the source of a claim, or none."""
        return self.attribution_map.get(_key(claim))

    def verify_claim(self, claim: Any) -> Verification:
        """Verify a claim by the way of its kind of source (S4-008).

        An observation by the hash of its result, a file by reading it again and locating the
        quotation, a fact by looking it up, a user's statement by its turn, an inference by its
        premises and theirs. Any other source counts as it says of itself (``is_verifiable``). Where
        the words of the claim and of its source's quotation are known, a quotation that says
        otherwise, is about something else or lacks a number of the claim verifies nothing. What
        stands beside the quotation in its sentence counts with it.
        """
        first = _key(claim)
        state: dict[Hashable, Verification | None] = {}
        stack = [first]
        # By hand and not by recursion: a chain of inferences may be long.
        while stack:
            key = stack[-1]
            source = self.attribution_map.get(key)
            if state.get(key) is not None:
                stack.pop()
            elif not isinstance(source, Inference) or not source.is_verifiable():
                state[key] = self._alone(key)
                stack.pop()
            elif key not in state:
                state[key] = None
                if len(state) > MAX_PREMISES:
                    state[key] = Verification(False, "unverifiable_source", source)
                    continue
                premises = [_key(p) for p in source.premises]
                if any(p in state and state[p] is None for p in premises):
                    state[key] = Verification(False, "circular_inference", source)
                    continue
                stack.extend(p for p in reversed(premises) if p not in state)
            else:
                failed = (p for p in map(_key, source.premises) if not _holds(state.get(p)))
                bad = next(failed, None)
                state[key] = Verification(True, None, source)
                if bad is not None:
                    inner = state.get(bad)
                    circular = inner is None or inner.reason == "circular_inference"
                    reason = "circular_inference" if circular else "unverified_premise"
                    state[key] = Verification(False, reason, source, bad)
        return state[first] or Verification(False, "circular_inference")

    def _alone(self, key: Hashable) -> Verification:
        """Verify a claim that is no inference."""
        if key not in self.attribution_map:
            return Verification(False, "unattributed_claim")
        source = self.attribution_map[key]
        if not source.is_verifiable():
            return Verification(False, "unverifiable_source", source)
        check = getattr(source, "problem", None)
        reason = check() if callable(check) else None
        quote, said = getattr(source, "quote", None), self._said.get(key)
        if reason is None and said and isinstance(quote, str):
            around = getattr(source, "sentence", None)
            reason = _unborne(said, quote, (around() if callable(around) else None) or quote)
        return Verification(reason is None, reason, source)


def _holds(found: Verification | None) -> bool:
    return found is not None and found.verified


def _key(claim: Any) -> Hashable:
    key = claim.id if isinstance(claim, Claim) else claim
    try:
        hash(key)
    except TypeError:
        raise ArgumentError(f"a claim is hashable, or a groundwire.Claim: {claim!r:.60}") from None
    return key


class Attributor:
    """Finds sources for claims in everything an answer may rest on.

    Args:
        kb: a knowledge base.
        evidence: passages, as ``Monitor.session`` takes them; they count as content of files.
        history: earlier turns. A user's are statements, those of the role ``tool`` observations;
            the assistant's own count for nothing, and neither do questions.
    """

    def __init__(
        self,
        *,
        kb: _core.KnowledgeBase | None = None,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
    ) -> None:
        self._kb = kb
        said = turns(history)
        self._texts: list[tuple[Source, set[str], set[str], bool, str]] = []
        # Which of these hold a word: a claim is compared with what shares one, not with all.
        self._holding: dict[str, list[int]] = {}
        for name, text in passages(evidence):
            for quote in _quotes(text):
                self._add(FileContent(quote, text=text, name=name), quote)
        for turn, (role, text) in enumerate(said):
            observed = Observation.of(f"turn {turn + 1}", text) if role == "tool" else None
            for quote in _quotes(text) if role in {"user", "tool"} else ():
                if not quote.rstrip().endswith("?"):
                    self._add(observed or UserStatement(turn, quote, said), quote)

    def _add(self, source: Source, quote: str) -> None:
        held = content_words(quote)
        for word in held:
            self._holding.setdefault(word, []).append(len(self._texts))
        self._texts.append((source, held, numbers(quote), negative(quote), quote))

    def sources(self, claim: Claim) -> list[tuple[Source, float]]:
        """Return sources that say what ``claim`` says, the best first, with confidence 0..1.

        Confidence is the base of the source's kind, times its quality, times the share of the
        claim's content words that one of its sentences holds (at least 0.6). All numbers, days and
        names of the claim have to stand there, no word that excludes one of the claim's may, and
        both or neither are denied.
        """
        denied = claim.polarity == "negative"
        found = [*self._facts(claim), *self._quoted(claim.content, denied)]
        worth = [(s, base_confidence(s.type) * s.quality_factor * share) for s, share in found]
        return sorted(worth, key=lambda pair: -pair[1])

    def scores(self, text: str) -> list[float]:
        """Return the confidence that each source which says what ``text`` says gives it."""
        found = self._quoted(text, negative(text))
        return [base_confidence(s.type) * s.quality_factor * share for s, share in found]

    def _quoted(self, text: str, denied: bool) -> Iterable[tuple[Source, float]]:
        said, wanted = content_words(text), numbers(text)
        least = math.ceil(MIN_COVERAGE * len(said) - 1e-9)
        # What holds so many of the words holds one of the rarest of them.
        rarest = sorted(said, key=lambda word: (len(self._holding.get(word, ())), word))
        few = rarest[: len(said) - least + 1]
        for i in sorted({i for word in few for i in self._holding.get(word, ())}):
            source, held, present, negated, quote = self._texts[i]
            share = len(said & held) / len(said)
            if share < MIN_COVERAGE or not wanted <= present or negated != denied:
                continue
            if not differs(text, quote):
                yield source, share

    def _facts(self, claim: Claim) -> Iterable[tuple[Source, float]]:
        if self._kb is None or not claim.subject or not claim.predicate or not claim.object:
            return
        if claim.polarity == "negative":
            return
        subject = claim.subject.removeprefix("The ").removeprefix("the ")
        names = attribute_names(table_attribute(claim.predicate)) | {plain_name(claim.predicate)}
        for entity in self._kb.find(claim.subject) or self._kb.find(subject):
            for fact in self._kb.facts(entity):
                value = str(fact["value"])
                if plain_name(str(fact["predicate"])) in names and _same(value, claim.object):
                    source = KnowledgeFact(
                        self._kb,
                        entity,
                        str(fact["predicate"]),
                        value,
                        str(fact["source"] or ""),
                        float(fact["confidence"]),
                    )
                    yield source, 1.0


def opposes(said: str, quote: str) -> bool:
    """Whether a quotation is about what is said, and says otherwise.

    About the same are texts that share 0.6 of the words of what is said. Otherwise says what denies
    it, or has another number, day, name or a word that excludes one of its words. Texts that are
    the same but for names say otherwise too.
    """
    mine = content_words(said)
    if renamed(said, quote):
        return True
    about = mine - excluding() or mine if opposed(said, quote) else mine
    if not mine or len(about & content_words(quote)) / len(about) < MIN_COVERAGE:
        return False
    # "lacks a cafe", "has no cafe"
    worded = opposed(said, quote) or denies(said) != denies(quote)
    return (
        (negative(said) != negative(quote)) != worded
        or not numbers(said) <= numbers(quote)
        or names_other(said, quote)
    )


def _unborne(said: str, quote: str, sentence: str) -> str | None:
    """Return why a quotation, which stands in ``sentence``, does not bear out what is said."""
    if not quote.strip():
        return None
    if opposes(said, quote) or opposes(said, sentence) or _of_others(said, sentence):
        return "source_contradicts"
    mine, theirs = content_words(said), content_words(sentence)
    if len(mine) > 1 and not mine & theirs:
        return "not_in_source"
    if numbers(said) <= numbers(sentence):
        return None
    return "source_contradicts" if numbers(sentence) - numbers(said) else "not_in_source"


def _of_others(said: str, quote: str) -> bool:
    """Whether a quotation tells the same of another name: "founded by Bo Ek", "by Ada Lind"."""
    here, there = ([content_words(name) for name in names(text)] for text in (said, quote))
    mine, theirs = content_words(said), content_words(quote)
    told = mine.difference(*here, numbers(said), SPEAKERS)
    same = bool(told) and len(told & theirs) / len(told) >= MIN_COVERAGE
    lacks = any(not name & theirs for name in here)
    return same and lacks and any(not name & mine for name in there)


def _quotes(text: str) -> list[str]:
    return [text[a:b].strip() for a, b in sentences(text)] or [text.strip()]


def _same(value: str, said: str) -> bool:
    """Whether a fact's value is what a claim says: its numbers, or all of its words."""
    wanted = numbers(value)
    if wanted:
        return wanted <= numbers(said)
    held = content_words(value)
    return bool(held) and held <= content_words(said)


def base_confidence(kind: str) -> float:
    """Return the base confidence of a kind of source (S4-009)."""
    return BASE_CONFIDENCE.get(kind, OTHER_CONFIDENCE)


def attribute(claims: Iterable[Claim], attributor: Attributor) -> SourceAttributionTracker:
    """Return a tracker with the best source of every claim that has one.

    Claims that something contradicts get none.
    """
    tracker = SourceAttributionTracker()
    for claim in every(claims, "claims", Claim):
        found = attributor.sources(claim) if claim.status != "contradicted" else []
        if found:
            tracker.track_claim(claim, found[0][0])
    return tracker
