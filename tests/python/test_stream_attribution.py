"""Sources of claims, their verification, and the confidence they give."""

from __future__ import annotations

from pathlib import Path

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.profiles.stream import (
    Attributor,
    ConfidenceTracker,
    FileContent,
    Inference,
    KnowledgeFact,
    Observation,
    OtherSource,
    Source,
    SourceAttributionTracker,
    UserStatement,
    adjusted_confidence,
    attribute,
    baseline_confidence,
    epistemic_phrase,
    score_confidence,
    verify_knowledge,
)

HISTORY = [("assistant", "Hello."), ("user", "The old mill has twelve wheels.")]


@pytest.mark.req("S4-006", "S4-007")
def test_the_documents_own_calls() -> None:
    class Mine:
        type = "file_content"
        quality_factor = 1.0

        def is_verifiable(self) -> bool:
            return True

    tracker = SourceAttributionTracker()
    source = Mine()
    assert isinstance(source, Source)
    tracker.track_claim("the sky is blue", source)
    tracker.track_claim("remembered", OtherSource())
    assert tracker.attribution_map["the sky is blue"] is source
    assert tracker.verify_claim("the sky is blue").to_dict() == {
        "verified": True,
        "source": source,
    }
    assert tracker.verify_claim("else")["reason"] == "unattributed_claim"
    assert tracker.verify_claim("remembered")["reason"] == "unverifiable_source"
    with pytest.raises(ArgumentError, match="is_verifiable"):
        tracker.track_claim("x", "a string")
    with pytest.raises(ArgumentError, match="hashable"):
        tracker.verify_claim(["x"])


@pytest.mark.req("S4-008")
def test_each_kind_is_verified_in_its_own_way(tmp_path: Path) -> None:
    tracker = SourceAttributionTracker()

    def found(source: Source) -> str | None:
        tracker.track_claim("claim", source)
        return tracker.verify_claim("claim").reason

    good = Observation.of("search", "42 results")
    assert found(good) is None
    assert found(Observation("search", good.digest, fetch=lambda: "42 results")) is None
    assert found(Observation("search", good.digest, "41 results")) == "source_changed"
    assert found(Observation("search", good.digest)) == "unverifiable_source"

    def gone() -> str:
        raise OSError("no longer there")

    assert found(Observation("search", good.digest, fetch=gone)) == "source_missing"

    file = tmp_path / "notes.txt"
    file.write_text("The harbour\nopened in 1987.", encoding="utf-8")
    assert found(FileContent("the harbour opened", path=file)) is None
    assert FileContent("The harbour opened", path=file).locate() == (0, 18)
    file.write_text("Rewritten.", encoding="utf-8")
    assert found(FileContent("the harbour opened", path=file)) == "quote_not_found"
    assert found(FileContent("x", path=tmp_path / "none.txt")) == "source_missing"
    assert found(FileContent("x")) == "unverifiable_source"

    assert found(UserStatement(1, "twelve wheels", HISTORY)) is None
    assert found(UserStatement(1, "ten wheels", HISTORY)) == "quote_not_found"
    assert found(UserStatement(0, "Hello", HISTORY)) == "source_missing"
    assert found(UserStatement(7, "", HISTORY)) == "source_missing"


@pytest.mark.req("S4-008")
def test_an_inference_is_verified_by_its_premises() -> None:
    tracker = SourceAttributionTracker()
    seen = Observation.of("look", "wet street")
    tracker.track_claim("street is wet", seen)
    tracker.track_claim("it rained", Inference(("street is wet",)))
    tracker.track_claim("take a coat", Inference(("it rained", "street is wet")))
    assert tracker.verify_claim("take a coat").verified
    tracker.track_claim("go out", Inference(("take a coat", "it is Monday")))
    failed = tracker.verify_claim("go out")
    assert (failed.reason, failed.premise) == ("unverified_premise", "it is Monday")
    tracker.track_claim("a", Inference(("b",)))
    tracker.track_claim("b", Inference(("a",)))
    tracker.track_claim("c", Inference(("c",)))
    assert tracker.verify_claim("a").reason == "circular_inference"
    assert tracker.verify_claim("c").reason == "circular_inference"
    assert tracker.verify_claim("take a coat").verified
    # No chain is too long for the stack.
    tracker.track_claim(0, seen)
    for i in range(1, 900):
        tracker.track_claim(i, Inference((i - 1,)))
    assert tracker.verify_claim(899).verified


