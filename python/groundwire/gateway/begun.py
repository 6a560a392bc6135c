"""Answers that go on with text of the request: what of it their first claim begins with."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from groundwire import _core
from groundwire.gateway.apart import starts_over, way
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused
from groundwire.gateway.unread import leaves_code_open
from groundwire.integrations.prompts import unfinished

if TYPE_CHECKING:
    from groundwire.gateway.continuation import Headers
    from groundwire.gateway.tokens import Token
    from groundwire.gateway.upstream import Upstream

ENOUGH = 16
"""Characters of a beginning that nobody goes on with by chance."""
_MOST = 4096
"""Characters at the end of a beginning that are read."""
_MOST_IDS = 1024
_MOST_SPACE = 64
"""White space at the beginning of an answer behind which it is taken to go on."""
_ENDS = ".!?…"
_CLOSES = "\"'”’»)]}*_`"
_FORMS = ("{", "[", "`", "~")
_GOES_ON = ",.;:)]}!?…%’"
"""Marks with which no answer begins."""
DETOKENIZE_S = 10.0


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the answer may go on with.

    Attributes:
        lead: the text.
        own: whether it is the answer's own, and no prompt.
        states: whether it is no question, order or label, behind which an answer begins.
        sure: whether the upstream is known to go on with it.
        joined: whether it is known, too, that the answer begins right behind it.
        alone: what the answer goes on with by itself, where a request that is not to be believed
            could say that it goes on, and is what becomes of it by that; else none.
    """

    lead: str = ""
    own: bool = False
    states: bool = False
    sure: bool = True
    joined: bool = False
    alone: Beginning | None = None

    @property
    def open(self) -> bool:
        """Whether the answer's first letters say how it stands to the text."""
        touches = not self.joined and not self.lead[-1:].isspace()
        return bool(self.lead) and (touches or not self.sure)

    @property
    def closed(self) -> str:
        """The text as sentences of its own, for an upstream that starts over."""
        return self.lead.rstrip() + "\n\n" if self.own else ""


def asked_for(text: str, *, own: bool, sure: bool) -> Beginning:
    """Return what an answer goes on with of a request's ``text``.

    Nothing is judged in code, little behind "Imagine that": an answer that may be no part of what
    the request began is judged by itself as well.
    """
    found = beginning(text, own=own, sure=sure)
    if leaves_code_open(found.lead):
        return replace(found, sure=True, alone=Beginning())
    return replace(found, alone=Beginning()) if own and found.lead and not sure else found


def beginning(text: str, *, own: bool, sure: bool) -> Beginning:
    """Return what an answer goes on with of ``text``.

    Where the text is the answer's own, all of it may say what the answer's first words are about.
    A prompt's last sentence may be a question or an order, which no answer goes on with; where it
    states something it is a claim that is begun.
    """
    if own:
        return Beginning(text[-_MOST:], own=True, states=True, sure=sure)
    block = text[-_MOST:].rpartition("\n\n")[2]
    line = block.rpartition("\n")[2]
    if not line.strip():
        return Beginning()
    read = json.loads(_core.segments(block))
    if read and read[-1]["kind"] != "Prose":
        # What a list or a table is about stands above it.
        return Beginning(block, sure=False)
    if stated := unfinished(None, text):
        return Beginning(stated, states=True, sure=False)
    if not read or line.rstrip(f" {_CLOSES}").endswith(tuple(_ENDS)):
        return Beginning()
    return Beginning(block[read[-1]["span"][0] :], sure=False)


def behind(text: str, *, apart: bool) -> Beginning:
    """Return what a text of an answer goes on with behind ``text``, which the answer says before.

    Parts of one message may share a sentence; one ``apart``, in another message, begins its own.
    """
    begun = beginning(text, own=True, sure=False)
    return Beginning(begun.closed, own=True, states=True) if apart and begun.lead else begun


