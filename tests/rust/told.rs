//! Whom a value is told of: of a second subject without a verb, of several at once, of a name in an
//! item of a list; and what stands in its place.

use serde_json::Value as Json;

use crate::qualified::{FACTS, findings, hold, over};

fn vectors(text: &str) -> Json {
    serde_json::from_str(text).expect("vectors")
}

/// What is put in the place of what the base contradicts, in the order of the text.
fn put_right(vectors: &Json, base: &str) {
    let monitor = over(vectors["bases"][base].as_array().expect("records"));
    for case in vectors["replaced"].as_array().expect("cases") {
        let text = case[0].as_str().expect("text");
        let found = findings(&monitor, &[], text, text.len());
        let found = found.into_iter().filter(|f| FACTS.contains(&&*f.kind));
        let found: Vec<Json> = found.map(|f| f.replacement.into()).collect();
        assert_eq!(Json::Array(found), case[1], "{text}");
    }
}

// req: S0-007 S0-062 S4-021
#[test]
fn a_verb_is_told_once_of_two() {
    let vectors = vectors(include_str!("../vectors/one_verb.json"));
    hold(&vectors);
    put_right(&vectors, "inns");
}

// req: S0-007 S4-021
#[test]
fn an_item_tells_several_things() {
    hold(&vectors(include_str!("../vectors/items_told.json")));
}

// req: S0-007 S0-062
#[test]
fn one_value_is_told_of_several() {
    let vectors = vectors(include_str!("../vectors/shared_values.json"));
    hold(&vectors);
    put_right(&vectors, "inns");
}

// req: S0-008 S0-063
#[test]
fn what_is_had_beside_what_is_not() {
    hold(&vectors(include_str!("../vectors/denied_beside.json")));
}

// req: S0-007 S4-021
#[test]
fn what_is_told_without_a_verb_of_its_own() {
    hold(&vectors(include_str!("../vectors/told_tersely.json")));
}

// req: S0-007 S0-062
#[test]
fn a_date_in_front_is_of_the_main_verb() {
    hold(&vectors(include_str!("../vectors/fronted_dates.json")));
}

// req: S0-007 S0-008
#[test]
fn what_a_second_subject_has_or_was_where_it_stands() {
    hold(&vectors(include_str!("../vectors/gapped_apart.json")));
}

// req: S0-007 S0-062 S0-063
#[test]
fn what_the_right_value_is_set_against_is_wrong() {
    hold(&vectors(include_str!("../vectors/set_against.json")));
}

// req: S0-007 S0-062
#[test]
fn what_is_told_of_ones_own_behind_whose() {
    hold(&vectors(include_str!("../vectors/whose.json")));
}

// req: S0-007 S0-062
#[test]
fn what_holds_of_a_part_or_one_day() {
    hold(&vectors(include_str!("../vectors/once_or_in_part.json")));
}

// req: S0-007 X-12
#[test]
fn what_is_put_in_has_the_style_of_what_it_replaces() {
    let vectors = vectors(include_str!("../vectors/styles.json"));
    hold(&vectors);
    put_right(&vectors, "coast");
}

// req: S0-007
#[test]
fn posts_are_told_apart() {
    let vectors = vectors(include_str!("../vectors/posts.json"));
    hold(&vectors);
    put_right(&vectors, "offices");
}

// req: S0-007 S0-008 S0-062 S0-063
#[test]
fn what_is_said_of_another_edition_place_or_part() {
    let vectors = vectors(include_str!("../vectors/said_elsewhere.json"));
    hold(&vectors);
    put_right(&vectors, "quay");
}

// req: S0-007 S0-008 S0-062
#[test]
fn what_is_said_in_another_place_of_the_sentence_or_another_form() {
    let vectors = vectors(include_str!("../vectors/said_in_form.json"));
    hold(&vectors);
    put_right(&vectors, "quay");
}

// req: S0-007
#[test]
fn what_happened_told_by_a_noun() {
    let vectors = vectors(include_str!("../vectors/events.json"));
    hold(&vectors);
    put_right(&vectors, "town");
}

// req: S0-007 S0-054
#[test]
fn dates_and_relations_of_something_else() {
    hold(&vectors(include_str!("../vectors/told_of_others.json")));
}

// req: S0-007 S0-062
#[test]
fn what_goes_with_a_thing_has_its_own_amounts() {
    let vectors = vectors(include_str!("../vectors/beside_it.json"));
    hold(&vectors);
    put_right(&vectors, "shop");
}

// req: S0-007 S0-008 S0-062 S0-063
#[test]
fn what_stands_beside_or_behind_a_name_or_a_value() {
    let vectors = vectors(include_str!("../vectors/beside_values.json"));
    hold(&vectors);
    put_right(&vectors, "coast");
}
