//! Invariants 4 and 6: same input, same verdict; failure changes nothing and is contained.

use super::*;
use groundwire_core::detok::Vocab;
use groundwire_core::error::Category;
use groundwire_core::logits::Row;
use groundwire_core::types::{ClaimBits, Interval, Signals, Span, Verdict};

fn tokens() -> Session {
    let entries = (0..256)
        .map(|i| (i, vec![u8::try_from(i).unwrap()], false))
        .collect();
    let monitor = Monitor::builder()
        .vocab(Vocab::from_entries(entries).unwrap())
        .profiles(vec![
            Profile::stream(),
            Profile::dialogue(),
            Profile::budget(),
        ])
        .build()
        .unwrap();
    Session::new(&monitor, Context::default())
}

fn closed() -> (Session, String) {
    let mut session = tokens();
    session
        .push_text("It is closed on Mondays. It", Push::default())
        .unwrap();
    let id = log(&session)
        .into_iter()
        .find_map(|entry| match entry {
            Entry::Claim { claim, .. } => Some(claim.id.clone()),
            _ => None,
        })
        .unwrap();
    (session, id)
}

fn verdict(status: Status) -> Verdict {
    Verdict {
        status,
        p0: None,
        p1: None,
        reason: "asked".into(),
    }
}

#[test]
fn bad_arguments_change_nothing() {
    let (mut session, id) = closed();
    let before = (log(&session), session.events().unwrap(), session.pushes());
    let row = [0.0_f32; 256];
    let logits = |row| Push {
        logits: Some(Row::F32(row)),
        ..Push::default()
    };
    let short = Push {
        prior_logits: Some(Row::F32(&row[..9])),
        ..logits(&row)
    };
    let alone = Push {
        prior_logits: Some(Row::F32(&row)),
        ..Push::default()
    };
    let bad = |lo, hi| Verdict {
        p0: Some(Interval::new(lo, hi)),
        ..verdict(Status::Supported)
    };
    let reported = |p, span: Option<Span>| {
        let mut f = crate::score::finding("stream.custom", p);
        f.span = span;
        vec![f]
    };
    let mut other = session.fork();
    other.push_text("More.", Push::default()).unwrap();
    let ahead = other.mark();
    let failures = [
        session.push(256, Push::default()).unwrap_err(),
        session.push(65, logits(&row[..4])).unwrap_err(),
        session.push(65, short).unwrap_err(),
        session.push(65, alone).unwrap_err(),
        session.observe(Row::F32(&[]), None).unwrap_err(),
        session
            .observe(Row::F32(&row), Some(Row::F32(&row[1..])))
            .unwrap_err(),
        session.expect("nothing").unwrap_err(),
        session
            .resolve("nothing", verdict(Status::Supported))
            .unwrap_err(),
        session.resolve(&id, bad(0.5, 0.1)).unwrap_err(),
        session.resolve(&id, bad(0.0, f64::NAN)).unwrap_err(),
        session
            .report_findings(Some("nothing"), vec![])
            .unwrap_err(),
        session
            .report_findings(None, reported(1.5, None))
            .unwrap_err(),
        session
            .report_findings(None, reported(f64::NAN, None))
            .unwrap_err(),
        session
            .report_findings(None, reported(0.5, Some(Span::new(5, 3))))
            .unwrap_err(),
        session
            .report_findings(None, reported(0.5, Some(Span::new(0, 999))))
            .unwrap_err(),
        session.rollback(99).unwrap_err(),
        session.rollback_to(ahead).unwrap_err(),
    ];
    for error in failures {
        assert!(error.message().len() > 20, "{error}");
        assert_ne!(error.category(), Category::Latched, "{error}");
    }
    assert_eq!(
        (log(&session), session.events().unwrap(), session.pushes()),
        before
    );
}

#[test]
fn a_span_inside_a_character_is_refused() {
    let mut session = tokens();
    session.push_text("né", Push::default()).unwrap();
    let mut f = crate::score::finding("stream.custom", 0.5);
    f.span = Some(Span::new(2, 3));
    assert!(session.report_findings(None, vec![f]).is_err());
}

