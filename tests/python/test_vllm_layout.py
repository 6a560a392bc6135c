"""Where a note would break what a text is laid out as, and what ends a last sentence."""

from __future__ import annotations

import time

import pytest

from groundwire.integrations.vllm.layout import REACH, closing, in_table

TABLE = "| Name | Founded |\n|---|---|\n| Harbour Museum | 1992 |"
BARE = "Name | Founded\n:--- | ---:\nHarbour Museum | 1992"


@pytest.mark.parametrize("table", [TABLE, BARE])
def test_a_table_goes_on_to_the_first_empty_line(table: str) -> None:
    for before in ("", "It is open.\n\n", "Here it is:\n"):
        assert in_table(before + table)
        assert in_table(before + table + "\n")
        assert in_table(before + table + "\nThat is all.")
        for behind in ("\n\n", "\n \n", "\n\nDone.", "\n\nDone.\n"):
            assert not in_table(before + table + behind)


def test_what_is_no_table() -> None:
    for text in ("", "\n", "It is open.", "a | b", "a\n---\nb", "One\n- two | three\n", "|\n\n"):
        assert not in_table(text)
    assert in_table("It is open.\n| Name |")


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("It was founded in 1992", "."),
        ("- It was founded in **1992**", "."),
        ("It was founded in 1992 [1]", "."),
        ("It was founded in `1992`", "."),
        ("It was founded in 1992,", "\n"),
        ("It was founded in 1992 ", "\n"),
        ("# It was founded in 1992", "\n"),
        (TABLE, "\n"),
        (BARE, "\n"),
        ("```\n1992\n```", "\n"),
        ("```\n1992", ""),
        ('{"founded": 1992}', ""),
        ('[{"founded": 1992}]', ""),
        ("", ""),
        ("\n", ""),
    ],
)
def test_what_ends_a_last_sentence(text: str, mark: str) -> None:
    assert closing(text) == mark


def test_odd_lines_cost_linear_time() -> None:
    began = time.monotonic()
    for line in ("|" + "-" * REACH + "x", "|-:" * REACH, " " * REACH + "|", "`" * REACH):
        in_table(line)
        closing(line + "\n" + line)
    assert time.monotonic() - began < 2
