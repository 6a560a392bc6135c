"""The plugin in Model Runner V2 on a real model, its kernels run by Triton's interpreter."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

import vllm_cases as cases
import vllm_mixed as mixed

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
pytest.importorskip(
    "triton", reason="Triton is not there: make vllm brings it, in a folder of its own"
)
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)


@pytest.mark.req("S4-028")
def test_the_newer_runner_forces_notes_and_leaves_other_rows_alone(tmp_path: Path) -> None:
    # A socket's path has room for about a hundred bytes, a test's folder may not.
    path = f"{tempfile.gettempdir()}/gw-v2-{os.getpid()}"
    found = cases.run_case(["vllm_v2_case.py", "36", path], tmp_path, socket=path)
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


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What mixed requests get alone, and together in a cache that is too small for them."""
    folder = tmp_path_factory.mktemp("v2")
    words = ["vllm_v2_batches.py", "mixed"]
    return cases.run_case(words, folder, GROUNDWIRE_STOP_ID=str(mixed.STOP))


@pytest.mark.req("S4-028")
def test_requests_that_join_leave_and_are_preempted_get_what_they_get_alone(
    batches: dict[str, Any],
) -> None:
    alone, together = batches["alone"], batches["together"]
    assert batches["runner"] == "vllm.v1.worker.cpu.model_runner"
    quiet, preempted = batches["preempted"]
    assert quiet == 0
    assert preempted > 0
    assert "given up" not in together
    assert {name: together[name] for name in alone} == alone
    assert together["true"] == alone["off"]
    assert alone["noted"][0]["text"].startswith(cases.WRONG + cases.NOTE)
    assert batches["counts"].get("faults", 0) == 0
    assert batches["counts"].get("unmonitored", 0) == 0


def test_in_the_newer_runner_an_answer_ends_with_the_reserved_id(batches: dict[str, Any]) -> None:
    (ended,) = batches["together"]["ended"]
    assert ended["stop"] == mixed.STOP
    assert ended["finish"] == "stop"
    assert ended["text"].endswith(mixed.SAID["ended"])


def test_in_the_newer_runner_each_of_several_answers_gets_its_note(
    batches: dict[str, Any],
) -> None:
    two = batches["together"]["two"]
    assert len(two) == 2
    assert all(mixed.SAID["staff"] in one["text"] for one in two)


@pytest.mark.req("S4-028")
def test_the_newer_runner_forces_notes_between_drafts(tmp_path: Path) -> None:
    words = ["vllm_v2_batches.py", "drafts"]
    found = cases.run_case(words, tmp_path, GROUNDWIRE_STOP_ID=str(mixed.STOP))
    alone, together = found["alone"], found["together"]
    # Copies are drafted well: there are fewer steps than tokens.
    assert found["accepted"] > 0
    assert found["steps"][1] < sum(len(one["tokens"]) for (one,) in together.values())
    assert together == alone
    assert alone["observed"] == alone["off"]
    assert mixed.SAID["staff"] in alone["noted"][0]["text"]
    assert alone["ended"][0]["stop"] == mixed.STOP
    assert alone["ended"][0]["text"].endswith(mixed.SAID["ended"])
    assert found["counts"].get("faults", 0) == 0
    assert found["counts"].get("unmonitored", 0) == 0
