//! Corrections put into their sentences, and sentences that are at odds with no source.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces, passages, texts};

fn monitor(case: &Json) -> Monitor {
    let builder = base_of(case["kb"].as_array().into_iter().flatten());
    let monitor = Monitor::builder();
    let monitor = if case["kb"].is_null() {
        monitor
    } else {
        monitor.kb(Arc::new(RwLock::new(builder.build().expect("built"))))
    };
    monitor.build().expect("monitor")
}

/// What a source contradicts in the text.
fn contradicted(case: &Json, monitor: &Monitor, text: &str, step: usize) -> Vec<Finding> {
    let evidence = passages(&case["evidence"]);
    let today = "2026-11-22".parse().expect("a day");
    let context = Context::new(monitor, &evidence, &[], None).on(Some(today));
    let mut found = in_pieces(monitor, context, text, step).findings;
    found.retain(|f| f.status == Status::Contradicted);
    found
}

/// The text with the replacements put in, from the last to the first.
fn mended(text: &str, found: &[Finding]) -> String {
    let mut places: Vec<_> = found
        .iter()
        .filter_map(|f| Some((f.span?, f.replacement.as_deref()?)))
        .collect();
    places.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut out = text.to_owned();
    for (span, right) in places {
        assert_eq!(&text[span.start..span.end].len(), &span.len());
        out.replace_range(span.start..span.end, right);
    }
    out
}

// req: S0-005 S0-006 S4-029
#[test]
fn corrections_read_as_prose_and_true_look_alikes_stay() {
    read_as_prose(include_str!("../vectors/fitted.json"));
}

// req: S0-006 S0-007 S4-029
#[test]
fn what_lies_in_a_stretch_of_time_stays_and_what_does_not_is_put_right() {
    read_as_prose(include_str!("../vectors/periods.json"));
}

// req: S0-007 S0-019 S0-062 S4-029
#[test]
fn what_a_thing_is_said_to_be_is_put_right_and_look_alikes_stay() {
    read_as_prose(include_str!("../vectors/kinds.json"));
}

// req: S0-007 S0-008 S0-019 S0-062 S0-063
#[test]
fn only_what_is_asserted_of_the_thing_is_put_right() {
    read_as_prose(include_str!("../vectors/asserted.json"));
}

// req: S0-006 S4-029
#[test]
fn a_correction_has_the_sign_of_its_own_value() {
    read_as_prose(include_str!("../vectors/signs.json"));
}

fn read_as_prose(vectors: &str) {
    let vectors: Json = serde_json::from_str(vectors).expect("vectors");
    let mut wrong = Vec::new();
    for case in vectors["cases"].as_array().expect("cases") {
        let monitor = monitor(case);
        let show = |found: &[Finding]| -> Vec<String> {
            let show = |f: &Finding| format!("{} {:?} {:?}", f.kind, f.text, f.replacement);
            found.iter().map(show).collect()
        };
        for pair in case["mended"].as_array().expect("pairs") {
            let pair = texts(pair);
            let found = contradicted(case, &monitor, pair[0], usize::MAX);
            let out = mended(pair[0], &found);
            if out != pair[1] {
                wrong.push(format!("{:?} became {out:?}: {:?}", pair[0], show(&found)));
            }
            assert_eq!(
                show(&contradicted(case, &monitor, pair[0], 1)),
                show(&found)
            );
            let again = contradicted(case, &monitor, pair[1], usize::MAX);
            if !again.is_empty() {
                wrong.push(format!("{:?} stays wrong: {:?}", pair[1], show(&again)));
            }
        }
        for text in texts(&case["kept"]) {
            let found = contradicted(case, &monitor, text, usize::MAX);
            if found.is_empty() || mended(text, &found) != text {
                wrong.push(format!("kept {text:?}: {:?}", show(&found)));
            }
        }
        for text in texts(&case["silent"]) {
            let found = contradicted(case, &monitor, text, usize::MAX);
            if !found.is_empty() {
                wrong.push(format!("silent {text:?}: {:?}", show(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
