//! What each action does to the answer.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use serde_json::{Value as Json, json};

use crate::reading::base_of;

use super::*;

const WRONG: &str = "The Harbour Museum was founded in 1992. It is closed on Mondays.";

fn free(medium: Action) -> Policy {
    Policy {
        medium,
        ..Policy::default()
    }
}

#[test]
fn a_wrong_value_is_corrected() {
    // req: S4-029
    for size in [1, 3, 4, 7, 80] {
        let done = drive(
            guarded(Policy::default()),
            &[WRONG, ". It is closed on Mondays."],
            size,
        );
        assert_eq!(
            done.released, "The Harbour Museum was founded in 1987. It is closed on Mondays.",
            "pieces of {size}"
        );
        assert_eq!(done.did(Action::Correct), 1);
        let report = done.report();
        assert!(report.interventions[0].retracted.starts_with("1992"));
        assert_eq!(report.interventions[0].inserted, "1987");
        assert_eq!(report.report.text, done.released);
    }
}

#[test]
fn a_certainty_marker_is_replaced_not_doubled() {
    // req: S4-029
    let policy = Policy {
        high: Action::Hedge,
        critical: Action::Hedge,
        ..Policy::default()
    };
    let text = "I know that Zorblax Quimby opened the wing. It is closed on Mondays.";
    let done = drive(
        guarded(policy),
        &[text, " the wing was opened. It is closed on Mondays."],
        4,
    );
    if done.did(Action::Hedge) == 0 {
        // An open world caps an unknown name below medium; evidence lifts it to a hedge.
        panic!("no hedge: {:?}", done.guard.interventions());
    }
    assert_eq!(
        done.released,
        "I believe that the wing was opened. It is closed on Mondays."
    );
}

#[test]
fn no_hedge_inside_a_quotation() {
    let policy = free(Action::Hedge);
    let text = "Ada Lind says: “It is old. Zorblax Quimby opened the wing. It is small.” \
        It is closed on Mondays.";
    let done = drive(guarded(policy), &[text, " it is closed."], 4);
    for hedge in done
        .guard
        .interventions()
        .iter()
        .filter(|i| i.action == Action::Hedge)
    {
        assert!(!hedge.retracted.starts_with("Zorblax"), "{hedge:?}");
    }
    assert!(
        !done.released.contains("know, Zorblax"),
        "{}",
        done.released
    );
}

#[test]
fn discard_releases_nothing_more_and_says_what_is_missing() {
    // req: S4-028
    let policy = Policy {
        medium: Action::Discard,
        high: Action::Discard,
        ..Policy::default()
    };
    let text = "It is closed on Mondays. Zorblax Quimby opened the wing. It has 45 employees.";
    let done = drive(guarded(policy.clone()), &[text], 4);
    assert_eq!(done.stopped, StopReason::Discarded);
    assert!(!done.released.contains("opened"), "{}", done.released);
    assert!(
        done.released.contains("Zorblax Quimby"),
        "names what is missing: {}",
        done.released
    );
    assert!(done.released.contains(&phrases().limitation_help));
    // In token mode what was sent stays, and the statement follows.
    let done = drive(
        guarded(Policy {
            release: Release::Token,
            ..policy
        }),
        &[text],
        4,
    );
    assert_eq!(done.stopped, StopReason::Discarded);
    assert!(done.released.contains(&phrases().limitation_help));
    assert!(!done.released.contains("45 employees"));
}

