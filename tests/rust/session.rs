//! Tests of `session`: the invariants of DESIGN.md as properties.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::{KnowledgeBase, Record, Value};
use groundwire_core::monitor::{Builder, Monitor};
use groundwire_core::profile::Profile;
use groundwire_core::session::{Context, Entry, Push, Session};
use groundwire_core::types::{Finding, Status, Tier};
use proptest::prelude::*;

mod appeals;
mod bounded;
mod contained;
mod given_names;
mod logic;
mod marks;

pub(crate) const EVIDENCE: &str = "The Harbour Museum was founded in 1987 by Ada Lind. It has 45 \
    employees and is closed on Mondays. Admission costs 12 euros. Tomas Berg works in the \
    Conservation department.";

pub(crate) const ANSWER: &str = "The Harbour Museum was founded in 1992 by Ada Lind. I know that \
    Tomas Berg works in the Marketing department! Studies show that visitors stay 40 % longer. \
    It has 60 employees, says Zorblax Quimby. “Ünïcode — naïve café” costs 12 euros… See [1].\n\n\
    - first item about Elsa Korhonen\n- second: visit on 23 July 2023\n\n```\nlet x = 1;\n```\n";

pub(crate) fn monitor() -> Monitor {
    builder().build().unwrap()
}

pub(crate) fn builder() -> Builder {
    let mut kb = KnowledgeBase::new();
    let mut add = |record: Record| kb.upsert(record).unwrap();
    add(Record::named("Harbour Museum").fact(
        "founded",
        Value::Number {
            value: 1987.0,
            unit: None,
        },
    ));
    add(Record::named("Tomas Berg").fact("department", Value::Text("Conservation".into())));
    add(Record::named("Ada Lind"));
    Monitor::builder()
        .kb(Arc::new(RwLock::new(kb)))
        .profiles(vec![
            Profile::stream(),
            Profile::dialogue(),
            Profile::budget(),
        ])
}

pub(crate) fn context(monitor: &Monitor) -> Context {
    Context::new(
        monitor,
        &[("leaflet".into(), EVIDENCE.into())],
        &[("user".into(), "Tell me about the museum.".into())],
        Some("When was the museum founded?"),
    )
}

fn findings(session: &Session) -> Vec<Finding> {
    session
        .log_since(0)
        .filter_map(|entry| match entry {
            Entry::Finding { finding, .. } => Some((**finding).clone()),
            _ => None,
        })
        .collect()
}

fn log(session: &Session) -> Vec<Entry> {
    session.log_since(0).cloned().collect()
}

fn whole(text: &str) -> Session {
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    session.push_text(text, Push::default()).unwrap();
    session.finish().unwrap();
    session
}

#[test]
fn says_what_is_wrong() {
    let session = whole(ANSWER);
    let found = findings(&session);
    let has = |kind: &str, text: &str| {
        found
            .iter()
            .any(|f| f.kind == kind && f.text.contains(text))
    };
    assert!(has("dialogue.wrong_attribute", "Marketing"));
    assert!(has("dialogue.nonexistent_entity", "Zorblax"));
    assert!(has("stream.unsupported_number", "60"));
    assert!(found.iter().any(|f| f.status == Status::Contradicted
        && f.text == "1992"
        && f.replacement.as_deref() == Some("1987")));
    assert!(found.iter().any(|f| f.kind.contains("unsourced")));
    assert!(found.iter().any(|f| f.tier >= Tier::High));
}

/// Cuts `bytes` at the given places.
fn pieces<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|c| c % (bytes.len() + 1)).collect();
    cuts.sort_unstable();
    let mut out = Vec::new();
    let mut from = 0;
    for cut in cuts {
        out.push(&bytes[from..cut]);
        from = cut;
    }
    out.push(&bytes[from..]);
    out
}

/// Text that brings sentences, names, numbers, marks and broken bytes.
fn stream_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(
            "The Harbour Museum was founded in 1992. "
                .as_bytes()
                .to_vec()
        ),
        Just(
            "Tomas Berg works in the Marketing department. "
                .as_bytes()
                .to_vec()
        ),
        Just("Studies show that 40 % agree [1]. ".as_bytes().to_vec()),
        Just(
            "Dr. Zorblax Quimby paid $5M, i.e. 5 million dollars! "
                .as_bytes()
                .to_vec()
        ),
        Just("Ünïcode “naïve” café — 東京。 ".as_bytes().to_vec()),
        Just("\n\n- item one\n- item two\n".as_bytes().to_vec()),
        Just("```\ncode();\n```\n".as_bytes().to_vec()),
        Just(vec![0xff, 0xe2, 0x82]),
        Just(b" on 23 July 2023, e.g. ".to_vec()),
        "[ -~]{0,12}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..10).prop_map(|parts| parts.concat())
}

fn run(bytes: &[u8], cuts: &[usize]) -> Session {
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    for piece in pieces(bytes, cuts) {
        session.push_bytes(piece, Push::default()).unwrap();
    }
    session.finish().unwrap();
    session
}

