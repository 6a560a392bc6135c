//! What lists and tables ask of the parser.

use std::ops::Range;

use crate::claims::view::SentenceView;
use crate::lexicon::cues::Cue;
use crate::normal::fold;

use super::Parser;

impl Parser<'_> {
    /// Subject and verb of a sentence whose list follows the colon at `colon`: "The departments
    /// are:", "Heron supports:", and a bare name, "Ben Frey:".
    pub(in crate::claims) fn lead_of(
        view: &SentenceView<'_>,
        colon: usize,
    ) -> Option<(Range<usize>, Option<String>, bool)> {
        let folded = view.folded();
        let parser = Parser::new(view, &folded, Vec::new());
        let (start, _) = parser.opening();
        let verb = (start..colon).find(|i| parser.finite(*i, start, false));
        let Some(verb) = verb else {
            let subject = parser.trim(start..colon);
            let name = subject.len() <= 6
                && subject.clone().any(|i| parser.capital(i) && i > start)
                || subject.len() == 1;
            return name.then_some((subject, None, false));
        };
        let at = parser.group_start(start, verb, false);
        let subject = parser.trim(parser.clause_subject(start, at));
        let group = parser.group(at, verb);
        let filler = |i: usize| {
            !parser.word(i)
                || matches!(
                    parser.text(i),
                    "the" | "these" | "as" | "following" | "follows"
                )
        };
        if subject.is_empty() || !(group.end..colon).all(filler) {
            return None;
        }
        let predicate = match &group.base {
            Some(_) if group.copula => return None,
            Some(base) => base.replace(' ', "_"),
            None if group.copula => "is".to_owned(),
            None if group.has => "has".to_owned(),
            None => return None,
        };
        Some((subject, Some(predicate), group.negative))
    }

    /// The attribute that the words name, else the words joined by `_`.
    pub(in crate::claims) fn named(view: &SentenceView<'_>, key: Range<usize>) -> String {
        let words: Vec<&str> = key.map(|i| view.word(i)).collect();
        Self::attribute_named(view, &words.join(" "))
    }

    /// The same for a text.
    pub(in crate::claims) fn attribute_named(view: &SentenceView<'_>, text: &str) -> String {
        let mut folded = String::new();
        fold(text, &mut folded);
        let words: Vec<&str> = folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .collect();
        let name = words.join("_");
        if view.attributes.has(&name) {
            return name;
        }
        let Some(known) = view.attributes.predicates().named(&name) else {
            return name;
        };
        let own = known.synonyms.iter().find(|s| view.attributes.has(s));
        let own = own.filter(|_| !view.attributes.has(&known.name));
        let found = own.unwrap_or(&known.name).to_string();
        if view.attributes.shortens(&name, &found) {
            name
        } else {
            found
        }
    }

    /// The attribute that a value behind a name and a colon is one of, where its form tells.
    pub(in crate::claims) fn attribute_of_value(
        view: &SentenceView<'_>,
        name: &Range<usize>,
        value: &Range<usize>,
    ) -> Option<String> {
        let folded = view.folded();
        let parser = Parser::new(view, &folded, Vec::new());
        let named = name.clone().all(|i| parser.capital(i));
        parser.attribute_of(value).filter(|_| named)
    }

    /// What an item without a subject says of the one above it: predicate, object, and whether it
    /// is denied.
    pub(in crate::claims) fn unspoken_in(
        view: &SentenceView<'_>,
        range: Range<usize>,
    ) -> Vec<(String, Range<usize>, bool)> {
        let folded = view.folded();
        Parser::new(view, &folded, Vec::new())
            .unspoken(range)
            .into_iter()
            .map(|found| (found.predicate, found.object, found.negative))
            .collect()
    }

    /// Whether a finite verb stands in the sentence.
    pub(in crate::claims) fn acts_in(view: &SentenceView<'_>) -> bool {
        let folded = view.folded();
        let parser = Parser::new(view, &folded, Vec::new());
        let (start, _) = parser.opening();
        let verbal = Cue::COPULA.or(Cue::AUXILIARY);
        (start..view.lexemes.len())
            .any(|i| parser.finite(i, start, false) && (parser.is(i, verbal) || parser.word(i + 1)))
    }
}
