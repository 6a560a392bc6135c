//! Appeals to research wait for how the next sentence begins.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::Finding;

use super::findings;

/// Appeals found in `text`, which comes in pieces of `size` bytes.
fn appeals(text: &str, size: usize) -> Vec<Finding> {
    let monitor = Monitor::builder().build().expect("monitor");
    let mut session = Session::new(&monitor, Context::default());
    for piece in text.as_bytes().chunks(size) {
        session.push_bytes(piece, Push::default()).expect("pushed");
    }
    session.finish().expect("finished");
    assert_eq!(session.open_source(), None, "settled at the end: {text}");
    let mut found = findings(&session);
    found.retain(|f| f.kind == "stream.unsourced_authority");
    found
}

const TEXTS: [(&str, usize); 10] = [
    (
        "Research shows that practice helps. The weather was fine.",
        1,
    ),
    ("Research shows that practice helps", 1),
    ("Research shows that practice helps.\n\n- One\n- Two\n", 1),
    (
        "Research shows that practice helps. For years it rained.",
        1,
    ),
    (
        "Research shows that practice helps. For example, it rained.",
        1,
    ),
    ("Research shows that practice helps. For", 1),
    (
        "Studies show that it helps. Experts agree that it helps. So it is.",
        2,
    ),
    (
        "Research shows that practice helps. For example, Lind (2003) saw it.",
        0,
    ),
    (
        "Studies show that it helps. E.g. Marlow found that mice learn. So it is.",
        0,
    ),
    ("Studies show that it helps. Source: Tolman Institute.", 0),
];

#[test]
fn cuts_do_not_matter() {
    for (text, count) in TEXTS {
        let whole = appeals(text, text.len());
        assert_eq!(whole.len(), count, "{text}: {whole:?}");
        for size in [1, 2, 3, 5, 7, 11] {
            assert_eq!(appeals(text, size), whole, "{text} in pieces of {size}");
        }
    }
}

// req: S4-018
#[test]
fn evidence_of_something_else_is_no_source() {
    let over = |text: &str, evidence: &str| {
        let monitor = Monitor::builder().build().expect("monitor");
        let passages = [("e".to_owned(), evidence.to_owned())];
        let context = Context::new(&monitor, &passages, &[], None);
        let mut session = Session::new(&monitor, context);
        session.push_text(text, Push::default()).expect("pushed");
        session.finish().expect("finished");
        let mut found = findings(&session);
        found.retain(|f| f.kind == "stream.unsourced_authority");
        !found.is_empty()
    };
    for (text, evidence, told) in [
        ("Research shows that it works.", "Zebras graze.", true),
        ("Studies show that it helps people.", "Zebras graze.", true),
        (
            "Studies show that most visitors like it.",
            "Zebras graze.",
            true,
        ),
        (
            "Studies show that 45% of visitors like it.",
            "The ferry takes 45 minutes.",
            true,
        ),
        ("Studies show that zebras graze.", "Zebras graze.", false),
        (
            "Studies show that kelp grows up to 60 cm a day.",
            "Kelp grows up to 60 cm a day.",
            false,
        ),
    ] {
        assert_eq!(over(text, evidence), told, "{text} of {evidence}");
    }
}

#[test]
fn most_are_decided_by_one_word() {
    let text = "Research shows that practice helps. The weather was fine that day.";
    let found = appeals(text, 1);
    assert_eq!(
        found[0].decided_at,
        "Research shows that practice helps. The ".len()
    );
    let text = "Research shows that practice helps. For example, it was fine. So";
    let found = appeals(text, 1);
    assert_eq!(found[0].decided_at, text.len() - 1);
}

#[test]
fn rolling_back_is_never_having_been() {
    let monitor = Monitor::builder().build().expect("monitor");
    let (first, second) = (
        "Research shows that practice helps. F",
        "or example, Lind (2003) saw it. So",
    );
    let mut session = Session::new(&monitor, Context::default());
    session.push_text(first, Push::default()).expect("pushed");
    assert_eq!(session.open_source(), Some(0));
    session.push_text(second, Push::default()).expect("pushed");
    assert_eq!(session.open_source(), None);
    session.rollback(1).expect("rolled back");
    assert_eq!(session.open_source(), Some(0));
    session
        .push_text("ew know it. So", Push::default())
        .expect("pushed");
    let kinds: Vec<String> = findings(&session).into_iter().map(|f| f.kind).collect();
    assert!(
        kinds.contains(&"stream.unsourced_authority".to_owned()),
        "{kinds:?}"
    );
}

#[test]
fn who_says_it_is_a_source() {
    for text in [
        "The minister said there is strong evidence that the law works.",
        "Her lawyer argued that there is mounting evidence of fraud.",
        "According to the spokesman, there is growing evidence that it was arson.",
        "He said there is ample evidence that it helps.",
        "The inspector has also reported that there are many studies showing this.",
        "Anna Brandt said there is growing evidence that he lied.",
        "Surveys show, in work by Gallup published in 2019, that trust fell.",
        "Research shows that, in a 2020 paper by Lindqvist, sleep matters.",
    ] {
        assert_eq!(appeals(text, text.len()), [], "{text}");
        assert_eq!(appeals(text, 1), [], "{text}");
    }
    for text in [
        "There is a growing body of evidence that tea lowers stress.",
        "There's a large body of research showing that tea lowers stress.",
        "A growing body of evidence suggests that tea lowers stress.",
        "Some people say there is growing evidence that tea lowers stress.",
        "Experts say there is growing evidence that tea lowers stress.",
        "It is said that there is growing evidence that tea lowers stress.",
        "An expert said there is strong evidence that tea helps.",
        "According to experts, there is strong evidence that tea helps.",
        "They say there is strong evidence that tea helps.",
    ] {
        let whole = appeals(text, text.len());
        assert!(!whole.is_empty(), "{text}");
        assert_eq!(appeals(text, 1), whole, "{text}");
    }
}
