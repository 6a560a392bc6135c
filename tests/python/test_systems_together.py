"""What the source documents say apart, and one package has to say together.

Each test names the ids of the contradictions between documents (X-…) that it shows to be settled,
or of the statements about a whole system that no single part can be tested for.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

import groundwire as gw
from groundwire import store as stores
from groundwire._core import linguistic_signals
from groundwire.config import Config
from groundwire.events import MemorySink, StoreSink
from groundwire.profiles import dialogue as d
from groundwire.profiles.stream import GenerationMonitor
from groundwire.protocol import ProtocolHooks
from groundwire.vocabulary import vocabulary

TOKENS = vocabulary([(i, bytes([i]), False) for i in range(256)])
RECORDS = [
    {"name": "Mara Olsen", "type": "person", "attributes": {"department": "Archives"}},
    {"name": "Pier Theatre", "type": "theatre", "attributes": {"founded": 1936}},
]
KB = gw.KnowledgeBase.from_records(RECORDS)
CLOSED = gw.KnowledgeBase.from_records(RECORDS)
CLOSED.set_world(closed=True)
TURN = [("assistant", "The crossing takes three hours.")]

KINDS = {
    "factually incorrect": ("The Pier Theatre was founded in 1950.", {"kb": KB}),
    "nonexistent entity": ("Nobody but Vexor Trill knows the way.", {"kb": CLOSED}),
    "unsupported assertion": ("Studies show that 40 percent of guests come back.", {}),
    "contradicts conversation": ("The crossing takes two hours.", {"history": TURN}),
    "internally inconsistent": ("All cabins are open. Some cabins are not open.", {}),
}


@pytest.mark.req("S0-001")
@pytest.mark.parametrize("kind", KINDS)
def test_every_meaning_of_hallucination_is_found(kind: str) -> None:
    text, given = KINDS[kind]
    assert gw.check(text, **given).findings, kind


@pytest.mark.req("S0-001")
@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("The Pier Theatre was founded in 1936.", {"kb": KB}),
        ("Mara Olsen works in Archives.", {"kb": CLOSED}),
        ("Guests come back when they like it.", {}),
        ("The crossing takes three hours.", {"history": TURN}),
        ("All cabins are open. Some cabins are small.", {}),
    ],
)
def test_what_means_none_of_it_stays_silent(text: str, given: dict) -> None:
    assert gw.check(text, **given).findings == ()


@pytest.mark.req("S0-002")
def test_the_four_stages_follow_each_other() -> None:
    text = "Mara Olsen works in Logistics. The Pier Theatre was founded in 1936."
    segments = d.segment_response(text, kb=KB)
    assert [s.text for s in segments] == [text[:30], text[31:]]
    flags = d.HallucinationDetector().detect(text, d.DialogueState(), KB)
    (flag,) = flags
    assert segments[0].span[0] <= flag.span[0] < flag.span[1] <= segments[0].span[1]
    scorer = d.HallucinationConfidenceScorer()
    alone = scorer.score(flag)
    against = scorer.score(flag, d.KBEvidence(contradicts=True, confidence=1.0))
    assert alone == flag.hallucination_type.base_severity() < against <= 1.0
    assert [f.type for f in gw.check(text, kb=KB).findings] == ["dialogue.wrong_attribute"]


@pytest.mark.req("S0-003")
def test_six_families_of_method() -> None:
    def types(text: str, **given: object) -> set[str]:
        return {f.type for f in gw.check(text, **given).findings}  # type: ignore[arg-type]

    assert "dialogue.wrong_attribute" in types("Mara Olsen works in Sales.", kb=KB)
    assert "dialogue.fabricated_fact" in types("Vexor Trill works in Sales.", kb=CLOSED)
    assert "dialogue.contradicts_prior" in types("The crossing takes two hours.", history=TURN)
    assert "dialogue.logical_inconsistency" in types("It was closed on 30 February 2020.")
    assert "stream.goalpost" in types(
        "The crossing takes two hours. The crossing takes five hours."
    )
    said = linguistic_signals("Perhaps it is so. Undoubtedly it is so.")
    assert {signal.kind for signal in said} == {"hedging", "overconfidence"}


@pytest.mark.req("S0-025", "S0-067", "S0-068")
def test_evidence_of_base_and_history_says_how_it_stands() -> None:
    flag = d.HallucinationFlag((0, 4), "1950", d.HallucinationType.WrongAttribute, 0.9)
    assert d.KBEvidence() == d.KBEvidence(contradicts=False, unverifiable=False, confidence=0.0)
    assert d.HistoryEvidence() == d.HistoryEvidence(contradicts=False, confidence=0.0)
    score = d.HallucinationConfidenceScorer().score
    against = score(flag, d.KBEvidence(contradicts=True, confidence=0.8))
    unknown = score(flag, d.KBEvidence(unverifiable=True, confidence=0.8))
    known = score(flag, d.KBEvidence(confidence=0.8))
    assert against > unknown == score(flag) > known
    before = score(flag, None, d.HistoryEvidence(contradicts=True, confidence=0.8))
    assert before > score(flag) > score(flag, None, d.HistoryEvidence(confidence=0.8))


@pytest.mark.req("X-01", "U-3")
def test_severities_of_all_systems_lie_on_one_scale_and_keep_their_own_label() -> None:
    scale = ("info", "low", "medium", "high", "critical")
    texts = [(text, given) for text, given in KINDS.values()]
    texts.append(("The crossing takes two hours. The crossing takes five hours.", {}))
    found = [f for text, given in texts for f in gw.check(text, **given).findings]
    assert {f.system for f in found} == {"dialogue", "stream"}
    for finding in found:
        assert finding.severity in scale
        assert finding.native_severity
    labels = {f.native_severity: f.severity for f in found if f.system == "dialogue"}
    assert labels.items() <= {"HIGH": "high", "MEDIUM-HIGH": "high", "MEDIUM": "medium"}.items()
    bits = gw.budget(p0=0.9, p1=0.05)
    assert (bits.tier, bits.unit) == ("high", "bits")


@pytest.mark.req("X-05")
def test_each_system_is_on_or_off_as_its_document_has_it() -> None:
    config = Config()
    on = {
        name: getattr(config, name).enabled for name in ("dialogue", "citation", "bank", "stream")
    }
    assert all(on.values())
    assert not config.hallucination.enabled


@pytest.mark.req("X-07")
def test_a_hedge_lowers_a_score_and_one_that_is_put_in_exempts_nothing() -> None:
    flag = d.HallucinationFlag((0, 4), "1950", d.HallucinationType.WrongAttribute, 0.9)
    hedge = d.LinguisticSignal("hedging", 0.6)
    score = d.HallucinationConfidenceScorer().score
    assert score(flag, None, None, [hedge]) < score(flag)
    said = "The ferry carries 90 guests."
    plain = gw.check(said, evidence=["The ferry carries guests."])
    hedged = gw.check(
        f"Perhaps {said[0].lower()}{said[1:]}", evidence=["The ferry carries guests."]
    )
    assert [c.modality for r in (plain, hedged) for c in r.claims] == ["asserted", "hedged"]
    number, doubted = (by_type(r, "stream.unsupported_number") for r in (plain, hedged))
    assert number is not None and (doubted is None or doubted.score < number.score)
    # A hedge that the guard puts before a claim changes nothing of what is found behind it.
    events = guarded("The crossing takes two hours. It is warm.", history=TURN)
    report = events[-1].report
    first, *noted = report.interventions
    (found,) = first.findings
    assert first.action == "hedge"
    assert (found.type, found.status) == ("dialogue.contradicts_prior", "contradicted")
    # Behind the opening the claim is read as before it: noted once more, and no more is done.
    assert {i.action for i in noted} <= {"annotate"}
    told = "".join(event.text for event in events if event.kind == "release")
    assert told.startswith("As far as I know, the crossing takes two hours.")
    behind = "As far as I know, the Pier Theatre was founded in 1950."
    assert by_type(gw.check(behind, kb=KB), "dialogue.wrong_attribute") is not None


def by_type(report: gw.Report, kind: str) -> gw.Finding | None:
    return next((f for f in report.findings if f.type == kind), None)


def guarded(*texts: str, **given: object) -> list:
    """Guard a scripted model that goes on in the first text that begins like the answer so far."""
    known = [*texts, *(f"As far as I know, {t[0].lower()}{t[1:]}" for t in texts)]

    def next_token(ids: list[int]) -> int | None:
        answer = bytes(ids)
        for data in (text.encode() for text in known):
            if data.startswith(answer) and len(data) > len(answer):
                return data[len(answer)]
        return None

    monitor = gw.Monitor(tokenizer=TOKENS, **given.pop("monitor", {}))  # type: ignore[arg-type]
    encode = lambda text: list(text.encode())  # noqa: E731
    return list(gw.guard(next_token, [], monitor=monitor, encode=encode, **given))  # type: ignore[arg-type]


@pytest.mark.req("X-11", "U-9")
def test_everything_that_keeps_or_tells_masks_unless_asked_otherwise() -> None:
    secret = "Mara Olsen works in Logistics."
    memory, kept = MemorySink(), stores.open(":memory:")
    gw.Monitor(kb=KB, events=[memory, StoreSink(kept)]).check(secret)
    assert memory.events and kept.items("/")
    for told in (str([e.to_dict() for e in memory.events]), "\n".join(kept.export())):
        assert "Logistics" not in told and "Archives" not in told
    asked = stores.open(":memory:", mask=False)
    asked.record(gw.check(secret, kb=KB), session_id="s", turn_id="t")
    assert "Logistics" in "\n".join(asked.export())


@pytest.mark.req("X-11")
def test_whether_text_waits_is_the_profiles_choice() -> None:
    assert gw.Policy().hold_unresolved
    config = Config.model_validate({"stream": {"hold_unresolved": False}})
    assert not config.stream.hold_unresolved
    assert Config().hallucination.timeout == timedelta(seconds=5)


@pytest.mark.req("X-13")
def test_scoring_is_part_of_detecting_and_risk_joins_both_scales() -> None:
    for text, given in KINDS.values():
        for finding in gw.check(text, **given).findings:
            assert finding.score != 0.0 and finding.extra["base_severity"] > 0.0
            assert finding.risk == pytest.approx(finding.score * finding.p_hallucinated)
    text = "Mara Olsen works in Logistics. The Pier Theatre was founded in 1950."
    config = Config.model_validate(
        {"dialogue": {"detector_weights": {"wrong_attributes": 0.5}, "max_claims": 1}}
    )
    monitor = gw.Monitor.from_config(config, kb=KB)
    one, two = text[:30], text
    first, halved = gw.check(one, kb=KB).findings[0], monitor.check(one).findings[0]
    assert halved.risk == pytest.approx(first.risk / 2)
    wrong = [
        sum(f.type == first.type for f in report.findings)
        for report in (gw.check(two, kb=KB), monitor.check(two))
    ]
    assert wrong == [2, 1], "claims beyond max_claims are not looked at"


def test_claims_that_are_not_looked_at_keep_the_answer_from_passing() -> None:
    config = Config.model_validate({"dialogue": {"max_claims": 2}})
    text = "The cat sat down. The dog sat down. The mill was founded in 1992."
    report = gw.Monitor.from_config(config).check(text)
    assert report.stats["claims_unverifiable"] == 1
    assert report.verdict.status == "warn"
    assert list(report.verdict.reasons) == [
        "1 claims behind the first ones (max_claims) were not checked"
    ]
    whole = gw.Monitor().check(text)
    assert (whole.verdict.status, list(whole.verdict.reasons)) == ("pass", [])


@pytest.mark.req("X-29", "D-6")
def test_thresholds_have_values_and_the_steps_of_the_loop_are_really_taken() -> None:
    stream = Config().stream
    assert (stream.hallucination_threshold, stream.interruption_threshold) == (0.5, 0.8)
    hooks = ProtocolHooks(verify_first=False)
    text = "The Pier Theatre was founded in 1936. Gulls sleep in trees."
    events = guarded(text, hooks=hooks, monitor={"kb": KB}, question="When was it founded?")
    report = events[-1].report
    assert len(report.claim_confidence) == len(report.claims) == 2
    assert [hooks.tracker.verify_claim(c).verified for c in report.claims] == [True, False]
    confidence = [e.confidence for e in events if e.kind == "token" and e.confidence is not None]
    assert confidence[-1] != confidence[0]


@pytest.mark.req("X-30", "U-10")
def test_a_match_warns_once_and_interrupted_text_does_not_stay() -> None:
    said = "Studies show that 40 percent of guests come back. They stay for a week and more."
    for step in (1, 3, 7, len(said)):
        session = gw.Monitor(kb=KB).session()
        for at in range(0, len(said), step):
            session.push_text(said[at : at + step])
        found = session.finish().findings
        places = [(f.type, f.rule, f.span) for f in found]
        assert len(places) == len(set(places))
        assert sum(f.type == "stream.unsourced_authority" for f in found) == 1
    warned = GenerationMonitor([Once()])
    for token in ("the ", "LAST ", "word ", "was said"):
        warned.update(token)
    assert len(warned.warnings) == 1, "what a window still holds is not new"
    literal = GenerationMonitor([Once()], strict_seed=True)
    for token in ("the ", "LAST ", "word "):
        literal.update(token)
    assert len(literal.warnings) == 2
    events = guarded(
        "The Pier Theatre was founded in 1950. It is large.",
        monitor={"kb": KB},
        policy=gw.Policy(auto_correct=1.0, high="interrupt"),
    )
    told = "".join(event.text for event in events if event.kind == "release")
    assert "1950" not in told
    assert "1950" not in events[-1].report.text


class Once:
    """A rule that any text with the word satisfies."""

    name = "last"

    def matches(self, text: str) -> bool:
        return "LAST" in text

    def confidence(self, text: str) -> float:
        return 0.9
