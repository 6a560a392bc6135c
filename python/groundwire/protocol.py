"""Hooks that carry out the protocol before, during and after an answer (S4-025..S4-034)."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.callback import Hooks
from groundwire.profiles.stream import KnowledgeCheck, KnowledgeStore, verify_knowledge
from groundwire.profiles.stream.knowledge import Retriever


class KnowledgeHooks(Hooks):
    """Hooks whose ``pre_check`` refuses questions that nothing at hand can answer (S4-002).

    Args:
        retrievers: functions from a query to passages, asked where knowledge base, evidence and
            history lack something. What they bring counts as known; to show it to the model
            as well, check first and pass ``check.evidence`` as evidence.
        today: today's date as the prompt tells it, if it does.

    Attributes:
        last_check: the last check made, or none.
    """

    def __init__(self, *, retrievers: Iterable[Retriever] = (), today: str | None = None) -> None:
        self.retrievers = tuple(retrievers)
        self.today = today
        self.last_check: KnowledgeCheck | None = None

    def pre_check(self, question: str, knowledge: KnowledgeStore) -> KnowledgeCheck | None:
        """Return the check of ``question`` against ``knowledge`` and the retrievers."""
        store = KnowledgeStore(
            kb=knowledge.kb,
            evidence=knowledge.evidence,
            history=knowledge.history,
            retrievers=(*knowledge.retrievers, *self.retrievers),
            today=self.today or knowledge.today,
        )
        self.last_check = verify_knowledge(question, store)
        return self.last_check
