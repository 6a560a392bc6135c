"""Evidence lift by teacher forcing: how much the evidence changed what a model expects.

An answer is read by a model twice, after a prompt with the evidence and after the same prompt
without it. Of every token: lift = log2 p(token | with) - log2 p(token | without), and KL of the two
distributions, in bits. Words that the evidence carries gain; made-up ones do not (mixed-up ones
may, since the evidence makes the right kind of word likely). The model need not be the one that
wrote the answer, so this works for hosted ones that show no logits.

``LiftVerifier`` does it beside a stream, claim by claim. Prompts are read once and kept as key and
value caches, and so is the answer so far: a claim costs its own tokens.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import ArgumentError, MissingExtraError
from groundwire.findings import Claim, Verdict

Passages = Sequence[tuple[str, str]]

DEFAULT_TASK = "Say what the text above says."
PRIOR_TASK = "Say what you know."
_CHUNK = 64
"""Rows of logits held at a time: a vocabulary of 150,000 makes 64 rows 38 MB."""
_BIT = math.log(2.0)


@dataclass(frozen=True, slots=True)
class TokenLift:
    """One token of the answer, in bits.

    Attributes:
        start: first code point of the token in the answer.
        end: code point after its last.
        lift: log2 p with the evidence less log2 p without it.
        kl: KL(with || without) of the whole distribution, at least 0.
        surprisal: -log2 p with the evidence.
        entropy: of the distribution with the evidence.
    """

    start: int
    end: int
    lift: float
    kl: float
    surprisal: float
    entropy: float


@dataclass(frozen=True, slots=True)
class Lift:
    """Means over a stretch's tokens that hold a letter or digit, in bits a token."""

    tokens: int
    lift: float
    kl: float
    surprisal: float
    entropy: float


def mean_lift(scores: Sequence[TokenLift], text: str, start: int, end: int) -> Lift | None:
    """Return the means over the tokens that begin in ``text[start:end]``; ``None`` without any."""
    inside = [
        s
        for s in scores
        if start <= s.start < end and any(c.isalnum() for c in text[s.start : s.end])
    ]
    if not inside:
        return None
    n = len(inside)
    return Lift(
        n,
        sum(s.lift for s in inside) / n,
        sum(s.kl for s in inside) / n,
        sum(s.surprisal for s in inside) / n,
        sum(s.entropy for s in inside) / n,
    )


class LiftScorer:
    """A local model that reads answers with and without their evidence.

    Args:
        model: a causal language model of transformers, in evaluation mode.
        tokenizer: its tokenizer; a fast one, since offsets are needed.
        max_evidence_tokens: longest evidence. Of longer evidence every passage keeps its first
            part, all in the same proportion; the question and the turns are kept whole.

    Raises:
        ArgumentError: the tokenizer is not a fast one, or the limit is below 1.
        MissingExtraError: PyTorch is not installed.

    """

    def __init__(self, model: Any, tokenizer: Any, *, max_evidence_tokens: int = 1024) -> None:
        """Keep model and tokenizer; see the class."""
        try:
            import torch  # noqa: F401
        except ImportError as error:
            msg = "evidence lift needs PyTorch: pip install 'groundwire[transformers]'"
            raise MissingExtraError(msg) from error
        if not getattr(tokenizer, "is_fast", False):
            raise ArgumentError("evidence lift needs a fast tokenizer, which tells token offsets")
        if max_evidence_tokens < 1:
            raise ArgumentError(f"max_evidence_tokens is {max_evidence_tokens}; at least 1")
        self.model = model
        self.tokenizer = tokenizer
        self.max_evidence_tokens = max_evidence_tokens

    def open(
        self, evidence: Passages, history: Passages = (), question: str | None = None
    ) -> LiftReader:
        """Return a reader for answers to one prompt; raises ``ArgumentError`` without evidence."""
        kept = self.truncate([text for _, text in evidence])
        if not any(text.strip() for text in kept):
            raise ArgumentError("evidence lift compares with and without evidence; there is none")
        with_evidence = self.prompt([*kept, question or DEFAULT_TASK], history)
        without = self.prompt([question or PRIOR_TASK], history)
        return LiftReader(self.model, self.tokenizer, with_evidence, without)

    def truncate(self, passages: Sequence[str]) -> list[str]:
        """Return the passages cut to ``max_evidence_tokens`` together; see the class."""
        encoded = [self.tokenizer.encode(text, add_special_tokens=False) for text in passages]
        total = sum(len(ids) for ids in encoded)
        if total <= self.max_evidence_tokens:
            return list(passages)
        share = self.max_evidence_tokens / total
        return [self.tokenizer.decode(ids[: max(1, int(len(ids) * share))]) for ids in encoded]

    def prompt(self, parts: Sequence[str], history: Passages) -> list[int]:
        """Return the token ids of a prompt: a chat where the model has a template, else plain."""
        body = "\n\n".join(part.strip() for part in parts)
        if getattr(self.tokenizer, "chat_template", None) is None:
            turns = "".join(f"{role}: {text}\n" for role, text in history)
            ids = self.tokenizer.encode(f"{turns}{body}\n\n")
        else:
            chat = [{"role": role, "content": text} for role, text in history]
            chat.append({"role": "user", "content": body})
            text = self.tokenizer.apply_chat_template(
                chat, add_generation_prompt=True, tokenize=False
            )
            ids = self.tokenizer.encode(text, add_special_tokens=False)
        return [int(i) for i in ids]


