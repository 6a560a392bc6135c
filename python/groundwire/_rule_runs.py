"""Python rules beside a stream: what of its text they have read, and what a rewind undoes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from groundwire.findings import Claim, Finding
from groundwire.rules import ObjectRules, RuleLike


class _Run:
    """Rules over one course of the text; a rewind begins another."""

    def __init__(self, rules: Sequence[RuleLike], before: str) -> None:
        self.rules = ObjectRules(rules)
        self.fed = len(before)
        self.lock = threading.Lock()
        self.pieces: deque[tuple[str, str, int, Sequence[Claim]]] = deque()
        if before:
            # What was read before is read again, silently.
            self.pieces.append((before, "", 0, ()))


class RuleRuns:
    """Hands closed text to Python rules, in the stream's order, on whatever thread asks.

    Args:
        rules: the rules; without any there is nothing to run, and ``RuleRuns`` is false.
        report: is told what they found, unless it was taken back meanwhile.
        failed: is told what was raised.
        broke: is told which rule raised what, with its number, about text in which a claim closed
            that was not taken back meanwhile.
        ended: is told of each claim whose text has been read.
    """

    def __init__(
        self,
        rules: Sequence[RuleLike],
        report: Callable[[list[Finding]], None],
        failed: Callable[[BaseException], None],
        broke: Callable[[int, RuleLike, Claim, BaseException], None],
        ended: Callable[[Claim], None],
    ) -> None:
        """Begin before the first word."""
        self._rules = list(rules)
        self._run = _Run(self._rules, "")
        self._report, self._failed, self._ended = report, failed, ended
        self._broke = broke
        self._lock = threading.Lock()
        # How far the text reached after each rewind.
        self._cuts: list[int] = []

    def __bool__(self) -> bool:
        """Whether there are rules."""
        return bool(self._rules)

    def take(self, text: str, claims: Sequence[Claim]) -> Callable[[], None]:
        """Take what has closed since the last call; return the call that reads it.

        Each claim ends a piece of its own, however many closed at once, so that rules see the same
        of a text however it came. Where that call is not made, the next one reads this text too.
        """
        run = self._run
        for claim in claims:
            end = max(run.fed, claim.span[1])
            run.pieces.append((text[run.fed : end], text, len(self._cuts), (claim,)))
            run.fed = end
        return partial(self._read, run)

    def rewound(self, text: str) -> None:
        """Begin again behind ``text``, where it is shorter than what was read."""
        if self._rules and len(text) < self._run.fed:
            with self._lock:
                self._run = _Run(self._rules, text)
                self._cuts.append(len(text))

    def _read(self, run: _Run) -> None:
        """Read all pieces, unless another thread is at it, which then reads them."""
        while run.pieces and run.lock.acquire(blocking=False):
            claims: Sequence[Claim] = ()
            try:
                if run.pieces:
                    piece, text, cuts, claims = run.pieces.popleft()
                    self._judge(run.rules, piece, text, cuts, claims)
            except BaseException as error:
                self._failed(error)
            finally:
                run.lock.release()
                for claim in claims:
                    self._ended(claim)

    def _judge(
        self, rules: ObjectRules, piece: str, text: str, cuts: int, claims: Sequence[Claim]
    ) -> None:
        broken: list[tuple[int, BaseException]] = []
        warnings = rules.feed_each(piece, lambda *what: broken.append(what)) if piece else []
        found = [_finding(warning, text) for warning in warnings] if text else []
        for _, error in broken:
            self._failed(error)
        # What was taken back while the rules ran is no longer there to be warned of.
        with self._lock:
            kept = min(self._cuts[cuts:], default=len(text))
            limit = len(text[:kept].encode())
            found = [f for f in found if f.byte_span is not None and f.byte_span[1] <= limit]
            if found:
                self._report(found)
            # One claim carries one such finding, so that each of several rules gets its own.
            for claim in claims:
                if claim.byte_span[1] <= limit:
                    for index, error in broken:
                        self._broke(index, rules.rules[index], claim, error)


def _finding(warning: Any, text: str) -> Finding:
    lo, hi = warning["span"]
    start = len(text[:lo].encode())
    return Finding(
        type="stream.python_rule",
        rule=warning["pattern"],
        text=text[lo:hi],
        byte_span=(start, start + len(text[lo:hi].encode())),
        p_hallucinated=warning["confidence"],
        content=warning["pattern"],
        message=f"rule {warning['pattern']} matched",
        extra={"pattern": warning["pattern"], "segment": warning["segment"]},
    )
