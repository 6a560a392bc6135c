"""Tokens that run ahead of their text: none leaves before its text has, and none without it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway_upstream import MODEL, knowledge, served
from groundwire.config import Config
from groundwire.gateway.ahead import Ahead
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from groundwire.gateway.tokens import Token, chat_tokens

RIGHT = "The Harbour Museum was founded in 1987. It has 45 employees."
WRONG = "The Harbour Museum was founded in 1992. It has 45 employees. Sarah Chen is in Engineering."
STOP = "\n\nEND OF THE ANSWER, AND OF ALL THAT IS SAID IN IT"
PATHS = ("/v1/chat/completions", "/v1/completions", "/v1/responses")


def parts(text: str, size: int = 5) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def entry(piece: str) -> dict[str, Any]:
    top = {"token": piece, "logprob": -0.25, "bytes": list(piece.encode())}
    return {**top, "top_logprobs": [top]}


def logprobs(path: str, tokens: list[str]) -> Any:
    if path == PATHS[0]:
        return {"content": [entry(one) for one in tokens]}
    if path == PATHS[2]:
        return [entry(one) for one in tokens]
    return {
        "tokens": tokens,
        "token_logprobs": [-0.25] * len(tokens),
        "top_logprobs": [{one: -0.25} for one in tokens],
        "text_offset": [0] * len(tokens),
    }


def steps(text: str, lag: int, tokens: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield texts, each ``lag`` characters behind the tokens that come with it."""
    heard, sent = 0, 0
    for token in tokens:
        heard += len(token)
        upto = max(sent, min(len(text), heard - lag))
        yield text[sent:upto], [token]
        sent = upto
    yield text[sent:], ["<|im_end|>"]


def upstream(text: str, lag: int) -> Starlette:
    """Return a server that stops at ``STOP``: its tokens run ahead of its text."""
    tokens = parts(text + STOP)

    def event(data: Any) -> str:
        return f"data: {json.dumps(data)}\n\n"

    def streamed(path: str) -> Iterator[str]:
        at = {"item_id": "m", "output_index": 0, "content_index": 0}
        for said, ahead in steps(text, lag, tokens):
            told = logprobs(path, ahead)
            if path == PATHS[2]:
                kind = "response.output_text.delta"
                yield event({"type": kind, **at, "delta": said, "logprobs": told})
                continue
            own: Any = {"delta": {"content": said}} if path == PATHS[0] else {"text": said}
            yield event({"choices": [{"index": 0, **own, "logprobs": told}]})
        if path == PATHS[2]:
            yield event({"type": "response.completed", "response": {**whole(path)}})
            return
        own = {"delta": {}} if path == PATHS[0] else {"text": ""}
        yield event({"choices": [{"index": 0, **own, "finish_reason": "stop"}]})
        yield "data: [DONE]\n\n"

    def whole(path: str) -> dict[str, Any]:
        told = logprobs(path, [*tokens, "<|im_end|>"])
        if path == PATHS[2]:
            content = [{"type": "output_text", "text": text, "logprobs": told}]
            item = {"type": "message", "id": "m", "status": "completed", "content": content}
            return {"id": "r", "object": "response", "status": "completed", "output": [item]}
        own: Any = {"message": {"content": text}} if path == PATHS[0] else {"text": text}
        return {"choices": [{"index": 0, **own, "logprobs": told, "finish_reason": "stop"}]}

    async def answer(request: Request) -> Response:
        body = json.loads(await request.body())
        if body.get("stream"):
            said = "".join(streamed(request.url.path))
            return Response(said, media_type="text/event-stream")
        return JSONResponse(whole(request.url.path))

    return Starlette(routes=[Route(path, answer, methods=["POST"]) for path in PATHS])


@contextlib.contextmanager
def gateway(root: str, base: dict[str, Any]) -> Iterator[str]:
    config = Config.load(environ={}, serving=base)
    with served(create_app(Gateway(root, config, environ={}))) as url:
        yield url


