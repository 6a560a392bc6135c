"""A policy that only watches leaves the text as the model wrote it, whoever carries it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire.integrations._text import TextGuard
from groundwire.vocabulary import vocabulary

BASE = gw.KnowledgeBase.from_records(
    [
        {"name": "Tern Ferry", "attributes": {"built": 1958, "captain": "Ingrid Solheim"}},
        {"name": "Alder Mill", "attributes": {"city": "Bergen", "employees": 31}},
    ]
)
EVIDENCE = ["The Tern Ferry carries 120 passengers and sails at 9:30. Tickets cost 14 euros."]
SENTENCES = (
    "The Tern Ferry was built in 1958.",
    "The Tern Ferry was built in 1973.",
    "Its captain is Anders Moe.",
    "The Alder Mill stands in Oslo.",
    "The Alder Mill has 31 employees.",
    "It carries 450 passengers.",
    "Studies show that 40 % of guests return.",
    "Tickets cost 99 euros.",
    "The Quorlax Tower has 912 rooms.",
    "Wer fährt, zahlt nichts – 🎉!",
    "- one\n- two",
)
RELEASES = ("token", "claim", "response")
LETTERS = sorted({letter for one in SENTENCES for letter in one} | set(" \n"))
TOKENS = vocabulary([(at, one.encode(), False) for at, one in enumerate(LETTERS)])
CHECKED = gw.Monitor(kb=BASE)
LOOP = gw.Monitor(tokenizer=TOKENS, kb=BASE)
ACCEPTS = gw.Policy(
    low="accept", medium="accept", high="accept", critical="accept", annotation="footnote"
)
texts = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map(" ".join)
policies = st.builds(
    lambda base, release: dataclasses.replace(base, release=release),
    st.sampled_from((gw.Policy.observe(), ACCEPTS)),
    st.sampled_from(RELEASES),
)


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@settings(deadline=None, max_examples=60)
@given(texts, policies, st.integers(1, 40))
@pytest.mark.req("S4-033")
def test_a_callback_gives_what_was_pushed(text: str, policy: gw.Policy, size: int) -> None:
    callback = gw.GroundwireCallback(CHECKED, policy=policy, evidence=EVIDENCE)
    said = "".join(callback.on_token(piece).release for piece in cut(text, size))
    said += callback.on_end().release
    assert said == text == callback.report().released


@pytest.mark.parametrize("release", RELEASES)
def test_what_a_policy_accepts_is_left_without_a_note(release: Any) -> None:
    text = "The Alder Mill stands in Oslo. The mill is old."
    released = {}
    for action in ("accept", "annotate"):
        policy = gw.Policy(release=release, high=action, critical=action)
        callback = gw.GroundwireCallback(CHECKED, policy=policy)
        callback.on_token(text)
        callback.on_end()
        report = callback.report()
        assert any(finding.status == "contradicted" for finding in report.findings)
        released[action] = report.released
    assert released["accept"] == text
    assert "Please note" in released["annotate"]


def test_what_a_policy_accepts_is_told_to_hooks_of_an_application() -> None:
    class Own(gw.Hooks):
        def add_disclaimers(self, released: str, contradictions: Sequence[gw.Finding]) -> str:
            return f" [{len(contradictions)}]"

    policy = gw.Policy(high="accept", critical="accept")
    callback = gw.GroundwireCallback(CHECKED, policy=policy, hooks=Own())
    callback.on_token("The Alder Mill stands in Oslo.")
    callback.on_end()
    assert callback.report().released == "The Alder Mill stands in Oslo. [1]"


@settings(deadline=None, max_examples=60)
@given(
    texts,
    policies,
    st.integers(1, 40),
    st.sampled_from(("interrupt", "annotate", "keep_form")),
    st.booleans(),
)
def test_text_of_others_comes_out_as_it_went_in(
    text: str, policy: gw.Policy, size: int, how: Any, formed: bool
) -> None:
    guard = TextGuard(CHECKED, cannot_rewind=how, formed=formed, policy=policy, evidence=EVIDENCE)
    said = "".join(guard.push(piece) for piece in cut(text, size)) + guard.finish()
    assert said == text == guard.report().released


@settings(deadline=None, max_examples=40)
@given(texts, policies)
@pytest.mark.req("S4-033")
def test_the_guarded_loop_gives_what_the_model_wrote(text: str, policy: gw.Policy) -> None:
    ids = [LETTERS.index(letter) for letter in text]

    def model(so_far: Sequence[int]) -> int | None:
        return ids[len(so_far)] if len(so_far) < len(ids) else None

    events = list(gw.guard(model, [], monitor=LOOP, policy=policy, evidence=EVIDENCE))
    said = "".join(event.text for event in events if event.kind == "release")
    report = events[-1].report
    assert report is not None
    assert said == text == report.released


def test_findings_are_reported_all_the_same() -> None:
    callback = gw.GroundwireCallback(gw.Monitor(kb=BASE, policy=gw.Policy.observe()))
    callback.on_token("The Tern Ferry was built in 1973. Its captain is Ingrid Solheim.")
    callback.on_end()
    assert "contradicted" in {one.status for one in callback.report().findings}


class Own(gw.Hooks):
    def add_disclaimers(self, released: str, contradictions: Sequence[gw.Finding]) -> str:
        return f" ({len(contradictions)} to check)"


class More(gw.Hooks):
    def add_disclaimers(self, released: str, contradictions: Sequence[gw.Finding]) -> str:
        return super().add_disclaimers(released, contradictions)


WAYS: list[tuple[gw.Hooks | None, str]] = [
    (None, ""),
    (gw.Hooks(), ""),
    (Own(), " (1 to check)"),
    (More(), "\n\nPlease note: "),
]


@pytest.mark.parametrize(("hooks", "behind"), WAYS)
def test_an_applications_own_disclaimers_are_added(hooks: gw.Hooks | None, behind: str) -> None:
    text = "The Alder Mill has 78 employees. Come in."
    callback = gw.GroundwireCallback(CHECKED, policy=gw.Policy.observe(), hooks=hooks)
    said = callback.on_token(text).release + callback.on_end().release
    assert said.startswith(text + behind)
    assert bool(behind) or said == text


@pytest.mark.parametrize("how", ["interrupt", "annotate"])
def test_what_a_policy_that_acts_had_to_leave_is_still_noted(how: Any) -> None:
    policy = gw.Policy(release="token", high="annotate", critical="annotate")
    guard = TextGuard(CHECKED, cannot_rewind=how, policy=policy)
    said = guard.push("The Alder Mill has 78 employees. Come in.") + guard.finish()
    assert "Please note: " in said


@pytest.mark.parametrize(
    ("policy", "watches"),
    [
        (gw.Policy.observe(), True),
        (ACCEPTS, True),
        (gw.Policy(), False),
        (dataclasses.replace(gw.Policy.observe(), annotation="inline"), False),
        (dataclasses.replace(gw.Policy.observe(), low="hedge"), False),
    ],
)
def test_which_policies_only_watch(policy: gw.Policy, watches: bool) -> None:
    assert policy.only_watches is watches
