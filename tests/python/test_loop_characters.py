"""What is taken back ends before whole characters, however tokens cut them (invariants 3 and 5)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire.vocabulary import vocabulary

# Every byte is a token, and so are pairs that begin a character behind a space.
PAIRS = [b" " + bytes([first]) for first in (0xC3, 0xC5, 0xE2, 0xF0)]
TOKENS = vocabulary(
    [(i, bytes([i]), False) for i in range(256)]
    + [(256 + i, pair, False) for i, pair in enumerate(PAIRS)]
)
BYTES = [bytes([i]) for i in range(256)] + PAIRS
RIGHT = {"ceo": "Łucja Nowak", "price": "€48,500", "headquarters": "Örebro"}
KB = gw.KnowledgeBase.from_records([{"name": "Northgate", "type": "company", "attributes": RIGHT}])
SAYS = {
    "ceo": "The CEO of Northgate is {}.",
    "price": "The price of Northgate is {}.",
    "headquarters": "Northgate is headquartered in {}.",
}
WRONG = {
    "ceo": ["Øystein Berg", "Łukasz Kowalski", "Émile Zang", "Şule Öz"],
    "price": ["€52,000", "€9"],
    "headquarters": ["Århus", "Ålesund", "Évreux"],
}


def encode(text: str) -> list[int]:
    """Cut a text into tokens, pairs first where they fit."""
    data = text.encode()
    ids: list[int] = []
    while data:
        fits = [256 + i for i, pair in enumerate(PAIRS) if data.startswith(pair)]
        ids.append(fits[0] if fits else data[0])
        data = data[len(BYTES[ids[-1]]) :]
    return ids


class Model:
    """Says a text; after text was taken back and put in, the rest of it from the next sentence."""

    def __init__(self, text: str) -> None:
        self.left = encode(text)
        self.said: list[int] = []
        self.after = encode(text.partition(". ")[2])
        self.rewinds: list[bytes] = []

    def __call__(self, ids: list[int]) -> int | None:
        if ids != self.said:
            self.rewinds.append(b"".join(BYTES[i] for i in ids))
            self.said, self.left, self.after = list(ids), encode(" ") + self.after, []
        if not self.left:
            return None
        self.said.append(self.left.pop(0))
        return self.said[-1]


@settings(max_examples=60, deadline=None)
@given(
    what=st.sampled_from(sorted(SAYS)),
    data=st.data(),
    release=st.sampled_from(["token", "claim", "response"]),
    action=st.sampled_from(["correct", "hedge", "interrupt", "remove"]),
)
def test_no_rewrite_leaves_part_of_a_character(
    what: str, data: st.DataObject, release: Any, action: Any
) -> None:
    wrong = data.draw(st.sampled_from(WRONG[what]))
    model = Model(f"Ça va. {SAYS[what].format(wrong)} “It” is open.")
    policy = gw.Policy(release=release, medium=action, high=action, critical=action)
    monitor = gw.Monitor(kb=KB, tokenizer=TOKENS, policy=policy)
    events = list(gw.guard(model, [], monitor=monitor, encode=encode))
    report = events[-1].report
    assert report is not None
    said = "".join(event.text for event in events if event.kind == "release")
    for text in (said, report.text, report.released):
        assert "\ufffd" not in text
    for ids in model.rewinds:
        ids.decode()


@pytest.mark.parametrize("what", sorted(SAYS))
def test_the_right_value_takes_the_place_of_the_wrong_one(what: str) -> None:
    model = Model(f"{SAYS[what].format(WRONG[what][0])} It is open.")
    monitor = gw.Monitor(kb=KB, tokenizer=TOKENS)
    events = list(gw.guard(model, [], monitor=monitor, encode=encode))
    said = "".join(event.text for event in events if event.kind == "release")
    assert said.startswith(SAYS[what].format(RIGHT[what]).rstrip("."))