#[test]
fn a_statement_names_the_attribute_that_the_base_has_otherwise() {
    // req: S4-028 S4-029
    let discard = Policy {
        medium: Action::Discard,
        high: Action::Discard,
        critical: Action::Discard,
        ..Policy::default()
    };
    let cases = [
        (
            "The population of Skerrowick is 9,400.",
            "the population of Skerrowick",
            "9,400",
        ),
        (
            "Skerrowick has 9,400 inhabitants.",
            "the population of Skerrowick",
            "9,400",
        ),
        (
            "Skerrowick has 31 hotels.",
            "the number of hotels of Skerrowick",
            "31",
        ),
        (
            "The mayor of Skerrowick is Bo Marsh.",
            "the mayor of Skerrowick",
            "Bo Marsh",
        ),
        (
            "The CEO of Skerrowick is Bo Marsh.",
            "the CEO of Skerrowick",
            "Bo Marsh",
        ),
    ];
    for (wrong, named, value) in &cases {
        // Not sure enough to be put right.
        let known = |value: Json| json!({"value": value, "confidence": 0.8});
        let town = json!({"name": "Skerrowick", "type": "town", "attributes": {
            "population": known(json!(4900)),
            "hotels": known(json!(13)),
            "mayor": known(json!("Ada Lind")),
            "ceo": known(json!("Ada Lind")),
        }});
        let kb = base_of([&town]).build().expect("built");
        let monitor = Monitor::builder().kb(Arc::new(RwLock::new(kb)));
        let monitor = monitor.build().expect("monitor");
        let context = Context::new(&monitor, &[], &[], None);
        let guard = Guard::with_policy(Session::new(&monitor, context), discard.clone());
        let text = format!("Skerrowick lies by the sea. {wrong} It is small.");
        let done = drive(guard, &[&text, " It is small."], 5);
        assert!(done.released.contains(named), "{wrong}: {}", done.released);
        assert!(!done.released.contains(value), "{wrong}: {}", done.released);
    }
}

#[test]
fn a_statement_says_what_sort_of_value_is_missing_and_keeps_the_mark_of_a_list() {
    // req: S4-028 S4-029
    let policy = Policy {
        medium: Action::Interrupt,
        high: Action::Interrupt,
        ..Policy::default()
    };
    for (wrong, named, value) in [
        ("The museum has 14 towers.", "the number", "14"),
        ("The museum cost €40 million.", "the amount", "40"),
        ("The museum was painted on 3 May 1999.", "the date", "May"),
        ("The museum was sold in 1999.", "the year", "1999"),
    ] {
        let text = format!("It is closed on Mondays. {wrong} It has 45 employees.");
        let done = drive(
            guarded(policy.clone()),
            &[&text, " It has 45 employees."],
            4,
        );
        assert!(done.released.contains(named), "{wrong}: {}", done.released);
        assert!(!done.released.contains(value), "{wrong}: {}", done.released);
    }
    let text = "Facts:\n- It is closed on Mondays.\n- Zorblax Quimby opened the wing.\n";
    let done = drive(guarded(policy), &[text, ""], 4);
    assert!(
        done.released.contains("\n- ") && done.released.matches("\n- ").count() == 2,
        "{}",
        done.released
    );
}

#[test]
fn an_interruption_may_end_the_answer() {
    let policy = Policy {
        medium: Action::Interrupt,
        after_interrupt: AfterInterrupt::Stop,
        ..Policy::default()
    };
    let text = "It is closed on Mondays. Zorblax Quimby opened the wing. It has 45 employees.";
    let done = drive(guarded(policy), &[text], 4);
    assert_eq!(done.stopped, StopReason::Interrupted);
    assert!(
        done.released.starts_with("It is closed on Mondays. "),
        "{}",
        done.released
    );
    assert!(!done.released.contains("opened"), "{}", done.released);
}

#[test]
fn too_many_interventions_end_honestly() {
    // req: S4-028
    let policy = Policy {
        medium: Action::Interrupt,
        max_interventions: 3,
        ..Policy::default()
    };
    let texts = [
        " Zorblax Quimby opened the wing. It is closed on Mondays.",
        " Wexel Tramm painted the wing. It is closed on Mondays.",
        " Ovid Brankle sold the wing. It is closed on Mondays.",
    ];
    let done = drive(
        guarded(policy),
        &[texts[0], texts[1], texts[2], texts[0]],
        4,
    );
    assert_eq!(done.stopped, StopReason::Exhausted);
    assert_eq!(done.rewinds, 3);
    assert!(
        done.released.ends_with(&phrases().exhausted),
        "{}",
        done.released
    );
    assert!(!done.released.contains("the wing"), "{}", done.released);
}