#[test]
fn a_latched_session_stays_latched() {
    let (mut session, id) = closed();
    session.latch("broken");
    session.latch("again");
    assert_eq!(session.latched(), Some("broken"));
    for error in [
        session.push_text("x", Push::default()).unwrap_err(),
        session.rollback(1).unwrap_err(),
        session.finish().unwrap_err(),
        session.add_evidence("e", "x").unwrap_err(),
        session
            .resolve(&id, verdict(Status::Supported))
            .unwrap_err(),
    ] {
        assert_eq!(
            (error.category(), error.message()),
            (Category::Latched, "broken")
        );
    }
    assert_eq!(session.report().latched.as_deref(), Some("broken"));
    assert_eq!(session.text(), "It is closed on Mondays. It");
}

#[test]
fn a_panic_latches_the_one_session_and_becomes_an_error() {
    let (mut session, _) = closed();
    let mut other = session.fork();
    let calls: [(fn(), &str); 3] = [
        (|| panic!("table {} is torn", 3), "table 3 is torn"),
        (|| panic!("plain"), "plain"),
        (|| std::panic::panic_any(7_u8), "no reason given"),
    ];
    for (call, why) in calls {
        let mut session = session.fork();
        let error = session
            .contain(|_| {
                call();
                Ok(())
            })
            .unwrap_err();
        assert_eq!(error.category(), Category::Latched);
        assert!(error.message().contains(why), "{error}");
        assert_eq!(session.latched(), Some(error.message()));
        let next = session.push_text("x", Push::default()).unwrap_err();
        assert_eq!(next.category(), Category::Latched);
        assert!(!session.report().claims.is_empty(), "what was found stays");
    }
    assert_eq!(session.contain(|session| Ok(session.pushes())).unwrap(), 1);
    assert!(session.latched().is_none());
    other.push_text(" is open.", Push::default()).unwrap();
}

#[test]
fn numbers_from_outside_are_checked() {
    type Set = fn(&mut Signals, f64);
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let at_least_0: [(&str, Set); 6] = [
        ("surprisal", |s, x| s.surprisal = Some(x)),
        ("entropy", |s, x| s.entropy = Some(x)),
        ("varentropy", |s, x| s.varentropy = Some(x)),
        ("confidence", |s, x| s.confidence = Some(x)),
        ("group_confidence", |s, x| s.group_confidence = Some(x)),
        ("kl_bits", |s, x| s.kl_bits = Some(x)),
    ];
    let at_most_0: [(&str, Set); 2] = [
        ("logprob", |s, x| s.logprob = Some(x)),
        ("prior_logprob", |s, x| s.prior_logprob = Some(x)),
    ];
    let with = |set: Set, x| {
        let mut signals = Signals {
            lift_bits: Some(-3.0),
            ..Signals::default()
        };
        set(&mut signals, x);
        signals
    };
    let broken = Signals {
        invalid: true,
        ..Signals::default()
    };
    for (sign, table) in [(1.0, &at_least_0[..]), (-1.0, &at_most_0[..])] {
        for &(name, set) in table {
            for fine in [0.0, sign * 2.5, sign * inf, sign * -1e-6] {
                let signals = with(set, fine);
                assert_eq!(signals.checked().unwrap(), signals, "{name} {fine}");
            }
            for bad in [nan, sign * -inf] {
                assert_eq!(with(set, bad).checked().unwrap(), broken, "{name} {bad}");
            }
            let error = with(set, sign * -0.7).checked().unwrap_err();
            assert_eq!(error.category(), Category::Argument);
            assert!(error.message().contains(&format!("'{name}'")), "{error}");
        }
    }
    let margin: Set = |s, x| s.margin = Some(x);
    assert!(with(margin, 1.5).checked().is_err());
    assert!(with(margin, -0.5).checked().is_err());
    assert_eq!(with(margin, inf).checked().unwrap(), broken);
    let lift: Set = |s, x| s.lift_bits = Some(x);
    assert_eq!(with(lift, -inf).checked().unwrap(), with(lift, -inf));
    assert_eq!(with(lift, nan).checked().unwrap(), broken);
}

