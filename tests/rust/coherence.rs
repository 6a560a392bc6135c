//! Goalposts that move and concepts that drift, on the stream; the cases are Python's too.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Report, Session, coherence};
use groundwire_core::types::{Finding, Tier};
use serde_json::Value as Json;

use crate::reading::in_pieces;

const GOALPOST: &str = "stream.goalpost";
const DRIFT: &str = "stream.concept_drift";
/// What may say the same of the same words.
const OTHERS: [&str; 2] = [
    "dialogue.contradicts_prior",
    "dialogue.logical_inconsistency",
];

fn cases(kind: &str, which: &str) -> Vec<(String, String)> {
    let all: Json = serde_json::from_str(include_str!("../vectors/coherence.json")).expect("json");
    let found: Vec<(String, String)> = all[kind][which]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| {
            let text = |name: &str| case[name].as_str().expect("text").to_owned();
            (text("history"), text("new"))
        })
        .collect();
    assert!(found.len() >= 20, "{kind} {which}");
    found
}

fn check(monitor: &Monitor, history: &str, text: &str, step: usize) -> Report {
    let turns = [("assistant".to_owned(), history.to_owned())];
    let context = Context::new(monitor, &[], &turns, None);
    in_pieces(monitor, context, text, step)
}

fn of<'a>(report: &'a Report, kinds: &[&str]) -> Vec<&'a Finding> {
    let found = report.findings.iter();
    found.filter(|f| kinds.contains(&f.kind.as_str())).collect()
}

fn monitor() -> Monitor {
    Monitor::builder().build().expect("monitor")
}

// req: S4-024
#[test]
fn goalposts_that_moved_are_found_once_and_low() {
    let monitor = monitor();
    for (history, new) in cases("goalposts", "found") {
        let report = check(&monitor, &history, &new, usize::MAX);
        let own = of(&report, &[GOALPOST]);
        let all = of(&report, &[GOALPOST, OTHERS[0], OTHERS[1]]);
        assert!(!all.is_empty(), "{history} | {new}");
        assert!(own.iter().all(|f| f.tier <= Tier::Low), "{own:?}");
        assert!(
            all.iter().any(|f| f.extra.contains_key("goalpost")),
            "{all:?}"
        );
        for (i, one) in all.iter().enumerate() {
            let twice =
                |other: &&&Finding| other.span.zip(one.span).is_some_and(|(a, b)| a.overlaps(b));
            assert!(
                !all[i + 1..].iter().any(|o| twice(&o)),
                "{history} | {new}: {all:?}"
            );
        }
    }
    for (history, new) in cases("goalposts", "silent") {
        let report = check(&monitor, &history, &new, usize::MAX);
        assert!(of(&report, &[GOALPOST]).is_empty(), "{history} | {new}");
    }
}

// req: S4-024
#[test]
fn where_nothing_else_looks_at_the_history_the_goalpost_says_it_alone() {
    let profile = groundwire_core::profile::Profile::stream();
    let monitor = Monitor::builder()
        .profiles(vec![profile])
        .build()
        .expect("monitor");
    for (history, new) in cases("goalposts", "found") {
        let report = check(&monitor, &history, &new, usize::MAX);
        let found = of(&report, &[GOALPOST]);
        assert!(!found.is_empty(), "{history} | {new}");
        assert!(found[0].p_hallucinated > 0.0 && found[0].p_hallucinated <= 1.0);
        assert_eq!(found[0].evidence[0].source.as_deref(), Some("turn-1"));
    }
}

// req: S4-023
#[test]
fn concepts_that_drift_are_found_at_the_new_definition() {
    let monitor = monitor();
    for (history, new) in cases("drift", "found") {
        let report = check(&monitor, &history, &new, usize::MAX);
        let found = of(&report, &[DRIFT]);
        assert_eq!(found.len(), 1, "{history} | {new}: {:?}", report.findings);
        assert!(found[0].extra["drift"].as_f64().expect("drift") >= 0.8);
        assert!(found[0].tier <= Tier::Low);
    }
    for (history, new) in cases("drift", "silent") {
        let report = check(&monitor, &history, &new, usize::MAX);
        assert!(of(&report, &[DRIFT]).is_empty(), "{history} | {new}");
    }
}

// req: S4-020, S4-021, S4-022
#[test]
fn the_validator_says_what_a_session_says() {
    let profile = groundwire_core::profile::Profile::stream();
    let stream = Monitor::builder()
        .profiles(vec![profile])
        .build()
        .expect("monitor");
    let monitor = monitor();
    // Values and quantifiers, not denials.
    let moves = |f: &&Finding| {
        let evidence = f.evidence.first();
        let denied = evidence.is_some_and(|e| e.data["contradiction"] == "direct_negation");
        f.kind == GOALPOST || f.extra.contains_key("goalpost") || !denied
    };
    for kind in ["contradiction", "goalposts", "drift"] {
        for which in ["found", "silent"] {
            for (history, new) in cases(kind, which) {
                let whole = coherence(&new, &[&history]);
                let contradictions = whole["contradictions"].as_array().expect("list");
                let moved = contradictions
                    .iter()
                    .filter(|c| c["kind"] != "negation")
                    .count();
                let drifts = whole["drifts"].as_array().expect("list");
                let drifted = drifts.iter().filter(|d| d["drifted"] == true).count();
                let report = check(&monitor, &history, &new, usize::MAX);
                let odd = of(&report, &[GOALPOST, OTHERS[0]]);
                assert_eq!(!odd.iter().any(moves), moved == 0, "{history} | {new}");
                let report = check(&stream, &history, &new, usize::MAX);
                assert_eq!(of(&report, &[DRIFT]).len(), drifted, "{history} | {new}");
                match kind {
                    "contradiction" => assert_eq!(
                        contradictions.is_empty(),
                        which == "silent",
                        "{history} | {new}"
                    ),
                    "goalposts" => assert_eq!(moved == 0, which == "silent", "{history} | {new}"),
                    _ => assert_eq!(drifted == 0, which == "silent", "{history} | {new}"),
                }
            }
        }
    }
}

