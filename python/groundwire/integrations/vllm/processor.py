"""The logits processor: one class for both of vLLM's model runners.

It follows the output tokens of every checked request and forces what is to be said after a claim.
Nothing that goes wrong in it ends the engine: the requests concerned go on unmonitored, counted in
``GroundwireLogitsProcessor.counts``.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from vllm.v1.sample.logits_processor.interface import LogitsProcessor as OlderInterface
from vllm.v1.worker.gpu.sample.logits_processor.interface import LogitsProcessor as NewerInterface

from groundwire.integrations.vllm import arguments, loading
from groundwire.integrations.vllm.counts import Counts
from groundwire.integrations.vllm.meter import Meter
from groundwire.integrations.vllm.rows import Rows
from groundwire.integrations.vllm.slots import Slots
from groundwire.integrations.vllm.stream import Stream, Tap, follow

log = logging.getLogger("groundwire.vllm")
_MISSING = object()


def speaks() -> bool:
    """Say whether this process tells the front end: of ranks with the same rows, the first."""
    from vllm.distributed import parallel_state

    if not parallel_state.model_parallel_is_initialized():
        return True
    return bool(parallel_state.get_tensor_model_parallel_rank() == 0)


def likeliest(logits: torch.Tensor, rows: Sequence[int]) -> list[int]:
    """Return the most likely id of each of some rows; ``logits`` has shape (rows, vocabulary)."""
    if logits.device.type == "cpu" and logits.dtype == torch.float32:
        # Ten times as fast as PyTorch's, in one thread, and nothing is copied.
        table = logits.detach().numpy()
        return [int(table[row].argmax()) for row in rows]
    index = torch.tensor(list(rows), device=logits.device)
    chosen = logits if len(rows) == logits.shape[0] else logits.index_select(0, index)
    found: list[int] = chosen.argmax(dim=-1).tolist()
    return found


class GroundwireLogitsProcessor(OlderInterface, NewerInterface):  # type: ignore[misc]
    """Follows requests in the engine and appends notes to claims that do not hold.

    Load it with ``--logits-processors groundwire.integrations.vllm:GroundwireLogitsProcessor``.
    Of two instances in one engine the second does nothing.

    Attributes:
        counts: what happened: ``unmonitored`` streams, ``faults`` in a hook, ``forced`` tokens,
            ``ended`` answers, ``observed`` requests in which nothing may be forced. They are logged
            as they change, once a minute at most, and when the process ends.
        inert: whether this is a second instance.
    """

    _engines: ClassVar[list[tuple[Any, Any]]] = []

    def __init__(self, vllm_config: Any, second: Any, pin_memory: Any = _MISSING) -> None:
        """Read policies, knowledge bases and tokenizer.

        Args:
            vllm_config: the engine's configuration.
            second: the device (older runner) or the requests' states (newer runner).
            pin_memory: given by the older runner only.

        Raises:
            ConfigError: the configuration is not valid.
            ArgumentError: the engine is set up so that the plugin would see no tokens.

        """
        self.counts = Counts()
        older = pin_memory is not _MISSING
        self.inert = self._is_second(vllm_config)
        if self.inert:
            log.warning("a second groundwire processor in this engine does nothing")
            return
        loading.refuse_unsupported(vllm_config, second=older)
        self._loaded = loading.load(vllm_config)
        self._meter = Meter(self._loaded.sender() if speaks() else None)
        self._rows = Rows(self._open) if older else None
        self._slots = (
            None
            if older
            else Slots(self._open, second, self._complete, self._loaded.lead, self._fault)
        )
        self._engines.append((weakref.ref(self), weakref.ref(vllm_config)))

    @classmethod
    def _is_second(cls, vllm_config: Any) -> bool:
        alive = [(me, config) for me, config in cls._engines if me() is not None]
        cls._engines[:] = alive
        return any(config() is vllm_config for _, config in alive)

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Refuse arguments of a request that mean nothing, as HTTP 400.

        Raises ``ArgumentError`` (a ``ValueError``) that says what is allowed.
        """
        arguments.validate(sampling_params)

    def is_argmax_invariant(self) -> bool:
        """Return false: a forced token is the most likely one."""
        return False

    def update_state(self, batch_update: Any) -> None:
        """Keep up the rows (older runner)."""
        if self.inert or self._rows is None:
            return
        try:
            self._rows.update(batch_update)
        except BaseException as error:
            self._fault(error)
            self._drop()

    def add_request(self, req_idx: int, sampling_params: Any) -> bool:
        """Take a request into a slot (newer runner); return whether it is checked."""
        if self.inert or self._slots is None:
            return False
        try:
            return self._slots.add(req_idx, sampling_params)
        except BaseException as error:
            self._slots.slots.pop(req_idx, None)
            self.counts["unmonitored"] += 1
            self._fault(error)
            return False

    def apply_staged_writes(self) -> None:
        """Do nothing: everything is on the host."""

    def apply(self, logits: torch.Tensor, ctx: Any = None) -> torch.Tensor:
        """Force what is to be said next, in place; return ``logits``, shape (rows, vocabulary)."""
        if self.inert:
            return logits
        streams: dict[int, Tap] = {}
        try:
            streams = self._streams(ctx)
            if streams:
                self._read(logits, streams)
                self._act(logits, streams)
        except BaseException as error:
            for stream in streams.values():
                stream.lose("a fault in the plugin")
            self._drop()
            self._fault(error)
        return logits

    def _read(self, logits: torch.Tensor, streams: dict[int, Tap]) -> None:
        """Read the rows whose statistics are used; without them, the text is followed as well."""
        try:
            self._meter.read(logits, streams)
        except BaseException as error:
            self._fault(error)

    def _complete(self, news: Sequence[tuple[Tap, Sequence[int]]]) -> None:
        """Add to the last rows' statistics what they say of the tokens that came."""
        try:
            self._meter.complete(news)
        except BaseException as error:
            self._fault(error)

    def _streams(self, ctx: Any) -> dict[int, Tap]:
        """Follow what is new; return the stream of each checked row."""
        if self._slots is not None:
            found = self._slots.rows(ctx)
            self.counts["unmonitored"] += self._slots.lost
            self._slots.lost = 0
            return found
        assert self._rows is not None
        if not self._rows.rows:
            return {}
        news = self._rows.news()
        self._complete(news)
        self.counts["unmonitored"] += follow(news, self._fault)
        return {index: stream for index, (stream, _) in self._rows.rows.items()}

    def _act(self, logits: torch.Tensor, followed: dict[int, Tap]) -> None:
        """Ask and force; ``followed`` by row."""
        loaded, size = self._loaded, logits.shape[0]
        streams = {
            row: s
            for row, s in followed.items()
            if row < size and s.lost is None and isinstance(s, Stream)
        }
        asking = [row for row, stream in streams.items() if stream.wants_row]
        if loaded.stop_id is not None and streams:
            # No model writes the reserved id by itself.
            logits[list(streams), loaded.stop_id] = float("-inf")
        if asking:
            for row, likely in zip(asking, likeliest(logits, asking), strict=True):
                self._decide(streams[row], likely)
        rows, ids = [], []
        for row, stream in streams.items():
            token = stream.forced
            if token is None and stream.over:
                token = self._end(stream)
                self.counts["ended"] += token is not None
            if token is not None:
                rows.append(row)
                ids.append(token)
        if rows:
            logits[rows] = float("-inf")
            logits[rows, ids] = 0.0
            self.counts["forced"] += len(rows)

    def _decide(self, stream: Stream, likely: int) -> None:
        """Ask a stream what is said before ``likely``; a fault costs this stream alone."""
        try:
            stream.decide(likely, self._loaded.ends)
        except BaseException as error:
            stream.lose("a fault in the plugin")
            self.counts["unmonitored"] += 1
            self._fault(error)

    def _end(self, stream: Stream) -> int | None:
        """Return the id that ends this answer, or ``None`` where nothing can."""
        if not stream.guard.whole:
            return None
        if stream.stop_id is not None:
            return stream.stop_id
        return min(self._loaded.ends) if self._loaded.ends and not stream.ignores_end else None

    def _open(self, params: Any, prompt: Sequence[int] | None) -> Tap | None:
        try:
            stream = self._loaded.open(params, prompt)
        except BaseException as error:
            # It costs this row alone.
            self._fault(error)
            self.counts["unmonitored"] += 1
            return None
        if isinstance(stream, Stream) and (prompt is None or self._rows is not None):
            # The newer runner opens a stream anew once its prompt is known.
            self.counts["observed"] += stream.observes
        return stream

    def _drop(self) -> None:
        """Forget all rows, where a fault leaves unknown which of them is which request."""
        if self._rows is not None:
            self.counts["unmonitored"] += len(self._rows.rows)
            self._rows.rows.clear()
        if self._slots is not None:
            self.counts["unmonitored"] += len(self._slots.slots)
            self._slots.slots.clear()

    def _fault(self, error: BaseException) -> None:
        """Note a fault; what ends the process on purpose goes on."""
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise error
        self.counts["faults"] += 1
        log.error("groundwire: a fault in the plugin: %s: %s", type(error).__name__, error)
