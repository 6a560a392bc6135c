"""The dialogue profile's detector as a whole: in the core, in Python, strict, beside a session."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import date
from pathlib import Path

import pytest

import groundwire as gw
from dialogue_cases import Base, claim, mention, sentence, shown
from groundwire import _core
from groundwire.errors import ArgumentError, ConfigError
from groundwire.mitigation import MitigationAction, apply
from groundwire.profiles import dialogue as d
from groundwire.profiles.dialogue import detector as module
from groundwire.profiles.dialogue import knowledge

TEXT = "John Smith works in the Marketing department. The Zorgon Unit was founded in 1847."
KB = gw.KnowledgeBase.from_records(
    [{"name": "John Smith", "type": "person", "attributes": {"department": "Engineering"}}]
)
FIRST, SECOND = (
    "John Smith works in the Marketing department.",
    "The Zorgon Unit was founded in 1847.",
)
SEGMENTS = [
    sentence(
        TEXT,
        FIRST,
        claims=[claim(FIRST, "John Smith", "department", "the Marketing department")],
        entities=[mention("John Smith")],
        temporals=[],
        statements=[],
    ),
    sentence(
        TEXT,
        SECOND,
        1,
        claims=[claim(SECOND, "The Zorgon Unit", "founded", "1847")],
        entities=[mention("The Zorgon Unit")],
        temporals=[],
        statements=[],
    ),
]


@pytest.fixture
def segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "segment_response", lambda *given, **named: SEGMENTS)


@pytest.mark.req("S0-028", "S0-033", "S0-014", "S0-037")
def test_by_default_the_core_looks() -> None:
    (flag,) = d.HallucinationDetector().detect(TEXT[:45], d.DialogueState(), KB)
    assert flag.hallucination_type is d.HallucinationType.WrongAttribute
    assert flag.text == "the Marketing department" == TEXT[slice(*flag.span)]
    assert flag.replacement == "the Engineering department"
    assert "Engineering" in flag.evidence
    (same,) = d.to_flags(gw.check(TEXT[:45], kb=KB).findings)
    assert same == flag


@pytest.mark.req("S0-030", "S0-031", "S0-034")
def test_detectors_are_switched_off_and_weighed() -> None:
    off = d.HallucinationDetectorConfig(
        enabled_detectors=d.EnabledDetectors(wrong_attributes=False)
    )
    assert d.HallucinationDetector(config=off).detect(TEXT[:45], None, KB) == []
    weights = d.DetectorWeights(wrong_attributes=0.6)
    low = d.HallucinationDetectorConfig(detector_weights=weights)
    (flag,) = d.HallucinationDetector(config=low).detect(TEXT[:45], None, KB)
    assert flag.confidence == pytest.approx(0.6)
    high = d.HallucinationDetectorConfig(0.61, detector_weights=weights)
    assert d.HallucinationDetector(config=high).detect(TEXT[:45], None, KB) == []


@pytest.mark.req("S0-029", "S0-030", "S0-031", "S0-032", "D-1", "U-8")
def test_the_configuration_file_counts(tmp_path: Path) -> None:
    file = tmp_path / "groundwire.toml"
    file.write_text(
        "[dialogue]\ndetection_threshold = 0.7\nmax_claims = 7\nstrict_seed = true\n"
        "[dialogue.enabled_detectors]\ntemporal_errors = false\n"
        "[dialogue.detector_weights]\nkb_contradictions = 0.5\n"
    )
    config = d.HallucinationDetector(config=file).config
    assert config == d.HallucinationDetectorConfig(
        0.7,
        d.EnabledDetectors(temporal_errors=False),
        d.DetectorWeights(kb_contradictions=0.5),
        7,
        True,
    )
    assert d.HallucinationDetectorConfig.load(gw.Config()) == d.HallucinationDetectorConfig()
    assert d.EvidenceWeights.from_config(gw.Config()) == d.EvidenceWeights()
    file.write_text("[dialogue]\ndetection_treshold = 0.7\n")
    with pytest.raises(ConfigError, match="did you mean"):
        d.HallucinationDetector(config=str(file))


@pytest.mark.req("S0-036", "X-15", "D-1", "U-10")
def test_an_unknown_subject_is_one_flag_or_two(segments: None) -> None:
    kb = Base(John_Smith={"department": "Engineering"})
    strict = d.HallucinationDetectorConfig(strict_seed=True)
    literal = shown(d.HallucinationDetector(config=strict).detect(TEXT, None, kb))
    assert [row[2:4] for row in literal] == [
        ("FabricatedFact", 0.85),
        ("NonexistentEntity", 0.85),
        ("WrongAttribute", 1.0),
        ("ContradictsFact", 1.0),
    ]
    mended = shown(d.HallucinationDetector().detect(TEXT, None, kb))
    assert [row[2:4] for row in mended] == [("FabricatedFact", 0.85), ("WrongAttribute", 1.0)]


@pytest.mark.req("S0-036", "D-1")
def test_of_overlapping_flags_of_one_type_the_surest_stays() -> None:
    T = d.HallucinationType
    one, two, three, other = (
        d.HallucinationFlag(span, "x", kind, confidence)
        for span, kind, confidence in (
            ((0, 5), T.TemporalError, 0.6),
            ((3, 9), T.TemporalError, 0.8),
            ((9, 12), T.TemporalError, 0.7),
            ((0, 9), T.LogicalInconsistency, 0.5),
        )
    )
    kept = d.HallucinationDetector().deduplicate_flags([one, two, three, other])
    assert kept == [two, three, other]
    assert d.HallucinationDetector().deduplicate_flags([two, two]) == [two]


@pytest.mark.req("S0-032")
def test_claims_beyond_the_limit_are_counted(
    segments: None, caplog: pytest.LogCaptureFixture
) -> None:
    config = d.HallucinationDetectorConfig(max_claims=1)
    with caplog.at_level(logging.WARNING, "groundwire"):
        cut = d.HallucinationDetector(config=config).segment_response(TEXT)
    assert [len(segment.claims) for segment in cut] == [1, 0]
    assert "1 claims beyond max_claims" in caplog.text
    strict = d.HallucinationDetectorConfig(max_claims=1, strict_seed=True)
    assert d.HallucinationDetector(config=strict).segment_response(TEXT) == SEGMENTS


@pytest.mark.req("S0-028", "S0-035", "S0-027")
def test_components_of_ones_own(segments: None) -> None:
    T = d.HallucinationType

    class Shouting:
        def detect(self, found, knowledge_base):
            assert knowledge_base.entity_exists("John Smith")
            return [d.HallucinationFlag(s.span, s.text, T.UnsupportedClaim, 0.9) for s in found]

    flags = d.HallucinationDetector({"claim_detector": Shouting()}).detect(TEXT, None, KB)
    assert [flag.hallucination_type for flag in flags] == [
        T.FabricatedFact,
        T.WrongAttribute,
        T.UnsupportedClaim,
        T.UnsupportedClaim,
    ]

    class Broken:
        def detect(self, found):
            raise ValueError("no calendar")

    with pytest.raises(d.HallucinationError, match="temporal_errors failed: no calendar"):
        d.HallucinationDetector({"temporal_checker": Broken()}).detect(TEXT, None, KB)

    class Wrong:
        def detect(self, found):
            return ["?"]

    with pytest.raises(d.HallucinationError, match="no HallucinationFlag"):
        d.HallucinationDetector({"logical_checker": Wrong()}).detect(TEXT, None, KB)
    with pytest.raises(ArgumentError, match="'checker' is no component; there are fact_detector"):
        d.HallucinationDetector({"checker": Wrong()})
    with pytest.raises(ArgumentError, match="no method 'detect'"):
        d.HallucinationDetector({"logical_checker": 3})
    with pytest.raises(ArgumentError, match="dialogue_state"):
        d.HallucinationDetector().detect(TEXT, "hello")
    with pytest.raises(ArgumentError, match="knowledge_base"):
        d.HallucinationDetector().detect(TEXT, None, {"a": 1})


@pytest.mark.req("S0-045", "S0-045")
def test_a_replaced_part_runs_with_the_same_formulas(segments: None) -> None:
    class Names:
        def extract(self, text):
            if "Marketing" in text:
                at = text.index("Marketing")
                yield d.EntityMention("Marketing", (at, at + 9), d.MentionType.ProperName)

    class Anybody:
        def resolve_mention(self, mention, dialogue_state):
            return "somebody"

    closed = gw.KnowledgeBase.from_records([{"name": "John Smith"}, {"closed_world": True}])
    checker = d.EntityExistenceChecker(ner=Names())
    flags = d.HallucinationDetector({"entity_checker": checker}).detect(TEXT, None, closed)
    found = [f for f in flags if f.hallucination_type is d.HallucinationType.NonexistentEntity]
    assert [(f.text, f.confidence) for f in found] == [("Marketing", pytest.approx(0.85))]
    resolved = d.EntityExistenceChecker(ner=Names(), resolver=Anybody())
    flags = d.HallucinationDetector({"entity_checker": resolved}).detect(TEXT, None, closed)
    assert not any(f.hallucination_type.name == "NonexistentEntity" for f in flags)


CONTRACT = {
    "index": 0,
    "text": "It closed on 1 May 2024.",
    "span": [3, 27],
    "kind": "prose",
    "claims": [
        {
            "id": "c1",
            "content": "It closed on 1 May 2024.",
            "span": [3, 27],
            "subject": "Acme",
            "predicate": "closed",
            "object": "1 May 2024",
            "polarity": "positive",
            "modality": "asserted",
            "citations": [{}],
        },
        {
            "id": "c2",
            "content": "Hm.",
            "span": [3, 6],
            "subject": None,
            "predicate": None,
            "object": None,
            "polarity": "positive",
            "modality": "asserted",
        },
    ],
    "entities": [
        {
            "surface": "It",
            "span": [3, 5],
            "mention_type": "pronoun",
            "type": "unknown",
            "resolved": 7,
        }
    ],
    "temporals": [
        {
            "surface": "1 May 2024",
            "span": [16, 26],
            "resolved_date": "2024-05-01",
            "first": "2024-05-01",
            "last": "2024-05-01",
            "year": 2024,
            "tense": "past",
            "relation": "before",
            "target": {"surface": "June", "resolved_date": None},
            "event": "closed",
        }
    ],
    "statements": [
        {
            "surface": "It closed",
            "span": [3, 12],
            "subject": "it",
            "predicate": "close",
            "object": None,
            "negative": False,
            "quantifier": None,
            "scope": None,
            "category": None,
            "modality": "asserted",
        }
    ],
}


@pytest.mark.req("S0-015", "S0-016", "S0-018", "S0-019", "S0-038")
def test_segments_are_read_from_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def fake(text, **given):
        asked.update(given)
        return json.dumps([CONTRACT])

    monkeypatch.setattr(_core, "segments", fake, raising=False)
    (segment,) = d.segment_response("…", reference_date=date(2026, 1, 2), history=[("user", "Hi")])
    assert asked == {"kb": None, "history": [("user", "Hi")], "reference_date": "2026-01-02"}
    only, bare = segment.claims
    assert (bare.subject, bare.cited, str(bare)) == ("", False, "Hm.")
    for strict in (False, True):
        unknown = d.FabricatedFactDetector(strict_seed=strict).detect([segment], Base())
        assert [flag.content for flag in unknown] == [str(only)]
    assert (only.subject, only.cited, str(only)) == ("Acme", True, "It closed on 1 May 2024.")
    assert segment.entities[0].mention_type is d.MentionType.Pronoun
    when = segment.temporals[0]
    assert (when.resolved_date, when.tense) == (date(2024, 5, 1), d.Tense.Past)
    assert (when.relation, when.target.surface) == (d.TemporalRelation.Before, "June")
    assert segment.statements[0].object == ""
    again = json.loads(json.dumps(CONTRACT))
    again["entities"].append(
        {
            "surface": "May",
            "span": [18, 21],
            "mention_type": "proper_name",
            "type": "unknown",
            "resolved": None,
        }
    )
    again["statements"][0] |= {"subject": "All of the items", "quantifier": "all"}
    monkeypatch.setattr(_core, "segments", lambda text, **given: json.dumps([again]))
    (other,) = d.segment_response("…")
    assert [found.surface for found in other.entities] == ["It"]
    assert other.statements[0].subject == "items"
    moved = segment.shifted(-3)
    assert (moved.span, moved.claims[0].span, moved.statements[0].span) == (
        (0, 24),
        (0, 24),
        (0, 9),
    )
    monkeypatch.setattr(_core, "segments", lambda text, **given: "[{}]")
    with pytest.raises(d.HallucinationError, match="segmentation failed"):
        d.segment_response("…")


@pytest.mark.req("S0-086", "S0-087")
def test_beside_a_session(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> list[d.HallucinationFlag]:
        session = d.Session(knowledge_base=d.Shared(KB))
        return await d.detect_hallucinations(TEXT[:45], session)

    with caplog.at_level(logging.INFO, "groundwire.dialogue"):
        flags = asyncio.run(run())
    assert [flag.hallucination_type.name for flag in flags] == ["WrongAttribute"]
    (record,) = caplog.records
    assert record.getMessage() == (
        "Hallucination detection complete total_flags=1 high_confidence=1 types=['WrongAttribute']"
    )
    assert (record.total_flags, record.high_confidence) == (1, 1)
    assert record.types == ["WrongAttribute"]


@pytest.mark.req("S0-086")
def test_whoever_changes_waits_for_those_who_read() -> None:
    order = []

    async def run() -> None:
        shared = d.Shared(["a"])
        inside, leave = asyncio.Event(), asyncio.Event()

        async def reader(name: str) -> None:
            async with shared.read() as value:
                order.append((name, list(value)))
                inside.set()
                await leave.wait()

        async def writer() -> None:
            async with shared.write() as value:
                value.append("b")
                order.append(("writer", list(value)))

        first = asyncio.create_task(reader("first"))
        await inside.wait()
        change = asyncio.create_task(writer())
        await asyncio.sleep(0)
        late = asyncio.create_task(reader("late"))
        await asyncio.sleep(0.01)
        assert order == [("first", ["a"])]
        leave.set()
        await asyncio.gather(first, change, late)

    asyncio.run(run())
    assert order == [("first", ["a"]), ("writer", ["a", "b"]), ("late", ["a", "b"])]


@pytest.mark.req("S0-048", "S0-049")
def test_a_component_runs_beside_a_stream() -> None:
    class Near:
        def embed(self, text):
            return (1.0,)

    class Tuesday:
        def extract(self, text):
            return [d.Claim("meeting", "day", (0, len(text)), "", text)]

    state = d.DialogueState.of([("user", "The meeting is on Tuesday.")])
    history = d.HistoryContradictionDetector(Near(), claim_extractor=Tuesday())
    beside = d.Alongside("history_contradiction_detector", history, state)
    monitor = gw.Monitor(detectors=[beside], profiles=("stream", "dialogue"))
    report = monitor.check("Café é. The meeting is on Friday.")
    found = [f for f in report.findings if f.type == "dialogue.contradicts_prior"]
    assert [(f.text, f.p_hallucinated) for f in found] == [("Friday", 0.85)]
    assert found[0].replacement == "Tuesday"
    assert found[0].byte_span == (28, 34)
    with pytest.raises(ArgumentError, match="no component"):
        d.Alongside("history", history)
    with pytest.raises(ArgumentError, match="None"):
        d.Alongside("fact_detector", None)


def test_a_leading_the_does_not_hide_an_entity() -> None:
    kb = gw.KnowledgeBase.from_records([{"name": "meeting", "attributes": {"day": "Monday"}}])
    found = knowledge.view(kb)
    assert found.entity_exists("The meeting") and not found.entity_exists("The party")
    assert found.find_entity("the meeting").get_attribute("Day").value == "Monday"
    assert knowledge.view(None).find_entity("x") is None


COMPANY = {"name": "The company", "attributes": {"name": "Acme"}}


@pytest.mark.req("S0-013", "S0-034", "X-15", "X-18", "U-10")
@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("The company was founded in 1847 by James Roberts.", "FabricatedFact NonexistentEntity"),
        (
            "You should contact Sarah from the Analytics team.",
            "FabricatedFact NonexistentEntity",
        ),
        ("John Smith works in the Marketing department.", "WrongAttribute ContradictsFact"),
        ("As I mentioned, the meeting is on Friday.", "FabricatedFact ContradictsPrior"),
        (
            "Studies show that this approach increases productivity by 40%.",
            "FabricatedFact UnsupportedClaim",
        ),
        # Without dates the document's rules about time cannot fire.
        ("The project was completed before it started.", "FabricatedFact"),
        ("The launch was on 2030-01-01.", "FabricatedFact TemporalError"),
        (
            "The system is both running and not running.",
            "FabricatedFact LogicalInconsistency",
        ),
        (
            "All items shipped. No items shipped.",
            "FabricatedFact FabricatedFact LogicalInconsistency",
        ),
    ],
)
def test_strict_detection_over_the_cores_segments(text: str, types: str) -> None:
    kb = gw.KnowledgeBase.from_records(
        [{"name": "John Smith", "attributes": {"department": "Engineering"}}, COMPANY]
    )
    state = d.DialogueState.of([("assistant", "I'll book the meeting for Monday.")])
    checker = d.TemporalConsistencyChecker(current_date=date(2026, 5, 1), strict_seed=True)
    config = d.HallucinationDetectorConfig(strict_seed=True)
    detector = d.HallucinationDetector({"temporal_checker": checker}, config)
    flags = detector.detect(text, state, kb)
    assert [flag.hallucination_type.name for flag in flags] == types.split()
    for flag in flags:
        start, end = sorted(flag.span)
        assert 0 <= start <= end <= len(text)


@pytest.mark.req("S0-031", "S0-037")
def test_weights_and_threshold_count_behind_the_core() -> None:
    weak = {"name": "Acme", "attributes": {"founded": {"value": 1987, "confidence": 0.4}}}
    kb = gw.KnowledgeBase.from_records([weak])
    text = "Acme was founded in 1990."

    def found(**given):
        detector = d.HallucinationDetector(None, d.HallucinationDetectorConfig(**given))
        return [round(flag.confidence, 3) for flag in detector.detect(text, None, kb)]

    assert found() == []
    assert found(detection_threshold=0.2) == [0.4]
    assert found(detector_weights=d.DetectorWeights(wrong_attributes=2.0)) == [0.8]
    assert found(detector_weights=d.DetectorWeights(wrong_attributes=9.0)) == [1.0]


@pytest.mark.req("S0-055", "S0-060")
def test_a_pair_of_statements_has_the_place_of_both() -> None:
    text = "All students passed the test. It rained. Some students did not pass the test."
    for strict in (False, True):
        config = d.HallucinationDetectorConfig(strict_seed=strict)
        flags = d.HallucinationDetector(None, config).detect(text)
        (pair,) = [f for f in flags if f.hallucination_type.name == "LogicalInconsistency"]
        assert pair.span[0] == 0
        assert pair.span[1] in (len(text) - 1, len(text))
        assert pair.text == text[: pair.span[1]]


@pytest.mark.req("S0-028", "U-7")
def test_a_shipped_part_that_is_named_changes_nothing() -> None:
    class Nobody:
        def resolve_mention(self, mention, dialogue_state):
            return None

    kb = gw.KnowledgeBase.from_records([{"name": "Acme", "attributes": {"founded": 1987}}])
    text = "We met Helga Brandt on 31 February 1990."
    plain = d.HallucinationDetector().detect(text, None, kb)
    named = {
        "entity_checker": d.EntityExistenceChecker(resolver=d.RegistryResolver()),
        "logical_checker": d.LogicalConsistencyChecker(inference_engine=d.WordTables()),
        "history_contradiction_detector": d.HistoryContradictionDetector(
            d.TopicSimilarity(), d.RuleClassifier()
        ),
    }
    assert all(part.native for part in named.values())
    assert d.HallucinationDetector(named).detect(text, None, kb) == plain
    assert {flag.hallucination_type.name for flag in plain} == {
        "NonexistentEntity",
        "LogicalInconsistency",
    }

    # One's own part reports what an open base lacks too, and its profile knows that it is open.
    class Engine(d.WordTables):
        pass

    own = {
        "entity_checker": d.EntityExistenceChecker(resolver=Nobody()),
        "logical_checker": d.LogicalConsistencyChecker(
            inference_engine=Engine([["tall", "short"]])
        ),
    }
    assert not any(part.native for part in own.values())
    flags = d.HallucinationDetector(own).detect(text, None, kb)
    assert {flag.hallucination_type.name for flag in flags} == {
        "NonexistentEntity",
        "LogicalInconsistency",
    }
    (unknown,) = [flag for flag in flags if flag.detail.get("absence")]
    assert unknown.confidence == 0.85
    finding = d.to_finding(unknown, text)
    assert finding.extra["absence"] and "closed_world" not in finding.extra


@pytest.mark.req("U-10")
def test_a_stream_says_that_it_has_no_literal_algorithms() -> None:
    with pytest.raises(ArgumentError, match="HallucinationDetector"):
        gw.Monitor(profiles=({"name": "dialogue", "strict_seed": True},))
    config = gw.Config.load(environ={}, dialogue={"strict_seed": True})
    with pytest.raises(ArgumentError, match="strict_seed"):
        gw.Monitor.from_config(config)
    assert d.HallucinationDetector(None, config).config.strict_seed


def test_a_session_is_asked_for() -> None:
    with pytest.raises(
        ArgumentError, match=r"takes a groundwire\.profiles\.dialogue\.Session.*str"
    ):
        asyncio.run(d.detect_hallucinations("It is open.", "session"))  # type: ignore[arg-type]


def test_a_bare_state_is_shared_by_a_session() -> None:
    session = d.Session(dialogue_state=d.DialogueState.of([("user", "The shop opens at 9:00.")]))
    flags = asyncio.run(d.detect_hallucinations("The shop opens at 10:00.", session))
    assert [flag.hallucination_type.name for flag in flags] == ["ContradictsPrior"]


FLAG = d.HallucinationFlag((0, 3), "abc", d.HallucinationType.WrongAttribute, 0.9)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: gw.check(5),
        lambda: gw.check("A.", kb=5),
        lambda: gw.check("A.", question=5),
        lambda: gw.judge(None),
        lambda: gw.mitigate(5),
        lambda: gw.mitigate("x"),
        lambda: apply(None, ""),
        lambda: apply([], None),
        lambda: apply([MitigationAction.Flag("x", "y")], "abc"),
        lambda: apply([MitigationAction.Correct((0, 1), "a", 5, "s")], "abc"),
        lambda: d.HallucinationMitigator().mitigate(["x"]),
        lambda: d.HallucinationMitigator(config=5),
        lambda: d.HallucinationMitigator(corrector=5),
        lambda: d.HallucinationDetector(None, 1),
        lambda: d.HallucinationDetector().detect(None),
        lambda: d.HallucinationDetectorConfig(detection_threshold="x"),
        lambda: d.HallucinationDetectorConfig(detector_weights=1),
        lambda: d.HallucinationDetectorConfig(enabled_detectors=[]),
        lambda: d.EvidenceWeights(kb_evidence="x"),
        lambda: d.HallucinationConfidenceScorer().score(None),
        lambda: d.HallucinationConfidenceScorer().score(FLAG, 1),
        lambda: d.HallucinationConfidenceScorer().score(FLAG, other_flags=["x"]),
        lambda: d.HallucinationFlag("x", "", d.HallucinationType.TemporalError, 0.5),
        lambda: d.HallucinationFlag((0, 1), "", "x", 0.5),
        lambda: d.HallucinationFlag((0, 1), "", d.HallucinationType.TemporalError, None),
        lambda: d.EntityRegistry().find_similar(None, 0.8),
        lambda: d.EntityRegistry().find_similar("a", "b"),
        lambda: d.DialogueState().add(5),
        lambda: d.HistoryContradictionDetector(roles=None),
        lambda: d.HistoryContradictionDetector(similarity="x"),
        lambda: d.HistoryContradictionDetector(turns=-1),
        lambda: d.TemporalConsistencyChecker(current_date="x"),
        lambda: d.LogicalConsistencyChecker().detect("x"),
        lambda: d.FabricatedFactDetector().detect(None, None),
        lambda: d.segment_response(None),
        lambda: d.linguistic_signals(None),
        lambda: d.to_flag(None),
        lambda: d.to_finding(None),
    ],
)
def test_what_is_no_argument_is_refused(wrong) -> None:
    with pytest.raises(ArgumentError):
        wrong()


@pytest.mark.req("S0-046", "S0-047", "S0-048", "S0-051", "D-2")
@pytest.mark.parametrize(
    ("options", "flagged"),
    [
        ({}, True),
        ({"turns": 0}, False),
        ({"roles": ["assistant"]}, False),
        ({"confidence": 1.0}, False),
        ({"turns": 2}, True),
        ({"roles": ["user", "assistant"]}, True),
    ],
)
def test_options_of_a_component_count_in_the_detector(options, flagged) -> None:
    history = d.HistoryContradictionDetector(**options)
    state = d.DialogueState.of([("user", "The meeting is on Monday.")])
    detector = d.HallucinationDetector({"history_contradiction_detector": history})
    found = detector.detect("The meeting is on Friday.", state)
    assert [f.hallucination_type.name for f in found] == ["ContradictsPrior"] * flagged


@pytest.mark.req("S0-051", "S0-064")
def test_numbers_given_to_components_count_in_the_detector() -> None:
    def found(text, **components):
        flags = d.HallucinationDetector(components).detect(text)
        return [(f.hallucination_type.name, f.confidence) for f in flags]

    for years in (2, 10, 60):
        checker = d.TemporalConsistencyChecker(max_future_years=years)
        for year in ("2032", "2099"):
            # Years pass: what is far off today may be near when this runs.
            far = int(year) > date.today().year + years
            flags = found(f"The plant will open in {year}.", temporal_checker=checker)
            assert flags == [("TemporalError", 0.9)] * far
    unsure = d.UnsupportedClaimDetector(confidence=0.95)
    assert found("Studies show that 40 % of guests return.", claim_detector=unsure) == [
        ("UnsupportedClaim", 0.95)
    ]
    for wrong in (
        lambda: d.TemporalConsistencyChecker(max_future_years=-1),
        lambda: d.UnsupportedClaimDetector(confidence=2),
        lambda: d.HistoryContradictionDetector(turns=-1),
    ):
        with pytest.raises(ArgumentError):
            wrong()
