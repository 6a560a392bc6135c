//! Tests of tables whose values stand together a row at a time.

use std::sync::Arc;

use groundwire_core::error::Category;
use groundwire_core::kb::{Rows, Slot};
use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Entry, Push, Session};
use groundwire_core::types::{Finding, Tier};
use proptest::prelude::*;

fn strings(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn restaurants() -> Rows {
    let columns = strings(&["name", "food", "area", "price", "distance"]);
    let rows = [
        strings(&["Golden Dragon", "Chinese", "north", "expensive", "2 miles"]),
        strings(&["Curry Garden", "Indian", "centre", "cheap", "4_miles"]),
        strings(&["Jing Jing", "Chinese", "south", "cheap", "6 miles"]),
        strings(&["Pasta Bar", "Italian", "north", "-", ""]),
    ];
    Rows::new(columns, &rows).expect("valid")
}

fn session(history: &[(&str, &str)], question: Option<&str>) -> Session {
    let monitor = Monitor::builder().build().unwrap();
    let history: Vec<(String, String)> = history
        .iter()
        .map(|(role, text)| ((*role).to_owned(), (*text).to_owned()))
        .collect();
    let context = Context::new(&monitor, &[], &history, question);
    Session::new(&monitor, context.with_rows(Arc::new(restaurants())))
}

fn found(session: &Session) -> Vec<Finding> {
    session
        .log_since(0)
        .filter_map(|entry| match entry {
            Entry::Finding { finding, .. } if finding.rule.starts_with("row") => {
                Some((**finding).clone())
            }
            _ => None,
        })
        .collect()
}

fn judged(text: &str, history: &[(&str, &str)], question: Option<&str>) -> Vec<Finding> {
    let mut session = session(history, question);
    session.push_text(text, Push::default()).unwrap();
    session.finish().unwrap();
    found(&session)
}

fn rules(found: &[Finding]) -> Vec<&str> {
    found.iter().map(|finding| &*finding.rule).collect()
}

#[test]
fn cells_are_found_as_words_and_forms() {
    let rows = restaurants();
    let text = "The GOLDEN dragon is 2_miles away, not 9 miles; see p_f_changs.";
    let slots = rows.read(text);
    let read: Vec<(&str, bool)> = slots
        .iter()
        .map(|slot| (&text[slot.span.start..slot.span.end], slot.value.is_some()))
        .collect();
    assert_eq!(
        read,
        [
            ("GOLDEN dragon", true),
            ("2_miles", true),
            ("9 miles", false),
            ("p_f_changs", false)
        ]
    );
    let all: Vec<&Slot> = slots.iter().filter(|slot| slot.value.is_some()).collect();
    assert_eq!(rows.together(&all), [0]);
    assert!(rows.is_key(&slots[0]) && !rows.is_key(&rows.read("Chinese")[0]));
}

#[test]
fn what_is_no_table_is_refused() {
    let uneven = Rows::new(strings(&["a", "b"]), &[strings(&["1"])]).unwrap_err();
    assert_eq!(uneven.category(), Category::Argument);
    assert!(uneven.to_string().contains("row 0"), "{uneven}");
    assert!(Rows::new(strings(&["a", "a"]), &[]).is_err());
    assert!(Rows::new(strings(&[" "]), &[]).is_err());
}

// req: S0-008
#[test]
fn values_of_different_rows_are_a_conflict() {
    let text = "The Golden Dragon serves Chinese food in the north at a cheap price.";
    let found = judged(text, &[], None);
    let [finding] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(finding.kind, "dialogue.contradicts_fact");
    assert_eq!(finding.rule, "row");
    let span = finding.span.unwrap();
    // The row is named, so that its own value takes the wrong one's place.
    assert_eq!(
        &text[span.start..span.end],
        "Golden Dragon serves Chinese food in the north at a cheap"
    );
    assert_eq!(
        finding.replacement.as_deref(),
        Some("Golden Dragon serves Chinese food in the north at an expensive")
    );
    assert!(finding.evidence[0].text.contains("price: expensive"));
    for right in [
        "The Golden Dragon serves Chinese food in the north at an expensive price.",
        "Jing Jing is cheap and Golden Dragon is expensive.",
        "The Golden Dragon is not cheap.",
        "Enjoy your meal!",
        "There is Chinese food in the north and in the south.",
    ] {
        assert_eq!(judged(right, &[], None), [], "{right}");
    }
}

// req: S0-008
#[test]
fn values_that_no_row_has_and_rows_spoken_of() {
    let found = judged("It is 9 miles away.", &[], None);
    assert_eq!(rules(&found), ["row_value"]);
    assert_eq!(found[0].extra["absence"], true);
    let spoken = [
        ("assistant", "I can offer Jing Jing."),
        ("user", "How far is it?"),
    ];
    let rules_of = |text| rules(&judged(text, &spoken, None)).join(" ");
    assert_eq!(rules_of("It is expensive."), "row_of_topic");
    assert_eq!(rules_of("It is cheap."), "");
    assert_eq!(rules_of("It is 6 miles away."), "");
}

// req: S0-008
#[test]
fn a_row_is_given_a_value_that_none_has() {
    for (text, value) in [
        ("The price of Golden Dragon is moderate.", "moderate"),
        ("The food of the Curry Garden is Mexican.", "Mexican"),
        ("Jing Jing's area is Downtown.", ""),
        ("The price of Jing Jing is high.", "high"),
    ] {
        let found = judged(text, &[], None);
        if value.is_empty() {
            // A name is no word of the kind that the column has.
            assert_eq!(found, [], "{text}");
            continue;
        }
        assert_eq!(rules(&found), ["row_value"], "{text}");
        assert_eq!(found[0].text, value);
        assert_eq!(found[0].extra["absence"], true);
    }
    for text in [
        "The price of Golden Dragon is expensive.",
        "The price of Golden Dragon is not moderate.",
        "The price of Golden Dragon is a secret.",
        "It is not true that the price of Golden Dragon is moderate.",
        "The food of Pasta Bar is Italian.",
        "The price of Pasta Bar is moderate.",
        "The owner of Golden Dragon is Ann Lee.",
        "The price of Blue Lagoon is moderate.",
    ] {
        assert_eq!(judged(text, &[], None), [], "{text}");
    }
}

// req: S0-009 S0-048
#[test]
fn what_turns_said_of_a_column() {
    let spoken = [
        ("user", "Where can I eat?"),
        ("assistant", "Jing Jing is 6 miles away."),
    ];
    let asked = Some("Is that Chinese?");
    let found = judged("It is 4 miles away.", &spoken, asked);
    assert!(rules(&found).contains(&"row_prior"), "{found:?}");
    let prior = found.iter().find(|f| f.rule == "row_prior").unwrap();
    assert_eq!(prior.kind, "dialogue.contradicts_prior");
    assert_eq!(
        prior.evidence[0].text,
        "Earlier: 'Jing Jing is 6 miles away.' (Turn 2)"
    );
    let found = judged("Curry Garden is Indian.", &spoken, asked);
    assert_eq!(rules(&found), ["row_prior", "row_topic", "row_question"]);
    // Another place is what was asked for.
    let found = judged(
        "Curry Garden is Indian.",
        &spoken,
        Some("Is there another one?"),
    );
    assert!(!rules(&found).contains(&"row_topic"), "{found:?}");
}

// req: S0-009 S0-048
#[test]
fn only_a_wish_that_the_row_lacks_is_held_against_it() {
    let tier = |history: &[(&str, &str)], text: &str| {
        let (last, earlier) = history.split_last().expect("a turn");
        let as_question = judged(text, earlier, Some(last.1));
        let as_turn = judged(text, history, None);
        let tiers = as_question.iter().chain(&as_turn).map(|f| f.tier);
        tiers.max().unwrap_or(Tier::None)
    };
    let far = ("assistant", "Jing Jing is 6 miles away.");
    for (history, text) in [
        (
            vec![("user", "I want to eat within 6 miles.")],
            "Curry Garden is 4 miles away.",
        ),
        (
            vec![("user", "My limit is 6 miles.")],
            "Curry Garden is 4 miles away.",
        ),
        (
            vec![("user", "Is Golden Dragon cheap?")],
            "No, Golden Dragon is expensive.",
        ),
        (
            vec![("user", "Is Golden Dragon cheap?")],
            "Golden Dragon is expensive.",
        ),
        (
            vec![("user", "Can you find me something cheap?")],
            "Golden Dragon is expensive.",
        ),
        (
            vec![("user", "I don't like Chinese food.")],
            "Curry Garden serves Indian food.",
        ),
        (
            vec![("user", "I like Chinese food.")],
            "None is left, but Curry Garden is Indian.",
        ),
        (
            vec![far, ("user", "And Golden Dragon?")],
            "Golden Dragon is 2 miles away.",
        ),
        (
            vec![far, ("user", "Anything else?")],
            "Curry Garden is 4 miles away.",
        ),
        (
            vec![
                ("user", "I like Chinese food."),
                ("user", "What about Curry Garden?"),
            ],
            "Curry Garden is Indian.",
        ),
        (
            vec![
                ("user", "I like Chinese food."),
                ("user", "No, I want Indian food."),
            ],
            "Curry Garden is Indian.",
        ),
    ] {
        assert!(tier(&history, text) <= Tier::Low, "{history:?} {text}");
    }
    for (wish, text) in [
        ("I want something cheap.", "Golden Dragon is expensive."),
        ("I am looking for Chinese food.", "Curry Garden is Indian."),
        (
            "It is for four. I need a place in the north.",
            "Jing Jing is in the south.",
        ),
    ] {
        assert!(
            tier(&[("user", wish)], text) >= Tier::Medium,
            "{wish} {text}"
        );
        let going_on = [
            ("user", wish),
            ("assistant", "Sure."),
            ("user", "For today, please."),
        ];
        assert!(tier(&going_on, text) >= Tier::Medium, "{wish} {text}");
    }
}

fn table(columns: &[&str], cells: &[&[&str]]) -> Rows {
    let rows: Vec<Vec<String>> = cells.iter().map(|row| strings(row)).collect();
    Rows::new(strings(columns), &rows).expect("valid")
}

fn staff() -> Rows {
    table(
        &["name", "department", "city", "role"],
        &[
            &["Ida Holm", "Sales", "Leeds", "manager"],
            &["Tom Reyes", "Finance", "York", "analyst"],
            &["Cy Moss", "Sales", "York", "clerk"],
        ],
    )
}

fn hotels() -> Rows {
    table(
        &["name", "stars", "rating", "rooms", "price", "area"],
        &[
            &["Hotel Royal", "5", "4.8", "90", "120", "west"],
            &["Inn Blue", "3", "4.1", "20", "60", "east"],
            &["Casa Roja", "4", "4.4", "35", "80", "north"],
        ],
    )
}

fn trains() -> Rows {
    table(
        &["train", "departs", "arrives", "to"],
        &[
            &["TR101", "08:00", "09:30", "York"],
            &["TR102", "10:00", "11:45", "Leeds"],
        ],
    )
}

/// What is put right, of the findings of rule `row`.
fn put_right(rows: Rows, text: &str) -> Vec<Option<String>> {
    let monitor = Monitor::builder().build().unwrap();
    let context = Context::new(&monitor, &[], &[], None);
    let mut session = Session::new(&monitor, context.with_rows(Arc::new(rows)));
    session.push_text(text, Push::default()).unwrap();
    session.finish().unwrap();
    let found = found(&session).into_iter();
    let of_row = found.filter(|finding| finding.rule == "row");
    of_row.map(|finding| finding.replacement).collect()
}

// req: S0-008
#[test]
fn a_value_is_of_the_row_only_where_the_sentence_says_it_of_the_row() {
    for text in [
        "Tom Reyes visited Leeds in 2020.",
        "Cy Moss sent the report to Finance.",
        "Tom Reyes's manager is Dana Fox.",
        "Ida Holm hired a new clerk.",
        "Ida Holm has a clerk.",
        "Tom Reyes was born in Leeds.",
        "Ida Holm started as a clerk in 2010.",
        "Tom Reyes is in Leeds this week.",
        "In Leeds, Tom Reyes met a client.",
        "Ida Holm works closely with Finance.",
        "Ida Holm works with the analyst.",
        "Ida Holm and the clerk went home.",
        "The manager of Cy Moss is Ida Holm.",
        "The department of Ida Holm is in York.",
        "Ida Holm's department is in York.",
        "Dana Fox hired Tom Reyes and Ida Holm in York.",
        "Nobody believes that Ida Holm is a clerk.",
        "If Ida Holm were a clerk, she would say so.",
        "Dinner with Ida Holm is in York.",
        "Cy Moss is a Leeds fan.",
        "Tom Reyes is from Leeds.",
        "Ida Holm: Sales, Leeds, manager.",
        "The analyst is Tom Reyes.",
    ] {
        assert_eq!(put_right(staff(), text), [], "{text}");
    }
    for (text, right) in [
        ("Ida Holm works in Finance.", "Ida Holm works in Sales"),
        ("Tom Reyes is a manager.", "Tom Reyes is an analyst"),
        ("Cy Moss is based in Leeds.", "Cy Moss is based in York"),
        ("Tom Reyes's city is Leeds.", "Tom Reyes's city is York"),
        (
            "Ida Holm (Finance) is a manager.",
            "Ida Holm (Sales) is a manager",
        ),
        ("Ida Holm: Finance.", "Ida Holm: Sales"),
    ] {
        assert_eq!(put_right(staff(), text), [Some(right.to_owned())], "{text}");
    }
}

// req: S0-008
#[test]
fn what_is_denied_doubted_or_over_is_no_value_of_the_row() {
    for text in [
        "Golden Dragon is far from cheap.",
        "I doubt that Golden Dragon is cheap.",
        "Neither Golden Dragon nor Pasta Bar is cheap.",
        "It is a myth that Golden Dragon is cheap.",
        "Golden Dragon is hardly cheap.",
        "Golden Dragon is anything but cheap.",
        "Golden Dragon used to be cheap.",
        "Golden Dragon was cheap in 2010.",
        "If you're looking for cheap food, skip Golden Dragon.",
        "Jing Jing is north of the river.",
        "Jing Jing is near the north gate.",
        "Jing Jing is on North Street.",
        "Some say Golden Dragon is cheap.",
        "Golden Dragon may become cheap.",
        "Golden Dragon is rarely cheap.",
        "A cheap bus takes you to Golden Dragon.",
        "People from the north love Jing Jing.",
    ] {
        assert_eq!(put_right(restaurants(), text), [], "{text}");
    }
    for text in [
        "The next train after TR101 leaves at 10:00.",
        "Before TR102 there is a train at 08:00.",
        "TR101 passes Leeds at 09:00.",
        "TR101 waits for TR102 until 10:00.",
        "TR101 leaves at 08:00 and TR102 leaves at 10:00.",
    ] {
        assert_eq!(put_right(trains(), text), [], "{text}");
    }
    let right = Some("TR101 leaves at 08:00".to_owned());
    assert_eq!(put_right(trains(), "TR101 leaves at 10:00."), [right]);
}

// req: S0-008
#[test]
fn a_number_is_read_whole_and_of_the_column_that_it_counts() {
    for text in [
        "Hotel Royal has a rating of 4.9.",
        "Casa Roja has a rating of 5.4.",
        "Inn Blue has 1.5 stars.",
        "Hotel Royal has a rating of 4.8.",
        "A room in Hotel Royal with parking nearby costs £20 extra.",
        "Hotel Royal is 20 minutes from the station.",
        "Hotel Royal has 3 bars.",
        "Parking at Inn Blue costs £4 a day.",
        "Inn Blue was renovated 4 years ago.",
        "Hotel Royal costs £120.",
        "Hotel Royal has 90 rooms, 20 of them with a view.",
    ] {
        assert_eq!(put_right(hotels(), text), [], "{text}");
    }
    for (text, right) in [
        ("Hotel Royal has 20 rooms.", "Hotel Royal has 90"),
        (
            "Hotel Royal has a rating of 4.4.",
            "Hotel Royal has a rating of 4.8",
        ),
        ("Casa Roja has 3 stars.", "Casa Roja has 4"),
        ("Hotel Royal costs £60.", "Hotel Royal costs £120"),
    ] {
        assert_eq!(
            put_right(hotels(), text),
            [Some(right.to_owned())],
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Rows put in and taken out leave what a table built of the rest has.
    #[test]
    fn changed_is_as_built(
        rows in prop::collection::vec(prop::collection::vec("[ab]{0,2}|[12] m", 3), 0..12),
        gone in prop::collection::vec(0_u32..12, 0..12),
    ) {
        let columns = strings(&["x", "y", "z"]);
        let mut changed = Rows::new(columns.clone(), &rows).expect("valid");
        let mut kept = rows.clone();
        let mut left: Vec<u32> = (0..rows.len() as u32).collect();
        for row in gone {
            let there = left.iter().position(|own| *own == row);
            prop_assert_eq!(changed.remove(row), there.is_some());
            if let Some(at) = there {
                left.remove(at);
                kept.remove(at);
            }
        }
        let built = Rows::new(columns, &kept).expect("valid");
        prop_assert_eq!(changed.len(), built.len());
        prop_assert_eq!(changed.numbers().collect::<Vec<_>>(), left.clone());
        for text in ["a", "b", "ab aa", "bb", "1 m", "2 m 1 m", "7 m", "a_b"] {
            let (one, other) = (changed.read(text), built.read(text));
            prop_assert_eq!(one.len(), other.len(), "{}", text);
            for (a, b) in one.iter().zip(&other) {
                let mut columns = (a.columns.clone(), b.columns.clone());
                columns.0.sort_unstable();
                columns.1.sort_unstable();
                prop_assert_eq!(&columns.0, &columns.1);
                prop_assert_eq!((a.span, a.value.is_some()), (b.span, b.value.is_some()));
                prop_assert_eq!(changed.is_key(a), built.is_key(b));
                let of = changed.rows_of(a).iter();
                let of: Vec<u32> = of
                    .map(|row| left.iter().position(|own| own == row).expect("left") as u32)
                    .collect();
                prop_assert_eq!(&of, built.rows_of(b));
            }
        }
    }

    #[test]
    fn cuts_do_not_matter(cuts in prop::collection::vec(1_usize..9, 1..40), back in 0_usize..3) {
        let text = "Golden Dragon is cheap. Jing Jing is 6 miles away. It has 9 miles. Curry \
            Garden serves Chinese food, 4 miles away.";
        let spoken = [("assistant", "Try Jing Jing."), ("user", "And how far is it?")];
        let whole = judged(text, &spoken, None);
        prop_assert!(whole.len() > 3);
        let mut session = session(&spoken, None);
        let (mut at, mut next) = (0, 0);
        while at < text.len() {
            let end = (at + cuts[next % cuts.len()]).min(text.len());
            session.push_text(&text[at..end], Push::default()).unwrap();
            if next % 7 == back {
                session.rollback(1).unwrap();
                session.push_text(&text[at..end], Push::default()).unwrap();
            }
            (at, next) = (end, next + 1);
        }
        session.finish().unwrap();
        prop_assert_eq!(found(&session), whole);
    }
}
