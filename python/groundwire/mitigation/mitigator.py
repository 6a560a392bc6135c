"""From flags to actions (S0-075 to S0-079, S0-084, S0-085)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from groundwire import _core
from groundwire._checks import every, several, whole_number
from groundwire.errors import ArgumentError
from groundwire.findings import Finding
from groundwire.mitigation.actions import ActionKind, Correction, MitigationAction, MitigationConfig
from groundwire.mitigation.corrector import HallucinationCorrector
from groundwire.mitigation.review import ReviewQueue
from groundwire.profiles.dialogue.builtin import denies, words_of
from groundwire.profiles.dialogue.errors import MitigationError
from groundwire.profiles.dialogue.knowledge import values_of, view
from groundwire.profiles.dialogue.native import to_flag
from groundwire.profiles.dialogue.types import HallucinationFlag, HallucinationType
from groundwire.report import Report

SEVERE = 3
"""Flags at the regeneration threshold that make the whole answer start again (S0-076)."""
LISTED = 5
"""Flags that guidance lists (S0-084)."""
SPOKEN = 2
"""Sentences behind a name in which a pronoun is taken to stand for it."""
MAX_REGENERATIONS = 2
"""Regenerations after which a person is asked instead (S0-079)."""

OnEscalate = Callable[[MitigationAction, Sequence[HallucinationFlag]], None]
_T = HallucinationType
_LINES = {
    _T.FabricatedFact: "Verify the fact: {}",
    _T.NonexistentEntity: "Check if {} exists",
    _T.WrongAttribute: "Verify attribute: {}",
    _T.ContradictsPrior: "Consistent with earlier: {}",
}


class HallucinationMitigator:
    """Decides what to do about each flag.

    Args:
        corrector: finds corrections.
        config: the thresholds.
        strict_seed: the document's literal rules: never escalate, and correct with whatever the
            suggestion says. Otherwise an answer that failed twice already, and a place about
            which sources disagree, go to a person (S0-079).
        on_escalate: called with each escalation and the flags it is about.
        review: a queue that keeps each escalation until somebody has decided.
    """

    def __init__(
        self,
        corrector: HallucinationCorrector | None = None,
        config: MitigationConfig | None = None,
        *,
        strict_seed: bool = False,
        on_escalate: OnEscalate | None = None,
        review: ReviewQueue | None = None,
    ) -> None:
        if corrector is not None and not callable(getattr(corrector, "find", None)):
            raise ArgumentError(f"a corrector has a method 'find'; {corrector!r:.60} has none")
        if config is not None and not isinstance(config, MitigationConfig):
            raise ArgumentError(f"config is a MitigationConfig, not {config!r:.60}")
        self.corrector = corrector or HallucinationCorrector(strict_seed=strict_seed)
        self.config = config or MitigationConfig()
        self.strict_seed = strict_seed
        self.on_escalate = on_escalate
        self.review = review

    def mitigate(
        self,
        flags: Sequence[HallucinationFlag],
        knowledge_base: Any = None,
        *,
        regenerations: int = 0,
    ) -> list[MitigationAction]:
        """Return one action a flag, surest flag first; or one ``Regenerate`` or ``Escalate``.

        Flags of equal confidence keep their order. Text that is corrected is not removed or
        marked as well by a flag on the same words or some of them. What the evidence, or a base
        that does not claim to be complete, merely lacks is marked, never removed, and so is a
        wrong value in whose place the base's does not fit ("in early March"). Where sources
        disagree about one place, its surest flag escalates with all of them and the others need
        nothing. Three flags at ``regenerate_threshold`` make it one ``Regenerate``, and one
        ``Escalate`` where ``regenerations`` (answers that were asked for again already) is 2 or
        more.

        Raises:
            ArgumentError: ``knowledge_base`` or ``regenerations`` is none.
            MitigationError: the knowledge base failed.

        """
        whole_number(regenerations, "regenerations", least=0)
        kb = view(knowledge_base)
        flags = every(flags, "flags", HallucinationFlag)
        ordered = sorted(flags, key=lambda flag: -flag.confidence)
        severe = [f for f in ordered if f.confidence >= self.config.regenerate_threshold]
        if len(severe) >= SEVERE:
            if not self.strict_seed and regenerations >= MAX_REGENERATIONS:
                reason = f"{regenerations} regenerations left {len(severe)} severe findings"
                return [self._escalate(reason, None, severe)]
            return [MitigationAction.Regenerate(generate_regeneration_guidance(ordered))]
        disputed = {} if self.strict_seed else disagreements(ordered, kb)
        asked: set[tuple[int, int]] = set()
        actions: list[MitigationAction] = []
        corrections = 0
        for place, flag in enumerate(ordered):
            described = flag.hallucination_type.description()
            marked = MitigationAction.Flag(flag.span, f"[{described}]")
            if flag.confidence < self.config.flag_threshold:
                action = MitigationAction.NoAction()
            elif place in disputed and flag.span in asked:
                # One place is one question to a person.
                action = MitigationAction.NoAction()
            elif place in disputed:
                asked.add(flag.span)
                about = [ordered[i] for i in sorted(disputed) if ordered[i].span == flag.span]
                action = self._escalate(disputed[place], flag.span, about)
            elif (
                flag.confidence < self.config.auto_correct_threshold
                or corrections >= self.config.max_corrections
            ):
                action = marked
            else:
                correction = self.corrector.find(flag, kb)
                unsure = _merely_missing(flag) or _unfit(flag)
                if correction is None and not self.strict_seed and unsure:
                    action = marked
                elif correction is None:
                    action = MitigationAction.Remove(flag.span, described)
                else:
                    corrections += 1
                    original = flag.content if self.strict_seed else flag.text or flag.content
                    action = MitigationAction.Correct(
                        flag.span, original, correction.value, correction.source
                    )
            actions.append(action)
        return actions if self.strict_seed else _corrected(ordered, actions)

    def find_correction(
        self, flag: HallucinationFlag, knowledge_base: Any = None
    ) -> Correction | None:
        """Return what should stand in a flag's place, or ``None`` (S0-080).

        Raises:
            ArgumentError: ``knowledge_base`` is none.
            MitigationError: the knowledge base failed.

        """
        return self.corrector.find(flag, view(knowledge_base))

    def generate_regeneration_guidance(self, flags: Sequence[HallucinationFlag]) -> str:
        """Return what the model is told before it answers again (S0-084)."""
        return generate_regeneration_guidance(flags)

    def _escalate(
        self, reason: str, span: tuple[int, int] | None, flags: Sequence[HallucinationFlag]
    ) -> MitigationAction:
        action = MitigationAction.Escalate(reason, span)
        if self.review is not None:
            self.review.add(action, flags)
        if self.on_escalate is not None:
            self.on_escalate(action, flags)
        return action


def mitigate(
    found: Report | Iterable[Finding | HallucinationFlag],
    *,
    kb: Any = None,
    config: Any = None,
    strict_seed: bool | None = None,
    regenerations: int = 0,
    on_escalate: OnEscalate | None = None,
    review: ReviewQueue | None = None,
) -> list[MitigationAction]:
    """Return what to do about a report, findings or flags (see ``HallucinationMitigator``).

    Args:
        found: a ``Report``, or ``Finding`` and ``HallucinationFlag`` objects. Findings of the
            stream's own detectors count as the type most like them; others, and those without
            a place in the text, are left out.
        kb: where right values are looked up: a ``KnowledgeBase``, or an object with
            ``entity_exists``, ``get_entity`` and ``find_entity``.
        config: a ``Config``, a ``MitigationConfig``, or none for the defaults.
        strict_seed: the document's literal rules; as the ``Config`` has it unless given.
        regenerations: how often this answer was asked for again already.
        on_escalate: called with each escalation and the flags it is about.
        review: a queue that keeps each escalation.

    Raises:
        ArgumentError: an argument is none of these.
        MitigationError: the knowledge base failed.

    """
    if config is not None and not isinstance(config, MitigationConfig):
        if not hasattr(config, "dialogue"):
            raise ArgumentError(f"config is a Config or a MitigationConfig, not {config!r:.60}")
        if strict_seed is None:
            strict_seed = config.dialogue.strict_seed
        config = MitigationConfig.from_config(config)
    flags = []
    items = found.findings if isinstance(found, Report) else found
    for i, item in enumerate(several(items, "what is mitigated", "findings or flags")):
        if isinstance(item, Finding):
            flag = to_flag(item, nearest=True)
            judged = not isinstance(found, Report) or item.tier != "none"
            if flag is not None and judged:
                flags.append(_whole(flag, found))
                if _spoken_of(flags[-1], found):
                    detail = {**flag.detail, "no_substitute": True}
                    flags[-1] = replace(flags[-1], replacement=None, detail=detail)
        elif isinstance(item, HallucinationFlag):
            flags.append(item)
        else:
            raise ArgumentError(f"flags[{i}] is neither a Finding nor a flag: {item!r:.60}")
    mitigator = HallucinationMitigator(
        config=config,
        strict_seed=bool(strict_seed),
        on_escalate=on_escalate,
        review=review,
    )
    return mitigator.mitigate(flags, kb, regenerations=regenerations)


def _corrected(
    flags: Sequence[HallucinationFlag], actions: Sequence[MitigationAction]
) -> list[MitigationAction]:
    """Return the actions without those on words that get the right ones in their place.

    These are removals, and marks that something is missing; the latter also where the words, or
    some of them, are marked as wrong.
    """
    places = [sorted(a.span or ()) for a in actions if a.kind is ActionKind.Correct]
    wrong = [
        sorted(action.span or (0, 0))
        for flag, action in zip(flags, actions, strict=True)
        if action.kind is ActionKind.Flag and not _merely_missing(flag)
    ]

    def settled(flag: HallucinationFlag, action: MitigationAction) -> bool:
        missing = action.kind is ActionKind.Flag and _merely_missing(flag)
        if not (missing or action.kind is ActionKind.Remove) or action.span is None:
            return False
        start, end = sorted(action.span)
        if missing and any(first < end and start < last for first, last in wrong):
            return True
        return any(first <= start and end <= last for first, last in places)

    return [
        MitigationAction.NoAction() if settled(flag, action) else action
        for flag, action in zip(flags, actions, strict=True)
    ]


def _merely_missing(flag: HallucinationFlag) -> bool:
    """Whether a flag only says that an open world, or the evidence, lacks something."""
    return bool(flag.detail.get("absence")) and not flag.detail.get("closed_world")


def _unfit(flag: HallucinationFlag) -> bool:
    """Whether a value is wrong and the base's own does not fit in its place."""
    return bool(flag.detail.get("no_substitute")) and not flag.detail.get("denied")


