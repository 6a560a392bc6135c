//! Tests of the reading for changed details and of what a stream makes of it.

use groundwire_core::evidence::{Class, DETAIL_NAMES, Detail, DetailScorer, detail_feature};
use groundwire_core::lexicon::antonyms::antonyms;
use groundwire_core::monitor::{Monitor, Settings};
use groundwire_core::profile::Profile;
use groundwire_core::session::{Context, Entry, Push, Session};
use groundwire_core::types::{Finding, Tier};

use crate::reading::{self, Told};

const NEWS: &str = "Bayern Munich beat Borussia Dortmund 1-0 on Saturday. Robert Lewandowski \
    scored the goal in the first half. Dortmund coach Jurgen Klopp criticised the referee after \
    the match. The council voted to increase the budget for local schools by 12 percent. Mayor \
    Anna Keller opened the new library on Monday.";

/// The words of each sentence, read against a passage.
fn details(text: &str, evidence: &str, question: &str) -> Vec<Vec<Detail>> {
    let mut out = Vec::new();
    reading::read(text, evidence, question, |told, tracker, against| {
        if matches!(told, Told::Sentence(_)) {
            out.push(tracker.details(against));
        }
    });
    out
}

fn p(text: &str) -> f64 {
    let details = details(text, NEWS, "").pop().expect("a sentence");
    DetailScorer::english().doubt(&details).expect("words").p
}

fn value(text: &str, word: &str, feature: usize) -> f64 {
    details(text, NEWS, "")
        .iter()
        .flatten()
        .find(|d| &text[d.span.start..d.span.end] == word)
        .unwrap_or_else(|| panic!("{word} is judged"))
        .values[feature]
}

// req: S0-049
#[test]
fn an_edit_scores_worse_than_the_original() {
    for (original, edited) in [
        (
            "Bayern Munich beat Borussia Dortmund 1-0.",
            "Bayern Munich beat Hoffenheim 1-0.",
        ),
        (
            "Robert Lewandowski scored the goal in the first half.",
            "Jurgen Klopp scored the goal in the first half.",
        ),
        (
            "The council voted to increase the budget for schools.",
            "The council voted to decrease the budget for schools.",
        ),
        (
            "The council voted to increase the budget by 12 percent.",
            "The council voted to increase the budget by 15 percent.",
        ),
        (
            "Anna Keller opened the new library on Monday.",
            "She opened the new library on Monday.",
        ),
        (
            "Klopp criticised the referee after the match.",
            "Klopp did not criticise the referee after the match.",
        ),
    ] {
        assert!(
            p(edited) > p(original) * 1.2,
            "{edited}: {} {}",
            p(edited),
            p(original)
        );
    }
}

// req: S0-049
#[test]
fn words_are_looked_up_where_they_stand() {
    use detail_feature as f;
    let swapped = "The council voted to decrease the budget for schools.";
    assert_eq!(value(swapped, "decrease", f::novel), 1.0);
    assert_eq!(value(swapped, "decrease", f::opposite), 1.0);
    assert!(value(swapped, "decrease", f::opposite_context) > 0.5);
    assert_eq!(value(swapped, "decrease", f::slot_opposite), 1.0);
    assert_eq!(value(swapped, "budget", f::novel), 0.0);
    let moved = "Anna Keller criticised the referee after the match.";
    assert_eq!(value(moved, "Anna", f::elsewhere), 1.0);
    assert_eq!(value(moved, "referee", f::elsewhere), 0.0);
    assert_eq!(value(moved, "Keller", f::after_far), 1.0);
    let turned = "Borussia Dortmund beat Bayern Munich.";
    assert_eq!(value(turned, "beat", f::before_turned), 1.0);
    assert_eq!(value(turned, "beat", f::after_turned), 1.0);
    let same = "Bayern Munich beat Borussia Dortmund.";
    assert_eq!(value(same, "beat", f::before_turned), 0.0);
    assert_eq!(value(same, "beat", f::paired), 1.0);
    let denied = "Klopp never criticised the referee.";
    assert!(value(denied, "never", f::denied) > 0.5);
}

// req: S0-049
#[test]
fn a_pronoun_needs_something_to_point_at() {
    use detail_feature as f;
    let first = |text: &str, question: &str| details(text, NEWS, question)[0][0];
    let alone = first("She opened the library.", "");
    assert_eq!(alone.class, Class::Pronoun);
    assert_eq!(
        (alone.values[f::opening], alone.values[f::unnamed]),
        (1.0, 1.0)
    );
    // A question says what it is about, and so does a sentence before.
    assert_eq!(
        first("She opened the library.", "Who is Anna Keller?").values[f::opening],
        0.0
    );
    let later = &details("Anna Keller spoke. She opened the library.", NEWS, "")[1][0];
    assert_eq!(
        (later.values[f::opening], later.values[f::unnamed]),
        (0.0, 0.0)
    );
}

