"""What a store keeps of a turn: the key tree, patterns, weak points, retention; and its command."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire import store as stores
from groundwire.errors import ArgumentError
from groundwire.findings import Intervention
from groundwire.report import Report
from groundwire.store import MemoryStore, Retention, SqliteStore, Store, key

KB = gw.KnowledgeBase.from_records(
    [{"name": "John Smith", "type": "person", "attributes": {"department": "Engineering"}}]
)
TEXT = (
    "I definitely think John Smith works in the Marketing department. "
    "Studies show that this approach increases productivity by 40%."
)
TYPES = ("dialogue.wrong_attribute", "stream.unsourced_authority")
SECRETS = ("John Smith", "Marketing", "Engineering", "Studies", "40%")
COMMAND = [sys.executable, "-c", "import sys; from groundwire.cli import main; sys.exit(main())"]


class Clock:
    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    path = None if request.param == "memory" else tmp_path / "s.db"
    with stores.open(path, clock=clock) as opened:
        yield opened


def report(text: str = TEXT, turn: str | None = "t1", session: str | None = "s1") -> Report:
    found = gw.Monitor(kb=KB).check(text, session_id=session, turn_id=turn)
    # What is asserted here must not change with every new detector.
    kept = tuple(f for f in found.findings if f.type in TYPES)
    return replace(found, findings=kept)


def below(store: Store, prefix: str) -> dict[str, Any]:
    return {name[len(prefix) + 1 :]: value for name, value in store.items(prefix)}


@pytest.mark.req("S0-095", "S0-096", "S0-097", "S0-100", "X-17", "U-9")
def test_a_turn_stands_under_the_seeds_keys() -> None:
    store = MemoryStore(mask=False)
    assert store.record(report(), detection_time_ms=1.5) == "/hallucination/s1/t1"
    marketing, studies = report().findings
    start = TEXT.index("the Marketing department")
    assert below(store, "/hallucination/s1/t1") == {
        "detection/total_flags": 2,
        "detection/high_confidence": 2,
        "detection/medium_confidence": 0,
        "detection/flag/0/span_start": start,
        "detection/flag/0/span_end": start + len("the Marketing department"),
        "detection/flag/0/content": marketing.content,
        "detection/flag/0/type": "WrongAttribute",
        "detection/flag/0/confidence": 1.0,
        "detection/flag/0/suggestion": marketing.suggestion,
        "detection/flag/0/evidence_text": "John Smith: department = Engineering",
        "detection/flag/0/evidence/kb_lookup": "John Smith: department = Engineering",
        "detection/flag/0/evidence/linguistic": "overconfidence 0.80",
        "detection/flag/1/span_start": TEXT.index("Studies"),
        "detection/flag/1/span_end": len(TEXT) - 1,
        "detection/flag/1/content": studies.content,
        "detection/flag/1/type": "stream.unsourced_authority",
        "detection/flag/1/confidence": 0.8,
        "detection/flag/1/suggestion": studies.suggestion,
        "detection/flag/1/evidence_text": (
            "unsourced_authority (unsourced_authority.studies_figure)"
        ),
        "mitigation/action_count": 0,
        "mitigation/corrections_applied": 0,
        "mitigation/regeneration_needed": False,
        "metrics/detection_time_ms": 1.5,
        "metrics/segments_analyzed": 2,
        "metrics/claims_checked": 2,
        "metrics/entities_verified": report().stats["entities"],
    }


@pytest.mark.req("S0-095", "X-17")
def test_flags_are_counted_by_the_seeds_bounds_and_those_below_half_have_no_bucket() -> None:
    base = report()
    levels = (0.8, 0.79, 0.5, 0.49, 0.95)
    store = MemoryStore()
    some = tuple(replace(base.findings[0], p_hallucinated=level) for level in levels)
    store.record(replace(base, findings=some))
    detection = below(store, "/hallucination/s1/t1/detection")
    assert detection["total_flags"] == 5
    assert detection["high_confidence"] == 2
    assert detection["medium_confidence"] == 2


@pytest.mark.req("S0-097")
def test_an_earlier_turn_stands_under_history_match() -> None:
    base = report()
    prior = gw.Evidence("Earlier: 'the meeting is on Monday'", kind="prior_turn", source="turn 3")
    findings = (replace(base.findings[0], evidence=(prior,)),)
    masked = "[masked] ([source 1])"
    for mask, text in ((False, f"{prior.text} (turn 3)"), (True, masked)):
        store = MemoryStore(mask=mask)
        store.record(replace(base, findings=findings))
        flag = below(store, "/hallucination/s1/t1/detection/flag/0")
        assert flag["evidence/history_match"] == flag["evidence_text"] == text
        assert "evidence/kb_lookup" not in flag


@dataclass
class Correct:
    span: range
    original: str
    replacement: str
    source: str


@pytest.mark.req("S0-098", "S0-099")
def test_actions_of_a_mitigator_are_kept() -> None:
    store = MemoryStore(mask=False)
    actions = [
        Correct(range(3, 9), "Marketing", "Engineering", "Knowledge Base"),
        {"type": "Flag", "span": (1, 2), "annotation": "[This fact could not be verified]"},
        {"type": "regenerate", "guidance": "Please regenerate"},
    ]
    store.record(report(), mitigation=actions)
    assert below(store, "/hallucination/s1/t1/mitigation") == {
        "action_count": 3,
        "corrections_applied": 1,
        "regeneration_needed": True,
        "action/0/type": "Correct",
        "action/0/span_start": 3,
        "action/0/span_end": 9,
        "action/0/original": "Marketing",
        "action/0/replacement": "Engineering",
        "action/0/reason": "Knowledge Base",
        "action/1/type": "Flag",
        "action/1/span_start": 1,
        "action/1/span_end": 2,
        "action/1/reason": "[This fact could not be verified]",
        "action/2/type": "Regenerate",
        "action/2/reason": "Please regenerate",
    }
    for wrong in ("Flag", {"type": "Flag"}, [{"span": (1, 2)}], ["Flag"], [None]):
        with pytest.raises(ArgumentError, match="mitigation"):
            store.record(report(), mitigation=wrong)  # type: ignore[arg-type]


class Kind(Enum):
    Escalate = "escalate"
    NoAction = "none"


@dataclass
class Action:
    kind: Kind
    span: tuple[int, int] | None = None
    reason: str | None = None


@pytest.mark.req("S0-098", "S0-099")
def test_actions_may_name_their_kind_by_an_enumeration() -> None:
    store = MemoryStore(mask=False)
    store.record(report(), mitigation=[Action(Kind.Escalate, (1, 2), "why"), Action(Kind.NoAction)])
    assert below(store, "/hallucination/s1/t1/mitigation/action") == {
        "0/type": "Escalate",
        "0/span_start": 1,
        "0/span_end": 2,
        "0/reason": "why",
        "1/type": "None",
    }


@pytest.mark.req("S0-098", "S0-099")
def test_what_a_guard_did_is_kept_where_no_mitigator_was() -> None:
    store = MemoryStore(mask=False)
    done = Intervention(
        "correct", "high", 3, (0, 9), "Marketing", "Engineering", False, report().findings[:1]
    )
    store.record(replace(report(), interventions=(done,)))
    mitigation = below(store, "/hallucination/s1/t1/mitigation")
    assert mitigation["corrections_applied"] == 1
    assert mitigation["action/0/type"] == "Correct"
    assert mitigation["action/0/original"] == "Marketing"
    assert "action/0/span_start" not in mitigation


@pytest.mark.req("U-9", "S0-101")
def test_no_word_is_kept_unless_asked(store: Store) -> None:
    action = {"type": "Correct", "original": "Marketing", "replacement": "Engineering"}
    store.record(report(), mitigation=[action])
    written = "\n".join(store.export())
    assert not [secret for secret in SECRETS if secret in written]
    assert store.get("/hallucination/s1/t1/detection/flag/0/content") == "[masked]"
    assert store.get("/hallucination/s1/t1/detection/flag/0/confidence") == 1.0


def test_a_turn_needs_its_ids_and_numbers_in_range(store: Store) -> None:
    for wrong in (
        lambda: store.record(report(session=None)),
        lambda: store.record(report(turn=None)),
        lambda: store.record(report(), turn_id=""),
        lambda: store.record(report(), detection_time_ms=-1),
        lambda: store.record(report(), detection_time_ms=float("nan")),
        lambda: store.record(report(), confidence={"x": 2}),
    ):
        with pytest.raises(ArgumentError):
            wrong()
        assert list(store.items()) == []
    assert store.record(report(session=None, turn=None), "a/b", "..") == "/hallucination/a%2Fb/.."


@pytest.mark.req("S0-101")
def test_patterns_count_what_keeps_being_found(store: Store, clock: Clock) -> None:
    for n in range(7):
        clock.time += timedelta(minutes=1)
        store.record(report(turn=f"t{n}"))
    most, other = store.patterns()
    assert {most.frequency, other.frequency} == {7}
    by_type = store.patterns(type="dialogue.wrong_attribute")
    assert by_type == store.patterns(type="WrongAttribute")
    (pattern,) = by_type
    assert pattern.id == stores.pattern_id("dialogue.wrong_attribute", "attribute", " Department")
    assert re.fullmatch("[0-9a-f]{16}", pattern.id)
    assert pattern.last_seen == "2026-03-01T12:07:00.000000Z"
    assert pattern.description == "dialogue.wrong_attribute, rule attribute"
    assert len(pattern.examples) == 5
    assert all("[masked]" in example for example in pattern.examples)
    assert store.patterns(least=8) == []
    root = key("hallucination_patterns", pattern.id)
    assert store.children(root) == [
        "description", "examples/", "frequency", "last_seen", "type"
    ]  # fmt: skip
    kept = [stores.split(name)[-2] for name in store.keys(f"{root}/examples")]
    assert kept == ["t2", "t3", "t4", "t5", "t6"]


def test_a_turn_recorded_again_counts_once(store: Store) -> None:
    store.record(report())
    once = list(store.items())
    store.record(report())
    assert list(store.items()) == once
    store.record(report("Nothing to see here."))
    assert store.patterns() == []
    assert store.get("/hallucination/s1/t1/detection/total_flags") == 0
    assert store.get("/hallucination/s1/t1/detection/flag/0/type") is None


def test_examples_show_words_only_unmasked_and_cut() -> None:
    store = MemoryStore(mask=False)
    base = report()
    long = replace(base.findings[0], message="x" * 1000)
    store.record(replace(base, findings=(long,)))
    (pattern,) = store.patterns()
    assert pattern.examples == ("x" * 200,)
    assert pattern.description.endswith("predicate department")


@pytest.mark.req("S4-027")
def test_weak_points_are_kept_for_later(store: Store) -> None:
    first, second = report().claims
    store.record(report(), confidence={second.id: 0.25})
    store.record(report(turn="t2", session="s2"))
    points = store.weak_points("s1")
    assert [(p.claim_id, p.status) for p in points] == [
        (first.id, first.status),
        (second.id, second.status),
    ]
    wrong, unsourced = points
    assert wrong.status == "contradicted"
    assert wrong.confidence == 0.0
    assert wrong.types == ("dialogue.wrong_attribute",)
    assert wrong.content == "[masked]"
    assert TEXT[slice(*unsourced.span)] == second.content
    assert unsourced.confidence == 0.25
    assert store.weak_points(status="contradicted", session_id="s1") == [wrong]
    assert store.weak_points("s1", "t1", below=0.1) == [wrong]
    assert len(store.weak_points()) == 4
    with pytest.raises(ArgumentError, match="session"):
        store.weak_points(turn_id="t1")
    with pytest.raises(ArgumentError, match="status"):
        store.weak_points(status="bad")


@pytest.mark.req("S4-027")
def test_a_supported_claim_is_no_weak_point(store: Store) -> None:
    good = gw.check("The Harbour Tower has 14 floors. It stands by the sea.")
    held, open_ = good.claims
    supported = replace(good, claims=(replace(held, status="supported"), open_), findings=())
    store.record(supported, "s1", "t1")
    (point,) = store.weak_points()
    assert (point.claim_id, point.status, point.confidence) == (open_.id, "unverifiable", None)


@pytest.mark.req("S0-102")
def test_what_is_too_old_or_too_much_is_dropped(store: Store, clock: Clock) -> None:
    sizes = []
    for n in range(6):
        clock.time += timedelta(days=1)
        store.record(report(turn=f"t{n}"))
        sizes.append(store.size)
    assert store.retention == Retention() != Retention(None, None, None)
    assert store.purge().turns == 0
    store.retention = None
    with pytest.raises(ArgumentError, match="no retention"):
        store.purge()
    gone = store.purge(Retention(max_turns=4))
    assert (gone.turns, gone.patterns) == (2, 0)
    assert store.children("/hallucination/s1") == ["t2/", "t3/", "t4/", "t5/"]
    gone = store.purge(Retention(max_age=timedelta(days=2)))
    assert gone.turns == 1
    assert gone.bytes > 0
    before = store.size
    gone = store.purge(Retention(max_bytes=before - 1))
    assert gone.turns == 1
    assert store.size == before - gone.bytes
    assert {p.frequency for p in store.patterns()} == {6}
    assert {len(p.examples) for p in store.patterns()} == {2}
    clock.time += timedelta(days=30)
    gone = store.purge(Retention(max_age=timedelta(days=2)))
    assert (gone.turns, gone.patterns) == (2, 2)
    assert list(store.items()) == [("/recorded/turns", 0)]


def test_a_stores_own_retention_works_of_itself(tmp_path: Path, clock: Clock) -> None:
    for path in (None, tmp_path / "s.db"):
        kept = Retention(max_age=timedelta(days=1), max_turns=3)
        with stores.open(path, retention=kept, clock=clock) as store:
            for n in range(5):
                store.record(report(turn=f"t{n}"))
            assert store.children("/hallucination/s1") == ["t2/", "t3/", "t4/"]
            clock.time += timedelta(days=2)
            store.record(report("Nothing to see here.", turn="late"))
            assert store.children("/hallucination/s1") == ["late/"]
            assert store.patterns() == []


@pytest.mark.parametrize("wrong", [{"max_age": 3}, {"max_turns": -1}, {"max_bytes": 1.5}])
def test_limits_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        Retention(**wrong)


def test_a_session_is_forgotten_but_its_counts_stay(store: Store) -> None:
    for turn, session in (("time", "s1"), ("t2", "s1"), ("t1", "s2")):
        store.record(report(turn=turn, session=session))
    assert store.forget("s1", "absent") == 0
    assert store.forget("s1", "time") == 1
    assert store.forget("s1") == 1
    assert not [name for name, _ in store.items() if "/s1/" in name]
    assert store.children("/hallucination") == ["s2/"]
    assert {p.frequency for p in store.patterns()} == {3}
    assert store.get("/recorded/turns") == 1


def command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "store", *arguments],
        check=False,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_the_command_lists_gets_moves_and_drops(tmp_path: Path) -> None:
    path, copy, out = (str(tmp_path / name) for name in ("s.db", "copy.db", "tree.txt"))
    with stores.open(path) as store:
        store.record(report(session="a/b"))
        values = list(store.items())
    assert command("ls", path).stdout.split() == [
        "hallucination/", "hallucination_patterns/", "recorded/", "weak_points/"
    ]  # fmt: skip
    assert command("ls", path, "/hallucination").stdout == "a%2Fb/\n"
    flags = "/hallucination/a%2Fb/t1/detection/total_flags"
    assert f"{flags}\t2\n" in command("ls", "-l", path, "/hallucination/a%2Fb").stdout
    assert command("get", path, flags).stdout == "2\n"
    missing = command("get", path, "/hallucination")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert command("export", path, "-o", out).returncode == 0
    piped = command("export", path).stdout
    assert piped == Path(out).read_text(encoding="utf-8")
    assert command("import", copy, out).stdout == f"{len(values)} values\n"
    assert command("import", copy, stdin=piped).returncode == 0
    with stores.open(copy) as store:
        assert list(store.items()) == values
    assert command("purge", path, "--session", "a/b").stdout == "1 turns dropped\n"
    assert command("purge", copy, "--max-age", "30d").stdout.startswith("0 turns and 0 patterns")
    assert command("purge", copy, "--max-bytes", "1kB").stdout.startswith("1 turns")


@pytest.mark.parametrize(
    "arguments",
    [
        ("ls", "absent.db"),
        ("export", "absent.db"),
        ("purge", "absent.db", "--max-turns", "1"),
        ("purge", "s.db"),
        ("purge", "s.db", "--max-age", "soon"),
        ("purge", "s.db", "--session", "a", "--max-turns", "1"),
        ("import", "s.db", "text"),
        ("ls", "text"),
        ("ls", "s.db", "no-key"),
    ],
)
def test_the_command_refuses_by_name_and_makes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stores.open("s.db").close()
    (tmp_path / "text").write_text("(nothing)")
    done = command(*arguments)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "absent.db").exists()


def test_the_page_about_stores_says_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).resolve().parents[2] / "docs/store.md").read_text(encoding="utf-8")
    namespace: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, namespace)
    with stores.open("findings.db") as store:
        store.record(report())
    listed = re.findall(r"^groundwire store (.+)$", page, re.MULTILINE)
    assert len(listed) == 6
    for line in listed:
        done = command(*line.split())
        assert done.returncode == 0, done.stderr


@pytest.mark.req("S0-102")
def test_what_a_store_keeps_is_limited_unless_told_otherwise(tmp_path: Path) -> None:
    for store in (stores.open(), stores.open(":memory:"), stores.open(tmp_path / "s.db")):
        with store:
            assert store.retention == Retention()
            assert None not in (store.retention.max_age, store.retention.max_turns)
    assert isinstance(stores.open(":memory:"), MemoryStore)
    with pytest.raises(ArgumentError, match="in memory"):
        SqliteStore(":memory:")
    with stores.open(tmp_path / "t.db", retention=None) as store:
        assert store.retention is None


def test_what_is_nothing_to_keep_is_refused(store: Store) -> None:
    good = report()
    for wrong in (
        lambda: store.record(None, "s", "t"),
        lambda: store.record(good, "s", "t", mitigation=5),
        lambda: store.record(good, "s", "t", detection_time_ms="x"),
        lambda: store.record(good, "s", "t", confidence=[1]),
        lambda: store.patterns(type=1),
        lambda: store.patterns(least=None),
    ):
        with pytest.raises(ArgumentError):
            wrong()
