//! The built-in rules and the wording lexicon.

use groundwire_core::patterns::{Ruleset, linguistic_signals};
use groundwire_core::types::LinguisticKind::{
    self, Certainty, Hedging, Overconfidence, SelfCorrection, Vagueness,
};

fn kinds(text: &str) -> Vec<String> {
    let rules = Ruleset::builtin();
    let found = rules.scan(text).into_iter().map(|m| rules.rule(m.rule));
    let mut kinds: Vec<_> = found
        .filter(|r| r.signal.is_none())
        .map(|r| r.kind.clone())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

// req: S4-018
#[test]
fn builtin_rules_find_what_they_are_for() {
    for (text, kind) in [
        (
            "Studies show that 40 % of adults skip breakfast.",
            "unsourced_authority",
        ),
        (
            "Recent research has consistently shown an effect.",
            "unsourced_authority",
        ),
        ("Most experts agree that it works.", "unsourced_authority"),
        ("It is widely known that tea helps.", "unsourced_authority"),
        (
            "According to a recent study, cats dream.",
            "unsourced_authority",
        ),
        ("A 2019 study found it.", "unsourced_authority"),
        (
            "There are some studies that suggest that it helps.",
            "unsourced_authority",
        ),
        (
            "There is growing evidence to suggest it.",
            "unsourced_authority",
        ),
        (
            "There's strong scientific evidence that it helps.",
            "unsourced_authority",
        ),
        ("It has been shown that it helps.", "unsourced_authority"),
        ("Recent data shows that 40 % left.", "unsourced_authority"),
        ("Scientific evidence suggests it.", "unsourced_authority"),
        (
            "It is estimated that 40 % of it is lost.",
            "unsourced_authority",
        ),
        ("It grew [citation needed].", "invented_citation"),
        (
            "As Smith et al. (2020) found, it grew.",
            "invented_citation",
        ),
        (
            "In the Journal of Advanced Studies it says so.",
            "invented_citation",
        ),
        ("See vol. 12, pp. 123-145.", "invented_citation"),
        ("Miller (2931) says so.", "invented_citation"),
        (
            "Author et al. (2023) say that it grew.",
            "invented_citation",
        ),
        ("It grew (Author et al., 2023).", "invented_citation"),
        ("It grew (see Author et al., 2023).", "invented_citation"),
        (
            "It grew (Rossi, 2017; Author et al., 2023).",
            "invented_citation",
        ),
        ("Author and Author (n.d.) agree.", "invented_citation"),
        ("Your number is 123456789.", "placeholder"),
        ("Call +1234567890 or 1234567890 now.", "placeholder"),
        ("TODO: add figures", "placeholder"),
        ("TODO(ada): check the sum.", "placeholder"),
        ("See https://www.placeholder.com for it.", "placeholder"),
        ("Ask John Doe.", "placeholder"),
        ("Dear [Your Name],", "placeholder"),
        ("Call 555-0123 or (123) 456-7890.", "placeholder"),
        ("Write to info@example.com.", "placeholder"),
        ("It lies at 123 main street.", "placeholder"),
        ("A share of 37.4821 % agreed.", "over_precise"),
        ("About 1,234,567 people live there.", "over_precise"),
        ("Exactly 48,213 people came.", "over_precise"),
        ("As an AI language model, I pass.", "model_voice"),
    ] {
        assert!(
            kinds(text).iter().any(|k| k == kind),
            "{text}: {:?}",
            kinds(text)
        );
    }
}

#[test]
fn plain_text_raises_no_alarm() {
    for text in [
        "The Eiffel Tower was completed in 1889 and is 330 metres tall.",
        "She studies law in Leiden and shows her work every May.",
        "The share rose from 3.5 % to 4 % in 2019.",
        "About 1,200,000 people live there; around 1990 it was half of that.",
        "Call the museum on 020 7323 8299.",
        "Dial 1-212-555-1212 for directory assistance.",
        "Data shows up in the first column; reports show totals.",
        "A report was found in the attic, and a trial proved fatal.",
        "There is no evidence that it helps.",
        "There are two reports that you can download.",
        "There is data in the second column.",
        "In [1] and (Rossi 2017) the opposite is argued.",
        "Exactly 12 people came in 2004.",
        "The Journal of Finance printed it on pp. 425-442.",
        "The author et al. are named below; the Author, 2023, is a novel.",
        "Cite it as Author et al. (2023), with the year behind.",
        "Researchers at Stanford work on batteries.",
        "Researchers at Stanford (Lee, 2019) found that it grew.",
        "One ninth is 0.123456789 and more; 12345678901 is longer; 1123456789 is not it.",
        "The password 123456789 is the commonest of all, and digits such as 1234567890 follow.",
        "My to-do list: add milk. The TODO app adds figures.",
        "A placeholder communicates that something is missing.",
    ] {
        assert!(kinds(text).is_empty(), "{text}: {:?}", kinds(text));
    }
}

#[test]
fn a_figure_with_its_source_is_no_finding() {
    let rules = Ruleset::builtin();
    let fires = |text: &str| {
        rules
            .scan(text)
            .iter()
            .any(|m| rules.rule(m.rule).id == "unsourced_authority.studies_figure")
    };
    assert!(fires("Studies show that this affects 40 % of adults."));
    assert!(!fires("Studies show [3] that this affects 40 % of adults."));
    assert!(!fires(
        "Studies show (Rossi 2017) that this affects 40 % of adults."
    ));
    assert!(
        rules
            .rules()
            .iter()
            .filter(|r| r.kind == "unsourced_authority")
            .all(|r| r.unless_cited)
    );
}

fn signals(text: &str) -> Vec<(LinguisticKind, String)> {
    linguistic_signals(text)
        .into_iter()
        .map(|s| (s.kind, text[s.span.start..s.span.end].to_owned()))
        .collect()
}

// req: S0-026
// req: S0-072
#[test]
fn each_kind_of_wording_is_found() {
    for (text, kind, words) in [
        ("It might rain.", Hedging, "might"),
        ("it is definitely so", Overconfidence, "definitely"),
        ("and so on", Vagueness, "and so on"),
        ("Wait, no, it was 1887.", SelfCorrection, "Wait, no"),
        (
            "This is a well-established result.",
            Certainty,
            "well-established",
        ),
    ] {
        assert_eq!(signals(text), [(kind, words.to_owned())], "{text}");
    }
}

#[test]
fn the_longest_wording_counts() {
    assert_eq!(
        signals("I am not certain."),
        [(Hedging, "I am not certain".to_owned())]
    );
    assert_eq!(
        signals("There is no doubt."),
        [(Overconfidence, "There is no doubt".to_owned())]
    );
    assert_eq!(signals("In May 1990 it opened."), []);
    assert_eq!(signals("It may open."), [(Hedging, "may".to_owned())]);
}

#[test]
fn the_lexicon_is_rich_and_sound() {
    let rules = Ruleset::builtin();
    let lexicon: Vec<_> = rules
        .rules()
        .iter()
        .filter(|r| r.signal.is_some())
        .collect();
    let mut phrases: Vec<String> = lexicon
        .iter()
        .flat_map(|r| &r.literals)
        .map(|p| p.to_lowercase())
        .collect();
    assert!(phrases.len() >= 300, "{}", phrases.len());
    let all = phrases.len();
    phrases.sort_unstable();
    phrases.dedup();
    assert_eq!(phrases.len(), all, "a phrase stands twice");
    assert!(
        lexicon
            .iter()
            .all(|r| r.signal.is_some_and(|s| (0.0..=1.0).contains(&s.strength)))
    );
}
