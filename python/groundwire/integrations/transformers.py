"""Guarded generation with transformers models.

``generate`` and ``stream`` own the decoding loop, so that a hedge, an interruption or a
correction rolls the key-value cache back and the model goes on from the corrected text. For a
``model.generate`` call of your own there are ``GroundwireLogitsProcessor`` and
``GroundwireStoppingCriteria``, which watch, and can end an answer, but rewrite nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from groundwire.errors import ArgumentError
from groundwire.findings import Finding, Intervention
from groundwire.integrations import prompts
from groundwire.integrations._answer import Answer, milliseconds
from groundwire.integrations._decode import Clock, Decision, Event, decode, prepare
from groundwire.integrations._hooks import (
    BatchWatch,
    GroundwireLogitsProcessor,
    GroundwireStoppingCriteria,
)
from groundwire.monitor import Monitor, passages, turns
from groundwire.policy import Policy
from groundwire.report import Report

__all__ = [
    "BatchWatch",
    "Generation",
    "GroundwireLogitsProcessor",
    "GroundwireStoppingCriteria",
    "StreamEvent",
    "generate",
    "stream",
]


@dataclass(frozen=True, slots=True)
class Generation:
    """One guarded answer.

    Attributes:
        text: what the reader gets: ``report.released``.
        report: everything about the answer.
        tokens: ids of the surviving answer, forced ones included, end tokens left out. A closing
            statement of the guard is in ``text`` but not among them.
        reason: why it ended: ``eos``, ``length``, ``criteria``, or the guard's reason.
        sampled: tokens the model sampled, those taken back included.
        model_seconds: time spent in the model and in choosing tokens, all answers together.
        guard_seconds: time spent in the guard, this answer's pushes only.
    """

    text: str
    report: Report
    tokens: tuple[int, ...]
    reason: str
    sampled: int
    model_seconds: float
    guard_seconds: float

    @property
    def released(self) -> str:
        """What the reader got."""
        return self.text


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One thing that happened.

    Attributes:
        kind: ``token`` (the model wrote one), ``forced`` (the guard wrote one), ``release``
            (text for the reader), ``rewind`` (tokens were taken back), ``intervention`` (done
            without taking tokens back) or ``end``.
        row: number of the prompt.
        text: text for the reader; empty unless ``kind`` is ``release``.
        piece: the token's own text, or the text of the tokens taken back.
        position: surviving tokens of the answer after the event.
        findings: what was found at this token.
        signals: the token's signals, where rows were given.
        tier: tier of the step.
        intervention: what the guard did, of ``rewind`` and ``intervention`` events.
        result: the finished answer, of ``end`` events.
    """

    kind: Literal["token", "forced", "release", "rewind", "intervention", "end"]
    row: int
    text: str = ""
    piece: str = ""
    position: int = 0
    findings: tuple[Finding, ...] = ()
    signals: Any = None
    tier: str = "none"
    intervention: Intervention | None = None
    result: Generation | None = None

    @property
    def report(self) -> Report | None:
        """The finished answer's report, of ``end`` events."""
        return None if self.result is None else self.result.report


