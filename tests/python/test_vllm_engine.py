"""Guarded engines in front of the real vLLM."""

import asyncio
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

import groundwire as gw
import groundwire.errors
import vllm_cases as cases

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

EVIDENCE = ["The Harbour Museum was founded in 1987. It has 45 employees."]
LIFTED = {"prior_prompt": "Copy the sentence.\n"}
REPEAT = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"


def params(max_tokens: int = 32, **given: Any) -> Any:
    from vllm import SamplingParams

    return SamplingParams(temperature=0.0, max_tokens=max_tokens, **given)


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    return gw.Monitor(
        tokenizer=f"{os.environ['GROUNDWIRE_TEST_MODEL']}/tokenizer.json",
        reference_date="2026-05-01",
    )


@pytest.fixture(scope="module")
def llm() -> Iterator[Any]:
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    from vllm import LLM

    yield LLM(**cases.engine_arguments(num_gpu_blocks_override=64))


@pytest.fixture(scope="module")
def guarded(llm: Any, monitor: gw.Monitor) -> Any:
    from groundwire.integrations.vllm import GuardedLLM

    return GuardedLLM(llm, monitor)


@pytest.mark.req("S4-028", "S4-033")
def test_a_wrong_number_is_taken_back_and_written_anew(guarded: Any) -> None:
    done = guarded.generate(REPEAT, params(), evidence=EVIDENCE)
    assert "1992" not in done.text
    assert done.text.startswith("The Harbour Museum was founded in 1987")
    assert done.report.interventions[0].action == "correct"
    assert guarded._engine.get_num_unfinished_requests() == 0


@pytest.mark.parametrize("form", ["text", "ids"])
def test_the_sentence_a_prompt_leaves_unfinished_is_read(guarded: Any, form: str) -> None:
    begun = cases.WRONG.partition(" 1992")[0]
    prompt: Any = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{begun}"
    if form == "ids":
        prompt = {"prompt_token_ids": guarded.tokenizer.encode(prompt)}
    done = guarded.generate(prompt, params(), evidence=EVIDENCE)
    assert done.text.startswith(" 1987")
    assert done.report.interventions[0].action == "correct"


def test_many_at_once_are_what_they_are_alone(guarded: Any, llm: Any) -> None:
    texts = ["Rain is", "Bread is made of", "A map shows", REPEAT]
    alone = [guarded.generate(t, params(), evidence=EVIDENCE).text for t in texts]
    together = [g.text for g in guarded.generate(texts, params(), evidence=EVIDENCE)]
    assert together == alone
    plain = llm.generate(texts[:1], params(), use_tqdm=False)[0].outputs[0].text
    observed = guarded.generate(texts[0], params(), policy=gw.Policy.observe())
    assert observed.text == plain


def test_events_come_while_the_engine_writes_and_closing_gives_up(guarded: Any) -> None:
    stream = guarded.stream([REPEAT, "Rain is"], params(200), evidence=EVIDENCE, clock=lambda: 0)
    kinds = []
    for _, event in stream:
        kinds.append(event.kind)
        if "rewind" in kinds and kinds.count("token") > 30:
            break
    assert guarded._engine.get_num_unfinished_requests() > 0
    stream.close()
    assert guarded._engine.get_num_unfinished_requests() == 0


def test_signals_are_the_engines_raw_logprobs(guarded: Any, llm: Any) -> None:
    surprisals = [
        event.step.signals.surprisal
        for _, event in guarded.stream("Rain is", params(8), policy=gw.Policy.observe())
        if event.kind == "token"
    ]
    (plain,) = llm.generate(["Rain is"], params(8, logprobs=0), use_tqdm=False)
    one = plain.outputs[0]
    expected = [-lp[t].logprob for t, lp in zip(one.token_ids, one.logprobs, strict=True)]
    assert surprisals == pytest.approx(expected, abs=1e-5)


