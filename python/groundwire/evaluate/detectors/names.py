"""Detectors by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.evaluate.detectors import naive, ours, peers
from groundwire.evaluate.detectors.base import Detector

DEFAULT = ("groundwire", "groundwire:as-is", "novelty", "length", "random", "flag-all")
"""What is measured where nobody names a detector."""

LM_DEFAULT = ("lm-kl", "lm-lift", "lm-surprisal", "groundwire+lm", "novelty+lm")
"""What a language model adds to them."""

_NAIVE: dict[str, Callable[[int], Any]] = {
    "flag-all": lambda _: naive.FlagAll(),
    "length": lambda _: naive.Length(),
    "no-doi": lambda _: naive.NoDoi(),
    "novelty": lambda _: naive.Novelty(),
    "random": naive.Random,
}
LM_SUFFIX = "+lm"


def detector(name: str, *, seed: int = 0, lm: Any = None) -> Detector:
    """Return the detector of that name.

    Names are those of ``listed()``; ``groundwire-TYPE`` leaves findings of a type out,
    ``groundwire=TYPE`` keeps only them, and ``NAME+lm`` adds evidence lift to any other.

    Args:
        name: the name.
        seed: of detectors that draw.
        lm: what scores text with a language model (``LmScores``), for names with ``lm``.

    Raises:
        ArgumentError: nothing has that name, or it needs a language model and there is none.
        MissingExtraError: a peer is not installed; the message says how to get it.

    """
    found: Any
    if name in _NAIVE:
        found = _NAIVE[name](seed)
    elif name in peers.PEERS:
        found = peers.PEERS[name]()
    elif name.startswith("lm-") or name.endswith(LM_SUFFIX):
        from groundwire.evaluate.detectors import lm as lift

        if lm is None:
            raise ArgumentError(f"{name} needs a language model: pass --lm MODEL")
        if name.endswith(LM_SUFFIX):
            found = lift.WithLm(detector(name.removesuffix(LM_SUFFIX), seed=seed), lm)
        else:
            found = lift.LmAlone(name, lm)
    elif name.startswith("groundwire"):
        found = ours.parse(name)
    else:
        raise ArgumentError(f"{name!a} names no detector; there are {', '.join(listed())}")
    return found  # type: ignore[no-any-return]


def listed() -> list[str]:
    """Return the names there are, patterns of names included."""
    fixed = ["groundwire", "groundwire:as-is", "groundwire-TYPE", "groundwire=TYPE,TYPE"]
    return [*fixed, *sorted(_NAIVE), *LM_DEFAULT[:3], "NAME+lm", *sorted(peers.PEERS)]
