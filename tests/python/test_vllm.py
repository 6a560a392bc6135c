"""The vLLM plugin on the real engine, in this process."""

import math
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import vllm_cases as cases

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

STOP = 5
SOCKET = f"{tempfile.gettempdir()}/gw-{os.getpid()}"
UNKNOWN = "Zorblax Quimby opened the museum in the spring."
ENDING = f"Copy the sentence.\n{UNKNOWN}\n{UNKNOWN}\n{UNKNOWN}\n"
REPEAT = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"


@pytest.fixture(scope="module")
def llm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file = cases.configured(tmp_path_factory.mktemp("vllm"), socket=SOCKET)
    os.environ |= {
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "GROUNDWIRE_CONFIG": str(file),
        "GROUNDWIRE_STOP_ID": str(STOP),
    }
    from vllm import LLM

    yield LLM(
        **cases.engine_arguments(logits_processors=[cases.PLUGIN], num_gpu_blocks_override=64)
    )


def params(max_tokens: int = 40, **given: Any) -> Any:
    from vllm import SamplingParams

    args = {k: given.pop(k) for k in list(given) if k.startswith("groundwire")}
    return SamplingParams(temperature=0.0, max_tokens=max_tokens, extra_args=args or None, **given)


@pytest.mark.req("S4-028")
def test_a_note_is_forced_after_the_claim_that_a_knowledge_base_contradicts(llm: Any) -> None:
    off, on = llm.generate(
        [REPEAT, REPEAT],
        [params(), params(groundwire="default", groundwire_kb="museum")],
        use_tqdm=False,
    )
    assert off.outputs[0].text.startswith(cases.WRONG)
    assert on.outputs[0].text.startswith(cases.WRONG + cases.NOTE)
    assert cases.plugin(llm).counts["faults"] == 0
    assert cases.plugin(llm).counts["unmonitored"] == 0


def test_tokens_are_the_same_where_nothing_is_found(llm: Any) -> None:
    prompts = [f"Write about {name}." for name in ("rain", "bread", "maps", "sleep")]
    plain = llm.generate(prompts, params(24), use_tqdm=False)
    checked = llm.generate(prompts, params(24, groundwire="observe"), use_tqdm=False)
    assert [o.outputs[0].token_ids for o in plain] == [o.outputs[0].token_ids for o in checked]


def test_an_answer_ends_with_the_reserved_id(llm: Any) -> None:
    (done,) = llm.generate(
        [ENDING],
        params(
            groundwire="ending",
            groundwire_kb="museum",
            groundwire_evidence=["The museum has 45 employees."],
            stop_token_ids=[STOP],
        ),
        use_tqdm=False,
    )
    assert done.outputs[0].stop_reason == STOP
    assert done.outputs[0].text.endswith(f"{UNKNOWN} (I could not confirm this.)")
    assert done.outputs[0].finish_reason == "stop"


def chat(question: str, answer: str) -> str:
    """A chat in which the model has answered the same question so three times."""
    asked = f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"
    return f"{asked}{answer}<|im_end|>\n" * 3 + asked


def test_a_last_claim_without_a_mark_gets_its_note(llm: Any) -> None:
    said = cases.WRONG.removesuffix(".")
    prompt = chat("When was the Harbour Museum founded?", said)
    off, on = llm.generate(
        [prompt, prompt],
        [params(), params(groundwire="default", groundwire_kb="museum")],
        use_tqdm=False,
    )
    assert off.outputs[0].text == said
    assert on.outputs[0].text == f"{said}.{cases.NOTE}"
    assert (on.outputs[0].finish_reason, on.outputs[0].stop_reason) == ("stop", None)


def test_a_note_stands_behind_a_table(llm: Any) -> None:
    table = "| Name | Founded |\n|---|---|\n| Harbour Museum | 1992 |\n| Lake Station | 1955 |"
    prompt = chat("Give the table.", f"{table}\n\nThat is all.")
    (done,) = llm.generate(
        [prompt], params(60, groundwire="default", groundwire_kb="museum"), use_tqdm=False
    )
    assert done.outputs[0].text.startswith(f"{table}\n\n{cases.NOTE.strip()}\n\n")


