"""Event streams, characters and tokens, however they are cut."""

from __future__ import annotations

import asyncio
import json
import math
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.config import Config
from groundwire.gateway import sse
from groundwire.gateway.ahead import Ahead
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.tokens import Characters, Token, chat_tokens, completion_tokens
from groundwire.gateway.watched import Watched
from groundwire.integrations.serving import Registry
from slow_sse import events as slow_events

LINES = st.lists(
    st.sampled_from(
        [
            b"data: a", b"data:b", b"data", b"data:  two spaces", b": comment", b"event: ping", b"",
            b"", b"id: 7", b"retry: 3", b"nonsense", 'data: "é€😀"'.encode(), b"data: [DONE]",
        ]
    ),
    max_size=14,
)  # fmt: skip
ENDS = st.lists(st.sampled_from([b"\n", b"\r\n", b"\r"]), min_size=14, max_size=14)


def cut(data: Any, places: list[int]) -> list[Any]:
    bounds = sorted({min(p, len(data)) for p in places} | {0, len(data)})
    return [data[a:b] for a, b in pairwise(bounds)]


def read(parts: list[bytes], limit: int = 1 << 20) -> list[tuple[str, str]]:
    reader = sse.Reader(limit)
    found = [event for part in parts for event in reader.feed(part)]
    return [(event.name, event.data.decode("utf-8", "replace")) for event in found]


@given(LINES, ENDS, st.lists(st.integers(0, 200), max_size=30), st.booleans())
def test_events_are_those_of_the_slow_reader(
    lines: list[bytes], ends: list[bytes], places: list[int], mark: bool
) -> None:
    data = b"".join(a + b for a, b in zip(lines, ends, strict=False))
    data = (b"\xef\xbb\xbf" if mark else b"") + data
    assert read(cut(data, places)) == slow_events(data)
    assert read([bytes([byte]) for byte in data]) == slow_events(data)


def test_an_event_has_a_largest_size() -> None:
    for parts in ([b"data: " + b"x" * 2000], [b"data: " + b"x" * 90 + b"\n"] * 20):
        with pytest.raises(UpstreamFault, match="more than 1000 bytes"):
            read(parts, 1000)
    assert len(read([b"data: " + b"x" * 900 + b"\n\n"] * 20, 1000)) == 20


@given(st.dictionaries(st.text(), st.text() | st.none() | st.integers()))
def test_what_is_written_can_be_read(content: dict[str, Any]) -> None:
    data = sse.encode(content, "x.y")
    ((name, line),) = slow_events(data)
    shown = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace").decode()
    assert (name, json.loads(line)) == ("x.y", json.loads(shown))


@given(st.text(alphabet="aé€😀\U0001f468", max_size=20), st.lists(st.integers(0, 60), max_size=9))
def test_characters_cut_into_surrogates_are_made_whole(text: str, places: list[int]) -> None:
    halves = text.encode("utf-16-le")
    units = "".join(chr(halves[i] | halves[i + 1] << 8) for i in range(0, len(halves), 2))
    characters = Characters()
    found = "".join(characters.take(part) for part in cut(units, places)) + characters.end()
    assert found == text


@pytest.mark.parametrize("text", ["\ud83d", "a\udc00b", "\ud83dx", "\udc00\ud83d"])
def test_lone_surrogates_are_replaced(text: str) -> None:
    characters = Characters()
    found = "".join(characters.take(one) for one in text) + characters.end()
    assert "\ufffd" in found and found.encode()


@given(
    st.text(alphabet="ab é€😀", min_size=1, max_size=20),
    st.lists(st.integers(0, 60)),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_pieces_are_the_text_and_hold_all_tokens(
    text: str, places: list[int], before: int, behind: int
) -> None:
    mark = Token(b"<|mark|>", -9.0, {}, b"<|mark|>")
    parts = [Token(data, -1.0, {}, data) for data in cut(text.encode(), places) if data]
    tokens = [mark] * before + parts + [mark] * behind
    ahead = Ahead()
    found = list(ahead.take(text, tokens))
    assert "".join(piece.text for piece in found) == text
    told = [token.raw for piece in found for token in piece.tokens]
    assert told + [token.raw for token in ahead.left()] == [t.raw for t in tokens]
    assert all(piece.numbers["signals"]["logprob"] == -1.0 for piece in found)


def test_tokens_that_are_not_the_text_are_not_believed() -> None:
    tokens = [Token(b"The ", -1.0, {}, 0), Token(b"cat", -1.0, {}, 1)]
    assert [(p.text, p.tokens) for p in Ahead().take("A cat", tokens)] == [("A cat", ())]


@pytest.mark.parametrize(
    "logprobs",
    [
        None, 3, [], {"content": 3}, {"content": [3]}, {"content": None}, {"tokens": [3]},
        {"tokens": "abc"}, {"content": [{"token": 4, "logprob": "x", "top_logprobs": 4}]},
        {"tokens": ["a"], "token_logprobs": 4, "top_logprobs": [7]},
        {"content": [{"token": "a", "bytes": [300, -1], "logprob": float("nan")}]},
    ],
)  # fmt: skip
def test_hostile_logprobs_are_passed_over(logprobs: Any) -> None:
    for token in (*chat_tokens(logprobs), *completion_tokens(logprobs)):
        assert token.logprob is None and not token.top


def test_logprobs_become_signals() -> None:
    top = [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -9999.0}]
    entry = {"token": "a", "logprob": 1e-9, "bytes": [97], "top_logprobs": top}
    (token,) = chat_tokens({"content": [entry]})
    (piece,) = Ahead().take("a", (token,))
    numbers = piece.numbers["signals"]
    assert numbers["logprob"] == 0.0 and numbers["margin"] == pytest.approx(math.exp(-0.5))
    session = Registry.load(Config.load(environ={})).resolve().session()
    signals = session.push_text("a", **piece.numbers).signals
    assert signals is not None and signals.logprob == 0.0 and not signals.invalid
    assert signals.margin == pytest.approx(math.exp(-0.5))


