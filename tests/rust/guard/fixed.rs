//! Answers that cannot be continued from a place further back.

use super::*;

const WRONG: &str = "Ada Lind is its director. The Harbour Museum was founded in 1992. It is \
    closed on Mondays.";

fn fixed(policy: Policy) -> Guard {
    let mut guard = guarded(policy);
    guard.cannot_rewind(false);
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

/// What a guard releases and why it ends, where whoever drives it pushes again what a rewind took
/// back, but for the value that was exchanged.
fn in_place(policy: Policy, text: &str, size: usize) -> (String, StopReason, Guard) {
    let mut guard = guarded(policy);
    guard.cannot_rewind(true);
    let mut todo: VecDeque<(String, bool)> =
        pieces(text, size).into_iter().map(|p| (p, false)).collect();
    let mut released = String::new();
    for now in 0..10_000 {
        let out = match todo.pop_front() {
            Some((piece, true)) => guard.push_text(&piece, FORCED, now).unwrap().1,
            Some((piece, false)) => guard.push_text(&piece, Push::default(), now).unwrap().1,
            None => guard.finish(now).unwrap(),
        };
        for directive in out {
            match directive {
                Directive::Release { text } => released.push_str(&text),
                Directive::Rewind { text, .. } => {
                    let done = guard.interventions().last().unwrap().clone();
                    assert_eq!(done.action, Action::Correct, "nothing else goes back");
                    let wrong = done.findings.iter().find(|f| {
                        f.replacement.as_deref() == Some(&done.inserted)
                            && f.span.is_some_and(|s| s.start == done.span.start)
                    });
                    let size = wrong.and_then(|f| f.span).unwrap();
                    let rest = done.retracted[size.end - size.start..].to_owned();
                    todo.push_front((rest, false));
                    todo.push_front((text, true));
                    todo.retain(|(piece, _)| !piece.is_empty());
                }
                Directive::Wait => panic!("nothing to wait for"),
                Directive::Stop { reason } => return (released, reason, guard),
            }
        }
    }
    panic!("the stream never ends");
}

#[test]
fn a_value_is_exchanged_where_the_text_goes_on() {
    let text = "Ada Lind is its director. The Harbour Museum was founded in 1992. It has 54 \
        employees, and it is closed on Mondays.";
    let right = "Ada Lind is its director. The Harbour Museum was founded in 1987. It has 45 \
        employees, and it is closed on Mondays.";
    for release in [Release::Claim, Release::Response] {
        for size in [1, 3, 7, 300] {
            let policy = Policy {
                release,
                ..Policy::default()
            };
            let (released, stopped, _) = in_place(policy, text, size);
            assert_eq!(
                (released.as_str(), stopped),
                (right, StopReason::End),
                "{size}"
            );
        }
    }
}

#[test]
fn a_hedge_leaves_the_text_where_nobody_writes_on() {
    let policy = Policy {
        medium: Action::Hedge,
        high: Action::Hedge,
        ..Policy::default()
    };
    let text = "Zorblax Quimby opened the wing. It is closed on Mondays.";
    for whole in [false, true] {
        let (released, stopped, guard) = if whole {
            let done = drive(fixed(policy.clone()), &[text], 5);
            (done.released.clone(), done.stopped, done.guard)
        } else {
            in_place(policy.clone(), text, 5)
        };
        assert_eq!((released.as_str(), stopped), (text, StopReason::End));
        let did: Vec<Action> = guard.interventions().iter().map(|i| i.action).collect();
        assert_eq!(did, [Action::Annotate]);
    }
}

#[test]
fn what_is_said_in_a_claims_place_repeats_no_value_of_it() {
    for (text, value) in [
        ("The Harbour Museum was founded in 1992.", "1992"),
        ("The Harbour Museum has 54 employees. It is old.", "54"),
    ] {
        let done = drive(fixed(Policy::default()), &[text], 4);
        assert_eq!(done.stopped, StopReason::Interrupted);
        assert!(
            done.released.contains("disagrees with the sources") && !done.released.contains(value),
            "{}",
            done.released
        );
    }
}

#[test]
fn notes_leave_lists_and_tables_whole() {
    // A line right below an item is still the item's.
    let note = "(Correction: 1987, not 1992.)";
    let cases = [
        (
            "- Harbour Museum, founded in 1992\n- Director: Ada Lind\n",
            vec![
                "- Harbour Museum, founded in 1992 {}\n- Director: Ada Lind\n",
                "- Harbour Museum, founded in 1992\n{}\n- Director: Ada Lind\n",
                "- Harbour Museum, founded in 1992\n- Director: Ada Lind\n\n{}",
            ],
        ),
        (
            "- Harbour Museum, founded in 1992\n- Director: Ada Lind\n\nAsk for more.",
            vec![
                "- Harbour Museum, founded in 1992 {}\n- Director: Ada Lind\n\nAsk for more.",
                "- Harbour Museum, founded in 1992\n{}\n- Director: Ada Lind\n\nAsk for more.",
                "- Harbour Museum, founded in 1992\n- Director: Ada Lind\n\n{}\n\nAsk for more.",
                "- Harbour Museum, founded in 1992\n- Director: Ada Lind\n\nAsk for more. {}",
            ],
        ),
        (
            "| Museum | Founded |\n|---|---|\n| Harbour Museum | 1992 |\n\nIt is small.",
            vec![
                "| Museum | Founded |\n|---|---|\n| Harbour Museum | 1992 |\n\n{}\n\nIt is small.",
                "| Museum | Founded |\n|---|---|\n| Harbour Museum | 1992 |\n\nIt is small. {}",
            ],
        ),
        (
            "| Museum | Founded |\n|---|---|\n| Harbour Museum | 1992 |",
            vec!["| Museum | Founded |\n|---|---|\n| Harbour Museum | 1992 |\n\n{}"],
        ),
        (
            "The Harbour Museum was founded in 1992.\n\nIt is small.",
            vec![
                "The Harbour Museum was founded in 1992.\n\n{}\n\nIt is small.",
                "The Harbour Museum was founded in 1992. {}\n\nIt is small.",
                "The Harbour Museum was founded in 1992.\n{}\n\nIt is small.",
            ],
        ),
    ];
    for (text, fits) in cases {
        for size in [1, 2, 5, 11, 300] {
            let policy = Policy {
                release: Release::Token,
                ..Policy::default()
            };
            let (released, stopped, _) = in_place(policy, text, size);
            assert_eq!(stopped, StopReason::End);
            assert!(
                // What comes at once is put right before anything of it has left.
                released == text.replace("1992", "1987")
                    || fits.iter().any(|fit| fit.replace("{}", note) == released),
                "pieces of {size}: {released:?}"
            );
        }
    }
}

#[test]
fn a_number_told_once_more_in_brackets_goes_with_it() {
    for (text, right) in [
        (
            "The Harbour Museum has 1,992 employees (1,992). It is closed on Mondays.",
            "The Harbour Museum has 45 employees. It is closed on Mondays.",
        ),
        (
            "The Harbour Museum was founded in 1992 (1992). It is closed on Mondays.",
            "The Harbour Museum was founded in 1987. It is closed on Mondays.",
        ),
        (
            "The Harbour Museum was founded in 1992 (45 employees). It is closed on Mondays.",
            "The Harbour Museum was founded in 1987 (45 employees). It is closed on Mondays.",
        ),
    ] {
        for size in [1, 3, 7, 300] {
            let (released, _, _) = in_place(Policy::default(), text, size);
            assert_eq!(released, right, "{size}");
        }
    }
}

#[test]
fn a_sentence_with_no_space_around_it_is_left_out_alone() {
    let policy = || Policy {
        high: Action::Remove,
        critical: Action::Remove,
        ..Policy::default()
    };
    for (text, left) in [
        (
            "It is closed on Mondays.The Harbour Museum was founded in 1992.It has 45 employees.",
            "It is closed on Mondays.It has 45 employees.",
        ),
        (
            "It was founded by Ada Lind.The Harbour Museum was founded in 1992. It has 45 employees.",
            "It was founded by Ada Lind. It has 45 employees.",
        ),
    ] {
        for size in [1, 3, 7, 300] {
            let (released, _, _) = in_place(policy(), text, size);
            assert_eq!(released, left, "{size}");
        }
    }
}
