"""What a request may ask for where the configuration chooses by model, and what a fault costs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.config import Config
from groundwire.errors import ArgumentError
from groundwire.integrations.serving import Registry
from groundwire.integrations.vllm import arguments
from groundwire.integrations.vllm.front import CURRENT, Answers, Front
from groundwire.integrations.vllm.loading import Loaded
from groundwire.integrations.vllm.stream import Stream


def registry_of(default: str = "default", policy: str = "careful", socket: str = "") -> Registry:
    config = Config.load(
        environ={},
        serving={
            "default_policy": default,
            "policies": {"careful": {"medium": "interrupt", "high": "discard"}},
            "models": {"org/model-x": {"policy": policy}},
            "signals_socket": socket,
        },
        stream={"group_confidence_bar": 5.0 if socket else None, "group_window": 4},
    )
    return Registry.load(config, tokenizer={i: bytes([i]) for i in range(256)})


def loaded_of(registry: Registry) -> Loaded:
    encode = lambda before, text: list(text.encode())  # noqa: E731
    return Loaded(registry, encode, frozenset((0,)), None, "org/model-x")


class Params(SimpleNamespace):
    """The parts of ``SamplingParams`` that are looked at."""

    def clone(self) -> Params:
        return Params(**self.__dict__)


def asking(**extra: Any) -> Params:
    return Params(
        output_kind=SimpleNamespace(name="DELTA"), n=1, extra_args=extra, stop_token_ids=None,
        structured_outputs=None, ignore_eos=False,
    )  # fmt: skip


@pytest.mark.req("S4-028")
@pytest.mark.parametrize(
    ("default", "policy", "asked"),
    [
        ("default", "careful", {"groundwire": "default"}),
        ("off", "careful", {"groundwire": "off"}),
        ("off", "careful", {"groundwire": 0}),
    ],
)
def test_what_the_model_does_not_allow_is_refused_and_never_unmonitored(
    monkeypatch: pytest.MonkeyPatch, default: str, policy: str, asked: dict[str, Any]
) -> None:
    registry = registry_of(default, policy)
    loaded = loaded_of(registry)
    # Whoever knows the model refuses it.
    with pytest.raises(ArgumentError):
        Front(loaded)._open(asking(**asked), Answers())
    # In a worker that it reaches all the same, the model's own choices hold.
    stream = loaded.open(asking(**asked), None)
    plain = loaded.open(asking(), None)
    assert isinstance(stream, Stream)
    assert isinstance(plain, Stream)
    assert stream.monitor is plain.monitor
    # The engine's check before it does not know the model, and lets either pass.
    monkeypatch.setattr(arguments, "front", lambda: registry)
    arguments.validate(asking(**asked))
    with pytest.raises(ArgumentError):
        arguments.validate(asking(groundwire="nobody's"))


def test_what_the_model_allows_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = registry_of("careful", "default")
    monkeypatch.setattr(arguments, "front", lambda: registry)
    arguments.validate(asking(groundwire="default"))
    params, checked = Front(loaded_of(registry))._open(asking(groundwire="default"), Answers())
    assert checked
    assert params.extra_args == {"groundwire": "default"}


@pytest.mark.parametrize("fault", [None, RuntimeError("refused")])
def test_a_request_that_ends_before_its_first_token_leaves_no_name(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    fault: Exception | None,
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("s"))
    front = Front(loaded_of(registry_of(socket="socket")))
    assert front.receiver is not None
    names: list[str] = []

    async def nothing(prompt: Any, params: Any, request_id: str) -> AsyncGenerator[Any, None]:
        names.extend(front.receiver._open)
        if fault is not None:
            raise fault
        return
        yield

    engine = SimpleNamespace(generate=nothing)
    front.wrap(engine)

    async def run() -> None:
        CURRENT.set(Answers())
        # One that is never begun, and one that brings nothing.
        engine.generate("x", asking(), "1")
        async for _ in engine.generate("x", asking(), "2"):
            raise AssertionError

    try:
        if fault is None:
            asyncio.run(run())
        else:
            with pytest.raises(RuntimeError, match="refused"):
                asyncio.run(run())
        assert len(names) == 1
        assert not front.receiver._open
    finally:
        front.receiver.close()
    assert not Path("socket").exists()
