"""What the gateway's memory comes to once its streams have filled what they may keep.

Run: ``python benches/python/gateway_memory.py [--streams N] [--seconds S] [--rate R]``. Writes
``benches/results/gateway_memory.md``.

Upstream, gateway and client are those of ``bench_gateway.py``. A stream keeps its text and what is
to be known of it for a rollback, at most ``stream.max_retained`` bytes of it (a MiB by default),
beside at most 4,096 entries of its log and a few places a rollback restores. To come to these
limits within minutes, chunks have 16 sentences and the limit is the smallest there is, 16 KiB.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from itertools import pairwise
from typing import Any

from bench_gateway import PAGE, ROOT, TAIL_S, Side, asked, measure

TARGET = ROOT / "benches" / "results" / "gateway_memory.md"
RETAINED = 16 * 1024
PARTS = 12
FLAT = 1.05


def main() -> int:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rate", type=float, default=2.0, help="chunks a second and stream")
    given = asked(parser)
    from run_benches import header

    head = header(["python", "benches/python/gateway_memory.py", *sys.argv[1:]])
    side = measure(
        "gateway", given.streams, given.seconds, given.rate, whole=True, retained=RETAINED
    )
    TARGET.write_text(report(head, side, given), encoding="utf-8")
    print(f"written: {TARGET.relative_to(ROOT)}")
    return 0


def report(head: dict[str, Any], side: Side, given: Any) -> str:
    """Return the results as a page; of the samples, those in which all streams were open."""
    open_s = given.seconds / (given.seconds + TAIL_S)
    memory = side.memory[: int(len(side.memory) * open_s)]
    cuts = [len(memory) * i // PARTS for i in range(PARTS + 1)]
    medians = [statistics.median(memory[a:b]) / 2**20 for a, b in pairwise(cuts)]
    grown = medians[-1] / medians[PARTS // 2]
    told = "is flat from there on" if grown <= FLAT else "still grows there"
    each, machine = side.everything / given.streams, head["machine"]
    lines = [
        "# What the gateway's memory comes to",
        "",
        f"`{head['command']}` at commit `{head['commit']}`, on {machine['cores']} × "
        f"{machine['cpu']}, Python {machine['python']}.",
        "",
        f"{given.streams:,} streams at once, {given.rate:g} chunk(s) a second of {2 * PAGE} "
        f"sentences each, {given.seconds:g} seconds: {side.everything:,} chunks, {each:,.0f} a "
        "stream. The gateway is that of [gateway.md](gateway.md), with `stream.max_retained = "
        '"16KiB"`, the least there is.',
        "",
        "What grows with a stream is bounded, and far from its bounds in a minute: with every "
        "sentence a place that a rollback restores (some 5 KB, at most 16 recent ones and one for "
        "each 4 KiB), the log's entries (at most 4,096, and as many findings), the pushes and the "
        "text (`max_retained`, 1 MiB by default). A stream is full after thousands of "
        "sentences here, so that none of an ordinary length ever is.",
        "",
        f"Resident memory, median of each {PARTS}th of the run:",
        "",
        "| part of the run | MiB | KiB a stream beyond the first part |",
        "|---:|---:|---:|",
        *(
            f"| {i + 1} of {PARTS} | {one:.0f} | {(one - medians[0]) * 1024 / given.streams:.0f} |"
            for i, one in enumerate(medians)
        ),
        "",
        f"From the middle to the end of the run memory grew by {grown - 1:.1%}: it {told}.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
