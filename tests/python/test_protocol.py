"""The protocol in one loop: checks before, corrections and confidence during, new attempts."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import jsonschema
import pytest

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.loop import Event
from groundwire.profiles.stream import KnowledgeStore
from groundwire.protocol import WeakPointLog, generate_response
from groundwire.regeneration import guidance
from groundwire.reports import json as report_json
from groundwire.vocabulary import vocabulary

TOKENS = vocabulary([(i, bytes([i]), False) for i in range(256)])
KB = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Sarah Chen",
            "type": "person",
            "attributes": {"department": "Engineering", "email": "s.chen@example.org"},
        },
        {
            "name": "Harbour Museum",
            "type": "organization",
            "attributes": {"founded": 1987, "employees": 45},
        },
    ]
)
PROMPT = b"Tell me about the Harbour Museum and Sarah Chen.\n"
WRONG = (
    "Sarah Chen works in Sales. The Harbour Museum was founded in 1950. "
    "The Harbour Museum has 90 employees. It is old."
)
RIGHT = (
    "Sarah Chen works in Engineering. The Harbour Museum was founded in 1987. "
    "The Harbour Museum has 45 employees."
)


def encode(text: str) -> list[int]:
    return list(text.encode())


class Reader:
    """A model that goes on in the first of its texts that begins like the answer so far.

    Which texts depends on how often the prompt tells it that an answer could not be used.
    """

    def __init__(self, *attempts: list[str]) -> None:
        self.attempts = attempts
        self.prompts: list[str] = []

    def __call__(self, ids: list[int]) -> int | None:
        prompt, _, answer = bytes(ids).partition(PROMPT)
        told = (prompt + PROMPT).decode()
        if told not in self.prompts:
            self.prompts.append(told)
        texts = self.attempts[min(len(self.prompts), len(self.attempts)) - 1]
        for text in texts:
            data = text.encode()
            if data.startswith(answer) and len(data) > len(answer):
                return data[len(answer)]
        return None


def run(model: Reader, **given) -> list[Event]:
    policy = given.pop("policy", gw.Policy(release="response"))
    monitor = gw.Monitor(kb=KB, tokenizer=TOKENS, policy=policy)
    return list(gw.guard(model, list(PROMPT), monitor=monitor, encode=encode, **given))


def released(events: list[Event]) -> str:
    return "".join(e.text for e in events if e.kind == "release")


@pytest.mark.req("S0-078", "S4-030", "S4-033")
def test_an_answer_that_cannot_be_mended_is_made_anew_with_guidance() -> None:
    # Values the knowledge base contradicts are put right until there are too many of them.
    model = Reader([WRONG], [RIGHT])
    events = run(model, regeneration=gw.Regeneration(), policy=OBSERVE)
    again = [e for e in events if e.kind == "regenerate"]
    assert len(again) == 1
    told = again[0].text
    assert "“Engineering” is right, “Sales” is wrong" in told
    assert "“1987” is right" in told and "“45” is right" in told
    assert model.prompts[1].startswith(told)
    assert model.prompts[1].endswith(PROMPT.decode())
    assert released(events) == RIGHT
    report = events[-1].report
    assert report is not None and report.released == RIGHT
    # Nothing of the first answer was released, and it was not written to its end.
    assert again[0].report is not None
    assert not again[0].report.text.endswith("It is old.")


OBSERVE = gw.Policy(
    release="response", low="annotate", medium="annotate", high="annotate", critical="annotate"
)


@pytest.mark.req("S0-079")
def test_attempts_are_bounded_and_then_it_is_escalated() -> None:
    asked = []

    def escalate(report: gw.Report, before: tuple[gw.Report, ...]) -> str:
        asked.append((report, before))
        return "A colleague will answer you."

    model = Reader([WRONG])
    how = gw.Regeneration(max_attempts=2, escalate=escalate)
    events = run(model, regeneration=how, policy=OBSERVE)
    kinds = [e.kind for e in events if e.kind not in {"token", "forced", "rewind"}]
    assert kinds == ["regenerate", "regenerate", "escalate", "release", "stop", "end"]
    assert released(events) == "A colleague will answer you."
    assert events[-2].reason == "escalated"
    ((report, before),) = asked
    assert len(before) == 2 and report.findings
    # Without anybody to hand it to, the last attempt stands.
    alone = run(Reader([WRONG]), regeneration=gw.Regeneration(max_attempts=1), policy=OBSERVE)
    assert [e.kind for e in alone].count("regenerate") == 1
    assert released(alone) == WRONG


@pytest.mark.req("S4-031", "S0-078")
def test_a_discarded_answer_is_made_anew_first() -> None:
    grounded = "The Harbour Museum was founded in 1987. It has 45 employees."
    policy = gw.Policy(release="response", medium="discard", high="discard")
    model = Reader(["It has 60 employees. Ask us."], [grounded])
    alone = run(Reader(["It has 60 employees. Ask us."]), policy=policy, evidence=[grounded])
    assert alone[-2].reason == "discarded"
    events = run(model, regeneration=gw.Regeneration(), policy=policy, evidence=[grounded])
    assert released(events) == grounded


def test_a_good_answer_is_left_alone_and_the_prompt_can_be_made_otherwise() -> None:
    events = run(Reader([RIGHT], ["no"]), regeneration=gw.Regeneration())
    assert released(events) == RIGHT
    assert not [e for e in events if e.kind == "regenerate"]
    how = gw.Regeneration(prompt=lambda ids, text: [*b"AGAIN ", *ids])
    model = Reader([WRONG], [RIGHT])
    assert released(run(model, regeneration=how, policy=OBSERVE)) == RIGHT
    assert model.prompts[1].startswith("AGAIN Tell me")


def test_what_was_sent_cannot_be_made_anew() -> None:
    with pytest.raises(ArgumentError, match="release='response'"):
        run(Reader([RIGHT]), regeneration=gw.Regeneration(), policy=gw.Policy())
    with pytest.raises(ArgumentError, match="max_attempts"):
        gw.Regeneration(max_attempts=0)
    with pytest.raises(ArgumentError, match="escalate"):
        gw.Regeneration(escalate="me")
    with pytest.raises(ArgumentError, match="is a Regeneration"):
        run(Reader([RIGHT]), regeneration=3)


def test_guidance_names_only_what_was_wrong() -> None:
    report = gw.Monitor(kb=KB).check(RIGHT)
    assert guidance(report).count("\n") == 1


def test_the_asynchronous_loop_makes_anew_as_well() -> None:
    model = Reader([WRONG], [RIGHT])

    async def collect() -> list[Event]:
        monitor = gw.Monitor(kb=KB, tokenizer=TOKENS, policy=OBSERVE)
        loop = gw.aguard(
            model,
            list(PROMPT),
            monitor=monitor,
            encode=encode,
            regeneration=gw.Regeneration(),
        )
        return [event async for event in loop]

    assert released(asyncio.run(collect())) == RIGHT


@pytest.mark.req("S4-001", "S4-025", "S4-026", "S4-027", "S4-012")
def test_the_three_phases() -> None:
    log = WeakPointLog()
    hooks = gw.ProtocolHooks(weak_points=log, markers=True)
    # The correction stands in the running answer; the model goes on from it.
    said = "Sarah Chen works in Sales. Whales sing at night."
    then = "Sarah Chen works in Engineering. Whales sing at night."
    events = run(
        Reader([said, then]),
        hooks=hooks,
        question="Where does Sarah Chen work?",
        policy=gw.Policy(),
    )
    assert "Sarah Chen works in Engineering." in released(events)
    assert "Sales" not in released(events)
    # Before: the baseline is that of the knowledge base.
    seen = [e.confidence for e in events if e.kind == "token"]
    assert seen[0] == pytest.approx(0.8)
    # During: a claim without a source lowers it.
    report = events[-1].report
    assert report is not None and report.confidence is not None
    assert report.confidence < seen[0]
    # After: the weak claim is named, kept, and marked.
    (weak,) = report.weak_points
    assert (weak.content, weak.reason) == ("Whales sing at night.", "unattributed_claim")
    assert report.text[weak.span[0] : weak.span[1]] == weak.content
    assert log.query(text="whales") == [weak]
    assert log.query(below=0.1) == [] and log.query(reason="quote_not_found") == []
    assert report.released.endswith("I have no verified source for: “Whales sing at night.”.")
    assert set(report.claim_confidence) == {c.id for c in report.claims}
    jsonschema.validate(json.loads(report.to_json()), report_json.schema())


@pytest.mark.req("S4-002", "S4-033")
def test_the_protocol_refuses_what_nothing_can_answer() -> None:
    def never(ids: list[int]) -> int:
        raise AssertionError("the model must not be asked")

    monitor = gw.Monitor(kb=KB, tokenizer=TOKENS)
    question = "Who leads the Harbour Museum?"
    events = list(
        gw.guard(never, [1], monitor=monitor, hooks=gw.ProtocolHooks(), question=question)
    )
    assert events[1].reason == "limitation"
    easy = gw.ProtocolHooks(verify_first=False)
    loop = gw.guard(lambda ids: None, [1], monitor=monitor, hooks=easy, question=question)
    assert [e.kind for e in loop] == ["stop", "end"]
    assert easy.confidence.baseline == 0.3


@pytest.mark.req("S4-012", "S4-029")
def test_a_hedge_fits_the_confidence() -> None:
    said = "I know that Zorblax Quimby leads it. Come and see."
    # A lead-in behind which nothing follows would be taken out again.
    openings = ("I believe that", "I have no source for it, but it may be that")
    texts = [said, *(f"{opening} Zorblax Quimby leads it. Come and see." for opening in openings)]
    policy = gw.Policy(low="hedge")
    plain = run(Reader(texts), policy=policy)
    events = run(Reader(texts), policy=policy, hooks=gw.ProtocolHooks())
    assert "I believe" in released(plain) or "I think" in released(plain)
    assert released(events).startswith("I have no source for it, but it may be that")
    hooks = gw.ProtocolHooks()
    hooks.begin(None, KnowledgeStore(history=[("user", "Ada Lind leads it.")]))
    assert hooks.reformulate("I know that Ada Lind leads it.", "I think that", []) == (
        "I believe that"
    )
    assert hooks.reformulate("It has 60.", "I can't say more.", []) == "I can't say more."


@pytest.mark.req("S4-033", "S4-034")
def test_the_whole_pipeline() -> None:
    # Contradictions of the history are left to the validator at the end.
    late = {"contradiction_confidence": 1.0}
    monitor = gw.Monitor(kb=KB, tokenizer=TOKENS, settings=late)
    said = "Sarah Chen works in Sales. The tower is 250 metres tall."
    then = "Sarah Chen works in Engineering. The tower is 250 metres tall."

    def answer(question: str, model, **context):
        return asyncio.run(
            generate_response(
                question,
                context,
                next_token=model,
                prompt_ids=list(PROMPT),
                monitor=monitor,
                encode=encode,
            )
        )

    history = [("assistant", "The tower is 300 metres tall.")]
    found = answer("Where does Sarah Chen work?", Reader([said, then]), history=history)
    assert found.text.startswith(then)
    assert "differs from what was said before: “The tower is 300 metres tall.”" in found.text
    assert found.coherence is not None and not found.coherence.coherent
    assert found.report.released == found.text
    assert found.check is not None and found.check.verified
    kinds = [found.tracker.verify_claim(c).verified for c in found.report.claims]
    assert kinds == [True, False]
    refused = answer("Who leads the Harbour Museum?", Reader(["never"]))
    assert "who leads the Harbour Museum" in refused.text
    assert refused.coherence is None and refused.report.stopped == "limitation"
    brought = answer(
        "Who leads the Harbour Museum?",
        Reader(["Ada Lind leads the Harbour Museum."]),
        retrievers=[lambda query: ["Ada Lind leads the Harbour Museum."]],
    )
    assert "Ada Lind" in brought.text
    assert [brought.tracker.verify_claim(c).verified for c in brought.report.claims] == [True]


@pytest.mark.req("S4-033", "S4-034")
def test_the_page_about_the_protocol_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8 and page.count("\n```") == 2 * len(blocks)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "protocol.md", "exec"), names)


@pytest.mark.req("S4-035")
def test_fewer_contradicted_statements_leave_than_were_written() -> None:
    monitor = gw.Monitor(kb=KB)
    written = left = 0
    for department in ("Sales", "Finance", "Marketing"):
        for year in ("1950", "1992"):
            said = f"Sarah Chen works in {department}. The Harbour Museum was founded in {year}."
            mended = "Sarah Chen works in Engineering. The Harbour Museum was founded in "
            then = [f"Sarah Chen works in Engineering.{said.partition('.')[2]}", mended + "1987."]
            events = run(Reader([said, *then]), policy=gw.Policy())
            for text, wrong in ((said, True), (released(events), False)):
                found = [f for f in monitor.check(text).findings if f.status == "contradicted"]
                written += len(found) * wrong
                left += len(found) * (not wrong)
    assert (written, left) == (12, 0)