class LiftReader:
    """Answers to one prompt, read with and without its evidence; keeps what it has read.

    From several threads one call at a time; others wait.
    """

    def __init__(
        self, model: Any, tokenizer: Any, with_evidence: list[int], without: list[int]
    ) -> None:
        """Read nothing yet: both prompts are read with the first answer."""
        self._tokenizer = tokenizer
        self._rows = (_Row(model, with_evidence), _Row(model, without))
        self._scores: list[TokenLift] = []
        self._ids: list[int] = []
        self._lock = threading.Lock()

    def score(self, text: str) -> list[TokenLift]:
        """Return every token of ``text``: the answer, or what there is of it.

        What it has in common with the text of the call before is not read again. A last token that
        longer text would join with the next is read again then.
        """
        with self._lock:
            return self._score(text)

    def _score(self, text: str) -> list[TokenLift]:
        encoded = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        ids = [int(i) for i in encoded["input_ids"]]
        offsets = encoded["offset_mapping"]
        kept = 0
        while kept < min(len(ids), len(self._ids)) and ids[kept] == self._ids[kept]:
            kept += 1
        del self._scores[kept:]
        for at in range(kept, len(ids), _CHUNK):
            piece = ids[at : at + _CHUNK]
            given, prior = (row.log_probabilities(ids[:at], piece) for row in self._rows)
            p = given.exp()
            kl = (p * (given - prior).nan_to_num(0.0)).sum(-1)
            entropy = -(p * given.nan_to_num(0.0, neginf=0.0)).sum(-1)
            for i, token in enumerate(piece):
                start, end = offsets[at + i]
                lp, lq = float(given[i, token]), float(prior[i, token])
                self._scores.append(
                    TokenLift(
                        int(start),
                        int(end),
                        (lp - lq) / _BIT,
                        max(float(kl[i]), 0.0) / _BIT,
                        -lp / _BIT,
                        float(entropy[i]) / _BIT,
                    )
                )
        self._ids = ids
        # Offsets of tokens that were kept may have moved where the text before them changed.
        return [
            s
            if (s.start, s.end) == tuple(offsets[i])
            else TokenLift(offsets[i][0], offsets[i][1], s.lift, s.kl, s.surprisal, s.entropy)
            for i, s in enumerate(self._scores)
        ]


