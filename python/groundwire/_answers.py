"""What detectors and verifiers have to be, and whether what was given is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from groundwire.errors import ArgumentError
from groundwire.findings import Claim, Finding, Verdict
from groundwire.rules import RuleLike


@runtime_checkable
class Detector(Protocol):
    """Anything that looks at a closed claim and says what is wrong with it."""

    @property
    def name(self) -> str:
        """Name of the detector."""

    def detect(self, claim: Claim, text: str) -> Iterable[Finding]:
        """Return findings about ``claim``; ``text`` is the stream up to the claim's end."""


@runtime_checkable
class Verifier(Protocol):
    """Anything that can say whether a claim holds."""

    @property
    def name(self) -> str:
        """Name of the verifier."""

    def verify(self, claim: Claim) -> Verdict:
        """Return the verdict about ``claim``."""


@runtime_checkable
class StreamVerifier(Verifier, Protocol):
    """A verifier that has to know a stream's evidence; it is opened once a stream."""

    def open(
        self,
        evidence: Sequence[tuple[str, str]],
        history: Sequence[tuple[str, str]],
        question: str | None,
    ) -> Verifier:
        """Return the verifier of one stream.

        If that one has ``verify_in(claim, text)``, it is called instead of ``verify``; ``text`` is
        the stream up to the claim's end.
        """


@runtime_checkable
class InPlace(Protocol):
    """A verifier that wants the text before the claim as well."""

    def verify_in(self, claim: Claim, text: str) -> Verdict: ...


def opened(
    verifiers: Iterable[Verifier],
    evidence: Sequence[tuple[str, str]],
    history: Sequence[tuple[str, str]],
    question: str | None,
) -> list[Verifier]:
    """Return verifiers for one stream: those that have to know its evidence are opened."""
    return [
        v.open(evidence, history, question) if isinstance(v, StreamVerifier) else v
        for v in verifiers
    ]


def check_parts(detectors: Sequence[Any], verifiers: Sequence[Any]) -> None:
    """Raise ``ArgumentError`` naming what is no detector, rule or verifier."""
    for i, part in enumerate(detectors):
        rule = isinstance(part, RuleLike) and callable(part.matches) and callable(part.confidence)
        if not rule and not (isinstance(part, Detector) and callable(part.detect)):
            raise ArgumentError(
                f"detectors[{i}] is no detector: {part!r:.60}; it needs a 'name' and a method "
                "detect(claim, text) that returns findings"
            )
    for i, part in enumerate(verifiers):
        if not (isinstance(part, Verifier) and callable(part.verify)):
            raise ArgumentError(
                f"verifiers[{i}] is no verifier: {part!r:.60}; it needs a 'name' and a method "
                "verify(claim) that returns a groundwire.Verdict"
            )


def verdict_of(verifier: Verifier, claim: Claim, text: str) -> Verdict:
    """Return what ``verifier`` says of ``claim``; ``ArgumentError`` if that is no verdict."""
    verdict: Any
    if isinstance(verifier, InPlace):
        verdict = verifier.verify_in(claim, text)
    else:
        verdict = verifier.verify(claim)
    if not isinstance(verdict, Verdict):
        raise ArgumentError(
            f"{verifier.name}: verify() returned {type(verdict).__name__}, not a groundwire.Verdict"
        )
    return verdict


def findings_of(
    detector: Detector, claim: Claim, text: str, failed: Callable[[BaseException], None]
) -> list[Finding]:
    """Return what ``detector`` finds about ``claim``, as far as it can be taken.

    ``failed`` is told of every other finding, and of what the detector raised on its way. Raises
    ``ArgumentError`` where it returned no findings at all.
    """
    found: Any = detector.detect(claim, text)
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise ArgumentError(
            f"{detector.name}: detect() returned {type(found).__name__}, not findings"
        )
    valid: list[Finding] = []
    try:
        for finding in found:
            wrong = unfit(finding, claim, text)
            if wrong is None:
                valid.append(finding)
            else:
                failed(ArgumentError(f"{detector.name}: {wrong}"))
    except BaseException as error:
        # What it found before it failed holds.
        failed(error)
    return valid


def unfit(finding: Any, claim: Claim, text: str) -> str | None:
    """Return why this is no finding about ``claim``, at whose end ``text`` ends; or ``None``."""
    if not isinstance(finding, Finding):
        return f"a finding is a groundwire.Finding, not {finding!r:.60}"
    p = finding.p_hallucinated
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        return f"{finding.type}: p_hallucinated is {p!r:.60}; it lies between 0 and 1"
    if finding.byte_span is None:
        return None
    span, end = finding.byte_span, claim.byte_span[1]
    if not (
        isinstance(span, tuple | list)
        and len(span) == 2
        and all(isinstance(at, int) and not isinstance(at, bool) for at in span)
        and 0 <= span[0] <= span[1] <= end
    ):
        return f"{finding.type}: byte_span {span!r:.60} does not lie in the text (0..{end})"
    data = text.encode()
    base = end - len(data)
    inside = [at - base for at in span]
    if inside[0] < 0 or any(at < len(data) and data[at] & 0xC0 == 0x80 for at in inside):
        return (
            f"{finding.type}: byte_span {span!r:.60} begins or ends inside a character, or before "
            f"byte {base}, where the retained text begins"
        )
    return None
