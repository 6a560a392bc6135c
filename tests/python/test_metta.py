"""The predicates under the real MeTTa interpreter: types, results, the pipeline, errors."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire import metta as gm
from groundwire.errors import ArgumentError
from groundwire.metta import predicates
from groundwire.metta.model import TYPES, DialogueState, type_of
from groundwire.mitigation import HallucinationMitigator
from groundwire.profiles.dialogue import native
from groundwire.profiles.dialogue.scorer import HallucinationConfidenceScorer, linguistic_signals
from groundwire.profiles.dialogue.segments import segment_response
from groundwire.profiles.dialogue.types import HistoryEvidence, KBEvidence

to_flag = native.to_flag

pytest.importorskip("hyperon", reason="the extra metta is not installed")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "pipeline.metta"
ANSWER = "John Smith works in the Marketing department. The tower has 14 floors."
HISTORY = (("user", "Where does John work?"),)

# The seed's own declarations, in its words.
DECLARED = """
(: detect-hallucinations (-> String DialogueState KnowledgeBase (List HallucinationFlag)))
(: hallucination-confidence (-> HallucinationFlag Float))
(: hallucination-severity (-> HallucinationType Float))
(: detect-fabricated-facts (-> (List ResponseSegment) KnowledgeBase (List HallucinationFlag)))
(: detect-nonexistent-entities
  (-> (List ResponseSegment) DialogueState KnowledgeBase (List HallucinationFlag)))
(: detect-wrong-attributes (-> (List ResponseSegment) KnowledgeBase (List HallucinationFlag)))
(: detect-kb-contradictions (-> (List ResponseSegment) KnowledgeBase (List HallucinationFlag)))
(: detect-history-contradictions (-> (List ResponseSegment) DialogueState (List HallucinationFlag)))
(: detect-unsupported-claims (-> (List ResponseSegment) KnowledgeBase (List HallucinationFlag)))
(: detect-temporal-errors (-> (List ResponseSegment) (List HallucinationFlag)))
(: detect-logical-inconsistencies (-> (List ResponseSegment) (List HallucinationFlag)))
(: segment-response (-> String (List ResponseSegment)))
(: extract-claims (-> String (List Claim)))
(: extract-entities (-> String (List EntityMention)))
(: extract-temporals (-> String (List TemporalExpression)))
(: entity-exists (-> String KnowledgeBase Bool))
(: attribute-matches (-> String String String KnowledgeBase Bool))
(: contradicts-kb (-> Claim KnowledgeBase Bool))
(: contradicts-history (-> Claim DialogueState Bool))
(: mitigate-hallucination (-> HallucinationFlag KnowledgeBase MitigationAction))
(: find-correction (-> HallucinationFlag KnowledgeBase (Maybe String)))
(: generate-regeneration-guidance (-> (List HallucinationFlag) String))
(: score-hallucination-confidence
  (-> HallucinationFlag KBEvidence HistoryEvidence (List LinguisticSignal)
      (List HallucinationFlag) Float))
(: linguistic-signals (-> String (List LinguisticSignal)))
(: evidence-strength (-> Evidence Float))
"""


@pytest.fixture(scope="module")
def kb() -> gw.KnowledgeBase:
    attributes = {
        "department": "Engineering",
        "born": "12 March 1987",
        "budget": "$5M",
        "languages": ["Norwegian", "English"],
    }
    records = [{"name": "John Smith", "aliases": ["John"], "attributes": attributes}]
    return gw.KnowledgeBase.from_records(records)


@pytest.fixture
def metta(kb: gw.KnowledgeBase) -> Any:
    made = gm.runner()
    gm.bind(made, "&kb", kb, "KnowledgeBase")
    gm.bind(made, "&dialogue", DialogueState(HISTORY), "DialogueState")
    return made


def results(metta: Any, program: str) -> list[Any]:
    """Return the results of a program's last expression, as Python values."""
    return [gm.python_value(atom) for atom in metta.run(program)[-1]]


@pytest.mark.req("S0-088", "S0-089", "S0-090", "S0-091", "S0-092", "S0-093", "S0-094")
def test_every_predicate_has_the_declared_type(metta: Any) -> None:
    declared = metta.parse_all(DECLARED)
    assert len(declared) == len(gm.PREDICATES) == 25
    for declaration in declared:
        _, name, expected = declaration.get_children()
        ((found,),) = metta.run(f"!(get-type {name})")
        assert str(found) == str(expected)


