"""The day that counts as today: given, taken once, recorded (S0-053)."""

import datetime as dt

import pytest

import groundwire as gw
from groundwire import _core
from groundwire.errors import ArgumentError


@pytest.mark.req("S0-053")
def test_the_day_is_given_to_the_monitor_or_the_stream():
    monitor = gw.Monitor(reference_date="2025-03-01")
    assert monitor.session().reference_date == "2025-03-01"
    assert monitor.session(reference_date=dt.date(2024, 2, 29)).reference_date == "2024-02-29"
    assert monitor.today("2020-01-01") == "2020-01-01"


def test_without_one_it_is_the_utc_date_at_which_the_stream_opens():
    before = dt.datetime.now(dt.UTC).date().isoformat()
    session = gw.Monitor().session()
    after = dt.datetime.now(dt.UTC).date().isoformat()
    assert before <= session.reference_date <= after


@pytest.mark.req("S0-053")
def test_events_record_the_day_so_that_replay_is_exact():
    monitor = gw.Monitor()
    session = monitor.session(reference_date="2025-03-01")
    session.push_text("It opened last year. ")
    events = session.events()
    assert events[0] == {"event": "reference", "date": "2025-03-01"}
    again = monitor.replay(events)
    assert again.reference_date == "2025-03-01"
    assert again.events() == events
    # Events of a core session that has no day replay without one, or on the day given.
    assert monitor.replay(events[1:]).reference_date is None
    assert monitor.replay(events[1:], reference_date="2025-03-01").events() == events


def test_a_core_stream_without_a_day_is_judged_against_none():
    assert _core.CoreMonitor().open([], []).reference_date is None


@pytest.mark.parametrize(
    "bad", ["2025-02-30", "1 March 2025", "", 20250301, "20250301", "2025-3-1"]
)
def test_what_is_no_day_is_refused_by_name(bad):
    with pytest.raises(ArgumentError, match="reference_date"):
        gw.Monitor(reference_date=bad)
    with pytest.raises(ArgumentError, match="reference_date"):
        gw.Monitor().session(reference_date=bad)
    if isinstance(bad, str):
        with pytest.raises(ArgumentError, match="reference_date"):
            _core.CoreMonitor().open([], [], reference_date=bad)


def test_a_time_is_no_day():
    with pytest.raises(ArgumentError, match="without a time"):
        gw.Monitor(reference_date=dt.datetime(2025, 3, 1, 12, 0))