#[test]
fn finishing_twice_changes_nothing_and_ends_the_stream() {
    let (mut session, id) = closed();
    let start = session.mark();
    session.finish().unwrap();
    let report = session.report();
    assert!(session.finish().unwrap().is_quiet());
    assert_eq!(session.report(), report);
    assert_eq!(
        session
            .push_text("x", Push::default())
            .unwrap_err()
            .category(),
        Category::Latched
    );
    // Answers may still come; nothing opens the stream again, nor a copy of it.
    session.resolve(&id, verdict(Status::Contradicted)).unwrap();
    assert_eq!(session.report().claim_status[&id], Status::Contradicted);
    let report = session.report();
    for session in [&mut session.fork(), &mut session] {
        for error in [
            session.rollback(0).unwrap_err(),
            session.rollback(1).unwrap_err(),
            session.rollback_to(start).unwrap_err(),
            session.push_text(" is old.", Push::default()).unwrap_err(),
            session.add_evidence("e", "It is old.").unwrap_err(),
        ] {
            assert_eq!(error.category(), Category::Latched);
            assert!(error.message().contains("finished"), "{}", error.message());
        }
        assert!(session.is_finished());
        assert_eq!(session.report(), report);
    }
}

#[test]
fn a_verdict_revises_a_claim_by_naming_it() {
    // Invariant 2.
    let (mut session, id) = closed();
    let before = log(&session);
    session.expect(&id).unwrap();
    assert_eq!(session.awaited_from(), Some(0));
    session.resolve(&id, verdict(Status::Contradicted)).unwrap();
    assert_eq!(session.awaited_from(), None);
    let after = log(&session);
    assert_eq!(after[..before.len()], before[..]);
    assert!(after.iter().any(
        |e| matches!(e, Entry::Revision { claim_id, status, .. } if *claim_id == id && *status == Status::Contradicted)
    ));
    let events = session.events().unwrap();
    let again = Session::replay(session.monitor(), Context::default(), &events).unwrap();
    assert_eq!(log(&again), after);
}

#[test]
fn a_rollback_drops_answers_about_what_is_gone_and_keeps_the_rest() {
    let (mut session, id) = closed();
    let mark = session.mark();
    session
        .push_text(" has 60 employees. So", Push::default())
        .unwrap();
    let other = log(&session)
        .into_iter()
        .rev()
        .find_map(|e| match e {
            Entry::Claim { claim, .. } => Some(claim.id.clone()),
            _ => None,
        })
        .unwrap();
    assert_ne!(other, id);
    session
        .resolve(&other, verdict(Status::Contradicted))
        .unwrap();
    session.resolve(&id, verdict(Status::Supported)).unwrap();
    let mut far = crate::score::finding("stream.custom", 0.5);
    far.span = Some(Span::new(30, 35));
    let mut near = far.clone();
    near.span = Some(Span::new(0, 2));
    session.report_findings(None, vec![far]).unwrap();
    session.report_findings(None, vec![near]).unwrap();
    session.add_evidence("e", "It has 60 employees.").unwrap();
    session.rollback_to(mark).unwrap();
    let revised: Vec<String> = log(&session)
        .into_iter()
        .filter_map(|e| match e {
            Entry::Revision { claim_id, .. } => Some(claim_id),
            _ => None,
        })
        .collect();
    assert_eq!(revised, [id]);
    let custom: Vec<_> = findings(&session)
        .into_iter()
        .filter(|f| f.rule == "test")
        .collect();
    assert_eq!(custom.len(), 1);
    assert_eq!(custom[0].text, "It");
    assert_eq!(session.context().evidence.len(), 1);
}

#[test]
fn forks_are_independent() {
    let mut session = tokens();
    session.push_text("It is ", Push::default()).unwrap();
    let mut fork = session.fork();
    fork.push_text("Zorblax Quimby. Really", Push::default())
        .unwrap();
    assert_eq!(session.text(), "It is ");
    session
        .push_text("Zorblax Quimby. Really", Push::default())
        .unwrap();
    assert_eq!(log(&session), log(&fork));
    fork.rollback(2).unwrap();
    assert_eq!(session.pushes(), 2);
}

#[test]
fn the_same_on_every_thread_and_run() {
    // Invariant 4.
    let monitor = monitor();
    let expected = whole(ANSWER).report();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut session = Session::new(&monitor, context(&monitor));
                    session.push_text(ANSWER, Push::default()).unwrap();
                    session.finish().unwrap();
                    session.report()
                })
            })
            .collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), expected);
        }
    });
}

