//! Verbs and names that seem to speak of an attribute and do not.

use crate::qualified::hold;

// req: S0-007 S0-008 S0-019
#[test]
fn a_verb_in_another_sense_contradicts_nothing() {
    let text = include_str!("../vectors/verb_senses.json");
    hold(&serde_json::from_str(text).expect("vectors"));
}
