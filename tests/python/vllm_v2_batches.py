"""Mixed batches in Model Runner V2 on a CPU, for ``test_vllm_v2.py``: prints JSON.

    vllm_v2_batches.py mixed|drafts

With ``mixed``, requests join and leave an engine whose cache has room for two answers, so that some
are preempted; with ``drafts``, n-grams of the prompt are drafted and most of them accepted. Both
write the same requests alone first.
"""

import json
import sys
from typing import Any

import vllm_cases as cases
import vllm_mixed as mixed
import vllm_v2_case

TOKENS = 36
MIXED = {
    "off": mixed.Asked(mixed.LENT),
    "noted": mixed.Asked(cases.WRONG, mixed.KB),
    "given up": mixed.Asked(mixed.LIBRARY, mixed.KB, joins=1, leaves=6),
    "ended": mixed.REQUESTS["ended"]._replace(joins=2),
    "true": mixed.REQUESTS["true"]._replace(joins=3),
    "two": mixed.Asked(mixed.STAFF, mixed.KB, joins=8, more={"n": 2, "temperature": 0.01}),
}
ALONE = ("off", "observed", "noted", "ended")
DRAFTED = {
    "off": mixed.Asked(mixed.STAFF),
    "observed": mixed.Asked(mixed.STAFF, {**mixed.KB, "groundwire": "observe"}, joins=2),
    "noted": mixed.Asked(mixed.STAFF, mixed.KB, joins=3),
    "ended": mixed.REQUESTS["ended"],
}


def main() -> None:
    """Write the requests alone, then together."""
    vllm_v2_case.shim()
    from vllm import LLM

    drafts = sys.argv[1] == "drafts"
    asked = DRAFTED if drafts else MIXED
    given: dict[str, Any] = {"num_gpu_blocks_override": 6}
    if drafts:
        method = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4}
        given = {"num_gpu_blocks_override": 32, "speculative_config": method}
    llm = LLM(
        **cases.engine_arguments(
            logits_processors=[cases.PLUGIN],
            max_model_len=128,
            disable_log_stats=False,
            max_num_seqs=4,
            **given,
        )
    )
    engine = llm.llm_engine
    steps, inner = [0], engine.step

    def step() -> Any:
        steps[0] += 1
        return inner()

    engine.step = step
    alone = {
        name: mixed.run(engine, mixed.alone(one), TOKENS)["alone"]
        for name, one in asked.items()
        # The rest is given up, drawn by chance, or the same as another's.
        if name in ALONE
    }
    quiet, before = mixed.preemptions(llm.get_metrics()), steps[0]
    together = mixed.run(engine, asked, TOKENS)
    metrics = llm.get_metrics()
    accepted = [m for m in metrics if m.name == "vllm:spec_decode_num_accepted_tokens"]
    runner = engine.model_executor.driver_worker.worker.model_runner
    found = {
        "runner": type(runner).__module__,
        "alone": alone,
        "together": together,
        "steps": [before, steps[0] - before],
        "preempted": [quiet, mixed.preemptions(metrics)],
        "accepted": sum(m.value for m in accepted),
        "counts": dict(cases.plugin(llm).counts),
    }
    print("RESULT", json.dumps(found))


if __name__ == "__main__":
    main()