#[test]
fn a_claim_written_again_behind_its_statement_ends_the_answer() {
    let policy = Policy {
        medium: Action::Interrupt,
        ..Policy::default()
    };
    let text = " Zorblax Quimby opened the wing. It is closed on Mondays.";
    for size in [1, 4, 80] {
        let done = drive(guarded(policy.clone()), &[text], size);
        assert_eq!(done.stopped, StopReason::Exhausted);
        assert_eq!(done.rewinds, 1);
        assert_eq!(
            done.released.trim_start(),
            format!(
                "{} {}",
                phrases().unverified[0].replace("{what}", "“Zorblax Quimby”"),
                phrases().exhausted
            )
        );
    }
}

#[test]
fn two_statements_in_a_row_are_not_alike() {
    let policy = Policy {
        high: Action::Interrupt,
        ..Policy::default()
    };
    let mut guard = guarded(policy);
    guard.ask_about_claims();
    let mut said = String::new();
    for text in ["It is red. It", " It is blue. It", " It is green. It"] {
        let (_, mut out) = guard.push_text(text, Push::default(), 0).unwrap();
        let asked = guard
            .session()
            .log_since(0)
            .filter_map(|entry| match entry {
                Entry::Claim { claim, .. } => Some(claim.clone()),
                _ => None,
            });
        let claim = asked.last().expect("a claim");
        let no = Verdict {
            status: Status::Contradicted,
            p0: None,
            p1: None,
            reason: "asked".into(),
        };
        guard.session_mut().resolve(&claim.id, no).unwrap();
        guard.answered(&claim.id);
        out.extend(guard.poll(0));
        for directive in out {
            if let Directive::Rewind { text, .. } = directive {
                guard.push_text(&text, FORCED, 0).unwrap();
                said.push_str(&text);
            }
        }
    }
    assert_eq!(
        said,
        format!(
            "{} {} {}",
            phrases().unverified_plain,
            phrases().unverified_next,
            phrases().unverified_plain
        )
    );
}

#[test]
fn what_waits_for_a_source_leaves_no_earlier_where_the_source_is_taken_back() {
    let appeal = "There are many studies that show that penguins play chess.";
    let source = "One study by Zorblax Quimby opened the wing. It is so.";
    let policy = Policy {
        medium: Action::Interrupt,
        ..Policy::default()
    };
    let goes_on = " It is closed on Mondays. It has 45 employees.";
    let done = drive(
        guarded(policy),
        &[&format!("{appeal} {source}"), goes_on],
        4,
    );
    assert_eq!(done.did(Action::Interrupt), 2, "{}", done.released);
    assert!(
        !done.released.contains("studies that show"),
        "{}",
        done.released
    );
}

#[test]
fn token_mode_releases_at_once_and_appends() {
    // req: S4-028
    let policy = Policy {
        release: Release::Token,
        ..Policy::default()
    };
    let mut guard = guarded(policy.clone());
    let (_, out) = guard.push_text("The Harbour", Push::default(), 0).unwrap();
    assert_eq!(
        out,
        vec![Directive::Release {
            text: "The Harbour".into()
        }]
    );
    let done = drive(guarded(policy), &[WRONG, " It is closed on Mondays."], 4);
    assert!(
        done.released
            .starts_with("The Harbour Museum was founded in 1992.")
    );
    assert!(
        done.released.contains("Correction: 1987, not 1992"),
        "{}",
        done.released
    );
    assert!(done.guard.interventions()[0].already_sent);
}

