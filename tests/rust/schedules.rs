//! Days of the week on which something is open, against evidence and a knowledge base.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::Monitor;
use groundwire_core::profile::Profile;
use groundwire_core::segment::week::{Days, Week, Weeks, week, weeks};
use groundwire_core::session::{Context, Report};
use groundwire_core::types::{Finding, Status};
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces, passages, texts};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/schedules.json")).expect("vectors")
}

fn read(case: &Json, text: &str, step: usize) -> Report {
    let mut builder = Monitor::builder().profiles(vec![Profile::dialogue(), Profile::stream()]);
    if let Some(records) = case["kb"].as_array() {
        let base = base_of(records).build().expect("built");
        builder = builder.kb(Arc::new(RwLock::new(base)));
    }
    let monitor = builder.build().expect("monitor");
    let evidence = passages(&case["evidence"]);
    in_pieces(
        &monitor,
        Context::new(&monitor, &evidence, &[], None),
        text,
        step,
    )
}

fn shown(found: &[Finding]) -> Vec<String> {
    let show = |f: &Finding| format!("{} {} {:?} {:?}", f.kind, f.rule, f.text, f.replacement);
    found.iter().map(show).collect()
}

// req: S0-008 S4-020
#[test]
fn days_that_sources_have_otherwise_and_days_they_have() {
    let mut wrong = Vec::new();
    for case in vectors()["cases"].as_array().expect("cases") {
        let kind = if case["kb"].is_array() {
            "dialogue.contradicts_fact"
        } else {
            "stream.contradicts_evidence"
        };
        let pairs = case["wrong"].as_array().expect("pairs");
        let wrongs = pairs.iter().map(|pair| pair[0].as_str().expect("text"));
        let all = wrongs
            .chain(texts(&case["right"]))
            .chain(texts(&case["silent"]));
        for text in all {
            let whole = read(case, text, usize::MAX);
            for step in [1, 7] {
                if read(case, text, step).findings != whole.findings {
                    wrong.push(format!("cuts of {step} matter: {text:?}"));
                }
            }
        }
        for pair in pairs {
            let text = pair[0].as_str().expect("text");
            let report = read(case, text, usize::MAX);
            let own: Vec<&Finding> = (report.findings.iter())
                .filter(|f| f.status == Status::Contradicted)
                .collect();
            let fits = matches!(own.as_slice(), [one] if one.kind == kind && one.rule == "schedule"
                && one.replacement.as_deref() == pair[1].as_str() && !one.evidence.is_empty());
            let supported = report
                .claim_status
                .values()
                .any(|s| *s == Status::Supported);
            if !fits || supported {
                wrong.push(format!("wrong {text:?}: {:?}", shown(&report.findings)));
            }
        }
        for text in texts(&case["right"]) {
            let report = read(case, text, usize::MAX);
            let supported = report
                .claim_status
                .values()
                .all(|s| *s == Status::Supported);
            if !report.findings.is_empty() || !supported {
                let standing = &report.claim_status;
                wrong.push(format!(
                    "right {text:?}: {:?} {standing:?}",
                    shown(&report.findings)
                ));
            }
        }
        for text in texts(&case["silent"]) {
            let found = read(case, text, usize::MAX).findings;
            if found.iter().any(|f| f.rule == "schedule") {
                wrong.push(format!("silent {text:?}: {:?}", shown(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const NAMES: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// "a, b and c".
fn joined(parts: &[String]) -> String {
    match parts {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

/// The stretches of a set of days, each as first and last; day by day, round the week.
fn stretches(open: [bool; 7]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for first in 0..7 {
        if open[first] && !open[(first + 6) % 7] {
            let mut last = first;
            while open[(last + 1) % 7] {
                last = (last + 1) % 7;
            }
            out.push((first, last));
        }
    }
    out
}

/// A schedule in words, in one of several styles.
fn written(open: [bool; 7], style: usize, joint: &str) -> String {
    let chosen = |state: bool| (0..7).filter(move |day| open[*day] == state);
    let plural = |day: usize| format!("{}s", NAMES[day]);
    let plurals = |state: bool| joined(&chosen(state).map(plural).collect::<Vec<_>>());
    let some = open.contains(&false);
    match style {
        _ if !some => ["daily", "every day", "seven days a week", "all week"][style % 4].to_owned(),
        0 => format!("on {}", plurals(true)),
        1 | 2 => {
            let short = |day: usize| {
                if style == 1 {
                    NAMES[day]
                } else {
                    &NAMES[day][..3]
                }
            };
            let stretch = |(from, to): (usize, usize)| {
                if from == to {
                    short(from).to_owned()
                } else {
                    format!("{}{joint}{}", short(from), short(to))
                }
            };
            let parts: Vec<String> = stretches(open).into_iter().map(stretch).collect();
            joined(&parts)
        }
        3 => format!("daily except {}", plurals(false)),
        4 => format!("every day but {}", plurals(false)),
        5 => format!("only on {}", plurals(true)),
        _ => format!("on {}, closed on {}", plurals(true), plurals(false)),
    }
}

fn states(week: &Week) -> [(bool, bool); 7] {
    [0, 1, 2, 3, 4, 5, 6].map(|day| {
        (
            week.open.holds(Days::of(day)),
            week.closed.holds(Days::of(day)),
        )
    })
}

proptest! {
    // req: S4-020
    #[test]
    fn a_schedule_is_read_as_it_was_written(
        open in prop::array::uniform7(any::<bool>()),
        style in 0_usize..7,
        joint in prop::sample::select(vec![" to ", "-", " – ", "–", " through ", " till "]),
    ) {
        prop_assume!(open.contains(&true));
        let said = written(open, style, joint);
        let value = week(&said, true);
        prop_assert!(value.is_some(), "{}", said);
        for (day, (is_open, closed)) in states(&value.expect("read")).into_iter().enumerate() {
            prop_assert_eq!(is_open, open[day], "{}", said);
            prop_assert!(!(closed && open[day]), "{}", said);
        }
        let sentence = format!("The hall is open {said}.");
        let Weeks::Told(told) = weeks(&sentence) else {
            return Err(TestCaseError::fail(sentence));
        };
        prop_assert_eq!(told.len(), 1, "{}", sentence);
        for (day, (is_open, _)) in states(&told[0].week).into_iter().enumerate() {
            prop_assert_eq!(is_open, open[day], "{}", sentence);
        }
        // The same with hours, and of closed days.
        if style < 3 {
            let timed = format!("{said} 9:00-17:00");
            let read = week(&timed, true).map(|week| week.open);
            prop_assert_eq!(read, told.first().map(|told| told.week.open), "{}", timed);
            let shut = week(&said, false).map(|week| week.closed);
            prop_assert!(!open.contains(&false) || shut == read, "{}", said);
        }
    }

    // req: S4-020
    #[test]
    fn ranges_go_round_the_week(from in 0_usize..7, to in 0_usize..7) {
        let days = Days::range(from, to);
        let mut slow = [false; 7];
        let mut at = from;
        loop {
            slow[at] = true;
            if at == to {
                break;
            }
            at = if at == 6 { 0 } else { at + 1 };
        }
        for (day, held) in slow.into_iter().enumerate() {
            prop_assert_eq!(days.holds(Days::of(day)), held);
        }
        prop_assert_eq!(days.len(), slow.iter().filter(|held| **held).count());
        let whole = days == Days::ALL;
        prop_assert_eq!(days.stretch(), (from != to && !whole).then_some((from, to)));
    }
}

/// What is no schedule, or cannot be told, is read as none.
#[test]
fn what_is_no_schedule() {
    for text in [
        "Monday to Friday the office is busy",
        "9 am to 5 pm",
        "by appointment",
        "Mon-Fri 9-17, closed on holidays",
        "first Sunday of the month",
        "Monday mornings",
    ] {
        assert_eq!(week(text, true), None, "{text}");
    }
    for text in [
        "The museum is open on Monday mornings.",
        "The museum is closed daily from noon to one.",
        "The exhibition opens on Sunday.",
        "The shop closes at six on Fridays.",
        "The museum is not only open on Sundays.",
    ] {
        let read = weeks(text);
        assert!(matches!(read, Weeks::Unclear(_)), "{text}: {read:?}");
    }
    for text in [
        "The bread is fresh on Fridays.",
        "An open day is held on Sunday.",
        "Five days passed.",
    ] {
        let read = weeks(text);
        assert!(!matches!(read, Weeks::Told(_)), "{text}: {read:?}");
    }
}
