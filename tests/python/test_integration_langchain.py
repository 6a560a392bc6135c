"""LangChain's own machinery over a scripted chat model: guarded model and callback handler."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

import groundwire as gw
from fake_openai import pieces
from groundwire.errors import ArgumentError

pytest.importorskip("langchain_core", reason="the langchain-core package is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

from langchain_core.callbacks import BaseCallbackHandler  # noqa: E402
from langchain_core.documents import Document  # noqa: E402
from langchain_core.language_models.chat_models import BaseChatModel  # noqa: E402
from langchain_core.language_models.fake import FakeListLLM  # noqa: E402
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage  # noqa: E402
from langchain_core.output_parsers import StrOutputParser  # noqa: E402
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult  # noqa: E402
from langchain_core.prompts import ChatPromptTemplate  # noqa: E402
from langchain_core.runnables import RunnableLambda  # noqa: E402

from groundwire.integrations._langchain import said_in  # noqa: E402
from groundwire.integrations.langchain import (  # noqa: E402
    AnswerStopped,
    GroundwireHandler,
    GuardedChatModel,
)

EVIDENCE = ["The Amber Library was opened in 1924 by Ilse Brandt. It holds 4100 maps."]
TRUE = "The Amber Library was opened in 1924 by Ilse Brandt. It holds 4100 maps. Do visit."
WRONG = "The Amber Library was opened in 1961 by Ilse Brandt. It holds 4100 maps. Do visit."
UNKNOWN = "The Amber Library was opened in 1924. Torvald Quist runs it now. Do visit."
CALL = {"name": "look", "args": {"q": "maps"}, "id": "t1", "type": "tool_call"}
STRICT = gw.Policy(medium="interrupt")
MONITOR = gw.Monitor()


class Scripted(BaseChatModel):
    """Says ``text`` in pieces; ``log`` tells how far it got."""

    text: str
    blocks: bool = False
    calls: bool = False
    log: dict[str, Any] = {}  # noqa: RUF012

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any):
        self.log.update(sent=0, closed=False, asked=messages, kwargs=kwargs)
        try:
            for piece in pieces(self.text):
                content = [{"type": "text", "text": piece, "index": 0}] if self.blocks else piece
                self.log["sent"] += 1
                yield ChatGenerationChunk(message=AIMessageChunk(content=content))
            if self.calls:
                part = {"name": "look", "args": '{"q": "maps"}', "id": "t1", "index": 0}
                message = AIMessageChunk(content="", tool_call_chunks=[part])
                yield ChatGenerationChunk(message=message)
            end = {"finish_reason": "stop", "model_name": "s"}
            usage = {"input_tokens": 1, "output_tokens": 9, "total_tokens": 10}
            message = AIMessageChunk(content="", response_metadata=end, usage_metadata=usage)
            yield ChatGenerationChunk(message=message)
        finally:
            self.log["closed"] = True

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any):
        self.log.update(asked=messages, kwargs=kwargs)
        message = AIMessage(
            self.text,
            response_metadata={"finish_reason": "stop"},
            tool_calls=[CALL] if self.calls else [],
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=list(tools), **kwargs)


class Listener(BaseCallbackHandler):
    """Hears what callbacks hear."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.ends: list[Any] = []

    def on_llm_new_token(self, token: Any, **kwargs: Any) -> None:
        self.tokens.append(token)

    def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        self.ends.append(response.generations[0][0].message)


def guarded(text: str, policy: gw.Policy | None = None, **how: Any) -> GuardedChatModel:
    given = {"evidence": EVIDENCE, "policy": policy}
    model = Scripted(text=text, log={}, **how)
    return GuardedChatModel(model=model, monitor=MONITOR, given=given)


def total(chunks: Iterator[Any]) -> Any:
    first, *rest = list(chunks)
    for one in rest:
        first += one
    return first


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("text", [TRUE, WRONG])
def test_streams_say_what_the_sources_say(text: str, blocks: bool) -> None:
    listener = Listener()
    model = guarded(text, blocks=blocks)
    message = total(model.stream("When was it opened?", config={"callbacks": [listener]}))
    assert message.text == TRUE
    assert message.response_metadata["finish_reason"] == "stop"
    assert message.response_metadata["groundwire"]["stopped"] == "end"
    assert message.usage_metadata["total_tokens"] == 10
    assert "1961" not in str(listener.tokens)
    assert listener.ends[0].text == TRUE
    assert len(listener.ends) == 1


@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_a_policy_that_only_watches_leaves_the_text(release: Any) -> None:
    model = guarded(WRONG, dataclasses.replace(gw.Policy.observe(), release=release))
    assert total(model.stream("When was it opened?")).text == WRONG
    assert model.invoke("When was it opened?").text == WRONG


