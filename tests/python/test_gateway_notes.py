"""Where notes stand in text that has left: in no line's end of two characters."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_upstream import knowledge
from groundwire.config import Config
from groundwire.gateway.ahead import PIECE, Ahead
from groundwire.gateway.tokens import Characters, Token
from groundwire.gateway.watched import Watched
from groundwire.integrations.serving import Registry

TEXTS = (
    "The Harbour Museum was founded in 1992.\r\nDone.",
    "Line one.\r\nThe Harbour Museum was founded in 1992\r\n\r\nDone.\r",
    "**Harbour Museum**\r\n\r\n- Founded: 1992\r\n- Employees: 60\r\n\r\nDone.\r\n",
    "# Harbour Museum\r\nIt was founded in 1992\r\n\r\nDone.",
)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    policies: dict[str, Any] = {"token": {"release": "token"}}
    policies["marks"] = dict.fromkeys(("low", "medium", "high", "critical"), "annotate")
    policies["marks"] |= {"release": "token", "annotation": "inline"}
    serving = {**knowledge(tmp_path_factory.mktemp("kb")), "policies": policies}
    return Registry.load(Config.load(environ={}, serving={**serving, "requests_may_lower": True}))


def ways(text: str) -> Iterator[list[str]]:
    for size in (1, 2, 3, 5, 7, len(text)):
        yield [text[at : at + size] for at in range(0, len(text), size)]
    yield re.findall(r"[^\r]*\r|[^\r]+", text)


async def written(watched: Watched, pieces: list[str], *, named: bool) -> str:
    said = ""
    for piece in pieces:
        token = Token(piece.encode(), -0.1, {piece: -0.1}, {})
        said += (await watched.take(piece, (token,) if named else ())).text
    return said + (await watched.end()).text


@pytest.mark.parametrize("policy", ["token", "marks"])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("text", TEXTS)
def test_no_note_stands_inside_the_end_of_a_line(
    registry: Registry, policy: str, named: bool, text: str
) -> None:
    for pieces in ways(text):
        watched = Watched(registry.resolve(policy), rewinds=False)
        said = asyncio.run(written(watched, pieces, named=named))
        # Of a text that comes at once nothing has left.
        assert "[source" in said or "(Correction" in said or pieces == [text], (pieces, said)
        assert said.count("\r\n") >= text.count("\r\n"), (pieces, said)
        assert not re.search(r"\r(?=[^\n])", said), (pieces, said)


@given(st.lists(st.text("a\r\n", max_size=4), max_size=8))
def test_pieces_end_at_no_return_before_a_feed(parts: list[str]) -> None:
    characters, ahead, found = Characters(), Ahead(), list[str]()
    for part in parts:
        tokens = (Token(part.encode(), -0.1, {}, {}),) if part else ()
        found += [piece.text for piece in ahead.take(characters.take(part), tokens)]
    found += [characters.end()]
    assert "".join(found) == "".join(parts)
    for one, other in pairwise(found):
        assert not (one.endswith("\r") and other.startswith("\n")), found


def test_long_text_is_cut_at_no_return_before_a_feed() -> None:
    text = "a" * (PIECE - 1) + "\r\n" + "b" * PIECE
    found = [piece.text for piece in Ahead().take(text, ())]
    assert "".join(found) == text and found[0].endswith("\r\n")