#[test]
fn cuts_and_rollbacks_do_not_matter() {
    let monitor = monitor();
    for kind in ["goalposts", "drift"] {
        for (history, new) in cases(kind, "found").into_iter().step_by(3) {
            let text = format!("{history} It is well known. {new} That is all.");
            let whole = check(&monitor, &history, &text, usize::MAX);
            for step in [1, 7] {
                assert_eq!(
                    check(&monitor, &history, &text, step).findings,
                    whole.findings
                );
            }
            let turns = [("assistant".to_owned(), history.clone())];
            let context = Context::new(&monitor, &[], &turns, None);
            let mut session = Session::new(&monitor, context);
            for piece in ["Every ticket costs $99. ", &new, " No more."] {
                session.push_text(piece, Push::default()).expect("pushed");
            }
            session.rollback(3).expect("rolled back");
            for piece in text.split_inclusive(' ') {
                session.push_text(piece, Push::default()).expect("pushed");
            }
            session.finish().expect("finished");
            assert_eq!(session.report().findings, whole.findings, "{text}");
        }
    }
}

// req: S4-024
#[test]
fn an_answer_is_held_against_itself_and_a_correction_is_the_fact_from_there_on() {
    let profile = groundwire_core::profile::Profile::stream();
    let monitor = Monitor::builder()
        .profiles(vec![profile])
        .build()
        .expect("monitor");
    let found = |history: &str, text: &str| {
        let report = check(&monitor, history, text, usize::MAX);
        of(&report, &[GOALPOST])
            .iter()
            .map(|f| f.text.clone())
            .collect::<Vec<_>>()
    };
    let silent = Vec::<String>::new();
    assert_eq!(
        found("", "The trip takes three hours. The trip takes five hours."),
        ["five hours"]
    );
    let corrected = "The trip takes three hours. Actually, the trip takes five hours. ";
    assert_eq!(found("", corrected), silent);
    assert_eq!(
        found("", &format!("{corrected}The trip takes five hours.")),
        silent
    );
    assert_eq!(
        found("", &format!("{corrected}The trip takes three hours.")),
        ["three hours"]
    );
    let history = "The trip takes three hours.";
    let taken_back = "I was wrong: the trip takes five hours. The trip takes five hours.";
    assert_eq!(found(history, taken_back), silent);
    let two = "The trip takes five hours by boat. The trip takes three hours by car.";
    assert_eq!(found("", two), silent);
}

// req: S4-023
#[test]
fn a_human_being_is_many_things_at_once() {
    let monitor = monitor();
    for text in [
        "Ada Lind is a writer. She is a member of the town council.",
        "Ada Lind was born in 1950. Ada Lind is a writer. Ada Lind is a mother of two.",
        "Mercury is a planet. Overall, Mercury is a place without seasons.",
    ] {
        let report = check(&monitor, "", text, usize::MAX);
        assert!(of(&report, &[DRIFT]).is_empty(), "{text}");
    }
    let report = check(
        &monitor,
        "",
        "Mercury is a planet. Mercury is a liquid metal.",
        5,
    );
    assert_eq!(of(&report, &[DRIFT]).len(), 1);
}

// req: S4-019
#[test]
fn growing_specificity_is_told_once_unless_a_source_has_it() {
    let all: Json =
        serde_json::from_str(include_str!("../vectors/specificity.json")).expect("json");
    let texts = |which: &str| {
        let texts = all[which].as_array().expect("texts").iter();
        let texts: Vec<&str> = texts.filter_map(Json::as_str).collect();
        assert!(texts.len() >= 20);
        texts
    };
    let monitor = monitor();
    let kind = ["stream.specificity_drift"];
    for text in texts("found") {
        let whole = check(&monitor, "", text, usize::MAX);
        let found = of(&whole, &kind);
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].tier <= Tier::Low && found[0].p_hallucinated >= 0.5);
        assert_eq!(check(&monitor, "", text, 1).findings, whole.findings);
        let evidence = [("page".to_owned(), text.to_owned())];
        let context = Context::new(&monitor, &evidence, &[], None);
        let mut session = Session::new(&monitor, context);
        session.push_text(text, Push::default()).expect("pushed");
        session.finish().expect("finished");
        assert!(of(&session.report(), &kind).is_empty(), "{text}");
    }
    for text in texts("silent") {
        let report = check(&monitor, "", text, usize::MAX);
        assert!(of(&report, &kind).is_empty(), "{text}");
    }
}
