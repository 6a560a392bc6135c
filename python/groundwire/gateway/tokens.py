"""Pieces of text with what the upstream says of their tokens, and characters made whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire import _core
from groundwire.integrations._feed import MARK

_SPACES = str.maketrans({"Ġ": " ", "▁": " ", "Ċ": "\n"})
_ENTRY = ("token", "logprob", "bytes", "top_logprobs")
_UNKNOWN = -9999.0
"""What the interface has for a probability that is not known."""
LEAST = -1e4
"""Natural logarithm below which a probability says no more than this."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token as the upstream reports it.

    Attributes:
        data: its bytes of text.
        logprob: natural logarithm of its probability, at most 0, or none.
        top: the most likely tokens and theirs, by what stands for the token.
        raw: for the client, whatever the route: an entry of ``/v1/chat/completions``, and in
            ``offset`` where the token begins, if the upstream says so.
        silent: whether nothing of it stands in the text.
    """

    data: bytes
    logprob: float | None
    top: Mapping[str, float]
    raw: Any
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """Text to judge at once, with the tokens it consists of, if they are known.

    The first token may have begun in the pieces before, and in the last ``behind`` bytes of the
    text the next one may begin. A piece that ``begins`` is the first of another field of an answer.
    """

    text: str
    tokens: tuple[Token, ...] = ()
    behind: int = 0
    begins: bool = False

    def ends(self, text: bytes) -> bool:
        """Whether ``text``, which ends with this piece, ends with what its tokens say."""
        said = b"".join(token.data for token in self.tokens if not token.silent)
        return text[: len(text) - self.behind].endswith(said)

    @property
    def spoken(self) -> Token | None:
        """The last token that stands in the text, if it is known."""
        return next((token for token in reversed(self.tokens) if not token.silent), None)

    @property
    def numbers(self) -> dict[str, Any]:
        """What the guard is told beside the text: the last token's numbers."""
        last = self.spoken
        if last is None or last.logprob is None:
            return {} if last is None or not last.top else {"top_logprobs": last.top}
        signals = {"logprob": last.logprob, "surprisal": -last.logprob}
        if last.top:
            bounds: Mapping[str, Any] = _core.top_logprob_bounds(list(enumerate(last.top.values())))
            for name in ("entropy", "varentropy", "margin", "confidence"):
                lower, upper = bounds[name]
                # Only what the list fixes exactly is a number of the token.
                if lower == upper:
                    signals[name] = lower
        return {"signals": signals}


class Characters:
    """Makes characters whole that were cut into surrogates; lone ones become U+FFFD.

    A carriage return waits for what follows: a line's end of two characters is no place for a note.
    """

    def __init__(self) -> None:
        self._half = ""

    def take(self, text: str) -> str:
        """Return what is whole of the text so far."""
        text = self._half + text
        self._half = ""
        if text and ("\ud800" <= text[-1] <= "\udbff" or text[-1] == "\r"):
            text, self._half = text[:-1], text[-1]
        return whole(text)

    @property
    def waits(self) -> str:
        """What waits for what follows."""
        return self._half

    def end(self) -> str:
        """Return what is left at the end."""
        half, self._half = self._half, ""
        return half if half == "\r" else "\ufffd" * len(half)


def no_text(token: Token) -> bool:
    """Whether a token has no text of its own."""
    return not token.data or MARK.fullmatch(token.data.decode("utf-8", "replace")) is not None


def whole(text: str) -> str:
    """Return ``text`` with pairs of surrogates joined and lone ones replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def chat_tokens(logprobs: Any) -> tuple[Token, ...]:
    """Return the tokens in the ``logprobs`` of a chat choice or of a Responses delta."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else logprobs
    if not isinstance(content, list):
        return ()
    found = []
    for entry in content:
        if not isinstance(entry, Mapping):
            return ()
        top = entry.get("top_logprobs")
        listed = [one for one in (top if isinstance(top, list) else ()) if isinstance(one, Mapping)]
        known = {
            _name(one): number
            for one in listed
            if (number := _logprob(one.get("logprob"))) is not None
        }
        raw = {**_shown(entry), "top_logprobs": [_shown(one) for one in listed]}
        found.append(Token(_bytes(entry), _logprob(entry.get("logprob")), known, raw))
    return tuple(found)


