"""One call of ``generate`` or ``stream``: what was asked, the loop, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire._given import passages, turns
from groundwire.callback import Callback
from groundwire.errors import ArgumentError
from groundwire.events import ReportStore
from groundwire.hooks import Hooks
from groundwire.integrations import prompts
from groundwire.integrations._answer import Answer
from groundwire.integrations._decode import Clock, Decision, Event, decode
from groundwire.integrations._events import Generation, StreamEvent
from groundwire.integrations._settings import Prepared, pad_left, prepare
from groundwire.monitor import Monitor
from groundwire.policy import Policy
from groundwire.regeneration import Attempts, Regeneration, with_guidance


@dataclass(slots=True)
class _Row:
    """What was asked of one answer, and what became of it."""

    asked: Any
    prompt: Any
    """As asked, or with guidance."""
    bare: Any
    """The same without its evidence, where evidence lift is measured."""
    begin: Callable[[], Answer]
    attempts: Attempts | None
    answer: Answer
    tokens: list[int] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    sampled: int = 0
    seconds: float = 0.0
    told: bool = False


class Run:
    """One call of ``generate`` or ``stream``.

    ``unread`` says that nobody reads the text before the end, so that an answer can be made anew
    whatever the policy released.
    """

    def __init__(
        self,
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
        hooks: Hooks | Sequence[Hooks] | None = None,
        regeneration: Regeneration | None = None,
        store: ReportStore | None = None,
        clock: Callable[[], int] | None = None,
        unread: bool = False,
        kwargs: Mapping[str, Any],
    ) -> None:
        many = prompts.is_many(prompt)
        asked = list(prompt) if many else [prompt]
        count = len(asked)
        grounds = [passages(e) for e in _per_prompt(evidence, count, "evidence")]
        earlier = [turns(h) for h in _per_prompt(history, count, "history")]
        read = [prompts.conversation(p, g) for p, g in zip(asked, grounds, strict=True)]
        earlier = [given or said for given, (_, said) in zip(earlier, read, strict=True)]
        questions = _questions(question, [asks for asks, _ in read])
        own = _hooks(hooks, count)
        priors: list[Any] = [None] * count
        if prior_prompt is not None:
            priors = list(prior_prompt) if many else [prior_prompt]
            if len(priors) != count:
                raise ArgumentError(f"{count} prompts need as many prior prompts")
        elif evidence_lift:
            priors = [prompts.without_evidence(p, g) for p, g in zip(asked, grounds, strict=True)]
        self._model, self._tokenizer, self._kwargs = model, tokenizer, kwargs
        self._lift = evidence_lift or prior_prompt is not None
        for one in priors if self._lift else ():
            prompts.encode(tokenizer, one)
        self._first = self._prepare(asked)
        self._clock = Clock()
        self._anew: list[_Row] = []
        self._rows = []
        for i in range(count):
            again = None
            if regeneration is not None:
                again = Attempts(regeneration, monitor, policy, unread=unread)
            given: dict[str, Any] = {"evidence": grounds[i], "history": earlier[i]}
            given["question"] = questions[i]
            given["lead"] = prompts.unfinished(tokenizer, asked[i])
            given |= {"policy": policy, "hooks": own[i], "store": store}
            begin = _beginning(monitor, given, clock, again)
            self._rows.append(_Row(asked[i], asked[i], priors[i], begin, again, begin()))

    def events(self) -> Iterator[StreamEvent]:
        """Run the loop and tell what happens, until every answer is final."""
        todo: list[_Row] = []
        for row, ids in zip(self._rows, self._first.prompts, strict=True):
            report = row.answer.callback.limitation(ids)
            if report is None:
                todo.append(row)
                continue
            index = self._rows.index(row)
            yield StreamEvent("release", index, text=report.released)
            result = Generation(report.released, report, (), "limitation", 0, 0.0, 0.0)
            yield StreamEvent("end", index, result=result)
        prepared = self._first if len(todo) == len(self._rows) else None
        while todo:
            prepared = prepared or self._prepare([row.prompt for row in todo])
            priors = [prompts.encode(self._tokenizer, row.bare) for row in todo if self._lift]
            loop = decode(
                self._model,
                self._tokenizer,
                prepared,
                [row.answer for row in todo],
                prior_prompts=priors or None,
                clock=self._clock,
            )
            for event in loop:
                yield from self._tell(event, todo[event.row])
            todo, self._anew, prepared = self._anew, [], None

    def _prepare(self, asked: Sequence[Any]) -> Prepared:
        ids = [prompts.encode(self._tokenizer, p) for p in asked]
        if not all(ids):
            raise ArgumentError("a prompt has no tokens: pass at least one token for each prompt")
        padded, mask = pad_left(ids, self._tokenizer, self._model)
        return prepare(self._model, padded, mask, self._kwargs, self._tokenizer)

    def _tell(self, event: Event, row: _Row) -> Iterator[StreamEvent]:
        index, answer = self._rows.index(row), row.answer
        if event.kind == "rewind":
            del row.tokens[event.position :]
            news = answer.news()
            yield from (StreamEvent("intervention", index, intervention=i) for i in news[:-1])
            yield StreamEvent(
                "rewind",
                index,
                piece=self._decode(event.tokens),
                position=event.position,
                intervention=news[-1] if news else None,
            )
            return
        if event.kind in {"token", "forced"}:
            row.tokens.extend(event.tokens)
            row.sampled += event.kind == "token"
            step = answer.step
            yield StreamEvent(
                "token" if event.kind == "token" else "forced",
                index,
                piece=self._decode(event.tokens),
                position=event.position,
                findings=step.findings if step else (),
                signals=step.signals if step else None,
                tier=step.tier if step else "none",
            )
        yield from self._said(index, row, event.decision)
        if event.kind == "end":
            row.seconds += sum(answer.seconds)
            yield from self._ended(index, row, event)

    def _said(self, index: int, row: _Row, decision: Decision | None) -> Iterator[StreamEvent]:
        """Tell of what was done without a rewind, and of text for the reader."""
        if decision is None:
            return
        if decision.rewind is None:
            news = row.answer.news()
            yield from (StreamEvent("intervention", index, intervention=i) for i in news)
        if row.answer.escalated is not None and not row.told:
            row.told = True
            yield StreamEvent("escalate", index, given_up=row.answer.escalated)
        if decision.release:
            row.released.append(decision.release)
            yield StreamEvent("release", index, text=decision.release)

    def _ended(self, index: int, row: _Row, event: Event) -> Iterator[StreamEvent]:
        report = row.answer.report()
        if event.reason == "regenerate" and row.attempts is not None:
            row.answer.callback.abandon()
            guidance = row.attempts.next(report)
            how = row.attempts.how.prompt or self._guided
            row.prompt = how(row.asked, guidance)
            row.bare = None if row.bare is None else how(row.bare, guidance)
            row.tokens, row.released, row.answer = [], [], row.begin()
            self._anew.append(row)
            yield StreamEvent("regenerate", index, piece=guidance, given_up=report)
            return
        result = Generation(
            text="".join(row.released),
            report=report,
            tokens=tuple(row.tokens),
            reason=event.reason,
            sampled=row.sampled,
            model_seconds=self._clock.model,
            guard_seconds=row.seconds,
            given_up=() if row.attempts is None else tuple(row.attempts.given_up),
        )
        yield StreamEvent("end", index, position=event.position, result=result)

    def _guided(self, prompt: Any, guidance: str) -> Any:
        """Return a prompt with guidance in it, of whatever form it is."""
        found = prompts.with_guidance(prompt, guidance)
        if found is not None:
            return found
        tokenizer = self._tokenizer
        return with_guidance(
            prompts.encode(tokenizer, prompt),
            guidance,
            lambda text: tokenizer.encode(text, add_special_tokens=False),
            tokenizer,
        )

    def _decode(self, tokens: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(list(tokens), clean_up_tokenization_spaces=False)
        return text


def _beginning(
    monitor: Monitor,
    given: dict[str, Any],
    clock: Callable[[], int] | None,
    attempts: Attempts | None,
) -> Callable[[], Answer]:
    """Return what begins an answer, and begins it anew."""
    retry = None if attempts is None else attempts.fails

    def opened(now: Callable[[], int]) -> Callback:
        return Callback(monitor, retry=retry, clock=now, **given)

    return lambda: Answer(opened, clock, attempts)


def _hooks(given: Hooks | Sequence[Hooks] | None, count: int) -> list[Hooks | None]:
    """Return the hooks of each prompt; they may keep what belongs to one answer."""
    found: list[Hooks | None] = list(given) if isinstance(given, list | tuple) else [given]  # type: ignore[list-item]
    if given is None:
        return [None] * count
    if len(found) != count or len({id(one) for one in found}) != count:
        raise ArgumentError(
            f"hooks follow one answer each: pass a list of {count} hooks, one a prompt"
        )
    return found


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


def _questions(given: str | Sequence[str] | None, asked: Sequence[str | None]) -> list[str | None]:
    if given is None:
        return list(asked)
    if isinstance(given, str):
        return [given] * len(asked)
    if len(given) != len(asked):
        raise ArgumentError(f"{len(asked)} prompts need one question, or as many")
    return list(given)
