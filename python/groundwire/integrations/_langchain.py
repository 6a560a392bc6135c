"""LangChain's messages, guarded; and what they say was asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from typing import Any

from groundwire._checks import several
from groundwire._given import passages
from groundwire.errors import ArgumentError
from groundwire.integrations._asked import asked
from groundwire.integrations._extra import need
from groundwire.integrations._feed import ended, fitting, push
from groundwire.integrations._text import TextGuard

_messages = need("langchain_core.messages", "langchain")
ROLES = {"human": "user", "ai": "assistant", "tool": "tool"}
REASONS = ("finish_reason", "stop_reason", "done_reason")
"""Where providers say why an answer ended."""
_BESIDE = (
    "tool_call_chunks", "invalid_tool_calls", "usage_metadata", "additional_kwargs",
    "response_metadata",
)  # fmt: skip
"""What a chunk may hold beside words, which leaves though its words are held."""


class MessageFeed:
    """Guards the words of one message that comes in chunks, or whole.

    Attributes:
        over: whether the guard has ended the answer.
        guards: the one guard.
    """

    def __init__(self, guard: TextGuard) -> None:
        """Guard with ``guard``, which has seen nothing yet."""
        self._guard = guard
        self._held: list[Any] = []
        self._last: Any = None
        self.guards = {0: guard}
        self.over = False

    @property
    def complete(self) -> bool:
        """Whether the model has said why the answer ended."""
        return bool(self._held)

    def feed(self, item: Any) -> Iterator[Any]:
        """Yield the chunk that takes the place of one; None where time has to pass."""
        chunk = _message(item, _messages.AIMessageChunk)
        said = self._content(chunk)
        self._last = chunk
        about = chunk.response_metadata
        last = any(about.get(name) for name in REASONS) or chunk.chunk_position == "last"
        about = _told(about, said if said == chunk.content else None)
        chunk = chunk.model_copy(update={"content": said, "response_metadata": about})
        if last:
            empty = "" if isinstance(said, str) else []
            self._held.append(chunk.model_copy(update={"content": empty}))
            chunk = _messages.AIMessageChunk(content=said, id=chunk.id)
        beside = any(getattr(chunk, name) for name in _BESIDE)
        if said or beside or not self._last.content:
            yield chunk
        if self._guard.cut:
            self.over = True
            yield from self.finish()

    def finish(self) -> Iterator[Any]:
        """Yield what is held, and last of all what there is to say of the answer."""
        rest: list[str] = []
        held = self._held[-1].response_metadata if self._held else {}
        yield from ended(self._guard, rest, _reason(held))
        own = getattr(self._last, "id", None)
        if text := "".join(rest):
            content: Any = text
            if isinstance(getattr(self._last, "content", ""), list):
                content = [{"type": "text", "text": text, "index": self._index()}]
            yield _messages.AIMessageChunk(content=content, id=own)
        end = self._held.pop() if self._held else _messages.AIMessageChunk(content="", id=own)
        yield from self._held
        yield end.model_copy(update={"response_metadata": self._about(end.response_metadata)})

    def whole(self, item: Any) -> Iterator[Any]:
        """Yield None while time has to pass, and then a finished message, guarded."""
        message = _message(item, _messages.AIMessage)
        said, rest = self._content(message), [""]
        yield from ended(self._guard, rest, _reason(message.response_metadata))
        if isinstance(said, str):
            said += "".join(rest)
        elif any(rest):
            said = [*said, {"type": "text", "text": "".join(rest)}]
        about = _told(message.response_metadata, said if said == message.content else None)
        yield message.model_copy(update={"content": said, "response_metadata": self._about(about)})

    def _content(self, message: Any) -> Any:
        tokens = (message.response_metadata.get("logprobs") or {}).get("content")
        if isinstance(message.content, str):
            return push(self._guard, message.content, tokens)
        out: list[Any] = []
        for block in message.content:
            if isinstance(block, str):
                out.append(push(self._guard, block, None))
            elif block.get("type") == "text" and isinstance(block.get("text"), str):
                out.append({**block, "text": push(self._guard, block["text"], None)})
            else:
                out.append(block)
        return [block for block in out if block and block != {"type": "text", "text": ""}]

    def _index(self) -> Any:
        return max(
            (b.get("index", 0) for b in self._last.content if isinstance(b, dict)), default=0
        )

    def _about(self, given: Mapping[str, Any]) -> dict[str, Any]:
        report = self._guard.report()
        found = [finding.to_dict() for finding in report.findings]
        own = {"tier": report.tier, "stopped": report.stopped, "findings": found}
        about = {**given, "groundwire": own}
        if self._guard.cut:
            about = {n: v for n, v in about.items() if n not in REASONS}
            about["finish_reason"] = "content_filter"
        return about


def _told(about: Mapping[str, Any], said: Any) -> dict[str, Any]:
    """Return metadata without what is told of tokens whose text is not in ``said``; all of none."""
    found = dict(about)
    given = found.pop("logprobs", None)
    if said is not None and isinstance(given, Mapping) and isinstance(given.get("content"), list):
        tokens = given["content"]
        kept = list(compress(tokens, fitting(tokens, words_in(said))))
        found["logprobs"] = {**given, "content": kept}
    return found


def _reason(about: Mapping[str, Any]) -> Any:
    """Return why a provider says that an answer ended."""
    return next((about[name] for name in REASONS if about.get(name)), None)


def said_in(messages: Iterable[Any], evidence: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the question, the last thing that messages' user says, and the turns before it.

    Passages of ``evidence`` that stand in it whole are left out.
    """
    turns = [{"role": ROLES.get(m.type), "content": m.content} for m in messages]
    return asked(turns, [text for _, text in passages(evidence)])


def documents(evidence: Any) -> list[Any]:
    """Return evidence with LangChain's documents as passages; the rest is as it was."""
    found = []
    for item in several(evidence, "evidence", "passages"):
        text = getattr(item, "page_content", None)
        name = getattr(item, "id", None) or (getattr(item, "metadata", None) or {}).get("source")
        passage = {"text": text, "id": str(name)} if name else text
        found.append(item if text is None else passage)
    return found


def words_in(content: Any) -> str:
    """Return the words of a message's content, or of a token that a handler hears."""
    if isinstance(content, str):
        return content
    blocks = (b if isinstance(b, str) else b.get("text") for b in content or ())
    return "".join(text for text in blocks if isinstance(text, str))


def _message(item: Any, kind: Any) -> Any:
    if isinstance(item, str):
        return kind(content=item)
    if not isinstance(item, _messages.AIMessage):
        raise ArgumentError(f"a model answers with messages or text, not {item!r:.80}")
    if isinstance(item, kind):
        return item
    return kind(**item.model_dump(exclude={"type"}))