def test_under_a_grammar_nothing_is_submitted_anew(guarded: Any) -> None:
    from vllm.sampling_params import StructuredOutputsParams

    done = guarded.generate(
        REPEAT,
        params(structured_outputs=StructuredOutputsParams(regex=cases.WRONG + " It is open.")),
        evidence=EVIDENCE,
    )
    # The claim is the first sentence: nothing stands before it, and nothing may stand in its place.
    assert done.text == done.report.released == ""
    assert [one.inserted for one in done.report.interventions] == [""]
    assert done.reason == "interrupted"
    assert done.sampled == len(done.tokens)


FORM = {
    "answer": "The Harbour Museum was founded in 1992. It has 45 employees.",
    "more": "It is open daily.",
}
REPORTS = dict.fromkeys(("low", "medium", "high", "critical"), "annotate")
INTERRUPTS = {"medium": "interrupt", "high": "interrupt", "auto_correct": 1.0}


def formed(guarded: Any, policy: gw.Policy, **given: Any) -> Any:
    from vllm.sampling_params import StructuredOutputsParams

    asked = params(80, structured_outputs=StructuredOutputsParams(choice=[json.dumps(FORM)]))
    return guarded.generate("Write JSON.\n", asked, evidence=EVIDENCE, policy=policy, **given)


@pytest.mark.parametrize("annotation", ["metadata", "inline", "footnote"])
@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_under_a_grammar_findings_are_only_reported(
    guarded: Any, annotation: str, release: str
) -> None:
    policy = gw.Policy(**REPORTS, annotation=annotation, release=release)
    done = formed(guarded, policy)
    assert json.loads(done.text) == FORM
    assert done.report.released == done.text
    assert "1992" in {f.text for f in done.report.findings}
    assert done.reason == "end" and "structured output" in done.notes[0]
    # Without a grammar they stand where the policy puts them.
    free = guarded.generate(REPEAT, params(24), evidence=EVIDENCE, policy=policy)
    assert free.notes == ()
    assert ("[" in free.text) is (annotation != "metadata")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"release": "token"},
        {"max_hold_tokens": 1},
        {"release": "token", **INTERRUPTS},
        {"release": "token", **INTERRUPTS, "after_interrupt": "stop"},
        {"medium": "remove", "high": "remove", "auto_correct": 1.0},
        {"release": "token", "medium": "remove", "high": "remove", "auto_correct": 1.0},
    ],
)
def test_under_a_grammar_nothing_goes_on_behind_what_was_put_in(
    guarded: Any, given: dict[str, Any]
) -> None:
    done = formed(guarded, gw.Policy(**given))
    assert done.reason == "interrupted"
    # What left is the grammar's own text, up to the claim.
    assert json.dumps(FORM).startswith(done.text) and done.text == done.report.released
    assert "1992" not in done.text and "open daily" not in done.text
    assert done.sampled == len(done.tokens)
    assert "structured output" in done.notes[0]


def test_what_cannot_be_guarded_is_refused(guarded: Any, monitor: gw.Monitor) -> None:
    from vllm import SamplingParams

    for wrong, said in [
        (SamplingParams(n=2), "n=2"),
        (params(stop=["."]), "stop strings"),
        ({"max_tokens": 3}, "SamplingParams"),
    ]:
        with pytest.raises(gw.errors.ArgumentError, match=said):
            guarded.generate("x", wrong)
    with pytest.raises(gw.errors.ArgumentError, match="evidenc: no argument"):
        guarded.generate("x", params(), evidenc=EVIDENCE)
    with pytest.raises(gw.errors.ArgumentError, match="2 prompts but 1"):
        guarded.generate(["x", "y"], [params()])
    for given, said in [
        ({"question": 5}, "question is a string, or None for none, not 5"),
        ({"question": ["x"]}, "question is a string"),
        ({"question": "\ud83d"}, "lone surrogate"),
        ({"resubmit": "no"}, "resubmit is true or false, not 'no'"),
        ({"resubmit": 0}, "resubmit is true or false"),
        ({"evidence_lift": "no"}, "evidence_lift is true or false, not 'no'"),
        ({"prior_prompt": 5}, "flat list of integers from 0 on, not 5"),
        ({"clock": 5}, "clock is called for milliseconds; 5 cannot be"),
    ]:
        with pytest.raises(gw.errors.ArgumentError, match=said):
            guarded.generate("x", params(), **given)
    for prompt, said in [
        (b"x", "a prompt is a string, a chat"),
        ("\ud83d", "lone surrogate at character 0"),
        ({"prompt_token_ids": 5}, "prompt_token_ids is a list of token ids, not 5"),
        ({"prompt_token_ids": "abc"}, "prompt_token_ids is a list of token ids"),
        ({"prompt_token_ids": ["a"]}, "prompt_token_ids is a list of token ids"),
        ({"prompt_token_ids": []}, "prompt_token_ids is a list of token ids"),
        ({"prompt_token_ids": [True]}, "flat list of integers"),
        ([1.5], "flat list of integers"),
        ([-1], "flat list of integers from 0 on"),
        (["x", 5], "flat list of integers"),
    ]:
        with pytest.raises(gw.errors.ArgumentError, match=said):
            guarded.generate(prompt, params())
    from groundwire.integrations.vllm import GuardedAsyncLLM, GuardedLLM

    for kind, said in ((GuardedLLM, "llm is a vllm.LLM"), (GuardedAsyncLLM, "engine is a vllm")):
        with pytest.raises(gw.errors.ArgumentError, match=said):
            kind(None, monitor)
    assert guarded._engine.get_num_unfinished_requests() == 0


