//! Verbs and names that seem to speak of an attribute and do not.

use groundwire_core::session::Context;
use serde_json::Value as Json;

use crate::qualified::{hold, over};
use crate::reading::in_pieces;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/verb_senses.json")).expect("vectors")
}

/// Wrong attributes that an answer to the question gives.
fn answers(base: &str, question: &str, text: &str) -> usize {
    let vectors = vectors();
    let monitor = over(vectors["bases"][base].as_array().expect("records"));
    let context = || Context::new(&monitor, &[], &[], Some(question));
    let found = in_pieces(&monitor, context(), text, text.len()).findings;
    assert_eq!(found, in_pieces(&monitor, context(), text, 1).findings);
    let wrong = |f: &&groundwire_core::types::Finding| f.kind == "dialogue.wrong_attribute";
    found.iter().filter(wrong).count()
}

// req: S0-007 S0-008 S0-019
#[test]
fn a_verb_in_another_sense_contradicts_nothing() {
    hold(&vectors());
}

// req: S0-007 S0-045
#[test]
fn a_list_without_a_lead_is_about_what_was_asked_about() {
    let asked = "What are the specs of the Petrel 5?";
    for (text, wrong) in [
        ("- Price: $810\n- Weight: 2.4 kg\n", 1),
        ("Here are the specs:\n\n- **Price:** $810\n", 1),
        ("- Price: $780\n- Weight: 2.4 kg\n", 0),
        ("The Mill Gallery is near.\n\n- Price: $810\n", 0),
        ("- Mood: $810\n", 0),
    ] {
        assert_eq!(answers("things", asked, text), wrong, "{text}");
    }
    let both = "How do the Petrel 5 and the Mill Gallery compare?";
    assert_eq!(answers("things", both, "- Price: $810\n"), 0);
}
