//! Properties that hold for any stream.

use super::*;

/// One sentence; `{}` is a marker that stands nowhere else.
pub(super) const SENTENCES: &[&str] = &[
    "The Harbour Museum was founded in 1992, {}. ",
    "The Harbour Museum was founded in 1987, {}. ",
    "I know that Tomas Berg works in the Marketing department, {}. ",
    "Zorblax Quimby opened the {} wing! ",
    "Studies show that 40 % of {} visitors agree. ",
    "It has 60 employees and {} boats. ",
    "It is closed on Mondays, {}. ",
    "“It is old. It was founded in 1992,” says {} Ada Lind. ",
    "Is {} open? ",
    "- a list item about Elsa Korhonen {}\n",
    "\n\n```\nlet {} = 1992;\n```\n",
    "Admission costs 15 euros for {}, e.g. in May. ",
    "Ünïcode café {} 東京。 ",
];

pub(super) fn script(turn: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(0..SENTENCES.len(), 1..6).prop_map(move |picks| {
        let mut text = String::from(if turn == 0 { "" } else { " " });
        for (i, pick) in picks.into_iter().enumerate() {
            let mark = format!("qz{turn}{}", char::from(b'a' + u8::try_from(i).unwrap()));
            text.push_str(&SENTENCES[pick].replace("{}", &mark));
        }
        text
    })
}

pub(super) fn scripts() -> impl Strategy<Value = Vec<String>> {
    (
        script(0),
        script(1),
        script(2),
        script(3),
        script(4),
        script(5),
    )
        .prop_map(|(a, b, c, d, e, f)| vec![a, b, c, d, e, f])
}

fn policies() -> impl Strategy<Value = Policy> {
    let release = prop_oneof![
        Just(Release::Claim),
        Just(Release::Token),
        Just(Release::Response)
    ];
    let annotation = prop_oneof![Just(Annotation::Metadata), Just(Annotation::Inline)];
    let medium = prop_oneof![
        Just(Action::Hedge),
        Just(Action::Remove),
        Just(Action::Interrupt)
    ];
    let after = prop_oneof![Just(AfterInterrupt::Continue), Just(AfterInterrupt::Stop)];
    (release, annotation, medium, after, 1..6_u32).prop_map(
        |(release, annotation, medium, after_interrupt, max_interventions)| Policy {
            release,
            annotation,
            medium,
            after_interrupt,
            max_interventions,
            ..Policy::default()
        },
    )
}

fn run(scripts: &[String], policy: Policy, size: usize) -> Outcome {
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    drive(guarded(policy), &scripts, size)
}

/// Lengths of pieces: tokens, and whole answers.
fn cuts() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 1..12_usize, 1 => 12..600_usize]
}

/// What the report tells of: type, words and tier.
fn found(done: &Outcome) -> Vec<(String, String, Tier)> {
    let report = done.report();
    let one = |f: &Finding| (f.kind.to_string(), f.text.clone(), f.tier);
    report.report.findings.iter().map(one).collect()
}

/// Whether every footnote of a text has its mark, and every mark its footnote.
fn footnotes(text: &str) -> Result<(), String> {
    for number in 1..100 {
        let (mark, note) = (format!("[^{number}]"), format!("\n[^{number}]: "));
        let notes = text.matches(&note).count();
        match (text.matches(&mark).count() - notes, notes) {
            (1, 1) => {}
            (0, 0) => return Ok(()),
            _ => return Err(format!("{mark} in {text}")),
        }
    }
    Err(format!("too many footnotes: {text}"))
}