def _whole(flag: HallucinationFlag, found: Any) -> HallucinationFlag:
    """Return a flag with the whole text of its span, of which a finding keeps the beginning."""
    if not isinstance(found, Report):
        return flag
    return replace(flag, text=found.text[flag.span[0] : flag.span[1]])


def _spoken_of(flag: HallucinationFlag, found: Any) -> bool:
    """Whether the text goes on about the person whose name would be replaced.

    A pronoun in one of the next sentences would speak of the person put in the place; it does not
    where their own name stands in front of it.
    """
    if not isinstance(found, Report) or not flag.detail.get("person") or not flag.replacement:
        return False
    said = [(a, b) for a, b in _core.sentences(found.text) if a >= max(flag.span)][:SPOKEN]
    names = {name for name in (*flag.text.split(), *flag.replacement.split()) if name[:1].isupper()}
    for start, end in said:
        for word in re.findall(r"\w+", found.text[start:end]):
            if word in names:
                return False
            if word.casefold() in words_of("persons"):
                return True
    return False


def generate_regeneration_guidance(flags: Sequence[HallucinationFlag]) -> str:
    """Return what the model is told before it answers again: at most five numbered lines."""
    flags = every(flags, "flags", HallucinationFlag)
    lines = ["Please regenerate your response, addressing these issues:"]
    for number, flag in enumerate(flags[:LISTED], start=1):
        said = f"'{flag.content}'"
        # The core's content of a denial is the fact that was denied, which is right.
        if flag.detail.get("denied") and not denies(flag.content):
            said = f"the denial of {said}"
        if flag.hallucination_type is _T.ContradictsFact:
            against = "contradicts known facts" if flag.evidence is None else flag.evidence
            lines.append(f"{number}. Correct: {said} - {against}")
        else:
            template = _LINES.get(flag.hallucination_type, "Address: {}")
            lines.append(f"{number}. {template.format(said)}")
    return "\n".join(lines)