// req: S0-049
#[test]
fn a_name_is_one_thing_and_a_verb_is_no_other_word() {
    use detail_feature as f;
    // What stands around a name counts, not that its parts stand beside each other.
    let swapped = "Jurgen Klopp scored the goal in the first half.";
    assert_eq!(value(swapped, "Jurgen", f::paired), 0.0);
    assert_eq!(value(swapped, "Klopp", f::after_far), 1.0);
    let kept = "Robert Lewandowski scored the goal.";
    assert_eq!(value(kept, "Robert", f::paired), 1.0);
    assert_eq!(value(kept, "Lewandowski", f::paired), 1.0);
    let class = |text: &str, word: &str| {
        details(text, NEWS, "")
            .iter()
            .flatten()
            .find(|d| &text[d.span.start..d.span.end] == word)
            .map(|d| d.class)
    };
    // A first word that a dictionary has too is a name before another, or where the evidence says so.
    let rose = "Rose Keller opened the library.";
    assert_eq!(class(rose, "Rose"), Some(Class::Name));
    assert_eq!(class("Mayor Keller opened it.", "Mayor"), Some(Class::Name));
    assert_eq!(class("Schools opened late.", "Schools"), Some(Class::Word));
    assert_eq!(class("It sang.", "sang"), Some(Class::Verb));
    assert_eq!(class("She works here.", "works"), Some(Class::Verb));
    assert_eq!(class("Of the works he spoke.", "works"), Some(Class::Word));
}

// req: S0-049
#[test]
fn what_is_denied_here_and_there_is_compared() {
    use detail_feature as f;
    let rules = "The ferry does not run on Sundays. Tickets are sold on board. She is the captain.";
    let of = |text: &str, word: &str, feature: usize| {
        let read = details(text, rules, "");
        let found = read
            .iter()
            .flatten()
            .find(|d| &text[d.span.start..d.span.end] == word);
        found.unwrap_or_else(|| panic!("{word} is judged")).values[feature]
    };
    let dropped = "The ferry can run on Sundays.";
    assert_eq!(of(dropped, "run", f::undenied), 1.0);
    assert_eq!(of(dropped, "ferry", f::undenied), 0.0);
    let kept = "The ferry does not run on Sundays.";
    assert_eq!(of(kept, "run", f::undenied), 0.0);
    assert_eq!(of(kept, "not", f::denies_said), 0.0);
    let added = "Tickets are not sold on board.";
    assert_eq!(of(added, "not", f::denies_said), 1.0);
    assert!(of("The ferry left when he came.", "he", f::other_gender) > 0.6);
    assert!(of("The ferry left when she came.", "she", f::other_gender) < 0.4);
    assert_eq!(
        of("The ferry left when it was full.", "it", f::other_gender),
        0.0
    );
}

// req: S0-049
#[test]
fn words_that_stand_there_in_this_order_are_copied() {
    use detail_feature as f;
    let copied = |text: &str, word: &str| {
        [f::copied_3, f::copied_5, f::copied_8].map(|feature| value(text, word, feature))
    };
    let text = "Reports say the council voted to increase the budget for schools.";
    assert_eq!(copied(text, "Reports"), [0.0; 3]);
    assert_eq!(copied(text, "council"), [1.0; 3]);
    assert_eq!(copied(text, "budget"), [1.0; 3]);
    assert_eq!(copied(text, "schools"), [0.0; 3]);
    // One changed word parts the run on both sides of it.
    let text = "The council voted to cut the budget for local schools.";
    assert_eq!(copied(text, "voted"), [1.0, 0.0, 0.0]);
    assert_eq!(copied(text, "cut"), [0.0; 3]);
    assert_eq!(copied(text, "local"), [1.0, 1.0, 0.0]);
    assert_eq!(copied("The mayor voted.", "voted"), [0.0; 3]);
}

// req: S0-049
#[test]
fn a_capital_that_opens_something_makes_no_name() {
    let class = |text: &str, word: &str| {
        details(text, NEWS, "")
            .iter()
            .flatten()
            .find(|d| &text[d.span.start..d.span.end] == word)
            .unwrap_or_else(|| panic!("{word} is judged"))
            .class
    };
    for (text, word) in [
        ("Step 2: Preheat the oven.", "Preheat"),
        ("Sleep better: Avoid coffee.", "Avoid"),
        ("Here is how:\n\n1. Wake up early.", "Wake"),
        ("1. Open Print Manager.", "Open"),
        ("He said: \"Remove the lid.\"", "Remove"),
        ("The engineer-turned-TV-host spoke.", "engineer"),
    ] {
        assert_ne!(class(text, word), Class::Name, "{text}");
    }
    for (text, word) in [
        ("The winner: Lewandowski.", "Lewandowski"),
        ("The coach (Klopp) spoke.", "Klopp"),
        ("The council: Anna Keller opened it.", "Anna"),
        ("They sell the iPhone here.", "iPhone"),
        ("The engineer-turned-TV-host spoke.", "TV"),
    ] {
        assert_eq!(class(text, word), Class::Name, "{text}");
    }
}

