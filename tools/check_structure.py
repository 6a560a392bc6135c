"""Check that the house keeps its structure, and say where it does not.

- Rooms of ``rust/core/src`` use only rooms nearer to the foundations.
- Files stay short: 400 lines of Rust code, 300 of Python (comments, blank lines, docstrings,
  tests and data apart).
- ``unsafe`` stands only where it is allowed.
- ``groundwire-core`` does not depend on pyo3.
- No tracked file names a path of one machine.

Exit status 0 if all hold, 1 otherwise. ``--root`` checks another tree, ``--no-cargo`` leaves out
what needs cargo.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

# From the foundations outwards. Rooms of one group never use each other; ``error`` stands below
# ``types`` because everything may fail.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("error",),
    ("types",),
    ("lexicon", "normal", "detok", "logits", "budget"),
    ("segment", "entities", "patterns"),
    ("claims",),
    ("kb", "evidence"),
    ("dialogue",),
    ("score", "tier"),
    ("detect", "profile", "policy"),
    ("monitor",),
    ("session",),
    ("guard",),
)
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}

RUST_LIMIT = 400
PYTHON_LIMIT = 300
UNSAFE_ALLOWED = ("rust/core/src/logits/simd.rs", "rust/py/src/buffers.rs")
CORE = Path("rust/core/src")

# Written in pieces, so that this file does not find itself.
_ROOTS = "|".join(("work", "root", "farm", "home", "Users", "tmp" + "/w"))
MACHINE_PATH = re.compile(rf"(?:^|[^A-Za-z0-9_.~\-])/(?:{_ROOTS})/[A-Za-z0-9_.]")
BINARY_SUFFIXES = {".png", ".jpg", ".gif", ".gz", ".bin", ".parquet", ".whl", ".lock", ".svg"}

_RUST_TOKEN = re.compile(
    r"""
      (?P<line>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>\bb?r(?P<hashes>\#*)"(?:.|\n)*?"(?P=hashes))
    | (?P<string>"(?:\\(?:.|\n)|[^"\\])*")
    | (?P<char>b?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|.)|[^'\\\n])')
    """,
    re.VERBOSE,
)


def strip_rust(source: str) -> str:
    """Return ``source`` with comments removed and literals emptied; line breaks stay."""
    out: list[str] = []
    position = 0
    while match := _RUST_TOKEN.search(source, position):
        out.append(source[position : match.start()])
        end = match.end()
        if match.lastgroup == "block":
            depth = 1
            while depth and (step := re.compile(r"/\*|\*/").search(source, end)):
                depth += 1 if step.group() == "/*" else -1
                end = step.end()
            if depth:
                end = len(source)
            kept = ""
        else:
            kept = "" if match.group("line") else '""'
        # A literal that spans lines keeps counting as that many lines of code.
        breaks = source.count("\n", match.start(), end)
        out.append('""\n' * breaks + kept if kept else "\n" * breaks)
        position = end
    out.append(source[position:])
    return "".join(out)


def without_test_modules(stripped: str) -> str:
    """Return stripped Rust source with every ``#[cfg(test)]`` item's body removed."""
    while match := re.search(r"#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{", stripped):
        depth, end = 1, match.end()
        while depth and end < len(stripped):
            depth += {"{": 1, "}": -1}.get(stripped[end], 0)
            end += 1
        stripped = stripped[: match.start()] + stripped[end:]
    return stripped


def split_use_tree(tree: str) -> list[str]:
    """Return every path of a ``use`` tree: ``a::{b, c::{d, e}}`` gives ``a::b``, ``a::c::d`` …."""
    tree = tree.strip()
    open_at = tree.find("{")
    if open_at < 0:
        return [re.split(r"\s+as\s+", tree)[0].strip()] if tree else []
    prefix = tree[:open_at].strip()
    inner = tree[open_at + 1 : tree.rfind("}")]
    parts, depth, start = [], 0, 0
    for place, char in enumerate(inner):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(inner[start:place])
            start = place + 1
    parts.append(inner[start:])
    return [prefix + path for part in parts for path in split_use_tree(part)]


def rooms_used(source: str, depth: int) -> Iterator[tuple[int, str]]:
    """Yield (line, room) for every path of ``source`` that leads to a room of the crate.

    ``depth`` is how many modules deep the file is: 1 for ``room/mod.rs``, 2 for ``room/part.rs``.
    """
    stripped = without_test_modules(strip_rust(source))
    root = re.compile(r"^(?:crate::|" + "super::" * depth + r")(?!super)(\w+)")
    for match in re.finditer(r"\buse\s+([^;]+);", stripped):
        line = stripped.count("\n", 0, match.start()) + 1
        for path in split_use_tree(match.group(1)):
            found = root.match(re.sub(r"\s+", "", path))
            if found:
                yield line, found.group(1)
    elsewhere = re.sub(r"\buse\s+[^;]+;", lambda m: "\n" * m.group().count("\n"), stripped)
    inline = re.compile(
        r"(?<![\w:])(?:crate\s*::\s*|" + r"super\s*::\s*" * depth + r")(?!super\b)(\w+)"
    )
    for match in inline.finditer(elsewhere):
        yield elsewhere.count("\n", 0, match.start()) + 1, match.group(1)


def check_rooms(root: Path) -> Iterator[str]:
    """Yield one line for every use of a room that stands no nearer to the foundations."""
    core = root / CORE
    for path in sorted(core.rglob("*.rs")):
        inside = path.relative_to(core)
        room = inside.parts[0].removesuffix(".rs")
        if room == "lib":
            continue
        name = path.relative_to(root).as_posix()
        if room not in HEIGHT:
            yield f"{name}: room `{room}` has no place in tools/check_structure.py's LAYERS"
            continue
        depth = len(inside.parts) - (path.name == "mod.rs")
        seen: set[str] = set()
        for line, used in rooms_used(path.read_text(encoding="utf-8"), depth):
            if used == room or used not in HEIGHT or used in seen:
                continue
            if HEIGHT[used] >= HEIGHT[room]:
                seen.add(used)
                why = "stands beside it" if HEIGHT[used] == HEIGHT[room] else "stands above it"
                yield f"{name}:{line}: room `{room}` uses `{used}`, which {why} (DESIGN.md)"


def rust_code_lines(source: str) -> int:
    """Count lines of Rust that hold code outside comments and test modules."""
    return sum(1 for line in without_test_modules(strip_rust(source)).splitlines() if line.strip())


def python_code_lines(source: str) -> int:
    """Count lines of Python that hold code outside comments and docstrings."""
    skip = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    skip |= {tokenize.ENDMARKER, tokenize.ENCODING}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skip:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or not body or not isinstance(body[0], ast.Expr):
            continue
        first = body[0].value
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            lines -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(lines)


def check_lengths(root: Path) -> Iterator[str]:
    """Yield one line for every file that has grown past its limit."""
    for top, suffix, limit, count in (
        ("rust", ".rs", RUST_LIMIT, rust_code_lines),
        ("python", ".py", PYTHON_LIMIT, python_code_lines),
        ("tools", ".py", PYTHON_LIMIT, python_code_lines),
        ("examples", ".py", PYTHON_LIMIT, python_code_lines),
    ):
        for path in sorted((root / top).rglob(f"*{suffix}")):
            if "data" in path.parts:
                continue
            lines = count(path.read_text(encoding="utf-8"))
            if lines > limit:
                name = path.relative_to(root).as_posix()
                yield f"{name}: {lines} lines of code, at most {limit}: split it along its parts"


def check_unsafe(root: Path) -> Iterator[str]:
    """Yield one line for every ``unsafe`` outside the files that may hold it."""
    for path in sorted((root / "rust").rglob("*.rs")):
        name = path.relative_to(root).as_posix()
        if name in UNSAFE_ALLOWED:
            continue
        stripped = strip_rust(path.read_text(encoding="utf-8"))
        for match in re.finditer(r"\bunsafe\b", stripped):
            line = stripped.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: `unsafe` may stand only in {' and '.join(UNSAFE_ALLOWED)}"


def tracked_files(root: Path) -> list[Path]:
    """Return the files git tracks under ``root``; every file where there is no repository."""
    answer = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=False,
        capture_output=True,
        text=True,
    )
    if answer.returncode:
        return sorted(path for path in root.rglob("*") if path.is_file())
    return [root / name for name in sorted(answer.stdout.split("\0")) if name]


