"""Run the tests that need vLLM's real engine, a process each.

Usage: ``python tools/engine_tests.py ENGINE [PYTEST_ARGUMENT …]`` with the folder of the engine's
environment. A file has a process of its own, since an engine in the test's own process takes all
memory that it may; two files run at a time (``ENGINE_JOBS``), since an engine's start keeps one
core busy for most of a minute. What a file printed is shown whole once it is done. Ends with 1 if a
test failed, or if no test ran in a file though all that it needs is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from progress import say

ROOT = Path(__file__).resolve().parent.parent
NOTHING_RAN = 5
"""Pytest's status where it collected no test."""
LONGEST = ("test_vllm_v2.py", "test_vllm_engine.py", "test_vllm_serve.py")
"""Begun first, so that none of them is the last one running."""


def command(file: Path, engine: Path, arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return how the tests of one file are called, and with which environment."""
    path = [str(ROOT / "python")]
    if file.name.endswith("_v2.py"):
        # With Triton at hand vLLM takes its newer model runner by itself: for this one file only.
        path.append(str(engine / "triton"))
    model = {"GROUNDWIRE_TEST_MODEL": str(ROOT / "build" / "smollm2-float32")}
    python = str(engine / "bin" / "python")
    line = [python, "-m", "pytest", "-rs", *arguments, str(file.relative_to(ROOT))]
    return line, {**os.environ, **model, "PYTHONPATH": os.pathsep.join(path)}


def run(file: Path, engine: Path, arguments: list[str]) -> int:
    """Run one file's tests, print what they printed, and return pytest's status."""
    line, environment = command(file, engine, arguments)
    began = time.monotonic()
    done = subprocess.run(
        line, cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    took = time.monotonic() - began
    print(f"--- {file.name} ({took:.0f} s)\n{done.stdout}{done.stderr}", flush=True)
    return done.returncode


def main() -> int:
    """Run all files and say which failed and in which nothing ran."""
    engine = (ROOT / sys.argv[1]).absolute()
    arguments = sys.argv[2:]
    files = sorted((ROOT / "tests" / "python").glob("test_vllm*.py"))
    files.sort(key=lambda file: LONGEST.index(file.name) if file.name in LONGEST else len(LONGEST))
    with ThreadPoolExecutor(int(os.environ.get("ENGINE_JOBS") or 2)) as pool:
        statuses = list(pool.map(lambda file: run(file, engine, arguments), files))
    of = dict(zip((file.name for file in files), statuses, strict=True))
    idle = sorted(name for name, status in of.items() if status == NOTHING_RAN)
    failed = sorted(name for name, status in of.items() if status not in (0, NOTHING_RAN))
    if idle:
        say(f"no test ran in (the reasons stand above): {' '.join(idle)}")
    if failed:
        say(f"failed: {' '.join(failed)}")
    # Chosen arguments may leave a file without tests; what could not be installed does too.
    complete = not arguments and (engine / "triton" / "triton").is_dir()
    return 1 if failed or (idle and complete) else 0


if __name__ == "__main__":
    sys.exit(main())
