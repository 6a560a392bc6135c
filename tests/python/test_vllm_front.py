"""Findings in the answers of vLLM's server, with the engine and the server's routes made up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import groundwire as gw
from groundwire.config import Config
from groundwire.integrations.serving import Registry
from groundwire.integrations.vllm import loading, middleware, settings
from groundwire.integrations.vllm.attached import Attached
from groundwire.integrations.vllm.datagrams import Reading, Sender
from groundwire.integrations.vllm.loading import Loaded
from groundwire.integrations.vllm.stream import Stream

CONTRADICTED = "The Harbour Museum was founded in 1992. It is open."
NOTE = " (Correction: 1987, not 1992.)"
WITH_NOTE = CONTRADICTED.replace("1992.", "1992." + NOTE)
FINE = "The Harbour Museum was founded in 1987. It is open."
EVIDENCE = ["The Harbour Museum was founded in 1987."]


def loaded_of(socket: str = "", bar: float | None = None) -> Loaded:
    config = Config.load(
        environ={},
        serving={"requests_may_lower": True, "signals_socket": socket},
        stream={"group_confidence_bar": bar, "group_window": 4},
    )
    registry = Registry.load(config, tokenizer={i: bytes([i]) for i in range(256)})
    return Loaded(registry, lambda before, text: list(text.encode()), frozenset((0,)), 7, "m")


class Params(SimpleNamespace):
    """The parts of ``SamplingParams`` that are looked at."""

    def clone(self) -> Params:
        return Params(**self.__dict__)


def asking(kind: str = "DELTA", n: int = 1, **extra: Any) -> Params:
    return Params(
        output_kind=SimpleNamespace(name=kind),
        n=n,
        extra_args={"groundwire_evidence": EVIDENCE, **extra},
        stop_token_ids=[7],
        structured_outputs=None,
        ignore_eos=False,
    )


class Engine:
    """Writes the same text for every request, a few bytes at a time, then its end."""

    vllm_config: Any = None

    def __init__(self, text: str, tell: Any = None, finish: str = "stop") -> None:
        self.finish = finish
        self.text, self.tell, self.closed, self.params = text, tell, 0, []

    async def generate(
        self, prompt: Any, sampling_params: Any, request_id: str, **more: Any
    ) -> AsyncGenerator[Any, None]:
        self.params.append(sampling_params)
        ids, kind = (
            [*self.text.encode(), *([0] if self.finish == "stop" else [])],
            sampling_params.output_kind.name,
        )
        sent = 0
        try:
            for end in [*range(5, len(ids), 5), len(ids)]:
                if self.tell is not None:
                    self.tell(sampling_params, sent, end)
                over = end == len(ids)
                if kind == "FINAL_ONLY" and not over:
                    continue
                given = ids[sent:end] if kind == "DELTA" else ids[:end]
                sent = end
                yield SimpleNamespace(
                    outputs=[
                        SimpleNamespace(
                            index=i,
                            token_ids=given,
                            finish_reason=self.finish if over else None,
                            stop_reason=None,
                        )
                        for i in range(sampling_params.n)
                    ]
                )
        finally:
            self.closed += 1


class Server:
    """vLLM's server as the gate sees it: calls the engine, and sends JSON or events."""

    def __init__(self, engine: Engine, params: Params, kind: str, path: str) -> None:
        self.state = SimpleNamespace(engine_client=engine)
        self.params, self.kind, self.path = params, kind, path

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        engine = scope["app"].state.engine_client
        outputs = engine.generate("p", self.params, "r", priority=0)
        events = self.kind == "events"
        headers = [
            (b"content-type", b"text/event-stream" if events else b"application/json"),
            (b"content-length", b"999"),
        ]
        if events:
            headers.pop()
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async for _ in outputs:
            if events:
                chunk = {"id": "c", "object": "chunk", "created": 1, "model": "m", "choices": [1]}
                body = f"data: {json.dumps(chunk)}\n\n".encode()
                await send({"type": "http.response.body", "body": body, "more_body": True})
        if not events:
            for piece in (b'{"id": "c", "cho', b'ices": []}'):
                more = piece.startswith(b"{")
                await send({"type": "http.response.body", "body": piece, "more_body": more})
            return
        ends = {
            "/v1/responses": b'event: response.completed\ndata: {"response": {"id": "x"}}\n\n',
            "/v1/messages": b'event: message_stop\ndata: {"type": "message_stop"}\n\n',
        }
        last = ends.get(self.path, b"data: [DONE]\n\n")
        await send({"type": "http.response.body", "body": last, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def ask(
    monkeypatch: pytest.MonkeyPatch,
    engine: Engine,
    params: Params,
    kind: str = "json",
    path: str = "/v1/chat/completions",
    loaded: Loaded | None = None,
    asked: dict[str, Any] | None = None,
) -> tuple[dict[bytes, bytes], bytes]:
    monkeypatch.delenv(middleware.KEYS, raising=False)
    monkeypatch.delenv(settings.STOP_ID, raising=False)
    given = loaded or loaded_of()
    monkeypatch.setattr(loading, "load", lambda _: given)
    server = Server(engine, params, kind, path)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": json.dumps(asked or {}).encode()}

    scope = {"type": "http", "method": "POST", "path": path, "headers": [], "app": server}
    gate = middleware.Gate(server)
    asyncio.run(gate(scope, receive, send))
    if gate._front is not None and gate._front.receiver is not None:
        gate._front.receiver.close()
    assert engine.closed == 1
    return dict(sent[0]["headers"]), b"".join(m.get("body", b"") for m in sent[1:])


@pytest.mark.parametrize(
    ("names", "status"),
    [(["other:Processor"], 503), (["groundwire.integrations.vllm:GroundwireLogitsProcessor"], 200)],
)
def test_an_engine_that_checks_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch, names: list[str], status: int
) -> None:
    monkeypatch.setattr(loading, "load", lambda _: loaded_of())
    monkeypatch.delenv(middleware.KEYS, raising=False)
    engine = Engine(CONTRADICTED)
    engine.vllm_config = SimpleNamespace(model_config=SimpleNamespace(logits_processors=names))
    server = Server(engine, asking(), "json", "/v1/completions")
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"{}"}

    scope = {"type": "http", "method": "POST", "path": "/v1/completions", "headers": []}
    asyncio.run(middleware.Gate(server)({**scope, "app": server}, receive, send))
    assert sent[0]["status"] == status
    body = b"".join(message.get("body", b"") for message in sent[1:])
    assert (b"--logits-processors" in body) == (status == 503)


