"""Mixed requests that join and leave a batch of the real engine, in the older model runner."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

import vllm_cases as cases
import vllm_mixed as mixed

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

TOKENS = 44


@pytest.fixture(scope="module")
def llm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    os.environ |= {
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "VLLM_USE_V2_MODEL_RUNNER": "0",
        "GROUNDWIRE_CONFIG": str(cases.configured(tmp_path_factory.mktemp("mixed"))),
        "GROUNDWIRE_STOP_ID": str(mixed.STOP),
    }
    from vllm import LLM

    yield LLM(
        **cases.engine_arguments(logits_processors=[cases.PLUGIN], num_gpu_blocks_override=64)
    )


@pytest.fixture(scope="module")
def alone(llm: Any) -> dict[str, Any]:
    """What each request that is not given up gets from the engine by itself."""
    return {
        name: mixed.run(llm.llm_engine, mixed.alone(asked), TOKENS)["alone"]
        for name, asked in mixed.REQUESTS.items()
        if asked.leaves is None
    }


class Moves:
    """Counts what the engine says of its rows."""

    def __init__(self, plugin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.added = self.removed = self.moved = self.most = 0
        inner = plugin._rows.update

        def update(given: Any) -> None:
            inner(given)
            if given is not None:
                self.added += len(given.added)
                self.removed += len(given.removed)
                self.moved += len(given.moved)
                self.most = max(self.most, given.batch_size)

        monkeypatch.setattr(plugin._rows, "update", update)


@pytest.mark.req("S4-028")
def test_requests_that_join_and_leave_get_what_they_get_alone(
    llm: Any, alone: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = cases.plugin(llm)
    moves = Moves(plugin, monkeypatch)
    together = mixed.run(llm.llm_engine, mixed.REQUESTS, TOKENS)
    assert together == alone
    # The batch was what it was to be: large, with gaps that other rows were moved into.
    assert moves.added == len(mixed.REQUESTS)
    assert moves.most == 8
    assert moves.removed > 0
    assert moves.moved > 0
    assert plugin.counts["faults"] == 0
    assert plugin.counts["unmonitored"] == 0


@pytest.mark.req("S4-028")
def test_each_gets_its_own_note_and_the_others_none(llm: Any, alone: dict[str, Any]) -> None:
    for name, said in mixed.SAID.items():
        assert said in alone[name][0]["text"], name
    assert alone["ended"][0]["stop"] == mixed.STOP
    assert alone["ended"][0]["text"].endswith(mixed.SAID["ended"])
    for name in mixed.SILENT:
        plain = mixed.run(llm.llm_engine, mixed.alone(mixed.REQUESTS[name], checked=False), TOKENS)[
            "alone"
        ]
        assert alone[name] == plain, name
        assert len(plain[0]["tokens"]) == TOKENS


def test_forbidden_words_keep_no_note_away(llm: Any) -> None:
    asked = mixed.REQUESTS["noted"]._replace(more={"bad_words": ["Correction", "zzz"]})
    text = mixed.run(llm.llm_engine, mixed.alone(asked), TOKENS)["alone"][0]["text"]
    assert text.startswith(mixed.SAID["noted"])


def test_rows_of_those_that_were_given_up_are_taken_over(llm: Any) -> None:
    # Whoever comes into a row that was left in the middle of a note, or of a claim, begins anew.
    for at in (12, 14, 18):
        asked = {
            "left": mixed.REQUESTS["noted"]._replace(leaves=at),
            "beside": mixed.REQUESTS["off"],
            "next": mixed.REQUESTS["staff"]._replace(joins=at),
        }
        found = mixed.run(llm.llm_engine, asked, TOKENS)
        assert sorted(found) == ["beside", "next"]
        assert mixed.SAID["staff"] in found["next"][0]["text"]
    assert cases.plugin(llm).counts["faults"] == 0
