"""What the knowledge base says stays good where passages are given beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

HOUSE = Path(__file__).parents[2] / "examples" / "harbourlight"
#: Ways to say a fact: by attribute, and for every other.
PHRASES: dict[str, tuple[str, ...]] = {
    "department": (
        "{name} works in {value}.",
        "{name} works in the {value} Department.",
        "{name} is part of the {value} team.",
    ),
    "role": ("{name} is the {value}.", "{name} works as {value}."),
    "joined": ("{name} joined in {value}.", "{name} joined the museum in {value}."),
    "email": ("{name}'s email address is {value}.", "You can reach {name} at {value}."),
    "location": ("{name} is located in {value}.", "You will find {name} in {value}."),
    "capacity": ("{name} holds {value} people.", "The capacity of {name} is {value}."),
    "opened": ("{name} opened in {value}.", "{name} was opened in {value}."),
    "employees": ("{name} has {value} employees.", "{value} people work in {name}."),
    "price": ("{name} costs {value}.",),
    "founded": ("{name} was founded in {value}.",),
    "built": ("{name} was built in {value}.",),
    "length": ("{name} is {value} long.",),
    "visitors": ("About {value} people visit {name}.",),
}
OTHER = ("The {attribute} of {name} is {value}.", "{name}'s {attribute} is {value}.")
ACTS = ("medium", "high", "critical")


def told() -> Iterator[str]:
    """True sentences, a fact of the base each."""
    for line in (HOUSE / "kb.jsonl").read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        for attribute, value in record["attributes"].items():
            fact = value if isinstance(value, dict) else {"value": value}
            shown = f"{fact['value']} {fact['unit']}" if "unit" in fact else fact["value"]
            for phrase in PHRASES.get(attribute, ()) + OTHER:
                words = {"name": record["name"], "attribute": attribute.replace("_", " ")}
                yield phrase.format(value=shown, **words)


def acting(report: gw.Report) -> list[tuple[str, str]]:
    return [(f.type, f.text) for f in report.findings if str(f.tier) in ACTS]


@pytest.mark.req("S0-005", "S0-022")
def test_what_the_base_says_needs_no_passage() -> None:
    kb = gw.KnowledgeBase.open(HOUSE / "kb.jsonl")
    texts = [path.read_text(encoding="utf-8") for path in sorted((HOUSE / "handbook").glob("*.md"))]
    monitor = gw.Monitor(kb=kb)
    sentences = list(told())
    wrong = []
    for sentence in sentences:
        without = gw.check(sentence, monitor=monitor)
        if acting(without):
            # A sentence that the generator makes of a value which does not fit it.
            continue
        found = gw.check(sentence, monitor=monitor, evidence=texts)
        lost = [
            str(after.status)
            for before, after in zip(without.claims, found.claims, strict=True)
            if str(before.status) == "supported" != str(after.status)
        ]
        if acting(found) or lost:
            wrong.append((sentence, acting(found), lost))
    assert len(sentences) > 500
    assert not wrong, wrong[:10]


@pytest.mark.req("S0-005", "S0-022")
def test_what_neither_says_is_found() -> None:
    kb = gw.KnowledgeBase.open(HOUSE / "kb.jsonl")
    texts = [path.read_text(encoding="utf-8") for path in sorted((HOUSE / "handbook").glob("*.md"))]
    for sentence in (
        "Priya Raman works in Education.",
        "Priya Raman joined in 1997.",
        "Priya Raman wrote four novels about beekeeping in the Andes.",
        "Harbourlight Maritime Museum was founded in 1934.",
        "About 310,000 people visit the museum every year.",
    ):
        assert acting(gw.check(sentence, kb=kb, evidence=texts)), sentence
