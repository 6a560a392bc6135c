"""A stream without end: a million chunks through the command itself, in flat memory."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHUNKS = int(os.environ.get("GROUNDWIRE_SOAK", "1000000"))
TEXT = (
    "The museum stands at the harbour and shows how people sailed, fished and traded there. "
    "Visitors walk through the old halls, look at the boats and talk to those who built them."
)
WORDS = TEXT.split()
LEAST_MEMORY = 24 * 2**20


def event(choices: list[Any]) -> bytes:
    data = {"id": "s", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return b"data: " + json.dumps({**data, "choices": choices}).encode() + b"\n\n"


async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer any request with all chunks, many at once."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    turn = [{"index": 0, "delta": {"content": word + " "}, "finish_reason": None} for word in WORDS]
    block = b"".join(event([one]) for one in turn)
    sent = 0
    try:
        while sent + len(WORDS) <= CHUNKS:
            writer.write(block)
            await writer.drain()
            sent += len(WORDS)
        for one in turn[: CHUNKS - sent]:
            writer.write(event([one]))
        writer.write(event([{"index": 0, "delta": {}, "finish_reason": "stop"}]))
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()
    finally:
        writer.close()


@pytest.fixture
def upstream() -> Iterator[str]:
    loop = asyncio.new_event_loop()
    listening = socket.create_server(("127.0.0.1", 0))
    server = loop.run_until_complete(asyncio.start_server(endless, sock=listening))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"

    async def stop() -> None:
        server.close()
        await server.wait_closed()

    asyncio.run_coroutine_threadsafe(stop(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not Path("/proc").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("release", ["claim", "token"])
def test_a_million_chunks_in_flat_memory(upstream: str, tmp_path: Path, release: str) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text(
        f'[stream]\nrelease = "{release}"\n[serving]\ncontinuation = "none"\n'
        '[serving.timeouts]\ntotal = "2h"\n'
    )
    command = [sys.executable, "-m", "groundwire", "serve", "--upstream", upstream, "--port", "0"]
    process = subprocess.Popen(
        [*command, "--config", str(config)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert process.stderr is not None
    try:
        port = int(process.stderr.readline().partition(",")[0].rpartition(":")[2])
        began = time.perf_counter()
        memory, text = asyncio.run(read(port, process.pid))
        seconds = time.perf_counter() - began
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
    whole = (" ".join(WORDS) + " ") * (CHUNKS // len(WORDS) + 1)
    words = whole.split(" ", CHUNKS)[:CHUNKS]
    assert text == " ".join(words) + " "
    fifth = max(1, len(memory) // 5)
    most = [max(memory[at : at + fifth], default=0) for at in range(0, 5 * fifth, fifth)]
    told = ", ".join(f"{size / 2**20:.1f}" for size in most)
    # `-rP` shows it: the figures of `benches/results/gateway_memory.md`.
    print(f"{CHUNKS:,} chunks by {release} in {seconds:.0f} s; MiB at most, by fifths: {told}")
    assert most[4] - most[1] < LEAST_MEMORY, memory


async def read(port: int, pid: int) -> tuple[list[int], str]:
    """Read the answer; return the gateway's memory on the way, and the text."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Go on."}]}
    data = json.dumps(body).encode()
    head = f"POST /v1/chat/completions HTTP/1.0\r\nHost: x\r\nContent-Length: {len(data)}"
    writer.write(f"{head}\r\n\r\n".encode() + data)
    await reader.readuntil(b"\r\n\r\n")
    memory, parts, seen = [resident(pid)], [], 0
    while line := await reader.readline():
        start = line.find(b"data: {")
        if start < 0:
            continue
        found = json.loads(line[start + 6 :])
        assert "error" not in found, found
        parts += [choice["delta"].get("content", "") for choice in found["choices"]]
        seen += 1
        if seen % 200 == 0:
            memory.append(resident(pid))
    writer.close()
    return memory, "".join(parts)