def test_max_tokens_bounds_the_answer_over_submissions(guarded: Any) -> None:
    done = guarded.generate(REPEAT, params(14, min_tokens=12), evidence=EVIDENCE)
    assert len(done.tokens) <= 14
    assert len(done.tokens) >= 12


@pytest.mark.parametrize("limit", [6, 12, 14, 16, 20])
def test_beyond_max_tokens_stands_only_what_was_put_in(guarded: Any, limit: int) -> None:
    policy = gw.Policy(medium="interrupt", high="interrupt", auto_correct=1.0)
    given = {"evidence": EVIDENCE, "policy": policy, "clock": lambda: 0}
    ids, put_in = list[int](), 0
    for _, event in guarded.stream(REPEAT, params(limit), **given):
        if event.kind == "rewind":
            del ids[event.keep :]
        elif event.kind in ("token", "forced"):
            put_in += event.kind == "forced"
            ids.append(event.token_id)
            assert len(ids) <= limit or event.kind == "forced"
    assert len(ids) <= limit + put_in
    if limit > 12:
        assert put_in and event.report.stopped == "length"


@pytest.mark.parametrize("room", [2, 5, 8, 11, 14])
def test_an_answer_that_fills_the_context_ends_there(guarded: Any, room: int) -> None:
    asked = guarded.tokenizer.encode(REPEAT, add_special_tokens=False)
    filler = guarded.tokenizer.encode(" the", add_special_tokens=False)[:1]
    ids = [*(filler * (1024 - room - len(asked))), *asked]
    policy = gw.Policy(medium="interrupt", high="interrupt", auto_correct=1.0)
    given = {"evidence": EVIDENCE, "policy": policy}
    full, beside = guarded.generate([ids, "Rain is"], [params(60), params(4)], **given)
    assert "1992" not in full.text
    assert full.report.finished and len(beside.tokens) >= 4
    assert guarded._engine.get_num_unfinished_requests() == 0


def test_the_last_turn_of_each_chat_is_what_was_asked(llm: Any) -> None:
    from vllm.sampling_params import StructuredOutputsParams

    from groundwire.integrations.vllm import GuardedLLM

    kb = gw.KnowledgeBase()
    kb.upsert("Harbour Museum", attributes={"founded": 1987})
    tokenizer = f"{os.environ['GROUNDWIRE_TEST_MODEL']}/tokenizer.json"
    guarded = GuardedLLM(llm, gw.Monitor(kb=kb, tokenizer=tokenizer))
    chat = [{"role": "user", "content": "When was the Harbour Museum founded?"}]
    parts = [{"role": "user", "content": [{"type": "text", "text": chat[0]["content"]}]}]
    said = params(structured_outputs=StructuredOutputsParams(choice=["It was founded in 1992."]))
    answers = [guarded.chat(chat, said), *guarded.chat([chat, parts], said)]
    answers += [guarded.generate(chat, said), *guarded.generate([chat, chat], said)]
    assert not any("1992" in one.text for one in answers)
    for wrong in (
        {"role": "user"},
        {"role": "user", "content": None},
        {"role": 5, "content": "Hi"},
    ):
        with pytest.raises(gw.errors.ArgumentError, match="message 0 of the chat has no"):
            guarded.chat([wrong], said)


