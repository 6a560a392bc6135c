"""Starts real servers on loopback for the tests: vLLM's own, groundwire's in it and before it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from vllm_cases import CACHE

SMALL = ("--max-model-len", "1024", "--max-num-seqs", "4", "--block-size", "32")
SMALL += ("--enforce-eager", "--dtype", "float32", "--kv-cache-memory-bytes", str(CACHE))
SMALL += ("--served-model-name", "small", "--seed", "0")
UPSTREAM = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]
GROUNDWIRE = [sys.executable, "-m", "groundwire"]


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def running(
    words: Sequence[str], port: int, folder: Path, health: str, seconds: float = 600
) -> Iterator[str]:
    """Start a server in a session of its own, wait until it answers, and end it afterwards."""
    log = folder / f"server-{port}.log"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            list(words), stdout=out, stderr=out, env=environment, start_new_session=True
        )
    url, until = f"http://127.0.0.1:{port}", time.monotonic() + seconds
    try:
        while True:
            tail = log.read_text(errors="replace")[-6000:]
            assert process.poll() is None, tail
            assert time.monotonic() < until, tail
            try:
                if httpx.get(url + health, timeout=5).status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.5)
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(60)
