//! What a statement in a claim's place calls what is missing.

use crate::detect::TOPIC;
use crate::lexicon::columns::shown;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::phrases::{fill, phrases};
use crate::lexicon::tables::{narrowing, roles};
use crate::types::Finding;

use super::wording::QUOTE_CAP;

/// Of which sort the value is that a finding misses.
pub(super) fn sort_of_value(finding: &Finding) -> Option<&'static str> {
    let text = finding.text.as_str();
    match finding.rule.as_str() {
        "unsupported_phone" => return Some("phone"),
        "unknown_address" => return Some("address"),
        _ => {}
    }
    match finding.kind.as_str() {
        "stream.malformed_identifier" => Some("identifier"),
        "stream.unsupported_number" => Some(if finding.rule == "unsupported_date" {
            "date"
        } else if finding.rule == "unsupported_time" {
            "time"
        } else if text.contains('%') || text.contains("percent") || text.contains("per cent") {
            "percentage"
        } else if text.contains(['€', '$', '£', '¥']) {
            "amount"
        } else if text.len() == 4
            && text.is_ascii()
            && matches!(&text[..2], "17" | "18" | "19" | "20")
        {
            "year"
        } else {
            "number"
        }),
        _ => None,
    }
}

/// "the population of X": the attribute in words, with what it is of, where the base has another value
/// of it.
pub(super) fn attribute_told(finding: &Finding, found: &[Finding]) -> Option<String> {
    let mut all = std::iter::once(finding).chain(
        found
            .iter()
            .filter(|other| other.claim_id.is_some() && other.claim_id == finding.claim_id),
    );
    let told = all.find(|one| {
        let kinds = ["dialogue.wrong_attribute", "dialogue.contradicts_fact"];
        kinds.contains(&one.kind.as_str()) && one.extra.contains_key("predicate")
    })?;
    let attribute = shown(told.extra.get("predicate")?.as_str()?);
    let attribute = if roles().has("initials", &attribute) {
        attribute.to_uppercase()
    } else {
        attribute
    };
    let thing = told
        .message
        .params
        .iter()
        .find(|param| param.name == "name")?;
    let thing = &with_article(told, thing.value.as_str());
    let noun = attribute.split(' ').all(|word| {
        let link = cue(word).is(Cue::PREPOSITION.or(Cue::ADVERB).or(Cue::ADJECTIVE));
        let formed = verb(word).is_some_and(|base| base != word) && !word.ends_with('s');
        !link && !formed && !roles().has("no_noun", word)
    });
    let fits = attribute.len() + thing.len() <= QUOTE_CAP;
    // "the number of rooms of X"
    let number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ',');
    let counted = attribute.ends_with('s') && told.expected.as_str().is_some_and(number);
    let phrases = phrases();
    let phrase = if counted {
        &phrases.attribute_count
    } else {
        &phrases.attribute
    };
    (noun && fits).then(|| fill(&fill(phrase, "attribute", &attribute), "what", thing))
}

/// A thing's name in the base with the article that it has in the text.
fn with_article(finding: &Finding, name: &str) -> String {
    let topic = finding.extra.get(TOPIC).and_then(|topic| topic.as_str());
    let has_one = topic.is_some_and(|topic| {
        let (the, rest) = topic.split_at_checked(4).unwrap_or_default();
        let (rest, name) = (rest.to_lowercase(), name.to_lowercase());
        let praise = |word: &str| narrowing().has("epithet", word);
        let before = rest.strip_suffix(&name);
        // "the famous Tarn Bridge"
        let bare = before.is_some_and(|before| before.split_whitespace().all(praise));
        the.eq_ignore_ascii_case("the ") && bare
    });
    if has_one {
        format!("the {name}")
    } else {
        name.to_owned()
    }
}