def generate(
    model: Any,
    tokenizer: Any,
    prompt: Any,
    *,
    monitor: Monitor,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    question: str | Sequence[str] | None = None,
    policy: Policy | None = None,
    evidence_lift: bool = False,
    prior_prompt: Any = None,
    **generate_kwargs: Any,
) -> Any:
    """Let ``model`` answer under guard, and return the finished answer.

    Args:
        model: a decoder-only transformers model.
        tokenizer: its tokenizer.
        prompt: a string, a chat (mappings with ``role`` and ``content``) or token ids; or a list
            of such, which are generated side by side.
        monitor: a ``Monitor`` compiled with the same tokenizer.
        evidence: passages the answer may rest on, as for ``Monitor.session``. For several
            prompts, a list of lists gives every prompt its own.
        history: earlier turns; for several prompts, a list of lists gives every prompt its own.
        question: what is being asked; by default a chat's last turn, or a string prompt, without
            the evidence. For several prompts, a list gives every prompt its own.
        policy: replaces the monitor's policy.
        evidence_lift: run the same prompt without its evidence beside it, so that what the
            evidence contributes to each token is known. Costs a second row of the batch.
        prior_prompt: the prompt without evidence, where it cannot be derived by taking the
            passages' texts out.
        generate_kwargs: as for ``model.generate``: ``max_new_tokens``, ``do_sample`` ….

    Returns:
        A ``Generation``, or a list of them for a list of prompts.

    Raises:
        ArgumentError: something cannot be guarded in this way; the message says what to do.
    """
    run = _Run(
        model, tokenizer, prompt, monitor, evidence, history, question, policy,
        evidence_lift, prior_prompt, generate_kwargs, clock=None,
    )  # fmt: skip
    for _ in run.events():
        pass
    results = [run.results[i] for i in range(len(run.answers))]
    return results if run.many else results[0]


def stream(
    model: Any,
    tokenizer: Any,
    prompt: Any,
    *,
    monitor: Monitor,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    question: str | Sequence[str] | None = None,
    policy: Policy | None = None,
    evidence_lift: bool = False,
    prior_prompt: Any = None,
    clock: Callable[[], int] | None = milliseconds,
    **generate_kwargs: Any,
) -> Iterator[StreamEvent]:
    """Yield what happens while ``model`` answers under guard; arguments are ``generate``'s.

    Args:
        clock: gives milliseconds, for the policy's ``max_hold_ms``; ``None`` for no time limit,
            which makes the answer independent of the machine's speed.

    Settings are checked before the first event is asked for.
    """
    run = _Run(
        model, tokenizer, prompt, monitor, evidence, history, question, policy,
        evidence_lift, prior_prompt, generate_kwargs, clock,
    )  # fmt: skip
    return run.events()


@dataclass(slots=True)
class _Told:
    """What was asked of one answer, and what became of it."""

    tokens: list[int] = field(default_factory=list)
    sampled: int = 0


