"""The plugin in Model Runner V2 on a real model, its kernels run by Triton's interpreter."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import vllm_cases as cases

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
pytest.importorskip("triton", reason="Triton is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)


@pytest.mark.req("S4-028")
def test_the_newer_runner_forces_notes_and_leaves_other_rows_alone(tmp_path: Path) -> None:
    here = Path(__file__).parent
    # A socket's path has room for about a hundred bytes, a test's folder may not.
    path = f"{tempfile.gettempdir()}/gw-v2-{os.getpid()}"
    done = subprocess.run(
        [sys.executable, str(here / "vllm_v2_case.py"), "36", path],
        env={**os.environ, "GROUNDWIRE_CONFIG": str(cases.configured(tmp_path, path))},
        capture_output=True,
        text=True,
        check=False,
        timeout=850,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert lines, done.stderr[-2000:]
    found = json.loads(lines[-1].removeprefix("RESULT "))
    assert found["runner"] == "vllm.v1.worker.cpu.model_runner"
    plain, observed, checked, fixed = found["texts"]
    assert observed == plain
    assert checked.startswith(cases.WRONG + cases.NOTE)
    assert fixed == f"{cases.WRONG} It is open."
    assert found["counts"]["observed"] == 1
    assert found["counts"].get("faults", 0) == 0
    assert found["counts"].get("unmonitored", 0) == 0
    # Every row's numbers arrived; of the entropy, the twenty most likely tokens are a lower bound.
    assert len(found["entropies"]) == len(found["expected"]) > 0
    for entropy, least in zip(found["entropies"], found["expected"], strict=True):
        assert entropy >= least - 1e-4
        assert entropy <= least + 6.0
