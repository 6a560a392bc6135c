"""The decoding loop that a guard may interrupt: sample, show the guard, carry out what it says.

``decode`` runs the loop as a generator of events, with the settings that ``_settings.prepare`` had
transformers resolve. Nothing here knows about claims or findings.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from groundwire.errors import ArgumentError
from groundwire.integrations._lanes import Lanes
from groundwire.integrations._settings import Prepared
from groundwire.integrations.prompts import encode_continuation

MAX_REWINDS = 64
"""Rewinds of one answer after which the loop ends it, whatever the guard says."""


@dataclass(frozen=True, slots=True)
class Rewind:
    """Keep the first ``keep_tokens`` generated tokens, then write ``force_text``."""

    keep_tokens: int
    force_text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a guard wants after one token; all fields empty means: go on, show nothing yet."""

    release: str = ""
    rewind: Rewind | None = None
    stop: str | None = None


class GuardLike(Protocol):
    """One answer's guard."""

    def push(
        self, token_id: int, *, logits: Any = None, prior_logits: Any = None, forced: bool = False
    ) -> Decision:
        """Take the next token; rows are float32 of shape (vocabulary,), None for forced tokens."""
        ...

    def end(self, *, cut: bool = False) -> Decision:
        """Hear that no token follows; may still rewind, and then is asked again later.

        ``cut`` says that the limit of tokens cut the answer off.
        """
        ...


@dataclass(slots=True)
class Event:
    """One thing that happened to one answer.

    ``kind`` is "token" (sampled), "forced" (written by the guard), "rewind" (``tokens`` were taken
    back), "release" (text that leaves when the end was refused and the answer goes on) or "end"
    (``reason`` says why). ``decision`` is what the guard answered to that token or
    to the end; a rewind repeats nothing of the decision that asked for it.
    """

    kind: str
    row: int
    tokens: list[int] = field(default_factory=list)
    decision: Decision | None = None
    reason: str = ""
    position: int = 0


@dataclass(slots=True)
class Clock:
    """Where the time went, in seconds, and for how many tokens."""

    model: float = 0.0
    guard: float = 0.0
    sampled: int = 0
    forced: int = 0


@dataclass(slots=True)
class _Row:
    """One answer in the making."""

    lanes: list[int]
    prompt: torch.Tensor
    generated: list[int] = field(default_factory=list)
    rewinds: int = 0
    done: bool = False


def decode(
    model: Any,
    tokenizer: Any,
    prepared: Prepared,
    guards: Sequence[GuardLike],
    *,
    prior_prompts: Sequence[Sequence[int]] | None = None,
    clock: Clock | None = None,
) -> Iterator[Event]:
    """Generate one guarded answer a prompt, yielding events in the order they happen.

    With ``prior_prompts`` (the same prompts without their evidence) every answer has a second
    lane: the first chooses the tokens, both receive them, and the guard gets both rows.
    """
    clock = clock if clock is not None else Clock()
    count = len(prepared.prompts)
    if len(guards) != count or (prior_prompts is not None and len(prior_prompts) != count):
        raise ArgumentError(f"{count} prompts need {count} guards and as many prior prompts")
    prompts: list[Sequence[int]] = [*prepared.prompts, *(prior_prompts or [])]
    lanes = Lanes(model, prompts, prepared.pad_id)
    rows = [
        _Row(
            lanes=[i, count + i] if prior_prompts is not None else [i],
            prompt=prepared.padded[i].cpu(),
        )
        for i in range(count)
    ]
    loop = _Loop(tokenizer, prepared, guards, lanes, clock)
    while live := [i for i, row in enumerate(rows) if not row.done]:
        started = time.perf_counter()
        logits = lanes.advance().cpu()
        chosen = loop.choose([rows[i] for i in live], logits)
        clock.model += time.perf_counter() - started
        for i, token in zip(live, chosen, strict=True):
            yield from loop.step(i, rows[i], token, logits)