@pytest.mark.req("S0-088")
def test_flags_from_metta_are_those_of_the_python_api(metta: Any, kb: gw.KnowledgeBase) -> None:
    (flags,) = results(metta, f'!(detect-hallucinations "{ANSWER}" &dialogue &kb)')
    report = gw.Monitor(kb=kb, profiles=("dialogue",)).check(ANSWER, history=HISTORY)
    assert flags == tuple(f for f in report.findings if type_of(f))
    assert [type_of(f) for f in flags] == ["WrongAttribute"]
    (sure,) = results(
        metta,
        f'!(hallucination-confidence (elements (detect-hallucinations "{ANSWER}" &dialogue &kb)))',
    )
    assert sure == flags[0].p_hallucinated


@pytest.mark.req("S0-088")
def test_severities_are_the_taxonomys(metta: Any) -> None:
    for name, (severity, _) in TYPES.items():
        assert results(metta, f"!(hallucination-severity {name})") == [severity]
    assert "Error" in str(metta.run("!(hallucination-severity Nonsense)"))


@pytest.mark.req("S0-090", "S0-091")
def test_what_a_program_reads_of_claims_and_times(metta: Any) -> None:
    said = "John Smith was born on 12 March 1987. He came in 2021."
    texts = results(metta, f'!(claim-text (elements (extract-claims "{said}")))')
    assert set(texts) == {"John Smith was born on 12 March 1987.", "He came in 2021."}
    dates = metta.run(f'!(temporal-date (elements (extract-temporals "{said}")))')[-1]
    assert {str(one) for one in dates} == {'(Just "1987-03-12")', '(Just "2021")'}


@pytest.mark.req("S0-089")
def test_a_predicate_of_one_detector_gives_what_another_would_cover(metta: Any) -> None:
    # Both find the name; of a whole check's flags the claim about it stays.
    said = "Zed Quorn is nice."
    (flags,) = results(metta, f'!(detect-hallucinations "{said}" (new-dialogue) &kb)')
    assert [type_of(f) for f in flags] == ["FabricatedFact"]
    found = f'(segment-response "{said}") (new-dialogue) &kb'
    (flags,) = results(metta, f"!(detect-nonexistent-entities {found})")
    assert [(type_of(f), f.text) for f in flags] == [("NonexistentEntity", "Quorn")]


DETECTORS = {
    "detect-fabricated-facts": ("FabricatedFact", "&kb"),
    "detect-nonexistent-entities": ("NonexistentEntity", "&dialogue &kb"),
    "detect-wrong-attributes": ("WrongAttribute", "&kb"),
    "detect-kb-contradictions": ("ContradictsFact", "&kb"),
    "detect-history-contradictions": ("ContradictsPrior", "&dialogue"),
    "detect-unsupported-claims": ("UnsupportedClaim", "&kb"),
    "detect-temporal-errors": ("TemporalError", ""),
    "detect-logical-inconsistencies": ("LogicalInconsistency", ""),
}


@pytest.mark.req("S0-089", "S0-035")
@pytest.mark.parametrize("name", DETECTORS)
def test_a_detector_gives_its_own_flags(metta: Any, kb: gw.KnowledgeBase, name: str) -> None:
    type_, given = DETECTORS[name]
    (flags,) = results(metta, f'!({name} (segment-response "{ANSWER}") {given})')
    history = HISTORY if "dialogue" in given else ()
    base = kb if "kb" in given else None
    report = gw.Monitor(kb=base, profiles=("dialogue",)).check(ANSWER, history=history)
    assert flags == tuple(f for f in report.findings if type_of(f) == type_)


@pytest.mark.req("S0-089")
def test_each_type_reaches_its_detector_alone(metta: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    every = tuple(
        gw.Finding(type="dialogue." + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(), id=name)
        for name in TYPES
    )
    monkeypatch.setattr(predicates, "flags_of", lambda *_: every)
    for name, (type_, given) in DETECTORS.items():
        (flags,) = results(metta, f'!({name} (segment-response "x.") {given})')
        assert [flag.id for flag in flags] == [type_]


@pytest.mark.req("S0-090", "S0-038")
def test_segments_hold_their_parts_at_their_places(metta: Any) -> None:
    text = "Dr. Zorblat Quux left on 12 March 1987.  It ended in 2031."
    (segments,) = results(metta, f'!(segment-response "{text}")')
    assert [text[slice(*s.span)] for s in segments] == [s.text for s in segments]
    assert predicates.joined(segments) == text
    first, second = segments
    assert [(t.resolved_date, t.year) for t in first.temporals] == [(date(1987, 3, 12), 1987)]
    assert [(t.resolved_date, t.year) for t in second.temporals] == [(date(2031, 1, 1), 2031)]
    assert [m.surface for m in first.entities] == ["Zorblat Quux"]
    assert list(segments) == segment_response(text), "the profile reads it otherwise"
    assert len(first.claims) == len(second.claims) == 1
    for name in ("claims", "entities", "temporals"):
        (found,) = results(metta, f'!(extract-{name} "{text}")')
        assert found == sum((getattr(s, name) for s in segments), ())
    with pytest.raises(ArgumentError, match="out of order"):
        predicates.joined((second, first))


@pytest.mark.req("S0-091")
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('(entity-exists "john" &kb)', True),
        ('(entity-exists "Nobody" &kb)', False),
        ('(attribute-matches "John Smith" "department" "engineering" &kb)', True),
        ('(attribute-matches "John Smith" "department" "Marketing" &kb)', False),
        ('(attribute-matches "John" "born" "1987-03-12" &kb)', True),
        ('(attribute-matches "John" "born" "13 March 1987" &kb)', False),
        ('(attribute-matches "John" "budget" "5 million dollars" &kb)', True),
        ('(attribute-matches "John" "languages" "English" &kb)', True),
        ('(attribute-matches "John" "height" "English" &kb)', False),
        ('(attribute-matches "Nobody" "height" "English" &kb)', False),
    ],
)
def test_what_the_base_holds(metta: Any, call: str, expected: bool) -> None:
    assert results(metta, f"!{call}") == [expected]


