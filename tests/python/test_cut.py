"""An answer that a limit of tokens cut inside a word or a number: that word is not judged."""

from __future__ import annotations

import json
from typing import Any

import pytest

import groundwire as gw
from gateway_upstream import MODEL, Model, gateway
from gateway_upstream import client as official

BASE = gw.KnowledgeBase.from_records(
    [
        {"name": "Copper Hall", "attributes": {"architect": "Johan Reed", "built": 1998}},
        {"name": "Elm Bridge", "attributes": {"engineer": "Amara Okafor", "length": "2400 m"}},
    ]
)
EVIDENCE = [
    "Net income was $610 million in 2020. The fee is 2000 euros. The registrar is Ida Falk.",
    "The Elm Bridge was opened on 31 December 1931 by the mayor, Pilar Santos.",
]
MONITOR = gw.Monitor(kb=BASE)
CUT = [
    "The Copper Hall is old. It was designed by Joh",
    "The Copper Hall was built in 199",
    "Net income was $610",
    "Net income was $610 mill",
    "The fee is 200",
    "Registrati",
    "The registrar is Ida Fal",
    "The Elm Bridge was opened on 31 Dec",
    "The Elm Bridge was designed by Amara Oka",
    "The mayor was Pilar San",
    # What stands before the half word may still turn out right.
    "The Copper Hall was designed by Johan R",
    "The Copper Hall seats 900 p",
    "Net income was $610 ",
    "The fee is 2,",
    "The fee is 2000 eu",
    "The Elm Bridge is 2400 m",
    "It was opened by the mayor, Pilar Sant",
]
WHOLE = [
    "The Copper Hall was built in 1992. It is open and fr",
    "The Copper Hall was built in 1992.",
    "The Copper Hall was built in 1992 ",
    "The fee is 2500 euros. The registrar is Ida Falk and sh",
    "The Copper Hall was built in 1992 a",
    "The Copper Hall was built in 1992 an",
    "The Copper Hall was built in 1992 and",
    "The Copper Hall was built in 1992, a",
    "The Elm Bridge was opened on 30 December 1931 by",
    "The fee is 2500 euros a",
    "Net income was $670 million in",
]
NAMES = [
    "The Copper Hall was designed by Karl Otto an",
    "The Copper Hall was designed by Karl Otto w",
    "The Elm Bridge's engineer is Karl Otto, a",
]
TRUE = [
    "The Copper Hall was built in 1998 a",
    "The Copper Hall was built in 1998 and",
    "The Copper Hall was designed by Johan Reed an",
    "The Elm Bridge was opened on 31 December 1931 b",
    "The fee is 2000 euros a",
    "Net income was $610 million i",
    "Net income was $610 and",
]


def judged(text: str, *, cut: bool, size: int = 5, **given: Any) -> gw.Report:
    policy = gw.Policy.observe()
    callback = gw.GroundwireCallback(MONITOR, policy=policy, evidence=EVIDENCE, **given)
    for at in range(0, len(text), size):
        callback.on_token(text[at : at + size])
    callback.on_end(cut=cut)
    report = callback.report()
    assert report.released == text
    return report


@pytest.mark.parametrize("size", [1, 4, 100])
@pytest.mark.parametrize("text", CUT)
def test_a_word_that_was_cut_is_not_judged(text: str, size: int) -> None:
    assert [f for f in judged(text, cut=True, size=size).findings if f.tier != "low"] == []


@pytest.mark.parametrize("text", [CUT[0], CUT[1], CUT[2], CUT[5], CUT[6]])
def test_a_word_at_a_natural_end_is(text: str) -> None:
    assert {f.tier for f in judged(text, cut=False).findings} & {"medium", "high", "critical"}


@pytest.mark.parametrize("text", WHOLE)
def test_what_stands_before_it_is_judged_as_ever(text: str) -> None:
    found = [(f.type, f.text) for f in judged(text, cut=True).findings if f.tier != "low"]
    assert found
    assert set(found) <= {(f.type, f.text) for f in judged(text, cut=False).findings}


@pytest.mark.parametrize("text", NAMES)
def test_a_name_before_it_is_judged_as_at_an_end(text: str) -> None:
    whole = text.rpartition(" ")[0].rstrip(",") + "."
    for found in (judged(text, cut=True), judged(whole, cut=False)):
        wrong = [f.text for f in found.findings if f.type == "dialogue.wrong_attribute"]
        assert wrong == ["Karl Otto"]


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("text", TRUE)
def test_a_true_value_before_it_is_none_to_correct(text: str, size: int) -> None:
    found = judged(text, cut=True, size=size).findings
    assert [f for f in found if f.replacement is not None or f.tier in {"high", "critical"}] == []


def test_text_that_follows_takes_it_back() -> None:
    guard = MONITOR.guard(evidence=EVIDENCE, policy=gw.Policy.observe())
    guard.push_text("The Copper Hall was built in 199", now_ms=0)
    guard.cut()
    guard.push_text("2.", now_ms=0)
    guard.finish(0)
    assert "1992" in {finding.text for finding in guard.report().findings}
    guard.cut()


def test_an_answer_that_is_cut_is_released_as_it_came() -> None:
    for text in CUT:
        guard = MONITOR.guard(evidence=EVIDENCE)
        done = guard.push_text(text, now_ms=0)[1]
        guard.cut()
        done += guard.finish(0)
        assert "".join(one.text or "" for one in done if one.kind == "release") == text


def test_the_guarded_loop_knows_its_limit() -> None:
    letters = sorted(set("".join(CUT)))
    tokens = gw.vocabulary.vocabulary([(i, c.encode(), False) for i, c in enumerate(letters)])
    monitor = gw.Monitor(tokenizer=tokens, kb=BASE)
    for text in CUT:
        ids = [letters.index(c) for c in text]
        for limit, quiet in ((len(ids), True), (len(ids) + 1, False)):

            def model(so_far: list[int], ids: list[int] = ids) -> int | None:
                return ids[len(so_far)] if len(so_far) < len(ids) else None

            policy = gw.Policy.observe()
            events = list(
                gw.guard(
                    model,
                    [],
                    monitor=monitor,
                    policy=policy,
                    evidence=EVIDENCE,
                    max_tokens=limit,
                )
            )
            report = events[-1].report
            assert report is not None
            if quiet:
                assert [f.text for f in report.findings if f.tier != "low"] == []


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("text", [CUT[0], CUT[1]])
def test_the_gateway_is_told_by_the_finish_reason(tmp_path: Any, text: str, stream: bool) -> None:
    base = tmp_path / "base.jsonl"
    facts = {"name": "Copper Hall", "attributes": {"architect": "Johan Reed", "built": 1998}}
    base.write_text(json.dumps(facts))
    given = {"knowledge_bases": {"b": str(base)}, "default_knowledge_base": "b"}
    model = Model((text + "annes Brandt. It stands there still.",), size=1)
    with gateway(model, **given) as (url, _), official(url) as asking:
        said: Any = asking.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": "Tell me."}],
            stream=stream,
            max_tokens=len(text),
        )
        if stream:
            chunks = [one for one in said if one.choices]
            got = "".join(one.choices[0].delta.content or "" for one in chunks)
            finish = chunks[-1].choices[0].finish_reason
        else:
            got, finish = said.choices[0].message.content, said.choices[0].finish_reason
    assert (got, finish) == (text, "length")
