//! Footnotes of several findings in one claim, and answers of one word.

use super::*;

fn noted() -> Policy {
    Policy {
        annotation: Annotation::Footnote,
        low: Action::Annotate,
        medium: Action::Annotate,
        high: Action::Hedge,
        max_hold_tokens: 100_000,
        ..Policy::default()
    }
}

const APPEALS: &[&str] = &[
    "Studies show, and experts agree, that {} helps. ",
    "Experts agree, and studies show, that {} helps. ",
    "It is well known, as research has shown, that {} helps. ",
    "Scientists say and many studies prove that {} is right. ",
    "Zorblax Quimby opened the {} wing. ",
    "It has {} boats. ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // req: S4-026
    #[test]
    fn a_footnote_tells_of_the_same_finding_however_it_is_cut(
        picks in prop::collection::vec(0..APPEALS.len(), 1..5),
        size in 1..40_usize,
    ) {
        let text: String = picks.iter().map(|pick| APPEALS[*pick].replace("{}", "rest")).collect();
        let whole = drive(guarded(noted()), &[&text], usize::MAX);
        let parts = drive(guarded(noted()), &[&text], size);
        prop_assert_eq!(whole.released, parts.released);
    }
}

// req: S4-026
#[test]
fn answers_of_one_word_leave_as_they_are() {
    let monitor = groundwire_core::monitor::Monitor::builder()
        .build()
        .expect("monitor");
    for text in [
        "1992.", "Yes.", "No.", "Yes", "42", "In 1987.", "Ja.", "OK!", "A", "…",
    ] {
        for (size, policy) in [1, 2, 90]
            .into_iter()
            .flat_map(|n| [(n, noted()), (n, Policy::default())])
        {
            let context = groundwire_core::session::Context::new(&monitor, &[], &[], None);
            let guard = Guard::with_policy(Session::new(&monitor, context), policy);
            let done = drive(guard, &[text], size);
            assert_eq!(done.released, text);
            assert!(done.report().report.findings.is_empty(), "{text}");
        }
    }
}
