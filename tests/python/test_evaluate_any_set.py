"""Thresholds for sets that nobody tuned on: a median of sets, never all and never none."""

from __future__ import annotations

import json
import math
import random

import pytest

pytest.importorskip("numpy")

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import groundwire as gw
from groundwire.evaluate import runner, tables, threshold_file, tuning
from groundwire.evaluate.any_set import effect, for_any
from groundwire.evaluate.calibration import LEAST, MOST, choose, degenerate, sensible
from groundwire.evaluate.data import record
from groundwire.evaluate.detectors import Judgement, ScoredSpan
from groundwire.evaluate.measures import best_f1_threshold
from groundwire.evaluate.scored import Scored


def answers(name, scores, labels):
    return [
        Scored(
            record({"id": f"{name}{i}", "set": name, "response": "So it is.", "hallucinated": y}),
            [],
            float(s),
        )
        for i, (s, y) in enumerate(zip(scores, labels, strict=True))
    ]


def drawn(name, size, share, cut, seed):
    """Answers of which ``share`` is hallucinated; those score above ``cut`` more often."""
    source = random.Random(seed)
    labels = [i < size * share for i in range(size)]
    scores = [
        min(max(source.gauss(cut + (0.15 if y else -0.15), 0.12), 0.001), 1.0) for y in labels
    ]
    return answers(name, scores, labels)


SETS = {
    "few": drawn("few", 60, 0.2, 0.30, 1),
    "half": drawn("half", 80, 0.5, 0.50, 2),
    "most": drawn("most", 400, 0.7, 0.45, 3),
    "last": drawn("last", 50, 0.4, 0.70, 4),
}


def mean_accuracy(sets, threshold):
    return np.mean([effect(part, threshold)["balanced_accuracy"] for part in sets.values()])


def test_the_highest_mean_of_balanced_accuracies_counts_each_set_the_same() -> None:
    found = for_any(SETS)
    assert found.example == found.balanced
    tried = np.linspace(0.001, 1.0, 400)
    assert mean_accuracy(SETS, found.example) >= max(mean_accuracy(SETS, t) for t in tried)
    one = {"half": SETS["half"]}
    assert for_any(one).balanced == choose({0.0: SETS["half"]}).balanced
    # A set that is ten times as large, but otherwise the same, counts no more.
    many = [answers("most", [s.score], [s.record.hallucinated])[0] for s in SETS["most"]] * 10
    assert for_any({**SETS, "most": many}).balanced == found.balanced


def test_what_it_does_on_a_set_is_measured_without_that_set() -> None:
    found = for_any(SETS)
    assert set(found.left_out) == set(SETS)
    for name, measured in found.left_out.items():
        rest = for_any({other: part for other, part in SETS.items() if other != name})
        assert measured == effect(SETS[name], rest.example)
        assert LEAST <= measured["flagged"] <= MOST
    assert for_any({"few": SETS["few"], "half": SETS["half"]}).left_out == {}


def test_the_highest_f1_of_everything_together_would_flag_nearly_everything() -> None:
    """The defect this is for: in a set of mostly hallucinated answers, all is best flagged."""
    noise = random.Random(5)
    labels = [noise.random() < 0.7 for _ in range(300)]
    big = answers("big", [noise.random() for _ in labels], labels)
    pooled = [*big, *SETS["few"], *SETS["half"]]
    scores = np.array([s.score for s in pooled])
    truth = np.array([s.record.hallucinated for s in pooled])
    naive = best_f1_threshold(scores, np.ones(len(pooled)), truth, truth.sum())
    assert effect(pooled, naive)["flagged"] > MOST
    sets = {"big": big, "few": SETS["few"], "half": SETS["half"]}
    for part in sets.values():
        assert LEAST <= effect(part, for_any(sets).example)["flagged"] <= MOST


def test_sets_of_one_label_have_no_vote_on_answers() -> None:
    alone = answers("wrong", [0.9, 0.8, 0.7, 0.95] * 5, [True] * 20)
    assert for_any({**SETS, "wrong": alone}).example == for_any(SETS).example
    assert "wrong" not in for_any({**SETS, "wrong": alone}).left_out
    assert for_any({"wrong": alone}).example == choose({0.0: alone}).example


def test_a_threshold_that_would_flag_a_whole_set_is_moved() -> None:
    labels = [i % 2 == 0 for i in range(100)]
    high = answers("high", [0.40 + 0.005 * i for i in range(100)], labels)
    # Clear at 0.3, with some scores far above it, so that both kinds of set leave room.
    spread = [(0.35 + 0.005 * i if y else 0.25) for i, y in enumerate(labels)]
    sets = {"high": high, **{f"low{i}": answers(f"low{i}", spread, labels) for i in range(3)}}
    best = choose({0.0: sets["low0"]}).balanced
    assert effect(high, best)["flagged"] > MOST
    found = for_any(sets)
    assert found.example > best
    assert all(LEAST <= effect(p, found.example)["flagged"] <= MOST for p in sets.values())
    # Without room in common the best stands.
    apart = {**sets, "high": answers("high", [0.9 + i / 2000 for i in range(100)], labels)}
    assert for_any(apart).example == best


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 0.9, 1.0]), min_size=1, max_size=60),
    st.integers(0, 2**32),
)
def test_what_is_sensible_is_what_a_slow_reading_says(scores, bits) -> None:
    labels = np.array([bool(bits >> (i % 32) & 1) for i in range(len(scores))])
    values = np.array(scores)
    share = labels.mean()
    fits = [
        cut
        for cut in sorted({s for s in scores if s > 0})
        if min(LEAST, share) <= sum(s >= cut for s in scores) / len(scores) <= max(MOST, share)
    ]
    expected = (fits[0], fits[-1]) if fits else (0.0, math.inf)
    assert sensible(values, labels) == expected
    best = best_f1_threshold(values, np.ones(len(values)), labels, labels.sum(), within=expected)
    if fits:
        flagged = ((values > 0) & (values >= best)).mean()
        assert min(LEAST, share) <= flagged <= max(MOST, share)


