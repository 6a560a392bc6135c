"""One request of a running engine: the session that follows its tokens."""

from __future__ import annotations

import itertools
import logging
from dataclasses import dataclass
from typing import Any

from groundwire.events import Event, LoggingSink, dispatch
from groundwire.integrations._text import paired
from groundwire.integrations.serving import Registry
from groundwire.plain import TIERS, tier_rank
from groundwire.policy import Policy

LOG = logging.getLogger("groundwire.integrations.sglang")
SINK = LoggingSink(LOG)
PROMPT = 8192
"""Tokens of a prompt that are read at most."""
_MARK = "_groundwire_mark"
_MARKS = itertools.count(1)


def mark_of(request: Any) -> int:
    """Return the number of a request, which no other of this process has; 0 where it takes none.

    Ids come from clients, who may use one again; the engine's object of a request stays the same
    through preemptions.
    """
    try:
        mark = getattr(request, _MARK, None)
        if not isinstance(mark, int):
            mark = next(_MARKS)
            setattr(request, _MARK, mark)
    except (AttributeError, TypeError, ReferenceError):
        return 0
    return mark


@dataclass(frozen=True)
class Unwatched:
    """A request that cannot be followed; ``mark`` is its number."""

    mark: int


class Watched:
    """One request: its session, and the tokens that it has seen.

    Raises ``ArgumentError`` for options that the registry refuses.

    Attributes:
        session: none where checking is off for the request.
        ends: ids that end an answer; none under a grammar, which has its own end.
        mark: the request's number, as of ``mark_of``.
    """

    def __init__(self, registry: Registry, request: Any, options: Any, mark: int) -> None:
        self.mark = mark
        found = registry.resolve(options)
        self.session = None if found.monitor is None else found.session(question=_asked(request))
        self.stop_at = len(TIERS) if found.policy is None else _stop_at(found.policy)
        grammar = getattr(request, "grammar", None) is not None
        self.ends = [] if grammar else _end_ids(request)
        self._seen: list[int] = []
        self._tiers: list[int] = []
        self._told: set[str] = set()
        self._rid = str(request.rid)

    def follow(self, tokens: list[int]) -> bool:
        """Bring the session to ``tokens``; return whether the answer is to end.

        What was seen and is no longer there was a draft, or belongs to an earlier life of the
        request: it is rolled back.
        """
        assert self.session is not None
        same = len(self._seen)
        if tokens[:same] != self._seen:
            pairs = enumerate(zip(self._seen, tokens, strict=False))
            same = next((i for i, (a, b) in pairs if a != b), min(same, len(tokens)))
            self.session.rollback(len(self._seen) - same)
            del self._seen[same:], self._tiers[same:]
        for token in tokens[same:]:
            step = self.session.push(token)
            for finding in step.findings:
                if finding.id not in self._told:
                    self._told.add(finding.id)
                    dispatch((SINK,), Event("finding", finding.to_dict(), session_id=self._rid))
            self._seen.append(token)
            self._tiers.append(max([tier_rank(step.tier), *self._tiers[-1:]]))
        return bool(self._tiers) and self._tiers[-1] >= self.stop_at


def _stop_at(policy: Policy) -> int:
    actions = [getattr(policy, tier) for tier in TIERS[1:]]
    ending = [i for i, action in enumerate(actions, 1) if action in {"interrupt", "discard"}]
    return min(ending, default=len(TIERS))


def _end_ids(request: Any) -> list[int]:
    """Return the ids that end an answer for this engine."""
    ends = set(getattr(request, "eos_token_ids", None) or ())
    if (own := getattr(request.tokenizer, "eos_token_id", None)) is not None:
        ends.add(own)
    return sorted(ends)


def _asked(request: Any) -> str | None:
    """Return the end of the prompt: what stands in it is no news in the answer."""
    text = getattr(request, "origin_input_text", None)
    if not isinstance(text, str) or not text:
        ids = list(request.origin_input_ids)[-PROMPT:]
        decode = getattr(request.tokenizer, "decode", None)
        text = decode(ids) if callable(decode) else None
    return paired(text) if isinstance(text, str) and text else None
