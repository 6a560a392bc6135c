//! Invariant 5: a stream's state does not grow with the response.

use super::*;
use groundwire_core::error::Category;
use groundwire_core::logits::Row;
use groundwire_core::monitor::Settings;
use groundwire_core::patterns::{RuleSpec, Ruleset};

const CAP: usize = 64 * 1024;

fn small() -> Session {
    let settings = Settings {
        max_retained: CAP,
        ..Settings::default()
    };
    let monitor = Monitor::builder().settings(settings).build().unwrap();
    Session::new(&monitor, Context::default())
}

fn check_bounds(session: &Session) {
    let memory = session.memory();
    let retained = memory.text + memory.pushes;
    assert!(
        session.text().len() <= CAP + 8192,
        "{} bytes of text",
        session.text().len()
    );
    // An item a push, of some words each, and a vector's room to grow.
    assert!(retained <= 24 * CAP, "{retained} bytes retained");
    assert!(memory.state <= 64 * 1024, "{memory:?}");
}

/// Bytes a stream of the default profile may hold beside its text, its pushes, the signals'
/// window, its log and the places it can roll back to.
const STATE: usize = 8 * 1024;

// The aim is 4 KiB; the session itself, the open sentence, rules under way and what was said take more.
#[test]
fn state_is_small() {
    let literals =
        (0..2_000).map(|i| RuleSpec::of_literals(format!("l{i}"), &[&format!("Kavamor{i} Lenti")]));
    let regexes = [
        r"[\w.+-]+@[\w-]+\.[a-z]{2,}",
        r"\b\d{3}-\d{2}-\d{4}\b",
        r"https?://[^\s]+",
        r"(?i)studies (?:show|suggest)[^.]*\d+ ?%",
    ];
    let regexes = regexes
        .iter()
        .enumerate()
        .map(|(i, regex)| RuleSpec::of_regex(format!("r{i}"), *regex));
    let rules = Ruleset::new(literals.chain(regexes).collect()).unwrap();
    let rules = Ruleset::builtin().merge(&rules).unwrap();
    let monitor = Monitor::builder().rules(rules).build().unwrap();
    let mut session = Session::new(&monitor, context(&monitor));
    let text =
        format!("{ANSWER} Write to ada.lind@museum.example or see https://museum.example/a. ");
    for piece in text.repeat(40).as_bytes().chunks(4) {
        session.push_bytes(piece, Push::default()).unwrap();
        let memory = session.memory();
        assert!(memory.state <= STATE, "{memory:?}");
    }
    let memory = session.memory();
    assert!(memory.log > 0 && memory.checkpoints > 0, "{memory:?}");
    assert!(memory.text >= session.text().len(), "{memory:?}");
    // Sixteen places of the last sentences, one for each 4 KiB of text before them.
    let places = 18 + session.text().len() / 4096;
    assert!(memory.checkpoints <= places * STATE, "{memory:?}");
}

// The buffers of a push belong to the thread: streams that take turns, and one that changes threads,
// read as if each were alone.
#[test]
fn streams_share_a_thread() {
    let monitor = monitor();
    let other =
        "Zelda Quorn works there. Call 555-0142, or see https://museum.example/b! ".repeat(60);
    let told = |mut session: Session| {
        session.finish().unwrap();
        (log(&session), session.text().to_owned())
    };
    let alone = |text: &str| {
        let mut session = Session::new(&monitor, context(&monitor));
        session.push_text(text, Push::default()).unwrap();
        told(session)
    };
    let mut one = Session::new(&monitor, context(&monitor));
    let mut two = one.fork();
    let mut rest = other.as_bytes().chunks(901);
    for piece in ANSWER.as_bytes().chunks(5) {
        one.push_bytes(piece, Push::default()).unwrap();
        if let Some(piece) = rest.next() {
            two.push_bytes(piece, Push::default()).unwrap();
        }
    }
    let two = std::thread::spawn(move || {
        two.push_bytes(b"It is open.", Push::default()).unwrap();
        two
    });
    assert_eq!(told(one), alone(ANSWER));
    let other = format!("{other}It is open.");
    assert_eq!(told(two.join().unwrap()), alone(&other));
}

