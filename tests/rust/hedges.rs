//! What a hedge holds back, and what only sounds like one.

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Claim, Modality};
use serde_json::Value as Json;

use crate::reading::in_pieces;

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/hedges.json")).expect("vectors")
}

fn claims(monitor: &Monitor, text: &str) -> Vec<Claim> {
    let context = Context::new(monitor, &[], &[], None);
    in_pieces(monitor, context, text, usize::MAX).claims
}

// req: S0-016 S0-026
#[test]
fn an_ordinary_word_is_no_hedge() {
    let (vectors, monitor) = (vectors(), Monitor::builder().build().expect("monitor"));
    let mut wrong = Vec::new();
    for (class, right) in [
        ("asserted", Modality::Asserted),
        ("hedged", Modality::Hedged),
    ] {
        for text in vectors[class].as_array().expect("texts") {
            let text = text.as_str().expect("text");
            let said: Vec<Modality> = claims(&monitor, text).iter().map(|c| c.modality).collect();
            if said.is_empty() || said.iter().any(|own| *own != right) {
                wrong.push(format!("{text} {said:?}, not {class}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// req: S0-016
#[test]
fn a_hedge_holds_back_its_own_clause() {
    let (vectors, monitor) = (vectors(), Monitor::builder().build().expect("monitor"));
    let mut wrong = Vec::new();
    let cases = ["split", "opened"].map(|class| vectors[class].as_array().expect("cases"));
    for case in cases.into_iter().flatten() {
        let (text, value) = (
            case[0].as_str().expect("text"),
            case[1].as_str().expect("value"),
        );
        let claims = claims(&monitor, text);
        let own = |claim: &&Claim| claim.object.as_ref().is_none_or(|o| o.contains(value));
        let put = claims.iter().filter(own).map(|claim| claim.modality);
        if !put.clone().any(|said| said == Modality::Asserted) {
            let all = claims.iter().map(|c| (&c.object, c.modality));
            wrong.push(format!("{text} {:?}", all.collect::<Vec<_>>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