/// The markers of `text`.
pub(super) fn marks(text: &str) -> Vec<&str> {
    text.match_indices("qz")
        .filter_map(|(at, _)| text.get(at..at + 4))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn with_claims_only_the_final_wording_leaves(
        scripts in scripts(), size in 1..9_usize, turns in 1..8_u32,
    ) {
        let policy = Policy { max_interventions: turns, ..Policy::default() };
        let done = run(&scripts, policy, size);
        let text = done.guard.session().text().to_owned();
        for intervention in done.guard.interventions() {
            prop_assert!(!intervention.already_sent, "{intervention:?}");
            for mark in marks(&intervention.retracted) {
                if !marks(&text).contains(&mark) {
                    prop_assert!(!done.released.contains(mark), "{mark} leaked: {}", done.released);
                }
            }
        }
        // What the reader has is the surviving text, and a statement if the answer was ended.
        if done.stopped == StopReason::End {
            prop_assert_eq!(&done.released, &text);
        } else {
            prop_assert!(done.released.starts_with(&text), "{:?} / {text:?}", done.released);
        }
        prop_assert!(done.rewinds as u64 <= u64::from(turns));
    }

    #[test]
    fn cuts_do_not_matter_across_rewinds(
        scripts in scripts(),
        one in prop::collection::vec(cuts(), 1..20),
        other in prop::collection::vec(cuts(), 1..20),
        medium in prop_oneof![Just(Action::Hedge), Just(Action::Remove), Just(Action::Interrupt)],
        annotation in prop_oneof![
            Just(Annotation::Metadata), Just(Annotation::Inline), Just(Annotation::Footnote)
        ],
        after_interrupt in prop_oneof![
            4 => Just(AfterInterrupt::Continue), 1 => Just(AfterInterrupt::Stop)
        ],
    ) {
        // The model goes on with the same text after the n-th rewind, however it is cut.
        let policy = Policy {
            medium, annotation, after_interrupt, max_hold_tokens: 100_000, ..Policy::default()
        };
        let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
        let run = |cuts: &[usize]| {
            let cut = |text: &str| {
                let mut chars = text.chars().peekable();
                let mut found = VecDeque::new();
                for &size in cuts.iter().cycle() {
                    if chars.peek().is_none() {
                        break;
                    }
                    found.push_back(chars.by_ref().take(size).collect());
                }
                found
            };
            drive_cut(guarded(policy.clone()), &scripts, cut)
        };
        let (one, other) = (run(&one), run(&other));
        prop_assert_eq!(one.rewinds, other.rewinds);
        // Which of the spaces around it goes with a claim that is left out depends on what has left.
        let words = |done: &Outcome| match medium {
            Action::Remove => done.released.split_whitespace().collect::<Vec<_>>().join(" "),
            _ => done.released.clone(),
        };
        prop_assert_eq!(words(&one), words(&other));
        prop_assert_eq!(one.stopped, other.stopped);
        // What stays is judged once, also where it came again before what was written.
        prop_assert_eq!(found(&one), found(&other));
        if annotation == Annotation::Footnote {
            prop_assert_eq!(footnotes(&one.released), Ok(()));
        }
    }

    #[test]
    fn releases_add_up_and_every_stream_ends(
        scripts in scripts(), size in 1..9_usize, policy in policies(),
    ) {
        // `drive` asserts it at every step.
        let response = policy.release == Release::Response;
        let done = run(&scripts, policy, size);
        if response {
            prop_assert!(done.releases.len() <= 1, "{:?}", done.releases);
        }
    }

    #[test]
    fn a_rewind_leaves_a_session_that_never_saw_what_was_retracted(
        scripts in scripts(), size in 1..9_usize, policy in policies(),
    ) {
        let done = run(&scripts, policy, size);
        prop_assume!(done.stopped == StopReason::End);
        let monitor = monitor();
        let mut plain = Session::new(&monitor, context(&monitor));
        for (text, own) in &done.kept {
            let (forced, own) = (own.is_some(), own.unwrap_or(0));
            plain.push_text(text, Push { forced, own, ..Push::default() }).unwrap();
        }
        plain.finish().unwrap();
        prop_assert_eq!(plain.report(), done.report().report);
        prop_assert_eq!(plain.events().unwrap(), done.guard.session().events().unwrap());
    }

    #[test]
    fn forced_text_is_not_judged(scripts in scripts(), size in 1..9_usize, policy in policies()) {
        let done = run(&scripts, policy, size);
        prop_assume!(done.stopped == StopReason::End);
        let (mut at, mut forced) = (0, Vec::new());
        for (text, own) in &done.kept {
            if let Some(own) = own {
                forced.push((at + own, at + text.len()));
            }
            at += text.len();
        }
        for finding in &done.report().report.findings {
            let span = finding.span.unwrap();
            prop_assert!(
                !forced.iter().any(|&(from, to)| from <= span.start && span.end <= to),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn never_two_hedges_in_a_row(scripts in scripts(), size in 1..9_usize) {
        let policy = Policy { max_interventions: 20, ..Policy::default() };
        let done = run(&scripts, policy, size);
        let text = done.guard.session().text();
        let hedged: Vec<bool> = sentences(text)
            .iter()
            .map(|s| phrases().opens_with_lead_in(&text[s.span.start..s.span.end]))
            .collect();
        prop_assert!(!hedged.windows(2).any(|pair| pair[0] && pair[1]), "{text}");
        for hedge in done.guard.interventions().iter().filter(|i| i.action == Action::Hedge) {
            // What was taken back may reach into the code that follows, but begins before it.
            prop_assert!(!hedge.retracted.trim_start().starts_with("```"), "{hedge:?}");
        }
    }

    #[test]
    fn each_finding_is_acted_upon_once_where_the_text_stays(
        scripts in scripts(), size in 1..9_usize, policy in policies(),
    ) {
        let done = run(&scripts, policy, size);
        prop_assume!(done.stopped == StopReason::End);
        let noted: Vec<_> = done
            .guard
            .interventions()
            .iter()
            .filter(|i| i.action == Action::Annotate)
            .map(|i| (i.span, i.findings.iter().map(|f| f.id.clone()).collect::<Vec<_>>()))
            .collect();
        for (i, one) in noted.iter().enumerate() {
            for other in &noted[..i] {
                prop_assert!(one != other || done.rewinds > 0, "{one:?} twice");
            }
        }
    }
}

#[test]
fn pieces_do_not_change_what_the_reader_gets() {
    // A rewind cuts at a push, so that a model sees other prefixes; without one, nothing differs.
    let text = "It is closed on Mondays. Studies say nothing. Is it open? - Ada Lind";
    let expected = drive(guarded(Policy::default()), &[text], 1).released;
    for size in 2..20 {
        assert_eq!(
            drive(guarded(Policy::default()), &[text], size).released,
            expected
        );
    }
}
