"""Rows that nobody should pass, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from groundwire import _core
from groundwire.errors import ArgumentError


class OnDevice:
    """Looks like a tensor on an accelerator."""

    def __dlpack__(self, **options):
        raise AssertionError("not to be asked")

    def __dlpack_device__(self):
        return (2, 0)


class Liar:
    """Gives something that is no capsule."""

    def __dlpack__(self, **options):
        return 5

    def __dlpack_device__(self):
        return (1, 0)


class Used:
    """Gives a capsule that somebody has consumed."""

    def __init__(self):
        self.capsule = torch.zeros(4).__dlpack__()
        torch.from_dlpack(self.capsule)

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (np.zeros(0, dtype=np.float32), "empty"),
        (torch.zeros(0), "empty"),
        (np.zeros(4), "float32"),
        (torch.zeros(4, dtype=torch.float64), "float32"),
        (torch.zeros(4, dtype=torch.int32), "float32"),
        (np.zeros(4, dtype=">f4"), "byte order"),
        (np.zeros(8, dtype=np.float32)[::2], "side by side"),
        (torch.zeros(8)[::2], ".contiguous()"),
        (torch.zeros(8, 8).T[0], ".contiguous()"),
        (torch.zeros(1).expand(8), ".contiguous()"),
        (np.zeros((2, 4), dtype=np.float32), "batch"),
        (np.zeros((2, 2, 2), dtype=np.float32), "not 3"),
        (torch.zeros(2, 2, 2), "not 3"),
        (torch.empty(8, device="meta"), "cannot be read .*meta.*dense float rows"),
        (torch.ones(8).to_sparse(), "cannot be read .*strided"),
        (np.zeros((), dtype=np.float32), "dimension"),
        (torch.tensor(1.0), "dimension"),
        (b"bytes are no floats", "float32"),
        ([0.0, 1.0], "NumPy"),
        (None, "NumPy"),
        (OnDevice(), ".cpu()"),
        (Liar(), "capsule"),
        (Used(), "capsule"),
        (np.frombuffer(b"\0" * 33, dtype=np.uint8)[1:33].view(np.float32), "aligned"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_refused_with_a_reason(row, said):
    with pytest.raises(ArgumentError, match=said.replace("(", r"\(").replace(")", r"\)")):
        _core.logit_stats(row)


def test_bad_arguments_are_refused():
    row = np.zeros(4, dtype=np.float32)
    for sampled in (4, -1, 2**40):
        with pytest.raises(ArgumentError, match="token"):
            _core.logit_stats(row, sampled=sampled)
    for sampled in (2**70, -(2**70)):
        with pytest.raises(ArgumentError, match="out of range"):
            _core.logit_stats(row, sampled=sampled)
        with pytest.raises(ArgumentError, match="out of range"):
            _core.logit_stats_batch(row[None], sampled=[sampled])
    with pytest.raises(ArgumentError, match="top_k"):
        _core.logit_stats(row, top_k=5000)
    with pytest.raises(ArgumentError, match="match"):
        _core.logit_stats(row, prior=row[:3])
    batch = np.zeros((3, 4), dtype=np.float32)
    with pytest.raises(ArgumentError, match="row 1"):
        _core.logit_stats_batch(batch, sampled=[0, 9, 0])
    with pytest.raises(ArgumentError, match="2 sampled"):
        _core.logit_stats_batch(batch, sampled=[0, 1])
    with pytest.raises(ArgumentError, match="2 prior"):
        _core.logit_stats_batch(batch, prior=batch[:2])
    with pytest.raises(ArgumentError, match="threads"):
        _core.logit_stats_batch(batch, threads=0)


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_bad_data_is_a_signal(kind):
    for at in (0, 17, 4999):
        row = np.zeros(5000, dtype=kind)
        row[at] = np.nan
        got = _core.logit_stats(row, sampled=1)
        assert got.invalid
        assert got.invalid_reason == "1 NaN"
        assert np.isnan(got.entropy)
        assert got.surprisal is None
        assert got.top_k == []
        row[at] = np.inf
        assert _core.logit_stats(row).invalid_reason == "1 +inf"
    masked = np.full(30, -np.inf, dtype=kind)
    assert _core.logit_stats(masked).invalid_reason == "every token masked"
    fine = np.zeros(30, dtype=kind)
    got = _core.logit_stats(fine, sampled=0, prior=masked)
    assert not got.invalid
    assert got.kl is None
    assert got.lift_bits is None
    assert "invalid" in repr(_core.logit_stats(masked))


def test_one_bad_row_spoils_no_other():
    batch = torch.zeros(3, 100)
    batch[1] = float("nan")
    got = _core.logit_stats_batch(batch, threads=2)
    assert [g.invalid for g in got] == [False, True, False]


def test_top_logprobs_of_a_broken_engine():
    assert _core.top_logprob_bounds([(1, float("nan"))])["invalid"]
    assert _core.top_logprob_bounds([(1, 3.0)])["invalid"]
    assert not _core.top_logprob_bounds([(1, -0.5), (1, -0.5)])["invalid"]
    with pytest.raises(ArgumentError):
        _core.top_logprob_bounds([])
