"""The structure check finds what it is there to find, and nothing in this tree."""

from __future__ import annotations

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


def test_long_files(tmp_path: Path) -> None:
    plant(tmp_path, "rust/core/src/kb/mod.rs", "fn a() {}\n// talk\n\n" * 401)
    plant(tmp_path, "rust/core/src/kb/fine.rs", "fn a() {}\n// talk\n/* more\ntalk */\n" * 400)
    plant(tmp_path, "python/groundwire/long.py", "x = 1\n# talk\n" * 301)
    plant(tmp_path, "python/groundwire/fine.py", '"""Talk.\n\nMore.\n"""\n' + "x = 1\n" * 300)
    assert [line.split(":")[0] for line in found(tmp_path)] == [
        "rust/core/src/kb/mod.rs",
        "python/groundwire/long.py",
    ]


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
