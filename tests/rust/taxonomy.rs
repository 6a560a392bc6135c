//! The dialogue's taxonomy end to end: its examples, their mutations and their look-alikes.

use std::sync::{Arc, RwLock};

use groundwire_core::kb::World;
use groundwire_core::monitor::{Monitor, Settings};
use groundwire_core::profile::Profile;
use groundwire_core::session::{Context, Push, Report, Session};
use groundwire_core::types::{Finding, Status, Tier};
use serde_json::Value as Json;

use crate::reading::{base_of, in_pieces};

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/taxonomy_facts.json")).expect("vectors")
}

fn golden() -> Json {
    serde_json::from_str(include_str!("../vectors/dialogue_facts.json")).expect("vectors")
}

fn monitor(vectors: &Json, case: &Json, profile: Profile) -> Monitor {
    let mut all = Vec::new();
    for name in case["kb"].as_array().into_iter().flatten() {
        let records = vectors["bases"][name.as_str().expect("name")].as_array();
        all.extend(records.expect("records"));
    }
    let mut builder = base_of(all);
    builder.set_world(World {
        closed: case["closed"].as_bool().unwrap_or(false),
        ..World::default()
    });
    let kb = Arc::new(RwLock::new(builder.build().expect("built")));
    Monitor::builder()
        .kb(kb)
        .profiles(vec![profile])
        .build()
        .expect("monitor")
}

fn history(case: &Json) -> Vec<(String, String)> {
    let turn = |turn: &Json| {
        let part = |i: usize| turn[i].as_str().expect("text").to_owned();
        (part(0), part(1))
    };
    case["history"]
        .as_array()
        .into_iter()
        .flatten()
        .map(turn)
        .collect()
}

fn report(monitor: &Monitor, case: &Json, text: &str, step: usize) -> Report {
    let context = Context::new(monitor, &[], &history(case), case["question"].as_str());
    in_pieces(monitor, context, text, step)
}

fn expand(case: &Json) -> Vec<String> {
    let mut out = vec![case["template"].as_str().expect("template").to_owned()];
    for (slot, values) in case["slots"].as_object().expect("slots") {
        let place = format!("{{{slot}}}");
        let values: Vec<&str> = values
            .as_array()
            .expect("values")
            .iter()
            .filter_map(Json::as_str)
            .collect();
        out = out
            .iter()
            .flat_map(|text| values.iter().map(|value| text.replace(&place, value)))
            .collect();
    }
    out
}

fn fires(report: &Report, case: &Json) -> bool {
    report
        .findings
        .iter()
        .any(|f| Some(f.kind.as_str()) == case["type"].as_str())
}