def test_structured_output_says_that_it_was_only_observed(monkeypatch: pytest.MonkeyPatch) -> None:
    params = asking()
    params.structured_outputs = SimpleNamespace(regex=".*")
    found = json.loads(ask(monkeypatch, Engine(CONTRADICTED), params)[1])["groundwire"]
    assert "structured output" in found["observed_only"] and found["findings"]
    found = json.loads(ask(monkeypatch, Engine(CONTRADICTED), asking())[1])["groundwire"]
    assert "observed_only" not in found


@pytest.mark.parametrize(
    "masks", [{"allowed_token_ids": list(range(256))}, {"bad_words": ["Correction"]}]
)
def test_what_only_masks_the_models_own_tokens_turns_nothing_off(
    monkeypatch: pytest.MonkeyPatch, masks: dict[str, Any]
) -> None:
    params = asking()
    params.__dict__.update(masks)
    found = json.loads(ask(monkeypatch, Engine(CONTRADICTED), params)[1])["groundwire"]
    assert "observed_only" not in found and found["findings"] and found["unsaid"]
    stream = loaded_of().open(params)
    assert isinstance(stream, Stream) and not stream.observes


@pytest.mark.parametrize("finish", ["length", "stop"])
@pytest.mark.parametrize("kind", ["DELTA", "CUMULATIVE", "FINAL_ONLY"])
def test_a_note_that_the_end_cuts_through_is_told_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, kind: str, finish: str
) -> None:
    begin = WITH_NOTE.index(NOTE)
    for size in range(begin, len(WITH_NOTE) + 1):
        engine = Engine(WITH_NOTE[:size], finish=finish)
        found = json.loads(ask(monkeypatch, engine, asking(kind))[1])["groundwire"]
        whole = size >= begin + len(NOTE)
        assert found.get("unsaid", "").strip() == ("" if whole else NOTE.strip()), size
        assert found["findings"]


