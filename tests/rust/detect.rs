//! Tests of `detect`.

use crate::claims::Analysed;
use crate::reading::base_of;
use groundwire_core::budget::{Params, budget};
use groundwire_core::claims::extract;
use groundwire_core::detect::{
    Absence, Grounding, Grounds, Numbered, Registry, SUPPORT_THRESHOLD, TypeInfo, budget_finding,
    quantity_conflicts, rule_finding, sentence_conflicts, unknown_entity, unsupported_date,
    unsupported_number, unsupported_sentence, verdict_finding,
};
use groundwire_core::evidence::{Against, EvidenceSet, Passage, Tracker};
use groundwire_core::kb::{Date, KbBuilder, Record, Snapshot, Value};
use groundwire_core::patterns::{RuleSpec, Ruleset};
use groundwire_core::segment;
use groundwire_core::types::{
    Finding, Interval, Mention, MentionKind, Resolution, Severity, Span, Status, Verdict,
};
use proptest::prelude::*;
use serde_json::Value as Json;

fn value(json: &Json) -> Value {
    let text = |json: &Json| json.as_str().expect("text").to_owned();
    match json {
        Json::String(text) => Value::Text(text.clone()),
        Json::Object(map) => {
            let (kind, inner) = map.iter().find(|(k, _)| *k != "unit").expect("typed");
            match kind.as_str() {
                "date" => Value::Date(Date::parse(&text(inner)).expect("date")),
                "email" => Value::Email(text(inner)),
                "entity" => Value::Entity(text(inner)),
                "enum" => Value::Enum(text(inner)),
                "number" => Value::Number {
                    value: inner.as_f64().expect("number"),
                    unit: map.get("unit").map(text),
                },
                other => panic!("{other}"),
            }
        }
        other => panic!("{other}"),
    }
}

fn vectors() -> Json {
    serde_json::from_str(include_str!("../vectors/conflicts.json")).expect("vectors")
}

fn base() -> Snapshot {
    let mut builder = KbBuilder::new();
    for entity in vectors()["entities"].as_array().expect("entities") {
        let mut record = Record::named(entity["name"].as_str().expect("name"))
            .kind(entity["kind"].as_str().expect("kind"));
        for alias in entity["aliases"].as_array().into_iter().flatten() {
            record = record.alias(alias.as_str().expect("alias"));
        }
        for (predicate, values) in entity["facts"].as_object().expect("facts") {
            match values {
                Json::Array(all) => {
                    for one in all {
                        record = record.fact(predicate, value(one));
                    }
                }
                one => record = record.fact(predicate, value(one)),
            }
        }
        builder.add(record).expect("valid");
    }
    builder.build().expect("built").snapshot()
}

fn conflicts(text: &str, kb: &Snapshot) -> Vec<Finding> {
    let analysed = Analysed::new(text, Some(kb));
    let mut found = Vec::new();
    analysed.each(|view| {
        for claim in extract(view) {
            let one = sentence_conflicts(view, std::slice::from_ref(&claim), kb, None);
            found.extend(one.into_iter().take(1));
        }
    });
    found
}

