"""Knowledge that is asked while an answer is written: databases and RDF graphs too large to load.

``Lookup(source)`` is a detector: ``Monitor(detectors=[Lookup(SqlSource(url, table="staff"))])``. It
runs beside the stream on closed claims, asks the source for the name that a claim is about, and
judges the claim against what came back, as a loaded ``KnowledgeBase`` would.
"""

from __future__ import annotations

import dataclasses
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from groundwire._checks import seconds, whole_number
from groundwire._pool import Pool
from groundwire.errors import ArgumentError
from groundwire.findings import Claim, Finding
from groundwire.kb import KnowledgeBase
from groundwire.lexicon import Lexicon
from groundwire.lookup.sources import (
    MAX_RECORDS,
    BaseSource,
    RdfSource,
    Record,
    Source,
    SqlSource,
)
from groundwire.monitor import Monitor

__all__ = ["BaseSource", "Lookup", "RdfSource", "Source", "SqlSource"]

MAX_NAME = 200
"""Characters of the longest name that is asked for."""
_WORKERS = 4
_COMPARED = {"dialogue.wrong_attribute", "dialogue.contradicts_fact", "dialogue.fabricated_fact"}
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)

_OWNER = re.compile(r"(?:The|Our|Its|Their) [a-z][a-z -]* of (?:the )?([A-Z].*)", re.DOTALL)

_NOBODY = frozenset(
    (
        *("i", "you", "he", "she", "it", "we", "they", "this", "that", "these", "those", "there"),
        *("who", "what", "which", "one", "someone", "somebody", "everyone", "everybody"),
        *("anyone", "anybody", "nobody", "something", "everything", "nothing"),
    )
)

T = TypeVar("T")


class Lookup:
    """A detector that asks a source for what a claim is about, and compares.

    What came back for a name is kept for ``ttl_s``, at most ``cache`` names; a name is asked for
    once, however many streams mention it. A source that raises, or takes longer than
    ``timeout_s``, costs its own answer: the call is logged, counts as failed
    (``WatchedSession.failed``), and is noted once in a report (``stream.detector_failed``). One
    object may serve many monitors and threads.

    Findings are those of a knowledge base: ``dialogue.wrong_attribute``,
    ``dialogue.contradicts_fact``, ``dialogue.temporal_error`` against its dates and, for attributes
    that it lacks, ``dialogue.fabricated_fact``. With ``closed``, a name that it lacks is a
    ``dialogue.nonexistent_entity``.

    Args:
        source: a ``Source``, or a ``KnowledgeBase``.
        closed: whether the source is complete, so that what it lacks is false (U-7); ``True``, or
            the names of the attributes that are complete.
        lexicon: words to read with; see ``groundwire.lexicon.Lexicon``.
        cache: names kept, 1 or more.
        ttl_s: seconds for which an answer is kept, 0 or more.
        timeout_s: seconds that a claim waits for the source, above 0.

    Raises:
        ArgumentError: a value is out of range, or the source is none.

    """

    def __init__(
        self,
        source: Source | KnowledgeBase,
        *,
        closed: bool | Iterable[str] = False,
        lexicon: Any = None,
        cache: int = 1024,
        ttl_s: float = 300.0,
        timeout_s: float = 2.0,
    ) -> None:
        """Prepare; see the class."""
        if isinstance(source, KnowledgeBase):
            source = BaseSource(source)
        if not isinstance(source, Source) or not callable(source.find):
            raise ArgumentError(
                f"a source has a 'name' and find(name) that returns records; {source!r:.60} has not"
            )
        self.source = source
        self.name = f"lookup:{source.name}"
        self._closed = closed if isinstance(closed, bool) else tuple(closed)
        self._lexicon = None if lexicon is None else Lexicon.of(lexicon)
        self._ttl_s = seconds(ttl_s, "ttl_s")
        self._timeout_s = seconds(timeout_s, "timeout_s")
        self._found: _Cache[list[Record]] = _Cache(whole_number(cache, "cache", least=1))
        self._monitors: _Cache[Monitor] = _Cache(64)
        self._pool = Pool(_WORKERS, 4 * _WORKERS)

    def find(self, name: str) -> list[Record]:
        """Return what the source has under a name, from the cache where it was asked before.

        Raises:
            TimeoutError: the source did not answer in time, or too many calls of it still run.

        """
        key = " ".join(name.casefold().split())
        kept = self._found.get(key, self._ttl_s)
        if kept is not None:
            return kept
        found = self._bounded(lambda: list(islice(self.source.find(name), MAX_RECORDS)))
        self._found.put(key, found)
        return found

    def detect(self, claim: Claim, text: str) -> list[Finding]:
        """Return what the source says against the claim."""
        names = _names(claim)
        if not names:
            return []
        records = next(filter(None, map(self.find, names)), [])
        start, end = claim.byte_span
        data = text.encode()
        sentence = data[max(0, start - (end - len(data))) :].decode(errors="ignore")
        if not records:
            missing = _owner(names[0]) or names[0]
            return [self._absent(claim, missing)] if self._closed is True else []
        asked = claim.referent.name if claim.referent is not None else None
        report = self._monitor(records).check(sentence, question=asked)
        own = {c.id for c in report.claims if _alike(c, claim)}
        return [
            self._moved(finding, claim, start)
            for finding in report.findings
            if finding.claim_id in own
            and (finding.type in _COMPARED or finding.rule.startswith("known_"))
        ]

    def _bounded(self, call: Callable[[], list[Record]]) -> list[Record]:
        done = threading.Event()
        found: list[list[Record]] = []
        raised: list[BaseException] = []

        def run() -> None:
            try:
                found.append(call())
            except BaseException as error:
                raised.append(error)
            finally:
                done.set()

        if not self._pool.submit(run, self._timeout_s) or not done.wait(self._timeout_s):
            raise TimeoutError(f"{self.source.name} did not answer within {self._timeout_s:g} s")
        if raised:
            raise raised[0]
        return found[0]

    def _monitor(self, records: list[Record]) -> Monitor:
        key = json.dumps([*records], sort_keys=True, default=str)
        monitor = self._monitors.get(key, float("inf"))
        if monitor is None:
            kb = KnowledgeBase.from_records(_told_apart(records), source=self.source.name)
            if self._closed is True:
                kb.set_world(closed=True)
            elif self._closed:
                kb.set_world(attributes=list(self._closed))
            monitor = Monitor(
                kb=kb, profiles=("dialogue",), builtin_rules=False, lexicon=self._lexicon
            )
            self._monitors.put(key, monitor)
        return monitor

    def _moved(self, finding: Finding, claim: Claim, by: int) -> Finding:
        def shifted(span: tuple[int, int]) -> tuple[int, int]:
            return (span[0] + by, span[1] + by)

        return dataclasses.replace(
            finding,
            id="",
            span=None,
            byte_span=None if finding.byte_span is None else shifted(finding.byte_span),
            spans=tuple(map(shifted, finding.spans)),
            claim_id=claim.id,
            decided_at=claim.decided_at,
        )

    def _absent(self, claim: Claim, name: str) -> Finding:
        return Finding(
            type="dialogue.nonexistent_entity",
            system="dialogue",
            rule="lookup",
            text=claim.content,
            byte_span=claim.byte_span,
            claim_id=claim.id,
            decided_at=claim.decided_at,
            p_hallucinated=0.85,
            severity="high",
            status="not_in_context",
            content=name,
            message=f"{self.source.name} has nobody and nothing called '{name}'",
            detected=name,
            extra={"absence": True, "closed_world": True, "evidence_given": False},
        )


