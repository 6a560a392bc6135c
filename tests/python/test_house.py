"""The house itself: its commands, its imports, where PyTorch comes from."""

from __future__ import annotations

import ast
import itertools
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import engine_tests
import install
import pytest
import run_benches

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = ("torch", "transformers", "vllm", "numpy", "pandas", "pydantic", "rich", "typer")


def cpu_seconds(code: str) -> float:
    """Return the processor time of a Python process that runs ``code``; best of five."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, used)
    return best


def test_import_brings_no_framework() -> None:
    code = f"import groundwire, sys; print([m for m in {FRAMEWORKS!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_import_takes_less_than_150_ms() -> None:
    assert cpu_seconds("import groundwire") - cpu_seconds("pass") < 0.150


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_lists_its_targets_and_knows_each() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True)
    listed = re.findall(r"^ {2}make ([a-z-]+) ", done.stdout, re.MULTILINE)
    told = re.findall(r"^ {2}make [a-z-]+ +(?=\S)", done.stdout, re.MULTILINE)
    assert len({len(target) for target in told}) == 1, "what is said begins in one column"
    asked = [
        "help",
        "dev",
        "demo",
        "test",
        "lint",
        "bench",
        "req",
        "deny",
        "fmt",
        "clean",
        "wheel",
        "slow",
    ]
    assert set(asked) <= set(listed)
    phony = re.findall(r"^\.PHONY: ([a-z-]+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(listed) <= set(phony)
    for target in listed:
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_says_what_is_missing(tmp_path: Path) -> None:
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\ncase "$1" in -V) echo "Python 3.8.1";; *) exit 1;; esac\n')
    old.chmod(0o755)
    command = ["make", "check-python", f"PYTHON={old}"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "is 3.8.1; groundwire needs Python 3.11 or newer" in done.stdout
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in ("make", "bash", "sh", "find"):
        (bare / tool).symlink_to(shutil.which(tool) or "")
    done = subprocess.run(
        ["make", "check-cargo"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(bare)},
    )
    assert done.returncode == 2
    assert "cargo was not found" in done.stdout


def test_where_pytorch_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(install, "fitting_wheel", lambda _: "9.9+cpu")
    assert install.torch_arguments(str(tmp_path), "index") == [
        "--find-links",
        str(tmp_path),
        "torch==9.9+cpu",
    ]
    assert "PyTorch 9.9+cpu: from the wheel in" in capsys.readouterr().out
    monkeypatch.setattr(install, "fitting_wheel", lambda _: None)
    index, where, requirement = install.torch_arguments("none", "https://example.org/simple")
    assert (index, where) == ("--index-url", "https://example.org/simple")
    assert requirement.startswith("torch>=")
    assert "TORCH_INDEX=https://example.org" in capsys.readouterr().out
    assert install.torch_arguments("none", "") == [requirement]
    assert "from PyPI" in capsys.readouterr().out


def test_a_wheel_that_does_not_fit_is_not_taken(tmp_path: Path) -> None:
    assert install.fitting_wheel(tmp_path) is None
    (tmp_path / "torch-9.9-cp27-cp27m-win32.whl").touch()
    assert install.fitting_wheel(tmp_path) is None


def test_benchmark_table() -> None:
    results = {
        "command": "cargo bench",
        "commit": "abc",
        "machine": {"cpu": "CPU", "cores": 2, "rustc": "rustc 1", "python": "3.11"},
        "benchmarks": [
            {"name": "a", "ns": 2_500_000.0, "bytes": 1000},
            {"name": "b", "ns": 500.0, "elements": 100},
        ],
    }
    text = run_benches.table("Rust", results)
    assert "`cargo bench` at commit `abc`, on 2 × CPU" in text
    assert "| a | 2.5 ms | 0.4 MB/s |" in text
    assert "| b | 500 ns | 5 ns |" in text


@pytest.mark.parametrize(
    ("statuses", "arguments", "whole", "ends"),
    [
        ({}, [], True, 0),
        ({"test_vllm_v2.py": 5}, [], False, 0),
        ({"test_vllm_v2.py": 5}, [], True, 1),
        ({"test_vllm_v2.py": 5}, ["-k", "rows"], True, 0),
        ({"test_vllm_rows.py": 1}, [], True, 1),
        ({"test_vllm_rows.py": 2, "test_vllm_v2.py": 5}, ["-x"], False, 1),
    ],
)
def test_what_the_engines_tests_end_with(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    statuses: dict[str, int],
    arguments: list[str],
    whole: bool,
    ends: int,
) -> None:
    if whole:
        (tmp_path / "triton" / "triton").mkdir(parents=True)
    ran: list[str] = []

    def run(file: Path, engine: Path, given: list[str]) -> int:
        assert (engine, given) == (tmp_path, arguments)
        ran.append(file.name)
        return statuses.get(file.name, 0)

    monkeypatch.setattr(engine_tests, "run", run)
    monkeypatch.setattr(sys, "argv", ["engine_tests.py", str(tmp_path), *arguments])
    assert engine_tests.main() == ends
    assert sorted(ran) == sorted(p.name for p in (ROOT / "tests" / "python").glob("test_vllm*.py"))
    told = capsys.readouterr().out
    for name, status in statuses.items():
        assert (name in told.partition("failed: ")[2]) == (status != 5)


def test_only_the_newer_runners_tests_see_triton(tmp_path: Path) -> None:
    folder = ROOT / "tests" / "python"
    line, environment = engine_tests.command(folder / "test_vllm_v2.py", tmp_path, ["-x"])
    assert line[1:] == ["-m", "pytest", "-rs", "-x", "tests/python/test_vllm_v2.py"]
    assert str(tmp_path / "triton") in environment["PYTHONPATH"].split(os.pathsep)
    _, environment = engine_tests.command(folder / "test_vllm_rows.py", tmp_path, [])
    assert environment["PYTHONPATH"] == str(ROOT / "python")
    assert set(engine_tests.LONGEST) <= {path.name for path in folder.glob("test_vllm*.py")}


def test_ci_calls_the_same_targets() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0
    for target in ("make dev", "make lint", "make test-rust", "make -s test-all"):
        assert target in script
    assert "entry: make lint" in hooks
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def without_docstring(declared: str) -> list[str]:
    """Return the public classes, functions and members of a ``.pyi`` file without a docstring."""
    found = []
    for node in ast.parse(declared).body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_"):
            continue
        members = node.body if isinstance(node, ast.ClassDef) else []
        named = [(node.name, node)] + [
            (f"{node.name}.{member.name}", member)
            for member in members
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_")
        ]
        found += [name for name, one in named if ast.get_docstring(one) is None]
    return found


def test_every_public_name_of_the_core_says_what_it_is() -> None:
    declared = (ROOT / "python" / "groundwire" / "_core.pyi").read_text(encoding="utf-8")
    assert without_docstring(declared) == []
    assert without_docstring("class A:\n    def b(self): ...\ndef _c(): ...\n") == ["A", "A.b"]


def bare(rust: str) -> list[int]:
    """Return the lines of the binding from which on Python can read what has no doc comment."""
    marks = ("#[getter]", "#[pyfunction]", "#[pyo3(get)]", "#[pyclass")
    pairs = itertools.pairwise(["", *map(str.strip, rust.splitlines())])
    return [
        number
        for number, (before, line) in enumerate(pairs, 1)
        if line.startswith(marks) and not before.startswith("///")
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "rust/py/src").glob("*.rs")), ids=lambda p: p.name)
def test_what_python_can_read_of_the_binding_has_a_doc_comment(path: Path) -> None:
    assert bare(path.read_text(encoding="utf-8")) == []


def test_a_missing_doc_comment_is_found() -> None:
    members = "    #[getter]\n    fn a(&self) -> u8 {\n", "    #[pyo3(get)]\n    a: u8,\n"
    assert bare("".join(members)) == [1, 3]
    assert bare("".join(f"    /// It is.\n{member}" for member in members)) == []
