"""The gateway's Responses route, through the official client."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, RIGHT, WRONG, Model, client, gateway, knowledge

CANNOT = "I can't give a reliable answer here"
ASK = "When was the Harbour Museum founded?"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def events(url: str, **given: Any) -> list[Any]:
    return list(client(url).responses.create(model=MODEL, input=ASK, stream=True, **given))


def deltas(found: list[Any]) -> str:
    return "".join(e.delta for e in found if e.type == "response.output_text.delta")


@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_a_right_answer_passes_as_it_is(base: dict[str, Any], release: str) -> None:
    policies = {"mine": {"release": release}}
    with gateway(Model(), policies=policies, default_policy="mine", **base) as (url, _):
        found = events(url)
        assert deltas(found) == RIGHT
        assert [e.sequence_number for e in found] == list(range(len(found)))
        assert found[-1].type == "response.completed"
        assert found[-1].response.output_text == RIGHT
        assert found[-1].response.groundwire["tier"] == "none"
        assert "secret" not in "".join(e.type for e in found)
        answer = client(url).responses.create(model=MODEL, input=ASK)
        assert answer.output_text == RIGHT and answer.status == "completed"


@pytest.mark.parametrize("release", ["claim", "response"])
def test_a_wrong_value_is_exchanged(base: dict[str, Any], release: str) -> None:
    policies = {"mine": {"release": release}}
    right = WRONG.replace("1992", "1987")
    with gateway(Model((WRONG,)), policies=policies, default_policy="mine", **base) as (url, _):
        found = events(url)
        last = found[-1]
        assert deltas(found) == last.response.output_text == right
        assert last.type == "response.completed" and last.response.status == "completed"
        assert last.response.groundwire["verdict"] == "corrected" and "1992" not in str(found)
        answer = client(url).responses.create(model=MODEL, input=ASK)
        assert answer.output_text == right and answer.status == "completed"


@pytest.mark.parametrize("release", ["claim", "response"])
def test_an_answer_without_a_right_value_is_interrupted(base: dict[str, Any], release: str) -> None:
    policies = {"mine": {"release": release, "low": "interrupt"}}
    model = Model(("The Quorlax Tower opened in 1931. It is high.",))
    with gateway(model, policies=policies, default_policy="mine", **base) as (url, _):
        found = events(url)
        text = deltas(found)
        assert text.startswith(CANNOT) and "1931" not in text
        last = found[-1]
        assert last.type == "response.incomplete" and last.response.status == "incomplete"
        assert last.response.incomplete_details.reason == "content_filter"
        assert last.response.output_text == text
        assert last.response.groundwire["stopped"] == "interrupted"
        kinds = [e.type for e in found]
        assert kinds.count("response.output_text.done") == 1
        answer = client(url).responses.create(model=MODEL, input=ASK)
        assert answer.output_text.startswith(CANNOT) and answer.status == "incomplete"


def test_calls_pass_beside_a_checked_text(base: dict[str, Any]) -> None:
    with gateway(Model(tool_call=True), **base) as (url, _):
        found = events(url)
        assert found[-1].response.output[1].arguments == '{"q": 1992}'
        answer = client(url).responses.create(model=MODEL, input=ASK)
        assert answer.output[1].type == "function_call" and answer.output_text == RIGHT


def test_a_text_that_never_streamed_is_checked_all_the_same(base: dict[str, Any]) -> None:
    class Silent(Model):
        """Sends its text in the last event alone."""

        def cut(self, text: str) -> list[str]:
            return []

    with gateway(Silent((WRONG,)), **base) as (url, _):
        found = events(url)
        assert deltas(found) == WRONG.replace("1992", "1987")
        assert found[-1].type == "response.completed"


@pytest.mark.parametrize(
    ("body", "status", "part"),
    [
        ({"model": MODEL, "input": ASK, "background": True}, 400, "background"),
        ({"model": MODEL}, 400, "input"),
        ({"model": MODEL, "input": [3]}, 400, "input[0]"),
        ({"input": ASK}, 400, "model"),
    ],
)
def test_what_is_not_served_is_refused(body: dict[str, Any], status: int, part: str) -> None:
    with gateway(Model()) as (url, _):
        answer = httpx.post(f"{url}/v1/responses", json=body)
        assert answer.status_code == status and part in answer.json()["error"]["message"]
        fetched = httpx.get(f"{url}/v1/responses/resp_1")
        assert fetched.status_code == 404


def test_turns_and_instructions_are_read(base: dict[str, Any]) -> None:
    model = Model(("The trip takes five hours. It is long.",))
    with gateway(model) as (url, _):
        turns = [
            {"role": "user", "content": "How long?"},
            {"role": "assistant", "content": "The trip takes three hours."},
            {"type": "function_call_output", "call_id": "c", "output": "no delay"},
            {"role": "user", "content": [{"type": "input_text", "text": "Sure?"}]},
        ]
        found = list(
            client(url).responses.create(
                model=MODEL, input=turns, instructions="Be brief.", stream=True
            )  # type: ignore[call-overload]
        )
        done = found[-1].response.groundwire["interventions"]
        assert any(f["status"] == "contradicted" for one in done for f in one["findings"]), done


@pytest.mark.parametrize(
    "body",
    [
        {"model": MODEL, "prompt": {"id": "pmpt_7", "variables": {"a": "b"}}},
        {"prompt": {"id": "pmpt_7"}, "input": ASK},
        {"model": MODEL, "conversation": {"id": "conv_2"}, "input": None},
        {"model": MODEL, "previous_response_id": "resp_5", "input": []},
    ],
)
def test_what_is_asked_may_be_with_the_upstream(base: dict[str, Any], body: dict[str, Any]) -> None:
    with gateway(Model((WRONG,)), **base) as (url, _):
        answer = httpx.post(f"{url}/v1/responses", json=body, timeout=30)
        assert answer.status_code == 200, answer.text
        assert "1987" in answer.text and "1992" not in answer.text
        refused = httpx.post(f"{url}/v1/responses", json={"model": MODEL, "input": None})
        assert refused.status_code == 400


@pytest.mark.parametrize("most", [None, 100_000])
@pytest.mark.parametrize("release", ["claim", "response"])
def test_a_limit_that_was_not_reached_cut_nothing(
    base: dict[str, Any], most: int | None, release: str
) -> None:
    policies = {"mine": {"release": release}}
    model = Model(("It is open. The Harbour Museum was founded in 1992",))
    right = "It is open. The Harbour Museum was founded in 1987"
    given = {} if most is None else {"max_output_tokens": most}
    with gateway(model, policies=policies, default_policy="mine", **base) as (url, _):
        found = events(url, **given)
        assert deltas(found) == found[-1].response.output_text == right
        assert "1992" not in str(found)
        kinds = [e.type for e in found]
        assert kinds[-4:] == [
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed",
        ]
        answer = client(url).responses.create(model=MODEL, input=ASK, **given)
        assert answer.output_text == right and answer.status == "completed"


def test_a_call_behind_a_text_says_that_the_text_is_whole(base: dict[str, Any]) -> None:
    text = "The Harbour Museum was founded in 1992"
    with gateway(Model((text,), tool_call=True), **base) as (url, _):
        found = events(url, max_output_tokens=100)
        kinds = [e.type for e in found]
        assert kinds.index("response.output_text.done") < kinds.index(
            "response.function_call_arguments.done"
        )
        assert deltas(found) == text.replace("1992", "1987")


def test_a_text_that_the_limit_cut_is_judged_to_its_last_whole_word(base: dict[str, Any]) -> None:
    model = Model(("The Harbour Museum has 45 employees. It was founded in 1987.",))
    with gateway(model, **base) as (url, _):
        found = events(url, max_output_tokens=6)
        last = found[-1]
        # What is left of "45" is no other number.
        assert deltas(found) == last.response.output_text == "The Harbour Museum has 4"
        assert last.type == "response.incomplete" and last.response.status == "incomplete"
        answer = client(url).responses.create(model=MODEL, input=ASK, max_output_tokens=6)
        assert answer.output_text == "The Harbour Museum has 4" and answer.status == "incomplete"
