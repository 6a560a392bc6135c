"""A small real model answers questions about a made-up museum, followed token by token.

Run it with ``make demo``. The model (SmolLM2, 135 million parameters) gets many things wrong;
the monitor knows the museum's knowledge base and the handbook pages shown to the model.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from live_view import DONE, STYLES, Answer, clip, follow, label, rank
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

import groundwire as gw

HERE = Path(__file__).parent / "harbourlight"
SYSTEM = "You answer questions about Harbourlight Maritime Museum."


@dataclass(frozen=True)
class Scene:
    """One question and what it shows."""

    question: str
    shows: str
    policy: gw.Policy
    sentences: int = 2
    wrong: tuple[tuple[str, str, str], ...] = ()
    """Words that are wrong, and whose attribute the knowledge base has: told where they stay."""


@dataclass(frozen=True)
class Row:
    """What was found, at which token, what was done about it or would be, and what instead."""

    finding: gw.Finding
    token: int
    done: str
    instead: str


WOULD = {"correct": "would be corrected", "flag": "would be flagged",
         "remove": "would be left out", "escalate": "would go to a person"}  # fmt: skip
USUAL = gw.Policy()
STRICT = gw.Policy(release="response", high="discard")
MARKED = gw.Policy(annotation="inline")
# fmt: off
SCENES = [
    Scene("saved", "A correct answer is left alone", USUAL),
    Scene(
        "museum-year", "Facts the knowledge base contradicts get the right value", USUAL,
        wrong=(("local artist", "Agnes Thorvald", "occupation"),),
    ),
    Scene(
        "fleet-years", "A wrong year, and a ship whose name is misspelt", USUAL,
        wrong=(("lifeboat", "Northern Wren", "kind"),),
    ),
    Scene(
        "ticket", "A museum whose name is misspelt, and a price that the evidence lacks", USUAL, 1,
        wrong=(("£1.50", "Day Ticket", "price"),),
    ),
    Scene("museum-children", "“Research suggests”, and no study named: marked", MARKED),
    Scene("studies", "Research that nobody named: hedged", USUAL, 3),
    Scene("email", "A strict policy discards an answer that leaves blanks", STRICT, 4),
]
# fmt: on
LIFT = "founding"
LIFTED = 3.0
LONGEST = 120


def main() -> int:
    """Run the scenes; return the exit code."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--model", default="smollm2", help="hub name, folder or GGUF file")
    arguments.add_argument("--threads", type=int, default=2, help="threads the model may use")
    given = arguments.parse_args()
    console = Console(highlight=False, soft_wrap=False)
    model, tokenizer = load(console, given.model, given.threads)
    kb = gw.KnowledgeBase.from_jsonl(HERE / "kb.jsonl")
    monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)
    asked = questions()
    legend(console)
    answers = [
        (scene, play(console, scene, asked[scene.question], model, tokenizer, monitor, kb))
        for scene in SCENES
    ]
    rows = [(scene.question, acted(answer)) for scene, answer in answers]
    rows.append((LIFT, lift(console, asked[LIFT], model, tokenizer, monitor, kb)))
    console.print(summary(rows))
    console.print(cost(answers))
    return 0


def load(console: Console, name: str, threads: int) -> tuple[Any, Any]:
    """Load the model, saying how long it took."""
    import torch
    from transformers.utils import logging

    from groundwire.integrations import models

    torch.set_num_threads(threads)
    logging.set_verbosity_error()
    warnings.filterwarnings("ignore")
    started = time.perf_counter()
    loading = f"Loading {name} (about half a minute) …"
    if console.is_terminal:
        with console.status(loading):
            loaded = models.load(name, bars=False)
    else:
        console.print(loading)
        loaded = models.load(name, bars=False)
    console.print(f"Model {name} loaded in {time.perf_counter() - started:.0f} s.", style="dim")
    return loaded


def questions() -> dict[str, dict[str, Any]]:
    """Return the example questions by id."""
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return {q["id"]: q for q in map(json.loads, lines)}


def handbook(names: list[str]) -> list[tuple[str, str]]:
    """Return handbook pages as evidence, without their headings."""
    pages = []
    for name in names:
        text = (HERE / "handbook" / f"{name}.md").read_text(encoding="utf-8")
        pages.append((name, text.partition("\n")[2].strip() if text.startswith("#") else text))
    return pages


