"""The server's own process: the same guards over the same tokens, so that answers carry findings.

Nothing comes back from the worker but tokens, and text verdicts depend on tokens alone: whoever
follows them comes to the same verdicts, and judges the last token too, which the worker never sees.
What the worker reads in rows of logits comes by datagram.
"""

from __future__ import annotations

import dataclasses
import logging
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from groundwire.errors import ConfigError, GroundwireError
from groundwire.findings import Finding
from groundwire.integrations._asked import question_in
from groundwire.integrations.serving import Resolved
from groundwire.integrations.vllm.arguments import (
    QUESTION,
    SERVED,
    SIGNALS,
    Asked,
    check_signals,
    fitting,
    observes,
    read,
    refuse_observed,
)
from groundwire.integrations.vllm.counts import note_text
from groundwire.integrations.vllm.datagrams import Receiver
from groundwire.integrations.vllm.loading import Loaded, judges_confidence
from groundwire.integrations.vllm.stream import Stream, Tap, follow
from groundwire.plain import tier_rank, worst
from groundwire.report import Report

log = logging.getLogger("groundwire.vllm")
OBSERVED = "structured output: a note or an end would break the form, so nothing was put in"


class Text:
    """One answer's text, followed as the worker follows it."""

    def __init__(self, front: Front, params: Any, stream: Tap | None) -> None:
        """Prepare; ``stream`` is ``None`` where nothing is checked."""
        self._front, self._params, self._stream = front, params, stream
        self.report: Report | None = None
        self.unsaid = ""

    def take(self, one: Any) -> None:
        """Take a ``CompletionOutput``: what is new, or everything so far."""
        stream = self._stream
        if stream is None:
            return
        ids = [int(token) for token in one.token_ids]
        kind = getattr(self._params.output_kind, "name", "")
        if kind != "DELTA":
            ids = ids[len(stream.seen) :]
        if one.finish_reason == "stop" and ids and self._ends(ids[-1], one.stop_reason):
            ids.pop()
        receiver = self._front.receiver
        if receiver is not None and stream.sends is not None:
            begin = len(stream.seen)
            for position in range(begin, begin + len(ids)):
                numbers = receiver.take(stream.sends, position)
                if numbers is not None:
                    stream.numbers[position] = numbers
        follow([(stream, ids)])
        if one.finish_reason is not None and isinstance(stream, Stream):
            self._finish(stream, "" if one.finish_reason == "stop" else str(one.finish_reason))

    def summary(self) -> dict[str, Any]:
        """Return what was found in this text."""
        if self.report is None:
            reason = None if self._stream is None else self._stream.lost
            found: dict[str, Any] = {"checked": False}
            found |= {} if reason is None else {"unchecked_because": reason}
            return found | self._observed()
        most = self._front.loaded.registry.serving.limits.max_listed
        listed = worst(self.report.findings, most, lambda finding: finding.tier)
        found = {
            "checked": self.report.latched is None,
            "tier": self.report.tier,
            "stopped": self.report.stopped,
            "findings": [self._shown(finding) for finding in listed],
        }
        if left_out := len(self.report.findings) - len(listed):
            found["left_out"] = {"findings": left_out}
        return found | ({"unsaid": self.unsaid} if self.unsaid else {}) | self._observed()

    def _shown(self, finding: Finding) -> dict[str, Any]:
        """Return a finding whose places are in the answer, without the prompt's sentence."""
        lead = self._stream.lead if isinstance(self._stream, Stream) else ""
        data = finding.to_dict()
        for name, size in (("span", len(lead)), ("byte_span", len(lead.encode()))):
            if lead and data.get(name) is not None:
                data[name] = [max(0, place - size) for place in data[name]]
        if lead:
            size = len(lead.encode())
            data["decided_at"] -= size
            data["spans"] = [[max(0, place - size) for place in span] for span in data["spans"]]
        return data

    def _observed(self) -> dict[str, str]:
        """Say why nothing was put into this text, if it was observed only."""
        observes = isinstance(self._stream, Stream) and self._stream.observes
        return {"observed_only": OBSERVED} if observes else {}

    def close(self) -> None:
        """Expect no more signals."""
        if self._front.receiver is not None and self._stream is not None and self._stream.sends:
            self._front.receiver.forget(self._stream.sends)

    def _finish(self, stream: Stream, cut: str) -> None:
        """Judge the end; ``cut`` says why the answer is not complete, empty where it is."""
        if stream.lost is not None:
            return
        if cut:
            stream.guard.cut()
        stream.guard.finish(0)
        said = stream.guard.unsaid()
        self.report = stream.guard.report()
        if cut and self.report.stopped == "end":
            self.report = dataclasses.replace(self.report, stopped=cut)
        # A note that the answer's end cut through is told as a whole.
        cut_through = stream.queue and not self.report.text.endswith(stream.saying.rstrip())
        begun = stream.saying if cut_through else ""
        self.unsaid = begun + ("" if said is None else said.text)

    def _ends(self, token: int, reason: Any) -> bool:
        listed = self._params.stop_token_ids or ()
        return token in self._front.loaded.ends or token in listed or token == reason


