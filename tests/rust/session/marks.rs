//! Placeholders, and links, code and templates that look like them.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::{Finding, Tier};
use serde_json::Value as Json;

use super::findings;

fn vectors(part: &str) -> Vec<String> {
    let all: Json =
        serde_json::from_str(include_str!("../../vectors/marks.json")).expect("vectors");
    serde_json::from_value(all[part].clone()).expect("a list of texts")
}

fn found(monitor: &Monitor, text: &str, size: usize) -> Vec<Finding> {
    let mut session = Session::new(monitor, Context::new(monitor, &[], &[], None));
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(size) {
        let piece: String = piece.iter().collect();
        session.push_text(&piece, Push::default()).unwrap();
    }
    session.finish().unwrap();
    let mut found = findings(&session);
    found.retain(|f| f.kind == "stream.invented_citation" || f.kind == "stream.placeholder");
    found
}

fn worst(found: &[Finding]) -> Tier {
    found.iter().map(|f| f.tier).max().unwrap_or(Tier::None)
}

// req: S4-018
#[test]
fn links_code_and_templates_are_no_gaps() {
    let monitor = Monitor::builder().build().unwrap();
    let mut wrong = Vec::new();
    for (part, least, most) in [
        ("harmless", Tier::None, Tier::None),
        ("low", Tier::None, Tier::Low),
        ("real", Tier::High, Tier::Critical),
    ] {
        for text in vectors(part) {
            let whole = found(&monitor, &text, usize::MAX);
            let tier = worst(&whole);
            if tier < least || tier > most {
                wrong.push(format!("{part}: {text:?} is {tier:?}"));
            }
            for size in [1, 3, 7] {
                let pieces = found(&monitor, &text, size);
                if pieces != whole {
                    wrong.push(format!("{part}: {text:?} differs in pieces of {size}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