#[test]
fn response_mode_holds_until_the_end() {
    let policy = Policy {
        release: Release::Response,
        ..Policy::default()
    };
    let done = drive(guarded(policy), &[WRONG, ". It is closed on Mondays."], 4);
    assert_eq!(done.releases.len(), 1);
    assert_eq!(
        done.released,
        "The Harbour Museum was founded in 1987. It is closed on Mondays."
    );
}

#[test]
fn a_removed_claim_is_left_out() {
    let text = "It is closed on Mondays. Zorblax Quimby opened the wing. It has 45 employees.";
    let done = drive(guarded(free(Action::Remove)), &[text], 4);
    assert_eq!(done.did(Action::Remove), 1);
    assert!(!done.released.contains("Quimby"), "{}", done.released);
    assert!(done.released.contains("45 employees"), "{}", done.released);
    assert!(
        done.report().report.text.contains("Quimby"),
        "the text itself stays"
    );
}

#[test]
fn where_all_is_removed_the_reader_is_told_so() {
    let wrong = "Zorblax Quimby opened the wing.";
    for text in [wrong.to_owned(), format!("{wrong} {wrong}\n")] {
        for done in removing(&text) {
            let said = done.released.trim();
            assert!(said.starts_with("I can't give a reliable answer"), "{said}");
            assert!(said.ends_with('.'), "{said}");
            assert!(
                !said.contains("opened") && !said.contains("Quimby"),
                "{said}"
            );
            // No answer is left: whoever reads the reason takes the statement for none.
            assert_eq!(done.report().stopped, Some(StopReason::Discarded));
        }
    }
}

/// What becomes of a text of which doubtful claims are removed, in both modes that hold it and at several cuts.
fn removing(text: &str) -> Vec<Outcome> {
    let modes = [Release::Claim, Release::Response];
    let each = modes.into_iter().flat_map(|release| {
        let policy = Policy {
            release,
            ..free(Action::Remove)
        };
        [1, 4, 400].map(|size| drive(guarded(policy.clone()), &[text], size))
    });
    each.collect()
}

#[test]
fn no_space_is_left_where_a_removed_claim_stood() {
    let wrong = "Zorblax Quimby opened the wing.";
    for (text, left) in [
        (
            format!("It is closed on Mondays. {wrong} It is big."),
            "It is closed on Mondays. It is big.",
        ),
        (format!("{wrong} It is big."), "It is big."),
        (format!("It is big. {wrong}"), "It is big."),
        (
            format!("{wrong} {wrong} It is big. {wrong} {wrong} It is old."),
            "It is big. It is old.",
        ),
    ] {
        for done in removing(&text) {
            assert_eq!(done.released, left);
        }
    }
}

#[test]
fn marks_stand_after_their_claim() {
    let text = "It is closed on Mondays. Zorblax Quimby opened the wing. It has 45 employees.";
    let policy = Policy {
        annotation: Annotation::Inline,
        ..free(Action::Annotate)
    };
    let done = drive(guarded(policy.clone()), &[text], 4);
    assert!(done.released.contains("the wing. ["), "{}", done.released);
    assert_eq!(done.released.matches('[').count(), 1, "{}", done.released);
    let policy = Policy {
        annotation: Annotation::Footnote,
        ..policy
    };
    let done = drive(guarded(policy), &[text], 4);
    assert!(
        done.released.contains("the wing.[^note-1] It"),
        "{}",
        done.released
    );
    assert!(done.released.contains("\n[^note-1]: "), "{}", done.released);
}

#[test]
fn an_annotation_survives_a_rewrite_after_it() {
    let policy = Policy {
        annotation: Annotation::Footnote,
        low: Action::Annotate,
        medium: Action::Annotate,
        ..Policy::default()
    };
    let text = "Zorblax Quimby opened the wing. The Harbour Museum was founded in 1992.";
    for size in [1, 4, 9] {
        let done = drive(guarded(policy.clone()), &[text, "."], size);
        assert_eq!(done.did(Action::Correct), 1);
        assert_eq!(
            done.released.matches("[^note-1]:").count(),
            1,
            "{}",
            done.released
        );
        assert!(!done.released.contains("[^note-2]"), "{}", done.released);
    }
}

