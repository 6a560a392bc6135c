"""A plain Python loop under guard: no framework but the model's own forward call.

Run: python examples/plain_loop.py [model]   (default: smollm2)
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from transformers import DynamicCache

import groundwire as gw
from groundwire.integrations.models import load

model, tokenizer = load(sys.argv[1] if len(sys.argv) > 1 else "smollm2")
kb = gw.KnowledgeBase.from_jsonl(Path(__file__).parent / "harbourlight" / "kb.jsonl")
monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)
question = "When was Skerrow Light built? Answer in one sentence."
chat = [{"role": "user", "content": question}]
text = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
prompt = tokenizer.encode(text, add_special_tokens=False)


cache, fed = DynamicCache(), list[int]()


def next_token(ids: list[int]) -> tuple[int, torch.Tensor]:
    """Return the likeliest next token and the row it was chosen from."""
    same = next(
        (i for i, (a, b) in enumerate(zip(ids, fed, strict=False)) if a != b),
        min(len(ids), len(fed)),
    )
    keep = min(same, len(ids) - 1)  # after a rewind the ids are others; one is always fed
    if keep < len(fed):
        cache.crop(keep - len(fed))
    fed[:] = ids
    with torch.no_grad():
        row = model(torch.tensor([ids[keep:]]), past_key_values=cache).logits[0, -1].float()
    return int(row.argmax()), row


# A claim is held until it closes; what a slow machine needs for that is nothing to give up for.
policy = gw.Policy(max_hold_ms=120_000)
for event in gw.guard(
    next_token, prompt, monitor=monitor, question=question, max_tokens=60, policy=policy,
    stop_ids=[tokenizer.eos_token_id],
):  # fmt: skip
    if event.kind == "release":
        print(event.text, end="", flush=True)
    elif event.kind == "rewind":
        print(f" [rewound to token {event.keep}]", end="", flush=True)
print()