#[test]
fn weights_run_in_the_direction_of_their_meaning() {
    let scorer = DetailScorer::english();
    for (class, name) in Class::JUDGED {
        let zero = Detail {
            span: groundwire_core::types::Span::new(0, 1),
            class,
            values: [0.0; DETAIL_NAMES.len()],
        };
        let base = scorer.score(&zero).expect("judged");
        for (at, feature) in DETAIL_NAMES.iter().enumerate() {
            let mut one = zero;
            one.values[at] = 1.0;
            let part = scorer.score(&one).expect("judged") - base;
            match *feature {
                "base" | "opens" => {}
                "novel_related" | "paired" | "copied_3" | "copied_5" | "copied_8" => {
                    assert!(part <= 0.0, "{name} {feature}");
                }
                _ => assert!(part >= 0.0, "{name} {feature}"),
            }
        }
    }
}

#[test]
fn a_broken_weights_file_is_refused_by_its_line() {
    for (table, line) in [
        ("shift\tx\n", "line 1"),
        ("# fine\nweight\tname\tnovelty\t1\n", "line 2"),
        ("weight\tadverb\tnovel\t1\n", "line 1"),
        ("weight\tname\tnovel\tNaN\n", "line 1"),
        ("weight\tname\tnovel\n", "line 1"),
    ] {
        let error = DetailScorer::parse(table).expect_err(table);
        assert!(error.to_string().contains(line), "{error}");
    }
}

#[test]
fn antonyms_are_pairs_of_words() {
    assert!(antonyms().len() > 1500);
    assert!(antonyms().contains(&("decrease", "increase")));
    assert!(antonyms().iter().all(|(one, two)| one < two));
}

fn found(text: &str, threshold: f64, evidence: &[(String, String)]) -> Vec<Finding> {
    let monitor = Monitor::builder()
        .profiles(vec![Profile::stream()])
        .settings(Settings {
            detail_threshold: threshold,
            ..Settings::default()
        })
        .build()
        .expect("a monitor");
    let mut session = Session::new(&monitor, Context::new(&monitor, evidence, &[], None));
    session.push_text(text, Push::default()).expect("open");
    session.finish().expect("finished");
    session
        .log_since(0)
        .filter_map(|entry| match entry {
            Entry::Finding { finding, .. } => Some((**finding).clone()),
            _ => None,
        })
        .filter(|f| f.kind == "stream.altered_detail")
        .collect()
}

// req: S0-049
#[test]
fn a_stream_reports_the_word_when_its_sentence_closes() {
    let evidence = [("news".to_owned(), NEWS.to_owned())];
    let text = "The council voted to decrease the budget for local schools by 12 percent.";
    let said = found(text, 0.0, &evidence);
    assert_eq!(said.len(), 1, "{said:?}");
    let finding = &said[0];
    let span = finding.span.expect("span");
    assert_eq!(&text[span.start..span.end], "decrease");
    assert_eq!(finding.text, "decrease");
    assert!(finding.decided_at >= text.len());
    assert!(finding.tier < Tier::High, "an absence never interrupts");
    assert_eq!(finding.detected["class"], "verb");
    assert!(finding.detected["parts"].is_object());
    assert!(
        finding.evidence[0]
            .text
            .starts_with("The council voted to increase")
    );
    assert!(found(text, 0.0, &[]).is_empty());
    assert!(
        found(
            "Did the council vote to decrease the budget?",
            0.0,
            &evidence
        )
        .is_empty()
    );
    // What the evidence says word for word stays silent at the shipped setting.
    assert!(found(NEWS, Settings::default().detail_threshold, &evidence).is_empty());
}

// req: S0-049
#[test]
fn a_pronoun_adds_doubt_and_is_never_the_reason() {
    let evidence = [("news".to_owned(), NEWS.to_owned())];
    let p_of = |text: &str| found(text, 0.0, &evidence)[0].p_hallucinated;
    let named = "Anna Keller opened the new library on Monday.";
    let opened = "He opened the new library on Monday.";
    assert!(p_of(opened) > p_of(named));
    assert!(found(opened, 0.3, &evidence).is_empty());
    let said = found(opened, 0.0, &evidence);
    let span = said[0].span.expect("span");
    assert_ne!(&opened[span.start..span.end], "He");
}

#[test]
fn an_endless_sentence_is_read_to_a_limit() {
    let words = "council budget schools library ".repeat(400);
    let read = details(&words, NEWS, "");
    assert!(read.iter().all(|sentence| sentence.len() <= 160));
}
