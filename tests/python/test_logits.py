"""Row statistics against NumPy, SciPy's definitions and torch, and without a copy."""

from __future__ import annotations

import array
import gc
import json
import math
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from groundwire import _core
from groundwire.errors import ArgumentError

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "uncertainty.json").read_text(encoding="utf-8")
)


def near(want):
    return pytest.approx(want, abs=VECTORS["tolerance"], rel=0)


def oracle(row):
    """Logsumexp, entropy, varentropy, margin and logprobs in float64."""
    x = np.asarray(row, dtype=np.float64)
    peak = x.max()
    logsumexp = peak + np.log(np.exp(x - peak).sum())
    lp = x - logsumexp
    live = lp[np.isfinite(lp)]
    p = np.exp(live)
    entropy = -(p * live).sum()
    varentropy = (p * (live + entropy) ** 2).sum()
    top = np.sort(np.exp(lp))[::-1]
    return logsumexp, entropy, varentropy, top[0] - top[1], lp


def same(a, b):
    """Every number equal, bit for bit."""
    names = ("logsumexp", "entropy", "varentropy", "margin", "confidence", "surprisal", "kl_bits")
    return all(getattr(a, n) == getattr(b, n) for n in names) and a.top_k == b.top_k


@pytest.fixture(scope="module")
def row():
    return (np.random.default_rng(1).normal(size=32_000) * 3).astype(np.float32)


@pytest.mark.req("S4-017")
def test_statistics_agree_with_float64(row):
    got = _core.logit_stats(row, sampled=7, top_k=5)
    logsumexp, entropy, varentropy, margin, lp = oracle(row)
    assert got.logsumexp == pytest.approx(logsumexp, rel=1e-6)
    assert got.entropy == pytest.approx(entropy, rel=1e-5)
    assert got.varentropy == pytest.approx(varentropy, rel=1e-5)
    assert got.margin == pytest.approx(margin, rel=1e-5)
    assert got.surprisal == pytest.approx(-lp[7], rel=1e-5)
    assert got.logprob == -got.surprisal
    order = np.argsort(-row.astype(np.float64), kind="stable")
    assert [i for i, _ in got.top_k] == order[:5].tolist()
    assert got.confidence == pytest.approx(-lp[order[:20]].mean(), rel=1e-5)
    assert len(got) == 32_000
    assert got.kl is None
    assert not got.invalid
    assert got.invalid_reason is None


def test_two_rows_agree_with_float64(row):
    prior = row + np.random.default_rng(2).normal(size=row.size).astype(np.float32)
    got = _core.logit_stats(row, sampled=3, prior=prior)
    lp, lq = oracle(row)[4], oracle(prior)[4]
    want = (np.exp(lp) * (lp - lq)).sum()
    assert got.kl == pytest.approx(want, rel=1e-5)
    assert got.kl_bits == pytest.approx(want / math.log(2), rel=1e-5)
    assert got.lift_bits == pytest.approx((lp[3] - lq[3]) / math.log(2), rel=1e-5)
    assert got.prior_logprob == pytest.approx(lq[3], rel=1e-5)
    reference = torch.distributions.kl_divergence(
        torch.distributions.Categorical(logits=torch.from_numpy(row).double()),
        torch.distributions.Categorical(logits=torch.from_numpy(prior).double()),
    )
    assert got.kl == pytest.approx(reference.item(), rel=1e-5)


def test_every_source_of_the_same_row_gives_the_same(row):
    want = _core.logit_stats(row, sampled=1)
    tensor = torch.from_numpy(row)
    strided = np.zeros((3, row.size + 5), dtype=np.float32)
    strided[1, : row.size] = row
    for source in (
        tensor,
        tensor.clone().requires_grad_(),
        memoryview(row),
        array.array("f", row.tolist()),
        strided[1, : row.size],
        torch.from_numpy(strided)[1, : row.size],
        np.frombuffer(row.tobytes(), dtype="<f4"),
    ):
        assert same(_core.logit_stats(source, sampled=1), want)


