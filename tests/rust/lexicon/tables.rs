//! Exclusive categories and impossible properties.

use groundwire_core::lexicon::exclusive::{Exclusive, exclusive, table};
use groundwire_core::lexicon::impossible::{Test, read, rules};

// req: S0-058
#[test]
fn categories_that_exclude_each_other() {
    assert_eq!(exclusive("alive", "dead"), Some("*"));
    assert_eq!(exclusive("dead", "living"), Some("*"));
    assert_eq!(exclusive("mammal", "bird"), Some("animal"));
    for (a, b) in [
        ("dead", "deceased"),
        ("mammal", "vertebrate"),
        ("alive", "alive"),
        ("x", "dead"),
    ] {
        assert_eq!(exclusive(a, b), None, "{a} {b}");
    }
    assert!(table().in_subject("person", "married", "single"));
    assert!(!table().in_subject("plant", "married", "single"));
    assert!(table().in_subject("plant", "alive", "dead"));
}

// req: S0-058
#[test]
fn categories_of_users() {
    let mut own = table().clone();
    own.read("# ours\nticket\topen;new|in progress|done\n")
        .unwrap();
    assert_eq!(own.between("new", "done"), Some("ticket"));
    assert_eq!(own.between("alive", "dead"), Some("*"));
    for (text, part) in [
        ("ticket open|done", "line 1"),
        ("\n\ta|b", "line 2"),
        ("t\ta", "line 1"),
        ("t\ta||b", "line 1"),
    ] {
        let error = Exclusive::default().read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

// req: S0-059
#[test]
fn properties_that_cannot_be() {
    let same = |a: &str, b: &str| a == b;
    let fires = |attribute: &str, value: f64, unit: Option<&str>| -> Vec<&str> {
        let hit = rules()
            .iter()
            .filter(|rule| rule.forbids(attribute, value, unit, same));
        hit.map(|rule| &*rule.id).collect()
    };
    assert_eq!(fires("employees", -3.0, None), ["negative_count"]);
    assert_eq!(fires("employees", 3.5, None), ["broken_count"]);
    assert_eq!(fires("turnout", 104.0, Some("%")), ["share_above_whole"]);
    assert_eq!(fires("temperature", -300.0, Some("°C")), ["absolute_zero"]);
    for (attribute, value, unit) in [
        ("employees", 45.0, None),
        ("employees", 3.5, Some("million")),
        ("turnout", 100.0, Some("%")),
        ("turnout", 104.0, None),
        ("temperature", -40.0, Some("°C")),
        ("elevation", -3.0, Some("m")),
    ] {
        assert_eq!(
            fires(attribute, value, unit),
            [""; 0],
            "{attribute} {value}"
        );
    }
    let order = rules().iter().filter(|rule| rule.test == Test::Order);
    assert!(order.count() >= 3);
}

// req: S0-059
#[test]
fn rules_of_users() {
    let text = "[[rule]]\nid = \"legs\"\ntest = \"between\"\nleast = 0\nmost = 8\nattributes = \
        [\"legs\"]\nexplanation = \"{value} legs\"\nconfidence = 0.7\n";
    let own = read(text).unwrap();
    assert!(own[0].forbids("legs", 9.0, None, |a, b| a == b));
    for (from, to, part) in [
        ("most = 8\n", "", "'most'"),
        ("0.7", "1.7", "confidence"),
        ("between", "maybe", "maybe"),
        ("least", "lest", "lest"),
    ] {
        let error = read(&text.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
