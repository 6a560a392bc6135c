"""The event sink on real streams, and top logprobs instead of rows."""

from __future__ import annotations

import math

import pytest

import groundwire as gw
from groundwire.events import MemorySink
from groundwire.vocabulary import vocabulary

EVIDENCE = ["The Harbour Museum was founded in 1987 by Ada Lind."]
ANSWER = "The Harbour Museum was founded in 1992 by Ada Lind. Come and see it."


@pytest.mark.req("U-9")
def test_a_sink_hears_of_a_stream_and_reads_nothing_of_it() -> None:
    sink = MemorySink()
    report = gw.Monitor(events=sink).check(ANSWER, evidence=EVIDENCE)
    kinds = [event.kind for event in sink.events]
    assert kinds == ["finding"] * len(report.findings) + ["session_finished"]
    assert report.findings
    assert "1992" not in str([event.to_dict() for event in sink.events])
    assert sink.of("session_finished")[0].data["verdict"] == report.verdict.status


def test_an_unmasked_sink_hears_of_interventions_of_a_guarded_loop() -> None:
    sink = MemorySink(mask=False)
    words = ["The Harbour Museum", " was founded in ", "1992", "1987", " by Ada Lind.", " Come."]
    tokens = vocabulary([(i, word.encode(), False) for i, word in enumerate(words)])
    monitor = gw.Monitor(tokenizer=tokens, events=[sink])
    script = [0, 1, 2, 4, 5]
    events = list(
        gw.guard(
            lambda ids: script[len(ids)] if len(ids) < len(script) else None,
            [],
            monitor=monitor,
            evidence=EVIDENCE,
            encode=lambda text: [words.index(text)],
        )
    )
    report = events[-1].report
    assert report is not None
    assert report.released == "The Harbour Museum was founded in 1987 by Ada Lind. Come."
    (done,) = sink.of("intervention")
    assert done.data["action"] == "correct"
    assert "1992" in done.data["retracted"]
    assert [event.kind for event in sink.events][-1] == "session_finished"


def test_top_logprobs_give_what_they_fix_exactly() -> None:
    session = gw.Monitor().session()
    step = session.push_text("yes", top_logprobs={"yes": math.log(0.7), "no": math.log(0.2)})
    assert step.signals is not None
    assert step.signals.surprisal == pytest.approx(-math.log(0.7))
    assert step.signals.entropy is None, "the rest of the row is unknown"
    with pytest.raises(ValueError, match="not both"):
        session.push_text("a", top_logprobs={"a": -0.1}, signals={"entropy": 1.0})
    with pytest.raises(ValueError, match="dict"):
        session.push_text("a", top_logprobs=[("a", -0.1)])
