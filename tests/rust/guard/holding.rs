//! Waiting, giving up, failing, finishing.

use super::*;
use groundwire_core::monitor::Monitor;
use groundwire_core::profile::{FailurePolicy, Profile};
use groundwire_core::session::Context;

fn claim_id(session: &Session) -> String {
    session
        .log_since(0)
        .find_map(|entry| match entry {
            Entry::Claim { claim, .. } => Some(claim.id.clone()),
            _ => None,
        })
        .unwrap()
}

fn said(out: &[Directive]) -> String {
    out.iter()
        .filter_map(|d| match d {
            Directive::Release { text } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// A guard that holds one closed claim for a verifier; the claim's id.
fn waiting(policy: Policy) -> (Guard, String) {
    let mut guard = guarded(Policy {
        release: Release::Response,
        ..policy.clone()
    });
    guard
        .push_text("It is closed on Mondays. It", Push::default(), 0)
        .unwrap();
    let mut again = Guard::with_policy(guard.session().clone(), policy);
    let id = claim_id(again.session());
    // The same text once more, now with the claim awaited from its beginning.
    again = guarded(again.policy().clone());
    again
        .push_text("It is closed on Mondays.", Push::default(), 0)
        .unwrap();
    let (_, out) = again.push_text(" ", Push::default(), 0).unwrap();
    assert_eq!(said(&out), "");
    (again, id)
}

#[test]
fn text_waits_for_a_verifier() {
    let policy = Policy {
        release: Release::Response,
        ..Policy::default()
    };
    let mut guard = guarded(policy);
    guard
        .push_text(
            "It is closed on Mondays. It has 45 employees.",
            Push::default(),
            0,
        )
        .unwrap();
    let id = claim_id(guard.session());
    guard.session_mut().expect(&id).unwrap();
    assert!(guard.session().awaited_from().is_some());
    assert_eq!(guard.finish(1).unwrap(), vec![Directive::Wait]);
    // Looking again changes nothing, however often.
    for now in 2..2000 {
        assert_eq!(said(&guard.poll(now)), "", "at {now}");
    }
    let fine = Verdict {
        status: Status::Supported,
        p0: None,
        p1: None,
        reason: String::new(),
    };
    guard.session_mut().resolve(&id, fine).unwrap();
    let out = guard.finish(2001).unwrap();
    assert_eq!(said(&out), "It is closed on Mondays. It has 45 employees.");
    assert_eq!(
        out.last(),
        Some(&Directive::Stop {
            reason: StopReason::End
        })
    );
    assert_eq!(guard.report().holds_given_up, 0);
}

#[test]
fn a_verifier_that_contradicts_retracts() {
    let policy = Policy {
        release: Release::Response,
        ..Policy::default()
    };
    let mut guard = guarded(policy);
    guard
        .push_text(
            "It is closed on Mondays. It has 45 employees.",
            Push::default(),
            0,
        )
        .unwrap();
    let id = claim_id(guard.session());
    guard.session_mut().expect(&id).unwrap();
    let wrong = Verdict {
        status: Status::Contradicted,
        p0: None,
        p1: None,
        reason: "open".into(),
    };
    guard.session_mut().resolve(&id, wrong).unwrap();
    let out = guard.poll(1);
    assert_eq!(said(&out), "");
    assert!(
        matches!(out[..], [Directive::Rewind { keep: 0, .. }]) || guard.stopped().is_some(),
        "{out:?}"
    );
}

#[test]
fn waiting_is_given_up_and_counted() {
    let policy = Policy {
        release: Release::Response,
        max_hold_ms: 500,
        ..Policy::default()
    };
    let mut guard = guarded(policy);
    guard
        .push_text(
            "It is closed on Mondays. It has 45 employees.",
            Push::default(),
            0,
        )
        .unwrap();
    let id = claim_id(guard.session());
    guard.session_mut().expect(&id).unwrap();
    assert_eq!(guard.finish(400).unwrap(), vec![Directive::Wait]);
    let out = guard.finish(501).unwrap();
    assert_eq!(
        out.last(),
        Some(&Directive::Stop {
            reason: StopReason::End
        })
    );
    assert_eq!(guard.report().holds_given_up, 1);
}

#[test]
fn a_long_hold_is_given_up_by_tokens() {
    let policy = Policy {
        max_hold_tokens: 10,
        ..Policy::default()
    };
    let text = "it goes on and on and on and on and on and on and on and on and on and on";
    let done = drive(guarded(policy), &[text], 4);
    assert!(done.report().holds_given_up >= 1);
    assert_eq!(done.released, text);
    assert!(done.releases.len() > 1);
}

#[test]
fn polling_does_not_use_up_the_hold() {
    let policy = Policy {
        max_hold_tokens: 10,
        ..Policy::default()
    };
    let (mut guard, _) = waiting(policy);
    for _ in 0..100 {
        assert_eq!(said(&guard.poll(1)), "");
    }
    assert_eq!(guard.report().holds_given_up, 0);
}

#[test]
fn finishing_may_rewind_and_generation_goes_on() {
    let done = drive(
        guarded(Policy::default()),
        &["The Harbour Museum was founded in 1992.", " by Ada Lind."],
        4,
    );
    assert_eq!(
        done.released,
        "The Harbour Museum was founded in 1987 by Ada Lind."
    );
    assert_eq!(done.stopped, StopReason::End);
}

fn failing(failure: FailurePolicy) -> Guard {
    let mut stream = Profile::stream();
    stream.failure = failure;
    let monitor = Monitor::builder().profiles(vec![stream]).build().unwrap();
    Guard::new(Session::new(&monitor, Context::default()))
}

#[test]
fn a_panic_inside_a_guard_latches_its_session() {
    let mut guard = failing(FailurePolicy::Continue);
    guard
        .push_text("It is open. It", Push::default(), 0)
        .unwrap();
    let error = guard
        .contain(|_| -> groundwire_core::error::Result<()> { panic!("torn") })
        .unwrap_err();
    assert_eq!(error.category(), groundwire_core::error::Category::Latched);
    assert_eq!(guard.session().latched(), Some(error.message()));
    guard.push_text(" is big.", Push::default(), 0).unwrap();
    guard.finish(0).unwrap();
    assert_eq!(guard.released(), "It is open. It is big.");
    assert_eq!(guard.report().failed.as_deref(), Some(error.message()));
}

#[test]
fn a_failed_session_goes_on_unverified_or_stops() {
    // Invariant 6.
    let mut guard = failing(FailurePolicy::Continue);
    guard
        .push_text("It is open. It", Push::default(), 0)
        .unwrap();
    guard.session_mut().latch("broken");
    let mut out = guard.push_text(" is big.", Push::default(), 0).unwrap().1;
    out.extend(guard.push_text(" Naïve.", Push::default(), 0).unwrap().1);
    assert_eq!(guard.stopped(), None);
    out.extend(guard.finish(0).unwrap());
    assert_eq!(guard.released(), "It is open. It is big. Naïve.");
    assert_eq!(
        out.last(),
        Some(&Directive::Stop {
            reason: StopReason::End
        })
    );
    assert_eq!(guard.report().failed.as_deref(), Some("broken"));

    let mut guard = failing(FailurePolicy::Stop);
    guard
        .push_text("It is open. It", Push::default(), 0)
        .unwrap();
    guard.session_mut().latch("broken");
    let out = guard.push_text(" is big.", Push::default(), 0).unwrap().1;
    assert_eq!(
        out,
        vec![Directive::Stop {
            reason: StopReason::Failed
        }]
    );
    assert_eq!(guard.released(), "It is open. ".trim_end());
    assert!(
        guard
            .push_text("More.", Push::default(), 0)
            .unwrap()
            .1
            .is_empty()
    );
}

#[test]
fn a_policy_that_watches_rewrites_nothing() {
    let text = crate::session::ANSWER;
    for size in [1, 5, 4000] {
        let done = drive(guarded(Policy::observe()), &[text], size);
        assert_eq!(done.released, text);
        assert_eq!(done.rewinds, 0);
        assert!(
            done.report()
                .report
                .findings
                .iter()
                .any(|f| f.tier >= Tier::High)
        );
    }
}

#[test]
fn what_was_released_is_kept_as_far_as_text_is() {
    // Invariant 5.
    let cap = 16_384;
    let monitor = Monitor::builder()
        .settings(groundwire_core::monitor::Settings {
            max_retained: cap,
            ..Default::default()
        })
        .build()
        .unwrap();
    let mut guard = Guard::new(Session::new(&monitor, Context::default()));
    let mut got = String::new();
    let mut most = 0;
    for n in 0..2600 {
        let text = format!("Das Café Nummer {n} ist groß. ");
        let (_, out) = guard.push_text(&text, Push::default(), 0).unwrap();
        got.push_str(&said(&out));
        most = most.max(guard.released().len());
        assert!(got.ends_with(guard.released()));
    }
    got.push_str(&said(&guard.finish(0).unwrap()));
    assert!(
        got.len() > 4 * cap && most <= cap && most > cap / 2,
        "{most}"
    );
    let report = guard.report();
    assert!(report.report.truncated && got.ends_with(&report.released));
    assert!(report.released.len() > cap / 2);
}

#[test]
fn an_appeal_waits_for_its_example() {
    let policy = Policy::default();
    let named = "It rained. Research shows that practice helps. For example, Ericsson (1993) \
        followed violinists. It was a long study.";
    let monitor = Monitor::builder().build().unwrap();
    let guarded = |policy| Guard::with_policy(Session::new(&monitor, Context::default()), policy);
    for size in [1, 4, 400] {
        let outcome = drive(guarded(policy.clone()), &[named], size);
        assert_eq!(outcome.released, named);
        assert_eq!(outcome.rewinds, 0);
        let bare = "It rained. Research shows that practice helps. The sun came out again.";
        let again = " research shows that practice helps. The sun came out again.";
        let outcome = drive(guarded(policy.clone()), &[bare, again], size);
        assert_eq!(outcome.did(Action::Hedge), 1);
        assert!(
            !outcome.released.contains("rained. Research shows"),
            "the claim leaves behind a lead-in only: {}",
            outcome.released
        );
    }
}
