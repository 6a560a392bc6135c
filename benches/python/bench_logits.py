"""Statistics of a row of logits through Python, beside torch, numpy and a plain memory pass.

One thread each: ``logit_stats`` uses one, so torch is told to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from groundwire import _core

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")
pytest.importorskip("pytest_benchmark")

WIDTHS = (49_152, 131_072)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", params=WIDTHS)
def rows(request: Any) -> tuple[Any, Any]:
    """Two rows, normally distributed with a few high logits."""
    source = np.random.default_rng(1)
    pair = source.normal(0.0, 2.5, (2, request.param)).astype(np.float32)
    pair[:, :: request.param // 8] += 12.0
    return pair[0], pair[1]


@pytest.mark.benchmark(group="logits: one row")
def test_floor_sum(benchmark: Any, rows: tuple[Any, Any]) -> None:
    """Every element read and added once."""
    benchmark(torch.from_numpy(rows[0]).sum)


@pytest.mark.benchmark(group="logits: one row")
def test_groundwire_all_statistics(benchmark: Any, rows: tuple[Any, Any]) -> None:
    got = benchmark(_core.logit_stats, rows[0], sampled=17)
    want = float(torch.logsumexp(torch.from_numpy(rows[0]).double(), 0))
    assert got.logsumexp == pytest.approx(want, rel=1e-6)


@pytest.mark.benchmark(group="logits: one row")
def test_torch_logsumexp(benchmark: Any, rows: tuple[Any, Any]) -> None:
    """One of the statistics."""
    benchmark(torch.logsumexp, torch.from_numpy(rows[0]), 0)


@pytest.mark.benchmark(group="logits: one row")
def test_torch_all_statistics(benchmark: Any, rows: tuple[Any, Any]) -> None:
    """The same statistics as torch's users write them."""
    row = torch.from_numpy(rows[0])

    def run() -> tuple[Any, ...]:
        logprobs = torch.log_softmax(row, 0)
        p = logprobs.exp()
        entropy = -(p * logprobs).sum()
        varentropy = (p * (logprobs + entropy) ** 2).sum()
        top = torch.topk(logprobs, 20).values
        return entropy, varentropy, top[0].exp() - top[1].exp(), -top.mean(), -logprobs[17]

    benchmark(run)


@pytest.mark.benchmark(group="logits: two rows")
def test_groundwire_pair(benchmark: Any, rows: tuple[Any, Any]) -> None:
    """All statistics of both rows and KL."""
    benchmark(_core.logit_stats, rows[0], sampled=17, prior=rows[1])


@pytest.mark.benchmark(group="logits: two rows")
def test_torch_kl(benchmark: Any, rows: tuple[Any, Any]) -> None:
    """KL alone."""
    a, b = (torch.from_numpy(row) for row in rows)

    def run() -> Any:
        p, q = torch.log_softmax(a, 0), torch.log_softmax(b, 0)
        return torch.nn.functional.kl_div(q, p, reduction="sum", log_target=True)

    benchmark(run)
