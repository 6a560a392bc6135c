//! What is refused, and what the message says.

use groundwire_core::error::Category;
use groundwire_core::patterns::Ruleset;

fn refusal(rules: &str) -> String {
    let error = Ruleset::from_toml(rules).expect_err(rules);
    assert_eq!(error.category(), Category::Rule);
    error.message().to_owned()
}

#[test]
fn messages_name_the_rule_and_what_is_wrong() {
    let cases = [
        ("id = 'x'", "rule 'x': give literals or a regex"),
        ("id = 'x'\nliterals = ['']", "rule 'x': literal 1 is empty"),
        (
            "id = 'x'\nliteral = ['a']",
            "rule 'x': unknown key 'literal'; did you mean 'literals'?",
        ),
        ("id = 'x'\nregex = '('", "rule 'x': regex parse error"),
        ("id = 'x'\nregex = 'a(?=b)'", "look-around"),
        (
            "id = 'x'\nregex = '(a)\\1'",
            "backreferences are not supported",
        ),
        ("id = 'x'\nregex = '\\b'", "can only match the empty text"),
        ("id = 'x'\nregex = '[^\\s\\S]'", "can match nothing"),
        (
            "id = 'x'\nregex = 'a{300}'",
            "a match needs at least 300 bytes, more than max_len 256",
        ),
        (
            "id = 'x'\nregex = 'a'\nconfidence = 1.5",
            "confidence 1.5 is not in 0..1",
        ),
        ("id = 'x'\nregex = 'a'\nconfidence = nan", "rule 'x'"),
        (
            "id = 'x'\nregex = 'a'\nconfidence = 'high'",
            "rule 'x': invalid type",
        ),
        (
            "id = 'x'\nregex = 'a'\nmax_len = 5000",
            "max_len 5000 is not in 16..=1024",
        ),
        (
            "id = 'x'\nregex = 'a'\ntier = 'hihg'",
            "did you mean 'high'?",
        ),
        (
            "id = 'x'\nregex = 'a'\ncheck = 'ibn'",
            "rule 'x': check 'ibn' is not one of",
        ),
        (
            "id = 'x'\nregex = 'a'\nunless = ['(']",
            "rule 'x': unless '('",
        ),
        (
            "id = 'x'\nregex = 'a'\nsignal = {kind = 'hedging', strength = 2}",
            "strength 2",
        ),
        ("regex = 'a'", "rule '#1': missing field `id`"),
        ("id = ' '\nregex = 'a'", "id must not be empty"),
    ];
    for (body, wanted) in cases {
        let message = refusal(&format!("[[rules]]\n{body}"));
        assert!(message.contains(wanted), "{body}\n{message}");
        assert!(message.contains("rule '"), "{message}");
    }
}

#[test]
fn a_set_is_refused_as_a_whole() {
    let twice = "[[rules]]\nid = 'x'\nregex = 'a'\n".repeat(2);
    assert!(refusal(&twice).contains("rule 'x': the id is used twice"));
    assert!(refusal("rules = 3").contains("must be a list"));
    assert!(refusal("[[rule]]\nid = 'x'").contains("unknown key 'rule'"));
    assert!(refusal("[[rules").contains("not valid TOML"));
    let one = Ruleset::from_toml("[[rules]]\nid = 'x'\nregex = 'a'").unwrap();
    assert!(one.merge(&one).is_err());
    assert_eq!(
        one.merge(Ruleset::builtin()).unwrap().len(),
        Ruleset::builtin().len() + 1
    );
    assert!(Ruleset::from_toml("").unwrap().scan("anything").is_empty());
}

#[test]
fn rules_survive_json() {
    let rules = Ruleset::builtin();
    let json = serde_json::to_string(rules.rules()).unwrap();
    assert_eq!(Ruleset::from_json(&json).unwrap().rules(), rules.rules());
}

#[test]
fn a_key_twice_is_refused_by_name_and_line() {
    let texts = [
        (
            "[{\"id\": \"a\",\n\"regex\": \"x\",\n\"regex\": \"y\"}]",
            "line 3",
        ),
        ("{\"rules\": [], \"rules\": []}", "line 1"),
        (
            "[{\"id\": \"a\", \"literals\": [\"x\"], \"signal\": {\"kind\": \"hedging\", \"kind\": \"hedging\"}}]",
            "'kind'",
        ),
    ];
    for (text, part) in texts {
        let error = Ruleset::from_json(text).unwrap_err();
        assert!(error.message().contains("given twice"), "{error}");
        assert!(error.message().contains(part), "{error}");
    }
    let error = Ruleset::from_toml("[[rules]]\nid = 'a'\nregex = 'x'\nregex = 'y'\n").unwrap_err();
    assert!(error.message().contains("regex"), "{error}");
    let fine = r#"[{"id": "a", "regex": "x"}, {"id": "b", "regex": "y", "confidence": 1}]"#;
    assert_eq!(Ruleset::from_json(fine).unwrap().len(), 2);
}

#[test]
fn an_unknown_key_names_what_is_near_or_all_there_are() {
    for (key, near) in [
        ("case_insensitive", "ignore_case"),
        ("caseInsensitive", "ignore_case"),
        ("ignorecase", "ignore_case"),
        ("pattern", "regex"),
        ("regexp", "regex"),
        ("msg", "message"),
        ("mesage", "message"),
        ("name", "id"),
        ("confidense", "confidence"),
        ("litterals", "literals"),
    ] {
        let message = refusal(&format!("[[rules]]\nid = 'x'\nliterals = ['a']\n{key} = 1"));
        assert!(
            message.contains(&format!("did you mean '{near}'?")),
            "{message}"
        );
    }
    for key in ["foo", "flags", "q", "colour", "x1"] {
        let message = refusal(&format!("[[rules]]\nid = 'x'\nliterals = ['a']\n{key} = 1"));
        assert!(message.contains("there are id, literals,"), "{message}");
        assert!(!message.contains("did you mean"), "{message}");
    }
}
