"""Marks and statements keep the form of the code, tables and lists that they stand in."""

from __future__ import annotations

import re

import pytest

import groundwire as gw

BASE = gw.KnowledgeBase.from_records(
    [{"name": "Pellow Dynamics", "aliases": ["Pellow"], "attributes": {"founded": 2008}}]
)
MONITOR = gw.Monitor(kb=BASE)
MARKS = {"medium": "annotate", "high": "annotate", "critical": "annotate"}
"""A policy that leaves everything as it is, with marks."""
NO_DOI = "doi:10.12/x"


def pieces(text: str, size: int) -> list[str]:
    """Return the text in pieces of that many characters; in words for 0."""
    if size == 0:
        return re.findall(r"\s*\S+|\s+$", text)
    return [text[i : i + size] for i in range(0, len(text), size)]


def read(text: str, size: int, policy: gw.Policy) -> tuple[str, str]:
    """Return what leaves of a text, and the text that is put in first, if any is."""
    guard = MONITOR.guard(policy=policy)
    out = ""
    for piece in pieces(text, size):
        _, directives = guard.push_text(piece, now_ms=0)
        for one in directives:
            if one.kind == "release":
                out += one.text or ""
            elif one.kind == "rewind":
                return out, one.text or ""
        if guard.stopped is not None:
            return out, ""
    return out + "".join(d.text or "" for d in guard.finish(0) if d.kind == "release"), ""


@pytest.mark.req("S4-028")
@pytest.mark.parametrize("size", [1, 0, 5, 1000])
@pytest.mark.parametrize(
    ("text", "marked"),
    [
        # What is high at once waits for the end of its claim.
        (
            f"See {NO_DOI} for details. It rained.",
            f"See {NO_DOI} for details. [unverified] It rained.",
        ),
        (
            "Its ISBN is 978-3-16-148410-1 in the list. Bye.",
            "Its ISBN is 978-3-16-148410-1 in the list. [unverified] Bye.",
        ),
        (f"- See {NO_DOI} there\n- Bye\n", f"- See {NO_DOI} there [unverified]\n- Bye\n"),
        # In the last cell of a row: another cell would not be shown.
        (
            f"| a | b |\n|---|---|\n| it | {NO_DOI} |\n| c | d |\n\nBye.",
            f"| a | b |\n|---|---|\n| it | {NO_DOI} [unverified] |\n| c | d |\n\nBye.",
        ),
        # Not in code, of which it would be part.
        (f"So:\n```py\nx = '{NO_DOI}'\n```\nBye.", f"So:\n```py\nx = '{NO_DOI}'\n```\nBye."),
    ],
)
def test_inline_marks(size: int, text: str, marked: str) -> None:
    policy = gw.Policy(annotation="inline", **MARKS)
    assert read(text, size, policy) == (marked, "")


@pytest.mark.req("S4-028")
@pytest.mark.parametrize("size", [1, 0, 5, 1000])
def test_footnotes_of_one_claim_share_a_number(size: int) -> None:
    text = f"| John Doe | {NO_DOI} |\n| c | d |\n\nIt rained."
    out, put = read(text, size, gw.Policy(annotation="footnote", **MARKS))
    assert not put
    assert out.startswith(
        f"| John Doe | {NO_DOI}[^note-1] |\n| c | d |\n\nIt rained.\n\n[^note-1]: "
    )
    assert "[^note-2]" not in out


def test_footnotes_leave_code_that_is_cut_off() -> None:
    policy = gw.Policy(annotation="footnote", **MARKS)
    out, _ = read(f"See {NO_DOI} now. So:\n```\nx = 1", 5, policy)
    assert "[^note-1] So:\n```\nx = 1\n```\n\n[^note-1]: " in out


@pytest.mark.req("S4-030")
@pytest.mark.parametrize("size", [1, 0, 5, 1000])
@pytest.mark.parametrize(
    ("text", "end"),
    [
        (
            f"| a | b |\n|---|---|\n| it | {NO_DOI} |\n| c | d |\n",
            "|---|---|\n| I could not verify the identifier. |",
        ),
        (f"- One\n- See {NO_DOI} there\n", "- One\n- I could not verify the identifier."),
        (f"1. One\n2. See {NO_DOI} there\n", "1. One\n2. I could not verify the identifier."),
        (
            f"So:\n\n```py\nx = 1\n    y = '{NO_DOI}'\n```\n",
            "```py\nx = 1\n```\n\nI could not verify the identifier.",
        ),
        (f"So:\n\n~~~~\n{NO_DOI}\n~~~~\n", "~~~~\n~~~~\n\nI could not verify the identifier."),
    ],
)
def test_what_stops_an_answer_keeps_its_form(size: int, text: str, end: str) -> None:
    out, put = read(text, size, gw.Policy(after_interrupt="stop"))
    assert not put
    assert out.endswith(end)