def _shown(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of an entry, for the client."""
    given, value = entry.get("bytes"), entry.get("logprob")
    if not isinstance(given, list) or not all(isinstance(b, int) and 0 <= b < 256 for b in given):
        given = None
    fits = isinstance(value, int | float) and math.isfinite(value)
    return {
        "token": _named(entry, given),
        "logprob": value if fits and not isinstance(value, bool) else _UNKNOWN,
        "bytes": given,
    }


def _named(entry: Mapping[str, Any], data: list[int] | None) -> str:
    """Return a token's name, which must say what its bytes do, where it has some."""
    name = str(entry.get("token", ""))
    if data is None or MARK.fullmatch(name):
        return name
    said = bytes(data).decode("utf-8", "replace")
    return name if name.translate(_SPACES) == said else said


def entries(tokens: Iterable[Token]) -> list[dict[str, Any]]:
    """Return what a chat's answer says of tokens."""
    return [{key: token.raw[key] for key in _ENTRY} for token in tokens]


def columns(tokens: Sequence[Token]) -> dict[str, Any] | None:
    """Return what a completion's answer says of tokens; none of none."""
    if not tokens:
        return None
    rows = [token.raw for token in tokens]
    return {
        "tokens": [row["token"] for row in rows],
        "token_logprobs": [row["logprob"] for row in rows],
        "top_logprobs": [
            {one["token"]: one["logprob"] for one in row["top_logprobs"]} or None for row in rows
        ],
        "text_offset": [row.get("offset") for row in rows],
    }


def completion_tokens(logprobs: Any) -> tuple[Token, ...]:
    """Return the tokens in the ``logprobs`` of a completion's choice: parallel lists."""
    if not isinstance(logprobs, Mapping) or not isinstance(logprobs.get("tokens"), list):
        return ()
    texts = logprobs["tokens"]
    columns = {}
    for name in ("token_logprobs", "top_logprobs", "text_offset"):
        column = logprobs.get(name)
        columns[name] = column if isinstance(column, list) else []
    found = []
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            return ()
        row = {name: column[i] if i < len(column) else None for name, column in columns.items()}
        top = row["top_logprobs"]
        known = {
            str(name): number
            for name, value in (top.items() if isinstance(top, Mapping) else ())
            if (number := _logprob(value)) is not None
        }
        data = text.encode("utf-8", "replace")
        listed = top.items() if isinstance(top, Mapping) else ()
        own = {"token": text, "logprob": row["token_logprobs"], "bytes": list(data)}
        raw = {
            **_shown(own),
            "top_logprobs": [_shown({"token": name, "logprob": value}) for name, value in listed],
        }
        if isinstance(row["text_offset"], int):
            raw["offset"] = row["text_offset"]
        found.append(Token(data, _logprob(row["token_logprobs"]), known, raw))
    return tuple(found)


def _bytes(entry: Mapping[str, Any]) -> bytes:
    given = entry.get("bytes")
    if isinstance(given, list):
        try:
            return bytes(given)
        except (TypeError, ValueError):
            pass
    return str(entry.get("token", "")).encode("utf-8", "replace")


def _name(entry: Mapping[str, Any]) -> str:
    # Tokens that are no text of their own are told apart by their bytes.
    return f"{entry.get('token')}|{entry.get('bytes')}"


def _logprob(value: Any) -> float | None:
    """Return a logarithm as the core takes it: servers send -9999 for none, or round above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return min(0.0, max(LEAST, float(value)))
