//! Permissions, duties and hours against a source that has them otherwise in other words, values in links and
//! behind stray marks, and their look-alikes.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::Status;
use serde_json::Value as Json;

use crate::reading::{in_pieces, passages};

// req: S0-009 S0-056 S4-021 S4-031
#[test]
fn what_a_source_has_otherwise_in_other_words() {
    let rules = include_str!("../vectors/rules_and_days.json");
    let marks = include_str!("../vectors/marks_and_links.json");
    let vectors = [rules, marks].map(|text| serde_json::from_str::<Json>(text).expect("vectors"));
    let pairs = |own: &Json| own["pairs"].as_array().expect("pairs").clone();
    let monitor = Monitor::builder().build().expect("monitor");
    let mut odd = Vec::new();
    for case in vectors.iter().flat_map(pairs) {
        let text = case["text"].as_str().expect("text");
        let given = passages(&Json::Array(vec![case["source"].clone()]));
        let found = |step| {
            let context = Context::new(&monitor, &given, &[], None);
            in_pieces(&monitor, context, text, step).findings
        };
        let whole = found(usize::MAX);
        assert_eq!(whole, found(3), "{text}");
        let contradicted = whole.iter().filter(|f| f.status == Status::Contradicted);
        let contradicted: Vec<_> = contradicted.collect();
        let right = case["right"].as_str();
        let nothing = case.get("right").is_some_and(Json::is_null);
        let fits = case["wrong"].as_bool() == Some(!contradicted.is_empty())
            && right.is_none_or(|right| {
                contradicted
                    .iter()
                    .any(|f| f.replacement.as_deref() == Some(right))
            })
            && !(nothing && contradicted.iter().any(|f| f.replacement.is_some()))
            && case["tier"]
                .as_str()
                .is_none_or(|tier| contradicted.iter().all(|f| f.tier.as_str() == tier));
        if !fits {
            odd.push(format!("{text} | {}", case["source"]));
        }
    }
    assert!(odd.is_empty(), "{odd:#?}");
}
