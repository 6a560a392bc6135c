"""Guarded generation with transformers in a few lines.

Run: python examples/transformers_generate.py [model]   (default: smollm2)
"""

from __future__ import annotations

import sys
from pathlib import Path

import groundwire as gw
from groundwire.integrations.models import load
from groundwire.integrations.prompts import chat
from groundwire.integrations.transformers import generate

model, tokenizer = load(sys.argv[1] if len(sys.argv) > 1 else "smollm2")
kb = gw.KnowledgeBase.from_jsonl(Path(__file__).parent / "harbourlight" / "kb.jsonl")
monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)

answer = generate(
    model,
    tokenizer,
    chat("When was Skerrow Light built? Answer in one sentence."),
    monitor=monitor,
    max_new_tokens=60,
    do_sample=False,
)
print(answer.text)
for done in answer.report.interventions:
    print(f"{done.action}: {done.retracted!r} -> {done.inserted!r}")
