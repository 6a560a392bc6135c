"""Values that cannot be: refused by the argument's name and range, and nothing has changed."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import numpy as np
import pytest

import groundwire as gw
from groundwire import _core
from groundwire.beside import WatchedSession
from groundwire.beside_guard import WatchedGuard
from groundwire.errors import ArgumentError, FormatError, GroundwireError, SessionLatched

NAN, INF = math.nan, math.inf
SURROGATE = "caf\ud800.toml"


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    entries = [(i, bytes([i]), False) for i in range(128)]
    return gw.Monitor(tokenizer=gw.Vocab.from_entries(entries))


def streams(monitor: gw.Monitor) -> list[Any]:
    return [monitor.session(), monitor.guard()]


def untouched(stream: Any) -> bool:
    return stream.pushes == 0 and stream.text == ""


@pytest.mark.parametrize(
    "value", [True, False, np.True_, 65.7, np.float32(65), "A", [65]], ids=repr
)
def test_what_is_no_token_id_is_not_read_as_one(monitor: gw.Monitor, value: object) -> None:
    for stream in streams(monitor):
        with pytest.raises(ArgumentError, match="a token id is an integer, not <class"):
            stream.push(value)
        assert untouched(stream)
    (row,) = monitor.push_many([monitor.session()], [value])
    assert isinstance(row, ArgumentError)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("logprob", 0.7, "0 or less"),
        ("prior_logprob", 2, "0 or less"),
        ("surprisal", -0.1, "0 or more"),
        ("entropy", -1.0, "0 or more"),
        ("varentropy", -1.0, "0 or more"),
        ("confidence", -1.0, "0 or more"),
        ("kl_bits", -1.0, "0 or more"),
        ("margin", 1.5, r"0\.\.1"),
        ("entropy", "high", "is a number, not 'high'"),
        ("entropy", True, "is a number, not True"),
    ],
)
def test_signals_out_of_range_are_refused(
    monitor: gw.Monitor, name: str, value: Any, allowed: str
) -> None:
    for stream in streams(monitor):
        for push in (stream.push, stream.push_text):
            with pytest.raises(ArgumentError, match=f"'{name}'.*{allowed}"):
                push(65 if push == stream.push else "A", signals={"entropy": 1.0, name: value})
        assert untouched(stream)


@pytest.mark.parametrize(
    "given",
    [
        {"logprob": NAN, "entropy": 1.0},
        {"entropy": NAN},
        {"entropy": -INF},
        {"logprob": INF},
        {"margin": INF},
        {"lift_bits": NAN},
    ],
    ids=repr,
)
def test_signals_that_are_no_number_are_a_signal(
    monitor: gw.Monitor, given: dict[str, float]
) -> None:
    session = monitor.session()
    step = session.push(65, signals=given)
    assert step.signals.to_dict() == {"invalid": True}
    assert session.finish().stats["invalid_rows"] == 1


def test_the_logarithm_of_nothing_is_a_number(monitor: gw.Monitor) -> None:
    given = {"logprob": -INF, "surprisal": INF, "lift_bits": -INF, "margin": 1.0}
    step = monitor.session().push(65, signals=given)
    assert step.signals.to_dict() == {**given, "invalid": False}


@pytest.mark.parametrize("value", [0.5, 1.0, 100, None, "x", True])
def test_top_logprobs_that_are_none(monitor: gw.Monitor, value: Any) -> None:
    for stream in streams(monitor):
        with pytest.raises(ArgumentError, match="'top_logprobs'"):
            stream.push_text("A", top_logprobs={"A": -0.5, "B": value})
        assert untouched(stream)


def test_top_logprobs_of_a_broken_engine_are_a_signal(monitor: gw.Monitor) -> None:
    for bad in ({"A": NAN}, {"A": INF, "B": -1.0}, {"A": -0.1, "B": -0.3}):
        step = monitor.session().push_text("A", top_logprobs=bad)
        assert step.signals.to_dict() == {"invalid": True}, "or a total above 1"


@pytest.mark.parametrize("value", [-1, 1.5, True, 2**80, NAN, "1"], ids=repr)
def test_counts_and_times_name_themselves(monitor: gw.Monitor, value: Any) -> None:
    session, guard = monitor.session(), monitor.guard()
    with pytest.raises(ArgumentError, match="now_ms is a whole number of milliseconds from 0"):
        guard.push_text("A", now_ms=value)
    with pytest.raises(ArgumentError, match="now_ms"):
        guard.finish(value)
    with pytest.raises(ArgumentError, match="n is a number of pushes from 0 on, not "):
        session.rollback(value)
    with pytest.raises(ArgumentError, match=r"to is what mark\(\) of this session returned, not "):
        session.rollback(to=value)
    assert untouched(session) and untouched(guard)


@pytest.mark.parametrize("value", [-1.0, NAN, INF, "5", True, None], ids=repr)
def test_times_to_wait(monitor: gw.Monitor, value: Any) -> None:
    with pytest.raises(ArgumentError, match="timeout_s is a number of seconds, 0 or more"):
        WatchedSession(monitor.session(), [], [], timeout_s=value)
    guard = WatchedGuard(monitor.guard(), [], [])
    with pytest.raises(ArgumentError, match="timeout_s"):
        guard.report(value)
    if value is not None:
        with pytest.raises(ArgumentError, match="timeout_s"):
            guard.finish(timeout_s=value)


@pytest.mark.parametrize("value", [0, -1, 1.5, True, None], ids=repr)
def test_workers(value: Any) -> None:
    with pytest.raises(ArgumentError, match="workers is a whole number from 1 on"):
        gw.Monitor(workers=value)


@pytest.mark.parametrize(
    "value", [65.7, True, "A", [65], (), (65, None, None, None), (65.0, None), np.ones(2)], ids=repr
)
@pytest.mark.req("S4-033")
def test_what_next_token_cannot_return(monitor: gw.Monitor, value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"next_token returned .*it returns a token id"):
        list(gw.guard(lambda ids: value, [], monitor=monitor))

    async def collect() -> None:
        async for _ in gw.aguard(lambda ids: value, [], monitor=monitor):
            pass

    with pytest.raises(ArgumentError, match="next_token returned"):
        asyncio.run(collect())


def test_what_stands_for_an_integer_is_one(monitor: gw.Monitor) -> None:
    said = [np.int64(65), (np.uint8(66), None), 67]
    events = gw.guard(lambda ids: said[len(ids)], [], monitor=monitor, stop_ids=67)
    assert "".join(e.text for e in events if e.kind == "release") == "AB"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_tokens": -5}, "max_tokens is a whole number from 1 on, not -5"),
        ({"max_tokens": 0}, "max_tokens is a whole number from 1 on, not 0"),
        ({"max_tokens": 2.5}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"prompt_ids": "Hello"}, "encode the prompt first"),
        ({"stop_ids": "</s>"}, "stop_ids are token ids"),
        ({"stop_ids": ["</s>"]}, "stop_ids are token ids"),
        ({"stop_ids": None}, "stop_ids are token ids"),
        ({"evidence": "one"}, "put the one string into a list"),
        ({"next_token": 5}, "next_token is called for every token; 5 cannot be"),
    ],
    ids=str,
)
def test_arguments_of_a_loop_are_checked_at_once(
    monitor: gw.Monitor, given: dict[str, Any], message: str
) -> None:
    arguments = {"next_token": lambda ids: 65, "prompt_ids": [], **given}
    for loop in (gw.guard, gw.aguard):
        with pytest.raises(ArgumentError, match=message):
            loop(
                arguments["next_token"],
                **{k: v for k, v in arguments.items() if k != "next_token"},
                monitor=monitor,
            )


def test_one_is_as_good_as_a_list_of_one() -> None:
    one = gw.Monitor(profiles="stream")
    assert one.profile_names == ["stream"]
    own = {"name": "stream", "interruption_threshold": 0.5}
    assert gw.Monitor(profiles=own).profile_names == ["stream"]
    rule = gw.Rule("frob", literals="frobnicate", unless="never frobnicate", message="no")
    assert (rule.literals, rule.unless) == (("frobnicate",), ("never frobnicate",))
    for rules in (rule, rule.to_dict(), [rule]):
        found = gw.Monitor(rules=rules, builtin_rules=False).check("We frobnicate it.").findings
        assert [f.text for f in found if f.rule == "frob"] == ["frobnicate"]
    kb = gw.KnowledgeBase()
    kb.add_entity("Harbour Museum", aliases="Old Harbour")
    assert kb.entity_exists("Old Harbour") and not kb.entity_exists("O")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("evidence", {"text": "x"}, "evidence is a list of passages; put the one mapping"),
        ("evidence", gw.Evidence("x"), "evidence is a list of passages; put the one"),
        ("evidence", 5, "evidence is a list of passages, not int"),
        ("history", "Hello", "history is a list of turns; put the one string into a list"),
        ("history", {"role": "user", "text": "x"}, "history is a list of turns"),
    ],
)
def test_one_where_a_list_is_meant_is_said(
    monitor: gw.Monitor, name: str, value: Any, message: str
) -> None:
    for call in (monitor.session, monitor.guard, lambda **given: monitor.check("x", **given)):
        with pytest.raises(ArgumentError, match=message):
            call(**{name: value})


@pytest.mark.parametrize("part", ["detectors", "verifiers"])
@pytest.mark.parametrize("value", ["x", 5, {"name": "x"}])
def test_parts_that_are_no_list(part: str, value: Any) -> None:
    with pytest.raises(ArgumentError, match=f"{part} is a list of {part}"):
        gw.Monitor(**{part: value})


@pytest.mark.parametrize("value", ["x", b"x", {"name": "A"}, 5])
def test_records_that_are_no_list(value: Any) -> None:
    with pytest.raises(ArgumentError, match="records is a list of mappings"):
        gw.KnowledgeBase.from_records(value)


@pytest.mark.parametrize(
    "call",
    [
        gw.KnowledgeBase.from_jsonl,
        gw.KnowledgeBase.from_json,
        gw.KnowledgeBase.from_csv,
        gw.KnowledgeBase.load,
        gw.KnowledgeBase.open,
        gw.KnowledgeBase().save,
        gw.Config.load,
        lambda path: gw.Monitor(kb=path),
        lambda path: gw.Monitor(rules=path),
        lambda path: gw.Monitor(tokenizer=path),
    ],
)
def test_names_that_no_file_can_have(call: Any) -> None:
    with pytest.raises(GroundwireError, match="lone surrogate at character 3"):
        call(SURROGATE)
    with pytest.raises(GroundwireError, match="NUL"):
        call("a\0.toml")


@pytest.mark.parametrize(
    "call",
    [
        _core.Ruleset,
        lambda text: _core.convert_unit(1.0, text, "metre"),
        lambda text: gw.Monitor().session().push_text("x", signals={text: 1.0}),
        lambda text: _core.EntityIndex.build([(text, 1)]),
        lambda text: gw.Monitor(profiles=text),
    ],
)
def test_lone_surrogates_elsewhere(call: Any) -> None:
    with pytest.raises(ArgumentError, match="lone surrogate"):
        call("caf\ud800")


@pytest.mark.parametrize(
    "call",
    [
        gw.KnowledgeBase.from_jsonl,
        gw.KnowledgeBase.from_json,
        gw.KnowledgeBase.from_csv,
        gw.KnowledgeBase.load,
        gw.Config.load,
        lambda path: gw.Monitor(kb=path),
        lambda path: gw.Monitor(rules=path),
    ],
)
def test_folders_where_a_file_is_meant(tmp_path: Any, call: Any) -> None:
    with pytest.raises(GroundwireError, match=f"{tmp_path} is a folder"):
        call(tmp_path)


@pytest.mark.parametrize(
    ("suffix", "call"),
    [
        ("jsonl", gw.KnowledgeBase.from_jsonl),
        ("csv", gw.KnowledgeBase.from_csv),
        ("toml", gw.Config.load),
        ("yaml", lambda path: gw.Monitor(rules=path)),
    ],
)
def test_files_that_are_no_text_are_named(tmp_path: Any, suffix: str, call: Any) -> None:
    file = tmp_path / f"latin.{suffix}"
    file.write_bytes(b"caf\xe9")
    with pytest.raises(GroundwireError, match=rf"latin\.{suffix} is not UTF-8 at byte 3"):
        call(file)


def test_suffixes_that_work_are_said(tmp_path: Any) -> None:
    for call in (gw.Config.load, lambda path: gw.Monitor(rules=path)):
        with pytest.raises(GroundwireError, match=r"x\.ini.*\.toml, \.yaml or \.yml"):
            call(tmp_path / "x.ini")
    with pytest.raises(GroundwireError, match=r"definitely: .*list of mappings or Rule"):
        gw.Monitor(rules="definitely")
    (tmp_path / "kb.txt").write_text("x" * 100)
    with pytest.raises(FormatError, match=r"kb\.txt: .*\.jsonl, \.json or \.csv"):
        gw.Monitor(kb=tmp_path / "kb.txt")


def test_a_column_that_is_there_twice(tmp_path: Any) -> None:
    file = tmp_path / "kb.csv"
    file.write_text("name,founded, founded \nMuseum,1962,1987\n")
    with pytest.raises(FormatError, match=r"kb\.csv line 1: the column 'founded' is there twice"):
        gw.KnowledgeBase.from_csv(file)


@pytest.mark.skipif(
    not hasattr(_core.Session, "_fault"), reason="only a build for debugging can be made to panic"
)
def test_a_fault_in_the_core_is_an_exception_and_ends_one_stream(
    monitor: gw.Monitor, capfd: pytest.CaptureFixture[str]
) -> None:
    session, other, guard = monitor.session(), monitor.session(), monitor.guard()
    session.push_text("It was founded in 1987. It")
    guard.push_text("It was founded in 1987. It")
    for stream in (session, guard):
        with pytest.raises(SessionLatched, match="internal fault in this session: a fault that"):
            stream._fault()
    with pytest.raises(SessionLatched, match="internal fault"):
        session.push_text(" is open.")
    assert "internal fault" in session.latched
    report = session.finish()
    assert report.claims, "what was found before stays"
    json.loads(report.to_json())
    guard.push_text(" is open.")
    guard.finish()
    assert guard.released == "It was founded in 1987. It is open."
    assert "internal fault" in guard.report().latched
    other.push_text("Another stream goes on.")
    assert other.finish().latched is None
    assert "a fault that was asked for" in capfd.readouterr().err
