"""Information budgets: the golden vectors through Python, and the shape of the answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire import _core
from groundwire.errors import ArgumentError

FOLDER = Path(__file__).parents[1] / "vectors"
VECTORS = json.loads((FOLDER / "budget.json").read_text(encoding="utf-8"))
UNCERTAINTY = json.loads((FOLDER / "uncertainty.json").read_text(encoding="utf-8"))


def near(want):
    return pytest.approx(want, abs=VECTORS["tolerance"], rel=0)


def given(value):
    return tuple(value) if isinstance(value, list) else value


def ends(value):
    return tuple(value) if isinstance(value, (list, tuple)) else (value, value)


@pytest.mark.req("SPEC-08.04", "SPEC-08.05", "D-5", "X-26")
@pytest.mark.parametrize("mode", ["strict", "default"])
@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_golden_budgets(case, mode):
    got = _core.budget(
        p0=given(case["p0"]),
        p1=given(case["p1"]),
        target=case["target"],
        eps=case["eps"],
        strict_seed=mode == "strict",
    )
    for key in ("required", "observed", "gap"):
        if key in case:
            assert ends(getattr(got, key)) == near(ends(case[key])), key
    if "gap_lo" in case:
        assert ends(got.gap)[0] == near(case["gap_lo"])
    assert got.status == case[mode]["status"]
    assert got.flagged == case[mode]["flagged"]


@pytest.mark.req("SPEC-08.06", "X-27")
@pytest.mark.parametrize("case", VECTORS["kl"])
def test_golden_divergences(case):
    assert _core.kl_bernoulli(case["p"], case["q"], case["eps"], case["unit"]) == near(
        case["value"]
    )


def test_answers_are_numbers_or_bounds():
    exact = _core.budget(p0=0.5, p1=0.6)
    assert isinstance(exact.gap, float)
    assert exact.gap == exact.gap_joint == exact.required - exact.observed
    assert (exact.unit, exact.tier, exact.status) == ("bits", "low", "not_in_context")
    bounded = _core.budget(p0=(0.1, 0.2), p1=0.6, unit="nats")
    assert isinstance(bounded.gap, tuple)
    assert bounded.gap[0] <= bounded.gap_joint[0] <= bounded.gap_joint[1] <= bounded.gap[1]
    assert "not_in_context" in repr(exact)


def test_nats_are_bits_times_ln_2():
    bits, nats = _core.kl_bernoulli(0.9, 0.2), _core.kl_bernoulli(0.9, 0.2, unit="nats")
    assert nats == pytest.approx(bits * 0.6931471805599453)


@pytest.mark.parametrize(
    "arguments",
    [
        {"p0": -0.1, "p1": 0.5},
        {"p0": 0.5, "p1": float("nan")},
        {"p0": (0.9, 0.1), "p1": 0.5},
        {"p0": "half", "p1": 0.5},
        {"p0": (0.1, 0.2, 0.3), "p1": 0.5},
        {"p0": 0.5, "p1": 0.5, "eps": 0.5},
        {"p0": 0.5, "p1": 0.5, "unit": "bans"},
        {"p0": 0.5, "p1": 0.5, "target": 1.5},
    ],
)
def test_bad_arguments_are_refused(arguments):
    with pytest.raises(ArgumentError):
        _core.budget(**arguments)


def test_golden_planner():
    edfl = UNCERTAINTY["edfl"]
    for case in edfl["bits_to_trust"]:
        got = _core.bits_to_trust(case["h_star"], 1 / (case["samples"] + 2))
        assert got == near(case["value"])
    for case in edfl["sufficiency"]:
        needed = _core.bits_to_trust(case["h_star"], 1 / (case["samples"] + 2))
        assert case["lift"] / needed == near(case["value"])
    for case in edfl["p_max"]:
        assert _core.p_max(case["lift"], case["q"]) == near(case["value"])
    for case in edfl["mean_lift"]:
        assert _core.mean_lift(case["p"], case["weak"], case["cap"]) == near(case["value"])
    for case in edfl["wilson_upper"]:
        assert _core.wilson_upper(case["failures"], case["n"], case["z"]) == near(case["value"])
    for case in UNCERTAINTY["qmv"]:
        got = _core.qmv(case["p_ref"], case["q"], case["h_star"])
        for key, want in case.items():
            if key in got:
                assert got[key] == near(want), key


@pytest.mark.parametrize("cap", [-1.0, float("nan")])
def test_a_cap_below_nothing_is_refused(cap):
    with pytest.raises(ArgumentError, match="cap is 0 or more"):
        _core.mean_lift(0.5, [0.2], cap)