@pytest.fixture(scope="module")
def budgeted() -> gw.Monitor:
    return gw.Monitor(
        tokenizer=f"{os.environ['GROUNDWIRE_TEST_MODEL']}/tokenizer.json",
        profiles=("stream", "budget"),
        reference_date="2026-05-01",
    )


def p0_by_hand(llm: Any, prompt: str, tokens: list[int]) -> list[float]:
    """ln p of each token after a prompt, by the engine's own prompt logprobs."""
    ids = [*llm.get_tokenizer().encode(prompt), *tokens]
    (done,) = llm.generate(
        [{"prompt_token_ids": ids}], params(1, prompt_logprobs=0), use_tqdm=False
    )
    listed = done.prompt_logprobs[len(ids) - len(tokens) :]
    return [one[t].logprob for one, t in zip(listed, tokens, strict=True)]


def test_the_second_sequence_says_what_the_evidence_adds(llm: Any, budgeted: gw.Monitor) -> None:
    from groundwire.integrations.vllm import GuardedLLM

    guarded = GuardedLLM(llm, budgeted)
    bare = "Question: when was it founded?\nAnswer: The"
    prompts = [f"{passage}\n{bare}" for passage in EVIDENCE]
    steps: list[Any] = []
    tokens: list[int] = []
    for _, event in guarded.stream(
        prompts,
        params(12),
        evidence=EVIDENCE,
        evidence_lift=True,
        policy=gw.Policy.observe(),
        clock=lambda: 0,
    ):
        if event.kind == "token":
            steps.append(event.step.signals)
            tokens.append(event.token_id)
    assert len(tokens) == 12
    expected = p0_by_hand(llm, bare, tokens)
    assert [s.prior_logprob for s in steps] == pytest.approx(expected, abs=1e-3)
    expected = p0_by_hand(llm, prompts[0], tokens)
    assert [s.logprob for s in steps] == pytest.approx(expected, abs=1e-3)
    for one in steps:
        assert one.lift_bits == pytest.approx(
            (one.logprob - one.prior_logprob) / 0.693147, abs=1e-3
        )
    assert guarded._engine.get_num_unfinished_requests() == 0
    # The answer is what it is without the second sequence.
    plain = llm.generate(prompts, params(12), use_tqdm=False)[0].outputs[0].token_ids
    assert list(plain) == tokens


@pytest.mark.req("SPEC-08.03")
def test_a_claim_that_needs_more_than_its_evidence_gives_is_found(
    llm: Any, budgeted: gw.Monitor
) -> None:
    from vllm import SamplingParams

    from groundwire.integrations.vllm import GuardedLLM

    guarded = GuardedLLM(llm, budgeted)
    given: dict[str, Any] = {"policy": gw.Policy.observe(), "evidence": ["Rain fell today."]}
    asked = "Rain fell today.\nThe old tower of the town was"
    # Words that the model itself finds unlikely, whatever the evidence says.
    wild = SamplingParams(temperature=1.6, seed=5, max_tokens=40)
    off = guarded.generate(asked, wild, **given)
    on = guarded.generate(asked, wild, evidence_lift=True, **given)
    assert on.tokens == off.tokens
    assert not [f for f in off.report.findings if f.type.startswith("budget.")]
    found = [f for f in on.report.findings if f.type.startswith("budget.")]
    assert found, on.text
    assert all(f.detected["gap"]["lo"] > 5.0 for f in found)
    # What the evidence says word for word, and the model copies, is paid for.
    copied = guarded.generate(
        f"Copy the sentence.\n{EVIDENCE[0]}\n{EVIDENCE[0]}\n{EVIDENCE[0]}\n",
        params(16),
        policy=gw.Policy.observe(),
        evidence=EVIDENCE,
        evidence_lift=True,
    )
    assert copied.text.startswith("The Harbour Museum was founded in 1987.")
    assert not [f for f in copied.report.findings if f.type.startswith("budget.")]


