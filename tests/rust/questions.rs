//! What an answer is told of where only the question names the thing, its attribute or the case.

use serde_json::Value as Json;

use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::Status;

use crate::qualified::over;

fn replaced(base: &Json, history: &Json, question: &str, text: &str) -> Vec<Option<String>> {
    let monitor = over(base.as_array().expect("records"));
    let turns = history.as_array().map_or(&[][..], Vec::as_slice).iter();
    let part = |turn: &Json, at: usize| turn[at].as_str().expect("text").to_owned();
    let history: Vec<_> = turns.map(|turn| (part(turn, 0), part(turn, 1))).collect();
    let context = Context::new(&monitor, &[], &history, Some(question));
    let mut session = Session::new(&monitor, context);
    session.push_text(text, Push::default()).expect("read");
    session.finish().expect("finished");
    let found = session.report().findings.into_iter();
    found
        .filter(|finding| finding.status == Status::Contradicted)
        .map(|finding| finding.replacement)
        .collect()
}

// req: S0-007 S0-062 X-12
#[test]
fn a_value_is_held_against_the_base_where_the_question_asks_for_the_base_s() {
    let questions = include_str!("../vectors/questions.json");
    let others = include_str!("../vectors/other_things.json");
    let alike = include_str!("../vectors/another_of_kind.json");
    let own = include_str!("../vectors/own_attributes.json");
    let replies = include_str!("../vectors/replies.json");
    let mut wrong = Vec::new();
    for vectors in [questions, others, alike, own, replies] {
        let vectors: Json = serde_json::from_str(vectors).expect("vectors");
        for case in vectors["asked"].as_array().expect("cases") {
            let text = |name: &str| case[name].as_str();
            let (asked, said) = (text("question").expect("text"), text("text").expect("text"));
            let found = replaced(&vectors["base"], &case["history"], asked, said);
            let wanted: Vec<_> = text("right")
                .map(|t| Some(t.to_owned()))
                .into_iter()
                .collect();
            if found != wanted {
                wrong.push((asked.to_owned(), said.to_owned(), found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
