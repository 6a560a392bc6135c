//! Answers after a person's claims, follow-ups and orders: which turn binds them, and how much.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Tier};
use serde_json::Value as Json;

use crate::reading::in_pieces;

fn at_odds(monitor: &Monitor, turns: &[(String, String)], ask: bool, text: &str) -> Vec<Finding> {
    // The last turn of the user's may be given as the question instead.
    let last = turns
        .last()
        .filter(|(role, _)| ask && role == "user" && turns.len() > 1);
    let earlier = &turns[..turns.len() - usize::from(last.is_some())];
    let question = last.map(|(_, text)| text.as_str());
    let found = |step| {
        let context = Context::new(monitor, &[], earlier, question);
        let mut found = in_pieces(monitor, context, text, step).findings;
        found.retain(|f| {
            matches!(
                f.kind.as_str(),
                "dialogue.contradicts_prior" | "stream.goalpost" | "stream.concept_drift"
            )
        });
        found
    };
    let whole = found(usize::MAX);
    assert_eq!(whole, found(3), "{text}");
    whole
}

fn hold(which: &str, holds: impl Fn(&[Finding]) -> bool) {
    let all: Json = serde_json::from_str(include_str!("../vectors/follow_ups.json")).expect("json");
    let monitor = Monitor::builder().build().expect("monitor");
    let mut wrong = Vec::new();
    for case in all[which].as_array().expect("cases") {
        let part = |turn: &Json, i: usize| turn[i].as_str().expect("text").to_owned();
        let turns = case[0].as_array().expect("turns").iter();
        let turns: Vec<_> = turns.map(|turn| (part(turn, 0), part(turn, 1))).collect();
        for ask in [false, true] {
            let found = at_odds(&monitor, &turns, ask, case[1].as_str().expect("text"));
            if !holds(&found) {
                let told: Vec<_> = found
                    .iter()
                    .map(|f| (&f.kind, f.tier, &f.replacement))
                    .collect();
                wrong.push(format!("{case} {ask} {told:?}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

// req: S0-047 S4-024
#[test]
fn a_follow_up_or_an_order_is_of_another_thing() {
    hold("silent", <[Finding]>::is_empty);
}

// req: S0-009 S0-046
#[test]
fn what_a_person_says_of_the_world_is_only_reported() {
    hold("low", |found| {
        let low = |f: &Finding| f.tier == Tier::Low && f.replacement.is_none();
        !found.is_empty() && found.iter().all(low)
    });
}

// req: S0-009 S0-046 S0-048
#[test]
fn what_binds_the_answer_is_still_found() {
    hold("found", |found| {
        found.iter().any(|f| f.tier >= Tier::Medium)
    });
}

// req: S0-009 S0-046
#[test]
fn what_a_wish_or_a_circumstance_may_have_changed_is_only_reported() {
    hold("changed", |found| {
        let low = |f: &Finding| f.tier <= Tier::Low && f.replacement.is_none();
        found.iter().all(low)
    });
}

// req: S0-009 S0-046 S0-048
#[test]
fn plain_questions_and_facts_of_the_world_change_nothing() {
    hold("held", |found| found.iter().any(|f| f.tier >= Tier::Medium));
}
