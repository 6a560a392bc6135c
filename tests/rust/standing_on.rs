//! What an answer may stand on beside the passages' own words: the knowledge base, arithmetic, and
//! nothing at all where the writer speaks of himself.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::Monitor;
use groundwire_core::session::{Context, Report};
use groundwire_core::types::{Status, Tier};
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces, passages, texts};

fn report(case: &Json, text: &str, step: usize) -> Report {
    let builder = base_of(case["kb"].as_array().into_iter().flatten());
    let kb = Arc::new(RwLock::new(builder.build().expect("built")));
    let mut monitor = Monitor::builder();
    if case["kb"].is_array() {
        monitor = monitor.kb(kb);
    }
    let monitor = monitor.build().expect("monitor");
    let evidence = passages(&case["evidence"]);
    let context = Context::new(&monitor, &evidence, &[], case["question"].as_str());
    in_pieces(&monitor, context, text, step)
}

fn shown(report: &Report) -> Vec<String> {
    let show = |f: &groundwire_core::types::Finding| {
        format!(
            "{:?} {} {:?} {:.2}",
            f.tier, f.kind, f.text, f.p_hallucinated
        )
    };
    report.findings.iter().map(show).collect()
}

fn loud(report: &Report) -> bool {
    report.findings.iter().any(|f| f.tier >= Tier::Medium)
}

// req: S0-005 S0-013 S0-053 S4-020
#[test]
fn other_grounds_than_the_passages_words() {
    let vectors: Json =
        serde_json::from_str(include_str!("../vectors/standing_on.json")).expect("vectors");
    let mut wrong = Vec::new();
    for case in vectors["cases"].as_array().expect("cases") {
        let mut expect = |list: &str, right: &dyn Fn(&Report) -> bool| {
            for text in texts(&case[list]) {
                let whole = report(case, text, usize::MAX);
                if !right(&whole) {
                    let standing: Vec<_> = whole.claim_status.values().collect();
                    wrong.push(format!("{list} {text:?}: {:?} {standing:?}", shown(&whole)));
                }
                for step in [1, 7] {
                    if shown(&report(case, text, step)) != shown(&whole) {
                        wrong.push(format!("cuts of {step} matter: {text:?}"));
                    }
                }
            }
        };
        expect("quiet", &|report| !loud(report));
        expect("loud", &loud);
        expect("supported", &|report| {
            let standing = report.claim_status.values();
            !loud(report) && standing.clone().all(|s| *s == Status::Supported)
        });
        expect("noted", &|report| {
            let follows =
                |f: &groundwire_core::types::Finding| f.extra.contains_key("follows_from");
            !loud(report) && report.findings.iter().any(follows)
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of the numbers that a passage of ten does not have, hardly one follows from them by chance.
#[test]
fn a_wrong_number_seldom_follows() {
    // req: S0-053
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |from: u64, to: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        from + seed % (to - from)
    };
    let (mut all, mut missed) = (0, 0);
    for _ in 0..40 {
        let passage = format!(
            "The hall was built in {} and enlarged in {}. It has {} rooms and {} seats. A ticket \
             costs ${}, a tour ${}. The tower is {} metres high and the nave {} metres long. In \
             {} the roof burned, and {} tiles were laid.",
            next(1700, 1850),
            next(1850, 1990),
            next(12, 60),
            next(200, 900),
            next(5, 30),
            next(31, 90),
            next(40, 120),
            next(20, 39),
            next(1991, 2020),
            next(2_000, 9_000),
        );
        let case = serde_json::json!({"evidence": [passage]});
        for text in [
            format!("The hall has {} rooms.", next(61, 400)),
            format!("A tour costs ${}.", next(91, 900)),
            format!("The tower is {} metres high.", next(121, 600)),
            format!("The roof burned in {}.", next(2021, 2090)),
            format!("The hall was enlarged after {} years.", next(2, 290)),
        ] {
            all += 1;
            missed += u32::from(!loud(&report(&case, &text, usize::MAX)));
        }
    }
    assert!(missed * 20 <= all, "{missed} of {all} wrong numbers passed");
}
