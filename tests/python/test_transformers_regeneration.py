"""New attempts, hooks and the store inside transformers' loop: what is asked, said and kept."""

from __future__ import annotations

import dataclasses

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import groundwire as gw
from groundwire import store as stores
from groundwire.errors import ArgumentError
from groundwire.events import StoreSink
from groundwire.integrations.transformers import generate, stream
from groundwire.mitigation import ReviewQueue
from tiny_model import Reads, settings, tiny_model, tiny_tokenizer

pytestmark = pytest.mark.filterwarnings("ignore")
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
ASKED = "Who works where?\n"
KEEP = gw.Policy(
    release="response", low="annotate", medium="annotate", high="annotate", critical="annotate"
)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tiny():
    tokenizer = tiny_tokenizer()
    return tiny_model(tokenizer), tokenizer, gw.Monitor(kb=KB, tokenizer=tokenizer)


def reads(tiny, texts, end=ASKED):
    return Reads(tiny[1], end, texts)


def call(function, tiny, prompt, reader, **given):
    model, tokenizer, monitor = tiny
    monitor = given.pop("monitor", monitor)
    return function(model, tokenizer, prompt, monitor=monitor, **settings(reader), **given)


@pytest.mark.req("S0-078", "S4-030")
def test_the_guidance_stands_in_the_prompt_and_the_question_stays(tiny) -> None:
    prompt = "To all. " + ASKED
    for asked in (prompt, tiny[1].encode(prompt)):
        reader = reads(tiny, {"To all": [[WRONG], [RIGHT]]})
        found = call(
            generate, tiny, asked, reader, policy=KEEP, question="Who works where?",
            regeneration=gw.Regeneration(),
        )  # fmt: skip
        assert found.text == RIGHT == found.report.released
        (failed,) = found.given_up
        assert WRONG.startswith(failed.text)
        first, again = reader.prompts["To all"]
        assert "“Engineering” is right" in again and again.endswith(first)


@pytest.mark.req("S0-078", "S0-079")
def test_each_of_several_prompts_is_made_anew_for_itself(tiny) -> None:
    asked = ["First. " + ASKED, "Second and longer. " + ASKED, "Third. " + ASKED]
    reader = reads(
        tiny, {"First": [[WRONG], [RIGHT]], "Second": [[RIGHT]], "Third": [[WRONG]]}
    )  # fmt: skip
    seen = []

    def escalate(report, before):
        seen.append((report, before))
        return "A colleague will answer you."

    how = gw.Regeneration(max_attempts=2, escalate=escalate)
    events = list(call(stream, tiny, asked, reader, policy=KEEP, regeneration=how))
    kinds = {
        row: [e.kind for e in events if e.row == row and e.kind not in {"token", "intervention"}]
        for row in range(3)
    }
    assert kinds == {
        0: ["regenerate", "release", "end"],
        1: ["release", "end"],
        2: ["regenerate", "regenerate", "escalate", "release", "end"],
    }
    told = "".join(e.text for e in events if e.row == 2)
    assert told == "A colleague will answer you."
    last = events[-1].result
    assert (last.text, last.reason, last.report.stopped) == (told, "escalated", "escalated")
    assert len(last.given_up) == 2
    ((report, before),) = seen
    assert len(before) == 2 and report.findings
    assert len(set(reader.prompts["Third"])) == 2, "the same guidance twice"
    again = next(e for e in events if e.kind == "regenerate" and e.row == 0)
    assert "“Engineering” is right" in again.piece and again.given_up.findings
    many = call(generate, tiny, asked, reads(tiny, reader.texts), policy=KEEP, regeneration=how)
    assert [one.text for one in many] == [RIGHT, RIGHT, told]


@pytest.mark.req("S0-079")
def test_a_failed_answer_reaches_the_queue_of_a_person(tiny, tmp_path) -> None:
    queue = ReviewQueue(tmp_path / "review.db")
    how = gw.Regeneration(max_attempts=2, escalate=queue.escalate)
    found = call(
        generate, tiny, "To all. " + ASKED, reads(tiny, {"To all": [[WRONG]]}), policy=KEEP,
        regeneration=how,
    )  # fmt: skip
    assert found.reason == "eos", "the last attempt stands until somebody has decided"
    (item,) = queue.pending()
    assert "2 new answers" in item.reason
    assert {flag["content"] for flag in item.flags} >= {"1950", "90"}
    assert "wrong_attribute" in {flag["type"] for flag in item.flags}


@pytest.mark.req("S0-078")
def test_what_a_stream_sent_cannot_be_made_anew(tiny) -> None:
    reader = reads(tiny, {"To all": [[WRONG], [RIGHT]]})
    how = gw.Regeneration()
    with pytest.raises(ArgumentError, match="release='response'"):
        call(stream, tiny, "To all. " + ASKED, reader, regeneration=how)
    found = call(
        generate, tiny, "To all. " + ASKED, reader, regeneration=how,
        policy=gw.Policy(low="annotate", medium="annotate", high="annotate", critical="annotate"),
    )  # fmt: skip
    assert found.text == RIGHT, "nobody has read what generate gives up"


@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_a_policy_that_only_watches_leaves_the_text(tiny, release):
    said = "Sarah Chen works in Sales. Come and see us."
    policy = dataclasses.replace(gw.Policy.observe(), release=release)
    texts = {"To all": [[said]]}
    found = call(generate, tiny, "To all. " + ASKED, reads(tiny, texts), policy=policy)
    assert found.text == said == found.report.released
    assert found.report.findings


