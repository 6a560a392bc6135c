"""Whether one policy asks for less than another."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.policy import Policy

_RELEASE = ("token", "claim", "response")
_ACTIONS = ("accept", "annotate", "hedge", "correct", "remove", "interrupt", "discard")
_TIERS = ("low", "medium", "high", "critical")


def lower(asked: Policy | None, held: Policy | None) -> str:
    """Return in what ``asked`` asks for less than ``held``; an empty string if in nothing.

    None stands for no checking at all. Less is: text that leaves sooner, by ``release``, by the
    limits of the hold or because no answer is waited for; a weaker action for a tier (in the order
    accept, annotate, hedge, correct, remove, interrupt, discard); going on after an interruption;
    more rewrites before the answer ends; a correction that needs more certainty. How findings are
    marked is no matter of less or more.
    """
    if held is None:
        return ""
    if asked is None:
        return "'off' checks nothing"
    return next(_less(asked, held), "")


def _less(asked: Policy, held: Policy) -> Iterator[str]:
    """Yield in what ``asked`` asks for less."""
    if _RELEASE.index(asked.release) < _RELEASE.index(held.release):
        yield f"release {asked.release!r} lets text leave sooner than {held.release!r}"
    for tier in _TIERS:
        mine, theirs = getattr(asked, tier), getattr(held, tier)
        if _ACTIONS.index(mine) < _ACTIONS.index(theirs):
            yield f"{mine!r} for the tier {tier} is less than {theirs!r}"
    if asked.after_interrupt == "continue" and held.after_interrupt == "stop":
        yield "after_interrupt 'continue' goes on where 'stop' ends"
    if held.hold_unresolved and not asked.hold_unresolved:
        yield "hold_unresolved false waits for no answer"
    # What is released otherwise is held by other limits.
    for name in ("max_hold_tokens", "max_hold_ms"):
        mine, theirs = getattr(asked, name), getattr(held, name)
        if mine < theirs and asked.release == held.release:
            yield f"{name} {mine} lets text leave sooner than {theirs}"
    if asked.max_interventions > held.max_interventions:
        yield f"max_interventions {asked.max_interventions} is above {held.max_interventions}"
    if asked.auto_correct > held.auto_correct:
        yield f"auto_correct {asked.auto_correct} corrects less than {held.auto_correct}"
