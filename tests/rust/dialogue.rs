//! Tests of `dialogue`.

use groundwire_core::dialogue::{Dialogue, Role};
use groundwire_core::types::EvidenceKind;

// req: S0-046
#[test]
fn the_last_ten_turns_count() {
    let mut dialogue = Dialogue::default();
    for i in 0..12 {
        dialogue.add(Role::User, &format!("My number is {}.", 100 + i));
    }
    assert_eq!(dialogue.len(), 10);
    assert!(dialogue.as_evidence().has_name("111"));
    assert!(!dialogue.as_evidence().has_name("101"));
    let numbers: Vec<u32> = dialogue.turns().rev().map(|turn| turn.number).collect();
    assert_eq!(numbers, (3..=12).rev().collect::<Vec<_>>());
}

#[test]
fn tool_results_are_told_from_turns() {
    let mut dialogue = Dialogue::new(2);
    dialogue.add(Role::Tool, "42 rows");
    dialogue.add(Role::Assistant, "There are 42.");
    let kinds: Vec<EvidenceKind> = dialogue.turns().map(|turn| turn.passage.kind).collect();
    assert_eq!(kinds, [EvidenceKind::ToolResult, EvidenceKind::PriorTurn]);
    assert_eq!(Role::parse("function"), Some(Role::Tool));
    assert_eq!(Role::parse("narrator"), None);
}
