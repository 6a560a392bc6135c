//! What contradicts earlier turns, itself or the calendar, or appeals to nobody in particular, and
//! what only looks so.

use groundwire_core::monitor::Monitor;
use groundwire_core::profile::Profile;
use groundwire_core::session::{Context, Push, Session};
use serde_json::Value as Json;

const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/vectors/senses.json"
);

fn found(monitor: &Monitor, day: &str, case: &Json) -> Vec<String> {
    let text = case.as_str().or(case["text"].as_str()).expect("text");
    let turn = |turn: &Json| {
        let part = |i: usize| turn[i].as_str().expect("text").to_owned();
        (part(0), part(1))
    };
    let turns: Vec<(String, String)> = case["history"]
        .as_array()
        .into_iter()
        .flatten()
        .map(turn)
        .collect();
    let context = Context::new(monitor, &[], &turns, None);
    let context = context.on_day(day).expect("a day");
    let mut session = Session::new(monitor, context);
    session.push_text(text, Push::default()).expect("pushed");
    session.finish().expect("finished");
    let findings = session.report().findings;
    findings.into_iter().map(|finding| finding.kind).collect()
}

// req: S0-009 S0-046 S0-047 S0-048 S0-050 S0-052 S0-054 S0-055 S0-057 S0-059 S0-060
#[test]
fn what_is_wrong_is_found_and_what_looks_like_it_is_not() {
    let text = std::fs::read_to_string(VECTORS).expect("vectors");
    let vectors: Json = serde_json::from_str(&text).expect("vectors");
    let day = vectors["reference_date"].as_str().expect("a day");
    let monitor = Monitor::builder()
        .profiles(vec![Profile::dialogue(), Profile::stream()])
        .build()
        .expect("monitor");
    let mut wrong = Vec::new();
    for group in vectors["groups"].as_array().expect("groups") {
        let kind = group["type"].as_str().expect("type");
        for fires in [true, false] {
            let key = if fires { "fires" } else { "silent" };
            for case in group[key].as_array().expect("cases") {
                let kinds = found(&monitor, day, case);
                if kinds.iter().any(|k| k == kind) != fires {
                    wrong.push(format!("{kind} {key}: {case}: {kinds:?}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
