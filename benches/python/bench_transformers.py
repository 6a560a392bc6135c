"""Tokens a second of the small model with and without the monitor, run side by side.

Run: ``python benches/python/bench_transformers.py [model] [--rounds N] [--tokens N]``. Writes
``benches/results/transformers.md`` with the command, the commit and the machine.

Every round writes the same answer three times, in turning order, so that a machine that others
use slows all alike: by ``model.generate``; by groundwire's loop with a guard that does nothing;
by the same loop with the monitor, its knowledge base, a passage and the rows of logits. What
counts is the median of the rounds' ratios. The guard's own time a token is measured inside,
around its calls.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch

import groundwire as gw
from groundwire.integrations import models, prompts
from groundwire.integrations._answer import Answer
from groundwire.integrations._decode import Decision, decode
from groundwire.integrations._settings import pad_left, prepare

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "harbourlight"
TARGET = ROOT / "benches" / "results" / "transformers.md"
AIM = 0.01
"""What the monitor may cost of the generation time (S4's aim with the small model)."""
BUDGET_S = 150.0
"""Seconds of measuring that no further round is expected to pass."""
SIDES = ("generate", "idle", "guarded")


class Idle:
    """A guard that looks at nothing."""

    def push(self, _token: int, **_rows: Any) -> Decision:
        return GO_ON

    def end(self) -> Decision:
        return GO_ON


GO_ON = Decision()


class Run(NamedTuple):
    """One answer: seconds in all, the guard's seconds of each token, the tokens."""

    seconds: float
    pushes: list[float]
    tokens: list[int]


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", nargs="?", default="smollm2")
    parser.add_argument("--rounds", type=int, default=9, help="most rounds")
    parser.add_argument("--tokens", type=int, default=64, help="tokens of each answer")
    parser.add_argument("--threads", type=int, default=2, help="threads of the model")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    print(f"loading {given.model}", flush=True)
    bench = Bench(*models.load(given.model), given.tokens)
    bench.once("guarded")
    rounds: list[dict[str, Run]] = []
    started = time.perf_counter()
    while len(rounds) < given.rounds:
        turn = len(rounds) % len(SIDES)
        found = {side: bench.once(side) for side in SIDES[turn:] + SIDES[:turn]}
        if len({tuple(run.tokens) for run in found.values()}) > 1:
            sys.exit("the sides wrote different tokens: there is nothing to compare")
        rounds.append(found)
        speeds = ", ".join(f"{s} {given.tokens / found[s].seconds:.1f}" for s in SIDES)
        print(f"round {len(rounds)}, tokens/s: {speeds}", flush=True)
        spent = time.perf_counter() - started
        if spent + spent / len(rounds) > BUDGET_S:
            break
    text = report(rounds, given, sys.argv[1:])
    TARGET.write_text(text, encoding="utf-8")
    print(text)


class Bench:
    """The model, the monitor and one question with its page of the handbook."""

    def __init__(self, model: Any, tokenizer: Any, tokens: int) -> None:
        self.model, self.tokenizer = model, tokenizer
        page = (EXAMPLE / "handbook" / "fleet.md").read_text(encoding="utf-8")
        self.page = page.partition("\n")[2].strip()
        self.question = "Tell me about the Petrel."
        self.ids = prompts.encode(tokenizer, prompts.chat(self.question, evidence=[self.page]))
        self.settings = {"max_new_tokens": tokens, "min_new_tokens": tokens, "do_sample": False}
        kb = gw.KnowledgeBase.from_jsonl(EXAMPLE / "kb.jsonl")
        self.monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)

    def once(self, side: str) -> Run:
        """Write one answer; opening the session is part of the monitor's time."""
        if side == "generate":
            return self.plain()
        ids, mask = pad_left([self.ids], self.tokenizer, self.model)
        started = time.perf_counter()
        prepared = prepare(self.model, ids, mask, self.settings)
        guard: Any = Idle() if side == "idle" else self.guard()
        events = decode(self.model, self.tokenizer, prepared, [guard])
        tokens = [token for event in events for token in event.tokens]
        seconds = time.perf_counter() - started
        return Run(seconds, list(getattr(guard, "seconds", [])), tokens)

    def guard(self) -> Answer:
        policy = gw.Policy.observe()
        opened = self.monitor.guard(evidence=[self.page], question=self.question, policy=policy)
        return Answer(opened, None)

    def plain(self) -> Run:
        ids, mask = pad_left([self.ids], self.tokenizer, self.model)
        started = time.perf_counter()
        out = self.model.generate(ids, attention_mask=mask, **self.settings)
        seconds = time.perf_counter() - started
        return Run(seconds, [], out[0, len(self.ids) :].tolist())


