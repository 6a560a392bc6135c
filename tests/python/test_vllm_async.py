"""Asynchronous scheduling in the older runner, and the plugin as a distribution of its own."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import vllm_cases as cases

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The distribution with the entry point, built and installed into a folder of its own."""
    pytest.importorskip("setuptools", reason="there is nothing to build a distribution with")
    return cases.installed(tmp_path_factory.mktemp("plugin"))


@pytest.mark.req("S4-028")
def test_named_it_sees_tokens_under_asynchronous_scheduling(tmp_path: Path) -> None:
    found = cases.run_case(["vllm_async_case.py", "named"], tmp_path)
    assert found["asynchronous"] is True
    # The engine did run ahead: lists ended in placeholders when the batch was updated.
    assert found["placeholders"] > 0
    plain, observed, checked = found["texts"]
    assert observed == plain
    assert checked.startswith(cases.WRONG + cases.NOTE)
    assert found["counts"].get("faults", 0) == 0
    assert found["counts"].get("unmonitored", 0) == 0


def test_by_entry_point_alone_it_refuses_to_start(tmp_path: Path, installed: Path) -> None:
    found = cases.run_case(["vllm_async_case.py", "entry"], tmp_path, installed)
    assert "entry point" in found["refused"]
    assert "--logits-processors" in found["refused"]


def test_the_distribution_is_an_entry_point_and_nothing_else(installed: Path) -> None:
    (made,) = installed.parent.glob("*.whl")
    with zipfile.ZipFile(made) as wheel:
        assert all(".dist-info/" in name for name in wheel.namelist())
    code = (
        "from importlib.metadata import entry_points, requires\n"
        "(one,) = entry_points(group='vllm.logits_processors', name='groundwire')\n"
        "print(one.load().__name__, requires('groundwire-vllm-plugin'))"
    )
    path = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(installed)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout.split()[-2:] == ["GroundwireLogitsProcessor", "['groundwire']"]
