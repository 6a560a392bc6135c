"""The guard for loops that others own: push tokens, carry out decisions."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundwire import _core
from groundwire.beside_guard import WatchedGuard
from groundwire.errors import ArgumentError
from groundwire.events import ReportStore, StoreSink, dispatch_report
from groundwire.findings import Finding, Intervention
from groundwire.hooks import Hooks
from groundwire.policy import TIERS, Policy

if TYPE_CHECKING:
    from groundwire.monitor import Monitor
    from groundwire.report import Report


@dataclass(frozen=True, slots=True)
class Decision:
    """What a loop that others own is to do after one token.

    Attributes:
        release: text for the reader, possibly empty.
        keep: after a rewind, generated tokens that stay; the loop cuts its own state to them,
            feeds ``force`` as tokens and pushes those with ``forced=True``.
        force: text to feed after a rewind.
        stop: why the answer ends, if it does.
        wait: the end is held for a verifier; call ``on_end`` again later.
        confidence: in the answer so far, 0..1, where hooks follow it.
        step: what the session found.
    """

    release: str = ""
    keep: int | None = None
    force: str = ""
    stop: str | None = None
    wait: bool = False
    step: _core.Step | None = None
    confidence: float | None = None


class Callback:
    """A guard for loops that others own: ``on_token`` after every token, ``on_end`` at the end.

    Args:
        monitor: the monitor; give it a tokenizer if token ids are pushed.
        hooks: an application's own words.
        retry: asked at the end, with the report, whether the answer is to be made anew; it then
            ends with ``stop`` as ``regenerate``, no hook is asked and nothing is released.
        store: a store (``groundwire.store``) that the final report is recorded in, with its weak
            points; masked and retained as the store says. What goes wrong there is logged and
            stops no answer.
        clock: gives milliseconds, never going back, for the policy's ``max_hold_ms``; the
            machine's monotonic clock by default.
        given: what ``Monitor.guard`` takes (evidence, history, question, policy …).

    Raises ``ArgumentError`` if these are no monitor and no hooks, and later where a hook returns
    no string.
    """

    def __init__(
        self,
        monitor: Monitor,
        *,
        hooks: Hooks | None = None,
        retry: Callable[[Report], bool] | None = None,
        store: ReportStore | None = None,
        clock: Callable[[], int] | None = None,
        **given: Any,
    ) -> None:
        from groundwire._given import passages, turns
        from groundwire.profiles.stream.supply import KnowledgeStore

        if not isinstance(monitor, _core.CoreMonitor):
            raise ArgumentError(f"monitor is a groundwire.Monitor, not {monitor!r:.60}")
        # Read once: they may be iterators.
        given["evidence"] = passages(given.get("evidence", ()))
        given["history"] = turns(given.get("history", ()))
        known = {name: given[name] for name in ("evidence", "history")}
        self.knowledge = KnowledgeStore(kb=monitor.kb, **known)
        self.hooks = Hooks() if hooks is None else hooks
        for name in _HOOKS:
            if not callable(getattr(self.hooks, name, None)):
                raise ArgumentError(
                    f"hooks is a groundwire.Hooks, not {hooks!r:.60}: it has no method {name}"
                )
        self._retry = retry
        self._review: Report | None = None
        self.guard = monitor.guard(**given)
        policy = policy_of(given.get("policy"), monitor)
        self.accepted = {tier for tier in TIERS if getattr(policy, tier) == "accept"}
        """Tiers of which the default disclaimers say nothing."""
        self.disclaims = not policy.only_watches
        """Whether the default disclaimers are added; an application's own always are."""
        self.states = True
        """Whether the end of an answer that the guard ends says what is missing."""
        self._events = monitor.events if store is None else (*monitor.events, StoreSink(store))
        self._extra = ""
        self._lengths: list[int] = []
        self._said: dict[str, str] = {}
        self._inserted: dict[int, str] = {}
        self._stopped: str | None = None
        self._cut = ""
        self.limited = False
        """Whether the end is that of a limit of tokens, but judged as the model's own."""
        self._clock = clock or _milliseconds
        self.question: str | None = given.get("question")
        self.hooks.begin(self.question, self.knowledge)

    def limitation(self, prompt_ids: Sequence[int]) -> Report | None:
        """Ask the hooks whether knowledge is missing, before the model is asked (S4-002).

        Returns the report of an answer that only says what is missing, or none to go on.
        """
        missing = self.hooks.verify(prompt_ids, self.question)
        default = f"I can't answer this reliably: I have nothing on {missing}."
        if missing is None and self.question is not None:
            check = self.hooks.pre_check(self.question, self.knowledge)
            if check is not None and not check.verified:
                missing, default = check.missing_knowledge, check.limitation
        if missing is None:
            return None
        text = words("limitation_response", self.hooks.limitation_response(missing, default))
        return dataclasses.replace(self.report(), released=text, stopped="limitation")

    def on_token(
        self,
        token: int | str,
        logits: Any = None,
        *,
        prior_logits: Any = None,
        signals: Any = None,
        top_logprobs: Any = None,
        forced: bool = False,
    ) -> Decision:
        """Follow one token id, or a piece of text; numbers are as for ``Guard.push``.

        Once the answer has ended, nothing more is followed, released or reported: the decision
        only says ``stop`` with the same reason again. ``poll`` and ``on_end`` do likewise.
        """
        if self._stopped is not None:
            return Decision(stop=self._stopped)
        self._cut = ""
        now = self._clock()
        numbers: dict[str, Any] = {"signals": signals, "top_logprobs": top_logprobs}
        if isinstance(token, str):
            step, found = self.guard.push_text(token, forced=forced, now_ms=now, **numbers)
        else:
            step, found = self.guard.push(
                token,
                logits=logits,
                prior_logits=prior_logits,
                forced=forced,
                now_ms=now,
                **numbers,
            )
        return self._decide(found, step)

    def poll(self) -> Decision:
        """Look again after a verifier answered or time passed."""
        if self._stopped is not None:
            return Decision(stop=self._stopped)
        return self._decide(self.guard.poll(now_ms=self._clock()), None)

    def on_end(
        self, timeout_s: float | None = None, *, cut: bool = False, reason: str = "length"
    ) -> Decision:
        """Tell the guard that the model has ended; the answer is over once ``stop`` is set.

        Waits for detectors and verifiers as long as the policy holds text for them, at most
        ``timeout_s`` seconds (0 for loops that must not block). With ``wait`` in the decision,
        call it again later, and push nothing before. ``cut`` says that a limit of tokens cut the
        answer off: a last word that no space and no mark closed is then not judged, and where the
        guard has nothing against the answer, ``stop`` and the report's ``stopped`` say ``length``
        instead of ``end``. ``reason`` is what they say of a cut that no limit made (``abort``);
        such an answer is not begun anew.
        """
        if self._stopped is not None:
            return Decision(stop=self._stopped)
        if cut:
            self._cut = reason
            self.guard.cut()
        now = self._clock()
        if isinstance(self.guard, WatchedGuard):
            return self._decide(self.guard.finish(now, timeout_s=timeout_s), None)
        return self._decide(self.guard.finish(now), None)

    def report(self) -> Report:
        """Return the report, with what hooks said."""
        report = self._as_written(self._review or self.guard.report())
        released = report.released
        for default, own in self._said.items():
            released = released.replace(default, own)
        return dataclasses.replace(report, released=released + self._extra)

    def _ended(self, reason: str | None) -> str | None:
        """Why the answer ended: what was cut off is not complete."""
        cut = self._cut or ("length" if self.limited else "")
        return cut if cut and reason == "end" else reason

    def _as_written(self, report: Report) -> Report:
        """Return a report whose interventions have what hooks put in, not what was proposed."""
        if report.stopped != self._ended(report.stopped):
            report = dataclasses.replace(report, stopped=self._ended(report.stopped))
        done = report.interventions
        # The oldest may have left by now.
        first = self.guard.interventions - len(done)
        own = {place - first: text for place, text in self._inserted.items() if place >= first}
        if not own:
            return report
        changed = (
            dataclasses.replace(one, inserted=own[at]) if at in own else one
            for at, one in enumerate(done)
        )
        return dataclasses.replace(report, interventions=tuple(changed))

    def abandon(self) -> None:
        """Give the answer up: nothing beside it is asked any more."""
        if isinstance(self.guard, WatchedGuard):
            self.guard.abandon()

    def _decide(self, found: Iterable[_core.Directive], step: _core.Step | None) -> Decision:
        confidence = None if step is None else self.hooks.on_step(step)
        decision = Decision(step=step, confidence=confidence)
        for directive in found:
            if directive.kind == "release":
                decision = dataclasses.replace(
                    decision, release=decision.release + (directive.text or "")
                )
            elif directive.kind == "rewind":
                force = self._reformulated(directive.text or "")
                self.hooks.on_rewind(self.guard.text)
                decision = dataclasses.replace(decision, keep=directive.keep, force=force)
            elif directive.kind == "wait":
                decision = dataclasses.replace(decision, wait=True)
            else:
                stop = self._ended(directive.reason)
                decision = self._stop(dataclasses.replace(decision, stop=stop))
                self._stopped = decision.stop
        return decision

    def _reformulated(self, forced: str) -> str:
        last = self._last()
        if last is None or not last.inserted or not forced.endswith(last.inserted):
            return forced
        own = words(
            "reformulate", self.hooks.reformulate(last.retracted, last.inserted, last.findings)
        )
        self._put_in(last, own)
        return forced[: len(forced) - len(last.inserted)] + own

    def _stop(self, decision: Decision) -> Decision:
        """Put the application's words into the end of an answer."""
        given_up = self._cut not in {"", "length"}
        if self._retry is not None and not given_up and self._retry(self.guard.report()):
            return dataclasses.replace(decision, release="", stop="regenerate")
        last = self._last()
        release = decision.release
        if not self.states and decision.stop in _ENDED_BY_GUARD and last is not None:
            release = self._unstated(release, last)
        elif decision.stop == "discarded" and last is not None and last.inserted:
            default = last.inserted.lstrip()
            missing = self.guard.missing or ""
            own = words("limitation_response", self.hooks.limitation_response(missing, default))
            if own != default:
                release = release.replace(default, own)
                self._said[default] = own
                self._put_in(last, last.inserted.replace(default, own))
        self._review = self.hooks.review(self._as_written(self.guard.report()))
        report = self.report()
        wrong = [f for f in report.findings if f.status == "contradicted" and _is_news(f, report)]
        written = _is_own(self.hooks.add_disclaimers)
        asked = self.disclaims or written
        if not written:
            wrong = [f for f in wrong if f.tier not in self.accepted]
        # A discarded answer ends in a statement of its own: only what had left needs more words.
        if asked and (wrong or decision.stop != "discarded"):
            notes = self.hooks.add_disclaimers(report.released, wrong)
            self._extra += words("add_disclaimers", notes)
        last_words = self.hooks.finalize(report.released + self._extra, report)
        self._extra += words("finalize", last_words)
        dispatch_report(self._events, self.report())
        return dataclasses.replace(decision, release=release + self._extra)

    def _unstated(self, release: str, last: Intervention) -> str:
        """Return the end of the text without the statement that the guard put there."""
        if not last.inserted or not release.endswith(last.inserted):
            return release
        self._said[last.inserted] = ""
        self._put_in(last, "")
        return release.removesuffix(last.inserted)

    def _put_in(self, last: Intervention, own: str) -> None:
        """Note what the last intervention put in, where a hook had other words."""
        if own != last.inserted:
            self._inserted[self.guard.interventions - 1] = own

    def _last(self) -> Intervention | None:
        done = self.guard.report().interventions
        return done[-1] if done else None


