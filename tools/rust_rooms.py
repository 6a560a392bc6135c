"""Which room of ``rust/core/src`` uses which, whatever name the path goes by.

Paths are read, not compiled. What would lead to a room by a way that cannot be read (another name
for the crate's root, a glob of it, a file put in from elsewhere, a macro of the whole crate) is
therefore refused; what ``lib.rs`` exports again counts as the room that it comes from.
"""

from __future__ import annotations

import re
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
CORE = Path("rust/core/src")

_RUST_TOKEN = re.compile(
    r"""
      (?P<line>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>\b[bc]?r(?P<hashes>\#*)"(?:.|\n)*?"(?P=hashes))
    | (?P<string>"(?:\\(?:.|\n)|[^"\\])*")
    | (?P<char>b?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|.)|[^'\\\n])')
    """,
    re.VERBOSE,
)

# Ways to a room that no reader of paths can follow.
_REFUSED: tuple[tuple[str, str], ...] = (
    (r"\bextern\s+crate\b", "`extern crate` gives a crate another name"),
    (r"#!?\s*\[[^\]]*\bpath\s*=", "`#[path]` lays a file into another room"),
    (r"\binclude\s*!", "`include!` lays a file into another room"),
    (r"\bmacro_(?:export|use)\b", "a macro of the whole crate is of no room: `pub(crate) use` it"),
)
_VISIBILITY = re.compile(r"\bpub\s*\(\s*(?:crate|super|self|in\s[\w\s:]+)\s*\)")
_USE = re.compile(r"\buse\s+([^;]+);")
_INLINE = re.compile(r"(?<!\w)(?:crate|super)\b(?:\s*::\s*(?:r#)?[\w$]+|\s*::\s*[*{])*")
_ATTRIBUTE = re.compile(r'#!?\s*\[(?:[^\]"]|"(?:\\.|[^"\\])*")*\]')
_WRITTEN = re.compile(r'"((?:crate|super)(?:::\w+)+)"')
_MODULE = re.compile(r"\bmod\s+\w+\s*\{")


def strip_rust(source: str, *, literals: bool = False) -> str:
    """Return ``source`` with comments removed and literals emptied; line breaks stay.

    Args:
        source: a Rust file.
        literals: leave what literals hold.
    """
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
            if literals and kept:
                out.append(match.group())
                position = end
                continue
        # A literal that spans lines keeps counting as that many lines of code.
        breaks = source.count("\n", match.start(), end)
        out.append('""\n' * breaks + kept if kept else "\n" * breaks)
        position = end
    out.append(source[position:])
    return "".join(out)


def _closed_at(stripped: str, opened: int) -> int:
    """Return where the block that opens just before ``opened`` has closed."""
    depth, end = 1, opened
    while depth and end < len(stripped):
        depth += {"{": 1, "}": -1}.get(stripped[end], 0)
        end += 1
    return end


def without_test_modules(stripped: str) -> str:
    """Return stripped Rust source without its ``#[cfg(test)]`` modules; line breaks stay."""
    while match := re.search(r"#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{", stripped):
        end = _closed_at(stripped, match.end())
        breaks = "\n" * stripped.count("\n", match.start(), end)
        stripped = stripped[: match.start()] + breaks + stripped[end:]
    return stripped


def split_use_tree(tree: str) -> list[str]:
    """Return every path of a ``use`` tree: ``a::{b, c::{d}}`` gives ``a::b`` and ``a::c::d``.

    Another name that one is given stays behind it.
    """
    tree = tree.strip()
    open_at = tree.find("{")
    if open_at < 0:
        return [tree] if tree else []
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


def _segments(path: str) -> list[str]:
    """Return the parts of a path, raw identifiers as the plain ones that they are."""
    parts = re.sub(r"\s+|r#|^\$", "", path).removeprefix("::").split("::")
    return parts[1:] if parts[0] == "self" and len(parts) > 1 else parts


def _below_root(path: str, depth: int) -> str | None:
    """Return what ``path`` names in the crate's root: "" the root itself, None nothing there."""
    parts = _segments(path)
    if parts[0] == "crate":
        parts = parts[1:]
    else:
        ups = next((n for n, part in enumerate(parts) if part != "super"), len(parts))
        if ups < depth:
            return None
        parts = parts[ups:]
    return parts[0] if parts and parts[0] not in {"self", "*", "{"} else ""


