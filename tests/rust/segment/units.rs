//! The table of units.

use groundwire_core::lexicon::units::{by_name, comparable, convert, get, number_word, unit};
use groundwire_core::segment;
use groundwire_core::types::UnitId;

fn id(name: &str) -> UnitId {
    by_name(name).unwrap_or_else(|| panic!("no unit {name}"))
}

#[test]
fn amounts_convert_within_a_dimension() {
    for (value, from, to, expected) in [
        (5.0, "kilometre", "metre", 5000.0),
        (1.0, "mile", "kilometre", 1.609344),
        (100.0, "degree Celsius", "degree Fahrenheit", 212.0),
        (32.0, "degree Fahrenheit", "kelvin", 273.15),
        (2.0, "hour", "minute", 120.0),
        (3.0, "decade", "year", 30.0),
        (1.0, "gigabyte", "megabit", 8000.0),
        (50.0, "cent", "USD", 0.5),
        (36.0, "kilometre per hour", "metre per second", 10.0),
        (1.0, "kilowatt hour", "megajoule", 3.6),
        (1.0, "square mile", "acre", 640.0),
        (1.0, "gallon", "quart", 4.0),
    ] {
        let actual = convert(value, id(from), id(to)).expect("comparable");
        assert!(
            (actual - expected).abs() < 1e-6 * expected,
            "{value} {from} = {actual} {to}"
        );
    }
}

#[test]
fn amounts_of_different_dimensions_do_not_convert() {
    for (a, b) in [
        ("USD", "EUR"),
        ("metre", "kilogram"),
        ("day", "month"),
        ("hertz", "metre"),
    ] {
        assert!(!comparable(id(a), id(b)));
        assert_eq!(convert(1.0, id(a), id(b)), None);
    }
}

#[test]
fn conversion_goes_back() {
    let units: Vec<UnitId> = (0..)
        .map(UnitId)
        .take_while(|&id| get(id).is_some())
        .collect();
    assert!(units.len() > 150);
    for &a in &units {
        assert!(unit(a).factor > 0.0, "{:?}", unit(a));
        assert_eq!(
            by_name(unit(a).name),
            Some(a),
            "{:?} is there twice",
            unit(a)
        );
        for &b in units.iter().filter(|&&b| comparable(a, b)) {
            let there = convert(7.0, a, b).expect("comparable");
            let back = convert(there, b, a).expect("comparable");
            assert!(
                (back - 7.0).abs() < 1e-6,
                "{:?} {:?} {back}",
                unit(a),
                unit(b)
            );
        }
    }
    assert_eq!(get(UnitId(u16::MAX)), None);
    assert_eq!(convert(1.0, UnitId(u16::MAX), units[0]), None);
}

#[test]
fn case_counts_for_symbols_only() {
    assert_ne!(number_word("Mb").atom, number_word("MB").atom);
    assert_eq!(
        number_word("Kilometres").atom,
        number_word("kilometres").atom
    );
    assert_eq!(number_word("w").atom, 0);
    assert_eq!(number_word(""), number_word("unheard-of"));
}

#[test]
fn the_same_amount_is_the_same_however_written() {
    for text in [
        "$5M",
        "$5 million",
        "5 million dollars",
        "5,000,000 USD",
        "five million dollars",
    ] {
        let found = segment::quantities(text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            (found[0].value, found[0].unit),
            (5e6, by_name("USD")),
            "{text}"
        );
    }
}