class Constant:
    """Scores that part nothing at the thresholds of others."""

    name = "own"

    def __init__(self, shift):
        self.shift = shift

    def judge(self, item, mode):
        size = len(item.response)
        own = self.shift + (int(item.id) % 10) / 100
        return Judgement((ScoredSpan(0, size, own, size),))


def rows(name, count=60):
    return [
        record(
            {
                "id": str(i),
                "set": name,
                "response": f"It has {i} rooms.",
                "hallucinated": i % 3 == 0,
                "spans": [{"start": 0, "end": 5}] if i % 3 == 0 else [],
            }
        )
        for i in range(count)
    ]


def test_a_threshold_that_flags_all_or_none_is_told(tmp_path) -> None:
    chosen, data = tuning.tune({"tuned": rows("tuned")}, [Constant(0.3)], modes=["whole"])
    path = tmp_path / "t.json"
    threshold_file.write(path, chosen, data, made_by="a test")
    file = threshold_file.ThresholdFile.load(path)
    heard = []
    for shift, share in ((0.8, "100.0 %"), (0.01, "0.0 %")):
        run = runner.run_all(
            {"unseen": [r for r in rows("unseen", 90) if int(r.id) >= 60]},
            [Constant(shift)],
            modes=["whole"],
            file=file,
            resamples=5,
            progress=heard.append,
        )
        (said,) = run.warnings
        assert said.startswith(f"unseen: own, whole: {share} of the answers are flagged, 33.3 %")
        assert f"warning: {said}" in heard
        assert json.loads(json.dumps(run.to_dict()))["warnings"] == [said]
        assert f"- {said}" in tables.markdown(run.to_dict())
    fine = runner.run_all({"own": rows("own")}, [Constant(0.3)], modes=["whole"], resamples=5)
    assert fine.warnings == []


def test_one_source_leaves_nothing_to_choose_on() -> None:
    class Wavering:
        name = "wavering"

        def judge(self, item, mode):
            return Judgement((), (int(item.id) + 1) / 100)

    one = [
        record(
            {
                "id": str(i),
                "evidence": ["The same."],
                "response": f"It has {i} rooms.",
                "hallucinated": i % 2 == 0,
            }
        )
        for i in range(40)
    ]
    run = runner.run_all({"one": one}, [Wavering()], modes=["whole"], resamples=5)
    assert "answers of one source alone leave none" in run.warnings[0]


def test_nothing_is_told_where_no_threshold_would_do_better() -> None:
    flat = answers("flat", [0.5] * 40, [i % 2 == 0 for i in range(40)])
    assert degenerate(flat, [choose({0.0: flat})] * 40) is None
    wrong = answers("wrong", [0.4, 0.6] * 20, [True] * 40)
    assert degenerate(wrong, [choose({0.0: wrong})] * 40) is None


def test_a_file_says_how_its_thresholds_were_chosen(tmp_path) -> None:
    sets = {name: rows(name, 30 + 10 * i) for i, name in enumerate(("a", "b", "c"))}
    chosen, data = tuning.tune(sets, [Constant(0.2)], modes=["whole"])
    path = tmp_path / "t.json"
    threshold_file.write(path, chosen, data, made_by="a test")
    body = json.loads(path.read_text(encoding="utf-8"))
    assert "upper median" in body["about"]["*"]
    left_out = body["thresholds"]["own"]["whole"]["*"]["left_out"]
    assert set(left_out) == {"a", "b", "c"}
    assert set(left_out["a"]) == {"threshold", "flagged", "example_f1", "balanced_accuracy"}
    found = threshold_file.ThresholdFile.load(path).find("own", "whole", "elsewhere")
    assert found is not None and found[1].left_out == {}


def test_the_shipped_thresholds_for_any_set_are_neither_all_nor_none() -> None:
    file = runner.shipped()
    assert file is not None
    measured = 0
    for name in ("groundwire", "groundwire:as-is"):
        for by_set in file.data["thresholds"][name].values():
            for values in by_set["*"].get("left_out", {}).values():
                assert LEAST <= values["flagged"] <= MOST
                assert values["balanced_accuracy"] > 0.5
                measured += 1
    assert measured >= 12
    assert not {"factscore", "faithbench"} & {part["set"] for part in file.data["data"].values()}
    values = gw.evaluate.run(
        Constant(0.5), rows("elsewhere"), thresholds=file, modes=["whole"], resamples=5
    )
    assert "example_f1" in values["whole"]
