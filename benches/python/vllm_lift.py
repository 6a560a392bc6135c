"""What the second sequence of ``evidence_lift`` costs in front of vLLM.

    GROUNDWIRE_TEST_MODEL=FOLDER PYTHONPATH=python:tests/python \
        python benches/python/vllm_lift.py [TOKENS]

The same prompts are answered with and without it, in turns, in one engine. Seconds are those of the
whole generation, guard included; the median of three rounds after a warm-up.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from typing import Any

PASSAGE = (
    "The Harbour Museum was founded in 1987 by Ada Lind. It has 45 employees and is closed on "
    "Mondays. Admission costs 12 euros. The collection holds 3,400 paintings of ships. "
) * 4
ROUNDS = 3


def main() -> None:
    """Print a table in Markdown."""
    import vllm_cases as cases

    tokens = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    from vllm import LLM, SamplingParams

    import groundwire as gw
    from groundwire.integrations.vllm import GuardedLLM

    llm = LLM(**cases.engine_arguments(max_num_seqs=32))
    guarded = GuardedLLM(llm, gw.Monitor(tokenizer=llm.get_tokenizer()))
    params = SamplingParams(temperature=0.0, max_tokens=tokens, ignore_eos=True)

    def once(size: int, lift: bool) -> float:
        prompts: list[Any] = [
            f"{PASSAGE}\nWrite a letter, number {i}, about it.\n" for i in range(size)
        ]
        began = time.perf_counter()
        done: Any = guarded.generate(
            prompts,
            params,
            evidence=[PASSAGE],
            policy=gw.Policy.observe(),
            evidence_lift=lift,
        )
        took = time.perf_counter() - began
        assert all(len(one.tokens) == tokens for one in done)
        return took

    print("| answers | off, s | on, s | ratio |\n|---|---|---|---|")
    for size in (1, 4, 8):
        once(size, lift=True)
        times = [(once(size, lift=False), once(size, lift=True)) for _ in range(ROUNDS)]
        off, on = (statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(b / a for a, b in times)
        print(f"| {size} | {off:.2f} | {on:.2f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
