# --- detok
from collections.abc import Iterable
from os import PathLike
from typing import final

@final
class Vocab:
    @classmethod
    def from_json(cls, json: str | bytes) -> Vocab: ...
    @classmethod
    def from_entries(cls, entries: list[tuple[int, bytes, bool]]) -> Vocab: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Vocab: ...
    def to_bytes(self) -> bytes: ...
    def token_bytes(self, id: int) -> bytes: ...
    def special_content(self, id: int) -> bytes | None: ...
    def is_special(self, id: int) -> bool: ...
    def decode(self, ids: Iterable[int]) -> str: ...
    def decode_bytes(self, ids: Iterable[int]) -> bytes: ...
    @property
    def known(self) -> int: ...
    def __contains__(self, id: object, /) -> bool: ...
    def __len__(self) -> int: ...

@final
class Decoder:
    def __new__(cls, vocab: Vocab | None = None) -> Decoder: ...
    def push(self, id: int) -> str: ...
    def push_all(self, ids: Iterable[int]) -> str: ...
    def push_bytes(self, data: bytes) -> str: ...
    def finish(self) -> str: ...
    @property
    def pending(self) -> int: ...
    def __copy__(self) -> Decoder: ...
# --- end of detok

# --- entities

class EntityIndex:
    """Names and the entities they belong to; immutable, shared freely between threads.

    A name is compared in normalised form: case, diacritics, punctuation, possessive endings and
    a leading "the" do not matter.
    """

    @staticmethod
    def build(names: Iterable[tuple[str, int]]) -> EntityIndex:
        """Index (name, entity id) pairs; ids are 0..2**32-1, a name may have several."""

    @staticmethod
    def load(path: str | PathLike[str]) -> EntityIndex:
        """Memory-map an index written by `save`.

        Raises `FormatError` if the file is no index or is cut off, `OSError` if it cannot be
        read.
        """

    def save(self, path: str | PathLike[str]) -> None:
        """Write the index to `path`, replacing the file there in one step."""

    def lookup(self, name: str) -> tuple[str, list[int], list[int]]:
        """Return (kind, entity ids, distances).

        `kind` is "known", "near_miss" or "unknown". Near misses are the nearest eight, with their
        edit distances (optimal string alignment): at most 1 from 4 characters, 2 from 9.
        """

    def scan(self, text: str) -> list[tuple[int, int, str, list[int], list[int], int]]:
        """Return mentions as (start, end, kind, entity ids, distances, decided_at).

        Offsets count code points. `kind` may also be "common": a word that any text may hold, such
        as a month, a country or a large city.
        """

    @property
    def memory(self) -> int:
        """Bytes of the index."""

    def __len__(self) -> int:
        """Return the number of different normalised names."""

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
from collections.abc import Iterable, Mapping
from typing import Any, final

# --- patterns

@final
class RuleMatch:
    """One match of one rule."""

    @property
    def rule(self) -> str: ...
    @property
    def index(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def message(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def segment(self) -> str: ...
    @property
    def span(self) -> tuple[int, int]: ...
    @property
    def byte_span(self) -> tuple[int, int]: ...
    @property
    def decided_at(self) -> int: ...
    @property
    def truncated(self) -> bool: ...

@final
class LinguisticSignal:
    """One wording signal."""

    @property
    def kind(self) -> str: ...
    @property
    def strength(self) -> float: ...
    @property
    def text(self) -> str: ...
    @property
    def span(self) -> tuple[int, int]: ...
    @property
    def byte_span(self) -> tuple[int, int]: ...

@final
class Ruleset:
    """Rules compiled together; immutable, shared by threads and streams, picklable."""

    def __new__(cls, rules: str | Iterable[Mapping[str, Any]]) -> Ruleset: ...
    @classmethod
    def from_toml(cls, text: str) -> Ruleset: ...
    @classmethod
    def from_rules(cls, rules: Iterable[Mapping[str, Any]]) -> Ruleset: ...
    @classmethod
    def builtin(cls) -> Ruleset: ...
    def merge(self, other: Ruleset) -> Ruleset: ...
    def scan(self, text: str) -> list[RuleMatch]: ...
    def rules(self) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...

def linguistic_signals(text: str) -> list[LinguisticSignal]: ...
