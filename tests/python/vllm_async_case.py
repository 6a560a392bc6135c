"""Runs a prompt under asynchronous scheduling on a CPU, for ``test_vllm_async.py``: prints JSON.

vLLM switches that off on CPUs. Told otherwise, and given stand-ins for CUDA's events and streams
(which have nothing to wait for here), its older runner and scheduler run as they do on a GPU:
output lists end in placeholders until the tokens are there. For tests alone.

    vllm_async_case.py named|entry
"""

import contextlib
import json
import os
import sys
from typing import Any

import vllm_cases as cases


class Nothing:
    """An event or a stream: everything has happened already."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: True


def shim() -> None:
    """Let the engine schedule ahead on a CPU."""
    os.environ |= {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_USE_V2_MODEL_RUNNER": "0"}
    import torch
    from vllm.platforms.cpu import CpuPlatform

    torch.cuda.Event = torch.cuda.Stream = Nothing  # type: ignore[misc, assignment]
    torch.cuda.current_stream = lambda *_: Nothing()  # type: ignore[assignment]
    torch.cuda.stream = lambda _: contextlib.nullcontext()  # type: ignore[assignment]
    inner = CpuPlatform.check_and_update_config.__func__

    def outer(cls: Any, vllm_config: Any) -> None:
        inner(cls, vllm_config)
        vllm_config.scheduler_config.async_scheduling = True

    CpuPlatform.check_and_update_config = classmethod(outer)


def main() -> None:
    """Write answers side by side, or say why the engine did not start."""
    shim()
    from vllm import SamplingParams

    import groundwire.integrations.vllm.rows as rows

    seen: list[int] = []
    update = rows.Rows.update

    def watched(self: Any, given: Any) -> None:
        update(self, given)
        seen.extend(ids[-1] for _, ids in self.rows.values() if ids)

    rows.Rows.update = watched
    llm = cases.started(
        sys.argv[1], num_gpu_blocks_override=32, max_model_len=256, async_scheduling=True
    )
    if llm is None:
        return
    prompt = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"
    checked = {"groundwire": "default", "groundwire_kb": "museum"}
    params = [
        SamplingParams(temperature=0.0, max_tokens=36, extra_args=extra)
        for extra in (None, {"groundwire": "observe"}, checked)
    ]
    done = llm.generate([prompt] * len(params), params, use_tqdm=False)
    runner = llm.llm_engine.model_executor.driver_worker.worker.model_runner
    print(
        "RESULT",
        json.dumps(
            {
                "asynchronous": runner.use_async_scheduling,
                "placeholders": seen.count(-1),
                "texts": [o.outputs[0].text for o in done],
                "counts": dict(cases.plugin(llm).counts),
            }
        ),
    )


if __name__ == "__main__":
    main()
