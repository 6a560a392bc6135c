"""Guarded answers whose request somebody else gives up, on the real engine."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import groundwire as gw
import vllm_cases as cases

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.filterwarnings("ignore")]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

EVIDENCE = ["The Harbour Museum was founded in 1987. It has 45 employees."]
REPEAT = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"
SECONDS = 60
"""After which an answer is taken to wait for ever."""


def params(max_tokens: int = 64, **given: Any) -> Any:
    from vllm import SamplingParams

    return SamplingParams(temperature=0.0, max_tokens=max_tokens, ignore_eos=True, **given)


@pytest.fixture(scope="module")
def guarded() -> Iterator[Any]:
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    from vllm import LLM

    from groundwire.integrations.vllm import GuardedLLM

    tokenizer = f"{os.environ['GROUNDWIRE_TEST_MODEL']}/tokenizer.json"
    monitor = gw.Monitor(tokenizer=tokenizer, reference_date="2026-05-01")
    yield GuardedLLM(LLM(**cases.engine_arguments(num_gpu_blocks_override=64)), monitor)


def within(run: Callable[[], Any]) -> Any:
    """Run in a thread of its own; fail where it does not come back."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(run()), daemon=True)
    thread.start()
    thread.join(SECONDS)
    assert not thread.is_alive(), "the answer never ended"
    return found[0]


def disturbed(guarded: Any, prompt: str, disturb: Callable[[Any], None], **given: Any) -> Any:
    """Stream an answer and disturb its engine after a few tokens; return events and reports."""

    def run() -> list[Any]:
        events, done = [], False
        asked = {"evidence": EVIDENCE, "clock": lambda: 0, **given}
        for _, event in guarded.stream(prompt, params(), **asked):
            events.append(event)
            tokens = sum(one.kind == "token" for one in events)
            if tokens == 12 and not done:
                done = True
                disturb(guarded._engine)
        return events

    events = within(run)
    assert guarded._engine.get_num_unfinished_requests() == 0
    return events


def abort_all(engine: Any) -> None:
    engine.abort_request(list(engine.output_processor.external_req_ids))


def drive_to_the_end(engine: Any) -> None:
    while engine.has_unfinished_requests():
        engine.step()


@pytest.mark.parametrize("lift", [False, True])
@pytest.mark.parametrize("disturb", [abort_all, drive_to_the_end])
def test_an_answer_whose_request_is_gone_ends_and_says_so(
    guarded: Any, disturb: Callable[[Any], None], lift: bool
) -> None:
    more = {"evidence_lift": True, "prior_prompt": "Write on."} if lift else {}
    events = disturbed(guarded, "Rain is", disturb, policy=gw.Policy.observe(), **more)
    stop, end = events[-2:]
    assert (stop.kind, stop.reason) == ("stop", "abort")
    assert end.report.stopped == "abort"
    assert 12 <= sum(event.kind == "token" for event in events) < 64


def test_outputs_that_somebody_else_took_leave_no_hole(guarded: Any) -> None:
    def steps(engine: Any) -> None:
        for _ in range(5):
            engine.step()

    plain = disturbed(guarded, "Rain is", lambda _: None, policy=gw.Policy.observe())
    taken = disturbed(guarded, "Rain is", steps, policy=gw.Policy.observe())
    tokens = [[e.token_id for e in events if e.kind == "token"] for events in (plain, taken)]
    assert tokens[0] == tokens[1]
    assert taken[-2].reason == "length"


class Engine:
    """An ``AsyncLLM`` by its shape: writes the same text for every request, and ends it as told."""

    def __init__(self, guarded: Any, text: str, finish: str) -> None:
        self.vllm_config, self.tokenizer = guarded._vllm_config, guarded.tokenizer
        self.ids = guarded.tokenizer.encode(text, add_special_tokens=False)
        self.finish, self.asked = finish, 0

    def get_tokenizer(self) -> Any:
        return self.tokenizer

    async def generate(self, prompt: Any, params: Any, name: str) -> Any:
        self.asked += 1
        for end in range(1, len(self.ids) + 1):
            over = end == len(self.ids)
            reason = self.finish if over else None
            one = SimpleNamespace(token_ids=self.ids[:end], logprobs=None, finish_reason=reason)
            yield SimpleNamespace(request_id=name, outputs=[one], finished=over)

    async def abort(self, names: Any) -> None:
        """Nothing is left to abort."""


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("stop", "end"), ("abort", "abort"), ("error", "error"), ("repetition", "repetition")],
)
def test_the_asynchronous_engine_says_who_ended_it(guarded: Any, finish: str, reason: str) -> None:
    from groundwire.integrations.vllm import GuardedAsyncLLM

    engine = Engine(guarded, " It is open. The Harbour Museum was founded in 198", finish)
    front = GuardedAsyncLLM(engine, guarded.monitor)
    asked = {"evidence": EVIDENCE, "policy": gw.Policy.observe()}
    done = asyncio.run(front.generate("x", params(), **asked))
    assert (done.reason, done.report.stopped) == (reason, reason)
    # A number that an abort cut off is not judged; the model's own end closes it.
    wrong = [f for f in done.report.findings if f.text == "198"]
    assert bool(wrong) is (finish == "stop")


def test_nothing_is_submitted_again_after_an_abort(guarded: Any) -> None:
    from groundwire.integrations.vllm import GuardedAsyncLLM

    engine = Engine(guarded, " It is open. The Harbour Museum was founded in 1992.", "abort")
    front = GuardedAsyncLLM(engine, guarded.monitor)
    discards = gw.Policy(release="response", medium="discard", high="discard", auto_correct=1.0)
    anew = {"regeneration": gw.Regeneration(max_attempts=3), "policy": discards}
    for more, reason in ({}, "abort"), (anew, "discarded"):
        engine.asked = 0
        done = asyncio.run(front.generate("x", params(), evidence=EVIDENCE, **more))
        assert done.report.interventions and "1992" not in done.text
        assert (engine.asked, done.reason) == (1, reason)