def check_machine_paths(root: Path) -> Iterator[str]:
    """Yield one line for every path of one machine in a tracked text file."""
    for path in tracked_files(root):
        if path.suffix in BINARY_SUFFIXES or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if match := MACHINE_PATH.search(line):
                name = path.relative_to(root).as_posix()
                yield f"{name}:{number}: names a path of one machine: …{match.group().strip()}…"


def check_pyo3(root: Path) -> Iterator[str]:
    """Yield a line if ``groundwire-core`` depends on pyo3 in any way."""
    command = ["cargo", "tree", "-p", "groundwire-core", "-e", "normal,build", "--prefix", "none"]
    try:
        answer = subprocess.run(command, check=False, capture_output=True, text=True, cwd=root)
    except FileNotFoundError:
        yield "cargo was not found, so the core's dependencies were not checked"
        return
    if answer.returncode:
        yield f"`{' '.join(command)}` failed: {answer.stderr.strip()}"
    for crate in sorted({line.split()[0] for line in answer.stdout.splitlines() if line.strip()}):
        if crate.startswith(("pyo3", "numpy")):
            yield f"groundwire-core depends on {crate}: the core must build without Python"


def problems(root: Path, *, cargo: bool = True) -> list[str]:
    """Return everything wrong with the tree at ``root``, one line each."""
    checks = [check_rooms, check_lengths, check_unsafe, check_machine_paths]
    if cargo:
        checks.append(check_pyo3)
    return [line for check in checks for line in check(root)]


def main() -> int:
    """Run the checks from the command line."""
    parser = argparse.ArgumentParser(description="Check the structure of the project.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--no-cargo", action="store_true", help="leave out what needs cargo")
    arguments = parser.parse_args()
    found = problems(arguments.root, cargo=not arguments.no_cargo)
    for line in found:
        print(line)
    print("structure: " + (f"{len(found)} problem(s)" if found else "as DESIGN.md has it"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
