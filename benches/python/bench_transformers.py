"""Tokens a second of the small model with and without the monitor.

Run: python benches/python/bench_transformers.py [model]. Writes
``benches/results/transformers.json`` with the command, the commit and both figures.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import torch

import groundwire as gw
from groundwire.integrations.models import load
from groundwire.integrations.transformers import generate

TOKENS = 64
ROUNDS = 3
PROMPT = "The harbour museum keeps old ships. Its history began when"


def main() -> None:
    """Measure alternately, so that a busy machine slows both alike; keep the best round."""
    torch.set_num_threads(2)
    name = sys.argv[1] if len(sys.argv) > 1 else "smollm2"
    model, tokenizer = load(name)
    monitor = gw.Monitor(tokenizer=tokenizer)
    settings = {"max_new_tokens": TOKENS, "min_new_tokens": TOKENS, "do_sample": False}
    ids = tokenizer(PROMPT, return_tensors="pt")
    plain, guarded, shares = [], [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        model.generate(**ids, **settings)
        plain.append(TOKENS / (time.perf_counter() - started))
        started = time.perf_counter()
        found = generate(
            model, tokenizer, PROMPT, monitor=monitor, policy=gw.Policy.observe(), **settings
        )
        guarded.append(found.sampled / (time.perf_counter() - started))
        shares.append(found.guard_seconds / found.model_seconds)
    result = {
        "command": "python benches/python/bench_transformers.py",
        "commit": _commit(),
        "tokens": TOKENS,
        "rounds": ROUNDS,
        "plain_tokens_per_second": max(plain),
        "guarded_tokens_per_second": max(guarded),
        "guard_share_of_model_time": min(shares),
    }
    target = Path(__file__).parents[1] / "results" / "transformers.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