def test_half_precisions(row):
    half = row.astype(np.float16)
    want = _core.logit_stats(half.astype(np.float32), sampled=1)
    assert same(_core.logit_stats(half, sampled=1), want)
    assert same(_core.logit_stats(torch.from_numpy(half), sampled=1), want)
    brain = torch.from_numpy(row).bfloat16()
    want = _core.logit_stats(brain.float(), sampled=1)
    assert same(_core.logit_stats(brain, sampled=1), want)
    assert same(_core.logit_stats(brain.view(torch.uint16).numpy(), sampled=1), want)


def test_ml_dtypes_brain_floats(row):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    brain = row.astype(ml_dtypes.bfloat16)
    want = _core.logit_stats(brain.astype(np.float32), sampled=1)
    assert same(_core.logit_stats(brain, sampled=1), want)


class Legacy:
    """An exporter that knows only the first DLPack."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream=None):
        return self.tensor.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def test_both_dlpack_structures(row):
    tensor = torch.from_numpy(row)
    assert same(_core.logit_stats(Legacy(tensor)), _core.logit_stats(tensor))
    array_only = type(
        "A",
        (),
        {
            "__dlpack__": lambda self, **options: row.__dlpack__(**options),
            "__dlpack_device__": lambda self: row.__dlpack_device__(),
        },
    )()
    assert same(_core.logit_stats(array_only), _core.logit_stats(row))


def test_nothing_is_copied_and_nothing_kept():
    big = np.zeros((4, 4_000_000), dtype=np.float32)
    tensor = torch.from_numpy(big)
    tracemalloc.start()
    for source in (big[1], tensor[1]):
        _core.logit_stats(source, sampled=2)
    _core.logit_stats_batch(tensor)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    # What is written to the array shows in the next call: it is the same memory.
    tensor[1, 9] = 30.0
    assert _core.logit_stats(big[1]).top_k[0][0] == 9
    row = torch.zeros(1000)
    count = row._use_count()
    for _ in range(50):
        _core.logit_stats(row)
    gc.collect()
    assert row._use_count() == count


def test_resident_memory_does_not_grow_by_a_row():
    resource = pytest.importorskip("resource")
    row = torch.zeros(50_000_000)
    _core.logit_stats(row[:1000])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _core.logit_stats(row)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # A copy would be 200 MB.
    assert (after - before) * 1024 < 50_000_000


def test_batches_equal_single_rows(row):
    batch = np.stack([row, row[::-1], row * 2, row + 1, row * 0])
    prior = batch * 0.5
    sampled = [0, None, 5, 31_999, 2]
    want = [
        _core.logit_stats(np.ascontiguousarray(b), s, q)
        for b, s, q in zip(batch, sampled, prior, strict=True)
    ]
    for threads in (1, 2, 3, 16):
        for source in (batch, torch.from_numpy(batch)):
            got = _core.logit_stats_batch(source, sampled, prior, threads=threads)
            assert all(same(a, b) for a, b in zip(got, want, strict=True))
    every_other = torch.from_numpy(batch)[::2]
    assert same(_core.logit_stats_batch(every_other)[1], _core.logit_stats(batch[2]))
    assert _core.logit_stats_batch(np.zeros((0, 5), dtype=np.float32)) == []


def test_other_threads_run_meanwhile():
    rows = torch.zeros(8, 4_000_000)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            done.wait(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    _core.logit_stats_batch(rows)
    after = len(ticks)
    done.set()
    thread.join()
    assert after > before


def test_masks(row):
    masked = row.copy()
    masked[100:] = -np.inf
    assert same(
        _core.logit_stats(masked, sampled=3), _core.logit_stats(torch.from_numpy(masked), sampled=3)
    )
    assert _core.logit_stats(masked).entropy == pytest.approx(oracle(masked)[1], rel=1e-5)
    assert _core.logit_stats(masked, sampled=200).surprisal == math.inf
    assert _core.logit_stats(row, prior=masked).kl == math.inf


def test_group_confidence():
    case = VECTORS["group_confidence"]
    group = _core.GroupConfidence(case["window"])
    got = [group.push(v) for v in case["values"]]
    for value, want in zip(got, case["means"], strict=True):
        assert value == (None if want is None else near(want))
    assert group.mean == got[-1]
    assert group.window == 3
    with pytest.raises(ArgumentError):
        _core.GroupConfidence(0)


def test_simd_level_is_one_of_the_known():
    assert _core.simd_level() in {"scalar", "avx2", "avx512"}


@given(st.lists(st.floats(-40, 40, width=32), min_size=2, max_size=80), st.integers(1, 30))
def test_bounds_of_top_logprobs_hold(values, k):
    row = np.array(values, dtype=np.float32)
    full = _core.logit_stats(row, sampled=0, top_k=80)
    entries = full.top_k[:k]
    bounds = _core.top_logprob_bounds(entries, sampled=0, vocabulary=len(row))
    assert not bounds["invalid"]
    for name in ("surprisal", "entropy", "margin", "confidence"):
        lo, hi = bounds[name]
        assert lo - 1e-5 <= getattr(full, name) <= hi + 1e-5, name


def test_golden_scores():
    for case in VECTORS["confidence"]:
        lps = case.get("logprobs") or [math.log(p) for p in case["p"]]
        assert _core.token_confidence(lps) == near(case["value"])
    bar = VECTORS["bar"]
    assert _core.percentile(bar["minima"], bar["percent"]) == near(bar["value"])
    for case in VECTORS["top"]:
        assert _core.negentropy(case["logprobs"]) == near(case["negentropy"])
        if "listed_entropy" in case:
            assert _core.listed_entropy(case["logprobs"]) == near(case["listed_entropy"])
            got = _core.renormalised_entropy(case["logprobs"])
            assert got == near(case["renormalised_entropy"])
    margins = [_core.top_margin(r) for r in VECTORS["margin_mean"]["rows"]]
    assert sum(margins) / len(margins) == near(VECTORS["margin_mean"]["value"])
    for case in VECTORS["sequence"]:
        assert _core.sequence_probability(case["logprobs"]) == near(case["probability"])
        if "least" in case:
            assert _core.least_probability(case["logprobs"]) == near(case["least"])
    boosted = VECTORS["boosted"]
    got = [
        _core.boosted_probability(boosted["p"], i, boosted["jump"], boosted["least"])
        for i in range(4)
    ]
    assert got == near(boosted["values"])
    entropix = VECTORS["entropix"]
    assert _core.entropy_varentropy(entropix["p"]) == (
        near(entropix["entropy"]),
        near(entropix["varentropy"]),
    )
    for case in VECTORS["semantic_entropy"]:
        got = _core.semantic_entropy(case["classes"], case.get("weights"))
        assert got == near(case["value"])
    flare = VECTORS["flare"]
    got = _core.flare(flare["p"], flare["trigger"], flare["mask"])
    assert got == (flare["retrieve"], flare["masked"])


def test_the_margin_of_a_uniform_row_has_no_sign():
    margin = _core.logit_stats(np.zeros(8, dtype=np.float32)).margin
    assert margin == 0.0 and math.copysign(1.0, margin) == 1.0


@pytest.mark.parametrize(
    ("name", "value"),
    [("threads", -1), ("threads", 0), ("threads", 2**70), ("threads", 1.5), ("threads", True),
     ("top_k", -1), ("top_k", 2**70), ("top_k", "many")],
)  # fmt: skip
def test_a_count_out_of_range_is_named(name, value):
    rows = np.zeros((2, 8), np.float32)
    with pytest.raises(ArgumentError, match=name):
        _core.logit_stats_batch(rows, **{name: value})
    if name == "top_k":
        with pytest.raises(ArgumentError, match=name):
            _core.logit_stats(rows[0], top_k=value)


def test_signals_of_a_push_stay_within_a_million():
    import groundwire as gw

    row = np.zeros(256, np.float32)
    row[65] = -np.inf
    session = gw.Monitor(tokenizer={65: b"A", 66: b"B"}).session()
    signals = session.push(65, logits=row).signals
    assert signals.surprisal == 1e6
    assert _core.logit_stats(row, sampled=65).surprisal == math.inf
    assert "1e6" in _core_stub("class Signals")


def _core_stub(after: str) -> str:
    stub = (Path(_core.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    return stub.split(after)[1].split("def ", 1)[0]
