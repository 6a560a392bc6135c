//! Claims that only seem to contradict a fact, and their look-alikes that do.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::{Monitor, Settings};
use groundwire_core::profile::Profile;
use groundwire_core::segment::quantities;
use groundwire_core::session::Context;
use groundwire_core::types::Finding;
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces, texts};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/qualified.json")).expect("vectors")
}

pub(crate) fn over(records: &[Json]) -> Monitor {
    let builder = base_of(records);
    Monitor::builder()
        .kb(Arc::new(RwLock::new(builder.build().expect("built"))))
        .profiles(vec![Profile::dialogue()])
        .build()
        .expect("monitor")
}

pub(crate) fn findings(
    monitor: &Monitor,
    evidence: &[(String, String)],
    text: &str,
    step: usize,
) -> Vec<Finding> {
    let today = "2026-11-22".parse().expect("date");
    let context = Context::new(monitor, evidence, &[], None).on(Some(today));
    in_pieces(monitor, context, text, step).findings
}

/// The conflicts of a text with a base, the same by whole text and by byte.
pub(crate) fn conflicts(base: &Json, text: &str) -> Vec<Finding> {
    let monitor = over(base.as_array().expect("records"));
    let whole = findings(&monitor, &[], text, text.len());
    assert_eq!(whole, findings(&monitor, &[], text, 1), "{text}");
    let mut found = whole;
    found.retain(|finding| FACTS.contains(&finding.kind.as_str()));
    found
}

/// Texts of `list` for which one of the kinds is found, or not.
fn wrong(monitor: &Monitor, list: &Json, kinds: &[&str], fires: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for text in texts(list) {
        let whole = findings(monitor, &[], text, text.len());
        if whole.iter().any(|f| kinds.contains(&f.kind.as_str())) != fires {
            wrong.push(text.to_owned());
        }
        assert_eq!(whole, findings(monitor, &[], text, 1), "{text}");
    }
    wrong
}

pub(crate) const FACTS: [&str; 2] = ["dialogue.wrong_attribute", "dialogue.contradicts_fact"];

pub(crate) fn hold(vectors: &Json) {
    for case in vectors["cases"].as_array().expect("cases") {
        let base = case["kb"].as_str().expect("name");
        let monitor = over(vectors["bases"][base].as_array().expect("records"));
        let alarms = wrong(&monitor, &case["silent"], &FACTS, false);
        let missed = wrong(&monitor, &case["found"], &FACTS, true);
        assert!(
            alarms.is_empty() && missed.is_empty(),
            "{}: alarms {alarms:#?}, missed {missed:#?}",
            case["about"]
        );
    }
}

// req: S0-007 S0-008 S0-019
#[test]
fn what_only_seems_to_contradict_is_silent_and_what_does_is_found() {
    hold(&vectors());
}

// req: S0-007 S0-008 S0-019
#[test]
fn what_tells_another_thing_apart_is_silent_and_what_only_explains_is_found() {
    let text = include_str!("../vectors/heads.json");
    hold(&serde_json::from_str(text).expect("vectors"));
}

// req: S0-007 S0-008 S0-062 S0-063
#[test]
fn values_are_compared_as_what_they_are_said_of() {
    let text = include_str!("../vectors/kb_compare.json");
    hold(&serde_json::from_str(text).expect("vectors"));
}

// req: S0-007 S0-062
#[test]
fn a_name_of_another_attribute_of_the_thing_is_found_where_the_words_say_which() {
    let text = include_str!("../vectors/role_swaps.json");
    hold(&serde_json::from_str(text).expect("vectors"));
}

// req: S0-007 S0-008
#[test]
fn what_a_base_says_in_plain_words_is_compared() {
    let text = include_str!("../vectors/plain_words.json");
    hold(&serde_json::from_str(text).expect("vectors"));
}

