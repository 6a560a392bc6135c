//! Answers of many forms to questions of many forms: which values are held against the base.

use serde_json::Value as Json;

use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::Status;

use crate::qualified::over;
use crate::reading::texts;

/// An answer to the question, in the form.
fn filled(form: &str, asked: &Json, value: &str) -> String {
    let text = |name: &str| asked[name].as_str().expect("text");
    let mut value = value.to_owned();
    let mut attribute = text("attribute").replace('_', " ");
    let raise = |word: &mut String| {
        let first = word.remove(0).to_uppercase().to_string();
        word.insert_str(0, &first);
    };
    if form.trim_start_matches("**").starts_with("{V}") {
        raise(&mut value);
    }
    if form.trim_start_matches("- ").starts_with("**{A}") {
        raise(&mut attribute);
    }
    form.replace("{V}", &value)
        .replace("{A}", &attribute)
        .replace("{E}", text("thing"))
}

fn contradicted(monitor: &Monitor, question: &str, text: &str) -> bool {
    let context = Context::new(monitor, &[], &[], Some(question));
    let mut session = Session::new(monitor, context);
    session.push_text(text, Push::default()).expect("read");
    session.finish().expect("finished");
    let findings = session.report().findings;
    (findings.iter()).any(|finding| finding.status == Status::Contradicted)
}

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/question_forms.json")).expect("vectors")
}

// req: S0-007 S0-062 X-12
#[test]
fn an_answer_of_any_form_is_held_against_what_was_asked_for() {
    let vectors = vectors();
    let monitor = over(vectors["base"].as_array().expect("records"));
    let forms = texts(&vectors["forms"]);
    let (mut alarms, mut unlike) = (Vec::new(), Vec::new());
    for asked in vectors["asked"].as_array().expect("cases") {
        let value = |name: &str| asked[name].as_str().expect("text");
        for question in texts(&asked["questions"]) {
            let left = &vectors["open"][question];
            let left = left.as_array().map_or(&[][..], Vec::as_slice);
            for form in &forms {
                let right = filled(form, asked, value("right"));
                if contradicted(&monitor, question, &right) {
                    alarms.push((question.to_owned(), right));
                }
                let wrong = filled(form, asked, value("wrong"));
                let open = left.iter().any(|own| own == form);
                if contradicted(&monitor, question, &wrong) == open {
                    unlike.push((question.to_owned(), wrong));
                }
            }
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
    assert!(unlike.is_empty(), "{unlike:#?}");
}

// req: S0-007 X-12
#[test]
fn an_answer_to_another_question_is_not() {
    let vectors = vectors();
    let monitor = over(vectors["base"].as_array().expect("records"));
    let mut alarms = Vec::new();
    for case in vectors["beside"].as_array().expect("cases") {
        let (question, value) = (
            case[0].as_str().expect("text"),
            case[1].as_str().expect("text"),
        );
        for form in ["{V}", "{V}.", "It's {V}.", "The answer is {V}."] {
            let text = form.replace("{V}", value);
            if contradicted(&monitor, question, &text) {
                alarms.push((question.to_owned(), text));
            }
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}
