"""Read labelled sets: JSONL files in the common form, HALLMARK and WiCE as their files stand.

The common form is one object a line: ``id``, ``set``, ``question``, ``evidence`` [{id, text}],
``kb`` [row], ``history`` [{role, text}], ``response``, ``hallucinated``, ``spans`` [{start, end,
type}] in code points of ``response``, and ``extra``. Only ``response`` and ``hallucinated`` are
required. Whatever is wrong is reported with file, line and field.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from groundwire.errors import ArgumentError, FormatError, NotFoundError
from groundwire.evaluate.extra import OneSet, check_extra
from groundwire.evaluate.forms import hallmark_record, wice_record
from groundwire.evaluate.lines import encodable, objects
from groundwire.evaluate.oddities import Oddities
from groundwire.evaluate.records import GoldSpan, Record

UNWANTED = "Unwanted"
OWN_FORMS = frozenset({"bibtex_key", "claim_tokens"})
"""Fields that only records in the form of HALLMARK, and of WiCE, have."""
FIELDS = ("id", "set", "question", "evidence", "kb", "history", "response", "hallucinated",
          "spans", "extra")  # fmt: skip


def read_folder(
    folder: str | Path,
    *,
    names: Sequence[str] = (),
    limit: int | None = None,
    warn: Callable[[str], None] | None = None,
) -> dict[str, list[Record]]:
    """Return the sets of a folder by file name without suffix, in alphabetical order.

    Args:
        folder: holds ``*.jsonl`` files, one set each.
        names: sets to read, by file name or by the ``set`` their records name; all by default.
        limit: records of a set at most; they are the first ones.
        warn: hears, in one line each with file and line, of ids that stand twice in a set and of
            fields nearly named as one beside them.

    Raises:
        ArgumentError: ``limit`` is no number from 1, or ``names`` no list of texts.
        NotFoundError: there is no such folder, no JSONL file in it, or no set of a name.
        FormatError: a line is not a record, or a set has none; the message names file and line.
        OSError: a file cannot be read.

    """
    _check_asked(names, limit)
    place = Path(folder)
    if not place.is_dir():
        raise NotFoundError(f"there is no folder {folder}; --data names a folder of JSONL files")
    files = sorted(place.glob("*.jsonl"))
    if not files:
        raise NotFoundError(f"{folder} holds no .jsonl file")
    found: dict[str, list[Record]] = {}
    wanted = set(names)
    seen: set[str] = set()
    for path in files:
        if not path.is_file():
            raise FormatError(f"{path.name} is no file; a set is a file of one record a line")
        seen.add(path.stem)
        if wanted and path.stem not in wanted:
            first = next(read_records(path), None)
            if first is None or first.set not in wanted:
                seen.update([] if first is None else [first.set])
                continue
        odd = Oddities(FIELDS)
        records = list(islice(read_records(path, odd), limit))
        for line in odd.lines():
            if warn is not None:
                warn(line)
        if not records:
            raise FormatError(f"{path.name} holds no record")
        found[path.stem] = records
        seen.add(records[0].set)
    for name in names:
        if name not in seen:
            raise NotFoundError(f"there is no set {name!r}; there are {', '.join(sorted(seen))}")
    return found


def _check_asked(names: Any, limit: Any) -> None:
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ArgumentError(f"limit is {limit!r:.40}; it is a number of records, at least 1")
    if (
        isinstance(names, str)
        or not isinstance(names, Sequence)
        or not all(isinstance(name, str) for name in names)
    ):
        raise ArgumentError(f"names is a list of names of sets, not {names!r:.60}")


def read_records(path: str | Path, odd: Oddities | None = None) -> Iterator[Record]:
    """Yield the records of a JSONL file; blank lines are passed over, ``odd`` hears of each record.

    Raises:
        FormatError: a line is not a record, or one of another set than the first; the message
            names file, line and field.
        OSError: the file cannot be read.

    """
    one = OneSet()
    for where, data in objects(path):
        found = record(data, where, Path(path).stem)
        named = not OWN_FORMS.isdisjoint(data) or data.get("set") is not None
        one.hear(found, where, named=named)
        if odd is not None:
            odd.hear(found, where, data if OWN_FORMS.isdisjoint(data) else None)
        yield found


def record(data: Mapping[str, Any], where: str = "record", stem: str = "own") -> Record:
    """Return one record of any of the three forms; raises ``FormatError`` naming ``where``."""
    if not isinstance(data, Mapping):
        raise FormatError(f"{where}: a record is an object, not {type(data).__name__}")
    if "bibtex_key" in data:
        return hallmark_record(data, where)
    if "claim_tokens" in data:
        return wice_record(data, where)
    return _common(data, where, stem)


def _common(data: Mapping[str, Any], where: str, stem: str) -> Record:
    for name in data:
        _known_field(name, data, where)
    response = _field(data, "response", str, where)
    label = data.get("hallucinated")
    if "hallucinated" not in data:
        raise FormatError(f"{where}: 'hallucinated' is missing; it is true or false")
    if not isinstance(label, bool):
        raise FormatError(f"{where}: 'hallucinated' is true or false, not {label!r:.40}")
    name = _field(data, "set", str, where, stem)
    spans = _spans(data, where, len(response))
    wanted = _wanted(spans)
    if wanted and not label:
        raise FormatError(
            f"{where}: 'spans' holds {len(wanted)}, but 'hallucinated' is false; an answer with a "
            "stretch that is not grounded is hallucinated: make it true, or take the spans out"
        )
    extra: Mapping[str, Any] = _field(data, "extra", dict, where, {})
    check_extra(extra, name, len(response), where)
    return Record(
        id=_name(data.get("id", where), f"{where}: 'id'"),
        set=name,
        response=response,
        hallucinated=label,
        spans=wanted,
        evidence=_evidence(data, where),
        kb=_rows(data, where),
        history=_turns(data, where),
        question=_field(data, "question", str, where, None),
        extra=extra,
        spans_labelled=bool(spans),
    )


def _known_field(name: str, data: Mapping[str, Any], where: str) -> None:
    """Refuse a field whose name is nearly one that is missing; others are the set's own."""
    if name in FIELDS:
        return
    near = difflib.get_close_matches(str(name).lower(), FIELDS, n=1, cutoff=0.8)
    if near and near[0] not in data:
        raise FormatError(f"{where}: the field {name!a:.40} is none; {near[0]!r} is meant?")


