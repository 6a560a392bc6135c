"""The structure check finds what it is there to find, and nothing in this tree."""

from __future__ import annotations

import tomllib
from pathlib import Path

import check_structure
import pytest

ROOT = Path(__file__).resolve().parents[2]


def plant(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(root: Path) -> list[str]:
    return check_structure.problems(root, cargo=False)


def test_this_tree_keeps_its_structure() -> None:
    assert found(ROOT) == []


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (
            "segment/mod.rs",
            "use crate::claims::Claim;",
            "`claims`, which stands above",
        ),
        ("kb/mod.rs", "use crate::evidence::Passage;", "`kb` uses `evidence`, which stands beside"),
        ("kb/mod.rs", "use crate::{types::Span, session};", "`kb` uses `session`"),
        ("kb/store/mod.rs", "use crate::types::{Span};\nfn f() { crate::guard::go() }", "mod.rs:2"),
        ("kb/store/deep.rs", "use super::super::super::detect::run;", "`kb` uses `detect`"),
        ("kb/mod.rs", "use super::{types::{A, B},\n  monitor::Monitor};", "`kb` uses `monitor`"),
        ("error.rs", "use crate::types::Span;", "`error` uses `types`"),
        ("score/mod.rs", "fn f(x: &crate::tier::Cut) {}", "`score` uses `tier`"),
        ("attic/mod.rs", "", "`attic` has no place"),
    ],
)
def test_a_room_that_looks_up_or_sideways(
    tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    plant(tmp_path, f"rust/core/src/{name}", text)
    assert [line for line in found(tmp_path) if complaint in line], found(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "use crate::types::Span;\nuse crate::error::{Error, Result};",
        "// use crate::session::Session;\n/* crate::guard */",
        'const A: &str = "crate::session";\nconst B: &str = r#"use crate::guard;"#;',
        "use crate::kb::Fact; use super::Fact as Other;",
        "#[cfg(test)]\nmod tests { use crate::session::Session; }",
    ],
)
def test_a_room_that_looks_down_or_only_talks(tmp_path: Path, text: str) -> None:
    plant(tmp_path, "rust/core/src/kb/mod.rs", text)
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        # Other names for the crate's root.
        ("kb/mod.rs", "use crate as c;\nuse c::session::Session;", "mod.rs:1: means the whole"),
        ("kb/mod.rs", "use crate::{self as c};", "mod.rs:1: means the whole"),
        ("kb/mod.rs", "pub use crate::*;", "mod.rs:1: means the whole"),
        ("kb/mod.rs", "use super as up;", "mod.rs:1: means the whole"),
        ("kb/mod.rs", "use super::*;", "mod.rs:1: means the whole"),
        ("kb/part.rs", "use super::super::{self as up};", "part.rs:1: means the whole"),
        ("kb/mod.rs", "extern crate self as gw;\nuse gw::session::Session;", "`extern crate`"),
        # The same path, written otherwise.
        ("kb/mod.rs", "use self::super::session::Session;", "`kb` uses `session`"),
        ("kb/mod.rs", "use crate::r#session::Session;", "`kb` uses `session`"),
        ("kb/mod.rs", "use crate ::\n session::Session;", "`kb` uses `session`"),
        (
            "kb/mod.rs",
            "mod inner {\n use super::super::session::Session;\n}",
            "mod.rs:2: room `kb`",
        ),
        (
            "kb/mod.rs",
            "mod inner {\n fn f() { super::super::guard::go() }\n}",
            "mod.rs:2: room `kb`",
        ),
        ("kb/mod.rs", '#[serde(with = "crate::session::number")]', "`kb` uses `session`"),
        ("kb/mod.rs", "pub(in crate::kb) fn f() { crate::session::go() }", "`kb` uses `session`"),
        # Files that come from elsewhere.
        ("kb/mod.rs", '#[path = "../session/mod.rs"]\nmod other;', "mod.rs:1: `#[path]`"),
        ("kb/mod.rs", '#[cfg_attr(all(), path = "../session/mod.rs")]\nmod other;', "`#[path]`"),
        ("kb/mod.rs", 'include!("../session/mod.rs");', "mod.rs:1: `include!`"),
        ("kb/mod.rs", 'use std::include as put;\nput!("../session/mod.rs");', "`include!`"),
        ("kb/mod.rs", "use std::{fmt, include as put};", "`include!`"),
        # Macros.
        (
            "kb/mod.rs",
            "macro_rules! far { () => { $crate::session::go() } }",
            "`kb` uses `session`",
        ),
        (
            "kb/mod.rs",
            "macro_rules! far { ($r:ident) => { $crate::$r::go() } }",
            "`crate::$r` is no",
        ),
        (
            "kb/mod.rs",
            "macro_rules! far { ($r:ident) => { use $crate::{$r as r}; } }",
            "`crate::$r`",
        ),
        ("kb/mod.rs", "far!(crate, session);", "means the whole crate"),
        ("kb/part.rs", "far!(super super session);", "means the whole crate"),
        (
            "session/mod.rs",
            "#[macro_export]\nmacro_rules! far { () => {} }",
            "a macro of the whole",
        ),
        ("lib.rs", "#[macro_use]\npub mod session;", "lib.rs:1: a macro of the whole"),
        ("lib.rs", "macro_rules! far { () => { $crate::session::go() } }", "lib.rs:1: uses a room"),
        ("lib.rs", "fn far() { session::go() }", "lib.rs:1: uses a room"),
        # Names that the root exports again.
        ("lib.rs", "pub use session::*;", "lib.rs:1: exports `session` as a glob"),
        (
            "lib.rs",
            "pub mod types { pub use crate::session::Session; }",
            "lib.rs:1: holds a module",
        ),
        ("lib.rs", "use crate as c;", "lib.rs:1: gives the crate's root another name"),
        ("kb/mod.rs", "use crate::front::Session;", "`crate::front` is no room"),
        ("kb/session.rs", "use super::super::Session;", "`crate::Session` is no room"),
    ],
)
def test_a_way_round_the_rooms(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    plant(tmp_path, "rust/core/src/lib.rs", "pub mod kb;\npub mod session;")
    assert found(tmp_path) == []
    plant(tmp_path, f"rust/core/src/{name}", text)
    assert [line for line in found(tmp_path) if complaint in line], found(tmp_path)


@pytest.mark.parametrize(
    ("exports", "name"),
    [
        ("pub use session::Session;", "Session"),
        ("pub use crate::session::Session as Stream;", "Stream"),
        ("pub use self::{types::Span, session::{report::Report as Told, Push}};", "Told"),
        ("use session as stream;\npub use stream::Push;", "Push"),
        ("pub use session::{self as stream};", "stream"),
        ("pub use session::report::{self};", "report"),
    ],
)
def test_what_the_root_exports_again_is_of_the_room_it_comes_from(
    tmp_path: Path, exports: str, name: str
) -> None:
    plant(tmp_path, "rust/core/src/lib.rs", f"pub mod session;\npub mod types;\n{exports}")
    plant(tmp_path, "rust/core/src/guard/mod.rs", f"use crate::{name};")
    assert found(tmp_path) == []
    plant(tmp_path, "rust/core/src/kb/mod.rs", f"use std::fmt;\nuse crate::{name};")
    assert found(tmp_path) == [
        "rust/core/src/kb/mod.rs:2: room `kb` uses `session`, which stands above it (DESIGN.md)"
    ]


def test_every_room_of_the_package_has_a_place_in_its_layers() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    placed = [
        room.strip(" ()")
        for layer in contract["layers"]
        for room in layer.replace("|", ":").split(":")
    ]
    package = ROOT / "python" / "groundwire"
    rooms = {path.stem for path in package.glob("*.py")} | {"_core"}
    rooms |= {path.parent.name for path in package.glob("*/*.py")}
    assert contract["exhaustive"]
    assert contract["exhaustive_ignores"] == ["__main__"]
    assert sorted(placed) == sorted(rooms - {"__init__", "__main__"})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("import groundwire as gw", "kb.py:1: takes its names"),
        ("def f():\n    from groundwire import check", "kb.py:2: takes `check`"),
        ("from groundwire import errors, Report", "kb.py:1: takes `Report`"),
        ('x = importlib.import_module("groundwire.api")', "kb.py:1: imports a room by a text"),
        ('x = __import__("groundwire")', "kb.py:1: imports a room by a text"),
        ('x = import_module(".api", "groundwire")', "kb.py:1: imports a room by a text"),
    ],
)
def test_rooms_of_the_package_do_not_go_through_its_root(
    tmp_path: Path, text: str, complaint: str
) -> None:
    plant(tmp_path, "python/groundwire/errors.py", "")
    plant(tmp_path, "python/groundwire/cli/app.py", "import groundwire as gw")
    assert found(tmp_path) == []
    plant(tmp_path, "python/groundwire/kb.py", text)
    assert [line for line in found(tmp_path) if complaint in line], found(tmp_path)