@pytest.mark.req("S4-009", "S4-010", "S4-011", "S4-036")
def test_confidence_by_type_and_quality() -> None:
    flagged: list[tuple[str, float]] = []

    def score(kind: str, factor: float = 1.0) -> float:
        evidence = {"type": kind, "quality_factor": factor}
        return score_confidence("c", evidence, flag=lambda claim, s: flagged.append((claim, s)))

    kinds = ("direct_observation", "file_content", "user_statement", "inference", "rumour")
    assert [score(kind) for kind in kinds] == [0.9, 0.8, 0.7, 0.6, 0.3]
    assert flagged == [("c", 0.3)]
    assert score("inference", 0.5) == pytest.approx(0.3)
    assert score_confidence("c", None) == 0.3
    assert score_confidence("c", Observation.of("t", "r", quality_factor=0.5)) == 0.45
    for bad in (1.1, -0.1, "high", True, float("nan")):
        with pytest.raises(ArgumentError, match="quality_factor"):
            score("inference", bad)
    with pytest.raises(ArgumentError, match="quality_factor"):
        OtherSource(quality_factor=2.0)


KB = gw.KnowledgeBase.from_records(
    [{"name": "Sarah Chen", "type": "person", "attributes": {"department": "Engineering"}}]
)


@pytest.mark.req("S4-006", "S4-025")
def test_claims_get_their_best_source() -> None:
    evidence = ["The harbour opened in 1987. It has 45 berths."]
    text = (
        "Sarah Chen works in Engineering. The harbour opened in 1987. The harbour opened in 1992. "
        "The old mill has twelve wheels. The harbour never opened in 1987. Whales sing at night."
    )
    attributor = Attributor(kb=KB, evidence=evidence, history=HISTORY)
    claims = gw.Monitor().check(text).claims
    tracker = attribute(claims, attributor)
    kinds = {c.content: type(tracker.source_of(c)).__name__ for c in claims}
    assert kinds == {
        "Sarah Chen works in Engineering.": "KnowledgeFact",
        "The harbour opened in 1987.": "FileContent",
        "The harbour opened in 1992.": "NoneType",
        "The old mill has twelve wheels.": "UserStatement",
        "The harbour never opened in 1987.": "NoneType",
        "Whales sing at night.": "NoneType",
    }
    found = [tracker.verify_claim(c) for c in claims]
    assert [f.verified for f in found] == [True, True, False, True, False, False]


@pytest.mark.req("S4-012", "S4-026")
def test_confidence_moves_with_context_and_while_streaming() -> None:
    assert adjusted_confidence([]) == 0.3
    assert adjusted_confidence([0.8]) == 0.8
    assert adjusted_confidence([0.8, 0.7]) == pytest.approx(1 - 0.2 * 0.65)
    wrong = gw.Finding(type="x", status="contradicted", p_hallucinated=0.9)
    assert adjusted_confidence([0.8], [wrong]) == pytest.approx(0.08)

    evidence = ["The harbour opened in 1987. It has 45 berths."]
    question = "When did the harbour open?"
    tracker = ConfidenceTracker(Attributor(evidence=evidence), baseline=0.8)
    assert tracker.confidence == 0.8
    session = gw.Monitor().session(evidence=evidence, question=question)
    seen = []
    for piece in (
        "The harbour opened in 1987. ",
        "Whales sing at night. ",
        "Dogs bark a lot. ",
        "X",
    ):
        step = session.push_text(piece)
        seen.append(tracker.update(step.claims, step.findings))
    assert seen[1] == pytest.approx(0.8)
    assert seen[3] < seen[2] < seen[1]
    tracker.keep(len("The harbour opened in 1987."))
    assert tracker.confidence == pytest.approx(0.8)
    assert len(tracker.claims) == 1


@pytest.mark.req("S4-025")
def test_the_baseline_is_what_the_needs_rest_on() -> None:
    assert baseline_confidence(None) == baseline_confidence(verify_knowledge("Hi!")) == 0.5
    known = verify_knowledge("Where does Sarah Chen work?", {"kb": KB})
    assert baseline_confidence(known) == 0.8
    half = verify_knowledge("Compare Sarah Chen and Ada Lind.", {"kb": KB})
    assert baseline_confidence(half) == pytest.approx((0.8 + 0.3) / 2)


