"""Drafts in the older model runner of the real engine: refused, or plainly unmonitored."""

import os
from pathlib import Path

import pytest

import vllm_cases as cases
import vllm_mixed as mixed

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)


def test_named_the_engine_refuses_to_start(tmp_path: Path) -> None:
    found = cases.run_case(["vllm_drafts_case.py", "named"], tmp_path)
    assert "speculative" in found["refused"].lower()


@pytest.mark.req("S4-028")
def test_by_entry_point_nothing_is_checked_and_a_guard_in_front_is(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("setuptools", reason="there is nothing to build a distribution with")
    site = cases.installed(tmp_path_factory.mktemp("plugin"))
    found = cases.run_case(["vllm_drafts_case.py", "entry"], tmp_path, site)
    # The engine did draft, and does not load what it found.
    assert found["accepted"] > 0
    assert not [name for name in found["loaded"] if "Groundwire" in name]
    assert found["checked"] == found["off"]
    assert mixed.STAFF in found["off"]
    assert "there is no policy 'nonsense'" in found["bad argument"]
    # In front of the engine a guard needs no processor, and takes text back that was drafted.
    assert "60" not in found["guarded"]
    assert "The Harbour Museum has 45 employees." in found["guarded"]
    assert found["actions"][0] == "correct"
