"""Makes ``rust/core/data/en/antonyms.tsv``: pairs of words that WordNet calls antonyms.

    apt-get install wordnet-base
    python tools/build_antonyms.py [FOLDER]

Reads ``data.noun``, ``data.verb``, ``data.adj`` and ``data.adv`` of WordNet 3.0 in FOLDER
(``/usr/share/wordnet``; the files' form is in wndb(5WN)) and keeps the pairs of lower-case single
words both of which ``words.txt`` holds. WordNet's licence stands in ``WORDNET-LICENSE.txt`` beside
the table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "rust" / "core" / "data" / "en"
HEADER = """\
# Words that WordNet 3.0 calls antonyms, a pair a line, made by tools/build_antonyms.py.
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. See WORDNET-LICENSE.txt.
"""
ANTONYM = "!"


def synsets(folder: Path) -> Iterator[tuple[tuple[str, str], list[str], list[list[str]]]]:
    """Yield each synset's key, words and pointers (symbol, offset, part of speech, words)."""
    for name in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{name}").read_text(encoding="ascii").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            words = [fields[4 + 2 * i].split("(")[0] for i in range(count)]
            at = 5 + 2 * count
            pointers = [fields[at + 4 * i : at + 4 * i + 4] for i in range(int(fields[at - 1]))]
            yield (fields[2].replace("s", "a"), fields[0]), words, pointers


def pairs(folder: Path, known: set[str]) -> list[tuple[str, str]]:
    """Return the pairs, each and all in alphabetical order."""
    held = {key: (words, pointers) for key, words, pointers in synsets(folder)}
    found = set()
    for words, pointers in held.values():
        for symbol, offset, part, places in pointers:
            if symbol == ANTONYM:
                other, _ = held[part.replace("s", "a"), offset]
                one, two = words[int(places[:2], 16) - 1], other[int(places[2:], 16) - 1]
                if {one, two} <= known and one != two:
                    found.add((min(one, two), max(one, two)))
    return sorted(found)


def main() -> None:
    """Write the table."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    lines = (DATA / "words.txt").read_text(encoding="utf-8").splitlines()
    known = {line for line in lines if line.isascii() and line.isalpha() and line.islower()}
    found = pairs(folder, known)
    text = HEADER + "".join(f"{one}\t{two}\n" for one, two in found)
    (DATA / "antonyms.tsv").write_text(text, encoding="utf-8")
    print(f"{len(found)} pairs")


if __name__ == "__main__":
    main()
