"""Turns longer than the core reads at once: what they ask is read wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Says, gateway, knowledge
from groundwire.gateway.turns import READ, heard, parts

ASKED = "When was the Harbour Museum founded?"
ABOUT = "Tell me about the Harbour Museum."
SAID = "It was founded in 1992."
PAD = "x " * (READ // 2 - 13)
ROUTES = ("chat/completions", "completions", "responses")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    base = knowledge(tmp_path_factory.mktemp("kb"))
    with gateway(Says((SAID,)), **base, continuation="none") as (url, _):
        yield url


def answer(url: str, route: str, messages: list[dict[str, str]]) -> str:
    body: dict[str, Any] = {"model": MODEL}
    if route == "completions":
        body["prompt"] = messages[-1]["content"] + "\n"
    else:
        body["messages" if route == "chat/completions" else "input"] = messages
    found = httpx.post(f"{url}/v1/{route}", json=body, timeout=60)
    assert found.status_code == 200, found.text
    return found.text


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "text",
    [
        PAD + ASKED,
        "x " * (READ - 20) + ASKED,
        "x " * 100_000 + ASKED,
        "é " * READ + ASKED,
        "x" * (2 * READ) + "\n\n" + ASKED,
        ASKED + " x" * READ,
        f"{'The hall is wide. ' * 3000}\n\n{ASKED}",
    ],
    ids=["by a little", "twice", "ten times", "letters", "one word", "at the front", "filler"],
)
def test_a_long_turn_is_read_to_its_end(url: str, route: str, text: str) -> None:
    found = answer(url, route, [user(text)])
    assert "founded in 1987." in found and "1992" not in found


@pytest.mark.parametrize("route", ["chat/completions", "responses"])
def test_so_is_one_before_it(url: str, route: str) -> None:
    turns = [
        user("The hall is wide. " * 4000 + ABOUT),
        {"role": "assistant", "content": "It is nice."},
    ]
    found = answer(url, route, [*turns, user("And when was it founded?")])
    assert "founded in 1987." in found and "1992" not in found


@pytest.mark.parametrize(
    "word", ["x ", "words\n", "é\n", "名 ", "😀 ", "line of words\n", "a" * 50]
)
@pytest.mark.parametrize("count", [0, 1, 4000, 33_000])
def test_parts_are_all_of_a_text(word: str, count: int) -> None:
    text = word * count + ASKED
    found = parts(text)
    assert "".join(found) == text and all(len(one.encode()) <= READ for one in found)
    assert len(found) <= 1 + 2 * len(text.encode()) // READ
    assert found[-1].endswith(ASKED)
    if word[-1].isspace():
        assert all(one.startswith(word.strip()) for one in found[1:])


def test_a_turn_in_parts_stands_where_it_stood() -> None:
    long = PAD + "x " * 200
    behind = ("assistant", "The Harbour Museum was")
    history = [("system", "Be brief."), behind]
    turns, question = heard(history, long + ASKED, later=1, limit=4 * READ)
    assert [role for role, _ in turns] == ["system", "user", "assistant"]
    assert question is not None and turns[1][1] + question == long + ASKED
    # A tool's result is as long as it is: the core reads its first part.
    turns, _ = heard([("tool", long), ("user", long)], None, later=0, limit=4 * READ)
    assert [role for role, _ in turns] == ["tool", "user", "user"]
    assert turns[0][1] == long and turns[1][1] + turns[2][1] == long


def test_the_latest_turns_count() -> None:
    assert heard([("user", "a" * 9), ("user", "b" * 9)], "c" * 9, later=0, limit=10) == (
        [("user", "b" * 9)],
        "c" * 9,
    )
    assert heard([("user", "a" * 99)], "c" * 99, later=0, limit=10) == (
        [("user", "a" * 10)],
        "c" * 10,
    )
    assert heard([], None, later=0, limit=10) == ([], None)
