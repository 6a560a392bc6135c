"""Which row of a batch is which request in Model Runner V2, where tokens live on the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from groundwire.integrations.vllm.rows import Open
from groundwire.integrations.vllm.stream import Fault, Stream, Tap, follow

TAIL = 1024
"""Ids at the end of a prompt that are read."""
Before = Callable[[Sequence[tuple[Tap, Sequence[int]]]], None]


class Slot:
    """One request's place: its stream, and where its output begins once that is known."""

    __slots__ = ("params", "prompt", "stream")

    def __init__(self, stream: Tap, params: Any) -> None:
        self.stream = stream
        self.params = params
        self.prompt: int | None = None


class Slots:
    """The requests of the newer runner by slot; a slot's next owner overwrites it."""

    def __init__(
        self,
        open_stream: Open,
        states: Any,
        before: Before | None = None,
        lead: Callable[[Sequence[int]], str] | None = None,
        fault: Fault | None = None,
    ) -> None:
        """Prepare.

        ``states`` is the ``LogitsProcRequestState`` of the runner; ``before`` is told of new ids
        before they are followed; ``lead`` reads what a prompt leaves unfinished; ``fault`` hears of
        faults in following.
        """
        self._how: dict[str, Fault] = {} if fault is None else {"fault": fault}
        self._lead = lead
        self._open = open_stream
        self._before = before
        self._states = states
        self.slots: dict[int, Slot] = {}
        self.lost = 0

    def add(self, slot: int, params: Any) -> bool:
        """Take a request into a slot; return whether it is checked."""
        self.slots.pop(slot, None)
        stream = self._open(params, None)
        if stream is None:
            return False
        self.slots[slot] = Slot(stream, params)
        return True

    def rows(self, ctx: Any) -> dict[int, Tap]:
        """Follow what is new and return the stream of each checked row of this step's logits.

        With drafts, a row stands for a draft that may be rejected: its stream is a fork.
        """
        order = [int(slot) for slot in ctx.idx_mapping_np]
        here = [slot for slot in order if slot in self.slots]
        if not here:
            return {}
        self._follow(here, ctx)
        rows = int(ctx.expanded_idx_mapping.shape[0])
        if rows == len(order):
            return {i: self.slots[s].stream for i, s in enumerate(order) if s in self.slots}
        return self._drafts(ctx)

    def _follow(self, here: list[int], ctx: Any) -> None:
        """Copy the ids that were not seen, of all slots at once, and push them."""
        states, device = self._states, self._states.all_token_ids.gpu.device
        index = torch.tensor(here, dtype=torch.long, device=device)
        if any(self.slots[slot].prompt is None for slot in here):
            for slot, length in zip(
                here, states.prompt_len.gpu.to(device)[index].tolist(), strict=True
            ):
                self._begin(slot, int(length))
        upper = dict(
            zip((int(s) for s in ctx.idx_mapping_np), ctx.seq_lens_upper_bound_np, strict=True)
        )
        starts = [self._known(slot) for slot in here]
        width = max(1, *(int(upper[s]) - at for s, at in zip(here, starts, strict=True)))
        begin = torch.tensor(starts, dtype=torch.long, device=device)
        limit = states.all_token_ids.gpu.shape[1] - 1
        places = begin[:, None] + torch.arange(width, device=device)[None, :]
        ids = states.all_token_ids.gpu[index[:, None], places.clamp(max=limit)].to(torch.long)
        totals = states.total_len.gpu.to(device)[index].to(torch.long)
        # One copy to the host a step, whatever the batch.
        found = torch.cat([totals[:, None], ids], dim=1).cpu().tolist()
        news: list[tuple[Tap, Sequence[int]]] = []
        for slot, start, (total, *tokens) in zip(here, starts, found, strict=True):
            news.append((self.slots[slot].stream, tokens[: max(0, int(total) - start)]))
        if self._before is not None:
            self._before(news)
        self.lost += follow(news, **self._how)

    def _begin(self, slot: int, length: int) -> None:
        """Take the prompt of a new request, which is known by now: its end may be unfinished."""
        entry = self.slots[slot]
        if entry.prompt is not None:
            return
        entry.prompt = length
        if self._lead is None or not isinstance(entry.stream, Stream):
            return
        ids = self._states.all_token_ids.gpu[slot, max(0, length - TAIL) : length].tolist()
        if self._lead(ids):
            entry.stream = self._open(entry.params, ids) or entry.stream

    def _known(self, slot: int) -> int:
        """Return where the first id stands that the slot's stream has not seen."""
        entry = self.slots[slot]
        return (entry.prompt or 0) + len(entry.stream.seen)

    def _drafts(self, ctx: Any) -> dict[int, Tap]:
        """Return the stream of each row where requests have one for every draft."""
        table = torch.stack(
            [
                ctx.expanded_idx_mapping.to(torch.long),
                ctx.expanded_local_pos.to(torch.long),
                ctx.input_ids.to(torch.long),
            ]
        )
        slots, places, ids = table.cpu().tolist()
        found: dict[int, Tap] = {}
        for row, (slot, place, token) in enumerate(zip(slots, places, ids, strict=True)):
            if slot not in self.slots:
                continue
            if place == 0:
                found[row] = self.slots[slot].stream
                continue
            before = found.get(row - 1)
            if before is None:
                continue
            fork = before.fork()
            follow([(fork, [token])], **self._how)
            found[row] = fork
        return found
