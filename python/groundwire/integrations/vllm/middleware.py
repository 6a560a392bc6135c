"""The server's gate: only routes that are known to be checked, and findings in their answers.

It runs before the server's own authentication, so it checks the key before it reads a body.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations.vllm import loading
from groundwire.integrations.vllm.attached import Attached
from groundwire.integrations.vllm.bodies import arguments_in, keeps_form, refuse_misplaced
from groundwire.integrations.vllm.front import CURRENT, Answers, Front
from groundwire.integrations.vllm.questions import questions
from groundwire.integrations.vllm.settings import reserved_stop_id

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

KEYS = "GROUNDWIRE_VLLM_KEYS"
"""Environment variable with SHA-256 hashes of the server's keys, separated by commas."""
GENERATING: dict[str, tuple[str, ...] | None] = {
    "/v1/chat/completions": (),
    "/v1/chat/completions/batch": (),
    "/v1/completions": (),
    "/v1/responses": None,
    "/v1/messages": None,
    "/invocations": (),
    "/inference/v1/generate": ("sampling_params",),
}
"""Routes that generate, and where in the body ``stop_token_ids`` stands; ``None`` for nowhere."""
HARMLESS = frozenset(
    (
        "/tokenize",
        "/detokenize",
        "/v1/chat/completions/render",
        "/v1/completions/render",
        "/v1/responses/render",
        "/v1/messages/render",
        "/v1/messages/count_tokens",
        "/inference/v1/abort_requests",
        "/abort_requests",
        "/v1/embeddings",
        "/v2/embed",
        "/pooling",
        "/classify",
        "/score",
        "/v1/score",
        "/rerank",
        "/v1/rerank",
        "/v2/rerank",
        "/ping",
    )
)
UNCHECKED = (
    "nothing checks this engine's answers: start it with --logits-processors "
    "groundwire.integrations.vllm:GroundwireLogitsProcessor"
)
MAX_BODY = 64 * 1024 * 1024
"""Bytes of one request's body."""


class Gate:
    """ASGI middleware, for ``--middleware groundwire.integrations.vllm.middleware.Gate``.

    Reading routes (GET, HEAD, OPTIONS) and those that generate nothing pass. Routes that generate
    pass with the reserved stop id added to what they ask for, and their answers get an object
    ``groundwire`` with what was found. Anything else that posts, and websockets, are refused:
    nobody knows whether what they write is checked.
    """

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        """Wrap ``app``; reads the keys and the reserved id from the environment."""
        self._app = app
        self._stop_id = reserved_stop_id()
        self._keys = _key_hashes()
        self._front: Front | None = None
        self._unchecked = False
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not checked"})
            return
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        written = scope["path"].removeprefix(scope.get("root_path", ""))
        path = written.rstrip("/")
        if path in HARMLESS or path.startswith("/v1/responses/"):
            await self._app(scope, receive, send)
            return
        # With a slash behind it the server would send the client elsewhere, without a word.
        refusal = self._refusal(written if path in GENERATING else path, scope)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        answers = Answers()
        token = CURRENT.set(answers)
        try:
            await self._follow(scope)
            if self._unchecked:
                await _refuse(send, 503, UNCHECKED)
                return
            send = Attached(send, answers)
            await self._read(path, scope, receive, send, answers)
        finally:
            CURRENT.reset(token)

    async def _follow(self, scope: Scope) -> None:
        """At the first request, begin to follow what the server's engine client generates."""
        engine = getattr(getattr(scope.get("app"), "state", None), "engine_client", None)
        if engine is None or self._front is not None:
            return
        async with self._lock:
            if self._front is None:
                # Knowledge bases are read here a second time: this is another process.
                loaded = await asyncio.to_thread(loading.load, engine.vllm_config)
                self._front = Front(loaded)
                self._front.wrap(engine)
                self._unchecked = not loading.is_loaded(engine.vllm_config)

    def _refusal(self, path: str, scope: Scope) -> tuple[int, str] | None:
        """Return status and message of a request that is not let through, or ``None``."""
        if path not in GENERATING:
            known = ", ".join(GENERATING)
            return 403, (
                f"{path or '/'} is not let through: nothing checks what it writes. "
                f"Checked routes are {known}"
            )
        headers = {name.lower(): value for name, value in scope["headers"]}
        if self._keys and not self._known(headers.get(b"authorization", b"")):
            return 401, "the key is missing or not known: Authorization: Bearer …"
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            return 415, "send the body without a content encoding"
        return None

    async def _read(
        self, path: str, scope: Scope, receive: Receive, send: Send, answers: Answers
    ) -> None:
        """Pass a request on as it was read, with the reserved id among its stop ids."""
        body = await _read(receive)
        if body is None:
            await _refuse(send, 413, f"the body is larger than {MAX_BODY} bytes")
            return
        try:
            data = _object(body)
        except ValueError as error:
            await _refuse(send, 400, str(error))
            return
        if data.get("use_beam_search"):
            await _refuse(
                send,
                400,
                "use_beam_search writes each answer as many requests of one token, which nothing "
                "follows as one text: leave it out",
            )
            return
        where = GENERATING[path]
        try:
            passages = self._check(data, where)
        except ArgumentError as error:
            await _refuse(send, 400, str(error))
            return
        answers.questions = questions(data, passages)
        if self._stop_id is not None and where is not None:
            _add_stop_id(data, where, self._stop_id)
        # Written anew, so that the server cannot read it otherwise than it was read here. Escaped,
        # so that a lone surrogate stays what it was in the client's JSON.
        body = json.dumps(data).encode()
        kept = [(name, value) for name, value in scope["headers"] if name.lower() not in _LENGTHS]
        kept.append((b"content-length", str(len(body)).encode()))
        await self._app({**scope, "headers": kept}, _replay(body, receive), send)

    def _check(self, data: Mapping[str, Any], where: tuple[str, ...] | None) -> Sequence[str]:
        """Return the passages of a request; they are no part of what it asks.

        Raises ``ArgumentError`` for what its body may not say to groundwire.
        """
        refuse_misplaced(data)
        given, place = arguments_in(data, where or ())
        if self._front is None:
            return ()
        return self._front.check(given, formed=keeps_form(place))

    def _known(self, given: bytes) -> bool:
        scheme, _, key = given.partition(b" ")
        if scheme.lower() != b"bearer":
            return False
        digest, found = hashlib.sha256(key).digest(), False
        for one in self._keys:
            found |= secrets.compare_digest(digest, one)
        return found


