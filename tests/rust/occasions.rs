//! Other things, times and conditions against what was told before, and look-alikes.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use serde_json::Value as Json;

use crate::reading::in_pieces;

/// Types that say that something is at odds with a turn, or cannot be.
const WRONG: [&str; 5] = [
    "dialogue.contradicts_prior",
    "dialogue.temporal_error",
    "dialogue.logical_inconsistency",
    "stream.goalpost",
    "stream.concept_drift",
];

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/occasions.json")).expect("json")
}

fn text(value: &Json) -> String {
    value.as_str().expect("text").to_owned()
}

fn told(monitor: &Monitor, turns: &[(String, String)], text: &str) -> Vec<String> {
    let found = |step| {
        let context = Context::new(monitor, &[], turns, None);
        let context = context.on_day("2026-11-23").expect("day");
        let mut found = in_pieces(monitor, context, text, step).findings;
        found.retain(|f| WRONG.contains(&f.kind.as_str()));
        found
    };
    let whole = found(usize::MAX);
    assert_eq!(whole, found(3), "{text}");
    whole.into_iter().map(|f| f.kind).collect()
}

fn wrong(cases: impl Iterator<Item = (Vec<(String, String)>, String)>, found: bool) -> Vec<String> {
    let monitor = Monitor::builder().build().expect("monitor");
    cases
        .filter_map(|(turns, answer)| {
            let kinds = told(&monitor, &turns, &answer);
            (kinds.is_empty() == found).then(|| format!("{turns:?} | {answer} {kinds:?}"))
        })
        .collect()
}

fn after_turns(which: &str, found: bool) -> Vec<String> {
    let all = vectors();
    let turn = |turn: &Json| (text(&turn[0]), text(&turn[1]));
    let cases = all["turns"][which].as_array().expect("cases").iter();
    let cases = cases.map(|case| {
        let turns = case[0].as_array().expect("turns").iter();
        (turns.map(turn).collect(), text(&case[1]))
    });
    wrong(cases, found)
}

fn alone(which: &str, found: bool) -> Vec<String> {
    let all = vectors();
    let cases = all["alone"][which].as_array().expect("cases").iter();
    wrong(cases.map(|case| (Vec::new(), text(case))), found)
}

// req: S0-047 S4-024
#[test]
fn another_thing_time_or_condition_is_at_odds_with_nothing() {
    assert_eq!(after_turns("silent", false), Vec::<String>::new());
}

// req: S0-009 S0-048
#[test]
fn another_value_of_the_same_is_found() {
    assert_eq!(after_turns("found", true), Vec::<String>::new());
}

// req: S0-050 S0-052 S0-057
#[test]
fn what_can_be_so_by_itself_is_not_told() {
    assert_eq!(alone("silent", false), Vec::<String>::new());
}

// req: S0-050 S0-052 S0-057
#[test]
fn what_cannot_be_so_by_itself_is_told() {
    assert_eq!(alone("found", true), Vec::<String>::new());
}
