"""Reports: shape, counts, folding."""

from __future__ import annotations

import json
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.reports.text import render

TEXT = (
    "Studies show that 40 % of them agree. Zorblax Quimby said so. Zorblax Quimby said so again. "
    "The museum has 60 employees. Is it open?"
)


@pytest.fixture(scope="module")
def report() -> gw.Report:
    return gw.check(TEXT, evidence=["The museum has 45 employees."])


def test_json_says_its_version(report: gw.Report) -> None:
    data = json.loads(report.to_json())
    assert data["schema_version"] == "1.0"
    assert data == json.loads(json.dumps(report.to_dict()))
    for key in ("text", "released", "findings", "claims", "interventions", "stats", "tier"):
        assert key in data
    assert data["released"] == data["text"] == TEXT


@pytest.mark.req("S0-015")
def test_counts_add_up(report: gw.Report) -> None:
    stats = report.stats
    assert stats["segments"] == 5
    assert stats["claims"] == len(report.claims)
    assert stats["findings"] == len(report.findings) > 0
    for key in ("by_type", "by_severity", "by_status", "by_tier"):
        assert sum(stats[key].values()) == len(report.findings), key
    assert stats["by_type"]["stream.unknown_entity"] == sum(
        f.type == "stream.unknown_entity" for f in report.findings
    )


@pytest.mark.req("U-3", "U-5")
def test_findings_are_whole(report: gw.Report) -> None:
    for finding in report.findings:
        assert 0.0 <= finding.p_hallucinated <= 1.0
        assert 0.0 <= finding.score <= 1.0
        assert finding.risk == pytest.approx(finding.score * finding.p_hallucinated)
        assert finding.id and finding.message and finding.type.startswith(finding.system)
    assert report.verdict.status in ("pass", "warn", "fail")
    assert report.tier == report.verdict.tier
    ids = [f.id for f in report.findings]
    assert len(set(ids)) == len(ids)


def test_findings_of_one_kind_raise_each_other() -> None:
    evidence = ["The museum was built by Ann Lee."]
    names = ("Zorblax Quimby", "Tolliver Brandt", "Ymke Oosterhuis")
    one = gw.check(f"{names[0]} said so.", evidence=evidence).findings
    many = gw.check(" ".join(f"{name} said so." for name in names), evidence=evidence).findings
    first, *_ = [f for f in one if f.type == "stream.unknown_entity"]
    same = [f for f in many if f.type == "stream.unknown_entity"]
    assert [f.text for f in same] == list(names)
    assert same[-1].score > first.score


def test_a_report_of_nothing() -> None:
    report = gw.check("")
    assert (report.text, report.findings, report.claims) == ("", (), ())
    assert (report.tier, report.verdict.status) == ("none", "pass")


FILLER = "Bob Smith met Ann Lee in 1999 on 3 May for $5. "


@pytest.mark.parametrize("piece", [40, 1_000, 10**9])
def test_findings_outlive_the_text_they_stand_in(piece):
    kb = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    text = "The Harbour Museum was founded in 1992. " + FILLER * 700
    monitor = gw.Monitor(kb=kb)
    with monitor.session() as session:
        for at in range(0, len(text), piece):
            session.push_text(text[at : at + piece])
        report = session.finish()
    assert (report.tier, report.truncated) == ("high", True)
    wrong = [f for f in report.findings if f.type == "dialogue.wrong_attribute"]
    assert [f.text for f in wrong] == ["1992"]
    assert wrong[0].span is None, "its text is no longer there"
    for finding in report.findings:
        if finding.span is not None:
            assert report.text[slice(*finding.span)].startswith(finding.text[:40])


def test_check_has_every_span_of_a_long_text():
    text = "Das Müséum 🙂 was founded in 1992. " + FILLER * 1_500
    report = gw.check(text, evidence=["The museum was founded in 1987."])
    assert report.truncated and report.text == text
    assert len(report.findings) > 100
    for finding in report.findings:
        assert text[slice(*finding.span)].startswith(finding.text[:40])
    for claim in report.claims:
        assert text[slice(*claim.span)].startswith(claim.content[:40])


def test_what_is_told_of_a_text_longer_than_what_is_retained():
    text = "Das Müséum 🙂 was founded in 1992. " + FILLER * 450
    monitor = gw.Monitor(settings={"max_retained": 16_384})
    evidence = ["The museum was founded in 1987."]
    whole = render(monitor.check(text, evidence=evidence).to_dict(), source="a")
    assert "\na:1:29 " in whole
    assert "only its end" not in whole and "longer than what is retained; of very" in whole
    with monitor.session(evidence=evidence) as session:
        session.push_text(text)
    assert "only its end is shown" in render(session.finish().to_dict())


@pytest.mark.parametrize("p", [1.9, -0.1, float("nan"), float("inf"), True, "0.5", None])
def test_a_probability_is_one(p: Any) -> None:
    with pytest.raises(ArgumentError, match=r"team\.rule: p_hallucinated is .* from 0 to 1"):
        gw.Finding(type="team.rule", p_hallucinated=p)
    for fine in (0, 1, 0.5):
        assert gw.Finding(type="team.rule", p_hallucinated=fine).p_hallucinated == fine


def test_no_text_has_no_token() -> None:
    assert gw.check("").stats["tokens"] == 0
    session = gw.Monitor().session()
    for piece in ("", "Two words.", ""):
        session.push_text(piece)
    assert session.finish().stats["tokens"] == 1
