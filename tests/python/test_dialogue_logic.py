"""Times and logic: golden findings, the taxonomy, and what ``_core.segments`` reads."""

import json
from pathlib import Path

import pytest

import groundwire as gw
from groundwire import _core
from groundwire.errors import ArgumentError
from groundwire.profiles.dialogue import LogicalConsistencyChecker
from groundwire.profiles.dialogue.segments import segment_response

VECTORS = Path(__file__).parent.parent / "vectors"
GOLDEN = json.loads((VECTORS / "dialogue_logic.json").read_text(encoding="utf-8"))
TAXONOMY = json.loads((VECTORS / "taxonomy_logic.json").read_text(encoding="utf-8"))
TYPES = ("dialogue.temporal_error", "dialogue.logical_inconsistency")


def ours(report):
    """Findings of the two types; what the other detectors say of a text is their tests' matter."""
    return [finding for finding in report.findings if finding.type in TYPES]


@pytest.fixture(scope="module")
def monitor():
    return gw.Monitor(profiles="dialogue", reference_date=GOLDEN["reference_date"])


def rows(text, **given):
    return json.loads(_core.segments(text, **given))


@pytest.mark.req("S0-050", "S0-051", "S0-052", "S0-054", "S0-055", "S0-056", "S0-057")
@pytest.mark.req("S0-058", "S0-059", "S0-060")
def test_golden_findings(monitor):
    for case in GOLDEN["cases"]:
        (finding,) = ours(monitor.check(case["text"]))
        evidence = finding.evidence[0].text if finding.evidence else None
        assert (finding.type, finding.rule, finding.p_hallucinated) == (
            case["type"],
            case["rule"],
            case["p"],
        )
        assert finding.content == case["content"]
        assert (finding.suggestion, evidence) == (case["suggestion"], case["evidence"])
        assert case["text"][slice(*finding.span)] == finding.text


@pytest.mark.req("S0-013")
@pytest.mark.parametrize("kind", TYPES)
def test_taxonomy(monitor, kind):
    for text in TAXONOMY["examples"][kind]:
        assert [f.type for f in ours(monitor.check(text))] == [kind], text
    assert len(TAXONOMY["look_alikes"][kind]) >= 10
    for text in TAXONOMY["look_alikes"][kind]:
        assert not ours(monitor.check(text)), text


@pytest.mark.req("S0-053")
def test_the_same_text_on_another_day(monitor):
    text = "The event happened last year in 2026."
    assert monitor.check(text).findings
    assert not monitor.check(text, reference_date="2027-05-01").findings


@pytest.mark.req("S0-051", "S0-015")
@pytest.mark.parametrize(("years", "found"), [(10, True), (18, True), (19, False), (50, False)])
def test_how_far_a_year_may_lie_ahead_is_configured(years, found):
    config = gw.Config.model_validate({"dialogue": {"max_future_years": years}})
    monitor = gw.Monitor.from_config(config, reference_date="2026-11-22")
    assert bool(ours(monitor.check("The colony will be founded in 2045."))) is found


@pytest.mark.req("S0-015", "S0-018")
def test_times_are_resolved_and_placed():
    text = "“Ünï” was founded last year, three days before 5 May 2024. It opens next Tuesday."
    one, two = rows(text, reference_date="2025-11-22")
    for row in (one, two):
        assert text[slice(*row["span"])] == row["text"]
        for part in [*row["temporals"], *row["entities"], *row["statements"]]:
            assert text[slice(*part["span"])] == part["surface"]
        for claim in row["claims"]:
            assert text[slice(*claim["span"])] == claim["content"]
    last, day = one["temporals"]
    assert (last["surface"], last["first"], last["last"]) == (
        "last year",
        "2024-01-01",
        "2024-12-31",
    )
    assert (last["tense"], last["relation"]) == ("past", "before")
    assert last["target"] == {"surface": "5 May 2024", "resolved_date": "2024-05-05"}
    assert day["resolved_date"] == "2024-05-05"
    assert two["temporals"][0]["resolved_date"] == "2025-11-25"


