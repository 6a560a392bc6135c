"""What is done about flags."""

from __future__ import annotations

import dataclasses
import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError, NotFoundError
from groundwire.mitigation import (
    ActionKind,
    HallucinationCorrector,
    HallucinationMitigator,
    MitigationAction,
    MitigationConfig,
    MitigationError,
    ReviewQueue,
    apply,
    generate_regeneration_guidance,
    mitigate,
)
from groundwire.profiles.dialogue import HallucinationFlag, HallucinationType, to_flag
from groundwire.profiles.dialogue.values import swapped
from groundwire.regeneration import guidance

T = HallucinationType
KB = gw.KnowledgeBase.from_records(
    [
        {"name": "John Smith", "attributes": {"department": "Engineering"}},
        {"name": "meeting", "attributes": {"day": "Wednesday"}},
    ]
)
TEXT = "John Smith works in the Marketing department. The meeting is on Tuesday."


def flag(kind, words, confidence=0.87, text=TEXT, **more):
    at = text.index(words)
    return HallucinationFlag((at, at + len(words)), words, kind, confidence, text=words, **more)


WRONG = {
    "suggestion": "'department' of 'John Smith' is 'Engineering'",
    "evidence": "John Smith: department = Engineering",
    "detail": {"detected": "the Marketing department"},
}


@pytest.mark.req("S0-073", "D-1")
def test_thresholds_and_their_defaults() -> None:
    config = MitigationConfig()
    assert (config.auto_correct_threshold, config.flag_threshold) == (0.85, 0.5)
    assert (config.regenerate_threshold, config.max_corrections) == (0.9, 5)
    assert MitigationConfig.from_config(gw.Config()) == config
    with pytest.raises(ArgumentError, match="regenerate_threshold"):
        MitigationConfig(regenerate_threshold=3)
    with pytest.raises(ArgumentError, match="above auto_correct"):
        MitigationConfig(flag_threshold=0.9)
    with pytest.raises(ArgumentError, match="max_corrections"):
        MitigationConfig(max_corrections=-1)


@pytest.mark.req("S0-074", "S0-075", "S0-077", "S0-078")
def test_one_action_a_flag_surest_first() -> None:
    flags = [
        flag(T.UnsupportedClaim, "Tuesday", 0.3),
        flag(T.TemporalError, "The meeting is on Tuesday.", 0.6),
        flag(T.WrongAttribute, "the Marketing department", 0.86, **WRONG),
        flag(T.FabricatedFact, "John Smith works in the Marketing department.", 0.88),
    ]
    actions = mitigate(flags, kb=KB)
    assert [action.kind for action in actions] == [
        ActionKind.Remove,
        ActionKind.Correct,
        ActionKind.Flag,
        ActionKind.NoAction,
    ]
    assert actions[0].reason == "This fact could not be verified"
    assert actions[1].to_dict() == {
        "type": "correct",
        "span": [20, 44],
        "original": "the Marketing department",
        "replacement": "the Engineering department",
        "source": "Knowledge Base",
    }
    assert actions[2].annotation == "[The timeline appears incorrect]"
    assert actions[3].to_dict() == {"type": "none"}


@pytest.mark.req("S0-077")
def test_beyond_max_corrections_there_are_only_flags() -> None:
    flags = [flag(T.WrongAttribute, "Marketing", 0.86, replacement="Engineering")] * 3
    config = MitigationConfig(max_corrections=2)
    kinds = [action.kind for action in mitigate(flags, kb=KB, config=config)]
    assert kinds == [ActionKind.Correct, ActionKind.Correct, ActionKind.Flag]
    none = MitigationConfig(max_corrections=0)
    (action,) = mitigate([flag(T.FabricatedFact, "Tuesday", 0.99)], config=none)
    assert action.annotation == "[This fact could not be verified]"


