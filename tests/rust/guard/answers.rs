//! Answers about claims: what waits for them, what they do, what happens without them.

use std::collections::HashMap;

use groundwire_core::monitor::{Monitor, Settings};
use groundwire_core::profile::{FailurePolicy, Profile};
use groundwire_core::session::Context;
use groundwire_core::types::Claim;

use super::properties::{marks, scripts};
use super::*;

fn verdict(status: Status) -> Verdict {
    Verdict {
        status,
        p0: None,
        p1: None,
        reason: "asked".into(),
    }
}

fn asked(policy: Policy) -> Guard {
    let mut guard = guarded(policy);
    guard.ask_about_claims();
    guard
}

fn claims(guard: &Guard) -> Vec<Claim> {
    guard
        .session()
        .log_since(0)
        .filter_map(|entry| match entry {
            Entry::Claim { claim, .. } => Some((**claim).clone()),
            _ => None,
        })
        .collect()
}

fn answer(guard: &mut Guard, claim: &Claim, status: Status) {
    // A claim that was taken back is not found any more.
    let _ = guard.session_mut().resolve(&claim.id, verdict(status));
    guard.answered(&claim.id);
}

fn said(out: &[Directive]) -> String {
    out.iter()
        .filter_map(|d| match d {
            Directive::Release { text } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

const TWO: &str = "It is closed on Mondays. It has 45 employees. It";

#[test]
fn each_claim_waits_for_its_answer() {
    let mut guard = asked(Policy::default());
    let (_, out) = guard.push_text(TWO, Push::default(), 0).unwrap();
    assert_eq!(out, vec![]);
    let found = claims(&guard);
    answer(&mut guard, &found[0], Status::Supported);
    assert_eq!(said(&guard.poll(1)), "It is closed on Mondays. ");
    answer(&mut guard, &found[1], Status::Supported);
    assert_eq!(said(&guard.poll(2)), "It has 45 employees.");
    assert_eq!(guard.report().holds_given_up, 0);
}

#[test]
fn a_claim_that_the_end_closes_is_asked_about_and_put_right() {
    let mut guard = asked(Policy::default());
    guard
        .push_text("It is closed on Mondays.", Push::default(), 0)
        .unwrap();
    let (step, out) = guard.close_stream(1).unwrap();
    assert_eq!(out, vec![Directive::Wait]);
    let found: Vec<Claim> = guard
        .session()
        .entries(&step)
        .filter_map(|entry| match entry {
            Entry::Claim { claim, .. } => Some((**claim).clone()),
            _ => None,
        })
        .collect();
    assert_eq!(found.len(), 1);
    assert!(guard.push_text("More.", Push::default(), 1).is_err());
    assert_eq!(guard.finish(2).unwrap(), vec![Directive::Wait]);
    answer(&mut guard, &found[0], Status::Contradicted);
    let out = guard.finish(3).unwrap();
    assert!(
        matches!(out[..], [Directive::Rewind { keep: 0, .. }]),
        "{out:?}"
    );
    assert_eq!(guard.released(), "");
    let Directive::Rewind { text, .. } = &out[0] else {
        unreachable!()
    };
    guard.push_text(text, FORCED, 4).unwrap();
    let out = guard.finish(5).unwrap();
    assert_eq!(
        out.last(),
        Some(&Directive::Stop {
            reason: StopReason::End
        })
    );
    assert!(
        !guard.released().contains("Mondays."),
        "{}",
        guard.released()
    );
    assert!(guard.interventions().iter().all(|i| !i.already_sent));
}

#[test]
fn without_an_answer_text_leaves_at_its_own_limit() {
    let policy = Policy {
        max_hold_ms: 100,
        ..Policy::default()
    };
    let mut guard = asked(policy.clone());
    guard
        .push_text("It is closed on Mondays. It", Push::default(), 0)
        .unwrap();
    guard
        .push_text(" has 45 employees. It is", Push::default(), 60)
        .unwrap();
    assert_eq!(said(&guard.poll(100)), "");
    assert_eq!(said(&guard.poll(101)), "It is closed on Mondays. ");
    assert_eq!(said(&guard.poll(160)), "");
    assert_eq!(said(&guard.poll(161)), "It has 45 employees.");
    let report = guard.report();
    assert_eq!(report.holds_given_up, 2);
    assert_eq!(report.unanswered.len(), 2);
    // An answer that comes after that is noted where the reader is.
    let found = claims(&guard);
    answer(&mut guard, &found[0], Status::Contradicted);
    let out = guard.poll(162);
    assert!(
        matches!(out.last(), Some(Directive::Rewind { .. })),
        "{out:?}"
    );
    assert!(guard.interventions().iter().any(|i| i.already_sent));

    let mut guard = asked(Policy {
        max_hold_tokens: 5,
        ..policy
    });
    guard.push_text(TWO, Push::default(), 0).unwrap();
    let mut after = 0;
    while guard.released().is_empty() {
        guard.push_text(" a", Push::default(), 0).unwrap();
        after += 1;
    }
    assert_eq!(after, 6);
}

#[test]
fn the_end_waits_where_text_does_not() {
    for policy in [
        Policy {
            release: Release::Token,
            max_hold_ms: 100,
            ..Policy::default()
        },
        Policy {
            hold_unresolved: false,
            max_hold_ms: 100,
            ..Policy::default()
        },
    ] {
        let mut guard = asked(policy);
        guard.push_text(TWO, Push::default(), 0).unwrap();
        assert!(guard.released().starts_with("It is closed on Mondays."));
        guard.push_text(" is.", Push::default(), 5000).unwrap();
        let out = guard.finish(6000).unwrap();
        assert_eq!(out.last(), Some(&Directive::Wait));
        assert_eq!(guard.finish(6100).unwrap(), vec![Directive::Wait]);
        assert_eq!(
            guard.finish(6101).unwrap().last(),
            Some(&Directive::Stop {
                reason: StopReason::End
            })
        );
        assert!(guard.report().unanswered.len() >= 2);
    }
}

#[test]
fn what_stands_before_the_end_of_an_answer_is_answered_first() {
    let policy = Policy {
        medium: Action::Interrupt,
        after_interrupt: AfterInterrupt::Stop,
        ..Policy::default()
    };
    let mut guard = asked(policy);
    let (_, out) = guard
        .push_text(
            "It is closed on Mondays. Zorblax Quimby opened the wing. It",
            Push::default(),
            0,
        )
        .unwrap();
    assert_eq!(out, vec![]);
    let found = claims(&guard);
    answer(&mut guard, &found[0], Status::Contradicted);
    guard.poll(1);
    assert!(
        !guard.released().contains("closed on Mondays."),
        "{}",
        guard.released()
    );
}

#[test]
fn a_statement_after_a_hold_that_was_given_up_begins_a_sentence() {
    let policy = Policy {
        max_hold_tokens: 3,
        max_interventions: 0,
        critical: Action::Discard,
        high: Action::Discard,
        medium: Action::Discard,
        low: Action::Discard,
        ..Policy::default()
    };
    let mut guard = guarded(policy);
    for piece in [
        "Visitors",
        " often",
        " go",
        " to the mus",
        "eum of Zorblax",
        " Quimby",
        ".",
    ] {
        guard.push_text(piece, Push::default(), 0).unwrap();
        if guard.stopped().is_some() {
            break;
        }
    }
    guard.finish(0).unwrap();
    let released = guard.released().to_owned();
    assert_eq!(guard.stopped(), Some(StopReason::Discarded), "{released}");
    let (before, _) = released.split_once("\n\n").unwrap();
    assert!(before.ends_with('…'), "{released}");
    assert!(
        before.starts_with("Visitors often go to the mus"),
        "{released}"
    );
}

#[test]
fn a_mark_that_comes_late_is_not_lost_where_sentences_touch() {
    let policy = Policy {
        annotation: Annotation::Footnote,
        after_interrupt: AfterInterrupt::Stop,
        high: Action::Annotate,
        critical: Action::Annotate,
        medium: Action::Interrupt,
        ..Policy::default()
    };
    for gap in ["", " "] {
        let mut guard = guarded(policy.clone());
        let text = format!("It is closed on Mondays!{gap}Z");
        guard.push_text(&text, Push::default(), 0).unwrap();
        assert_eq!(guard.released(), "It is closed on Mondays!");
        let found = claims(&guard);
        answer(&mut guard, &found[0], Status::Contradicted);
        guard
            .push_text("orblax Quimby opened the wing. It", Push::default(), 1)
            .unwrap();
        guard.finish(2).unwrap();
        let released = guard.released();
        assert!(
            released.starts_with("It is closed on Mondays![^note-1]"),
            "{released}"
        );
        assert_eq!(released.matches("\n[^note-1]: ").count(), 1, "{released}");
    }
}

#[test]
fn a_long_stream_does_not_make_annotations_grow() {
    // Invariant 5.
    let mut monitor = Monitor::builder();
    let settings = Settings {
        max_entries: 64,
        ..Settings::default()
    };
    monitor = monitor.settings(settings);
    let monitor = monitor.build().unwrap();
    let policy = Policy {
        annotation: Annotation::Footnote,
        medium: Action::Annotate,
        high: Action::Annotate,
        critical: Action::Annotate,
        ..Policy::default()
    };
    let mut guard = Guard::with_policy(Session::new(&monitor, Context::default()), policy);
    for i in 0..200 {
        let text = format!("Studies show that {i} % of visitors agree. ");
        guard.push_text(&text, Push::default(), 0).unwrap();
    }
    let done = guard.intervened();
    guard.finish(0).unwrap();
    let report = guard.report();
    assert!(done > 64, "{done}");
    assert!(report.interventions.len() <= 64);
    assert!(report.report.truncated);
    let first = report.interventions[0].span.start;
    assert!(first > 0, "the oldest leave first");
    assert!(report.released.matches("\n[^").count() <= 64);
}

#[test]
fn a_failure_ends_the_answer_where_the_profile_says_so() {
    for (failure, stops) in [
        (FailurePolicy::Continue, false),
        (FailurePolicy::Stop, true),
    ] {
        let mut stream = Profile::stream();
        stream.failure = failure;
        let monitor = Monitor::builder().profiles(vec![stream]).build().unwrap();
        let mut guard = Guard::new(Session::new(&monitor, Context::default()));
        guard.ask_about_claims();
        guard.push_text(TWO, Push::default(), 0).unwrap();
        guard.cannot_answer("doubter failed");
        for claim in claims(&guard) {
            guard.answered(&claim.id);
        }
        guard.poll(1);
        assert_eq!(guard.stopped() == Some(StopReason::Failed), stops);
        assert_eq!(guard.released().is_empty(), stops);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_leaves_before_its_answer_and_nothing_is_taken_back(
        scripts in scripts(),
        size in 1..9_usize,
        delays in prop::collection::vec((0..120_u64, 0..4_u8), 1..30),
        turns in 1..6_u32,
        response in any::<bool>(),
        limit in prop_oneof![Just(1_000_000_u64), 0..150_u64],
    ) {
        let policy = Policy {
            release: if response { Release::Response } else { Release::Claim },
            max_interventions: turns,
            max_hold_tokens: 1_000_000,
            max_hold_ms: limit,
            ..Policy::default()
        };
        let mut guard = asked(policy);
        let (mut todo, mut rewinds) = (pieces(&scripts[0], size), 0);
        let mut open: Vec<(u64, Status, Claim)> = Vec::new();
        let mut known: HashMap<String, (u64, Status)> = HashMap::new();
        let mut released = String::new();
        for now in 0..200_000_u64 {
            let (due, later): (Vec<_>, Vec<_>) = open.into_iter().partition(|o| o.0 <= now);
            open = later;
            for (_, status, claim) in due {
                answer(&mut guard, &claim, status);
            }
            let piece = todo.pop_front();
            let (step, found) = match &piece {
                Some(piece) => guard.push_text(piece, Push::default(), now).unwrap(),
                None => guard.close_stream(now).unwrap(),
            };
            let mut queue = VecDeque::from([(step, found)]);
            while let Some((step, found)) = queue.pop_front() {
                for directive in found {
                    match directive {
                        Directive::Release { text } => released.push_str(&text),
                        Directive::Rewind { text, .. } => {
                            rewinds += 1;
                            todo = pieces(&scripts[rewinds.min(scripts.len() - 1)], size);
                            if !text.is_empty() {
                                queue.push_back(guard.push_text(&text, FORCED, now).unwrap());
                            }
                        }
                        Directive::Wait | Directive::Stop { .. } => {}
                    }
                }
                let fresh: Vec<Claim> = guard
                    .session()
                    .entries(&step)
                    .filter_map(|entry| match entry {
                        Entry::Claim { claim, .. } => Some((**claim).clone()),
                        _ => None,
                    })
                    .collect();
                for claim in fresh {
                    // Whoever is asked twice about the same claim says the same.
                    let (delay, kind) = delays[known.len() % delays.len()];
                    let status = match kind {
                        0 => Status::Contradicted,
                        1 => Status::NotInContext,
                        _ => Status::Supported,
                    };
                    let (delay, status) =
                        *known.entry(claim.id.clone()).or_insert((delay, status));
                    open.push((now + delay, status, claim));
                }
            }
            prop_assert_eq!(&released, guard.released(), "what left never changes");
            if guard.stopped().is_some() {
                break;
            }
            if limit == 1_000_000 {
                for (_, _, claim) in &open {
                    for mark in marks(guard.session().slice(claim.span)) {
                        let text = guard.session().text();
                        let left = guard.interventions().is_empty() && released.contains(mark);
                        prop_assert!(!left, "{mark} left unanswered: {released:?} of {text:?}");
                    }
                }
            }
        }
        prop_assert!(guard.stopped().is_some(), "the stream never ends");
        let text = guard.session().text().to_owned();
        if limit == 1_000_000 {
            prop_assert_eq!(guard.report().holds_given_up, 0);
            // A statement may quote what it is about, a hedge's opening with it.
            let mut own = released.clone();
            let mut said: Vec<&str> =
                guard.interventions().iter().map(|i| i.inserted.as_str()).collect();
            said.sort_unstable_by_key(|text| std::cmp::Reverse(text.len()));
            for text in said.into_iter().filter(|text| !text.is_empty()) {
                own = own.replace(text, "");
            }
            for intervention in guard.interventions() {
                prop_assert!(!intervention.already_sent, "{:?}", intervention);
                for mark in marks(&intervention.retracted) {
                    if !marks(&text).contains(&mark) {
                        prop_assert!(!own.contains(mark), "{} leaked: {}", mark, released);
                    }
                }
            }
            if guard.stopped() == Some(StopReason::End) {
                prop_assert_eq!(&released, &text);
            }
        }
    }
}

#[test]
fn a_note_that_comes_late_waits_for_the_end_of_its_sentence_and_names_its_claim() {
    // req: S4-034
    let policy = Policy {
        release: Release::Token,
        ..Policy::default()
    };
    for ends in [false, true] {
        let mut guard = asked(policy.clone());
        let (_, out) = guard.push_text(TWO, Push::default(), 0).unwrap();
        assert_eq!(said(&out), TWO);
        let first = claims(&guard)[0].clone();
        answer(&mut guard, &first, Status::Contradicted);
        assert_eq!(guard.poll(1), vec![], "the reader is inside a sentence");
        let text = if ends { " is old." } else { " is old. Come" };
        let (_, out) = guard.push_text(text, Push::default(), 2).unwrap();
        let out = if ends {
            assert_eq!(said(&out), text);
            guard.finish(3).unwrap()
        } else {
            out
        };
        let Some(Directive::Rewind { text: note, .. }) = out.last() else {
            panic!("no note: {out:?}");
        };
        assert!(
            note.contains("“It is closed on Mondays”") && !note.contains('…'),
            "{note}"
        );
    }
}
