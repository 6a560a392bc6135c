//! Tests of `profile`: tiers and verdicts of each system.

use groundwire_core::policy::Policy;
use groundwire_core::profile::{Profile, VerdictStatus};
use groundwire_core::types::{Action, Finding, Severity, Status, Tier};

use crate::score::finding;

fn tiered(profile: &Profile, mut finding: Finding) -> Finding {
    finding.tier = profile.tier(&finding);
    finding
}

fn dialogue(p: f64, status: Status, replacement: Option<&str>) -> Finding {
    let mut f = finding("dialogue.fabricated_fact", p);
    f.status = status;
    f.replacement = replacement.map(Into::into);
    tiered(&Profile::dialogue(), f)
}

#[test]
fn three_severe_findings_ask_for_another_answer() {
    // req: S0-076
    let profile = Profile::dialogue();
    let severe = || dialogue(0.9, Status::NotInContext, None);
    let two = profile.verdict(&[severe(), severe()], |tier| Policy::default().action(tier));
    assert_ne!(two.action, Action::Regenerate);
    let three = [severe(), severe(), severe()];
    let verdict = profile.verdict(&three, |tier| Policy::default().action(tier));
    assert_eq!(
        (verdict.action, verdict.tier),
        (Action::Regenerate, Tier::High)
    );
    // Critical only if one is contradicted.
    let wrong = dialogue(0.9, Status::Contradicted, None);
    let verdict = profile.verdict(&[severe(), severe(), wrong], |tier| {
        Policy::default().action(tier)
    });
    assert_eq!(
        (verdict.action, verdict.tier),
        (Action::Regenerate, Tier::Critical)
    );
    // Others' findings do not count.
    assert_eq!(
        Profile::stream()
            .verdict(&three, |tier| Policy::default().action(tier))
            .status,
        VerdictStatus::Pass
    );
}

#[test]
fn a_sourced_replacement_is_corrected_first() {
    let profile = Profile::dialogue();
    let fixable = dialogue(0.95, Status::Contradicted, Some("1987"));
    assert_eq!(fixable.tier, Tier::Critical);
    let verdict = profile.verdict(std::slice::from_ref(&fixable), |tier| {
        Policy::default().action(tier)
    });
    assert_eq!(verdict.action, Action::Correct);
    assert_eq!(verdict.status, VerdictStatus::Fail);
    let unsourced = dialogue(0.95, Status::Contradicted, None);
    let verdict = profile.verdict(&[fixable, unsourced], |tier| Policy::default().action(tier));
    assert_eq!(
        verdict.action,
        Action::Discard,
        "the other one has no right value"
    );
    let nothing = profile.verdict(&[], |tier| Policy::default().action(tier));
    assert_eq!(
        (nothing.action, nothing.status),
        (Action::Accept, VerdictStatus::Pass)
    );
}

#[test]
fn what_is_supported_or_for_information_has_no_tier() {
    let profile = Profile::stream();
    let mut f = finding("stream.unknown_entity", 0.9);
    assert_eq!(profile.tier(&f), Tier::High);
    f.status = Status::Supported;
    assert_eq!(profile.tier(&f), Tier::None);
    f.status = Status::NotInContext;
    f.severity = Severity::Info;
    assert_eq!(profile.tier(&f), Tier::None);
    let mut off = Profile::stream();
    off.disabled.push("stream.unknown_entity".into());
    assert_eq!(off.tier(&finding("stream.unknown_entity", 0.9)), Tier::None);
}

#[test]
fn a_sure_pattern_interrupts() {
    // req: S4-017
    let profile = Profile::stream();
    let mut f = finding("stream.pattern", 0.81);
    f.risk = 0.1;
    assert_eq!(profile.tier(&f), Tier::None);
    f.extra.insert("pattern".into(), "rule".into());
    assert_eq!(profile.tier(&f), Tier::High);
    f.p_hallucinated = 0.8;
    assert_eq!(
        profile.tier(&f),
        Tier::None,
        "above the threshold, not at it"
    );
}

#[test]
fn a_rule_may_set_the_least_tier() {
    let mut f = finding("stream.pattern", 0.3);
    f.risk = 0.1;
    f.extra.insert("min_tier".into(), "medium".into());
    assert_eq!(Profile::stream().tier(&f), Tier::Medium);
}

#[test]
fn the_seeds_tiers_under_strict_seed() {
    // req: D-6
    let mut profile = Profile::stream();
    profile.strict_seed = true;
    for case in crate::score::vectors().strict_tiers {
        let mut f = finding("stream.unknown_entity", 1.0 - case.truth);
        if case.contradicted {
            f.status = Status::Contradicted;
        }
        // 1 − (1 − 0.7) is not 0.7: the vector's own value decides.
        if ((1.0 - f.p_hallucinated) - case.truth).abs() == 0.0 {
            assert_eq!(profile.tier(&f).as_str(), case.tier, "{}", case.truth);
        }
    }
}

#[test]
fn tiers_of_the_budget() {
    // req: D-5, SPEC-08.05
    let mut profile = Profile::budget();
    let with = |status: Status, gap: f64| {
        let mut f = finding("budget.gap", 1.0);
        f.status = status;
        f.extra.insert("gap_bits".into(), gap.into());
        f
    };
    assert_eq!(
        profile.tier(&with(Status::Contradicted, 50.0)),
        Tier::High,
        "never discards"
    );
    assert_eq!(profile.tier(&with(Status::NotInContext, 5.1)), Tier::Medium);
    assert_eq!(profile.tier(&with(Status::NotInContext, 5.0)), Tier::Low);
    assert_eq!(profile.tier(&with(Status::Supported, 5.0)), Tier::None);
    profile.strict_seed = true;
    assert_eq!(profile.tier(&with(Status::NotInContext, 0.1)), Tier::Medium);
}

#[test]
fn bad_profiles_are_named() {
    let check = |change: fn(&mut Profile), word: &str| {
        let mut profile = Profile::stream();
        change(&mut profile);
        let error = profile.validate().unwrap_err();
        assert!(error.message().contains(word), "{error}");
    };
    check(|p| p.regenerate_threshold = 1.5, "regenerate_threshold");
    check(
        |p| p.interruption_threshold = f64::NAN,
        "interruption_threshold",
    );
    check(|p| p.flag_threshold_bits = -1.0, "flag_threshold_bits");
    check(
        |p| p.base_severity = [("stream.x".into(), 2.0)].into(),
        "stream.x",
    );
    check(|p| p.weights.kb = 2.0, "'kb'");
    check(|p| p.cutoffs.low = 0.9, "'low'");
    assert!(
        Profile::named("nothing")
            .unwrap_err()
            .message()
            .contains("dialogue")
    );
}
