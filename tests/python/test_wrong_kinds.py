"""What is of the wrong kind is refused in words, not by a bare conversion error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError

KB = gw.KnowledgeBase.from_records([{"name": "Acme", "attributes": {"founded": 1985}}])


def session() -> Any:
    return gw.Monitor(kb=KB).session()


CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: session().push_bytes("x"), r"data is bytes or a bytearray, not str; encode"),
    (lambda: session().push_text(b"x"), r"a string is expected here, not bytes"),
    (lambda: session().add_evidence(["a"]), r"a string is expected here, not list"),
    (lambda: session().add_evidence(None), r"a string is expected here, not NoneType"),
    (lambda: gw.Monitor().session(session_id=5), "session_id is a string, not int"),
    (lambda: gw.Monitor().replay(None), r"events is a list of .*, not NoneType"),
    (lambda: gw.Ruleset.from_rules(None), r"rules is a list of tables .*, not NoneType"),
    (lambda: gw.KnowledgeBase.from_bytes("x"), r"data is bytes or a bytearray, not str"),
]


@pytest.mark.req("S4-010")
@pytest.mark.parametrize(("call", "words"), CALLS)
def test_the_wrong_kind_is_named(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        call()


def test_a_bytearray_is_followed_as_bytes_are() -> None:
    text = "Acme was founded in 1990 – ja."
    one, other = session(), session()
    one.push_bytes(text.encode())
    other.push_bytes(bytearray(text.encode()))
    said, again = one.finish(), other.finish()
    assert [f.text for f in said.findings] == [f.text for f in again.findings]
    assert one.text == other.text == text
    assert any(f.text == "1990" for f in said.findings)


def test_a_blank_type_is_none() -> None:
    base = gw.KnowledgeBase.from_records([{"name": "Acme", "type": "", "key": " "}])
    bare = gw.KnowledgeBase.from_records([{"name": "Acme"}])
    assert base.to_bytes() == bare.to_bytes()


def test_a_folder_is_no_file_to_save_into(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="a folder, not a file"):
        KB.save(tmp_path)
    assert not list(tmp_path.parent.glob("*.tmp"))
