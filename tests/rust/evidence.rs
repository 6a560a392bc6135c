//! Tests of `evidence`.

use std::sync::Arc;

use groundwire_core::claims::{Content, ContentWord, quantity_context};
use groundwire_core::evidence::{Context, EvidenceCache, EvidenceSet, Passage};
use groundwire_core::normal::fold_name;
use groundwire_core::segment;
use groundwire_core::types::{EvidenceKind, Quantity};
use proptest::prelude::*;

use crate::reading::{text, vocabulary};

const LEAFLET: &str = "The Frans Hals House opened in 1987. It has 14 rooms and 120 paintings. \
    The house is closed on Monday. A ticket costs 12.50 euros. The garden covers 3.2 km². \
    About 50,000 people visit it every year. Anna Keller has led the house since 2015.";

fn set(texts: &[&str]) -> EvidenceSet {
    let passages = texts
        .iter()
        .enumerate()
        .map(|(i, text)| Passage::index(&format!("p{i}"), text));
    EvidenceSet::new(passages.collect())
}

fn words(text: &str) -> Vec<ContentWord> {
    let mut content = Content::default();
    segment::words(text)
        .iter()
        .filter_map(|(lexeme, word)| content.word(lexeme, word))
        .collect()
}

fn quantity(text: &str) -> Quantity {
    segment::quantities(text)[0]
}

#[test]
fn names() {
    let set = set(&[LEAFLET]);
    for name in [
        "Frans Hals",
        "frans hals house",
        "Anna Keller",
        "Keller",
        "Hals House",
    ] {
        assert!(set.has_name(name), "{name}");
    }
    for name in ["Anna Kellerman", "Rembrandt", "Frans Halsema", "", "—"] {
        assert!(!set.has_name(name), "{name}");
    }
}

// req: S4-036
#[test]
fn quantities_as_written() {
    let set = set(&[
        LEAFLET,
        "Revenue was 5,012,345 dollars. The trail is 3218 metres long.",
    ]);
    for text in [
        "12.50 euros",
        "€12.50",
        "$5 million",
        "3.2 km",
        "1987",
        "about 5 million dollars",
        "14",
        "50000",
    ] {
        assert!(set.has_quantity(&quantity(text)), "{text}");
    }
    for text in [
        "13.50 euros",
        "$6 million",
        "3.4 km",
        "1988",
        "15",
        "5012346 dollars",
        "40%",
    ] {
        assert!(!set.has_quantity(&quantity(text)), "{text}");
    }
}

fn conflict(set: &EvidenceSet, text: &str) -> Option<String> {
    let lexemes: Vec<_> = segment::words(text)
        .iter()
        .map(|(lexeme, _)| *lexeme)
        .collect();
    let words = words(text);
    let said = quantity(text);
    let around = quantity_context(&lexemes, said.span, |span| &text[span.start..span.end]);
    set.conflicting_quantity(
        &said,
        &Context {
            words: &words,
            around,
            limited: false,
        },
    )
    .map(|c| c.text)
}

#[test]
fn other_values_of_the_same_thing() {
    let set = set(&[LEAFLET]);
    assert_eq!(
        conflict(&set, "The house has 12 rooms.").as_deref(),
        Some("14")
    );
    assert_eq!(
        conflict(&set, "The Frans Hals House opened in 1990.").as_deref(),
        Some("1987")
    );
    assert_eq!(
        conflict(&set, "A ticket costs 15 euros.").as_deref(),
        Some("12.50 euros")
    );
    // The same value, another noun, another event, another thing.
    // A denied or hedged number is read like any other.
    for silent in [
        "The house has 14 rooms.",
        "The house has 3 gardens.",
        "The house was renovated in 2010.",
        "The hotel next door has 40 rooms with balconies and sea views.",
        "About 50 thousand people visit it every year.",
        "Anna Keller has led the house since 2015.",
    ] {
        assert_eq!(conflict(&set, silent), None, "{silent}");
    }
}

#[test]
fn competing_values_decide_nothing() {
    let set = set(&["The house has 14 rooms.", "The house has 16 rooms."]);
    assert_eq!(conflict(&set, "The house has 12 rooms."), None);
    assert_eq!(conflict(&set, "The house has 16 rooms."), None);
}

#[test]
fn adding_leaves_clones_alone() {
    let mut one = set(&["Alpha."]);
    let before = one.clone();
    one.add(Passage::index("b", "Beta."));
    assert!(one.has_name("Beta") && !before.has_name("Beta"));
}

#[test]
fn the_cache_shares_and_never_changes_answers() {
    let cache = EvidenceCache::new(64);
    let a = cache.passage("a", EvidenceKind::Passage, "Alpha beta gamma.");
    let b = cache.passage("b", EvidenceKind::ToolResult, "Alpha beta gamma.");
    assert!(std::ptr::eq(a.data(), b.data()));
    assert_eq!(
        (a.id.as_str(), b.id.as_str(), b.kind),
        ("a", "b", EvidenceKind::ToolResult)
    );
    for i in 0..20 {
        let text = format!("Passage number {i} of twenty.");
        let held = cache.passage("x", EvidenceKind::Passage, &text);
        assert_eq!(held.text(), text);
        assert!(cache.len() <= 3);
    }
    let again = cache.passage("a", EvidenceKind::Passage, "Alpha beta gamma.");
    assert_eq!(again.data().sentences(), a.data().sentences());
    let huge = "word ".repeat(100);
    assert_eq!(
        cache.passage("h", EvidenceKind::Passage, &huge).text(),
        huge
    );
}

proptest! {
    #[test]
    fn names_as_by_brute_force(evidence in text(6), name in prop::collection::vec(vocabulary(), 1..4)) {
        let name = name.join(" ");
        let folded = fold_name(&evidence);
        let spaced = format!(" {folded} ");
        let wanted = fold_name(&name);
        let sequence = spaced.contains(&format!(" {wanted} "));
        let scattered = wanted.contains(' ') && wanted.split(' ').all(|w| spaced.contains(&format!(" {w} ")));
        prop_assert_eq!(set(&[&evidence]).has_name(&name), sequence || scattered);
    }

    #[test]
    fn any_text_can_be_indexed(evidence in r#"[A-Za-z0-9 .,!?'"%$€\n中é—-]{0,200}"#) {
        let passage = Passage::index("x", &evidence);
        for counted in &passage.data().quantities {
            prop_assert!(evidence.get(counted.quantity.span.start..counted.quantity.span.end).is_some());
            prop_assert!((counted.sentence as usize) < passage.data().sentences().len().max(1));
        }
        let set = EvidenceSet::new(vec![Arc::clone(&passage)]);
        for counted in &passage.data().quantities {
            prop_assert!(set.has_quantity(&counted.quantity), "{:?}", counted.quantity);
        }
    }
}
