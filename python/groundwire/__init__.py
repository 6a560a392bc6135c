"""groundwire: a streaming hallucination monitor for language models.

The names below are the public ones; they are imported when they are first used, so that
``import groundwire`` itself stays quick and brings in no framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from groundwire._core import __version__

if TYPE_CHECKING:
    from groundwire import evaluate as evaluate
    from groundwire._core import (
        Guard,
        Session,
        Step,
        Vocab,
        budget,
        kl_bernoulli,
        logit_stats,
    )
    from groundwire.api import check, judge
    from groundwire.callback import Callback as GroundwireCallback
    from groundwire.config import Config
    from groundwire.errors import GroundwireError, SessionBusy
    from groundwire.findings import (
        Claim,
        ClaimBits,
        Evidence,
        Finding,
        Intervention,
        Referent,
        Verdict,
    )
    from groundwire.hooks import Hooks
    from groundwire.kb import KnowledgeBase
    from groundwire.lexicon import Lexicon
    from groundwire.loop import aguard, guard
    from groundwire.mitigation import mitigate
    from groundwire.monitor import Monitor
    from groundwire.policy import Policy
    from groundwire.protocol import KnowledgeHooks, ProtocolHooks, generate_response
    from groundwire.regeneration import Regeneration
    from groundwire.report import Report
    from groundwire.rules import Rule, Ruleset
    from groundwire.table import Table

_HOMES = {
    "groundwire._core": (
        "Guard",
        "Session",
        "Step",
        "Vocab",
        "budget",
        "kl_bernoulli",
        "logit_stats",
    ),
    "groundwire.api": ("check", "judge"),
    "groundwire.config": ("Config",),
    "groundwire.errors": ("GroundwireError", "SessionBusy"),
    "groundwire.findings": (
        "Claim",
        "ClaimBits",
        "Evidence",
        "Finding",
        "Intervention",
        "Referent",
        "Verdict",
    ),
    "groundwire.kb": ("KnowledgeBase",),
    "groundwire.callback": ("GroundwireCallback",),
    "groundwire.hooks": ("Hooks",),
    "groundwire.lexicon": ("Lexicon",),
    "groundwire.loop": ("aguard", "guard"),
    "groundwire.mitigation": ("mitigate",),
    "groundwire.monitor": ("Monitor",),
    "groundwire.policy": ("Policy",),
    "groundwire.protocol": ("KnowledgeHooks", "ProtocolHooks", "generate_response"),
    "groundwire.regeneration": ("Regeneration",),
    "groundwire.report": ("Report",),
    "groundwire.rules": ("Rule", "Ruleset"),
    "groundwire.table": ("Table",),
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Claim",
    "ClaimBits",
    "Config",
    "Evidence",
    "Finding",
    "GroundwireCallback",
    "GroundwireError",
    "Guard",
    "Hooks",
    "Intervention",
    "KnowledgeBase",
    "KnowledgeHooks",
    "Lexicon",
    "Monitor",
    "Policy",
    "ProtocolHooks",
    "Referent",
    "Regeneration",
    "Report",
    "Rule",
    "Ruleset",
    "Session",
    "SessionBusy",
    "Step",
    "Table",
    "Verdict",
    "Vocab",
    "__version__",
    "aguard",
    "budget",
    "check",
    "evaluate",
    "generate_response",
    "guard",
    "judge",
    "kl_bernoulli",
    "logit_stats",
    "mitigate",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name == "evaluate":
        return import_module("groundwire.evaluate")
    home = _WHERE.get(name)
    if home is None:
        raise AttributeError(f"module 'groundwire' has no attribute '{name}'")
    value = getattr(import_module(home), name if name != "GroundwireCallback" else "Callback")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Public names, whether imported yet or not."""
    return sorted(__all__)