def root_names(source: str, depth: int) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for every path of ``source`` that leads into the crate's root.

    The name is empty where the root itself is meant, which leads anywhere.

    Args:
        source: a Rust file.
        depth: how many modules deep it is: 1 for ``room/mod.rs``, 2 for ``room/part.rs``.
    """

    def clean(text: str) -> str:
        return _VISIBILITY.sub(lambda m: "pub" + "\n" * m.group().count("\n"), text)

    stripped = clean(without_test_modules(strip_rust(source)))
    modules = [(m.start(), _closed_at(stripped, m.end())) for m in _MODULE.finditer(stripped)]

    def deep(place: int) -> int:
        return depth + sum(start < place < end for start, end in modules)

    def told(text: str, place: int, path: str) -> Iterator[tuple[int, str]]:
        name = _below_root(path, deep(place))
        if name is not None:
            yield text.count("\n", 0, place) + 1, name

    for match in _USE.finditer(stripped):
        for path in split_use_tree(match.group(1)):
            yield from told(stripped, match.start(), re.split(r"\s+as\s+", path)[0])
    # Blanks instead, so that places stay what they are.
    elsewhere = _USE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), stripped)
    for match in _INLINE.finditer(elsewhere):
        # Alone, to be put together with something by a macro.
        alone = match.group() == "super"
        yield from told(elsewhere, match.start(), "crate" if alone else match.group())
    # A derive may be given a path as a text.
    written = clean(without_test_modules(strip_rust(source, literals=True)))
    for attribute in _ATTRIBUTE.finditer(written):
        for match in _WRITTEN.finditer(attribute.group()):
            name = _below_root(match.group(1), depth)
            if name is not None:
                yield written.count("\n", 0, attribute.start()) + 1, name


def exported(source: str) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """Return the rooms that names of ``lib.rs`` come from, and (line, complaint) of what is wrong.

    The root is no room. It declares the rooms and may export names of theirs again; what else it
    held of them could be used from anywhere.
    """
    homes = {room: room for room in HEIGHT}
    wrong: list[tuple[int, str]] = []
    stripped = without_test_modules(strip_rust(source))
    for match in _USE.finditer(stripped):
        line = stripped.count("\n", 0, match.start()) + 1
        for path in split_use_tree(match.group(1)):
            whole, _, other = path.partition(" as ")
            parts = _segments(whole)
            parts = parts[1:] if parts[0] == "crate" else parts
            home = homes.get(parts[0]) if parts else None
            if home is None:
                if not parts or parts[0] in {"self", "*"}:
                    wrong.append((line, "gives the crate's root another name"))
            elif parts[-1] == "*":
                wrong.append((line, f"exports `{home}` as a glob: name what it exports"))
            else:
                last = parts[-1] if parts[-1] != "self" else parts[-2]
                homes[other.strip() or last] = home
    elsewhere = _USE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), stripped)
    for match in _MODULE.finditer(elsewhere):
        line = elsewhere.count("\n", 0, match.start()) + 1
        wrong.append((line, "holds a module's body, which is in no room"))
    for match in re.finditer(r"\b(\w+)\s*::|(?<!\w)crate\b(?!\s*\))", elsewhere):
        if match.group(1) is None or match.group(1) in {*homes, "crate"}:
            line = elsewhere.count("\n", 0, match.start()) + 1
            wrong.append((line, "uses a room: what does belongs into a room above it"))
    return homes, wrong


def check_rooms(root: Path) -> Iterator[str]:
    """Yield one line for every use of a room that stands no nearer to the foundations."""
    core = root / CORE
    library = core / "lib.rs"
    homes, wrong = exported(library.read_text(encoding="utf-8") if library.is_file() else "")
    yield from (f"{(CORE / 'lib.rs').as_posix()}:{line}: {complaint}" for line, complaint in wrong)
    for path in sorted(core.rglob("*.rs")):
        inside = path.relative_to(core)
        name = path.relative_to(root).as_posix()
        source = path.read_text(encoding="utf-8")
        yield from (f"{name}:{line}: {complaint}" for line, complaint in refused(source))
        room = inside.parts[0].removesuffix(".rs")
        if room == "lib" and len(inside.parts) == 1:
            continue
        if room not in HEIGHT:
            yield f"{name}: room `{room}` has no place in tools/rust_rooms.py's LAYERS"
            continue
        depth = len(inside.parts) - (path.name == "mod.rs")
        seen: set[str] = set()
        for line, used in root_names(source, depth):
            if used in seen or homes.get(used) == room:
                continue
            home = homes.get(used)
            if home is not None and HEIGHT[home] < HEIGHT[room]:
                continue
            seen.add(used)
            if not used:
                yield f"{name}:{line}: means the whole crate: name the room that is used"
            elif home is None and library.is_file():
                yield f"{name}:{line}: `crate::{used}` is no room, and nothing that one exports"
            elif home is not None:
                level = HEIGHT[home] == HEIGHT[room]
                why = "stands beside it" if level else "stands above it"
                yield f"{name}:{line}: room `{room}` uses `{home}`, which {why} (DESIGN.md)"


def refused(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, complaint) for every way to a room that cannot be followed."""
    stripped = without_test_modules(strip_rust(source))
    for pattern, complaint in _REFUSED:
        for match in re.finditer(pattern, stripped):
            yield stripped.count("\n", 0, match.start()) + 1, complaint
    for match in _USE.finditer(stripped):
        if any(re.search(r"\binclude(?:\s+as\b|$)", p) for p in split_use_tree(match.group(1))):
            line = stripped.count("\n", 0, match.start()) + 1
            yield line, "`include!` lays a file into another room"
