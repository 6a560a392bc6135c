"""The detector as a whole: eight components run in order, folded, filtered (S0-028 to S0-037)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Self

from groundwire import _core
from groundwire._checks import words
from groundwire.errors import ArgumentError, GroundwireError
from groundwire.findings import Finding
from groundwire.monitor import Monitor
from groundwire.profiles.dialogue.attributes import (
    AttributeVerifier,
    KBContradictionDetector,
    UnsupportedClaimDetector,
)
from groundwire.profiles.dialogue.base import best, overlap
from groundwire.profiles.dialogue.errors import HallucinationError
from groundwire.profiles.dialogue.facts import (
    SUBJECT_MISSING,
    EntityExistenceChecker,
    FabricatedFactDetector,
)
from groundwire.profiles.dialogue.history import HistoryContradictionDetector
from groundwire.profiles.dialogue.knowledge import view
from groundwire.profiles.dialogue.logic import LogicalConsistencyChecker
from groundwire.profiles.dialogue.native import to_flag
from groundwire.profiles.dialogue.segments import segment_response
from groundwire.profiles.dialogue.settings import ORDER, HallucinationDetectorConfig
from groundwire.profiles.dialogue.state import DialogueState
from groundwire.profiles.dialogue.temporal import TemporalConsistencyChecker
from groundwire.profiles.dialogue.types import (
    HallucinationFlag,
    HallucinationType,
    ResponseSegment,
)
from groundwire.report import Report

log = logging.getLogger("groundwire")


@dataclass(frozen=True, slots=True)
class Components:
    """The eight components (S0-028), in the order they run; ``None`` is the built-in one.

    Each may be any object with the ``detect`` of the one it stands for.
    """

    fact_detector: Any = None
    entity_checker: Any = None
    attribute_verifier: Any = None
    kb_contradiction_detector: Any = None
    history_contradiction_detector: Any = None
    claim_detector: Any = None
    temporal_checker: Any = None
    logical_checker: Any = None

    @classmethod
    def of(cls, given: Components | Mapping[str, Any] | None) -> Self | Components:
        """Return components given by name, or as they are.

        Raises ``ArgumentError`` for a name that is none, or an object without ``detect``.
        """
        if given is None:
            return cls()
        if isinstance(given, Mapping):
            known = [entry.name for entry in fields(cls)]
            for name in given:
                if name not in known:
                    raise ArgumentError(
                        f"{name!r:.60} is no component; there are {', '.join(known)}"
                    )
            given = cls(**given)
        if not isinstance(given, Components):
            raise ArgumentError(f"components are Components or a mapping, not {given!r:.60}")
        for entry in fields(cls):
            part = getattr(given, entry.name)
            if part is not None and not callable(getattr(part, "detect", None)):
                raise ArgumentError(f"component {entry.name} has no method 'detect': {part!r:.60}")
        return given

    def built(self, *, strict_seed: bool) -> tuple[Any, ...]:
        """Return all eight, the missing ones built in."""
        return tuple(
            kind(strict_seed=strict_seed) if given is None else given
            for kind, given in (
                (_BUILTIN[entry.name], getattr(self, entry.name)) for entry in fields(self)
            )
        )


_BUILTIN: dict[str, type[Any]] = {
    "fact_detector": FabricatedFactDetector,
    "entity_checker": EntityExistenceChecker,
    "attribute_verifier": AttributeVerifier,
    "kb_contradiction_detector": KBContradictionDetector,
    "history_contradiction_detector": HistoryContradictionDetector,
    "claim_detector": UnsupportedClaimDetector,
    "temporal_checker": TemporalConsistencyChecker,
    "logical_checker": LogicalConsistencyChecker,
}


class HallucinationDetector:
    """Finds what an answer makes up.

    Detectors with no part replaced run in the Rust core, in one pass over the text and one more for
    each whose options differ from the defaults; ``current_date`` of the temporal checker is today
    for all. What ``WordTables`` was given is looked for beside the core. A component of your own,
    one with a part replaced, one that asks a knowledge base that is not
    ``groundwire.KnowledgeBase``, and, under ``strict_seed``, all of them run in Python over the
    answer's segments.

    Args:
        components: the eight components, or those that differ by name.
        config: how it runs; a ``HallucinationDetectorConfig``, a ``Config``, or the path of a
            configuration file. Defaults are D-1's.

    Raises:
        ArgumentError: a component is none.
        ConfigError: the configuration is not valid.
    """

    def __init__(
        self, components: Components | Mapping[str, Any] | None = None, config: Any = None
    ) -> None:
        if config is None:
            config = HallucinationDetectorConfig()
        elif not isinstance(config, HallucinationDetectorConfig):
            config = HallucinationDetectorConfig.load(config)
        self.config: HallucinationDetectorConfig = config
        self.components = Components.of(components).built(strict_seed=config.strict_seed)
        self._monitors: tuple[Any, dict[Any, Monitor]] = (None, {})

    def detect(
        self,
        response: str,
        dialogue_state: DialogueState | None = None,
        knowledge_base: Any = None,
    ) -> list[HallucinationFlag]:
        """Return the flags of an answer, detector by detector (S0-034), deduplicated.

        Of one type's flags on overlapping spans the surest stays; a claim about an unknown subject
        leaves out the flag on that name (D-1), which ``strict_seed`` keeps. Confidences are
        multiplied by the detector's weight; what stays below ``detection_threshold`` is dropped.

        Args:
            response: the answer.
            dialogue_state: what was said before.
            knowledge_base: a ``groundwire.KnowledgeBase``, or an object with the methods of
                ``KnowledgeBase`` in this package.

        Raises:
            ArgumentError: an argument is none of these.
            HallucinationError: a stage failed; the message names it.

        """
        state = DialogueState() if dialogue_state is None else dialogue_state
        if not isinstance(state, DialogueState):
            raise ArgumentError(f"dialogue_state is a DialogueState, not {state!r:.60}")
        words(response, "response")
        view(knowledge_base)
        enabled = [
            (name, component)
            for name, component in zip(ORDER, self.components, strict=True)
            if getattr(self.config.enabled_detectors, name)
        ]
        found: dict[str, list[HallucinationFlag]] = {name: [] for name, _ in enabled}
        native: dict[tuple[Any, ...], set[str]] = {}
        beside: list[tuple[str, Any, tuple[str, ...]]] = []
        for name, component in enabled:
            if not self._is_native(component, knowledge_base):
                beside.append((name, component.detect, NEEDS[name]))
                continue
            # An option of one detector is no matter of the others: each has the core its own way.
            native.setdefault(tuple(sorted(component.settings.items())), set()).add(name)
            if component.beyond is not None:
                beside.append((name, component.beyond, ()))
        for settings, wanted in native.items():
            self._run_core(response, state, knowledge_base, settings, wanted, found)
        segments = self.segment_response(response, state, knowledge_base) if beside else []
        given = {"dialogue": state, "kb": view(knowledge_base)}
        for name, detect, needs in beside:
            found[name] += self._run(name, detect, segments, *(given[need] for need in needs))
        flags = [
            _with_text(flag, response)
            for name, _ in enabled
            for flag in self._weighed(name, found[name])
        ]
        threshold = self.config.detection_threshold
        return [flag for flag in self.deduplicate_flags(flags) if flag.confidence >= threshold]

    def segment_response(
        self,
        response: str,
        dialogue_state: DialogueState | None = None,
        knowledge_base: Any = None,
    ) -> list[ResponseSegment]:
        """Return the answer's segments, cut to the first ``max_claims`` claims unless strict."""
        state = dialogue_state or DialogueState()
        segments = segment_response(
            response,
            kb=knowledge_base if isinstance(knowledge_base, _core.KnowledgeBase) else None,
            history=state.history(),
            reference_date=self._today(),
        )
        if self.config.strict_seed:
            return segments
        left = self.config.max_claims
        cut = []
        for segment in segments:
            cut.append(replace(segment, claims=segment.claims[: max(left, 0)]))
            left -= len(segment.claims)
        if left < 0:
            log.warning("%d claims beyond max_claims were not looked at", -left)
        return cut

    def deduplicate_flags(self, flags: Sequence[HallucinationFlag]) -> list[HallucinationFlag]:
        """Return flags without those that another says better (S0-036, D-1)."""
        kept = best(flags)
        if self.config.strict_seed:
            return kept
        facts = [flag.span for flag in kept if flag.evidence == SUBJECT_MISSING]
        return [
            flag
            for flag in kept
            if flag.hallucination_type is not HallucinationType.NonexistentEntity
            or not any(overlap(flag.span, span) for span in facts)
        ]

    def _today(self) -> date | None:
        """Return the day that the temporal checker counts from, if it was given one."""
        today: date | None = getattr(self.components[6], "current_date", None)
        return today

    def _is_native(self, component: Any, knowledge_base: Any) -> bool:
        foreign = knowledge_base is not None and not isinstance(knowledge_base, _core.KnowledgeBase)
        return (
            type(component) in _BUILTIN.values()
            and component.native
            and not self.config.strict_seed
            and not (foreign and "kb" in component.needs)
        )

    def _run_core(
        self,
        response: str,
        state: DialogueState,
        knowledge_base: Any,
        settings: tuple[Any, ...],
        wanted: set[str],
        found: dict[str, list[HallucinationFlag]],
    ) -> None:
        """Add the core's flags, with ``settings``, of the detectors ``wanted`` to ``found``."""
        kb = knowledge_base if isinstance(knowledge_base, _core.KnowledgeBase) else None
        try:
            monitor = self._monitor(kb, settings)
            history = state.history()
            report = monitor.check(response, history=history, reference_date=self._today())
        except GroundwireError as error:
            raise HallucinationError(f"detection in the core failed: {error}") from error
        names = {kind: name for name, kind in ORDER.items()}
        for finding in report.findings:
            flag = to_flag(finding)
            if flag is None or names[flag.hallucination_type] not in wanted:
                continue
            if flag.hallucination_type is HallucinationType.LogicalInconsistency:
                flag = replace(flag, **_pair(finding, report))
            unknown = flag.hallucination_type is HallucinationType.NonexistentEntity
            if not (unknown and state.entity_registry.resolve(flag.text)):
                found[names[flag.hallucination_type]].append(flag)

    def _monitor(self, kb: _core.KnowledgeBase | None, settings: tuple[Any, ...]) -> Monitor:
        """Return the monitor of a knowledge base and settings; those of the last base are kept."""
        kept = self._monitors
        if kept[0] is not kb:
            kept = self._monitors = (kb, {})
        if settings not in kept[1]:
            # Weights and threshold count here, behind the core (S0-031, S0-037).
            profile = {"name": "dialogue", "detection_threshold": 0.0}
            own = {"max_claims": self.config.max_claims, **dict(settings)}
            kept[1][settings] = Monitor(kb=kb, profiles=(profile,), settings=own)
        return kept[1][settings]

    def _run(
        self,
        name: str,
        detect: Callable[..., Iterable[HallucinationFlag]],
        segments: Sequence[ResponseSegment],
        *given: Any,
    ) -> list[HallucinationFlag]:
        try:
            flags = list(detect(segments, *given))
        except HallucinationError:
            raise
        except Exception as error:
            raise HallucinationError(f"detector {name} failed: {error}") from error
        for flag in flags:
            if not isinstance(flag, HallucinationFlag):
                raise HallucinationError(
                    f"detector {name} returned {flag!r:.60}, which is no HallucinationFlag"
                )
        return flags

    def _weighed(self, name: str, flags: Sequence[HallucinationFlag]) -> list[HallucinationFlag]:
        weight = getattr(self.config.detector_weights, name)
        if self.config.strict_seed or weight == 1.0:
            return list(flags)
        return [replace(flag, confidence=min(flag.confidence * weight, 1.0)) for flag in flags]


def _with_text(flag: HallucinationFlag, response: str) -> HallucinationFlag:
    """Return a flag with the answer's text at its span; one that runs backwards has none."""
    start, end = flag.span
    return flag if flag.text else replace(flag, text=response[start:end])


def _pair(finding: Finding, report: Report) -> dict[str, Any]:
    """Return the place of two statements that disagree, from the first to the second (S0-055)."""
    data = report.text.encode()
    places = [finding.byte_span, *finding.spans] if finding.byte_span else []
    if len(places) < 2 or report.truncated:
        return {}
    start, end = min(a for a, _ in places), max(b for _, b in places)
    before = len(data[:start].decode("utf-8", "replace"))
    text = data[start:end].decode("utf-8", "replace")
    return {"span": (before, before + len(text)), "text": text}


NEEDS: dict[str, tuple[str, ...]] = {
    name: kind.needs for name, kind in zip(ORDER, _BUILTIN.values(), strict=True)
}
"""What each detector is given behind the segments (S0-035)."""

__all__ = ["NEEDS", "Components", "HallucinationDetector"]
