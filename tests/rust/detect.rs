//! Tests of `detect`.

use crate::claims::Analysed;
use groundwire_core::claims::extract;
use groundwire_core::detect::attribute_conflicts;
use groundwire_core::kb::{Date, KbBuilder, Record, Snapshot, Value};
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

fn value(json: &Json) -> Value {
    let text = |json: &Json| json.as_str().expect("text").to_owned();
    match json {
        Json::String(text) => Value::Text(text.clone()),
        Json::Object(map) => {
            let (kind, inner) = map.iter().find(|(k, _)| *k != "unit").expect("typed");
            match kind.as_str() {
                "date" => Value::Date(Date::parse(&text(inner)).expect("date")),
                "email" => Value::Email(text(inner)),
                "entity" => Value::Entity(text(inner)),
                "enum" => Value::Enum(text(inner)),
                "number" => Value::Number {
                    value: inner.as_f64().expect("number"),
                    unit: map.get("unit").map(text),
                },
                other => panic!("{other}"),
            }
        }
        other => panic!("{other}"),
    }
}

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/conflicts.json")).expect("vectors")
}

fn base() -> Snapshot {
    let mut builder = KbBuilder::new();
    for entity in vectors()["entities"].as_array().expect("entities") {
        let mut record = Record::named(entity["name"].as_str().expect("name"))
            .kind(entity["kind"].as_str().expect("kind"));
        for alias in entity["aliases"].as_array().into_iter().flatten() {
            record = record.alias(alias.as_str().expect("alias"));
        }
        for (predicate, values) in entity["facts"].as_object().expect("facts") {
            match values {
                Json::Array(all) => {
                    for one in all {
                        record = record.fact(predicate, value(one));
                    }
                }
                one => record = record.fact(predicate, value(one)),
            }
        }
        builder.add(record).expect("valid");
    }
    builder.build().expect("built").snapshot()
}

fn conflicts(text: &str, kb: &Snapshot) -> Vec<Finding> {
    let analysed = Analysed::new(text, Some(kb));
    let mut found = Vec::new();
    analysed.each(|view| {
        found.extend(extract(view).iter().filter_map(|claim| attribute_conflicts(view, claim, kb)));
    });
    found
}

// req: S0-007 S0-008 S0-062 S0-080
#[test]
fn conflicts_and_their_look_alikes() {
    let kb = base();
    let mut wrong = Vec::new();
    for case in vectors()["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let found = conflicts(text, &kb);
        let Some(expected) = case["expected"].as_str() else {
            if let Some(finding) = found.first() {
                wrong.push(format!("{text}: {} {}", finding.text, finding.expected));
            }
            continue;
        };
        let Some(finding) = found.first() else {
            let claims = Analysed::new(text, Some(&kb)).claims();
            let read: Vec<_> = claims.iter().map(|c| (&c.subject, &c.predicate, &c.object)).collect();
            wrong.push(format!("{text}: nothing found in {read:?}"));
            continue;
        };
        let kind = case["type"].as_str().unwrap_or("dialogue.wrong_attribute");
        let got = (finding.expected.as_str(), finding.text.as_str(), finding.replacement.as_deref(), &*finding.kind);
        let want = (Some(expected), case["at"].as_str().expect("at"), case["replacement"].as_str(), kind);
        let span = finding.span.expect("span");
        if got != want
            || found.len() != 1
            || finding.status != Status::Contradicted
            || text[span.start..span.end] != finding.text
        {
            wrong.push(format!("{text}:\n   got {got:?} of {}\n  want {want:?}", found.len()));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
