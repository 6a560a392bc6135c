"""Finding what should stand in the answer instead (S0-080 to S0-083)."""

from __future__ import annotations

from typing import Any

from groundwire.mitigation.actions import Correction
from groundwire.profiles.dialogue.builtin import denies
from groundwire.profiles.dialogue.errors import MitigationError
from groundwire.profiles.dialogue.knowledge import KnowledgeBase, values_of, view
from groundwire.profiles.dialogue.types import HallucinationFlag, HallucinationType
from groundwire.profiles.dialogue.values import swapped
from groundwire.profiles.dialogue.wording import ATTRIBUTE, KB_VALUE, prior_claim

KNOWLEDGE_BASE = "Knowledge Base"
EVIDENCE = "Evidence"
EARLIER = "Earlier conversation"
AUTOMATED = "Automated correction"


class HallucinationCorrector:
    """Finds corrections for flags.

    By default a correction is only ever text that may stand in the answer where the flag is
    (X-12): the flag's own ``replacement``; else the flagged text with its one wrong value
    exchanged for the knowledge base's or the earlier turn's. ``strict_seed`` does what the
    document writes: the value as it stands in the knowledge base or in the evidence, else the
    suggestion, be it fit or not, unless it starts with "Could not".
    """

    def __init__(self, *, strict_seed: bool = False) -> None:
        self.strict_seed = strict_seed

    def find(self, flag: HallucinationFlag, knowledge_base: Any) -> Correction | None:
        """Return the correction of a flag, or ``None``.

        Raises:
            MitigationError: the knowledge base failed.

        """
        kb = view(knowledge_base)
        try:
            return self._literal(flag, kb) if self.strict_seed else self._fit(flag, kb)
        except Exception as error:
            raise MitigationError(
                f"no correction of {flag.content!r:.80} could be looked up: {error}"
            ) from error

    def _fit(self, flag: HallucinationFlag, kb: KnowledgeBase) -> Correction | None:
        kind = flag.hallucination_type
        prior = kind is HallucinationType.ContradictsPrior
        if flag.replacement is not None:
            # A name that is probably mistyped has a replacement, but no fact behind it.
            sourced = flag.status == "contradicted"
            passage = flag.detail.get("evidence_kind") not in {None, "kb_fact"}
            known = EVIDENCE if passage else KNOWLEDGE_BASE
            source = EARLIER if prior else known if sourced else AUTOMATED
            return Correction(flag.replacement, source)
        if any(flag.detail.get(why) for why in ("no_substitute", "denied", "disputed")):
            # Namesakes disagree, it held at another time, or the value is a yes or no; or the
            # value said is the right one, but denied; or there are several right ones.
            return None
        wrong = flag.text or flag.content
        if kind in {HallucinationType.WrongAttribute, HallucinationType.ContradictsFact}:
            values = _known(flag, kb)
            if len(values) == 1 and not denies(wrong):
                mended = swapped(wrong, values[0], _detected(flag))
                return None if mended is None else Correction(mended, KNOWLEDGE_BASE)
        elif prior:
            claim = prior_claim(flag.evidence)
            if claim is None or denies(claim) != denies(wrong):
                return None
            mended = swapped(wrong, claim, _detected(flag))
            return None if mended is None else Correction(mended, EARLIER)
        return None

    def _literal(self, flag: HallucinationFlag, kb: KnowledgeBase) -> Correction | None:
        kind = flag.hallucination_type
        if kind is HallucinationType.WrongAttribute and flag.suggestion:
            parsed = ATTRIBUTE.match(flag.suggestion)
            entity = kb.get_entity(parsed["entity"]) if parsed else None
            if parsed and entity is not None:
                values = values_of(entity, parsed["attribute"])
                if values:
                    return Correction(values[0].value, KNOWLEDGE_BASE)
        elif kind is HallucinationType.ContradictsFact and flag.evidence:
            found = KB_VALUE.search(flag.evidence)
            if found:
                return Correction(found["value"], KNOWLEDGE_BASE)
        elif kind is HallucinationType.ContradictsPrior and flag.evidence:
            claim = prior_claim(flag.evidence)
            if claim:
                return Correction(claim, EARLIER)
        if flag.suggestion and not flag.suggestion.startswith("Could not"):
            return Correction(flag.suggestion, AUTOMATED)
        return None


def _known(flag: HallucinationFlag, kb: KnowledgeBase) -> list[str]:
    """Return the values that a source has for what is flagged, each once."""
    entity, attribute = flag.entity, flag.attribute
    parsed = ATTRIBUTE.match(flag.suggestion or "") or KB_VALUE.search(flag.evidence or "")
    if parsed and (entity is None or attribute is None):
        entity, attribute = parsed["entity"], parsed["attribute"]
    found = kb.get_entity(entity) if entity is not None else None
    values = [] if found is None or attribute is None else values_of(found, attribute)
    if values:
        return list(dict.fromkeys(value.value for value in values))
    return [parsed["value"]] if parsed else []


def _detected(flag: HallucinationFlag) -> str | None:
    value = flag.detail.get("detected")
    return value if isinstance(value, str) else None