class _Run:
    """One call of ``generate`` or ``stream``."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        prompt: Any,
        monitor: Monitor,
        evidence: Iterable[Any],
        history: Iterable[Any],
        question: str | Sequence[str] | None,
        policy: Policy | None,
        evidence_lift: bool,
        prior_prompt: Any,
        kwargs: Mapping[str, Any],
        clock: Callable[[], int] | None,
    ) -> None:
        self.many = prompts.is_many(prompt)
        asked = list(prompt) if self.many else [prompt]
        count = len(asked)
        grounds = [passages(e) for e in _per_prompt(evidence, count, "evidence")]
        earlier = [turns(h) for h in _per_prompt(history, count, "history")]
        questions = _questions(question, asked, grounds)
        priors = None
        if prior_prompt is not None:
            given = list(prior_prompt) if self.many else [prior_prompt]
            if len(given) != count:
                raise ArgumentError(f"{count} prompts need as many prior prompts")
            priors = [prompts.encode(tokenizer, p) for p in given]
        elif evidence_lift:
            bare = [prompts.without_evidence(p, g) for p, g in zip(asked, grounds, strict=True)]
            priors = [prompts.encode(tokenizer, p) for p in bare]
        ids = [prompts.encode(tokenizer, p) for p in asked]
        if not all(ids):
            raise ArgumentError("a prompt has no tokens: pass at least one token for each prompt")
        padded, mask = _pad(ids, tokenizer, model)
        self.prepared = prepare(model, padded, mask, kwargs)
        self.answers = [
            Answer(monitor.guard(evidence=g, history=h, question=q, policy=policy), clock)
            for g, h, q in zip(grounds, earlier, questions, strict=True)
        ]
        self.results: dict[int, Generation] = {}
        self._model, self._tokenizer, self._priors = model, tokenizer, priors
        self._clock = Clock()
        self._told = [_Told() for _ in asked]

    def events(self) -> Iterator[StreamEvent]:
        """Run the loop and tell what happens."""
        loop = decode(
            self._model,
            self._tokenizer,
            self.prepared,
            self.answers,
            prior_prompts=self._priors,
            clock=self._clock,
        )
        for event in loop:
            yield from self._tell(event)

    def _tell(self, event: Event) -> Iterator[StreamEvent]:
        row, answer, told = event.row, self.answers[event.row], self._told[event.row]
        if event.kind == "rewind":
            del told.tokens[event.position :]
            news = answer.news()
            yield from (StreamEvent("intervention", row, intervention=i) for i in news[:-1])
            yield StreamEvent(
                "rewind",
                row,
                piece=self._decode(event.tokens),
                position=event.position,
                intervention=news[-1] if news else None,
            )
            return
        if event.kind in {"token", "forced"}:
            told.tokens.extend(event.tokens)
            told.sampled += event.kind == "token"
            step = answer.step
            yield StreamEvent(
                "token" if event.kind == "token" else "forced",
                row,
                piece=self._decode(event.tokens),
                position=event.position,
                findings=step.findings if step else (),
                signals=step.signals if step else None,
                tier=step.tier if step else "none",
            )
        yield from self._said(row, answer, event.decision)
        if event.kind == "end":
            self.results[row] = Generation(
                text=answer.guard.released,
                report=answer.report(),
                tokens=tuple(told.tokens),
                reason=event.reason,
                sampled=told.sampled,
                model_seconds=self._clock.model,
                guard_seconds=sum(answer.seconds),
            )
            yield StreamEvent("end", row, position=event.position, result=self.results[row])

    def _said(self, row: int, answer: Answer, decision: Decision | None) -> Iterator[StreamEvent]:
        """Tell of what was done without a rewind, and of text for the reader."""
        if decision is None:
            return
        if decision.rewind is None:
            yield from (StreamEvent("intervention", row, intervention=i) for i in answer.news())
        if decision.release:
            yield StreamEvent("release", row, text=decision.release)

    def _decode(self, tokens: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(list(tokens), clean_up_tokenization_spaces=False)
        return text


def _per_prompt(given: Iterable[Any], count: int, name: str) -> list[list[Any]]:
    """Return one list a prompt: the caller's, or the same for all."""
    if isinstance(given, str):
        raise ArgumentError(f"{name} is a list; put the one string into a list")
    items = list(given)
    nested = [isinstance(i, list) for i in items]
    if not any(nested):
        return [items] * count
    if not all(nested) or len(items) != count:
        raise ArgumentError(
            f"{name} is one list for all prompts, or a list of {count} lists, one a prompt"
        )
    return items


def _questions(
    given: str | Sequence[str] | None, asked: Sequence[Any], grounds: Sequence[Any]
) -> list[str | None]:
    if given is None:
        return [prompts.asked(p, g) for p, g in zip(asked, grounds, strict=True)]
    if isinstance(given, str):
        return [given] * len(asked)
    if len(given) != len(asked):
        raise ArgumentError(f"{len(asked)} prompts need one question, or as many")
    return list(given)


def _pad(
    ids: Sequence[Sequence[int]], tokenizer: Any, model: Any
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids padded on the left and their mask, both of shape (prompts, longest)."""
    pad = getattr(tokenizer, "pad_token_id", None)
    longest = max(len(i) for i in ids)
    padded = torch.full((len(ids), longest), 0 if pad is None else pad, dtype=torch.long)
    mask = torch.zeros_like(padded)
    for row, tokens in enumerate(ids):
        padded[row, longest - len(tokens) :] = torch.tensor(tokens)
        mask[row, longest - len(tokens) :] = 1
    return padded.to(model.device), mask.to(model.device)