@pytest.mark.req("S0-091")
def test_claims_are_held_against_the_base(metta: Any) -> None:
    program = f'!(contradicts-kb (elements (extract-claims "{ANSWER}")) &kb)'
    assert sorted(results(metta, program)) == [False, True]
    program = f'!(contradicts-history (elements (extract-claims "{ANSWER}")) &dialogue)'
    assert results(metta, program) == [False, False]


@pytest.mark.req("S0-092", "S0-077", "S0-078", "S0-084", "S0-085")
def test_what_to_do_about_a_flag(metta: Any, kb: gw.KnowledgeBase) -> None:
    (flag,) = predicates.flags_of(ANSWER, kb=kb)
    gm.bind(metta, "&flag", flag, "HallucinationFlag")
    gm.bind(metta, "&flags", (flag,), "List HallucinationFlag")
    assert results(metta, "!(find-correction &flag &kb)") == ["the Engineering department"]
    decided = (
        "!(let $a (mitigate-hallucination &flag &kb) ((action-type $a) (action-replacement $a)))"
    )
    assert results(metta, decided) == [["Correct", "the Engineering department"]]
    (guidance,) = results(metta, "!(generate-regeneration-guidance &flags)")
    assert guidance == (
        "Please regenerate your response, addressing these issues:\n"
        "1. Verify attribute: 'John Smith: department the Marketing department'"
    )


@pytest.mark.req("S0-092", "S0-077", "S0-078", "X-12")
@pytest.mark.parametrize(
    ("sure", "type_"),
    [(0.9, "Remove"), (0.85, "Remove"), (0.84, "Flag"), (0.5, "Flag"), (0.4, "NoAction")],
)
def test_advice_is_no_correction(sure: float, type_: str, kb: gw.KnowledgeBase) -> None:
    flag = gw.Finding(
        type="dialogue.fabricated_fact", p_hallucinated=sure, suggestion="Verify it", span=(0, 1)
    )
    (own,) = HallucinationMitigator().mitigate([to_flag(flag)], kb)
    assert predicates.mitigate_hallucination(flag, kb) == own
    assert predicates.find_correction(flag, kb) is None
    assert predicates.mitigate_hallucination(flag, kb).kind.name == type_


@pytest.mark.req("S0-093", "S0-066", "S0-067", "S0-068", "S0-069", "S0-070")
def test_scores_follow_the_formula(metta: Any, kb: gw.KnowledgeBase) -> None:
    (flag,) = predicates.flags_of(ANSWER, kb=kb)
    gm.bind(metta, "&flag", flag, "HallucinationFlag")
    gm.bind(metta, "&none", (), "List HallucinationFlag")
    wording = "I definitely think so, perhaps."
    score = (
        "!(score-hallucination-confidence &flag (kb-evidence True False 0.8) "
        f'(history-evidence False 0.0) (linguistic-signals "{wording}") &none)'
    )
    strengths = {s.kind: s.strength for s in predicates.linguistic_signals(wording)}
    factor = (1 - 0.3 * strengths["hedging"]) * (1 + 0.2 * strengths["overconfidence"])
    expected = (
        0.75 * (0.35 * 1.24 + 0.65) * (0.25 * 0.7 + 0.75) * (0.2 * factor + 0.8) * (0.2 * 1 + 0.8)
    )
    assert results(metta, score) == [pytest.approx(expected, rel=1e-12)]
    own = HallucinationConfidenceScorer().score(
        to_flag(flag), KBEvidence(True, False, 0.8), HistoryEvidence(False, 0.0),
        linguistic_signals(wording), [],
    )  # fmt: skip
    assert results(metta, score) == [own]


