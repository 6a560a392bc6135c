"""Wrong files, options and detectors: one line that names the place, never a traceback."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("numpy")

import groundwire as gw
from groundwire.cli.app import run as command
from groundwire.errors import ArgumentError, FormatError, MissingExtraError
from groundwire.evaluate import DetectorError
from groundwire.evaluate.data import read_folder, record
from groundwire.evaluate.detectors import Judgement, ScoredSpan, detector
from groundwire.evaluate.detectors.ours import TYPES
from groundwire.evaluate.threshold_file import ThresholdFile

ROOT = Path(__file__).resolve().parents[2]
PLAIN = {"response": "The pier was closed in 1961.", "hallucinated": True,
         "spans": [{"start": 23, "end": 27}]}  # fmt: skip
FINE = {"response": "The pier was opened in 1911.", "hallucinated": False}
ENTRY = {"bibtex_key": "k", "fields": {"title": "On Piers"}, "label": "VALID"}
CLAIM = {"claim": "A pier .", "claim_tokens": ["A", "pier", "."], "label": "not_supported",
         "non_supported_spans": [False, True, False], "evidence": ["A ferry."]}  # fmt: skip


def bench(capsys, folder, *options):
    """Run the command; return its status and what it says in one line of standard error."""
    given = list(map(str, options))
    for name, value in (("--data", str(folder)), ("--detector", "novelty"), ("--resamples", "5")):
        if name not in given:
            given += [name, value]
    status = command(["bench", "quality", *given])
    said = capsys.readouterr().err.strip().splitlines()
    return status, said


def folder_of(tmp_path, *lines):
    place = tmp_path / "data"
    place.mkdir(exist_ok=True)
    body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (place / "own.jsonl").write_text(body, encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"response": "x", "hallucinated": false, "kb": [{"depth": NaN}]}', "NaN is no number"),
        ('{"response": "x", "hallucinated": false, "extra": {"peers": {"a": Infinity}}}',
         "Infinity is no number"),
        ('{"response": "x", "hallucinated": true, "spans": [{"start": ' + "7" * 5000 + "}]}",
         "a number of too many digits"),
        ('{"response": "x", "response": "y", "hallucinated": true}', "'response' stands twice"),
        ('{"response": "x", "hallucinated": true, "kb": [{"name": 1e999}]}', r"kb\[0\] holds inf"),
        ({**PLAIN, "spans": [{"start": 9, "end": 4}]}, r"spans\[0\]: it ends \(4\) before"),
        ({**PLAIN, "spans": [{"start": 1, "end": 4, "type": [1]}]}, r"spans\[0\]: 'type' is a te"),
        ({**PLAIN, "hallucinated": False}, "'spans' holds 1, but 'hallucinated' is false"),
        ({**FINE, "span": [{"start": 1, "end": 4}]}, "the field 'span' is none; 'spans' is meant"),
        ({**FINE, "histroy": []}, "the field 'histroy' is none; 'history' is meant"),
        ({**PLAIN, "id": {"a": 1}}, "'id' is a name or a number"),
        ({**PLAIN, "id": "\ud800"}, "'id': a lone surrogate"),
        ({**PLAIN, "evidence": [{"id": "\ud800", "text": "b"}]}, r"evidence\[0\]: 'id': a lone"),
        ({**PLAIN, "evidence": [{"id": [1], "text": "b"}]}, r"evidence\[0\]: 'id' is a name"),
        ({**PLAIN, "extra": {"source_id": "\udfff"}}, r"extra\.source_id: a lone surrogate"),
        ({**PLAIN, "extra": {"source_id": {}}}, r"extra\.source_id is a name"),
        ({**PLAIN, "extra": {"error_type": {"a": 1}}}, r"extra\.error_type is a text"),
        ({**PLAIN, "extra": {"peers": {"hhem-2.1": True}}}, r"'hhem-2\.1' has True"),
        ({**PLAIN, "extra": {"reference_date": "soon"}}, r"extra\.reference_date is a day"),
        ({**PLAIN, "history": [{"role": {}, "text": "x"}]}, r"history\[0\]: 'role' is a text"),
        ({**PLAIN, "kb": [{"": "x"}]}, r"kb\[0\] has a column ''"),
        ({**PLAIN, "kb": [{"_": "x"}]}, r"kb\[0\] has a column '_'"),
        ({**PLAIN, "set": "wice", "extra": {"tokens": [[0, 1]]}}, "lists of the same length"),
        ({**PLAIN, "set": "wice", "extra": {"tokens": [[0, 99]], "unsupported": [True]}},
         r"extra\.tokens\[0\] is \[start, end\] within the response"),
        ({**PLAIN, "set": "wice", "extra": {"tokens": [[0, 1]], "unsupported": ["no"]}},
         r"extra\.unsupported\[0\] is true or false"),
        ({**PLAIN, "set": "hallmark", "extra": {"entry": {"a": 1}}}, r"extra\.entry is an object"),
        ({**PLAIN, "set": "hallmark", "extra": {"difficulty_tier": "x"}}, r"extra\.difficulty_ti"),
        ({**ENTRY, "label": ["VALID"]}, "'label' is VALID or HALLUCINATED"),
        ({**ENTRY, "bibtex_key": None}, "'bibtex_key' is a text"),
        ({**ENTRY, "fields": {"title": ["x"]}}, "'fields' holds list in 'title'"),
        ({**ENTRY, "fields": {"title": "\ud800"}}, r"fields\.title: a lone surrogate"),
        ({**ENTRY, "hallucination_type": {"a": 1}}, "'hallucination_type' is a text"),
        ({**ENTRY, "difficulty_tier": 10**400}, "'difficulty_tier' is a whole number from 1 to"),
        ({**CLAIM, "non_supported_spans": ["a", "b", "c"]}, r"non_supported_spans\[0\] is true"),
        ({**CLAIM, "claim_tokens": ["A", 3, "."]}, r"claim_tokens\[1\] is a text, not 3"),
        ({**CLAIM, "claim": "A \ud800"}, "claim: a lone surrogate"),
        ({**CLAIM, "label": "maybe"}, "'label' is one of supported, partially_supported, not_s"),
        ({**CLAIM, "label": "supported"}, "'label' is supported, but 'non_supported_spans' marks"),
        ({**CLAIM, "meta": {"id": [1]}}, r"meta\.id is a name or a number"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_record_names_file_line_and_field(tmp_path, capsys, line, said) -> None:
    status, lines = bench(capsys, folder_of(tmp_path, line))
    assert (status, len(lines)) == (2, 1)
    assert lines[0].startswith("groundwire: own.jsonl:1: ")
    assert re.search(said, lines[0]), lines[0]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (PLAIN, {**FINE, "set": "another"}, "'set' is 'another', and 'own' at own.jsonl:1"),
        (PLAIN, CLAIM, "'set' is 'wice', and 'own' at own.jsonl:1"),
        ({**PLAIN, "extra": {"qi": True}}, FINE, r"own.jsonl:2: there is no extra\.qi"),
        (FINE, {**PLAIN, "extra": {"pair": 4}}, r"own.jsonl:1: there is no extra\.pair"),
    ],
)
def test_a_file_holds_one_set(tmp_path, capsys, first, second, said) -> None:
    status, (line,) = bench(capsys, folder_of(tmp_path, first, second))
    assert status == 2
    assert re.search(said, line), line


def test_what_looks_odd_and_is_fine_is_read(tmp_path) -> None:
    rows = [
        {**PLAIN, "id": 7, "note": "the set's own field", "extra": {"facts": ["x"], "peers": None}},
        {**FINE, "response": "", "evidence": [{"id": None, "text": ""}]},
        {**FINE, "kb": [{"name": " ", "room": "_"}, {"name": True, "depth": 2.5}, {}]},
        {**FINE, "spans": [{"start": 0, "end": 3, "type": "Benign"}]},
    ]
    found = read_folder(folder_of(tmp_path, *rows))["own"]
    assert [r.hallucinated for r in found] == [True, False, False, False]
    judged = detector("groundwire").judge(found[2], "sentence")
    assert judged.spans == ()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("groundwire-nope", "no finding is of the type 'nope'; there are altered_detail"),
        ("groundwire=nope", "no finding is of the type 'nope'"),
        ("groundwire:as-is-nope", "no finding is of the type 'nope'"),
        ("groundwire-unsuported_sentence", "unsupported_sentence is meant"),
        ("groundwire=stream.", "no finding is of the type 'stream.'"),
        ("groundwire=goalpost,,pattern", "no finding is of the type ''"),
        ("groundwire-goalpost=stream.goalpost", "leaves out all that it keeps"),
        ("groundwire-", "names no detector: groundwire, "),
        ("groundwire--goalpost", "names no detector: groundwire, "),
        ("novelti", "novelty is meant"),
        ("lm-lft", "lm-lift is meant"),
        ("+lm", "'' names no detector"),
        ("nope+lm", "'nope' names no detector"),
        ("novelty+lm+lm", r"novelty\+lm asks the language model already"),
        ("lm-kl+lm", "lm-kl asks the language model already"),
        ("novelty+lm", "needs a language model: pass --lm MODEL"),
        ("", "'' names no detector; there are"),
    ],
)
def test_names_that_are_no_detector(tmp_path, capsys, name, said) -> None:
    status, lines = bench(capsys, folder_of(tmp_path, PLAIN), "--detector", name)
    assert status == 2
    assert re.search(said, lines[-1]), lines


def test_the_types_that_can_be_left_out_are_those_of_the_core() -> None:
    source = (ROOT / "rust/core/src/detect/registry.rs").read_text(encoding="utf-8")
    rows = source[source.index("const BUILTIN") :]
    assert set(TYPES) == set(re.findall(r'^\s*"([a-z]+\.[a-z_]+)",$', rows, re.MULTILINE))
    for kind in TYPES:
        detector(f"groundwire-{kind}")
        detector(f"groundwire={kind.partition('.')[2]}")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--json", "{folder}"], "--json .*: that is a folder; name a file"),
        (["--json", "{folder}/no/out.json"], "there is no folder .*; make it first"),
        (["--tune", "{folder}/no/out.json"], "there is no folder .*; make it first"),
        (["--plots", "{folder}/own.jsonl"], "that is a file; name a folder"),
        (["--merge"], "pass --tune FILE too"),
        (["--overwrite"], "pass --tune FILE too"),
        (["--tune", "x.json", "--merge", "--overwrite"], "pass one of them"),
        (["--tune", "x.json", "--json", "y.json"], "have nothing to write"),
        (["--lm-cache", "x"], "pass --lm MODEL too"),
        (["--thresholds", ""], "--thresholds names a file"),
        (["--thresholds", "{folder}/none.json"], "cannot read .*none.json"),
        (["--thresholds", "{folder}/own.jsonl", "--aggregate", "mean"], "pass --thresholds none"),
        (["--seed", "9" * 40], "seed is a whole number from 0"),
        (["--set", "another"], "there is no set 'another'; there are own"),
    ],
)
def test_options_that_cannot_be_followed(tmp_path, capsys, options, said) -> None:
    folder = folder_of(tmp_path, PLAIN)
    given = [option.replace("{folder}", str(folder)) for option in options]
    status, lines = bench(capsys, folder, *given)
    assert (status, len(lines)) == (2, 1)
    assert re.search(said, lines[0]), lines[0]


@pytest.mark.parametrize(
    "options",
    [["--resamples", "-1"], ["--resamples", "10001"], ["--limit", "0"], ["--seed", "-1"],
     ["--mode", "line"]],
)  # fmt: skip
def test_options_out_of_range_are_wrong_usage(tmp_path, capsys, options) -> None:
    status, lines = bench(capsys, folder_of(tmp_path, PLAIN), *options)
    assert status == 2
    assert any(options[0] in line for line in lines)


def limits(value):
    return {"novelty": {"word": {"*": value}}}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ([], "it holds list, not an object"),
        ({"schema_version": 2}, "'schema_version' is 2"),
        ({"schema_version": True}, "'schema_version' is True"),
        ({"data": None}, "'data' is an object"),
        ({"data": {"a": "x"}}, r"data\['a'\] is an object"),
        ({"data": {"a": {"records_seen": 3}}}, "'records_seen' is a text"),
        ({"data": {"a": {"records_seen": "?"}}}, r"t\.json: data\['a'\]: 'records_seen'"),
        ({"data": {"a": {"sources": 3}}}, "'sources' is a list of texts"),
        ({"thresholds": {"novelty": [1]}}, r"thresholds\['novelty'\] is an object"),
        ({"thresholds": {"novelty": {"wrod": {}}}}, "is no mode; there are word"),
        ({"thresholds": limits("x")}, r"\['\*'\] is an object"),
        ({"thresholds": limits({"span": "x"})}, "is a number from 0, or null, not 'x'"),
        ({"thresholds": limits({"span": -0.5})}, "is a number from 0, or null, not -0.5"),
        ({"thresholds": limits({"spam": 0.5})}, r"\['spam'\] is unknown; there are span"),
        ({"thresholds": limits({"flags": [1]})}, r"\['flags'\] is an object"),
        ({"thresholds": limits({"flags": {"q": 1}})}, "there are qi, hi, kbi"),
        ({"thresholds": limits({"lm_weight": "x"})}, r"\['lm_weight'\] is a number"),
        ({"thresholds": limits({"left_out": {"a": {"flagged": "x"}}})}, "is a number"),
        ('{"schema_version": 1, "data": {}, "thresholds": NaN}', "NaN is no number"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_holds_no_thresholds_is_named(tmp_path, capsys, change, said) -> None:
    body = {"schema_version": 1, "data": {}, "thresholds": {}}
    text = change if isinstance(change, str) else json.dumps(
        change if isinstance(change, list) else {**body, **change}
    )  # fmt: skip
    path = tmp_path / "t.json"
    path.write_text(text, encoding="utf-8")
    folder = folder_of(tmp_path, PLAIN, FINE)
    for options in (("--thresholds", path), ("--tune", path, "--merge")):
        status, lines = bench(capsys, folder, *options)
        assert (status, len(lines)) == (2, 1)
        assert re.search(said, lines[0]), lines[0]
        assert "t.json" in lines[0]
    assert path.read_text(encoding="utf-8") == text
    with pytest.raises(FormatError):
        ThresholdFile.load(path)


def saying(judged, **attributes):
    kind = type("Own", (), {"name": "own", "judge": lambda self, item, mode: judged, **attributes})
    return kind()


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        (Judgement((ScoredSpan(9, 3, 0.5, 9),)), r"spans\[0\] ends \(3\) before it starts \(9\)"),
        (Judgement((ScoredSpan(0, 3, float("nan"), 9),)), r"spans\[0\]: its score is nan"),
        (Judgement((ScoredSpan(0, 3, "0.5", 9),)), r"its score is '0\.5'"),
        (Judgement((ScoredSpan(0, 3, 0.5, 9, lm=float("inf")),)), r"its lm is inf"),
        (Judgement((ScoredSpan(0, 3.5, 0.5, 9),)), "end is a whole number, not 3.5"),
        (Judgement((ScoredSpan(0, 3, 0.5, None),)), "decided_at is a whole number, not None"),
        (Judgement(((0, 3, 0.5),)), "is tuple, not a ScoredSpan"),
        (Judgement((), float("nan")), "the score is nan"),
        (Judgement((), 0.5, {"qi": float("nan")}), r"flags\['qi'\] is nan"),
        (Judgement((), 0.5, micros=(float("inf"),)), "a time in micros is inf"),
        (0.5, "judge returned float, not a Judgement"),
    ],
)
def test_what_a_detector_says_wrongly_is_named_with_the_record(judged, said) -> None:
    with pytest.raises(ArgumentError, match=said) as caught:
        gw.evaluate.run(saying(judged), [PLAIN, FINE], resamples=5)
    assert str(caught.value).startswith("own")


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"name": ""}, "needs a 'name'"),
        ({"name": None}, "needs a 'name'"),
        ({"judge": None}, r"needs a method judge\(record, mode\)"),
        ({"modes": "word"}, "'modes' is a list of word"),
        ({"modes": ("line",)}, "'modes' is a list of word"),
    ],
)
def test_what_is_no_detector_is_named(attributes, said) -> None:
    with pytest.raises(ArgumentError, match=said):
        gw.evaluate.run(saying(Judgement(), **attributes), [PLAIN, FINE])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"resamples": -1}, "resamples is a whole number from 1 to 10000, not -1"),
        ({"resamples": 2.5}, "resamples is a whole number"),
        ({"resamples": True}, "resamples is a whole number"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"modes": "word"}, "modes is a list of word, sentence, whole, not 'word'"),
        ({"modes": None}, "modes is a list of word, sentence, whole, not None"),
        ({"thresholds": 3}, "thresholds is a file, a path of one, or None, not int"),
        ({"modes": []}, "no mode is given"),
        ({"aggregate": "sum"}, "no aggregate; there are"),
    ],
)
def test_arguments_out_of_range(given, said) -> None:
    with pytest.raises(ArgumentError, match=said):
        gw.evaluate.run(saying(Judgement()), [PLAIN, FINE], **given)


def test_a_detector_that_raises_is_named_with_the_record() -> None:
    class Raising:
        name = "own"

        def __init__(self, error):
            self.error = error

        def judge(self, item, mode):
            raise self.error

    records = [{**PLAIN, "id": "a"}, {**FINE, "id": "b"}]
    with pytest.raises(DetectorError, match=r"own, record 'a', mode word: KeyError: 'x'") as caught:
        gw.evaluate.run(Raising(KeyError("x")), records, resamples=5)
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(FormatError, match="own, record 'a': torn"):
        gw.evaluate.run(Raising(FormatError("torn")), records, resamples=5)
    with pytest.raises(MissingExtraError, match=r"^pip install x$"):
        gw.evaluate.run(Raising(MissingExtraError("pip install x")), records, resamples=5)


def test_stretches_out_of_the_response_are_warned_of(caplog) -> None:
    odd = saying(Judgement((ScoredSpan(0, 500, 0.5, 9),)))
    gw.evaluate.run(odd, [{**PLAIN, "id": "a"}, {**FINE, "id": "b"}], resamples=5)
    (line,) = [r.getMessage() for r in caplog.records if "reach out" in r.getMessage()]
    assert "stretches of 2 records" in line and "0..500 of 0..28 in record 'a'" in line
    caplog.clear()
    gw.evaluate.run(saying(Judgement((ScoredSpan(0, 28, 0.5, 9),))), [PLAIN, FINE], resamples=5)
    assert not [r for r in caplog.records if "reach out" in r.getMessage()]


def test_what_stands_twice_or_nearly_is_warned_of_with_its_place(tmp_path, capsys, caplog) -> None:
    lines = [
        {**PLAIN, "id": 1, "halucinated": False, "response_id": "r"},
        "",
        {**FINE, "id": "1", "histroy": [], "history": []},
        {**FINE, "id": 2, "halucinated": False},
        {**FINE, "id": 2},
    ]
    place = folder_of(tmp_path, *lines)
    status, said = bench(capsys, place, "--json", tmp_path / "out.json")
    assert status == 0
    wanted = [
        "own.jsonl:3: the id '1' stands at own.jsonl:1 already; 2 ids stand twice",
        "own.jsonl:1: the field 'halucinated' is not read; 'hallucinated' beside it is; so in 2 "
        "records",
        "own.jsonl:3: the field 'histroy' is not read; 'history' beside it is",
    ]
    assert [line for line in said if "own.jsonl:" in line] == [f"warning: {w}" for w in wanted]
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert data["warnings"][:3] == wanted
    # Beyond the limit nothing is read; a record without an id is none that stands twice.
    status, said = bench(capsys, place, "--limit", 1, "--mode", "whole")
    assert not [line for line in said if "stands at" in line]
    gw.evaluate.run(saying(Judgement()), [PLAIN, FINE, PLAIN], resamples=5)
    assert not [r for r in caplog.records if "stands at" in r.getMessage()]
    gw.evaluate.run(saying(Judgement()), [{**PLAIN, "id": "a"}, {**FINE, "id": "a"}], resamples=5)
    (line,) = [r.getMessage() for r in caplog.records if "stands at" in r.getMessage()]
    assert line == "records[1]: the id 'a' stands at records[0] already"


def test_records_that_are_none() -> None:
    own = saying(Judgement())
    for wrong in ("text", PLAIN, record(PLAIN), None, 3):
        with pytest.raises(ArgumentError, match="records is a list of records"):
            gw.evaluate.run(own, wrong)
    with pytest.raises(FormatError, match=r"records\[1\]: a record is an object, not int"):
        gw.evaluate.run(own, [PLAIN, 3])
    for limit in (0, -1, "x", True):
        with pytest.raises(ArgumentError, match="limit is"):
            read_folder(".", limit=limit)
    for names in ("own", 3, [3]):
        with pytest.raises(ArgumentError, match="names is a list of names of sets"):
            read_folder(".", names=names)
    for name in (None, 3):
        with pytest.raises(ArgumentError, match="a detector's name is a text"):
            detector(name)
    with pytest.raises(ArgumentError, match=r"Own is a class; a detector is an object: Own\(\)"):
        gw.evaluate.run(type(own), [PLAIN, FINE])
    with pytest.raises(FormatError, match="'schema_version' is None"):
        ThresholdFile({})


def test_what_a_detector_cannot_judge_is_told_with_the_record() -> None:
    class Picky:
        name = "picky"

        def judge(self, item, mode):
            if item.id == "two":
                raise ArgumentError("no question is asked")
            return Judgement()

    with pytest.raises(ArgumentError, match="picky, record 'two': no question is asked"):
        gw.evaluate.run(Picky(), [FINE, {**PLAIN, "id": "two"}], resamples=5)


def test_a_cache_of_a_model_that_is_none_is_named_by_line(tmp_path) -> None:
    from groundwire.evaluate.detectors.lm import LmScores

    good = '{"key": "a", "tokens": [[0, 1, 0.5, 0.5, 0.5, 0.5]]}'
    for bad in ('{"key": "a"}', '{"key": "a", "tokens": [[0, 1]]}', "{", "[1]",
                '{"key": "a", "tokens": [[0.5, 1, 0, 0, 0, 0]]}',
                '{"key": "a", "tokens": [[0, 1, NaN, 0, 0, 0]]}',
                '{"key": "a", "seconds": "x", "tokens": []}'):  # fmt: skip
        path = tmp_path / "cache.jsonl"
        path.write_text(f"{good}\n{bad}\n", encoding="utf-8")
        with pytest.raises(FormatError, match=r"cache\.jsonl:2: "):
            LmScores(None, "m", path)
