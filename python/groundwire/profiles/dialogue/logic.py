"""Statements of one answer that cannot all be true (S0-055 to S0-061)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from groundwire._checks import every
from groundwire.findings import Span
from groundwire.profiles.dialogue.base import Beyond, Component, parsed
from groundwire.profiles.dialogue.builtin import GivenWords, WordTables
from groundwire.profiles.dialogue.parts import LogicalInferenceEngine, StatementParser
from groundwire.profiles.dialogue.segments import segment_response
from groundwire.profiles.dialogue.types import (
    Contradiction,
    HallucinationFlag,
    HallucinationType,
    LogicalStatement,
    ResponseSegment,
)


class LogicalConsistencyChecker(Component):
    """Negations, incompatible values, exclusive categories, impossible properties, quantifiers.

    Args:
        statement_parser: brings sentences into logical form.
        inference_engine: knows what excludes what. The words that ``WordTables`` is given add to
            what the core finds; any other engine stands in the core's place.
        strict_seed: categories exclude each other whatever they are said of, every "all" meets
            every "no" of the same subject, and the span of such a pair may end before it starts,
            as the document writes. Otherwise only statements of one subject are compared,
            quantifiers need the same scope, predicate and object, and pairs stand in the order of
            the text.
    """

    def __init__(
        self,
        statement_parser: StatementParser | None = None,
        inference_engine: LogicalInferenceEngine | None = None,
        *,
        strict_seed: bool = False,
    ) -> None:
        super().__init__((statement_parser, inference_engine), strict_seed=strict_seed)
        self.statement_parser = statement_parser
        self.inference_engine: LogicalInferenceEngine = inference_engine or WordTables()

    def detect(self, segments: Sequence[ResponseSegment]) -> list[HallucinationFlag]:
        """Return one flag for each pair that disagrees and each statement that cannot be."""
        statements = self._statements(segments)
        flags = self._contradictions(statements, self.check_contradiction)
        return flags + self.check_semantic_contradictions(statements)

    @property
    def beyond(self) -> Beyond | None:
        """What gives one flag for each pair that the words given to ``WordTables`` exclude."""
        added = getattr(self.inference_engine, "added", None)
        if not isinstance(added, GivenWords):
            return None
        judge = partial(self._excluded, engine=added)
        return lambda segments: self._contradictions(self._statements(segments), judge)

    def _contradictions(
        self,
        statements: Sequence[LogicalStatement],
        judge: Callable[[LogicalStatement, LogicalStatement], Contradiction | None],
    ) -> list[HallucinationFlag]:
        flags = []
        for one, other in self._pairs(statements):
            found = judge(one, other)
            if found is not None:
                flags.append(
                    _flag(
                        (one.span[0], other.span[1]),
                        f"'{one.surface}' vs '{other.surface}'",
                        found.confidence,
                        "These statements contradict each other",
                        found.explanation,
                        one.subject,
                    )
                )
        return flags

    def check_contradiction(
        self, one: LogicalStatement, other: LogicalStatement
    ) -> Contradiction | None:
        """Return how two statements contradict each other, or ``None``."""
        if one.is_negation_of(other):
            return Contradiction(0.95, "Direct logical negation")
        return self._excluded(one, other, self.inference_engine)

    def _excluded(
        self,
        one: LogicalStatement,
        other: LogicalStatement,
        engine: LogicalInferenceEngine | GivenWords,
    ) -> Contradiction | None:
        """Return how objects or categories of two statements exclude each other, or ``None``."""
        same = one.subject == other.subject if self.strict_seed else _same(one, other, "subject")
        if (
            same
            and (one.predicate == other.predicate)
            and one.object != other.object
            and (self.strict_seed or not (one.negative or other.negative))
            and not engine.compatible(one.object, other.object)
        ):
            explanation = f"{one.subject} cannot be both {one.object} and {other.object}"
            return Contradiction(0.85, explanation)
        if (
            one.category is not None
            and other.category is not None
            and (self.strict_seed or (same and not (one.negative or other.negative)))
            and engine.mutually_exclusive(one.category, other.category)
        ):
            both = f"{one.category} and {other.category}"
            return Contradiction(0.80, f"{both} are mutually exclusive categories")
        return None

    def check_semantic_contradictions(
        self, statements: Sequence[LogicalStatement]
    ) -> list[HallucinationFlag]:
        """Return flags of what the world does not allow, and of quantifiers in conflict."""
        flags = []
        for statement in statements:
            issue = self.inference_engine.impossible(statement)
            if issue is not None:
                flags.append(
                    _flag(
                        statement.span,
                        statement.surface,
                        issue.confidence,
                        issue.explanation,
                        None,
                        statement.subject,
                    )
                )
            if not statement.has_universal_quantifier():
                continue
            for other in statements:
                if not other.has_existential_negation_of(statement.subject):
                    continue
                first, second = statement, other
                if not self.strict_seed:
                    if not all(
                        _same(first, second, part) for part in ("scope", "predicate", "object")
                    ):
                        continue
                    first, second = sorted((first, second), key=lambda item: item.span)
                flags.append(
                    _flag(
                        (first.span[0], second.span[1]),
                        f"{first.surface} vs {second.surface}",
                        0.85,
                        "Universal and existential claims conflict",
                        None,
                        statement.subject,
                    )
                )
        return flags

    def _statements(self, segments: Sequence[ResponseSegment]) -> list[LogicalStatement]:
        given = every(segments, "segments", ResponseSegment)
        return [item for segment in given for item in self._parse(segment)]

    def _parse(self, segment: ResponseSegment) -> Sequence[LogicalStatement]:
        if self.statement_parser is not None:
            return parsed(segment, self.statement_parser.parse)
        if segment.statements is not None:
            return segment.statements
        found = (part.statements or () for part in segment_response(segment.text))
        by = segment.span[0]
        alone = ResponseSegment(0, "", (0, 0), statements=tuple(s for part in found for s in part))
        return alone.shifted(by).statements or ()

    def _pairs(
        self, statements: Sequence[LogicalStatement]
    ) -> Iterator[tuple[LogicalStatement, LogicalStatement]]:
        """Go through the pairs to compare, in the order of the text."""
        if self.strict_seed:
            for i, one in enumerate(statements):
                for other in statements[i + 1 :]:
                    yield one, other
            return
        before: dict[str, list[LogicalStatement]] = defaultdict(list)
        for other in statements:
            if other.modality in {"question", "instruction", "hypothetical"}:
                continue
            same = before[other.subject.casefold().strip()]
            for one in same:
                yield one, other
            same.append(other)


def _same(one: LogicalStatement, other: LogicalStatement, part: str) -> bool:
    mine, theirs = getattr(one, part), getattr(other, part)
    return bool(mine.casefold().strip() == theirs.casefold().strip())


def _flag(
    span: Span,
    content: str,
    confidence: float,
    suggestion: str,
    evidence: str | None,
    entity: str,
) -> HallucinationFlag:
    return HallucinationFlag(
        span=span,
        content=content,
        hallucination_type=HallucinationType.LogicalInconsistency,
        confidence=confidence,
        suggestion=suggestion,
        evidence=evidence,
        status="contradicted",
        entity=entity or None,
    )