def test_an_answer_goes_on_after_a_correction(llm: Any) -> None:
    (done,) = llm.generate(
        [REPEAT],
        params(groundwire="ending", groundwire_kb="museum", stop_token_ids=[STOP]),
        use_tqdm=False,
    )
    one = done.outputs[0]
    assert one.text.startswith(cases.WRONG + cases.NOTE)
    assert one.stop_reason != STOP
    assert len(one.text) > len(cases.WRONG + cases.NOTE)


def test_bad_arguments_are_refused_by_name(llm: Any) -> None:
    from vllm.exceptions import VLLMValidationError

    for given, said in [
        ({"groundwire": "nonsense"}, "there is no policy 'nonsense'"),
        ({"groundwire": "default", "groundwire_kb": "no"}, "knowledge base"),
        ({"groundwire_polic": "x"}, "is no argument"),
        ({"groundwire_question": 5}, "groundwire_question is a string"),
        ({"groundwire_id": 5}, "id is a string"),
    ]:
        with pytest.raises(VLLMValidationError, match=said):
            llm.generate(["x"], params(**given), use_tqdm=False)
    nameless = params()
    nameless.extra_args = {5: 1}
    with pytest.raises(VLLMValidationError, match="name is a string, not 5"):
        llm.generate(["x"], nameless, use_tqdm=False)


def test_an_answer_that_needs_its_question_is_held_against_the_base(llm: Any) -> None:
    prompt = "Copy the sentence.\n" + "It was founded in 1992.\n" * 3
    asked = {"groundwire": "default", "groundwire_kb": "museum"}
    question = "When was the Harbour Museum founded?"
    on, off = llm.generate(
        [prompt, prompt],
        [params(**asked, groundwire_question=question), params(**asked)],
        use_tqdm=False,
    )
    assert on.outputs[0].text.startswith("It was founded in 1992." + cases.NOTE)
    assert cases.NOTE not in off.outputs[0].text


