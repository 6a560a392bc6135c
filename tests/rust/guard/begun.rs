//! Claims that a request began: its part of them stands, the answer's is taken back while unsent.

use super::*;

/// A guard of an answer that goes on with `lead`, a text of the request.
fn going_on(lead: &str, policy: Policy) -> Guard {
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    session.push_text(lead, FORCED).unwrap();
    let mut guard = Guard::with_policy(session, policy);
    guard.goes_on_with_request();
    guard
}

fn all(action: Action) -> Policy {
    Policy {
        low: Action::Accept,
        medium: action,
        high: action,
        critical: action,
        ..Policy::default()
    }
}

const LEAD: &str = "The Harbour Museum was not";
const REST: &str = " founded in 1987. It is closed on Mondays.";

// req: S4-028
#[test]
fn what_the_answer_added_to_a_claim_is_taken_back() {
    for action in [Action::Hedge, Action::Interrupt, Action::Remove] {
        for release in [Release::Claim, Release::Response] {
            for size in [1, 3, 90] {
                let guard = going_on(
                    LEAD,
                    Policy {
                        release,
                        ..all(action)
                    },
                );
                let done = drive(guard, &[REST, " It is closed on Mondays."], size);
                let said = &done.released;
                assert!(said.starts_with("… "), "{said:?}");
                assert!(said.ends_with(". It is closed on Mondays."), "{said:?}");
                assert!(
                    !said.contains("founded in") && !said.contains("confirm"),
                    "{said:?}"
                );
                let taken = &done.guard.interventions()[0];
                assert_eq!(taken.action, Action::Interrupt, "{action:?}");
                assert!(
                    !taken.already_sent && taken.span.start == LEAD.len(),
                    "{taken:?}"
                );
                assert!(REST.starts_with(taken.retracted.as_str()), "{taken:?}");
                let kept: String = done.kept.iter().map(|(text, _)| text.as_str()).collect();
                assert_eq!(&kept, said);
            }
        }
    }
}

#[test]
fn what_was_taken_back_is_not_said_again_behind_what_is_missing() {
    for action in [Action::Hedge, Action::Interrupt, Action::Remove] {
        for size in [1, 3, 90] {
            let done = drive(going_on(LEAD, all(action)), &[REST], size);
            assert_eq!(done.stopped, StopReason::Exhausted);
            assert!(!done.released.contains("founded in"), "{:?}", done.released);
            assert!(
                done.released
                    .starts_with("… What I was given says otherwise about"),
                "{:?}",
                done.released
            );
        }
    }
}

#[test]
fn an_answer_that_ends_at_such_a_claim_says_what_is_missing_behind_it() {
    let stops = Policy {
        after_interrupt: AfterInterrupt::Stop,
        ..all(Action::Interrupt)
    };
    for size in [1, 90] {
        let done = drive(going_on(LEAD, stops.clone()), &[REST], size);
        assert_eq!(done.stopped, StopReason::Interrupted);
        assert!(
            done.released
                .starts_with("… What I was given says otherwise about"),
            "{:?}",
            done.released
        );
        assert!(!done.guard.interventions()[0].already_sent);
        let mut fixed = going_on(LEAD, all(Action::Interrupt));
        fixed.cannot_rewind(true);
        let done = drive(fixed, &[REST], size);
        assert_eq!(done.stopped, StopReason::Interrupted);
        assert!(
            done.released.starts_with("…\n\nI can't"),
            "{:?}",
            done.released
        );
        let done = drive(going_on(LEAD, all(Action::Discard)), &[REST], size);
        assert_eq!(done.stopped, StopReason::Discarded);
        assert!(
            done.released.starts_with("…\n\nI can't"),
            "{:?}",
            done.released
        );
    }
}

#[test]
fn a_claim_of_which_the_answers_part_has_left_gets_a_note() {
    for action in [Action::Hedge, Action::Interrupt, Action::Remove] {
        let policy = Policy {
            release: Release::Token,
            ..all(action)
        };
        let done = drive(going_on(LEAD, policy), &[REST], 3);
        assert!(
            done.released
                .contains("1987. (What I was given says otherwise.)"),
            "{:?}",
            done.released
        );
        assert!(done.guard.interventions()[0].already_sent);
    }
}

#[test]
fn a_claim_that_is_all_the_requests_is_not_taken_from_the_answer() {
    let lead = "The Harbour Museum was not founded in 1987.";
    for size in [1, 90] {
        let done = drive(
            going_on(lead, all(Action::Interrupt)),
            &[" It is closed on Mondays."],
            size,
        );
        assert!(
            done.released.contains("It is closed on Mondays."),
            "{:?}",
            done.released
        );
    }
}

#[test]
fn a_value_that_the_request_began_is_put_right_where_it_can_be() {
    for (lead, said, right) in [
        (
            "The Harbour Museum was founded in 19",
            "92. Come in.",
            "87. Come in.",
        ),
        (
            "The Harbour Museum was founded in",
            " 1992. Come in.",
            " 1987. Come in.",
        ),
    ] {
        for size in [1, 2, 90] {
            let guard = going_on(lead, Policy::default());
            let done = drive(guard, &[said, ". Come in."], size);
            assert_eq!(done.released, right, "pieces of {size}");
            assert!(!done.guard.interventions()[0].already_sent);
            let mut fixed = going_on(lead, Policy::default());
            fixed.cannot_rewind(true);
            let behind = &said[said.find('.').unwrap()..];
            let done = drive(fixed, &[said, behind], size);
            assert_eq!(done.released, right, "pieces of {size}");
        }
    }
    // Where the right one begins otherwise, only a note can tell.
    let lead = "The Harbour Museum was founded in 20";
    for size in [1, 2, 90] {
        let done = drive(
            going_on(lead, Policy::default()),
            &["03. Come in.", " Come in."],
            size,
        );
        let note = "03. (Correction: 1987, not 2003.) Come in.";
        assert_eq!(done.released, note, "pieces of {size}");
        assert!(done.guard.interventions()[0].already_sent);
    }
}
