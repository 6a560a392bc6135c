"""The dialogue system's predicates for MeTTa, over the real ``hyperon`` interpreter.

::

    metta = groundwire.metta.runner()
    metta.run('!(detect-hallucinations "…" (new-dialogue) (load-knowledge-base "kb.jsonl"))')

The 25 predicates have the names and types of the seed (``PREDICATES``). A list is one atom of type
``(List …)``; ``(elements $list)`` gives its elements, each as a result of its own. ``Maybe`` is
``(Just …)`` or ``Nothing``. What goes wrong becomes an ``(Error …)`` atom. ``python -m
groundwire.metta FILE`` runs a program. Needs the extra ``metta``.
"""

from __future__ import annotations

from groundwire.metta.atoms import bind, python_value, register, runner
from groundwire.metta.model import DialogueState, HistoryEvidence, KBEvidence, MitigationAction
from groundwire.metta.predicates import PREDICATES

__all__ = [
    "PREDICATES",
    "DialogueState",
    "HistoryEvidence",
    "KBEvidence",
    "MitigationAction",
    "bind",
    "python_value",
    "register",
    "runner",
]
