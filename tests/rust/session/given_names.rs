//! Bare given names where a person is meant, and their look-alikes.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::{KnowledgeBase, Record, World};
use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};
use groundwire_core::types::{Finding, Status, Tier};
use serde_json::Value as Json;

use super::findings;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../../vectors/given_names.json")).expect("vectors")
}

fn monitor(closed: bool) -> Monitor {
    let mut kb = KnowledgeBase::new();
    for name in vectors()["entities"].as_array().expect("entities") {
        kb.upsert(Record::named(name.as_str().expect("name")))
            .unwrap();
    }
    kb.set_world(World {
        closed,
        ..World::default()
    });
    Monitor::builder()
        .kb(Arc::new(RwLock::new(kb)))
        .build()
        .unwrap()
}

fn given(monitor: &Monitor, text: &str, question: Option<&str>, pieces: bool) -> Vec<Finding> {
    let mut session = Session::new(monitor, Context::new(monitor, &[], &[], question));
    if pieces {
        for c in text.chars() {
            session.push_text(&c.to_string(), Push::default()).unwrap();
        }
    } else {
        session.push_text(text, Push::default()).unwrap();
    }
    session.finish().unwrap();
    let mut found = findings(&session);
    found.retain(|f| f.kind == "dialogue.nonexistent_entity");
    found
}

// req: S0-006 S0-013
#[test]
fn names_and_their_look_alikes() {
    let (vectors, monitor) = (vectors(), monitor(false));
    let mut wrong = Vec::new();
    for text in vectors["flagged"].as_array().expect("flagged") {
        let text = text.as_str().expect("text");
        let found = given(&monitor, text, None, false);
        let [finding] = found.as_slice() else {
            wrong.push(format!("{text}: {} findings", found.len()));
            continue;
        };
        let span = finding.span.expect("span");
        assert_eq!(&text[span.start..span.end], finding.text);
        assert!(
            ["Sarah", "Jennifer", "Kevin", "Brian"].contains(&&*finding.text),
            "{text}"
        );
        if finding.tier != Tier::Low || finding.status != Status::Unverifiable {
            wrong.push(format!("{text}: {:?} {:?}", finding.tier, finding.status));
        }
        assert_eq!(found, given(&monitor, text, None, true), "{text}");
    }
    for text in vectors["silent"].as_array().expect("silent") {
        let text = text.as_str().expect("text");
        for finding in given(&monitor, text, None, false) {
            wrong.push(format!("{text}: {}", finding.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// req: S0-013
#[test]
fn a_closed_base_says_more_and_the_question_excuses() {
    let text = "You should contact Sarah from the Analytics team.";
    let found = given(&monitor(true), text, None, false);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].status, Status::NotInContext);
    assert!(found[0].tier > Tier::Low, "{:?}", found[0].tier);
    let asked = Some("Is Sarah back in the office?");
    assert!(given(&monitor(true), text, asked, false).is_empty());
    // Nothing to know names from: nothing said.
    let blank = Monitor::builder().build().unwrap();
    assert!(given(&blank, text, None, false).is_empty());
}

#[test]
fn it_is_reported_at_the_word() {
    let monitor = monitor(false);
    let mut session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
    session
        .push_text("You should contact Sarah in", Push::default())
        .unwrap();
    session.push_text(" ", Push::default()).unwrap();
    assert_eq!(findings(&session).len(), 1);
}
