"""Runs a prompt in Model Runner V2 on a CPU, for ``test_vllm_v2.py``: prints JSON.

V2 needs Triton. Its interpreter runs the kernels on any machine, very slowly, once it is told that
there is a backend; this is for tests alone.
"""

import json
import math
import os
import sys
from types import SimpleNamespace
from typing import Any

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
    # The grammar's kernel has masks of integers, which the interpreter takes for addresses.
    from triton.runtime.interpreter import InterpreterBuilder, TensorHandle

    def as_flags(name: str, place: int) -> None:
        inner = getattr(InterpreterBuilder, name)

        def outer(self: Any, *given: Any) -> Any:
            listed = list(given)
            mask = listed[place]
            listed[place] = TensorHandle(mask.data.astype(bool), mask.dtype)
            return inner(self, *listed)

        setattr(InterpreterBuilder, name, outer)

    as_flags("create_masked_load", 1)
    as_flags("create_masked_store", 2)


def main() -> None:
    """Write four answers: unchecked, observed with signals, checked, and under a grammar."""
    shim()
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    from groundwire.integrations.vllm.datagrams import Receiver

    llm = LLM(
        **cases.engine_arguments(
            logits_processors=[cases.PLUGIN],
            num_gpu_blocks_override=32,
            max_model_len=128,
        )
    )
    prompt = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"
    checked = {"groundwire": "default", "groundwire_kb": "museum"}
    told = {"groundwire": "observe", "groundwire_signals": 1, "groundwire_id": "told"}
    params = [
        SamplingParams(
            temperature=0.0,
            max_tokens=int(sys.argv[1]),
            extra_args=extra,
            logprobs=20 if extra is told else None,
        )
        for extra in (None, told, checked, checked)
    ]
    params[3].structured_outputs = StructuredOutputsParams(
        regex=r"The Harbour Museum was founded in 1992\. It is open\."
    )
    receiver = Receiver(sys.argv[2])
    receiver.announce("told")
    step = llm.llm_engine.step

    def stepped() -> Any:
        found = step()
        # The system lets few messages wait.
        receiver.drain()
        return found

    llm.llm_engine.step = stepped
    done = llm.generate([prompt] * len(params), params, use_tqdm=False)
    readings = [receiver.take("told", i) for i in range(len(done[1].outputs[0].token_ids))]
    receiver.close()
    runner = llm.llm_engine.model_executor.driver_worker.worker.model_runner
    found = {
        "runner": type(runner).__module__,
        "texts": [o.outputs[0].text for o in done],
        "counts": dict(cases.plugin(llm).counts),
        "entropies": [None if one is None else one["entropy"] for one in readings],
        "expected": [
            sum(-math.exp(lp.logprob) * lp.logprob for lp in row.values())
            for row in done[1].outputs[0].logprobs
        ],
    }
    print("RESULT", json.dumps(found))


if __name__ == "__main__":
    main()
