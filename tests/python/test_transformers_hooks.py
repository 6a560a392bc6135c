"""The logits processor and stopping criterion in other people's generate calls (tiny model)."""

from __future__ import annotations

import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast  # noqa: E402

import groundwire as gw  # noqa: E402
from groundwire.callback import Decision  # noqa: E402
from groundwire.errors import ArgumentError  # noqa: E402
from groundwire.integrations._answer import Answer  # noqa: E402
from groundwire.integrations.transformers import (  # noqa: E402
    GroundwireLogitsProcessor,
    GroundwireStoppingCriteria,
    generate,
    stream,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Threads cost more than they bring on models this small."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tokenizer():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE({c: i for i, c in enumerate(letters)}, []))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(["<pad>", "<end>"])
    return PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="<end>")


@pytest.fixture(scope="module")
def model(tokenizer):
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256,
        initializer_range=0.4, bos_token_id=None, eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    return LlamaForCausalLM(config).eval()


@pytest.fixture(scope="module")
def monitor(tokenizer):
    return gw.Monitor(tokenizer=tokenizer)


def batch(tokenizer):
    return tokenizer(
        ["The harbour is", "It opened in the year"], return_tensors="pt", padding=True,
        padding_side="left", return_token_type_ids=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"num_beams": 3},
        {"num_beams": 3, "num_return_sequences": 2},
        {"do_sample": True},
    ],
    ids=["greedy", "beams", "sequences", "sampling"],
)
def test_processor_changes_nothing(model, tokenizer, monitor, settings):
    given = batch(tokenizer)
    torch.manual_seed(5)
    plain = model.generate(**given, max_new_tokens=20, **settings)
    processor = GroundwireLogitsProcessor(monitor, eos_token_id=tokenizer.eos_token_id)
    torch.manual_seed(5)
    watched = model.generate(**given, max_new_tokens=20, logits_processor=[processor], **settings)
    assert torch.equal(plain, watched)
    reports = processor.watch.finish(watched)
    start = given["input_ids"].shape[1]
    texts = [tokenizer.decode(row, skip_special_tokens=True) for row in watched[:, start:]]
    assert [r.text for r in reports] == texts


@pytest.mark.parametrize("kind", ["assisted", "lookup"])
def test_speculation_changes_nothing(model, tokenizer, monitor, kind):
    given = tokenizer("aaaa bbbb aaaa bbbb", return_tensors="pt", return_token_type_ids=False)
    more = {"assistant_model": model} if kind == "assisted" else {"prompt_lookup_num_tokens": 3}
    plain = model.generate(**given, max_new_tokens=20, do_sample=False)
    processor = GroundwireLogitsProcessor(monitor, eos_token_id=tokenizer.eos_token_id)
    watched = model.generate(
        **given, max_new_tokens=20, do_sample=False, logits_processor=[processor], **more
    )
    assert torch.equal(plain, watched)
    report = processor.watch.finish(watched)[0]
    start = given["input_ids"].shape[1]
    assert report.text == tokenizer.decode(watched[0, start:], skip_special_tokens=True)


class Write:
    """Makes the model write a text that is given."""

    def __init__(self, text, start):
        self.text, self.start = text, start

    def __call__(self, input_ids, scores):
        at = input_ids.shape[1] - self.start
        scores[:] = float("-inf")
        scores[:, self.text[min(at, len(self.text) - 1)]] = 0.0
        return scores


def test_stopping_criterion_ends_a_row(model, tokenizer, monitor):
    given = batch(tokenizer)
    start = given["input_ids"].shape[1]
    blank = Write(tokenizer.encode("Mail [Your Email Address] now and then."), start)
    criterion = GroundwireStoppingCriteria(
        monitor, stop_at="medium", eos_token_id=tokenizer.eos_token_id, prompt_length=start
    )
    out = model.generate(
        **given, max_new_tokens=39, logits_processor=[blank], stopping_criteria=[criterion],
        do_sample=False,
    )  # fmt: skip
    assert out.shape[1] - start < 39
    assert all(tier in {"medium", "high", "critical"} for tier in criterion.watch.tiers())


def test_wrong_arguments_are_refused(monitor):
    with pytest.raises(ArgumentError, match="eos_token_id"):
        GroundwireLogitsProcessor(monitor, stop_at="high")
    with pytest.raises(ArgumentError, match="no tier"):
        GroundwireStoppingCriteria(monitor, stop_at="awful")
    processor = GroundwireLogitsProcessor(monitor)
    with pytest.raises(ArgumentError, match="rows"):
        processor(torch.tensor([1, 2]), torch.zeros(2, 4))


def test_batch_equals_single_and_stream_equals_generate(model, tokenizer, monitor):
    asked = ["The harbour is", "It opened in the year", "Nobody"]
    policy = gw.Policy.observe()
    more = {"monitor": monitor, "policy": policy, "max_new_tokens": 24, "do_sample": False}
    many = generate(model, tokenizer, asked, **more)
    for prompt, found in zip(asked, many, strict=True):
        one = generate(model, tokenizer, prompt, **more)
        assert (one.tokens, one.text) == (found.tokens, found.text)
        given = tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
        plain = model.generate(**given, max_new_tokens=24, do_sample=False)[0]
        answer = plain[given["input_ids"].shape[1] :].tolist()
        assert list(one.tokens) == [t for t in answer if t != tokenizer.eos_token_id]
        events = list(stream(model, tokenizer, prompt, clock=None, **more))
        assert "".join(e.text for e in events) == one.text
        assert events[-1].result.tokens == one.tokens


