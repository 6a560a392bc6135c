//! Tests of `guard`: what leaves, what never does, with a model that goes on after a rewind.

use std::collections::VecDeque;

use groundwire_core::guard::{Directive, Guard, GuardReport, StopReason};
use groundwire_core::lexicon::phrases::phrases;
use groundwire_core::policy::{AfterInterrupt, Annotation, Policy, Release};
use groundwire_core::segment::sentences;
use groundwire_core::session::{Entry, Event, Push, Session};
use groundwire_core::types::{Action, Finding, Status, Tier, Verdict};
use proptest::prelude::*;

use crate::session::{context, monitor};

mod actions;
mod answers;
mod appositions;
mod begun;
mod fixed;
mod footnotes;
mod hedging;
mod holding;
mod inline;
mod noted;
mod properties;
mod visible;

const FORCED: Push<'static> = Push {
    logits: None,
    prior_logits: None,
    signals: None,
    forced: true,
    own: 0,
};

/// What came of a guarded stream.
struct Outcome {
    released: String,
    /// Every release as it came.
    releases: Vec<String>,
    stopped: StopReason,
    /// Pushes that survived, as the integration sees them: text, and where it was forced, how many
    /// bytes at its start the stream had said itself.
    kept: Vec<(String, Option<usize>)>,
    rewinds: usize,
    guard: Guard,
}

impl Outcome {
    fn report(&self) -> GuardReport {
        self.guard.report()
    }

    fn did(&self, action: Action) -> usize {
        self.guard
            .interventions()
            .iter()
            .filter(|i| i.action == action)
            .count()
    }
}

fn guarded(policy: Policy) -> Guard {
    let monitor = monitor();
    Guard::with_policy(Session::new(&monitor, context(&monitor)), policy)
}

/// Bytes of the last push that were forced though the stream had said them itself.
fn own(guard: &Guard) -> usize {
    match guard.session().events().unwrap().last() {
        Some(Event::Bytes { own, .. }) => *own,
        _ => 0,
    }
}

/// Cuts `text` into pieces of about `size` characters.
fn pieces(text: &str, size: usize) -> VecDeque<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(size.max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}

/// Runs a model that writes `scripts[0]`, and after the n-th rewind `scripts[n]` (the last one
/// again and again).
fn drive(guard: Guard, scripts: &[&str], size: usize) -> Outcome {
    drive_cut(guard, scripts, |text| pieces(text, size))
}

/// The same with scripts cut by `pieces`.
fn drive_cut(
    mut guard: Guard,
    scripts: &[&str],
    pieces: impl Fn(&str) -> VecDeque<String>,
) -> Outcome {
    let mut todo = pieces(scripts[0]);
    let mut kept: Vec<(String, Option<usize>)> = Vec::new();
    let (mut rewinds, mut releases, mut released) = (0, Vec::new(), String::new());
    for now in 0..100_000_u64 {
        let mut queue: VecDeque<Directive> = match todo.pop_front() {
            Some(piece) => {
                let (_, out) = guard.push_text(&piece, Push::default(), now).unwrap();
                kept.push((piece, None));
                out.into()
            }
            None => guard.finish(now).unwrap().into(),
        };
        while let Some(directive) = queue.pop_front() {
            match directive {
                Directive::Release { text } => {
                    assert!(!text.is_empty(), "an empty release");
                    released.push_str(&text);
                    releases.push(text);
                }
                Directive::Rewind { keep, text } => {
                    assert!(queue.is_empty(), "nothing follows a rewind: {queue:?}");
                    rewinds += 1;
                    kept.truncate(usize::try_from(keep).unwrap());
                    todo = pieces(scripts[rewinds.min(scripts.len() - 1)]);
                    if !text.is_empty() {
                        let (_, more) = guard.push_text(&text, FORCED, now).unwrap();
                        kept.push((text, Some(own(&guard))));
                        queue.extend(more);
                    }
                }
                Directive::Wait => panic!("nothing to wait for"),
                Directive::Stop { reason } => {
                    assert!(queue.is_empty(), "nothing follows a stop");
                    assert_eq!(
                        released,
                        guard.released(),
                        "releases add up to what is released"
                    );
                    // Refused or without effect.
                    if let Ok((_, late)) = guard.push_text(" More.", Push::default(), now) {
                        assert!(late.is_empty(), "released after the end: {late:?}");
                    }
                    let stopped = reason;
                    return Outcome {
                        released,
                        releases,
                        stopped,
                        kept,
                        rewinds,
                        guard,
                    };
                }
            }
        }
        assert_eq!(released, guard.released());
    }
    panic!("the stream never ends");
}
