"""The guard through Python: directives, holding, answers from elsewhere."""

from __future__ import annotations

import groundwire as gw
import pytest
from groundwire import errors

EVIDENCE = ["The museum was founded in 1987 and has 45 employees."]


def said(directives: list[gw.Guard]) -> str:
    return "".join(d.text for d in directives if d.kind == "release")


@pytest.mark.req("S4-028", "S4-029")
def test_a_wrong_number_never_leaves() -> None:
    guard = gw.Monitor().guard(evidence=EVIDENCE)
    pieces = ["The museum", " has", " 60", " employees", ".", " It is old."]
    out = []
    while pieces:
        _, found = guard.push_text(pieces.pop(0))
        for d in found:
            if d.kind == "rewind":
                _, more = guard.push_text(d.text, forced=True)
                pieces = [" employees", ".", " It is old."]
                out += more
        out += found
    end = guard.finish()
    assert end[-1].kind == "stop" and end[-1].reason == "end"
    assert "60" not in guard.released
    assert said(out) + said(end) == guard.released
    report = guard.report()
    assert report.released == guard.released
    assert report.stopped == "end"
    assert any("60" in i.retracted for i in report.interventions)
    assert all(not i.already_sent for i in report.interventions)


def test_answers_come_from_any_thread() -> None:
    guard = gw.Monitor().guard(policy=gw.Policy(release="response"))
    step, _ = guard.push_text("It is closed on Mondays. It is old.")
    claim = step.claims[0]
    guard.expect(claim.id)
    assert [d.kind for d in guard.finish()] == ["wait"]
    guard.resolve(claim.id, gw.Verdict(status="supported"))
    out = guard.finish()
    assert [d.kind for d in out] == ["release", "stop"]
    assert guard.released == "It is closed on Mondays. It is old."


def test_holding_is_given_up() -> None:
    guard = gw.Monitor().guard(policy=gw.Policy(release="response", max_hold_ms=50))
    step, _ = guard.push_text("It is closed on Mondays. It is old.", now_ms=0)
    guard.expect(step.claims[0].id)
    assert [d.kind for d in guard.finish(now_ms=49)] == ["wait"]
    assert guard.finish(now_ms=51)[-1].kind == "stop"
    assert guard.report().holds_given_up == 1


def test_bad_arguments() -> None:
    guard = gw.Monitor().guard()
    with pytest.raises(errors.ArgumentError):
        guard.push(3)
    with pytest.raises(errors.GroundwireError):
        gw.Monitor().guard(policy=gw.Policy(max_hold_tokens=0))
    assert guard.pushes == 0