@pytest.mark.parametrize("finish", ["length", "stop"])
def test_a_number_that_a_limit_cut_is_not_judged(
    monkeypatch: pytest.MonkeyPatch, finish: str
) -> None:
    text = "It is open. The Harbour Museum was founded in 198"
    engine = Engine(text, finish=finish)
    found = json.loads(ask(monkeypatch, engine, asking())[1])["groundwire"]
    assert bool(found["findings"]) is bool(found.get("unsaid")) is (finish == "stop")


@pytest.mark.parametrize("finish", ["length", "abort"])
@pytest.mark.parametrize(
    ("end", "judged"),
    [(" 1992", False), (" 1992 by", True), (" 1992 b", False), (" 1992.", True), (" the", False)],
)
def test_what_stands_before_a_cut_is_judged_as_in_a_loop(
    monkeypatch: pytest.MonkeyPatch, end: str, judged: bool, finish: str
) -> None:
    text = "The Harbour Museum was founded in" + end
    found = json.loads(ask(monkeypatch, Engine(text, finish=finish), asking())[1])["groundwire"]
    assert bool(found["findings"]) is bool(found.get("unsaid")) is judged
    ids = iter(text.encode())
    events = gw.guard(
        lambda _: next(ids, None),
        [1],
        monitor=gw.Monitor(tokenizer={i: bytes([i]) for i in range(256)}),
        max_tokens=len(text),
        evidence=EVIDENCE,
        policy=gw.Policy.observe(),
    )
    report = list(events)[-1].report
    assert report is not None and report.stopped == "length"
    assert found["stopped"] == finish
    assert [f.text for f in report.findings] == [f["text"] for f in found["findings"]]


@pytest.mark.parametrize("kind", ["DELTA", "CUMULATIVE", "FINAL_ONLY"])
@pytest.mark.parametrize(
    ("text", "wrong"), [(CONTRADICTED, True), (WITH_NOTE, True), (FINE, False)]
)
def test_a_whole_answer_has_what_was_found(
    monkeypatch: pytest.MonkeyPatch, kind: str, text: str, wrong: bool
) -> None:
    headers, body = ask(monkeypatch, Engine(text), asking(kind))
    assert headers[b"content-length"] == str(len(body)).encode()
    found = json.loads(body)["groundwire"]
    assert found["policy"] == "default"
    assert found["checked"] is True
    assert bool(found["findings"]) is wrong
    assert [f["text"] for f in found["findings"]][:1] == (["1992"] if wrong else [])
    # The note is ours: it is not judged, and where it stands nothing is left to say.
    assert ("unsaid" in found) is (text == CONTRADICTED)


def test_the_last_sentence_is_judged_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    _, body = ask(monkeypatch, Engine("The Harbour Museum was founded in 1992."), asking())
    found = json.loads(body)["groundwire"]
    assert {f["text"] for f in found["findings"]} == {"1992"}
    assert "Correction: 1987" in found["unsaid"]


