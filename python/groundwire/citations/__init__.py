"""Bibliography entries checked against themselves, without looking anything up.

``check_bibliography(text)`` reads BibTeX and says what in an entry cannot be: a year to come, an
identifier that is malformed or names another year or venue than the entry does, a placeholder where
a name should stand. What only a catalogue knows (whether a title exists, who wrote it) is not said.
"""

from __future__ import annotations

from groundwire.citations.bibtex import Entry, Field, read_bibtex
from groundwire.citations.entries import EntryFinding, check_bibliography, check_entry

__all__ = [
    "Entry",
    "EntryFinding",
    "Field",
    "check_bibliography",
    "check_entry",
    "read_bibtex",
]
