"""Streams made to break a session: it stays bounded, exact and alive."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

import groundwire as gw
from groundwire import errors

CAP = 64 * 1024


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    return gw.Monitor(
        tokenizer=gw.Vocab.from_entries([(i, bytes([i]), False) for i in range(256)]),
        settings={"max_retained": CAP},
    )


@pytest.mark.parametrize("piece", ["x", "é", "12 ", "“", "A ", "\u202e", "\x00", "🏛️", "a. ", "%"])
def test_endless_streams_stay_bounded(monitor: gw.Monitor, piece: str) -> None:
    session = monitor.session()
    for _ in range(60):
        session.push_text(piece * 4096)
    report = session.finish()
    assert len(report.text.encode()) <= CAP + 8192 + 4096 * len(piece.encode())
    if len(piece.encode()) * 60 * 4096 > CAP:
        assert report.truncated
    for finding in report.findings:
        if finding.span is not None and finding.span[0] >= 0:
            text = report.text[slice(*finding.span)]
            assert text.encode()[:512].startswith(finding.text.encode()[:256])


def test_a_token_costs_the_same_late_in_the_stream(monitor: gw.Monitor) -> None:
    def cost(session: object, count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            session.push_text("word")  # type: ignore[attr-defined]
        return time.perf_counter() - start

    session = monitor.session()
    early = min(cost(session, 5000) for _ in range(3))
    for _ in range(20):
        cost(session, 5000)
    late = min(cost(session, 5000) for _ in range(3))
    assert late < 10 * early + 0.05


def test_random_bytes_equal_any_cut(monitor: gw.Monitor) -> None:
    rng = random.Random(5)
    for _ in range(30):
        data = bytes(rng.choice(b"aZ. \n\"'0%\xc3\xa9\xe2\x82\xff([") for _ in range(400))
        whole = monitor.session()
        whole.push_bytes(data)
        cut = monitor.session()
        at = 0
        while at < len(data):
            size = rng.randint(0, 7)
            cut.push_bytes(data[at : at + size])
            at += size
        assert whole.finish().to_dict()["findings"] == cut.finish().to_dict()["findings"]
        assert whole.text == data.decode("utf-8", "replace") == cut.text


def test_rows_made_of_nonsense(monitor: gw.Monitor) -> None:
    session = monitor.session()
    for value in (np.nan, np.inf, -np.inf, 3e38, -3e38, 0.0, 1e-45):
        row = np.full(256, value, dtype=np.float32)
        session.push(65, logits=row)
        session.push(65, logits=row, prior_logits=row[::-1].copy())
    half = np.full(256, 6e4, dtype=np.float16)
    session.push(65, logits=half)
    report = session.finish()
    assert report.stats["invalid_rows"] >= 2
    report.to_json()


def test_random_calls_never_break_a_session(monitor: gw.Monitor) -> None:
    rng = random.Random(11)
    for _ in range(20):
        session = monitor.session(evidence=["It has 45 employees."])
        marks = [session.mark()]
        for _ in range(120):
            try:
                match rng.randrange(9):
                    case 0 | 1 | 2:
                        session.push_text(rng.choice(["It has ", "60 employees. ", "é", "", "Ab "]))
                    case 3:
                        session.push(rng.randrange(300))
                    case 4:
                        session.rollback(rng.randrange(8))
                    case 5:
                        session.add_evidence(rng.choice(["", "60 employees", "x" * 1000]))
                    case 6:
                        session.report(None, [gw.Finding(type="stream.x", byte_span=(0, 3))])
                    case 7:
                        session = session.fork()
                    case 8:
                        marks.append(session.mark())
                        session.rollback(to=rng.choice(marks))
            except errors.GroundwireError as error:
                assert not isinstance(error, errors.SessionLatched), error
        again = monitor.replay(session.events(), evidence=["It has 45 employees."])
        assert again.finish().to_dict()["findings"] == session.finish().to_dict()["findings"]
        assert session.latched is None