SAYS = "The museum was founded by the town and its many friends in 1992. It is open."
PROMPT = "When?"


class Ticks:
    """A clock that moves by ``step`` milliseconds with every look."""

    def __init__(self, step):
        self.step, self.now = step, 0

    def __call__(self):
        self.now += self.step
        return self.now


def say(tokenizer):
    """Settings with which the model writes ``SAYS`` and nothing else."""
    ids = tokenizer.encode(SAYS)
    start = len(tokenizer.encode(PROMPT))
    return {
        "logits_processor": [Write([*ids, tokenizer.eos_token_id], start)],
        "max_new_tokens": len(ids) + 1,
        "do_sample": False,
    }


@pytest.mark.parametrize(("step", "early"), [(0, False), (1, False), (200, True)])
def test_holding_follows_the_clock_that_is_given(model, tokenizer, monitor, step, early):
    policy = gw.Policy(max_hold_ms=1_000, max_hold_tokens=1_000)
    more = {"monitor": monitor, "policy": policy, **say(tokenizer)}
    events = list(stream(model, tokenizer, PROMPT, clock=Ticks(step), **more))
    assert (events[-1].report.holds_given_up > 0) == early
    found = generate(model, tokenizer, PROMPT, clock=Ticks(step), **more)
    assert (found.report.holds_given_up > 0) == early
    assert found.text == SAYS == "".join(e.text for e in events)


def test_by_default_only_a_stream_looks_at_the_machines_clock(
    model, tokenizer, monitor, monkeypatch
):
    ticks = Ticks(5_000)
    monkeypatch.setattr(time, "monotonic_ns", lambda: ticks() * 1_000_000)
    policy = gw.Policy(max_hold_ms=1_000, max_hold_tokens=1_000)
    more = {"monitor": monitor, "policy": policy, **say(tokenizer)}
    assert generate(model, tokenizer, PROMPT, **more).report.holds_given_up == 0
    events = list(stream(model, tokenizer, PROMPT, **more))
    assert events[-1].report.holds_given_up > 0


class Waits:
    """A guard that waits for a verifier until its time is up."""

    def __init__(self, limit, now):
        self.limit, self.now, self.since, self.looks = limit, now, None, 0

    def on_end(self, *, cut=False):
        assert not cut
        self.looks += 1
        self.since = self.now() if self.since is None else self.since
        waits = self.now() - self.since <= self.limit
        return Decision(wait=waits, stop=None if waits else "end")


@pytest.mark.parametrize("clock", [None, lambda: 7])
def test_an_end_waits_for_a_verifier_but_not_for_good(clock):
    answer = Answer(lambda now: Waits(30, now), clock)
    assert answer.end().stop == "end"
    assert answer.callback.looks > 2, "it was not waited for at all"


def test_what_a_processor_cannot_follow_is_refused() -> None:
    class Odd:
        name = "odd"

        def detect(self, claim: object, text: str) -> list[gw.Finding]:
            del claim, text
            return []

    with pytest.raises(ArgumentError, match=r"monitor is a groundwire\.Monitor, not None"):
        GroundwireLogitsProcessor(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="cannot wait for detectors"):
        GroundwireLogitsProcessor(gw.Monitor(detectors=[Odd()]))
    with pytest.raises(ArgumentError, match="evidence is a list; put the one string into a list"):
        GroundwireLogitsProcessor(gw.Monitor(), evidence="It was founded in 1875.")


@pytest.mark.req("S4-031")
def test_what_completes_a_prompts_sentence_is_read_together_with_it(tokenizer) -> None:
    base = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    held = gw.Monitor(kb=base, tokenizer=tokenizer)
    prompt, answers = (
        "The Harbour Museum was founded in",
        (" 1992. It is old.", " 1987. It is old."),
    )
    asked = tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)["input_ids"]

    def tiers(**given) -> list[str]:
        rows = [tokenizer(prompt + one, return_tensors="pt")["input_ids"][0] for one in answers]
        ids = torch.stack(rows)
        processor = GroundwireLogitsProcessor(held, prompt_length=asked.shape[1], **given)
        scores = torch.zeros(2, len(tokenizer))
        for end in range(asked.shape[1], ids.shape[1] + 1):
            processor(ids[:, :end], scores)
        found = [report.tier for report in processor.watch.finish(ids)]
        assert processor.watch.tiers() == found
        return found

    assert tiers(lead=prompt) == tiers(lead=[prompt, prompt]) == ["high", "none"]
    assert tiers(lead=[prompt, ""])[0] == "high"
    assert "high" not in tiers()
    with pytest.raises(ArgumentError, match="2 rows cannot be told apart into 3 prompts"):
        tiers(lead=["a", "b", "c"])
