"""What in a bibliography entry cannot be, judged by the entry alone.

Forms: DOI names (ISO 26324: ``10.`` and a registrant's code, ``/``, a suffix), arXiv identifiers
(since April 2007 ``YYMM.number``; as DOI ``10.48550/arXiv.…``), check digits of ISBN (ISO 2108) and
ISSN (ISO 3297). Some publishers write a meeting's name and year into the suffix (IEEE
``CVPR52688.2022.00751``, ACL ``2021.acl-long.12``, AAAI's volume, which is the year less 1986).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib import resources
from typing import Any

from groundwire.citations.bibtex import Entry, Field, read_bibtex

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_DOI_URL = re.compile(r"^\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:10\.48550/)?arxiv[.:]\s*(\d\d)(\d\d)\.(\d{4,5})(?:v\d+)?|(\d\d)(\d\d)\.(\d{4,5})(?:v\d+)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_SUFFIX_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=\.)")
_SUFFIX_VENUE = re.compile(r"^([a-z]+)(?=[\d.])|\.([a-z]+)-[a-z]", re.IGNORECASE)
_AAAI = re.compile(r"^aaai\.v(\d+)i", re.IGNORECASE)
_AAAI_FROM = 1986
_ORDINAL = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th)\b", re.IGNORECASE)
_FILLED_IN = re.compile(r"x{3,}|\.\.\.|…|\?\?|\bTBD\b|\bTODO\b")
_BROKEN_OFF = re.compile(r"(?:\.\.\.|…|\b(?:TBD|TODO))$")
_NOBODY = re.compile(
    r"\b(?:(?:first|second|last|some|your)[ -]?(?:author|name)|author\s*(?:one|two|\d|[a-c]\b)|"
    r"firstname|lastname|(?:john|jane) doe)\b",
    re.IGNORECASE,
)
_NO_OTHERS = re.compile(r"\bet\.? al\b", re.IGNORECASE)
_VENUES = ("booktitle", "journal", "journaltitle", "series")
_ARXIV_FIRST = (2007, 4)


@dataclass(frozen=True, slots=True)
class EntryFinding:
    """One thing that cannot be, or hardly.

    Attributes:
        rule: ``future_year``, ``malformed_doi``, ``malformed_arxiv``, ``malformed_isbn``,
            ``malformed_issn``, ``identifier_year``, ``identifier_venue``, ``venue_number``,
            ``venue_year`` or ``placeholder``.
        field: the field that is wrong, or one of two that disagree.
        message: what is wrong, in words.
        p_hallucinated: how sure, 0..1.
        key: of the entry.
        span: of the field's value, code points of the text; ``(0, 0)`` where there is no text.
        expected: what the other field says, where two disagree.
    """

    rule: str
    field: str
    message: str
    p_hallucinated: float
    key: str = ""
    span: tuple[int, int] = (0, 0)
    expected: str | None = None


def check_bibliography(text: str, *, reference_date: date | None = None) -> list[EntryFinding]:
    """Return what is wrong with the entries of a BibTeX text, in the order of the text.

    ``reference_date`` is what counts as today, by default the UTC date. Raises ``ArgumentError``
    if ``text`` is no string.
    """
    found = [
        finding
        for entry in read_bibtex(text)
        for finding in check_entry(entry, reference_date=reference_date)
    ]
    return sorted(found, key=lambda f: (f.span, f.rule))


def check_entry(entry: Entry, *, reference_date: date | None = None) -> list[EntryFinding]:
    """Return what is wrong with one entry; see ``check_bibliography``."""
    today = reference_date or datetime.now(UTC).date()
    facts = _Facts.of(entry)
    found = [
        *_year(facts, today),
        *_doi(facts),
        *_arxiv(facts),
        *_venue(facts),
        *_numbers(entry),
        *_placeholders(entry),
    ]
    placed = [replace(f, key=entry.key, span=entry.fields[f.field].span) for f in found]
    return sorted(placed, key=lambda f: (f.span, f.rule))


@dataclass(frozen=True, slots=True)
class _Facts:
    year: int | None
    doi: str
    arxiv: tuple[str, re.Match[str]] | None
    title: str
    title_field: str
    venue: str | None

    @classmethod
    def of(cls, entry: Entry) -> _Facts:
        def said(name: str) -> str:
            return entry.fields.get(name, Field("")).value.strip().strip("{}")

        year = re.fullmatch(r"\d{4}", said("year"))
        title_field = next((n for n in _VENUES if said(n)), "")
        title = said(title_field)
        doi = _DOI_URL.sub("", said("doi"))
        arxiv = None
        if (match := _ARXIV.fullmatch(doi)) and not match[4]:
            arxiv = ("doi", match)
        elif said("archiveprefix").lower() == "arxiv" and (m := _ARXIV.fullmatch(said("eprint"))):
            arxiv = ("eprint", m)
        return cls(
            None if year is None else int(year[0]),
            doi,
            arxiv,
            title,
            title_field,
            venue_of(title),
        )


def _year(facts: _Facts, today: date) -> Iterator[EntryFinding]:
    # What is in print may carry the next year's date.
    if facts.year is not None and facts.year > today.year + 1:
        message = f"the year {facts.year} lies ahead of {today.isoformat()}"
        yield EntryFinding("future_year", "year", message, 0.95)


def _doi(facts: _Facts) -> Iterator[EntryFinding]:
    if not facts.doi:
        return
    if not _DOI.fullmatch(facts.doi) or _FILLED_IN.search(facts.doi.lower()):
        message = f"{facts.doi!a} is no DOI: 10., a registrant's number, a slash, a suffix"
        yield EntryFinding("malformed_doi", "doi", message, 0.9)
        return
    if facts.arxiv is not None:
        return
    suffix = facts.doi.partition("/")[2]
    given = _SUFFIX_YEAR.search(suffix)
    volume = _AAAI.match(suffix)
    told = int(given[1]) if given else _AAAI_FROM + int(volume[1]) if volume else None
    if told is not None and facts.year is not None and told != facts.year:
        message = f"the DOI is one of {told}, the entry says {facts.year}"
        yield EntryFinding("identifier_year", "year", message, 0.9, expected=str(told))
    named = [(m[1] or m[2]).lower() for m in _SUFFIX_VENUE.finditer(suffix)]
    acronym = next((name for name in named if name in _venues()), None)
    if acronym is not None and facts.title and facts.venue != acronym:
        message = f"the DOI is one of {acronym.upper()}, the entry says {facts.title!a:.80}"
        sure = 0.9 if facts.venue is not None else 0.7
        yield EntryFinding(
            "identifier_venue", facts.title_field, message, sure, expected=acronym.upper()
        )


def _arxiv(facts: _Facts) -> Iterator[EntryFinding]:
    if facts.arxiv is None:
        return
    name, match = facts.arxiv
    year, month = 2000 + int(match[1] or match[4]), int(match[2] or match[5])
    if not 1 <= month <= 12 or (year, month) < _ARXIV_FIRST:
        message = f"{match[0]!a} is no arXiv identifier: it begins with year and month, from 0704"
        yield EntryFinding("malformed_arxiv", name, message, 0.9)
    elif facts.year is not None:
        late = year - facts.year
        sure = 0.9 if late > 1 else 0.6 if late == 1 else 0.5 if late < -2 else 0.0
        if sure:
            message = f"the preprint is of {year}, the entry says {facts.year}"
            yield EntryFinding("identifier_year", "year", message, sure, expected=str(year))


def _venue(facts: _Facts) -> Iterator[EntryFinding]:
    if facts.year is None or facts.title_field != "booktitle":
        return
    since = _venues().get(facts.venue or "", {}).get("numbered_from")
    number = _ORDINAL.search(facts.title)
    if since is not None and number is not None and since + int(number[1]) != facts.year:
        held = since + int(number[1])
        message = f"the {number[0]} meeting was that of {held}, the entry says {facts.year}"
        yield EntryFinding("venue_number", "booktitle", message, 0.8, expected=str(held))
    years = {int(y) for y in _YEAR.findall(facts.title)}
    if years and facts.year not in years and "arxiv" not in facts.title.lower():
        told = ", ".join(map(str, sorted(years)))
        message = f"the title of the proceedings says {told}, the entry {facts.year}"
        yield EntryFinding("venue_year", "booktitle", message, 0.7, expected=told)


def _numbers(entry: Entry) -> Iterator[EntryFinding]:
    for name, valid in (("isbn", isbn_valid), ("issn", issn_valid)):
        value = entry.fields.get(name, Field("")).value.strip()
        if value and not valid(value):
            message = f"{value!a:.60} is no {name.upper()}: digits or check digit are wrong"
            yield EntryFinding(f"malformed_{name}", name, message, 0.8)


def _placeholders(entry: Entry) -> Iterator[EntryFinding]:
    for name in ("author", "editor"):
        value = entry.fields.get(name, Field("")).value
        if found := _NOBODY.search(value):
            message = f"{found[0]!a} stands where a name should"
            yield EntryFinding("placeholder", name, message, 0.9)
        elif _FILLED_IN.search(value) or _NO_OTHERS.search(value):
            message = "authors are left out by hand; BibTeX writes 'and others'"
            yield EntryFinding("placeholder", name, message, 0.5)
    for name in ("title", *_VENUES):
        value = entry.fields.get(name, Field("")).value.strip()
        if _BROKEN_OFF.search(value):
            message = f"{value!a:.60} was never filled in"
            # A title may well end with an ellipsis.
            yield EntryFinding("placeholder", name, message, 0.5 if name == "title" else 0.7)


def venue_of(title: str) -> str | None:
    """Return the acronym, in lower case, of the venue that a title names, if it is a known one."""
    low = " ".join(title.lower().split())
    for acronym, venue in _venues().items():
        words = [acronym, *venue.get("also", ())]
        if any(re.search(rf"\b{word}\b", low) for word in words):
            return acronym
        if any(name in low for name in venue["names"]):
            return acronym
    return None


def isbn_valid(value: str) -> bool:
    """Say whether a text is an ISBN of 10 or 13 digits with the right check digit (ISO 2108)."""
    digits = re.sub(r"[\s-]", "", value).upper()
    if re.fullmatch(r"\d{9}[\dX]", digits):
        return _weighted(digits, range(10, 0, -1)) % 11 == 0
    if re.fullmatch(r"97[89]\d{10}", digits):
        return _weighted(digits, [1, 3] * 6 + [1]) % 10 == 0
    return False


def issn_valid(value: str) -> bool:
    """Say whether a text is an ISSN with the right check digit (ISO 3297)."""
    digits = re.sub(r"[\s-]", "", value).upper()
    return bool(re.fullmatch(r"\d{7}[\dX]", digits)) and (
        _weighted(digits, range(8, 0, -1)) % 11 == 0
    )


def _weighted(digits: str, weights: Any) -> int:
    pairs = zip(digits, weights, strict=True)
    return sum((10 if c == "X" else int(c)) * int(weight) for c, weight in pairs)


@lru_cache(maxsize=1)
def _venues() -> dict[str, dict[str, Any]]:
    text = resources.files(__package__).joinpath("venues.toml").read_text("utf-8")
    return tomllib.loads(text)
