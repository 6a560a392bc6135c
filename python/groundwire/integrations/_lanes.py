"""Several token sequences decoded side by side with a key-value cache that can be rolled back.

A *lane* is one sequence in the model's batch. Lanes grow by different numbers of tokens (one may
roll back while its neighbour goes on), so every lane has its own positions, and cache columns that
a lane does not use are masked out for it. Columns that no lane uses are cut off the cache's end.

With full attention a masked column is exactly as if it did not exist. Where a layer keeps a window
or a running state, columns cannot be masked away afterwards: there a rollback forgets the cache,
and the next step feeds the surviving tokens again, which is slower and always right.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from groundwire.errors import ArgumentError


class Lanes:
    """The model's side of a guarded generation: feed tokens, read logits, take tokens back."""

    def __init__(self, model: Any, prompts: Sequence[Sequence[int]], pad_id: int) -> None:
        """Prepare one lane for each prompt; nothing is computed before the first ``advance``.

        ``prompts`` are token ids without padding, each at least one token long. ``pad_id`` fills
        unused places and is never attended to.
        """
        if not prompts or any(len(p) == 0 for p in prompts):
            raise ArgumentError("a prompt has no tokens: pass at least one token for each prompt")
        parameters = inspect.signature(model.forward).parameters
        if "past_key_values" not in parameters:
            raise ArgumentError(
                f"{type(model).__name__} keeps no key-value cache that can be rolled back; "
                "guard its output with gw.guard instead"
            )
        self._model = model
        self._pad = pad_id
        self._takes_positions = "position_ids" in parameters
        self._takes_keep = "logits_to_keep" in parameters
        self._fed: list[list[int]] = [[] for _ in prompts]
        self._waiting: list[list[int]] = [list(p) for p in prompts]
        self._mask = torch.zeros((len(prompts), 0), dtype=torch.long)
        self._cache: Any = None
        self._forget()

    def __len__(self) -> int:
        """Return the number of lanes."""
        return len(self._fed)

    @property
    def width(self) -> int:
        """Columns in the cache, masked ones included."""
        return int(self._mask.shape[1])

    def tokens(self, lane: int) -> list[int]:
        """Return the lane's tokens, those not yet fed included."""
        return self._fed[lane] + self._waiting[lane]

    def append(self, lane: int, tokens: Sequence[int]) -> None:
        """Put tokens at the lane's end; the next ``advance`` feeds them."""
        self._waiting[lane].extend(tokens)

    def rest(self, lane: int) -> None:
        """Leave a finished lane as it is: nothing that still waits is fed."""
        self._waiting[lane].clear()

    def truncate(self, lane: int, length: int) -> None:
        """Keep the lane's first ``length`` tokens (at least one), as if the rest had never been.

        The last kept token is fed (again) by the next ``advance``, so that its logits are there.
        """
        if not 1 <= length <= len(self._fed[lane]) + len(self._waiting[lane]):
            raise ArgumentError(f"cannot keep {length} tokens of lane {lane}")
        kept = self.tokens(lane)[:length]
        stays = min(len(self._fed[lane]), length - 1)
        drop = len(self._fed[lane]) - stays
        self._fed[lane], self._waiting[lane] = kept[:stays], kept[stays:]
        if drop == 0:
            return
        if not self._plain():
            self._forget()
            return
        used = torch.nonzero(self._mask[lane]).flatten()
        self._mask[lane, used[used.numel() - drop :]] = 0
        self._trim()

    def advance(self) -> torch.Tensor:
        """Feed what is waiting and return the logits after each lane's last token.

        The result is float32, shape (lanes, vocabulary). Rows of lanes that had nothing waiting
        carry no meaning.
        """
        if not any(self._waiting):
            raise ArgumentError("nothing to feed: append a token to a lane first")
        device = self._model.device
        longest = max(len(w) for w in self._waiting)
        ids = torch.full((len(self), longest), self._pad, dtype=torch.long)
        fresh = torch.zeros((len(self), longest), dtype=torch.long)
        for lane, new in enumerate(self._waiting):
            if new:
                ids[lane, -len(new) :] = torch.tensor(new, dtype=torch.long)
                fresh[lane, -len(new) :] = 1
        before = self._mask.sum(dim=1, keepdim=True)
        positions = (before + fresh.cumsum(dim=1) - 1).clamp(min=0)
        mask = torch.cat([self._mask, fresh], dim=1)
        inputs: dict[str, Any] = {
            "input_ids": ids.to(device),
            "attention_mask": mask.to(device),
            "past_key_values": self._cache,
            "use_cache": True,
            "return_dict": True,
        }
        if self._takes_positions:
            inputs["position_ids"] = positions.to(device)
        if self._takes_keep:
            inputs["logits_to_keep"] = 1
        with torch.no_grad():
            output = self._model(**inputs)
        self._cache = output.past_key_values
        self._mask = mask
        for lane, new in enumerate(self._waiting):
            self._fed[lane].extend(new)
            new.clear()
        logits: torch.Tensor = output.logits[:, -1].to(dtype=torch.float32, copy=True)
        return logits

    def _plain(self) -> bool:
        """Whether every layer keeps all positions, so that cutting its end is a rollback."""
        return all(type(layer) is DynamicLayer for layer in self._cache.layers)

    def _forget(self) -> None:
        """Empty the cache; every surviving token waits to be fed again."""
        config = self._model.config.get_text_config(decoder=True)
        self._cache = DynamicCache(config=config)
        self._mask = torch.zeros((len(self._fed), 0), dtype=torch.long)
        for fed, waiting in zip(self._fed, self._waiting, strict=True):
            waiting[:0] = fed
            fed.clear()

    def _trim(self) -> None:
        """Cut the columns at the end that no lane uses any more."""
        used = torch.nonzero(self._mask.any(dim=0)).flatten()
        width = int(used[-1]) + 1 if used.numel() else 0
        surplus = self.width - width
        if surplus:
            self._cache.crop(-surplus)
            self._mask = self._mask[:, :width]
