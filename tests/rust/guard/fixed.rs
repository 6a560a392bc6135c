//! Answers that cannot be continued from a place further back.

use super::*;

const WRONG: &str = "Ada Lind is its director. The Harbour Museum was founded in 1992. It is \
    closed on Mondays.";

fn fixed(policy: Policy) -> Guard {
    let mut guard = guarded(policy);
    guard.cannot_rewind();
    guard
}

#[test]
fn a_claim_that_cannot_be_written_anew_ends_the_answer() {
    for release in [Release::Claim, Release::Response] {
        for size in [1, 4, 9, 200] {
            let policy = Policy {
                release,
                ..Policy::default()
            };
            let done = drive(fixed(policy), &[WRONG], size);
            assert_eq!(done.rewinds, 0);
            assert_eq!(done.stopped, StopReason::Interrupted);
            assert!(
                done.released
                    .starts_with("Ada Lind is its director. \n\nI can't give a reliable answer"),
                "{release:?}, pieces of {size}: {}",
                done.released
            );
            assert!(!done.released.contains("founded"));
            let report = done.report();
            assert_eq!(report.interventions[0].action, Action::Interrupt);
            assert!(report.interventions[0].retracted.contains("1992"));
        }
    }
}

#[test]
fn a_note_after_text_that_has_left_needs_no_rewind() {
    let policy = Policy {
        release: Release::Token,
        ..Policy::default()
    };
    for size in [1, 4, 9] {
        let done = drive(fixed(policy.clone()), &[WRONG], size);
        assert_eq!(done.rewinds, 0);
        assert_eq!(done.stopped, StopReason::End);
        assert!(
            done.released.contains("1987") && done.released.ends_with("Mondays."),
            "pieces of {size}: {}",
            done.released
        );
    }
}

#[test]
fn what_is_right_passes() {
    let text = "The Harbour Museum was founded in 1987. It is closed on Mondays.";
    for release in [Release::Token, Release::Claim, Release::Response] {
        let policy = Policy {
            release,
            ..Policy::default()
        };
        let done = drive(fixed(policy), &[text], 4);
        assert_eq!((done.released.as_str(), done.rewinds), (text, 0));
        assert_eq!(done.stopped, StopReason::End);
    }
}
