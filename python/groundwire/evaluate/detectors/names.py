"""Detectors by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.evaluate.detectors import naive, ours
from groundwire.evaluate.detectors.base import Detector
from groundwire.evaluate.detectors.entries import Entries
from groundwire.evaluate.detectors.peers import Peer, RecordedPeer
from groundwire.evaluate.detectors.peers_lexical import ChrP, RougeL
from groundwire.evaluate.detectors.peers_neural import BertScore, Hhem, LettuceDetect, Summac

DEFAULT = ("groundwire", "groundwire:as-is", "novelty", "length", "random", "flag-all")
"""What is measured where nobody names a detector."""

ENTRY_DEFAULT = ("entries",)
"""What is measured besides where a set is a bibliography."""

LM_ALONE = ("lm-kl", "lm-lift", "lm-surprisal")
"""The numbers of a language model, each a detector by itself."""

LM_DEFAULT = (*LM_ALONE, "groundwire+lm", "novelty+lm")
"""What a language model adds to them."""

_PLAIN: dict[str, Callable[[int], Any]] = {
    "entries": lambda _: Entries(),
    "flag-all": lambda _: naive.FlagAll(),
    "length": lambda _: naive.Length(),
    "no-doi": lambda _: naive.NoDoi(),
    "novelty": lambda _: naive.Novelty(),
    "random": naive.Random,
}
LM_SUFFIX = "+lm"
RECORDED_PREFIX = "recorded-"
PEERS: dict[str, Callable[..., Any]] = {
    "bert-score": BertScore,
    "chrf-precision": ChrP,
    "hhem": Hhem,
    "lettucedetect": LettuceDetect,
    "rouge-l": RougeL,
    "summac-zs": Summac,
}
"""Scorers by other people, by name; ``NAME@MODEL`` gives one another model."""

RECORDED = ("hhem-2.1", "hhem-2.1-english", "hhemv1", "trueteacher", "true_nli", "gpt-3.5-turbo",
            "gpt-4-turbo", "gpt_4o")  # fmt: skip
"""Detectors whose scores came with a set."""


def detector(name: str, *, seed: int = 0, lm: Any = None) -> Detector:
    """Return the detector of that name.

    Names are those of ``listed()``; ``groundwire-TYPE`` leaves findings of a type out,
    ``groundwire=TYPE`` keeps only them, ``NAME@MODEL`` gives a peer a model (a hub name or a
    folder), and ``NAME+lm`` adds evidence lift to any other.

    Args:
        name: the name.
        seed: of detectors that draw.
        lm: what scores text with a language model (``LmScores``), for names with ``lm``.

    Raises:
        ArgumentError: nothing has that name, or it needs a language model and there is none.
        MissingExtraError: a peer is not installed; the message says how to get it.
        NotFoundError: a peer's model cannot be loaded; the message says which.

    """
    found: Any
    if not isinstance(name, str):
        raise ArgumentError(f"a detector's name is a text, not {name!r:.40}")
    if name in _PLAIN:
        found = _PLAIN[name](seed)
    elif name.removeprefix(RECORDED_PREFIX) in RECORDED and name.startswith(RECORDED_PREFIX):
        found = RecordedPeer(name.removeprefix(RECORDED_PREFIX))
    elif name in LM_ALONE or name.endswith(LM_SUFFIX):
        found = _with_model(name, seed, lm)
    elif name.partition("@")[0] in PEERS:
        found = peer(name)
    elif name.startswith("groundwire"):
        found = ours.parse(name)
    else:
        near = difflib.get_close_matches(name, [*_PLAIN, *LM_ALONE, *PEERS, *DEFAULT], n=1)
        advice = f"{near[0]} is meant? " if near else ""
        raise ArgumentError(f"{name!a} names no detector; {advice}there are {', '.join(listed())}")
    return found  # type: ignore[no-any-return]


def _with_model(name: str, seed: int, lm: Any) -> Any:
    """Return a detector that asks a language model; a wrong name is named before a missing one."""
    base = None
    if name.endswith(LM_SUFFIX):
        plain = name.removesuffix(LM_SUFFIX)
        if plain.endswith(LM_SUFFIX) or plain in LM_ALONE:
            raise ArgumentError(f"{name!a}: {plain} asks the language model already")
        base = detector(plain, seed=seed)
    if lm is None:
        raise ArgumentError(f"{name} needs a language model: pass --lm MODEL")
    from groundwire.evaluate.detectors import lm as lift

    return lift.LmAlone(name, lm) if base is None else lift.WithLm(base, lm)


def listed() -> list[str]:
    """Return the names there are, patterns of names included."""
    fixed = ["groundwire", "groundwire:as-is", "groundwire-TYPE", "groundwire=TYPE,TYPE"]
    recorded = [RECORDED_PREFIX + name for name in RECORDED]
    return [*fixed, *sorted(_PLAIN), *LM_ALONE, "NAME+lm", *sorted(PEERS), *recorded]


def peer(name: str) -> Peer:
    """Return the peer that ``NAME`` or ``NAME@MODEL`` names; the tables show it as written."""
    plain, at, model = name.partition("@")
    if at and not model:
        raise ArgumentError(f"{name!a} names no model behind the @")
    found = Peer(PEERS[plain](model or None), spans=plain == "lettucedetect")
    found.name = name
    return found
