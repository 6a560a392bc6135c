"""Evidence lift over a stream, with rows written by hand: no model is needed."""

from __future__ import annotations

import math

import numpy as np
import pytest

import groundwire as gw

WORDS = ["The chair", " is", " Ada", " Lind", " of Rome", ".", " It is open."]
VOCAB = gw.Vocab.from_entries([(i, word.encode(), False) for i, word in enumerate(WORDS)])
EVIDENCE = ["The chair of the board is Ada Lind."]
# For each token of the answer: its probability with the evidence and without it.
SCRIPT = [
    (0, 0.5, 0.5),
    (1, 0.8, 0.4),
    (2, 0.9, 0.01),
    (3, 0.95, 0.02),
    (4, 0.3, 0.3),
    (5, 0.6, 0.6),
    (6, 0.2, 0.4),
]


def row(token: int, p: float) -> np.ndarray:
    """Logits by which ``token`` has the probability ``p`` and the others share the rest."""
    logits = np.full(len(WORDS), math.log((1 - p) / (len(WORDS) - 1)), dtype=np.float32)
    logits[token] = math.log(p)
    return logits + np.float32(3.0)  # a constant changes no probability


def script(ids: list[int]) -> tuple[int, np.ndarray, np.ndarray] | None:
    if len(ids) == len(SCRIPT):
        return None
    token, with_it, without = SCRIPT[len(ids)]
    return token, row(token, with_it), row(token, without)


@pytest.mark.req("SPEC-08.03")
def test_evidence_lift_is_what_the_evidence_added_in_bits() -> None:
    monitor = gw.Monitor(tokenizer=VOCAB, policy=gw.Policy.observe())
    events = list(gw.guard(script, [], monitor=monitor, evidence=EVIDENCE))
    lifts = [e.step.signals.lift_bits for e in events if e.kind == "token" and e.step is not None]
    wanted = [math.log2(with_it / without) for _, with_it, without in SCRIPT]
    assert lifts == pytest.approx(wanted, abs=1e-4)
    carried, made_up = sum(lifts[2:4]), lifts[4]
    assert carried > 10, "the name stands in the evidence alone"
    assert made_up == pytest.approx(0.0, abs=1e-4), "the evidence speaks of no Rome"
    assert lifts[6] == pytest.approx(-1.0, abs=1e-4), "what the evidence made less likely"
    report = events[-1].report
    assert report is not None
    assert report.stats["lift_bits"] == pytest.approx(sum(wanted), abs=1e-3)


def test_evidence_lift_needs_both_rows() -> None:
    session = gw.Monitor(tokenizer=VOCAB).session(evidence=EVIDENCE)
    step = session.push(2, logits=row(2, 0.9))
    assert step.signals is not None and step.signals.lift_bits is None
    with pytest.raises(ValueError, match="needs logits beside it"):
        session.push(3, prior_logits=row(3, 0.9))
    assert session.pushes == 1
    assert session.finish().stats["lift_bits"] == 0.0


def test_evidence_lift_of_what_the_evidence_does_not_change_is_none() -> None:
    session = gw.Monitor(tokenizer=VOCAB).session(evidence=EVIDENCE)
    for token, p, _ in SCRIPT:
        step = session.push(token, logits=row(token, p), prior_logits=row(token, p))
        assert step.signals is not None
        assert (step.signals.lift_bits, step.signals.kl_bits) == (0.0, 0.0)
    assert session.finish().stats["lift_bits"] == 0.0


def test_evidence_lift_is_taken_back_with_its_tokens() -> None:
    session = gw.Monitor(tokenizer=VOCAB).session(evidence=EVIDENCE)
    for token, with_it, without in SCRIPT[:3]:
        session.push(token, logits=row(token, with_it), prior_logits=row(token, without))
    session.rollback(1)
    assert session.peek().stats["lift_bits"] == pytest.approx(1.0, abs=1e-4)
