"""SGLang's processor, by interface: rows of a batch, requests behind weak references."""

from __future__ import annotations

import json
import logging
import pickle
import random
import sys
import types
import weakref
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

NAME = "sglang.srt.sampling.custom_logit_processor"
WORDS = ["<end>", "The Chalk Mine", " was opened", " in", " 1958", " 1931", " by Runa Eide."]
WORDS += [" It", " is", " deep.", " Vigdis Harrow", " dug it.", " Do", " visit."]
EVIDENCE = "The Chalk Mine was opened in 1931 by Runa Eide. It is deep."


class Tokenizer:
    """As much of a tokenizer as the engine's scheduler has."""

    eos_token_id = 0

    def __iter__(self) -> Iterator[tuple[int, bytes, bool]]:
        return ((i, word.encode(), i == 0) for i, word in enumerate(WORDS))


TOKENIZER = Tokenizer()


class Request:
    """What a processor sees of a request."""

    def __init__(self, rid: str, tokens: list[int] | None = None, grammar: Any = None) -> None:
        self.rid, self.grammar, self.tokenizer = rid, grammar, TOKENIZER
        self.origin_input_ids = array("q", [1, 2])
        self.output_ids = array("q", tokens or [])
        self.eos_token_ids = {0}


def ids(text: str) -> list[int]:
    found = []
    while text:
        best = max((w for w in WORDS if text.startswith(w)), key=len)
        found.append(WORDS.index(best))
        text = text[len(best) :]
    return found


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """The integration over SGLang itself, or where it is not installed over its interface."""
    real = True
    try:
        __import__(NAME)
    except ImportError:
        real = False

        class CustomLogitProcessor(ABC):
            @abstractmethod
            def __call__(self, logits: Any, custom_param_list: Any = None) -> Any: ...

            @classmethod
            def to_str(cls) -> str:
                return json.dumps({"callable": pickle.dumps(cls).hex()})

            @classmethod
            def from_str(cls, text: str) -> Any:
                return pickle.loads(bytes.fromhex(json.loads(text)["callable"]))()

        parts = NAME.split(".")
        for at in range(1, len(parts) + 1):
            name = ".".join(parts[:at])
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        sys.modules[NAME].CustomLogitProcessor = CustomLogitProcessor  # type: ignore[attr-defined]
    config = tmp_path / "groundwire.toml"
    config.write_text('[serving.policies.strict]\nmedium = "interrupt"\n')
    monkeypatch.setenv("GROUNDWIRE_CONFIG", str(config))
    from groundwire.integrations import sglang

    sglang._WATCHED.clear()
    sglang._registry.cache_clear()
    sglang._nameless.cache_clear()
    yield sglang
    if real:
        return
    monkeypatch.delitem(sys.modules, "groundwire.integrations.sglang")
    vars(sys.modules["groundwire.integrations"]).pop("sglang", None)


def step(module: Any, *requests: Request, options: Any = None) -> np.ndarray:
    """Call the processor as the engine does: an instance made anew, a row a request."""
    processor = module.GroundwireLogitProcessor.from_str(module.GroundwireLogitProcessor.to_str())
    own = {"evidence": [EVIDENCE]} if options is None else options
    params = [{"groundwire": own, "__req__": weakref.proxy(request)} for request in requests]
    logits = np.arange(len(requests) * len(WORDS), dtype=np.float32).reshape(len(requests), -1)
    return np.asarray(processor(logits, params))


def ended(logits: np.ndarray) -> list[bool]:
    plain = np.arange(logits.size, dtype=np.float32).reshape(logits.shape)
    out = []
    for row, same in zip(logits, plain, strict=True):
        over = row[0] == 0.0 and bool(np.isneginf(row[1:]).all())
        assert over or (row == same).all()
        out.append(over)
    return out


def test_only_the_row_with_the_finding_ends(module: Any) -> None:
    wrong = Request("a", ids("The Chalk Mine was opened in 1958 by Runa Eide. It"))
    right = Request("b", ids("The Chalk Mine was opened in 1931 by Runa Eide. It"))
    assert ended(step(module, right, wrong, right)) == [False, True, False]
    assert ended(step(module, Request("c"))) == [False]


def test_token_by_token_as_at_once(module: Any) -> None:
    tokens = ids("The Chalk Mine was opened in 1958 by Runa Eide. It is deep.")
    request = Request("slow")
    told = []
    for token in tokens:
        request.output_ids.append(token)
        told.append(ended(step(module, request))[0])
    assert told == sorted(told)
    for n in range(1, len(tokens) + 1):
        assert ended(step(module, Request(f"at{n}", tokens[:n]))) == [told[n - 1]]


def test_drafts_that_were_rejected_are_rolled_back(module: Any) -> None:
    pick = random.Random(7)
    request, kept = Request("drafts"), ids("The Chalk Mine was opened in 1931 by Runa Eide. It is")
    for at in range(1, len(kept) + 1):
        draft = [pick.randrange(1, len(WORDS)) for _ in range(pick.randrange(3))]
        request.output_ids = array("q", kept[:at] + draft)
        step(module, request)
        request.output_ids = array("q", kept[:at])
        assert ended(step(module, request)) == [False]
    wrong = ids("The Chalk Mine was opened in 1958 by Runa Eide. It")
    request.output_ids = array("q", wrong)
    assert ended(step(module, request)) == [True]


