//! Answers held against earlier turns: what contradicts them, what is told of something else, and
//! what openly takes them back; the cases are Python's too.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::Finding;
use serde_json::Value as Json;

use crate::reading::in_pieces;

/// Types by which an answer is told to be at odds with a turn.
const AT_ODDS: [&str; 3] = [
    "dialogue.contradicts_prior",
    "stream.goalpost",
    "stream.concept_drift",
];

fn cases(which: &str) -> Vec<(String, String)> {
    let all: Json = serde_json::from_str(include_str!("../vectors/history.json")).expect("json");
    pairs(&all[which])
}

fn pairs(cases: &Json) -> Vec<(String, String)> {
    let text = |case: &Json, i: usize| case[i].as_str().expect("text").to_owned();
    let cases = cases.as_array().expect("cases").iter();
    cases.map(|case| (text(case, 0), text(case, 1))).collect()
}

fn at_odds(monitor: &Monitor, turns: &[&str], text: &str, step: usize) -> Vec<Finding> {
    let turns: Vec<(String, String)> = turns
        .iter()
        .map(|turn| ("assistant".to_owned(), (*turn).to_owned()))
        .collect();
    let context = Context::new(monitor, &[], &turns, None);
    let mut found = in_pieces(monitor, context, text, step).findings;
    found.retain(|f| AT_ODDS.contains(&f.kind.as_str()));
    found
}

fn wrong(which: &str, found: bool) -> Vec<String> {
    wrong_of(cases(which), found)
}

fn wrong_of(cases: Vec<(String, String)>, found: bool) -> Vec<String> {
    let monitor = Monitor::builder().build().expect("monitor");
    let mut out = Vec::new();
    for (turn, text) in cases {
        let whole = at_odds(&monitor, &[&turn], &text, usize::MAX);
        let cut = at_odds(&monitor, &[&turn], &text, 3);
        assert_eq!(whole, cut, "{turn} | {text}");
        if whole.is_empty() == found {
            let kinds: Vec<&str> = whole.iter().map(|f| f.kind.as_str()).collect();
            out.push(format!("{turn} | {text} {kinds:?}"));
        }
    }
    out
}

// req: S0-009, S0-047, S0-048
#[test]
fn what_contradicts_a_turn_is_found() {
    assert_eq!(wrong("found", true), Vec::<String>::new());
}

// req: S0-047
#[test]
fn what_is_told_of_something_else_is_not() {
    assert_eq!(wrong("silent", false), Vec::<String>::new());
}

// req: S0-047
#[test]
fn an_attribute_or_a_thing_told_apart_is_another() {
    let all: Json = serde_json::from_str(include_str!("../vectors/heads.json")).expect("json");
    let turns = &all["turns"];
    assert_eq!(
        wrong_of(pairs(&turns["silent"]), false),
        Vec::<String>::new()
    );
    assert_eq!(wrong_of(pairs(&turns["found"]), true), Vec::<String>::new());
}

// req: S0-048, S4-024
#[test]
fn what_is_openly_corrected_is_not() {
    assert_eq!(wrong("corrected", false), Vec::<String>::new());
}

// req: S0-048
#[test]
fn an_apology_for_something_else_corrects_nothing() {
    assert_eq!(wrong("not_corrected", true), Vec::<String>::new());
}

// req: S0-046
#[test]
fn what_an_earlier_turn_corrected_is_what_counts() {
    let monitor = Monitor::builder().build().expect("monitor");
    let turns = [
        "The choir has 40 members.",
        "I misspoke. The choir has 48 members.",
    ];
    let again = at_odds(&monitor, &turns, "The choir has 48 members.", usize::MAX);
    assert!(again.is_empty(), "{again:?}");
    let back = at_odds(&monitor, &turns, "The choir has 40 members.", usize::MAX);
    assert!(!back.is_empty());
}

// req: S0-012
#[test]
fn an_answer_may_take_itself_back() {
    let monitor = Monitor::builder().build().expect("monitor");
    let inside = |text: &str| {
        let mut session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
        session.push_text(text, Push::default()).expect("pushed");
        session.finish().expect("finished");
        let found = session.report().findings;
        let odd = |f: &&Finding| {
            f.kind == "dialogue.logical_inconsistency" || AT_ODDS.contains(&f.kind.as_str())
        };
        found.iter().filter(odd).count()
    };
    for back in [
        "I misspoke.",
        "Wait, that's wrong.",
        "Sorry, that was a mistake.",
        "Let me correct that.",
        "It is tall.",
        "That was a long day.",
        "The guide made a mistake.",
    ] {
        let tower = format!("The tower is 80 metres tall. {back} The tower is 85 metres tall.");
        let open = format!("The shop is closed today. {back} The shop is open today.");
        let silent = usize::from(
            ![
                "It is tall.",
                "That was a long day.",
                "The guide made a mistake.",
            ]
            .contains(&back),
        );
        assert_eq!(usize::from(inside(&tower) == 0), silent, "{tower}");
        assert_eq!(usize::from(inside(&open) == 0), silent, "{open}");
    }
}

// req: S0-046
#[test]
fn what_stands_deep_in_a_long_turn_is_held_to() {
    let plain = include_str!("../vectors/clean_text.txt");
    let filler: Vec<&str> = plain.lines().filter(|l| l.len() > 40).collect();
    let long = |fact: &str| {
        let mut out = String::new();
        let (mut words, mut told) = (0, false);
        for line in filler.iter().cycle() {
            if words > 2000 {
                break;
            }
            words += line.split_whitespace().count();
            out.push_str(line);
            out.push_str("\n\n");
            if words > 1200 && !told {
                told = true;
                out.push_str(fact);
                out.push(' ');
            }
        }
        out
    };
    let monitor = Monitor::builder().build().expect("monitor");
    let against = |turn: &str, text| !at_odds(&monitor, &[turn], text, usize::MAX).is_empty();
    for (fact, same, other) in [
        (
            "The Sund bridge is 412 metres long.",
            "The Sund bridge is 412 metres long.",
            "The Sund bridge is 380 metres long.",
        ),
        (
            "The deposit is 200 euros.",
            "The deposit is 200 euros.",
            "The deposit is 350 euros.",
        ),
        (
            "The curator of the Glass Museum is Ada Falk.",
            "The curator of the Glass Museum is Ada Falk.",
            "The curator of the Glass Museum is Jon Wick.",
        ),
    ] {
        let turn = long(fact);
        assert!(
            turn.contains(fact) && turn.len() < 32 * 1024,
            "{}",
            turn.len()
        );
        assert!(against(&turn, other), "{other}");
        assert!(!against(&turn, same), "{same}");
    }
}

fn turns(vectors: &str) {
    let all: Json = serde_json::from_str(vectors).expect("json");
    let turns = &all["turns"];
    let (silent, found) = (pairs(&turns["silent"]), pairs(&turns["found"]));
    assert_eq!(wrong_of(silent, false), Vec::<String>::new());
    assert_eq!(wrong_of(found, true), Vec::<String>::new());
}

// req: S0-047 S4-021
#[test]
fn what_a_turn_tells_of_one_subject_is_not_of_another() {
    turns(include_str!("../vectors/one_verb.json"));
}

// req: S0-009 S0-047
#[test]
fn what_is_denied_beside_what_is_had() {
    turns(include_str!("../vectors/denied_beside.json"));
}