@dataclass(slots=True)
class Opening:
    """Looks at the first text of an answer, which goes on with a beginning or starts over.

    What goes on behind a word begins with white space or a mark, within the word, or with what that
    word is missing; what starts over begins with a capital right behind it, or says the beginning
    once more. Behind a prompt that says nothing yet, and is no label, every capital begins a
    sentence.

    Attributes:
        beginning: what the answer may go on with.
        held: what came so far.
        gap: space that has to be read between the beginning and the answer, which has none.
        both: whether an answer that goes on may as well be one by itself.
    """

    beginning: Beginning
    form: bool = False
    """Whether the answer's first mark has to be known, by which it has a form or none."""
    held: list[tuple[str, tuple[Token, ...]]] = field(default_factory=list)
    gap: str = ""
    both: bool = False

    @property
    def size(self) -> int:
        """Bytes that wait."""
        return sum(len(text.encode("utf-8", "surrogatepass")) for text, _ in self.held)

    def hear(self, text: str, tokens: tuple[Token, ...] = ()) -> bool | None:
        """Take in more; return whether the answer goes on, none while that is open."""
        self.held.append((text, tokens))
        heard = "".join(text for text, _ in self.held)
        if self.form and not heard.strip() and len(heard) <= _MOST_SPACE:
            return None
        if not self.beginning.open:
            self.both = self.beginning.alone is not None
            return True
        goes_on = self.beginning.sure or self._goes_on(heard)
        if not goes_on:
            return goes_on
        found = way(self.beginning.lead, heard)
        self.gap = " " if found == "apart" else ""
        self.both = self._both(heard)
        return None if found is None else True

    def end(self) -> None:
        """Take what came for all of the answer, which goes on."""
        heard = "".join(text for text, _ in self.held)
        if self.beginning.open:
            self.gap = " " if way(self.beginning.lead, heard, ends=True) == "apart" else ""
        self.both = self._both(heard)

    def formed(self, *, goes_on: bool) -> bool:
        """Whether the answer begins as JSON or a block of code does."""
        lead = self.beginning.lead if goes_on and self.beginning.own else ""
        said = (lead + "".join(text for text, _ in self.held)).lstrip()
        return self.form and said.startswith(_FORMS)

    def _both(self, heard: str) -> bool:
        """Whether nothing shows that the answer goes on: a space before a small letter, a mark."""
        if self.beginning.alone is None or self.beginning.sure:
            return self.beginning.alone is not None
        said = heard.lstrip()
        touches = said == heard and (bool(self.gap) or self.beginning.lead[-1:].isspace())
        small = said[:1].islower() and not touches
        return not small and not said.startswith(tuple(_GOES_ON))

    def _goes_on(self, heard: str) -> bool | None:
        said = heard.lstrip()
        if not said:
            return True if len(heard) > _MOST_SPACE else None
        apart = said != heard or self.beginning.lead[-1:].isspace()
        mark = self.beginning.lead.rstrip()[-1:]
        if said[0].isupper():
            goes_on = mark == ":" or self.beginning.states
            if not apart and self.beginning.states and mark.isalpha():
                over = starts_over(self.beginning.lead, said)
                if over is None or over:
                    return None if over is None else False
            elif not (goes_on if apart else not (mark.isalnum() or mark in f"{_ENDS},;:")):
                return False
        if not self.beginning.states:
            return True
        starts = [one for one in _starts(self.beginning.lead) if len(one) > 1]
        if any(said.startswith(start) for start in starts):
            return False
        return None if any(start.startswith(said) for start in starts) else True


def _starts(lead: str) -> list[str]:
    """Return how a text begins, and its last sentence."""
    read = json.loads(_core.segments(lead))
    last = lead[read[-1]["span"][0] :] if read else lead
    return [lead.lstrip()[:ENOUGH], last[:ENOUGH]]


async def texts_of(
    upstream: Upstream, headers: Headers, model: str | None, prompts: list[Any]
) -> list[str] | None:
    """Return the ends of prompts that are token ids, or none if the upstream does not say.

    There is no one form of ``/detokenize``: the text stands in ``prompt`` (vLLM), ``text`` (SGLang)
    or ``content`` (llama.cpp's server).
    """
    found = []
    for ids in prompts:
        if isinstance(ids, str):
            found.append(ids)
            continue
        if not isinstance(ids, list) or not all(type(one) is int for one in ids):
            return None
        body = {"model": model, "tokens": ids[-_MOST_IDS:]}
        try:
            data, _ = await upstream.json("/detokenize", headers, body, within_s=DETOKENIZE_S)
        except (UpstreamFault, UpstreamRefused):
            return None
        text = next((data[n] for n in ("prompt", "text", "content") if n in data), None)
        if not isinstance(text, str):
            return None
        found.append(text)
    return found
