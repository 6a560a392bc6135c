"""Tokens a second of a whole engine with the plugin, divided by those without it.

    OMP_NUM_THREADS=1 GROUNDWIRE_TEST_MODEL=FOLDER PYTHONPATH=python:tests/python \
        python benches/python/vllm_throughput.py [--rounds N] [--tokens N]

One engine answers the same prompts in three ways: with the plugin taken out of its list of logits
processors, so that it does what an engine without it does; with it and no request checked; with it
and every answer observed (text detectors, evidence). A round has each of them once, in an order
drawn by chance, so that whatever else the machine does falls on all three. (Two engines in
processes of their own were tried: what the system gave each of them differed by more.)

The ratio is the median of the rounds' ratios of tokens a second, which a single round that had to
wait moves little; its 95 % interval comes from 10,000 draws of as many rounds, with replacement
(percentile bootstrap). Beside it stands the same of the tokens a second of processor time, which
says more where others use the machine. Answers ignore their end, so that all are of one length, and
have to be the same tokens in all three ways. Writes the section "Throughput, end to end" of
``benches/results/vllm.md`` after every batch size. Nothing is judged by it: the noise is larger
than the cost.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "benches" / "results" / "vllm.md"
TITLE = "## Throughput, end to end"
SIZES = (1, 8, 32)
DRAWS = 10_000
BUSY = (
    " Many other programs used the machine: what is by the clock says little, and should be "
    "measured again on a quiet one."
)
EVIDENCE = [
    "The Harbour Museum was founded in 1987 by Ada Lind. It has 45 employees and is closed on "
    "Mondays. Admission costs 12 euros."
]
OBSERVED = {"groundwire": "observe", "groundwire_evidence": EVIDENCE}
SIDES = ("taken out", "loaded, unused", "observing")


class Seconds(NamedTuple):
    """What some answers took, by the clock and of the processor."""

    clock: float
    processor: float


class Engine:
    """An engine in this process whose plugin can be taken out and put back between answers."""

    def __init__(self, folder: str) -> None:
        """Start it; ``folder`` is for the configuration."""
        import vllm_cases as cases

        os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
        os.environ["VLLM_USE_V2_MODEL_RUNNER"] = "0"
        os.environ["GROUNDWIRE_CONFIG"] = str(cases.configured(Path(folder)))
        from vllm import LLM

        self._llm: Any = LLM(
            **cases.engine_arguments(
                logits_processors=[cases.PLUGIN],
                max_num_seqs=max(SIZES),
                num_gpu_blocks_override=640,
            )
        )
        self._plugin = cases.plugin(self._llm)
        runner = self._llm.llm_engine.model_executor.driver_worker.worker.model_runner
        self._batch = runner.input_batch

    def answer(self, side: str, size: int, tokens: int) -> tuple[Seconds, list[list[int]]]:
        """Answer ``size`` prompts; return what that took, and the ids."""
        from vllm import SamplingParams

        processors = self._batch.logitsprocs.non_argmax_invariant
        processors[:] = [one for one in processors if one is not self._plugin]
        if side != SIDES[0]:
            processors.append(self._plugin)
        # Only for processors of others does this runner keep up the outputs' ids.
        self._batch.logitsprocs_need_output_token_ids = side != SIDES[0]
        prompts = [f"Tell me about museum number {i} and its harbour." for i in range(size)]
        params = SamplingParams(
            temperature=0.0,
            max_tokens=tokens,
            ignore_eos=True,
            extra_args=OBSERVED if side == SIDES[2] else None,
        )
        began, busy = time.perf_counter(), time.process_time()
        done = self._llm.generate(prompts, params, use_tqdm=False)
        took = Seconds(time.perf_counter() - began, time.process_time() - busy)
        return took, [list(one.outputs[0].token_ids) for one in done]


def interval(ours: list[float], theirs: list[float]) -> str:
    """Return the ratio of tokens a second and its 95 % interval, as the table has it.

    ``ours`` and ``theirs`` are the seconds that the same tokens took with and without the plugin,
    by round.
    """
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    draw = random.Random(0)
    drawn = [statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(DRAWS)]
    cuts = statistics.quantiles(drawn, n=40, method="inclusive")
    return f"{statistics.median(ratios):.3f} ({cuts[0]:.3f} to {cuts[-1]:.3f})"


def compared(ours: list[Seconds], theirs: list[Seconds]) -> tuple[str, str]:
    """Return the ratios by the clock and of processor time, with their intervals."""
    clock = interval([one.clock for one in ours], [one.clock for one in theirs])
    return clock, interval([one.processor for one in ours], [one.processor for one in theirs])


def rounds(engine: Engine, size: int, tokens: int, count: int) -> dict[str, list[Seconds]]:
    """Answer in all ways, in turns; return what each took by round."""
    times: dict[str, list[Seconds]] = {side: [] for side in SIDES}
    wanted, draw = engine.answer(SIDES[0], size, tokens)[1], random.Random(size)
    for side in SIDES[1:]:
        engine.answer(side, size, tokens)
    for _ in range(count):
        for side in draw.sample(SIDES, len(SIDES)):
            took, written = engine.answer(side, size, tokens)
            assert written == wanted, f"{side}: other tokens, batch {size}"
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


def told(head: dict[str, Any], given: Any, began: float) -> list[str]:
    """Return what stands before the table, and its head; ``began`` is the load at the start."""
    import vllm

    machine, threads = head["machine"], os.environ.get("OMP_NUM_THREADS", "")
    return [
        f"`{head['command']}` at commit `{head['commit']}`, `OMP_NUM_THREADS={threads}`; vLLM "
        f"{vllm.__version__}, {machine['cores']} × {machine['cpu']}, Python {machine['python']}; "
        f"load average {began:.1f} at the start, {os.getloadavg()[0]:.1f} at the end.",
        "",
        f"{given.rounds} rounds of {given.tokens} tokens an answer, one engine, the ways in turns, "
        "prompts in the cache; tokens a second are medians of the rounds, the ratio is the median "
        f"of the rounds' ratios, its interval from {DRAWS:,} draws of rounds. All wrote the same "
        f"tokens. There is no gate on it.{BUSY if began > 2 * machine['cores'] else ''}",
        "",
        "| plugin | batch | without it, tokens/s | with it, tokens/s | ratio (95 % interval) | "
        "the same of processor time |",
        "|---|---|---|---|---|---|",
    ]


def main() -> int:
    """Measure, and write the section."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=64)
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tools"))
    from run_benches import header

    head = header(["python", "benches/python/vllm_throughput.py", *sys.argv[1:]])
    began = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(folder)
        table = []
        for size in SIZES:
            times = rounds(engine, size, given.tokens, given.rounds)
            for side in SIDES[1:]:
                clock, processor = compared(times[side], times[SIDES[0]])
                rates = [
                    size * given.tokens / statistics.median(one.clock for one in times[name])
                    for name in (SIDES[0], side)
                ]
                table.append(
                    f"| {side} | {size} | {rates[0]:.1f} | {rates[1]:.1f} | {clock} | {processor} |"
                )
                print(table[-1], flush=True)
            write([*told(head, given, began), *table])
    print(f"written: {TARGET.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