def told(path: str, found: Any) -> list[str]:
    """Return the names of all tokens in an answer or an event, wherever they stand."""
    if isinstance(found, list):
        return [name for one in found for name in told(path, one)]
    if not isinstance(found, dict):
        return []
    own = [found["token"]] if "token" in found and "top_logprobs" in found else []
    own += found["tokens"] if isinstance(found.get("tokens"), list) else []
    return own + [name for key, one in found.items() if key != "tokens" for name in told(path, one)]


@pytest.mark.parametrize("lag", [8, 23, 50])
@pytest.mark.parametrize("text", [RIGHT, WRONG])
def test_tokens_leave_with_their_text(
    tmp_path_factory: pytest.TempPathFactory, text: str, lag: int
) -> None:
    base = knowledge(tmp_path_factory.mktemp("kb"))
    policies = {name: {"release": name} for name in ("token", "claim", "response")}
    base |= {"policies": policies, "requests_may_lower": True}
    with served(upstream(text, lag)) as root, gateway(root, base) as url:
        for path in PATHS:
            own = {"messages": [{"role": "user", "content": "?"}]} if path == PATHS[0] else {}
            own |= {"prompt": "?"} if path == PATHS[1] else {}
            own |= {"input": "?"} if path == PATHS[2] else {}
            for release in policies:
                asked = {"model": MODEL, **own, "stop": STOP, "logprobs": 1, "groundwire": release}
                raw = httpx.post(f"{url}{path}", json={**asked, "stream": True}, timeout=60).text
                lines = [one for one in raw.splitlines() if one.startswith("data: {")]
                events = [json.loads(one[6:]) for one in lines]
                check(path, text, release, events)
                answer = httpx.post(f"{url}{path}", json=asked, timeout=60).json()
                names = told(path, {k: v for k, v in answer.items() if k != "groundwire"})
                check_names(path, text, release, names)


def check(path: str, text: str, release: str, events: list[Any]) -> None:
    said, names = "", list[str]()
    for event in events:
        if str(event.get("type", "response.output_text.delta")) != "response.output_text.delta":
            continue
        for choice in event.get("choices", ()):
            said += (choice.get("delta") or choice).get("content") or choice.get("text") or ""
        said += event.get("delta", "") if path == PATHS[2] else ""
        names += told(path, {k: v for k, v in event.items() if k != "groundwire"})
        spoken = "".join(name for name in names if not name.startswith("<|"))
        # In order, each in its place: the tokens are what is left when others are taken out.
        rest = iter(said)
        assert all(one in rest for one in spoken), (path, release, said, spoken)
    check_names(path, text, release, names)
    assert said


def check_names(path: str, text: str, release: str, names: list[str]) -> None:
    spoken = [name for name in names if not name.startswith("<|")]
    every = parts(text + STOP)
    if text == RIGHT:
        assert spoken == every[: len(spoken)]
        assert len("".join(spoken)) in range(len(text) - 4, len(text) + 1), (path, release, names)
        return
    assert not any("1992" in one for one in ("".join(spoken), *spoken)) or release == "token"
    assert STOP[:3] not in "".join(spoken)
    if path == PATHS[2]:
        # Exchanged in place: the tokens before and behind are as they were.
        assert "".join(spoken).startswith("The Harbour Museum "), (release, names)
        assert "employees" in "".join(spoken), (release, names)


def named(text: str) -> Token:
    (token,) = chat_tokens({"content": [entry(text)]})
    return token