def test_a_grammar_is_refused_where_the_server_says_so(
    llm: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vllm.exceptions import VLLMValidationError
    from vllm.sampling_params import StructuredOutputsParams

    from groundwire.config import Config
    from groundwire.integrations.serving import Registry
    from groundwire.integrations.vllm import arguments

    config = Config.load(environ={}, serving={"refuse_observed_only": True})
    monkeypatch.setattr(arguments, "front", lambda: Registry.load(config))
    monkeypatch.setattr(arguments, "_refuses", lambda: True)
    form = {"structured_outputs": StructuredOutputsParams(choice=["yes"])}
    for given in ({}, {"groundwire": "default"}):
        with pytest.raises(VLLMValidationError, match="refuse_observed_only"):
            llm.generate(["x"], params(**given, **form), use_tqdm=False)
    llm.generate(["x"], params(2), use_tqdm=False)


def test_the_caller_keeps_its_parameters(llm: Any) -> None:
    given = params(4, groundwire="default")
    before = repr(given)
    llm.generate(["x"], given, use_tqdm=False)
    assert repr(given) == before


def test_structured_output_is_only_observed(llm: Any) -> None:
    from vllm.sampling_params import StructuredOutputsParams

    before = cases.plugin(llm).counts["observed"]
    (done,) = llm.generate(
        [REPEAT],
        params(
            groundwire="default",
            groundwire_kb="museum",
            structured_outputs=StructuredOutputsParams(
                regex=r"The Harbour Museum was founded in 1992\. It is open\."
            ),
        ),
        use_tqdm=False,
    )
    assert done.outputs[0].text == "The Harbour Museum was founded in 1992. It is open."
    assert cases.plugin(llm).counts["observed"] == before + 1


def test_numbers_of_rows_reach_whoever_listens(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from vllm.exceptions import VLLMValidationError

    from groundwire.integrations.vllm.datagrams import Receiver

    expected: dict[int, dict[int, float]] = {}
    inner = cases.plugin(llm)._meter

    def read(logits: Any, streams: Any) -> None:
        for row, stream in streams.items():
            p = torch.log_softmax(logits[row].double(), dim=-1)
            at = expected.setdefault(id(stream), {})
            at[len(stream.seen)] = float(-(p.exp() * p).sum())
        inner.read(logits, streams)
        # A front end reads at every step; the system lets few messages wait.
        receiver.drain()

    receiver = Receiver(SOCKET)
    monkeypatch.setattr(
        cases.plugin(llm), "_meter", SimpleNamespace(read=read, complete=inner.complete)
    )
    names = [("a", "off"), ("b", "observe"), ("c", "default")]
    for name, _ in names:
        receiver.announce(name)
    asked = [
        params(12, groundwire=policy, groundwire_id=name, groundwire_signals=1)
        for name, policy in names
    ]
    done = llm.generate([REPEAT, "Rain is", "Bread is made of"], asked, use_tqdm=False)
    got = [
        [receiver.take(name, i)["entropy"] for i in range(len(one.outputs[0].token_ids))]
        for (name, _), one in zip(names, done, strict=True)
    ]
    receiver.close()
    wanted = [list(by.values())[:12] for by in expected.values()]
    assert sorted(got) == [pytest.approx(w, abs=1e-5) for w in sorted(wanted)]
    assert cases.plugin(llm).counts["faults"] == 0
    with pytest.raises(VLLMValidationError, match="groundwire_id"):
        llm.generate(["x"], params(groundwire="off", groundwire_signals=1), use_tqdm=False)


def test_a_guarded_engine_takes_rows_numbers_from_the_plugin(llm: Any) -> None:
    import groundwire as gw
    from groundwire.errors import ArgumentError
    from groundwire.integrations.vllm import GuardedLLM

    monitor = gw.Monitor(
        tokenizer=f"{os.environ['GROUNDWIRE_TEST_MODEL']}/tokenizer.json",
        reference_date="2026-05-01",
        settings={"group_confidence_bar": 1000.0, "group_window": 5},
    )
    with pytest.raises(ArgumentError, match="signals=True"):
        GuardedLLM(llm, monitor)
    guarded = GuardedLLM(llm, monitor, signals=True)
    evidence = ["The Harbour Museum was founded in 1987. It has 45 employees."]
    try:
        steps = [
            event.step
            for _, event in guarded.stream(
                ["Rain is", "Bread is made of"],
                params(9, logprobs=5),
                policy=gw.Policy.observe(),
                clock=lambda: 0,
            )
            if event.kind == "token"
        ]
        assert len(steps) == 18
        for step in steps:
            signals = step.signals
            assert signals.surprisal == pytest.approx(-signals.logprob)
            # What is sampled greedily is the row's most likely token.
            assert signals.margin <= math.exp(signals.logprob) + 1e-6
            assert signals.confidence > signals.surprisal
        found = [f.type for step in steps for f in step.findings]
        assert found.count("stream.low_confidence") == 2
        # Text that is taken back is submitted anew under another id, and read there.
        lifted = guarded.generate(
            f"{evidence[0]}\n{REPEAT}", params(32), evidence=evidence, evidence_lift=True
        )
        assert "1992" not in lifted.text
        assert lifted.report.interventions
    finally:
        guarded.close()


def test_several_answers_to_one_prompt(llm: Any) -> None:
    (done,) = llm.generate(
        [REPEAT], params(groundwire="default", groundwire_kb="museum", n=1), use_tqdm=False
    )
    from vllm import SamplingParams

    (three,) = llm.generate(
        [REPEAT],
        SamplingParams(
            n=3,
            temperature=0.01,
            max_tokens=40,
            extra_args={"groundwire": "default", "groundwire_kb": "museum"},
        ),
        use_tqdm=False,
    )
    assert len(three.outputs) == 3
    assert all(o.text.startswith(cases.WRONG + cases.NOTE) for o in three.outputs)
    assert done.outputs[0].text.startswith(cases.WRONG + cases.NOTE)


# Last: an engine that ends takes the groups of its process with it.
def test_preempted_requests_come_to_the_same_text(llm: Any, tmp_path: Path) -> None:
    from vllm import LLM

    def run(one: Any, prompts: list[str]) -> list[str]:
        checked = params(80, groundwire="default", groundwire_kb="museum", ignore_eos=True)
        return [o.outputs[0].text for o in one.generate(prompts, checked, use_tqdm=False)]

    prompts = [REPEAT, "Repeat: " + REPEAT]
    alone = [run(llm, [prompt])[0] for prompt in prompts]
    small = LLM(
        **cases.engine_arguments(
            logits_processors=[cases.PLUGIN],
            num_gpu_blocks_override=8,
            max_model_len=200,
            disable_log_stats=False,
        )
    )
    together = run(small, prompts)
    preempted = sum(m.value for m in small.get_metrics() if m.name == "vllm:num_preemptions")
    assert preempted > 0
    assert together == alone
    assert cases.plugin(small).counts["faults"] == 0
