"""What the plugin puts in at an answer's end and around a table, with the engine's side made up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import groundwire as gw
from groundwire.integrations.vllm.stream import Stream, follow

END, STOP, ALSO = 0, 7, 3
OPENING = 256
"""The token " (": a space alone does not tell that a sentence is over."""
FACTS = (
    '{"name": "Harbour Museum", "attributes": {"founded": 1987, "employees": 45}}\n'
    '{"name": "Lake Station", "attributes": {"founded": 1901}}\n'
)
NOTE = " (Correction: 1987, not 1992.)"
WRONG = "The Harbour Museum was founded in 1992"
TABLE = "| Name | Founded |\n|---|---|\n| Harbour Museum | 1992 |\n| Lake Station | 1955 |"
BOTH = "(Correction: 1987, not 1992.) (Correction: 1901, not 1955.)"
ENDING = gw.Policy(medium="interrupt", high="interrupt", after_interrupt="stop", auto_correct=1.0)
DISCARDING = gw.Policy(medium="discard", high="discard", critical="discard")


@pytest.fixture(scope="module")
def monitor(tmp_path_factory: pytest.TempPathFactory) -> gw.Monitor:
    file = tmp_path_factory.mktemp("base") / "museum.jsonl"
    file.write_text(FACTS)
    tokens = {i: bytes([i]) for i in range(256)} | {OPENING: b" ("}
    return gw.Monitor(kb=gw.KnowledgeBase.open(file), tokenizer=tokens, reference_date="2026-05-01")


def encoded(before: Sequence[int], text: str) -> list[int]:
    """Return the ids that add a text."""
    del before
    opening = [OPENING] if text.startswith(" (") else []
    return opening + list(text[2 * len(opening) :].encode())


def decoded(ids: Sequence[int]) -> str:
    """Return the text of ids."""
    return b"".join(b" (" if token == OPENING else bytes([token]) for token in ids).decode()


def opened(monitor: gw.Monitor, policy: gw.Policy | None = None, **how: bool) -> Stream:
    chosen = policy or gw.Policy()
    given = [("leaflet", "The museum has 45 employees.")] if policy is not None else []
    guard = monitor.open_guard(
        given, [], None, chosen.to_json(), None, None, None, None, appending=True
    )
    stops = frozenset((ALSO,))
    return Stream(guard, monitor, encoded, stop_id=STOP, stops=stops, **how)


def written(open_stream: Callable[[], Stream], text: str, *, anew: bool, end: int = END) -> str:
    """Return what leaves the engine: the model's text, what was put in, and the id it ended by.

    With ``anew`` the stream is rebuilt from all ids for every token.
    """
    own, at, ids, stream = [*text.encode(), end], 0, list[int](), open_stream()
    while not ids or ids[-1] not in (end, STOP):
        if anew:
            stream = open_stream()
        follow([(stream, ids[len(stream.seen) :])])
        if stream.wants_row:
            stream.decide(own[at], frozenset((END,)))
        token = stream.forced
        if token is None and stream.over:
            token = STOP
        if token is None:
            token, at = own[at], at + 1
        ids.append(token)
        assert len(ids) < 600
    return decoded(ids)


def both_ways(open_stream: Callable[[], Stream], text: str, end: int = END) -> str:
    """Return what leaves, which is the same for a stream that is rebuilt at every token."""
    kept = written(open_stream, text, anew=False, end=end)
    assert written(open_stream, text, anew=True, end=end) == kept
    return kept


@pytest.mark.req("S4-028")
@pytest.mark.parametrize("end", [END, ALSO])
@pytest.mark.parametrize(
    "text",
    [WRONG, f"- {WRONG}", f"It is open.\n\n{WRONG}", WRONG.replace("1992", "**1992**")],
)
def test_a_last_claim_without_a_mark_gets_its_note(
    monitor: gw.Monitor, text: str, end: int
) -> None:
    said = both_ways(lambda: opened(monitor), text, end)
    assert said == f"{text}.{NOTE}{chr(end)}"


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("text", "notes"), [(WRONG, 1), (TABLE, 2), (f"{TABLE}\n", 2), (f"{TABLE}\n\nDone.", 2)]
)
def test_whoever_reads_the_ids_comes_to_the_same_state(
    monitor: gw.Monitor, text: str, notes: int, size: int
) -> None:
    said = both_ways(lambda: opened(monitor), text).removesuffix(chr(END))
    before, opening, after = said.partition(" (") if text == WRONG else (said, "", "")
    ids = [*before.encode(), *([OPENING] if opening else []), *after.encode()]
    reader = opened(monitor)
    for at in range(0, len(ids), size):
        follow([(reader, ids[at : at + size])])
    reader.guard.finish(0)
    report = reader.guard.report()
    assert reader.guard.unsaid() is None
    assert [done.action for done in report.interventions] == ["correct"] * notes
    assert (report.text, report.stopped) == (said, "end")


def test_a_claim_that_holds_is_left_as_it_is(monitor: gw.Monitor) -> None:
    for text in (
        WRONG.replace("1992", "1987"),
        "It is open",
        "Is it open?\n",
        "",
        "# Opening",
        "- a",
    ):
        for policy in (None, ENDING):
            assert both_ways(lambda p=policy: opened(monitor, p), text) == text + chr(END)


def test_a_policy_that_ends_answers_ends_this_one(monitor: gw.Monitor) -> None:
    unknown = "Zorblax Quimby opened the museum in the spring"
    said = both_ways(lambda: opened(monitor, ENDING), unknown)
    assert said == f"{unknown}. (I could not confirm this.){chr(STOP)}"
    assert both_ways(lambda: opened(monitor, ENDING), WRONG) == f"{WRONG}.{NOTE}{chr(END)}"


@pytest.mark.parametrize("mark", ["", "."])
def test_a_policy_that_discards_tells_of_it_by_the_reserved_id(
    monitor: gw.Monitor, mark: str
) -> None:
    unknown = f"Zorblax Quimby opened the museum in the spring{mark}"
    assert both_ways(lambda: opened(monitor, DISCARDING), unknown) == unknown + chr(STOP)


def test_nothing_is_put_into_code_and_text_that_has_a_form(monitor: gw.Monitor) -> None:
    form = '{"name": "Harbour Museum", "founded": 1992}'
    for text in (form, f"```json\n{form}"):
        assert both_ways(lambda: opened(monitor), text) == text + chr(END)


def test_rows_are_asked_for_only_where_something_may_be_said(monitor: gw.Monitor) -> None:
    for how in ({"closes": False}, {"observes": True}):
        stream = opened(monitor, **how)
        follow([(stream, list(WRONG.encode()))])
        assert not stream.wants_row
    fork = opened(monitor).fork()
    assert (fork.closes, fork.stops, fork.wants_row) == (True, frozenset((ALSO,)), True)


def test_a_note_waits_for_the_end_of_a_table(monitor: gw.Monitor) -> None:
    for behind in ("\n\nDone.", "\n\nDone. It is open.\n"):
        said = both_ways(lambda: opened(monitor), TABLE + behind)
        assert said == f"{TABLE}\n\n{BOTH}\n\n{behind.lstrip()}{chr(END)}"


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_table_at_the_end_is_followed_by_its_notes(monitor: gw.Monitor, end: str) -> None:
    said = both_ways(lambda: opened(monitor), TABLE + end)
    assert said == f"{TABLE}\n\n{BOTH}\n\n{chr(END)}"


def test_what_is_overridden_is_not_insisted_on(monitor: gw.Monitor) -> None:
    stream = opened(monitor)
    follow([(stream, list(WRONG.encode()))])
    stream.decide(END, frozenset((END,)))
    assert stream.forced == ord(".")
    follow([(stream, [ord(",")])])
    assert (stream.forced, stream.closing) == (None, [])
    stream.lose("gone")
    assert stream.forced is None
