"""LangChain's callback handler."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from groundwire.errors import ArgumentError, GroundwireError
from groundwire.integrations._extra import need
from groundwire.integrations._langchain import documents, said_in, words_in
from groundwire.integrations._text import paired
from groundwire.plain import TIERS

if TYPE_CHECKING:
    from groundwire.monitor import Monitor
    from groundwire.report import Report

_Handler: Any = need("langchain_core.callbacks", "langchain").BaseCallbackHandler


class AnswerStopped(GroundwireError, RuntimeError):
    """A handler has ended a run; ``report`` says what was found."""

    def __init__(self, message: str, report: Report) -> None:
        """Say why, with the report so far."""
        super().__init__(message)
        self.report = report


class GroundwireHandler(_Handler):
    """Watches every run of a model; changes no text, and can end a run by raising.

    Args:
        monitor: a ``Monitor``; needs no tokenizer.
        stop_at: tier of a finding from which ``AnswerStopped`` is raised: ``low``, ``medium``,
            ``high`` or ``critical``; by default none. Text up to the finding has been streamed by
            then: what must not leave wants ``GuardedChatModel``.
        on_report: called with the run's id and the report of each finished answer.
        given: evidence, ``session_id`` … as for ``Monitor.session``.

    LangChain swallows what a handler raises unless it says ``raise_error``, which this one does. It
    runs inline, so that it stops asynchronous models too.
    """

    raise_error = True
    run_inline = True

    def __init__(
        self,
        monitor: Monitor,
        *,
        stop_at: str | None = None,
        on_report: Callable[[UUID, Report], None] | None = None,
        **given: Any,
    ) -> None:
        """Prepare; a session opens with each run. Raises ``ArgumentError`` for bad arguments."""
        if stop_at is not None and stop_at not in TIERS[1:]:
            raise ArgumentError(f"stop_at is {stop_at!r:.60}; it is one of {', '.join(TIERS[1:])}")
        given["evidence"] = documents(given.get("evidence", ()))
        monitor.session(**given)
        self._monitor, self._given, self._on_report = monitor, given, on_report
        self._stop_at = len(TIERS) if stop_at is None else TIERS.index(stop_at)
        self._runs: dict[UUID, tuple[Any, dict[str, Any], list[str]]] = {}

    def on_chat_model_start(
        self, serialized: Any, messages: list[list[Any]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        """Open a session that knows what was asked."""
        del serialized, kwargs
        self._open(run_id, said_in(messages[0]))

    def on_llm_start(self, serialized: Any, prompts: list[str], *, run_id: UUID, **_: Any) -> None:
        """Open a session that knows the prompt."""
        del serialized
        self._open(run_id, {"question": prompts[0]})

    def on_llm_new_token(self, token: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Follow a piece of an answer; raises ``AnswerStopped`` at a finding of ``stop_at``."""
        del kwargs
        text = paired(words_in(token))
        if run_id not in self._runs:
            self._open(run_id, {})
        session, _, said = self._runs[run_id]
        said.append(text)
        step = session.push_text(text)
        if TIERS.index(step.tier) >= self._stop_at:
            del self._runs[run_id]
            self._end(run_id, session.finish())

    def on_llm_end(self, response: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Finish the session; answers that did not come in pieces are checked whole.

        Raises ``AnswerStopped`` as ``on_llm_new_token`` does.
        """
        del kwargs
        session, given, said = self._runs.pop(run_id, (None, self._given, []))
        heard = "".join(said)
        if heard:
            self._end(run_id, session.finish())
        for generation in (one for some in response.generations for one in some):
            message = getattr(generation, "message", None)
            text = generation.text if message is None else words_in(message.content)
            if text and paired(text) != heard:
                self._end(run_id, self._monitor.check(paired(text), **given))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Forget a run that failed."""
        del error, kwargs
        self._runs.pop(run_id, None)

    def _open(self, run_id: UUID, asked: dict[str, Any]) -> None:
        given = {**asked, **self._given}
        self._runs[run_id] = (self._monitor.session(**given), given, [])

    def _end(self, run_id: UUID, report: Report) -> None:
        if self._on_report is not None:
            self._on_report(run_id, report)
        if TIERS.index(report.tier) >= self._stop_at:
            worst = max(report.findings, key=lambda finding: finding.risk)
            raise AnswerStopped(f"the answer was stopped: {worst.message}", report)
