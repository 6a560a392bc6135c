"""A LiteLLM guardrail: answers that pass its proxy are checked, streamed or not.

In the proxy's configuration::

    guardrails:
      - guardrail_name: groundwire
        litellm_params:
          guardrail: groundwire.integrations.litellm.GroundwireGuardrail
          mode: post_call
          default_on: true
          groundwire_config: groundwire.toml    # or leave it out: GROUNDWIRE_CONFIG, defaults
          cannot_rewind: interrupt              # or annotate

Policies and knowledge bases are those of the configuration's section ``serving``, chosen by model
or by the request: ``"metadata": {"groundwire": {"policy": …, "evidence": […]}}``. A request cannot
ask for less than the server allows. Question and history are the request's messages.

Chat completions and completions are checked. Answers of routes in another form (``/v1/responses``,
``/v1/messages``) are refused rather than let through unchecked. Embeddings, images and tool calls
pass untouched. Where JSON is asked for nothing is put into the text: what would be ends the answer,
unless ``cannot_rewind`` or the server lets it stay.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from groundwire.errors import ArgumentError
from groundwire.integrations._asked import asked
from groundwire.integrations._chat import ChatFeed, whole
from groundwire.integrations._extra import need
from groundwire.integrations._feed import adrive, awaited, opening
from groundwire.integrations._litellm import (
    answers,
    chunks,
    closed,
    holds_words,
    refuse_unread,
    refused,
    under_form,
)
from groundwire.integrations._text import CannotRewind, TextGuard, without_rewind
from groundwire.integrations.serving import Registry

if TYPE_CHECKING:
    from groundwire.report import Report

_Guardrail: Any = need("litellm.integrations.custom_guardrail", "litellm").CustomGuardrail


class GroundwireGuardrail(_Guardrail):
    """Checks what models answer; see the module.

    Args:
        groundwire_config: a configuration file; by default ``GROUNDWIRE_CONFIG`` and the
            environment.
        registry: policies and knowledge bases, in place of those of a file.
        cannot_rewind: what becomes of what needs the model, ``interrupt``, ``annotate`` or
            ``keep_form``: an answer that passes through cannot be taken up again.
        on_report: called with the report of each answer, and the request, at its end.
        given: what LiteLLM gives every guardrail.

    Raises ``ConfigError`` for a configuration that is not valid, ``ArgumentError`` for arguments
    of a monitor and misspelt ones, which LiteLLM would take and nobody reads.
    """

    def __init__(
        self,
        groundwire_config: str | None = None,
        *,
        registry: Registry | None = None,
        cannot_rewind: CannotRewind = "interrupt",
        on_report: Callable[[Report, Mapping[str, Any]], None] | None = None,
        **given: Any,
    ) -> None:
        """Load policies and knowledge bases, once."""
        refuse_unread(given)
        self._registry = Registry.load(groundwire_config) if registry is None else registry
        without_rewind(self._registry.policies["default"], cannot_rewind)
        self._cannot_rewind, self._on_report = cannot_rewind, on_report
        super().__init__(**given)

    def __init_subclass__(cls, **given: Any) -> None:
        """Let subclasses be heard: LiteLLM looks for the streaming hook in the class alone."""
        super().__init_subclass__(**given)
        name = "async_post_call_streaming_iterator_hook"
        setattr(cls, name, getattr(cls, name))

    async def async_post_call_success_hook(
        self, data: dict[str, Any], user_api_key_dict: Any, response: Any
    ) -> Any:
        """Return a finished answer as the guard leaves it."""
        del user_api_key_dict
        if not isinstance(getattr(response, "choices", None), list):
            if holds_words(response):
                raise refused(f"an answer of the kind {type(response).__name__} is not checked")
            return response
        begin = self._opening(data)
        if begin is None:
            return response
        guards: dict[Any, TextGuard] = {}
        found = [one async for one in awaited(whole(response, begin, guards))]
        self._report(guards, data)
        return found[-1]

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: dict[str, Any]
    ) -> AsyncIterator[Any]:
        """Yield the chunks of a streamed answer as the guard leaves them."""
        del user_api_key_dict
        guards: Mapping[Any, TextGuard] = {}
        try:
            begin = self._opening(request_data)
            if begin is None:
                async for chunk in response:
                    yield chunk
                return
            feed = ChatFeed(begin, answers(request_data.get("n")))
            guards = feed.guards
            async with aclosing(adrive(chunks(response), feed, lambda: None)) as guarded:
                async for chunk in guarded:
                    yield chunk
        finally:
            # Whatever ends it, a refusal or a client that goes away, the model need not go on.
            await closed(response)
            self._report(guards, request_data)

    def _opening(self, request: Mapping[str, Any]) -> Callable[[], TextGuard] | None:
        """Return what opens the guards of a request, or none where checking is off for it."""
        about = request.get("metadata")
        options = about.get("groundwire") if isinstance(about, Mapping) else None
        try:
            found = self._registry.resolve(options, model=request.get("model"))
            if found.monitor is None:
                return None
            shown = [text for _, text in found.evidence]
            given = {**asked(request.get("messages"), shown), "evidence": found.evidence}
            given |= {"policy": found.policy, "session_id": found.id}
            may_lower = self._registry.serving.requests_may_lower
            how, formed = under_form(request, self._cannot_rewind, may_lower=may_lower)
            return opening(found.monitor, cannot_rewind=how, formed=formed, **given)
        except ArgumentError as error:
            raise refused(str(error)) from error

    def _report(self, guards: Mapping[Any, TextGuard], request: Mapping[str, Any]) -> None:
        for guard in guards.values() if self._on_report is not None else ():
            self._on_report(guard.report(), request)  # type: ignore[misc]
