"""Batches of finished answers, as Ray Data hands them over; and Ray itself, where it is there."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations.ray import OUT, CheckAnswers

PASSAGE = "The Slate Bridge was finished in 1903 by Oskar Lund. It is 88 metres long."
TRUE = "The Slate Bridge was finished in 1903 by Oskar Lund."
WRONG = "The Slate Bridge was finished in 1947 by Oskar Lund."
BATCH = {
    "id": np.array([1, 2, 3]),
    "answer": np.array([TRUE, WRONG, TRUE], dtype=object),
    "sources": np.array([[PASSAGE], np.array([PASSAGE]), None], dtype=object),
}
COLUMNS = {"text": "answer", "evidence": "sources"}


def test_columns_are_added_to_a_mapping() -> None:
    found = CheckAnswers(**COLUMNS)(BATCH)
    assert list(found) == [*BATCH, *(f"groundwire_{name}" for name in OUT)]
    assert found["groundwire_tier"][:2] == ["none", "high"]
    assert found["groundwire_status"][0] == "pass"
    assert found["groundwire_count"][0] == 0
    findings = json.loads(found["groundwire_findings"][1])
    conflict = next(f for f in findings if f["replacement"])
    assert (conflict["text"], conflict["replacement"]) == ("1947", "1903")
    assert found["groundwire_risk"][1] == max(f["risk"] for f in findings)
    assert found["groundwire_error"] == ["", "", ""]
    assert found["id"] is BATCH["id"]


def test_frames_and_tables_stay_what_they_are() -> None:
    frame = pd.DataFrame({name: list(values) for name, values in BATCH.items()})
    found = CheckAnswers(**COLUMNS, prefix="gw_")(frame)
    assert isinstance(found, pd.DataFrame)
    assert list(found["gw_tier"])[:2] == ["none", "high"]
    assert "gw_tier" not in frame
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = arrow.table({"answer": [TRUE, WRONG], "sources": [[PASSAGE], [PASSAGE]]})
    told = CheckAnswers(**COLUMNS)(table)
    assert isinstance(told, arrow.Table)
    assert told["groundwire_tier"].to_pylist() == ["none", "high"]


def test_the_answer_is_that_of_one_call() -> None:
    monitor = gw.Monitor()
    rows = [
        {"text": WRONG, "evidence": PASSAGE, "question": "When?", "history": None},
        {"text": TRUE, "evidence": {"text": PASSAGE, "id": "p"}, "question": None, "history": []},
        {
            "text": "Ulla Berg built it.",
            "evidence": None,
            "question": float("nan"),
            "history": [{"role": "user", "text": "Ulla Berg built it."}],
        },
    ]
    check = CheckAnswers(monitor, evidence="evidence", question="question", history="history")
    found = check({name: [row[name] for row in rows] for name in rows[0]})
    for i, row in enumerate(rows):
        evidence = row["evidence"] or ()
        evidence = [evidence] if isinstance(evidence, str | dict) else evidence
        question = row["question"] if isinstance(row["question"], str) else None
        report = monitor.check(
            row["text"], evidence=evidence, question=question, history=row["history"] or ()
        )
        assert found["groundwire_tier"][i] == report.tier
        assert json.loads(found["groundwire_findings"][i]) == [
            json.loads(json.dumps(f.to_dict())) for f in report.findings
        ]


def test_monitors_come_as_objects_functions_and_files(tmp_path: Path) -> None:
    file = tmp_path / "groundwire.toml"
    file.write_text("[stream]\nrelease = 'token'\n")
    for monitor in (None, gw.Monitor(), gw.Monitor, str(file), file):
        found = CheckAnswers(monitor, **COLUMNS)(BATCH)
        assert found["groundwire_tier"][1] == "high"
    again = pickle.loads(pickle.dumps(CheckAnswers(gw.Monitor(), **COLUMNS)))
    assert again(BATCH)["groundwire_tier"] == found["groundwire_tier"]


def test_bad_input_is_named() -> None:
    with pytest.raises(ArgumentError, match="on_error is 'skip'"):
        CheckAnswers(on_error="skip")
    with pytest.raises(ArgumentError, match="monitor is a Monitor"):
        CheckAnswers(3)
    with pytest.raises(ConfigError):
        CheckAnswers("no-such-file.toml")
    with pytest.raises(ArgumentError, match="no column 'text'; there are: id, answer, sources"):
        CheckAnswers()(BATCH)
    with pytest.raises(ArgumentError, match="use prefix="):
        CheckAnswers(**COLUMNS)({**BATCH, "groundwire_tier": [1, 2, 3]})
    with pytest.raises(ArgumentError, match="int has none"):
        CheckAnswers()(3)
    with pytest.raises(ArgumentError, match="row 1 of the batch: text is a string, not NoneType"):
        CheckAnswers()({"text": ["Fine.", None]})


def test_or_it_is_told_in_a_column() -> None:
    check = CheckAnswers(evidence="evidence", on_error="column")
    batch: dict[str, Any] = {"text": [TRUE, None, TRUE], "evidence": [[PASSAGE], [], [3]]}
    found = check(batch)
    assert found["groundwire_status"] == ["pass", "unchecked", "unchecked"]
    assert found["groundwire_error"][0] == ""
    assert "text is a string" in found["groundwire_error"][1]
    assert "evidence[0]" in found["groundwire_error"][2]
    assert found["groundwire_findings"][1] == "[]"
    assert CheckAnswers()({"text": []})["groundwire_tier"] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("batch_format", ["numpy", "pandas", "pyarrow"])
def test_on_a_local_cluster(batch_format: str) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    pytest.importorskip("ray.data", reason="ray[data] is not installed")
    path = str(Path(gw.__file__).parent.parent)
    env = {"env_vars": {"PYTHONPATH": path}}
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env=env,
        ignore_reinit_error=True,
    )
    try:
        rows = [
            {"i": i, "answer": WRONG if i % 5 == 0 else TRUE, "sources": [PASSAGE]}
            for i in range(200)
        ]
        checked = ray.data.from_items(rows).map_batches(
            CheckAnswers,
            fn_constructor_kwargs=COLUMNS,
            batch_size=32,
            batch_format=batch_format,
            concurrency=1,
        )
        found = sorted(checked.take_all(), key=lambda row: row["i"])
        assert len(found) == len(rows)
        for row in found:
            assert row["groundwire_tier"] == ("high" if row["i"] % 5 == 0 else "none")
    finally:
        ray.shutdown()