/// Pushes `piece` again and again until the stream has `total` bytes.
fn fill(session: &mut Session, piece: &[u8], total: usize) {
    let pieces = total / piece.len();
    for i in 0..pieces {
        session.push_bytes(piece, Push::default()).unwrap();
        if i % 4096 == 0 {
            check_bounds(session);
        }
    }
    check_bounds(session);
}

#[test]
fn no_space_no_end() {
    for piece in [
        "x", "aé", "very ", "12", "…", "\"", "(", "A", "- ", "\n", "\u{300}", "40 % ",
    ] {
        let mut session = small();
        fill(&mut session, piece.as_bytes(), 300_000);
        let end = session.text_end();
        assert_eq!(
            end,
            300_000 / piece.len() * piece.len(),
            "offsets keep counting"
        );
        session.finish().unwrap();
        let report = session.report();
        assert!(report.truncated, "{piece:?}");
        assert_eq!(report.text_start + report.text.len(), end);
    }
}

#[test]
fn broken_utf8() {
    let mut session = small();
    fill(&mut session, &[0xff, 0xe2, 0x82], 200_000);
    let mut session = small();
    fill(&mut session, &[0xf0], 200_000);
}

#[test]
fn one_huge_push() {
    let mut session = small();
    let text = "Studies show that 40 % agree with it. ".repeat(20_000);
    session.push_text(&text, Push::default()).unwrap();
    check_bounds(&session);
    assert_eq!(session.text_end(), text.len());
    session.push_text("It goes on.", Push::default()).unwrap();
    session.rollback(1).unwrap();
    assert_eq!(
        session.rollback(1).unwrap_err().category(),
        Category::RollbackTooFar
    );
    session.finish().unwrap();
    let report = session.report();
    assert!(report.truncated);
    for (finding, chars) in report.findings.iter().zip(&report.char_spans) {
        let span = finding.span.unwrap();
        if span.start >= report.text_start {
            let at = span.start - report.text_start;
            assert_eq!(finding.text, report.text[at..at + span.len()]);
            assert!(chars.is_some());
        }
        assert!(!finding.text.is_empty(), "findings keep their text");
    }
}

#[test]
fn ten_megabytes_without_a_space() {
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    let piece = "x".repeat(64 * 1024);
    for _ in 0..160 {
        session.push_text(&piece, Push::default()).unwrap();
    }
    assert_eq!(session.text_end(), 160 * 64 * 1024);
    assert!(session.text().len() <= (1 << 20) + 8192);
}

#[test]
fn nan_and_masked_rows_are_signals() {
    let mut session = small();
    let rows: [&[f32]; 4] = [
        &[f32::NAN; 8],
        &[f32::NEG_INFINITY; 8],
        &[f32::INFINITY; 8],
        &[f32::MAX; 8],
    ];
    for row in rows {
        let push = Push {
            logits: Some(Row::F32(row)),
            ..Push::default()
        };
        session.push_text("x", push).unwrap();
    }
    assert!(session.report().stats.invalid_rows >= 2);
}

#[test]
fn too_far_back_changes_nothing() {
    let mut session = small();
    for _ in 0..40_000 {
        session.push_text("It is so. ", Push::default()).unwrap();
    }
    session.observe(Row::F32(&[1.0, 2.0]), None).unwrap();
    let before = (log(&session), session.text().to_owned(), session.pushes());
    let error = session.rollback(39_999).unwrap_err();
    assert_eq!(error.category(), Category::RollbackTooFar);
    assert!(error.message().contains("max_retained"), "{error}");
    assert_eq!(
        (log(&session), session.text().to_owned(), session.pushes()),
        before
    );
    let step = session.push_text("x", Push::default()).unwrap();
    assert!(step.signals.is_some(), "the observed row is still there");
    assert_eq!(
        session.events().unwrap_err().category(),
        Category::RollbackTooFar
    );
    // Within what is retained, rolling back still works and equals never having pushed.
    session.rollback(1).unwrap();
    let mark = session.mark();
    let text = session.text().to_owned();
    for _ in 0..500 {
        session.push_text("Or so. ", Push::default()).unwrap();
    }
    session.rollback_to(mark).unwrap();
    assert!(text.ends_with(session.text()) || session.text().ends_with(&text));
}