def disagreements(flags: Sequence[HallucinationFlag], kb: Any) -> dict[int, str]:
    """Return, for each flag about which sources disagree, its place in ``flags`` and the reason.

    Sources disagree where two flags on one place have different replacements (say, of the
    knowledge base and of an earlier turn), where several sources of the knowledge base give
    one attribute different values, and where a flag is noted as disputed: knowledge base and
    evidence disagree, of which one may have what is said. Raises ``MitigationError`` if the
    knowledge base failed.
    """
    kb = view(kb)
    found: dict[int, str] = {}
    for i, flag in enumerate(flags):
        for j in range(i):
            other = flags[j]
            if (
                flag.replacement is not None
                and other.replacement is not None
                and flag.replacement != other.replacement
                and flag.span == other.span
            ):
                both = f"sources disagree: '{other.replacement}' and '{flag.replacement}'"
                found[i] = found[j] = both
        if flag.entity is not None and flag.attribute is not None:
            try:
                entity = kb.get_entity(flag.entity)
                values = () if entity is None else values_of(entity, flag.attribute)
            except Exception as error:
                raise MitigationError(
                    f"{flag.attribute!r:.60} of {flag.entity!r:.60} could not be looked up: {error}"
                ) from error
            if len({v.source for v in values}) > 1 and len({v.value for v in values}) > 1:
                said = " and ".join(f"'{v.value}' ({v.source})" for v in values)
                found[i] = f"sources disagree about {flag.entity}, {flag.attribute}: {said}"
        if i not in found and flag.detail.get("disputed"):
            sources = [line.strip() for line in (flag.evidence or "").splitlines() if line.strip()]
            found[i] = "sources disagree: " + " / ".join(sources) if sources else "sources disagree"
    return found


__all__ = [
    "HallucinationMitigator",
    "disagreements",
    "generate_regeneration_guidance",
    "mitigate",
]
