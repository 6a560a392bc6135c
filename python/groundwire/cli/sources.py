"""What the commands read: texts, passages, earlier turns; and the monitor made from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire._files import KeyTwice, parse_json
from groundwire._files import read_text as read_utf8
from groundwire.errors import ArgumentError, FormatError
from groundwire.findings import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import groundwire as gw

STDIN = "-"
_PASSAGE_SUFFIXES = {".txt", ".md", ".rst"}


def read_text(name: str) -> str:
    """Return a file's text, or standard input's for ``-``.

    A byte order mark is left out. What comes through a pipe may have been cut anywhere: bytes of it
    that are no UTF-8 become U+FFFD, unless there are so many that it is no text.

    Raises:
        OSError: the file cannot be read.
        FormatError: it is no UTF-8 text, so that nothing could be said of its words.

    """
    content = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = content.decode("utf-8-sig", "replace")
        broken = text.count("\ufffd")
        if name == STDIN and (broken <= _FEW or broken * _SELDOM <= len(text)):
            return text
        what, advice = (name, "save it") if name != STDIN else ("standard input", "pipe it")
        raise FormatError(
            f"{what} is not UTF-8 at byte {error.start}; {advice} as UTF-8 text"
        ) from error


_FEW, _SELDOM = 16, 20
"""Broken characters that a piped text may have: so many, or one in so many."""


def _passage_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of ``paths``; of a folder, those that hold prose, in the order of names."""
    for path in paths:
        if path.is_dir():
            found = sorted(
                p for p in path.rglob("*") if p.suffix.lower() in _PASSAGE_SUFFIXES and p.is_file()
            )
            if not found:
                kinds = ", ".join(sorted(_PASSAGE_SUFFIXES))
                msg = f"the folder {path} holds no evidence: no file in it ends in {kinds}"
                raise ArgumentError(msg)
            yield from found
        else:
            yield path


def read_evidence(paths: Sequence[Path] | None) -> list[Evidence]:
    """Return one passage a paragraph, each with its file and line.

    Raises:
        OSError: a file cannot be read.
        ArgumentError: a folder holds no passage.
        FormatError: a file is no UTF-8 text; what is quoted must be what was written.

    """
    passages = []
    for path in _passage_files(paths or ()):
        line = 1
        for block in read_utf8(path, "evidence").split("\n\n"):
            text = block.strip()
            if text:
                first = line + len(block[: block.index(text[0])].splitlines()[1:])
                name = f"{path.as_posix()}:{first}"
                passages.append(
                    Evidence(text=text, id=name, source=path.as_posix(), locator=str(first))
                )
            line += block.count("\n") + 2
    return passages


def read_history(path: Path | None) -> list[dict[str, str]]:
    """Return earlier turns from a JSON list of messages, as chat interfaces have them.

    Raises:
        OSError: the file cannot be read.
        ArgumentError: it is a folder.
        FormatError: it is no such list, or no UTF-8 text.

    """
    if path is None:
        return []
    try:
        turns = parse_json(read_utf8(path, "a history"))
    except KeyTwice as error:
        msg = f"{path}: {error}"
        raise FormatError(msg) from error
    except json.JSONDecodeError as error:
        msg = f"{path} is not JSON: {error}"
        raise FormatError(msg) from error
    if isinstance(turns, dict):
        turns = turns.get("messages")
    if not isinstance(turns, list) or not all(_is_turn(turn) for turn in turns):
        msg = f'{path}: a list of {{"role": "…", "content": "…"}} is expected'
        raise FormatError(msg)
    return [{"role": turn["role"], "content": turn["content"]} for turn in turns]


def _is_turn(turn: Any) -> bool:
    return (
        isinstance(turn, dict)
        and isinstance(turn.get("role"), str)
        and isinstance(turn.get("content"), str)
    )


def read_kb(path: Path | None) -> gw.KnowledgeBase | None:
    """Return the knowledge base in ``path``, read by its suffix, or mapped if it was saved.

    Raises:
        OSError: the file cannot be read.
        ArgumentError: it is a folder.
        FormatError: it is no knowledge base, or its suffix says nothing.

    """
    if path is None:
        return None
    if path.is_dir():
        msg = f"{path} is a folder; a knowledge base is a file: .jsonl, .json, .csv, or a saved one"
        raise ArgumentError(msg)
    if not path.exists():
        # The name says nothing yet about what is wrong with it.
        path.stat()
    readers = {".jsonl": "from_jsonl", ".json": "from_json", ".csv": "from_csv"}
    reader = readers.get(path.suffix.lower())
    if reader is None and path.is_file():
        with path.open("rb") as file:
            reader = "load" if file.read(4) == b"GWKB" else None
    if reader is None:
        msg = (
            f"cannot tell what {path} is: name it .jsonl, .json or .csv, "
            "or give one that KnowledgeBase.save wrote"
        )
        raise FormatError(msg)
    from groundwire.kb import KnowledgeBase

    read: Callable[[Path], KnowledgeBase] = getattr(KnowledgeBase, reader)
    return read(path)


def open_monitor(kb: Path | None, config: Path | None, *, tokenizer: Any = None) -> gw.Monitor:
    """Return a monitor over the knowledge base, configured by file and environment."""
    from groundwire import Monitor
    from groundwire.config import Config
    from groundwire.config.core import monitor_arguments

    settings = monitor_arguments(Config.load(config))
    return Monitor(kb=read_kb(kb), tokenizer=tokenizer, **settings)
