"""A guard that only appends, through the binding: notes, forks, a batch in one call."""

import pytest

import groundwire as gw
import groundwire.errors
from groundwire import _core

FOUND, BOUNDARY, STOP = 1, 2, 4
EVIDENCE = [("leaflet", "The Harbour Museum was founded in 1987. It has 45 employees.")]


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    return gw.Monitor(tokenizer={i: bytes([i]) for i in range(256)}, reference_date="2026-05-01")


def opened(monitor: gw.Monitor, policy: gw.Policy | None = None) -> _core.Guard:
    chosen = None if policy is None else policy.to_json()
    return monitor.open_guard(EVIDENCE, [], None, chosen, None, None, None, appending=True)


def push(monitor: gw.Monitor, guard: _core.Guard, text: str, forced: bool = False) -> list[int]:
    return [monitor.push_guards([guard], [i], [forced])[0] for i in text.encode()]


@pytest.mark.req("S4-028")
def test_a_note_is_asked_for_said_and_not_said_again(monitor: gw.Monitor) -> None:
    guard = opened(monitor)
    flags = push(monitor, guard, "The Harbour Museum was founded in 1992.")
    assert flags[-1] & BOUNDARY
    assert guard.at_boundary
    assert guard.whole
    assert guard.foresee(list(b"5 and")) is None
    said = guard.foresee(list(b" It"))
    assert said is not None
    assert (said.text, said.stop) == (" (Correction: 1987, not 1992.)", None)
    assert said == guard.foresee(list(said.text.encode()))
    guard.speak(said)
    push(monitor, guard, said.text, forced=True)
    assert guard.interventions == 1
    push(monitor, guard, " It has 45 employees.")
    assert guard.foresee(list(b" It")) is None
    assert guard.unsaid() is None
    report = guard.report()
    assert report.interventions[0].action == "correct"
    assert report.text == f"The Harbour Museum was founded in 1992.{said.text} It has 45 employees."


def test_a_fork_leaves_its_origin_alone(monitor: gw.Monitor) -> None:
    guard = opened(monitor)
    push(monitor, guard, "The Harbour Museum was")
    fork = guard.fork()
    push(monitor, fork, " founded in 1992. Yes.")
    assert fork.text.endswith("Yes.")
    assert guard.text == "The Harbour Museum was"
    fork.finish()
    assert fork.unsaid() is not None


def test_a_batch_names_the_rows_that_fail(monitor: gw.Monitor) -> None:
    guards = [opened(monitor), opened(monitor), opened(monitor)]
    flags = monitor.push_guards(guards, [65, 9999, 66])
    assert isinstance(flags[1], gw.errors.UnknownTokenError)
    assert [guard.text for guard in guards] == ["A", "", "B"]
    busy = monitor.push_guards([guards[0], guards[0]], [67, 68])
    assert isinstance(busy[1], gw.errors.GroundwireError)
    assert guards[0].text == "AC"
    for wrong in (([65], [False, True]), ([65, 66], None)):
        with pytest.raises(gw.errors.ArgumentError):
            monitor.push_guards([guards[0]], *wrong)
    assert monitor.push_guards([], []) == []


def test_signals_come_with_their_token(monitor: gw.Monitor) -> None:
    guard = opened(monitor)
    assert monitor.push_guards([guard], [65], None, [{"entropy": 2.0, "surprisal": 1.0}]) == [0]
    with pytest.raises(gw.errors.ArgumentError, match="no signal"):
        monitor.push_guards([guard], [65], None, [{"entropi": 2.0}])


def test_other_guards_foresee_nothing(monitor: gw.Monitor) -> None:
    guard = monitor.open_guard(EVIDENCE, [])
    push(monitor, guard, "The Harbour Museum was founded in 1992.")
    assert guard.foresee(list(b" It")) is None
    assert guard.unsaid() is None


def test_the_end_of_an_answer(monitor: gw.Monitor) -> None:
    policy = gw.Policy(medium="interrupt", high="interrupt", after_interrupt="stop")
    guard = opened(monitor, policy)
    push(monitor, guard, "It has 45 employees. The museum has 900 boats.")
    said = guard.foresee([])
    assert said is not None
    assert said.stop == "interrupted"
    guard.speak(said)
    flags = push(monitor, guard, said.text, forced=True)
    assert flags[-1] & STOP
    assert guard.stopped == "interrupted"


def test_after_interrupt_ends_no_answer_behind_a_correction(monitor: gw.Monitor) -> None:
    policy = gw.Policy(medium="interrupt", high="interrupt", after_interrupt="stop")
    guard = opened(monitor, policy)
    push(monitor, guard, "The Harbour Museum was founded in 1992.")
    said = guard.foresee([])
    assert said is not None
    assert "Correction: 1987" in said.text and said.stop is None
    # In front of an engine, where the claim is written anew, it is no other.
    ids = iter(b"The Harbour Museum was founded in 1992. It is open.")
    given = {"evidence": EVIDENCE, "policy": policy, "encode": lambda text: list(text.encode())}
    events = list(gw.guard(lambda _: next(ids, None), [1], monitor=monitor, **given))
    report = events[-1].report
    assert report is not None
    assert {done.action for done in report.interventions} == {"correct"}
    assert report.stopped == "end"
