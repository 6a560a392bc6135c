"""What a reader who already has a claim is told of it."""

from __future__ import annotations

import pytest

import groundwire as gw

BASE = gw.KnowledgeBase.from_records(
    [
        {"name": "Brackwater", "attributes": {"mayor": "Siv Haug"}},
        {"name": "Orrin Vale Observatory", "attributes": {"director": "Hugo Lindqvist"}},
        {"name": "Pellow Dynamics", "aliases": ["Pellow"], "attributes": {"ceo": "Ina Ross"}},
    ]
)


def told(text: str) -> str:
    """Return the note that follows a text which left as it came."""
    monitor = gw.Monitor(kb=BASE, policy=gw.Policy(release="token"))
    guard = monitor.guard()
    _, directives = guard.push_text(text)
    directives = [*directives, *guard.finish()]
    return "".join(one.text or "" for one in directives if one.kind == "rewind").strip()


@pytest.mark.req("S4-028")
@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "Ole Haug, mayor of Brackwater, resigned.",
            "(Correction: the mayor of Brackwater is Siv Haug.)",
        ),
        (
            "The director of Orrin Vale Observatory, Otto Brand, was rich.",
            "(Correction: the director of Orrin Vale Observatory is Hugo Lindqvist.)",
        ),
        (
            "Pellow's CEO, Karl Ebbe, said so.",
            "(Correction: the CEO of Pellow Dynamics is Ina Ross.)",
        ),
        (
            "The director of Orrin Vale Observatory is An Nguyen.",
            "(Correction: Hugo Lindqvist, not An Nguyen.)",
        ),
    ],
)
def test_a_note_says_what_is_right(text: str, note: str) -> None:
    assert told(text) == note