@pytest.mark.parametrize("path", ["/v1/completions", "/v1/responses", "/v1/messages"])
def test_a_stream_ends_with_what_was_found(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    headers, body = ask(monkeypatch, Engine(CONTRADICTED), asking(), "events", path)
    assert b"content-length" not in headers
    events = body.decode().strip().split("\n\n")
    if path == "/v1/completions":
        assert events[-1] == "data: [DONE]"
        last = json.loads(events[-2].removeprefix("data: "))
        assert (last["id"], last["model"], last["choices"]) == ("c", "m", [])
    else:
        last = json.loads(events[-1].rpartition("data: ")[2])
        last = last.get("response", last)
    assert last["groundwire"]["findings"][0]["text"] == "1992"
    assert sum("groundwire" in event for event in events) == 1


def test_several_texts_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    _, body = ask(monkeypatch, Engine(CONTRADICTED), asking(n=3))
    found = json.loads(body)["groundwire"]
    assert len(found["texts"]) == 3
    assert all(one["findings"] for one in found["texts"])
    assert found["tier"] == found["texts"][0]["tier"]


def test_what_is_not_checked_says_so_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    _, body = ask(monkeypatch, Engine(CONTRADICTED), asking(groundwire="off"))
    found = json.loads(body)["groundwire"]
    assert found == {"policy": "off", "checked": False}
    # An id that no vocabulary has: the text is lost, the answer is not.
    engine = Engine("")
    engine.text = SimpleNamespace(encode=lambda: [65, 66, 300, 67])  # type: ignore[assignment]
    _, body = ask(monkeypatch, engine, asking())
    found = json.loads(body)["groundwire"]
    assert found["checked"] is False
    assert "300" in found["unchecked_because"]


def test_a_fault_here_takes_no_answer_away(monkeypatch: pytest.MonkeyPatch) -> None:
    from groundwire.integrations.vllm import front

    def broken(_: Any) -> int:
        raise RuntimeError("torn")

    monkeypatch.setattr(front, "follow", broken)
    _, body = ask(monkeypatch, Engine(CONTRADICTED), asking())
    assert json.loads(body)["groundwire"]["checked"] is False


@pytest.mark.parametrize(("confidence", "unsure"), [(2.0, True), (9.0, False)])
def test_signals_of_the_worker_are_merged_by_id(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    confidence: float,
    unsure: bool,
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("s"))
    sender = Sender("socket")
    numbers = {"entropy": 1.0, "varentropy": 1.0, "margin": 0.1, "confidence": confidence}

    def tell(params: Any, begin: int, end: int) -> None:
        name = params.extra_args["groundwire_id"]
        assert params.extra_args["groundwire_signals"] == 1
        sender.send([Reading(name, i, numbers) for i in range(begin, end)])
        sender.send([Reading("somebody else", begin, numbers)])

    params = asking(groundwire_id="mine")
    engine = Engine(FINE, tell)
    _, body = ask(monkeypatch, engine, params, loaded=loaded_of("socket", bar=5.0))
    found = json.loads(body)["groundwire"]
    assert found["client_id"] == "mine"
    assert ("stream.low_confidence" in [f["type"] for f in found["findings"]]) is unsure
    assert params.extra_args["groundwire_id"] == "mine"
    assert not Path("socket").exists()
    sender.close()


@pytest.mark.parametrize("how", ["completed", "incomplete", "failed"])
def test_however_a_response_ends_its_last_event_has_what_was_found(how: str) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        answers = SimpleNamespace(summary=lambda: {"tier": "high"})
        wrapped = Attached(send, answers)  # type: ignore[arg-type]
        headers = [(b"content-type", b"text/event-stream")]
        await wrapped({"type": "http.response.start", "status": 200, "headers": headers})
        kind = f"response.{how}"
        last = f"event: {kind}\ndata: {json.dumps({'type': kind, 'response': {}})}\n\n"
        await wrapped({"type": "http.response.body", "body": last.encode(), "more_body": True})

    asyncio.run(run())
    data = json.loads(sent[-1]["body"].partition(b"data: ")[2])
    assert data["response"] == {"groundwire": {"tier": "high"}}
