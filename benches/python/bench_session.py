"""A push through Python, beside the floor of a method call that does nothing."""

from __future__ import annotations

from typing import Any

import groundwire as gw
import pytest

pytest.importorskip("pytest_benchmark")

PIECES = [("It is closed on Mondays and open on all other days. " * 20)[i : i + 4] for i in range(
    0, 1040, 4
)]
VOCAB = [(i, bytes([i]), False) for i in range(256)] + [(256, b"", True)]


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    return gw.Monitor(tokenizer=gw.Vocab.from_entries(VOCAB))


class Nothing:
    """The floor: a call through Python that returns one shared object."""

    def push_text(self, text: str) -> None:
        """Do nothing."""


def many(call: Any, *arguments: Any) -> None:
    for _ in range(1000):
        call(*arguments)


def test_floor_of_1000_calls(benchmark: Any) -> None:
    benchmark(many, Nothing().push_text, "")


def test_1000_reads_of_a_getter(benchmark: Any, monitor: gw.Monitor) -> None:
    session = monitor.session()
    benchmark(many, session.mark)


def test_1000_empty_text_pushes(benchmark: Any, monitor: gw.Monitor) -> None:
    session = monitor.session()
    benchmark(many, session.push_text, "")


def test_1000_empty_token_pushes(benchmark: Any, monitor: gw.Monitor) -> None:
    session = monitor.session()
    benchmark(many, session.push, 256)


def test_260_pieces_of_4_bytes(benchmark: Any, monitor: gw.Monitor) -> None:
    def run(session: Any) -> None:
        for piece in PIECES:
            session.push_text(piece)

    benchmark.pedantic(
        run, setup=lambda: ((monitor.session(),), {}), rounds=50, warmup_rounds=5
    )


def test_batch_of_32(benchmark: Any, monitor: gw.Monitor) -> None:
    sessions = [monitor.session() for _ in range(32)]
    ids = [97] * 32
    benchmark(monitor.push_many, sessions, ids)
