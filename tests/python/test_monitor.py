"""The front door: what a monitor takes, opens, judges, pickles."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import groundwire as gw
from groundwire import errors
from groundwire.events import MemorySink

TEXT = "Studies show that 40 % of them agree. It was Zorblax Quimby. And I know it."


def test_public_names_exist() -> None:
    for name in gw.__all__:
        assert getattr(gw, name) is not None, name
    assert set(gw.__all__) <= set(dir(gw))
    with pytest.raises(AttributeError, match="nothing"):
        _ = gw.nothing


def test_the_session_of_the_design() -> None:
    monitor = gw.Monitor(policy=gw.Policy(), profiles=("stream", "dialogue"))
    with monitor.session(
        evidence=["It has 45 employees."],
        history=[{"role": "user", "text": "How many?"}],
        question="How many employees?",
        session_id="s",
        turn_id="t",
    ) as session:
        step = session.push_text("It has 60 employees. It")
        assert step.tier != "none" and step.action != "accept"
    report = session.finish()
    assert (report.session_id, report.turn_id, report.finished) == ("s", "t", True)
    assert session.finish().findings == report.findings, "finishing again changes nothing"
    with pytest.raises(errors.SessionLatched):
        session.push_text("More.")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("max_entries", -1),
        ("max_claims", -3),
        ("history_turns", 1.5),
        ("max_future_years", 2**40),
        ("budget_min_tokens", 2**70),
        ("support_threshold", float("nan")),
        ("budget_eps", float("inf")),
        ("detail_threshold", -0.5),
        ("group_confidence_bar", float("nan")),
    ],
)
def test_a_setting_out_of_range_is_named(setting: str, value: float) -> None:
    with pytest.raises(errors.GroundwireError, match=setting):
        gw.Monitor(settings={setting: value})


def test_arguments_are_named() -> None:
    for bad, word in (
        (lambda: gw.Monitor(profiles=("nothing",)), "nothing"),
        (lambda: gw.Monitor(profiles=()), "profile"),
        (lambda: gw.Monitor(profiles=("stream", "stream")), "twice"),
        (lambda: gw.Monitor(profiles=({"name": "stream", "cutofs": {}},)), "cutofs"),
        (lambda: gw.Monitor(settings={"max_retain": 1}), "max_retain"),
        (lambda: gw.Monitor(settings={"max_retained": 1}), "max_retained"),
        (lambda: gw.Monitor(policy={"realease": "token"}), "realease"),
        (lambda: gw.Monitor(policy=gw.Policy(high="escalate")), "high"),
        (lambda: gw.Monitor(policy={"release": "never"}), "release|never"),
        (lambda: gw.Monitor().session(evidence="one string"), "list"),
        (lambda: gw.Monitor().session(evidence=[3]), r"evidence\[0\]"),
        (lambda: gw.Monitor().session(history=["x"]), r"history\[0\]"),
        (lambda: gw.Monitor().session().push(3), "tokenizer"),
        (lambda: gw.judge([], profile="nothing"), "nothing"),
    ):
        with pytest.raises(errors.GroundwireError, match=word):
            bad()


def test_a_monitor_pickles_by_its_configuration() -> None:
    kb = gw.KnowledgeBase.from_records(
        [{"name": "Ada Lind", "attributes": {"department": "Marketing"}}]
    )
    monitor = gw.Monitor(
        policy=gw.Policy(release="token"),
        profiles=("stream", {"name": "dialogue", "interruption_threshold": 0.7}),
        settings={"max_claims": 7},
        kb=kb,
    )
    again = pickle.loads(pickle.dumps(monitor))
    assert again.policy == monitor.policy
    assert again.policy_json == monitor.policy_json
    assert again.settings_json == monitor.settings_json
    assert again.profile_names == ["stream", "dialogue"]
    assert again.check(TEXT).to_dict() == monitor.check(TEXT).to_dict()


def test_same_input_same_verdict_on_every_thread() -> None:
    monitor = gw.Monitor()
    expected = monitor.check(TEXT).to_json()
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: monitor.check(TEXT).to_json(), range(32))) == {expected}


def test_check_judge_and_watch_agree() -> None:
    monitor = gw.Monitor()
    report = gw.check(TEXT)
    assert report.to_dict() == monitor.check(TEXT).to_dict()
    steps = list(monitor.watch(TEXT))
    streamed = [f.id for step in steps for f in step.findings]
    assert {f.id for f in report.findings} <= set(streamed)

    async def pieces() -> AsyncIterator[str]:
        for i in range(0, len(TEXT), 5):
            await asyncio.sleep(0)
            yield TEXT[i : i + 5]

    async def follow() -> list[str]:
        return [f.id async for step in monitor.awatch(pieces()) for f in step.findings]

    assert asyncio.run(follow()) == streamed
    verdict = gw.judge(report.findings, profile="stream")
    assert verdict.tier == report.verdicts["stream"].tier
    assert verdict.action == report.verdicts["stream"].action


@pytest.mark.req("S0-013")
def test_examples_of_the_taxonomy(tmp_path: Path) -> None:
    """One text a type of the seed, as far as it needs no detector that is yet to come."""
    records = tmp_path / "kb.jsonl"
    records.write_text(
        '{"name": "John Smith", "attributes": {"department": "Sales"}}\n'
        '{"name": "Maria Lopez", "attributes": {"department": "Analytics"}}\n',
        encoding="utf-8",
    )
    kb = gw.KnowledgeBase.from_jsonl(records)
    wrong = gw.check("John Smith works in the Marketing department.", kb=kb)
    finding = next(f for f in wrong.findings if f.type == "dialogue.wrong_attribute")
    assert finding.text == "the Marketing department"
    assert finding.replacement == "the Sales department"
    assert finding.status == "contradicted"
    # The seed says "Sarah"; a given name alone is a known word, so the surname is needed yet.
    nobody = gw.check("You should contact Sarah Quimbel from the Analytics team.", kb=kb)
    unknown = [f.text for f in nobody.findings if f.type == "dialogue.nonexistent_entity"]
    assert unknown == ["Sarah Quimbel"]
    unsourced = gw.check("Studies show that this approach increases productivity by 40%.", kb=kb)
    assert any("unsourced" in f.type or "unsourced" in f.rule for f in unsourced.findings)
    clean = gw.check("John Smith works in the Sales department.", kb=kb)
    assert [f for f in clean.findings if f.tier not in ("none", "low")] == []


@pytest.mark.parametrize("nothing", [{}, [], (), iter(())])
def test_a_tokenizer_without_tokens_is_refused(nothing: object) -> None:
    with pytest.raises(errors.ArgumentError, match=r"the tokenizer has no tokens.*leave it out"):
        gw.Monitor(tokenizer=nothing)


class Slow:
    """A verifier and detector that answers after the text has ended."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def verify(self, claim: gw.Claim) -> gw.Verdict:
        time.sleep(self.seconds)
        return gw.Verdict("contradicted", reason="not so")

    def detect(self, claim: gw.Claim, text: str) -> list[gw.Finding]:
        time.sleep(self.seconds)
        return [gw.Finding(type="stream.late", byte_span=claim.byte_span)]