#[test]
fn a_lead_in_is_no_end_of_an_answer() {
    // req: S4-029
    let hedges = Policy {
        medium: Action::Hedge,
        high: Action::Hedge,
        ..Policy::default()
    };
    let text = "It is closed on Mondays. Zorblax Quimby opened the wing. It has 45 employees.";
    for size in [1, 4, 90] {
        for rest in ["", ".", " …"] {
            // Behind its lead-in the model says nothing.
            let done = drive(guarded(hedges.clone()), &[text, rest, ""], size);
            assert_eq!(
                done.did(Action::Hedge),
                1,
                "{:?}",
                (
                    &done.released,
                    done.report()
                        .report
                        .findings
                        .iter()
                        .map(|f| (f.kind.clone(), f.tier, f.decided_at))
                        .collect::<Vec<_>>()
                )
            );
            let lead = &done.guard.interventions()[0].inserted;
            assert!(
                !done.released.contains(lead.as_str()),
                "{lead:?} stayed in {:?}",
                done.released
            );
            assert!(
                done.released.starts_with("It is closed on Mondays. ")
                    && done.released.contains("“Zorblax Quimby”"),
                "{:?}",
                done.released
            );
            assert_eq!(done.did(Action::Interrupt), 1);
        }
        // What follows a lead-in keeps it.
        let done = drive(
            guarded(hedges.clone()),
            &[text, " the wing was opened by somebody."],
            size,
        );
        assert_eq!(done.did(Action::Interrupt), 0);
        assert!(done.released.ends_with("the wing was opened by somebody."));
    }
}

#[test]
fn text_the_reader_has_is_neither_released_nor_rewritten() {
    let monitor = monitor();
    for (lead, said, right) in [
        (
            "The Harbour Museum was founded in",
            " 1992. It is closed on Mondays.",
            " 1987. It is closed on Mondays.",
        ),
        (
            "Come in. The Harbour Museum was",
            " founded in 1992. It is closed on Mondays.",
            " founded in 1987. It is closed on Mondays.",
        ),
    ] {
        for size in [1, 3, 90] {
            let mut session = Session::new(&monitor, context(&monitor));
            session.push_text(lead, FORCED).unwrap();
            let guard = Guard::with_policy(session, Policy::default());
            let done = drive(guard, &[said, ". It is closed on Mondays."], size);
            assert_eq!(done.released, right, "pieces of {size}");
            let kept: String = done.kept.iter().map(|(text, _)| text.as_str()).collect();
            assert_eq!(
                kept, right,
                "what is kept counts from the guard's first push"
            );
        }
    }
}

#[test]
fn marks_and_notes_stand_apart_from_what_follows() {
    let annotated = |annotation| Policy {
        release: Release::Token,
        annotation,
        medium: Action::Annotate,
        high: Action::Annotate,
        ..Policy::default()
    };
    let text = "Zorblax Quimby opened the wing. It is closed on Mondays. Come in.";
    for size in [1, 2, 3, 7, 90] {
        let done = drive(guarded(annotated(Annotation::Inline)), &[text], size);
        let mark = &phrases().inline_unverified;
        assert!(
            done.released.contains(&format!("wing. {mark} It is")),
            "{:?}",
            done.released
        );
        let done = drive(guarded(annotated(Annotation::Footnote)), &[text], size);
        let joined = done.released.contains("[^note-1]It") || done.released.contains("  ");
        assert!(
            done.released.contains("[^note-1] It is") && !joined,
            "{:?}",
            done.released
        );
    }
}