_LENGTHS = (b"content-length", b"transfer-encoding")


def hashed(key: str) -> str:
    """Return the hash by which a key is handed to the server's processes."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def _key_hashes() -> tuple[bytes, ...]:
    found = [bytes.fromhex(one) for one in os.environ.get(KEYS, "").split(",") if one.strip()]
    own = os.environ.get("VLLM_API_KEY")
    return (*found, *([bytes.fromhex(hashed(own))] if own else []))


async def _read(receive: Receive) -> bytes | None:
    """Return the whole body, or ``None`` if it is too large."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if message["type"] != "http.request" or not message.get("more_body", False):
            return body


def _object(body: bytes) -> dict[str, Any]:
    """Return a request's body; raises ``ValueError``, in words for the client, if it is none."""
    # What reads JSON in the server takes UTF-16 and UTF-32 too, which no look at bytes sees.
    if json.detect_encoding(body) not in {"utf-8", "utf-8-sig"}:
        raise ValueError("the body is JSON in UTF-8, not in another encoding")
    try:
        data = json.loads(body)
    except RecursionError:
        raise ValueError("the body is nested too deeply to be read") from None
    except ValueError as error:
        raise ValueError(f"the body is not JSON in UTF-8: {error!s:.200}") from None
    if not isinstance(data, dict):
        raise ValueError("the body is a JSON object")
    return data


def _add_stop_id(data: dict[str, Any], where: tuple[str, ...], stop_id: int) -> None:
    """Put the id among a body's ``stop_token_ids``; what has no place for them stays."""
    place: Any = data
    for name in where:
        place = place.get(name) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        return
    listed = place.get("stop_token_ids") or []
    if isinstance(listed, list) and stop_id not in listed:
        place["stop_token_ids"] = [*listed, stop_id]


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that gives ``body`` first, then what else comes (a disconnect)."""
    left = [body]

    async def again() -> MutableMapping[str, Any]:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return again


async def _refuse(send: Send, status: int, message: str) -> None:
    kinds = {401: "AuthenticationError", 403: "PermissionDeniedError"}
    kind = kinds.get(status, "BadRequestError")
    body = json.dumps({"error": {"message": message, "type": kind, "code": status}}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
