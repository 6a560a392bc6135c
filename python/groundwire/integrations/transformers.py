"""Guarded generation with transformers models.

``generate`` and ``stream`` own the decoding loop, so that a hedge, an interruption or a
correction rolls the key-value cache back and the model goes on from the corrected text. For a
``model.generate`` call of your own there are ``GroundwireLogitsProcessor`` and
``GroundwireStoppingCriteria``, which watch, and can end an answer, but rewrite nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from groundwire.events import ReportStore
from groundwire.hooks import Hooks
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
from groundwire.regeneration import Regeneration

__all__ = [
    "BatchWatch", "Generation", "GroundwireLogitsProcessor", "GroundwireStoppingCriteria",
    "StreamEvent", "generate", "stream",
]  # fmt: skip


def generate(
    model: Any,
    tokenizer: Any,
    prompt: Any,
    *,
    monitor: Monitor,
    clock: Callable[[], int] | None = None,
    **given: Any,
) -> Any:
    """Let ``model`` answer under guard, and return the finished answer.

    Args:
        model: a decoder-only transformers model.
        tokenizer: its tokenizer.
        prompt: a string, a chat or token ids; or a list of such, as for ``stream``.
        monitor: a ``Monitor`` compiled with the same tokenizer.
        clock: gives milliseconds, for the policy's ``max_hold_ms``. By default no time limit
            holds: nobody waits, and the answer does not depend on how fast the machine is.
        given: everything else that ``stream`` takes: ``evidence``, ``history``, ``question``,
            ``policy``, ``hooks``, ``regeneration``, ``store``, ``evidence_lift``,
            ``prior_prompt``, and settings of ``model.generate``. Regeneration goes with any
            policy here: nobody has read what is given up.

    Returns:
        A ``Generation``, or a list of them for a list of prompts. ``Generation.given_up`` holds
        the reports of the attempts before it.

    Raises:
        ArgumentError: something cannot be guarded in this way; the message says what to do.
    """
    events = _run(
        model, tokenizer, prompt, monitor=monitor, clock=clock, unread=True, **given
    ).events()
    ends = sorted((e for e in events if e.kind == "end"), key=lambda e: e.row)
    results = [e.result for e in ends]
    return results if prompts.is_many(prompt) else results[0]


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
    hooks: Hooks | Sequence[Hooks] | None = None,
    regeneration: Regeneration | None = None,
    store: ReportStore | None = None,
    clock: Callable[[], int] | None = milliseconds,
    **generate_kwargs: Any,
) -> Iterator[StreamEvent]:
    """Yield what happens while ``model`` answers under guard.

    Settings are checked before the first event is asked for.

    Args:
        model: a decoder-only transformers model.
        tokenizer: its tokenizer.
        prompt: a string, a chat (mappings with ``role`` and ``content``) or token ids; or a list
            of such, which are generated side by side. A string or token ids may end within a
            statement that the answer completes ("Orion was founded in"), as base models without a
            chat template are asked: it is then read as the beginning of the answer's first claim,
            and no part of what is released or rewritten.
        monitor: a ``Monitor`` compiled with the same tokenizer.
        evidence: passages the answer may rest on, as for ``Monitor.session``. For several
            prompts, a list of lists gives every prompt its own.
        history: earlier turns; for several prompts, a list of lists gives every prompt its own. By
            default a chat's turns around the question, or what stands before a prompt's label.
        question: what is being asked; by default a chat's last turn of a user, or a string prompt,
            behind its last label ("Question:"), without passages that stand whole on lines of
            their own. For several prompts, a list gives every prompt its own.
        policy: replaces the monitor's policy.
        evidence_lift: run the same prompt without its evidence beside it, so that what the
            evidence contributes to each token is known. Costs a second row of the batch.
        prior_prompt: the prompt without evidence, where it cannot be derived by taking the
            passages' texts out.
        hooks: an application's own words and steps, as for ``groundwire.guard``: they may refuse
            the question before the model is asked, word what is forced in place of a claim, and
            end the answer with notes. Hooks follow one answer: several prompts take a list.
        regeneration: make an answer that cannot be mended anew, with guidance in the prompt: in
            front of a string or of token ids, at the end of a chat's last turn. What was sent
            cannot be taken back, so the policy has to release the ``response``.
        store: records each final report and its weak points, as for ``GroundwireCallback``.
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
    return _run(
        model, tokenizer, prompt, monitor=monitor, evidence=evidence, history=history,
        question=question, policy=policy, evidence_lift=evidence_lift, prior_prompt=prior_prompt,
        hooks=hooks, regeneration=regeneration, store=store, clock=clock, **generate_kwargs,
    ).events()  # fmt: skip


_OWN = frozenset(inspect.signature(Run).parameters) - {"kwargs"}


def _run(model: Any, tokenizer: Any, prompt: Any, **given: Any) -> Run:
    """Tell our own arguments from those of ``model.generate``."""
    own = {name: value for name, value in given.items() if name in _OWN}
    kwargs = {name: value for name, value in given.items() if name not in _OWN}
    return Run(model, tokenizer, prompt, kwargs=kwargs, **own)
