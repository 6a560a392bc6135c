"""The real small model makes its answers anew: with guidance, for each prompt, to a person."""

from __future__ import annotations

import pytest

from small_model import FOUNDED, HERE, MARKS, MODEL, SYSTEM

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import groundwire as gw  # noqa: E402
from groundwire.integrations.models import load  # noqa: E402
from groundwire.integrations.prompts import chat, encode  # noqa: E402
from groundwire.integrations.transformers import generate, stream  # noqa: E402
from groundwire.mitigation import ReviewQueue  # noqa: E402

pytestmark = MARKS
BUILT = (
    "When was Harbourlight Maritime Museum founded, and when was the Northern Wren built? "
    "Who is the museum's director?"
)
GREETING = "Say good morning."
SETTINGS = {"max_new_tokens": 40, "do_sample": False, "clock": None}
KEEP = gw.Policy(
    release="response", low="annotate", medium="annotate", high="discard", critical="discard"
)


@pytest.fixture(scope="module")
def real():
    torch.set_num_threads(2)
    return load(MODEL)


@pytest.mark.req("S0-078", "S4-030", "S4-031")
def test_a_wrong_answer_is_made_anew_and_its_neighbour_is_left_alone(real):
    model, tokenizer = real
    kb = gw.KnowledgeBase.from_jsonl(HERE / "kb.jsonl")
    # The small model names a wrong builder, year and director: three errors, too many to mend.
    kb.upsert("Northern Wren", attributes={"built": 1927, "builder": "Alder Yard"})
    monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)
    asked = [chat(BUILT, system=SYSTEM), chat(GREETING, system=SYSTEM)]
    seen = []

    def prompt(given, guidance):
        seen.append((given, guidance))
        return [*given[:-1], {**given[-1], "content": f"{given[-1]['content']}\n\n{guidance}"}]

    how = gw.Regeneration(max_attempts=1, prompt=prompt)
    given = {"monitor": monitor, "policy": KEEP, "regeneration": how, **SETTINGS}
    events = list(stream(model, tokenizer, asked, **given))
    again = [e for e in events if e.kind == "regenerate"]
    assert [e.row for e in again] == [0]
    ((first, told),) = seen
    assert first == asked[0] and told == again[0].piece
    assert "“1927” is right" in told
    ends = {e.row: e.result for e in events if e.kind == "end"}
    for row, result in ends.items():
        assert "".join(e.text for e in events if e.row == row) == result.text
    assert ends[1].given_up == ()
    # The next attempt is what the model says to the prompt with the guidance, guarded anew.
    (failed,) = ends[0].given_up
    assert failed.findings or failed.interventions
    guided = chat(f"{BUILT}\n\n{told}", system=SYSTEM)
    policy = {"monitor": monitor, "policy": KEEP, **SETTINGS}
    alone = generate(model, tokenizer, guided, question=BUILT, **policy)
    assert ends[0].report.text == alone.report.text != failed.text


class Always:
    """A rule that finds fault with every answer."""

    name = "always"

    def matches(self, text):
        return [(0, len(text))] if len(text) > 12 else []

    def confidence(self, text):
        return 0.99


@pytest.mark.req("S0-079")
def test_two_failures_go_to_a_person_in_every_loop(real, tmp_path):
    model, tokenizer = real
    monitor = gw.Monitor(tokenizer=tokenizer, rules=[Always()])
    queue = ReviewQueue(tmp_path / "review.jsonl")

    def escalate(report, before):
        queue.escalate(report, before)
        return "A colleague will answer you."

    how = gw.Regeneration(max_attempts=2, escalate=escalate)
    given = {"monitor": monitor, "policy": KEEP, "regeneration": how}
    asked = [chat(FOUNDED, system=SYSTEM), chat(GREETING, system=SYSTEM)]
    for result in generate(model, tokenizer, asked, **given, **SETTINGS):
        assert (result.text, result.reason) == ("A colleague will answer you.", "escalated")
        assert len(result.given_up) == 2

    def next_token(ids):
        with torch.no_grad():
            return int(model(torch.tensor([ids])).logits[0, -1].argmax())

    ids = encode(tokenizer, asked[0])
    loop = list(gw.guard(next_token, ids, stop_ids=tokenizer.eos_token_id, max_tokens=40, **given))
    assert [e.kind for e in loop].count("regenerate") == 2
    assert loop[-1].report.released == "A colleague will answer you."
    assert len(queue) == 3
