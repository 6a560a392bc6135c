"""Time in the plugin's hooks alone, over a made-up batch of the older runner: no model runs.

    GROUNDWIRE_TEST_MODEL=FOLDER PYTHONPATH=python:tests/python \
        python benches/python/vllm_hooks.py [STEPS]

The model's vocabulary and 49,152 logits a row are real; the text is prose that the evidence
supports, so that every row is followed and asked for and nothing is forced. With "rows", each row's
statistics are read too, and a copy is kept for the token's surprisal. OMP_NUM_THREADS=1 is what
vLLM's worker gives torch on a CPU; on a machine that others use the first decile says most.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from types import SimpleNamespace

import torch

TEXT = (
    "The Harbour Museum was founded in 1987 by Ada Lind. It has 45 employees and is closed on "
    "Mondays. Admission costs 12 euros. "
)


def main() -> None:
    """Print a table in Markdown."""
    from transformers import AutoTokenizer

    import groundwire as gw
    from groundwire.integrations.vllm import GroundwireLogitsProcessor, loading
    from groundwire.integrations.vllm.stream import Stream

    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    tokenizer = AutoTokenizer.from_pretrained(os.environ["GROUNDWIRE_TEST_MODEL"])
    monitor = gw.Monitor(tokenizer=tokenizer)
    ids = tokenizer.encode(TEXT * (steps // 30 + 2))[:steps]

    def opened(_: object) -> Stream:
        policy = gw.Policy.observe().to_json()
        guard = monitor.open_guard(
            [("leaflet", TEXT)], [], None, policy, None, None, None, appending=True
        )
        encode = loading.encoder(tokenizer)
        return Stream(guard, monitor, encode, reads=rows_read, sends="x" if rows_read else None)

    class Configuration:
        model_config = SimpleNamespace(logits_processors=["GroundwireLogitsProcessor"])

    loaded = SimpleNamespace(ends=frozenset((2,)), stop_id=None, open=opened, sender=lambda: None)
    loading.load = lambda _: loaded  # type: ignore[assignment]
    print("| what | batch | first decile, ms | median, ms | mean, ms |\n|---|---|---|---|---|")
    for rows_read, size in ((False, 1), (False, 8), (False, 32), (True, 1), (True, 8), (True, 32)):
        config = Configuration()
        plugin = GroundwireLogitsProcessor(config, torch.device("cpu"), False)
        lists: list[list[int]] = [[] for _ in range(size)]
        added = [(row, None, None, out) for row, out in enumerate(lists)]
        plugin.update_state(SimpleNamespace(removed=[], added=added, moved=[]))
        base = torch.randn((size, 49152), generator=torch.Generator().manual_seed(1))
        logits, times = base.clone(), []
        for i in range(len(ids) - 1):
            for out in lists:
                out.append(ids[i])
            logits.copy_(base)
            logits[:, ids[i + 1]] = 9.0
            began = time.perf_counter()
            plugin.update_state(None)
            plugin.apply(logits)
            times.append(time.perf_counter() - began)
        assert not plugin.counts["faults"]
        assert not plugin.counts["unmonitored"]
        assert not plugin.counts["forced"]
        median, mean = statistics.median(times), statistics.fmean(times)
        low = statistics.quantiles(times, n=10)[0]
        what = "text and rows" if rows_read else "text"
        print(
            f"| {what} | {size} | {low * 1e3:.3f} | {median * 1e3:.3f} | {mean * 1e3:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
