"""Detectors, thresholds and a whole run, on a set of the tests' own."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace

import pytest

pytest.importorskip("numpy")

import numpy as np

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError, MissingExtraError
from groundwire.evaluate import calibration, runner, tables, threshold_file, tuning
from groundwire.evaluate.data import record
from groundwire.evaluate.detectors import Judgement, ScoredSpan, detector, naive
from groundwire.evaluate.detectors.names import DEFAULT, ENTRY_DEFAULT, LM_DEFAULT
from groundwire.evaluate.detectors.ours import Groundwire, row_text, table
from groundwire.evaluate.own_terms import bump
from groundwire.evaluate.scored import Scored, variants

SOURCE = "The Harbour Mill was built in 1{n:03} by Ada Lind. It has {n} sails and two doors."
GOOD = "The Harbour Mill was built in 1{n:03} by Ada Lind. It has {n} sails."
BAD = "The Harbour Mill was built in 1{n:03}. It was sold for 7 million marks to a foreign bank."


def made(count=24, name="mine", first=0):
    records = []
    for n in range(first, first + count):
        for kind, text in (("good", GOOD), ("bad", BAD)):
            response = text.format(n=n + 10)
            wrong = kind == "bad"
            start = response.index("It ")
            records.append(
                record(
                    {
                        "id": f"{name}-{n}-{kind}",
                        "set": name,
                        "evidence": [{"id": "p", "text": SOURCE.format(n=n + 10)}],
                        "response": response,
                        "hallucinated": wrong,
                        "spans": [{"start": start, "end": len(response)}] if wrong else [],
                    }
                )
            )
    return records


class Oracle:
    """Knows the labels; how sure it is depends on the record, so that thresholds matter."""

    name = "oracle"

    def judge(self, item, mode):
        score = 0.9 if item.hallucinated else 0.3
        places = [(s.start, s.end) for s in item.spans]
        if mode == "word":
            places = [(a, b) for a, b in item.tokens for c, d in places if c <= a < d]
        return Judgement(tuple(ScoredSpan(a, b, score, b) for a, b in places), score)


def test_an_oracle_is_perfect_and_flags_at_once() -> None:
    found = gw.evaluate.run(Oracle(), made(), resamples=50)
    for mode in ("word", "sentence", "whole"):
        values = found[mode]
        assert values["example_f1"] == values["span_f1"] == values["roc_auc"] == 1.0
        assert values["balanced_accuracy"] == 1.0
        assert values["recall_at_1_percent_false_alarms"] == 1.0
        assert values["false_alarms_per_1000_clean_tokens"] == 0.0
        assert values["span_f1_ci"] == [1.0, 1.0]
        assert (values["records"], values["hallucinated"]) == (48, 24)
    assert found["sentence"]["delay_in_span"] == 1.0
    assert found["sentence"]["delay_from_end_p50"] == 0.0
    assert "delay_in_span" not in found["whole"], "there is no delay once all is known"


def test_ours_finds_the_invented_sentence_and_streaming_equals_the_whole() -> None:
    found = gw.evaluate.run(Groundwire(), made(), resamples=20)
    assert found["sentence"]["example_f1"] > 0.9
    assert found["sentence"]["span_f1"] > 0.8
    assert found["sentence"]["roc_auc"] == found["whole"]["roc_auc"]
    assert found["sentence"]["us_per_token_p99"] >= found["sentence"]["us_per_token_p50"] > 0
    assert found["sentence"]["delay_never"] == 0.0


def test_flag_all_and_random_are_what_they_are() -> None:
    found = gw.evaluate.run(naive.FlagAll(), made(), resamples=20)["sentence"]
    assert found["roc_auc"] == 0.5
    assert found["example_recall"] == found["span_recall"] == 1.0
    assert found["example_precision"] == 0.5
    bad = [len(r.response) for r in made() if r.hallucinated]
    gold = sum(s.end - s.start for r in made() for s in r.spans)
    clean = [len(r.response) for r in made() if not r.hallucinated]
    assert found["span_precision"] == pytest.approx(gold / (sum(bad) + sum(clean)))
    first = naive.Random(1).judge(made(1)[0], "sentence")
    assert first == naive.Random(1).judge(made(1)[0], "sentence")
    assert first != naive.Random(2).judge(made(1)[0], "sentence")


def test_detectors_can_be_switched_off_by_name() -> None:
    item = next(r for r in made() if r.hallucinated)
    every = {s.type for s in detector("groundwire").judge(item, "sentence").spans}
    assert "stream.unsupported_sentence" in every
    without = detector("groundwire-unsupported_sentence").judge(item, "sentence")
    assert {s.type for s in without.spans} == every - {"stream.unsupported_sentence"}
    only = detector("groundwire=unsupported_sentence").judge(item, "whole")
    assert {s.type for s in only.spans} == {"stream.unsupported_sentence"}
    assert detector("groundwire:as-is").name == "groundwire:as-is"


@pytest.mark.parametrize("name", ["lettucedetect", "summac-zs"])
def test_a_peer_that_is_not_installed_says_what_to_install(name, monkeypatch) -> None:
    for module in ("lettucedetect", "summac"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match="pip install"):
        detector(name)


def test_wrong_names_say_what_there_is() -> None:
    with pytest.raises(ArgumentError, match="novelty"):
        detector("nothing")
    with pytest.raises(ArgumentError, match="groundwire-TYPE"):
        detector("groundwire!")
    with pytest.raises(ArgumentError, match="--lm"):
        detector("novelty+lm")


def test_a_peer_that_finds_spans_is_asked_about_prefixes() -> None:
    from groundwire.evaluate.detectors.peers import Peer

    asked = []

    class Scorer:
        name = "stand-in"

        def whole(self, item, text):
            asked.append(text)
            at = text.find("sold")
            return ([(at, at + 4, 0.7)] if at >= 0 else []), None

    item = next(r for r in made(1) if r.hallucinated)
    peer = Peer(Scorer(), spans=True)
    (span,) = peer.judge(item, "sentence").spans
    assert asked == [item.response[:b] for _, b in item.sentences]
    assert (item.response[span.start : span.end], span.decided_at) == ("sold", len(item.response))
    (word,) = peer.judge(item, "word").spans
    assert word.decided_at == item.response.index("sold") + 4
    assert peer.judge(item, "whole").spans[0].score == 0.7


def test_what_a_peer_has_no_number_for_counts_as_unsaid() -> None:
    from groundwire.evaluate.detectors.peers import Peer

    class Scorer:
        name = "stand-in"

        def whole(self, item, text):
            return [(0, 3, float("nan")), (9, 4, 0.5), (4, 9, 0.5)], float("nan")

    item = made(1)[0]
    judged = Peer(Scorer(), spans=True).judge(item, "whole")
    assert [(s.start, s.end) for s in judged.spans] == [(4, 9)]
    assert judged.score is None
    assert Peer(Scorer(), spans=False).judge(item, "sentence") == Judgement()


def test_no_record_is_judged_by_thresholds_that_its_source_chose() -> None:
    records = made()
    scored = [
        Scored(r, [], 0.5 + calibration.fold_of(r.group) / 10 + 0.01 * r.hallucinated)
        for r in records
    ]
    _, limits = calibration.cross_fit(variants(scored))
    for item, limit in zip(scored, limits, strict=True):
        fold = calibration.fold_of(item.record.group)
        rest = [s for s in scored if calibration.fold_of(s.record.group) != fold]
        assert limit == calibration.choose({0.0: rest})
    assert len({calibration.fold_of(r.group) for r in records}) > 2


def test_shipped_thresholds_are_used_on_others_and_never_on_their_own(tmp_path) -> None:
    path = tmp_path / "thresholds.json"
    own, other = made(12), made(12, first=100)
    chosen, data = tuning.tune({"mine": own}, [detector("novelty")], modes=["sentence"])
    threshold_file.write(path, chosen, data, made_by="a test")
    file = threshold_file.ThresholdFile.load(path)
    run = runner.run_all(
        {"a": other, "b": own}, [detector("novelty")], modes=["sentence"], file=file, resamples=10
    )
    assert run.thresholds["a"]["novelty"]["sentence"] == "mine"
    assert run.thresholds["b"]["novelty"]["sentence"] == "cross-fitted"
    assert file.known(own) == [True] * len(own)
    assert file.known(other) == [False] * len(other)
    name, limits = file.find("novelty", "sentence", "unheard of") or ("", None)
    assert name == "*"
    assert limits is not None and limits.span is not None
    del file.data["thresholds"]["novelty"]["sentence"]["mine"]["span"]
    _, filled = file.find("novelty", "sentence", "mine") or ("", None)
    assert filled is not None and filled.span == limits.span, "filled from all sets'"
    with pytest.raises(ArgumentError, match="exists"):
        threshold_file.write(path, chosen, data, made_by="a test")
    threshold_file.write(path, chosen, data, made_by="a test", overwrite=True)
    path.write_text('{"schema_version": 9}', encoding="utf-8")
    with pytest.raises(FormatError, match=r"thresholds\.json is no file of thresholds"):
        threshold_file.ThresholdFile.load(path)


def test_records_of_a_known_source_are_unseen_unless_they_were_judged_themselves(tmp_path) -> None:
    path = tmp_path / "thresholds.json"
    own = made(12)
    chosen, data = tuning.tune({"mine": own}, [detector("novelty")], modes=["sentence"])
    threshold_file.write(path, chosen, data, made_by="a test")
    file = threshold_file.ThresholdFile.load(path)
    # The same passages, other answers: a held-out part of the same set.
    held_out = [replace(r, id=f"h{r.id}", response=r.response + " Yes.") for r in own]
    assert {r.group for r in held_out} == {r.group for r in own}
    mixed = [*held_out, *own[:6]]
    found = runner.run_all(
        {"held_out": held_out, "mixed": mixed},
        [detector("novelty")],
        modes=["sentence"],
        file=file,
        resamples=10,
    )
    assert found.thresholds["held_out"]["novelty"]["sentence"] == "mine"
    assert found.thresholds["mixed"]["novelty"]["sentence"] == (
        "mine; cross-fitted for 6 it was chosen on"
    )
    renamed = replace(own[0], id="another", hallucinated=not own[0].hallucinated)
    assert file.known([renamed]) == [True], "neither id nor label makes a record another one"
    # Files of before knew sources only.
    old = {**file.data, "data": {"mine": {"sources": [_source(own[0])]}}}
    assert threshold_file.ThresholdFile(old).known([own[0], made(1, first=90)[0]]) == [True, False]
    broken = {**file.data, "data": {"mine": {"records_seen": "?"}}}
    with pytest.raises(FormatError, match="records_seen"):
        threshold_file.ThresholdFile(broken).known(own)


def _source(item):
    return hashlib.blake2b(item.group.encode(), digest_size=8).hexdigest()


def test_thresholds_of_one_detector_are_put_among_those_of_others(tmp_path) -> None:
    path = tmp_path / "thresholds.json"
    first = tuning.tune({"a": made(6)}, [detector("novelty"), Oracle()], modes=["whole"])
    threshold_file.write(path, *first, made_by="one")
    before = threshold_file.ThresholdFile.load(path)
    second = tuning.tune({"b": made(6, "yours", 50)}, [detector("novelty")], modes=["whole"])
    with pytest.raises(ArgumentError, match="--merge"):
        threshold_file.write(path, *second, made_by="two")
    threshold_file.write(path, *second, made_by="two", merge=True)
    after = threshold_file.ThresholdFile.load(path)
    assert after.find("oracle", "whole", "mine") == before.find("oracle", "whole", "mine")
    assert (after.find("novelty", "whole", "yours") or [None])[0] == "yours"
    assert (after.find("novelty", "whole", "mine") or [None])[0] == "*"
    assert after.data["made_by"] == "one; those of novelty: two"
    assert all(after.known(made(6))) and all(after.known(made(6, "yours", 50)))
    # Chosen again on more of a set: what was known of it stays known.
    third = tuning.tune({"a": made(2, first=70)}, [detector("novelty")], modes=["whole"])
    threshold_file.write(path, *third, made_by="three", merge=True)
    assert all(threshold_file.ThresholdFile.load(path).known([*made(6), *made(2, first=70)]))


def test_the_shipped_thresholds_serve_what_is_measured_by_default() -> None:
    file = runner.shipped()
    assert file is not None
    for name in (*DEFAULT, *ENTRY_DEFAULT, *LM_DEFAULT):
        for mode in ("whole",) if name in ENTRY_DEFAULT else ("word", "sentence", "whole"):
            found = file.find(name, mode, "a set of one's own")
            assert found is not None, (name, mode)
            assert found[1].example is not None
    assert not any(file.known(made(2)))


def test_a_weight_beside_a_score_is_chosen_with_the_thresholds() -> None:
    class Pair:
        name = "pair+lm"

        def judge(self, item, mode):
            size = len(item.response)
            lm = 0.0 if item.hallucinated else -3.0
            return Judgement((ScoredSpan(0, size, 0.2 + (not item.hallucinated), size, lm=lm),))

    values = gw.evaluate.run(Pair(), made(), modes=["whole"], resamples=10)["whole"]
    # The score alone is upside down; the weight that turns it round is found.
    assert values["roc_auc"] == 1.0


def test_ci_tods_flags_hallmark_and_pairs_in_their_own_terms() -> None:
    class Says:
        name = "says"

        def judge(self, item, mode):
            return Judgement((), item.extra.get("score"), item.extra.get("say", {}))

    def talk(i, truth, say):
        extra = {**dict(zip(("qi", "hi", "kbi"), truth, strict=True)), "say": say}
        return record({"id": str(i), "response": "ok", "hallucinated": any(truth), "extra": extra})

    rows = []
    for i in range(40):
        rows.append(talk(4 * i, (False, True, False), {"hi": 0.9}))
        rows.append(talk(4 * i + 1, (False, False, True), {"kbi": 0.9}))
        rows.append(talk(4 * i + 2, (False, False, True), {"hi": 0.9}))
        rows.append(talk(4 * i + 3, (False, False, False), {}))
    found = gw.evaluate.run(Says(), rows, modes=["whole"], resamples=20)["whole"]
    assert found["overall_accuracy"] == pytest.approx(0.75)
    assert found["kbi_f1"] == pytest.approx(2 / 3)
    assert found["hi_f1"] == pytest.approx(2 / 3)
    assert found["qi_f1"] == 0.0

    def entry(i, label, kind, tier, doi):
        return record(
            {
                "bibtex_key": str(i),
                "fields": {"title": f"T{i}", **({"doi": "10.1/x"} if doi else {})},
                "label": label,
                "hallucination_type": kind,
                "difficulty_tier": tier,
            }
        )

    entries = [
        *(entry(i, "HALLUCINATED", "future_date", 1, False) for i in range(20)),
        *(entry(i + 20, "HALLUCINATED", "wrong_venue", 3, True) for i in range(10)),
        *(entry(i + 30, "VALID", None, None, True) for i in range(15)),
        *(entry(i + 45, "VALID", None, None, False) for i in range(5)),
    ]
    by_mode = gw.evaluate.run(detector("no-doi"), entries, resamples=20)
    assert list(by_mode) == ["whole"], "an entry is judged as a whole"
    with pytest.raises(ArgumentError, match=r"nothing can be measured in word.*whole only"):
        gw.evaluate.run(detector("no-doi"), entries, modes=["word"], resamples=20)
    prose = [record({"id": str(i), "response": "ok", "hallucinated": i < 2}) for i in range(4)]
    sets = {"entries": entries, "prose": prose}
    done = runner.run_all(sets, [detector("length")], modes=["word"], resamples=10)
    assert list(done.sets) == ["prose"]
    assert done.warnings[0].startswith("entries: length was not measured: here it judges in mode")
    values = by_mode["whole"]
    assert values["detection_rate"] == pytest.approx(20 / 30)
    assert values["false_positive_rate"] == pytest.approx(5 / 20)
    assert values["hallmark_f1"] == pytest.approx(2 * 20 / (25 + 30))
    # Weighed: 20 found, 5 false, 20 + 30 to find.
    assert values["tier_weighted_f1"] == pytest.approx(2 * 20 / (25 + 50))
    assert values["detection_rate_future_date"] == 1.0
    assert values["detection_rate_wrong_venue"] == 0.0


def test_scores_that_came_with_a_set_are_a_detector_without_spans() -> None:
    rows = [
        record(
            {
                "id": str(i),
                "response": "one two",
                "hallucinated": i % 2 == 0,
                "spans": [{"start": 0, "end": 3}] if i % 2 == 0 else [],
                "extra": {"peers": {"hhem-2.1": 0.2 if i % 2 == 0 else 0.9}},
            }
        )
        for i in range(20)
    ]
    found = gw.evaluate.run(detector("recorded-hhem-2.1"), rows, resamples=10)
    assert list(found) == ["whole"]
    assert found["whole"]["balanced_accuracy"] == 1.0
    assert "span_f1" not in found["whole"]


def test_pairs_are_won_by_the_higher_score_and_ties_count_half() -> None:
    scored = []
    for pair, (good, bad) in enumerate([(0.1, 0.9), (0.5, 0.5), (0.7, 0.2)]):
        for score, wrong in ((good, False), (bad, True)):
            extra = {"pair": pair, "error_type": "Intrinsic Entity Error"}
            item = record(
                {"id": f"{pair}{wrong}", "response": "x", "hallucinated": wrong, "extra": extra}
            )
            scored.append(Scored(item, [], score))
    found = bump(scored)
    assert found["pairs_won"] == pytest.approx(0.5)
    assert found["pairs_tied"] == pytest.approx(1 / 3)
    assert found["pairs_won_intrinsic_entity_error"] == pytest.approx(0.5)


def test_wice_counts_its_own_tokens() -> None:
    claims = [
        record(
            {
                "claim": f"Mill {i} has red sails.",
                "claim_tokens": ["Mill", str(i), "has", "red", "sails", "."],
                "non_supported_spans": [False, False, False, True, True, False],
                "label": "partially_supported",
                "evidence": [f"Mill {i} has doors."],
                "meta": {"id": str(i)},
            }
        )
        for i in range(20)
    ]
    values = gw.evaluate.run(detector("novelty"), claims, modes=["word"], resamples=20)["word"]
    assert values["token_recall"] == 1.0
    assert values["token_precision"] == 1.0


def test_tables_of_a_knowledge_base_are_read_by_their_subject() -> None:
    rows = [{"date": "the_4th", "event": "dinner_party", "room": "-", "party": "alex"}]
    assert row_text(rows[0]) == "date: the 4th; event: dinner party; party: alex"
    kb = table(rows)
    (entity,) = kb.find("dinner party")
    assert kb.find("dinner_party") == [entity]
    assert {fact["predicate"] for fact in kb.facts(entity)} == {"date", "party"}
    assert len(table([{"room": "-"}])) == 0


def test_a_detector_that_returns_something_else_is_named() -> None:
    class Wrong:
        name = "wrong"

        def judge(self, item, mode):
            return 0.5

    with pytest.raises(ArgumentError, match="wrong: judge returned float"):
        gw.evaluate.run(Wrong(), made(1))
    with pytest.raises(ArgumentError, match="holds no record"):
        gw.evaluate.run(Oracle(), [])
    with pytest.raises(ArgumentError, match="is no mode"):
        gw.evaluate.run(Oracle(), made(1), modes=["line"])
    with pytest.raises(FormatError, match=r"records\[0\]: there is no 'response'"):
        gw.evaluate.run(Oracle(), [{"hallucinated": True}])


def test_stretches_that_reach_out_of_the_response_are_cut_and_empty_ones_dropped() -> None:
    class Odd:
        name = "odd"

        def judge(self, item, mode):
            size = len(item.response)
            return Judgement(
                (
                    ScoredSpan(-5, 4, 0.5, size),
                    ScoredSpan(size - 3, size + 50, 0.5, size),
                    ScoredSpan(9, 9, 0.9, size),
                )
            )

    item = made(1)[0]
    scored = Scored.of(item, "whole", Odd().judge(item, "whole"))
    assert [(s.start, s.end) for s in scored.spans] == [(0, 4), (len(item.response) - 3,
                                                                 len(item.response))]  # fmt: skip
    assert gw.evaluate.run(Odd(), made(6), resamples=10)["whole"]["roc_auc"] == 0.5


def test_json_and_markdown_of_a_run(tmp_path) -> None:
    run = runner.run_all({"mine": made(6)}, [detector("novelty"), Oracle()], resamples=10)
    data = json.loads(json.dumps(run.to_dict(), allow_nan=False))
    assert data["schema_version"] == 1
    values = data["sets"]["mine"]["novelty"]["sentence"]
    assert len(values["span_f1_ci"]) == 2
    shown = tables.markdown(data)
    assert "## mine" in shown
    assert "| oracle | whole | 100.0 [100.0, 100.0] |" in shown
    assert "cross-fitted" in shown
    with pytest.raises(ArgumentError, match="two detectors"):
        runner.run_all({"mine": made(1)}, [Oracle(), Oracle()])


def test_plots(tmp_path) -> None:
    pytest.importorskip("matplotlib")
    from groundwire.evaluate.plots import draw

    run = runner.run_all({"mine": made(6)}, [detector("novelty")], resamples=10)
    assert [p.name for p in draw(run, tmp_path / "new")] == ["mine_roc.png", "mine_delay.png"]


def test_curves_go_from_corner_to_corner() -> None:
    from groundwire.evaluate.plots import roc_points

    alarms, recall = roc_points([True, False, True, False], [0.9, 0.5, 0.5, 0.1])
    assert alarms.tolist() == [0.0, 0.0, 0.5, 1.0]
    assert recall.tolist() == [0.0, 0.5, 1.0, 1.0]


def test_importing_groundwire_leaves_the_harness_out() -> None:
    code = (
        "import groundwire, sys; assert 'groundwire.evaluate' not in sys.modules; "
        "groundwire.evaluate.run; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-c", "import sys; from groundwire.cli import main; sys.exit(main())",
         "bench", "quality", *map(str, arguments)],
        capture_output=True, check=False, text=True, timeout=120,
    )  # fmt: skip


def test_the_command(tmp_path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    lines = []
    for item in made(8):
        spans = [{"start": s.start, "end": s.end} for s in item.spans]
        lines.append(
            json.dumps(
                {
                    "id": item.id,
                    "set": "mine",
                    "evidence": [{"id": "p", "text": item.evidence[0][1]}],
                    "response": item.response,
                    "hallucinated": item.hallucinated,
                    "spans": spans,
                }
            )
        )
    (folder / "mine.jsonl").write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "out.json"
    base = ("--data", folder, "--detector", "novelty", "--resamples", 20)
    done = command(*base, "--mode", "sentence", "--json", out)
    assert done.returncode == 0, done.stderr
    assert "## mine" in done.stdout
    data = json.loads(out.read_text(encoding="utf-8"))
    assert set(data["sets"]["mine"]["novelty"]) == {"sentence"}
    tuned = tmp_path / "tuned.json"
    assert command(*base, "--tune", tuned).returncode == 0
    again = command(*base, "--tune", tuned)
    assert again.returncode == 2
    assert "exists" in again.stderr
    assert command(*base, "--thresholds", tuned, "--mode", "whole").returncode == 0
    wrong = command("--data", tmp_path / "none")
    assert (wrong.returncode, "there is no folder" in wrong.stderr) == (2, True)
    (folder / "bad.jsonl").write_text("{", encoding="utf-8")
    bad = command(*base)
    assert bad.returncode == 2
    assert "bad.jsonl:1: not JSON" in bad.stderr


def test_a_response_score_is_made_as_asked() -> None:
    class Two:
        name = "two"

        def judge(self, item, mode):
            size = len(item.response)
            return Judgement((ScoredSpan(0, 3, 0.5, size), ScoredSpan(4, 9, 0.8, size)))

    item = made(1)[0]
    judged = Two().judge(item, "whole")
    for aggregate, expected in (("max", 0.8), ("mean", 0.65), ("noisy_or", 0.9)):
        assert Scored.of(item, "whole", judged, aggregate).score == pytest.approx(expected)
    with pytest.raises(ArgumentError, match="no aggregate; there are max, mean, noisy_or"):
        gw.evaluate.run(Two(), made(1), aggregate="sum")


def test_costs_are_those_of_tokens_and_of_whole_answers() -> None:
    class Timed:
        name = "timed"

        def judge(self, item, mode):
            count = len(item.tokens)
            micros = tuple(float(i + 1) for i in range(count))
            return Judgement((), 0.5, micros=micros, micros_around=1000.0)

    records = made(10)
    values = gw.evaluate.run(Timed(), records, modes=["word"], resamples=5)["word"]
    tokens = [i + 1 for r in records for i in range(len(r.tokens))]
    answers = [1 + sum(range(1, len(r.tokens) + 1)) / 1000 for r in records]
    assert values["us_per_token_p50"] == pytest.approx(np.percentile(tokens, 50))
    assert values["us_per_token_p99"] == pytest.approx(np.percentile(tokens, 99))
    assert values["us_per_token_mean"] == pytest.approx(np.mean(tokens))
    assert values["ms_per_response_p50"] == pytest.approx(np.percentile(answers, 50))
    assert values["ms_per_response_p99"] == pytest.approx(np.percentile(answers, 99))
    judged = Groundwire().judge(records[0], "sentence")
    assert len(judged.micros) == len(records[0].tokens)
    assert judged.micros_around > 0.0 < min(judged.micros)


def test_what_is_measured_unless_named_goes_by_what_is_there() -> None:
    from groundwire.cli.bench import build

    def names(**given):
        return [d.name for d in build(None, lm=None, lm_cache=None, seed=0, **given)]

    assert names() == list(DEFAULT)
    assert names(entries=True) == [*DEFAULT, *ENTRY_DEFAULT]
    (one,) = build(["novelty", "novelty"], lm=None, lm_cache=None, seed=0, entries=True)
    assert one.name == "novelty"
