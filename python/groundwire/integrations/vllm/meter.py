"""What rows of logits say, inside the engine: numbers for the session, and for the front end.

The row that reaches the plugin at a step is the one the next token is sampled from, so its
statistics belong to the position after the last token. Only a few numbers a row leave an
accelerator; on the CPU the extension reads the rows where they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from groundwire import _core
from groundwire.integrations.vllm.datagrams import Reading, Sender
from groundwire.integrations.vllm.stream import Stream, Tap

CONFIDENCE_TOP = 20
"""Tokens that the confidence is a mean over (DeepConf, arXiv 2508.15260)."""
NAMES = ("entropy", "varentropy", "margin", "confidence")


class Meter:
    """Reads the rows of the streams that use their statistics.

    Args:
        sender: what carries numbers to the front end; ``None`` where nobody listens, or where
            another rank speaks.
    """

    def __init__(self, sender: Sender | None) -> None:
        """Prepare; see the class."""
        self._sender = sender
        self._kept: list[tuple[Tap, int, float]] = []
        self._rows: Any = None

    def complete(self, news: Iterable[tuple[Tap, Sequence[int]]]) -> None:
        """Add to the last rows' numbers what they say of the tokens that came of them.

        ``news`` are streams with the ids that they have not followed yet.
        """
        kept, self._kept = self._kept, []
        rows, self._rows = self._rows, None
        if not kept:
            return
        came = {id(stream): (len(stream.seen), ids) for stream, ids in news}
        size, found = rows.shape[1], []
        for place, (stream, position, _) in enumerate(kept):
            begin, ids = came.get(id(stream), (0, ()))
            if begin <= position < begin + len(ids) and 0 <= ids[position - begin] < size:
                found.append((place, ids[position - begin]))
        if not found:
            return
        index = torch.tensor(found, device=rows.device)
        values = rows[index[:, 0], index[:, 1]].double().tolist()
        for (place, _), value in zip(found, values, strict=True):
            stream, position, total = kept[place]
            numbers = stream.numbers.get(position)
            if numbers is not None and not math.isnan(value - total):
                numbers["logprob"] = min(0.0, value - total)
                numbers["surprisal"] = -numbers["logprob"]

    def read(self, logits: torch.Tensor, streams: Mapping[int, Tap]) -> None:
        """Read this step's rows; ``streams`` by row, ``logits`` of shape (rows, vocabulary).

        Call it before anything is masked.
        """
        chosen = [
            (row, stream)
            for row, stream in streams.items()
            if stream.reads and stream.lost is None and row < logits.shape[0]
        ]
        if not chosen:
            return
        listed = [row for row, _ in chosen]
        found = read_rows(logits, listed)
        keep: list[int] = []
        out: list[Reading] = []
        for (row, stream), (total, numbers) in zip(chosen, found, strict=True):
            origin, position = stream.origin or stream, len(stream.seen)
            origin.numbers[position] = numbers
            if origin.sends is None:
                continue
            out.append(Reading(origin.sends, position, numbers))
            if isinstance(stream, Stream) and not numbers.get("invalid"):
                keep.append(row)
                self._kept.append((origin, position, total))
        if keep:
            # A copy: what comes after the plugin changes the rows in place.
            index = torch.tensor(keep, device=logits.device)
            self._rows = logits.index_select(0, index)
        if self._sender is not None and out:
            self._sender.send(out)


def read_rows(logits: torch.Tensor, rows: Sequence[int]) -> list[tuple[float, dict[str, Any]]]:
    """Return ln Σ exp of each of the rows, and its statistics as signals (nats).

    A row with NaN, +∞ or nothing but −∞ is ``invalid`` and has no numbers.
    """
    if logits.device.type == "cpu":
        return _by_extension(logits, rows)
    index = torch.tensor(list(rows), device=logits.device)
    whole = len(rows) == logits.shape[0] and list(rows) == list(range(len(rows)))
    table = statistics(logits if whole else logits.index_select(0, index))
    return [_signals(line[0], line[1:5], bool(line[5])) for line in table.cpu().tolist()]


def statistics(logits: torch.Tensor) -> torch.Tensor:
    """Return the statistics of rows, shape (rows, 6), by operations that stay on the device.

    Columns: ln Σ exp(x); entropy H = −Σ p ln p; varentropy Σ p (ln p + H)²; margin of the two
    highest probabilities; confidence, −mean ln p of the 20 most likely tokens that are not masked;
    1 for an invalid row, else 0. Nats; float32 rows are summed in float32.
    """
    x = logits.float()
    total = torch.logsumexp(x, dim=-1)
    log_p = x - total[:, None]
    p = log_p.exp()
    # A masked token adds nothing: 0 times minus infinity is no number.
    weighed = torch.where(p > 0, p * log_p, 0.0)
    entropy = -weighed.sum(dim=-1)
    spread = torch.where(p > 0, p * (log_p + entropy[:, None]).square(), 0.0).sum(dim=-1)
    top = log_p.topk(min(CONFIDENCE_TOP, x.shape[1]), dim=-1).values
    here = torch.isfinite(top)
    confidence = -torch.where(here, top, 0.0).sum(dim=-1) / here.sum(dim=-1).clamp(min=1)
    best = top[:, 0].exp()
    margin = best - top[:, 1].exp() if x.shape[1] > 1 else best
    bad = torch.isnan(x).any(dim=-1) | torch.isposinf(x).any(dim=-1) | torch.isneginf(total)
    return torch.stack([total, entropy, spread, margin, confidence, bad.float()], dim=-1)


def _by_extension(logits: torch.Tensor, rows: Sequence[int]) -> list[tuple[float, dict[str, Any]]]:
    """Read rows on the CPU: runs of neighbours are one call over a view of the batch.

    One thread: vLLM binds its worker to cores, and threads made there would share one of them.
    """
    found: list[tuple[float, dict[str, Any]]] = []
    if logits.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        logits = logits.float()
    if logits.stride(-1) != 1:
        logits = logits.contiguous()
    for begin, end in _runs(rows):
        for one in _core.logit_stats_batch(logits[begin:end], top_k=CONFIDENCE_TOP):
            given = (one.entropy, one.varentropy, one.margin, one.confidence)
            found.append(_signals(one.logsumexp, given, one.invalid))
    return found


def _runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return the runs of consecutive rows as (first, one past the last), in order."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and found[-1][1] == row:
            found[-1] = (found[-1][0], row + 1)
        else:
            found.append((row, row + 1))
    return found


def _signals(total: float, given: Sequence[float], invalid: bool) -> tuple[float, dict[str, Any]]:
    if invalid or not math.isfinite(total) or not all(map(math.isfinite, given)):
        return total, {"invalid": True}
    entropy, spread, margin, confidence = (max(0.0, float(one)) for one in given)
    return total, dict(zip(NAMES, (entropy, spread, min(1.0, margin), confidence), strict=True))
