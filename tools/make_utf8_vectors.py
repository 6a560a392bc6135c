"""Writes tests/vectors/utf8.json: byte strings and the text Python's replacing decoder reads."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

PIECES = [
    b"a", b"\x80", b"\xbf", b"\xc0", b"\xc2", b"\xc3\xa9", b"\xe0\xa0", b"\xe0\x80",
    b"\xe2\x82\xac", b"\xed\xa0", b"\xed\x9f\xbf", b"\xf0\x90", b"\xf0\x80", b"\xf0\x9f\x98",
    b"\xf0\x9f\x98\x80", b"\xf4\x8f\xbf\xbf", b"\xf4\x90", b"\xf5", b"\xff", b"",
]  # fmt: skip


def main() -> None:
    """Every pair of telling pieces, and random runs of them."""
    rng = random.Random(7)
    cases = [a + b for a, b in itertools.product(PIECES, repeat=2)]
    cases += [b"".join(rng.choices(PIECES, k=rng.randint(3, 12))) for _ in range(200)]
    rows = [{"hex": c.hex(), "text": c.decode("utf-8", "replace")} for c in dict.fromkeys(cases)]
    path = Path(__file__).parents[1] / "tests" / "vectors" / "utf8.json"
    lines = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
