"""groundwire in vLLM: a logits processor inside the engine, guarded engines in front of it.

Inside: ``vllm serve MODEL --logits-processors
groundwire.integrations.vllm:GroundwireLogitsProcessor``. In front: ``GuardedLLM`` and
``GuardedAsyncLLM``. The one appends notes while the engine writes, the others hold text back and
have it written anew; use one of them for a request, not both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundwire.integrations.vllm.versions import check

if TYPE_CHECKING:
    from groundwire.integrations.vllm.engine import GuardedAsyncLLM, GuardedLLM
    from groundwire.integrations.vllm.processor import GroundwireLogitsProcessor

__all__ = ["GroundwireLogitsProcessor", "GuardedAsyncLLM", "GuardedLLM"]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: the engine's processes each need only a part."""
    if name in __all__:
        check()
    if name == "GroundwireLogitsProcessor":
        from groundwire.integrations.vllm.processor import GroundwireLogitsProcessor

        return GroundwireLogitsProcessor
    if name in ("GuardedLLM", "GuardedAsyncLLM"):
        from groundwire.integrations.vllm import engine

        return getattr(engine, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
