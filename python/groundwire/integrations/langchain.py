"""LangChain: a chat model under guard, and a callback handler that watches any model.

    from groundwire.integrations.langchain import GuardedChatModel

    model = GuardedChatModel(model=ChatOpenAI(…), monitor=monitor)
    chain = prompt | model | parser            # invoke, stream, ainvoke, astream, batch …
    model.bind(groundwire={"evidence": documents})

The guarded model calls the other one without callbacks and reports its own words to yours, so that
``astream_events`` and tracers never hear of text that was withheld. The question is the last thing
that the messages' user says, the history what stands before it.

``GroundwireHandler`` changes nothing: it keeps a report of each run, and can end one by raising.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations._extra import need
from groundwire.integrations._feed import adrive, awaited, drive, opening, waited
from groundwire.integrations._forms import own_form
from groundwire.integrations._langchain import MessageFeed, documents, said_in
from groundwire.integrations._langchain_handler import AnswerStopped, GroundwireHandler
from groundwire.integrations._text import CannotRewind

_Model: Any = need("langchain_core.language_models.chat_models", "langchain").BaseChatModel
_outputs = need("langchain_core.outputs", "langchain")
_pydantic = need("pydantic", "langchain")

__all__ = ["AnswerStopped", "GroundwireHandler", "GuardedChatModel"]


class GuardedChatModel(_Model):
    """A chat model whose answers are checked while they come.

    Attributes:
        model: a chat model, or any runnable from messages to messages or text.
        monitor: a ``Monitor``; needs no tokenizer.
        cannot_rewind: what becomes of what needs the model, ``interrupt``, ``annotate`` or
            ``keep_form``, which holds anyway where a call asks for ``response_format``.
        given: evidence (LangChain's documents too), ``policy``, ``hooks``, ``store`` … for every
            call; ``groundwire=`` of a call, or of ``bind``, stands above it.

    The report is in ``response_metadata["groundwire"]`` of the last chunk, or of the message. An
    answer that the guard has ended says ``finish_reason: content_filter`` there, and the stream of
    ``model`` is closed. Tool calls pass untouched, as does reasoning.
    """

    model_config = _pydantic.ConfigDict(arbitrary_types_allowed=True)
    model: Any
    monitor: Any
    cannot_rewind: CannotRewind = "interrupt"
    given: dict[str, Any] = _pydantic.Field(default_factory=dict)
    # What was checked against other evidence is another answer; ``model`` may cache its own.
    cache: Any = False

    @property
    def _llm_type(self) -> str:
        return f"groundwire({getattr(self.model, '_llm_type', type(self.model).__name__)})"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Return this model with tools bound to the one it guards."""
        return self.model_copy(update={"model": self.model.bind_tools(tools, **kwargs)})

    def _stream(self, messages: list[Any], stop: Any = None, **kwargs: Any) -> Iterator[Any]:
        feed, how = self._begin(messages, stop, kwargs)
        stream = self.model.stream(messages, **how)
        for message in drive(stream, feed, getattr(stream, "close", lambda: None)):
            yield _outputs.ChatGenerationChunk(message=message)

    async def _astream(
        self, messages: list[Any], stop: Any = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        feed, how = self._begin(messages, stop, kwargs)
        stream = self.model.astream(messages, **how)
        close = getattr(stream, "aclose", lambda: None)
        async with aclosing(adrive(stream, feed, close)) as guarded:
            async for message in guarded:
                yield _outputs.ChatGenerationChunk(message=message)

    def _generate(self, messages: list[Any], stop: Any = None, **kwargs: Any) -> Any:
        feed, how = self._begin(messages, stop, kwargs)
        (found,) = waited(feed.whole(self.model.invoke(messages, **how)))
        return _outputs.ChatResult(generations=[_outputs.ChatGeneration(message=found)])

    async def _agenerate(self, messages: list[Any], stop: Any = None, **kwargs: Any) -> Any:
        feed, how = self._begin(messages, stop, kwargs)
        answer = await self.model.ainvoke(messages, **how)
        (found,) = [one async for one in awaited(feed.whole(answer))]
        return _outputs.ChatResult(generations=[_outputs.ChatGeneration(message=found)])

    def _begin(
        self, messages: list[Any], stop: Any, kwargs: dict[str, Any]
    ) -> tuple[MessageFeed, dict[str, Any]]:
        kwargs.pop("run_manager", None)
        own = kwargs.pop("groundwire", None) or {}
        if not isinstance(own, Mapping):
            raise ArgumentError(f"groundwire= is a mapping of arguments, not {own!r:.60}")
        given = {**self.given, **own}
        given["evidence"] = documents(given.get("evidence", ()))
        given = {**said_in(messages, given["evidence"]), **given}
        bound = getattr(self.model, "kwargs", None) or {}
        form = own_form({**bound, **kwargs})
        rewind = "keep_form" if form else self.cannot_rewind
        begin = opening(self.monitor, cannot_rewind=rewind, **given)
        how = {"config": {"callbacks": []}, **kwargs}
        return MessageFeed(begin()), how if stop is None else {**how, "stop": stop}
