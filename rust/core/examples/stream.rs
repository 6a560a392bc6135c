//! Guards a stream: a made-up model writes piece by piece, and the guard says what the reader
//! gets: `cargo run -p groundwire-core --example stream`.
//!
//! The "model" here is a table: it looks at how the text ends and writes on from there. A real one
//! is cut back to `keep` tokens after a rewind, and fed the forced text as tokens.

#![allow(clippy::print_stdout)]

use std::sync::{Arc, RwLock};

use groundwire_core::error::Result;
use groundwire_core::guard::{Directive, Guard};
use groundwire_core::kb::{KnowledgeBase, Record, Value};
use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};

/// What the made-up model writes after a text that ends so; the first row that fits counts.
const MODEL: [(&str, &str); 9] = [
    ("Museum", " was"),
    ("was", " founded"),
    ("founded", " in"),
    (" in", " 1992"),
    ("2", ". "),
    ("7", ". "),
    (". ", "It"),
    ("It", " is open."),
    ("open.", ""),
];

fn main() -> Result<()> {
    let mut kb = KnowledgeBase::new();
    kb.upsert(Record::named("Harbour Museum").fact("founded", Value::infer("1987")))?;
    let monitor = Monitor::builder().kb(Arc::new(RwLock::new(kb))).build()?;
    let context = Context::new(
        &monitor,
        &[],
        &[],
        Some("When was the Harbour Museum founded?"),
    );
    let mut guard = Guard::new(Session::new(&monitor, context));

    let mut now_ms = 0;
    while guard.stopped().is_none() {
        now_ms += 20;
        let text = guard.session().text();
        let piece = MODEL.iter().find(|(end, _)| text.ends_with(end));
        let piece = piece.map_or("The Harbour Museum", |(_, piece)| piece);
        let directives = if piece.is_empty() {
            guard.finish(now_ms)?
        } else {
            println!("model   {piece:?}");
            guard.push_text(piece, Push::default(), now_ms)?.1
        };
        carry_out(&mut guard, directives, now_ms)?;
    }

    println!("reader got: {}", guard.released());
    for done in guard.interventions() {
        println!(
            "{}: took back {:?}, wrote {:?}",
            done.action.as_str(),
            done.retracted,
            done.inserted
        );
    }
    Ok(())
}

/// Does what the guard says; forced text comes back through the guard, marked as such.
fn carry_out(guard: &mut Guard, directives: Vec<Directive>, now_ms: u64) -> Result<()> {
    for directive in directives {
        match directive {
            Directive::Release { text } => println!("release {text:?}"),
            Directive::Rewind { keep, text } => {
                println!("rewind  to {keep} pushes, then {text:?}");
                let forced = Push {
                    forced: true,
                    ..Push::default()
                };
                let (_, next) = guard.push_text(&text, forced, now_ms)?;
                carry_out(guard, next, now_ms)?;
            }
            Directive::Wait => println!("wait"),
            Directive::Stop { reason } => println!("stop    {}", reason.as_str()),
        }
    }
    Ok(())
}