@pytest.mark.req("S4-012", "S4-029")
def test_confidence_picks_the_phrase() -> None:
    assert epistemic_phrase(1.0) == epistemic_phrase(0.9) == "I know that"
    assert epistemic_phrase(0.6) == "I believe that"
    assert "no source" in epistemic_phrase(0.0)
    with pytest.raises(ArgumentError):
        epistemic_phrase(1.2)


LEAFLET = (
    "The Harbour Museum is closed on Mondays. Ada Lind leads the team of the museum in Oslo. "
    "Sales rose by 5 percent in 2020."
)


@pytest.mark.req("S4-007", "S4-008", "S4-027")
@pytest.mark.parametrize(
    ("text", "verified"),
    [
        ("The Harbour Museum is closed on Mondays.", True),
        ("The museum is closed on Mondays.", True),
        ("Ada Lind leads the team in Oslo.", True),
        ("Sales rose in 2020 by 5 percent.", True),
        ("The Harbour Museum is open on Mondays.", False),
        ("The Harbour Museum is closed on Tuesdays.", False),
        ("The Harbour Museum is not closed on Mondays.", False),
        ("The Harbour Gallery is closed on Mondays.", False),
        ("Ada Lind leads the team of the museum in Rome.", False),
        ("Ada Berg leads the team of the museum in Oslo.", False),
        ("Bo Ek leads the team of the museum in Oslo.", False),
        ("Sales fell by 5 percent in 2020.", False),
        ("Sales rose by 6 percent in 2020.", False),
    ],
)
def test_a_source_that_says_otherwise_is_none(text: str, verified: bool) -> None:
    attributor = Attributor(evidence=[LEAFLET])
    (claim,) = gw.check(text).claims
    found = attribute([claim], attributor).verify_claim(claim)
    assert found.verified is verified
    # Whoever names a sentence as a source by hand is told as well.
    tracker = SourceAttributionTracker()
    for sentence in (part.strip() + "." for part in LEAFLET.split(".") if part.strip()):
        tracker.track_claim(text, FileContent(sentence, text=LEAFLET))
        reason = tracker.verify_claim(text).reason
        about = any(topic in text and topic in sentence for topic in ("days", "team", "Sales"))
        if about:
            assert reason == (None if verified else "source_contradicts")
        else:
            # About something else, in part or whole, and so against nothing.
            assert reason in {None, "not_in_source"}


@pytest.mark.req("S4-008")
@pytest.mark.parametrize(
    ("quote", "text", "problem"),
    [
        ("budget is 50", "The budget is 500 euros.", "quote_not_found"),
        ("founded in 198", "founded in 1987", "quote_not_found"),
        ("50", "1.50 or 50,000", "quote_not_found"),
        ("art", "the party", "quote_not_found"),
        ("budget  IS 50", "The budget is 50.", None),
        ("“50”", "It says “50”", None),
        ("c++", "in c++ and c", None),
    ],
)
def test_a_quotation_stands_as_whole_words(quote, text, problem) -> None:
    assert FileContent(quote, text=text).problem() == problem
    assert UserStatement(0, quote, [("user", text)]).problem() == problem
    assert UserStatement(0, quote, [{"role": "user", "text": text}]).problem() == problem


@pytest.mark.req("S4-008")
def test_what_cannot_be_looked_at_is_missing_and_what_is_no_source_is_refused() -> None:
    assert FileContent("q", path="a\0b").problem() == "source_missing"
    assert Observation("t", "ab", fetch=dict).problem() == "source_missing"
    for wrong in (
        lambda: FileContent(None),
        lambda: FileContent("q", path=3),
        lambda: FileContent("q", text=b"q"),
        lambda: Observation("t", 3),
        lambda: Observation.of("t", {"a": 1}),
        lambda: Observation("t", "ab", fetch="x"),
        lambda: UserStatement("0"),
        lambda: UserStatement(0, "x", "x"),
        lambda: UserStatement(0, "x", [("user",)]).problem(),
        lambda: Inference("abc"),
        lambda: KnowledgeFact(None, 0, "founded", "1987"),
        lambda: adjusted_confidence(["x"]),
        lambda: epistemic_phrase("x"),
        lambda: attribute(["x"], Attributor()),
    ):
        with pytest.raises(ArgumentError):
            wrong()


BROCHURE = (
    "The museum was founded in 1987 by Ada Lind. It has 45 employees and 3 halls. "
    "Admission is free. Sales of tickets rose by 1,200 in 2020."
)


