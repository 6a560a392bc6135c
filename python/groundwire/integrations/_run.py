"""One call of ``generate`` or ``stream``: what was asked, the loop, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire._given import passages, turns
from groundwire.errors import ArgumentError
from groundwire.integrations import prompts
from groundwire.integrations._answer import Answer
from groundwire.integrations._decode import Clock, Decision, Event, decode
from groundwire.integrations._events import Generation, StreamEvent
from groundwire.integrations._settings import pad_left, prepare
from groundwire.monitor import Monitor
from groundwire.policy import Policy


@dataclass(slots=True)
class _Told:
    """What was asked of one answer, and what became of it."""

    tokens: list[int] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    sampled: int = 0


class Run:
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
        padded, mask = pad_left(ids, tokenizer, model)
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
                text="".join(told.released),
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
            self._told[row].released.append(decision.release)
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
