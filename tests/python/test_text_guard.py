"""Answers that come as text from elsewhere: what a guard does where nothing can be asked again."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire.errors import ArgumentError, MissingExtraError
from groundwire.integrations._extra import need
from groundwire.integrations._text import TextGuard, without_rewind

EVIDENCE = ["The Tidal Mill was built in 1874 by Edda Marsh. It employs 31 people."]
TRUE = "The Tidal Mill was built in 1874 by Edda Marsh. It employs 31 people. Do call in."
WRONG = "The Tidal Mill was built in 1901 by Edda Marsh. It employs 52 people. Do call in."
MONITOR = gw.Monitor()
MARKS = json.loads((Path(__file__).parents[1] / "vectors" / "marks.json").read_text("utf-8"))


def run(text: str, sizes: list[int] | None = None, **how) -> tuple[str, TextGuard]:
    policy = gw.Policy(**how.pop("policy", {}))
    guard = TextGuard(MONITOR, evidence=how.pop("evidence", EVIDENCE), policy=policy, **how)
    said, sizes = "", list(sizes or [len(text)])
    while text and guard.stopped is None:
        size = sizes.pop(0) if sizes else 1
        said += guard.push(text[:size])
        text = text[size:]
    said += guard.finish()
    assert guard.report().released == said
    return said, guard


@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_what_the_sources_say_passes_unchanged(release: str) -> None:
    said, guard = run(TRUE, [7] * 40, policy={"release": release})
    assert said == TRUE
    assert guard.stopped == "end"
    assert not guard.cut
    assert not guard.report().interventions


def test_a_wrong_value_is_exchanged_and_the_rest_is_judged_again() -> None:
    said, guard = run(WRONG, [3] * 40)
    assert said.startswith("The Tidal Mill was built in 1874 by Edda Marsh.")
    assert said.endswith("Do call in.")
    done = guard.report().interventions[0]
    assert (done.action, done.inserted, done.already_sent) == ("correct", "1874", False)


@pytest.mark.parametrize("size", [1, 5, 99])
@pytest.mark.parametrize(
    ("year", "mill"),
    [
        ("19\u200b01", "Tidal Mill"),
        ("1&#8203;9&shy;01", "Ti\u00addal Mill"),
        ("&#49;901", "Tidal&nbsp;Mill"),
    ],
)
def test_what_nobody_sees_goes_with_the_wrong_value(year: str, mill: str, size: int) -> None:
    told = "The {} was built in {} by Edda Marsh. Do call in."
    said, guard = run(told.format(mill, year), [size] * 99)
    assert said == told.format(mill, "1874")
    report = gw.check(told.format(mill, year), evidence=EVIDENCE)
    assert year in {finding.text for finding in report.findings}
    assert guard.report().interventions[0].retracted.startswith(year)


@pytest.mark.parametrize("size", [1, 5, 99])
def test_what_json_writes_by_number_is_judged(size: int) -> None:
    said, _ = run(r'{"text": "The Tidal Mill was built in 19\u00301 by Edda Marsh."}', [size] * 99)
    assert said == '{"text": "The Tidal Mill was built in 1874 by Edda Marsh."}'
    prose = r"He typed \u0031874 and a dot."
    assert run(prose, [size] * 99)[0] == prose


@pytest.mark.parametrize("release", ["claim", "response"])
@pytest.mark.parametrize("size", [1, 3, 99])
def test_a_claim_that_the_prompt_began_is_taken_back(release: str, size: int) -> None:
    lead, rest = "The Tidal Mill was not", " built in 1874 by Edda Marsh. It is old."
    policy = {"release": release, "high": "interrupt", "critical": "interrupt"}
    said, guard = run(rest, [size] * 60, lead=lead, policy=policy)
    assert said.startswith("… What I was given says otherwise about") and "1874" not in said
    (done,) = guard.report().interventions
    assert (done.action, done.already_sent) == ("interrupt", False)
    assert guard.stopped == "interrupted"


@pytest.mark.parametrize("size", [1, 3, 99])
def test_a_value_that_the_prompt_began_is_exchanged_where_it_can_be(size: int) -> None:
    for lead, rest, right in (
        ("The Tidal Mill was built in 18", "92. It is old.", "74. It is old."),
        ("The Tidal Mill was built in", " 1901. It is old.", " 1874. It is old."),
        ("The Tidal Mill was built in 19", "01. It is old.", "01. (Correction: 1874, not 1901.)"),
    ):
        said, _ = run(rest, [size] * 60, lead=lead)
        assert said.startswith(right) and said.endswith(" It is old.")
        assert said.count("It is old.") == 1


def test_several_wrong_values_in_one_piece_are_all_exchanged() -> None:
    text = "The Tidal Mill was built in 1902. The Tidal Mill employs 77 people. Bye."
    said, guard = run(text)
    assert said == "The Tidal Mill was built in 1874. The Tidal Mill employs 31 people. Bye."
    assert [i.action for i in guard.report().interventions] == ["correct", "correct"]


SWAPPED = [
    ("The founder of Arvid Glass is Ida Falk and the CEO is Jon Wick.", "Jon Wick", "Ida Falk"),
    ("The CEO of Arvid Glass is Jon Wick, and its founder is Ida Falk.", "Ida Falk", "Jon Wick"),
    ("Arvid Glass was founded by Ida Falk and is led by Jon Wick.", "Jon Wick", "Ida Falk"),
    ("Tove Ry works in Sales, and Per Ask works in Finance.", "Finance", "Sales"),
]
STAFF = gw.KnowledgeBase.from_records(
    [
        {"name": "Arvid Glass", "attributes": {"ceo": "Ida Falk", "founder": "Jon Wick"}},
        {"name": "Tove Ry", "attributes": {"department": "Finance"}},
        {"name": "Per Ask", "attributes": {"department": "Sales"}},
    ]
)


@pytest.mark.parametrize(
    ("text", "first", "second"), SWAPPED, ids=[case[0][:24] for case in SWAPPED]
)
def test_of_two_values_changed_round_both_are_put_right(text: str, first: str, second: str) -> None:
    monitor = gw.Monitor(kb=STAFF)
    for size in (3, 1000):
        guard = TextGuard(monitor)
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        said = "".join(guard.push(piece) for piece in pieces) + guard.finish()
        rest = said.replace(first, "", 1)
        assert said.index(first) < said.index(second)
        assert first not in rest
        assert sorted(re.findall(r"\w+", said)) == sorted(re.findall(r"\w+", text))
        assert not [f for f in monitor.check(said).findings if f.status == "contradicted"]


def test_of_text_that_was_sent_a_note_is_made() -> None:
    said, _ = run(WRONG, [1] * 100, policy={"release": "token"})
    assert "in 1901 by Edda Marsh. (Correction: 1874, not 1901.) It" in said
    assert said.endswith("Do call in.")


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 30), max_size=60), text=st.sampled_from([TRUE, WRONG]))
def test_cuts_do_not_matter(sizes: list[int], text: str) -> None:
    for policy in ({}, {"medium": "interrupt"}, {"medium": "remove"}, {"release": "response"}):
        whole, guard = run(text, policy=policy)
        cut, other = run(text, sizes, policy=policy)
        assert cut == whole
        assert other.stopped == guard.stopped


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 20), max_size=80))
def test_notes_after_sent_text_stand_apart(sizes: list[int]) -> None:
    said, _ = run(WRONG, sizes, policy={"release": "token", "medium": "remove"})
    assert ")D" not in said
    assert ")I" not in said
    assert ".(" not in said


@pytest.mark.parametrize("release", ["claim", "response"])
def test_an_interruption_says_what_is_missing_and_ends(release: str) -> None:
    text = "The Tidal Mill was built in 1874. Vesper Quillon runs it today. It employs 31 people."
    said, guard = run(text, [5] * 50, policy={"release": release, "medium": "interrupt"})
    assert said.startswith("The Tidal Mill was built in 1874. ")
    assert said.endswith(guard.report().interventions[-1].inserted)
    assert "runs it" not in said
    assert guard.stopped == "interrupted"
    assert guard.cut
    assert guard.push("More of it.") == ""
    assert guard.finish() == ""


def test_or_it_annotates_and_nothing_is_lost() -> None:
    text = "The Tidal Mill was built in 1874. Vesper Quillon runs it today. It employs 31 people."
    policy = {"medium": "interrupt", "annotation": "inline"}
    said, guard = run(text, [4] * 60, cannot_rewind="annotate", policy=policy)
    assert said.replace(" [unverified]", "") == text
    assert "today. [unverified]" in said
    assert guard.stopped == "end"


def test_a_hedge_needs_the_model_and_becomes_an_annotation() -> None:
    text = "Vesper Quillon runs the mill. Do call in."
    said, guard = run(text)
    assert said == text
    assert [i.action for i in guard.report().interventions] == ["annotate"]
    assert without_rewind(gw.Policy()).medium == "annotate"
    assert without_rewind(gw.Policy(high="discard"), "annotate").high == "discard"


def test_a_discarded_answer_ends_in_the_applications_words() -> None:
    class Words(gw.Hooks):
        def limitation_response(self, missing: str, text: str) -> str:
            return f"Nothing on {missing}."

    text = "Vesper Quillon runs the mill. Do call in."
    policy = {"medium": "discard"}
    said, guard = run(text, policy=policy, hooks=Words())
    assert said.startswith("Nothing on ")
    assert guard.stopped == "discarded"


def test_text_in_a_form_is_only_watched() -> None:
    text = '{"mill": "The Tidal Mill was built in 1901 by Edda Marsh.", "open": true}'
    for policy in ({}, {"medium": "remove", "annotation": "inline"}, {"high": "correct"}):
        said, guard = run(text, [6] * 30, cannot_rewind="keep_form", policy=policy)
        assert said == text
    assert guard.report().findings
    said, guard = run(text, cannot_rewind="keep_form", policy={"high": "discard"})
    assert "1901" not in said
    from groundwire.integrations._forms import own_form as formed

    for request in (
        {"response_format": {"type": "json_object"}},
        {"guided_json": {"a": 1}},
        {"response_format": dict},
        {"grammar": "root ::= x"},
    ):
        assert formed(request)
    for request in ({}, {"response_format": {"type": "text"}}, {"guided_json": None}):
        assert not formed(request)


def test_surrogates_are_paired_across_pieces_and_never_raise() -> None:
    guard = TextGuard(MONITOR)
    pieces = ["Look \ud83d", "\ude00 at \udc00", " it \ud83d", " now. \ud83d"]
    said = "".join(map(guard.push, pieces)) + guard.finish()
    assert said == "Look \U0001f600 at \ufffd it \ufffd now. \ufffd"


def test_numbers_of_a_token_reach_the_report() -> None:
    guard = TextGuard(MONITOR)
    guard.push("Hello", top_logprobs={"Hello": -0.1, "Hi": -3.0})
    guard.push(" there.", signals={"surprisal": 0.5})
    with pytest.raises(ArgumentError):
        guard.push(" x", top_logprobs={"x": 3.0})
    assert guard.finish() == "Hello there."


def test_the_end_waits_for_a_verifier_without_blocking() -> None:
    class Slow:
        name = "slow"

        def verify(self, claim: gw.Claim) -> gw.Verdict:
            time.sleep(0.3)
            return gw.Verdict(status="supported", p_hallucinated=0.0)

    guard = TextGuard(gw.Monitor(verifiers=[Slow()]))
    said = guard.push("The mill has four wheels. It turns. ")
    said += guard.end()
    assert guard.waits
    assert guard.stopped is None
    said += guard.finish()
    assert guard.stopped == "end"
    assert guard.report().released.startswith("The mill has four wheels.")


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ArgumentError, match="cannot_rewind is 'rewind'"):
        TextGuard(MONITOR, cannot_rewind="rewind")
    with pytest.raises(ArgumentError, match="no field of a policy"):
        TextGuard(MONITOR, policy={"colour": "red"})
    with pytest.raises(ArgumentError, match=r"monitor is a groundwire\.Monitor"):
        TextGuard("monitor")
    with pytest.raises(MissingExtraError, match=r"no_such_framework.*groundwire\[thing\]"):
        need("no_such_framework", "thing")


PLACES = {"Tidal Mill": 1874, "Salt Chapel": 1655, "Iron Pier": 1902, "Wool Market": 1731}
FACTS = [f"The {place} was built in {year}." for place, year in PLACES.items()]


@settings(max_examples=60, deadline=None)
@given(
    order=st.permutations(list(PLACES)),
    wrong=st.sets(st.sampled_from(list(PLACES))),
    # Never another place's year: what the sources have elsewhere is a finding of another kind.
    off=st.integers(3, 20),
    sizes=st.lists(st.integers(1, 50), max_size=50),
    release=st.sampled_from(["claim", "response"]),
)
def test_every_wrong_value_is_exchanged_and_nothing_else(
    order: list[str], wrong: set[str], off: int, sizes: list[int], release: str
) -> None:
    right = " ".join(f"The {place} was built in {PLACES[place]}." for place in order)
    said = " ".join(
        f"The {place} was built in {PLACES[place] + (off if place in wrong else 0)}."
        for place in order
    )
    got, guard = run(said, sizes, evidence=FACTS, policy={"release": release})
    assert got == right
    assert len(guard.report().interventions) == len(wrong)
    assert guard.stopped == "end"


def test_an_answer_that_is_given_up_asks_nobody_any_more() -> None:
    asked: list[str] = []
    going = threading.Event()

    class Counts:
        name = "counts"

        def verify(self, claim: gw.Claim) -> gw.Verdict:
            asked.append(claim.content)
            going.wait(20)
            return gw.Verdict(status="supported", p_hallucinated=0.0)

    guard = TextGuard(gw.Monitor(verifiers=[Counts()], workers=1))
    guard.push("The mill has a wheel. The pier has a lamp. The chapel has a bell. ")
    guard.abandon()
    going.set()
    time.sleep(0.2)
    assert len(asked) <= 1
    assert guard.stopped is None
    guard.abandon()


@pytest.mark.parametrize("size", range(1, 45))
@pytest.mark.parametrize("unit", [" beds", "%", " rooms"])
def test_a_value_is_exchanged_also_where_its_claim_has_begun_to_leave(size: int, unit: str) -> None:
    said = f"The Tern Clinic has 36{unit} now. It opened in 2008. Visit us soon."
    evidence = [f"The Tern Clinic has 24{unit} now. It opened in 2008."]
    text = ""
    guard = TextGuard(gw.Monitor(), policy=gw.Policy(release="token"), evidence=evidence)
    for at in range(0, len(said), size):
        text += guard.push(said[at : at + size])
    text += guard.finish()
    right = said.replace("36", "24")
    noted = text.replace(" (Correction: 24, not 36.)", "").replace(
        f" (Correction: 24{unit}, not 36{unit}.)", ""
    )
    assert text == right or noted == said


@pytest.mark.req("S4-018", "S4-028")
@pytest.mark.parametrize("size", [1, 3, 7])
def test_links_and_code_leave_as_they_are(size: int) -> None:
    for text in MARKS["harmless"]:
        said, guard = run(text, [size] * len(text), evidence=())
        assert (said, guard.stopped) == (text, "end"), text
        assert not guard.report().interventions, text


@pytest.mark.req("S4-018", "S4-028")
@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_mark_without_its_source_never_leaves(size: int) -> None:
    for text in MARKS["real"]:
        said, guard = run(text, [size] * len(text), evidence=())
        whole, _ = run(text, evidence=())
        assert said == whole != text, text
        done = guard.report().interventions
        assert done and not any(one.already_sent for one in done), text


@pytest.mark.req("S4-018", "S4-028")
@pytest.mark.parametrize("behind", [40, 4000])
def test_a_sentence_waits_for_the_line_that_defines_its_mark(behind: int) -> None:
    filler = "The road beside it is quiet. " * (behind // 29)
    text = f"The bridge is 240 m long [source]. {filler}\n\n[source]: https://bridges.test"
    said, guard = run(text, [5] * len(text), evidence=())
    done = guard.report().interventions
    assert not any(one.already_sent for one in done)
    assert (said == text) == (not done) == (behind < 480), said


@pytest.mark.parametrize("release", ["token", "claim", "response"])
@pytest.mark.parametrize(
    "text",
    [
        WRONG,
        "The Tidal Mill was built in 1901. It employs 52 people.",
    ],
)
def test_each_finding_belongs_to_one_intervention(text: str, release: str) -> None:
    _, guard = run(text, [5] * 40, policy={"release": release})
    done = guard.report().interventions
    ids = [finding.id for one in done for finding in one.findings]
    assert len(ids) == len(set(ids)), [(one.action, [f.text for f in one.findings]) for one in done]
    assert any(one.action == "correct" for one in done)