@pytest.mark.req("S0-076", "S0-084", "S0-085")
def test_three_severe_flags_ask_for_a_new_answer() -> None:
    flags = [
        flag(T.ContradictsPrior, "Tuesday", 0.5),
        flag(T.FabricatedFact, "John Smith", 0.9),
        flag(T.ContradictsFact, "Tuesday", 0.95),
        flag(T.NonexistentEntity, "Marketing", 0.99),
        flag(T.WrongAttribute, "works", 0.8),
        flag(T.TemporalError, "meeting", 0.6),
        flag(T.ContradictsFact, "The", 0.4, evidence="meeting: day = Wednesday"),
    ]
    (action,) = mitigate(flags)
    assert action.kind is ActionKind.Regenerate
    assert action.guidance == (
        "Please regenerate your response, addressing these issues:\n"
        "1. Check if 'Marketing' exists\n"
        "2. Correct: 'Tuesday' - contradicts known facts\n"
        "3. Verify the fact: 'John Smith'\n"
        "4. Verify attribute: 'works'\n"
        "5. Address: 'meeting'"
    )
    two = mitigate(flags[:3])
    assert len(two) == 3
    prior = [flag(T.ContradictsPrior, "Tuesday", 0.95)] * 2
    (action,) = mitigate([*prior, flag(T.ContradictsFact, "The", 0.9, evidence="day = Wednesday")])
    assert "1. Consistent with earlier: 'Tuesday'" in action.guidance
    assert "3. Correct: 'The' - day = Wednesday" in action.guidance


@pytest.mark.req("S0-079")
def test_two_failed_regenerations_go_to_a_person(tmp_path) -> None:
    flags = [flag(T.FabricatedFact, "Tuesday", 0.95)] * 3
    heard = []
    for name in ("review.jsonl", "review.db"):
        queue = ReviewQueue(tmp_path / name)
        again = mitigate(flags, regenerations=1, review=queue)
        assert again[0].kind is ActionKind.Regenerate
        assert len(queue) == 0
        (action,) = mitigate(
            flags, regenerations=2, review=queue, on_escalate=lambda *given: heard.append(given)
        )
        assert action.kind is ActionKind.Escalate
        assert action.reason == "2 regenerations left 3 severe findings"
        (item,) = ReviewQueue(tmp_path / name).pending()
        assert (item.id, item.reason, len(item.flags)) == (1, action.reason, 3)
        assert item.flags[0]["content"] == "Tuesday"
        queue.decide(1, "remove", "no such day")
        assert queue.pending() == []
        (item,) = queue.items()
        assert (item.decision, item.note) == ("remove", "no such day")
        with pytest.raises(NotFoundError, match="no item 1 waits"):
            queue.decide(1, "remove")
    assert [action for action, _ in heard] == [action, action]
    strict = mitigate(flags, regenerations=2, strict_seed=True)
    assert strict[0].kind is ActionKind.Regenerate


@pytest.mark.req("S0-079")
def test_sources_that_disagree_go_to_a_person() -> None:
    one = flag(T.ContradictsFact, "Tuesday", 0.95, replacement="Wednesday")
    other = flag(T.ContradictsPrior, "Tuesday", 0.9, replacement="Monday")
    heard = []
    actions = mitigate([one, other], on_escalate=lambda *given: heard.append(given))
    assert [action.kind for action in actions] == [ActionKind.Escalate, ActionKind.NoAction]
    assert [flags for _, flags in heard] == [[one, other]]
    assert actions[0].reason == "sources disagree: 'Wednesday' and 'Monday'"
    kb = gw.KnowledgeBase()
    values = [{"value": "Engineering", "source": "hr"}, {"value": "Sales", "source": "crm"}]
    kb.add_entity("John Smith", attributes={"department": values})
    wrong = flag(T.WrongAttribute, "Marketing", 0.95, entity="John Smith", attribute="department")
    (action,) = mitigate([wrong], kb=kb)
    assert action.kind is ActionKind.Escalate
    assert "'Engineering' (hr)" in action.reason and "'Sales' (crm)" in action.reason
    assert mitigate([one, other], strict_seed=True)[0].kind is ActionKind.Remove


