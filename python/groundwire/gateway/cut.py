"""Ends of texts: what the last words before a cut may not say, whatever they would become."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from groundwire.beside_guard import WatchedGuard

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.findings import Finding

Json = dict[str, Any]
Left = Literal["nothing", "open", "wrong"]


def cut_off(text: str, finish: object, choice: Json, request: Json) -> bool:
    """Whether an answer that ends with ``text`` may have been cut inside a word.

    A limit does that, and so does a stop string that begins within one: "7" leaves "198" of 1987.
    Some servers say which one it was, or that it was none.
    """
    if finish == "length":
        return True
    if finish != "stop" or not text[-1:].isalnum():
        return False
    given = request.get("stop")
    stops = given if isinstance(given, list) else [given]
    inside = any(isinstance(one, str) and one[:1].isalnum() for one in stops)
    named = [choice[name] for name in ("stop_reason", "matched_stop") if name in choice]
    told = not named or any(one is not None for one in named)
    return told and (inside or bool(request.get("stop_token_ids")))


def left_by(guard: _core.Guard | WatchedGuard, now_ms: int) -> Left:
    """Say what a cut here would leave unjudged.

    ``open``: something is found if the text is taken to have ended here, but its last words may
    still become another thing. ``wrong``: they contradict a source, and are not the beginning of
    what it says.
    """
    core = guard.core if isinstance(guard, WatchedGuard) else guard
    cut = core.fork()
    cut.cut()
    known = {_key(one) for one in _found(cut, now_ms)}
    more = [one for one in _found(core.fork(), now_ms) if _key(one) not in known]
    if any(one.status == "contradicted" and not _may_become(one) for one in more):
        return "wrong"
    return "open" if any(one.tier != "none" for one in more) else "nothing"


def finished(guard: _core.Guard | WatchedGuard, now_ms: int) -> list[_core.Directive]:
    """End a guard's text, without waiting for those that are asked beside it."""
    if isinstance(guard, WatchedGuard):
        return guard.finish(now_ms, timeout_s=0)
    return guard.finish(now_ms)


def _found(guard: _core.Guard, now_ms: int) -> list[Finding]:
    guard.finish(now_ms)
    report = guard.report()
    return [*report.findings, *(one for done in report.interventions for one in done.findings)]


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.type, finding.byte_span, finding.text


def _may_become(finding: Finding) -> bool:
    """Whether a finding's text is the beginning of what a source has: "19" of 1987."""
    said = finding.text.strip().rstrip(".,").casefold()
    right = (finding.replacement or "").casefold()
    if right.startswith(said) and right != said:
        return True
    begun = re.compile(rf"(?<!\w){re.escape(said)}(?:\w|[.,]\d)")
    return any(begun.search(one.text.casefold()) for one in finding.evidence)