@pytest.mark.req("S0-093", "S0-104")
@pytest.mark.parametrize(
    ("kind", "base"),
    [
        ("direct_observation", 0.9),
        ("tool_result", 0.9),
        ("file_content", 0.8),
        ("kb_fact", 0.8),
        ("user_statement", 0.7),
        ("prior_turn", 0.7),
        ("inference", 0.6),
        ("rule", 0.6),
        ("hearsay", 0.3),
    ],
)
def test_evidence_speaks_as_strongly_as_its_source(metta: Any, kind: str, base: float) -> None:
    program = f'!(evidence-strength (evidence "{kind}" "x" 0.5))'
    assert results(metta, program) == [pytest.approx(base / 2)]


def test_a_wrong_argument_is_an_error_atom_with_its_reason(metta: Any) -> None:
    assert "BadArgType" in str(metta.run("!(hallucination-confidence &kb)"))
    assert "No such file" in str(metta.run('!(load-knowledge-base "absent.jsonl")'))
    assert "0 to 1" in str(metta.run("!(kb-evidence True False 7)"))


def test_printed_atoms_quote_no_answer(metta: Any) -> None:
    printed = str(metta.run(f'!(detect-hallucinations "{ANSWER}" &dialogue &kb)'))
    assert "WrongAttribute" in printed
    assert "Marketing" not in printed


@pytest.mark.req("S0-088", "S0-094")
def test_the_seeds_pipeline_runs_from_metta_and_gives_the_same_flags() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "groundwire.metta", str(SCRIPT)],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    flags_line, count, wrong_line, actions, guidance = done.stdout.splitlines()
    found = re.search(r'\(= \(answer\) "(.+)"\)', SCRIPT.read_text(encoding="utf-8"))
    said = re.search(r'"user" "(.+?)"', SCRIPT.read_text(encoding="utf-8"))
    assert found
    assert said
    kb = gw.KnowledgeBase.open(ROOT / "examples/harbourlight/kb.jsonl")
    flags = predicates.flags_of(found.group(1), DialogueState((("user", said.group(1)),)), kb)
    expected = {
        f"({type_of(f)} {f.span[0]} {f.span[1]} {f.p_hallucinated} {TYPES[type_of(f)][0]})"  # type: ignore[index]
        for f in flags
    }
    listed = re.findall(r"\([^()]+\)", flags_line)
    assert len(flags) >= 2
    assert {as_numbers(x) for x in listed} == {as_numbers(x) for x in expected}
    wrong = {as_numbers(x) for x in re.findall(r"\([^()]+\)", wrong_line)}
    assert wrong == {as_numbers(x) for x in expected if "WrongAttribute" in x}
    assert count == "2"
    assert '"1962"' in actions
    assert guidance.startswith('"Please regenerate your response')


def as_numbers(line: str) -> tuple[Any, ...]:
    name, *numbers = line.strip("()").split()
    return (name, *map(float, numbers))


def test_the_runner_says_what_is_wrong(tmp_path: Path) -> None:
    for arguments in ([], ["absent.metta"]):
        done = subprocess.run(
            [sys.executable, "-m", "groundwire.metta", *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert done.returncode == 2
        assert done.stderr
        assert "Traceback" not in done.stderr


def test_a_base_that_changes_is_asked_as_it_is() -> None:
    base = gw.KnowledgeBase.from_records(
        [{"name": "John Smith", "attributes": {"department": "Art"}}]
    )
    assert predicates.flags_of(ANSWER, kb=base)
    base.set_attribute("John Smith", "department", "Marketing")
    assert not predicates.flags_of(ANSWER, kb=base)


@pytest.mark.req("S0-088")
def test_a_program_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from groundwire.metta.__main__ import main

    assert main([str(tmp_path / "none.metta")]) == 2
    said = capsys.readouterr().err
    assert "cannot read" in said and "none.metta" in said and "Errno" not in said


@pytest.mark.req("S0-088")
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("!(+ 1 2)\n!(+ 1\n", "the bracket that line 2 opens is not closed"),
        ("; (a\n!(+ 1 2))\n", "line 2 closes a bracket that was not opened"),
        ('!(+ 1 2)\n\n!(f "a; (b\n', "the string that line 3 begins is not closed"),
        ('!(f "a\\"" "(")\n!((+ 1 2)\n', "the bracket that line 2 opens is not closed"),
    ],
    ids=["open", "closed", "string", "escape"],
)
def test_a_program_with_a_bracket_left_open_is_told_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], program: str, said: str
) -> None:
    from groundwire.metta.__main__ import main

    path = tmp_path / "p.metta"
    path.write_text(program, encoding="utf-8")
    assert main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert said in err and "p.metta" in err and not out


def test_brackets_in_strings_and_comments_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundwire.metta.__main__ import main

    path = tmp_path / "p.metta"
    path.write_text('; :( \n!(+ 1 2)\n!(== "(" "(")\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.split() == ["3", "True"]
