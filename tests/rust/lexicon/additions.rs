//! What callers add to the lexicon.

use groundwire_core::error::Category;
use groundwire_core::lexicon::{Additions, Lexicon};
use serde_json::{Value, json};

fn lexicon(added: Value) -> Lexicon {
    let additions: Additions = serde_json::from_value(added).expect("a lexicon's shape");
    Lexicon::with(additions).expect("a lexicon")
}

fn attributes(lexicon: &Lexicon, phrase: &str) -> Vec<String> {
    let found = lexicon.predicates().of_phrase(phrase);
    found.map(|predicate| predicate.name.to_string()).collect()
}

#[test]
fn phrases_are_looked_up_by_their_base_forms() {
    let lexicon = lexicon(json!({"predicates": {
        "squad": {"names": ["Crew", "strike team"], "phrases": ["works in", "was working on"]},
        "department": {"names": ["tribe"], "phrases": ["^leads"]},
        "Go live": {"phrases": ["is launched in"], "dated": true},
    }}));
    let names = lexicon.predicates();
    // What was added counts before what is built in.
    assert_eq!(attributes(&lexicon, "work in"), ["squad", "department"]);
    assert_eq!(attributes(&lexicon, "^lead")[0], "department");
    assert!(names.same("crew", "strike_team") && !names.same("crew", "department"));
    assert!(names.same("tribe", "team"));
    assert_eq!(names.names_of("crew"), ["squad", "strike_team"]);
    assert!(
        names
            .named("go_live")
            .is_some_and(|predicate| predicate.dated)
    );
    // The shipped tables stay as they are.
    assert_eq!(attributes(Lexicon::builtin(), "work in"), ["department"]);
    assert!(!Lexicon::builtin().predicates().same("tribe", "team"));
}

#[test]
fn verbs_that_no_table_has_are_learned_with_their_forms() {
    let lexicon = lexicon(json!({
        "predicates": {"squad": {"phrases": ["glorps for"]}},
        "courses": {"slow": [["brox"], ["zub"]]},
    }));
    for form in ["glorp", "glorps", "glorped", "glorping"] {
        assert_eq!(lexicon.known(form).verb, Some("glorp"), "{form}");
    }
    assert_eq!(attributes(&lexicon, "glorp for"), ["squad"]);
    assert_eq!(lexicon.known("zubbed").verb, Some("zub"));
    let (first, last) = (lexicon.stage("brox"), lexicon.stage("zub"));
    let (first, last) = (first.expect("a stage"), last.expect("a stage"));
    assert!(first.course == last.course && first.place < last.place);
    assert_eq!(Lexicon::builtin().known("glorps").verb, None);
}

// req: S0-058 S0-059
#[test]
fn kinds_and_impossible_properties() {
    let lexicon = lexicon(json!({
        "exclusive": {
            "staff": [["contractor", "freelancer"], ["employee"]],
            "animals": [["fish"], ["protist", "protozoan"]],
        },
        "impossible": {
            "countable": ["Kayaks"],
            "limits": {"Battery level": {"min": 0, "max": 100, "unit": "percent"}},
        },
    }));
    let kinds = lexicon.kinds();
    assert!(kinds.exclude("freelancer", "employee") && !kinds.exclude("freelancer", "contractor"));
    assert!(kinds.exclude("protozoan", "mammal") && kinds.exclude("fish", "protist"));
    assert!(!kinds.exclude("employee", "mammal"));
    assert!(!Lexicon::builtin().kinds().has("contractor"));
    assert!(lexicon.impossibilities().countable.contains("kayaks"));
    assert_eq!(
        lexicon.limit("battery_level").and_then(|l| l.max),
        Some(100.0)
    );
    assert!(lexicon.limit("price").is_none());
}

#[test]
fn what_is_not_valid_is_named() {
    for (added, says) in [
        (json!({"predicates": {"--": {}}}), "predicates.--"),
        (
            json!({"predicates": {"squad": {"phrases": ["in the team"]}}}),
            "'in' is no verb",
        ),
        (
            json!({"predicates": {"squad": {"phrases": ["glorped by"]}}}),
            "base form",
        ),
        (
            json!({"predicates": {"squad": {"phrases": ["is"]}}}),
            "no verb phrase",
        ),
        (
            json!({"predicates": {"squad": {"phrases": ["a b c d e"]}}}),
            "no verb phrase",
        ),
        (
            json!({"predicates": {"squad": {"phrases": ["^works in"]}}}),
            "one verb",
        ),
        (
            json!({"predicates": {"squad": {"names": ["?"]}}}),
            "predicates.squad.names",
        ),
        (
            json!({"exclusive": {"staff": [["contractor"]]}}),
            "exclusive.staff",
        ),
        (
            json!({"exclusive": {"staff": [["a b c"], ["d"]]}}),
            "one or two words",
        ),
        (json!({"exclusive": {"staff": [["a"], ["A"]]}}), "twice"),
        (
            json!({"impossible": {"countable": ["two words"]}}),
            "impossible.countable",
        ),
        (
            json!({"impossible": {"limits": {"age": {}}}}),
            "neither min nor max",
        ),
        (
            json!({"impossible": {"limits": {"age": {"min": 2, "max": 1}}}}),
            "min at most max",
        ),
        (
            json!({"impossible": {"limits": {"age": {"max": 1, "unit": "furlongs?"}}}}),
            "no unit",
        ),
        (json!({"courses": {"work": [["hire"]]}}), "2 to 32 stages"),
        (json!({"courses": {"work": [["hire"], []]}}), "no verb"),
    ] {
        let additions: Additions = serde_json::from_value(added.clone()).expect("the shape");
        let error = Lexicon::with(additions).expect_err(says);
        assert_eq!(error.category(), Category::Argument);
        assert!(
            error.message().contains(says),
            "{added}: {}",
            error.message()
        );
    }
}

#[test]
fn additions_join() {
    let read = |added: Value| serde_json::from_value::<Additions>(added).expect("the shape");
    let one = read(json!({"predicates": {"squad": {"phrases": ["sit with"]}}}));
    let other = read(json!({
        "predicates": {"squad": {"names": ["crew"], "dated": false}},
        "exclusive": {"staff": [["contractor"], ["employee"]]},
    }));
    let both = one.with(&other);
    assert_eq!(both.predicates["squad"].phrases, ["sit with"]);
    assert_eq!(both.predicates["squad"].names, ["crew"]);
    assert_eq!(both.exclusive.len(), 1);
    assert!(Additions::default().is_empty() && !both.is_empty());
}