def test_finished_answers() -> None:
    model = guarded(WRONG, calls=True)
    message = model.invoke([HumanMessage("When was it opened?")])
    assert message.content == TRUE
    assert message.tool_calls == [CALL]
    assert message.response_metadata["groundwire"]["tier"] == "none"
    assert [m.content for m in model.batch(["a", "b"])] == [TRUE, TRUE]
    stopped = guarded(UNKNOWN, STRICT).invoke("Who runs it?")
    assert "runs" not in stopped.content
    assert stopped.response_metadata["finish_reason"] == "content_filter"


def test_an_interruption_closes_the_models_stream() -> None:
    model = guarded(UNKNOWN + " It is old." * 300, STRICT)
    message = total(model.stream("Who runs it?"))
    assert message.content.startswith("The Amber Library was opened in 1924. ")
    assert "runs" not in message.content
    assert message.response_metadata["finish_reason"] == "content_filter"
    assert message.response_metadata["groundwire"]["stopped"] == "interrupted"
    assert model.model.log["closed"]
    assert model.model.log["sent"] < 40


def test_tool_calls_pass_untouched_and_tools_can_be_bound() -> None:
    model = guarded(TRUE, calls=True).bind_tools(["look"])
    message = total(model.stream("How many maps?", stop=["END"]))
    assert message.tool_calls == [CALL]
    assert message.content == TRUE
    assert isinstance(model, GuardedChatModel)
    assert model.model.bound.log["kwargs"]["tools"] == ["look"]


@pytest.mark.parametrize("text", ["Let me look that up for you", "Let me look. ", ""])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_what_shares_a_chunk_with_held_text_is_not_lost(text: str, asynchronous: bool) -> None:
    usage = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
    whole = AIMessage(
        text, tool_calls=[CALL], usage_metadata=usage, additional_kwargs={"reasoning": "Hm."}
    )
    model = GuardedChatModel(model=RunnableLambda(lambda _: whole), monitor=MONITOR)

    async def go() -> list[Any]:
        return [one async for one in model.astream("How many?")]

    message = total(iter(asyncio.run(go())) if asynchronous else model.stream("How many?"))
    assert message.content == text
    assert message.tool_calls == [CALL]
    assert message.usage_metadata == usage
    assert message.additional_kwargs == {"reasoning": "Hm."}
    assert message.response_metadata["groundwire"]["stopped"] == "end"


def test_what_had_ended_survives_a_stream_that_breaks() -> None:
    class Broken(Scripted):
        def _stream(self, *args: Any, **kwargs: Any):
            yield from super()._stream(*args, **kwargs)
            raise OSError("gone")

    given = {"evidence": EVIDENCE}
    model = GuardedChatModel(model=Broken(text=WRONG, log={}), monitor=MONITOR, given=given)
    got: list[Any] = []
    with pytest.raises(OSError, match="gone"):
        got.extend(model.stream("When?"))
    message = total(iter(got))
    assert message.content == TRUE
    assert message.response_metadata["groundwire"]["stopped"] == "end"


def test_an_answer_in_json_keeps_its_form() -> None:
    model = guarded('{"said": "' + WRONG + '"}')
    form = {"response_format": {"type": "json_object"}}
    assert model.invoke("When?", **form).content == model.model.text
    bound = GuardedChatModel(
        model=model.model.bind(**form), monitor=MONITOR, given={"evidence": EVIDENCE}
    )
    assert total(bound.stream("When?")).content == model.model.text
    found = bound.invoke("When?").response_metadata["groundwire"]["findings"]
    assert any(f["replacement"] == "1924" for f in found)


def test_in_a_chain_with_evidence_of_its_own() -> None:
    bare = GuardedChatModel(model=Scripted(text=WRONG, log={}), monitor=MONITOR)
    found = [Document(page_content=EVIDENCE[0], metadata={"source": "guide.txt"})]
    prompt = ChatPromptTemplate.from_messages([("system", "Be brief."), ("human", "{q}")])
    chain = prompt | bare.bind(groundwire={"evidence": found}) | StrOutputParser()
    assert chain.invoke({"q": "When?"}) == TRUE
    assert "".join(chain.stream({"q": "When?"})) == TRUE
    assert bare.invoke("When?").content == WRONG
    looks = RunnableLambda(lambda q: bare.bind(groundwire={"evidence": EVIDENCE}))
    assert looks.invoke("When?").content == TRUE


def test_a_cache_keeps_no_answer_that_was_checked_otherwise() -> None:
    from langchain_core.caches import InMemoryCache
    from langchain_core.globals import set_llm_cache

    set_llm_cache(InMemoryCache())
    try:
        model = Scripted(text=WRONG, log={})
        checks = [
            GuardedChatModel(model=model, monitor=MONITOR, given={"evidence": evidence})
            for evidence in ((), EVIDENCE, [EVIDENCE[0].replace("1924", "1907")])
        ]
        said = [check.invoke("When?").content for check in checks]
    finally:
        set_llm_cache(None)
    assert said == [WRONG, TRUE, TRUE.replace("1924", "1907")]


