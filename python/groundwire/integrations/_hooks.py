"""Watching somebody else's ``model.generate``: a logits processor and a stopping criterion.

Both follow the rows of ``input_ids`` with one session a row. Beam search reorders rows, assisted
decoding tries tokens and rejects them, so nothing is assumed about how a row came about: what a
session has seen is rolled back to the common prefix, and the rest is pushed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from transformers import LogitsProcessor, StoppingCriteria

from groundwire._checks import words
from groundwire._core import CoreMonitor
from groundwire._given import passages, turns
from groundwire.errors import ArgumentError
from groundwire.monitor import Monitor
from groundwire.report import Report

TIERS = ("none", "low", "medium", "high", "critical")


class BatchWatch:
    """Sessions beside the rows of a running ``generate`` call.

    Args:
        monitor: a ``Monitor`` compiled with the model's tokenizer.
        evidence: passages all rows may rest on; a list of lists gives every prompt its own.
        history: earlier turns, likewise.
        question: what is asked; a list gives every prompt its own.
        eos_token_id: ids that end a row; what follows them in a row is padding.
        prompt_length: columns of ``input_ids`` before the answer; by default those of the first
            call.
        lead: the unfinished sentence at the end of the prompt that the answer goes on with ("Orion
            was founded in"; ``prompts.unfinished(tokenizer, prompt)`` finds it); a list gives every
            prompt its own. A report's positions count from its beginning.

    With beams or several returned sequences a prompt has several rows, in the prompts' order.
    """

    def __init__(
        self,
        monitor: Monitor,
        *,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
        question: str | Sequence[str] | None = None,
        eos_token_id: int | Sequence[int] | None = None,
        prompt_length: int | None = None,
        lead: str | Sequence[str] = "",
    ) -> None:
        """Prepare; sessions open with the first call.

        Raises ``ArgumentError`` for what is no monitor, for a monitor with detectors, verifiers or
        Python rules, whose answers a processor cannot wait for, and for evidence that is a string.
        """
        if not isinstance(monitor, CoreMonitor):
            raise ArgumentError(f"monitor is a groundwire.Monitor, not {monitor!r:.60}")
        if getattr(monitor, "detectors", ()) or getattr(monitor, "verifiers", ()):
            raise ArgumentError(
                "a logits processor or stopping criterion cannot wait for detectors, verifiers or "
                "rules in Python: use generate() of this module, or a monitor without them"
            )
        for name, given in (("evidence", evidence), ("history", history)):
            if isinstance(given, str | bytes):
                raise ArgumentError(f"{name} is a list; put the one string into a list")
        self._monitor = monitor
        self._evidence = list(evidence)
        self._history = list(history)
        self._question = question
        self._lead = lead
        eos = [] if eos_token_id is None else eos_token_id
        self._eos = frozenset([eos] if isinstance(eos, int) else eos)
        self._given_length = prompt_length
        self._length = prompt_length
        self._prompt: torch.Tensor | None = None
        self._rows: list[_Row] = []

    def reset(self) -> None:
        """Forget everything, as before the first call."""
        self._length, self._prompt = self._given_length, None
        self._rows = []

    def sync(self, input_ids: torch.Tensor) -> None:
        """Bring every session to its row of ``input_ids``, shape (rows, columns).

        Another prompt than before starts afresh.
        """
        if input_ids.dim() != 2:
            raise ArgumentError(
                "expected input_ids of shape (rows, columns); continuous batching gives single "
                "rows without a stable order: use generate() of this module instead"
            )
        ids = input_ids.detach().to("cpu")
        if self._length is None:
            self._length = ids.shape[1]
        if ids.shape[1] < self._length or not self._same_prompts(ids):
            self.reset()
            self._length = self._given_length or ids.shape[1]
        if self._prompt is None:
            self._prompt = ids[:, : self._length].clone()
        while len(self._rows) < len(ids):
            self._rows.append(_Row(self._open(len(self._rows), len(ids))))
        for row, tokens in zip(self._rows, ids[:, self._length :].tolist(), strict=False):
            row.follow(self._answer(tokens))

    def observe(self, scores: torch.Tensor) -> None:
        """Note the row each next token will be chosen from; made-up rows are passed over."""
        rows = scores.detach().to(device="cpu", dtype=torch.float32)
        low, high = rows.aminmax(dim=-1)
        for row, scored, real in zip(self._rows, rows, (low != high).tolist(), strict=False):
            if real and not row.ended:
                row.session.observe(scored.contiguous())

    def tiers(self) -> list[str]:
        """Return the highest tier of each row so far."""
        return [row.tier for row in self._rows]

    def finish(self, sequences: torch.Tensor) -> list[Report]:
        """Return a report for each row of what ``generate`` returned."""
        self.sync(sequences)
        del self._rows[len(sequences) :]
        reports: list[Report] = [row.session.fork().finish() for row in self._rows]
        return reports

    def _same_prompts(self, ids: torch.Tensor) -> bool:
        """Whether each row starts with one of the known prompts."""
        if self._prompt is None:
            return True
        heads = ids[:, : self._length]
        if heads.shape == self._prompt.shape and torch.equal(heads, self._prompt):
            return True
        known = {tuple(p) for p in self._prompt.tolist()}
        return all(tuple(head) in known for head in heads.tolist())

    def _answer(self, tokens: list[int]) -> list[int]:
        for i, token in enumerate(tokens):
            if token in self._eos:
                return tokens[: i + 1]
        return tokens

    def _open(self, row: int, rows: int) -> Any:
        def mine(given: list[Any]) -> list[Any]:
            if not any(isinstance(g, list) for g in given):
                return given
            if rows % len(given):
                raise ArgumentError(f"{rows} rows cannot be told apart into {len(given)} prompts")
            return list(given[row * len(given) // rows])

        def own(given: str | Sequence[str] | None) -> str | None:
            if given is None or isinstance(given, str):
                return given
            if not given or rows % len(given):
                raise ArgumentError(f"{rows} rows cannot be told apart into {len(given)} prompts")
            return given[row * len(given) // rows]

        session = self._monitor.open(
            passages(mine(self._evidence)),
            turns(mine(self._history)),
            own(self._question),
            None,
            None,
            self._monitor.today(),
        )
        if lead := own(self._lead):
            session.push_text(words(lead, "lead"), forced=True)
        return session


class _Row:
    """One session and the answer's tokens it has seen."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.seen: list[int] = []
        self._tiers: list[int] = []

    @property
    def ended(self) -> bool:
        return self.session.latched is not None

    @property
    def tier(self) -> str:
        return TIERS[max(self._tiers, default=0)]

    def follow(self, tokens: list[int]) -> None:
        """Roll back to the common prefix and push the rest."""
        same = 0
        for old, new in zip(self.seen, tokens, strict=False):
            if old != new:
                break
            same += 1
        if gone := len(self.seen) - same:
            self.session.rollback(gone)
            del self.seen[same:], self._tiers[same:]
        for token in tokens[same:]:
            step = self.session.push(token)
            self.seen.append(token)
            self._tiers.append(TIERS.index(step.tier))


class GroundwireLogitsProcessor(LogitsProcessor):
    """Watches every row of a ``generate`` call; changes no score unless told to end answers.

    Args:
        monitor: a ``Monitor``, or a ``BatchWatch`` shared with a stopping criterion.
        stop_at: tier from which a row may only end: all but the end tokens become -inf. Needs
            ``eos_token_id``. ``None`` (the default) leaves all scores as they are.
        eos_token_id: end tokens of the model.
        given: what ``BatchWatch`` takes, where a ``Monitor`` is given.

    Works for greedy decoding, sampling, batches with left padding, beam search, assisted
    decoding and prompt lookup. Reports: ``processor.watch.finish(output_ids)``.
    """

    def __init__(
        self,
        monitor: Monitor | BatchWatch,
        *,
        stop_at: str | None = None,
        eos_token_id: int | Sequence[int] | None = None,
        **given: Any,
    ) -> None:
        """Prepare; see the class."""
        self.watch = _watch(monitor, eos_token_id, given)
        self._stop_at = _tier(stop_at)
        eos = [] if eos_token_id is None else eos_token_id
        self._eos = [eos] if isinstance(eos, int) else list(eos)
        if stop_at is not None and not self._eos:
            raise ArgumentError("stop_at= ends a row by its end token; pass eos_token_id=")

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        """Follow the rows; return ``scores``, shape (rows, vocabulary)."""
        self.watch.sync(input_ids)
        self.watch.observe(scores)
        if self._stop_at is None:
            return scores
        over = [TIERS.index(t) >= self._stop_at for t in self.watch.tiers()[: len(scores)]]
        if not any(over):
            return scores
        ended = torch.full_like(scores, float("-inf"))
        ended[:, self._eos] = 0.0
        mask = torch.tensor(over, device=scores.device).unsqueeze(1)
        return torch.where(mask, ended, scores)  # type: ignore[return-value]


class GroundwireStoppingCriteria(StoppingCriteria):
    """Ends a row once a finding of a tier has been made in it.

    Args:
        monitor: a ``Monitor``, or the ``BatchWatch`` of a logits processor
            (``processor.watch``), so that each token is looked at once.
        stop_at: ``low``, ``medium``, ``high`` or ``critical``.
        eos_token_id: end tokens of the model. transformers pads a row that is done only if some
            criterion has them.
        given: what ``BatchWatch`` takes, where a ``Monitor`` is given.
    """

    def __init__(
        self,
        monitor: Monitor | BatchWatch,
        *,
        stop_at: str = "high",
        eos_token_id: int | Sequence[int] | None = None,
        **given: Any,
    ) -> None:
        """Prepare; see the class."""
        self.watch = _watch(monitor, eos_token_id, given)
        level = _tier(stop_at)
        if level is None:
            raise ArgumentError("stop_at= names the tier at which a row ends")
        self._stop_at = level

    def __call__(
        self, input_ids: torch.LongTensor, scores: torch.FloatTensor, **kwargs: Any
    ) -> torch.BoolTensor:
        """Return which rows are done, shape (rows,)."""
        del scores, kwargs
        self.watch.sync(input_ids)
        over = [TIERS.index(t) >= self._stop_at for t in self.watch.tiers()[: len(input_ids)]]
        return torch.tensor(over, device=input_ids.device)  # type: ignore[return-value]


def _watch(
    monitor: Monitor | BatchWatch,
    eos_token_id: int | Sequence[int] | None,
    given: dict[str, Any],
) -> BatchWatch:
    if isinstance(monitor, BatchWatch):
        if given:
            raise ArgumentError(f"{', '.join(given)}: already settled by the watch that is shared")
        return monitor
    return BatchWatch(monitor, eos_token_id=eos_token_id, **given)


def _tier(name: str | None) -> int | None:
    if name is None:
        return None
    if name not in TIERS[1:]:
        raise ArgumentError(f"'{name}' is no tier; there are {', '.join(TIERS[1:])}")
    return TIERS.index(name)
