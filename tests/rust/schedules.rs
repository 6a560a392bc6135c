//! Days of the week on which something is open, against evidence and a knowledge base.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::Monitor;
use groundwire_core::profile::Profile;
use groundwire_core::session::{Context, Report};
use groundwire_core::types::{Finding, Status};
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces, passages, texts};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/schedules.json")).expect("vectors")
}

fn read(case: &Json, text: &str, step: usize) -> Report {
    let mut builder = Monitor::builder().profiles(vec![Profile::dialogue(), Profile::stream()]);
    if let Some(records) = case["kb"].as_array() {
        let base = base_of(records).build().expect("built");
        builder = builder.kb(Arc::new(RwLock::new(base)));
    }
    let monitor = builder.build().expect("monitor");
    let evidence = passages(&case["evidence"]);
    in_pieces(&monitor, Context::new(&monitor, &evidence, &[], None), text, step)
}

fn shown(found: &[Finding]) -> Vec<String> {
    let show = |f: &Finding| format!("{} {} {:?} {:?}", f.kind, f.rule, f.text, f.replacement);
    found.iter().map(show).collect()
}

// req: S0-008 S4-020
#[test]
fn days_that_sources_have_otherwise_and_days_they_have() {
    let mut wrong = Vec::new();
    for case in vectors()["cases"].as_array().expect("cases") {
        let kind = if case["kb"].is_array() {
            "dialogue.contradicts_fact"
        } else {
            "stream.contradicts_evidence"
        };
        let pairs = case["wrong"].as_array().expect("pairs");
        let wrongs = pairs.iter().map(|pair| pair[0].as_str().expect("text"));
        let all = wrongs.chain(texts(&case["right"])).chain(texts(&case["silent"]));
        for text in all {
            let whole = read(case, text, usize::MAX);
            for step in [1, 7] {
                if read(case, text, step).findings != whole.findings {
                    wrong.push(format!("cuts of {step} matter: {text:?}"));
                }
            }
        }
        for pair in pairs {
            let text = pair[0].as_str().expect("text");
            let report = read(case, text, usize::MAX);
            let own: Vec<&Finding> = (report.findings.iter())
                .filter(|f| f.status == Status::Contradicted)
                .collect();
            let fits = matches!(own.as_slice(), [one] if one.kind == kind && one.rule == "schedule"
                && one.replacement.as_deref() == pair[1].as_str() && !one.evidence.is_empty());
            let supported = report.claim_status.values().any(|s| *s == Status::Supported);
            if !fits || supported {
                wrong.push(format!("wrong {text:?}: {:?}", shown(&report.findings)));
            }
        }
        for text in texts(&case["right"]) {
            let report = read(case, text, usize::MAX);
            let supported = report.claim_status.values().all(|s| *s == Status::Supported);
            if !report.findings.is_empty() || !supported {
                let standing = &report.claim_status;
                wrong.push(format!("right {text:?}: {:?} {standing:?}", shown(&report.findings)));
            }
        }
        for text in texts(&case["silent"]) {
            let found = read(case, text, usize::MAX).findings;
            if found.iter().any(|f| f.rule == "schedule") {
                wrong.push(format!("silent {text:?}: {:?}", shown(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
