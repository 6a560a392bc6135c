"""Guarded generation with transformers models.

``generate`` and ``stream`` own the decoding loop, so that a hedge, an interruption or a
correction rolls the key-value cache back and the model goes on from the corrected text. For a
``model.generate`` call of your own there are ``GroundwireLogitsProcessor`` and
``GroundwireStoppingCriteria``, which watch, and can end an answer, but rewrite nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from groundwire._given import passages
from groundwire.errors import ArgumentError
from groundwire.integrations import prompts
from groundwire.integrations._answer import milliseconds
from groundwire.integrations._events import Generation, StreamEvent
from groundwire.integrations._hooks import (
    BatchWatch,
    GroundwireLogitsProcessor,
    GroundwireStoppingCriteria,
)
from groundwire.integrations._run import Run
from groundwire.monitor import Monitor
from groundwire.policy import Policy
from groundwire.regeneration import Regeneration, guidance, needs_regeneration, with_guidance
from groundwire.report import Report

__all__ = [
    "BatchWatch",
    "Generation",
    "GroundwireLogitsProcessor",
    "GroundwireStoppingCriteria",
    "StreamEvent",
    "generate",
    "stream",
]


def generate(
    model: Any,
    tokenizer: Any,
    prompt: Any,
    *,
    monitor: Monitor,
    clock: Callable[[], int] | None = None,
    regeneration: Regeneration | None = None,
    **given: Any,
) -> Any:
    """Let ``model`` answer under guard, and return the finished answer.

    Args:
        model: a decoder-only transformers model.
        tokenizer: its tokenizer.
        prompt: a string, a chat or token ids; or a list of such, as for ``stream``.
        monitor: a ``Monitor`` compiled with the same tokenizer.
        clock: gives milliseconds, for the policy's ``max_hold_ms``. By default no time limit
            holds: nobody waits for the text, and the answer does not depend on how fast the
            machine is.
        regeneration: make an answer that cannot be mended anew, with guidance in the prompt: in
            front of a string or of token ids, at the end of a chat's last turn. One prompt at a
            time. ``Generation.given_up`` holds the reports of the answers before.
        given: everything else that ``stream`` takes: ``evidence``, ``history``, ``question``,
            ``policy``, ``evidence_lift``, ``prior_prompt``, and settings of ``model.generate``.

    Returns:
        A ``Generation``, or a list of them for a list of prompts.

    Raises:
        ArgumentError: something cannot be guarded in this way; the message says what to do.
    """
    if regeneration is not None:
        return _anew(model, tokenizer, prompt, monitor, regeneration, {**given, "clock": clock})
    events = stream(model, tokenizer, prompt, monitor=monitor, clock=clock, **given)
    ends = sorted((e for e in events if e.kind == "end"), key=lambda e: e.row)
    results = [e.result for e in ends]
    return results if prompts.is_many(prompt) else results[0]


def _anew(
    model: Any,
    tokenizer: Any,
    prompt: Any,
    monitor: Monitor,
    how: Regeneration,
    given: dict[str, Any],
) -> Generation:
    """Answer until an attempt can be used, or all have failed."""
    if prompts.is_many(prompt):
        raise ArgumentError("regeneration is for one prompt at a time; call generate for each")
    given["evidence"] = list(given.get("evidence", ()))
    given["history"] = list(given.get("history", ()))
    # What is asked stays the same, whatever the prompt tells of earlier answers.
    if given.get("question") is None:
        given["question"] = prompts.asked(prompt, passages(given["evidence"]))
    before: list[Report] = []
    now = prompt
    while True:
        result: Generation = generate(model, tokenizer, now, monitor=monitor, **given)
        if not needs_regeneration(result.report, monitor):
            break
        if len(before) == how.max_attempts:
            if how.escalate is None:
                break
            text = how.escalate(result.report, tuple(before))
            if text is not None:
                report = replace(result.report, released=text, stopped="escalated")
                result = replace(result, text=text, report=report, reason="escalated")
            break
        before.append(result.report)
        told = guidance(result.report)
        now = (how.prompt or prompts.with_guidance)(prompt, told)
        if now is None:
            now = with_guidance(
                prompts.encode(tokenizer, prompt),
                told,
                lambda text: tokenizer.encode(text, add_special_tokens=False),
                tokenizer,
            )
    return replace(result, given_up=tuple(before))


def stream(
    model: Any,
    tokenizer: Any,
    prompt: Any,
    *,
    monitor: Monitor,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    question: str | Sequence[str] | None = None,
    policy: Policy | None = None,
    evidence_lift: bool = False,
    prior_prompt: Any = None,
    clock: Callable[[], int] | None = milliseconds,
    **generate_kwargs: Any,
) -> Iterator[StreamEvent]:
    """Yield what happens while ``model`` answers under guard.

    Settings are checked before the first event is asked for.

    Args:
        model: a decoder-only transformers model.
        tokenizer: its tokenizer.
        prompt: a string, a chat (mappings with ``role`` and ``content``) or token ids; or a list
            of such, which are generated side by side.
        monitor: a ``Monitor`` compiled with the same tokenizer.
        evidence: passages the answer may rest on, as for ``Monitor.session``. For several
            prompts, a list of lists gives every prompt its own.
        history: earlier turns; for several prompts, a list of lists gives every prompt its own.
        question: what is being asked; by default a chat's last turn, or a string prompt, without
            the evidence. For several prompts, a list gives every prompt its own.
        policy: replaces the monitor's policy.
        evidence_lift: run the same prompt without its evidence beside it, so that what the
            evidence contributes to each token is known. Costs a second row of the batch.
        prior_prompt: the prompt without evidence, where it cannot be derived by taking the
            passages' texts out.
        clock: gives milliseconds, never going back, for the policy's ``max_hold_ms``. By default
            the machine's monotonic clock, since somebody waits for a stream: on a slow machine
            text may then leave before its claim has closed, and ``Report.holds_given_up``
            counts it. With ``None`` only ``max_hold_tokens`` limits how long text is held, and
            the events are the same on every machine. Your own callable counts whatever you
            want waiting to mean.
        generate_kwargs: as for ``model.generate``: ``max_new_tokens``, ``do_sample`` ….

    Raises:
        ArgumentError: something cannot be guarded in this way; the message says what to do.
    """
    return Run(
        model, tokenizer, prompt, monitor, evidence, history, question, policy,
        evidence_lift, prior_prompt, generate_kwargs, clock,
    ).events()  # fmt: skip
