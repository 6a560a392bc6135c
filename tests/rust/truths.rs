//! True sentences that nothing contradicts, in their many shapes, and plain wrong ones beside them that
//! are still found, with what takes their place.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::Value;
use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Report};
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces, passages, texts};

fn report(case: &Json, question: Option<&str>, text: &str, step: usize) -> Report {
    let records = case["kb"].as_array().into_iter().flatten();
    let kb = base_of(records).build().expect("built");
    let monitor = Monitor::builder()
        .kb(Arc::new(RwLock::new(kb)))
        .build()
        .expect("monitor");
    let turns: Vec<(String, String)> = texts(&case["history"])
        .into_iter()
        .map(|text| ("assistant".to_owned(), text.to_owned()))
        .collect();
    let evidence = passages(&case["evidence"]);
    let context = Context::new(&monitor, &evidence, &turns, question)
        .on_day("2026-11-22")
        .expect("a day");
    in_pieces(&monitor, context, text, step)
}

fn against(report: &Report) -> Option<&Finding> {
    let mut findings = report.findings.iter();
    findings.find(|finding| finding.status == Status::Contradicted)
}

/// Judges what each case says is true or wrong; a wrong text comes with its replacement, and where there
/// is a third text, that is the question.
fn judge(vectors: &str) {
    let vectors: Json = serde_json::from_str(vectors).expect("vectors");
    let mut bad = Vec::new();
    for case in vectors["cases"].as_array().expect("cases") {
        for text in texts(&case["true"]) {
            if let Some(found) = against(&report(case, None, text, usize::MAX)) {
                bad.push(format!("true: {text}\n  {} {:?}", found.kind, found.text));
            }
        }
        for wrong in case["wrong"].as_array().into_iter().flatten() {
            let (text, question) = (wrong[0].as_str().expect("text"), wrong[2].as_str());
            let whole = report(case, question, text, usize::MAX);
            let found = against(&whole);
            let right = found.map(|finding| finding.replacement.as_deref());
            if right != Some(wrong[1].as_str()) {
                bad.push(format!("wrong: {text}\n  {right:?}, wanted {}", wrong[1]));
            }
            let cut = report(case, question, text, 1);
            assert_eq!(whole.findings, cut.findings, "{text}");
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

// req: S0-007 S0-008 S0-062 S0-063
#[test]
fn what_is_told_of_things_is_no_number_of_them() {
    judge(include_str!("../vectors/things.json"));
}

// req: S0-005 S0-020 S0-021 S0-063 S4-020
#[test]
fn denials_of_a_part_deny_nothing() {
    judge(include_str!("../vectors/denials.json"));
}

// req: S0-007 S0-062 X-12
#[test]
fn powers_of_ten_are_one_number() {
    judge(include_str!("../vectors/powers.json"));
}

// req: S0-007 S0-062 X-12
#[test]
fn values_in_another_form_are_the_same() {
    judge(include_str!("../vectors/value_forms.json"));
}

// req: S0-079 X-12
#[test]
fn a_yes_goes_with_the_value_behind_it() {
    judge(include_str!("../vectors/answered.json"));
}

// req: S0-005 S0-020 S0-021 S0-063
#[test]
fn what_a_source_says_the_other_way_round_is_wrong() {
    judge(include_str!("../vectors/opposed.json"));
}

// req: S0-005 S0-007 S0-020
#[test]
fn amounts_beside_a_name_are_its_own() {
    judge(include_str!("../vectors/beside_names.json"));
}

// req: S0-007 S0-006 X-12
#[test]
fn a_date_is_put_right_in_its_form_with_its_weekday() {
    judge(include_str!("../vectors/dates_in_form.json"));
}

// req: S0-009 S0-046 S0-047 S0-048
#[test]
fn what_a_number_or_letter_names_is_held_against_earlier_turns() {
    judge(include_str!("../vectors/called_things.json"));
}

// req: S0-007
#[test]
fn so_many_of_so_many_is_no_fraction() {
    assert_eq!(Value::infer("85/100"), Value::Text("85/100".into()));
    assert_eq!(Value::infer("3/4").to_string(), "0.75");
}