def _name(value: Any, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise FormatError(f"{where} is a name or a number, not {value!r:.40}")
    return encodable(str(value), where)


def _spans(data: Mapping[str, Any], where: str, size: int) -> list[GoldSpan]:
    spans = []
    for i, span in enumerate(_field(data, "spans", list, where, [])):
        place = f"{where}: spans[{i}]"
        if not isinstance(span, Mapping):
            raise FormatError(f"{place} is an object with 'start' and 'end', not {span!r:.40}")
        start, end = (_whole(span.get(key), place) for key in ("start", "end"))
        if end < start:
            raise FormatError(f"{place}: it ends ({end}) before it starts ({start})")
        if not 0 <= start < end <= size:
            raise FormatError(f"{place}: {start}..{end} does not lie in the response (0..{size})")
        kind = span.get("type") or ""
        if not isinstance(kind, str):
            raise FormatError(f"{place}: 'type' is a text, not {kind!r:.40}")
        spans.append(GoldSpan(start, end, encodable(kind, place)))
    return spans


def _whole(bound: Any, place: str) -> int:
    if not isinstance(bound, int) or isinstance(bound, bool):
        raise FormatError(f"{place}: 'start' and 'end' are whole numbers, not {bound!r:.40}")
    return bound


def _evidence(data: Mapping[str, Any], where: str) -> tuple[tuple[str, str], ...]:
    evidence: list[tuple[str, str]] = []
    for i, passage in enumerate(_field(data, "evidence", list, where, [])):
        if isinstance(passage, str):
            evidence.append((f"e{i}", encodable(passage, f"{where}: evidence[{i}]")))
        elif isinstance(passage, Mapping) and isinstance(passage.get("text"), str):
            place = f"{where}: evidence[{i}]"
            given = passage.get("id")
            name = f"e{i}" if given is None else _name(given, f"{place}: 'id'")
            evidence.append((name, encodable(passage["text"], place)))
        else:
            raise FormatError(f"{where}: evidence[{i}] is an object with a text 'text'")
    return tuple(evidence)


def _turns(data: Mapping[str, Any], where: str) -> tuple[tuple[str, str], ...]:
    history: list[tuple[str, str]] = []
    for i, turn in enumerate(_field(data, "history", list, where, [])):
        if not isinstance(turn, Mapping) or not isinstance(turn.get("text"), str):
            raise FormatError(f"{where}: history[{i}] is an object with 'role' and 'text'")
        role = turn.get("role", "user")
        if not isinstance(role, str):
            raise FormatError(f"{where}: history[{i}]: 'role' is a text, not {role!r:.40}")
        text = encodable(turn["text"], f"{where}: history[{i}]")
        history.append((encodable(role, f"{where}: history[{i}]"), text))
    return tuple(history)


def _rows(data: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], ...]:
    rows = _field(data, "kb", list, where, [])
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise FormatError(f"{where}: kb[{i}] is an object (a row), not {row!r:.40}")
        for column, value in row.items():
            if not any(c.isalnum() for c in str(column)):
                raise FormatError(
                    f"{where}: kb[{i}] has a column {column!a:.40}; a column's name needs a letter "
                    "or digit"
                )
            if not isinstance(value, str | int | float | None):
                raise FormatError(
                    f"{where}: kb[{i}] holds {type(value).__name__} in {column!a:.40}; a cell is "
                    "one value"
                )
            if isinstance(value, float) and not math.isfinite(value):
                raise FormatError(
                    f"{where}: kb[{i}] holds {value} in {column!a:.40}; write null where there is "
                    "no number"
                )
            encodable(f"{column}{value}", f"{where}: kb[{i}]")
    return tuple(rows)


def _wanted(spans: list[GoldSpan]) -> tuple[GoldSpan, ...]:
    """Drop what annotators of FaithBench marked as benign or questionable only.

    Its responses count as hallucinated where a span is ``Unwanted``, so the spans do too.
    """
    graded = any(s.type.startswith(("Benign", "Questionable", UNWANTED)) for s in spans)
    return tuple(s for s in spans if UNWANTED in s.type) if graded else tuple(spans)


_REQUIRED: Any = object()
_KINDS = {"str": "a text", "list": "a list", "dict": "an object"}


def _field(
    data: Mapping[str, Any], key: str, kind: type, where: str, default: Any = _REQUIRED
) -> Any:
    value = data.get(key)
    if value is None:
        if default is _REQUIRED:
            raise FormatError(f"{where}: there is no '{key}'")
        return default
    if not isinstance(value, kind):
        wanted = _KINDS[kind.__name__]
        raise FormatError(f"{where}: '{key}' is {wanted}, not {type(value).__name__}")
    return encodable(value, f"{where}: '{key}'") if isinstance(value, str) else value