def report(rounds: list[dict[str, Run]], given: argparse.Namespace, arguments: list[str]) -> str:
    """Return the results file."""
    sys.path.insert(0, str(ROOT / "tools"))
    from run_benches import header

    # Where somebody keeps a model is nobody else's business.
    named = ["FOLDER" if Path(a).exists() else a for a in arguments]
    head = header(["python", "benches/python/bench_transformers.py", *named])
    host = head["machine"]
    pushes = sorted(s for found in rounds for s in found["guarded"].pushes)
    own = statistics.median(sum(f["guarded"].pushes) / f["guarded"].seconds for f in rounds)
    rows = [
        ("`model.generate`, median", speed(rounds, "generate", given.tokens)),
        ("the loop, nobody watching, median", speed(rounds, "idle", given.tokens)),
        ("the loop with the monitor, median", speed(rounds, "guarded", given.tokens)),
        ("time the monitor adds to the loop", added(rounds, "idle")),
        ("time loop and monitor add to `model.generate`", added(rounds, "generate")),
        ("the guard's own calls, median share of the time", f"{own:.2%}"),
        ("a token in the guard, median", micro(statistics.median(pushes))),
        ("a token in the guard, mean", micro(statistics.fmean(pushes))),
        ("a token in the guard, 99th percentile", micro(quantile(pushes, 0.99))),
    ]
    lines = [
        "# What the monitor costs a generation",
        "",
        f"`{head['command']}` at commit `{head['commit']}`, on {host['cores']} × {host['cpu']}, "
        f"Python {host['python']}, PyTorch {torch.__version__} with {given.threads} threads; load "
        f"average {os.getloadavg()[0]:.1f}.",
        "",
        f"SmolLM2 (135 million parameters, float32) writes {given.tokens} tokens three times in "
        f"each of {len(rounds)} rounds, greedily and in turning order. The monitor has the "
        "knowledge base of `examples/harbourlight`, a page of its handbook and every row of "
        "logits (49,152 values), and only observes. Added time: median of the rounds' ratios, "
        "with their quartiles.",
        "",
        "| | |",
        "|---|---:|",
        *(f"| {what} | {value} |" for what, value in rows),
        "",
        f"The aim, at most {AIM:.0%} of the generation time, is "
        f"{'met' if own <= AIM else 'missed'} by the guard's own calls. The ratios hold the "
        "machine's noise as well: quartiles on both sides of zero say that the difference is "
        "smaller than that noise.",
    ]
    if os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1):
        lines += ["", "Much else ran on the machine: on an idle one all of this is faster."]
    return "\n".join(lines) + "\n"


def speed(rounds: list[dict[str, Run]], side: str, tokens: int) -> str:
    return f"{tokens / statistics.median(f[side].seconds for f in rounds):.1f} tokens/s"


def added(rounds: list[dict[str, Run]], to: str) -> str:
    ratios = sorted(f["guarded"].seconds / f[to].seconds - 1 for f in rounds)
    low, high = quantile(ratios, 0.25), quantile(ratios, 0.75)
    return f"{statistics.median(ratios):+.1%} ({low:+.1%} … {high:+.1%})"


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs"


def quantile(ordered: list[float], share: float) -> float:
    """Return the value at ``share`` of sorted values, between neighbours in proportion."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


if __name__ == "__main__":
    main()
