//! The golden vectors, which the Python tests read too.

use groundwire_core::lexicon::units;
use groundwire_core::segment::{self, SegEvent};
use groundwire_core::types::Span;
use serde_json::{Value, json};

fn actual(kind: &str, text: &str) -> Vec<Value> {
    let slice = |span: Span| &text[span.start..span.end];
    segment::collect(text)
        .into_iter()
        .filter_map(|(event, word)| match (kind, event) {
            ("sentences", SegEvent::Sentence(s)) => Some(json!([
                slice(s.span),
                format!("{:?}", s.kind),
                s.terminator
            ])),
            ("lexemes", SegEvent::Lexeme(_)) => Some(json!(word)),
            ("quantities", SegEvent::Quantity(q)) => Some(json!({
                "text": slice(q.span), "value": q.value, "kind": format!("{:?}", q.kind),
                "unit": q.unit.map(|unit| units::unit(unit).name), "approximate": q.approximate,
            })),
            ("dates", SegEvent::Date(d)) => Some(json!({
                "text": slice(d.span), "year": d.year, "month": d.month, "day": d.day,
                "weekday": d.weekday, "minutes": d.minutes,
            })),
            _ => None,
        })
        .collect()
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-12 * b.abs()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn golden_vectors_hold() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/segment.json")).expect("valid vectors");
    assert!(cases.len() >= 120, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let (kind, text) = (
            case["kind"].as_str().unwrap(),
            case["text"].as_str().unwrap(),
        );
        let actual = Value::Array(actual(kind, text));
        if !same(&actual, &case["expect"]) {
            wrong.push(format!(
                "{kind} {text:?}\n  expect {}\n  actual {actual}",
                case["expect"]
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