pub(super) fn over_evidence(policy: Policy, evidence: &str) -> Guard {
    let monitor = groundwire_core::monitor::Monitor::builder()
        .build()
        .expect("monitor");
    let evidence = [("manual".to_owned(), evidence.to_owned())];
    let context = groundwire_core::session::Context::new(&monitor, &evidence, &[], None);
    Guard::with_policy(Session::new(&monitor, context), policy)
}

const MANUAL: &str = "The kiln has a red switch. Hold the switch for 10 seconds. The club house is \
    open to all members.";

/// The first of the cases ask, or tell to do.
const STATE_NOTHING: usize = 10;

/// What asks, tells to do, quotes or labels takes no opening.
#[test]
fn no_hedge_before_what_states_nothing() {
    // req: S4-029
    let cases = [
        "1. Unplug the kiln and wait 40 seconds.",
        "Then wait 25 minutes.",
        "Wait 25 minutes and check every shelf.",
        "Please bring 45 euros.",
        "Shall I walk you through all 14 steps?",
        "Have you tried waiting 40 seconds?",
        "Did you know that the club house has 16 looms?",
        "Let me know if it takes more than 25 minutes!",
        "Is Orla Quist the treasurer?",
        "Ask Orla Quist about it.",
        "> The club house has 16 looms.",
        "> It is old. The club house has 16 looms.",
        "**Looms:** 16\n",
        "- **Looms:** 16\n- **Shelves:** 4,000\n",
        "Looms: 16\n",
        "Tip: Wait 25 minutes.",
        "2. Screw the lid on with 16 turns.",
        "2. Unscrew the lid with 16 turns.",
    ];
    for (at, text) in cases.into_iter().enumerate() {
        // A note behind a label's value, or behind a quotation, may stand there.
        let releases = if at < STATE_NOTHING {
            &[Release::Claim, Release::Token][..]
        } else {
            &[Release::Claim]
        };
        for &release in releases {
            let policy = Policy {
                release,
                annotation: Annotation::Metadata,
                ..Policy::default()
            };
            let done = drive(over_evidence(policy, MANUAL), &[text, text], 4);
            assert_eq!(done.did(Action::Hedge), 0, "{text}: {}", done.released);
            assert_eq!(done.released, text);
        }
    }
    let text = "The club house has 16 looms.";
    let done = drive(
        over_evidence(Policy::default(), MANUAL),
        &[text, " the club house has 16 looms."],
        4,
    );
    assert_eq!(done.did(Action::Hedge), 1, "{}", done.released);
}

#[test]
fn an_instructions_wrong_number_is_put_right_in_place() {
    let text = "Hold the switch for 40 seconds.";
    let done = drive(over_evidence(Policy::default(), MANUAL), &[text, "."], 4);
    assert_eq!(done.released, "Hold the switch for 10 seconds.");
}

/// A finding about the sentence leaves the naming to those about its words.
#[test]
fn what_is_missing_is_named_by_what_was_found_in_the_claim() {
    // req: S4-028 S4-029
    let evidence = "The mill opened in 1990. Its founder wrote several books about flour.";
    let text = "Its founder Orla Quist wrote 19 books.";
    for action in [Action::Interrupt, Action::Discard] {
        let done = drive(over_evidence(free(action), evidence), &[text, ""], 4);
        assert!(
            done.released.contains("“Orla Quist”"),
            "{action:?}: {}",
            done.released
        );
    }
}

#[test]
fn a_value_in_small_letters_has_a_capital_where_it_begins_its_sentence() {
    // req: S4-029
    let record = json!({"name": "Harbour Museum", "attributes": {"owner": "the city council"}});
    for (lead, size) in [("", 4), ("- ", 4), ("1. ", 80)] {
        let kb = base_of([&record]).build().expect("built");
        let monitor = Monitor::builder().kb(Arc::new(RwLock::new(kb)));
        let monitor = monitor.build().expect("monitor");
        let session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
        let done = drive(
            Guard::with_policy(session, Policy::default()),
            &[
                &format!("{lead}A private foundation owns the Harbour Museum. It is old."),
                " owns the Harbour Museum. It is old.",
            ],
            size,
        );
        let right = format!("{lead}The city council owns the Harbour Museum. It is old.");
        assert_eq!(done.released, right);
    }
}