async def pieces() -> AsyncIterator[str]:
    for piece in ("It is big. ", "It is old."):
        yield piece


def late_of(monitor: gw.Monitor, *, asynchronous: bool) -> list[list[str]]:
    if asynchronous:

        async def follow() -> list[list[str]]:
            return [[f.type for f in s.findings] async for s in monitor.awatch(pieces())]

        return asyncio.run(follow())
    steps = monitor.watch(["It is big. ", "It is old."])
    return [[f.type for f in step.findings] for step in steps]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_watched_stream_ends_with_the_late_answers(asynchronous: bool) -> None:
    slow = Slow(0.2)
    sink = MemorySink()
    monitor = gw.Monitor(detectors=[slow], verifiers=[slow], workers=4, events=sink)
    found = late_of(monitor, asynchronous=asynchronous)
    assert len(found) == 4, "two pieces, the end, and what came late"
    assert found[-1].count("stream.late") == 2
    assert len(found[-1]) > 2, "the verifier's answers are among them"
    assert [e.kind for e in sink.events][-1] == "session_finished"


@pytest.mark.parametrize("asynchronous", [False, True])
def test_the_end_of_a_watched_stream_waits_no_longer_than_its_limit(asynchronous: bool) -> None:
    monitor = gw.Monitor(detectors=[Slow(30.0)], timeout_s=0.2)
    began = time.monotonic()
    assert late_of(monitor, asynchronous=asynchronous) == [[], [], []]
    assert time.monotonic() - began < 10
    assert late_of(gw.Monitor(), asynchronous=asynchronous) == [[], [], []]


def test_a_step_shows_the_answers_that_came_before_it() -> None:
    session = gw.Monitor(detectors=[Slow(0.0)], tokenizer={65: b"A", 66: b". B"}).session()
    session.push_text("It is big. It")
    assert isinstance(session, gw.beside.WatchedSession)
    assert session.wait(5)
    assert [f.type for f in session.push_text(" is old").findings] == ["stream.late"]
    assert session.push_text(".").findings == ()
    session.push_text(" So")
    assert session.wait(5)
    (step,) = gw.Monitor(tokenizer={65: b"A"}).push_many([session], [65])
    assert not isinstance(step, Exception)
    assert [f.type for f in step.findings] == ["stream.late"]
    assert step.claims == ()
    assert session.close().claims != ()
