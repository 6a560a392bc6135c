"""Hostile ids, tables and tokenizer files."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ArgumentError, FormatError, UnknownTokenError
from groundwire.vocabulary import Decoder, Vocab, vocabulary


def file(decoder: Any, vocab: Any = None, **more: Any) -> str:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1} if vocab is None else vocab}
    return json.dumps({"model": model, "decoder": decoder, **more})


@pytest.mark.parametrize("bad", [-1, 3, 2**31, 2**32, 2**64, 10**4000, -(10**4000)])
def test_ids_out_of_range_change_nothing(bad: int) -> None:
    vocab = Vocab.from_entries([(0, b"a", False), (2, b"\xf0\x9f", False)])
    decoder = Decoder(vocab)
    assert decoder.push(2) == ""
    for call in (decoder.push, vocab.token_bytes, lambda i: vocab.decode([0, i])):
        with pytest.raises(UnknownTokenError, match="not in the vocabulary"):
            call(bad)
    with pytest.raises(UnknownTokenError):
        decoder.push_all([0, 0, bad])
    assert bad not in vocab
    assert not vocab.is_special(bad)
    assert decoder.pending == 2
    assert decoder.push_bytes(b"\x98\x80") == "😀"


@pytest.mark.parametrize("bad", [None, "0", 1.0, b"0", [0], object()])
def test_ids_of_another_type(bad: Any) -> None:
    vocab = Vocab.from_entries([(0, b"a", False)])
    with pytest.raises(ArgumentError, match="must be an integer"):
        vocab.token_bytes(bad)
    with pytest.raises(ArgumentError, match="must be an integer"):
        Decoder(vocab).push(bad)
    with pytest.raises(ArgumentError, match="must be an integer"):
        vocab.decode([bad])


@pytest.mark.parametrize("bad", [None, 3, 1.0, object()])
def test_ids_that_are_no_sequence(bad: Any) -> None:
    with pytest.raises(ArgumentError, match="iterable"):
        Vocab.from_entries([(0, b"a", False)]).decode(bad)


@pytest.mark.parametrize("broken", ["", "{", "[]", "null", '{"model": 3}', '{"model": {}}', "{}"])
def test_broken_json(broken: str) -> None:
    with pytest.raises(FormatError, match="tokenizers"):
        Vocab.from_json(broken)


@pytest.mark.parametrize(
    "vocab", [{"a": -1}, {"a": 1.5}, {"a": 2**32}, {"a": "0"}, [["a"]], ["a"], 3, "x", [[1, 2]]]
)
def test_broken_pieces(vocab: Any) -> None:
    with pytest.raises(FormatError):
        Vocab.from_json(file(None, vocab))


def test_deeply_nested_json() -> None:
    with pytest.raises(FormatError):
        Vocab.from_json(file(None, more="x")[:-1] + ', "decoder": ' + "[" * 100_000)


@pytest.mark.parametrize(
    ("decoder", "named"),
    [
        ({"type": "CTC", "pad_token": "<pad>"}, "CTC"),
        ({"type": "Nonsense"}, "Nonsense"),
        ({"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "ByteLevel"}]}, "ByteLevel"),
        ({"type": "Replace", "pattern": {"Regex": "a+"}, "content": ""}, "Replace"),
        ({"type": "Replace", "pattern": {"String": ""}, "content": ""}, "pattern"),
    ],
)
def test_unsupported_decoders_are_named(decoder: Any, named: str) -> None:
    with pytest.raises(ArgumentError, match=named):
        Vocab.from_json(file(decoder))


@pytest.mark.parametrize(
    ("decoder", "named"),
    [
        ({}, "type"),
        ({"type": 3}, "type"),
        ({"type": "Sequence"}, "decoders"),
        ({"type": "Metaspace"}, "replacement"),
        ({"type": "Metaspace", "replacement": "__"}, "replacement"),
        ({"type": "Strip", "content": " ", "start": -1, "stop": 0}, "start"),
        ({"type": "Strip", "content": " ", "start": 10**9, "stop": 0}, "start"),
        ({"type": "WordPiece"}, "prefix"),
        ("ByteLevel", "type"),
    ],
)
def test_malformed_decoders_are_named(decoder: Any, named: str) -> None:
    with pytest.raises(FormatError, match=named):
        Vocab.from_json(file(decoder))


def test_ids_that_would_fill_the_memory() -> None:
    with pytest.raises(ArgumentError, match="highest supported id"):
        Vocab.from_json(file(None, {"a": 2**32 - 1}))
    with pytest.raises(ArgumentError, match="highest supported id"):
        vocabulary({2**31: b"a"})


@pytest.mark.parametrize(
    "bad", [{-1: b""}, {"0": b"a"}, {0: 5}, {True: b"a"}, {2**40: b""}, [(0, b"a"), (0, b"b")]]
)
def test_bad_entries(bad: Any) -> None:
    with pytest.raises(ArgumentError):
        vocabulary(bad)


@pytest.mark.parametrize("bad", [None, 3, object(), "no/such/file.json", Path("/"), 1.5])
def test_what_is_no_tokenizer(bad: Any) -> None:
    with pytest.raises(ArgumentError):
        vocabulary(bad)


def test_a_tokenizer_in_python_code_is_named() -> None:
    class Slow:
        def convert_ids_to_tokens(self, ids: Any) -> Any:
            return ids

    with pytest.raises(ArgumentError, match=r"Slow.*fast version"):
        vocabulary(Slow())


def test_an_empty_table() -> None:
    with pytest.raises(ArgumentError, match="no tokens"):
        vocabulary([])
    vocab = Vocab.from_entries([])
    assert len(vocab) == vocab.known == 0
    assert vocab.decode([]) == ""
    with pytest.raises(UnknownTokenError):
        vocab.decode([0])


def test_stray_continuation_bytes_cost_no_more_than_others() -> None:
    vocab = Vocab.from_entries([(0, b"\x80", False), (1, b"a", False)])

    def cost(token: int, count: int) -> float:
        decoder = Decoder(vocab)
        begin = time.perf_counter()
        for _ in range(count):
            decoder.push(token)
        return time.perf_counter() - begin

    decoder = Decoder(vocab)
    text = "".join(decoder.push(0) for _ in range(8000))
    assert text + decoder.finish() == (b"\x80" * 8000).decode("utf-8", "replace")
    # Linear work: ten times the bytes, far less than a hundred times the time.
    small = min(cost(0, 8_000) for _ in range(5))
    large = min(cost(0, 80_000) for _ in range(3))
    assert large < 40 * small


def test_a_token_of_a_megabyte() -> None:
    vocab = vocabulary([b"x" * 1_000_000 + b"\xc3", b"\xa9"])
    assert vocab.decode([0, 1]) == "x" * 1_000_000 + "é"
