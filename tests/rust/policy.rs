//! Tests of `policy`.

use groundwire_core::policy::{Policy, Release};
use groundwire_core::types::{Action, Tier};

#[test]
fn the_four_tiers() {
    // req: S4-028
    let policy = Policy::default();
    let actions: Vec<Action> = Tier::ALL.iter().map(|&tier| policy.action(tier)).collect();
    assert_eq!(
        actions,
        [
            Action::Accept,
            Action::Annotate,
            Action::Hedge,
            Action::Interrupt,
            Action::Discard
        ]
    );
    assert_eq!(policy.release, Release::Claim);
    policy.validate().unwrap();
    Policy::observe().validate().unwrap();
}

#[test]
fn what_a_stream_cannot_do_is_refused() {
    for action in [Action::Regenerate, Action::Reject, Action::Escalate] {
        let error = Policy {
            high: action,
            ..Policy::default()
        }
        .validate()
        .unwrap_err();
        assert!(error.message().contains("policy.high"), "{error}");
    }
    let error = Policy {
        max_hold_tokens: 0,
        ..Policy::default()
    }
    .validate()
    .unwrap_err();
    assert!(error.message().contains("max_hold_tokens"), "{error}");
}

#[test]
fn a_wrong_key_is_named() {
    let error = serde_json::from_str::<Policy>(r#"{"realease": "token"}"#).unwrap_err();
    assert!(error.to_string().contains("realease"), "{error}");
}
