"""Files of thresholds: what they were chosen on stands in them.

``thresholds.json`` beside this file holds those that are shipped: chosen on the sets it names, by
the command it names. A record they were not chosen on gets them as they are; hashes tell which
those are.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from groundwire.errors import ArgumentError, FormatError
from groundwire.evaluate.calibration import Thresholds, group_hash
from groundwire.evaluate.lines import parse
from groundwire.evaluate.records import Record
from groundwire.evaluate.threshold_check import SCHEMA_VERSION, check_file

SHIPPED = Path(__file__).with_name("thresholds.json")
ANY = "*"
ABOUT = {
    "a set by its name": (
        "chosen on that set: span and flags by the highest F1; example by the highest F1 of those "
        "that flag 2 to 95 % of its answers; balanced by the highest balanced accuracy"
    ),
    ANY: (
        "for any other set: the upper median of what each set alone would choose, example and "
        "balanced by the highest balanced accuracy, kept where each set has 2 to 95 % of its "
        "answers flagged; left_out holds, by set, what is chosen without it and what that does on "
        "it: threshold, share of answers flagged, F1 of answers, balanced accuracy"
    ),
}
"""What stands in a file about its own thresholds."""
HASH_BYTES = 4
"""Of a record; 10,000 of them meet one of another 2,000 once in 200 times by chance."""


def record_hash(record: Record) -> bytes:
    """Return the hash of what a record says, its id and labels left out."""
    content = [
        record.response,
        [text for _, text in record.evidence],
        record.kb,
        record.history,
        record.question,
    ]
    body = json.dumps(content, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


def pack(records: Sequence[Record]) -> str:
    """Return the hashes of records as text: in order, joined, in base 64."""
    return _joined({record_hash(r) for r in records})


def unpack(text: str) -> set[bytes]:
    """Return what ``pack`` wrote; raises ``FormatError`` for anything else."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise FormatError(f"'records_seen' of a file of thresholds: {error}") from error
    return {data[i : i + HASH_BYTES] for i in range(0, len(data), HASH_BYTES)}


class ThresholdFile:
    """Thresholds by detector, mode and set, with what they were chosen on."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Hold the data of a file; raises ``FormatError`` as ``load`` does."""
        check_file(data, "this is no file of thresholds")
        self.data = data

    @classmethod
    def load(cls, path: str | Path = SHIPPED) -> ThresholdFile:
        """Read a file.

        Raises:
            FormatError: it is none of thresholds; the message names the place in it.
            OSError: it cannot be read.

        """
        place = Path(path)
        try:
            data = parse(place.read_text(encoding="utf-8"), place.name)
        except UnicodeDecodeError as error:
            raise FormatError(f"{place.name}: not UTF-8 at byte {error.start}") from error
        check_file(data, f"{place.name} is no file of thresholds")
        for name, part in data["data"].items():
            try:
                unpack(part.get("records_seen", ""))
            except FormatError as error:
                raise FormatError(f"{place.name}: data[{name!a:.40}]: {error}") from error
        return cls(data)

    def find(self, detector: str, mode: str, family: str) -> tuple[str, Thresholds] | None:
        """Return thresholds and the set they were chosen on: this one's, else all sets' (``*``).

        What a set could not choose, having no such labels, is that of all sets.
        """
        by_set = self.data["thresholds"].get(detector, {}).get(mode, {})
        if family not in by_set and ANY not in by_set:
            return None
        found = {**by_set.get(ANY, {}), **by_set.get(family, {})}
        found.pop("left_out", None)
        return family if family in by_set else ANY, Thresholds.from_dict(found)

    @cached_property
    def _seen(self) -> tuple[set[bytes], set[str]]:
        parts = self.data["data"].values()
        records = [unpack(part["records_seen"]) for part in parts if "records_seen" in part]
        # Files of before had the smallest hashes of the sources instead.
        sources = [set(part.get("sources", ())) for part in parts if "records_seen" not in part]
        return set().union(*records), set().union(*sources)

    def known(self, records: Sequence[Record]) -> list[bool]:
        """Say of each record whether the thresholds were chosen on it."""
        seen, sources = self._seen
        return [
            record_hash(r) in seen or (bool(sources) and f"{group_hash(r.group):016x}" in sources)
            for r in records
        ]

    def merged(
        self,
        chosen: Mapping[str, Mapping[str, Mapping[str, Thresholds]]],
        data: Mapping[str, Mapping[str, Any]],
        made_by: str,
    ) -> ThresholdFile:
        """Return this file with some detectors' thresholds put in the place of its own.

        What any thresholds of the result were chosen on counts for all of them.
        """
        kept = {k: v for k, v in self.data["thresholds"].items() if k not in chosen}
        parts = dict(self.data["data"])
        for name, part in data.items():
            old = parts.get(name, {}).get("records_seen", "")
            seen = unpack(old) | unpack(part["records_seen"])
            parts[name] = {**part, "records_seen": _joined(seen)}
        names = ", ".join(chosen)
        return ThresholdFile(
            {
                "schema_version": SCHEMA_VERSION,
                "about": ABOUT,
                "made_by": f"{self.data.get('made_by', '')}; those of {names}: {made_by}",
                "data": parts,
                "thresholds": kept | _plain(chosen),
            }
        )

    def save(self, path: str | Path) -> None:
        """Write the file."""
        body = json.dumps(self.data, indent=1, sort_keys=True)
        Path(path).write_text(body + "\n", encoding="utf-8")


def write(
    path: str | Path,
    chosen: Mapping[str, Mapping[str, Mapping[str, Thresholds]]],
    data: Mapping[str, Mapping[str, Any]],
    *,
    made_by: str,
    overwrite: bool = False,
    merge: bool = False,
) -> None:
    """Write thresholds by detector, mode and set; with ``merge`` into a file that is there.

    Raises ``ArgumentError`` if the file exists and neither ``overwrite`` nor ``merge`` is set,
    ``FormatError`` if the file to merge into is none of thresholds.
    """
    place = Path(path)
    if place.exists() and merge:
        ThresholdFile.load(place).merged(chosen, data, made_by).save(place)
        return
    if place.exists() and not overwrite:
        raise ArgumentError(f"{path} exists; name another file, or pass --overwrite or --merge")
    body = {
        "schema_version": SCHEMA_VERSION,
        "about": ABOUT,
        "made_by": made_by,
        "data": data,
        "thresholds": _plain(chosen),
    }
    ThresholdFile(body).save(place)


def _plain(
    chosen: Mapping[str, Mapping[str, Mapping[str, Thresholds]]],
) -> dict[str, dict[str, dict[str, Any]]]:
    return {
        detector: {
            mode: {name: _rounded(asdict(t)) for name, t in by_set.items()}
            for mode, by_set in by_mode.items()
        }
        for detector, by_mode in chosen.items()
    }


def _joined(hashes: set[bytes]) -> str:
    return base64.b64encode(b"".join(sorted(hashes))).decode("ascii")


def _rounded(data: dict[str, Any]) -> dict[str, Any]:
    def number(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: number(v) for k, v in value.items()}
        return float(f"{value:.12g}") if isinstance(value, float) else value

    return {key: number(value) for key, value in data.items() if value not in (None, {}, 0.0)}