#[test]
fn many_findings_are_folded_in_time() {
    let monitor = monitor();
    let mut session = Session::new(&monitor, context(&monitor));
    let text: String = (100..6000)
        .map(|i| format!("It has {i} employees. "))
        .collect();
    session.push_text(&text, Push::default()).unwrap();
    session.finish().unwrap();
    let report = session.report();
    assert!(report.findings.len() > 300, "{}", report.findings.len());
}

#[test]
fn the_fold_equals_the_obvious_one() {
    // D-1: same type and overlapping span, the higher risk stays; the first of equals.
    let report = whole(ANSWER).report();
    for (i, a) in report.findings.iter().enumerate() {
        for b in &report.findings[..i] {
            let (x, y) = (a.span.unwrap(), b.span.unwrap());
            assert!(
                a.kind != b.kind || !(x.overlaps(y) || x == y),
                "{a:?} {b:?}"
            );
        }
    }
    for finding in findings(&whole(ANSWER)) {
        let span = finding.span.unwrap();
        assert!(report.findings.iter().any(
            |f| f.kind == finding.kind && f.span.is_some_and(|s| s.overlaps(span) || s == span)
        ));
    }
}

/// What a report says of a stream, its text apart.
fn told(session: &mut Session) -> (Vec<String>, Vec<String>, u64, bool) {
    session.finish().unwrap();
    let report = session.report();
    let findings = report.findings.iter().map(|f| format!("{f:?}"));
    let claims = report.claims.iter().map(|c| format!("{c:?}"));
    (
        findings.collect(),
        claims.collect(),
        report.stats.findings,
        report.truncated,
    )
}

// Invariant 1, past the cap too.
#[test]
fn past_the_cap_cuts_do_not_matter() {
    let monitor = |cap: usize, most: usize| {
        let settings = Settings {
            max_retained: cap,
            max_entries: most,
            ..Settings::default()
        };
        Monitor::builder().settings(settings).build().unwrap()
    };
    let piece = |i: usize| {
        let fault = [
            "Studies show that 40 % agree. ",
            "Call 555-0142. ",
            "It is so. ",
        ][i % 3];
        format!("{fault}The café number {i} has a garden. See [source] for it. ")
    };
    let text: String = (0..330).map(piece).collect();
    for (cap, most) in [
        (16 * 1024, 4),
        (16 * 1024, 64),
        (16 * 1024, 0),
        (40 * 1024, 200),
    ] {
        let monitor = monitor(cap, most);
        let run = |size: usize| {
            let mut session = Session::new(&monitor, Context::default());
            for bytes in text.as_bytes().chunks(size) {
                session.push_bytes(bytes, Push::default()).unwrap();
            }
            told(&mut session)
        };
        let whole = run(text.len());
        assert!(whole.3, "{cap} {most}");
        for size in [1, 5, 4096, 20_000] {
            assert!(run(size) == whole, "{cap} {most}: pieces of {size}");
        }
        // Back and forth beyond the cap: what a rollback takes back was never there.
        let mut session = Session::new(&monitor, Context::default());
        for (i, bytes) in text.as_bytes().chunks(61).enumerate() {
            session.push_bytes(bytes, Push::default()).unwrap();
            if i % 40 == 39 {
                let mark = session.mark();
                for _ in 0..9 {
                    session
                        .push_text("Call 555-0199 now. ", Push::default())
                        .unwrap();
                }
                session.rollback_to(mark).unwrap();
            }
        }
        assert!(told(&mut session) == whole, "{cap} {most}: with rollbacks");
    }
}

#[test]
fn a_step_tells_all_that_its_push_brought() {
    let text = "Call 555-0142. ".repeat(4000);
    let settings = Settings {
        max_retained: 16 * 1024,
        max_entries: 8,
        ..Settings::default()
    };
    let monitor = Monitor::builder().settings(settings).build().unwrap();
    let mut session = Session::new(&monitor, Context::default());
    let step = session.push_text(&text, Push::default()).unwrap();
    let found = session.entries(&step);
    let found = found.filter(|entry| matches!(entry, Entry::Finding { .. }));
    assert!(found.count() >= 3999);
    session.push_text("x", Push::default()).unwrap();
    assert!(
        session.log_since(0).count() < 4000,
        "the next push needs them no more"
    );
}
