//! Tests of `budget`.

use groundwire_core::budget::{
    ClaimBudget, Params, StreamBudget, Unit, budget, kl_bernoulli, planner,
};
use groundwire_core::error::Category;
use groundwire_core::types::{Interval, Status, Tier};
use proptest::prelude::*;
use serde_json::Value;

fn data(text: &str) -> Value {
    serde_json::from_str(text).expect("the vectors are JSON")
}

fn vectors() -> Value {
    data(include_str!("../vectors/budget.json"))
}

fn uncertainty() -> Value {
    data(include_str!("../vectors/uncertainty.json"))
}

/// A number, or a pair of bounds.
fn interval(value: &Value) -> Interval {
    match value.as_array() {
        Some(pair) => Interval::new(pair[0].as_f64().unwrap(), pair[1].as_f64().unwrap()),
        None => Interval::exact(value.as_f64().unwrap()),
    }
}

fn near(got: f64, want: f64, tolerance: f64, what: &str) {
    assert!(
        (got - want).abs() <= tolerance,
        "{what}: {got} instead of {want}"
    );
}

fn f(value: &Value, key: &str) -> f64 {
    value[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {value}"))
}

fn list(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

// req: SPEC-08.03
// req: SPEC-08.04
// req: SPEC-08.05
// req: D-5
#[test]
fn golden_budgets() {
    let all = vectors();
    let tolerance = f(&all, "tolerance");
    for case in all["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        for (mode, strict_seed) in [("strict", true), ("default", false)] {
            let params = Params {
                target: f(case, "target"),
                eps: f(case, "eps"),
                strict_seed,
                ..Params::default()
            };
            let got = budget(interval(&case["p0"]), interval(&case["p1"]), &params).unwrap();
            for (key, bounds) in [
                ("required", got.required),
                ("observed", got.observed),
                ("gap", got.gap),
            ] {
                if !case[key].is_null() {
                    let want = interval(&case[key]);
                    near(bounds.lo, want.lo, tolerance, &format!("{name}: {key} lo"));
                    near(bounds.hi, want.hi, tolerance, &format!("{name}: {key} hi"));
                }
            }
            if let Some(lo) = case["gap_lo"].as_f64() {
                near(got.gap.lo, lo, tolerance, name);
            }
            assert_eq!(
                got.flagged,
                case[mode]["flagged"].as_bool().unwrap(),
                "{name} {mode}"
            );
            assert_eq!(
                got.status.as_str(),
                case[mode]["status"].as_str().unwrap(),
                "{name} {mode}"
            );
        }
    }
}

// req: SPEC-08.06
#[test]
fn golden_divergences() {
    let all = vectors();
    for case in all["kl"].as_array().unwrap() {
        let unit = Unit::parse(case["unit"].as_str().unwrap()).unwrap();
        let got = kl_bernoulli(f(case, "p"), f(case, "q"), f(case, "eps"), unit).unwrap();
        near(
            got,
            f(case, "value"),
            f(&all, "tolerance"),
            &case.to_string(),
        );
    }
}

#[test]
fn bad_arguments_are_refused() {
    let ok = Interval::exact(0.5);
    let refused = |p0: Interval, p1: Interval, params: Params| {
        budget(p0, p1, &params).unwrap_err().category() == Category::Argument
    };
    assert!(refused(Interval::exact(-0.1), ok, Params::default()));
    assert!(refused(ok, Interval::exact(1.1), Params::default()));
    assert!(refused(Interval::exact(f64::NAN), ok, Params::default()));
    assert!(refused(Interval::new(0.6, 0.4), ok, Params::default()));
    assert!(refused(
        ok,
        ok,
        Params {
            target: 2.0,
            ..Params::default()
        }
    ));
    assert!(refused(
        ok,
        ok,
        Params {
            eps: 0.5,
            ..Params::default()
        }
    ));
    assert!(refused(
        ok,
        ok,
        Params {
            flag_threshold: f64::NAN,
            ..Params::default()
        }
    ));
    assert!(kl_bernoulli(0.5, f64::NAN, 0.01, Unit::Bits).is_err());
    assert!(Unit::parse("bans").unwrap_err().message().contains("bans"));
}

#[test]
fn without_clip_amounts_may_be_infinite() {
    assert_eq!(
        kl_bernoulli(0.5, 0.0, 0.0, Unit::Bits).unwrap(),
        f64::INFINITY
    );
    assert_eq!(kl_bernoulli(1.0, 1.0, 0.0, Unit::Bits).unwrap(), 0.0);
    let zero = Interval::exact(0.0);
    let got = budget(
        zero,
        Interval::exact(0.5),
        &Params {
            eps: 0.0,
            ..Params::default()
        },
    )
    .unwrap();
    assert!(!got.gap.lo.is_nan() && !got.gap.hi.is_nan() && !got.gap_joint.lo.is_nan());
}

#[test]
fn tiers_of_the_profile() {
    let tier = |p0, p1| {
        budget(Interval::exact(p0), Interval::exact(p1), &Params::default())
            .unwrap()
            .tier()
    };
    assert_eq!(tier(0.5, 0.97), Tier::None);
    assert_eq!(tier(0.9, 0.25), Tier::High);
    assert_eq!(tier(0.001, 0.25), Tier::Medium);
    assert_eq!(tier(0.5, 0.6), Tier::Low);
}

proptest! {
    #[test]
    fn divergence_is_that_of_the_definition(p in 0.0..=1.0, q in 0.0..=1.0) {
        let eps = 0.01;
        let (a, b): (f64, f64) = (f64::clamp(p, eps, 1.0 - eps), f64::clamp(q, eps, 1.0 - eps));
        let plain = a * (a / b).log2() + (1.0 - a) * ((1.0 - a) / (1.0 - b)).log2();
        let got = kl_bernoulli(p, q, eps, Unit::Bits).unwrap();
        prop_assert!(got >= 0.0);
        prop_assert!((got - plain).abs() < 1e-12, "{got} {plain}");
    }

    // Every point of the box gives amounts inside the bounds, and the joint bounds are tight.
    #[test]
    fn bounds_hold_on_a_grid(
        a in 0.0..=1.0, b in 0.0..=1.0, c in 0.0..=1.0, d in 0.0..=1.0, target in 0.02..=0.98
    ) {
        let p0 = Interval::new(f64::min(a, b), f64::max(a, b));
        let p1 = Interval::new(f64::min(c, d), f64::max(c, d));
        let params = Params { target, ..Params::default() };
        let got = budget(p0, p1, &params).unwrap();
        let mut seen = Interval::new(f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..=20 {
            for j in 0..=20 {
                let q0 = p0.lo + (p0.hi - p0.lo) * f64::from(i) / 20.0;
                let q1 = p1.lo + (p1.hi - p1.lo) * f64::from(j) / 20.0;
                let (q0, q1) = (q0.min(p0.hi), q1.min(p1.hi));
                let at = budget(Interval::exact(q0), Interval::exact(q1), &params).unwrap();
                for (inside, bounds) in [
                    (at.required.lo, got.required), (at.observed.lo, got.observed),
                    (at.gap.lo, got.gap), (at.gap_joint.lo, got.gap_joint),
                ] {
                    prop_assert!(bounds.lo - 1e-9 <= inside && inside <= bounds.hi + 1e-9);
                }
                prop_assert!((at.gap.lo - at.gap_joint.lo).abs() < 1e-12);
                seen = Interval::new(seen.lo.min(at.gap.lo), seen.hi.max(at.gap.lo));
                if got.status == Status::Contradicted || got.status == Status::Supported {
                    prop_assert_eq!(at.status, got.status);
                }
                if got.flagged {
                    prop_assert!(at.flagged);
                }
            }
        }
        prop_assert!((seen.lo - got.gap_joint.lo).abs() < 1e-9, "corners are on the grid");
        prop_assert!(got.gap.lo <= got.gap_joint.lo + 1e-12 && got.gap_joint.hi <= got.gap.hi + 1e-12);
    }

    #[test]
    fn claims_add_up_to_the_stream(
        tokens in prop::collection::vec((-30.0..0.0, -30.0..0.0, 0.0..20.0, any::<bool>(), 0u8..4), 0..300)
    ) {
        let mut claims = [ClaimBudget::new(); 4];
        let mut stream = StreamBudget::new();
        for &(with, without, kl, content, claim) in &tokens {
            claims[claim as usize].push(with, without, kl, content);
            stream.push(with, without, kl);
        }
        // Sums of whole numbers of a small part of a bit: exact in any order.
        let kl: f64 = claims.iter().map(ClaimBudget::kl_bits).sum();
        let claimed: u64 = claims.iter().map(|claim| u64::from(claim.tokens())).sum();
        prop_assert_eq!((kl, claimed), (stream.kl_bits(), stream.tokens()));
        let lift: f64 = tokens.iter().map(|t| (t.0 - t.1) / std::f64::consts::LN_2).sum();
        prop_assert!((stream.lift_bits() - lift).abs() < 1e-5);
    }
}

// req: SPEC-08.03
#[test]
fn claim_probabilities_are_geometric_means_over_content() {
    let mut claim = ClaimBudget::new();
    assert_eq!(claim.budget(&Params::default()).unwrap(), None);
    claim.push(-9.0, -9.0, 0.0, false);
    assert_eq!(claim.p1(), None);
    claim.push(0.9_f64.ln(), 0.1_f64.ln(), 1.5, true);
    claim.push(0.4_f64.ln(), 0.4_f64.ln(), 0.5, true);
    near(claim.p1().unwrap(), 0.6, 1e-8, "p1");
    near(claim.p0().unwrap(), 0.2, 1e-8, "p0");
    near(claim.kl_bits(), 2.0, 1e-8, "kl");
    near(claim.lift_bits(), 9.0_f64.log2(), 1e-8, "lift");
    assert_eq!((claim.tokens(), claim.content_tokens()), (3, 2));
    let got = claim.budget(&Params::default()).unwrap().unwrap();
    near(
        got.required.lo,
        kl_bernoulli(0.95, 0.2, 0.01, Unit::Bits).unwrap(),
        1e-6,
        "required",
    );
    assert_eq!(size_of::<ClaimBudget>(), 40);
}

#[test]
fn a_million_tokens_and_bad_ones() {
    let mut claim = ClaimBudget::new();
    for _ in 0..1_000_000 {
        claim.push(-0.1, -0.2, 0.3, true);
    }
    near(claim.kl_bits(), 300_000.0, 1e-3, "kl");
    let before = claim.kl_bits();
    claim.push(f64::NAN, f64::NEG_INFINITY, f64::INFINITY, true);
    near(claim.kl_bits(), before + 4096.0, 1e-6, "capped");
    assert!(claim.p0().unwrap().is_finite());
}

#[test]
fn golden_planner() {
    let all = uncertainty();
    let tolerance = f(&all, "tolerance");
    let edfl = &all["edfl"];
    let cases = |key: &str| edfl[key].as_array().unwrap().clone();
    // Laplace's floor under the least prior of so many samples.
    let floor = |case: &Value| 1.0 / (f(case, "samples") + 2.0);
    for case in cases("bits_to_trust") {
        let got = planner::bits_to_trust(f(&case, "h_star"), floor(&case)).unwrap();
        near(got, f(&case, "value"), tolerance, "bits to trust");
    }
    for case in cases("sufficiency") {
        let needed = planner::bits_to_trust(f(&case, "h_star"), floor(&case)).unwrap();
        near(
            planner::sufficiency(f(&case, "lift"), needed),
            f(&case, "value"),
            tolerance,
            "ISR",
        );
    }
    for case in cases("p_max") {
        let got = planner::p_max(f(&case, "lift"), f(&case, "q")).unwrap();
        near(got, f(&case, "value"), tolerance, "p_max");
    }
    for case in cases("mean_lift") {
        let got = planner::mean_lift(f(&case, "p"), &list(&case["weak"]), f(&case, "cap")).unwrap();
        near(got, f(&case, "value"), tolerance, "lift");
    }
    for case in cases("wilson_upper") {
        let count = |key: &str| case[key].as_u64().unwrap() as u32;
        let got = planner::wilson_upper(count("failures"), count("n"), f(&case, "z")).unwrap();
        near(got, f(&case, "value"), tolerance, "wilson");
    }
    for case in all["qmv"].as_array().unwrap() {
        let got = planner::qmv(f(case, "p_ref"), &list(&case["q"]), f(case, "h_star")).unwrap();
        for (key, value) in [
            ("q_lo", got.q_lo),
            ("needed", got.needed),
            ("sufficiency", got.sufficiency),
            ("jsd", got.jsd),
            ("bound", got.bound),
            ("deviation", got.deviation),
        ] {
            if let Some(want) = case[key].as_f64() {
                near(value, want, tolerance, key);
            }
        }
        assert_eq!(got.answer, case["answer"].as_bool().unwrap());
    }
    assert!(planner::qmv(0.9, &[], 0.05).is_err());
    assert!(planner::wilson_upper(3, 2, 1.96).is_err());
    assert!(planner::p_max(f64::NAN, 0.5).is_err());
    assert_eq!(planner::p_max(50.0, 0.5).unwrap(), 1.0);
    assert_eq!(planner::bits_to_trust(0.05, 0.99).unwrap(), 0.0);
}