// req: S0-007
#[test]
fn a_bound_is_put_right_as_a_whole() {
    let vectors = vectors();
    let firm = over(vectors["bases"]["firm"].as_array().expect("records"));
    let places = over(vectors["bases"]["places"].as_array().expect("records"));
    for (monitor, text, said, right) in [
        (&firm, "Acme has over 450 employees.", "over 450", "450"),
        (&firm, "Acme has 500+ employees.", "500+", "450"),
        (
            &firm,
            "Acme has between 500 and 600 employees.",
            "between 500 and 600",
            "450",
        ),
        (
            &places,
            "Zed takes 1 hour and 35 minutes.",
            "1 hour and 35 minutes",
            "85 minutes",
        ),
    ] {
        let found = findings(monitor, &[], text, text.len());
        let finding = found
            .iter()
            .find(|f| FACTS.contains(&f.kind.as_str()))
            .expect("found");
        assert_eq!(finding.text, said, "{text}");
        assert_eq!(finding.replacement.as_deref(), Some(right), "{text}");
    }
}

// req: S0-050 S0-051 S0-054
#[test]
fn may_is_a_month_and_years_to_come_are_far_in_any_tense() {
    let vectors = vectors();
    let monitor = over(&[]);
    let kinds = ["dialogue.temporal_error"];
    let times = &vectors["times"];
    let alarms = wrong(&monitor, &times["silent"], &kinds, false);
    let missed = wrong(&monitor, &times["found"], &kinds, true);
    assert!(
        alarms.is_empty() && missed.is_empty(),
        "alarms {alarms:#?}, missed {missed:#?}"
    );
}

// req: S0-051
#[test]
fn how_far_a_year_may_lie_ahead_is_a_setting() {
    let text = "The colony will be founded in 2045.";
    for (years, fires) in [(10, true), (18, true), (19, false), (50, false)] {
        let monitor = Monitor::builder()
            .profiles(vec![Profile::dialogue()])
            .settings(Settings {
                max_future_years: years,
                ..Settings::default()
            })
            .build()
            .expect("monitor");
        let found = findings(&monitor, &[], text, text.len());
        assert_eq!(!found.is_empty(), fires, "{years}");
    }
}

// req: S0-007
#[test]
fn two_units_of_one_dimension_make_one_amount() {
    for (text, values) in [
        ("1 hour and 25 minutes", vec![85.0]),
        ("an hour and 25 minutes", vec![85.0]),
        ("1 h 25 min", vec![85.0]),
        ("5 feet 10 inches", vec![70.0]),
        ("2 kilos and 500 grams", vec![2500.0]),
        ("2 years and 3 months", vec![27.0]),
        // Not less than one of the larger, the larger second, another dimension, no whole number.
        ("1 hour and 90 minutes", vec![1.0, 90.0]),
        ("25 minutes and 1 hour", vec![25.0, 1.0]),
        ("1 hour and 25 metres", vec![1.0, 25.0]),
        ("2 hours and 12 employees", vec![2.0, 12.0]),
        ("1.5 hours and 25 minutes", vec![1.5, 25.0]),
        ("an hour and a tour", vec![]),
    ] {
        let found: Vec<f64> = quantities(text).iter().map(|q| q.value).collect();
        assert_eq!(found, values, "{text}");
    }
}

// req: S0-019
#[test]
fn evidence_is_held_against_what_is_said_alone() {
    let monitor = Monitor::builder()
        .profiles(vec![Profile::stream()])
        .build()
        .expect("monitor");
    let evidence = [(
        "leaflet".to_owned(),
        "The Harbour Museum has 450 rooms and was founded in 1987.".to_owned(),
    )];
    let conflicts = |text: &str| {
        findings(&monitor, &evidence, text, text.len())
            .iter()
            .filter(|f| f.kind == "stream.quantity_conflict")
            .count()
    };
    for text in [
        "The Harbour Museum has over 400 rooms.",
        "The Harbour Museum has between 400 and 500 rooms.",
        "It is not true that the Harbour Museum has 500 rooms.",
        "Some people believe that the Harbour Museum has 500 rooms.",
    ] {
        assert_eq!(conflicts(text), 0, "{text}");
    }
    for text in [
        "The Harbour Museum has 500 rooms.",
        "The Harbour Museum has over 600 rooms.",
        "The Harbour Museum has between 600 and 700 rooms.",
        "It is true that the Harbour Museum has 500 rooms.",
    ] {
        assert_eq!(conflicts(text), 1, "{text}");
    }
}
