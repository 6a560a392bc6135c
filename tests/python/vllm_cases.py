"""What the tests of the vLLM integration share: a museum, its configuration, an engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "packages" / "groundwire-vllm-plugin"
FACTS = '{"name": "Harbour Museum", "attributes": {"founded": 1987, "employees": 45}}\n'
WRONG = "The Harbour Museum was founded in 1992."
NOTE = " (Correction: 1987, not 1992.)"
CACHE = 512 * 2**20
"""Bytes of the KV cache: a share of the memory would have to hold the process itself."""
PLUGIN = "groundwire.integrations.vllm:GroundwireLogitsProcessor"
CONFIG = """
[serving]
default_policy = "off"
requests_may_lower = true
signals_socket = "{socket}"
[serving.policies.ending]
medium = "interrupt"
high = "interrupt"
after_interrupt = "stop"
auto_correct = 1.0
[serving.knowledge_bases]
museum = "{kb}"
"""


def configured(folder: Path, socket: str = "") -> Path:
    """Write the configuration and its knowledge base; return the file."""
    kb = folder / "museum.jsonl"
    kb.write_text(FACTS)
    file = folder / "serving.toml"
    file.write_text(CONFIG.format(kb=kb.as_posix(), socket=socket))
    return file


def engine_arguments(**given: Any) -> dict[str, Any]:
    """Arguments of a small engine in this process."""
    return {
        "model": os.environ["GROUNDWIRE_TEST_MODEL"],
        "max_model_len": 1024,
        "max_num_seqs": 8,
        "block_size": 32,
        "enforce_eager": True,
        "seed": 0,
        "dtype": "float32",
        "kv_cache_memory_bytes": CACHE,
        **given,
    }


def started(loaded: str, **given: Any) -> Any | None:
    """Start an engine with the processor named, or loaded by its entry point.

    Args:
        loaded: ``named`` or ``entry``.
        given: more of the engine's arguments.

    Returns:
        The engine; ``None`` where it did not start, and why is printed as the result.
    """
    from vllm import LLM

    named = [PLUGIN] if loaded == "named" else None
    try:
        return LLM(**engine_arguments(logits_processors=named, **given))
    except Exception as error:
        print("RESULT", json.dumps({"refused": f"{type(error).__name__}: {error}"}))
        return None


def plugin(llm: Any) -> Any:
    """Return the processor of an engine in this process, in either model runner."""
    runner = llm.llm_engine.model_executor.driver_worker.worker.model_runner
    if hasattr(runner, "input_batch"):
        found = runner.input_batch.logitsprocs.non_argmax_invariant
    else:
        found = runner.sampler.logits_processors
    return next(p for p in found if type(p).__name__ == "GroundwireLogitsProcessor")


def installed(folder: Path) -> Path:
    """Build the distribution with the entry point; return the folder it is installed into."""
    source = folder / "source"
    source.mkdir()
    (source / "pyproject.toml").write_bytes((PACKAGE / "pyproject.toml").read_bytes())
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source)]
    subprocess.run([*pip, *wheel], check=True, timeout=300)
    (made,) = folder.glob("*.whl")
    target = folder / "site"
    install = ["install", "--no-deps", "--no-index", "--target", str(target), str(made)]
    subprocess.run([*pip, *install], check=True, timeout=300)
    return target


def run_case(
    words: Sequence[str],
    folder: Path,
    also: Path | None = None,
    socket: str = "",
    **environment: str,
) -> dict[str, Any]:
    """Run a script of this folder in a process of its own; return the JSON it prints."""
    paths = [os.environ.get("PYTHONPATH", ""), *([] if also is None else [str(also)])]
    done = subprocess.run(
        [sys.executable, str(HERE / words[0]), *words[1:]],
        env={
            **os.environ,
            "GROUNDWIRE_CONFIG": str(configured(folder, socket)),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=850,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert lines, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(lines[-1].removeprefix("RESULT "))
    return found
