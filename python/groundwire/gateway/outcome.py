"""What comes of a piece of text that passes through a guard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from groundwire.gateway.tokens import Token


@dataclass(slots=True)
class Outcome:
    """What came of a piece.

    Attributes:
        text: text for the reader.
        at: code points that had left before it.
        tokens: the upstream's tokens in it, where they are known one by one.
        again: text was taken back: the upstream has to continue from ``Watched.prefix``.
        stop: why the answer is over, if it is.
        findings: what was found at this piece.
        divided: where in ``text`` the answer's next field begins, if it does; and in ``tokens``.
        shown: the released text piece by piece, where that was asked for, each with the token
            whose numbers it has.
    """

    text: str = ""
    at: int = 0
    tokens: list[Token] = field(default_factory=list)
    again: bool = False
    stop: str | None = None
    findings: list[Any] = field(default_factory=list)
    divided: tuple[int, int] | None = None
    shown: list[tuple[str, Token | None]] = field(default_factory=list)

    def add(self, more: Outcome) -> None:
        """Take in what came after."""
        self.at = self.at if self.text else more.at
        if more.divided is not None:
            at, token = more.divided
            self.divided = len(self.text) + at, len(self.tokens) + token
        self.text += more.text
        self.tokens += more.tokens
        self.findings += more.findings
        self.shown += more.shown
        self.again, self.stop = more.again, more.stop or self.stop

    def replace(self, other: Outcome) -> None:
        """Become what another outcome is."""
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    def behind(self, put: Outcome, *, waits: bool) -> Outcome:
        """Take in what came of text that was put in; return what of it waits.

        All but what was found waits, with ``waits``, until somebody goes on behind that text.
        """
        if waits:
            self.findings += put.findings
            put.findings = []
            return put
        again = self.again
        self.add(put)
        self.again = self.again or again
        return Outcome()
