//! Before which claims an opening is put, and which have one.

use serde_json::Value as Json;

use super::actions::over_evidence;
use super::*;

const EVIDENCE: &str = "The club house is open to all members. The kiln has a red switch.";

fn vectors() -> Json {
    serde_json::from_str(include_str!("../../vectors/hedges.json")).expect("vectors")
}

fn hedging() -> Policy {
    Policy {
        low: Action::Hedge,
        medium: Action::Hedge,
        high: Action::Hedge,
        critical: Action::Hedge,
        annotation: Annotation::Metadata,
        ..Policy::default()
    }
}

/// What becomes of a text behind which, once it is hedged, the model says what it said.
fn told(text: &str, again: &str) -> Outcome {
    drive(over_evidence(hedging(), EVIDENCE), &[text, again], 4)
}

#[test]
fn a_claim_with_an_ordinary_word_is_hedged_and_one_held_back_is_not() {
    // req: S4-029
    let vectors = vectors();
    let texts = |class: &str| -> Vec<String> {
        let all = vectors[class].as_array().expect("texts").iter();
        all.map(|one| one.as_str().or(one[0].as_str()).expect("text").to_owned())
            .collect()
    };
    let mut wrong = Vec::new();
    for text in texts("asserted").into_iter().chain(texts("split")) {
        let done = told(&text, &format!(" {text}"));
        if done.did(Action::Annotate) > 0 && done.did(Action::Hedge) == 0 {
            wrong.push(format!("plain: {}", done.released));
        }
    }
    for text in texts("hedged").into_iter().chain(texts("opened")) {
        let done = told(&text, &format!(" {text}"));
        if done.did(Action::Hedge) > 0 {
            wrong.push(format!("doubled: {}", done.released));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let plain = "Zelda Quorn wrote a book about trees in 1963.";
    assert_eq!(told(plain, &format!(" {plain}")).did(Action::Hedge), 1);
}

#[test]
fn an_opening_is_not_doubled_and_certainty_is_softened() {
    // req: S4-029
    let vectors = vectors();
    let said = vectors["said"].as_str().expect("said");
    let mut wrong = Vec::new();
    for opening in vectors["kept"].as_array().expect("openings") {
        let text = format!("{} {said}", opening.as_str().expect("opening"));
        let done = told(&text, &format!(" {said}"));
        if done.did(Action::Hedge) > 0 || done.released != text {
            wrong.push(done.released);
        }
    }
    for pair in vectors["softened"].as_array().expect("pairs") {
        let [sure, softer] = [0, 1].map(|at| pair[at].as_str().expect("opening"));
        let done = told(&format!("{sure} {said}"), &format!(" {said}"));
        if done.released != format!("{softer} {said}") {
            wrong.push(done.released);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_the_model_says_behind_a_hedge_reads_on() {
    // req: S4-029
    let vectors = vectors();
    let said = vectors["said"].as_str().expect("said");
    let plain = format!("T{}", &said[1..]);
    let mut wrong = Vec::new();
    for pair in vectors["joined"].as_array().expect("pairs") {
        let [again, read] = [0, 1].map(|at| pair[at].as_str().expect("text"));
        for size in [1, 5, 400] {
            for release in [Release::Claim, Release::Response] {
                let policy = Policy {
                    release,
                    ..hedging()
                };
                let (first, next) = (format!("{plain} So it is."), format!("{again} So it is."));
                let done = drive(
                    over_evidence(policy, EVIDENCE),
                    &[&first, &next, " So it is."],
                    size,
                );
                let whole = format!("As far as I know,{read} So it is.");
                if done.released != whole || done.did(Action::Hedge) != 1 {
                    wrong.push(format!("{size}: {}", done.released));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Of a hedge that ends in "that" too.
    let sure = format!("I know that {said}");
    for again in [
        format!(" that {said}"),
        format!(" I know that {said}"),
        format!(" T{}", &said[1..]),
    ] {
        let done = drive(over_evidence(hedging(), EVIDENCE), &[&sure, &again, ""], 4);
        assert_eq!(done.released, format!("I believe that {said}"));
        // What the reader has is what the session followed.
        assert_eq!(done.released, done.guard.session().text());
    }
    let done = told(&sure, " that annex was built by Zelda Quorn in 1963.");
    assert_eq!(
        done.released,
        "I believe that that annex was built by Zelda Quorn in 1963."
    );
}

#[test]
fn a_statement_is_hedged_behind_its_label_or_list_mark() {
    // req: S4-029
    let vectors = vectors();
    let said = vectors["said"].as_str().expect("said");
    let statement = format!("T{}", &said[1..]);
    let mut wrong = Vec::new();
    for label in vectors["behind"].as_array().expect("labels") {
        let label = label.as_str().expect("label");
        let done = told(&format!("{label}{statement}"), &format!(" {said}"));
        if done.released != format!("{label}As far as I know, {said}") {
            wrong.push(done.released);
        }
    }
    for value in vectors["values"].as_array().expect("values") {
        let text = value.as_str().expect("value");
        let done = told(text, text);
        if done.did(Action::Hedge) > 0 || done.released != text {
            wrong.push(done.released);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// req: S4-029 S4-018
#[test]
fn a_claim_that_appeals_to_nobody_is_not_hedged_before_that_is_known() {
    let evidence = "The Harbour Museum has 60 employees. It is closed on Mondays.";
    let policy = || Policy {
        annotation: Annotation::Metadata,
        ..Policy::default()
    };
    let appeal = "Studies show that 40 % of guests come back. The museum is closed on Mondays.";
    let sourced =
        "Studies show that 40 % of guests come back. For example, Ericsson (1993) counted them.";
    for size in (1..50).chain([400]) {
        let again = " The museum is closed on Mondays.";
        let done = drive(over_evidence(policy(), evidence), &[appeal, again], size);
        assert_eq!(
            (done.did(Action::Hedge), done.did(Action::Interrupt)),
            (0, 1),
            "{size}: {}",
            done.released
        );
        assert!(!done.released.contains("40"), "{size}: {}", done.released);
        // With its source in the next sentence, the number alone is doubtful.
        let again = format!(" {sourced}");
        let done = drive(
            over_evidence(policy(), evidence),
            &[sourced, &again, &again, &again],
            size,
        );
        let first = done.guard.interventions().first().map(|done| done.action);
        assert_eq!(first, Some(Action::Hedge), "{size}: {}", done.released);
        assert!(
            done.released
                .to_lowercase()
                .contains("studies show that 40"),
            "{size}: {}",
            done.released
        );
    }
    // At the end of an answer nothing more is waited for.
    let done = drive(
        over_evidence(policy(), evidence),
        &["Studies show that 40 % of guests come back.", ""],
        3,
    );
    assert_eq!(done.did(Action::Interrupt), 1, "{}", done.released);
}