// req: S0-013 S0-005 S0-006 S0-007 S0-008 S0-009 S0-010
#[test]
fn examples_fire_with_the_right_type_and_look_alikes_stay_silent() {
    let vectors = vectors();
    let mut wrong = Vec::new();
    let mut seeds = 0;
    for case in vectors["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let monitor = monitor(&vectors, case, Profile::dialogue());
        let whole = report(&monitor, case, text, text.len());
        if case["fires"].as_bool() != Some(fires(&whole, case)) {
            let kinds: Vec<&str> = whole.findings.iter().map(|f| f.kind.as_str()).collect();
            wrong.push(format!("{}: {text}: {kinds:?}", case["type"]));
        }
        seeds += usize::from(case["seed"].as_bool() == Some(true));
        // Cuts do not matter, and spans are right.
        let cut = report(&monitor, case, text, 1);
        assert_eq!(whole.findings, cut.findings, "{text}");
        for finding in &whole.findings {
            let span = finding.span.expect("span");
            assert_eq!(&text[span.start..span.end], finding.text);
        }
    }
    assert_eq!(seeds, 6, "one example of the seed a type");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

// req: S0-013
#[test]
fn mutations_are_found_and_their_look_alikes_are_not() {
    let vectors = vectors();
    let (mut found, mut wanted, mut alarms, mut clean) = (0, 0, 0, 0);
    let mut missed = Vec::new();
    for case in vectors["mutations"].as_array().expect("mutations") {
        let monitor = monitor(&vectors, case, Profile::dialogue());
        for text in expand(case) {
            let fired = usize::from(fires(&report(&monitor, case, &text, text.len()), case));
            if case["fires"].as_bool() == Some(true) {
                (found, wanted) = (found + fired, wanted + 1);
                if fired == 0 {
                    missed.push(text);
                }
            } else {
                (alarms, clean) = (alarms + fired, clean + 1);
            }
        }
    }
    assert!(wanted >= 100 && clean >= 80, "{wanted} and {clean}");
    assert!(
        found * 100 >= wanted * 95,
        "{found} of {wanted} found, not {missed:?}"
    );
    assert!(
        alarms * 100 <= clean * 5,
        "{alarms} false alarms in {clean}"
    );
}

// req: S0-040 S0-041 S0-042 S0-043 S0-044 S0-046 S0-048 S0-064 D-2 X-06 X-15 U-7
#[test]
fn texts_and_confidences_are_the_seeds() {
    let vectors = vectors();
    for case in golden()["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let monitor = monitor(&vectors, case, Profile::dialogue());
        let report = report(&monitor, case, text, text.len());
        let kinds: Vec<&str> = report.findings.iter().map(|f| f.kind.as_str()).collect();
        let wanted = case["findings"].as_array().expect("findings");
        assert_eq!(report.findings.len(), wanted.len(), "{text}: {kinds:?}");
        for (finding, want) in report.findings.iter().zip(wanted) {
            assert_eq!(finding.kind, want["type"], "{text}");
            let confidence = want["confidence"].as_f64().expect("confidence");
            assert!(
                (finding.p_hallucinated - confidence).abs() < 1e-12,
                "{text}: {}",
                finding.p_hallucinated
            );
            for (name, own) in [
                ("suggestion", finding.suggestion.as_deref()),
                (
                    "evidence",
                    finding.evidence.first().map(|e| e.text.as_str()),
                ),
                ("replacement", finding.replacement.as_deref()),
                ("content", Some(finding.content.as_str())),
                ("text", Some(finding.text.as_str())),
                ("tier", Some(finding.tier.as_str())),
            ] {
                if let Some(value) = want.get(name) {
                    assert_eq!(own, value.as_str(), "{text}: {name}");
                }
            }
        }
    }
}

fn one(monitor: &Monitor, case: &Json) -> Vec<Finding> {
    let text = case["text"].as_str().expect("text");
    report(monitor, case, text, text.len()).findings
}

// req: S0-030 S0-031 S0-034 S0-037 S0-029
#[test]
fn switches_weights_and_threshold() {
    let vectors = vectors();
    for case in vectors["cases"].as_array().expect("cases") {
        if case["seed"].as_bool() != Some(true) {
            continue;
        }
        let kind = case["type"].as_str().expect("type");
        let of = |profile: Profile| one(&monitor(&vectors, case, profile), case);
        let plain = of(Profile::dialogue());
        let first = plain.iter().find(|f| f.kind == kind).expect("fires");
        let mut off = Profile::dialogue();
        match kind {
            "dialogue.fabricated_fact" => off.enabled_detectors.fabricated_facts = false,
            "dialogue.nonexistent_entity" => off.enabled_detectors.nonexistent_entities = false,
            "dialogue.wrong_attribute" => off.enabled_detectors.wrong_attributes = false,
            "dialogue.contradicts_fact" => off.enabled_detectors.kb_contradictions = false,
            "dialogue.contradicts_prior" => off.enabled_detectors.history_contradictions = false,
            _ => off.enabled_detectors.unsupported_claims = false,
        }
        assert!(of(off).iter().all(|f| f.kind != kind), "{kind} is off");
        let mut half = Profile::dialogue();
        half.detector_weights = groundwire_core::profile::PerDetector::all(0.5);
        let halved = of(half);
        let other = halved.iter().find(|f| f.kind == kind).expect("fires");
        assert!((other.risk - first.risk / 2.0).abs() < 1e-12);
        let mut sure = Profile::dialogue();
        sure.detection_threshold = 0.99;
        let kept = of(sure);
        assert!(kept.iter().all(|f| f.p_hallucinated >= 0.99));
    }
    let mut bad = Profile::dialogue();
    bad.detector_weights.fabricated_facts = -1.0;
    let said = bad.validate().expect_err("refused").to_string();
    assert!(said.contains("fabricated_facts"), "{said}");
}

// req: S0-046
#[test]
fn turns_of_other_roles_and_older_turns_do_not_count() {
    let vectors = vectors();
    let mut case = serde_json::json!({
        "text": "The price is 450 euros.",
        "history": [["system", "The price is 300 euros."]],
    });
    let plain = monitor(&vectors, &case, Profile::dialogue());
    assert!(one(&plain, &case).is_empty());
    let all = Monitor::builder()
        .profiles(vec![Profile::dialogue()])
        .settings(Settings {
            history_roles: vec![groundwire_core::dialogue::Role::System],
            history_turns: 3,
            ..Settings::default()
        })
        .build()
        .expect("monitor");
    assert_eq!(one(&all, &case).len(), 1);
    for _ in 0..3 {
        case["history"]
            .as_array_mut()
            .expect("turns")
            .push(serde_json::json!(["user", "Go on."]));
    }
    assert!(one(&all, &case).is_empty());
}

// req: U-7 X-06
#[test]
fn a_rollback_forgets_what_was_spoken_of() {
    let vectors = vectors();
    let case = serde_json::json!({"history": [["assistant", "The meeting is on Monday."]]});
    let monitor = monitor(&vectors, &case, Profile::dialogue());
    let fresh = |texts: &[&str]| {
        let mut session =
            Session::new(&monitor, Context::new(&monitor, &[], &history(&case), None));
        for text in texts {
            session.push_text(text, Push::default()).expect("pushed");
        }
        session
    };
    let mut session = fresh(&["The meeting is short. "]);
    let mark = session.mark();
    session
        .push_text("The lunch is long. It is on Friday. ", Push::default())
        .expect("pushed");
    session.rollback_to(mark).expect("rolled back");
    session
        .push_text("It is on Friday. ", Push::default())
        .expect("pushed");
    session.finish().expect("finished");
    let mut never = fresh(&["The meeting is short. ", "It is on Friday. "]);
    never.finish().expect("finished");
    assert_eq!(session.report().findings, never.report().findings);
    let found = session.report().findings;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, "dialogue.contradicts_prior");
    assert_eq!(found[0].replacement.as_deref(), Some("Monday"));
    assert_eq!(found[0].status, Status::Contradicted);
    assert!(found[0].tier >= Tier::Medium);
}