@settings(max_examples=300)
@given(
    st.text(alphabet="ab é€😀<>", max_size=40),
    st.lists(st.integers(1, 7), max_size=40),
    st.lists(st.integers(0, 9), max_size=40),
    st.integers(0, 30),
    st.booleans(),
)
def test_any_lag_gives_each_token_with_its_last_byte(
    text: str, sizes: list[int], cuts: list[int], lag: int, spoilt: bool
) -> None:
    """However tokens and text are cut, what is told at any time is what the text says by then."""
    data, tokens, at = text.encode(), [], 0
    for size in [*sizes, len(data)]:
        if data[at : at + size]:
            part = data[at : at + size]
            tokens.append(Token(part, -1.0, {}, part))
            at += size
    if spoilt and tokens:
        tokens[len(tokens) // 2] = Token(b"zzzz", -1.0, {}, b"zzzz")
    ahead, said, shown = Ahead(), "", list[bytes]()
    places = [*cuts, len(text)]
    for i, place in enumerate(places):
        size = len(said.encode()) + lag if i + 1 < len(places) else len(data) + lag
        fresh = []
        while tokens and size > 0:
            fresh.append(tokens.pop(0))
            size -= len(fresh[-1].data)
        more = text[len(said) : len(said) + place]
        before = said
        for piece in ahead.take(more, fresh):
            said += piece.text
            if piece.tokens and piece.ends(said.encode()):
                shown += [one.data for one in piece.tokens]
        assert said == before + more
        if "<" not in text:
            rest = iter(said.encode())
            assert all(one in rest for one in b"".join(shown))


@pytest.mark.parametrize(
    ("text", "tokens", "kept"),
    [
        # Ahead of the text, behind its end, and of other words.
        ("He wa", ["He", " was", " born"], ["He"]),
        ("He was", ["He", " was", " born", " in", " 1987"], ["He", " was"]),
        ("He was", [" 1987"], []),
        ("", ["He was born in 1987"], []),
        ("was", ["1987"], []),
        ("The cat sat down here", [" The", " cat", " sat", " down", " here"], 4),
        ("naïve", ["na", "ï", "ve", "</s>"], ["na", "ï", "ve", "</s>"]),
        ("ok", ["<s>", "ok", "<|eot_id|>", "[EOS]"], ["<s>", "ok", "<|eot_id|>", "[EOS]"]),
        ("ok", ["ok", "<born in 1987>", "[it was 1987]", "<1987>"], ["ok"]),
    ],
)
def test_only_tokens_of_the_text_are_told(text: str, tokens: list[str], kept: Any) -> None:
    ahead, said, found = Ahead(), "", list[str]()
    for piece in ahead.take(text, [named(one) for one in tokens]):
        said += piece.text
        if piece.ends(said.encode()):
            found += [one.raw["token"] for one in piece.tokens]
    found += [one.raw["token"] for one in ahead.left()]
    assert said == text
    assert found == (kept if isinstance(kept, list) else tokens[-kept:])


def test_what_waits_is_bounded() -> None:
    ahead = Ahead()
    for _ in range(5000):
        assert list(ahead.take("", [named("word ")])) == []
    assert len(ahead.all()) <= 512
    for _ in range(50):
        assert list(ahead.take("", [named("x" * 10_000)])) == []
    assert len(ahead.all()) <= 6


def test_a_name_says_what_the_bytes_do() -> None:
    hidden = {"token": " born in 1987", "bytes": [], "logprob": -1.0}
    other = {"token": "1987", "bytes": [49, 57, 57, 50], "logprob": -1.0}
    space = {"token": "Ġcat", "bytes": list(b" cat"), "logprob": -1.0}
    half = {"token": "1987", "bytes": [0xE2, 0x82], "logprob": -1.0}
    ends = {"token": "</s>", "bytes": [], "logprob": -1.0}
    listed = chat_tokens({"content": [hidden, other, space, half, ends]})
    assert [one.raw["token"] for one in listed] == ["", "1992", "Ġcat", "\ufffd", "</s>"]


def test_unchecked_text_has_all_its_tokens() -> None:
    from groundwire.gateway.watched import Watched
    from groundwire.integrations.serving import Registry

    resolved = Registry.load(Config.load(environ={})).resolve()
    watched = Watched(resolved, rewinds=False)
    watched.guard = None
    assert watched.push("", (named("He"),)).tokens == []
    found = watched.push("He is", (named(" is"),))
    assert [one.raw["token"] for one in found.tokens] == ["He", " is"]
    assert asyncio.run(watched.end()).stop == "end"
