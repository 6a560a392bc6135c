"""``python -m groundwire.metta FILE``: run a MeTTa program; each result on a line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from groundwire._files import read_text
from groundwire.errors import GroundwireError
from groundwire.metta.atoms import runner

_FAILED = 1
_USAGE_ERROR = 2


def main(arguments: list[str]) -> int:
    """Run the program in a file, with its folder as the place that relative paths start from.

    Returns 0, or 1 where an expression came to an ``(Error …)``, which is printed like any result,
    or 2 where there is no such program or it cannot be read, as with a bracket left open.
    """
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m groundwire.metta FILE\n")
        return _USAGE_ERROR
    try:
        program = read_text(arguments[0], "a MeTTa program")
        metta = runner()
    except OSError as error:
        says = f"cannot read {error.filename}: {error.strerror}; name a file with a MeTTa program"
        sys.stderr.write(f"groundwire.metta: {says}\n")
        return _USAGE_ERROR
    except GroundwireError as error:
        sys.stderr.write(f"groundwire.metta: {error}\n")
        return _USAGE_ERROR
    os.chdir(Path(arguments[0]).resolve().parent)
    failed = False
    try:
        found = metta.run(program)
    except RuntimeError as error:
        # What the interpreter's parser raises: it tells neither the file nor where.
        says = f"{arguments[0]} is no MeTTa program: {_where(program) or error}"
        sys.stderr.write(f"groundwire.metta: {says}\n")
        return _USAGE_ERROR
    for results in found:
        sys.stdout.write(" ".join(map(str, results)) + "\n")
        failed = failed or any(str(result).startswith("(Error ") for result in results)
    return _FAILED if failed else 0


def _where(program: str) -> str:
    """Say which bracket or string is not closed, or opens nothing; empty where none is."""
    opened: list[int] = []
    string: int | None = None
    line, before, comment = 1, "", False
    for sign in program:
        if sign == "\n":
            line, comment = line + 1, False
        if comment:
            continue
        if string is not None:
            if sign == '"' and before != "\\":
                string = None
            before = "" if before == "\\" else sign
        elif sign == '"':
            string, before = line, ""
        elif sign == ";":
            comment = True
        elif sign == "(":
            opened.append(line)
        elif sign == ")" and not opened:
            return f"line {line} closes a bracket that was not opened"
        elif sign == ")":
            opened.pop()
    if string is not None:
        return f"the string that line {string} begins is not closed"
    return f"the bracket that line {opened[-1]} opens is not closed" if opened else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
