"""The registry of servers: policies, knowledge bases, and what requests may ask for."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.config import Config
from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations._strictness import lower
from groundwire.integrations.serving import Registry, from_flat
from groundwire.policy import Policy

ACTIONS = ["accept", "annotate", "hedge", "correct", "remove", "interrupt", "discard"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bases")
    for name, year in (("north", 1912), ("south", 1987)):
        record = {"name": "Alder Station", "attributes": {"founded": year}}
        (folder / f"{name}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    return folder


def config(folder: Path, **serving: Any) -> Config:
    bases = {name: str(folder / f"{name}.jsonl") for name in ("north", "south")}
    policies = {"strict": {"release": "response", "medium": "interrupt"}, "lax": {"high": "hedge"}}
    given = {"knowledge_bases": bases, "policies": policies, **serving}
    return Config.load(environ={}, serving=given)


@pytest.fixture(scope="module")
def registry(folder: Path) -> Registry:
    return Registry.load(config(folder))


def test_without_options_the_default_holds(registry: Registry) -> None:
    found = registry.resolve()
    assert found.on and found.policy_name == "default" and found.policy == Policy()
    assert (found.knowledge_base, found.evidence, found.id) == ("", (), None)


def test_a_named_policy_changes_what_it_names(registry: Registry) -> None:
    found = registry.resolve("strict")
    assert found.policy == replace(Policy(), release="response", medium="interrupt")
    assert registry.resolve({"policy": "strict"}) == found


def test_knowledge_bases_judge_what_they_know(registry: Registry) -> None:
    text = "Alder Station was founded in 1987."
    for name, wrong in (("north", True), ("south", False)):
        session = registry.resolve({"knowledge_base": name}).session()
        session.push_text(text)
        statuses = {f.status for f in session.finish().findings}
        assert ("contradicted" in statuses) is wrong


def test_what_stands_nearer_wins(folder: Path) -> None:
    key = "sk-of-mine"
    made = Registry.load(
        config(
            folder,
            default_knowledge_base="north",
            models={"m": {"policy": "strict", "evidence": ["A."], "knowledge_base": "south"}},
            keys={
                "mine": {
                    "sha256": hashlib.sha256(key.encode()).hexdigest(),
                    "policy": "observe",
                    "evidence": ["B."],
                }
            },
        )
    )
    assert made.resolve().knowledge_base == "north"
    by_model = made.resolve(model="m", key="sk-other")
    assert (by_model.policy_name, by_model.knowledge_base) == ("strict", "south")
    by_key = made.resolve({"evidence": "C."}, model="m", key=key)
    assert (by_key.policy_name, by_key.knowledge_base) == ("observe", "south")
    assert [text for _, text in by_key.evidence] == ["B.", "A.", "C."]


@pytest.mark.parametrize("name", ["Org/Model-7b", "org/MODEL-7B", "org/model-7b:latest"])
def test_a_model_by_another_spelling_is_the_same(folder: Path, name: str) -> None:
    made = Registry.load(config(folder, models={"org/Model-7B": {"policy": "strict"}}))
    assert made.resolve(model=name).policy_name == "strict"
    for other in ("org/model-7b:q4", "model-7b", "org/model-70b", ""):
        assert made.resolve(model=other).policy_name == "default"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("off", "'off' checks nothing"),
        ("observe", "release 'token'"),
        ("lax", "'hedge' for the tier high"),
        ({"policy": {"release": "token"}}, "release 'token'"),
        ({"policy": {"max_hold_tokens": 4}}, "max_hold_tokens 4"),
        ({"policy": {"hold_unresolved": False}}, "waits for no answer"),
        ({"policy": {"auto_correct": 1.0}}, "auto_correct 1.0"),
        ({"policy": {"max_interventions": 99}}, "max_interventions 99"),
    ],
)
def test_a_request_cannot_ask_for_less(registry: Registry, options: Any, part: str) -> None:
    with pytest.raises(ArgumentError, match="less than its policy 'default'") as error:
        registry.resolve(options)
    assert part in str(error.value) and "requests_may_lower" in str(error.value)


def test_a_server_may_allow_less(folder: Path) -> None:
    made = Registry.load(config(folder, requests_may_lower=True, default_knowledge_base="north"))
    assert not made.resolve("off").on
    with pytest.raises(ArgumentError, match="checking is off"):
        made.resolve("off").guard()
    assert made.resolve("observe").policy == Policy.observe()
    assert made.resolve({"knowledge_base": "south"}).knowledge_base == "south"


def test_a_request_cannot_swap_the_knowledge_base(folder: Path) -> None:
    made = Registry.load(config(folder, default_knowledge_base="north"))
    assert made.resolve({"knowledge_base": "north"}).knowledge_base == "north"
    with pytest.raises(ArgumentError, match="'north'"):
        made.resolve({"knowledge_base": "south"})


def test_where_nothing_is_checked_anything_may_be_asked_for(folder: Path) -> None:
    made = Registry.load(config(folder, default_policy="off"))
    assert not made.resolve().on
    assert made.resolve({"policy": {"release": "token"}}).policy == Policy(release="token")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (7, "not 7"),
        (["strict"], "policy's name or a mapping"),
        ({"polcy": "strict"}, "'polcy' is no option"),
        ({"policy": "stricter"}, "there are default, lax, observe, strict, off"),
        ({"policy": 3}, "not 3"),
        ({"policy": {"relase": "token"}}, "'relase' is no field"),
        ({"policy": {"release": "paragraph"}}, "one of token, claim, response"),
        ({"policy": {"high": 3}}, "'high'"),
        ({"knowledge_base": "east"}, "there are: north, south"),
        ({"knowledge_base": ["north"]}, "is a name"),
        ({"evidence": 5}, "evidence"),
        ({"evidence": [5]}, r"evidence\[0\]"),
        ({"evidence": ["\ud800"]}, "lone surrogate"),
        ({"evidence": ["a"] * 257}, "257 passages"),
        ({"evidence": ["a" * (1024 * 1024), "b"]}, "1048577 bytes"),
        ({"id": ""}, "id is a string"),
        ({"id": "a\nb"}, "id is a string"),
        ({"id": 4}, "id is a string"),
    ],
)
def test_bad_options_say_what_is_wrong(registry: Registry, options: Any, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        registry.resolve(options)


def test_what_can_be_sent_is_what_the_message_offers(registry: Registry) -> None:
    # A mapping has no place among flat arguments.
    with pytest.raises(ArgumentError) as flat:
        registry.resolve({"policy": 5}, flat=True)
    assert str(flat.value) == "groundwire is a name of a policy or 'off', not 5"
    with pytest.raises(ArgumentError, match="policy is a name or a mapping of a policy's fields"):
        registry.resolve({"policy": 5})


def test_a_mapping_is_no_flat_argument() -> None:
    made = Registry.load(Config.load(environ={}, serving={"requests_may_lower": True}))
    options = {"policy": {"high": "annotate"}}
    assert made.resolve(options).policy_name == "inline"
    with pytest.raises(ArgumentError, match="groundwire is a name of a policy or 'off', not"):
        made.resolve(from_flat({"groundwire": options["policy"]}), flat=True)


def test_flat_arguments() -> None:
    flat = {"groundwire": "strict", "groundwire_evidence": ["x"], "groundwire_kb": "north"}
    assert from_flat({**flat, "groundwire_id": "7", "top_k": 4}) == {
        "policy": "strict",
        "evidence": ["x"],
        "knowledge_base": "north",
        "id": "7",
    }
    assert from_flat(None) == {} == from_flat({"groundwire": 1})
    assert from_flat({"groundwire": 0}) == {"policy": "off"} == from_flat({"groundwire": "off"})
    with pytest.raises(ArgumentError, match="groundwire_polcy"):
        from_flat({"groundwire_polcy": "strict"})


@pytest.mark.parametrize(
    ("serving", "part"),
    [
        ({"default_policy": "lazy"}, "'lazy'"),
        ({"policies": {"off": {}}}, "built in"),
        ({"policies": {"x": {"high": "shout"}}}, "discard"),
        ({"models": {"m": {"policy": "lazy"}}}, "serving.models.m"),
        ({"models": {"m": {"knowledge_base": "east"}}}, "serving.models.m"),
        ({"models": {"m": {}, "M:latest": {}}}, "one model's names"),
        ({"keys": {"k": {"sha256": "sk-plain"}}}, "sha256"),
        ({"limits": {"max_event": 0}}, "max_event"),
        ({"timeouts": {"idle": "soon"}}, "duration"),
        ({"default_polcy": "x"}, "did you mean `serving.default_policy`"),
    ],
)
def test_bad_configurations_are_refused(folder: Path, serving: Any, part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        config(folder, **serving)


@pytest.mark.parametrize("content", [None, b"{", b"\xff\xfe"])
def test_a_knowledge_base_that_cannot_be_read_is_named(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "facts.jsonl"
    if content is not None:
        path.write_bytes(content)
    given = Config.load(environ={}, serving={"knowledge_bases": {"facts": str(path)}})
    with pytest.raises(ConfigError, match=r"serving\.knowledge_bases\.facts"):
        Registry.load(given)


def test_a_guard_of_a_request_has_its_evidence_policy_and_id(registry: Registry) -> None:
    found = registry.resolve({"policy": "strict", "evidence": "The hall seats 40.", "id": "r-1"})
    guard = found.guard(question="How many seats?")
    guard.push_text("The hall seats 400.")
    guard.finish()
    report = guard.report()
    assert report.session_id == "r-1" and "400" not in report.released


POLICIES = st.builds(
    Policy,
    release=st.sampled_from(["token", "claim", "response"]),
    low=st.sampled_from(ACTIONS),
    medium=st.sampled_from(ACTIONS),
    high=st.sampled_from(ACTIONS),
    critical=st.sampled_from(ACTIONS),
    after_interrupt=st.sampled_from(["continue", "stop"]),
    max_hold_tokens=st.sampled_from([1, 256, 1000]),
    max_interventions=st.integers(0, 9),
    hold_unresolved=st.booleans(),
)


@given(POLICIES, POLICIES)
def test_of_two_policies_one_asks_for_less_unless_they_are_one(a: Policy, b: Policy) -> None:
    assert not lower(a, a)
    assert not lower(a, None)
    assert lower(None, a)
    if not lower(a, b) and not lower(b, a):
        assert a == b or (a.release, a.low, a.high) == (b.release, b.low, b.high)


def test_what_would_be_without_effect_is_refused(folder: Path) -> None:
    made = Registry.load(config(folder, default_policy="off"))
    with pytest.raises(ArgumentError, match=r"evidence is given.*policy is 'off'"):
        made.resolve({"evidence": ["The mill was built in 1874."]})
    with pytest.raises(ArgumentError, match="evidence is given"):
        made.resolve(from_flat({"groundwire_evidence": "The mill was built in 1874."}))
    # Who names a policy has said what is meant, and a server's own evidence is no request's.
    assert made.resolve({"policy": "default", "evidence": ["It was built in 1874."]}).on
    assert not made.resolve({"policy": "off", "evidence": ["It was built in 1874."]}).on
    assert not made.resolve({"evidence": []}).on
    assert not made.resolve({"id": "7"}).on
