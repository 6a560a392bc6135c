//! Texts with what nobody sees in them, and with characters as HTML writes them.

use groundwire_core::monitor::Monitor;
use groundwire_core::normal::{Visible, visible};
use groundwire_core::session::{Context, Entry, Push, Report, Session};
use groundwire_core::types::Finding;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::reading::texts;
use crate::session::{ANSWER, context, monitor};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/visible.json")).expect("vectors")
}

fn pairs(key: &str) -> Vec<(String, String)> {
    let all = vectors();
    let of = |pair: &Json| {
        let at = |i: usize| pair[i].as_str().expect("text").to_owned();
        (at(0), at(1))
    };
    all[key].as_array().expect("pairs").iter().map(of).collect()
}

#[test]
fn a_text_is_read_as_it_is_seen() {
    for (sent, seen) in pairs("seen") {
        assert_eq!(visible(&sent).0, seen, "{sent:?}");
        // However it is cut.
        let (mut reader, mut out, mut seams) = (Visible::default(), String::new(), Vec::new());
        let mut pieces = [0; 4];
        for c in sent.chars() {
            reader.push(c.encode_utf8(&mut pieces), &mut out, &mut seams);
        }
        reader.finish(&mut out);
        assert_eq!(out, seen, "{sent:?} by character");
    }
    for text in texts(&vectors()["stays"]) {
        assert_eq!(visible(text).0, text);
    }
}

#[test]
fn places_of_both_texts_meet() {
    let (seen, places) = visible("Har\u{ad}bor &amp;\u{200b}\u{2060} 7&nbsp;2");
    assert_eq!(seen, "Harbor & 7\u{a0}2");
    let of = |word: &str| {
        let at = seen.find(word).expect("word");
        places.start(at)..places.end(at + word.len())
    };
    let sent = "Har\u{ad}bor &amp;\u{200b}\u{2060} 7&nbsp;2";
    assert_eq!(&sent[of("Harbor")], "Har\u{ad}bor");
    assert_eq!(&sent[of("&")], "&amp;");
    assert_eq!(&sent[of("7\u{a0}2")], "7&nbsp;2");
    assert_eq!(places.read(sent.find('7').expect("7")), 9);
    assert_eq!(places.read(sent.find("mp;").expect("inside")), 7);
    assert!(places.known(8) == sent.find("amp;").expect("amp") + 4);
}

fn read(text: &str, step: usize) -> Session {
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    let mut seen = 0;
    for piece in text.as_bytes().chunks(step) {
        session.push_bytes(piece, Push::default()).expect("push");
        for entry in session.log_since(seen) {
            if let Entry::Finding { finding, .. } = entry {
                assert!(
                    finding.decided_at <= session.text_end(),
                    "{text:?}: {finding:?}"
                );
            }
        }
        seen = session.log_end();
    }
    session.finish().expect("end");
    session
}

fn findings(session: &Session) -> Vec<Finding> {
    session.report().findings
}

/// Whether two reports are the same but for the number of pushes.
fn same(one: &Report, other: &Report) -> bool {
    let mut one = one.clone();
    one.stats.tokens = other.stats.tokens;
    one == *other
}

/// What a finding says, wherever it stands.
fn said(finding: &Finding) -> (String, String, String, Option<String>) {
    let of = |text: &str| visible(text).0.replace('\u{a0}', " ");
    (
        finding.kind.clone(),
        finding.rule.clone(),
        of(&finding.text),
        finding.replacement.clone(),
    )
}

#[test]
fn what_is_wrong_is_found_whatever_stands_in_it() {
    // req: S0-007 S4-020
    for (sent, plain) in pairs("found") {
        let wanted: Vec<_> = findings(&read(&plain, usize::MAX))
            .iter()
            .map(said)
            .collect();
        assert!(!wanted.is_empty(), "{plain:?}");
        let session = read(&sent, usize::MAX);
        let found = findings(&session);
        let own: Vec<_> = found.iter().map(said).collect();
        assert_eq!(own, wanted, "{sent:?}");
        for finding in &found {
            let span = finding.span.expect("span");
            assert_eq!(session.slice(span), finding.text, "{sent:?}");
        }
        for step in [1, 2, 5] {
            assert_eq!(findings(&read(&sent, step)), found, "{sent:?} by {step}");
        }
    }
    for text in texts(&vectors()["silent"]) {
        let found = findings(&read(text, usize::MAX));
        assert!(found.is_empty(), "{text:?}: {found:?}");
    }
}

#[test]
fn evidence_is_read_as_it_is_seen() {
    let monitor = Monitor::builder().build().expect("monitor");
    let evidence = [(
        "a".to_owned(),
        "The Har\u{ad}bour Museum has 4\u{200b}5&nbsp;rooms.".to_owned(),
    )];
    let read = |text: &str| {
        let mut session = Session::new(&monitor, Context::new(&monitor, &evidence, &[], None));
        session.push_text(text, Push::default()).expect("push");
        session.finish().expect("end");
        findings(&session)
    };
    for text in [
        "The Harbour Museum has 45 rooms.",
        "The Har\u{ad}bour Museum has 4\u{200b}5&nbsp;rooms.",
    ] {
        let found = read(text);
        assert!(found.is_empty(), "{text:?}: {found:?}");
    }
    let found = read("The Harbour Museum has 46 rooms.");
    let cited = found.iter().flat_map(|f| &f.evidence);
    let places: Vec<_> = cited.filter_map(|e| e.locator.as_deref()).collect();
    assert!(
        !found.is_empty()
            && places
                .iter()
                .all(|at| *at == "bytes 25..30" || at.starts_with("bytes 0.")),
        "{found:?}"
    );
}

