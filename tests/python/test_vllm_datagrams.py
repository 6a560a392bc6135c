"""Numbers from the worker to the front end: nothing waits, and nothing that comes is believed."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations.vllm import arguments, datagrams
from groundwire.integrations.vllm.datagrams import Reading, Receiver, Sender, packed, unpacked

NUMBERS = {"entropy": 1.5, "varentropy": 0.25, "margin": 0.5, "confidence": 9.0}


@pytest.fixture
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A short path: a socket's has room for about a hundred bytes."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("s"))
    yield "signals"
    os.chdir(before)


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every socket that a test made."""
    made: list[socket.socket] = []
    real = socket.socket

    def remembered(*given_: int) -> socket.socket:
        made.append(real(*given_))
        return made[-1]

    monkeypatch.setattr(datagrams.socket, "socket", remembered)
    yield
    for one in made:
        one.close()


def test_what_is_sent_is_taken_by_id_and_position(path: str) -> None:
    receiver, sender = Receiver(path), Sender(path)
    assert Path(path).stat().st_mode & 0o777 == 0o600
    receiver.announce("a")
    receiver.announce("ü")
    sender.send([Reading("a", 0, NUMBERS), Reading("ü", 7, {"invalid": True})])
    sender.send([Reading("a", 0, {**NUMBERS, "margin": 0.75}), Reading("a", 1, NUMBERS)])
    sender.send([Reading("stranger", 0, NUMBERS)])
    assert receiver.take("a", 0) == {**NUMBERS, "margin": 0.75}
    assert receiver.take("a", 0) is None
    assert receiver.take("a", 1) == NUMBERS
    assert receiver.take("ü", 7) == {"invalid": True}
    assert (receiver.unknown, receiver.refused, sender.dropped, sender.unheard) == (1, 0, 0, 0)
    receiver.forget("a")
    sender.send([Reading("a", 2, NUMBERS)])
    assert receiver.take("a", 2) is None
    receiver.close()
    assert not Path(path).exists()


def test_nobody_there_is_harmless(path: str) -> None:
    sender = Sender(path)
    sender.send([Reading("a", 0, NUMBERS)] * 3)
    assert (sender.unheard, sender.dropped) == (3, 0)
    Receiver(path).close()
    sender.send([Reading("a", 0, NUMBERS)])
    assert sender.unheard == 4


def test_a_full_buffer_drops_and_counts(path: str) -> None:
    receiver, sender = Receiver(path, buffer=4096), Sender(path)
    receiver.announce("a")
    sent = 3000
    for i in range(sent):
        sender.send([Reading("a", i, NUMBERS)])
    assert sender.dropped > 0
    receiver.drain()
    kept = sum(receiver._open["a"].get(i) is not None for i in range(sent))
    assert kept == sent - sender.dropped
    # Once there is room, it goes on.
    sender.send([Reading("a", sent, NUMBERS)])
    assert receiver.take("a", sent) == NUMBERS


def test_a_requests_backlog_is_bounded(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagrams, "MAX_AHEAD", 5)
    receiver, sender = Receiver(path), Sender(path)
    receiver.announce("a")
    sender.send([Reading("a", i, NUMBERS) for i in range(9)])
    receiver.drain()
    assert receiver.unknown == 4
    assert receiver.take("a", 4) == NUMBERS
    assert receiver._open["a"] == {}


@given(
    st.lists(
        st.builds(
            Reading,
            st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60),
            st.integers(0, 2**32 - 1),
            st.just(NUMBERS) | st.just({"invalid": True}),
        ),
        max_size=400,
    )
)
def test_messages_are_bounded_and_come_back(readings: list[Reading]) -> None:
    sent = list(packed(readings))
    assert all(len(message) <= datagrams.MAX_MESSAGE for message, _ in sent)
    assert sum(count for _, count in sent) == len(readings)
    assert [one for message, _ in sent for one in unpacked(message)] == readings


@given(st.binary(max_size=200))
def test_no_bytes_break_the_receiver(data: bytes) -> None:
    for message in (data, datagrams.MAGIC + data):
        try:
            found = unpacked(message)
        except ValueError:
            continue
        for one in found:
            assert one.numbers.keys() in ({"invalid"}, NUMBERS.keys())


def test_what_no_worker_sends_is_refused(path: str) -> None:
    receiver = Receiver(path)
    receiver.announce("a")
    good = next(packed([Reading("a", 0, NUMBERS)]))[0]
    head = struct.Struct("<BBI4f")
    wrong = [
        b"",
        b"GWS2" + good[4:],
        good[:-1],
        good + b"x",
        datagrams.MAGIC + head.pack(1, 2, 0, 1, 1, 1, 1) + b"a",
        datagrams.MAGIC + head.pack(0, 0, 0, 1, 1, 1, 1),
        datagrams.MAGIC + head.pack(1, 0, 0, float("nan"), 1, 1, 1) + b"a",
        datagrams.MAGIC + head.pack(1, 0, 0, 1, float("inf"), 1, 1) + b"a",
        datagrams.MAGIC + head.pack(1, 0, 0, -1, 1, 1, 1) + b"a",
        datagrams.MAGIC + head.pack(1, 0, 0, 1, 1, 1.5, 1) + b"a",
        datagrams.MAGIC + head.pack(1, 0, 0, 1, 1, 1, 1) + b"\xff",
        datagrams.MAGIC * 4000,
    ]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as any_process:
        for message in wrong:
            any_process.sendto(message, path)
            receiver.drain()
        any_process.sendto(good, path)
    assert receiver.take("a", 0) == NUMBERS
    assert receiver.refused == len(wrong)


def test_one_listens_at_a_path_and_a_dead_socket_is_replaced(path: str) -> None:
    first = Receiver(path)
    with pytest.raises(ConfigError, match="another process listens"):
        Receiver(path)
    first._socket.close()
    Receiver(path).close()
    Path(path).write_text("a file of somebody")
    with pytest.raises(ConfigError, match="something else"):
        Receiver(path)
    assert Path(path).read_text() == "a file of somebody"
    for wrong in ("", "x" * 200, "a\0b"):
        with pytest.raises(ConfigError, match=r"serving\.signals_socket"):
            Sender(wrong)


def test_requests_ask_for_signals_by_a_flag_and_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from groundwire.config import Config
    from groundwire.integrations.serving import Registry

    def check(socket_path: str, **given: object) -> None:
        config = Config.load(serving={"signals_socket": socket_path, "requests_may_lower": True})
        registry = Registry.load(config)
        monkeypatch.setattr(arguments, "front", lambda: registry)
        arguments.validate(SimpleNamespace(extra_args=given))

    asked = {"groundwire": "off", "groundwire_signals": 1}
    check("/run/x", **asked, groundwire_id="r-1")
    check("", groundwire_signals=0)
    for where, given_, said in [
        ("", {**asked, "groundwire_id": "r"}, r"serving\.signals_socket"),
        ("/run/x", asked, "groundwire_id"),
        ("/run/x", {**asked, "groundwire_id": "ü" * 200}, "at most 255 bytes"),
        ("/run/x", {"groundwire_signals": "yes"}, "0 or 1"),
        ("/run/x", {"groundwire_signal": 1}, "groundwire_signals"),
    ]:
        with pytest.raises(ArgumentError, match=said):
            check(where, **given_)