class _Cache(Generic[T]):
    """The last values by key, with when they were put in."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str, ttl_s: float) -> T | None:
        with self._lock:
            at, value = self._kept.get(key, (float("-inf"), None))
            if value is None or time.monotonic() - at > ttl_s:
                return None
            self._kept.move_to_end(key)
            return value

    def put(self, key: str, value: T) -> None:
        with self._lock:
            self._kept[key] = (time.monotonic(), value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def _names(claim: Claim) -> list[str]:
    """Names under which the claim's subject may be known, the likelier first."""
    said = claim.referent.name if claim.referent is not None else (claim.subject or "")
    whole = " ".join(said.split())
    named = any(c.isupper() for c in whole) and whole.casefold() not in _NOBODY
    if not named or len(whole) > MAX_NAME:
        return []
    bare = _ARTICLE.sub("", whole)
    return list(dict.fromkeys(filter(None, (whole, bare, _owner(whole)))))


def _owner(subject: str) -> str | None:
    """Return whose attribute is said, where no base has told that it is one.

    "The home depot of Falcon Express" is such a subject.
    """
    found = _OWNER.match(subject)
    return found[1] if found else None


def _alike(known: Claim, claim: Claim) -> bool:
    """Whether a claim that was read with the source's attributes is the one read without them.

    "has a maximum speed of" is of "top_speed" where no base has "max_speed_kmh".
    """
    if known.object != claim.object or known.polarity != claim.polarity:
        return False
    said, read = claim.subject or "", known.subject or ""
    return said == read or (bool(read) and said.endswith(f" of {read}"))


def _told_apart(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Yield the records with keys of their own: a source may have several of one name."""
    seen: set[str] = set()
    for number, record in enumerate(records):
        key = str(record.get("key") or record.get("name") or "")
        yield {**record, "key": f"{key}#{number}" if key in seen else key}
        seen.add(key)
