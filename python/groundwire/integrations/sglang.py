"""SGLang's custom logit processor: watches the answers of a running engine, and can end them.

Start the server with ``--enable-custom-logit-processor`` in an environment that has groundwire, and
``GROUNDWIRE_CONFIG`` naming a configuration (policies and knowledge bases: section ``serving``).
Each request that is to be watched says so::

    from groundwire.integrations.sglang import GroundwireLogitProcessor

    {"text": …, "sampling_params": {"custom_params": {"groundwire": {"evidence": […]}}},
     "custom_logit_processor": GroundwireLogitProcessor.to_str()}

Without ``custom_params`` (a mapping, maybe empty) SGLang does not say which request a row belongs
to, and it is not watched. A finding of a tier whose action is ``interrupt`` or ``discard`` ends the
answer by the engine's own end token; all findings are told, masked, to the log
``groundwire.integrations.sglang``.
Text that has left stays: to hold it back put the gateway in front of the engine. Under a grammar
answers are only watched. The engine's pipelining may show a token one step late.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations._extra import need
from groundwire.integrations._sglang import LOG, Unwatched, Watched, mark_of
from groundwire.integrations.serving import Registry

_Processor: Any = need("sglang.srt.sampling.custom_logit_processor", None).CustomLogitProcessor
KEPT = 4096
"""Requests whose sessions are kept; one that comes again after that is read anew."""


class GroundwireLogitProcessor(_Processor):
    """Watches rows of a batch; see the module.

    SGLang makes instances at will, so that nothing is kept in one. No exception leaves a call: it
    would end the engine. A request that cannot be followed is named in the log, once, and goes on
    unwatched.
    """

    def __call__(self, logits: Any, custom_param_list: Sequence[Any] | None = None) -> Any:
        """Return ``logits``, of shape (rows, vocabulary), with rows that are to end masked."""
        size = logits.shape[-1]
        for row, params in enumerate(custom_param_list or ()):
            request = params.get("__req__") if isinstance(params, dict) else None
            if request is None:
                continue
            ends = [token for token in _ends(request, params) if 0 <= token < size]
            if ends:
                logits[row] = float("-inf")
                logits[row, ends] = 0.0
        return logits


class _Tokenizer:
    """A tokenizer as the key of a cache, whatever it is equal to."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tokenizer) and self.tokenizer is other.tokenizer

    def __hash__(self) -> int:
        return id(self.tokenizer)


_WATCHED: OrderedDict[str, Watched | Unwatched] = OrderedDict()
"""By the request's id, which another request may bear later: see ``mark_of``."""


@lru_cache(maxsize=1)
def _registry(key: _Tokenizer) -> Registry:
    """Return policies and knowledge bases, loaded once, in the process that samples."""
    return Registry.load(tokenizer=key.tokenizer)


def _ends(request: Any, params: dict[str, Any]) -> list[int]:
    """Return the ids one of which ends the answer now, or none."""
    rid = None
    try:
        rid = str(request.rid)
        watched = _watched(rid, request, params.get("groundwire"))
        if isinstance(watched, Unwatched) or watched.session is None:
            return []
        return watched.ends if watched.follow(list(request.output_ids)) else []
    except BaseException as error:  # a panic of the extension is no Exception
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        if rid is None:
            _nameless(type(error).__name__)
        else:
            LOG.exception("request %s is not watched any more", rid)
            _WATCHED[rid] = Unwatched(mark_of(request))
        return []


@lru_cache(maxsize=16)
def _nameless(kind: str) -> None:
    """Say once for each kind of error that a request cannot be told from others."""
    LOG.error("a request without an id is not watched: %s", kind)


def _watched(rid: str, request: Any, options: Any) -> Watched | Unwatched:
    mark = mark_of(request)
    if rid not in _WATCHED or _WATCHED[rid].mark != mark:
        registry = _registry(_Tokenizer(request.tokenizer))
        try:
            _WATCHED[rid] = Watched(registry, request, options, mark)
        except ArgumentError as error:
            # It is too late to refuse the request: what holds without options holds for it.
            LOG.warning("request %s: %s; watched as the server has it", rid, error)
            _WATCHED[rid] = Watched(registry, request, None, mark)
        while len(_WATCHED) > KEPT:
            _WATCHED.popitem(last=False)
    _WATCHED.move_to_end(rid)
    return _WATCHED[rid]