#[test]
fn what_is_missing_keeps_the_article_of_the_text() {
    // req: S4-028
    let record = json!({"name": "Tessaly Bridge", "attributes": {"architect": "Oswin Harke"}});
    let says = [
        (
            "The Tessaly Bridge was not designed by Oswin Harke.",
            "the architect of the Tessaly Bridge",
        ),
        (
            "Tessaly Bridge was not designed by Oswin Harke.",
            "the architect of Tessaly Bridge",
        ),
        (
            "The Tessaly Bridge's architect is not Oswin Harke.",
            "the architect of the Tessaly Bridge",
        ),
        (
            "The famous Tessaly Bridge was not designed by Oswin Harke.",
            "the architect of the Tessaly Bridge",
        ),
        (
            "The Corvane Robotics CEO is not Mara Lund.",
            "the CEO of Corvane Robotics",
        ),
    ];
    let company = json!({"name": "Corvane Robotics", "attributes": {"ceo": "Mara Lund"}});
    for (text, what) in says {
        let kb = base_of([&record, &company]).build().expect("built");
        let monitor = Monitor::builder().kb(Arc::new(RwLock::new(kb)));
        let monitor = monitor.build().expect("monitor");
        let session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
        let done = drive(Guard::with_policy(session, Policy::default()), &[text], 4);
        assert!(done.released.contains(what), "{}", done.released);
    }
}

#[test]
fn what_the_base_has_otherwise_is_not_said_to_have_no_source() {
    // req: S4-028
    let records = [
        json!({"name": "Tessaly Bridge", "attributes": {"architect": "Oswin Harke"}}),
        json!({"name": "Corvane Robotics", "attributes": {"ceo": "Mara Lund"}}),
        json!({"name": "Lorn Museum", "attributes": {"director": "Ada Holt"}}),
    ];
    let kb = base_of(&records).build().expect("built");
    let monitor = Monitor::builder().kb(Arc::new(RwLock::new(kb)));
    let monitor = monitor.build().expect("monitor");
    let session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
    let denied = [
        "The Tessaly Bridge was not designed by Oswin Harke.",
        " The CEO of Corvane Robotics is not Mara Lund.",
        " The director of the Lorn Museum is not Ada Holt.",
    ];
    let policy = Policy {
        high: Action::Interrupt,
        critical: Action::Interrupt,
        max_interventions: 8,
        ..Policy::default()
    };
    let done = drive(
        Guard::with_policy(session, policy),
        &[&denied.concat(), &denied[1..].concat(), denied[2], ""],
        4,
    );
    let said = &done.released;
    assert!(
        !said.contains("no source") && !said.contains("confirms"),
        "{said}"
    );
    for what in ["Tessaly Bridge", "Corvane Robotics", "Lorn Museum"] {
        assert_eq!(said.matches(what).count(), 1, "{said}");
    }
    assert!(said.contains("my source says about the CEO"), "{said}");
}

#[test]
fn the_same_words_do_not_stand_twice_running() {
    // req: S4-028
    let monitor = Monitor::builder().build().expect("monitor");
    let session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
    let policy = Policy {
        medium: Action::Interrupt,
        max_interventions: 8,
        ..Policy::default()
    };
    let appeals = [
        "Studies show that 40 % of guests come back.",
        " Research shows that 60 % of them stay longer.",
    ];
    let done = drive(
        Guard::with_policy(session, policy),
        &[&appeals.concat(), appeals[1], ""],
        4,
    );
    let said = &done.released;
    assert_eq!(said.matches("I know of no study").count(), 1, "{said}");
    assert!(said.contains("Nor could I verify"), "{said}");
}
