"""Reads the tokenizer a caller has into the id → bytes table that the core follows streams with.

What was passed is recognised by what it can do. Nothing here imports a tokenizer framework but for
a file with added tokens that are read otherwise from version to version (`_from_json`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from groundwire._core import Decoder, Vocab
from groundwire._files import path_of
from groundwire.errors import ArgumentError

#: One token: its id, its bytes, whether it is special (gives no bytes).
Entry = tuple[int, bytes, bool]

_NORMALISER = re.compile(r'"normalizer"\s*:\s*\{')
_NORMALISED = re.compile(r'"normalized"\s*:\s*true\s*,\s*"special"\s*:\s*false')

_ACCEPTED = (
    "a groundwire Vocab, the path or content of a tokenizer.json, a tokenizers.Tokenizer, "
    "a transformers tokenizer, a sentencepiece processor, a tiktoken.Encoding, a mapping of id to "
    "bytes, or a sequence of (id, bytes, special) entries"
)


def vocabulary(tokenizer: Any) -> Vocab:
    """Return the id → bytes table of ``tokenizer``.

    Args:
        tokenizer: a :class:`Vocab` (returned as it is); the path of a ``tokenizer.json`` or of the
            folder that holds one, or its content as ``str`` or ``bytes``; a
            ``tokenizers.Tokenizer``; a transformers tokenizer (one with a Rust backend, or one
            that runs a sentencepiece model); a ``sentencepiece.SentencePieceProcessor``; a
            ``tiktoken.Encoding``; a mapping of token id to ``bytes``, ``str`` or
            ``(bytes, special)``; a sequence whose items are ``bytes`` or ``str`` (the id is the
            position, ``None`` leaves a hole), ``(id, bytes)`` or ``(id, bytes, special)``.

    Returns:
        The table. It gives the bytes that the tokenizer's own decoding gives with special tokens
        skipped and no clean-up of spaces beyond what its decoder does itself.

    Raises:
        ArgumentError: the argument is none of these, or its decoder is not supported.
        FormatError: the JSON is broken or no tokenizer's.

    """
    if isinstance(tokenizer, Vocab):
        return tokenizer
    if isinstance(tokenizer, bytes) or (
        isinstance(tokenizer, str) and tokenizer.lstrip().startswith("{")
    ):
        return _from_json(tokenizer)
    if isinstance(tokenizer, str | os.PathLike):
        return _from_path(Path(tokenizer))
    for read in (_from_tokenizers, _from_tiktoken, _from_sentencepiece):
        table = read(tokenizer)
        if table is not None:
            return table
    if isinstance(tokenizer, Mapping):
        return _from_entries(_item(key, value) for key, value in tokenizer.items())
    if isinstance(tokenizer, Iterable) and not _is_tokenizer(tokenizer):
        items = enumerate(tokenizer)
        return _from_entries(_item(at, item) for at, item in items if item is not None)
    kind = f"{type(tokenizer).__module__}.{type(tokenizer).__qualname__}"
    hint = (
        "; its text rules live in Python code, so load the fast version of this tokenizer"
        if _is_tokenizer(tokenizer)
        else ""
    )
    raise ArgumentError(f"cannot read a vocabulary from {kind}{hint}; pass {_ACCEPTED}")


def _from_entries(items: Iterable[tuple[Any, ...]]) -> Vocab:
    entries = [_entry(item) for item in items]
    if not entries:
        raise ArgumentError(
            "the tokenizer has no tokens, so no token id would mean anything; leave it out to "
            f"follow text alone, or pass {_ACCEPTED}"
        )
    return Vocab.from_entries(entries)


def _is_tokenizer(candidate: Any) -> bool:
    return callable(getattr(candidate, "convert_ids_to_tokens", None))


def _from_path(path: Path) -> Vocab:
    path = path_of(path, "a tokenizer")
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        return _from_json(file.read_bytes())
    except OSError as error:
        raise ArgumentError(
            f"cannot read the tokenizer file {str(file)!r}: {error.strerror or error}"
        ) from error


def _from_json(content: str | bytes) -> Vocab:
    """Read a tokenizer's file, as the ``tokenizers`` installed here reads it.

    Only a file in which added tokens that are not special take part in normalisation is given to
    it: from 0.23 on it decodes those from a form that the file does not hold. Where it is not
    installed they read as they are written.
    """
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    if _NORMALISED.search(text) and _NORMALISER.search(text):
        try:
            from tokenizers import Tokenizer

            backend = Tokenizer.from_str(text)
        except Exception:
            # Not there, or it says no: the core says what is wrong with the file.
            return Vocab.from_json(content)
        return Vocab.from_json(_with_shown_tokens(backend, text))
    return Vocab.from_json(content)


def _from_tokenizers(tokenizer: Any) -> Vocab | None:
    """Read a ``tokenizers.Tokenizer``, or the one inside a transformers tokenizer."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    to_str = getattr(backend, "to_str", None)
    if not callable(to_str) or not callable(getattr(backend, "id_to_token", None)):
        return None
    try:
        content = to_str()
    except Exception as error:
        raise ArgumentError(
            f"the tokenizer cannot be written as JSON ({error}); a decoder written in Python has "
            "to be replaced by a built-in one"
        ) from error
    return Vocab.from_json(_with_shown_tokens(backend, content))