@pytest.mark.req("S4-030")
def test_what_goes_on_keeps_its_form() -> None:
    whole = gw.Policy()
    _, put = read(f"| a | b |\n|---|---|\n| it | {NO_DOI} |\n", 1000, whole)
    assert put.endswith("|---|---|\n| I could not verify the identifier. |")
    _, put = read(f"So:\n\n```py\n  y = '{NO_DOI}'\n```\n", 1000, whole)
    assert put.endswith("```py\n```\n\nI could not verify the identifier.")


def test_a_discarded_answer_leaves_its_code_first() -> None:
    policy = gw.Policy(high="discard")
    out, _ = read(f"So:\n\n```py\nx = 1\ny = '{NO_DOI}'\n```\n", 1, policy)
    assert "x = 1\n```\n\nI can't" in out.replace("cannot", "can't"), out


@pytest.mark.parametrize("size", [1, 0, 5])
def test_a_note_about_code_stands_behind_it(size: int) -> None:
    text = f"So:\n\n```py\ny = '{NO_DOI}'\n\nz = 2\n```\n\nIt rained all day. Bye."
    guard = MONITOR.guard(policy=gw.Policy(release="token"))
    kept = ""
    for piece in pieces(text, size):
        _, directives = guard.push_text(piece, now_ms=0)
        for one in directives:
            kept += one.text or ""
            if one.kind == "rewind":
                code = f"So:\n\n```py\ny = '{NO_DOI}'\n\nz = 2\n```\n"
                assert kept.startswith(code)
                assert "```" not in kept.removeprefix(code)
                return
    pytest.fail("nothing was said")


@pytest.mark.req("S4-028")
@pytest.mark.parametrize("size", [1, 0, 5, 1000])
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("It is open. Pellow was founded in 1992. Come by.", "It is open. Come by."),
        ("Pellow was founded in 1992. Come by.", "Come by."),
        ("- Pellow was founded in 1992.\n- It is open.\n", "- It is open.\n"),
        ("1. Open.\n2. Pellow was founded in 1992.\n3. Come.", "1. Open.\n3. Come."),
        ("It is open.\nPellow was founded in 1992.\nCome by.", "It is open.\nCome by."),
        (
            "| a | b |\n|---|---|\n| Pellow founded | 1992 |\n| x | y |\n",
            "| a | b |\n|---|---|\n| x | y |\n",
        ),
    ],
)
def test_what_is_removed_leaves_no_empty_line(size: int, text: str, rest: str) -> None:
    policy = gw.Policy(low="remove", medium="remove", high="remove", critical="remove")
    assert read(text, size, policy) == (rest, "")


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_footnotes_of_the_answer_keep_their_labels(size: int) -> None:
    text = f"It is nice[^1]. See {NO_DOI} there. Bye.\n\n[^1]: See {NO_DOI} too.\n"
    out, _ = read(text, size, gw.Policy(annotation="footnote", **MARKS))
    assert f"See {NO_DOI} there.[^note-1] Bye." in out
    assert f"\n[^1]: See {NO_DOI} too.\n" in out
    assert "[^note-2]" not in out


@pytest.mark.parametrize("cut", ["bytes", "whole"])
def test_notes_that_are_due_at_once_are_said_at_once(cut: str) -> None:
    table = "| Item | Value |\n|---|---|\n| Founded | 1992 |\n| Opened | 1993 |\n\n"
    guard = gw.Monitor().guard(
        policy=gw.Policy(release="token"), evidence=["Tickets cost 12 euros."]
    )
    out, forced = "", ""
    for piece in pieces(table + "That is all.", 1):
        _, directives = guard.push_text(piece, now_ms=0)
        out += "".join(d.text or "" for d in directives if d.kind == "release")
        forced = "".join(d.text or "" for d in directives if d.kind == "rewind")
        if forced:
            break
    for piece in pieces(forced, 1 if cut == "bytes" else 1000):
        _, directives = guard.push_text(piece, forced=True, now_ms=0)
        assert not [d for d in directives if d.kind == "rewind"]
        out += "".join(d.text or "" for d in directives if d.kind == "release")
    assert "(I could not confirm “1992”.)\n\n(I could not confirm “1993”.)\n\n" in out
    assert out.count("(I could not") == 2
