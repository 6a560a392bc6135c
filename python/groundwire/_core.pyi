# --- segment
from typing import Any

def segment(text: str, *, chunk: int | None = None) -> list[dict[str, Any]]:
    """Split `text` into lexemes, quantities, dates and sentences, in the order they close.

    Each is a dict with `event` (lexeme, quantity, date, sentence), `text`, `start` and `end`
    (code points), `byte_start` and `byte_end`, `decided_at` (code points) and its own fields:
    `kind` and `flags`; `kind`, `value`, `unit`, `decimals`, `approximate`; `year`, `month` 1..12,
    `day` 1..31, `weekday` 1 (Monday)..7, `minutes` since midnight; `kind`, `index`,
    `terminator`, `capped`. With `chunk` the text is fed that many characters at a time; the
    result is the same. Raises ArgumentError if `chunk` is 0.
    """

def convert_unit(value: float, source: str, target: str) -> float | None:
    """Express `value` of the unit `source` in the unit `target`; None if not comparable.

    Raises NotFoundError for a name that is no unit's.
    """
