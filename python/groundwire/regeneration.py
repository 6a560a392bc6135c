"""Answers that cannot be mended are made anew, with guidance in the prompt (S0-078, S0-079)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundwire._checks import whole_number
from groundwire.errors import ArgumentError

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.findings import Finding
    from groundwire.monitor import Monitor
    from groundwire.policy import Policy
    from groundwire.report import Report

MAX_QUOTED = 8
"""Statements that guidance names; the worst ones are taken."""
ENDED = ("discarded", "exhausted")
"""Ends of an answer that call for another."""


@dataclass(frozen=True, slots=True)
class Regeneration:
    """When and how an answer is made anew.

    An answer is made anew where a profile's verdict says ``regenerate`` (the dialogue profile's
    does at three findings of 0.9), or where the guard discards it or runs out of rewrites; as soon
    as that is known.

    Attributes:
        max_attempts: how often, at least 1; after that the answer is escalated.
        prompt: from the original prompt (ids, or what the integration was given) and the guidance
            to a new prompt. By default the guidance stands in front, behind a first token that is
            the tokenizer's beginning of text.
        escalate: called with the last report and those given up before, when every attempt has
            failed; returns the text that takes the place of the answer, or none, and then the
            last attempt stands as the guard left it.
    """

    max_attempts: int = 2
    prompt: Callable[[Any, str], Any] | None = None
    escalate: Callable[[Report, tuple[Report, ...]], str | None] | None = None

    def __post_init__(self) -> None:
        """Check the number of attempts and what is called."""
        whole_number(self.max_attempts, "max_attempts", least=1)
        for name in ("prompt", "escalate"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise ArgumentError(f"{name} of a regeneration is called; {given!r:.60} cannot be")


def guidance(report: Report) -> str:
    """Return what to tell the model before it answers again.

    Names up to eight statements that were found wrong, the worst first, with the right value
    where a source has it, else with the reason.
    """
    from groundwire.profiles.dialogue.builtin import denies

    worst = sorted(_found(report), key=lambda f: (-f.risk, f.decided_at))
    lines = []
    for finding in worst:
        if finding.tier in {"none", "low"}:
            continue
        said = finding.content or finding.text
        if finding.replacement:
            line = f"- Not “{said}”: “{finding.replacement}” is right, “{finding.text}” is wrong."
        else:
            # The content of a denial is the fact that was denied, which is right.
            denied = finding.extra.get("denied") and not denies(said)
            line = f"- Do not {'deny' if denied else 'say'} “{said}”"
            line += f": {finding.message}." if finding.message else "."
        if line not in lines:
            lines.append(line)
    head = "A first answer could not be used."
    tail = "Say only what your sources support, and say openly what they leave open."
    return "\n".join([head, *lines[:MAX_QUOTED], tail])


def needs_regeneration(report: Report, monitor: Monitor) -> bool:
    """Return whether an answer is to be made anew: see ``Regeneration``."""
    return report.stopped in ENDED or _verdict(_found(report), monitor)


def with_guidance(prompt: Sequence[int], text: str, encode: Any, tokenizer: Any) -> list[int]:
    """Return ids of a prompt with guidance in front, behind the beginning of text."""
    first = getattr(tokenizer, "bos_token_id", None)
    head = 1 if prompt and first is not None and prompt[0] == first else 0
    return [*prompt[:head], *encode(text + "\n\n"), *prompt[head:]]


class Attempts:
    """The attempts at one answer.

    Raises ``ArgumentError`` for a policy that releases text before the end: what was sent cannot
    be taken back. Where nobody reads the text before the end (``unread``), any policy will do.
    """

    def __init__(
        self, how: Regeneration, monitor: Monitor, policy: Policy | None, *, unread: bool = False
    ) -> None:
        if not isinstance(how, Regeneration):
            raise ArgumentError(f"regeneration is a Regeneration, not {type(how).__name__}")
        used = policy or monitor.policy
        if used.release != "response" and not unread:
            raise ArgumentError(
                f"an answer that was sent cannot be made anew, and this policy releases each "
                f"{used.release}: use Policy(release='response') with regeneration"
            )
        self.how, self.monitor = how, monitor
        self.given_up: list[Report] = []
        self.exhausted = False
        self.sent = False
        self._seen: dict[str, Finding] = {}

    @property
    def left(self) -> bool:
        """Whether another attempt may be made."""
        return len(self.given_up) < self.how.max_attempts and not self.sent

    def hopeless(self, step: _core.Step | None) -> bool:
        """Return whether what was found so far already calls for another answer."""
        if step is None or not step.findings or not self.left:
            return False
        self._seen.update((finding.id, finding) for finding in step.findings)
        return _verdict(list(self._seen.values()), self.monitor)

    def fails(self, report: Report) -> bool:
        """Return whether the finished answer is to be made anew; notes where it cannot be."""
        failed = needs_regeneration(report, self.monitor)
        self.exhausted = failed and not self.left and not self.sent
        return failed and self.left

    def next(self, report: Report) -> str:
        """Give an attempt up; return the guidance for the next."""
        self.given_up.append(report)
        self._seen.clear()
        return guidance(report)

    def prompt(self, prompt: list[int], text: str, encode: Any) -> list[int]:
        """Return the next attempt's prompt."""
        if self.how.prompt is not None:
            return list(self.how.prompt(list(prompt), text))
        return with_guidance(prompt, text, encode, self.monitor.tokenizer)

    def escalate(self, report: Report) -> str | None:
        """Hand a failed answer to whoever decides; return the text that takes its place."""
        if self.how.escalate is None:
            return None
        return self.how.escalate(report, tuple(self.given_up))


def _found(report: Report) -> list[Finding]:
    """Return everything found, in text that was rewritten too; each once."""
    found = {f.id: f for i in report.interventions for f in i.findings}
    found.update((f.id, f) for f in report.findings)
    return list(found.values())


def _verdict(found: Sequence[Finding], monitor: Monitor) -> bool:
    return any(v.action == "regenerate" for v in monitor.verdicts(found).values())
