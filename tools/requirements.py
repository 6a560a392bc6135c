"""Say which requirement ids the tests cover, which they do not, and which do not exist.

Ids stand in ``tests/requirements.tsv``. A Python test names them with
``@pytest.mark.req("S4-013", …)``, a Rust test with a comment ``// req: S4-013, S4-014``.

Usage: ``python tools/requirements.py [--check] [--uncovered]``; ``--check`` only looks for ids
that do not exist. Exit status 1 if there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path("tests/requirements.tsv")
ID = re.compile(r"(?:S\d-\d{3}|SPEC-08\.\d{2})[a-z]?|X-\d{2}|[UD]-\d{1,2}")
_PYTHON = re.compile(r"mark\.req\(([^)]*)\)")
_RUST = re.compile(r"^\s*//+\s*req:\s*(.+?)\s*$", re.MULTILINE)
_STRING = re.compile(r"""["']([^"']*)["']""")


def read_list(path: Path) -> dict[str, str]:
    """Return id and line of every requirement.

    Raises:
        ValueError: a line has no tab, an id is malformed or stands twice.

    """
    known: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, tab, text = line.partition("\t")
        if not tab or not text.strip() or not ID.fullmatch(name) or name in known:
            msg = f"{path}:{number}: an id, a tab and a line are expected, each id once"
            raise ValueError(msg)
        known[name] = text.strip()
    return known


def mentions(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, id) for every requirement a test file names."""
    source = path.read_text(encoding="utf-8")
    pattern = _PYTHON if path.suffix == ".py" else _RUST
    for match in pattern.finditer(source):
        line = source.count("\n", 0, match.start(1)) + 1
        if path.suffix == ".py":
            names = _STRING.findall(match.group(1))
        else:
            names = [name for name in re.split(r"[,\s]+", match.group(1)) if name]
        yield from ((line, name) for name in names)


def covered(root: Path) -> dict[str, list[str]]:
    """Return every id the tests name, with the places."""
    places: dict[str, list[str]] = defaultdict(list)
    for suffix in ("py", "rs"):
        for path in sorted((root / "tests").rglob(f"*.{suffix}")):
            for line, name in mentions(path):
                places[name].append(f"{path.relative_to(root).as_posix()}:{line}")
    return dict(places)


def family(name: str) -> str:
    """Return the group an id belongs to: S0 … S4, SPEC-08, X, U, D."""
    return "SPEC-08" if name.startswith("SPEC") else name.split("-", maxsplit=1)[0]


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Requirement ids that the tests cover.")
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--check", action="store_true", help="only look for unknown ids")
    parser.add_argument("--uncovered", action="store_true", help="list what is not covered too")
    options = parser.parse_args(arguments)
    try:
        known = read_list(options.root / LIST)
    except ValueError as error:
        print(error)
        return 1
    found = covered(options.root)
    unknown = {name: places for name, places in found.items() if name not in known}
    for name, places in sorted(unknown.items()):
        parts = [other for other in known if other.startswith(name)]
        advice = f" (it has parts: {', '.join(parts)})" if parts else ""
        print(f"{places[0]}: no requirement {name}{advice}")
    if not options.check:
        report(known, found, uncovered=options.uncovered)
    print(f"requirements: {len(found) - len(unknown)} of {len(known)} covered by tests")
    return 1 if unknown else 0


def report(known: dict[str, str], found: dict[str, list[str]], *, uncovered: bool) -> None:
    """Print what is covered, with one place each, and what is not."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in known:
        groups[family(name)].append(name)
    for group, names in groups.items():
        have = [name for name in names if name in found]
        print(f"{group}: {len(have)} of {len(names)}")
        for name in names:
            if name in found:
                more = f" and {len(found[name]) - 1} more" if len(found[name]) > 1 else ""
                print(f"  + {name:<12} {known[name]}  [{found[name][0]}{more}]")
            elif uncovered:
                print(f"  - {name:<12} {known[name]}")
        missing = [name for name in names if name not in found]
        if missing and not uncovered:
            print(f"  - not covered: {', '.join(missing)}")


if __name__ == "__main__":
    sys.exit(main())
