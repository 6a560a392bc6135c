"""Knowledge base and evidence that disagree: a person decides, and the guard writes neither."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.mitigation import ActionKind, mitigate

KB = gw.KnowledgeBase.from_records(
    [{"name": "Heron Ferry", "type": "ferry", "attributes": {"price": "$28", "capacity": 240}}]
)
EVIDENCE = ["The Heron Ferry costs $34 and leaves from the old pier."]


def rewrites(text: str) -> list[str]:
    """What the guard wants in the place of a text, under the default policy."""
    guard = gw.Monitor(kb=KB).guard(evidence=EVIDENCE)
    _, found = guard.push_text(text)
    return [d.text for d in (*found, *guard.finish()) if d.kind == "rewind"]


@pytest.mark.req("S0-079")
@pytest.mark.parametrize("value", ["$28", "$34", "$45"])
def test_where_sources_disagree_a_person_is_asked(value: str) -> None:
    report = gw.check(f"The Heron Ferry costs {value}.", kb=KB, evidence=EVIDENCE)
    actions = mitigate(report, kb=KB)
    kinds = {action.kind for action in actions}
    assert ActionKind.Escalate in kinds
    assert ActionKind.Correct not in kinds
    reason = next(a.reason for a in actions if a.kind is ActionKind.Escalate)
    assert reason is not None
    assert "disagree" in reason
    assert "28" in reason
    assert "$34" in reason


@pytest.mark.req("S0-079")
@pytest.mark.parametrize("value", ["$28", "$34"])
def test_what_one_source_has_is_doubted_and_no_more(value: str) -> None:
    report = gw.check(f"The Heron Ferry costs {value}.", kb=KB, evidence=EVIDENCE)
    assert {f.tier for f in report.findings} <= {"none", "low", "medium"}
    assert all(f.replacement is None for f in report.findings)


@pytest.mark.req("S0-079", "S4-030")
@pytest.mark.parametrize("value", ["$28", "$34", "$45"])
def test_the_guard_writes_no_other_sources_value(value: str) -> None:
    said = " ".join(rewrites(f"The Heron Ferry costs {value}. It is old."))
    for other in {"$28", "$34"} - {value}:
        assert other not in said


@pytest.mark.req("S0-079", "S0-078")
def test_where_they_agree_the_value_is_put_right() -> None:
    report = gw.check("The Heron Ferry costs $45.", kb=KB, evidence=["The Heron Ferry costs $28."])
    put = {a.replacement for a in mitigate(report, kb=KB) if a.kind is ActionKind.Correct}
    assert put == {"$28"}