def test_models_of_text_are_guarded_too() -> None:
    model = GuardedChatModel(
        model=FakeListLLM(responses=[WRONG]), monitor=MONITOR, given={"evidence": EVIDENCE}
    )
    assert model.invoke("When?").content == TRUE
    assert total(model.stream("When?")).content == TRUE
    odd = GuardedChatModel(model=RunnableLambda(lambda _: 3), monitor=MONITOR)
    with pytest.raises(ArgumentError, match="messages or text, not 3"):
        odd.invoke("When?")


def test_asynchronous_calls_and_their_events() -> None:
    async def go() -> None:
        model = guarded(WRONG)
        assert (await model.ainvoke("When?")).content == TRUE
        chunks = [one async for one in model.astream("When?")]
        assert total(iter(chunks)).content == TRUE
        events = [e async for e in model.astream_events("When?", version="v2")]
        assert any(e["event"] == "on_chat_model_stream" for e in events)
        assert "1961" not in str(events)
        slow = guarded(TRUE * 20)
        stream = slow.astream("When?")
        await anext(stream)
        await stream.aclose()
        await asyncio.sleep(0.01)
        assert slow.model.log["sent"] < 100

    asyncio.run(go())


def test_bad_arguments_are_named() -> None:
    model = guarded(TRUE)
    with pytest.raises(ArgumentError, match="groundwire= is a mapping"):
        model.invoke("x", groundwire="evidence")
    with pytest.raises(ArgumentError, match="evidence is a list of passages"):
        model.invoke("x", groundwire={"evidence": "one string"})
    with pytest.raises(ArgumentError, match="stop_at is 'loud'"):
        GroundwireHandler(MONITOR, stop_at="loud")
    with pytest.raises(ArgumentError, match="evidence is a list"):
        GroundwireHandler(MONITOR, evidence="one string")


def test_a_handler_reports_every_run() -> None:
    reports: list[gw.Report] = []
    handler = GroundwireHandler(
        MONITOR, evidence=EVIDENCE, on_report=lambda _, report: reports.append(report)
    )
    config = {"callbacks": [handler]}
    for text in (TRUE, WRONG):
        model = Scripted(text=text, log={})
        assert total(model.stream("When?", config)).content == text
        assert model.invoke("When?", config).content == text
        asyncio.run(model.ainvoke("When?", config))
    FakeListLLM(responses=[WRONG]).invoke("When?", config)
    assert [r.tier for r in reports] == ["none"] * 3 + ["high"] * 4
    assert not handler._runs


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("streaming", [False, True])
def test_a_handler_that_stops_is_heard(asynchronous: bool, streaming: bool) -> None:
    handler = GroundwireHandler(MONITOR, evidence=EVIDENCE, stop_at="high")
    config = {"callbacks": [handler]}
    model = Scripted(text=WRONG + " It is old." * 100, log={})

    async def go() -> None:
        if streaming:
            async for _ in model.astream("When?", config):
                pass
        else:
            await model.ainvoke("When?", config)

    with pytest.raises(AnswerStopped, match="1924, not 1961") as error:
        if asynchronous:
            asyncio.run(go())
        elif streaming:
            list(model.stream("When?", config))
        else:
            model.invoke("When?", config)
    assert error.value.report.tier == "high"
    assert not handler._runs
    if streaming:
        assert model.log["sent"] < 40
    quiet = Scripted(text=TRUE, log={})
    assert total(quiet.stream("When?", config)).content == TRUE


def test_a_run_that_fails_is_forgotten() -> None:
    class Broken(Scripted):
        def _stream(self, *args: Any, **kwargs: Any):
            yield from super()._stream(*args, **kwargs)
            raise OSError("gone")

    handler = GroundwireHandler(MONITOR)
    with pytest.raises(OSError, match="gone"):
        list(Broken(text=TRUE, log={}).stream("When?", {"callbacks": [handler]}))
    assert not handler._runs


@pytest.mark.parametrize(("reason", "why"), [("stop", "end"), ("length", "length")])
def test_a_limit_that_cut_an_answer_is_what_its_report_says(reason: str, why: str) -> None:
    about = {"finish_reason": reason}
    model = RunnableLambda(lambda _: AIMessage(TRUE, response_metadata=about))
    said = GuardedChatModel(model=model, monitor=MONITOR, given={"evidence": EVIDENCE}).invoke("x")
    assert said.content == TRUE
    assert said.response_metadata["finish_reason"] == reason
    assert said.response_metadata["groundwire"]["stopped"] == why
    chunks = RunnableLambda(lambda _: AIMessageChunk(TRUE, response_metadata=about))
    guarded = GuardedChatModel(model=chunks, monitor=MONITOR, given={"evidence": EVIDENCE})
    told = [one.response_metadata.get("groundwire") for one in guarded.stream("x")]
    assert [one["stopped"] for one in told if one] == [why]


def test_passages_are_no_part_of_the_question() -> None:
    turn = HumanMessage(f"Context: {EVIDENCE[0]}\n\nQuestion: Who opened it?")
    expected = {"question": "Who opened it?", "history": []}
    assert said_in([turn], EVIDENCE) == expected
