"""Guarded answers whose request somebody else gives up, on the real engine."""

import asyncio
import os
import threading
import time
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
    llm = LLM(**cases.engine_arguments(num_gpu_blocks_override=64))
    found = GuardedLLM(llm, monitor)
    found.llm = llm  # type: ignore[attr-defined]
    yield found


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


@pytest.mark.parametrize("form", ["label", "history"])
def test_what_was_said_before_is_known_to_the_answer(guarded: Any, form: str) -> None:
    from groundwire.integrations.vllm import GuardedAsyncLLM

    kb = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    monitor = gw.Monitor(kb=kb, tokenizer=f"{os.environ['GROUNDWIRE_TEST_MODEL']}/tokenizer.json")
    front = GuardedAsyncLLM(Engine(guarded, " It was founded in 1992.", "stop"), monitor)
    before, question = "Read of the Harbour Museum.", "And when was it founded?"
    asked: dict[str, Any] = {"policy": gw.Policy.observe()}
    prompt = question
    if form == "label":
        prompt = f"{before}\n\nQuestion: {question}\nAnswer:"
    else:
        asked["history"] = [{"role": "user", "content": before}]
    for given, known in ((prompt, True), (question, form == "history")):
        done = asyncio.run(front.generate(given, params(), **asked))
        assert bool([f for f in done.report.findings if f.replacement == "1987"]) is known


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


def test_an_engine_that_writes_a_guarded_answer_is_busy(guarded: Any) -> None:
    asked = {"policy": gw.Policy.observe(), "clock": lambda: 0}
    alone = guarded.generate("Rain is", params(24), **asked)
    stream = guarded.stream("Rain is", params(24), **asked)
    events = [next(stream)[1]]
    for _ in range(2):
        with pytest.raises(gw.errors.SessionBusy, match=r"close\(\) it first"):
            guarded.llm.generate(["Bread is", "A map"], params(4), use_tqdm=False)
        events.append(next(stream)[1])
    events += [event for _, event in stream]
    assert events[-1].report.text == alone.report.text
    assert events[-2].reason == "length"
    # Nothing of what was refused is left, and the engine is anybody's again.
    assert guarded._engine.get_num_unfinished_requests() == 0
    (done,) = guarded.llm.generate(["Rain is"], params(4), use_tqdm=False)
    assert alone.tokens[:4] == tuple(done.outputs[0].token_ids)
    stream = guarded.stream("Rain is", params(24), **asked)
    next(stream)
    stream.close()
    assert guarded.llm.generate(["Rain is"], params(4), use_tqdm=False)


def test_guarded_answers_of_one_engine_are_written_side_by_side(guarded: Any) -> None:
    from groundwire.integrations.vllm import GuardedLLM

    other = GuardedLLM(guarded.llm, guarded.monitor)
    asked = {"policy": gw.Policy.observe(), "clock": lambda: 0}
    alone = [guarded.generate(text, params(20), **asked) for text in ("Rain is", "Bread is")]
    first = guarded.stream("Rain is", params(20), **asked)
    told = [next(first)[1] for _ in range(3)]
    # The second drives the first to its end.
    second = other.generate("Bread is", params(20), **asked)
    told += [event for _, event in first]
    assert second.tokens == alone[1].tokens
    assert told[-1].report.text == alone[0].report.text
    assert (second.reason, told[-2].reason) == ("length", "length")


@pytest.mark.parametrize(("lift", "tokens"), [(False, 3), (True, 3), (False, 0)])
def test_an_engine_that_is_shut_down_ends_its_answers(
    guarded: Any, lift: bool, tokens: int
) -> None:
    from vllm import AsyncEngineArgs
    from vllm.v1.engine.async_llm import AsyncLLM

    from groundwire.integrations.vllm import GuardedAsyncLLM

    async def run() -> None:
        arguments = cases.engine_arguments(num_gpu_blocks_override=64)
        engine = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))
        front = GuardedAsyncLLM(engine, guarded.monitor)
        more = {"prior_prompt": "Write on."} if lift else {}
        given = {"policy": gw.Policy.observe(), "clock": lambda: 0, **more}
        kept = params(400)

        seen = [0, 0]

        async def read(number: int) -> list[Any]:
            events = []
            async for event in front.stream("Rain is", kept, **given):
                seen[number] += event.kind == "token"
                events.append(event)
            return events

        tasks = [asyncio.create_task(read(number)) for number in range(2)]
        until = time.monotonic() + SECONDS
        await asyncio.sleep(0.01)
        while min(seen) < tokens:
            assert time.monotonic() < until, "no tokens came"
            await asyncio.sleep(0.05)
        engine.shutdown()
        for events in await asyncio.wait_for(asyncio.gather(*tasks), SECONDS):
            assert (events[-2].reason, events[-1].report.stopped) == ("abort", "abort")
            assert tokens <= sum(event.kind == "token" for event in events) < 400
            assert "".join(e.text for e in events if e.kind == "release") in (
                events[-1].report.released
            )
        # One that is asked for afterwards ends at once.
        done = await asyncio.wait_for(front.generate("Rain is", kept, **given), SECONDS)
        assert (done.reason, done.text) == ("abort", "")

    asyncio.run(run())
