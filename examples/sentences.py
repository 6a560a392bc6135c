"""Ends an answer after a number of sentences, so that the demo shows whole ones."""

from __future__ import annotations

import re
from typing import Any

import torch
from transformers import StoppingCriteria

END = re.compile(r"(?:[^\W\d_]|\d{2,}|[)\]”\"])[.!?](?=\s|$)")


class SentenceLimit(StoppingCriteria):
    """Says stop when the answer holds ``limit`` sentence ends."""

    def __init__(self, tokenizer: Any, limit: int) -> None:
        """Prepare; the first call tells where the answer starts."""
        self.tokenizer = tokenizer
        self.limit = limit
        self.start: int | None = None

    def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> Any:
        """Return which rows are done, shape (rows,)."""
        del scores, kwargs
        if self.start is None:
            self.start = input_ids.shape[1] - 1
        texts = [self.tokenizer.decode(row[self.start :]) for row in input_ids]
        return torch.tensor([len(END.findall(text)) >= self.limit for text in texts])
