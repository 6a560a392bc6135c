"""Words that a base or a monitor adds to those that texts are read with."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError
from groundwire.profiles import dialogue as d

PEOPLE = [
    {"name": "Ada Lind", "type": "person", "attributes": {"squad": "Heron"}},
    {"name": "Ben Frey", "type": "person", "attributes": {"clearance": "secret"}},
]
WORDS: dict[str, Any] = {
    "predicates": {
        "squad": {"names": ["crew"], "phrases": ["glorps for", "hacks for"]},
        "clearance": ["is cleared for"],
    },
    "exclusive": {"staff": [["contractor", "freelancer"], "employee"]},
    "impossible": {
        "countable": ["kayaks"],
        "limits": {"battery level": {"min": 0, "max": 100, "unit": "percent"}},
    },
    "courses": {"job": [["hire"], ["dismiss"]]},
}


def found(monitor: gw.Monitor, text: str, **given: Any) -> list[tuple[str, str]]:
    report = monitor.check(text, **given)
    return [(f.type.removeprefix("dialogue."), f.rule) for f in report.findings]


def based(lexicon: Any = None) -> gw.KnowledgeBase:
    kb = gw.KnowledgeBase.from_records(PEOPLE)
    if lexicon is not None:
        kb.lexicon = lexicon
    return kb


@pytest.mark.req("S0-007", "S0-062")
def test_phrases_say_what_attribute_is_meant() -> None:
    text = "Ada Lind glorps for Kestrel."
    assert found(gw.Monitor(kb=based()), text) == []
    for monitor in (gw.Monitor(kb=based(WORDS)), gw.Monitor(kb=based(), lexicon=WORDS)):
        report = monitor.check(text)
        (finding,) = report.findings
        assert finding.type == "dialogue.wrong_attribute"
        assert finding.replacement == "Heron"
        assert report.claims[0].predicate == "squad"
        assert found(monitor, "Ada Lind hacks for Heron.") == []
        assert ("wrong_attribute", "attribute") in found(
            monitor, "Ben Frey was cleared for top level work."
        )
        assert ("wrong_attribute", "attribute") in found(monitor, "Ada Lind's crew is Kestrel.")


def test_the_lexicons_of_base_and_monitor_join() -> None:
    kb = based({"predicates": {"squad": ["glorps for"]}})
    monitor = gw.Monitor(kb=kb, lexicon={"predicates": {"squad": ["zubs with"]}})
    for verb in ("glorps for", "zubs with"):
        assert ("wrong_attribute", "attribute") in found(monitor, f"Ada Lind {verb} Kestrel.")
    # Without a base, too.
    monitor = gw.Monitor(lexicon=WORDS)
    assert ("logical_inconsistency", "negative_count") in found(monitor, "It has -3 kayaks.")


@pytest.mark.req("S0-058")
def test_kinds_that_exclude_each_other() -> None:
    text = "Ben Frey is a freelancer. Ben Frey is an employee."
    assert ("logical_inconsistency", "exclusive_categories") in found(
        gw.Monitor(kb=based(WORDS)), text
    )
    assert found(gw.Monitor(kb=based()), text) == []
    same = "Ben Frey is a freelancer. Ben Frey is a contractor."
    assert found(gw.Monitor(kb=based(WORDS)), same) == []


@pytest.mark.req("S0-059")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The yard has -3 kayaks.", "negative_count"),
        ("The battery level is 140 %.", "limit"),
        ("The battery level of the drone is 140 percent.", "limit"),
        ("The battery level is 40 %.", None),
        ("The battery level rose by 140 %.", None),
        ("Is the battery level 140 %?", None),
    ],
)
def test_what_cannot_be(text: str, rule: str | None) -> None:
    def illogical(monitor: gw.Monitor) -> list[str]:
        return [name for kind, name in found(monitor, text) if kind == "logical_inconsistency"]

    assert illogical(gw.Monitor(lexicon=WORDS)) == ([] if rule is None else [rule])
    assert illogical(gw.Monitor()) == []


@pytest.mark.req("S0-054")
def test_courses_of_ones_own() -> None:
    text = "Ada Lind was hired in 2015. She was dismissed in 2010."
    assert ("temporal_error", "course") in found(gw.Monitor(lexicon=WORDS), text)
    assert ("temporal_error", "course") not in found(gw.Monitor(), text)
    right = text.replace("2010", "2018")
    assert ("temporal_error", "course") not in found(gw.Monitor(lexicon=WORDS), right)


@pytest.mark.req("S0-009")
def test_earlier_turns_are_compared_by_the_same_names() -> None:
    history = [("user", "Ada Lind's strike team is Heron.")]
    words = {"predicates": {"squad": {"names": ["strike_team"], "phrases": ["glorps for"]}}}
    text = "Ada Lind glorps for 12 people."
    plain = gw.Monitor().check(text, history=history)
    own = gw.Monitor(lexicon=words).check(text, history=history)
    assert plain.claims[0].predicate != "squad"
    assert own.claims[0].predicate == "squad"


def test_files_and_objects_are_one(tmp_path: Path) -> None:
    toml = tmp_path / "words.toml"
    toml.write_text(
        '[predicates.squad]\nnames = ["crew"]\nphrases = ["glorps for", "hacks for"]\n'
        '[predicates.clearance]\nphrases = ["is cleared for"]\n'
        '[exclusive]\nstaff = [["contractor", "freelancer"], ["employee"]]\n'
        '[impossible]\ncountable = ["kayaks"]\n'
        '[impossible.limits."battery level"]\nmin = 0\nmax = 100\nunit = "percent"\n'
        '[courses]\njob = [["hire"], ["dismiss"]]\n'
    )
    yaml = tmp_path / "words.yaml"
    yaml.write_text(
        "predicates:\n  squad: {names: crew, phrases: [glorps for, hacks for]}\n"
        "  clearance: [is cleared for]\n"
        "exclusive: {staff: [[contractor, freelancer], employee]}\n"
        "impossible:\n  countable: [kayaks]\n"
        "  limits: {battery level: {min: 0, max: 100, unit: percent}}\n"
        "courses: {job: [[hire], [dismiss]]}\n"
    )
    given = gw.Lexicon(**WORDS)
    assert gw.Lexicon.open(toml) == given == gw.Lexicon.open(yaml)
    assert pickle.loads(pickle.dumps(given)) == given
    kb = based(toml)
    assert kb.lexicon == given
    kb.save(tmp_path / "people.gwkb")
    again = gw.KnowledgeBase.load(tmp_path / "people.gwkb")
    assert again.lexicon == given
    assert pickle.loads(pickle.dumps(based(given))).lexicon == given
    assert gw.KnowledgeBase(lexicon=given).lexicon == given
    assert gw.KnowledgeBase().lexicon == gw.Lexicon()
    monitor = pickle.loads(pickle.dumps(gw.Monitor(lexicon=yaml)))
    assert ("logical_inconsistency", "negative_count") in found(monitor, "It has -3 kayaks.")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"predicate": {}}, "did you mean 'predicates'"),
        ({"predicates": {"squad": {"phrase": ["x"]}}}, "predicates.squad; did you mean 'phrases'"),
        ({"predicates": {"squad": 3}}, "predicates.squad is a list"),
        ({"predicates": {"squad": ["in the team"]}}, "begins with its verb"),
        ({"predicates": {"squad": [4]}}, "4 is no text"),
        ({"predicates": {"squad": {"dated": "yes"}}}, "true or false"),
        ({"predicates": []}, "maps names"),
        ({"exclusive": {"staff": ["contractor"]}}, "one kind excludes nothing"),
        ({"exclusive": {"staff": "contractor"}}, "exclusive.staff is a list"),
        ({"impossible": {"countabel": []}}, "did you mean 'countable'"),
        ({"impossible": {"limits": {"age": {"mim": 1}}}}, "did you mean 'min'"),
        ({"impossible": {"limits": {"age": {"min": "1"}}}}, "is a number"),
        ({"impossible": {"limits": {"age": {"max": float("inf")}}}}, "finite"),
        ({"courses": {"job": [["hire"]]}}, "2 to 32 stages"),
        (7, "a lexicon is"),
    ],
)
def test_what_is_no_lexicon(given: Any, says: str) -> None:
    with pytest.raises(ArgumentError, match=says):
        gw.Lexicon.of(given)
    kb = based(WORDS)
    with pytest.raises(ArgumentError, match=says):
        kb.lexicon = given
    assert kb.lexicon == gw.Lexicon(**WORDS)


def test_what_is_no_lexicon_file(tmp_path: Path) -> None:
    for name, text in (("a.toml", "predicates ="), ("a.yaml", "a: [b"), ("a.json", "{")):
        (tmp_path / name).write_text(text)
        with pytest.raises(FormatError, match=name):
            gw.Lexicon.open(tmp_path / name)
    (tmp_path / "b.json").write_text('{"predicate": {}}')
    with pytest.raises(ArgumentError, match=r"b\.json: .*did you mean"):
        gw.Lexicon.open(tmp_path / "b.json")
    with pytest.raises(ArgumentError, match="ends in"):
        gw.Lexicon.open(tmp_path / "words.txt")


@pytest.mark.req("S0-062", "U-10")
def test_python_components_know_the_names_too() -> None:
    kb = based(WORDS)
    assert set(kb.attribute_synonyms("crew")) == {"squad"}
    claim = d.Claim("Ada Lind", "crew", (0, 25), "Kestrel", "Ada Lind's crew is Kestrel")
    segment = d.ResponseSegment(0, claim.text, (0, len(claim.text)), claims=(claim,))
    flags = d.AttributeVerifier().detect([segment], kb)
    assert [flag.attribute for flag in flags] == ["crew"]
    # The document's own rules look an attribute up by its name alone.
    assert d.AttributeVerifier(strict_seed=True).detect([segment], kb) == []
