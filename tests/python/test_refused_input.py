"""Input that says nothing is refused, with a message that says what would do."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError
from groundwire.lookup import SqlSource
from groundwire.profiles import dialogue as d
from groundwire.profiles.stream import Inference, SourceAttributionTracker, UserStatement


def flag(span: tuple[int, int]) -> d.HallucinationFlag:
    return d.HallucinationFlag(span, "x", d.HallucinationType.FabricatedFact, 0.5)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: d.KBEvidence(confidence=float("nan")), "0 to 1"),
        (lambda: d.KBEvidence(confidence=2), "0 to 1"),
        (lambda: d.HistoryEvidence(confidence=-0.1), "0 to 1"),
        (lambda: flag((-1, 3)), "counts from 0"),
        (lambda: d.EnabledDetectors(guesses=True), "fabricated_facts"),
        (lambda: d.EnabledDetectors(temporal_errors="often"), "True or False"),
        (lambda: gw.KnowledgeBase().set_world("closed"), "True or False"),
        (lambda: gw.KnowledgeBase().set_world(attributes="price"), "list of names"),
        (lambda: gw.KnowledgeBase().set_world(attributes=[3]), r"attributes\[0\]"),
        (lambda: gw.check("Hi.", monitor=gw.Monitor(), kb=gw.KnowledgeBase()), "kb: a monitor has"),
        (lambda: gw.check("Hi.", history=[("robot", "Hi.")]), "role is one of system"),
        (lambda: gw.check("Hi.", history=[("user", "Hi."), ("", "Hi.")]), r"history\[1\]"),
    ],
)
def test_what_says_nothing_is_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        make()


def test_what_is_meant_is_taken() -> None:
    assert d.EnabledDetectors(temporal_errors=False).temporal_errors is False
    config = d.HallucinationDetectorConfig(
        enabled_detectors=d.EnabledDetectors(wrong_attributes=False)
    )
    assert not config.enabled_detectors.wrong_attributes
    kb = gw.KnowledgeBase.from_records([{"name": "Una Kerr", "attributes": {"team": "Sales"}}])
    kb.set_world(attributes=["team"])
    assert kb.is_closed("team")
    kb.set_world(closed=True)
    assert kb.is_closed()
    for role in ("developer", "human", "model", "function"):
        gw.check("Hi.", history=[(role, "Hello.")])
    # A pair of statements may end before it starts, under strict_seed.
    assert flag((5, 0)).span == (5, 0)


def test_a_database_without_the_table_is_an_error_at_once(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path / 'staff.db'}"
    with pytest.raises(FormatError, match="could not be read"):
        SqlSource(url, table="staff")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no database at all" * 100)
    with pytest.raises(FormatError, match="could not be read"):
        SqlSource(f"sqlite:///{broken}", table="staff")
    later = SqlSource(url, table="staff", check=False)
    with pytest.raises(FormatError, match="could not be read"):
        list(later.find("Una Kerr"))
    with pytest.raises(FormatError, match="there is no file"):
        gw.KnowledgeBase.from_sql(url, table="staff")
    assert not (tmp_path / "staff.db").exists(), "asking leaves no empty file behind"


@pytest.mark.req("S4-007", "S4-008")
def test_a_long_chain_of_inferences_is_followed() -> None:
    tracker = SourceAttributionTracker()
    for i in range(5000):
        tracker.track_claim(("k", i), Inference((("k", i + 1),)))
    said = UserStatement(0, "I live in Rome", history=[("user", "I live in Rome.")])
    tracker.track_claim(("k", 5000), said)
    assert tracker.verify_claim(("k", 0)).verified
    tracker.track_claim(("k", 5000), Inference((("k", 17),)))
    assert tracker.verify_claim(("k", 0)).reason == "circular_inference"


def test_a_program_that_comes_to_an_error_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("hyperon")
    main = importlib.import_module("groundwire.metta.__main__").main
    monkeypatch.chdir(tmp_path)
    for program, code in (("!(+ 1 2)", 0), ('!(load-knowledge-base "absent.jsonl")', 1)):
        path = tmp_path / "program.metta"
        path.write_text(program)
        assert main([str(path)]) == code
    assert "(Error " in capsys.readouterr().out


def test_whole_numbers_count_where_a_float_is_meant() -> None:
    assert gw.Policy(auto_correct=1) == gw.Policy(auto_correct=1.0)
    assert isinstance(gw.Policy.from_mapping({"auto_correct": 0}).auto_correct, float)
    for value in (True, False, 2, -1, 10**400, "1", None):
        with pytest.raises(ArgumentError, match="auto_correct"):
            gw.Policy(auto_correct=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("monitor", [3, "monitor", {}, gw.Monitor])
def test_a_monitor_is_one(monitor: Any) -> None:
    with pytest.raises(ArgumentError, match="monitor is a Monitor, not"):
        gw.check("x", monitor=monitor)
