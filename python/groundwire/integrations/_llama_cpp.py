"""The tokens of a model that llama-cpp-python runs."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from groundwire._core import Vocab
from groundwire.errors import ArgumentError
from groundwire.integrations._extra import need

_llama = need("llama_cpp", "llama-cpp")
_formats = need("llama_cpp.llama_chat_format", "llama-cpp")


def vocabulary(llm: Any) -> Vocab:
    """Return the tokens of a ``Llama``, for ``Monitor(tokenizer=…)``.

    Raises ``ArgumentError`` if it is no ``Llama``.
    """
    vocab = vocab_of(llm)
    entries = []
    for token in range(llm.n_vocab()):
        special = _llama.llama_vocab_is_control(vocab, token) or ends(vocab, token)
        entries.append((token, _piece(vocab, token), special))
    return Vocab.from_entries(entries)


def prompt_ids(llm: Any, prompt: Any) -> list[int]:
    """Return the ids of text, of ids, or of messages in the model's own template.

    Raises ``ArgumentError`` where messages have no template.
    """
    if isinstance(prompt, str):
        return list(llm.tokenize(prompt.encode(), add_bos=True, special=True))
    items = list(prompt)
    if not items or not isinstance(items[0], Mapping):
        return items
    template = llm.metadata.get("tokenizer.chat_template")
    if template is None:
        raise ArgumentError("this model has no chat template; pass the prompt as text")
    vocab = vocab_of(llm)
    bos, eos = (
        _piece(vocab, t).decode() if t >= 0 else "" for t in (llm.token_bos(), llm.token_eos())
    )
    form = _formats.Jinja2ChatFormatter(template=template, bos_token=bos, eos_token=eos)
    return list(llm.tokenize(form(messages=items).prompt.encode(), add_bos=False, special=True))


def vocab_of(llm: Any) -> Any:
    """Return llama.cpp's own vocabulary; raises ``ArgumentError`` if there is no ``Llama``."""
    if not isinstance(llm, _llama.Llama):
        raise ArgumentError(f"a llama_cpp.Llama is guarded, not {llm!r:.60}")
    return _llama.llama_model_get_vocab(llm.model)


def ends(vocab: Any, token: int) -> bool:
    """Return whether a token ends an answer."""
    return bool(_llama.llama_vocab_is_eog(vocab, token))


def _piece(vocab: Any, token: int) -> bytes:
    for size in (64, 4096):
        room = ctypes.create_string_buffer(size)
        length = _llama.llama_token_to_piece(vocab, token, room, size, 0, True)
        if length >= 0:
            return room.raw[:length]
    return b""
