"""Read labelled sets: JSONL files in the common form, HALLMARK and WiCE as their files stand.

The common form is one object a line: ``id``, ``set``, ``question``, ``evidence`` [{id, text}],
``kb`` [row], ``history`` [{role, text}], ``response``, ``hallucinated``, ``spans`` [{start, end,
type}] in code points of ``response``, and ``extra``. Only ``response`` and ``hallucinated`` are
required. Whatever is wrong is reported with file and line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.errors import FormatError, NotFoundError
from groundwire.evaluate.forms import hallmark_record, wice_record
from groundwire.evaluate.records import GoldSpan, Record

UNWANTED = "Unwanted"


def read_folder(
    folder: str | Path, *, names: Sequence[str] = (), limit: int | None = None
) -> dict[str, list[Record]]:
    """Return the sets of a folder by file name without suffix, in alphabetical order.

    Args:
        folder: holds ``*.jsonl`` files, one set each.
        names: sets to read, by file name or by the ``set`` their records name; all by default.
        limit: records of a set at most; they are the first ones.

    Raises:
        NotFoundError: there is no such folder, no JSONL file in it, or no set of a name.
        FormatError: a line is not a record, or a set has none; the message names file and line.
        OSError: a file cannot be read.

    """
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
        records: list[Record] = []
        for record in read_records(path):
            if limit is not None and len(records) >= limit:
                break
            records.append(record)
        if not records:
            raise FormatError(f"{path.name} holds no record")
        found[path.stem] = records
        seen.add(records[0].set)
    for name in names:
        if name not in seen:
            raise NotFoundError(f"there is no set {name!r}; there are {', '.join(sorted(seen))}")
    return found


def read_records(path: str | Path) -> Iterator[Record]:
    """Yield the records of a JSONL file; blank lines are passed over.

    Raises:
        FormatError: a line is not a record; the message names file, line and field.
        OSError: the file cannot be read.

    """
    place = Path(path)
    with place.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"{place.name}:{number}"
            if not line.strip():
                continue
            try:
                data = json.loads(line.decode("utf-8-sig"))
            except UnicodeDecodeError as error:
                raise FormatError(f"{where}: not UTF-8 at byte {error.start}") from error
            except json.JSONDecodeError as error:
                raise FormatError(f"{where}: not JSON: {error.msg}, column {error.colno}") from None
            except RecursionError as error:
                raise FormatError(f"{where}: nested too deeply") from error
            if not isinstance(data, Mapping):
                raise FormatError(f"{where}: a record is an object, not {type(data).__name__}")
            yield record(data, where, place.stem)


def record(data: Mapping[str, Any], where: str = "record", stem: str = "own") -> Record:
    """Return one record of any of the three forms; raises ``FormatError`` naming ``where``."""
    if "bibtex_key" in data:
        return hallmark_record(data, where)
    if "claim_tokens" in data:
        return wice_record(data, where)
    return _common(data, where, stem)


def _common(data: Mapping[str, Any], where: str, stem: str) -> Record:
    response = _field(data, "response", str, where)
    label = data.get("hallucinated")
    if not isinstance(label, bool):
        raise FormatError(f"{where}: 'hallucinated' is true or false, not {label!r:.40}")
    name = _field(data, "set", str, where, stem)
    spans = _spans(data, where, len(response))
    return Record(
        id=str(data.get("id", where)),
        set=name,
        response=response,
        hallucinated=label,
        spans=_wanted(spans),
        evidence=_evidence(data, where),
        kb=_rows(data, where),
        history=_turns(data, where),
        question=_field(data, "question", str, where, None),
        extra=_extra(data, where),
        spans_labelled=bool(spans),
    )


def _spans(data: Mapping[str, Any], where: str, size: int) -> list[GoldSpan]:
    spans = []
    for i, span in enumerate(_field(data, "spans", list, where, [])):
        place = f"{where}: spans[{i}]"
        if not isinstance(span, Mapping):
            raise FormatError(f"{place} is an object with 'start' and 'end', not {span!r:.40}")
        start, end = (_whole(span.get(key), place) for key in ("start", "end"))
        if not 0 <= start < end <= size:
            raise FormatError(f"{place}: {start}..{end} does not lie in the response (0..{size})")
        spans.append(GoldSpan(start, end, str(span.get("type") or "")))
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
            text = encodable(passage["text"], f"{where}: evidence[{i}]")
            evidence.append((str(passage.get("id", f"e{i}")), text))
        else:
            raise FormatError(f"{where}: evidence[{i}] is an object with a text 'text'")
    return tuple(evidence)


def _turns(data: Mapping[str, Any], where: str) -> tuple[tuple[str, str], ...]:
    history: list[tuple[str, str]] = []
    for i, turn in enumerate(_field(data, "history", list, where, [])):
        if not isinstance(turn, Mapping) or not isinstance(turn.get("text"), str):
            raise FormatError(f"{where}: history[{i}] is an object with 'role' and 'text'")
        text = encodable(turn["text"], f"{where}: history[{i}]")
        history.append((str(turn.get("role", "user")), text))
    return tuple(history)


def _rows(data: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], ...]:
    rows = _field(data, "kb", list, where, [])
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise FormatError(f"{where}: kb[{i}] is an object (a row), not {row!r:.40}")
        for column, value in row.items():
            if not isinstance(value, str | int | float | None):
                raise FormatError(
                    f"{where}: kb[{i}] holds {type(value).__name__} in {column!a:.40}; a cell is "
                    "one value"
                )
            encodable(f"{column}{value}", f"{where}: kb[{i}]")
    return tuple(rows)


def _extra(data: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return ``extra``; names in it that measures read have to be what they are in their sets."""
    extra: Mapping[str, Any] = _field(data, "extra", dict, where, {})
    for name in ("qi", "hi", "kbi"):
        if not isinstance(extra.get(name, False), bool):
            raise FormatError(f"{where}: extra.{name} is true or false, not {extra[name]!r:.40}")
    if not isinstance(extra.get("pair", 0), str | int):
        raise FormatError(f"{where}: extra.pair is a name or a number, not {extra['pair']!r:.40}")
    peers = extra.get("peers") or {}
    if not isinstance(peers, Mapping) or not all(
        isinstance(score, int | float | None) for score in peers.values()
    ):
        raise FormatError(f"{where}: extra.peers is an object of scores by name")
    return extra


def encodable(text: str, where: str) -> str:
    """Return a text; raises ``FormatError`` for a lone surrogate, which is no character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(f"{where}: a lone surrogate at character {error.start}") from None
    return text


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
