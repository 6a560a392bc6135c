//! Answers of a "yes" or "no", and those that name what the question asks about.

use serde_json::Value as Json;

use groundwire_core::session::{Context, Push, Report, Session};
use groundwire_core::types::Status;

use crate::qualified::over;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/polar.json")).expect("vectors")
}

fn report(base: &Json, question: &str, text: &str, step: usize) -> Report {
    let monitor = over(base.as_array().expect("records"));
    let context = Context::new(&monitor, &[], &[], Some(question));
    let mut session = Session::new(&monitor, context);
    for piece in text.as_bytes().chunks(step) {
        session.push_bytes(piece, Push::default()).expect("read");
    }
    session.finish().expect("finished");
    session.report()
}

// req: S0-007 S0-062 X-12
#[test]
fn a_yes_is_judged_as_the_sentence_that_it_stands_for() {
    let vectors = vectors();
    let mut wrong = Vec::new();
    for case in vectors["asked"].as_array().expect("cases") {
        let text = |name: &str| case[name].as_str().expect("text");
        let (asked, said) = (text("question"), text("text"));
        let whole = report(&vectors["base"], asked, said, usize::MAX);
        let cut = report(&vectors["base"], asked, said, 1);
        assert_eq!(whole.findings, cut.findings, "{said}");
        let found = whole.findings.into_iter();
        let found: Vec<Json> = found
            .filter(|finding| finding.status == Status::Contradicted)
            .map(|finding| finding.replacement.map_or(Json::Null, Json::from))
            .collect();
        if Json::from(found.clone()) != case["found"] {
            wrong.push((asked.to_owned(), said.to_owned(), found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
