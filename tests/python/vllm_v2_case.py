"""Runs a prompt in Model Runner V2 on a CPU, for ``test_vllm_v2.py``: prints JSON.

V2 needs Triton. Its interpreter runs the kernels on any machine, very slowly, once it is told that
there is a backend; this is for tests alone.
"""

import json
import os
import sys
from types import SimpleNamespace

import vllm_cases as cases


def shim() -> None:
    """Let vLLM believe in a Triton for CPUs, before it is imported."""
    os.environ |= {
        "TRITON_INTERPRET": "1",
        "VLLM_USE_V2_MODEL_RUNNER": "1",
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    }
    import triton.backends

    driver = SimpleNamespace(is_active=lambda: True)
    triton.backends.backends = {"cpu": SimpleNamespace(driver=driver, compiler=None)}


def main() -> None:
    """Write three answers: unchecked, checked, and ended by the reserved id."""
    shim()
    from vllm import LLM, SamplingParams

    llm = LLM(
        **cases.engine_arguments(
            logits_processors=["groundwire.integrations.vllm:GroundwireLogitsProcessor"],
            num_gpu_blocks_override=32,
            max_model_len=128,
        )
    )
    prompt = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"
    checked = {"groundwire": "default", "groundwire_kb": "museum"}
    params = [
        SamplingParams(temperature=0.0, max_tokens=int(sys.argv[1]), extra_args=extra)
        for extra in (None, {"groundwire": "observe"}, checked)
    ]
    done = llm.generate([prompt] * len(params), params, use_tqdm=False)
    runner = llm.llm_engine.model_executor.driver_worker.worker.model_runner
    plugin = next(
        p for p in runner.sampler.logits_processors if type(p).__name__.startswith("Groundwire")
    )
    found = {
        "runner": type(runner).__module__,
        "texts": [o.outputs[0].text for o in done],
        "counts": dict(plugin.counts),
    }
    print("RESULT", json.dumps(found))


if __name__ == "__main__":
    main()
