"""The OpenAI SDK's own streams, over real HTTP on loopback, under guard."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fake_openai as fake
import groundwire as gw
from fake_openai import EVIDENCE, TRUE, UNKNOWN, WRONG, chat, chunk, pieces
from groundwire.errors import ArgumentError

openai = pytest.importorskip("openai", reason="the openai package is not installed")

from groundwire.integrations._chat import ChatFeed  # noqa: E402
from groundwire.integrations._feed import drive, opening, waited  # noqa: E402
from groundwire.integrations._text import TextGuard  # noqa: E402
from groundwire.integrations.openai import checked, guarded  # noqa: E402

STRICT = gw.Policy(medium="interrupt")
MONITOR = gw.Monitor()
ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Tell me."}]}


@pytest.fixture(scope="module")
def server() -> Iterator[fake.Upstream]:
    with fake.serving() as upstream:
        yield upstream


@pytest.fixture
def upstream(server: fake.Upstream) -> fake.Upstream:
    server.reset()
    return server


@pytest.fixture
def client(upstream: fake.Upstream) -> Iterator[Any]:
    with openai.OpenAI(base_url=upstream.url, api_key="none", max_retries=0) as found:
        yield found


def text_of(chunks: list[Any], index: int = 0) -> str:
    return "".join(
        choice.delta.content or ""
        for one in chunks
        for choice in one.choices
        if choice.index == index
    )


def reasons(chunks: list[Any]) -> dict[int, str]:
    return {c.index: c.finish_reason for one in chunks for c in one.choices if c.finish_reason}


def stream(client: Any, upstream: fake.Upstream, say: list[Any], **how: Any) -> Any:
    upstream.say = say
    answer = client.chat.completions.create(**ASK, stream=True)
    return guarded(answer, **{"monitor": MONITOR, "evidence": EVIDENCE, **how})


@pytest.mark.parametrize("release", ["token", "claim", "response"])
@pytest.mark.parametrize("text", [WRONG, UNKNOWN])
def test_a_policy_that_only_watches_leaves_the_text(client, upstream, text, release) -> None:
    policy = dataclasses.replace(gw.Policy.observe(), release=release)
    found = list(stream(client, upstream, chat(pieces(text)), policy=policy))
    assert text_of(found) == text


@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_a_true_answer_arrives_whole_as_the_sdks_own_chunks(client, upstream, release) -> None:
    say = [*chat(pieces(TRUE)), fake.usage(20)]
    answer = stream(client, upstream, say, policy=gw.Policy(release=release))
    chunks = list(answer)
    assert all(isinstance(one, openai.types.chat.ChatCompletionChunk) for one in chunks)
    assert text_of(chunks) == TRUE
    assert reasons(chunks) == {0: "stop"}
    assert chunks[-1].usage.completion_tokens == 20
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [r.tier for r in answer.reports] == ["none"]
    assert answer.response.status_code == 200


def test_a_wrong_value_never_leaves(client, upstream) -> None:
    answer = stream(client, upstream, chat(pieces(WRONG, 3)))
    chunks = list(answer)
    assert text_of(chunks) == TRUE
    assert reasons(chunks) == {0: "stop"}
    assert answer.reports[0].interventions[0].inserted == "1866"


@pytest.mark.parametrize("text", [TRUE, WRONG])
@pytest.mark.parametrize("reason", ["", "stop"])
def test_a_reason_in_every_chunk_ends_no_answer(client, upstream, text, reason) -> None:
    say = [chunk(piece, finish=reason) for piece in pieces(text)]
    found = list(stream(client, upstream, [*say, chunk(None, finish="stop"), fake.usage(20)]))
    assert text_of(found) == TRUE
    ends = [c.finish_reason for one in found for c in one.choices if c.finish_reason]
    assert ends == ["stop"]
    assert found[-1].usage.completion_tokens == 20


@pytest.mark.parametrize("text", [TRUE, WRONG])
def test_text_behind_a_reason_is_checked_and_not_lost(client, upstream, text) -> None:
    parts = pieces(text)
    call = {"index": 0, "id": "t1", "type": "function", "function": {"name": "f", "arguments": ""}}
    middle = chunk(parts[9], finish="length", tool_calls=[call])
    say = [*chat(parts[:9])[:-1], middle, *map(chunk, parts[10:])]
    found = list(stream(client, upstream, say))
    assert text_of(found) == TRUE
    assert reasons(found) == {0: "length"}
    assert found[-1].choices[0].finish_reason
    calls = [d.tool_calls for one in found for c in one.choices if (d := c.delta).tool_calls]
    assert len(calls) == 1


@pytest.mark.parametrize("behind", [[], [fake.usage(20)], [chunk(None)]])
def test_what_had_ended_survives_a_stream_that_breaks(client, upstream, behind) -> None:
    answer = stream(client, upstream, [*chat(pieces(WRONG)), *behind])
    got: list[Any] = []

    def breaking() -> Iterator[Any]:
        yield from answer._stream
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        got.extend(drive(breaking(), answer._feed, answer._stream.close))
    assert text_of(got) == TRUE
    assert reasons(got) == {0: "stop"}
    assert answer.reports[0].stopped == "end"


def test_of_what_was_sent_a_note_follows(client, upstream) -> None:
    policy = gw.Policy(release="token")
    said = text_of(list(stream(client, upstream, chat(pieces(WRONG, 2)), policy=policy)))
    assert "1899 by Tove Karlsen. (Correction: 1866, not 1899.) It has" in said


def test_an_interruption_is_honest_and_closes_the_upstream(client, upstream) -> None:
    upstream.gap_s = 0.005
    say = chat(pieces(UNKNOWN + " It is tall." * 200, 5))
    answer = stream(client, upstream, say, policy=STRICT)
    chunks = list(answer)
    said = text_of(chunks)
    assert said.startswith("The Copper Lighthouse was lit in 1866. ")
    assert "Mirko" not in said.replace("“Mirko Salvesen”", "")
    assert "keeps it" not in said
    assert said.endswith(answer.reports[0].interventions[-1].inserted)
    assert reasons(chunks) == {0: "content_filter"}
    assert upstream.broken.wait(5)
    assert upstream.sent < len(say) / 2


def test_or_the_claim_stays_and_is_marked(client, upstream) -> None:
    policy = gw.Policy(medium="interrupt", annotation="inline")
    how = {"policy": policy, "cannot_rewind": "annotate"}
    chunks = list(stream(client, upstream, chat(pieces(UNKNOWN)), **how))
    assert text_of(chunks).replace(" [unverified]", "") == UNKNOWN
    assert "now. [unverified]" in text_of(chunks)
    assert reasons(chunks) == {0: "stop"}


def test_each_of_several_answers_has_a_guard(client, upstream) -> None:
    both = [c for pair in zip(pieces(UNKNOWN), pieces(TRUE), strict=False) for c in pair]
    mixed = [chunk(text, i % 2) for i, text in enumerate(both)]
    rest = pieces(TRUE)[len(pieces(UNKNOWN)) :]
    ends = [chunk(text, 1) for text in rest] + [chunk(None, i, "stop") for i in (0, 1)]
    in_turn = [*chat(pieces(UNKNOWN)), *chat(pieces(TRUE), index=1)]
    for say in ([*mixed, *ends], in_turn):
        chunks = list(stream(client, upstream, say, policy=STRICT, n=2))
        assert "keeps it" not in text_of(chunks, 0)
        assert text_of(chunks, 1) == TRUE
        assert reasons(chunks) == {0: "content_filter", 1: "stop"}


def test_tool_calls_and_what_else_there_is_pass_untouched(client, upstream) -> None:
    call = {"index": 0, "id": "t", "function": {"name": "look", "arguments": '{"q":"Mirko"}'}}
    call["type"] = "function"
    say = [
        chunk(None, role="assistant", reasoning_content="Hm, Mirko Salvesen?"),
        *[chunk(piece) for piece in pieces(UNKNOWN)],
        chunk(None, tool_calls=[call]),
        chunk(None, finish="tool_calls"),
    ]
    chunks = list(stream(client, upstream, say))
    calls = [c for one in chunks for c in one.choices[0].delta.tool_calls or ()]
    assert [c.model_dump() for c in calls] == [call]
    assert chunks[0].choices[0].delta.reasoning_content == "Hm, Mirko Salvesen?"
    assert reasons(chunks) == {0: "tool_calls"}
    assert text_of(chunks) == UNKNOWN


def test_words_in_the_chunk_that_ends_an_answer_are_checked_too(client, upstream) -> None:
    for say in ([chunk(WRONG, finish="length")], [chunk(WRONG)]):
        chunks = list(stream(client, upstream, say))
        assert text_of(chunks) == TRUE
        assert list(reasons(chunks).values()) in (["length"], [])


def test_a_refusal_is_an_answer(client, upstream) -> None:
    say = [chunk(None, refusal=piece) for piece in pieces(WRONG)]
    chunks = list(stream(client, upstream, [*say, chunk(None, finish="stop")]))
    said = "".join(c.choices[0].delta.refusal or "" for c in chunks)
    assert said == TRUE


def test_closing_the_guarded_stream_closes_the_real_one(client, upstream) -> None:
    upstream.gap_s = 0.01
    with stream(client, upstream, chat(pieces(TRUE * 40))) as answer:
        next(answer)
    assert upstream.broken.wait(5)
    with pytest.raises(StopIteration):
        next(answer)


def test_an_upstream_that_dies_leaves_what_was_released_and_raises(client, upstream) -> None:
    upstream.say, upstream.gap_s = chat(pieces(TRUE)), 0.0
    real = client.chat.completions.create(**ASK, stream=True)

    def broken(given):
        yield from (one for _, one in zip(range(17), given, strict=False))
        raise openai.APIConnectionError(request=real.response.request)

    real._iterator = broken(real._iterator)
    answer = guarded(real, monitor=MONITOR, evidence=EVIDENCE)
    chunks = []
    with pytest.raises(openai.APIConnectionError):
        chunks.extend(iter(answer.__next__, None))
    assert answer.reports[0].released == "The Copper Lighthouse was lit in 1866 by Tove Karlsen."
    assert real.response.is_closed


def test_logprobs_become_signals_and_none_of_withheld_tokens_leave(client, upstream) -> None:
    def numbers(token: str) -> dict[str, Any]:
        top = [{"token": t, "bytes": None, "logprob": p} for t, p in ((token, -0.2), ("x", -2.0))]
        one = {"token": token, "bytes": None, "logprob": -0.2, "top_logprobs": top}
        return {"content": [one], "refusal": None}

    say = [chunk(piece, logprobs=numbers(piece)) for piece in pieces(WRONG)]
    answer = stream(client, upstream, [*say, chunk(None, finish="stop")])
    chunks = list(answer)
    shown = [c.choices[0].logprobs for c in chunks if c.choices[0].logprobs]
    assert not any("1899" in t.token for one in shown for t in one.content)
    assert text_of(chunks) == TRUE
    free = stream(client, upstream, say, policy=gw.Policy.observe())
    assert all(c.choices[0].logprobs is not None for c in list(free)[:-1])
    odd = [
        chunk(
            "The",
            logprobs={
                "content": [{"token": "The", "logprob": 7.0, "bytes": None, "top_logprobs": []}]
            },
        )
    ]
    assert text_of(list(stream(client, upstream, odd))) == "The"


def test_plain_completions(client, upstream) -> None:
    def part(text: str, finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "text": text, "finish_reason": finish, "logprobs": None}
        head = {"id": "c", "object": "text_completion", "created": 1, "model": "m"}
        return {**head, "choices": [choice]}

    for text, reason in ((WRONG, "stop"), (UNKNOWN, "content_filter")):
        upstream.say = [*map(part, pieces(text)), part("", "stop")]
        raw = client.completions.create(model="m", prompt="x", stream=True)
        chunks = list(guarded(raw, monitor=MONITOR, evidence=EVIDENCE, policy=STRICT))
        said = "".join(c.choices[0].text for c in chunks)
        assert (said == TRUE) is (text is WRONG)
        assert "keeps it" not in said
        assert reasons_of_text(chunks) == [reason]


def reasons_of_text(chunks: list[Any]) -> list[str]:
    return [c.choices[0].finish_reason for c in chunks if c.choices[0].finish_reason]


def test_asynchronous_streams_and_their_cancellation(upstream) -> None:
    async def go() -> None:
        client = openai.AsyncOpenAI(base_url=upstream.url, api_key="none", max_retries=0)
        upstream.say = chat(pieces(WRONG))
        raw = await client.chat.completions.create(**ASK, stream=True)
        answer = guarded(raw, monitor=MONITOR, evidence=EVIDENCE)
        chunks = [one async for one in answer]
        assert text_of(chunks) == TRUE
        assert len(answer.reports) == 1

        upstream.say, upstream.gap_s = chat(pieces(TRUE * 60)), 0.01
        raw = await client.chat.completions.create(**ASK, stream=True)
        seen = asyncio.Event()

        async def read() -> None:
            async for _ in guarded(raw, monitor=MONITOR, evidence=EVIDENCE):
                seen.set()

        task = asyncio.create_task(read())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(upstream.broken.wait, 5)
        async with guarded(raw, monitor=MONITOR) as again:
            pass
        with pytest.raises(StopAsyncIteration):
            await anext(again)
        with pytest.raises(ArgumentError, match="await it first"):
            unawaited = client.chat.completions.create(**ASK, stream=True)
            try:
                guarded(unawaited, monitor=MONITOR)
            finally:
                unawaited.close()
        await client.close()

    asyncio.run(go())


def test_a_verifier_is_waited_for_without_blocking_others(upstream) -> None:
    import time

    class Slow:
        name = "slow"

        def verify(self, claim: gw.Claim) -> gw.Verdict:
            time.sleep(0.3)
            return gw.Verdict(status="supported", p_hallucinated=0.0)

    monitor = gw.Monitor(verifiers=[Slow()])

    async def go() -> None:
        client = openai.AsyncOpenAI(base_url=upstream.url, api_key="none", max_retries=0)
        upstream.say = chat(pieces(TRUE))
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticking = asyncio.create_task(tick())
        raw = await client.chat.completions.create(**ASK, stream=True)
        chunks = [one async for one in guarded(raw, monitor=monitor, evidence=EVIDENCE)]
        ticking.cancel()
        assert text_of(chunks) == TRUE
        assert ticks > 10
        await client.close()

    asyncio.run(go())


def test_finished_answers(client, upstream) -> None:
    upstream.say = fake.completion(WRONG, UNKNOWN, TRUE)
    answer = client.chat.completions.create(**ASK)
    found, reports = checked(answer, monitor=MONITOR, evidence=EVIDENCE, policy=STRICT)
    assert isinstance(found, openai.types.chat.ChatCompletion)
    assert found.choices[0].message.content == TRUE
    assert "keeps it" not in found.choices[1].message.content
    assert [c.finish_reason for c in found.choices] == ["stop", "content_filter", "stop"]
    assert found.choices[2] == answer.choices[2]
    assert answer.choices[0].message.content == WRONG
    assert [r.stopped for r in reports] == ["end", "interrupted", "end"]


def test_a_limit_that_cut_an_answer_is_what_its_report_says(client, upstream) -> None:
    upstream.say = [*(chunk(piece) for piece in pieces(TRUE)), chunk(None, 0, "length")]
    answer = guarded(client.chat.completions.create(**ASK, stream=True), monitor=MONITOR)
    chunks = list(answer)
    assert (text_of(chunks), reasons(chunks)) == (TRUE, {0: "length"})
    assert [report.stopped for report in answer.reports] == ["length"]


def test_bad_arguments_are_refused_before_anything_is_read(client, upstream) -> None:
    upstream.say = fake.completion(TRUE)
    finished = client.chat.completions.create(**ASK)
    with pytest.raises(ArgumentError, match=r"there is checked\(\)"):
        guarded(finished, monitor=MONITOR)
    with pytest.raises(ArgumentError, match=r"there is guarded\(\)"):
        checked(["x"], monitor=MONITOR)
    with pytest.raises(ArgumentError, match="ChatCompletionStreamState"):
        guarded(client.chat.completions.stream(**ASK), monitor=MONITOR)
    upstream.say = chat(pieces(TRUE))
    raw = client.chat.completions.create(**ASK, stream=True)
    for wrong, message in (
        ({"evidence": "one string"}, "evidence is a list"),
        ({"cannot_rewind": "maybe"}, "cannot_rewind is 'maybe'"),
        ({"monitor": None}, "monitor is a groundwire.Monitor"),
        ({"n": 0}, "n is a whole number from 1"),
        ({"hooks": gw.Hooks()}, "hooks makes the hooks"),
        ({"question": 3}, "question is a string"),
        ({"policy": {"hue": 1}}, "no field of a policy"),
    ):
        with pytest.raises(ArgumentError, match=message):
            guarded(raw, **{"monitor": MONITOR, **wrong})
    assert text_of(list(guarded(raw, monitor=MONITOR))) == TRUE


def test_the_sdks_events_come_of_guarded_chunks(client, upstream) -> None:
    from openai.lib.streaming.chat import ChatCompletionStreamState

    answer = stream(client, upstream, chat(pieces(f"{WRONG} Bye.")), policy=gw.Policy())
    state = ChatCompletionStreamState()
    events = [event for one in answer for event in state.handle_chunk(one)]
    said = "".join(event.delta for event in events if event.type == "content.delta")
    final = state.get_final_completion().choices[0].message.content
    assert said == final == answer.reports[0].released
    assert "1866" in said and WRONG not in said


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(
        st.sampled_from([TRUE, WRONG, UNKNOWN, UNKNOWN + " Bye."]), min_size=1, max_size=3
    ),
    sizes=st.lists(st.integers(1, 25), min_size=1, max_size=20),
    turns=st.lists(st.integers(0, 2), max_size=80),
    release=st.sampled_from(["token", "claim", "response"]),
)
def test_each_choice_is_what_one_guard_makes_of_it(
    texts: list[str], sizes: list[int], turns: list[int], release: str
) -> None:
    policy = gw.Policy(release=release, medium="interrupt")
    cuts = [pieces_of(text, sizes) for text in texts]
    expected = []
    for mine in cuts:
        guard = TextGuard(MONITOR, evidence=EVIDENCE, policy=policy)
        said = "".join(map(guard.push, mine)) + guard.finish()
        expected.append((said, "content_filter" if guard.cut else "stop"))
    left = [[*(chunk(p, i) for p in mine), chunk(None, i, "stop")] for i, mine in enumerate(cuts)]
    feed = ChatFeed(opening(MONITOR, evidence=EVIDENCE, policy=policy), len(texts))
    out: list[Any] = []
    turns = turns + [i for i, mine in enumerate(left) for _ in mine]
    for turn in turns:
        if turn < len(left) and left[turn] and not feed.over:
            data = openai.types.chat.ChatCompletionChunk.model_validate(left[turn].pop(0))
            out += waited(feed.feed(data))
    out += waited(feed.finish())
    assert [(text_of(out, i), reasons(out)[i]) for i in range(len(texts))] == expected
    for i in range(len(texts)):
        mine = [c for one in out for c in one.choices if c.index == i]
        assert [c.finish_reason for c in mine].count(None) == len(mine) - 1
        assert mine[-1].finish_reason


def pieces_of(text: str, sizes: list[int]) -> list[str]:
    out, at = [], 0
    while at < len(text):
        size = sizes[len(out) % len(sizes)]
        out.append(text[at : at + size])
        at += size
    return out


def test_text_is_not_lost_where_the_last_chunk_has_no_delta() -> None:
    from openai.types.chat import ChatCompletionChunk

    from groundwire.integrations._chat import ChatFeed
    from groundwire.integrations._feed import opening, waited

    base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    for last in ({}, {"delta": None}, {"delta": {}}):
        feed = ChatFeed(opening(gw.Monitor()))
        out = []
        for choices in (
            [{"index": 0, "delta": {"content": "The sky is blue"}}],
            None,
            [{"index": 0, "finish_reason": "stop", **last}],
        ):
            out += waited(feed.feed(ChatCompletionChunk.construct(**base, choices=choices)))
        out += waited(feed.finish())
        said = [choice for one in out for choice in one.choices or ()]
        assert "".join(c.delta.content or "" for c in said if c.delta) == "The sky is blue"
        assert not any(getattr(c, "content", None) for c in said)


def test_an_argument_that_no_guard_takes_is_named() -> None:
    from groundwire.integrations._feed import opening

    with pytest.raises(gw.errors.ArgumentError, match="'foo' is no argument"):
        opening(gw.Monitor(), foo=1)
