"""The schema of reports against reports as they are made: nothing missing, nothing unknown."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import jsonschema
import pytest

import groundwire as gw
from groundwire.cli.mend import as_data
from groundwire.findings import Claim, Evidence, Finding, Intervention
from groundwire.mitigation import MitigationAction
from groundwire.plain import ReportDict
from groundwire.report import ProfileVerdict, Report, WeakPoint
from groundwire.reports import json as written
from groundwire.vocabulary import vocabulary
from sample_reports import SECRETS, report

SCHEMA = written.schema()
KB = gw.KnowledgeBase.from_records(
    [{"name": "Harbour Museum", "attributes": {"founded": "1987", "employees": "45"}}],
    source="museum.jsonl",
)
EVIDENCE = ["The Harbour Museum was founded in 1987 by Ada Lind (Lind, 1988). It has 45 employees."]
ANSWER = (
    "The Harbour Museum was founded in 1992 (Smith et al., 2020). It probably has 60 employees. "
    "Studies show that 40 % like it. All its doors are red. None of its doors is red."
)
PIECES = [
    "The Harbour Museum was",
    " founded in",
    " 1992.",
    " It has 60 employees.",
    " Studies show it.",
]
TOKENS = vocabulary([(i, piece.encode(), False) for i, piece in enumerate(PIECES)])


def checked() -> Report:
    return gw.check(ANSWER, kb=KB, evidence=EVIDENCE, question="When was it founded?")


def guarded() -> Report:
    said = iter(range(len(PIECES)))
    loop = gw.guard(
        lambda ids: next(said, None),
        [],
        monitor=gw.Monitor(kb=KB, tokenizer=TOKENS),
        evidence=EVIDENCE,
        hooks=gw.ProtocolHooks(verify_first=False),
        question="When was the Harbour Museum founded?",
        encode=lambda text: [],
    )
    last = list(loop)[-1].report
    assert last is not None
    return last


@pytest.mark.parametrize("make", [checked, guarded])
def test_what_is_reported_fits_the_schema(make: Any) -> None:
    found = make()
    assert found.claims
    jsonschema.validate(json.loads(found.to_json()), SCHEMA)
    masked = json.loads(written.render(found.to_dict(), mask=True))
    jsonschema.validate(masked, SCHEMA)


def test_an_answer_that_was_taken_back_fits_too() -> None:
    found = guarded()
    assert found.interventions, "the year contradicts the base, so the guard steps in"
    assert any(done.findings for done in found.interventions)
    assert found.confidence is not None


def test_what_mitigation_adds_fits() -> None:
    found = checked()
    actions = [
        MitigationAction.NoAction(),
        MitigationAction.Flag((0, 3), "[unverified]"),
        MitigationAction.Correct((0, 3), "1992", "1987", "museum.jsonl"),
        MitigationAction.Remove((0, 3), "not in the evidence"),
        MitigationAction.Regenerate("say when it was founded"),
        MitigationAction.Escalate("sources disagree", (0, 3)),
    ]
    for mask in (False, True):
        data = {**found.to_dict(), "mitigation": as_data(actions, "text", mask=mask)}
        jsonschema.validate(json.loads(json.dumps(data)), SCHEMA)


@pytest.mark.parametrize(
    ("kind", "place", "renamed"),
    [
        (Report, SCHEMA, {}),
        (ProfileVerdict, SCHEMA["$defs"]["verdict"], {}),
        (Finding, SCHEMA["$defs"]["finding"], {}),
        (Evidence, SCHEMA["$defs"]["evidence"], {}),
        (Claim, SCHEMA["$defs"]["claim"], {}),
        (Intervention, SCHEMA["$defs"]["intervention"], {}),
        (WeakPoint, SCHEMA["$defs"]["weak_point"], {}),
        (
            MitigationAction,
            SCHEMA["properties"]["mitigation"]["properties"]["actions"]["items"],
            {"kind": "type"},
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_field_stands_in_the_schema(kind: Any, place: Any, renamed: dict[str, str]) -> None:
    names = {renamed.get(f.name, f.name) for f in fields(kind)}
    known = set(place["properties"])
    assert names - known == set(), "the schema lacks fields"
    extra = {"mitigation"} if kind is Report else set()
    assert known - names == extra, "the schema has fields that nothing writes"


def test_plain_data_knows_every_field_of_a_report() -> None:
    names = {f.name for f in fields(Report)} | {"mitigation"}
    assert set(ReportDict.__annotations__) == names


def places(schema: Any, at: str = "#") -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        if "properties" in schema:
            yield at, schema
        for key, value in schema.items():
            yield from places(value, f"{at}/{key}")


def test_objects_that_have_names_have_no_others() -> None:
    # What is counted may grow without a new version of the form.
    open_ones = {at for at, item in places(SCHEMA) if item.get("additionalProperties") is not False}
    assert open_ones == {"#/$defs/stats"}


@pytest.mark.parametrize(
    "path", [[], ["verdict"], ["findings", 0], ["claims", 0], ["interventions", 0]]
)
def test_an_unknown_field_is_refused(path: list[Any]) -> None:
    data: Any = copy.deepcopy(report())
    place = data
    for key in path:
        place = place[key]
    place["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        jsonschema.validate(data, SCHEMA)


def test_a_masked_report_quotes_nothing_in_its_weak_points() -> None:
    given: Any = report()
    masked = written.render(given, mask=True)
    assert not [word for word in SECRETS if word in masked]
    assert json.loads(masked)["weak_points"][0]["confidence"] == 0.2
    jsonschema.validate(json.loads(masked), SCHEMA)
