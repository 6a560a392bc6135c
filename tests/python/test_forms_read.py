"""Answers in JSON against a knowledge base: vectors, in several shapes, and what stands in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.mitigation import apply

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "forms.json").read_text("utf-8")
)
KB = gw.KnowledgeBase.from_records(VECTORS["records"])
MONITOR = gw.Monitor(kb=KB)


def texts(case: dict[str, Any]) -> list[str]:
    form = case["form"]
    pretty = json.dumps(form, indent=2)
    own = [json.dumps(form), pretty, f"Here it is:\n{pretty}\n\nAsk me for more."]
    return [*own, f"```json\n{pretty}\n```"] if not isinstance(form, list) else own[:2]


def contradicted(text: str) -> list[Any]:
    return [f for f in MONITOR.check(text).findings if f.status == "contradicted"]


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("case", VECTORS["wrong"], ids=lambda case: json.dumps(case["form"])[:60])
def test_what_the_base_contradicts_is_found_whatever_stands_beside_it(case: dict[str, Any]) -> None:
    for text in texts(case):
        found = contradicted(text)
        assert [f.text for f in found] == case["said"], text
        assert all(text[f.span[0] : f.span[1]] == f.text for f in found)


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("case", VECTORS["true"], ids=lambda case: json.dumps(case["form"])[:60])
def test_what_is_so_is_left_alone(case: dict[str, Any]) -> None:
    for text in texts(case):
        assert not contradicted(text), text


@pytest.mark.req("X-12")
@pytest.mark.parametrize(
    "case",
    [case for case in VECTORS["wrong"] if "mended" in case],
    ids=lambda case: json.dumps(case["form"])[:60],
)
def test_a_correction_keeps_the_form(case: dict[str, Any]) -> None:
    text = json.dumps(case["form"])
    mended = apply(gw.mitigate(MONITOR.check(text), kb=KB), text)
    assert json.loads(mended) == case["mended"]
    assert not contradicted(mended)


def test_a_correction_with_quotation_marks_keeps_the_form() -> None:
    facts = {"owner": 'Jo "Red" Hall', "seats": "about twenty"}
    known = gw.KnowledgeBase.from_records([{"name": "The Quay Inn", "attributes": facts}])
    monitor = gw.Monitor(kb=known)
    for form in (
        {"name": "The Quay Inn", "owner": "Max Roe"},
        {"name": "The Quay Inn", "seats": 31},
    ):
        text = json.dumps(form)
        json.loads(apply(gw.mitigate(monitor.check(text), kb=known), text))


@pytest.mark.parametrize(
    "case", VECTORS["wrong"][:6] + VECTORS["wrong"][12:18] + VECTORS["wrong"][-8:]
)
def test_how_the_text_was_cut_changes_nothing(case: dict[str, Any]) -> None:
    for text in texts(case):
        whole = [(f.type, f.span, f.replacement) for f in MONITOR.check(text).findings]
        for size in (1, 3, 7):
            session = MONITOR.session()
            for at in range(0, len(text), size):
                session.push_text(text[at : at + size])
            report = session.finish()
            assert [(f.type, f.span, f.replacement) for f in report.findings] == whole


def test_claims_are_about_things_and_no_keys() -> None:
    form = {
        "answer": "Lindqvist Bakery was founded in 1948.",
        "name": "Aurora 5",
        "weight": "24 kg",
    }
    claims = MONITOR.check(json.dumps(form)).claims
    assert {claim.subject for claim in claims} == {"Lindqvist Bakery", "Aurora 5"}
    topics = {f.extra.get("topic") for f in contradicted(json.dumps(form))}
    assert topics == {"Lindqvist Bakery", "Aurora 5"}


def test_an_answer_that_breaks_off_is_judged_as_far_as_it_goes() -> None:
    text = '{"name": "Kestrel Bridge", "architect": "Jon Wick", "length": "412 m"'
    assert [f.text for f in contradicted(text)] == ["Jon Wick"]


@pytest.mark.req("S0-013")
def test_a_letter_written_by_its_number_is_part_of_its_word() -> None:
    text = json.dumps({"name": "Café Brûlé", "note": "Éva Noël née Crête"})
    named = [
        f.text for f in MONITOR.check(text).findings if f.type == "dialogue.nonexistent_entity"
    ]
    assert not [name for name in named if name in {"Caf", "Br", "No", "Cr"}]
