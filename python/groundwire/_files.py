"""Paths and text files that a caller names: read, or refused by name."""

from __future__ import annotations

import os
from pathlib import Path

from groundwire.errors import ArgumentError, FormatError


def path_of(given: str | os.PathLike[str], what: str) -> Path:
    """Return ``given`` as a path; ``what`` is what the file should be, for the message.

    Raises:
        ArgumentError: it is no path, or holds what no file name can: a lone surrogate, a NUL.

    """
    if not isinstance(given, str | os.PathLike):
        raise ArgumentError(f"{what} is named by a path, not by {type(given).__name__}")
    path = Path(given)
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"the path of {what}, {str(path)!a:.80}, holds a lone surrogate at character "
            f"{error.start}, so no file can have that name; pass the name as the system gave it"
        ) from error
    if b"\0" in name:
        raise ArgumentError(f"the path of {what}, {str(path)!a:.80}, holds a NUL character")
    return path


def read_text(given: str | os.PathLike[str], what: str) -> str:
    """Return the text of a UTF-8 file, with or without byte order mark.

    Raises:
        ArgumentError: it is no path, or a folder.
        FormatError: the file is not UTF-8; the message names file and byte.
        OSError: the file cannot be read; its ``filename`` is the path.

    """
    path = path_of(given, what)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8 text"
        ) from error
    except IsADirectoryError as error:
        raise ArgumentError(f"{path} is a folder; {what} is a file") from error
