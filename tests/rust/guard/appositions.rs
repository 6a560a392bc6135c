//! Appositions that are wrong and left out.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::{KnowledgeBase, Record, Value};
use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;

use super::*;

fn held() -> Guard {
    let mut kb = KnowledgeBase::new();
    let fact = Value::Text("Ole Fisk".into());
    kb.upsert(Record::named("Norvale").fact("mayor", fact))
        .expect("a record");
    let monitor = Monitor::builder()
        .kb(Arc::new(RwLock::new(kb)))
        .build()
        .expect("a monitor");
    let context = Context::new(&monitor, &[], &[], None);
    Guard::with_policy(Session::new(&monitor, context), Policy::default())
}

/// A model that goes on as it did would write again what was left out: it gets the next word too.
#[test]
fn what_stands_behind_an_apposition_that_is_left_out_comes_with_the_name() {
    // req: S4-034
    let text = "Jens Holt, the mayor of Norvale, opened the fair. It was fun.";
    for size in [1, 4, 400] {
        let done = drive(held(), &[text, " the fair. It was fun."], size);
        assert_eq!(done.released, "Jens Holt opened the fair. It was fun.");
        assert_eq!((done.rewinds, done.did(Action::Correct)), (1, 1));
    }
    // A value that is exchanged comes alone.
    let text = "The mayor of Norvale is Jens Holt. It was fun.";
    let done = drive(held(), &[text, ". It was fun."], 4);
    assert_eq!(
        done.released,
        "The mayor of Norvale is Ole Fisk. It was fun."
    );
}