/// Rows that differ from token to token.
fn row(seed: usize) -> Vec<f32> {
    (0..256)
        .map(|i| f32::from(u8::try_from((i * 37 + seed * 101) % 251).unwrap()) / 16.0)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn observed_rows_equal_pushed_rows_and_survive_rollback(
        text in "[a-zA-Z0-9 .%]{1,60}", back in 0_usize..20, masked in any::<bool>(),
    ) {
        let (mut pushed, mut observed) = (tokens(), tokens());
        let mut all = Vec::new();
        for (i, byte) in text.bytes().enumerate() {
            let (mut one, prior) = (row(i), row(i + 1000));
            if masked && i % 3 == 0 {
                one[usize::from(byte)] = f32::NEG_INFINITY;
            }
            let with = Push {
                logits: Some(Row::F32(&one)),
                prior_logits: Some(Row::F32(&prior)),
                ..Push::default()
            };
            let a = pushed.push(byte.into(), with).unwrap();
            observed.observe(Row::F32(&one), Some(Row::F32(&prior))).unwrap();
            let b = observed.push(byte.into(), Push::default()).unwrap();
            prop_assert_eq!(&a, &b);
            all.push(a.signals);
        }
        prop_assert_eq!(log(&pushed), log(&observed));
        // Taking back and pushing the same signals again gives the same steps.
        let back = back.min(text.len());
        pushed.rollback(back as u64).unwrap();
        for (i, byte) in text.bytes().enumerate().skip(text.len() - back) {
            let mut signals: Option<Signals> = all[i];
            if let Some(s) = &mut signals {
                s.group_confidence = None;
            }
            let step = pushed.push(byte.into(), Push { signals, ..Push::default() }).unwrap();
            prop_assert_eq!(step.signals, all[i]);
        }
        prop_assert_eq!(log(&pushed), log(&observed));
        // Through JSON, infinities included.
        let events = serde_json::to_string(&pushed.events().unwrap()).unwrap();
        let events: Vec<groundwire_core::session::Event> = serde_json::from_str(&events).unwrap();
        prop_assert_eq!(&events, &pushed.events().unwrap());
        let again = Session::replay(pushed.monitor(), Context::default(), &events).unwrap();
        prop_assert_eq!(log(&again), log(&observed));
        prop_assert_eq!(again.report(), pushed.report());
    }
}

/// What short messages are made of.
fn everyday() -> impl Strategy<Value = String> {
    let pieces = vec![
        "3", "12", "1,200", "20%", "6pm", "1990", "$5", "2.", "-", "(", ")", ",", ".", "?", "!",
        ":", "\n", "\"", "not", "now", "only", "never", "no", "yes", "probably", "and", "but",
        "or", "if", "then", "first", "is", "are", "was", "has", "the", "a", "of", "in", "whose",
        "he", "it", "you", "call", "mix", "wait", "Monday", "March", "Ada", "Lind", "Mr.", "open",
        "closed", "eggs", "km", "**", "|", "than", "more", "all", "every", "each", "who", "which",
        "'s", "don't", "5–7", "…", "é",
    ];
    prop::collection::vec((prop::sample::select(pieces), any::<bool>()), 1..9).prop_map(|pieces| {
        pieces
            .iter()
            .map(|(piece, gap)| format!("{piece}{}", if *gap { " " } else { "" }))
            .collect()
    })
}

