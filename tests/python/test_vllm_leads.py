"""The sentence that a prompt leaves unfinished is read in the engine and in front of it."""

from __future__ import annotations

import dataclasses
import json
from types import SimpleNamespace
from typing import Any

import pytest

import test_vllm_front as fronts
from groundwire.integrations.prompts import unfinished
from groundwire.integrations.vllm.loading import leads

torch = pytest.importorskip("torch", reason="the plugin's rows are tensors")
from groundwire.integrations.vllm.rows import Rows  # noqa: E402
from groundwire.integrations.vllm.slots import Slots  # noqa: E402
from groundwire.integrations.vllm.stream import Stream, follow  # noqa: E402

OPEN = "Write on.\nThe Harbour Museum was founded in"
LEAD = "The Harbour Museum was founded in"
END, TURN = 0, 1
NOTE = "(Correction: 1987, not 1992.)"


class Bytes:
    """A tokenizer of bytes: 0 ends a text, 1 is a template's mark."""

    all_special_ids = (END, TURN)

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        del add_special_tokens
        return list(text.encode())

    def decode(self, ids: Any, skip_special_tokens: bool = False) -> str:
        del skip_special_tokens
        return bytes(ids).replace(b"\x00", b"</s>").replace(b"\x01", b"<|turn|>").decode()


def loaded() -> Any:
    return dataclasses.replace(fronts.loaded_of(), lead=leads(Bytes()))


@pytest.mark.parametrize(
    ("prompt", "lead"),
    [
        ([END, *OPEN.encode()], LEAD),
        ([*OPEN.encode()], LEAD),
        ([TURN, *b"When was it built?", TURN], ""),
        # What a user left unfinished is no beginning of the answer, whatever the template is.
        ([TURN, *OPEN.encode(), TURN], ""),
        ([TURN, *OPEN.encode(), *b"\nassistant\n"], ""),
        ([*OPEN.encode(), *b" [/INST]"], ""),
        ([*OPEN.encode(), *b"\nASSISTANT:"], ""),
        ([*OPEN.encode(), *b" 1987."], ""),
        ([*b"When was the museum founded in"], ""),
        # The beginning of an answer behind a template's mark.
        ([TURN, *b"Go on.", TURN, *LEAD.encode()], LEAD),
        ([], ""),
    ],
)
def test_what_a_prompts_ids_leave_unfinished(prompt: list[int], lead: str) -> None:
    assert unfinished(Bytes(), prompt) == lead


def test_a_tokenizer_that_fails_costs_no_check() -> None:
    def fails(*_: Any, **__: Any) -> str:
        raise RuntimeError("no such id")

    assert leads(SimpleNamespace(decode=fails, all_special_ids=()))([5, 6]) == ""


def notes(stream: Any) -> list[str]:
    said = stream.guard.foresee([])
    return [] if said is None else [said.text]


@pytest.mark.parametrize("prompt", [OPEN, "Write on.\n"])
def test_both_runners_read_the_prompt(prompt: str) -> None:
    made, wrong = loaded(), list(b" 1992.")
    params = fronts.asking(groundwire="default")
    begun = prompt == OPEN

    rows = Rows(made.open)
    ids: list[int] = []
    rows.update(SimpleNamespace(removed=[], added=[(0, params, [*prompt.encode()], ids)], moved=[]))
    ids += wrong
    assert follow(rows.news()) == 0
    assert any(NOTE in one for one in notes(rows.rows[0][0])) is begun
    # Other ids under the same list: the stream is opened anew, with the same prompt.
    ids[:] = list(b" 1987 by")
    follow(rows.news())
    assert not any(NOTE in one for one in notes(rows.rows[0][0]))
    ids[:] = wrong
    follow(rows.news())
    assert any(NOTE in one for one in notes(rows.rows[0][0])) is begun

    tokens = torch.zeros((2, 200), dtype=torch.int32)
    whole = [*prompt.encode(), *wrong]
    tokens[0, : len(whole)] = torch.tensor(whole, dtype=torch.int32)
    given = (tokens, torch.tensor([len(prompt), 0]), torch.tensor([len(whole), 0]))
    states = SimpleNamespace(
        **{
            name: SimpleNamespace(gpu=one)
            for name, one in zip(("all_token_ids", "prompt_len", "total_len"), given, strict=True)
        }
    )
    slots = Slots(made.open, states, lead=made.lead)
    assert slots.add(0, params)
    context = SimpleNamespace(
        idx_mapping_np=[0],
        seq_lens_upper_bound_np=[len(whole)],
        expanded_idx_mapping=torch.tensor([0]),
    )
    stream = slots.rows(context)[0]
    assert isinstance(stream, Stream)
    assert stream.lead == (LEAD if begun else "")
    assert stream.seen == wrong
    assert any(NOTE in one for one in notes(stream)) is begun


@pytest.mark.parametrize("text", [" 1992. It is open.", f" 1992. {NOTE} It is open.", " 1987."])
def test_the_front_end_comes_to_the_same_verdict(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    class Engine(fronts.Engine):
        async def generate(self, *given: Any, **more: Any) -> Any:
            async for output in super().generate(*given, **more):
                output.prompt_token_ids = list(OPEN.encode())
                yield output

    _, body = fronts.ask(monkeypatch, Engine(text), fronts.asking(), loaded=loaded())
    found = json.loads(body)["groundwire"]
    wrong = [f for f in found["findings"] if f["text"] == "1992"]
    assert bool(wrong) is ("1992" in text)
    # Places count the answer, not the prompt.
    assert all(one["span"] == [1, 5] and one["byte_span"] == [1, 5] for one in wrong)
    assert ("unsaid" in found) is (text == " 1992. It is open.")
