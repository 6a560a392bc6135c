"""What the plugin costs in vLLM: time in its hooks divided by the time of a step.

    GROUNDWIRE_TEST_MODEL=FOLDER PYTHONPATH=python:tests/python \
        python benches/python/vllm_cost.py [STEPS]

The engine runs in this process, so that both are measured by one clock. Medians over at least STEPS
decoding steps (500), requests ignoring their end, after a warm-up. Where rows are sent, somebody
listens, and reads after every step.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SIZES = (1, 8, 32)
WARM_UP = 20
EVIDENCE = [
    "The Harbour Museum was founded in 1987 by Ada Lind. It has 45 employees and is closed on "
    "Mondays. Admission costs 12 euros."
]


def timed(plugin: Any, spent: list[float]) -> None:
    """Have the plugin's hooks add their seconds to the last of ``spent``."""
    for name in ("update_state", "apply"):
        inner = getattr(plugin, name)

        def outer(*given: Any, inner: Any = inner) -> Any:
            began = time.perf_counter()
            try:
                return inner(*given)
            finally:
                spent[-1] += time.perf_counter() - began

        setattr(plugin, name, outer)


def run(llm: Any, spent: list[float], size: int, steps: int, extra: Any) -> tuple[float, ...]:
    """Return medians of step, hooks and their ratio, and the ratio of the sums."""
    from vllm import SamplingParams

    engine, names = llm.llm_engine, []
    for i in range(size):
        names.append(f"{size}-{i}-{time.perf_counter_ns()}")
        own = extra and {**extra, "groundwire_id": names[-1]}
        params = SamplingParams(
            temperature=0.0, max_tokens=steps + WARM_UP, ignore_eos=True, extra_args=own
        )
        engine.add_request(names[-1], f"Tell me about museum number {i} and its harbour.", params)
    times: list[tuple[float, float]] = []
    while engine.has_unfinished_requests():
        spent.append(0.0)
        began = time.perf_counter()
        engine.step()
        times.append((time.perf_counter() - began, spent[-1]))
    times = times[WARM_UP:]
    ratio = statistics.median(hook / step for step, hook in times)
    step = statistics.median(step for step, _ in times)
    hook = statistics.median(hook for _, hook in times)
    return step, hook, ratio, sum(h for _, h in times) / sum(s for s, _ in times)


def main() -> None:
    """Print a table in Markdown."""
    import vllm_cases as cases

    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    folder = tempfile.TemporaryDirectory()
    socket = f"{tempfile.gettempdir()}/gw-cost-{os.getpid()}"
    os.environ["GROUNDWIRE_CONFIG"] = str(cases.configured(Path(folder.name), socket))
    from vllm import LLM

    from groundwire.integrations.vllm.datagrams import Receiver

    name = "groundwire.integrations.vllm:GroundwireLogitsProcessor"
    llm = LLM(
        **cases.engine_arguments(
            logits_processors=[name], max_num_seqs=32, num_gpu_blocks_override=640
        )
    )
    runner = llm.llm_engine.model_executor.driver_worker.worker.model_runner
    found = runner.input_batch.logitsprocs.non_argmax_invariant
    plugin = next(p for p in found if type(p).__name__ == "GroundwireLogitsProcessor")
    spent = [0.0]
    timed(plugin, spent)
    receiver = Receiver(socket)
    onward = llm.llm_engine.step

    def stepped() -> Any:
        found = onward()
        receiver.drain()
        return found

    llm.llm_engine.step = stepped
    observe = {"groundwire": "observe", "groundwire_evidence": EVIDENCE}
    guard = {**observe, "groundwire": "default"}
    rows = {"groundwire": "off", "groundwire_signals": 1}
    run(llm, spent, 4, 10, {**observe, **rows})
    print("| requests | batch | step, ms | hooks, ms | median ratio | ratio of sums |")
    print("|---|---|---|---|---|---|")
    for label, extra in (
        ("off", None),
        ("text detectors, evidence", observe),
        ("the same, notes forced", guard),
        ("rows read and sent", rows),
        ("text, rows, surprisal", {**observe, "groundwire_signals": 1}),
    ):
        for size in SIZES:
            step, hook, ratio, total = run(llm, spent, size, steps, extra)
            print(
                f"| {label} | {size} | {step * 1e3:.1f} | {hook * 1e3:.4f} | {ratio:.3%} | "
                f"{total:.3%} |",
                flush=True,
            )
    sender = plugin._meter._sender
    print(dict(plugin.counts), {"dropped": sender.dropped, "unheard": sender.unheard})
    receiver.close()


if __name__ == "__main__":
    main()
