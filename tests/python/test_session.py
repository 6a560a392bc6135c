"""Sessions: one stream, pushed, rolled back, forked, replayed, answered from elsewhere."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire import errors
from groundwire.beside import WatchedSession

EVIDENCE = "The Harbour Museum was founded in 1987. It has 45 employees and is closed on Mondays."
TEXT = (
    "The 🏛️ Harbour Museum was founded in 1992. 東京 is far. "
    "Zorblax Quimby opened the café wing. It has 60 employees."
)
MARKS = Path(__file__).parents[1] / "vectors" / "marks.json"
VOCAB = [(i, bytes([i]), False) for i in range(256)] + [(256, b"<end>", True)]


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    return gw.Monitor(tokenizer=gw.Vocab.from_entries(VOCAB))


def opened(monitor: gw.Monitor, **given: Any) -> Any:
    return monitor.session(evidence=[EVIDENCE], **given)


def found(report: gw.Report) -> list[dict[str, Any]]:
    return [f.to_dict() for f in report.findings]


def test_a_push_says_only_what_is_new(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    quiet = session.push_text("The")
    assert quiet is session.push_text(""), "one shared empty step"
    assert not quiet
    assert quiet.findings == () and quiet.claims == () and quiet.signals is None
    assert (quiet.tier, quiet.action) == ("none", "accept")
    step = session.push_text(" museum has 60 employees. It")
    assert step
    assert step.findings[0].text == "60"
    assert [c.content for c in step.claims] == ["The museum has 60 employees."]
    assert session.push_text(" is") is quiet


@pytest.mark.req("S0-014", "S0-038", "U-2")
def test_spans_count_code_points(monitor: gw.Monitor) -> None:
    report = monitor.check(TEXT, evidence=[EVIDENCE])
    assert {"1992", "60", "Zorblax Quimby"} <= {f.text for f in report.findings}
    for finding in report.findings:
        assert finding.span is not None and finding.byte_span is not None
        assert report.text[slice(*finding.span)] == finding.text
        assert report.text.encode()[slice(*finding.byte_span)].decode() == finding.text
    for claim in report.claims:
        assert (
            report.text.encode()[slice(*claim.byte_span)].decode()
            == report.text[slice(*claim.span)]
        )


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(0, len(TEXT.encode())), max_size=12))
@pytest.mark.req("S4-013", "S4-014")
def test_a_check_equals_any_streaming(monitor: gw.Monitor, cuts: list[int]) -> None:
    data = TEXT.encode()
    session = opened(monitor)
    at = 0
    for cut in [*sorted(cuts), len(data)]:
        session.push_bytes(data[at:cut])
        at = cut
    expected = monitor.check(TEXT, evidence=[EVIDENCE])
    report = session.finish()
    assert found(report) == found(expected)
    assert report.claims == expected.claims


def test_tokens_equal_text(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    for byte in TEXT.encode():
        session.push(byte)
    assert session.text == TEXT
    assert found(session.finish()) == found(monitor.check(TEXT, evidence=[EVIDENCE]))


def test_rollback_mark_and_fork(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    session.push_text("It is closed on Mondays. ")
    mark = session.mark()
    session.push_text("It has 60")
    session.push_text(" employees.")
    other = session.fork()
    session.rollback(1)
    assert session.text.endswith("It has 60")
    session.rollback(to=mark)
    assert session.text == "It is closed on Mondays. "
    assert other.text.endswith("employees."), "a fork goes its own way"
    session.push_text("It has 45 employees.")
    assert not [f for f in session.finish().findings if f.type == "stream.unsupported_number"]
    assert [f for f in other.finish().findings if f.type == "stream.unsupported_number"]
    with pytest.raises(errors.RollbackTooFar):
        session.rollback(99)
    with pytest.raises(errors.ArgumentError):
        session.rollback()
    with pytest.raises(errors.ArgumentError, match="not both"):
        session.rollback(1, to=mark)


def test_events_rebuild_a_session(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    for i, byte in enumerate(b"It has 60 employees. It is old."):
        session.push(byte, signals={"surprisal": i / 7, "logprob": -i / 7})
    session.push_bytes("é".encode()[:1])
    session.add_evidence("It has 60 employees.", id="late")
    session.push_text(" Forced.", forced=True)
    events = json.loads(json.dumps(session.events()))
    again = monitor.replay(events, evidence=[EVIDENCE])
    assert again.events() == session.events()
    assert found(again.finish()) == found(session.finish())
    with pytest.raises(errors.FormatError):
        monitor.replay([{"event": "nonsense"}])


def test_a_replay_without_what_the_session_was_opened_with_is_refused() -> None:
    monitor = gw.Monitor()
    given = {"evidence": [EVIDENCE], "history": [("user", "Hello.")], "question": "How many?"}
    session = monitor.session(**given)
    session.push_text("It has 60 employees. ")
    events = session.events()
    (said,) = (e for e in events if e["event"] == "opened")
    assert (said["passages"], said["turns"], said["question"]) == (1, 1, True)
    assert EVIDENCE not in json.dumps(events), "texts are given again, not written down"
    assert found(monitor.replay(events, **given).finish()) == found(session.finish())
    for name, other in [("evidence", ["It has 60 employees."]), ("history", [("user", "Hi.")])]:
        with pytest.raises(errors.ArgumentError, match="others of them were given"):
            monitor.replay(events, **{**given, name: other})
    with pytest.raises(errors.ArgumentError, match=r"with evidence \(1\).*but no evidence"):
        monitor.replay(events)
    with pytest.raises(errors.ArgumentError, match=r"but evidence \(1\), turns \(1\), no quest"):
        monitor.replay(events, evidence=[EVIDENCE], history=[("user", "Hello.")])


def test_infinite_signals_survive_the_log(monitor: gw.Monitor) -> None:
    row = np.full(257, -np.inf, dtype=np.float32)
    row[65] = 1.0
    session = opened(monitor)
    step = session.push(66, logits=row)
    events = json.loads(json.dumps(session.events()))
    again = monitor.replay(events, evidence=[EVIDENCE])
    assert again.events() == session.events()
    assert step.signals is not None


def test_a_session_does_not_pickle_and_says_what_does(monitor: gw.Monitor) -> None:
    with pytest.raises(errors.ArgumentError, match="replay"):
        pickle.dumps(opened(monitor))


def test_observe_then_push_equals_push_with_logits(monitor: gw.Monitor) -> None:
    rng = np.random.default_rng(7)
    one, other = opened(monitor), opened(monitor)
    for byte in b"It has 60 employees.":
        row, prior = rng.normal(size=(2, 257)).astype(np.float32)
        a = one.push(byte, logits=row, prior_logits=prior)
        other.observe(row, prior)
        b = other.push(byte)
        assert a.signals.to_dict() == b.signals.to_dict()
    assert one.events() == other.events()


def test_bad_arguments_change_nothing(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    session.push_text("It has 60")
    before = session.events()
    row = np.zeros(257, dtype=np.float32)
    for bad in (
        lambda: session.push(999),
        lambda: session.push(-1),
        lambda: session.push(10**30),
        lambda: session.push("x"),
        lambda: session.push(65, logits=np.zeros(3, dtype=np.float32)),
        lambda: session.push(65, logits=row.reshape(1, 257, 1)),
        lambda: session.push(65, logits=row, prior_logits=row[:-1]),
        lambda: session.push(65, prior_logits=row),
        lambda: session.push(65, signals={"surprise": 1.0}),
        lambda: session.push(65, signals=3),
        lambda: session.observe(np.zeros(0, dtype=np.float32)),
        lambda: session.resolve("nothing", gw.Verdict(status="supported")),
        lambda: session.expect("nothing"),
        lambda: session.report(None, [gw.Finding(type="stream.x", p_hallucinated=2.0)]),
        lambda: session.report(None, [gw.Finding(type="stream.x", byte_span=(0, 10_000))]),
    ):
        with pytest.raises((errors.GroundwireError, TypeError, ValueError, OverflowError)):
            bad()
        assert session.events() == before


def test_resolve_and_report_come_from_any_thread(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    step = session.push_text("It is closed on Mondays. It")
    claim = step.claims[0]
    problems: list[BaseException] = []

    def answer() -> None:
        try:
            session.resolve(claim.id, gw.Verdict(status="contradicted", reason="open"))
            session.report(claim.id, [gw.Finding(type="stream.custom", byte_span=claim.byte_span)])
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=answer) for _ in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(2000):
        session.push_text(" is")
    for thread in threads:
        thread.join()
    assert problems == []
    session.poll()
    report = session.finish()
    kinds = {f.type for f in report.findings}
    assert "stream.custom" in kinds
    assert next(c for c in report.claims if c.id == claim.id).status == "contradicted"


@pytest.mark.req("U-4")
def test_a_reported_finding_takes_its_text_from_the_stream(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    session.push_text("It is é closed. It")
    step = session.report(None, [gw.Finding(type="stream.custom", byte_span=(6, 8), text="other")])
    assert step.findings[0].text == "é"
    with pytest.raises(errors.ArgumentError, match="character"):
        session.report(None, [gw.Finding(type="stream.custom", byte_span=(7, 8))])


def test_a_busy_session_says_so(monitor: gw.Monitor) -> None:
    """A row that is read while another thread pushes."""
    session = opened(monitor)
    start, errors_seen = threading.Barrier(2), []
    row = np.zeros((1 << 22,), dtype=np.float32)
    wide = gw.Monitor(tokenizer=gw.Vocab.from_entries(VOCAB))
    session = wide.session()

    def push() -> None:
        start.wait()
        for _ in range(30):
            try:
                session.push(65, logits=row)
            except errors.SessionBusy as error:
                errors_seen.append(error)

    threads = [threading.Thread(target=push) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors_seen, "two threads never met"
    assert session.pushes + len(errors_seen) == 60, "a refused push changes nothing"


def test_push_many(monitor: gw.Monitor) -> None:
    rng = np.random.default_rng(3)
    batch = rng.normal(size=(3, 257)).astype(np.float32)
    prior = rng.normal(size=(3, 257)).astype(np.float32)
    sessions = [opened(monitor) for _ in range(3)]
    steps = monitor.push_many(sessions, [65, 9999, 66], logits=batch, prior_logits=prior)
    assert isinstance(steps[1], errors.UnknownTokenError)
    assert [s.pushes for s in sessions] == [1, 0, 1]
    alone = opened(monitor).push(66, logits=batch[2], prior_logits=prior[2])
    assert steps[2].signals.to_dict() == alone.signals.to_dict()
    with pytest.raises(errors.ArgumentError):
        monitor.push_many(sessions, [65])
    with pytest.raises(errors.ArgumentError):
        monitor.push_many(sessions, [65, 65, 65], logits=batch[:2])
    assert [s.pushes for s in sessions] == [1, 0, 1]
    twice = monitor.push_many([sessions[0], sessions[1], sessions[0]], [65, 66, 66])
    assert isinstance(twice[2], errors.SessionBusy)
    assert "sessions[2] is sessions[0] again" in str(twice[2])
    assert [s.pushes for s in sessions] == [2, 1, 1]
    assert monitor.push_many([], []) == []


class Shouting:
    """A detector of ten lines."""

    name = "shouting"

    def detect(self, claim: gw.Claim, text: str) -> Iterator[gw.Finding]:
        if claim.content.isupper():
            assert text.endswith(claim.content)
            yield gw.Finding(type="stream.shouting", byte_span=claim.byte_span)


class Doubter:
    """A verifier of ten lines."""

    name = "doubter"

    def verify(self, claim: gw.Claim) -> gw.Verdict:
        if "break" in claim.content:
            raise RuntimeError("no answer")
        status = "contradicted" if "Mondays" in claim.content else "supported"
        return gw.Verdict(status=status, reason="asked")


class Percent:
    """A rule of ten lines (S4-016)."""

    name = "percent"

    def matches(self, text: str) -> list[tuple[int, int]]:
        return [(i, i + 1) for i, c in enumerate(text) if c == "%"]

    def confidence(self, text: str) -> float:
        return 0.9


@pytest.mark.req("S4-016")
def test_python_parts_run_beside_the_stream() -> None:
    monitor = gw.Monitor(detectors=[Shouting()], verifiers=[Doubter()], rules=[Percent()])
    session = monitor.session()
    assert isinstance(session, WatchedSession)
    for piece in ("It is clo", "sed on Mondays. IT IS ", "OPEN. It will break.", " Ü 40 % of it. "):
        session.push_text(piece)
    report = session.finish()
    assert "stream.shouting" in {f.type for f in report.findings}
    rule = next(f for f in report.findings if f.type == "stream.python_rule")
    assert rule.text == "%" and rule.extra["pattern"] == "percent"
    status = {c.content: c.status for c in report.claims}
    assert status["It is closed on Mondays."] == "contradicted"
    assert status["IT IS OPEN."] == "supported"
    assert session.failed == 1
    assert report.text == session.text


def test_a_failed_verifier_leaves_nobody_waiting() -> None:
    session = gw.Monitor(verifiers=[Doubter()]).session()
    session.push_text("It will break. It")
    report = session.finish()
    events = session.events()
    expected = [e["claim_id"] for e in events if e["event"] == "expect"]
    answered = [e["claim_id"] for e in events if e["event"] == "resolve"]
    assert expected == answered != []
    assert report.claims[0].status == "unverifiable"


def test_rules_follow_a_rollback() -> None:
    session = gw.Monitor(rules=[Percent()]).session()
    session.push_text("It is 40 % good. It is fine. ")
    mark = session.mark()
    session.push_text("It was also 50 % bad. It")
    session.rollback(to=mark)
    session.push_text("Now Ü 60 % more. It")
    found = [f for f in session.finish().findings if f.type == "stream.python_rule"]
    assert [f.byte_span[0] for f in found if f.byte_span] == [9, 39]


def test_import_brings_no_framework() -> None:
    code = (
        "import sys, groundwire\n"
        "heavy = {'torch', 'transformers', 'numpy', 'pydantic', 'typer', 'rich', 'httpx', 'pandas',"
        " 'vllm', 'yaml', 'starlette', 'tokenizers', 'tiktoken'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_finished_session_is_not_opened_again(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    mark = session.mark()
    session.push_text(TEXT)
    report = session.finish()
    for ended in (session, session.fork()):
        for call in (
            lambda ended=ended: ended.rollback(1),
            lambda ended=ended: ended.rollback(0),
            lambda ended=ended: ended.rollback(to=mark),
            lambda ended=ended: ended.push_text("More."),
            lambda ended=ended: ended.push_bytes(b"More."),
            lambda ended=ended: ended.push(65),
            lambda ended=ended: ended.add_evidence("More."),
        ):
            with pytest.raises(errors.SessionLatched, match="is finished"):
                call()
        assert ended.finished
        assert ended.latched is None
        assert found(ended.finish()) == found(report)
    assert found(monitor.replay(session.events(), evidence=[EVIDENCE]).finish()) == found(report)


def test_a_finished_watched_session_is_not_opened_again() -> None:
    session: Any = gw.Monitor(verifiers=[Doubter()]).session()
    session.push_text("It will break. It")
    session.close()
    for call in (lambda: session.rollback(1), lambda: session.push_text(" More.")):
        with pytest.raises(errors.SessionLatched, match="finished"):
            call()
    session.finish()
    for call in (
        lambda: session.rollback(1),
        lambda: session.push_text(" More."),
        lambda: session.fork().rollback(1),
        lambda: session.fork().push_text(" More."),
    ):
        with pytest.raises(errors.SessionLatched, match="finished"):
            call()


def test_nothing_follows_the_end_of_a_guard(monitor: gw.Monitor) -> None:
    for guard in (monitor.guard(), gw.Monitor(verifiers=[Doubter()]).guard()):
        guard.push_text("It is late.")
        while guard.stopped is None:
            guard.finish()
        report, released = guard.report().to_dict(), guard.released
        assert guard.push_text(" More.")[1] == []
        assert guard.finish() == []
        assert (guard.report().to_dict(), guard.released) == (report, released)


@pytest.mark.req("S4-018")
@pytest.mark.parametrize(
    "text",
    [
        "Try this:\n\n```python\nuser = {'name': 'Jane Doe', 'ssn': '123-45-6789'}\n```\n",
        "~~~\nname: John Doe\ncard: 4111 1111 1111 1111\n~~~\n",
        "Lorem ipsum stands for a text that is still to come.",
    ],
)
def test_placeholders_in_code_and_in_definitions_are_none(text: str) -> None:
    for step in (1, 7, len(text)):
        session = gw.Monitor().session()
        for at in range(0, len(text), step):
            session.push_text(text[at : at + step])
        findings = session.finish().findings
        assert [f.type for f in findings if f.type == "stream.placeholder"] == []


@pytest.mark.req("S4-018")
@pytest.mark.parametrize("part", ["harmless", "low", "real"])
def test_links_code_and_templates_are_no_gaps(part: str) -> None:
    ours = {"stream.placeholder", "stream.invented_citation"}
    tiers = {"harmless": {"none"}, "low": {"none", "low"}, "real": {"high"}}
    for text in json.loads(MARKS.read_text("utf-8"))[part]:
        found = [f.tier for f in gw.check(text).findings if f.type in ours]
        worst = max(found, key=["none", "low", "medium", "high"].index, default="none")
        assert worst in tiers[part], text


@pytest.mark.req("S4-018")
@pytest.mark.parametrize(
    "text",
    [
        "```\nx = 1\n```\n\nJane Doe signed it on Monday.",
        "Jane Doe signed it:\n\n```\nx = 1\n```\n",
        "About us: Lorem ipsum dolor sit amet.",
    ],
)
def test_placeholders_around_code_are_found(text: str) -> None:
    types = [f.type for f in gw.check(text).findings]
    assert "stream.placeholder" in types


def test_a_mark_is_refused_elsewhere_and_once_its_place_is_gone(monitor: gw.Monitor) -> None:
    session, other = opened(monitor), opened(monitor)
    for one in (session, other):
        one.push_text("It is closed on Mondays. ")
    mark = session.mark()
    assert (mark.pushes, repr(mark), mark == session.mark()) == (1, "Mark(pushes=1)", True)
    assert mark != other.mark() and len({mark, session.mark()}) == 1
    with pytest.raises(errors.ArgumentError, match="not of this session"):
        other.rollback(to=mark)
    with pytest.raises(errors.ArgumentError, match=r"what mark\(\) of this session returned"):
        session.rollback(to=1)  # type: ignore[arg-type]
    session.rollback(1)
    session.push_text("It is open. ")
    with pytest.raises(errors.ArgumentError, match="took its place back"):
        session.rollback(to=mark)
    assert (session.text, other.text) == ("It is open. ", "It is closed on Mondays. ")
    for copy_it in (pickle.dumps, copy.deepcopy):
        with pytest.raises(errors.ArgumentError, match="Mark cannot"):
            copy_it(mark)


def test_a_claim_says_its_bits(monitor: gw.Monitor) -> None:
    session = opened(monitor)
    for byte in b"It has a garden. ":
        row, prior = np.zeros(256, np.float32), np.zeros(256, np.float32)
        row[byte] = 4.0
        session.push(byte, logits=row, prior_logits=prior)
    report = session.finish()
    bits = report.claims[0].bits
    assert isinstance(bits, gw.ClaimBits)
    assert bits.tokens == len("It has a garden.") > bits.content_tokens > 0
    assert 0.0 < bits.kl_bits < report.stats["kl_bits"]
    assert 0.0 < bits.lift_bits < report.stats["lift_bits"]
    assert bits.p0 is not None and bits.p1 is not None and 0.0 < bits.p0 < bits.p1 < 1.0
    assert report.to_dict()["claims"][0]["bits"]["kl_bits"] == bits.kl_bits
    assert all(claim.bits is None for claim in monitor.check("It has a garden.").claims)


def test_a_near_miss_names_what_may_be_meant() -> None:
    names = [{"name": "Harald Lindqvist"}, {"name": "Harald Lindquist"}, {"name": "Maria Brandt"}]
    monitor = gw.Monitor(kb=gw.KnowledgeBase.from_records(names))
    report = monitor.check("We met Harald Lindqvisst at noon. Then Olga Zervas left.")
    near, far = report.findings
    assert near.message.endswith("; did you mean 'Harald Lindqvist' or 'Harald Lindquist'?")
    assert "Lind" not in near.masked_message
    assert far.message.endswith("knows 'Olga Zervas'")