def test_damaged_queues_are_named(tmp_path) -> None:
    with pytest.raises(ArgumentError, match=r"name it \.jsonl or \.db"):
        ReviewQueue(tmp_path / "queue.txt")
    (tmp_path / "q.jsonl").write_text("{}\n")
    with pytest.raises(FormatError, match=r"q\.jsonl line 1"):
        ReviewQueue(tmp_path / "q.jsonl").items()
    (tmp_path / "q.db").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    with pytest.raises(FormatError, match="no SQLite database"):
        ReviewQueue(tmp_path / "q.db")
    assert sqlite3.sqlite_version


@pytest.mark.req("S0-080", "S0-081", "S0-082", "X-12")
def test_corrections_can_stand_in_the_answer() -> None:
    find = HallucinationCorrector().find
    wrong = find(flag(T.WrongAttribute, "the Marketing department", **WRONG), KB)
    assert (wrong.value, wrong.source) == ("the Engineering department", "Knowledge Base")
    fact = flag(
        T.ContradictsFact, "The meeting is on Tuesday.", evidence="meeting: day = Wednesday"
    )
    found = find(fact, KB)
    assert (found.value, found.source) == ("The meeting is on Wednesday.", "Knowledge Base")
    prior = flag(
        T.ContradictsPrior,
        "The meeting is on Tuesday.",
        evidence="Earlier: 'I'll book the meeting for Monday.' (Turn 3)",
    )
    found = find(prior, KB)
    assert (found.value, found.source) == ("The meeting is on Monday.", "Earlier conversation")
    diagnosis = flag(T.TemporalError, "Tuesday", suggestion="Temporal ordering is inconsistent")
    assert find(diagnosis, KB) is None
    typo = flag(T.NonexistentEntity, "John Smith", replacement="Jon Smith")
    assert find(typo, KB).source == "Automated correction"


@pytest.mark.req("S0-080", "S0-081", "S0-082", "S0-083", "X-12", "U-10")
def test_strict_corrections_are_the_documents() -> None:
    find = HallucinationCorrector(strict_seed=True).find
    wrong = find(flag(T.WrongAttribute, "the Marketing department", **WRONG), KB)
    assert (wrong.value, wrong.source) == ("Engineering", "Knowledge Base")
    fact = flag(T.ContradictsFact, "Tuesday", evidence="meeting: day = Wednesday")
    assert find(fact, KB).value == "Wednesday"
    prior = flag(
        T.ContradictsPrior,
        "Tuesday",
        suggestion="This contradicts a previous statement",
        evidence="Earlier: 'the meeting is on Monday' (Turn 3)",
    )
    assert find(prior, KB).value == "the meeting is on Monday"
    diagnosis = flag(T.TemporalError, "Tuesday", suggestion="Temporal ordering is inconsistent")
    found = find(diagnosis, KB)
    assert (found.value, found.source) == (diagnosis.suggestion, "Automated correction")
    unknown = flag(T.NonexistentEntity, "Tuesday", suggestion="Could not find entity: 'Tuesday'")
    assert find(unknown, KB) is None
    (action,) = mitigate([diagnosis], strict_seed=True)
    assert action.replacement == "Temporal ordering is inconsistent"
    (action,) = mitigate([diagnosis])
    assert action.kind is ActionKind.Remove


def test_a_knowledge_base_that_fails_is_said() -> None:
    class Broken:
        def entity_exists(self, name): ...

        def get_entity(self, name):
            raise OSError("gone")

        def find_entity(self, surface): ...

    with pytest.raises(MitigationError, match="gone"):
        HallucinationCorrector().find(flag(T.WrongAttribute, "Marketing", **WRONG), Broken())
    with pytest.raises(ArgumentError, match="knowledge_base"):
        HallucinationMitigator().mitigate([], 3)
    with pytest.raises(ArgumentError, match="config is a Config"):
        mitigate([], config={"flag_threshold": 0.4})
    with pytest.raises(ArgumentError, match=r"flags\[0\]"):
        mitigate(["x"])


