"""Detokenising through Python, beside the peers' own streaming decoders, on the same ids."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.vocabulary import Decoder, vocabulary

tokenizers = pytest.importorskip("tokenizers")
tiktoken = pytest.importorskip("tiktoken")
pytest.importorskip("pytest_benchmark")

TEXT = "The quick brown fox doesn't mind; Zoë paid 1,250.50 € in a naïve café. 北京 😀\n" * 40


@pytest.fixture(scope="module")
def hf() -> tuple[Any, list[int]]:
    tok = tokenizers.Tokenizer(tokenizers.models.BPE())
    tok.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tok.train_from_iterator([TEXT], trainer)
    return tok, tok.encode(TEXT).ids[:2000]


@pytest.fixture(scope="module")
def openai() -> tuple[Any, list[int]]:
    ranks = {bytes([b]): b for b in range(256)}
    for piece in (b"th", b"he", b"the", b" th", b" the", b"in", b"qu", b"ow", b"\xc3\xa9"):
        ranks.setdefault(piece, len(ranks))
    encoding = tiktoken.Encoding(
        "bench", pat_str=r"\s?\w+|\s+|[^\s\w]+", mergeable_ranks=ranks, special_tokens={}
    )
    return encoding, encoding.encode(TEXT)[:2000]


def stream(decoder: Decoder, ids: list[int]) -> int:
    push = decoder.push
    for token in ids:
        push(token)
    return len(decoder.finish())


@pytest.mark.benchmark(group="detok: a token at a time, 2,000 byte-level tokens")
def test_groundwire_stream(benchmark: Any, hf: tuple[Any, list[int]]) -> None:
    tok, ids = hf
    decoder = Decoder(vocabulary(tok))
    benchmark(stream, decoder, ids)


@pytest.mark.benchmark(group="detok: a token at a time, 2,000 byte-level tokens")
def test_tokenizers_decode_stream(benchmark: Any, hf: tuple[Any, list[int]]) -> None:
    tok, ids = hf

    def run() -> None:
        step = tokenizers.decoders.DecodeStream(skip_special_tokens=True).step
        for token in ids:
            step(tok, token)

    benchmark(run)


@pytest.mark.benchmark(group="detok: a token at a time, 2,000 byte-level tokens")
def test_floor_empty_call(benchmark: Any, hf: tuple[Any, list[int]]) -> None:
    """A call of a builtin method with one integer, doing next to nothing."""
    _, ids = hf
    push = {}.get

    def run() -> None:
        for token in ids:
            push(token)

    benchmark(run)


@pytest.mark.benchmark(group="detok: a whole sequence, 2,000 byte-level tokens")
def test_groundwire_whole(benchmark: Any, hf: tuple[Any, list[int]]) -> None:
    tok, ids = hf
    assert benchmark(vocabulary(tok).decode, ids) == tok.decode(ids)


@pytest.mark.benchmark(group="detok: a whole sequence, 2,000 byte-level tokens")
def test_tokenizers_whole(benchmark: Any, hf: tuple[Any, list[int]]) -> None:
    tok, ids = hf
    benchmark(tok.decode, ids)


@pytest.mark.benchmark(group="detok: a whole sequence, 2,000 tiktoken tokens")
def test_groundwire_whole_tiktoken(benchmark: Any, openai: tuple[Any, list[int]]) -> None:
    encoding, ids = openai
    assert benchmark(vocabulary(encoding).decode, ids) == encoding.decode(ids)


@pytest.mark.benchmark(group="detok: a whole sequence, 2,000 tiktoken tokens")
def test_tiktoken_whole(benchmark: Any, openai: tuple[Any, list[int]]) -> None:
    encoding, ids = openai
    benchmark(encoding.decode, ids)


@pytest.mark.benchmark(group="detok: a token at a time, 2,000 tiktoken tokens")
def test_groundwire_stream_tiktoken(benchmark: Any, openai: tuple[Any, list[int]]) -> None:
    encoding, ids = openai
    benchmark(stream, Decoder(vocabulary(encoding)), ids)


@pytest.mark.benchmark(group="detok: a token at a time, 2,000 tiktoken tokens")
def test_tiktoken_stream(benchmark: Any, openai: tuple[Any, list[int]]) -> None:
    encoding, ids = openai

    def run() -> None:
        one = encoding.decode_single_token_bytes
        for token in ids:
            one(token)

    benchmark(run)