#[test]
fn every_split_of_the_answer_gives_the_same_log() {
    // Invariant 1.
    let bytes = ANSWER.as_bytes();
    let expected = log(&run(bytes, &[]));
    let ones: Vec<usize> = (1..bytes.len()).collect();
    assert_eq!(log(&run(bytes, &ones)), expected);
    for cut in (1..bytes.len()).step_by(7) {
        assert_eq!(log(&run(bytes, &[cut])), expected, "cut at {cut}");
    }
}

#[test]
fn an_entry_comes_with_the_byte_that_decides_it() {
    // Invariant 1: decided_at, in order.
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    for (i, c) in ANSWER.char_indices() {
        let step = session
            .push_text(c.encode_utf8(&mut [0; 4]), Push::default())
            .unwrap();
        for entry in session.entries(&step) {
            if let Entry::Finding { finding, .. } = entry {
                assert_eq!(finding.decided_at, i + c.len_utf8(), "{}", finding.kind);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chunking_never_matters(
        bytes in stream_bytes(),
        cuts in prop::collection::vec(any::<usize>(), 0..12),
    ) {
        prop_assert_eq!(log(&run(&bytes, &cuts)), log(&run(&bytes, &[])));
    }

    #[test]
    fn the_log_is_append_only(
        bytes in stream_bytes(),
        cuts in prop::collection::vec(any::<usize>(), 1..8),
    ) {
        // Invariant 2.
        let monitor = monitor();
        let mut session = Session::new(&monitor, context(&monitor));
        let mut before = Vec::new();
        for piece in pieces(&bytes, &cuts) {
            session.push_bytes(piece, Push::default()).unwrap();
            let now = log(&session);
            prop_assert_eq!(&now[..before.len()], &before[..]);
            before = now;
        }
    }

    #[test]
    fn rollback_equals_never_having_pushed(
        kept in stream_bytes(),
        dropped in stream_bytes(),
        after in stream_bytes(),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        // Invariant 3.
        let monitor = monitor();
        let mut expected = Session::new(&monitor, context(&monitor));
        let mut session = Session::new(&monitor, context(&monitor));
        for piece in pieces(&kept, &cuts) {
            expected.push_bytes(piece, Push::default()).unwrap();
            session.push_bytes(piece, Push::default()).unwrap();
        }
        let mark = session.mark();
        for piece in pieces(&dropped, &cuts) {
            session.push_bytes(piece, Push::default()).unwrap();
        }
        session.add_evidence("extra", "Zorblax Quimby is a person.").unwrap();
        session.rollback_to(mark).unwrap();
        expected.add_evidence("extra", "Zorblax Quimby is a person.").unwrap();
        prop_assert_eq!(log(&session), log(&expected));
        for piece in pieces(&after, &cuts) {
            expected.push_bytes(piece, Push::default()).unwrap();
            session.push_bytes(piece, Push::default()).unwrap();
        }
        session.finish().unwrap();
        expected.finish().unwrap();
        prop_assert_eq!(session.events().unwrap(), expected.events().unwrap());
        prop_assert_eq!(session.report(), expected.report());
    }

    #[test]
    fn a_session_is_rebuilt_from_its_events(
        bytes in stream_bytes(),
        cuts in prop::collection::vec(any::<usize>(), 0..8),
        back in 0_u64..4,
    ) {
        let monitor = monitor();
        let mut session = Session::new(&monitor, context(&monitor));
        for piece in pieces(&bytes, &cuts) {
            session.push_bytes(piece, Push::default()).unwrap();
        }
        session.rollback(back.min(session.pushes())).unwrap();
        session.push_text(" And so on.", Push { forced: true, ..Push::default() }).unwrap();
        session.finish().unwrap();
        let events = session.events().unwrap();
        let text = serde_json::to_string(&events).unwrap();
        let events: Vec<groundwire_core::session::Event> = serde_json::from_str(&text).unwrap();
        let again = Session::replay(&monitor, context(&monitor), &events).unwrap();
        prop_assert_eq!(log(&again), log(&session));
        prop_assert_eq!(again.report(), session.report());
    }

    #[test]
    fn no_span_is_ever_wrong(
        bytes in stream_bytes(),
        cuts in prop::collection::vec(any::<usize>(), 0..8),
    ) {
        // Invariant 7.
        let session = run(&bytes, &cuts);
        let report = session.report();
        let chars: Vec<char> = report.text.chars().collect();
        for (finding, char_span) in report.findings.iter().zip(&report.char_spans) {
            let span = finding.span.unwrap();
            let text = &report.text[span.start..span.end];
            prop_assert!(text.starts_with(&finding.text) && (text.len() <= 512 || finding.text.len() > 508));
            let by_chars: String = {
                let s = char_span.unwrap();
                chars[s.start..s.end].iter().collect()
            };
            prop_assert_eq!(text, by_chars);
        }
    }
}
