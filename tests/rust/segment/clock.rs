//! Times of day in digits and words.

use groundwire_core::segment::{Clock, clocks, told_clocks, told_hours};
use proptest::prelude::*;

fn shown(text: &str, found: &[Clock]) -> Vec<(String, u16, bool)> {
    let part = |clock: &Clock| {
        let words = text[clock.span.start..clock.span.end].to_owned();
        (words, clock.minutes, clock.half)
    };
    found.iter().map(part).collect()
}

fn one(text: &str, found: &[Clock]) -> Option<(u16, bool)> {
    match shown(text, found).as_slice() {
        [(words, minutes, half)] if words == text => Some((*minutes, *half)),
        _ => None,
    }
}

// req: S0-008
#[test]
fn times_in_words_and_digits() {
    for (text, minutes, half) in [
        ("15:00", 900, true),
        ("3 pm", 900, true),
        ("3.30 p.m.", 930, true),
        ("12 am", 0, true),
        ("noon", 720, true),
        ("12 noon", 720, true),
        ("midnight", 0, true),
        ("half past seven", 450, false),
        ("quarter past four", 255, false),
        ("a quarter to twelve", 705, false),
        ("quarter to one", 45, false),
        ("ten past noon", 730, true),
        ("seven o'clock", 420, false),
        ("eight pm", 1200, true),
        ("half past seven in the evening", 1170, true),
        ("7:15 in the evening", 1155, true),
        ("eleven at night", 1380, true),
        ("nine in the morning", 540, true),
    ] {
        assert_eq!(one(text, &clocks(text)), Some((minutes, half)), "{text}");
        assert_eq!(
            one(text, &told_clocks(text)),
            Some((minutes, half)),
            "{text}"
        );
    }
}

// req: S0-008
#[test]
fn what_only_a_text_about_a_time_means() {
    for (text, minutes, half) in [
        ("seven thirty", 450, false),
        ("eleven forty-five", 705, false),
        ("ten to four", 230, false),
        ("16.45", 1005, true),
        ("4.45", 285, false),
    ] {
        assert_eq!(clocks(text), [], "{text}");
        assert_eq!(
            one(text, &told_clocks(text)),
            Some((minutes, half)),
            "{text}"
        );
    }
    let minutes = |text: &str| -> Vec<u16> { told_hours(text).iter().map(|c| c.minutes).collect() };
    assert_eq!(minutes("nine to five"), [540, 300]);
    assert_eq!(minutes("ten to five"), [600, 300]);
    assert_eq!(minutes("9-11 am"), [540, 660]);
    assert_eq!(minutes("noon until six"), [720, 360]);
    assert_eq!(minutes("half past nine to 17:00"), [570, 1020]);
}

#[test]
fn what_is_no_time() {
    for text in [
        "two boats",
        "ten to twelve people came",
        "half of the past ten years",
        "a quarter of the town",
        "version 3.2.1",
        "12:75",
        "$4.50",
        "past ten houses",
        "room 25:99",
    ] {
        assert_eq!(clocks(text), [], "{text}");
    }
}

// req: S0-008
#[test]
fn a_time_without_its_half_can_be_either() {
    let [clock] = clocks("half past two")[..] else {
        panic!("one time");
    };
    assert!(clock.near(150, 0) && clock.near(870, 0) && clock.near(880, 15));
    assert!(!clock.near(880, 5) && !clock.near(210, 0));
    let [clock] = clocks("2:30")[..] else {
        panic!("one time");
    };
    assert!(clock.near(150, 0) && !clock.near(870, 0));
}

proptest! {
    #[test]
    fn any_text_has_its_times_in_order(text in "(half|past|to|a|quarter|noon|ten|two|thirty|am|pm|in the|morning|at night|12|3|7:30|15\\.20|-|–|'|é| |\\.|,){0,14}") {
        for found in [clocks(&text), told_clocks(&text), told_hours(&text)] {
            let mut end = 0;
            for clock in found {
                prop_assert!(clock.span.start >= end && clock.span.end <= text.len());
                prop_assert!(text.is_char_boundary(clock.span.start));
                prop_assert!(text.is_char_boundary(clock.span.end));
                prop_assert!(clock.minutes <= 1440 + 59);
                prop_assert!(clock.half || clock.minutes < 720);
                end = clock.span.end;
            }
        }
    }
}
