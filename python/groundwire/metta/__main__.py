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
    or 2 where there is no such program or it cannot be read.
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
    for results in metta.run(program):
        sys.stdout.write(" ".join(map(str, results)) + "\n")
        failed = failed or any(str(result).startswith("(Error ") for result in results)
    return _FAILED if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
