//! The index: exact look-up, saving, damage.

use std::sync::Arc;

use groundwire_core::entities::{EntityIndex, EntityIndexBuilder, Names, name_forms};
use groundwire_core::error::Category;
use groundwire_core::types::Resolution;
use proptest::prelude::*;

use super::mentions;

fn index(names: &[(&str, u32)]) -> EntityIndex {
    let mut builder = EntityIndexBuilder::new();
    for (name, entity) in names {
        builder.add(name, *entity);
    }
    builder.build()
}

#[test]
fn looks_up_exact_normalised_and_fuzzy() {
    let index = index(&[
        ("The Acme Museum", 1),
        ("Zoë Müller-Lüdenscheidt", 2),
        ("Acme Inc.", 3),
        ("Dr. Sarah Chen", 4),
        ("Smith", 5),
        ("Smith", 6),
        ("J. K. Rowling", 8),
        ("…", 9),
    ]);
    let known = |ids: &[u32]| Resolution::Known(ids.to_vec());
    assert_eq!(index.lookup("The Acme Museum"), known(&[1]));
    assert_eq!(index.lookup("acme museum's"), known(&[1]));
    assert_eq!(index.lookup("ZOE MULLER LUDENSCHEIDT"), known(&[2]));
    assert_eq!(index.lookup("Acme"), known(&[3]));
    assert_eq!(index.lookup("Sarah Chen"), known(&[4]));
    assert_eq!(index.lookup("smith"), known(&[5, 6]));
    assert_eq!(index.lookup("JK Rowling"), known(&[8]));
    assert_eq!(
        index.lookup("Acme Musuem"),
        Resolution::NearMiss(vec![(1, 1)])
    );
    assert_eq!(
        index.lookup("Sarha Chan"),
        Resolution::NearMiss(vec![(4, 2)])
    );
    assert_eq!(index.lookup("Globex"), Resolution::Unknown);
    assert_eq!(index.lookup(""), Resolution::Unknown);
    assert_eq!(index.lookup("…"), Resolution::Unknown);
}

#[test]
fn an_empty_index_works() {
    let empty = EntityIndexBuilder::new().build();
    assert!(empty.is_empty());
    assert_eq!(empty.lookup("Acme"), Resolution::Unknown);
    let again = EntityIndex::from_bytes(Arc::new(empty.to_bytes())).expect("a saved index loads");
    assert_eq!(again.len(), 0);
}

#[test]
fn overlay_adds_removes_and_restores() {
    let base = index(&[("Acme", 1), ("Globex", 2)]);
    let names = Names::new(Some(base));
    let more = names
        .with_added(&[("Initech", 3), ("Acme", 4)])
        .with_removed(&[2]);
    assert_eq!(more.lookup("Initech"), Resolution::Known(vec![3]));
    assert_eq!(more.lookup("Acme"), Resolution::Known(vec![1, 4]));
    assert_eq!(more.lookup("Globex"), Resolution::Unknown);
    assert_eq!(more.lookup("Globx"), Resolution::Unknown);
    let back = more.with_added(&[("Globex", 2)]).with_removed(&[4]);
    assert_eq!(back.lookup("Globex"), Resolution::Known(vec![2]));
    assert_eq!(back.lookup("Acme"), Resolution::Known(vec![1]));
    assert_eq!(
        names.lookup("Globex"),
        Resolution::Known(vec![2]),
        "a snapshot never changes"
    );
}

#[test]
fn refuses_what_is_no_index() {
    let good = index(&[("Acme", 1)]).to_bytes();
    let mut other_version = good.clone();
    other_version[8] = 99;
    let mut damaged_table = good.clone();
    damaged_table[30] ^= 1;
    for bad in [
        Vec::new(),
        b"GWNAMES\0".to_vec(),
        good[..good.len() - 8].to_vec(),
        other_version,
        damaged_table,
    ] {
        let error = EntityIndex::from_bytes(Arc::new(bad)).expect_err("must be refused");
        assert_eq!(error.category(), Category::Format);
    }
}

fn name() -> impl Strategy<Value = String> {
    "[A-Z][a-z]{0,6}( [A-Z][a-z]{1,6}){0,3}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn saved_and_loaded_is_the_same(names in prop::collection::vec((name(), 0_u32..50), 0..40)) {
        let pairs: Vec<(&str, u32)> = names.iter().map(|(n, e)| (n.as_str(), *e)).collect();
        let built = index(&pairs);
        let loaded = EntityIndex::from_bytes(Arc::new(built.to_bytes())).expect("loads");
        prop_assert_eq!(loaded.to_bytes(), built.to_bytes());
        prop_assert_eq!(loaded.len(), built.len());
        for (name, _) in &names {
            let mut expected: Vec<u32> = Vec::new();
            for (other, entity) in &names {
                if name_forms(other).contains(&name_forms(name)[0]) {
                    expected.push(*entity);
                }
            }
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(loaded.lookup(name), Resolution::Known(expected));
        }
    }

    #[test]
    fn the_order_of_adding_never_matters(names in prop::collection::vec((name(), 0_u32..50), 0..20)) {
        let pairs: Vec<(&str, u32)> = names.iter().map(|(n, e)| (n.as_str(), *e)).collect();
        let mut backwards = pairs.clone();
        backwards.reverse();
        prop_assert_eq!(index(&pairs).to_bytes(), index(&backwards).to_bytes());
    }

    #[test]
    fn any_flipped_byte_is_refused(
        names in prop::collection::vec((name(), 0_u32..50), 0..20),
        at in any::<prop::sample::Index>(),
        flip in 1_u8..,
    ) {
        let pairs: Vec<(&str, u32)> = names.iter().map(|(n, e)| (n.as_str(), *e)).collect();
        let mut bytes = index(&pairs).to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        let error = EntityIndex::from_bytes(Arc::new(bytes)).expect_err("must be refused");
        prop_assert_eq!(error.category(), Category::Format);
    }

    #[test]
    fn a_damaged_buffer_never_panics(
        names in prop::collection::vec((name(), 0_u32..50), 1..20),
        hits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let pairs: Vec<(&str, u32)> = names.iter().map(|(n, e)| (n.as_str(), *e)).collect();
        let mut bytes = index(&pairs).to_bytes();
        // Behind the header, so that the index is accepted and read.
        let header = 408;
        for (at, value) in &hits {
            let at = header + at.index(bytes.len() - header);
            bytes[at] = *value;
        }
        let damaged = EntityIndex::from_bytes_unverified(Arc::new(bytes)).expect("trusted");
        let layered = Names::new(Some(damaged.clone()));
        for (name, _) in &names {
            let _ = damaged.lookup(name);
            let _ = damaged.lookup(&format!("{name}x"));
            let _ = mentions(&layered, &format!("We met {name} and {name} Jr."));
        }
    }
}