class Words(gw.Hooks):
    """Says everything in its own words, and notes what it was asked."""

    def __init__(self) -> None:
        self.heard = []

    def begin(self, question, knowledge):
        self.heard.append(("begin", question, len(knowledge.evidence)))

    def on_rewind(self, text):
        self.heard.append(("rewind", text))

    def reformulate(self, retracted, text, findings):
        self.heard.append(("reformulate", retracted.strip(), findings[0].type))
        return text + " (so the records say)"

    def add_disclaimers(self, released, contradictions):
        return ""

    def finalize(self, released, report):
        return "\n-- the museum"


@pytest.mark.req("S4-033", "S4-034")
def test_hooks_are_asked_as_in_the_plain_loop(tiny) -> None:
    said = "Sarah Chen works in Sales. Come and see us."
    then = "Sarah Chen works in Engineering (so the records say). Come and see us."
    texts = {"To all": [[said, then]]}
    hooks = Words()
    events = list(
        call(
            stream,
            tiny,
            "To all. " + ASKED,
            reads(tiny, texts),
            hooks=hooks,
            clock=None,
            question="Who works where?",
        )
    )
    report = events[-1].report
    assert report.released == "".join(e.text for e in events) == then + "\n-- the museum"
    assert [h[0] for h in hooks.heard] == ["begin", "reformulate", "rewind"]
    assert hooks.heard[0] == ("begin", "Who works where?", 0)
    # The same model in a loop of one's own gives the same answer.
    reader, tokenizer = reads(tiny, texts), tiny[1]

    def next_token(ids):
        return int(reader(torch.tensor([ids]), torch.zeros(1, len(tokenizer)))[0].argmax())

    own = gw.guard(
        next_token, tokenizer.encode("To all. " + ASKED), monitor=tiny[2], hooks=Words(),
        question="Who works where?", stop_ids=tokenizer.eos_token_id,
    )  # fmt: skip
    assert "".join(e.text for e in own if e.kind == "release") == report.released


@pytest.mark.req("S4-002", "S4-025", "S4-031")
def test_what_nothing_can_answer_is_not_asked_of_the_model(tiny) -> None:
    asked = ["Who leads the Harbour Museum?\n", "Where does Sarah Chen work?\n"]
    reader = Reads(tiny[1], "?\n", {"Who leads": [["never"]], "Where": [[RIGHT]]})
    hooks = [gw.ProtocolHooks(), gw.ProtocolHooks()]
    refused, answered = call(generate, tiny, asked, reader, hooks=hooks)
    assert refused.reason == refused.report.stopped == "limitation"
    assert "who leads the Harbour Museum" in refused.text and refused.sampled == 0
    assert reader.prompts["Who leads"] == []
    assert answered.text == RIGHT
    assert hooks[1].last_check.verified
    alone = list(call(stream, tiny, asked[0], reader, hooks=gw.ProtocolHooks()))
    assert [e.kind for e in alone] == ["release", "end"]
    with pytest.raises(ArgumentError, match="a list of 2 hooks"):
        call(generate, tiny, asked, reader, hooks=gw.ProtocolHooks())


@pytest.mark.req("S4-026", "S4-027", "S4-028", "S0-078")
def test_the_three_phases_and_what_is_kept_of_them(tiny, tmp_path) -> None:
    said = "Sarah Chen works in Sales. Whales sing at night."
    then = "Sarah Chen works in Engineering. Whales sing at night."
    reader = Reads(tiny[1], "?\n", {"Where": [[said, then]]})
    with stores.open(tmp_path / "kept.db", mask=False) as store:
        found = call(
            generate, tiny, "Where does Sarah Chen work?\n", reader, store=store,
            hooks=gw.ProtocolHooks(markers=True),
        )  # fmt: skip
        assert found.text.startswith(then)
        assert found.text.endswith("I have no verified source for: “Whales sing at night.”.")
        ids = [c.id for c in found.report.claims]
        assert list(found.report.claim_confidence) == ids
        (point,) = store.weak_points()
        assert (point.content, point.reason) == ("Whales sing at night.", "unattributed_claim")
        assert point.confidence == pytest.approx(found.report.claim_confidence[ids[1]])
        assert store.get(stores.key("hallucination", point.session_id, "1", "mitigation",
                                    "corrections_applied")) == 1  # fmt: skip


@pytest.mark.req("S4-027", "S0-098")
def test_a_store_takes_the_reports_of_sessions_guards_and_loops() -> None:
    store = stores.MemoryStore(retention=stores.Retention(max_turns=2))
    monitor = gw.Monitor(kb=KB, events=StoreSink(store))
    for _ in range(3):
        with monitor.session(session_id="talk") as session:
            session.push_text(WRONG)
    assert store.children("/hallucination/talk") == ["2/", "3/"], "the oldest turn has gone"
    assert {p.content for p in store.weak_points("talk")} == {"[masked]"}
    named = monitor.check(WRONG, session_id="talk", turn_id="named")
    assert "/hallucination/talk/named/detection/total_flags" in store
    assert store.add(named) == "/hallucination/talk/named"
    with pytest.raises(ArgumentError, match="add"):
        StoreSink(3)


def test_a_store_that_fails_stops_no_answer(caplog) -> None:
    class Full:
        def add(self, report):
            raise OSError("no room")

    hooks = gw.GroundwireCallback(gw.Monitor(kb=KB), store=Full())
    hooks.on_token("Sarah Chen works in Engineering.")
    assert hooks.on_end().stop == "end"
    assert "an event sink failed" in caplog.text