def policy_of(given: Policy | Mapping[str, Any] | None, monitor: Monitor) -> Policy:
    """Return the policy that holds for an answer."""
    if given is None:
        return monitor.policy
    return given if isinstance(given, Policy) else Policy.from_mapping(given)


def _is_own(hook: Callable[..., Any]) -> bool:
    """Whether a hook for disclaimers is the application's own."""
    return getattr(hook, "__func__", None) is not Hooks.add_disclaimers


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000


_LEFT_AS_IT_IS = frozenset(("end", "length", "abort", "error", "repetition"))
"""Why an answer ends that the guard did not end."""
_ENDED_BY_GUARD = ("discarded", "interrupted", "exhausted", "failed")
_HOOKS = tuple(name for name in vars(Hooks) if not name.startswith("_"))


def words(hook: str, given: Any) -> str:
    """Return what a hook gave; raises ``ArgumentError`` if it is no string."""
    if not isinstance(given, str):
        raise ArgumentError(
            f"the hook {hook} returned {given!r:.60}; it returns a string, '' for nothing"
        )
    return given


def _is_news(finding: Finding, report: Report) -> bool:
    """Whether the reader has the text of ``finding`` and has not been told what is wrong."""
    if report.stopped not in _LEFT_AS_IT_IS and finding.text not in report.released:
        return False
    if finding.message and finding.message in report.released:
        return False
    return not any(_settled(finding, done) for done in report.interventions)


def _settled(finding: Finding, done: Intervention) -> bool:
    """Whether an intervention took the finding's text out, or said what is wrong with it."""
    if done.action == "remove" and finding.byte_span is not None:
        (start, end), (first, last) = finding.byte_span, done.span
        if first <= start and end <= last and finding.text in done.retracted:
            return True
    if not done.inserted or all(other.id != finding.id for other in done.findings):
        return False
    # A correction is about one value of the claim, any other statement about all of it.
    said = [f for f in done.findings if f.replacement and f.replacement in done.inserted]
    return not said or any(f.id == finding.id for f in said)