@dataclass(slots=True)
class _Loop:
    """The parts of ``decode`` that stay the same from step to step."""

    tokenizer: Any
    prepared: Prepared
    guards: Sequence[GuardLike]
    lanes: Lanes
    clock: Clock

    def choose(self, rows: Sequence[_Row], logits: torch.Tensor) -> list[int]:
        """Pick each row's next token as transformers would."""
        scores = []
        for row in rows:
            raw = logits[row.lanes[0]].unsqueeze(0).clone()
            scores.append(self.prepared.processors(self._ids(row), raw))
        stacked = torch.cat(scores)
        if self.prepared.config.do_sample:
            drawn = torch.multinomial(torch.softmax(stacked, dim=-1), num_samples=1).squeeze(1)
        else:
            drawn = stacked.argmax(dim=-1)
        return [int(t) for t in drawn]

    def step(self, index: int, row: _Row, token: int, logits: torch.Tensor) -> Iterator[Event]:
        """Record one sampled token and do what the guard says about it."""
        guard = self.guards[index]
        self.clock.sampled += 1
        reason = ""
        if token in self.prepared.eos:
            reason = "eos"
        else:
            self._append(row, [token])
            main = logits[row.lanes[0]]
            prior = logits[row.lanes[1]] if len(row.lanes) > 1 else None
            started = time.perf_counter()
            decision = guard.push(token, logits=main, prior_logits=prior)
            self.clock.guard += time.perf_counter() - started
            yield Event("token", index, [token], decision, position=len(row.generated))
            if decision.rewind is not None or decision.stop is not None:
                yield from self._obey(index, row, decision)
            if row.done:
                return
            if self._must_stop(row):
                reason = "length" if self._full(row) else "criteria"
        while reason and not row.done:
            started = time.perf_counter()
            decision = guard.end(cut=reason == "length")
            self.clock.guard += time.perf_counter() - started
            before = len(row.generated)
            if decision.rewind is None or decision.stop is not None:
                self._close(row)
                why = reason if decision.stop in {None, "end"} else str(decision.stop)
                yield Event("end", index, [], decision, why, before)
                return
            if decision.release:
                said = Decision(release=decision.release)
                yield Event("release", index, [], said, position=before)
            yield from self._obey(index, row, decision)
            reason = "length" if self._full(row) else ""

    def _obey(self, index: int, row: _Row, decision: Decision) -> Iterator[Event]:
        """Rewind, force, stop; forced tokens may themselves be answered by the guard."""
        guard = self.guards[index]
        pending: list[Decision] = [decision]
        while pending:
            now = pending.pop()
            if now.rewind is not None:
                row.rewinds += 1
                yield self._take_back(index, row, now.rewind.keep_tokens)
                forced = encode_continuation(
                    self.tokenizer,
                    row.generated or self.prepared.prompts[index],
                    now.rewind.force_text,
                )
                for token in forced:
                    self._append(row, [token])
                    self.clock.forced += 1
                    started = time.perf_counter()
                    answer = guard.push(token, forced=True)
                    self.clock.guard += time.perf_counter() - started
                    yield Event("forced", index, [token], answer, position=len(row.generated))
                    if answer.rewind is not None or answer.stop is not None:
                        pending.append(answer)
                        break
            stop = now.stop
            if stop is None and row.rewinds >= MAX_REWINDS:
                stop = "max_rewinds"
            if stop is not None:
                self._close(row)
                yield Event("end", index, [], None, stop, len(row.generated))
                return

    def _take_back(self, index: int, row: _Row, keep: int) -> Event:
        """Drop everything after the first ``keep`` generated tokens."""
        if not 0 <= keep <= len(row.generated):
            raise ArgumentError(
                f"a rewind to {keep} tokens was asked for, but {len(row.generated)} were generated"
            )
        gone = row.generated[keep:]
        del row.generated[keep:]
        for lane in row.lanes:
            self.lanes.truncate(lane, len(self.lanes.tokens(lane)) - len(gone))
        return Event("rewind", index, gone, position=keep)

    def _close(self, row: _Row) -> None:
        row.done = True
        for lane in row.lanes:
            self.lanes.rest(lane)

    def _append(self, row: _Row, tokens: list[int]) -> None:
        row.generated.extend(tokens)
        for lane in row.lanes:
            self.lanes.append(lane, tokens)

    def _ids(self, row: _Row) -> torch.Tensor:
        """Return the row as transformers' processors know it: padded prompt, then the answer."""
        answer = torch.tensor(row.generated, dtype=torch.long)
        return torch.cat([row.prompt, answer]).unsqueeze(0)

    def _must_stop(self, row: _Row) -> bool:
        return bool(self.prepared.criteria(self._ids(row), None).any())

    def _full(self, row: _Row) -> bool:
        limit = self.prepared.criteria.max_length
        return limit is not None and len(row.prompt) + len(row.generated) >= limit
