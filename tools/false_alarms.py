r"""Count unknown-name findings on texts that are fine: each of them is a false alarm.

    python tools/false_alarms.py                 the project's own clean text
    python tools/false_alarms.py --data DIR      the clean answers of data sets in DIR as well

A text is checked in two ways: with its own source as evidence, and without, against a knowledge
base that knows none of its names, which is the worst case. (With neither evidence nor a knowledge
base, no name is reported.) Tokens are words and punctuation marks, ``\w+|[^\w\s]``.

``DIR`` holds JSONL files in the form of ``docs/evaluation.md``; clean records with evidence count.
They are read where they lie; nothing of them is copied, and nothing of them is printed unless
``--show`` asks.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import groundwire as gw
from groundwire.errors import FormatError
from groundwire.evaluate.data import read_records

ROOT = Path(__file__).resolve().parents[1]
CLEAN = ROOT / "tests" / "vectors" / "clean_text.txt"
TOKEN = re.compile(r"\w+|[^\w\s]")
STRANGER = {"name": "Quorvath Zellim", "attributes": {"founded": 1907}}
SOURCE = "Quorvath Zellim founded the mill in 1907."
TYPES = ("stream.unknown_entity", "dialogue.nonexistent_entity")

Case = tuple[str, tuple[str, ...]]
"""A text and its sources."""


def clean_cases(path: Path, limit: int | None = None) -> list[Case]:
    """Return the records of a data set that are labelled clean and have a source, each once.

    Raises ``FormatError`` naming file and line for what is no record.
    """
    cases: dict[Case, None] = {}
    for record in read_records(path):
        sources = tuple(text for _, text in record.evidence)
        if sources and not record.hallucinated:
            cases[record.response, sources] = None
        if limit is not None and len(cases) >= limit:
            break
    return list(cases)


def alarms(cases: Iterable[Case], *, evidence: bool) -> tuple[int, int, collections.Counter[str]]:
    """Return texts, tokens and the names found unknown: by the sources, or by a strange base."""
    kb = None if evidence else gw.KnowledgeBase.from_records([STRANGER])
    monitor = gw.Monitor(kb=kb)
    texts = tokens = 0
    names: collections.Counter[str] = collections.Counter()
    for text, sources in cases:
        texts += 1
        tokens += len(TOKEN.findall(text))
        report = monitor.check(text, evidence=sources if evidence else ())
        names.update(f.text for f in report.findings if f.type in TYPES)
    return texts, tokens, names


def row(name: str, given: str, found: tuple[int, int, collections.Counter[str]]) -> str:
    """Return one row of the table."""
    texts, tokens, names = found
    rate = 1000 * names.total() / tokens if tokens else 0.0
    return f"| {name} | {given} | {texts:,} | {tokens:,} | {names.total():,} | {rate:.2f} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; exit status 2 for a wrong folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of data sets")
    parser.add_argument("--show", type=int, default=0, help="commonest false alarms of each row")
    parser.add_argument("--limit", type=int, help="texts of a data set at most")
    arguments = parser.parse_args(argv)
    if arguments.show < 0:
        parser.error("--show is a number from 0")
    if arguments.limit is not None and arguments.limit < 1:
        parser.error("--limit is a number from 1")
    if arguments.data is not None and not arguments.data.is_dir():
        parser.error(f"{arguments.data} is not a folder")
    # The clean text has no source of its own: a passage about something else stands for one.
    own: list[Case] = [(CLEAN.read_text(encoding="utf-8"), (SOURCE,))]
    sets = {CLEAN.name: ("a passage about something else", own)}
    for path in sorted(arguments.data.glob("*.jsonl")) if arguments.data else ():
        try:
            cases = clean_cases(path, arguments.limit)
        except (FormatError, OSError) as error:
            parser.error(str(error))
        if cases:
            sets[path.name] = ("its sources", cases)
    print("| texts of | checked against | texts | tokens | false alarms | per 1,000 tokens |")
    print("|---|---|---:|---:|---:|---:|")
    for name, (given, cases) in sets.items():
        for label, evidence in ((given, True), ("a knowledge base of strangers", False)):
            found = alarms(cases, evidence=evidence)
            print(row(name, label, found), flush=True)
            for text, count in found[2].most_common(arguments.show):
                print(f"    {count:5} {text}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
