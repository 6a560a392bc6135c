"""A plain Python loop under guard: no framework but the model's own forward call.

Run: python examples/plain_loop.py [model]   (default: smollm2)
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

import groundwire as gw
from groundwire.integrations.models import load

model, tokenizer = load(sys.argv[1] if len(sys.argv) > 1 else "smollm2")
kb = gw.KnowledgeBase.from_jsonl(Path(__file__).parent / "harbourlight" / "kb.jsonl")
monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)
question = "When was Skerrow Light built? Answer in one sentence."
chat = [{"role": "user", "content": question}]
text = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
prompt = tokenizer.encode(text, add_special_tokens=False)


def next_token(ids: list[int]) -> tuple[int, torch.Tensor]:
    """Return the likeliest next token and the row it was chosen from."""
    with torch.no_grad():
        row = model(torch.tensor([ids])).logits[0, -1].float()
    return int(row.argmax()), row


for event in gw.guard(
    next_token, prompt, monitor=monitor, question=question, max_tokens=60,
    stop_ids=[tokenizer.eos_token_id],
):  # fmt: skip
    if event.kind == "release":
        print(event.text, end="", flush=True)
    elif event.kind == "rewind":
        print(f" [rewound to token {event.keep}]", end="", flush=True)
print()
