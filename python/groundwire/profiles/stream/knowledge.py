"""The check before generation: is everything known that the request needs? (S4-002..005)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from groundwire.profiles.stream.needs import (
    Need,
    attribute_label,
    extract_needs,
    table_attribute,
)
from groundwire.profiles.stream.shapes import SeedResult
from groundwire.profiles.stream.supply import MAX_SUGGESTED, KnowledgeStore


@dataclass(frozen=True, slots=True)
class Gap:
    """One need that nothing supplies, and what can be done instead."""

    need: Need
    missing: str
    alternatives: tuple[str, ...]


@dataclass(frozen=True)
class KnowledgeCheck(SeedResult):
    """What came of a check; also read by the document's keys (``check["verified"]``).

    Attributes:
        verified: whether every need is supplied.
        needs: everything the request needs.
        gaps: the needs that nothing supplies.
        sources: which sources supply each need that is supplied, by its label.
        evidence: passages that retrievers brought, as (id, text); give them to the generation.
        failed: retrievers that raised, by name.
    """

    verified: bool
    needs: tuple[Need, ...] = ()
    gaps: tuple[Gap, ...] = ()
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def missing_knowledge(self) -> str | None:
        """The first thing missing, in words, or none."""
        return self.gaps[0].missing if self.gaps else None

    @property
    def alternative_actions(self) -> tuple[str, ...]:
        """What can be done about the first gap."""
        return self.gaps[0].alternatives if self.gaps else ()

    @property
    def limitation(self) -> str:
        """An answer that says what is missing and what can be done; empty if nothing is."""
        if not self.gaps:
            return ""
        missing = list(dict.fromkeys(gap.missing for gap in self.gaps))
        ways = dict.fromkeys(way for gap in self.gaps for way in gap.alternatives)
        said = f"I can't answer this reliably: I have nothing on {_either(missing)}."
        return " ".join([said, *list(ways)[:MAX_SUGGESTED]])

    def to_dict(self) -> dict[str, Any]:
        """Return the document's form: the gap, if there is one, and no more (S4-002)."""
        if self.verified:
            return {"verified": True}
        return {
            "verified": False,
            "missing_knowledge": self.missing_knowledge,
            "alternative_actions": list(self.alternative_actions),
        }


def _either(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]


def suggest_alternatives(need: Need, store: KnowledgeStore) -> tuple[str, ...]:
    """Return what can be done about a need that nothing supplies (S4-005).

    In this order: the nearest name that is known, other attributes known of the entity, and
    always a question to ask.
    """
    if need.kind == "referent":
        return (f"Could you say {need.label}?",)
    if need.kind == "recalled":
        again = "say it again" if need.speaker == "user" else "tell me which part you mean"
        return (f"I find nothing here on {need.label}; could you {again}?",)
    if need.kind == "own":
        return (f"Do you have a source for {need.label}?",)
    if need.kind in {"date", "implicit"} or need.entity is None:
        return (f"Could you tell me {need.label}?",)
    ways = []
    near = store.nearest(need.entity)
    if near:
        ways.append(f"Did you mean {' or '.join(near)}?")
    labels = [
        attribute_label(table_attribute(a), need.entity) for a in store.attributes(need.entity)
    ]
    if labels:
        ways.append(f"I can tell you {_either(labels[:MAX_SUGGESTED])}.")
    if need.attribute:
        label = attribute_label(need.attribute, need.entity)
        ways.append(f"Do you have a source for {label}?")
    else:
        ways.append(f"Could you tell me who or what {need.entity} is?")
    return tuple(ways)


def verify_knowledge(request: str, context: Any = None) -> KnowledgeCheck:
    """Check before generation whether everything is known that ``request`` needs (S4-002).

    Args:
        request: what is asked.
        context: a ``KnowledgeStore``, or a mapping or object with any of ``kb``, ``evidence``,
            ``history``, ``retrievers`` and ``today``.

    Returns:
        The check. Where an entity itself is unknown, the gap is the entity, not its attribute.
        What somebody asks about themselves ("How many books can I borrow?") is a gap only where
        there are texts to look it up in.

    Raises:
        ArgumentError: request or context cannot be read.

    """
    store = KnowledgeStore.of(context)
    needs = extract_needs(request, store.index)
    gaps: list[Gap] = []
    sources: dict[str, tuple[str, ...]] = {}
    needs = tuple(_resolved(need, store) for need in needs)
    for need in needs:
        found = store.supply(need)
        if found:
            sources[need.label] = found
            continue
        if need.kind == "own" and need.speaker is None and not store.reads:
            # Nothing was given to look it up in, and it names nobody.
            continue
        missing = need.label
        if need.kind == "attribute" and need.entity:
            bearer = Need("entity", need.entity, need.entity)
            missing = need.label if any(store._supplied(bearer)) else need.entity
        ways = suggest_alternatives(need, store)
        said = [_articled(text, need, request) for text in (missing, *ways)]
        gaps.append(Gap(need, said[0], tuple(said[1:])))
    failed = tuple(dict.fromkeys(store.failed))
    return KnowledgeCheck(not gaps, needs, tuple(gaps), sources, tuple(store.retrieved), failed)


def _articled(text: str, need: Need, request: str) -> str:
    """Return a text in which a name has its article where the request gives it one."""
    name = re.escape(need.entity or "")
    if not name or not re.search(rf"\bthe {name}(?!\w)", request, re.IGNORECASE):
        return text
    return re.sub(rf"(?<!the )(?<!mean )(?<!\w){name}(?!\w)", f"the {need.entity}", text)


def _resolved(need: Need, store: KnowledgeStore) -> Need:
    """Return a need of a pronoun, or of another's director, as one of what is meant.

    Where the base does not say who that is, the texts may go on to say it; else that is missing.
    """
    if need.via is not None and need.entity is not None:
        for bearer in store.bearers(need):
            return replace(need, entity=bearer, via=None)
        via = table_attribute(need.via)
        first = Need("attribute", attribute_label(via, need.entity), need.entity, via)
        return replace(need, via=None) if any(store._supplied(first)) else first
    name = store.last_named() if need.kind == "referent" else None
    if name is None or need.attribute is None:
        return need
    return Need("attribute", attribute_label(need.attribute, name), name, need.attribute)


def verifyKnowledgeAvailability(request: str, context: Any = None) -> dict[str, Any]:
    """Return ``verify_knowledge`` in the form that the document gives it (S4-002)."""
    return verify_knowledge(request, context).to_dict()