@pytest.mark.req("S0-018")
@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("yesterday", "2025-11-21", "2025-11-21"),
        ("two days ago", "2025-11-20", "2025-11-20"),
        ("last month", "2025-10-01", "2025-10-31"),
        ("last week", "2025-11-10", "2025-11-16"),
        ("last Tuesday", "2025-11-18", "2025-11-18"),
        ("last October", "2025-10-01", "2025-10-31"),
        ("last decade", "2010-01-01", "2019-12-31"),
        ("last quarter", "2025-07-01", "2025-09-30"),
        ("in the 1990s", "1990-01-01", "1999-12-31"),
        ("in Q3 2024", "2024-07-01", "2024-09-30"),
        ("in the third quarter of 2024", "2024-07-01", "2024-09-30"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
    ],
)
def test_expressions_of_time(said, first, last):
    (row,) = rows(f"The shop opened {said}.", reference_date="2025-11-22")
    (temporal,) = row["temporals"]
    assert (temporal["first"], temporal["last"], temporal["tense"]) == (first, last, "past")
    assert temporal["event"] == "opened"


@pytest.mark.req("S0-018")
@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("It will open in 2030.", "future"),
        ("It is scheduled to open in 2030.", "future"),
        ("It opens in 2030.", "present"),
        ("It has been open since 2020.", "past"),
        ("It was meant to open in 2030.", "unknown"),
        ("It could open in 2030.", "unknown"),
    ],
)
def test_tenses(text, tense):
    (row,) = rows(text, reference_date="2025-11-22")
    assert row["temporals"][0]["tense"] == tense


@pytest.mark.req("S0-019", "S0-061")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All items were shipped.", {"quantifier": "all", "negative": False, "object": "shipped"}),
        ("Not every door is locked.", {"quantifier": "not_all", "object": "locked"}),
        ("No student passed the exam.", {"quantifier": "no", "object": "the exam"}),
        ("Some guests did not vote.", {"quantifier": "some", "negative": True}),
        ("Most users agreed.", {"quantifier": "most"}),
        ("Exactly three ships arrived.", {"quantifier": "exactly"}),
        ("The whale is a kind of fish.", {"category": "fish", "predicate": "be"}),
        ("The shop is no longer open on Sundays.", {"negative": True, "scope": "on sundays"}),
        ("The firm has 45 employees.", {"predicate": "have", "object": "45 employees"}),
    ],
)
def test_logical_form(text, expected):
    (row,) = rows(text)
    (statement,) = row["statements"]
    assert {key: statement[key] for key in expected} == expected


@pytest.mark.req("S0-015", "S0-017")
def test_entities_resolve_in_the_knowledge_base():
    kb = gw.KnowledgeBase()
    kb.add_entity("Ada Lind", type="person", key="p1")
    (row,) = rows("She met Ada Lind.", kb=kb, history=[("user", "Who is Ada Lind?")])
    found = [(e["surface"], e["mention_type"], e["type"], e["resolved"]) for e in row["entities"]]
    assert found == [
        ("She", "pronoun", "person", "p1"),
        ("Ada Lind", "proper_name", "person", "p1"),
    ]
    text = "She met Zorblax Quimby."
    (row,) = rows(text, history=[("user", "Who is Ada?")], question="Whom did she meet?")
    pronoun, name = row["entities"]
    assert (pronoun["surface"], pronoun["mention_type"]) == ("She", "pronoun")
    assert (name["surface"], name["mention_type"]) == ("Zorblax Quimby", "proper_name")
    assert name["resolved"] is None
    assert name["type"] == "unknown"


@pytest.mark.req("S0-057", "S0-060", "S0-061")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("All servers are online. No server is online.", 0.85),
        ("All parties agree. No party agrees.", 0.85),
        ("The light is on. The light is off.", 0.85),
        ("The switch is on the wall. The switch is off.", None),
        ("All servers are online. No client is online.", None),
        ("All buses are late. No boss is late.", None),
    ],
)
def test_the_checker_reads_plurals_and_states(text, found, strict):
    checker = LogicalConsistencyChecker(strict_seed=strict)
    flags = checker.detect(segment_response(text))
    assert [flag.confidence for flag in flags] == ([] if found is None else [found])


def test_questions_and_code_state_nothing():
    assert all(not row["statements"] for row in rows("Is it open?\n\n```\nx is 1\n```\n"))


def test_bad_arguments_are_named():
    with pytest.raises(ArgumentError, match="reference_date"):
        _core.segments("It is open.", reference_date="2025-13-01")
    with pytest.raises(ArgumentError):
        _core.segments("\ud800")
