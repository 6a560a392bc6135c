//! Numbers that the evidence tells of a thing with a like name, of another size or of another group.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::Status;
use serde_json::Value as Json;

use crate::reading::{in_pieces, passages};

// req: S0-005 S4-020 X-12
#[test]
fn a_siblings_number_contradicts_nothing() {
    let vectors: Json =
        serde_json::from_str(include_str!("../vectors/siblings.json")).expect("vectors");
    let monitor = Monitor::builder().build().expect("monitor");
    let mut wrong = Vec::new();
    for case in vectors["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let evidence = passages(&case["evidence"]);
        let found = |step| {
            let context = Context::new(&monitor, &evidence, &[], None);
            in_pieces(&monitor, context, text, step).findings
        };
        let whole = found(usize::MAX);
        assert_eq!(whole, found(3), "{text}");
        let odd = whole.iter().any(|f| f.status == Status::Contradicted);
        if case["wrong"].as_bool() != Some(odd) {
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
