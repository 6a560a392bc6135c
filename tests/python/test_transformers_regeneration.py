"""``generate`` makes an answer anew: what the prompt becomes, and when it ends."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.integrations import transformers
from groundwire.integrations._events import Generation, StreamEvent

KB = gw.KnowledgeBase.from_records(
    [
        {"name": "Sarah Chen", "attributes": {"department": "Engineering"}},
        {"name": "Harbour Museum", "attributes": {"founded": 1987, "employees": 45}},
    ]
)
WRONG = (
    "Sarah Chen works in Sales. The Harbour Museum was founded in 1950. "
    "The Harbour Museum has 90 employees."
)
RIGHT = "Sarah Chen works in Engineering."


@pytest.fixture
def asked(monkeypatch):
    """Stand in for the decoding loop: right once the prompt says what was wrong."""
    seen = []

    def stream(model, tokenizer, prompt, *, monitor, question=None, **given):
        seen.append((prompt, question))
        said = RIGHT if model == "learns" and "could not be used" in str(prompt) else WRONG
        report = monitor.check(said)
        yield StreamEvent("end", 0, result=Generation(said, report, (), "eos", 1, 0.0, 0.0))

    monkeypatch.setattr(transformers, "stream", stream)
    return seen


@pytest.mark.req("S0-078", "S4-030")
def test_the_guidance_stands_in_the_prompt_and_the_question_stays(asked) -> None:
    monitor, how = gw.Monitor(kb=KB), gw.Regeneration()
    chat = [{"role": "user", "content": "Who works where?"}]
    for prompt in ("Who works where?", chat):
        asked.clear()
        found = transformers.generate("learns", None, prompt, monitor=monitor, regeneration=how)
        assert found.text == RIGHT
        assert [report.text for report in found.given_up] == [WRONG]
        assert [question for _, question in asked] == ["Who works where?"] * 2
        assert "“Engineering” is right" in str(asked[1][0])
    assert chat == [{"role": "user", "content": "Who works where?"}]


@pytest.mark.req("S0-079")
def test_attempts_are_bounded_and_then_it_is_escalated(asked) -> None:
    monitor = gw.Monitor(kb=KB)
    how = gw.Regeneration(max_attempts=2, escalate=lambda report, before: f"Ask us: {len(before)}")
    found = transformers.generate("stubborn", None, "Who?", monitor=monitor, regeneration=how)
    assert (found.text, found.reason, len(asked)) == ("Ask us: 2", "escalated", 3)
    assert found.report.released == found.text
    with pytest.raises(ArgumentError, match="one prompt at a time"):
        transformers.generate("stubborn", None, ["Who?"], monitor=monitor, regeneration=how)
