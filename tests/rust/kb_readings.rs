//! What is said of known entities in its many shapes, and look-alikes that stay silent; the same
//! vectors as the package's tests.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::{KbBuilder, KnowledgeBase, Record, Value, World};
use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Report};
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces};

/// What the dialogue's detectors find against a base.
const KINDS: [&str; 4] = [
    "dialogue.wrong_attribute",
    "dialogue.contradicts_fact",
    "dialogue.fabricated_fact",
    "dialogue.nonexistent_entity",
];

const READINGS: &str = include_str!("../vectors/kb_readings.json");
const PHRASINGS: &str = include_str!("../vectors/phrasings.json");
const BINDINGS: &str = include_str!("../vectors/bindings.json");
const OPEN: &str = include_str!("../vectors/open_values.json");
const LIKENESS: &str = include_str!("../vectors/likeness.json");
const COMPOUNDS: &str = include_str!("../vectors/compounds.json");
const REMARKS: &str = include_str!("../vectors/remarks.json");

fn world(closed: &Json) -> World {
    let names = closed.as_array().into_iter().flatten();
    World {
        closed: closed.as_bool().unwrap_or(false),
        closed_predicates: names.filter_map(Json::as_str).map(str::to_owned).collect(),
    }
}

fn base(records: &Json, closed: &Json) -> KnowledgeBase {
    let mut builder = base_of(records.as_array().into_iter().flatten());
    builder.set_world(world(closed));
    builder.build().expect("built")
}

fn report(kb: KnowledgeBase, text: &str, step: usize) -> Report {
    let monitor = Monitor::builder()
        .kb(Arc::new(RwLock::new(kb)))
        .build()
        .expect("monitor");
    let context = Context::new(&monitor, &[], &[], None)
        .on_day("2026-11-22")
        .expect("a day");
    in_pieces(&monitor, context, text, step)
}

fn found(report: &Report) -> Vec<(&str, &str, Option<&str>)> {
    let findings = report.findings.iter();
    findings
        .filter(|f| KINDS.contains(&f.kind.as_str()))
        .map(|f| (&*f.kind, &*f.text, f.replacement.as_deref()))
        .collect()
}

// req: S0-007 S0-008 S0-040 S0-041 S0-062 S0-063 S0-019 U-7
#[test]
fn readings_and_look_alikes() {
    judge_all(READINGS);
}

// req: S0-007 S0-008 S0-019 S0-062 S0-063 S0-079
#[test]
fn phrasings_and_look_alikes() {
    judge_all(PHRASINGS);
}

// req: S0-007 S0-019 S0-062
#[test]
fn names_with_an_attribute_behind_them() {
    judge_all(COMPOUNDS);
}

// req: S0-007 S0-019 S0-062 S0-077
#[test]
fn remarks_are_no_values() {
    judge_all(REMARKS);
}

// req: S0-007 S0-019 S0-062 S0-077
#[test]
fn what_is_of_another_kind_contradicts_nothing() {
    judge_all(LIKENESS);
}

// req: S0-007 S0-018 S0-019 S0-062
#[test]
fn what_may_be_another_contradicts_nothing() {
    judge_all(BINDINGS);
}

// req: S0-007 S0-019 S0-062 S0-079 X-12
#[test]
fn values_that_are_left_open() {
    judge_all(OPEN);
}

fn judge_all(vectors: &str) {
    let vectors: Json = serde_json::from_str(vectors).expect("vectors");
    let mut wrong = Vec::new();
    for case in vectors["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let records = &vectors["bases"][case["kb"].as_str().expect("kb")];
        let whole = report(base(records, &case["closed"]), text, text.len());
        let wanted: Vec<_> = case["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .map(|f| {
                let part = |name: &str| f[name].as_str();
                (
                    part("type").expect("type"),
                    part("text").expect("text"),
                    part("replacement"),
                )
            })
            .collect();
        if found(&whole) != wanted {
            wrong.push(format!(
                "{text}\n  {:?}\n  wanted {wanted:?}",
                found(&whole)
            ));
        }
        let cut = report(base(records, &case["closed"]), text, 1);
        assert_eq!(whole.findings, cut.findings, "{text}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// req: S0-007
#[test]
fn a_name_of_very_many_says_nothing_of_any() {
    let mut kb = KnowledgeBase::new();
    for i in 0..40 {
        let mut record = Record::named("Anna Berg").fact("department", Value::Text("Sales".into()));
        record.entity.key = format!("a{i}");
        kb.upsert(record).expect("valid");
    }
    assert_eq!(found(&report(kb, "Anna Berg works in Marketing.", 99)), []);
}

// req: S0-007
#[test]
fn an_attribute_of_very_many_values_contradicts_nothing() {
    let mut kb = KnowledgeBase::new();
    let mut record = Record::named("Atlas Index");
    for i in 0..400 {
        record = record.fact("product", Value::Text(format!("Part {i}")));
    }
    kb.upsert(record).expect("valid");
    kb.set_world(world(&serde_json::json!(true)));
    let text = "Atlas Index's product is Gadget.";
    assert_eq!(found(&report(kb, text, 99)), []);
}

// req: S0-006 S0-043
#[test]
fn names_in_values_are_followed_through_changes() {
    let mut builder = KbBuilder::new();
    builder
        .add(Record::named("Marie Curie").fact("spouse", Value::Text("Pierre Curie".into())))
        .expect("valid");
    builder
        .add(Record::named("Atlas").fact(
            "note",
            Value::Text("Led by Dr. Jonas Bergmann, of Oslo.".into()),
        ))
        .expect("valid");
    let mut kb = builder.build().expect("built");
    let holds = |kb: &KnowledgeBase, name: &str| kb.view().holds_name(name);
    assert!(holds(&kb, "Pierre Curie") && holds(&kb, "pierre curie") && holds(&kb, "Curie"));
    assert!(holds(&kb, "Jonas Bergmann") && holds(&kb, "Bergmann"));
    assert!(!holds(&kb, "Jonas") || !holds(&kb, "Bergmann of Oslo"));
    assert!(!holds(&kb, "Helga Brandt") && !holds(&kb, ""));
    let id = kb.view().find("Marie Curie")[0];
    kb.remove_facts(id, "spouse").expect("known");
    assert!(!holds(&kb, "Pierre Curie"));
    kb.upsert(Record::named("Eve Dahl").fact("spouse", Value::Text("Helga Brandt".into())))
        .expect("valid");
    assert!(holds(&kb, "Helga Brandt"));
}
