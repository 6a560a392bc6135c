"""Options of the eight components: what the default finds is found with them too."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

import groundwire as gw
from groundwire.mitigation import apply
from groundwire.profiles import dialogue as d
from groundwire.profiles.dialogue.knowledge import view

KB = gw.KnowledgeBase.from_records(
    [
        {"name": "Acme", "aliases": ["the company"], "attributes": {"founded": 1990}},
        {"name": "John Smith", "type": "person", "attributes": {"department": "Engineering"}},
        {"name": "meeting", "aliases": ["the meeting"], "attributes": {"date": "Wednesday"}},
    ]
)
TURNS = [("assistant", "I'll book the flight for Monday."), ("user", "Fine, thanks.")]
EXAMPLES = {
    "The company was founded in 1847 by James Roberts.": "WrongAttribute",
    "You should contact Sarah from the Analytics team.": "NonexistentEntity",
    "John Smith works in the Marketing department.": "WrongAttribute",
    "The meeting is scheduled for Tuesday.": "ContradictsFact",
    "As I mentioned, the flight is on Friday.": "ContradictsPrior",
    "Studies show that this approach increases productivity by 40%.": "UnsupportedClaim",
    "The project was completed before it started.": "TemporalError",
    "The project was completed in 2020, before it started in 2021. It ended before 2019.": "",
    "The plant will open in 2199.": "TemporalError",
    "The system is both running and not running.": "LogicalInconsistency",
    "All items were shipped, except for the 3 that weren't.": "LogicalInconsistency",
    "It opened on 31 February 2020.": "LogicalInconsistency",
    "The door is open. The door is closed.": "LogicalInconsistency",
    "Helga Brandt called.": "NonexistentEntity",
}
WORDS = d.WordTables(exclusive=[("zig", "zag")], categories=[("wug", "blick")])


def options() -> dict[str, d.Components]:
    today = datetime.now(UTC).date()
    return {
        "date": d.Components(temporal_checker=d.TemporalConsistencyChecker(current_date=today)),
        "years": d.Components(temporal_checker=d.TemporalConsistencyChecker(max_future_years=20)),
        "engine": d.Components(logical_checker=d.LogicalConsistencyChecker(inference_engine=WORDS)),
        "history": d.Components(
            history_contradiction_detector=d.HistoryContradictionDetector(
                roles=("user", "assistant", "developer"),
                turns=2**40,
                similarity=0.6,
                confidence=0.55,
            )
        ),
        "claims": d.Components(claim_detector=d.UnsupportedClaimDetector(confidence=0.6001)),
    }


def found(text: str, components=None, turns=(), kb=KB) -> list[tuple]:
    flags = d.HallucinationDetector(components).detect(text, d.DialogueState.of(turns), kb)
    return [
        (f.hallucination_type.name, f.span, f.content, f.replacement, round(f.confidence, 3))
        for f in flags
    ]


@pytest.mark.req("S0-013", "S0-053", "S0-054", "S0-059")
@pytest.mark.parametrize("name", options())
@pytest.mark.parametrize("text", EXAMPLES)
def test_an_option_takes_nothing_from_what_is_found(name: str, text: str) -> None:
    turns = TURNS if "mentioned" in text else ()
    usual = found(text, turns=turns)
    if EXAMPLES[text]:
        assert EXAMPLES[text] in {kind for kind, *_ in usual}
    assert found(text, options()[name], turns) == usual


@pytest.mark.req("S0-051", "S0-053", "S0-054")
def test_the_day_and_the_years_given_count_in_the_core() -> None:
    def kinds(text: str, **given) -> list[str]:
        checker = d.TemporalConsistencyChecker(**given)
        return [kind for kind, *_ in found(text, {"temporal_checker": checker})]

    last_year = "The event happened last year in 2026."
    assert kinds(last_year, current_date=date(2027, 6, 1)) == []
    assert kinds(last_year, current_date=datetime(2030, 6, 1, 12, tzinfo=UTC)) == ["TemporalError"]
    opened = "The bridge was opened on 4 May 2030."
    assert kinds(opened, current_date=date(2025, 6, 1)) == ["TemporalError"]
    assert kinds(opened, current_date=date(2031, 6, 1)) == []
    far = "The plant will open in 2060."
    assert kinds(far, current_date=date(2025, 6, 1)) == ["TemporalError"]
    assert kinds(far, current_date=date(2025, 6, 1), max_future_years=35) == []
    assert kinds(far, max_future_years=2**40) == []


@pytest.mark.req("S0-057", "S0-058", "S0-061")
def test_words_given_to_the_tables_add_to_what_the_core_has() -> None:
    own = {"logical_checker": d.LogicalConsistencyChecker(inference_engine=WORDS)}
    lamp = "The lamp is zig. The lamp is zag."
    wug = "Rex is a wug. Rex is a blick."
    for text, confidence in ((lamp, 0.85), (wug, 0.8)):
        assert not [row for row in found(text) if row[0] == "LogicalInconsistency"]
        (row,) = [row for row in found(text, own) if row[0] == "LogicalInconsistency"]
        one, other = text[:-1].split(". ")
        said = f"'{one}' vs '{other}'"
        assert row == ("LogicalInconsistency", (0, len(text) - 1), said, None, confidence)
    # Both at once; and what the core leaves alone, the given words do not bring up.
    mixed = f"{lamp} The door is open. The door is closed."
    assert len(found(mixed, own)) == 2
    quiet = "The lamp is zig. Is the lamp zag? The fee was 3 euros. The fee was raised to 4 euros."
    assert found(quiet, own) == found(quiet)


@pytest.mark.req("S0-046")
def test_an_option_of_one_detector_is_no_matter_of_the_others() -> None:
    none = {"history_contradiction_detector": d.HistoryContradictionDetector(turns=0)}
    turns = [("user", "Where does John Smith work?"), ("assistant", "The flight is on Monday.")]
    said = "He works in Marketing. The flight is on Friday."
    usual = found(said, turns=turns)
    assert {kind for kind, *_ in usual} == {"WrongAttribute", "ContradictsPrior"}
    left = [row for row in usual if row[0] != "ContradictsPrior"]
    assert found(said, none, turns) == left


@pytest.mark.req("S0-028", "S0-053", "S0-061")
def test_a_part_or_a_component_of_ones_own_stands_in_the_cores_place() -> None:
    class Engine:
        def compatible(self, one, other):
            return True

        def mutually_exclusive(self, one, other):
            return False

        def impossible(self, statement):
            return None

    class Times:
        def extract(self, text):
            return ()

    class Own(d.TemporalConsistencyChecker):
        def detect(self, segments):
            return []

    hot = "The door is open. The door is closed."
    assert found(hot, {"logical_checker": d.LogicalConsistencyChecker(None, Engine())}) == []
    before = "The project was completed before it started."
    for checker in (d.TemporalConsistencyChecker(Times()), Own(date(2025, 6, 1))):
        assert not checker.native or type(checker) is Own
        assert found(before, {"temporal_checker": checker}) == []


@pytest.mark.req("S0-062", "S0-063", "S0-080")
def test_a_foreign_base_and_the_core_exchange_the_same_words() -> None:
    class Foreign:
        entity_exists, get_entity, find_entity = (
            getattr(view(KB), name) for name in ("entity_exists", "get_entity", "find_entity")
        )

    said = "John Smith works in the Marketing department. The meeting is scheduled for Tuesday."
    theirs, ours = (
        [(row[0], row[1], row[3]) for row in found(said, kb=kb)] for kb in (Foreign(), KB)
    )
    assert (
        theirs
        == ours
        == [
            ("WrongAttribute", (20, 44), "the Engineering department"),
            ("ContradictsFact", (75, 82), "Wednesday"),
        ]
    )
    flags = d.HallucinationDetector().detect(said, None, Foreign())
    right = said.replace("Marketing", "Engineering").replace("Tuesday", "Wednesday")
    assert apply(gw.mitigate(flags, kb=KB), said) == right


@pytest.mark.req("S0-014", "S0-055", "S0-060", "U-10")
@pytest.mark.parametrize("strict", [False, True])
def test_a_pair_of_statements_has_its_text(strict: bool) -> None:
    text = "Note this. The system is running. The system is not running."
    config = d.HallucinationDetectorConfig(strict_seed=strict)
    flags = d.HallucinationDetector(None, config).detect(text)
    (pair,) = [f for f in flags if f.hallucination_type.name == "LogicalInconsistency"]
    assert pair.text and pair.text == text[pair.span[0] : pair.span[1]]
