//! Judges a whole text against a small knowledge base and one passage:
//! `cargo run -p groundwire-core --example check`, or with a text of your own as the argument.

#![allow(clippy::print_stdout)]

use std::sync::{Arc, RwLock};

use groundwire_core::error::Result;
use groundwire_core::kb::{KnowledgeBase, Record, Value};
use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Push, Session};

const PASSAGE: &str = "The Harbour Museum has 45 employees and is closed on Mondays. Admission \
    costs 12 euros.";
const ANSWER: &str = "The Harbour Museum was founded in 1992. It has 60 employees. Studies show \
    that visitors stay 40 % longer. Admission costs 12 euros.";

fn main() -> Result<()> {
    // Examples may read their arguments; the core itself never does.
    #[allow(clippy::disallowed_methods)]
    let given = std::env::args().nth(1);
    let answer = given.unwrap_or_else(|| ANSWER.to_owned());

    let mut kb = KnowledgeBase::new();
    kb.upsert(Record::named("Harbour Museum").fact("founded", Value::infer("1987")))?;
    let monitor = Monitor::builder().kb(Arc::new(RwLock::new(kb))).build()?;

    let evidence = [("leaflet".to_owned(), PASSAGE.to_owned())];
    let context = Context::new(&monitor, &evidence, &[], None);
    let mut session = Session::new(&monitor, context);
    session.push_text(&answer, Push::default())?;
    session.finish()?;

    let report = session.report();
    for finding in &report.findings {
        println!(
            "{:>6} {:<28} {:?}\n       {}",
            finding.tier.as_str(),
            finding.kind,
            finding.text,
            finding.message.render(false)
        );
        if let Some(replacement) = &finding.replacement {
            println!("       instead: {replacement}");
        }
    }
    println!(
        "{} findings in {} claims; tier {}",
        report.findings.len(),
        report.stats.claims,
        report.tier.as_str()
    );
    Ok(())
}
