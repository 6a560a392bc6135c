//! Plain sentences against a base that has the obvious attribute.

use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::Status;
use serde_json::Value as Json;

use crate::qualified::{conflicts, over};
use crate::reading::texts;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/plain_facts.json")).expect("vectors")
}

// req: S0-007 S0-062
#[test]
fn a_plain_sentence_is_held_against_the_attribute_it_speaks_of() {
    let mut missed = Vec::new();
    for case in vectors()["put_right"].as_array().expect("cases") {
        let (text, wanted) = (case[0].as_str().expect("text"), case[1].as_str());
        let found = conflicts(&vectors()["base"], text);
        if !matches!(&found[..], [one] if one.replacement.as_deref() == wanted) {
            let told = found.first().map(|one| one.replacement.clone());
            missed.push(format!("{text}: {told:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

// req: S0-007 S0-062
#[test]
fn what_is_of_a_part_or_another_time_contradicts_no_attribute() {
    let mut alarms = Vec::new();
    for text in texts(&vectors()["silent"]) {
        if let Some(one) = conflicts(&vectors()["base"], text).first() {
            alarms.push(format!("{text}: {} {:?}", one.text, one.replacement));
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}

// req: S4-033
#[test]
fn a_limit_behind_a_full_stop_hides_nothing() {
    let vectors = vectors();
    let monitor = over(vectors["base"].as_array().expect("records"));
    let found = |text: &str, cut: bool| {
        let mut session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
        session.push_text(text, Push::default()).expect("pushed");
        if cut {
            session.cut().expect("open");
        }
        session.finish().expect("finished");
        let findings = session.report().findings;
        let mut found: Vec<_> = (findings.iter())
            .filter(|f| f.status == Status::Contradicted)
            .map(|f| (f.kind.clone(), f.text.clone(), f.replacement.clone()))
            .collect();
        found.sort();
        found
    };
    let mut hidden = Vec::new();
    for case in vectors["put_right"].as_array().expect("cases") {
        let text = case[0].as_str().expect("text");
        // A figure may go on behind a full stop: "1." of "1.5".
        let words = text.strip_suffix('.').unwrap_or("");
        let closed = words.ends_with(|c: char| c.is_alphabetic());
        if closed && found(text, false) != found(text, true) {
            hidden.push(text);
        }
    }
    assert!(hidden.is_empty(), "{hidden:#?}");
}
