"""Time to read a batch of rows in isolation: the extension on the CPU, torch's operations anywhere.

    PYTHONPATH=python python benches/python/vllm_rows.py [ROUNDS]

OMP_NUM_THREADS=1 is what vLLM's worker gives torch on a CPU. On a machine with a CUDA device its
times are printed too, the copy to the host included. Best and median of ROUNDS (30) after two that
do not count: on a machine that others use, the best says more.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from groundwire.integrations.vllm import meter

SHAPES = ((1, 49_152), (8, 49_152), (32, 49_152), (32, 151_936))


def measured(call: Callable[[], Any], rounds: int) -> str:
    times = []
    for _ in range(rounds + 2):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    times = times[2:]
    return f"{min(times) * 1e3:.2f} | {statistics.median(times) * 1e3:.2f}"


def ways(x: torch.Tensor) -> Iterator[tuple[str, Callable[[], Any]]]:
    rows = list(range(x.shape[0]))
    yield "extension, one thread", lambda: meter.read_rows(x, rows)
    yield "torch on the CPU", lambda: meter.statistics(x).tolist()
    yield "copy of the rows", lambda: x.index_select(0, torch.tensor(rows))
    if torch.cuda.is_available():
        there = x.cuda()
        yield "torch on CUDA", lambda: meter.statistics(there).cpu().tolist()


def main() -> None:
    """Print a table in Markdown."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    print("| rows | how | best, ms | median, ms |\n|---|---|---|---|")
    for count, width in SHAPES:
        x = torch.randn((count, width), generator=torch.Generator().manual_seed(1)) * 3
        for label, call in ways(x):
            print(f"| {count} x {width} | {label} | {measured(call, rounds)} |", flush=True)


if __name__ == "__main__":
    main()