def ask(
    question: dict[str, Any],
    model: Any,
    tokenizer: Any,
    monitor: gw.Monitor,
    *,
    sentences: int = 2,
    **more: Any,
) -> Iterator[Any]:
    """Stream the guarded answer to one question, a few sentences long."""
    from sentences import SentenceLimit
    from transformers import StoppingCriteriaList

    from groundwire.integrations.prompts import chat
    from groundwire.integrations.transformers import stream

    evidence = handbook(question["evidence"])
    return stream(
        model,
        tokenizer,
        chat(question["question"], evidence=evidence, system=SYSTEM),
        monitor=monitor,
        evidence=evidence,
        question=question["question"],
        do_sample=False,
        max_new_tokens=LONGEST,
        clock=None,  # the same answers on every machine, however slow
        stopping_criteria=StoppingCriteriaList([SentenceLimit(tokenizer, sentences)]),
        **more,
    )


def legend(console: Console) -> None:
    """Say what the colours mean."""
    if not console.is_terminal:
        console.print("[-taken back]  {+written by the guard}", markup=False)
        return
    line = Text("risk: ", style="dim")
    for tier in ("low", "medium", "high"):
        line.append(tier, STYLES[tier]).append("  ")
    line.append("taken back", "dim strike").append("  ").append(
        "written by the guard", "bold green"
    )
    console.print(line)


def play(
    console: Console,
    scene: Scene,
    question: dict[str, Any],
    model: Any,
    tokenizer: Any,
    monitor: gw.Monitor,
    kb: gw.KnowledgeBase,
) -> Answer:
    """Show one scene."""
    console.print()
    console.print(Rule(scene.shows, align="left", style="cyan"))
    pages = ", ".join(question["evidence"]) or "none"
    console.print(Text(f"{question['question']}", style="bold"), Text(f"(evidence: {pages})"))
    answer = follow(
        console,
        ask(question, model, tokenizer, monitor, policy=scene.policy, sentences=scene.sentences),
    )
    if answer.result is not None:
        console.print(Text("The reader gets: ", style="cyan") + Text(answer.result.text.strip()))
        if answer.result.reason == "length":
            console.print(f"(cut off at the limit of {LONGEST} tokens)", style="dim")
        for line in uncorrected(scene, answer.result.text, kb):
            console.print(Text("Not put right: ", style="cyan") + Text(line))
    return answer


def uncorrected(scene: Scene, text: str, kb: gw.KnowledgeBase) -> Iterator[str]:
    """Yield what the reader gets although the knowledge base has something else."""
    for words, name, attribute in scene.wrong:
        if words in text:
            value = told(kb, name, attribute)
            yield f"“{words}”; the knowledge base has {name}, {attribute}: {value}"


def told(kb: gw.KnowledgeBase, name: str, attribute: str) -> str:
    """Return what a knowledge base has for an attribute, its values with their units."""
    facts = (kb.get_entity(name) or {})["attributes"][attribute]
    return ", ".join(f"{fact['value']} {fact.get('unit') or ''}".strip() for fact in facts)


def lift(
    console: Console,
    question: dict[str, Any],
    model: Any,
    tokenizer: Any,
    monitor: gw.Monitor,
    kb: gw.KnowledgeBase,
) -> list[Row]:
    """Show what the evidence contributes to each sentence, in bits a token, and what is wrong."""
    console.print()
    title = "What the evidence contributes, in bits: not whether it is true"
    console.print(Rule(title, align="left", style="cyan"))
    console.print(Text(question["question"], style="bold"))
    events = ask(
        question, model, tokenizer, monitor, policy=gw.Policy.observe(), evidence_lift=True,
    )  # fmt: skip
    words: list[tuple[str, float]] = []
    answer = Answer()
    with console.status("writing it with and without the evidence …") as status:
        for event in events:
            answer.take(event)
            if event.kind == "token":
                bits = event.signals.lift_bits if event.signals else None
                words.append((event.piece, bits or 0.0))
                status.update(f"writing it with and without the evidence: {len(words)} tokens …")
    text = Text()
    for piece, bits in words:
        text.append(piece, "bold green" if bits > LIFTED else "")
    console.print(text)
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("sentence")
    table.add_column("lift", justify="right", no_wrap=True)
    table.add_column("a token", justify="right", no_wrap=True)
    table.add_column("it is worded")
    for sentence, bits in sentences(words):
        total, each = sum(bits), sum(bits) / len(bits)
        says = "after the evidence" if each > 1 else "by the model alone"
        table.add_row(clip(sentence, 60), f"{total:+.1f} bits", f"{each:+.2f}", says)
    console.print(table)
    console.print(
        Text("Most of it on: ", style="dim")
        + Text("  ".join(f"{word} {bits:+.1f}" for word, bits in strongest(words, 8)))
    )
    rows = [] if answer.result is None else judged(answer, answer.result.report, kb)
    console.print("Held against the knowledge base and the evidence, and only watched here:")
    for row in rows:
        line = Text(f"  {label(row.finding)}", style=STYLES[row.finding.tier])
        line.append(f" “{clip(row.finding.text, 36)}” → {row.done}", "not bold default")
        console.print(line.append(f": {row.instead}" if row.instead else ""))
    if not rows:
        console.print("  nothing found")
    return rows


