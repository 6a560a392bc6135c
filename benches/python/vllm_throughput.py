"""Tokens a second of a whole engine with the plugin, divided by those of one without it.

    OMP_NUM_THREADS=1 GROUNDWIRE_TEST_MODEL=FOLDER PYTHONPATH=python:tests/python \
        python benches/python/vllm_throughput.py [--rounds N] [--tokens N]

Two engines stay loaded in processes of their own, one without the plugin and one with it, and only
one of them works at a time. A round answers the same prompts once without the plugin, once with the
plugin loaded and unused, once with every answer observed (text detectors, evidence); which of the
three comes first changes with every round. So whatever else the machine does falls on all three.

The ratio is that of the tokens a second over all rounds; its 95 % interval comes from 10,000 draws
of as many rounds, with replacement (percentile bootstrap). Answers ignore their end, so that all
are of one length, and have to be the same tokens on all three sides. Writes the section
"Throughput, end to end" of ``benches/results/vllm.md``. Nothing is judged by it: the noise is
larger than the cost.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import statistics
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "benches" / "results" / "vllm.md"
TITLE = "## Throughput, end to end"
SIZES = (1, 8, 32)
DRAWS = 10_000
EVIDENCE = [
    "The Harbour Museum was founded in 1987 by Ada Lind. It has 45 employees and is closed on "
    "Mondays. Admission costs 12 euros."
]
OBSERVED = {"groundwire": "observe", "groundwire_evidence": EVIDENCE}
SIDES = ("without the plugin", "loaded, unused", "observing")
PLUGIN = "groundwire.integrations.vllm:GroundwireLogitsProcessor"


def engine(pipe: Connection, loads: bool, folder: str) -> None:
    """Be an engine: answer as asked until asked nothing; send seconds, tokens and faults."""
    import vllm_cases as cases

    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    os.environ["GROUNDWIRE_CONFIG"] = str(cases.configured(Path(folder)))
    from vllm import LLM, SamplingParams

    llm = LLM(
        **cases.engine_arguments(
            logits_processors=[PLUGIN] if loads else None,
            max_num_seqs=max(SIZES),
            num_gpu_blocks_override=640,
        )
    )
    pipe.send("ready")
    while (asked := pipe.recv()) is not None:
        size, tokens, extra = asked
        prompts = [f"Tell me about museum number {i} and its harbour." for i in range(size)]
        params = SamplingParams(
            temperature=0.0, max_tokens=tokens, ignore_eos=True, extra_args=extra
        )
        began = time.perf_counter()
        done = llm.generate(prompts, params, use_tqdm=False)
        took = time.perf_counter() - began
        pipe.send((took, [list(one.outputs[0].token_ids) for one in done]))


def interval(ours: list[float], theirs: list[float]) -> tuple[float, float, float]:
    """Return the ratio of tokens a second, and the bounds of its 95 % interval.

    ``ours`` and ``theirs`` are the seconds that the same tokens took with and without the plugin,
    by round; rounds are drawn as pairs.
    """
    pairs, draw = list(zip(ours, theirs, strict=True)), random.Random(0)

    def ratio(rounds: list[tuple[float, float]]) -> float:
        return sum(b for _, b in rounds) / sum(a for a, _ in rounds)

    drawn = [ratio(draw.choices(pairs, k=len(pairs))) for _ in range(DRAWS)]
    cuts = statistics.quantiles(drawn, n=40, method="inclusive")
    return ratio(pairs), cuts[0], cuts[-1]


def rounds(ask: Any, size: int, count: int) -> dict[str, list[float]]:
    """Answer by all sides in turns; return the seconds of each side by round."""
    times: dict[str, list[float]] = {side: [] for side in SIDES}
    said = [ask(side, size)[1] for side in SIDES]
    for number in range(count):
        for place in range(len(SIDES)):
            side = SIDES[(number + place) % len(SIDES)]
            took, tokens = ask(side, size)
            assert tokens == said[0] == said[1] == said[2], f"{side}: other tokens, batch {size}"
            times[side].append(took)
    return times


def write(lines: list[str]) -> None:
    """Replace this benchmark's section of the results, or add it at the end."""
    page = TARGET.read_text(encoding="utf-8").rstrip("\n") + "\n"
    section = "\n".join([TITLE, "", *lines]) + "\n"
    found = re.search(rf"^{re.escape(TITLE)}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if found is None:
        page = f"{page}\n{section}"
    else:
        behind = page[found.end() :]
        page = page[: found.start()] + section + (f"\n{behind}" if behind else "")
    TARGET.write_text(page, encoding="utf-8")


def main() -> int:
    """Measure, and write the section."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=64)
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tools"))
    import vllm
    from run_benches import header

    head = header(["python", "benches/python/vllm_throughput.py", *sys.argv[1:]])
    began, spawn, pipes = os.getloadavg()[0], multiprocessing.get_context("spawn"), []
    with tempfile.TemporaryDirectory() as folder:
        for loads in (False, True):
            mine, its = multiprocessing.Pipe()
            spawn.Process(target=engine, args=(its, loads, folder), daemon=True).start()
            its.close()
            assert mine.recv() == "ready"
            pipes.append(mine)

        def ask(side: str, size: int) -> Any:
            pipe = pipes[side != SIDES[0]]
            pipe.send((size, given.tokens, OBSERVED if side == SIDES[2] else None))
            return pipe.recv()

        table = []
        for size in SIZES:
            times = rounds(ask, size, given.rounds)
            rates = {side: size * given.tokens / statistics.median(times[side]) for side in SIDES}
            for side in SIDES[1:]:
                ratio, low, high = interval(times[side], times[SIDES[0]])
                table.append(
                    f"| {side} | {size} | {rates[SIDES[0]]:.1f} | {rates[side]:.1f} | "
                    f"{ratio:.3f} | {low:.3f} to {high:.3f} |"
                )
                print(table[-1], flush=True)
        for pipe in pipes:
            pipe.send(None)
    machine = head["machine"]
    write(
        [
            f"`{head['command']}` at commit `{head['commit']}`, `OMP_NUM_THREADS="
            f"{os.environ.get('OMP_NUM_THREADS', '')}`; vLLM {vllm.__version__}, "
            f"{machine['cores']} × {machine['cpu']}, Python {machine['python']}; load average "
            f"{began:.1f} at the start, {os.getloadavg()[0]:.1f} at the end.",
            "",
            f"{given.rounds} rounds of {given.tokens} tokens an answer, sides in turns, prompts in "
            "the cache; tokens a second are medians of the rounds, the ratio is over all rounds, "
            f"its interval from {DRAWS:,} draws of rounds. All sides wrote the same tokens. There "
            "is no gate on it.",
            "",
            "| plugin | batch | without it, tokens/s | with it, tokens/s | ratio | 95 % interval |",
            "|---|---|---|---|---|---|",
            *table,
        ]
    )
    print(f"written: {TARGET.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
