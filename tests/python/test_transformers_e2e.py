"""The real small model under guard: greedy, two threads, so the same on every run."""

from __future__ import annotations

import json
import threading

import pytest

from small_model import FOUNDED, HERE, MARKS, MODEL, SYSTEM

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import groundwire as gw  # noqa: E402
from groundwire.integrations.models import load  # noqa: E402
from groundwire.integrations.prompts import chat  # noqa: E402
from groundwire.integrations.transformers import generate, stream  # noqa: E402

pytestmark = MARKS
SETTINGS = {"max_new_tokens": 60, "do_sample": False}


@pytest.fixture(scope="module")
def real():
    torch.set_num_threads(2)
    model, tokenizer = load(MODEL)
    kb = gw.KnowledgeBase.from_jsonl(HERE / "kb.jsonl")
    return model, tokenizer, gw.Monitor(kb=kb, tokenizer=tokenizer)


def test_wrong_facts_are_corrected_and_never_leave(real):
    model, tokenizer, monitor = real
    prompt = chat(FOUNDED, system=SYSTEM)
    events = list(stream(model, tokenizer, prompt, monitor=monitor, clock=None, **SETTINGS))
    report = events[-1].report
    assert "1962" in report.released
    fixes = [i for i in report.interventions if i.action == "correct"]
    assert fixes
    assert fixes[0].inserted.strip() == "1962"
    for done in fixes:
        assert done.retracted.strip() not in report.released
    assert "".join(e.text for e in events) == report.released
    whole = generate(model, tokenizer, prompt, monitor=monitor, **SETTINGS)
    assert whole.text == report.released


def ask(real, name, evidence_lift=False, **given):
    """Ask a question of the example with its page of the handbook as evidence."""
    model, tokenizer, monitor = real
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = next(q for q in map(json.loads, lines) if q["id"] == name)
    pages = [
        (HERE / "handbook" / f"{page}.md").read_text(encoding="utf-8").partition("\n")[2].strip()
        for page in asked["evidence"]
    ]
    prompt = chat(asked["question"], evidence=pages, system=SYSTEM)
    given = {"monitor": monitor, "evidence": pages, "clock": None, **SETTINGS, **given}
    return list(stream(model, tokenizer, prompt, evidence_lift=evidence_lift, **given))


@pytest.mark.req("S4-029")
def test_a_price_without_a_source_is_hedged(real):
    report = ask(real, "ticket")[-1].report
    hedges = [i for i in report.interventions if i.action == "hedge"]
    assert hedges
    assert hedges[0].findings
    for done in hedges:
        assert done.inserted in report.released
        assert done.retracted.strip() not in report.released


@pytest.mark.req("S4-018")
def test_research_that_nobody_named_is_hedged(real):
    report = ask(real, "studies", max_new_tokens=110)[-1].report
    done = next(i for i in report.interventions if i.action == "hedge")
    named = {f.type for i in report.interventions for f in i.findings}
    named |= {f.type for f in report.findings}
    assert "stream.unsourced_authority" in named
    assert done.retracted.strip() not in report.released


@pytest.mark.req("S4-031")
def test_a_strict_policy_discards_and_nothing_of_the_answer_leaves(real):
    policy = gw.Policy(release="response", high="discard")
    events = ask(real, "email", policy=policy, max_new_tokens=90)
    report = events[-1].report
    assert report.stopped == "discarded"
    assert report.released.startswith("I can't give a reliable answer")
    assert "".join(e.text for e in events if e.kind == "release") == report.released


def test_evidence_lift_tells_what_was_carried_from_what_was_made_up(real):
    events = ask(real, "chair", evidence_lift=True)
    bits = [(e.piece, e.signals.lift_bits) for e in events if e.kind == "token" and e.signals]
    assert all(lift is not None for _, lift in bits)
    at = next(i for i, (piece, _) in enumerate(bits) if "Qu" in piece)
    carried = sum(lift for _, lift in bits[at - 2 : at + 3])
    made_up = [lift for piece, lift in bits if "House" in piece]
    assert carried > 20.0, "the name stands in the evidence alone"
    assert max(made_up) < 3.0, "the evidence speaks of no House of Lords"


def test_a_right_answer_is_what_plain_generate_gives(real):
    model, tokenizer, monitor = real
    page = (HERE / "handbook" / "fleet.md").read_text(encoding="utf-8").partition("\n")[2].strip()
    question = "How many people did the crews of the Saint Brannoc save?"
    prompt = chat(question, evidence=[page], system=SYSTEM)
    found = generate(model, tokenizer, prompt, monitor=monitor, evidence=[page], **SETTINGS)
    assert not found.report.interventions
    text = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
    given = tokenizer(text, return_tensors="pt", add_special_tokens=False)
    plain = model.generate(**given, **SETTINGS)[0, given["input_ids"].shape[1] :]
    assert found.text == tokenizer.decode(plain, skip_special_tokens=True)


class Slow:
    """A verifier whose answer about the first claim comes when it is told to give it."""

    name = "slow"

    def __init__(self):
        self.asked = []
        self.go = threading.Event()

    def verify(self, claim):
        self.asked.append(claim.content)
        if claim.content != self.asked[0]:
            return gw.Verdict("supported")
        self.go.wait(600)
        return gw.Verdict("contradicted", reason="the archive says otherwise")


def test_a_late_answer_takes_back_what_was_held_for_it(real):
    model, tokenizer, _ = real
    slow = Slow()
    monitor = gw.Monitor(tokenizer=tokenizer, profiles=["stream"], verifiers=[slow], workers=1)
    policy = gw.Policy(release="claim", max_hold_tokens=400)
    prompt = chat("Tell me about the sea in five sentences.")
    written, sent, later, rewound = "", "", 0, False
    for event in stream(
        model, tokenizer, prompt, monitor=monitor, policy=policy, clock=None,
        max_new_tokens=90, do_sample=False,
    ):  # fmt: skip
        sent += event.text if event.kind == "release" else ""
        if event.kind == "token" and not rewound:
            written += event.piece
            later += bool(slow.asked)
            assert not sent, "nothing leaves while the first claim waits"
            if later == 8:
                slow.go.set()
        if event.kind == "rewind" and not rewound:
            rewound = True
            assert later >= 8, "the model wrote on meanwhile"
        if event.kind == "end":
            result = event.result
    report, claim = result.report, slow.asked[0]
    assert rewound
    assert claim in written
    assert claim not in sent
    taken = next(i for i in report.interventions if claim in i.retracted)
    assert not taken.already_sent
    assert any(f.status == "contradicted" for f in taken.findings)
    assert sent == result.text == report.released
    assert (report.holds_given_up, report.unanswered) == (0, ())