class Answers:
    """What one HTTP request brought: its texts by their places among the answer's choices."""

    def __init__(self) -> None:
        """Prepare an empty answer."""
        self.texts: dict[int, Text] = {}
        self.named: dict[str, str] = {}
        self.questions: Sequence[str] = ()
        self._begun = 0
        self._places = 0

    def begin(self, count: int) -> int:
        """Return the place of the first of ``count`` texts that are begun now.

        The server begins its prompts in their order, and numbers choices so, ``n`` for each.
        """
        first = self._places
        self._places += count
        return first

    def question(self) -> str:
        """Return what the next text answers; each chat of a batch has a question of its own."""
        self._begun += 1
        at = 0 if len(self.questions) == 1 else self._begun - 1
        return self.questions[at] if at < len(self.questions) else ""

    def summary(self) -> dict[str, Any] | None:
        """Return the ``groundwire`` object, or ``None`` where nothing was generated.

        Of several texts each has its ``index``, that of its choice, and they stand in this order.
        """
        found = [{"index": at} | self.texts[at].summary() for at in sorted(self.texts)]
        if not found:
            return None
        if self._places <= 1:
            del found[0]["index"]
            return {**self.named, **found[0]}
        tier = max((str(one.get("tier", "none")) for one in found), key=tier_rank)
        checked = all(one["checked"] for one in found)
        return {**self.named, "checked": checked, "tier": tier, "texts": found}


OWN = "groundwire-"
"""How the ids begin by which a server tells its own requests' signals apart."""
CURRENT: ContextVar[Answers | None] = ContextVar("groundwire_vllm_answers", default=None)
"""The answers of the HTTP request that is being served."""