@pytest.mark.req("S4-007", "S4-008")
@pytest.mark.parametrize(
    ("claim", "quote", "reason"),
    [
        ("The museum was founded in 1992.", "founded in 1987", "source_contradicts"),
        ("The museum was founded in 1992.", "by Ada Lind", "source_contradicts"),
        ("The museum has 450 employees.", "It has 45 employees", "source_contradicts"),
        ("The museum has 450 employees.", "45 employees", "source_contradicts"),
        ("Admission costs 5 euros.", "Admission is free", "not_in_source"),
        (
            "The museum was founded by Bob Kern.",
            "founded in 1987 by Ada Lind",
            "source_contradicts",
        ),
        ("Bob Kern founded the museum.", "Ada Lind", "source_contradicts"),
        ("The moon is made of cheese.", BROCHURE.split(". ", maxsplit=1)[0], "not_in_source"),
        ("The museum was founded in 1987.", "founded in 1987", None),
        ("The museum was founded by Ada Lind.", "founded in 1987 by Ada Lind", None),
        ("The Harbour Museum has 45 employees.", "It has 45 employees", None),
        ("The Harbour Museum was founded by Ada Lind.", "by Ada Lind", None),
        ("Ada Lind founded the museum in 1987.", "1987", None),
        ("The museum has three halls and 45 employees.", "45 employees", None),
        ("Ticket sales rose by 1200.", "rose by 1,200", None),
        ("Admission costs nothing.", "Admission is free", None),
    ],
)
def test_a_quotation_bears_out_what_its_sentence_says(
    claim: str, quote: str, reason: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "brochure.txt"
    file.write_text(BROCHURE, encoding="utf-8")
    for source in (
        FileContent(quote, path=file),
        FileContent(quote, text=BROCHURE),
        UserStatement(0, quote, [("user", BROCHURE)]),
    ):
        tracker = SourceAttributionTracker()
        tracker.track_claim(claim, source)
        assert tracker.verify_claim(claim).reason == reason


@pytest.mark.req("S4-010")
def test_confidence_in_several_sources_is_that_of_the_best() -> None:
    seen = {"type": "direct_observation"}
    said = Observation.of("t", "r", quality_factor=0.5)
    assert score_confidence("c", [said, seen]) == 0.9
    assert score_confidence("c", (said,)) == score_confidence("c", said) == 0.45
    assert score_confidence("c", []) == 0.3
    for bad in (5, "file", 0.5, [5], object()):
        with pytest.raises(ArgumentError, match="with a type"):
            score_confidence("c", bad)


@pytest.mark.req("S4-007", "S4-008")
@pytest.mark.parametrize(
    ("claim", "quote", "verified"),
    [
        ("John works in Marketing.", "John works in Engineering.", False),
        ("Mr Okoro teaches History.", "Mr Okoro teaches Biology.", False),
        ("Ines leads Sales.", "Ines leads Support.", False),
        ("The team sits in Hall A.", "The team sits in Hall B.", False),
        ("The fee includes VAT.", "The fee excludes VAT.", False),
        ("The offer was accepted.", "The offer was rejected.", False),
        ("The mill has a shop.", "The mill has no shop.", False),
        ("John works in Engineering.", "John works in engineering.", True),
        ("The fee does not include VAT.", "The fee excludes VAT.", True),
        ("The offer was not accepted.", "The offer was rejected.", True),
        ("The mill lacks a shop.", "The mill has no shop.", True),
        ("The gate is not open.", "The gate is closed.", True),
    ],
)
def test_a_quotation_that_says_otherwise_verifies_nothing(
    claim: str, quote: str, verified: bool
) -> None:
    tracker = SourceAttributionTracker()
    tracker.track_claim(claim, FileContent(quote, text=f"Notes. {quote}"))
    assert tracker.verify_claim(claim).verified is verified


@pytest.mark.req("S4-007", "S4-008")
@pytest.mark.parametrize(
    ("claim", "said", "verified"),
    [
        ("The user lives in Milan.", "I live in Rome", False),
        ("The user lives in Rome.", "I live in Rome", True),
        ("You are 42.", "I am 41", False),
        ("You are 41.", "I am 41", True),
    ],
)
def test_what_a_user_says_of_himself(claim: str, said: str, verified: bool) -> None:
    tracker = SourceAttributionTracker()
    tracker.track_claim(claim, UserStatement(0, said, [("user", f"{said}.")]))
    assert tracker.verify_claim(claim).verified is verified
