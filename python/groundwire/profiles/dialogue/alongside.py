"""A component of the profile as a detector beside a stream, for models too slow for the core."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from groundwire import findings
from groundwire.errors import ArgumentError
from groundwire.profiles.dialogue.detector import NEEDS, Components
from groundwire.profiles.dialogue.knowledge import view
from groundwire.profiles.dialogue.native import to_finding
from groundwire.profiles.dialogue.settings import ORDER
from groundwire.profiles.dialogue.state import DialogueState
from groundwire.profiles.dialogue.types import Claim, ResponseSegment


class Alongside:
    """Runs one component on every claim as it closes: ``Monitor(detectors=[Alongside(…)])``.

    The component sees one claim and its sentence at a time, so what compares sentences with each
    other belongs into ``HallucinationDetector``. It runs on the monitor's threads; a guard holds
    the claim's text for it within the policy's limits.

    Args:
        component: one of the eight, by the name ``Components`` gives it.
        part: the component; an object with its ``detect``.
        dialogue_state: what was said before.
        knowledge_base: as ``HallucinationDetector.detect`` takes it.

    Raises ``ArgumentError`` for a name that is none and an object without ``detect``.
    """

    def __init__(
        self,
        component: str,
        part: Any,
        dialogue_state: DialogueState | None = None,
        knowledge_base: Any = None,
    ) -> None:
        if part is None:
            raise ArgumentError("a component is expected, not None")
        Components.of({component: part})
        place = Components.__slots__.index(component)
        self.name = component
        self.part = part
        given = {"dialogue": dialogue_state or DialogueState(), "kb": view(knowledge_base)}
        self._given = [given[need] for need in NEEDS[tuple(ORDER)[place]]]

    def detect(self, claim: findings.Claim, text: str) -> list[findings.Finding]:
        """Return the component's flags about ``claim`` as findings; spans are the stream's."""
        start, end = claim.span
        words = text[start:end]
        asserted = Claim(
            subject=claim.subject or "",
            predicate=claim.predicate or "",
            span=claim.span,
            object=claim.object or "",
            text=claim.content,
            polarity=claim.polarity,
            modality=claim.modality,
            cited=bool(claim.citations),
        )
        segment = ResponseSegment(0, words, claim.span, (asserted,))
        # Of a long stream the text may begin behind the first byte.
        before = claim.byte_span[0] - len(text[:start].encode())
        found = []
        for flag in self.part.detect([segment], *self._given):
            finding = to_finding(flag, text)
            place = finding.byte_span or (0, 0)
            moved = (place[0] + before, place[1] + before)
            found.append(replace(finding, byte_span=moved, decided_at=claim.decided_at))
        return found
