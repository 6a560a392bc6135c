//! Temporal errors and logical inconsistencies on a stream, and their look-alikes.

use groundwire_core::monitor::Monitor;
use groundwire_core::profile::Profile;
use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::{Finding, Modality, Tier};
use proptest::prelude::*;
use serde_json::Value as Json;

use super::findings;

const TEMPORAL: &str = "dialogue.temporal_error";
const LOGICAL: &str = "dialogue.logical_inconsistency";

fn golden() -> Json {
    serde_json::from_str(include_str!("../../vectors/dialogue_logic.json")).expect("vectors")
}

fn taxonomy() -> Json {
    serde_json::from_str(include_str!("../../vectors/taxonomy_logic.json")).expect("vectors")
}

fn monitor() -> Monitor {
    Monitor::builder()
        .profiles(vec![Profile::dialogue()])
        .build()
        .unwrap()
}

fn session(monitor: &Monitor, day: Option<&str>) -> Session {
    let context = Context::new(monitor, &[], &[], None);
    let context = match day {
        Some(day) => context.on_day(day).unwrap(),
        None => context,
    };
    Session::new(monitor, context)
}

fn sensed(session: &Session) -> Vec<Finding> {
    let mut found = findings(session);
    found.retain(|f| f.kind == TEMPORAL || f.kind == LOGICAL);
    found
}

fn read(monitor: &Monitor, text: &str, day: Option<&str>) -> Vec<Finding> {
    let mut session = session(monitor, day);
    session.push_text(text, Push::default()).unwrap();
    session.finish().unwrap();
    sensed(&session)
}

fn texts(list: &Json) -> impl Iterator<Item = &str> {
    list.as_array()
        .expect("list")
        .iter()
        .map(|text| text.as_str().expect("text"))
}

// req: S0-050 S0-051 S0-052 S0-053 S0-054 S0-055 S0-056 S0-057 S0-058 S0-059 S0-060 X-10
#[test]
fn golden_findings_have_the_seeds_texts() {
    let (golden, monitor) = (golden(), monitor());
    let day = golden["reference_date"].as_str();
    for case in golden["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let found = read(&monitor, text, day);
        let [finding] = found.as_slice() else {
            panic!("{text}: {found:?}");
        };
        assert_eq!(finding.kind, case["type"], "{text}");
        assert_eq!(finding.rule, case["rule"], "{text}");
        assert_eq!(Json::from(finding.p_hallucinated), case["p"], "{text}");
        assert_eq!(finding.content, case["content"], "{text}");
        assert_eq!(
            finding.suggestion.as_deref(),
            case["suggestion"].as_str(),
            "{text}"
        );
        let evidence = finding.evidence.first().map(|e| e.text.as_str());
        assert_eq!(evidence, case["evidence"].as_str(), "{text}");
        assert!(
            finding.replacement.is_none(),
            "{text}: advice is no text (X-12)"
        );
        let span = finding.span.expect("span");
        assert_eq!(&text[span.start..span.end], finding.text);
        for span in &finding.spans {
            assert!(
                text.get(span.start..span.end)
                    .is_some_and(|t| !t.is_empty())
            );
        }
    }
}

// req: S0-013 S0-011 S0-012
#[test]
fn the_taxonomys_examples_fire_and_look_alikes_are_silent() {
    let (taxonomy, monitor) = (taxonomy(), monitor());
    let day = taxonomy["reference_date"].as_str();
    for kind in [TEMPORAL, LOGICAL] {
        for text in texts(&taxonomy["examples"][kind]) {
            let found = read(&monitor, text, day);
            assert!(
                found.len() == 1 && found[0].kind == kind,
                "{text}: {found:?}"
            );
        }
        for text in texts(&taxonomy["look_alikes"][kind]) {
            let found = read(&monitor, text, day);
            assert!(found.is_empty(), "{text}: {found:?}");
        }
        let all: Vec<&str> = texts(&taxonomy["mutations"][kind]).collect();
        let hit = |text: &&&str| read(&monitor, text, day).iter().any(|f| f.kind == kind);
        let found = all.iter().filter(hit).count();
        assert!(
            found * 100 >= all.len() * 95,
            "{kind}: {found} of {}",
            all.len()
        );
        let clean: Vec<&str> = texts(&taxonomy["silent_mutations"][kind]).collect();
        let wrong = clean.iter().filter(|t| !read(&monitor, t, day).is_empty());
        let wrong = wrong.count();
        assert!(
            wrong * 100 <= clean.len() * 5,
            "{kind}: {wrong} false alarms"
        );
    }
}

// req: S0-053
#[test]
fn without_a_reference_date_nothing_counts_as_future() {
    let monitor = monitor();
    for text in [
        "The museum was founded in 2031.",
        "It happened last year in 1990.",
    ] {
        assert!(read(&monitor, text, None).is_empty(), "{text}");
    }
    // What needs no today is found all the same.
    assert_eq!(
        read(&monitor, "He led it from 2010 to 2005.", None).len(),
        1
    );
}

