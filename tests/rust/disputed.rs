//! Knowledge base and evidence that disagree: neither value is written over the other.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::KbBuilder;
use groundwire_core::monitor::Monitor;
use groundwire_core::profile::Profile;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Tier};

use crate::reading::in_pieces;

const BASE: [&str; 2] = [
    r#"{"name": "Heron Ferry", "type": "ferry", "attributes": {"price": "$28", "capacity": 240, "length": "61 m"}}"#,
    r#"{"name": "Lea Sand", "type": "person", "attributes": {"department": "Archives"}}"#,
];
const OTHERWISE: &str = "The Heron Ferry costs $34 and carries 310 passengers. Lea Sand works in \
                         Logistics. The Heron Ferry is 61 m long.";

fn findings(evidence: &[&str], text: &str) -> Vec<Finding> {
    let mut builder = KbBuilder::new();
    for record in BASE {
        builder.read_jsonl(record, None).expect("valid");
    }
    let monitor = Monitor::builder()
        .kb(Arc::new(RwLock::new(builder.build().expect("built"))))
        .profiles(vec![Profile::dialogue(), Profile::stream()])
        .build()
        .expect("monitor");
    let evidence: Vec<(String, String)> = evidence
        .iter()
        .enumerate()
        .map(|(i, text)| (format!("e{i}"), (*text).to_owned()))
        .collect();
    let read = |step| {
        let context = Context::new(&monitor, &evidence, &[], None);
        in_pieces(&monitor, context, text, step).findings
    };
    let found = read(text.len());
    assert_eq!(found, read(1), "{text}");
    found
}

fn disputed(finding: &Finding) -> bool {
    finding.extra.contains_key("disputed")
}

// req: S0-079
#[test]
fn neither_source_is_written_over_the_other() {
    for text in [
        "The Heron Ferry costs $28.",
        "The Heron Ferry costs $34.",
        "Lea Sand works in Logistics.",
    ] {
        let found = findings(&[OTHERWISE], text);
        assert!(found.iter().any(disputed), "{text}: {found:#?}");
        for finding in &found {
            assert_eq!(finding.replacement, None, "{text}: {finding:#?}");
            assert!(finding.tier <= Tier::Medium, "{text}: {finding:#?}");
        }
    }
}

// req: S0-079
#[test]
fn a_third_value_is_wrong_and_neither_takes_its_place() {
    let found = findings(&[OTHERWISE], "The Heron Ferry costs $45.");
    assert!(found.iter().any(disputed), "{found:#?}");
    assert!(found.iter().any(|f| f.tier >= Tier::High), "{found:#?}");
    assert!(found.iter().all(|f| f.replacement.is_none()), "{found:#?}");
}

// req: S0-007 S0-079
#[test]
fn where_they_agree_or_one_is_silent_the_right_value_takes_its_place() {
    for (evidence, text, right) in [
        (OTHERWISE, "The Heron Ferry is 70 m long.", "61 m"),
        (
            "The Heron Ferry costs $28.",
            "The Heron Ferry costs $45.",
            "$28",
        ),
        (
            "The Heron Ferry has a café.",
            "The Heron Ferry costs $45.",
            "$28",
        ),
        (
            "The Gull Ferry costs $34.",
            "The Heron Ferry costs $34.",
            "$28",
        ),
        (
            "Ivo Rand works in Logistics.",
            "Lea Sand works in Logistics.",
            "Archives",
        ),
    ] {
        let found = findings(&[evidence], text);
        assert!(!found.iter().any(disputed), "{text}: {found:#?}");
        let put = |f: &&Finding| f.replacement.as_deref() == Some(right);
        assert!(found.iter().any(|f| put(&f)), "{text}: {found:#?}");
    }
}