def test_long_files(tmp_path: Path) -> None:
    plant(tmp_path, "rust/core/src/kb/mod.rs", "fn a() {}\n// talk\n\n" * 401)
    plant(tmp_path, "rust/core/src/kb/fine.rs", "fn a() {}\n// talk\n/* more\ntalk */\n" * 400)
    plant(tmp_path, "python/groundwire/long.py", "x = 1\n# talk\n" * 301)
    plant(tmp_path, "python/groundwire/fine.py", '"""Talk.\n\nMore.\n"""\n' + "x = 1\n" * 300)
    assert [line.split(":")[0] for line in found(tmp_path)] == [
        "rust/core/src/kb/mod.rs",
        "python/groundwire/long.py",
    ]


def test_an_integration_that_is_no_thin_one(tmp_path: Path) -> None:
    folder = "python/groundwire/integrations"
    for name in ("ray.py", "_ray.py", "serving.py"):
        plant(tmp_path, f"{folder}/{name}", '"""A."""\n' * 150)
    plant(tmp_path, f"{folder}/sglang.py", '"""A."""\n' * 149)
    assert found(tmp_path) == [f"{folder}/ray.py: 150 lines, at most 149: an integration is thin"]


def test_unsafe(tmp_path: Path) -> None:
    plant(tmp_path, "rust/core/src/logits/simd.rs", "unsafe fn fast() {}")
    plant(tmp_path, "rust/core/src/logits/mod.rs", "#![deny(unsafe_code)] // no unsafe here\n")
    assert found(tmp_path) == []
    plant(tmp_path, "rust/core/src/logits/mod.rs", "\nunsafe { x() }")
    assert found(tmp_path)[0].startswith("rust/core/src/logits/mod.rs:2: `unsafe`")


def test_paths_of_one_machine(tmp_path: Path) -> None:
    plant(tmp_path, "notes.md", "see https://example.org/work/one and ../root/two and a/home/x")
    assert found(tmp_path) == []
    plant(tmp_path, "notes.md", "first\nsee `" + "/ro" + "ot/one`")
    assert found(tmp_path)[0].startswith("notes.md:2: names a path of one machine")


def test_stripping_keeps_line_numbers() -> None:
    source = "let a = 'x'; // one\n/* two /* inner */\n*/ let b: &'static str = \"q\\\"\nr\";\nend"
    stripped = check_structure.strip_rust(source)
    assert stripped.count("\n") == source.count("\n")
    assert "one" not in stripped
    assert "inner" not in stripped
    assert "'static" in stripped
    assert stripped.endswith("end")
