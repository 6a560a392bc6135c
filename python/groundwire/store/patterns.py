"""What keeps being found: ``/hallucination_patterns/{pattern_id}/`` (seed 000, "PathMap Schema").

::

    type, description, frequency, last_seen
    examples/{session_id}/{turn_id}/{idx}

A pattern is a type of finding, the rule that made it and the predicate it is about: ``pattern_id``
is the start of SHA-256 over these three, so that it is the same in every store. An example is the
finding's message, its quoted values masked unless the store was made with ``mask=False``; the
newest ``MAX_EXAMPLES`` are kept, each cut to ``MAX_EXAMPLE`` characters.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundwire._checks import whole_number, words
from groundwire.store.keys import join, split

if TYPE_CHECKING:
    from groundwire.findings import Claim
    from groundwire.store.base import Store

ROOT = "hallucination_patterns"
MAX_EXAMPLES = 5
MAX_EXAMPLE = 200

_ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of finding that was seen.

    Attributes:
        id: of type, rule and predicate; see the module.
        type: the seed's name of its types (``WrongAttribute``), others as they are.
        description: what it is, for people.
        frequency: how often it was found; a dropped turn still counts.
        last_seen: when, UTC, ISO 8601.
        examples: the newest ones, newest last.
    """

    id: str
    type: str
    description: str
    frequency: int
    last_seen: str
    examples: tuple[str, ...]


def pattern_id(type: str, rule: str, predicate: str) -> str:
    """Return the id of a pattern: 16 hexadecimal digits of SHA-256.

    The predicate counts in its normal form (:func:`normal`), so that "Works in" and "works_in" are
    one.
    """
    parts = "\x1f".join((type, rule, normal(predicate)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]


def normal(predicate: str) -> str:
    """Return a predicate in compatibility form (NFKC), case folded, words joined by ``_``."""
    folded = unicodedata.normalize("NFKC", predicate).casefold()
    return "_".join(folded.replace("_", " ").split())


def predicate_of(finding: Mapping[str, Any], claim: Claim | None) -> str:
    """Return what a finding is about: its own predicate, else its claim's, else nothing."""
    own = (finding.get("extra") or {}).get("predicate")
    if isinstance(own, str) and own:
        return own
    return (claim.predicate or "") if claim is not None else ""


def count(
    store: Store,
    findings: Iterable[Mapping[str, Any]],
    claims: Mapping[str, Claim],
    turn: tuple[str, str],
    time: str,
) -> Counter[str]:
    """Add a turn's findings to their patterns; return how often each was seen in it."""
    from groundwire.store.record import type_name

    seen: Counter[str] = Counter()
    for finding in findings:
        predicate = predicate_of(finding, claims.get(finding["claim_id"] or ""))
        name = pattern_id(finding["type"], finding["rule"], predicate)
        about = f", predicate {normal(predicate)}" if predicate and not store.mask else ""
        message = finding["masked_message"] if store.mask else finding["message"]
        store.put_all(
            {
                join(ROOT, name, "type"): type_name(finding["type"]),
                join(ROOT, name, "description"): (
                    f"{finding['type']}, rule {finding['rule'] or 'none'}{about}"
                ),
                join(ROOT, name, "frequency"): store.get(join(ROOT, name, "frequency"), 0) + 1,
                join(ROOT, name, "last_seen"): time,
            }
        )
        if message:
            index = seen[name]
            store.put(join(ROOT, name, "examples", *turn, index), message[:MAX_EXAMPLE])
        seen[name] += 1
    for name in seen:
        _cap(store, name, turn)
    return seen


def _cap(store: Store, name: str, newest: tuple[str, str]) -> None:
    """Drop the oldest examples beyond the limit; those of the turn just seen are the newest."""
    keys = sorted(
        store.keys(join(ROOT, name, "examples")),
        key=lambda key: _age(store, key, newest),
    )
    for key in keys[:-MAX_EXAMPLES]:
        store.delete(key)


def _age(store: Store, key: str, newest: tuple[str, str] | None) -> tuple[bool, str, int]:
    from groundwire.store.retention import recorded_at

    session_id, turn_id, index = split(key)[-3:]
    return (
        (session_id, turn_id) == newest,
        recorded_at(store, session_id, turn_id),
        int(index) if index.isdecimal() else 0,
    )


def patterns(store: Store, *, type: str | None = None, least: int = 1) -> list[Pattern]:
    """Return patterns, the most frequent first, then the last seen.

    Args:
        store: where.
        type: only those of this type, in either spelling.
        least: only those seen so often.

    """
    from groundwire.store.record import type_name

    if type is not None:
        words(type, "type")
    whole_number(least, "least", least=0)
    found = [_pattern(store, name) for name in store.children(join(ROOT)) if name.endswith("/")]
    wanted = None if type is None else type_name(type)
    kept = [p for p in found if p.frequency >= least and wanted in (None, p.type)]
    return sorted(kept, key=lambda p: (p.frequency, p.last_seen, p.id), reverse=True)


def _pattern(store: Store, step: str) -> Pattern:
    name = step.removesuffix("/")
    at = join(ROOT, name)
    examples = sorted(store.items(f"{at}/examples"), key=lambda pair: _age(store, pair[0], None))
    return Pattern(
        id=name,
        type=store.get(f"{at}/type", ""),
        description=store.get(f"{at}/description", ""),
        frequency=store.get(f"{at}/frequency", 0),
        last_seen=store.get(f"{at}/last_seen", ""),
        examples=tuple(str(text) for _, text in examples),
    )


def uncount(store: Store, seen: Mapping[str, int]) -> None:
    """Take a turn's share out of the frequencies, for it is recorded anew."""
    for name, times in seen.items():
        at = join(ROOT, name)
        left = store.get(f"{at}/frequency", 0) - times
        if left > 0:
            store.put(f"{at}/frequency", left)
        else:
            store.delete_prefix(at)


def drop_examples(store: Store, names: Sequence[str], turn: tuple[str, str]) -> None:
    """Drop a turn's examples of these patterns."""
    for name in names:
        store.delete_prefix(join(ROOT, name, "examples", *turn))


def drop_before(store: Store, time: str) -> int:
    """Drop patterns last seen before ``time``; return how many."""
    gone = 0
    for step in store.children(join(ROOT)):
        at = f"{join(ROOT)}/{step}".removesuffix("/")
        if store.get(f"{at}/last_seen", time) < time:
            store.delete_prefix(at)
            gone += 1
    return gone