def judged(answer: Answer, report: gw.Report, kb: gw.KnowledgeBase) -> list[Row]:
    """Return what is wrong in an answer that was only watched, and what would be done about it."""
    rows = []
    for action in gw.mitigate(report, kb=kb):
        if action.span is None:
            continue
        start, end = action.span
        about = [f for f in report.findings if f.span and f.span[0] < end and start < f.span[1]]
        finding = min(about, key=lambda f: (f.replacement != action.replacement, rank(f)))
        caught = answer.caught.get((finding.type, finding.text))
        token = caught.token if caught else answer.sampled
        rows.append(Row(finding, token, WOULD[action.kind.value], action.replacement or ""))
    return rows


def strongest(pieces: list[tuple[str, float]], count: int) -> list[tuple[str, float]]:
    """Return the words with the most bits, in the text's order; a word may be several tokens."""
    words: list[tuple[str, float]] = []
    for piece, bits in pieces:
        if words and not piece.startswith((" ", "\n")):
            before, sum_before = words.pop()
            words.append((before + piece, sum_before + bits))
        else:
            words.append((piece.strip(), bits))
    least = sorted((bits for _, bits in words), reverse=True)[:count][-1]
    return [(word.strip(".,"), bits) for word, bits in words if bits >= least]


def sentences(words: list[tuple[str, float]]) -> list[tuple[str, list[float]]]:
    """Collect the bits sentence by sentence."""
    found: list[tuple[str, list[float]]] = []
    text, bits = "", []
    for piece, value in words:
        text += piece
        bits.append(value)
        if piece.strip().endswith((".", "!", "?")):
            found.append((text.strip(), bits))
            text, bits = "", []
    return [*found, (text.strip(), bits)] if text.strip() else found


def acted(answer: Answer) -> list[Row]:
    """Return what was found in a guarded answer and done about it."""
    return [
        Row(finding, token, DONE[done.action], done.inserted)
        for done, finding, token in answer.done
    ]


def summary(answers: list[tuple[str, list[Row]]]) -> Table:
    """Return what was caught, at which token, and what was done."""
    table = Table(title="What was caught", title_justify="left", expand=False)
    table.add_column("question", style="dim")
    table.add_column("caught")
    table.add_column("token", justify="right")
    table.add_column("done")
    table.add_column("instead")
    for question, rows in answers:
        if not rows:
            table.add_row(question, "nothing", "", "left as it was", "")
        for i, row in enumerate(rows):
            what = Text(label(row.finding), style=STYLES[row.finding.tier])
            what.append(f": {clip(row.finding.text, 40)}", "not bold default")
            table.add_row(
                "" if i else question, what, str(row.token), row.done, clip(row.instead, 34)
            )
    return table


def cost(answers: list[tuple[Scene, Answer]]) -> str:
    """Return what the monitor cost, beside what the model cost."""
    results = [a.result for _, a in answers if a.result is not None]
    tokens = sum(r.sampled for r in results)
    guard = sum(r.guard_seconds for r in results) / tokens
    model = sum(r.model_seconds for r in results) / tokens
    middle = statistics.median(r.guard_seconds / r.sampled for r in results)
    return (
        f"{tokens} tokens. The guard took {guard * 1e6:.0f} µs a token (median answer "
        f"{middle * 1e6:.0f} µs), the model {model * 1e3:.1f} ms: {guard / model:.2%} of it."
    )


if __name__ == "__main__":
    sys.exit(main())
