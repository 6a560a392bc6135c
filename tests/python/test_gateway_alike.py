"""Streamed or whole: the same text of an upstream reaches the reader as the same answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge

EVIDENCE = [
    "Tickets can be returned within 14 days. The Tern Clinic opened in 2008. It has 24 beds."
]
OPEN = "The Harbour Museum was founded in"
TAIL = " by a group of 300 people who wanted to keep old boats and to sell their own books."
CLINIC = "The Tern Clinic"
TREATS = " and treats about 7,500 patients on Mondays."
STOPPED = "It is open. The Harbour Museum was founded in 1992 and sells books. It is wide."
CASES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a note behind a correction": (
        "completions",
        OPEN,
        (f"{OPEN} 1992{TAIL}", f"{OPEN} 1987{TAIL}"),
    ),
    "two corrections": (
        "completions",
        CLINIC,
        (f"{CLINIC} has 36 beds. It opened in 2001.", f"{CLINIC} has 24 beds. It opened in 2001."),
    ),
    "a note behind a list": (
        "completions",
        CLINIC,
        (f"{CLINIC} has 36 beds{TREATS}", f"{CLINIC} has 24 beds{TREATS}"),
    ),
    "a correction": ("chat/completions", "", (STOPPED, STOPPED.replace("1992", "1987"))),
    "nobody goes on": ("chat/completions", "", (STOPPED,)),
    "nothing wrong": ("chat/completions", "", (STOPPED.replace("1992", "1987"),)),
}


def ask(url: str, case: str, *, stream: bool, most: int) -> tuple[str, Any, list[Any]]:
    route, prompt, _ = CASES[case]
    body: dict[str, Any] = {"model": MODEL, "stream": stream, "max_tokens": most}
    body |= {"groundwire": {"evidence": EVIDENCE}}
    chat = route == "chat/completions"
    body |= (
        {"messages": [{"role": "user", "content": "Go on."}]}
        if chat
        else {"prompt": f"Go on.\n{prompt}"}
    )
    answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=30)
    assert answer.status_code == 200
    if not stream:
        choice = answer.json()["choices"][0]
        text = choice["message"]["content"] if chat else choice["text"]
        return text, choice["finish_reason"], answer.json()["groundwire"]["interventions"]
    lines = [line for line in answer.text.split("\n") if line.startswith("data: {")]
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    parts = [(one["delta"].get("content") if chat else one["text"]) or "" for one in choices]
    done = [
        chunk["groundwire"] for chunk in chunks if "interventions" in chunk.get("groundwire", {})
    ]
    return "".join(parts), choices[-1]["finish_reason"], done[-1]["interventions"]


@pytest.mark.req("S0-042")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("size", [1, 4, 600])
def test_what_a_stream_delivers_a_whole_answer_does(tmp_path: Path, case: str, size: int) -> None:
    _, prompt, scripts = CASES[case]
    model = Model(scripts, continues="final_message", size=size)
    long = -(-(len(scripts[0]) - len(prompt)) // size)
    with gateway(model, **knowledge(tmp_path), continuation="final_message") as (url, _):
        for most in sorted({400, *(long + by for by in range(-6, 3) if long + by > 0)}):
            streamed, whole = (ask(url, case, stream=s, most=most) for s in (True, False))
            said = [[i["inserted"] for i in one[2] if i["inserted"]] for one in (streamed, whole)]
            assert (streamed[:2], said[0]) == (whole[:2], said[1]), most
            put = [one for one in said[0] if one.startswith(" (")]
            assert all(one in whole[0] for one in put), most


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("more", range(6))
def test_a_client_that_chooses_the_cut_gets_no_wrong_value(
    tmp_path: Path, stream: bool, more: int
) -> None:
    scripts = CASES["a correction"][2]
    at = STOPPED.index("1992") + len("1992 ")
    with gateway(
        Model(scripts, continues="final_message", size=1),
        **knowledge(tmp_path),
        continuation="final_message",
    ) as (url, _):
        text, finish, _ = ask(url, "a correction", stream=stream, most=at + more)
    assert (text, finish) == (STOPPED.replace("1992", "1987")[: at + more], "length")