@pytest.mark.parametrize(
    ("text", "right", "detected", "wanted"),
    [
        (
            "The meeting is on Tuesday.",
            "the meeting is on Friday",
            None,
            "The meeting is on Friday.",
        ),
        ("It has 40 rooms.", "It has 35 rooms", None, "It has 35 rooms."),
        ("It opened on 3 May 1999.", "opened 4 June 2001", None, "It opened on 4 June 2001."),
        ("Write to a@b.org.", "c@d.org", None, "Write to c@d.org."),
        ("He is in the Sales team.", "Design", "the Sales team", "He is in the Design team."),
        ("He is in Sales.", "Design team", "Sales", "He is in Design team."),
        ("From Monday to Friday.", "on Tuesday", None, None),
        ("It is large.", "It is small", None, None),
        ("On Monday 40 came.", "On Tuesday 50 came", None, None),
        ("On Monday 40 came.", "On Tuesday 40 came", None, "On Tuesday 40 came."),
    ],
)
@pytest.mark.req("X-12")
def test_one_value_is_exchanged_or_none(text, right, detected, wanted) -> None:
    assert swapped(text, right, detected) == wanted


DOC = (
    "Founded in 1847, it grew. It has 12 sites (see below). Sales rose.\n\n"
    "- Paris: large.\n- Rome: small. Old too.\n\nThe end is near."
)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("1847", DOC.replace("Founded in 1847, it grew. ", "")),
        ("12 sites", DOC.replace("It has 12 sites (see below). ", "")),
        ("Sales rose", DOC.replace(" Sales rose.", "")),
        ("Paris", DOC.replace("- Paris: large.\n", "")),
        ("Old", DOC.replace(" Old too.", "")),
        ("The end", DOC.replace("\n\nThe end is near.", "")),
        (
            "grew. It has",
            DOC.replace("Founded in 1847, it grew. It has 12 sites (see below). ", ""),
        ),
    ],
)
def test_a_removed_sentence_leaves_clean_text(words, wanted) -> None:
    at = DOC.index(words)
    action = MitigationAction.Remove((at, at + len(words)), "why")
    assert apply([action], DOC) == wanted


def test_a_paragraph_of_its_own_goes_with_its_blank_line() -> None:
    text = "One.\n\nTwo.\n\nThree."
    assert apply([MitigationAction.Remove((6, 10), "")], text) == "One.\n\nThree."
    assert apply([MitigationAction.Remove((0, 4), "")], text) == "Two.\n\nThree."
    assert apply([MitigationAction.Remove((0, 4), "")], "One.") == ""
    last = [MitigationAction.Remove((6, 10), ""), MitigationAction.Remove((12, 18), "")]
    assert apply(last, text) == "One."
    assert apply(last, text + "\n") == "One.\n"
    assert apply(last[:1], "One.\n\nTwo.\n") == "One.\n"


