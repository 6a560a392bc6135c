"""The guarded decoding loop against a plain one, with tiny random models and a scripted guard."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import (  # noqa: E402
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedTokenizerFast,
)

from groundwire.errors import ArgumentError  # noqa: E402
from groundwire.integrations._decode import (  # noqa: E402
    MAX_REWINDS,
    Clock,
    Decision,
    Rewind,
    decode,
)
from groundwire.integrations._lanes import Lanes  # noqa: E402
from groundwire.integrations._settings import prepare  # noqa: E402
from groundwire.integrations.prompts import encode_continuation  # noqa: E402

VOCAB = 160
SIZES = {
    "vocab_size": VOCAB,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "initializer_range": 0.4,
    "bos_token_id": 1,
    "eos_token_id": None,
    "pad_token_id": 0,
}


@pytest.fixture(scope="module", params=["full", "sliding"])
def model(request):
    torch.manual_seed(7)
    if request.param == "full":
        return LlamaForCausalLM(LlamaConfig(**SIZES)).eval()
    return MistralForCausalLM(MistralConfig(**SIZES, sliding_window=8)).eval()


@pytest.fixture(scope="module")
def tokenizer():
    words = {f"w{i}": i for i in range(VOCAB)}
    raw = Tokenizer(models.WordLevel(words, unk_token="w0"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    raw.decoder = decoders.WordPiece(prefix="##", cleanup=False)
    return PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="w0", unk_token="w0")


@dataclass
class Script:
    """A guard that answers the n-th push (or end) with what its script says."""

    answers: dict[int, Decision] = field(default_factory=dict)
    at_end: list[Decision] = field(default_factory=list)
    seen: list[tuple[int, bool]] = field(default_factory=list)
    rows: list = field(default_factory=list)
    priors: list = field(default_factory=list)

    def push(self, token_id, *, logits=None, prior_logits=None, forced=False):
        self.seen.append((token_id, forced))
        self.rows.append(logits)
        self.priors.append(prior_logits)
        return self.answers.get(len(self.seen) - 1, Decision())

    def end(self, *, cut=False):
        return self.at_end.pop(0) if self.at_end else Decision()


def pad_left(prompts):
    width = max(map(len, prompts))
    ids = torch.tensor([[0] * (width - len(p)) + p for p in prompts])
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
    return ids, mask


def run(model, tokenizer, prompts, guards, prior=None, **kwargs):
    ids, mask = pad_left(prompts)
    prepared = prepare(model, ids, mask, {"do_sample": False, "max_new_tokens": 24, **kwargs})
    out = [[] for _ in prompts]
    ends = {}
    for event in decode(model, tokenizer, prepared, guards, prior_prompts=prior):
        if event.kind in {"token", "forced"}:
            out[event.row].extend(event.tokens)
        elif event.kind == "rewind":
            assert out[event.row][event.position :] == event.tokens
            del out[event.row][event.position :]
        else:
            ends[event.row] = event.reason
        assert len(out[event.row]) == event.position
    assert sorted(ends) == list(range(len(prompts)))
    return out, ends


def plain(model, prompt, n, **kwargs):
    """What the model writes after ``prompt`` when nobody interferes."""
    ids = torch.tensor([prompt])
    out = model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=n, do_sample=False, **kwargs
    )
    return out[0, len(prompt) :].tolist()


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Threads cost more than they bring on models this small."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


PROMPT = [1, 17, 33, 5, 90, 41, 12]
OTHER = [1, 8, 120]


def test_an_idle_guard_changes_nothing(model, tokenizer):
    guard = Script()
    out, ends = run(model, tokenizer, [PROMPT], [guard])
    assert out[0] == plain(model, PROMPT, 24)
    assert ends == {0: "length"}
    assert [t for t, _ in guard.seen] == out[0]


def test_each_row_is_the_one_its_token_came_from(model, tokenizer):
    guard = Script()
    out, _ = run(model, tokenizer, [PROMPT], [guard])
    with torch.no_grad():
        whole = model(torch.tensor([PROMPT + out[0]])).logits[0, len(PROMPT) - 1 : -1]
    torch.testing.assert_close(torch.stack(guard.rows), whole, atol=2e-4, rtol=1e-3)


@pytest.mark.parametrize("keep", [0, 1, 4, 9])
@pytest.mark.parametrize("text", ["w7", "w7 w99 w3 w3", ""])
def test_rewind_continues_as_if_nothing_had_happened(model, tokenizer, keep, text):
    free = plain(model, PROMPT, 10)
    forced = [int(w[1:]) for w in text.split()]
    guard = Script({9: Decision(rewind=Rewind(keep, text))})
    out, _ = run(model, tokenizer, [PROMPT], [guard])
    kept = free[:keep] + forced
    assert out[0] == kept + plain(model, PROMPT + kept, 24 - len(kept))
    assert [t for t, f in guard.seen if f] == forced
    assert all((row is None) == f for row, (_, f) in zip(guard.rows, guard.seen, strict=True))
    survivors = guard.rows[10 + len(forced) :]
    with torch.no_grad():
        whole = model(torch.tensor([PROMPT + out[0]])).logits[0, len(PROMPT) - 1 : -1]
    torch.testing.assert_close(torch.stack(survivors), whole[len(kept) :], atol=2e-4, rtol=1e-3)


def test_many_rewinds_in_a_row(model, tokenizer):
    guard = Script(
        {
            5: Decision(rewind=Rewind(2, "w9")),
            8: Decision(rewind=Rewind(0, "w4 w4")),
            11: Decision(rewind=Rewind(3, "w6")),
        }
    )
    out, _ = run(model, tokenizer, [PROMPT], [guard])
    kept = out[0][:4]
    assert kept[:2] == [4, 4]
    assert kept[3] == 6
    assert out[0] == kept + plain(model, PROMPT + kept, 20)


def test_a_batch_equals_its_rows_alone(model, tokenizer):
    scripts = (
        {6: Decision(rewind=Rewind(1, "w9 w10 w11")), 15: Decision(rewind=Rewind(8, "w2"))},
        {},
        {3: Decision(rewind=Rewind(3, "w5")), 12: Decision(stop="enough")},
    )
    prompts = [PROMPT, OTHER, [1, 44, 45, 46, 47, 48, 49, 50, 51, 52]]
    together, ends = run(model, tokenizer, prompts, [Script(dict(s)) for s in scripts])
    assert ends == {0: "length", 1: "length", 2: "enough"}
    for prompt, script, out in zip(prompts, scripts, together, strict=True):
        # Same room for the answer as in the batch, where the longest prompt sets the length.
        alone, _ = run(model, tokenizer, [prompt], [Script(dict(script))])
        assert out == alone[0]


def test_the_prior_lane_keeps_step(model, tokenizer):
    guard = Script({7: Decision(rewind=Rewind(3, "w8 w8"))})
    out, _ = run(model, tokenizer, [PROMPT], [guard], prior=[OTHER])
    kept = out[0][:5]
    assert kept[3:] == [8, 8]
    assert out[0] == kept + plain(model, PROMPT + kept, 19)
    with torch.no_grad():
        whole = model(torch.tensor([OTHER + out[0]])).logits[0, len(OTHER) - 1 : -1]
    after = torch.stack(guard.priors[10:])
    torch.testing.assert_close(after, whole[5:], atol=2e-4, rtol=1e-3)


def test_end_of_answer_can_still_be_rewound(model, tokenizer):
    free = plain(model, PROMPT, 24)
    eos = free[6]
    first = free.index(eos)
    guard = Script(at_end=[Decision(rewind=Rewind(max(first - 2, 0), "w9 w9"))])
    out, ends = run(model, tokenizer, [PROMPT], [guard], eos_token_id=eos)
    kept = [*free[: max(first - 2, 0)], 9, 9]
    assert out[0][: len(kept)] == kept
    rest = plain(model, PROMPT + kept, 24 - len(kept), eos_token_id=eos)
    stopped = bool(rest) and rest[-1] == eos
    assert out[0] == kept + (rest[:-1] if stopped else rest)
    assert ends[0] == ("eos" if stopped else "length")


def test_text_that_leaves_when_the_end_is_refused_is_told(model, tokenizer):
    eos = plain(model, PROMPT, 24)[6]
    refused = Decision(release="so far. ", rewind=Rewind(1, "w9"))
    ids, mask = pad_left([PROMPT])
    wanted = {"do_sample": False, "max_new_tokens": 24, "eos_token_id": eos}
    prepared = prepare(model, ids, mask, wanted)
    guard = Script(at_end=[refused, Decision(release="the rest")])
    loop = decode(model, tokenizer, prepared, [guard])
    told = [e.decision.release for e in loop if e.decision is not None and e.decision.release]
    assert told == ["so far. ", "the rest"]


def test_a_guard_that_never_rests_is_ended(model, tokenizer):
    guard = Script({i: Decision(rewind=Rewind(0, "")) for i in range(1000)})
    _, ends = run(model, tokenizer, [PROMPT], [guard])
    assert ends == {0: "max_rewinds"}
    assert len(guard.seen) == MAX_REWINDS


def test_sampling_follows_transformers(model, tokenizer):
    options = {"do_sample": True, "temperature": 0.8, "top_k": 20, "top_p": 0.9}
    ids = torch.tensor([PROMPT])
    torch.manual_seed(3)
    expected = model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=24, **options
    )[0, len(PROMPT) :].tolist()
    torch.manual_seed(3)
    out, _ = run(model, tokenizer, [PROMPT], [Script()], **options)
    assert out[0] == expected


def test_processors_see_what_they_would_see(model, tokenizer):
    out, _ = run(model, tokenizer, [PROMPT], [Script()], repetition_penalty=1.7)
    assert out[0] == plain(model, PROMPT, 24, repetition_penalty=1.7)


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ({"num_beams": 2}, "num_beams"),
        ({"num_return_sequences": 2, "do_sample": True}, "num_return_sequences"),
        ({"prompt_lookup_num_tokens": 3}, "prompt_lookup_num_tokens"),
        ({"streamer": object()}, "streamer"),
        ({"assistant_model": object()}, "assistant_model"),
    ],
)
def test_modes_without_rollback_are_refused(model, tokenizer, option, name):
    with pytest.raises(ArgumentError, match=name):
        run(model, tokenizer, [PROMPT], [Script()], **option)


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ({"max_new_tokns": 3}, "max_new_tokns"),
        ({"max_new_tokens": 0}, "max_new_tokens"),
        ({"num_return_sequences": 2}, "num_return_sequences"),
        ({"do_sample": True, "temperature": "hot"}, "temperature"),
    ],
)
def test_what_transformers_refuses_is_an_error_of_ours(model, tokenizer, option, name):
    with pytest.raises(ArgumentError, match=f"transformers refuses these settings: .*{name}"):
        run(model, tokenizer, [PROMPT], [Script()], **option)


def test_a_rewind_beyond_the_answer_is_an_error(model, tokenizer):
    guard = Script({2: Decision(rewind=Rewind(5, ""))})
    with pytest.raises(ArgumentError, match="5 tokens"):
        run(model, tokenizer, [PROMPT], [guard])


def test_cache_shrinks_when_the_tail_is_taken_back():
    torch.manual_seed(7)
    lanes = Lanes(LlamaForCausalLM(LlamaConfig(**SIZES)).eval(), [PROMPT, OTHER], 0)
    lanes.advance()
    assert lanes.width == len(PROMPT)
    for token in (5, 6, 7):
        lanes.append(0, [token])
        lanes.append(1, [token])
        lanes.advance()
    assert lanes.width == len(PROMPT) + 3
    lanes.truncate(0, len(PROMPT) + 1)
    assert lanes.width == len(PROMPT) + 3
    lanes.truncate(1, len(OTHER) + 1)
    assert lanes.width == len(PROMPT)
    assert lanes.tokens(1) == [*OTHER, 5]
    with pytest.raises(ArgumentError):
        lanes.truncate(1, 0)


def test_time_is_accounted_for(tokenizer):
    torch.manual_seed(7)
    model = LlamaForCausalLM(LlamaConfig(**SIZES)).eval()
    ids, mask = pad_left([PROMPT])
    prepared = prepare(model, ids, mask, {"max_new_tokens": 5, "do_sample": False})
    clock = Clock()
    guard = Script({2: Decision(rewind=Rewind(2, "w3"))})
    assert list(decode(model, tokenizer, prepared, [guard], clock=clock))
    assert (clock.sampled, clock.forced) == (5, 1)
    assert clock.model > clock.guard > 0


def test_forced_text_is_exact_behind_any_prefix(tokenizer):
    llama_like = Tokenizer(
        models.BPE({**{c: i for i, c in enumerate("▁abch s.")}}, [], byte_fallback=False)
    )
    llama_like.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    llama_like.decoder = decoders.Metaspace(prepend_scheme="always")
    wrapped = PreTrainedTokenizerFast(tokenizer_object=llama_like)
    before = wrapped.encode("ab", add_special_tokens=False)
    for text in ("ch", " ch", "a.", ""):
        ids = encode_continuation(wrapped, before, text)
        assert wrapped.decode(before + ids) == "ab" + text