// req: S0-007 S0-008 S0-062 S0-080
#[test]
fn conflicts_and_their_look_alikes() {
    let kb = base();
    let mut wrong = Vec::new();
    for case in vectors()["cases"].as_array().expect("cases") {
        let text = case["text"].as_str().expect("text");
        let found = conflicts(text, &kb);
        let Some(expected) = case["expected"].as_str() else {
            if let Some(finding) = found.first() {
                wrong.push(format!("{text}: {} {}", finding.text, finding.expected));
            }
            continue;
        };
        let Some(finding) = found.first() else {
            let claims = Analysed::new(text, Some(&kb)).claims();
            let read: Vec<_> = claims
                .iter()
                .map(|c| (&c.subject, &c.predicate, &c.object))
                .collect();
            wrong.push(format!("{text}: nothing found in {read:?}"));
            continue;
        };
        let kind = case["type"].as_str().unwrap_or("dialogue.wrong_attribute");
        let got = (
            finding.expected.as_str(),
            finding.text.as_str(),
            finding.replacement.as_deref(),
            &*finding.kind,
        );
        let want = (
            Some(expected),
            case["at"].as_str().expect("at"),
            case["replacement"].as_str(),
            kind,
        );
        let span = finding.span.expect("span");
        if got != want
            || found.len() != 1
            || finding.status != Status::Contradicted
            || text[span.start..span.end] != finding.text
        {
            wrong.push(format!(
                "{text}:\n   got {got:?} of {}\n  want {want:?}",
                found.len()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn grounds_of(evidence: &EvidenceSet) -> Grounds<'_> {
    Grounds {
        evidence: Some(evidence),
        ..Grounds::default()
    }
}

fn evidence() -> EvidenceSet {
    let text = "The Frans Hals House opened in 1987. The house has 14 rooms. The house is closed on Monday.";
    EvidenceSet::new(vec![Passage::index("leaflet", text)])
}

fn mention(text: &str, resolution: Resolution) -> Mention {
    Mention {
        span: Span::new(0, text.len()),
        kind: MentionKind::ProperName,
        resolution,
        decided_at: text.len(),
        partial: false,
    }
}

#[test]
fn unknown_names() {
    let (kb, evidence) = (base(), evidence());
    let both = Grounds {
        kb: Some(&kb),
        evidence: Some(&evidence),
        ..Grounds::default()
    };
    let unknown = |text: &str, grounds: &Grounds<'_>| {
        unknown_entity(&mention(text, Resolution::Unknown), text, grounds)
    };
    let finding = unknown("Quentin Vale", &both).expect("unknown");
    assert_eq!(finding.kind, "stream.unknown_entity");
    assert_eq!(
        Absence::of(&finding),
        Some(Absence {
            closed: false,
            evidence: true
        })
    );
    assert!(
        unknown("Frans Hals", &both).is_none(),
        "the evidence names it"
    );
    assert!(
        unknown("ACME corporation", &both).is_none(),
        "the base names it"
    );
    assert!(
        unknown("Quentin Vale", &Grounds::default()).is_none(),
        "nothing to judge by"
    );
    let alone = unknown(
        "Quentin Vale",
        &Grounds {
            kb: Some(&kb),
            ..Grounds::default()
        },
    )
    .expect("unknown");
    assert!(alone.p_hallucinated < finding.p_hallucinated);
    assert_eq!(
        Absence::of(&alone),
        Some(Absence {
            closed: false,
            evidence: false
        })
    );
    let bob = kb.find("Bob Ray")[0];
    let near = |candidates: Vec<(u32, u8)>| {
        unknown_entity(
            &mention("Bob Rai", Resolution::NearMiss(candidates)),
            "Bob Rai",
            &both,
        )
        .expect("near")
    };
    assert_eq!(near(vec![(bob, 1)]).replacement.as_deref(), Some("Bob Ray"));
    assert_eq!(near(vec![(bob, 2)]).replacement, None);
    assert_eq!(near(vec![(bob, 1), (bob + 1, 1)]).replacement, None);
    assert!(
        near(vec![(bob, 2)])
            .suggestion
            .expect("advice")
            .contains("Bob Ray")
    );
}

#[test]
fn what_an_answer_counts_of_its_own_is_no_number_of_a_source() {
    let silent = EvidenceSet::new(vec![Passage::index("p", "Tarn Hall was built in 1987.")]);
    let speaks = EvidenceSet::new(vec![Passage::index("p", "It closed for 3 reasons.")]);
    let found = |evidence: &EvidenceSet, (before, text, after): (&str, &str, &str)| {
        let quantity = segment::quantities(text)[0];
        let said = Numbered {
            quantity: &quantity,
            text,
            before,
            after,
            today: None,
        };
        unsupported_number(&said, &grounds_of(evidence), &[]).is_some()
    };
    for own in [
        ("Here are ", "5", " reasons"),
        ("", "7", " key takeaways"),
        ("## ", "12", ". Visit"),
        ("**", "4", ") Book"),
    ] {
        assert!(!found(&silent, own), "{own:?}");
    }
    for told in [("It has ", "5", " floors"), ("It has ", "40", " points")] {
        assert!(found(&silent, told), "{told:?}");
    }
    assert!(found(&speaks, ("Here are ", "5", " reasons")));
}

#[test]
fn unsupported_numbers() {
    let (kb, evidence) = (base(), evidence());
    let report = |text: &str, grounds: &Grounds<'_>, mentioned: &[u32]| {
        let quantity = segment::quantities(text)[0];
        let said = Numbered {
            quantity: &quantity,
            text,
            before: "",
            after: "",
            today: None,
        };
        unsupported_number(&said, grounds, mentioned).is_some()
    };
    let given = grounds_of(&evidence);
    for text in ["40%", "15 rooms", "1988", "12 km", "$5 million"] {
        assert!(report(text, &given, &[]), "{text}");
    }
    for text in ["14 rooms", "1987", "two options", "3rd", "100%", "fourteen"] {
        assert!(!report(text, &given, &[]), "{text}");
    }
    assert!(!report("40%", &Grounds::default(), &[]));
    let base_only = Grounds {
        kb: Some(&kb),
        ..Grounds::default()
    };
    let acme = kb.find("Acme")[0];
    assert!(
        !report("40%", &base_only, &[]),
        "no entity of the base is spoken of"
    );
    assert!(report("40%", &base_only, &[acme]));
    assert!(!report("1,204", &base_only, &[acme]) && !report("1987", &base_only, &[acme]));
    let question = EvidenceSet::new(vec![Passage::index("q", "Is it 40% larger?")]);
    assert!(!report(
        "40%",
        &Grounds {
            question: Some(&question),
            ..given
        },
        &[]
    ));
    let date = segment::dates("on 3 June 1981")[0];
    assert!(unsupported_date(&date, ("", "3 June 1981"), &given, &[]).is_some());
    let bob = kb.find("Bob Ray")[0];
    let pool = serde_json::json!(
        {"name": "Tarn Pool", "attributes": {"opening_hours": "8:30-17:00"}}
    );
    let times = base_of([&pool]).build().expect("built").snapshot();
    let pool = times.find("Tarn Pool")[0];
    let beside = Grounds {
        kb: Some(&times),
        ..grounds_of(&evidence)
    };
    for (text, told) in [
        ("8:30", true),
        ("5 pm", true),
        ("8:45", false),
        ("6 pm", false),
    ] {
        let date = segment::dates(text)[0];
        let found = unsupported_date(&date, ("", text), &beside, &[pool]);
        assert_eq!(found.is_none(), told, "{text}");
        assert!(
            unsupported_date(
                &date,
                ("", text),
                &Grounds {
                    evidence: None,
                    ..beside
                },
                &[pool]
            )
            .is_none()
        );
    }
    let date = segment::dates("on 2 May 1980")[0];
    assert!(unsupported_date(&date, ("", "2 May 1980"), &base_only, &[bob]).is_none());
}

#[test]
fn sentences_and_values_against_the_evidence() {
    let evidence = evidence();
    let judge = |text: &str| {
        let analysed = Analysed::new(text, None);
        let mut found = Vec::new();
        analysed.each(|view| {
            let claims = extract(view);
            let known = Default::default();
            let against = Against {
                evidence: &evidence,
                known: &known,
            };
            let mut tracker = Tracker::default();
            for lexeme in view.lexemes {
                tracker.lexeme(lexeme, view.at(lexeme.span), &against);
            }
            for quantity in view.quantities {
                tracker.quantity(quantity, &against);
            }
            found.extend(unsupported_sentence(
                view,
                &claims[0],
                &Grounding::of(&tracker, &against),
                &tracker,
                &against,
                SUPPORT_THRESHOLD,
            ));
            found.extend(quantity_conflicts(view, &claims[0], &evidence));
        });
        for finding in &found {
            let span = finding.span.expect("span");
            assert_eq!(finding.text, text[span.start..span.end]);
        }
        found
    };
    let invented = judge("The cafeteria serves award-winning pancakes daily.");
    assert_eq!(invented[0].kind, "stream.unsupported_sentence");
    assert!(invented[0].p_hallucinated > 0.4);
    assert!(judge("Which cafeteria serves award-winning pancakes daily?").is_empty());
    assert!(judge("The Frans Hals House opened in 1987.").is_empty());
    let rooms = judge("The house has 12 rooms.");
    assert_eq!(rooms.len(), 1);
    assert_eq!(
        (rooms[0].kind.as_str(), rooms[0].status),
        ("stream.quantity_conflict", Status::Contradicted)
    );
    assert_eq!(rooms[0].replacement.as_deref(), Some("14"));
    assert_eq!(rooms[0].evidence[0].text, "The house has 14 rooms.");
    let day = judge("The house is closed on Friday.");
    assert_eq!(day[0].replacement.as_deref(), Some("Monday"));
}

// req: S0-005 S0-006 S0-009 S0-010 S0-011 S0-012 U-3
#[test]
fn the_registry_is_the_seeds_and_open() {
    let builtin = Registry::builtin();
    for (name, base, label, severity, description) in [
        (
            "fabricated_fact",
            0.95,
            "HIGH",
            Severity::High,
            "This fact could not be verified",
        ),
        (
            "nonexistent_entity",
            0.90,
            "HIGH",
            Severity::High,
            "This entity could not be found",
        ),
        (
            "wrong_attribute",
            0.75,
            "MEDIUM-HIGH",
            Severity::High,
            "This attribute appears incorrect",
        ),
        (
            "contradicts_fact",
            0.95,
            "HIGH",
            Severity::High,
            "This contradicts known information",
        ),
        (
            "contradicts_prior",
            0.80,
            "MEDIUM-HIGH",
            Severity::High,
            "This contradicts earlier in the conversation",
        ),
        (
            "unsupported_claim",
            0.50,
            "MEDIUM",
            Severity::Medium,
            "This claim has no supporting evidence",
        ),
        (
            "temporal_error",
            0.65,
            "MEDIUM",
            Severity::Medium,
            "The timeline appears incorrect",
        ),
        (
            "logical_inconsistency",
            0.60,
            "MEDIUM",
            Severity::Medium,
            "This contains a logical contradiction",
        ),
    ] {
        let info = builtin
            .get(&format!("dialogue.{name}"))
            .expect("registered");
        assert_eq!(
            (info.base_severity, info.native_label.as_str()),
            (base, label)
        );
        assert_eq!(
            (info.severity, info.description.as_str()),
            (severity, description)
        );
        assert_eq!(info.system, "dialogue");
    }
    let mut own = builtin.clone();
    let info = TypeInfo {
        name: "bank.phantom_statement".into(),
        system: "bank".into(),
        base_severity: 1.0,
        severity: Severity::Critical,
        native_label: "critical".into(),
        description: "More statements than pages".into(),
    };
    own.register(info.clone()).expect("valid");
    assert_eq!(own.get("bank.phantom_statement"), Some(&info));
    assert!(
        own.register(TypeInfo {
            base_severity: 2.0,
            ..info.clone()
        })
        .is_err()
    );
    assert!(
        own.register(TypeInfo {
            name: "phantom".into(),
            ..info
        })
        .is_err()
    );
    assert_eq!(builtin.get_or_default("stream.own_rule").system, "stream");
}

// req: S4-016 SPEC-08.05
#[test]
fn rules_budgets_and_verdicts_become_findings() {
    let rules = Ruleset::new(vec![
        serde_json::from_str::<RuleSpec>(
            r#"{"id": "r", "literals": ["studies show"], "kind": "unsourced_authority", "confidence": 0.9,
                "message": "No source for '{text}'", "suggestion": "Name one", "tier": "high"}"#,
        )
        .expect("rule"),
    ])
    .expect("set");
    let found = rules.scan("Some studies show it.");
    let finding = rule_finding(rules.rule(found[0].rule), &found[0], "studies show");
    assert_eq!(
        (finding.kind.as_str(), finding.rule.as_str()),
        ("stream.unsourced_authority", "r")
    );
    assert_eq!(
        finding.message.render(false),
        "No source for 'studies show'"
    );
    assert_eq!(finding.message.render(true), "No source for '[masked]'");
    assert_eq!(finding.extra["min_tier"], "high");

    let (p0, p1) = (Interval::exact(0.6), Interval::exact(0.1));
    let judged = budget(p0, p1, &Params::default()).expect("budget");
    let finding = budget_finding(&judged, p0, p1, Span::new(0, 3), "abc", Some("c1"), 3)
        .expect("contradicted");
    assert_eq!(
        (finding.kind.as_str(), finding.status),
        ("budget.contradicted", Status::Contradicted)
    );
    assert!((finding.p_hallucinated - 0.9).abs() < 1e-12);
    let (p0, p1) = (Interval::exact(0.1), Interval::exact(0.96));
    let judged = budget(p0, p1, &Params::default()).expect("budget");
    assert!(budget_finding(&judged, p0, p1, Span::new(0, 3), "abc", None, 3).is_none());

    let claim = Analysed::new("Acme was founded in 1990.", None)
        .claims()
        .remove(0);
    let verdict = Verdict {
        status: Status::Contradicted,
        p0: None,
        p1: Some(p0),
        reason: "no".into(),
    };
    let finding = verdict_finding(&claim, &verdict, 25).expect("contradicted");
    assert_eq!(finding.kind, "stream.verifier_contradicted");
    assert!((finding.p_hallucinated - 0.9).abs() < 1e-12);
    assert_eq!(finding.text, "Acme was founded in 1990.");
}

proptest! {
    /// Whatever is said of whom: no panic, and every finding's text is the text at its span.
    #[test]
    fn any_text(text in r#"(Alice Chen|Acme|The Harbour Museum|Orion|It|She|is|was|founded|works|in|by|has|not|1987|12 km|\$7 million|14|rooms|Sales|Paris|on|Monday|,|\.|\?|the|of|capital|email|'s| |é){0,40}"#) {
        let kb = base();
        for finding in conflicts(&text, &kb) {
            let span = finding.span.expect("span");
            prop_assert_eq!(&finding.text, &text[span.start..span.end]);
            prop_assert!((0.0..=1.0).contains(&finding.p_hallucinated));
        }
    }
}
