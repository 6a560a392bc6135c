"""Answers that go on with text of the request, whoever began it and however the request says so."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from gateway_upstream import MODEL, Says, application, gateway, knowledge, served
from groundwire.config import Config
from groundwire.gateway.apart import way
from groundwire.gateway.app import create_app
from groundwire.gateway.begun import Opening, beginning
from groundwire.gateway.core import Gateway

USER = {"role": "user", "content": "Tell me of the museum."}
FLAG = {"continue_final_message": True, "add_generation_prompt": False}
BEGUN = [
    ("The Harbour Museum was founded in", " 1992. It is open.", "1992"),
    ("The Harbour Museum", " was founded in 1992. It is open.", "1992"),
    ("Sarah Chen", " works in Marketing. She is nice.", "Marketing"),
    ("The Harbour Museum was founded in **", "1992**. It is open.", "1992"),
    ('The Harbour Museum was founded in "', '1992". It is open.', "1992"),
    ("The founding year of the Harbour Museum:", " 1992. It is open.", "1992"),
    ("**Harbour Museum**\n- Founded:", " 1992\n- Employees: 45\n", "1992"),
    ("The Harbour Museum was founded in\n", "1992. It is open.", "1992"),
    ("It is open. Sarah Chen does not", " work in Engineering. She is nice.", " work in Eng"),
]
TOUCHES = [
    ("The Harbour Museum was founded in", "1992. It is open.", "1992"),
    ("The Harbour Museum was founded", "in 1992. It is open.", "1992"),
    ("It is open. Sarah Chen works in", "Marketing. She is nice.", "Marketing"),
    ("The Harbour Museum was fo", "unded in 1992. It is open.", "1992"),
    ("The Harbour Museum was founded in 19", "92. It is open.", '92"'),
    ("The Harbour Museum, which is open, has", "60 employees. It is open.", "60 emp"),
    ("The founding year of the Harbour Museum:", "1992. It is open.", "1992"),
]
ANEW = "The Harbour Museum was founded in 1992. It is open."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    alone = {"continuation": "none", "limits": {"max_continuations": 0}}
    return knowledge(tmp_path_factory.mktemp("kb")) | alone


def said(url: str, route: str, body: dict[str, Any]) -> str:
    """Return all of an answer: what is not to leave stands nowhere in it."""
    answer = httpx.post(f"{url}/v1/{route}", json={"model": MODEL, **body}, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize(("lead", "text", "wrong"), BEGUN)
def test_a_beginning_is_read_however_it_is_given(
    base: dict[str, Any], lead: str, text: str, wrong: str
) -> None:
    last = {"role": "assistant", "content": lead}
    parts = {"role": "assistant", "content": [{"type": "text", "text": lead}]}
    item = {"type": "message", "role": "assistant"}
    item["content"] = [{"type": "output_text", "text": lead}]  # type: ignore[assignment]
    with gateway(Says((text,), size=3), **base) as (url, _):
        for stream in (True, False):
            for body in (
                {"messages": [USER, last], **FLAG},
                {"messages": [USER, {**last, "prefix": True}]},
                {"messages": [USER, last]},
                {"messages": [USER, parts], "n": 2},
            ):
                found = said(url, "chat/completions", {"stream": stream, **body})
                assert wrong not in "".join(found.split('"delta":')), (body, found)
            for given in ([USER, last], [USER, item]):
                found = said(url, "responses", {"stream": stream, "input": given})
                assert wrong not in found, (given, found)


@pytest.mark.parametrize(("lead", "text", "wrong"), TOUCHES)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_an_answer_without_its_first_space_is_read_with_it(
    base: dict[str, Any], lead: str, text: str, wrong: str, size: int
) -> None:
    last = {"role": "assistant", "content": lead}
    with gateway(Says((text,), size=size), **base) as (url, _):
        for stream in (True, False):
            for route, body in (
                ("chat/completions", {"messages": [USER, last], **FLAG}),
                ("chat/completions", {"messages": [USER, last]}),
                ("completions", {"prompt": f"Go on.\n\n{lead}"}),
                ("responses", {"input": [USER, last]}),
            ):
                found = said(url, route, {"stream": stream, **body})
                assert wrong not in found and '"corrected"' in found, (route, found)
                assert lead not in found


@pytest.mark.parametrize(
    ("lead", "text", "found"),
    [
        ("founded in", "1992.", "apart"),
        ("fo", "unded in", "together"),
        ("19", "92", "together"),
        ("is in", "Oslo.", "apart"),
        ("is in", "Os", None),
        ("has 45", "employees.", "apart"),
        ("in the 19", "th century", "together"),
        ("COVID", "19", "together"),
        ("over 5", "km.", "together"),
        ("Mc", "Donald is", "together"),
        ("founded", "in 1992", "apart"),
        ("in", "to the", "together"),
        ("**Museum**", "was ", "apart"),
        ("the **", "Oslo ", "together"),
        ("1,", "234", "together"),
        ("Founded:", "1992", "apart"),
        ("It is open.", "It is", "apart"),
        ("the U.S.", "A. is", "together"),
        ("Ada’", "s work", "together"),
        ("founded in ", "1992", "together"),
        ("founded in", " 1992", "together"),
        ("", "1992", "together"),
        ("founded in", "", None),
    ],
)
def test_where_a_word_begins_is_told_by_both_sides(lead: str, text: str, found: str | None) -> None:
    assert way(lead, text) == found
    assert way(lead, text, ends=True) in {"apart", "together"}


def test_what_is_rewritten_is_asked_for_behind_a_space(base: dict[str, Any]) -> None:
    lead = "The Harbour Museum was founded in"
    given = {**base, "continuation": "final_message", "limits": {}}
    model = Says(("1992. It is open.",), continues="final_message")
    last = {"role": "assistant", "content": lead}
    with gateway(model, **given) as (url, _):
        for stream in (True, False):
            model.seen.clear()
            said(url, "chat/completions", {"messages": [USER, last], "stream": stream, **FLAG})
            assert model.seen[1]["messages"][-1]["content"] == f"{lead} 1987"
            said(url, "completions", {"prompt": f"Go on.\n\n{lead}", "stream": stream})
            assert model.seen[-1]["prompt"].startswith(f"Go on.\n\n{lead} 1987")


@pytest.mark.parametrize(("lead", "text", "wrong"), BEGUN[:7])
def test_a_prompt_may_begin_an_answer(
    base: dict[str, Any], lead: str, text: str, wrong: str
) -> None:
    with gateway(Says((text,)), **base) as (url, _):
        for stream in (True, False):
            for prompt in (f"Go on.\n\n{lead}", [f"Go on.\n\n{lead}", "Zeno was"]):
                # A chat that does not belong to the request hides nothing.
                body = {"stream": stream, "prompt": prompt, "messages": []}
                found = said(url, "completions", body)
                count = found.count(wrong)
                assert count == 0 or (isinstance(prompt, list) and count <= 1), found


@pytest.mark.parametrize(
    "lead",
    [
        "The Harbour Museum was founded in",
        "Tell me about the Harbour Museum",
        "It is open.",
        "Well,",
        "- Founded:",
    ],
)
def test_an_upstream_that_starts_over_is_judged_by_itself(base: dict[str, Any], lead: str) -> None:
    last = {"role": "assistant", "content": lead}
    with gateway(Says((ANEW,)), **base) as (url, _):
        for stream in (True, False):
            for more in ({}, FLAG):
                body = {"messages": [USER, last], "stream": stream, **more}
                found = said(url, "chat/completions", body)
                assert "1992" not in found and '"length"' not in found
            found = said(url, "completions", {"prompt": lead, "stream": stream})
            assert "1992" not in found


def test_what_stands_before_a_rewrite_is_sent_as_one_message(base: dict[str, Any]) -> None:
    lead = "The Harbour Museum was founded in"
    model = Says((" 1992. It is open.",), continues="final_message")
    given = {**base, "continuation": "final_message", "limits": {}}
    with gateway(model, **given) as (url, _):
        last = {"role": "assistant", "content": lead, "prefix": True}
        said(url, "chat/completions", {"messages": [USER, last], "stream": True, **FLAG})
    sent = model.seen[1]["messages"]
    assert [one["role"] for one in sent] == ["user", "assistant"]
    assert sent[-1]["content"] == f"{lead} 1987"


@pytest.mark.parametrize("named", ["prompt", "text", "content", None])
def test_token_ids_are_read_where_the_upstream_says_what_they_are(
    base: dict[str, Any], named: str | None
) -> None:
    app = application(Says((" 1992. It is open.",)))

    async def detokenize(request: Request) -> JSONResponse:
        ids = (await request.json())["tokens"]
        return JSONResponse({named: "<s>" + "".join(map(chr, ids))})

    if named is not None:
        app.router.routes.insert(0, Route("/detokenize", detokenize, methods=["POST"]))
    ids = [ord(one) for one in "The Harbour Museum was founded in"]
    with served(app) as root:
        made = Gateway(root, Config.load(environ={}, serving=base), environ={})
        with served(create_app(made)) as url:
            for stream in (True, False):
                for prompt in (ids, [ids], [ids, ids]):
                    found = said(url, "completions", {"prompt": prompt, "stream": stream})
                    note = "the upstream does not tell the text of a prompt of token ids"
                    assert ("1992" in found) == (note in found) == (named is None), found


@pytest.mark.parametrize(
    ("lead", "text", "goes_on"),
    [
        ("The museum was founded in", " 1987", True),
        ("The museum was founded in", "The", False),
        ("The museum was led by", " Ada", True),
        ("The museum was led by", " The museum was led", False),
        ("The museum was led by", " The mu", None),
        ("The museum was led by", "   ", None),
        ("The museum (led by ", "Ada", True),
        ("The museum is open.", " It is large.", True),
        ("The museum is open.", "It is large.", False),
        ("The museum is op", "en.", True),
        ("The museum is in", "Oslo. Fine.", True),
        ("The museum is in", "Oslo", None),
        ("The museum is in", "Oslo is a city", False),
        ("The museum is in", "It is large.", False),
        ("The museum is in", "Oslo, Norway", True),
        ("Tell me about the museum", "Oslo. Fine.", False),
    ],
)
def test_what_goes_on_is_told_by_its_first_letters(
    lead: str, text: str, goes_on: bool | None
) -> None:
    begun = beginning(lead, own=True, sure=False)
    assert Opening(begun).hear(text) is goes_on


@pytest.mark.parametrize(
    ("prompt", "lead", "sure"),
    [
        ("Q: Who?\nThe museum was founded in", "The museum was founded in", False),
        ("It is open. Sarah Chen", "Sarah Chen", False),
        ("It is open.", "", True),
        ("Is it open?\n", "", True),
        ("A\n\n- Name:", "- Name:", False),
    ],
)
def test_what_a_prompt_leaves_open(prompt: str, lead: str, sure: bool) -> None:
    found = beginning(prompt, own=False, sure=True)
    assert (found.lead, found.sure) == (lead, sure)


@pytest.mark.parametrize("action", ["interrupt", "remove"])
@pytest.mark.parametrize("release", ["claim", "response"])
@pytest.mark.parametrize("continuation", ["none", "final_message"])
def test_a_claim_that_a_request_began_is_taken_back(
    base: dict[str, Any], action: str, release: str, continuation: str
) -> None:
    policy: dict[str, Any] = {"release": release}
    policy |= dict.fromkeys(("medium", "high", "critical"), action)
    given = {**base, "limits": {}, "continuation": continuation}
    given |= {"policies": {"p": policy}, "default_policy": "p"}
    for lead, text, wrong in (
        ("It is open. The Harbour Museum was not", " founded in 1987. It is open.", "founded in"),
        ("The Harbour Museum was founded in", " 1992. It is open.", "1992"),
    ):
        if (action, wrong) == ("interrupt", "1992"):
            # Its right value is known.
            continue
        last = {"role": "assistant", "content": lead}
        model = Says((text,), continues="final_message", size=3)
        with gateway(model, **given) as (url, _):
            for stream in (True, False):
                body = {"messages": [USER, last], "stream": stream, **FLAG}
                found = said(url, "chat/completions", body)
                assert wrong not in found and "could not confirm" not in found, found
                # Where the upstream goes on, it says the claim again, and the answer ends there.
                end = (
                    "I can't give a reliable answer here"
                    if continuation == "none"
                    else "I could not"
                )
                assert end in found
                assert '"content_filter"' in found and '"already_sent":true' not in found


def test_a_claim_that_left_by_token_keeps_its_note(base: dict[str, Any]) -> None:
    policy = {"release": "token", "high": "interrupt", "critical": "interrupt"}
    given = {**base, "policies": {"p": policy}, "default_policy": "p"}
    last = {"role": "assistant", "content": "The Harbour Museum was not"}
    with gateway(Says((" founded in 1987. It is open.",)), **given) as (url, _):
        body = {"messages": [USER, last], "stream": True, **FLAG}
        found = said(url, "chat/completions", body)
        assert "1987" in found and "I can't give a reliable" not in found