#[test]
fn short_messages_that_start_with_a_number() {
    let monitor = Monitor::builder().build().unwrap();
    for text in [
        "3 not 4",
        "5 now",
        "6pm not 7pm",
        "20% not 30%",
        "3 only",
        "12 probably",
        "2. Never.",
        "1990 (not 1991).",
        "1,200 not 1,300.",
    ] {
        let turn = [("user".to_owned(), text.to_owned())];
        let context = Context::contained(&monitor, &[], &turn, Some(text)).unwrap();
        let mut session = Session::new(&monitor, context);
        session.push_text(text, Push::default()).unwrap();
        session.finish().unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_short_message_is_too_odd(
        text in everyday(), question in everyday(), turn in everyday(), passage in everyday(),
    ) {
        let monitor = Monitor::builder()
            .profiles(vec![Profile::stream(), Profile::dialogue()])
            .build()
            .unwrap();
        let history = [("user".to_owned(), turn.clone()), ("assistant".to_owned(), turn)];
        let evidence = [("p".to_owned(), passage)];
        let context = Context::contained(&monitor, &evidence, &history, Some(&question));
        let mut session = Session::new(&monitor, context.unwrap());
        prop_assert!(session.push_text(&text, Push::default()).is_ok());
        prop_assert!(session.finish().is_ok());
        prop_assert_eq!(session.latched().filter(|why| why.contains("fault")), None);
    }
}

#[test]
fn a_mark_holds_in_its_own_session_until_its_place_is_taken_back() {
    let monitor = monitor();
    let open = || Session::new(&monitor, Context::default());
    let push = |session: &mut Session, text: &str| {
        session.push_text(text, Push::default()).unwrap();
    };
    let (mut one, mut other) = (open(), open());
    let (start, foreign) = (one.mark(), other.mark());
    for session in [&mut one, &mut other] {
        push(session, "It is old. ");
    }
    let first = one.mark();
    push(&mut one, "It is new. ");
    let second = one.mark();
    let refused = |session: &mut Session, mark| {
        let before = (session.text().to_owned(), session.pushes());
        let error = session.rollback_to(mark).unwrap_err();
        assert_eq!(error.category(), Category::Argument, "{error}");
        assert!(error.message().contains("mark"), "{error}");
        assert_eq!((session.text().to_owned(), session.pushes()), before);
    };
    refused(&mut one, foreign);
    refused(&mut other, first);
    refused(&mut other, second);
    // A copy keeps the marks that were set before it, and has later ones of its own.
    let mut copy = one.fork();
    push(&mut copy, "Copied. ");
    push(&mut one, "Gone on. ");
    let (third, own) = (one.mark(), copy.mark());
    refused(&mut one, own);
    refused(&mut copy, third);
    copy.rollback_to(second).unwrap();
    assert_eq!(copy.text(), "It is old. It is new. ");
    // Back, and on with other words: the places of before are gone, those further back are not.
    one.rollback_to(first).unwrap();
    refused(&mut one, second);
    push(&mut one, "It is blue. ");
    refused(&mut one, second);
    let again = one.mark();
    push(&mut one, "x");
    one.rollback_to(again).unwrap();
    one.rollback_to(again).unwrap();
    one.rollback_to(first).unwrap();
    one.rollback_to(start).unwrap();
    assert_eq!(one.text(), "");
}

// req: SPEC-08.03
#[test]
fn a_claim_says_its_bits() {
    let mut session = tokens();
    let text = "It has a garden. Ada Lind was there. ";
    let prior = [0.0_f32; 256];
    for (i, byte) in text.bytes().enumerate() {
        let mut row = [0.0_f32; 256];
        row[usize::from(byte)] = if i < 16 { 3.0 } else { -2.0 };
        let push = Push {
            logits: Some(Row::F32(&row)),
            prior_logits: Some(Row::F32(&prior)),
            ..Push::default()
        };
        session.push(byte.into(), push).unwrap();
    }
    session.finish().unwrap();
    let report = session.report();
    let bits: Vec<ClaimBits> = report.claims.iter().filter_map(|c| c.bits).collect();
    assert_eq!(bits.len(), report.claims.len());
    assert!(
        bits[0].lift_bits > 0.0 && bits.last().unwrap().lift_bits < 0.0,
        "{bits:?}"
    );
    let (tokens, kl) = bits
        .iter()
        .fold((0, 0.0), |sum, b| (sum.0 + b.tokens, sum.1 + b.kl_bits));
    // Two spaces stand between and behind the claims.
    assert!((1..=2).contains(&(text.len() as u32 - tokens)), "{bits:?}");
    assert!(
        kl < report.stats.kl_bits && kl > 0.8 * report.stats.kl_bits,
        "{bits:?}"
    );
    for b in &bits {
        assert!(b.p0.unwrap() > 0.0 && b.p1.unwrap() < 1.0);
        assert_eq!(b.p1 > b.p0, b.lift_bits > 0.0, "{b:?}");
        assert!(b.content_tokens > 0 && b.content_tokens < b.tokens);
    }
    // Without rows nothing is claimed of them.
    let plain = whole(text).report();
    assert!(plain.claims.iter().all(|c| c.bits.is_none()));
}
