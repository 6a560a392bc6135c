"""Time in the plugin's hooks alone, over a made-up batch of the older runner: no model runs.

    GROUNDWIRE_TEST_MODEL=FOLDER PYTHONPATH=python:tests/python \
        python benches/python/vllm_hooks.py [STEPS]

The model's vocabulary and 49,152 logits a row are real; the text is prose that the evidence
supports, so that every row is followed and asked for and nothing is forced.
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
        return Stream(guard, monitor, loading.encoder(tokenizer))

    class Configuration:
        model_config = SimpleNamespace(logits_processors=["GroundwireLogitsProcessor"])

    loaded = SimpleNamespace(ends=frozenset((2,)), stop_id=None, open=opened, sender=lambda: None)
    loading.load = lambda _: loaded  # type: ignore[assignment]
    print("| batch | hooks, median ms | mean ms |\n|---|---|---|")
    for size in (1, 8, 32):
        config = Configuration()
        plugin = GroundwireLogitsProcessor(config, torch.device("cpu"), False)
        lists: list[list[int]] = [[] for _ in range(size)]
        added = [(row, None, None, out) for row, out in enumerate(lists)]
        plugin.update_state(SimpleNamespace(removed=[], added=added, moved=[]))
        logits, times = torch.zeros((size, 49152)), []
        for i in range(len(ids) - 1):
            for out in lists:
                out.append(ids[i])
            logits.zero_()
            logits[:, ids[i + 1]] = 5.0
            began = time.perf_counter()
            plugin.update_state(None)
            plugin.apply(logits)
            times.append(time.perf_counter() - began)
        assert not plugin.counts["faults"]
        assert not plugin.counts["unmonitored"]
        assert not plugin.counts["forced"]
        median, mean = statistics.median(times), statistics.fmean(times)
        print(f"| {size} | {median * 1e3:.3f} | {mean * 1e3:.3f} |", flush=True)


if __name__ == "__main__":
    main()