fn fillers() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..ANSWER.len(), 0..FILLERS.len()), 0..12)
}

const FILLERS: [&str; 10] = [
    "\u{200b}", "\u{ad}", "\u{2060}", "\u{feff}", "&shy;", "&#8203;", "&#x200D;", "\u{202e}",
    "\u{1}", "\u{7f}",
];

/// The answer with those in it, before characters.
fn filled(places: &[(usize, usize)]) -> String {
    let mut out = String::new();
    for (at, c) in ANSWER.char_indices() {
        // A sentence's end and its next beginning are no place inside of words.
        if c.is_ascii_alphanumeric() && ANSWER[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
        {
            for (_, which) in places.iter().filter(|(place, _)| *place == at) {
                out.push_str(FILLERS[*which]);
            }
        }
        out.push(c);
    }
    out
}

/// What may begin, be or end a reference or a string of JSON.
const MARKS: [&str; 9] = [
    "&",
    "&amp;",
    "&shy;",
    "&am",
    "\\",
    "\\u0037",
    "{\"a\": \"",
    "}",
    "\u{ad}",
];

/// The answer with those in it, anywhere.
fn marked(places: &[(usize, usize)]) -> String {
    let mut out = String::new();
    for (at, c) in ANSWER.char_indices() {
        for (_, which) in places.iter().filter(|(place, _)| *place == at) {
            out.push_str(MARKS[*which]);
        }
        out.push(c);
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    // What waited when something was said and taken back is read as if that had not been said.
    #[test]
    fn what_was_taken_back_leaves_nothing(
        places in prop::collection::vec((0..ANSWER.len(), 0..MARKS.len()), 0..10),
        step in 1..9_usize,
        junk in prop::collection::vec(prop::sample::select(vec!["; and", "x", "amp;", "\\", "u00e9 "]), 1..4),
    ) {
        let sent = marked(&places);
        let whole = read(&sent, usize::MAX);
        let monitor = monitor();
        let mut session = Session::new(&monitor, context(&monitor));
        for piece in sent.as_bytes().chunks(step) {
            session.push_bytes(piece, Push::default()).unwrap();
            for word in &junk {
                session.push_bytes(word.as_bytes(), Push::default()).unwrap();
            }
            session.rollback(junk.len() as u64).unwrap();
        }
        session.finish().unwrap();
        prop_assert!(same(&session.report(), &whole.report()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_shows_nothing_changes_nothing(places in fillers(), step in 1..9_usize, back in 1..9_u64) {
        let sent = filled(&places);
        let whole = read(&sent, usize::MAX);
        let plain: Vec<_> = findings(&read(ANSWER, usize::MAX)).iter().map(said).collect();
        prop_assert_eq!(findings(&whole).iter().map(said).collect::<Vec<_>>(), plain);
        prop_assert_eq!(whole.text(), &sent);
        let report = read(&sent, step).report();
        prop_assert!(same(&report, &whole.report()));
        for (finding, chars) in report.findings.iter().zip(&report.char_spans) {
            let (span, chars) = (finding.span.unwrap(), chars.unwrap());
            let own: String = sent.chars().skip(chars.start).take(chars.len()).collect();
            prop_assert_eq!(&own, &sent[span.start..span.end]);
        }
        // Taken back and said again.
        let monitor = monitor();
        let mut session = Session::new(&monitor, context(&monitor));
        let pieces: Vec<_> = sent.as_bytes().chunks(step).collect();
        let most = (pieces.len() as u64).min(back * 7);
        for piece in &pieces {
            session.push_bytes(piece, Push::default()).unwrap();
        }
        session.rollback(most).unwrap();
        for piece in &pieces[pieces.len() - most as usize..] {
            session.push_bytes(piece, Push::default()).unwrap();
        }
        session.finish().unwrap();
        prop_assert!(same(&session.report(), &whole.report()));
    }
}

#[test]
fn strings_of_json_are_read_as_what_they_say() {
    for text in texts(&vectors()["in_json"]) {
        let session = read(text, usize::MAX);
        let found = findings(&session);
        let right = |f: &&Finding| f.replacement.as_deref() == Some("1987");
        let wrong = found
            .iter()
            .find(right)
            .unwrap_or_else(|| panic!("{text}: {found:?}"));
        let value = wrong.text.replace("\\u200b", "").replace("\\u00ad", "");
        let value = value
            .replace("\\u0031", "1")
            .replace("\\u0039", "9")
            .replace("\\u0032", "2");
        assert_eq!(value, "1992", "{text}");
        assert_eq!(session.slice(wrong.span.expect("span")), wrong.text);
        for step in [1, 2, 5] {
            assert_eq!(findings(&read(text, step)), found, "{text} by {step}");
        }
    }
}