class Front:
    """Follows what an engine client generates.

    Attributes:
        loaded: what the worker's plugin has too.
        receiver: where the worker's signals arrive; ``None`` where none are configured.
    """

    def __init__(self, loaded: Loaded) -> None:
        """Listen for signals where a socket is configured, unless another process does."""
        self.loaded = loaded
        self.receiver: Receiver | None = None
        path = loaded.registry.serving.signals_socket
        try:
            self.receiver = Receiver(path) if path else None
        except ConfigError as error:
            log.warning("groundwire: findings of the model's confidence may be missing: %s", error)

    def check(self, arguments: Mapping[str, Any], *, formed: bool) -> list[str]:
        """Refuse what the arguments of a request may not say, before the server has seen them.

        A stream of the server has begun when it would refuse them itself. ``formed`` says whether
        the answer keeps a form. Returns the request's passages; raises ``ArgumentError``.
        """
        registry = self.loaded.registry
        asked = read(arguments, registry.serving)
        found = registry.resolve(asked.options, model=self.loaded.model, flat=True)
        refuse_observed(registry, found, formed=formed)
        check_signals(registry, asked, found)
        return [text for _, text in found.evidence]

    def wrap(self, engine: Any) -> None:
        """Have everything that ``engine`` generates from here on followed."""
        inner = engine.generate

        def generate(
            prompt: Any, sampling_params: Any, request_id: str, **more: Any
        ) -> AsyncGenerator[Any, None]:
            answers = CURRENT.get()
            if answers is None or not hasattr(sampling_params, "output_kind"):
                plain: AsyncGenerator[Any, None] = inner(
                    prompt, sampling_params, request_id, **more
                )
                return plain
            first = answers.begin(getattr(sampling_params, "n", 1))
            params, checked = self._open(sampling_params, answers)
            outputs = inner(prompt, params, request_id, **more)
            return self._followed(outputs, answers, params, first, checked=checked)

        engine.generate = generate

    async def _followed(
        self,
        outputs: AsyncGenerator[Any, None],
        answers: Answers,
        params: Any,
        first: int,
        *,
        checked: bool,
    ) -> AsyncGenerator[Any, None]:
        texts: dict[int, Text] = {}
        name = str((params.extra_args or {}).get("groundwire_id", ""))
        # The engine looks at the request's arguments in this context.
        SERVED.set(self.loaded.model)
        signals = self.receiver if checked and name.startswith(OWN) else None
        try:
            if signals is not None:
                signals.announce(name)
            async for output in outputs:
                for one in output.outputs:
                    if one.index not in texts:
                        prompt = getattr(output, "prompt_token_ids", None)
                        stream = self._stream(params, prompt) if checked else None
                        texts[one.index] = Text(self, params, stream)
                        answers.texts[first + one.index] = texts[one.index]
                    self._take(texts[one.index], one)
                yield output
        finally:
            for text in texts.values():
                text.close()
                note_text(text.summary())
            if signals is not None:
                # A request may end before its first token.
                signals.forget(name)
            await outputs.aclose()

    def _open(self, params: Any, answers: Answers) -> tuple[Any, bool]:
        """Return the parameters for the engine, and whether the request's texts are checked.

        Raises ``ArgumentError``, which the server answers with status 400, for what the model's
        choices do not allow: the engine, which does not know the model there, may not refuse it.
        """
        registry = self.loaded.registry
        asked, chat = read(params.extra_args, registry.serving), answers.question()
        found = registry.resolve(asked.options, model=self.loaded.model, flat=True)
        refuse_observed(registry, found, formed=observes(params))
        answers.named = {"policy": found.policy_name}
        if found.knowledge_base:
            answers.named["knowledge_base"] = found.knowledge_base
        if found.id is not None:
            answers.named["client_id"] = found.id
        if found.monitor is None:
            return params, False
        own = self._question(asked, chat, found)
        one = getattr(params, "n", 1) == 1
        if self.receiver is not None and one and judges_confidence(found.monitor):
            own |= {SIGNALS: 1, "groundwire_id": f"{OWN}{uuid.uuid4().hex}"}
        if own:
            params = params.clone()
            params.extra_args = {**(params.extra_args or {}), **own}
        return params, True

    def _question(self, asked: Asked, chat: str, found: Resolved) -> dict[str, Any]:
        """Return the argument that tells the worker what a chat asks, without its evidence."""
        if asked.question is not None:
            return {}
        _, chat = question_in(chat, (passage for _, passage in found.evidence))
        most = self.loaded.registry.serving.limits.max_history
        text = fitting(chat.strip(), most)
        return {QUESTION: text} if text else {}

    def _stream(self, params: Any, prompt: Any) -> Tap | None:
        try:
            return self.loaded.open(params, prompt)
        except GroundwireError as error:
            log.error("groundwire: an answer goes unchecked in the server: %s", error)
            return None

    @staticmethod
    def _take(text: Text, one: Any) -> None:
        """Follow an output; what goes wrong here does not take the answer from its reader."""
        try:
            text.take(one)
        except Exception as error:
            log.error("groundwire: a fault in the server: %s: %s", type(error).__name__, error)
            text._stream = None