// req: S0-050 S0-053
#[test]
fn a_second_participle_is_as_much_to_come_as_the_first() {
    let monitor = monitor();
    let said = |verb: &str| format!("The ward {verb} renovated and expanded in 2031.");
    let day = Some("2026-01-01");
    assert!(read(&monitor, &said("will be"), day).is_empty());
    assert!(read(&monitor, &said("may be"), day).is_empty());
    assert_eq!(read(&monitor, &said("was"), day).len(), 1);
}

// req: S0-053
#[test]
fn the_days_of_the_calendar_alone_are_taken() {
    for bad in ["2025-02-30", "20250101", "tomorrow", ""] {
        assert!(Context::default().on_day(bad).is_err(), "{bad}");
    }
}

#[test]
fn questions_state_nothing() {
    let monitor = monitor();
    assert_ne!(Modality::Question, Modality::Asserted);
    for text in [
        "Was it completed before it started?",
        "Is it open? It is not open.",
    ] {
        assert!(
            read(&monitor, text, Some("2025-11-22")).is_empty(),
            "{text}"
        );
    }
}

// req: S0-055 S0-057
#[test]
fn what_somebody_asked_is_not_said() {
    let monitor = monitor();
    let answers = "It is not; it is 412 m long.";
    let asked = format!("The user asked whether the Norvale Bridge is 500 m long. {answers}");
    assert!(read(&monitor, &asked, None).is_empty());
    let said = "The Norvale Bridge is 500 m long. The Norvale Bridge is 412 m long.";
    assert!(!read(&monitor, said, None).is_empty());
}

#[test]
fn what_a_source_refutes_is_not_held_against_what_follows() {
    let monitor = super::monitor();
    let told = |text: &str| {
        let mut session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
        session.push_text(text, Push::default()).unwrap();
        session.finish().unwrap();
        findings(&session)
    };
    let right = "The Harbour Museum was founded in 1987.";
    let wrong = "The Harbour Museum was founded in 1992.";
    let found = told(&format!("{wrong} So it says. {right}"));
    assert!(!found.is_empty());
    let quiet = |f: &Finding| f.text != "1987" || f.tier <= Tier::Low;
    assert!(found.iter().all(quiet), "{found:?}");
    assert!(found.iter().all(|f| f.kind != LOGICAL), "{found:?}");
    // Of two statements that no source knows of, the later is at odds with the earlier.
    let found = told("Every door is open. Not every door is open.");
    assert!(found.iter().any(|f| f.kind == LOGICAL), "{found:?}");
}

#[test]
fn what_was_said_is_bounded() {
    let monitor = monitor();
    let mut session = session(&monitor, Some("2025-11-22"));
    let mut most = 0;
    for i in 0..2000 {
        let text = format!("The hall {i} is open. The firm {i} was founded in 1990. ");
        session.push_text(&text, Push::default()).unwrap();
        if i == 400 {
            most = session.memory().state;
        }
    }
    let now = session.memory().state;
    assert!(now <= most + most / 4, "{now} after {most}");
}

/// Sentences of the golden cases in any order, cut anywhere.
fn answers() -> impl Strategy<Value = (String, Vec<usize>)> {
    let golden = golden();
    let all: Vec<String> = golden["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| case["text"].as_str().expect("text").to_owned())
        .collect();
    let some = proptest::sample::subsequence(all, 1..8).prop_shuffle();
    (some, proptest::collection::vec(1_usize..40, 1..30))
        .prop_map(|(texts, cuts)| (texts.join(" "), cuts))
}

fn pieces<'a>(text: &'a str, cuts: &[usize]) -> Vec<&'a str> {
    let mut out = Vec::new();
    let (mut rest, mut sizes) = (text, cuts.iter().cycle());
    while !rest.is_empty() {
        let mut end = (*sizes.next().expect("cycle")).min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, more) = rest.split_at(end);
        out.push(piece);
        rest = more;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cuts_rollback_and_replay_change_nothing((text, cuts) in answers(), back in 1_u64..12) {
        let monitor = monitor();
        let day = Some("2025-11-22");
        let whole = read(&monitor, &text, day);
        let mut cut = session(&monitor, day);
        let all = pieces(&text, &cuts);
        for piece in &all {
            cut.push_text(piece, Push::default()).unwrap();
        }
        // Back, other words, back again: what was said in between is forgotten.
        let to = cut.pushes().saturating_sub(back);
        cut.push_text(" The shop is open. It is not open. ", Push::default()).unwrap();
        cut.rollback(cut.pushes() - to).unwrap();
        for piece in &all[to as usize..] {
            cut.push_text(piece, Push::default()).unwrap();
        }
        cut.finish().unwrap();
        prop_assert_eq!(&whole, &sensed(&cut));
        let events = cut.events().unwrap();
        let context = Context::new(&monitor, &[], &[], None);
        let again = Session::replay(&monitor, context, &events).unwrap();
        prop_assert_eq!(&whole, &sensed(&again));
        prop_assert_eq!(again.events().unwrap(), events);
    }
}
