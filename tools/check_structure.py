"""Check that the house keeps its structure, and say where it does not.

- Rooms of ``rust/core/src`` use only rooms nearer to the foundations, and by ways that can be read
  (``tools/rust_rooms.py``).
- Rooms of the Python package do not take each other's names from its root.
- Files stay short: 400 lines of Rust code, 300 of Python (comments, blank lines, docstrings,
  tests and data apart); a framework's integration has fewer than 150 lines, all told.
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

from rust_rooms import check_rooms, strip_rust, without_test_modules

RUST_LIMIT = 400
PYTHON_LIMIT = 300
INTEGRATION_LIMIT = 149
# What the frameworks' integrations share, and none itself.
SHARED = {"models.py", "prompts.py", "serving.py"}
# Programs on top of everything; nothing imports them.
ON_TOP = {"cli", "evaluate", "gateway"}
UNSAFE_ALLOWED = ("rust/core/src/logits/simd.rs", "rust/py/src/buffers.rs")

# Written in pieces, so that this file does not find itself.
_ROOTS = "|".join(("work", "root", "farm", "home", "Users", "tmp" + "/w"))
MACHINE_PATH = re.compile(rf"(?:^|[^A-Za-z0-9_.~\-])/(?:{_ROOTS})/[A-Za-z0-9_.]")
BINARY_SUFFIXES = {".png", ".jpg", ".gif", ".gz", ".bin", ".parquet", ".whl", ".lock", ".svg"}


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


def check_integrations(root: Path) -> Iterator[str]:
    """Yield one line for every framework's module that is more than a thin one.

    What a framework's forms need stands in a private module beside it. An engine whose process
    groundwire lives in has a folder.
    """
    for path in sorted((root / "python/groundwire/integrations").glob("[!_]*.py")):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if path.name not in SHARED and lines > INTEGRATION_LIMIT:
            name = path.relative_to(root).as_posix()
            yield f"{name}: {lines} lines, at most {INTEGRATION_LIMIT}: an integration is thin"


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


def check_python_rooms(root: Path) -> Iterator[str]:
    """Yield one line for every Python room that reaches others where import-linter cannot see it.

    The package's root takes its names from every room, so that a room which takes them from there
    uses all of them; so may one that imports by a text.
    """
    package = root / "python" / "groundwire"
    modules = {path.stem for path in package.glob("*.py*")}
    modules |= {path.parent.name for path in package.glob("*/*.py")}
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).parts
        name = path.relative_to(root).as_posix()
        if inside == ("__init__.py",):
            continue
        on_top = inside[0] in ON_TOP
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _imports_by_text(node):
                yield f"{name}:{node.lineno}: imports a room by a text: write an import"
            if on_top or not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.Import):
                taken = {"its names" for alias in node.names if alias.name == "groundwire"}
            else:
                names = node.names if node.module == "groundwire" else []
                taken = {f"`{alias.name}`" for alias in names if alias.name not in modules}
            for what in sorted(taken):
                yield f"{name}:{node.lineno}: takes {what} from the package's root: import the room"


def _imports_by_text(call: ast.Call) -> bool:
    called = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    first = call.args[0] if call.args else None
    text = first.value if isinstance(first, ast.Constant) else None
    return (
        called in {"import_module", "__import__"}
        and isinstance(text, str)
        and text.split(".")[0] in {"groundwire", ""}
    )


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
    checks = [check_rooms, check_python_rooms, check_lengths, check_integrations]
    checks += [check_unsafe, check_machine_paths]
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
