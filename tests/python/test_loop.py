"""The guarded loop over anyone's own generation: plain, asynchronous, with hooks, as a callback."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

import groundwire as gw
from groundwire.callback import Decision
from groundwire.errors import ArgumentError
from groundwire.loop import Event
from groundwire.vocabulary import vocabulary

EVIDENCE = ["The Harbour Museum was founded in 1987 by Ada Lind. It has 45 employees."]
WORDS = [
    "The Harbour Museum",
    " was founded",
    " in",
    "1992",
    "1987",
    " 1992",
    " 1987",
    " by Ada Lind.",
    " It has",
    " 60",
    " employees.",
    " Come and see it.",
    "I know that",
    "I believe that",
    " Zorblax Quimby",
    " leads",
    " it.",
    " Ask us.",
    " ",
    "I have nothing to add.",
    " has 60 employees.",
    " has 45 employees.",
    "has 45",
]
RIGHT = "The Harbour Museum was founded in 1987 by Ada Lind."
TOKENS = vocabulary([(i, word.encode(), False) for i, word in enumerate(WORDS)])


def encode(text: str) -> list[int]:
    """Cut ``text`` into known pieces, the longest first."""
    ids = []
    while text:
        fits = [i for i, word in enumerate(WORDS) if text.startswith(word)]
        assert fits, f"no token for {text!r}"
        best = max(fits, key=lambda i: len(WORDS[i]))
        ids.append(best)
        text = text[len(WORDS[best]) :]
    return ids


class Scripted:
    """A model that says one text after another: the next one after every rewind."""

    def __init__(self, *texts: str) -> None:
        self.texts = [encode(text) for text in texts]
        self.said: list[int] = []

    def __call__(self, ids: list[int]) -> int | None:
        if ids != self.said:
            # Text was taken back or put in: the next script goes on from there.
            self.said = list(ids)
            self.texts = self.texts[1:]
        if not self.texts or not self.texts[0]:
            return None
        token = self.texts[0].pop(0)
        self.said.append(token)
        return token


def released(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if event.kind == "release")


def run(model: Scripted, **given) -> list[Event]:
    policy = given.pop("policy", gw.Policy())
    monitor = gw.Monitor(tokenizer=TOKENS, policy=policy)
    evidence = given.pop("evidence", EVIDENCE)
    return list(gw.guard(model, [], monitor=monitor, encode=encode, evidence=evidence, **given))


@pytest.mark.req("S4-033", "S4-014")
def test_a_wrong_value_is_put_right_and_the_model_goes_on_from_there() -> None:
    model = Scripted(
        "The Harbour Museum was founded in 1992 by Ada Lind. Come and see it.",
        " by Ada Lind. Come and see it.",
    )
    events = run(model)
    kinds = [event.kind for event in events]
    assert kinds[-2:] == ["stop", "end"]
    report = events[-1].report
    assert report is not None
    right = "The Harbour Museum was founded in 1987 by Ada Lind. Come and see it."
    assert released(events) == report.released == report.text == right
    rewind = next(event for event in events if event.kind == "rewind")
    assert rewind.keep is not None
    assert [i.action for i in report.interventions] == ["correct"]
    assert "1992" in report.interventions[0].retracted


def test_rows_are_held_against_the_answer_as_in_a_check() -> None:
    rows = [{"name": "Harbour Museum", "employees": 45}, {"name": "Sea Hall", "employees": 60}]
    text = "The Harbour Museum has 60 employees."
    for given in (rows, gw.Table.from_rows(rows)):
        report = run(Scripted(text, " employees."), evidence=[], rows=given)[-1].report
        assert report is not None
        assert [note.action for note in report.interventions] == ["correct"]
        assert report.text == report.released == "The Harbour Museum has 45 employees."
    right = run(Scripted("The Harbour Museum has 45 employees."), evidence=[], rows=iter(rows))
    assert released(right) == "The Harbour Museum has 45 employees."


@pytest.mark.req("S4-029")
def test_knowing_becomes_believing() -> None:
    model = Scripted(
        "I know that Zorblax Quimby leads it. Come and see it.",
        " Zorblax Quimby leads it. Come and see it.",
    )
    events = run(model)
    assert released(events) == "I believe that Zorblax Quimby leads it. Come and see it."


@pytest.mark.req("S4-030", "S4-033")
def test_an_interruption_stops_where_the_policy_says_so_and_disclaimers_follow() -> None:
    class Words(gw.Hooks):
        def finalize(self, released: str, report: gw.Report) -> str:
            assert report.interventions
            return " Bye."

    policy = gw.Policy(medium="interrupt", after_interrupt="stop")
    model = Scripted(RIGHT + " It has 60 employees. Ask us.")
    events = run(model, policy=policy, hooks=Words())
    report = events[-1].report
    assert report is not None
    assert report.stopped == "interrupted"
    # What was taken back is not said again, as a quotation neither.
    assert "60" not in released(events)
    assert released(events) == report.released
    assert report.released.startswith("The Harbour Museum was founded in 1987 by Ada Lind.")
    assert report.released.endswith("the number. Bye.")


@pytest.mark.req("S4-033")
def test_what_left_before_a_discard_gets_its_disclaimer() -> None:
    base = gw.KnowledgeBase.from_records(
        [
            {"name": "Norwick", "attributes": {"population": 23400}},
            {"name": "Hotel Quillon", "attributes": {"pets": "allowed"}},
        ]
    )
    policy = gw.Policy(high="annotate", critical="discard")
    callback = gw.GroundwireCallback(gw.Monitor(kb=base, policy=policy))
    text = ""
    for word in [
        "Norwick has 43,000 inhabitants.",
        " Pets are not allowed at Hotel Quillon.",
        " Ask.",
    ]:
        done = callback.on_token(word)
        text += done.release
        if done.stop:
            break
    else:
        text += callback.on_end().release
    report = callback.report()
    assert report.released == text
    assert "43,000 inhabitants" in text
    assert "23,400" in text.split("Please note: ")[1] or "23400" in text.split("Please note: ")[1]
    assert report.stopped == "discarded"


@pytest.mark.req("S4-031", "S4-034")
def test_a_discarded_answer_ends_in_the_applications_own_words() -> None:
    class Words(gw.Hooks):
        def limitation_response(self, missing: str, text: str) -> str:
            assert text.startswith("I can't give a reliable answer")
            return f"No answer: {missing}"

    policy = gw.Policy(medium="discard", high="discard", release="response")
    model = Scripted(RIGHT + " It has 60 employees. Ask us.")
    events = run(model, policy=policy, hooks=Words())
    report = events[-1].report
    assert report is not None
    assert report.stopped == "discarded"
    assert released(events) == report.released == "No answer: the number"


@pytest.mark.req("S4-033", "S4-002", "S4-034")
def test_nothing_is_generated_where_knowledge_is_missing() -> None:
    class Words(gw.Hooks):
        def verify(self, prompt_ids: Sequence[int], question: str | None) -> str | None:
            return "the tower" if question and "tower" in question else None

    def never(ids: list[int]) -> int:
        raise AssertionError("the model must not be asked")

    monitor = gw.Monitor(tokenizer=TOKENS)
    events = list(
        gw.guard(never, [], monitor=monitor, hooks=Words(), question="How old is the tower?")
    )
    assert [event.kind for event in events] == ["release", "stop", "end"]
    assert released(events) == "I can't answer this reliably: I have nothing on the tower."
    assert events[-1].report is not None
    assert events[-1].report.stopped == "limitation"


@pytest.mark.req("S4-034")
def test_hooks_reformulate_and_say_when_an_answer_is_complete() -> None:
    class Words(gw.Hooks):
        def reformulate(self, retracted: str, text: str, findings: Sequence[gw.Finding]) -> str:
            assert "60" in retracted
            assert findings
            return "I have nothing to add."

        def is_complete(self, ids: Sequence[int]) -> bool:
            return len(ids) >= 2

    model = Scripted(" It has 60 employees. Ask us.", " Ask us. Ask us.")
    events = run(model, policy=gw.Policy(medium="interrupt"), hooks=Words())
    assert released(events) == " I have nothing to add."
    assert [event.kind for event in events].count("token") == 2
    assert events[-1].report is not None
    assert [i.inserted for i in events[-1].report.interventions] == ["I have nothing to add."]


@pytest.mark.req("S4-034")
@pytest.mark.parametrize("form", ["**{}**", "“{}”", "({})", "in fact {}", "{} [corrected]", "MCM"])
def test_a_corrected_value_stands_as_the_application_words_it(form: str) -> None:
    class Words(gw.Hooks):
        asked, told = 0, False

        def reformulate(self, retracted: str, text: str, findings: Sequence[gw.Finding]) -> str:
            self.asked += 1
            return form.format(text)

    # Bytes as tokens, so that what is forced comes in several.
    tokens = vocabulary([(i, bytes([i]), False) for i in range(256)])
    kb = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    todo, hooks = list(b"The Harbour Museum was founded in 1992. Bye."), Words()

    def following(ids: Sequence[int]) -> int | None:
        if hooks.asked and not hooks.told:
            hooks.told = True
            todo[:] = b". Bye."
        return todo.pop(0) if todo else None

    events = list(
        gw.guard(
            following,
            [],
            monitor=gw.Monitor(kb=kb, tokenizer=tokens),
            encode=lambda text: list(text.encode()),
            hooks=hooks,
        )
    )
    said = "".join(event.text for event in events if event.kind == "release")
    assert said == f"The Harbour Museum was founded in {form.format(1987)}. Bye."
    assert hooks.asked == 1


@pytest.mark.req("S4-034")
def test_a_discarded_answer_s_intervention_has_the_application_s_words() -> None:
    class Words(gw.Hooks):
        def limitation_response(self, missing: str, text: str) -> str:
            return f"No word on {missing}."

    model = Scripted(" It has 60 employees. Ask us.")
    events = run(model, policy=gw.Policy(medium="discard", high="discard"), hooks=Words())
    report = events[-1].report
    assert report is not None
    assert released(events) == report.released
    assert report.interventions[-1].inserted.strip() == "No word on the number."


def test_after_the_end_a_callback_follows_nothing_and_says_so() -> None:
    monitor = gw.Monitor(tokenizer=TOKENS)
    callback = gw.GroundwireCallback(monitor, evidence=EVIDENCE)
    callback.on_token(WORDS.index(" Come and see it."))
    ended = callback.on_end()
    assert ended.stop == "end"
    before = callback.report()
    for late in (
        callback.on_token(WORDS.index("1992")),
        callback.on_token(" 1992."),
        callback.poll(),
        callback.on_end(),
    ):
        assert late.stop == "end"
        assert (late.release, late.keep, late.wait, late.step) == ("", None, False, None)
    assert callback.report() == before


@pytest.mark.req("S4-033")
def test_the_statement_that_a_prompt_begins_is_read_with_the_answer() -> None:
    model = Scripted(" 1992 by Ada Lind. Ask us.", " by Ada Lind. Ask us.")
    events = run(model, lead="The Harbour Museum was founded in")
    assert released(events) == " 1987 by Ada Lind. Ask us."
    rewind = next(event for event in events if event.kind == "rewind")
    assert rewind.keep == 0


@pytest.mark.parametrize(
    ("ids", "wrong"),
    [
        (None, "prompt_ids is a list of token ids, not None"),
        (7, "prompt_ids is a list of token ids, not 7"),
        ({"input_ids": [1]}, "prompt_ids is a list of token ids"),
        ([1, None], r"prompt_ids\[1\] is None"),
        ([1, 2.5], r"prompt_ids\[1\] is 2.5"),
        ([True], r"prompt_ids\[0\] is True"),
        ([-1], r"prompt_ids\[0\] is -1"),
        ("text", "encode the prompt first"),
    ],
)
def test_a_prompt_that_is_no_list_of_ids_is_refused_at_once(ids, wrong) -> None:
    monitor = gw.Monitor(tokenizer=TOKENS)
    for loop in (gw.guard, gw.aguard):
        with pytest.raises(ArgumentError, match=wrong):
            loop(lambda _: None, ids, monitor=monitor)


@pytest.mark.req("S4-033")
def test_text_that_was_sent_gets_a_disclaimer_at_the_end() -> None:
    events = run(
        Scripted("The Harbour Museum was founded in 1992 by Ada Lind. Ask us."),
        policy=gw.Policy(release="token", high="annotate", critical="annotate"),
    )
    assert released(events).startswith(
        "The Harbour Museum was founded in 1992 by Ada Lind. Ask us."
    )
    assert "Please note: " in released(events)
    assert "1987" in released(events).split("Please note: ")[1]


@pytest.mark.req("S4-033")
def test_several_disclaimers_are_sentences() -> None:
    text = "The Harbour Museum was founded in 1992. The Harbour Museum has 60 employees."
    found = gw.check(text, evidence=EVIDENCE).findings
    wrong = [finding for finding in found if finding.status == "contradicted"]
    said = gw.Hooks().add_disclaimers(text, wrong)
    first, second = (finding.message.rstrip(".") for finding in wrong)
    assert said == f"\n\nPlease note: {first}. {second}."
    assert gw.Hooks().add_disclaimers(text, []) == ""
    for begin, apart in [("", ""), (f"{text}\n", "\n"), (f"{text}\n\n", ""), (f"{text}\n\n\n", "")]:
        assert gw.Hooks().add_disclaimers(begin, wrong) == apart + said.lstrip("\n")


MUSEUM = gw.KnowledgeBase.from_records(
    [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
)


def followed(text: str, rest: str = "", **policy) -> tuple[str, gw.Report]:
    """Write a text word by word, and ``rest`` after a rewind; return what the reader got."""
    callback = gw.GroundwireCallback(gw.Monitor(kb=MUSEUM, policy=gw.Policy(**policy)))
    said, todo = "", [*text.replace(" ", "\0 ").split("\0"), None]
    while todo:
        word = todo.pop(0)
        decision = callback.on_end() if word is None else callback.on_token(word)
        said += decision.release
        if decision.keep is not None:
            said += callback.on_token(decision.force, forced=True).release
            todo = [rest, None]
    return said, callback.report()


@pytest.mark.req("S4-033")
@pytest.mark.parametrize("release", ["claim", "response"])
def test_what_was_left_out_is_in_no_disclaimer(release: str) -> None:
    wrong = "The Harbour Museum was founded in 1992."
    for text in (f"It is open. {wrong} I know that it is big.", f"{wrong} I know that it is big."):
        said, report = followed(text, release=release, high="remove", auto_correct=1.0)
        assert [done.action for done in report.interventions] == ["remove"]
        assert said == report.released == text.replace(f"{wrong} ", "")


@pytest.mark.req("S4-033")
def test_what_was_put_right_is_not_noted_again() -> None:
    text = "It is open. The Harbour Museum was founded in 1992. I know that it is big."
    said, report = followed(text, " It is big.", release="token")
    assert said == report.released and said.startswith(text[:51])
    assert said.count("1987") == 1 and "Please note" not in said, said
    said, _ = followed(text, release="token", high="annotate", auto_correct=1.0)
    assert said.count("1987") == 1 and "Please note" in said, said
    said, _ = followed(text, high="annotate", annotation="footnote", auto_correct=1.0)
    assert said.count("1987") == 1 and "Please note" not in said, said


def test_the_asynchronous_loop_says_the_same() -> None:
    script = "The Harbour Museum was founded in 1992 by Ada Lind. Ask us."
    plain = run(Scripted(script, " by Ada Lind. Ask us."))
    model = Scripted(script, " by Ada Lind. Ask us.")

    async def ask(ids: list[int]) -> int | None:
        await asyncio.sleep(0)
        return model(ids)

    async def collect() -> list[Event]:
        monitor = gw.Monitor(tokenizer=TOKENS)
        loop = gw.aguard(ask, [], monitor=monitor, encode=encode, evidence=EVIDENCE)
        return [event async for event in loop]

    found = asyncio.run(collect())
    assert [e.kind for e in found] == [e.kind for e in plain]
    assert released(found) == released(plain)


def test_a_plain_loop_of_twenty_lines() -> None:
    model = Scripted(
        "The Harbour Museum was founded in 1992 by Ada Lind. Ask us.", " by Ada Lind. Ask us."
    )
    monitor = gw.Monitor(tokenizer=TOKENS)
    callback = gw.GroundwireCallback(monitor, evidence=EVIDENCE)
    ids: list[int] = []
    shown = ""
    decision = Decision()
    while decision.stop is None:
        token = model(ids)
        decision = callback.on_end() if token is None else callback.on_token(token)
        if token is not None:
            ids.append(token)
        shown += decision.release
        while decision.keep is not None:
            del ids[decision.keep :]
            for forced in encode(decision.force):
                decision = callback.on_token(forced, forced=True)
                ids.append(forced)
                shown += decision.release
    assert shown == "The Harbour Museum was founded in 1987 by Ada Lind. Ask us."
    assert callback.report().released == shown


@pytest.mark.req("S4-016")
def test_python_rules_and_verifiers_run_beside_a_guard() -> None:
    class Shout:
        name = "shout"

        def matches(self, text: str) -> bool:
            return "Come and see" in text

        def confidence(self, text: str) -> float:
            return 0.9

    class Doubt:
        name = "doubt"

        def __init__(self) -> None:
            self.asked: list[str] = []

        def verify(self, claim: gw.Claim) -> gw.Verdict:
            self.asked.append(claim.content)
            return gw.Verdict("contradicted", reason="nobody can")

    doubt = Doubt()
    policy = gw.Policy(release="response", medium="annotate", high="annotate", critical="annotate")
    monitor = gw.Monitor(tokenizer=TOKENS, rules=[Shout()], verifiers=[doubt], policy=policy)
    model = Scripted(RIGHT + " Come and see it. Ask us.")
    events = list(gw.guard(model, [], monitor=monitor, encode=encode))
    report = events[-1].report
    assert report is not None
    assert doubt.asked[0] == RIGHT
    types = {finding.type for finding in report.findings}
    assert {"stream.python_rule", "stream.verifier_contradicted"} <= types
    assert released(events) == RIGHT + " Come and see it. Ask us.", "a policy that only watches"
    acts = gw.Policy(release="response", medium="hedge", high="annotate", critical="annotate")
    model = Scripted(RIGHT + " Come and see it. Ask us.")
    events = list(gw.guard(model, [], monitor=monitor, encode=encode, policy=acts))
    assert "nobody can" in released(events), "what the reader got is put right at the end"


class Silent(gw.Hooks):
    """Hooks that forget to return something."""

    def __init__(self, silent: str) -> None:
        setattr(self, silent, lambda *_: None)


@pytest.mark.parametrize(
    ("hook", "policy"),
    [
        ("finalize", {}),
        ("reformulate", {"high": "interrupt", "auto_correct": 1.0}),
        ("add_disclaimers", {"high": "annotate", "auto_correct": 1.0}),
    ],
)
def test_a_hook_that_returns_no_string_is_named(hook: str, policy: dict) -> None:
    monitor = gw.Monitor(kb=MUSEUM, policy=gw.Policy(**policy))
    callback = gw.GroundwireCallback(monitor, hooks=Silent(hook))
    with pytest.raises(gw.errors.ArgumentError, match=f"{hook} returned None"):
        for word in ("It is open. The Harbour Museum was founded in 1992.", " It is", " big. It"):
            callback.on_token(word)
        callback.on_end()


def test_a_limitation_that_is_no_string_is_named() -> None:
    hooks = Silent("limitation_response")
    hooks.verify = lambda *_: "the tower"  # type: ignore[method-assign]
    with pytest.raises(gw.errors.ArgumentError, match="limitation_response returned None"):
        list(gw.guard(lambda ids: None, [], monitor=gw.Monitor(), hooks=hooks))


def test_what_is_no_monitor_or_hooks_is_refused() -> None:
    with pytest.raises(gw.errors.ArgumentError, match="monitor is a"):
        gw.guard(lambda ids: None, [], monitor=None)  # type: ignore[arg-type]
    with pytest.raises(gw.errors.ArgumentError, match="hooks is a"):
        gw.guard(lambda ids: None, [], monitor=gw.Monitor(), hooks=5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("low", "zork", "one of accept, annotate, hedge, correct, remove, interrupt, discard"),
        ("high", "reject", "policy.high"),
        ("max_hold_ms", 2**64, "at most"),
    ],
)
def test_a_policy_names_what_it_cannot_hold(field: str, value: object, part: str) -> None:
    with pytest.raises(gw.errors.ArgumentError, match=part):
        gw.Policy(**{field: value})


def test_a_finished_session_with_verifiers_is_not_rolled_back() -> None:
    class Yes:
        name = "yes"

        def verify(self, claim: gw.Claim) -> gw.Verdict:
            return gw.Verdict("supported")

    session = gw.Monitor(verifiers=[Yes()]).session()
    session.push_text("It is big.")
    session.finish()
    with pytest.raises(gw.errors.SessionLatched, match="was finished"):
        session.rollback(1)


@pytest.mark.req("S4-033")
def test_an_answer_that_the_limit_cut_off_says_so() -> None:
    text = f"{RIGHT} Come and see it."

    async def later(limit: int) -> list[Event]:
        monitor = gw.Monitor(tokenizer=TOKENS)
        answer = gw.aguard(Scripted(text), [], monitor=monitor, encode=encode, max_tokens=limit)
        return [event async for event in answer]

    for limit, reason in ((2, "length"), (6, "length"), (50, "end")):
        for events in (run(Scripted(text), max_tokens=limit), asyncio.run(later(limit))):
            stop, end = events[-2:]
            assert (stop.kind, stop.reason) == ("stop", reason)
            assert end.report is not None and end.report.stopped == reason
            assert text.startswith(released(events))


def test_what_the_guard_ends_is_no_matter_of_length() -> None:
    wrong = f"{RIGHT} It has 60 employees. Ask us."
    policy = gw.Policy(medium="interrupt", after_interrupt="stop")
    stop = run(Scripted(wrong), max_tokens=len(encode(wrong)), policy=policy)[-2]
    assert (stop.kind, stop.reason) == ("stop", "interrupted")
