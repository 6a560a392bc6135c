"""The list of requirements, and the tool that compares tests with it."""

from __future__ import annotations

from pathlib import Path

import pytest
import requirements

ROOT = Path(__file__).resolve().parents[2]
# In two pieces, so that the tool does not read this file's plants as its own marks.
MARK = "@pytest.mark." + "req"
NOTE = "// " + "req:"


def plant(root: Path, name: str, text: str) -> None:
    path = root / "tests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    lines = ["# head", "S4-013\tmonitor", "S4-014\ttokens", "SPEC-08.34a\tkey", "X-01\tscales"]
    plant(tmp_path, "requirements.tsv", "\n".join(lines))
    return tmp_path


def run(root: Path, *arguments: str) -> int:
    return requirements.main(["--root", str(root), *arguments])


def test_the_list_is_whole() -> None:
    known = requirements.read_list(ROOT / requirements.LIST)
    count = {
        group: sum(requirements.family(name) == group for name in known)
        for group in ("S0", "S1", "S2", "S3", "SPEC-08", "S4", "X", "U", "D")
    }
    assert count == {
        "S0": 105,
        "S1": 77,
        "S2": 61,
        "S3": 1,
        "SPEC-08": 56,
        "S4": 36,
        "X": 30,
        "U": 10,
        "D": 7,
    }
    assert [f"X-{n:02}" for n in range(1, 31)] == [n for n in known if n.startswith("X-")]


def test_this_tree_names_no_unknown_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert requirements.main(["--check"]) == 0, capsys.readouterr().out


def test_covered_and_not(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tree, "python/test_a.py", f'\n{MARK}(\n    "S4-013",\n    "X-01",\n)\ndef test(): ...\n')
    plant(tree, "rust/a.rs", f"{NOTE} S4-013, SPEC-08.34a\nfn a() {{}}\n")
    assert run(tree) == 0
    out = capsys.readouterr().out
    assert "S4: 1 of 2\n  + S4-013" in out
    assert "[tests/python/test_a.py:2 and 1 more]" in out
    assert "not covered: S4-014" in out
    assert out.endswith("requirements: 3 of 4 covered by tests\n")
    assert run(tree, "--uncovered") == 0
    assert "  - S4-014       tokens" in capsys.readouterr().out


def test_unknown_ids_are_errors(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tree, "rust/a.rs", f"fn x() {{}}\n    {NOTE} S4-099 SPEC-08.34\n")
    assert run(tree, "--check") == 1
    out = capsys.readouterr().out
    assert "tests/rust/a.rs:2: no requirement S4-099\n" in out
    assert "no requirement SPEC-08.34 (it has parts: SPEC-08.34a)" in out


@pytest.mark.parametrize("line", ["S4-015", "S4-015\t", "S4-15\tx", "S4-013\tagain"])
def test_a_damaged_list(tree: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tree / requirements.LIST
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    assert run(tree) == 1
    assert "requirements.tsv:6:" in capsys.readouterr().out
