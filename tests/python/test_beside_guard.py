"""Verifiers and detectors beside guarded streams: slow, failing, hanging, wrong-typed ones."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.vocabulary import vocabulary

TEXT = "It is closed on Mondays. It has many rooms. It is big."
VOCAB = vocabulary([(i, bytes([i]), False) for i in range(256)])


class Asked:
    """A verifier that contradicts what holds a word, in its own time."""

    name = "asked"

    def __init__(self, word: str = "\0", pause_s: float = 0.0) -> None:
        self.word, self.pause_s = word, pause_s
        self.asked: list[str] = []

    def verify(self, claim: gw.Claim) -> gw.Verdict:
        self.asked.append(claim.content)
        time.sleep(self.pause_s)
        wrong = self.word in claim.content
        return gw.Verdict("contradicted" if wrong else "supported", reason="asked")


class Broken(Asked):
    def verify(self, claim: gw.Claim) -> gw.Verdict:
        raise RuntimeError("no answer")


class Odd(Asked):
    def verify(self, claim: gw.Claim) -> Any:
        return "supported"


class Hanging(Asked):
    def verify(self, claim: gw.Claim) -> gw.Verdict:
        threading.Event().wait()
        raise AssertionError


def drive(guard: Any, texts: list[str]) -> str:
    """Write a text byte by byte, the next one after every rewind; return what was released."""
    said, todo, done = "", list(texts[0].encode()), False
    rest = texts[1:]
    while not done:
        if todo:
            _, found = guard.push(todo.pop(0))
        else:
            found = guard.finish()
        queue = [found]
        while queue:
            for directive in queue.pop(0):
                if directive.kind == "release":
                    said += directive.text
                elif directive.kind == "rewind":
                    todo = list(rest.pop(0).encode()) if rest else []
                    queue += [guard.push(b, forced=True)[1] for b in directive.text.encode()]
                elif directive.kind == "stop":
                    done = True
    assert said == guard.released
    return said


def opened(verifier: Any, **policy: Any) -> Any:
    monitor = gw.Monitor(tokenizer=VOCAB, verifiers=[verifier], policy=gw.Policy(**policy))
    return monitor.guard()


@pytest.mark.req("S4-029", "S4-033")
@pytest.mark.parametrize("word", ["Mondays", "many", "big"])
def test_a_slow_verifier_is_waited_for_and_obeyed(word: str) -> None:
    verifier = Asked(word, pause_s=0.05)
    guard = opened(verifier)
    said = drive(guard, [TEXT, " That is all.", " That is all."])
    report = guard.report()
    assert report.holds_given_up == 0 and report.unanswered == ()
    assert [i for i in report.interventions if i.action != "annotate"]
    assert not any(i.already_sent for i in report.interventions)
    assert f"{word}." not in said, said
    assert len(verifier.asked) == len(set(verifier.asked)), "a claim is asked about once"


def test_text_waits_claim_by_claim() -> None:
    go = threading.Event()

    class Gate(Asked):
        def verify(self, claim: gw.Claim) -> gw.Verdict:
            if "many" in claim.content:
                go.wait(60)
            return gw.Verdict("supported")

    guard = opened(Gate())
    guard.push_text("It is closed on Mondays. It has many rooms. It")
    for _ in range(500):
        guard.poll()
        if guard.released:
            break
        time.sleep(0.01)
    assert guard.released == "It is closed on Mondays. "
    go.set()
    said = guard.finish()
    assert [d.kind for d in said] == ["release", "stop"]
    assert guard.released == "It is closed on Mondays. It has many rooms. It"


@pytest.mark.req("U-6")
@pytest.mark.parametrize("verifier", [Broken(), Odd()])
def test_a_failed_verifier_leaves_its_claims_unverified_and_noted(verifier: Asked) -> None:
    guard = opened(verifier, annotation="inline")
    said = drive(guard, [TEXT])
    report = guard.report()
    assert said.startswith("It is closed on Mondays. [unverified]"), said
    assert guard.failed == 3
    assert {c.status for c in report.claims} == {"unverifiable"}
    noted = [f for f in report.findings if f.type == "stream.verifier_failed"]
    assert [f.tier for f in noted] == ["low"] * 3
    assert {i.action for i in report.interventions} == {"annotate"}


@pytest.mark.req("U-6")
def test_a_failed_verifier_ends_the_answer_where_the_profile_stops() -> None:
    profile = {"name": "stream", "failure": "stop"}
    monitor = gw.Monitor(tokenizer=VOCAB, verifiers=[Broken()], profiles=[profile])
    guard = monitor.guard()
    assert drive(guard, [TEXT]) == ""
    assert guard.stopped == "failed"
    assert "RuntimeError" in str(guard.report().latched)


def test_another_verifiers_answer_outlives_a_failure() -> None:
    for parts in ([Broken(), Asked()], [Asked(), Broken()]):
        report = gw.Monitor(verifiers=parts).check(TEXT)
        assert {c.status for c in report.claims} == {"supported"}


def test_a_hanging_verifier_hangs_no_stream() -> None:
    guard = opened(Hanging(), max_hold_ms=150)
    began = time.monotonic()
    assert drive(guard, [TEXT]) == TEXT
    assert time.monotonic() - began < 5
    report = guard.report(timeout_s=0.01)
    assert report.stopped == "end"
    assert report.holds_given_up == len(report.unanswered) == 3
    assert report.to_dict()["unanswered"] == list(report.unanswered)

    session = gw.Monitor(verifiers=[Hanging()], timeout_s=30).session()
    session.push_text(TEXT)
    began = time.monotonic()
    done = session.finish(timeout_s=0.1)
    assert time.monotonic() - began < 5
    assert {c.status for c in done.claims} == {"unverifiable"}


def test_a_hanging_rule_or_detector_hangs_no_stream() -> None:
    class Stuck:
        name = "stuck"

        def detect(self, claim: gw.Claim, text: str) -> Iterator[gw.Finding]:
            threading.Event().wait()
            yield gw.Finding(type="stream.never")

        def matches(self, text: str) -> bool:
            threading.Event().wait()
            return False

        def confidence(self, text: str) -> float:
            return 0.5

    for given in ({"detectors": [Stuck()]}, {"rules": [Stuck()]}):
        monitor = gw.Monitor(tokenizer=VOCAB, policy=gw.Policy(max_hold_ms=100), **given)
        assert drive(monitor.guard(), [TEXT]) == TEXT


def test_a_detectors_finding_is_acted_upon_before_its_claim_leaves() -> None:
    class Rooms:
        name = "rooms"

        def detect(self, claim: gw.Claim, text: str) -> Iterator[gw.Finding]:
            time.sleep(0.05)
            if "big" in claim.content:
                yield gw.Finding(
                    type="stream.rooms",
                    byte_span=claim.byte_span,
                    p_hallucinated=0.9,
                    status="contradicted",
                )

    monitor = gw.Monitor(tokenizer=VOCAB, detectors=[Rooms()])
    said = drive(monitor.guard(), [TEXT, " That is all."])
    assert said.startswith("It is closed on Mondays. It has many rooms. ")
    assert not said.startswith(TEXT)


def test_text_that_is_not_held_is_put_right_at_the_end() -> None:
    for policy in ({"release": "token"}, {"hold_unresolved": False}):
        guard = opened(Asked("big", pause_s=0.2), **policy)
        said = drive(guard, [TEXT])
        assert said.startswith(TEXT[:-1])
        assert len(said) > len(TEXT), said


def scripted(texts: list[str]) -> Callable[[list[int]], int | None]:
    """A model that writes one text after another: the next one after every rewind."""
    left, said = [list(t.encode()) for t in texts], []

    def next_token(ids: list[int]) -> int | None:
        if ids != said:
            said[:] = ids
            del left[0]
        if not left or not left[0]:
            return None
        said.append(left[0].pop(0))
        return said[-1]

    return next_token


def encode(text: str) -> list[int]:
    return list(text.encode())


@pytest.mark.req("S4-033", "S4-034")
def test_both_loops_wait_for_claims_that_the_end_closes() -> None:
    def monitor() -> gw.Monitor:
        return gw.Monitor(tokenizer=VOCAB, verifiers=[Asked("big", pause_s=0.1)])

    texts = [TEXT, " That is all."]
    plain = list(gw.guard(scripted(texts), [], monitor=monitor(), encode=encode))

    async def collect() -> tuple[list[Any], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.005)

        beside = asyncio.create_task(tick())
        loop = gw.aguard(scripted(texts), [], monitor=monitor(), encode=encode)
        found = [event async for event in loop]
        beside.cancel()
        return found, ticks

    later, ticks = asyncio.run(collect())
    assert ticks > 3, "waiting blocks no other task"
    for events in (plain, later):
        report = events[-1].report
        said = "".join(e.text for e in events if e.kind == "release")
        assert report is not None and report.released == said
        assert "It is big." not in said and said.startswith(TEXT[:44])
        assert [e.kind for e in events].count("wait") <= 2
        assert not any(i.already_sent for i in report.interventions)


def test_a_callback_waits_at_the_end_or_says_so() -> None:
    monitor = gw.Monitor(tokenizer=VOCAB, verifiers=[Asked("big", pause_s=0.1)])
    for blocking in (True, False):
        callback = gw.GroundwireCallback(monitor)
        callback.on_token(TEXT)
        decision = callback.on_end() if blocking else callback.on_end(timeout_s=0)
        while decision.wait:
            assert not blocking
            time.sleep(0.01)
            decision = callback.on_end(timeout_s=0)
        assert decision.keep is not None


def test_an_end_does_not_wait_for_an_answer_that_is_there() -> None:
    for word in ("big", "\0"):
        for _ in range(20):
            callback = gw.GroundwireCallback(gw.Monitor(tokenizer=VOCAB, verifiers=[Asked(word)]))
            callback.on_token("It is big.")
            decision = callback.on_end()
            assert not decision.wait
            assert (decision.keep is None) == (word != "big")
            assert (decision.stop is None) == (word == "big")


def _of(probability: float) -> gw.Finding:
    """What the constructor refuses."""
    finding = gw.Finding(type="stream.bad")
    object.__setattr__(finding, "p_hallucinated", probability)
    return finding


BAD: list[Any] = [
    "abc",
    [1],
    [gw.Finding(type="stream.bad", byte_span=(0, 10**6))],
    [gw.Finding(type="stream.bad", byte_span=(9, 3))],
    [gw.Finding(type="stream.bad", byte_span=(1, 4))],
    [gw.Finding(type="stream.bad", byte_span=("a", "b"))],  # type: ignore[arg-type]
    [_of(2)],
    [_of(float("nan"))],
    [gw.Finding(type="stream.bad", severity="zork")],
    [gw.Finding(type="stream.bad", extra={"no": object()})],
]


@pytest.mark.req("U-6")
@pytest.mark.parametrize("bad", BAD)
def test_an_invalid_finding_is_counted_and_takes_no_other_with_it(
    bad: Any, caplog: pytest.LogCaptureFixture
) -> None:
    good = gw.Finding(type="stream.good", byte_span=(0, 2))

    class Careless:
        name = "careless"

        def detect(self, claim: gw.Claim, text: str) -> Any:
            return bad if isinstance(bad, str) else [*bad, good]

    monitor = gw.Monitor(tokenizer=VOCAB, detectors=[Careless()])
    text = "\u00c9 is big."
    session: Any = monitor.session()
    session.push_text(text)
    guard: Any = monitor.guard()
    guard.push_text(text)
    guard.finish(timeout_s=5)
    for report, failed in ((session.finish(), session.failed), (guard.report(), guard.failed)):
        assert failed == 1, failed
        good_too = ["stream.good"] * (not isinstance(bad, str))
        assert sorted(f.type for f in report.findings) == ["stream.detector_failed", *good_too]
    assert "beside the stream failed" in caplog.text


def test_a_detector_that_fails_half_way_keeps_what_it_found() -> None:
    class Half(Silent):
        def detect(self, claim: gw.Claim, text: str) -> Any:
            yield gw.Finding(type="stream.good", byte_span=claim.byte_span)
            raise RuntimeError("no more")

    session: Any = gw.Monitor(detectors=[Half()]).session()
    session.push_text("It is big.")
    found = sorted(f.type for f in session.finish().findings)
    assert found == ["stream.detector_failed", "stream.good"]
    assert session.failed == 1


class Raising:
    def __init__(self, name: str = "stock list") -> None:
        self.name = name

    def detect(self, claim: gw.Claim, text: str) -> list[gw.Finding]:
        raise OSError("no connection")


@pytest.mark.req("U-6")
def test_a_detector_that_raises_is_named_once_in_a_stream() -> None:
    monitor = gw.Monitor(tokenizer=VOCAB, detectors=[Raising(), Raising("price list")])
    guard: Any = monitor.guard()
    assert drive(guard, [TEXT]) == TEXT
    for report in (monitor.check(TEXT), guard.report()):
        noted = [f for f in report.findings if f.type == "stream.detector_failed"]
        assert sorted(f.rule for f in noted) == ["price list", "stock list"]
        assert {f.tier for f in noted} == {"low"} and report.tier == "low"
        assert all(f"{f.rule} failed: OSError" in f.message for f in noted)
        assert report.claims and not report.unanswered


@pytest.mark.req("U-6")
def test_a_detectors_failure_that_was_taken_back_is_noted_again() -> None:
    session: Any = gw.Monitor(detectors=[Raising()]).session()
    for _ in range(2):
        session.push_text("It is big. It")
        session.wait(5)
        session.rollback(1)
    session.push_text("It is big. It")
    found = session.finish().findings
    assert [f.type for f in found] == ["stream.detector_failed"]


@pytest.mark.req("U-6")
def test_a_whole_text_names_the_claims_that_nobody_answered_for() -> None:
    monitor = gw.Monitor(verifiers=[Hanging()], timeout_s=0.1)
    report = monitor.check(TEXT)
    assert list(report.unanswered) == [claim.id for claim in report.claims]
    assert len(report.unanswered) == 3 and report.to_dict()["unanswered"]
    for parts in ([Asked()], [Broken()]):
        assert gw.Monitor(verifiers=parts).check(TEXT).unanswered == ()


def test_parts_and_verdicts_are_checked_when_they_are_given() -> None:
    with pytest.raises(ArgumentError, match=r"verifiers\[0\].*verify"):
        gw.Monitor(verifiers=[3])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match=r"detectors\[1\].*detect"):
        gw.Monitor(detectors=[Silent(), object()])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="workers"):
        gw.Monitor(workers=0)
    with pytest.raises(ArgumentError, match="timeout_s"):
        gw.Monitor(timeout_s=-1)
    with pytest.raises(ArgumentError, match="supported, contradicted, not_in_context"):
        gw.Verdict(status="zork")
    for bounds in ((0.2, 1.2), (0.6, 0.4), (-0.1, 0.5), (0.5,), 0.5, (float("nan"), 1), (True, 1)):
        with pytest.raises(ArgumentError, match="p0"):
            gw.Verdict("supported", p0=bounds)  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="p1"):
            gw.Verdict("supported", p1=bounds)  # type: ignore[arg-type]
    assert gw.Verdict("supported", p0=(0.1, 0.1), p1=(0, 1)).p0 == (0.1, 0.1)


class Silent:
    name = "silent"

    def detect(self, claim: gw.Claim, text: str) -> list[gw.Finding]:
        return []


def follow(guard: Any, found: list[Any]) -> None:
    """Write what comes in the place of what was taken back."""
    for directive in found:
        if directive.kind == "rewind":
            for byte in (directive.text or "").encode():
                guard.push(byte, forced=True)


def held_back(guard: Any, go: threading.Event, waits: Callable[[], bool]) -> str:
    """Write two claims, the second of which is taken back while the first is being judged."""
    found: list[Any] = []
    # Up to the word behind it, which closes the second claim.
    for byte in TEXT[:46].encode():
        found += guard.push(byte)[1]
    # The verdict may come with the last byte or, on a busy machine, seconds later.
    deadline = time.monotonic() + 60
    while not any(directive.kind == "rewind" for directive in found):
        assert time.monotonic() < deadline, "the second claim was not taken back"
        time.sleep(0.01)
        found += guard.poll()
    follow(guard, found)
    # What a hedge joins comes again without the capital, and the model writes on behind it.
    for byte in b" It is far away. A" + b" And":
        follow(guard, guard.push(byte)[1])
    while not waits():
        assert time.monotonic() < deadline, "the claim in its place was not asked about"
        guard.poll()
        time.sleep(0.01)
    assert guard.released == "", "the first claim is still being judged"
    go.set()
    while (found := guard.finish()) and found[-1].kind == "wait":
        pass
    return str(guard.released)


@pytest.mark.req("S4-029")
def test_a_claim_that_closes_again_while_it_is_judged_is_asked_about_once() -> None:
    go = threading.Event()

    class Gate(Asked):
        def verify(self, claim: gw.Claim) -> gw.Verdict:
            self.asked.append(claim.content)
            if "Mondays" in claim.content:
                go.wait(60)
            return gw.Verdict("contradicted" if "many" in claim.content else "supported")

    verifier = Gate()
    guard = opened(verifier)
    said = held_back(guard, go, lambda: any("far" in asked for asked in verifier.asked))
    assert said.startswith(
        "It is closed on Mondays. I could not verify this point. It is far away."
    )
    assert len(verifier.asked) == len(set(verifier.asked)), verifier.asked
    assert guard.report().unanswered == ()


@pytest.mark.req("S4-029")
def test_a_detector_looks_once_at_a_claim_that_closes_again() -> None:
    go = threading.Event()

    class Gate:
        name = "gate"

        def __init__(self) -> None:
            self.asked: list[str] = []

        def detect(self, claim: gw.Claim, text: str) -> Iterator[gw.Finding]:
            self.asked.append(claim.content)
            if "Mondays" in claim.content:
                go.wait(60)
                yield gw.Finding(type="stream.days", byte_span=claim.byte_span, severity="low")
            elif "many" in claim.content:
                yield gw.Finding(
                    type="stream.rooms",
                    byte_span=claim.byte_span,
                    p_hallucinated=0.9,
                    status="contradicted",
                )

    detector = Gate()
    guard = gw.Monitor(tokenizer=VOCAB, detectors=[detector]).guard()
    held_back(guard, go, lambda: any("far" in asked for asked in detector.asked))
    assert len(detector.asked) == len(set(detector.asked)), detector.asked
    assert [f.type for f in guard.report().findings].count("stream.days") == 1


@pytest.mark.req("U-6")
def test_a_whole_text_of_many_claims_is_asked_about_to_its_end() -> None:
    text = " ".join(f"The hall on street {i} is {w}." for i in range(45) for w in ("old", "big"))
    verifier = Asked(pause_s=0.001)
    report = gw.Monitor(verifiers=[verifier]).check(text)
    assert len(verifier.asked) == len(report.claims) == 90
    assert {c.status for c in report.claims} == {"supported"} and report.skipped == 0

    hanging = gw.Monitor(verifiers=[Hanging()], timeout_s=0.3)
    began = time.monotonic()
    report = hanging.check(text)
    assert time.monotonic() - began < 5
    assert report.skipped == report.to_dict()["skipped"] == 90 - 64
    assert {c.status for c in report.claims} == {"unverifiable"}

    session: Any = hanging.session()
    session.push_text(text)
    assert session.peek().skipped == session.skipped == 89 - 64, "a stream waits for nobody"
    guard: Any = hanging.guard(policy=gw.Policy(max_hold_ms=0))
    guard.push_text(text)
    assert guard.report().skipped == guard.skipped == 89 - 64


def test_push_many_hands_out_the_claims_of_watched_sessions() -> None:
    verifiers = [Asked(), Asked()]
    monitors = [gw.Monitor(tokenizer=VOCAB, verifiers=[v]) for v in verifiers]
    sessions: list[Any] = [m.session() for m in monitors] + [gw.Monitor(tokenizer=VOCAB).session()]
    for pair in zip(b"It is big. It", b"It is old. It", b"It is new. It", strict=True):
        steps = monitors[0].push_many(sessions, pair)
        assert not any(isinstance(step, Exception) for step in steps)
    for session in sessions:
        session.finish()
    assert [v.asked[0] for v in verifiers] == ["It is big.", "It is old."]
    with pytest.raises(ArgumentError, match=r"sessions\[1\]"):
        monitors[0].push_many([sessions[0], 3], [65, 66])  # type: ignore[list-item]


class Breaking:
    def __init__(self, name: str) -> None:
        self.name = name

    def matches(self, text: str) -> Any:
        raise ValueError("no such table")

    def confidence(self, text: str) -> float:
        return 1.0


class Telling(Breaking):
    def matches(self, text: str) -> Any:
        return [(at, at + 3) for at in range(len(text)) if text.startswith("big", at)]


@pytest.mark.req("S4-016", "U-6")
def test_a_rule_that_raises_is_named_once_and_stops_no_other() -> None:
    rules = [Breaking("stock list"), Telling("size"), Breaking("price list")]
    monitor = gw.Monitor(rules=rules)
    text = "The barn is big. The yard is big. The house is small. The cat is black."
    session: Any = monitor.session()
    for at in range(0, len(text), 7):
        session.push_text(text[at : at + 7])
    for report in (monitor.check(text), session.finish()):
        noted = [f for f in report.findings if f.type == "stream.detector_failed"]
        assert sorted(f.rule for f in noted) == ["price list", "stock list"]
        assert all(f"rule {f.rule} failed: ValueError" in f.message for f in noted)
        assert {f.tier for f in noted} == {"low"}
        found = [f.text for f in report.findings if f.type == "stream.python_rule"]
        assert found == ["big", "big"]
    assert session.failed >= 2


@pytest.mark.req("U-6")
def test_a_rules_failure_that_was_taken_back_is_noted_again() -> None:
    session: Any = gw.Monitor(rules=[Breaking("stock list")]).session()
    for _ in range(2):
        session.push_text("It is big. It")
        session.wait(5)
        session.rollback(1)
    session.push_text("It is big. It")
    assert [f.rule for f in session.finish().findings] == ["stock list"]


class _Bangs:
    """A rule of one's own that finds places, or only says that there are some."""

    name = "bangs"

    def __init__(self, *, only_says: bool) -> None:
        self.only_says = only_says

    def matches(self, text: str) -> object:
        return "!!!" in text if self.only_says else list(re.finditer("!!!", text))

    def confidence(self, text: str) -> float:
        return 0.9


@pytest.mark.req("S4-016")
@pytest.mark.parametrize("only_says", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "Hello!!! Bye. " + "The cat sat down. " * 60 + "Again!!! Ok.",
        "One is here!!! Two is fine. Three is there!!! Four is fine.",
        "One is here!!! " + "x" * 3000 + " is fine!!! Four is.",
    ],
)
def test_a_rule_finds_the_same_however_the_text_came(text: str, only_says: bool) -> None:
    monitor = gw.Monitor(rules=[_Bangs(only_says=only_says)])
    seen = {tuple(f.span for f in monitor.check(text).findings if f.type == "stream.python_rule")}
    for size in (1, 5, 30, 400):
        with monitor.session() as session:
            for at in range(0, len(text), size):
                session.push_text(text[at : at + size])
            found = session.finish().findings
        seen.add(tuple(f.span for f in found if f.type == "stream.python_rule"))
    (spans,) = seen
    assert len(spans) == 2