def test_policies_are_the_servers_and_a_grammar_is_only_watched(module: Any) -> None:
    tokens = ids("Vigdis Harrow dug it. Do".replace("Vigdis", " Vigdis"))
    own = {"evidence": [EVIDENCE]}
    assert ended(step(module, Request("p", tokens), options=own)) == [False]
    strict = {**own, "policy": "strict"}
    assert ended(step(module, Request("q", tokens), options=strict)) == [True]
    assert ended(step(module, Request("g", tokens, grammar=object()), options=strict)) == [False]


def test_what_the_prompt_names_is_no_news(module: Any) -> None:
    tokens = ids(" Vigdis Harrow dug it. Do")
    strict = {"evidence": [EVIDENCE], "policy": "strict"}
    request = Request("n", tokens)
    request.origin_input_text = "Who is Vigdis Harrow?"  # type: ignore[attr-defined]
    assert ended(step(module, request, options=strict)) == [False]
    assert ended(step(module, Request("m", tokens), options=strict)) == [True]


def test_bad_options_are_named_and_ask_for_no_less(module: Any, caplog: Any) -> None:
    wrong = ids("The Chalk Mine was opened in 1958 by Runa Eide. It")
    with caplog.at_level(logging.WARNING, "groundwire.integrations.sglang"):
        step(module, Request("off", wrong), options={"policy": "off"})
        step(module, Request("odd", wrong), options={"hue": 1})
    assert "ask for less" in caplog.text
    assert "'hue' is no option" in caplog.text
    assert all(module._WATCHED[rid].session is not None for rid in ("off", "odd"))


def test_nothing_that_goes_wrong_reaches_the_engine(module: Any, caplog: Any) -> None:
    broken = Request("x", [1, 2, 999_999])
    fine = Request("y", ids("The Chalk Mine was opened in 1958 by Runa Eide. It"))
    assert ended(step(module, broken, fine)) == [False, True]
    assert "request x is not watched any more" in caplog.text
    caplog.clear()
    assert ended(step(module, broken)) == [False]
    assert not caplog.text
    gone = [None, {}, {"groundwire": {}}]
    logits = np.zeros((3, len(WORDS)), np.float32)
    assert (module.GroundwireLogitProcessor()(logits, gone) == 0).all()
    assert (module.GroundwireLogitProcessor()(logits) == 0).all()


def test_sessions_are_bounded_and_come_back(module: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "KEPT", 3)
    wrong = ids("The Chalk Mine was opened in 1958 by Runa Eide. It")
    for number in range(9):
        assert ended(step(module, Request(str(number), wrong))) == [True]
    assert len(module._WATCHED) == 3
    assert ended(step(module, Request("0", wrong))) == [True]


def test_an_id_that_is_used_again_is_another_request(module: Any) -> None:
    tokens = ids("The Chalk Mine was opened in 1958 by Runa Eide. It")
    agrees = {"evidence": [EVIDENCE.replace("1931", "1958")]}
    assert ended(step(module, Request("r", tokens), options=agrees)) == [False]
    assert ended(step(module, Request("r", tokens))) == [True]
    strict, other = {"evidence": [EVIDENCE], "policy": "strict"}, ids(" Vigdis Harrow dug it. Do")
    asked = Request("r", other)
    asked.origin_input_text = "Who is Vigdis Harrow?"  # type: ignore[attr-defined]
    assert ended(step(module, asked, options=strict)) == [False]
    assert ended(step(module, Request("r", other), options=strict)) == [True]
    assert ended(step(module, asked, options=strict)) == [False]
    assert ended(step(module, Request("r", [1, 2, 999_999]))) == [False]
    assert ended(step(module, Request("r", tokens))) == [True]
    # One that goes on is no other: what it was opened with holds for all of it.
    request = Request("s", tokens[:3])
    step(module, request)
    first = module._WATCHED["s"]
    request.output_ids = array("q", tokens)
    assert ended(step(module, request)) == [True]
    assert module._WATCHED["s"] is first
    assert len(module._WATCHED) == 2


def test_a_request_without_an_id_is_named_once_and_goes_on(module: Any, caplog: Any) -> None:
    fine = Request("fine", ids("The Chalk Mine was opened in 1958 by Runa Eide. It"))
    dead = weakref.proxy(Request("gone"))
    rows = [types.SimpleNamespace(), 5, dead, fine, types.SimpleNamespace()]
    params = [{"groundwire": {"evidence": [EVIDENCE]}, "__req__": one} for one in rows]
    processor = module.GroundwireLogitProcessor()
    for _ in range(2):
        logits = np.zeros((len(rows), len(WORDS)), np.float32)
        after = np.asarray(processor(logits, params))
        assert np.isneginf(after).any(axis=-1).tolist() == [False, False, False, True, False]
    said = [one.message for one in caplog.records if "without an id" in one.message]
    assert sorted(said) == [
        f"a request without an id is not watched: {kind}"
        for kind in ("AttributeError", "ReferenceError")
    ]


def test_an_end_that_the_model_does_not_have_is_passed_over(module: Any) -> None:
    request = Request("e", ids("The Chalk Mine was opened in 1958 by Runa Eide. It"))
    request.eos_token_ids = {0, 5000}
    assert ended(step(module, request)) == [True]


def test_findings_are_told_to_the_log_masked(module: Any, caplog: Any) -> None:
    with caplog.at_level(logging.INFO, "groundwire.integrations.sglang"):
        step(module, Request("e", ids("The Chalk Mine was opened in 1958 by Runa Eide. It")))
    assert "quantity_conflict" in caplog.text
    assert "1958" not in caplog.text
