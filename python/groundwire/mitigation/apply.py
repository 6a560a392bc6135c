"""Carrying actions out on a text, with its grammar kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire import _core
from groundwire._checks import every, words
from groundwire.errors import ArgumentError
from groundwire.mitigation.actions import ActionKind, MitigationAction

Edit = tuple[int, int, str]

_CLOSERS = "\"'”’)]»"
_ENDS = ".!?…"


def apply(actions: Sequence[MitigationAction], text: str) -> str:
    """Return ``text`` with the actions carried out.

    Corrections replace their span, with a capital letter where a sentence begins. A removal takes
    out the whole sentence (or list item) around its span, since the rest of one seldom stands
    alone, with the space it leaves. A flag puts its annotation behind its span, before the
    punctuation that ends the sentence; behind an owner ("Ann's book") before that which ends the
    clause. Where two actions meet in one place the one that stands
    first in ``actions`` counts; an annotation is left out where its text was changed, and stands
    once where several say the same.
    ``NoAction``, ``Regenerate`` and ``Escalate`` change nothing.

    Raises:
        ArgumentError: these are no actions, this is no text, or an action's span does not lie
            inside it.

    """
    words(text, "text")
    actions = every(actions, "actions", MitigationAction)
    sentences = _core.sentences(text)
    edits: list[Edit] = []
    removed: list[Edit] = []
    marks: list[tuple[tuple[int, int], Edit]] = []
    for action in actions:
        if action.kind in {ActionKind.Flag, ActionKind.Correct, ActionKind.Remove}:
            edit = _edit(action, text, sentences)
            if action.kind is ActionKind.Remove:
                if not any(_meet(edit, other) for other in edits):
                    removed.append(edit)
            elif edit not in edits and not any(_meet(edit, other) for other in (*edits, *removed)):
                edits.append(edit)
                if action.kind is ActionKind.Flag:
                    marks.append((_span(action), edit))
    changed = [edit for edit in (*edits, *removed) if edit[0] < edit[1]]
    for (start, end), mark in marks:
        # What the mark was about is no longer there.
        if any(_meet((start, end, ""), edit) for edit in changed):
            edits.remove(mark)
    edits += _removals(text, removed)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _edit(action: MitigationAction, text: str, sentences: Sequence[tuple[int, int]]) -> Edit:
    start, end = _span(action)
    if not 0 <= start <= end <= len(text):
        raise ArgumentError(
            f"the span {action.span} of the action '{action.kind.value}' does not lie inside the "
            f"text, which has {len(text)} characters"
        )
    if action.kind is ActionKind.Remove:
        return (*_around(start, end, sentences), "")
    if action.kind is ActionKind.Correct:
        words(action.replacement, "a replacement")
        return (start, end, _fitted(action.replacement or "", text, start, end, sentences))
    place = _clause_end(text, end, sentences)
    return (place, place, f" {action.annotation}")


def _clause_end(text: str, place: int, sentences: Sequence[tuple[int, int]]) -> int:
    """Return where a mark may stand that is about what ends at ``place``: where its clause ends.

    That is before the mark that ends the clause, or the sentence: never inside a phrase, between
    an owner and what is owned, or between a number and its unit.
    """
    stop = next((end for begin, end in sentences if begin < place <= end), None)
    if stop is None:
        stop = next((end for begin, end in sentences if begin <= place < end), len(text))
    last = re.search(r"[.!?…]+[\"'”’)\]»]*\s*$", text[:stop])
    stop = last.start() if last else len(text[:stop].rstrip())
    line = text.rfind("\n", 0, place) + 1
    row = text[line:].partition("\n")[0].rstrip()
    if row.startswith("|") and len(row) > 1 and row.endswith("|"):
        # A row of a table keeps its last mark.
        cells = line + len(row[:-1].rstrip())
        stop, place = min(stop, cells), min(place, cells)
    clause = re.search(r"[,;:](?=\s(?!\d))|\s[–—|](?=\s)|\n", text[place:stop])
    return place + clause.start() if clause else max(stop, min(place, stop))


def _span(action: MitigationAction) -> tuple[int, int]:
    span = action.span
    if not isinstance(span, tuple | list) or [type(x) for x in span] != [int, int]:
        raise ArgumentError(
            f"an action's span is two whole numbers, not {span!r:.60}: '{action.kind.value}'"
        )
    return (min(span), max(span))


def _meet(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same characters; two annotations at one place do not."""
    if one[0] == one[1] or other[0] == other[1]:
        inner, outer = (one, other) if one[0] == one[1] else (other, one)
        return outer[0] < inner[0] <= outer[1] and outer[0] != outer[1]
    return one[0] < other[1] and other[0] < one[1]


def _around(start: int, end: int, sentences: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the bounds of the sentences that the span touches."""
    touched = [(a, b) for a, b in sentences if a < max(end, start + 1) and start < b]
    return (
        min([start, *(a for a, _ in touched)]),
        max([end, *(b for _, b in touched)]),
    )


def _removals(text: str, removed: Sequence[Edit]) -> list[Edit]:
    """Return the cuts of sentences, each with the space that belongs to it; none overlap."""
    runs: list[tuple[int, int]] = []
    for start, end, _ in sorted(removed):
        if runs and (start <= runs[-1][1] or not text[runs[-1][1] : start].strip(" \t")):
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    cuts: list[tuple[int, int]] = []
    for start, end in (_removal(text, *run) for run in runs):
        if cuts and start <= cuts[-1][1]:
            cuts[-1] = (cuts[-1][0], max(end, cuts[-1][1]))
        else:
            cuts.append((start, end))
    body = len(text.rstrip("\n"))
    if cuts and cuts[-1][1] >= body and text[: cuts[-1][0]].rstrip(" \t").endswith("\n"):
        # Nothing follows: the line breaks before the cut go, those that end the text stay.
        cuts[-1] = (len(text[: cuts[-1][0]].rstrip()), body)
    return [(start, end, "") for start, end in cuts]


def _removal(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of a cut, with the space or line that a run of sentences leaves."""
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    before, after = text[line:start], text[end:stop]
    if not after.strip() and not before.strip(" \t-*•+>#0123456789.)"):
        # A line of its own goes as a line, and a paragraph with the blank line behind it.
        start, end = line, min(stop + 1, len(text))
        alone = start == 0 or text[:start].endswith("\n\n")
        while alone and text[end : end + 1] == "\n":
            end += 1
        return (start, end)
    if not after.strip():
        # The last sentence of a line takes the space before it.
        return (start - (len(before) - len(before.rstrip(" \t"))), stop)
    return (start, end + len(after) - len(after.lstrip(" \t")))


def _fitted(new: str, text: str, start: int, end: int, sentences: Sequence[tuple[int, int]]) -> str:
    """Return a replacement with the capital and the end of what it replaces."""
    old = text[start:end]
    begins = any(a == start for a, _ in sentences)
    if begins and old[:1].isupper() and new[:1].islower():
        new = new[:1].upper() + new[1:]
    elif not begins and old[:1].islower() and new.startswith(("The ", "A ", "An ")):
        new = new[:1].lower() + new[1:]
    closes = any(b == end for _, b in sentences)
    if closes and old[-1:] in tuple(_ENDS) and new[-1:] not in tuple(_ENDS + _CLOSERS):
        new += old[-1]
    if new[-1:] in tuple(_ENDS) and text[end : end + 1] == new[-1]:
        new = new[:-1]
    return new
