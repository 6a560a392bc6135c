"""Generation with llama-cpp-python under guard, with its key-value cache rolled back.

    from llama_cpp import Llama
    from groundwire.integrations.llama_cpp import generate, vocabulary

    llm = Llama("model.gguf", n_ctx=2048, verbose=False)
    monitor = gw.Monitor(tokenizer=vocabulary(llm))
    report = generate(llm, "…", monitor=monitor, evidence=passages, temp=0.0)
    print(report.released)

The loop is ``groundwire.guard`` over ``Llama.generate``: after a rewrite, generation begins again
behind the text that was put in, and llama.cpp keeps the cache of what both have in common. The
sampler begins again as well, so that penalties count from there and a seed draws anew.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from groundwire._core import Vocab
from groundwire.errors import ArgumentError
from groundwire.integrations._extra import need
from groundwire.loop import Event, guard
from groundwire.policy import Policy

if TYPE_CHECKING:
    from groundwire.monitor import Monitor
    from groundwire.report import Report

_llama = need("llama_cpp", "llama-cpp")
_formats = need("llama_cpp.llama_chat_format", "llama-cpp")
_REWRITES_NOTHING = {"accept", "annotate"}


def vocabulary(llm: Any) -> Vocab:
    """Return the tokens of a ``Llama``, for ``Monitor(tokenizer=…)``.

    Raises ``ArgumentError`` if it is no ``Llama``.
    """
    vocab = _vocab_of(llm)
    entries = []
    for token in range(llm.n_vocab()):
        special = _llama.llama_vocab_is_control(vocab, token) or _eog(vocab, token)
        entries.append((token, _piece(vocab, token), special))
    return Vocab.from_entries(entries)


def stream(
    llm: Any,
    prompt: str | Sequence[int] | Sequence[Mapping[str, Any]],
    *,
    monitor: Monitor,
    max_tokens: int = 512,
    signals: bool = True,
    given: Mapping[str, Any] | None = None,
    **sampling: Any,
) -> Iterator[Event]:
    """Yield the events of ``groundwire.guard`` over a running ``Llama``.

    Args:
        llm: the model; nobody else may use it meanwhile.
        prompt: text, token ids, or messages for the model's own chat template.
        monitor: a ``Monitor`` built with ``vocabulary(llm)``.
        max_tokens: most tokens of the answer, at least 1; the context ends it as well.
        signals: whether rows of logits are read, as the sampler gets them (before penalties,
            temperature and the caller's own processors).
        given: more of what ``groundwire.guard`` takes: ``hooks``, ``policy``, ``regeneration`` …;
            ``evidence``, ``history`` and ``question`` may also stand beside it.
        sampling: what ``Llama.generate`` takes (``temp``, ``top_k``, ``logits_processor`` …).

    Raises:
        ArgumentError: it is no ``Llama``, the prompt has no tokens or does not fit the context,
            messages have no template, or a ``grammar`` meets a policy that rewrites: what is put
            in would not follow it.

    """
    given = dict(given or {})
    given |= {n: sampling.pop(n) for n in ("evidence", "history", "question") if n in sampling}
    policy = given.get("policy") or monitor.policy
    policy = policy if isinstance(policy, Policy) else Policy.from_mapping(policy)
    given["policy"] = policy
    actions = {policy.low, policy.medium, policy.high, policy.critical}
    if sampling.get("grammar") is not None and not actions <= _REWRITES_NOTHING:
        raise ArgumentError("text that is put in would break the grammar: use Policy.observe()")
    ids = _ids(llm, prompt)
    if not 0 < len(ids) < llm.n_ctx():
        raise ArgumentError(f"a prompt has 1 to {llm.n_ctx() - 1} tokens here, not {len(ids)}")
    vocab = _vocab_of(llm)
    return guard(
        _Model(llm, sampling, signals),
        ids,
        monitor=monitor,
        encode=lambda text: llm.tokenize(text.encode(), add_bos=False, special=False),
        stop_ids=[token for token in range(llm.n_vocab()) if _eog(vocab, token)],
        max_tokens=max_tokens,
        **given,
    )


def generate(llm: Any, prompt: Any, *, monitor: Monitor, **how: Any) -> Report:
    """Let ``llm`` answer under guard; return the report, with the answer in ``released``.

    Arguments and errors are those of ``stream``.
    """
    *_, last = stream(llm, prompt, monitor=monitor, **how)
    assert last.report is not None
    return last.report


class _Model:
    """Gives the next token for whatever ids are asked about."""

    def __init__(self, llm: Any, sampling: dict[str, Any], signals: bool) -> None:
        own = sampling.pop("logits_processor", None) or ()
        processors = [self._keep, *own] if signals else list(own)
        how = {"logits_processor": _llama.LogitsProcessorList(processors)} if processors else {}
        self._llm, self._how = llm, {**sampling, **how}
        self._fed: list[int] = []
        self._tokens: Iterator[int] = iter(())
        self._row: Any = None

    def __call__(self, ids: list[int]) -> Any:
        if len(ids) >= self._llm.n_ctx():
            return None
        if ids != self._fed:
            self._tokens = self._llm.generate(ids, **self._how)
        token = next(self._tokens, None)
        self._fed = [*ids, token] if token is not None else []
        return token if token is None or self._row is None else (token, self._row)

    def _keep(self, _: Any, row: Any) -> Any:
        self._row = row.copy()
        return row


def _ids(llm: Any, prompt: Any) -> list[int]:
    if isinstance(prompt, str):
        return list(llm.tokenize(prompt.encode(), add_bos=True, special=True))
    items = list(prompt)
    if not items or not isinstance(items[0], Mapping):
        return items
    template = llm.metadata.get("tokenizer.chat_template")
    if template is None:
        raise ArgumentError("this model has no chat template; pass the prompt as text")
    vocab = _vocab_of(llm)
    bos, eos = (
        _piece(vocab, t).decode() if t >= 0 else "" for t in (llm.token_bos(), llm.token_eos())
    )
    form = _formats.Jinja2ChatFormatter(template=template, bos_token=bos, eos_token=eos)
    return list(llm.tokenize(form(messages=items).prompt.encode(), add_bos=False, special=True))


def _vocab_of(llm: Any) -> Any:
    if not isinstance(llm, _llama.Llama):
        raise ArgumentError(f"a llama_cpp.Llama is guarded, not {llm!r:.60}")
    return _llama.llama_model_get_vocab(llm.model)


def _eog(vocab: Any, token: int) -> bool:
    return bool(_llama.llama_vocab_is_eog(vocab, token))


def _piece(vocab: Any, token: int) -> bytes:
    for size in (64, 4096):
        room = ctypes.create_string_buffer(size)
        length = _llama.llama_token_to_piece(vocab, token, room, size, 0, True)
        if length >= 0:
            return room.raw[:length]
    return b""
