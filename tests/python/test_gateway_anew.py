"""An upstream that passed the probe, and then begins answers anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from groundwire.gateway.anew import ENOUGH, Anew

CLAIM = "The Tern Clinic treats about 7,500 patients on Mondays."
SCRIPTS = (
    f"{CLAIM} It opened in 2008. Visit us soon.",
    "The Tern Clinic has 36 beds. It opened in 2008. Visit us soon.",
    "Welcome. The Harbour Museum was founded in 1992 by a club. It has 45 employees.",
)
EVIDENCE = ["The Tern Clinic opened in 2008. It has 24 beds and 9,000 patients a year."]


class Forgetful(Model):
    """Continues what the probe asks, and begins every other answer anew."""

    def goes_on(self, prefix: str) -> str:
        return super().goes_on(prefix if prefix.startswith("red, ") else "")


def ask(url: str, *, stream: bool) -> tuple[str, dict[str, Any]]:
    body = {"model": MODEL, "stream": stream, "groundwire": {"evidence": EVIDENCE}}
    body["messages"] = [{"role": "user", "content": "Tell me."}]
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    if not stream:
        return answer.json()["choices"][0]["message"]["content"], answer.json()["groundwire"]
    lines = [line for line in answer.text.split("\n") if line.startswith("data: {")]
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines]
    parts = [c["choices"][0]["delta"].get("content") or "" for c in chunks if c["choices"]]
    return "".join(parts), [c["groundwire"] for c in chunks if "groundwire" in c][-1]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("release", ["token", "claim"])
@pytest.mark.parametrize("size", [1, 4, 12, 30, 500])
@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("how", ["final_message", "tokens"])
def test_no_sentence_reaches_the_reader_twice(
    tmp_path: Path, how: str, script: str, size: int, release: str, stream: bool
) -> None:
    given = knowledge(tmp_path)
    given |= {"policies": {"own": {"release": release}}, "default_policy": "own"}
    model = Forgetful((script,), continues=how, size=size)
    with gateway(model, **given) as (url, made):
        for _ in range(100):
            if made.prober.done.is_set():
                break
            httpx.get(f"{url}/healthz")
        assert made.prober.how(MODEL) == how
        text, found = ask(url, stream=stream)
        asked = len(model.seen)
        first = script.partition(".")[0]
        assert text.count(first[:20]) == 1, text
        assert "2436" not in text and "19871992" not in text
        last = model.seen[-1]
        if "prompt" in last or last["messages"][-1]["role"] == "assistant":
            assert found["notes"] == ["the upstream did not continue the answer"]
            assert made.prober.how(MODEL) == "none"
        # The next answer is not continued, and is whole.
        text, _ = ask(url, stream=stream)
        assert len(model.seen) == asked + 1
        assert text.count(first[:20]) == 1 and text.endswith(script.rpartition(". ")[2])


def heard(prefix: str, text: str, size: int) -> bool | None:
    """Return what is heard of a text behind ``prefix`` that comes in pieces."""
    held, found = Anew(prefix), None
    pieces = [text[at : at + size] for at in range(0, len(text), size)] or [""]
    for number, piece in enumerate(pieces):
        found = held.hear(piece, ends=number == len(pieces) - 1)
        if found is not None:
            break
    assert text.startswith(held.held)
    return found


PREFIX = "The hall is wide. It was built in 1998. (I could not confirm this.)"


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        (PREFIX[: ENOUGH + 4], True),
        ("The hall is wide. It is open.", True),
        ("It was built in 1998. It is open.", True),
        (" The hall is wide. It was built.", False),
        (" It was built in 1998, they say.", False),
        ("\nThe hall is wide. It was built.", False),
        (", and it is open.", False),
        ("The hall was closed.", False),
        ("", False),
        ("The hall is", False),
        ("It was", False),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 100])
def test_an_answer_that_begins_anew_is_told_by_its_first_letters(
    text: str, anew: bool, size: int
) -> None:
    assert heard(PREFIX, text, size) is anew
    assert Anew("No.").hear("No. It is.", ends=True) is False


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("\nThe Harbour Museum was founded in 1992.", True),
        ("  The Harbour Museum was founded in 1987.", True),
        (" The Harbour Museum was founded by a club.", False),
        (" The Harbour Museum has 45 employees.", False),
        (" by a club.", False),
        (" ", False),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 100])
def test_behind_white_space_all_of_a_beginning_has_to_be_the_same(
    text: str, anew: bool, size: int
) -> None:
    assert heard("The Harbour Museum was founded in 19", text, size) is anew


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("The hall was built by a club in 1998. It", True),
        (" The hall was built by a club in 1998. It", False),
        (" the hall was built by a club in 1998.", False),
        ("The hall was", False),
    ],
)
def test_what_the_answer_began_with_counts_where_it_was_taken_back(text: str, anew: bool) -> None:
    held = Anew("", "The hall was built by a club in 1998.")
    assert held.hear(text, ends=True) is anew