class _Row:
    """One prompt and what has been read after it, in a cache that can be cut back."""

    def __init__(self, model: Any, prompt: list[int]) -> None:
        from transformers import DynamicCache

        self.model = model
        self.prompt = prompt
        self.cache = DynamicCache()
        self.read: list[int] = []

    def log_probabilities(self, before: list[int], piece: list[int]) -> Any:
        """Return ln p of every token at each place of ``piece``, after prompt and ``before``."""
        import torch

        everything = [*self.prompt, *before, *piece]
        first = len(self.prompt) + len(before) - 1
        # The row before the first token is needed too, so that token's forerunner is read again.
        same = 0
        while same < min(first, len(self.read)) and self.read[same] == everything[same]:
            same += 1
        extra = self.cache.get_seq_length() - same
        if extra > 0:
            self.cache.crop(-extra)
        device = self.model.device
        with torch.inference_mode():
            ids = torch.tensor([everything[same:-1]], device=device)
            keep = len(piece)
            out = self.model(
                input_ids=ids,
                past_key_values=self.cache,
                use_cache=True,
                logits_to_keep=keep,
            )
            rows = out.logits[0, -keep:].float()
            self.read = everything[:-1]
            return torch.log_softmax(rows, dim=-1).cpu()


class LiftVerifier:
    """A verifier for ``Monitor(verifiers=[…])``: whether the evidence made a claim likely.

    A claim whose tokens gained at least ``support_bits`` on average is supported. One that did not
    stays doubtful (``unverifiable``): lift finds what was made up, and a claim may hold though the
    evidence did not change how likely its words were. The verdict's ``p1`` and ``p0`` are the
    geometric means of the tokens' probabilities with and without the evidence; they bound what
    the model expected to read, not the truth of the claim.

    Args:
        scorer: the model.
        support_bits: mean lift from which a claim is supported, bits a token, above 0.
        min_tokens: claims of fewer tokens with a letter or digit say too little.

    """

    name = "lift"

    def __init__(
        self, scorer: LiftScorer, *, support_bits: float = 1.0, min_tokens: int = 4
    ) -> None:
        """Keep scorer and limits; raises ``ArgumentError`` for limits that are none."""
        if not support_bits > 0:
            raise ArgumentError(f"support_bits is {support_bits}; it lies above 0")
        if min_tokens < 1:
            raise ArgumentError(f"min_tokens is {min_tokens}; at least 1")
        self.scorer = scorer
        self.support_bits = support_bits
        self.min_tokens = min_tokens

    def open(self, evidence: Passages, history: Passages, question: str | None) -> BoundLift:
        """Return the verifier of one stream; evidence added later is not seen."""
        if not any(text.strip() for _, text in evidence):
            return BoundLift(self, None)
        return BoundLift(self, self.scorer.open(evidence, history, question))

    def verify(self, claim: Claim) -> Verdict:  # noqa: ARG002
        """Return ``unverifiable``: a claim alone, without its stream, has no evidence."""
        return Verdict("unverifiable", reason="lift needs the stream's evidence")


class BoundLift:
    """A ``LiftVerifier`` with the evidence of one stream."""

    name = "lift"

    def __init__(self, verifier: LiftVerifier, reader: LiftReader | None) -> None:
        """Keep the reader; without one nothing can be said."""
        self._verifier = verifier
        self._reader = reader

    def verify(self, claim: Claim) -> Verdict:
        """Return the verdict about a claim read right after the prompt."""
        return self._verdict(claim.content, 0, len(claim.content))

    def verify_in(self, claim: Claim, text: str) -> Verdict:
        """Return the verdict about a claim at its place; ``text`` is the stream up to its end."""
        return self._verdict(text, *claim.span)

    def _verdict(self, text: str, start: int, end: int) -> Verdict:
        if self._reader is None:
            return Verdict("unverifiable", reason="no evidence was given")
        found = mean_lift(self._reader.score(text), text, start, end)
        if found is None or found.tokens < self._verifier.min_tokens:
            return Verdict("unverifiable", reason="too few words to compare")
        p1 = min(1.0, 2.0**-found.surprisal)
        p0 = min(1.0, 2.0 ** -(found.surprisal + found.lift))
        held = found.lift >= self._verifier.support_bits
        verb = "made" if held else "hardly made"
        return Verdict(
            "supported" if held else "unverifiable",
            p0=(p0, p0),
            p1=(p1, p1),
            reason=(
                f"the evidence {verb} these words likelier: {found.lift:+.2f} bits a token, "
                f"KL {found.kl:.2f} bits, {found.tokens} tokens"
            ),
        )