TEXT = (
    "Sarah Chen works in Sales. The Harbour Museum was founded in 1992, and “it is” open — "
    "naïve 😀 people say 5 % of guests return. It has 45 employees."
)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    from gateway_upstream import knowledge

    folder: Path = tmp_path_factory.mktemp("kb")
    policies = {name: {"release": name} for name in ("claim", "response")}
    serving = {**knowledge(folder), "policies": policies}
    return Registry.load(Config.load(environ={}, serving=serving))


async def run(watched: Watched, parts: list[str]) -> str:
    text = ""
    for part in parts:
        outcome = watched.push(part)
        text += outcome.text
        if outcome.stop is not None:
            return text
        assert not outcome.again
    return text + (await watched.end()).text


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, len(TEXT)), max_size=40), st.sampled_from(["claim", "response"]))
def test_cuts_do_not_matter(registry: Registry, places: list[int], release: str) -> None:
    resolved = registry.resolve(release)
    whole = asyncio.run(run(Watched(resolved, rewinds=False), [TEXT]))
    assert asyncio.run(run(Watched(resolved, rewinds=False), cut(TEXT, places))) == whole
    assert whole == TEXT.replace("Sales", "Engineering").replace("1992", "1987")


@pytest.mark.parametrize("logprobs", [True, False])
@pytest.mark.parametrize("rewinds", [True, False])
def test_a_huge_piece_leaves_others_the_loop(
    registry: Registry, rewinds: bool, logprobs: bool
) -> None:
    text = "The hall is open and wide. " * 1500 + TEXT + " The hall is open and wide." * 300
    parts = [text[at : at + 9] for at in range(0, len(text), 9)]
    entries = [{"token": one, "logprob": -0.5} for one in parts]
    tokens = chat_tokens({"content": entries}) if logprobs else ()
    turns = 0

    async def ticks() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def taken(watched: Watched) -> Any:
        beside = asyncio.create_task(ticks())
        found = await watched.take(text, tokens)
        beside.cancel()
        return found

    one, two = (Watched(registry.resolve("claim"), rewinds=rewinds) for _ in range(2))
    found, expected = asyncio.run(taken(one)), two.push(text, tokens)
    assert (found.text, found.again, found.tokens) == (
        expected.text,
        expected.again,
        expected.tokens,
    )
    assert one.prefix == two.prefix and one.held == two.held
    assert turns >= 4


@pytest.mark.parametrize("release", ["claim", "response"])
def test_held_text_is_looked_at_again_in_time(release: str) -> None:
    policies = {"mine": {"release": release, "max_hold_ms": 40}}
    config = Config.load(environ={}, serving={"policies": policies, "default_policy": "mine"})
    watched = Watched(Registry.load(config).resolve(), rewinds=False)
    assert watched.due is None
    watched.push("It is open and")
    assert watched.due is not None and watched.due > time.monotonic()
    time.sleep(max(0.0, watched.due - time.monotonic()))
    outcome = watched.poll()
    if release == "claim":
        assert outcome.text == "It is open and" and watched.due is None
    else:
        # It waits for the whole answer; nobody asks again at once.
        assert outcome.text == "" and watched.due > time.monotonic() + 0.02


def test_rewinds_name_the_prefix(registry: Registry) -> None:
    text = "It is open. The Harbour Museum was founded in 1992. It has many rooms."
    for size in (1, 3, 8, 100):
        watched = Watched(registry.resolve("claim"), rewinds=True)
        released = ""
        for at in range(0, len(text), size):
            outcome = watched.push(text[at : at + size])
            released += outcome.text
            if outcome.again:
                break
        else:
            outcome = asyncio.run(watched.end())
            released += outcome.text
        assert outcome.again and watched.prefix.endswith("was founded in 1987")
        rest = asyncio.run(run(watched, [". It has", " many rooms."]))
        assert released + rest == text.replace("1992", "1987"), size
