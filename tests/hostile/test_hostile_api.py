"""The public Python API given things of the wrong type: clear errors, and no stream is harmed."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, GroundwireError, UnknownTokenError


class Odd:
    """What nothing expects; it is called the same in every process."""

    def __repr__(self) -> str:
        return "<odd>"


SURROGATE = "caf\ud800"
HUGE = 2**80
NAN = float("nan")
NO_TEXT = [None, b"x", 1, ["x"], Odd()]
REFUSED = (GroundwireError, TypeError)


@pytest.fixture(scope="module")
def kb():
    record = {"name": "Harbour Museum", "attributes": {"founded": 1987}}
    return gw.KnowledgeBase.from_records([record])


@pytest.fixture(scope="module")
def monitor(kb):
    vocab = gw.Vocab.from_entries([(0, b"a", False), (1, b" b.", False), (2, b"", True)])
    return gw.Monitor(kb=kb, tokenizer=vocab)


def alive(session):
    """Whether the session still works, and nothing was added to it."""
    assert session.pushes == 0
    assert session.latched is None
    session.push_text("The Harbour Museum was founded in 1992.")
    return any(f.type == "dialogue.wrong_attribute" for f in session.finish().findings)


@pytest.mark.parametrize("value", NO_TEXT, ids=repr)
@pytest.mark.parametrize("how", ["push_text", "add_evidence", "expect"])
def test_what_is_no_text_leaves_the_session_as_it_was(monitor, how, value):
    session = monitor.session()
    with pytest.raises(REFUSED):
        getattr(session, how)(value)
    assert alive(session)
    guard = monitor.guard()
    with pytest.raises(REFUSED):
        getattr(guard, how)(value)
    assert (guard.pushes, guard.stopped) == (0, None)


@pytest.mark.parametrize("how", ["push_text", "add_evidence", "expect"])
def test_lone_surrogates_say_where_they_are(monitor, how):
    session, guard = monitor.session(), monitor.guard()
    for stream in (session, guard):
        with pytest.raises(ArgumentError, match=r"lone surrogate at character 3.*errors="):
            getattr(stream, how)(SURROGATE)
    assert alive(session)
    assert guard.pushes == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda m, kb: m.check(SURROGATE),
        lambda m, kb: m.session(evidence=[SURROGATE]),
        lambda m, kb: m.session(evidence=[("id", SURROGATE)]),
        lambda m, kb: m.session(evidence=[(SURROGATE, "text")]),
        lambda m, kb: m.session(evidence=[gw.Evidence(kind="passage", text=SURROGATE)]),
        lambda m, kb: m.session(history=[("user", SURROGATE)]),
        lambda m, kb: m.session(question=SURROGATE),
        lambda m, kb: m.session(session_id=SURROGATE),
        lambda m, kb: m.session(turn_id=SURROGATE),
        lambda m, kb: m.guard(question=SURROGATE),
        lambda m, kb: m.session().resolve(SURROGATE, gw.Verdict(status="supported")),
        lambda m, kb: m.session().report(SURROGATE, []),
        lambda m, kb: m.guard().resolve(SURROGATE, gw.Verdict(status="supported")),
        lambda m, kb: m.guard().report_findings(SURROGATE, []),
        lambda m, kb: kb.find(SURROGATE),
        lambda m, kb: kb.find_key(SURROGATE),
        lambda m, kb: kb.facts(0, SURROGATE),
        lambda m, kb: kb.is_closed(SURROGATE),
        lambda m, kb: gw.KnowledgeBase.from_records([{"name": SURROGATE}]),
        lambda m, kb: gw.KnowledgeBase.from_records(
            [{"name": "A", "attributes": {"b": SURROGATE}}]
        ),
        lambda m, kb: gw.Ruleset.builtin().scan(SURROGATE),
        lambda m, kb: gw.Ruleset.from_toml(SURROGATE),
        lambda m, kb: gw.judge([], profile=SURROGATE),
    ],
)
def test_lone_surrogates_are_an_arguments_error_everywhere(monitor, kb, call):
    with pytest.raises(ArgumentError, match="lone surrogate"):
        call(monitor, kb)


def test_the_advice_about_surrogates_works(monitor):
    report = monitor.check(SURROGATE.encode("utf-8", "replace").decode())
    assert report.text == "caf?"


@pytest.mark.parametrize("value", NO_TEXT, ids=repr)
def test_what_a_session_cannot_rest_on(monitor, value):
    calls = [
        lambda: monitor.session(evidence=value if not isinstance(value, list) else [value]),
        lambda: monitor.session(evidence=[value]),
        lambda: monitor.session(history=[value]),
        lambda: monitor.session(history=[("user", value)]),
        lambda: monitor.check(value),
    ]
    if value is not None:
        calls.append(lambda: monitor.session(question=value))
        calls.append(lambda: monitor.session(session_id=value))
    for call in calls:
        with pytest.raises(REFUSED):
            call()


def test_one_string_is_no_list_of_passages(monitor):
    for value in ("one passage", b"one passage"):
        with pytest.raises(ArgumentError, match="put the one string into a list"):
            monitor.session(evidence=value)


@pytest.mark.parametrize("value", [None, "1", 1.0, NAN, Odd(), [1]], ids=repr)
def test_what_is_no_token_id(monitor, value):
    session = monitor.session()
    with pytest.raises(ArgumentError, match="a token id is an integer"):
        session.push(value)
    with pytest.raises(ArgumentError, match="a token id is an integer"):
        monitor.guard().push(value)
    assert alive(session)


@pytest.mark.parametrize("value", [-1, 3, 2**32, HUGE, -HUGE])
def test_token_ids_beyond_the_vocabulary(monitor, value):
    session = monitor.session()
    with pytest.raises(UnknownTokenError, match="is not in the vocabulary"):
        session.push(value)
    (row,) = monitor.push_many([session], [value])
    assert isinstance(row, UnknownTokenError)
    assert alive(session)


@pytest.mark.parametrize("value", [-1, HUGE, 1.5, "1", NAN], ids=repr)
def test_numbers_that_count_nothing(monitor, kb, value):
    session = monitor.session()
    calls = [
        lambda: session.rollback(value),
        lambda: session.rollback(to=value),
        lambda: monitor.guard().push_text("x", now_ms=value),
        lambda: monitor.guard().poll(value),
        lambda: kb.facts(value),
        lambda: gw.Monitor(policy=gw.Policy(max_hold_tokens=value)),
        lambda: gw.Monitor(settings={"max_retained": value}),
    ]
    for call in calls:
        with pytest.raises(REFUSED):
            call()
    assert alive(session)


@pytest.mark.parametrize("value", [NAN, float("inf"), -0.1, 1.1, "1", None, HUGE], ids=repr)
def test_what_is_no_probability(monitor, value):
    rule = {"id": "r", "literals": ["x"], "message": "m", "confidence": value}
    calls = [
        lambda: gw.Monitor(rules=[rule]),
        lambda: gw.kl_bernoulli(value, 0.5),
        lambda: gw.budget(p0=value, p1=0.5, target=0.9),
        lambda: monitor.session().resolve("c", gw.Verdict(status="supported", p0=(0.1, value))),
        lambda: gw.Monitor(settings={"budget_target": value}),
    ]
    for call in calls:
        with pytest.raises(REFUSED):
            call()


@pytest.mark.parametrize("value", [0.5, "ab", (0.1,), (0.1, 0.2, 0.3), b"ab"], ids=repr)
def test_bounds_that_are_none(value):
    with pytest.raises(ArgumentError, match="bounds are two numbers"):
        gw.Verdict(status="supported", p1=value).to_json()


@pytest.mark.parametrize("value", [None, b"x", 1, "supported", Odd()], ids=repr)
def test_answers_that_are_none(monitor, value):
    session, guard = monitor.session(), monitor.guard()
    for call in (
        lambda: session.resolve("c", value),
        lambda: session.report(None, [value]),
        lambda: guard.resolve("c", value),
        lambda: guard.report_findings(None, [value]),
        lambda: gw.judge([value]),
    ):
        with pytest.raises(ArgumentError, match=r"groundwire\.(Verdict|Finding)"):
            call()
    assert alive(session)


@pytest.mark.parametrize("value", [1, b"x", SURROGATE, Odd()], ids=ascii)
def test_parts_of_a_monitor_that_are_none(value):
    for part in ("policy", "profiles", "settings", "rules", "kb"):
        with pytest.raises((*REFUSED, UnicodeEncodeError)):
            gw.Monitor(**{part: value})
    with pytest.raises(REFUSED):
        gw.Monitor(profiles=[value])
    with pytest.raises(REFUSED):
        gw.Monitor(settings={"max_retained": value})
    with pytest.raises(REFUSED):
        gw.Policy(release=value).to_json()
        gw.Monitor(policy=gw.Policy(release=value))


def test_a_wrong_field_of_a_policy_names_itself():
    with pytest.raises(ArgumentError, match="'release' of a policy is of type str, not None"):
        gw.Policy(release=None)
    with pytest.raises(ArgumentError, match="'max_hold_ms' of a policy is of type int, not True"):
        gw.Policy(max_hold_ms=True)
    with pytest.raises(ArgumentError, match="setting 'budget_eps' cannot be 'small'"):
        gw.Monitor(settings={"budget_eps": "small"})
    with pytest.raises(GroundwireError, match=r"token.*claim.*response"):
        gw.Monitor(policy=gw.Policy(release="later"))


@pytest.mark.parametrize("value", [None, 5, "x", [1.0], Odd()], ids=repr)
def test_rows_and_scalars_that_are_none(monitor, value):
    session = monitor.session()
    with pytest.raises(REFUSED):
        session.observe(value)
    if value is not None:
        for name in ("logits", "signals", "top_logprobs"):
            if name == "top_logprobs" and value == [1.0]:
                continue
            with pytest.raises(REFUSED):
                session.push(0, **{name: value})
    assert alive(session)


def test_not_a_number_among_signals_is_a_signal_not_a_fault(monitor):
    session = monitor.session()
    session.push(0, signals={"entropy": NAN})
    assert session.latched is None
    assert session.pushes == 1


@pytest.mark.parametrize("value", [None, 1, [1], [{}], [{"event": "none"}], [b"x"]], ids=repr)
def test_logs_that_are_none(monitor, value):
    with pytest.raises(REFUSED):
        monitor.replay(value)