def _with_shown_tokens(backend: Any, content: str) -> str:
    """Let added tokens read as this tokenizer reads them.

    From tokenizers 0.23 on, an added token that takes part in normalisation is decoded from its
    normalised form, which the file does not hold.
    """
    list_added = getattr(backend, "get_added_tokens_decoder", None)
    added = list_added() if callable(list_added) else {}
    shown = {
        token: text
        for token, entry in added.items()
        if not entry.special and (text := backend.id_to_token(token)) != entry.content
    }
    if not shown:
        return content
    file = json.loads(content)
    for entry in file["added_tokens"]:
        entry["content"] = shown.get(entry["id"], entry["content"])
    return json.dumps(file)


def _from_tiktoken(encoding: Any) -> Vocab | None:
    token_bytes = getattr(encoding, "decode_single_token_bytes", None)
    if not callable(token_bytes) or not hasattr(encoding, "max_token_value"):
        return None
    special = {encoding.encode_single_token(name) for name in encoding.special_tokens_set}
    entries: list[Entry] = []
    for token in range(encoding.max_token_value + 1):
        try:
            entries.append((token, token_bytes(token), token in special))
        except KeyError:  # an id without a token
            continue
    return Vocab.from_entries(entries)


def _from_sentencepiece(tokenizer: Any) -> Vocab | None:
    """Read a sentencepiece processor, or the one inside a transformers tokenizer."""
    model = getattr(tokenizer, "sp_model", tokenizer)
    if not all(callable(getattr(model, name, None)) for name in ("id_to_piece", "is_control")):
        return None
    if model is tokenizer:
        size = int(model.get_piece_size())
        pieces = [model.id_to_piece(token) for token in range(size)]
        special = {t for t in range(size) if model.is_control(t) or model.is_unknown(t)}
        contents = dict(enumerate(pieces))
    else:
        # Ids of the transformers tokenizer may be shifted against those of the model.
        contents = {token: piece for piece, token in tokenizer.get_vocab().items()}
        special = set(tokenizer.all_special_ids)
    marked = [
        {"id": token, "content": contents[token], "special": True}
        for token in sorted(special & contents.keys())
    ]
    steps: list[dict[str, Any]] = [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    file = {
        "added_tokens": marked,
        "decoder": {"type": "Sequence", "decoders": steps},
        "model": {"vocab": {piece: token for token, piece in contents.items()}},
    }
    return Vocab.from_json(json.dumps(file))


def _item(key: Any, value: Any) -> tuple[Any, ...]:
    """Bring one item of a mapping or sequence into the order id, bytes, special."""
    if isinstance(value, bytes | str):
        return (key, value)
    if isinstance(value, list | tuple):
        if len(value) in {2, 3} and not isinstance(value[0], bytes | str):
            return tuple(value)
        if len(value) == 2:
            return (key, *value)
    raise ArgumentError(
        f"cannot read the token {value!r:.80} of {key!r:.40}; pass bytes, str, (bytes, special) or "
        "(id, bytes, special)"
    )


def _entry(item: tuple[Any, ...]) -> Entry:
    token, content, special = (*item, False)[:3]
    if isinstance(content, str):
        content = content.encode()
    if not isinstance(content, bytes):
        raise ArgumentError(f"token {token!r:.40} has no bytes but {type(content).__name__}")
    if isinstance(token, bool) or not isinstance(token, int) or not 0 <= token < 1 << 32:
        raise ArgumentError(f"a token id must be an integer from 0 on, not {token!r:.40}")
    return (token, content, bool(special))


__all__ = ["Decoder", "Entry", "Vocab", "vocabulary"]
