"""Requests of different kinds that join and leave one running batch, for both model runners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import vllm_cases as cases

STOP = 5
UNKNOWN = "Zorblax Quimby opened the museum in the spring."
STAFF = "The Harbour Museum has 60 employees."
STAFF_NOTE = " (Correction: 45, not 60.)"
LIBRARY = "The Lakeside Library lends 30 boats."
LIBRARY_NOTE = " (Correction: 12, not 30.)"
LENT = "The Lakeside Library lends 12 boats."
OPEN = "The old mill stands behind the bridge."
KB = {"groundwire": "default", "groundwire_kb": "museum"}
ENDING = {
    "groundwire": "ending",
    "groundwire_kb": "museum",
    "groundwire_evidence": ["The museum has 45 employees."],
}


class Asked(NamedTuple):
    """One request, and the steps of the engine at which it joins and is given up.

    Attributes:
        sentence: what the model is to copy.
        extra: the request's arguments, or ``None`` where it is not checked.
        joins: the step before which it is added.
        leaves: the step before which it is given up, if it is.
        more: other fields of its ``SamplingParams``.
    """

    sentence: str
    extra: dict[str, Any] | None = None
    joins: int = 0
    leaves: int | None = None
    more: Mapping[str, Any] = {}


REQUESTS = {
    "off": Asked(OPEN),
    "noted": Asked(cases.WRONG, KB),
    "given up": Asked(STAFF, KB, joins=2, leaves=9),
    "evidence": Asked(LIBRARY, {"groundwire": "default", "groundwire_evidence": [LENT]}, joins=3),
    "ended": Asked(UNKNOWN, ENDING, joins=5, more={"stop_token_ids": [STOP]}),
    "true": Asked(LENT, {"groundwire": "default", "groundwire_evidence": [LENT]}, joins=6),
    "observed": Asked(STAFF, {**KB, "groundwire": "observe"}, joins=12),
    "off later": Asked(STAFF, None, joins=14),
    "staff": Asked(STAFF, KB, joins=16),
    # Waits until a place is free, and is given up while it is written.
    "left later": Asked(cases.WRONG, None, joins=17, leaves=52),
}
SILENT = ("off", "true", "observed", "off later")
"""Requests whose tokens are those of an engine that checks nothing."""
SAID = {
    "noted": cases.WRONG + cases.NOTE,
    "evidence": LIBRARY + LIBRARY_NOTE,
    "staff": STAFF + STAFF_NOTE,
    "ended": f"{UNKNOWN} (I could not confirm this.)",
}
"""What stands in the answers in which something is found."""


def alone(asked: Asked, *, checked: bool = True) -> dict[str, Asked]:
    """Return a request by itself, unchecked where that is asked for."""
    extra = asked.extra if checked else None
    return {"alone": asked._replace(joins=0, leaves=None, extra=extra)}


def run(engine: Any, asked: Mapping[str, Asked], tokens: int) -> dict[str, list[dict[str, Any]]]:
    """Drive the engine until all is written; return what each request that was not given up got."""
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind

    found: dict[str, list[dict[str, Any]]] = {}
    at, last = 0, max(one.joins for one in asked.values())
    while at <= last or engine.has_unfinished_requests():
        for name, one in asked.items():
            if one.joins == at:
                given = {"temperature": 0.0, "max_tokens": tokens, **one.more}
                # Several answers to one prompt come as one output, when all are written.
                given["output_kind"] = RequestOutputKind.FINAL_ONLY
                prompt = "Copy the sentence.\n" + f"{one.sentence}\n" * 3
                engine.add_request(name, prompt, SamplingParams(extra_args=one.extra, **given))
            if one.leaves == at:
                engine.abort_request([name])
        for output in engine.step() if engine.has_unfinished_requests() else ():
            if output.finished:
                found[output.request_id] = [told(one) for one in output.outputs]
        at += 1
    return found


def told(output: Any) -> dict[str, Any]:
    """Return what is compared of an answer, as JSON has it."""
    return {
        "text": output.text,
        "tokens": list(output.token_ids),
        "stop": output.stop_reason,
        "finish": output.finish_reason,
    }


def preemptions(metrics: Iterable[Any]) -> float:
    """Return how often a request was preempted, of an engine that keeps statistics."""
    return sum(m.value for m in metrics if m.name == "vllm:num_preemptions")
