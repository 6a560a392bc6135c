"""What was said in time, and how late it was."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numpy")

from groundwire.evaluate.data import record
from groundwire.evaluate.delay import BINS, delay_bin, delays, first_alarm_early
from groundwire.evaluate.detectors.base import (
    LOOK_AHEAD,
    ScoredSpan,
    decided_token,
    in_time,
)

#       0   1    2    3     4  5   6     7   8    9 10
TEXT = "The mill has 40 sails. It has nine old doors."


def make(text=TEXT, spans=()):
    places = [{"start": text.index(w), "end": text.index(w) + len(w)} for w in spans]
    return record({"response": text, "hallucinated": bool(spans), "spans": places})


def at(text, end_of):
    return text.index(end_of) + len(end_of)


def flag(text, what, read, score=0.9):
    start = text.index(what)
    return ScoredSpan(start, start + len(what), score, read)


def test_decided_token_counts_what_has_been_read() -> None:
    item = make()
    assert decided_token(item, 0) == -1
    for i, (start, end) in enumerate(item.tokens):
        assert decided_token(item, start + 1) == i
        assert decided_token(item, end) == i


def test_a_phrase_may_be_judged_two_tokens_late_at_the_word() -> None:
    item = make()
    for late, counts in ((0, True), (1, True), (2, True), (3, False)):
        read = item.tokens[3 + late][1]
        kept = in_time(item, "word", [flag(TEXT, "40", read)])
        assert bool(kept) == counts, late
    assert LOOK_AHEAD == 2


def test_a_sentence_verdict_comes_too_late_at_the_word_and_in_time_at_the_sentence() -> None:
    text = "The big old mill by the river has 40 broad white sails. It is fine now, really."
    item = make(text)
    whole = flag(text, "The big old mill by the river has 40 broad white sails.", at(text, "It"))
    assert in_time(item, "word", [whole]) == []
    assert in_time(item, "sentence", [whole]) == [whole]
    late = flag(text, "The big old mill by the river has 40 broad white sails.", at(text, "now"))
    assert in_time(item, "sentence", [late]) == []
    assert in_time(item, "whole", [late]) == [late]


def test_of_a_stretch_over_two_sentences_what_is_in_time_is_kept() -> None:
    item = make()
    span = ScoredSpan(0, len(TEXT), 0.5, len(TEXT))
    kept = in_time(item, "sentence", [span])
    # The second sentence has 6 of 12 tokens: half is enough.
    assert [TEXT[s.start : s.end] for s in kept] == ["It has nine old doors."]


def test_bins() -> None:
    assert [delay_bin(n) for n in (-3, 0, 1, 32, 33, 64, 65, 128, 129)] == [
        "in_span", "in_span", "1_32", "1_32", "33_64", "33_64", "65_128", "65_128", "over_128",
    ]  # fmt: skip


def test_delays_by_hand() -> None:
    item = make(spans=["40 sails", "nine old doors"])
    # 40 sails: flagged at "has" of the second sentence: token 7; first token 3, last 4.
    spans = [flag(TEXT, "40", at(TEXT, "It has"))]
    first, second = delays(item, spans, 0.5)
    assert (first.bin, first.onset, first.end) == ("1_32", 4, 3)
    assert (second.bin, second.onset) == ("never", None)
    assert delays(item, spans, 0.95)[0].bin == "never"
    # A flag over everything from before the stretch began was raised for something else.
    early = ScoredSpan(0, len(TEXT), 0.9, at(TEXT, "mill"))
    assert [d.bin for d in delays(item, [early], 0.5)] == ["early", "early"]
    inside = flag(TEXT, "nine", at(TEXT, "old"))
    assert delays(item, [inside], 0.5)[1].bin == "in_span"
    assert first_alarm_early(item, [early], 0.5)
    assert not first_alarm_early(item, spans, 0.5)
    assert not first_alarm_early(item, [], 0.5)


def test_delays_against_a_slow_twin() -> None:
    rng = random.Random(2)
    words = [f"w{i}" for i in range(40)]
    text = " ".join(words)
    places = [(text.index(w), text.index(w) + len(w)) for w in words]
    for _ in range(200):
        a, b = sorted(rng.sample(range(40), 2))
        gold = {"start": places[a][0], "end": places[b][1]}
        item = record({"response": text, "hallucinated": True, "spans": [gold]})
        spans, slow = [], []
        for _ in range(rng.randint(0, 3)):
            c, d = sorted(rng.sample(range(40), 2))
            read = rng.randrange(d, 40)
            score = rng.choice([0.2, 0.8])
            spans.append(ScoredSpan(places[c][0], places[d][1], score, places[read][1]))
            if score > 0.5 and c <= b and a <= d:
                slow.append(read)
        (found,) = delays(item, spans, 0.5)
        if not slow:
            assert found.bin == "never"
        elif min(slow) < a:
            assert found.bin == "early"
        else:
            assert (found.onset, found.end) == (min(slow) - a, min(slow) - b)
        assert found.bin in BINS
