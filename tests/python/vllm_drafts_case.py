"""Runs prompts with n-gram drafts in the older runner, for ``test_vllm_drafts.py``: prints JSON.

vllm_drafts_case.py named|entry
"""

import json
import os
import sys
from typing import Any

import vllm_cases as cases
import vllm_mixed as mixed

TOKENS = 36
EVIDENCE = ["The Harbour Museum has 45 employees."]


def main() -> None:
    """Write checked, unchecked and guarded answers, or say why the engine did not start."""
    os.environ |= {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_USE_V2_MODEL_RUNNER": "0"}
    from vllm import SamplingParams
    from vllm.exceptions import VLLMValidationError

    import groundwire as gw
    from groundwire.integrations.vllm import GuardedLLM

    method = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4}
    llm = cases.started(
        sys.argv[1],
        speculative_config=method,
        num_gpu_blocks_override=32,
        max_model_len=256,
        disable_log_stats=False,
    )
    if llm is None:
        return
    asked = {"off": mixed.Asked(mixed.STAFF), "checked": mixed.Asked(mixed.STAFF, mixed.KB)}
    together = mixed.run(llm.llm_engine, asked, TOKENS)
    found: dict[str, Any] = {name: answers[0]["text"] for name, answers in together.items()}
    try:
        extra = {"groundwire": "nonsense"}
        llm.generate(["x"], SamplingParams(extra_args=extra), use_tqdm=False)
    except VLLMValidationError as error:
        found["bad argument"] = str(error)
    runner = llm.llm_engine.model_executor.driver_worker.worker.model_runner
    processors = runner.input_batch.logitsprocs
    loaded = [
        type(p).__name__ for p in (*processors.argmax_invariant, *processors.non_argmax_invariant)
    ]
    guarded = GuardedLLM(
        llm, gw.Monitor(tokenizer=llm.get_tokenizer(), reference_date="2026-05-01")
    )
    prompt = "Copy the sentence.\n" + f"{mixed.STAFF}\n" * 3
    params = SamplingParams(temperature=0.0, max_tokens=TOKENS)
    done: Any = guarded.generate(prompt, params, evidence=EVIDENCE)
    accepted = [m for m in llm.get_metrics() if m.name == "vllm:spec_decode_num_accepted_tokens"]
    found |= {
        "accepted": sum(m.value for m in accepted),
        "loaded": loaded,
        "guarded": done.text,
        "actions": [one.action for one in done.report.interventions],
    }
    print("RESULT", json.dumps(found))


if __name__ == "__main__":
    main()