def test_text_that_is_taken_back_takes_the_second_sequence_along(
    llm: Any, budgeted: gw.Monitor
) -> None:
    from groundwire.integrations.vllm import GuardedLLM

    guarded = GuardedLLM(llm, budgeted)
    leaflet = EVIDENCE[0]
    done = guarded.generate(
        [f"{leaflet}\n{REPEAT}", f"{leaflet}\nRain is"],
        params(),
        evidence=EVIDENCE,
        evidence_lift=True,
    )
    assert "1992" not in done[0].text
    assert done[0].report.interventions
    assert guarded._engine.get_num_unfinished_requests() == 0


def test_where_there_is_no_second_sequence_is_said(llm: Any, guarded: Any) -> None:
    with pytest.raises(gw.errors.ArgumentError, match="pass evidence="):
        guarded.generate("x", params(), evidence_lift=True)
    with pytest.raises(gw.errors.ArgumentError, match="prior_prompt="):
        guarded.generate("x", params(), evidence=EVIDENCE, evidence_lift=True)
    with pytest.raises(gw.errors.ArgumentError, match="is empty"):
        guarded.generate(EVIDENCE[0], params(), evidence=EVIDENCE, evidence_lift=True)
    done = guarded.generate("Rain is", params(4), prior_prompt="Rain", clock=lambda: 0)
    assert len(done.tokens) == 4
    from groundwire.integrations.vllm import GuardedLLM

    with pytest.raises(gw.errors.ArgumentError, match="logits_processors"):
        GuardedLLM(llm, guarded.monitor, signals=True)


def test_async_streams_at_once_and_a_reader_who_leaves(monitor: gw.Monitor) -> None:
    from vllm import AsyncEngineArgs
    from vllm.v1.engine.async_llm import AsyncLLM

    from groundwire.integrations.vllm import GuardedAsyncLLM

    async def run() -> None:
        arguments = cases.engine_arguments(num_gpu_blocks_override=64)
        engine = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))
        try:
            guarded = GuardedAsyncLLM(engine, monitor)
            done = await asyncio.gather(
                *(guarded.generate(t, params(), evidence=EVIDENCE) for t in (REPEAT, "Rain is"))
            )
            assert "1992" not in done[0].text
            assert done[1].text
            bare = "Rain is"
            both = await asyncio.gather(
                *(
                    guarded.generate(f"{EVIDENCE[0]}\n{bare}", params(9), **more)
                    for more in ({}, {"prior_prompt": bare})
                )
            )
            assert both[0].tokens == both[1].tokens
            lifted = guarded.stream(REPEAT, params(), evidence=EVIDENCE, **LIFTED)
            seen = [event.step.signals async for event in lifted if event.kind == "token"]
            assert seen
            assert all(s.prior_logprob is not None for s in seen)
            assert engine.output_processor.get_num_unfinished_requests() == 0
            stream = guarded.stream(REPEAT, params(200), evidence=EVIDENCE, **LIFTED)
            async for event in stream:
                if event.kind == "token":
                    break
            await stream.aclose()
            for more in ({}, {"prior_prompt": bare}):
                given = {"policy": gw.Policy.observe(), **more}
                asked = guarded.generate("Rain is", params(400, ignore_eos=True), **given)
                task = asyncio.create_task(asked)
                await asyncio.sleep(0.5)
                await engine.abort(list(engine.output_processor.external_req_ids))
                given_up = await asyncio.wait_for(task, 60)
                assert given_up.reason == given_up.report.stopped == "abort"
            task = asyncio.create_task(guarded.generate("Rain is", params(400)))
            await asyncio.sleep(0.5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert engine.output_processor.get_num_unfinished_requests() == 0
        finally:
            engine.shutdown()

    asyncio.run(run())