@given(
    st.lists(
        st.lists(st.sampled_from(["It grew.", "Is it so?", "We sold 12 of them!"]), min_size=1),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
def test_what_is_left_is_as_if_the_rest_had_never_been_written(paragraphs, data) -> None:
    text = "\n\n".join(" ".join(sentences) for sentences in paragraphs)
    left, actions, at = [], [], 0
    for sentences in paragraphs:
        kept = []
        for words in sentences:
            if data.draw(st.booleans()):
                kept.append(words)
            else:
                actions.append(MitigationAction.Remove((at, at + 2), ""))
            at += len(words) + 1
        at += 1
        if kept:
            left.append(" ".join(kept))
    assert apply(data.draw(st.permutations(actions)), text) == "\n\n".join(left)


@pytest.mark.parametrize("said", ["€280", "| Suite | €240 | €280 |"])
def test_a_mark_in_a_row_stands_in_its_last_cell(said: str) -> None:
    table = "| Room | Low | High |\n|---|---|---|\n| Suite | €240 | €280 |\n| Attic | 1 | 2 |\n"
    at = table.index(said)
    note = MitigationAction.Flag((at, at + len(said)), "[check]")
    assert apply([note], table) == table.replace("€280 |", "€280 [check] |")


def test_annotations_and_corrections_keep_the_sentence() -> None:
    text = "the Acme Inc. grew. It is large."
    note = MitigationAction.Flag((20, 32), "[check]")
    assert apply([note], text) == "the Acme Inc. grew. It is large [check]."
    inside = MitigationAction.Flag((4, 8), "[check]")
    assert apply([inside], text) == "the Acme Inc. grew [check]. It is large."
    new = MitigationAction.Correct((20, 32), "", "it is small", "kb")
    assert apply([new], text) == "the Acme Inc. grew. It is small."
    name = MitigationAction.Correct((4, 13), "Acme Inc.", "Beta", "kb")
    assert apply([name], text) == "the Beta grew. It is large."
    assert apply([new, note], text) == "the Acme Inc. grew. It is small."
    both = [MitigationAction.Remove((20, 22), ""), new, note]
    assert apply(both, text) == "the Acme Inc. grew."
    for action in (
        MitigationAction.NoAction(),
        MitigationAction.Regenerate("again"),
        MitigationAction.Escalate("why", (0, 3)),
    ):
        assert apply([action], text) == text
    with pytest.raises(ArgumentError, match="does not lie inside"):
        apply([MitigationAction.Remove((0, 99), "")], text)


@given(
    st.text(st.sampled_from("ab. \n-é!A1"), max_size=60),
    st.lists(st.tuples(st.sampled_from("fcr"), st.integers(0, 60), st.integers(0, 60)), max_size=6),
)
def test_any_actions_can_be_applied(text, wanted) -> None:
    make = {
        "f": lambda span: MitigationAction.Flag(span, "[x]"),
        "c": lambda span: MitigationAction.Correct(span, "", "Y", "kb"),
        "r": lambda span: MitigationAction.Remove(span, ""),
    }
    actions = [make[kind]((min(a, len(text)), min(b, len(text)))) for kind, a, b in wanted]
    mended = apply(actions, text)
    if all(action.kind is ActionKind.Remove for action in actions):
        assert len(mended) <= len(text)
    assert mended.count("[x]") <= sum(action.kind is ActionKind.Flag for action in actions)


@pytest.mark.req("S0-080")
def test_a_report_is_mended_end_to_end() -> None:
    report = gw.check("Good news. John Smith works in the Marketing department.", kb=KB)
    actions = gw.mitigate(report, kb=KB)
    assert apply(actions, report.text) == (
        "Good news. John Smith works in the Engineering department."
    )
    assert json.dumps([action.to_dict() for action in actions])


KNOWN = [
    {
        "name": "Acme",
        "type": "company",
        "attributes": {
            "founded": [{"value": 1987, "source": "wiki"}, {"value": 1990, "source": "book"}],
            "employees": 450,
        },
    },
    {"name": "Ada Lind", "type": "person", "attributes": {"department": "Sales"}},
    {"name": "The Old Mill", "attributes": {"closed_on": "Monday"}},
]


def mended(text):
    kb = gw.KnowledgeBase.from_records(KNOWN)
    report = gw.Monitor(kb=kb, profiles=("dialogue",)).check(text)
    actions = gw.mitigate(report, kb=kb)
    return [action.kind.name for action in actions], apply(actions, text)


@pytest.mark.req("S0-063", "S0-081", "X-12")
@pytest.mark.parametrize(
    ("text", "kinds", "after"),
    [
        # A denied fact has no value to put in its place.
        ("Ada Lind does not work in Sales.", ["Remove"], ""),
        ("Acme does not have 450 employees.", ["Remove"], ""),
        ("Ada Lind works in Legal.", ["Correct"], "Ada Lind works in Sales."),
        ("Ada Lind does not work in Legal.", [], "Ada Lind does not work in Legal."),
        # What an open base lacks is marked, and stays.
        ("We met Helga Brandt.", ["Flag"], "We met Helga Brandt [This entity could not be found]."),
    ],
)
def test_what_a_denial_and_an_unknown_name_lead_to(text, kinds, after) -> None:
    assert mended(text) == (kinds, after)


@pytest.mark.req("S0-082", "X-12")
def test_an_earlier_denial_gives_no_value() -> None:
    find = HallucinationCorrector().find
    earlier = "Earlier: 'The office is not open on Monday.' (Turn 1)"
    said = "The office is open on Tuesday."
    clash = flag(T.ContradictsPrior, said, text=said, evidence=earlier)
    assert find(clash, KB) is None
    said = "It is not on Tuesday."
    denied = flag(T.ContradictsFact, said, text=said, evidence="meeting: day = Wednesday")
    assert find(denied, KB) is None


@pytest.mark.req("S0-079", "S0-063")
def test_a_base_whose_sources_disagree_escalates() -> None:
    kb = gw.KnowledgeBase.from_records(KNOWN)
    monitor = gw.Monitor(kb=kb, profiles=("dialogue",))
    (found,) = monitor.check("Acme was founded in 1993.").findings
    assert found.type == "dialogue.wrong_attribute" and found.replacement is None
    assert found.expected == "1987 (wiki) or 1990 (book)"
    assert [piece.source for piece in found.evidence] == ["wiki", "book"]
    (action,) = gw.mitigate([found], kb=kb)
    assert action.kind is ActionKind.Escalate
    for one in (1987, 1990):
        assert monitor.check(f"Acme was founded in {one}.").findings == ()


@pytest.mark.req("S0-063", "S0-084", "S0-085")
def test_guidance_about_a_denial_says_that_it_is_one() -> None:
    for text, fact in (
        ("John Smith does not work in Engineering.", "John Smith: department = Engineering"),
        ("The meeting is not on Wednesday.", "meeting: day = Wednesday"),
    ):
        report = gw.check(text, kb=KB)
        (found,) = [f for f in report.findings if f.type == "dialogue.contradicts_fact"]
        line = generate_regeneration_guidance([to_flag(found)]).splitlines()[1]
        assert line.endswith(f" - {fact}")
        assert " not " in line or "the denial of '" in line
        told = guidance(report)
        assert " not " in told.split("“")[1] or "- Do not deny “" in told
    # A content that denies by its own words is said as it stands.
    own = flag(T.ContradictsFact, "The", 0.9, text="The fee is not due.", detail={"denied": True})
    own = dataclasses.replace(own, content="The fee is not due")
    assert "1. Correct: 'The fee is not due' - " in generate_regeneration_guidance([own])


@pytest.mark.req("S0-027")
@pytest.mark.parametrize("strict", [False, True])
def test_a_base_that_fails_is_named_whoever_asks_it(strict: bool) -> None:
    class Gone:
        def entity_exists(self, name):
            raise RuntimeError("db down")

        get_entity = find_entity = entity_exists

    wrong = flag(
        T.WrongAttribute, "Marketing", 0.9, entity="John Smith", attribute="department", **WRONG
    )
    with pytest.raises(MitigationError, match="db down") as caught:
        HallucinationMitigator(strict_seed=strict).mitigate([wrong], Gone())
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(MitigationError, match="db down"):
        mitigate([wrong], kb=Gone(), strict_seed=strict)


def test_the_documents_names_of_the_mitigator() -> None:
    mitigator = HallucinationMitigator()
    wrong = flag(T.WrongAttribute, "the Marketing department", 0.95, **WRONG)
    assert mitigator.find_correction(wrong, KB).value == "the Engineering department"
    guidance = mitigator.generate_regeneration_guidance([wrong])
    assert guidance == generate_regeneration_guidance([wrong])
    assert guidance.endswith("1. Verify attribute: 'the Marketing department'")


@pytest.mark.req("S0-075")
@pytest.mark.parametrize(
    ("text", "about", "wanted"),
    [
        ("Ida Roos's essay won, they say.", "Ida Roos", "Ida Roos's essay won [?], they say."),
        ("I read Ida Roos’s essay.", "Ida Roos", "I read Ida Roos’s essay [?]."),
        ("The Voss' house burned.", "Voss", "The Voss' house burned [?]."),
        ("A Lund-based firm (new) grew.", "Lund", "A Lund-based firm (new) grew [?]."),
        ("Ida Roos wrote it.", "Ida Roos", "Ida Roos wrote it [?]."),
        ("They met Ida Roos.", "Ida Roos", "They met Ida Roos [?]."),
        ("It costs 300 crowns more.", "300", "It costs 300 crowns more [?]."),
        ("It has 300 beds, they say.", "300", "It has 300 beds [?], they say."),
        ("On May 4, 2020 it rained.", "May 4", "On May 4, 2020 it rained [?]."),
    ],
)
def test_a_mark_stands_behind_what_somebody_owns(text: str, about: str, wanted: str) -> None:
    at = text.index(about)
    flag = MitigationAction.Flag((at, at + len(about)), "[?]")
    assert apply([flag], text) == wanted


@pytest.mark.req("S0-075", "S0-080", "S4-014")
@pytest.mark.parametrize(
    ("evidence", "text", "after"),
    [
        ("Parking costs 9 euros.", "Parking costs 11 euros.", "Parking costs 9 euros."),
        (
            "The mill was opened in 1932 by Ada Lund.",
            "The mill was opened in 1950 by Ada Lund.",
            "The mill was opened in 1932 by Ada Lund.",
        ),
    ],
)
def test_corrected_words_are_not_removed_too(evidence, text, after) -> None:
    report = gw.Monitor().check(text, evidence=[evidence])
    actions = mitigate(report)
    corrected = [a for a in actions if a.kind is ActionKind.Correct]
    assert [a.source for a in corrected] == ["Evidence"]
    assert apply(actions, text) == after


def test_a_removal_of_other_words_stays() -> None:
    flags = [
        flag(T.WrongAttribute, "the Marketing department", 0.87, **WRONG),
        flag(T.FabricatedFact, "Tuesday", 0.88, detail={}),
    ]
    kinds = [a.kind for a in mitigate(flags, kb=KB)]
    assert kinds == [ActionKind.Remove, ActionKind.Correct]


@pytest.mark.req("S0-077", "X-12")
def test_what_the_evidence_merely_lacks_is_marked_and_not_removed() -> None:
    text = "People who fail two of them have to take a 45-minute course."
    evidence = [
        "Phishing simulations are run every quarter; staff who fail twice take a 45-minute course."
    ]
    report = gw.check(text, evidence=evidence)
    assert report.findings
    actions = mitigate(report)
    assert not [a for a in actions if a.kind is ActionKind.Remove]
    assert apply(actions, text).count("[") == 1


@pytest.mark.req("S0-077")
def test_a_threshold_of_one_still_corrects_what_is_certain() -> None:
    facts = [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    kb = gw.KnowledgeBase.from_records(facts)
    report = gw.Monitor(kb=kb).check("The Harbour Museum was founded in 1992.")
    certain = [f for f in report.findings if f.status == "contradicted"]
    assert [f.p_hallucinated for f in certain] == [1.0]
    config = MitigationConfig(auto_correct_threshold=1.0, regenerate_threshold=1.0)
    done = gw.mitigate(certain, kb=kb, config=config)
    assert [action.replacement for action in done] == ["1987"]
    unsure = [dataclasses.replace(f, p_hallucinated=0.99) for f in certain]
    done = gw.mitigate(unsure, kb=kb, config=config)
    assert [action.replacement for action in done] == [None]


@pytest.mark.req("S0-079")
@pytest.mark.parametrize("name", ["q.jsonl", "q.db"])
def test_a_review_holds_whatever_an_answer_does(tmp_path, name) -> None:
    contents = ["a\u2028b", "c\u0085d", "x\ud800y", "ü", "e\r\nf"]
    queue = ReviewQueue(tmp_path / name)
    for content in contents:
        flag = HallucinationFlag((0, 1), content, T.FabricatedFact, 0.9)
        queue.add(MitigationAction.Escalate("why\u2029"), [flag])
    waiting = ReviewQueue(tmp_path / name).pending()
    assert [item.flags[0]["content"] for item in waiting] == contents
    queue.decide(waiting[0].id, "keep", "noted\u2028")
    assert [item.id for item in queue.pending()] == [item.id for item in waiting[1:]]
