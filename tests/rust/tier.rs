//! Tests of `tier`.

use groundwire_core::tier::{Absence, Cutoffs, tier_of_confidence};
use groundwire_core::types::Tier;

use crate::score::{finding, vectors};

#[test]
fn cut_offs() {
    for case in vectors().tiers {
        let got = Cutoffs::default().tier(case.risk, case.contradicted);
        assert_eq!(
            got.as_str(),
            case.tier,
            "risk {} {}",
            case.risk,
            case.contradicted
        );
    }
    assert_eq!(Cutoffs::default().tier(f64::NAN, true), Tier::None);
}

#[test]
fn cut_offs_of_the_seed() {
    // req: D-6
    for case in vectors().strict_tiers {
        let got = tier_of_confidence(case.truth, case.contradicted);
        assert_eq!(
            got.as_str(),
            case.tier,
            "truth {} {}",
            case.truth,
            case.contradicted
        );
    }
}

#[test]
fn absence_is_not_contradiction() {
    let mut absent = finding("stream.unknown_entity", 0.9);
    assert_eq!(Absence::of(&absent), None);
    absent.extra.insert("absence".into(), true.into());
    let cap = |f: &groundwire_core::types::Finding| Absence::of(f).unwrap().cap(Tier::Critical);
    assert_eq!(cap(&absent), Tier::Low);
    absent.extra.insert("evidence_given".into(), true.into());
    assert_eq!(cap(&absent), Tier::Medium);
    absent.extra.insert("closed_world".into(), true.into());
    assert!(
        cap(&absent) < Tier::Critical,
        "an absent fact alone never discards"
    );
    assert_eq!(Absence::OpenWorld.cap(Tier::None), Tier::None);
}

#[test]
fn cut_offs_rise() {
    let falling = Cutoffs {
        medium: 0.1,
        ..Cutoffs::default()
    };
    assert!(falling.validate().unwrap_err().message().contains("'low'"));
    let outside = Cutoffs {
        critical: f64::NAN,
        ..Cutoffs::default()
    };
    assert!(
        outside
            .validate()
            .unwrap_err()
            .message()
            .contains("'critical'")
    );
}
