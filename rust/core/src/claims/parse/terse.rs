//! What is told of a thing without a verb, one after the other: "curator Ann Lee, 5,200 objects".

use std::ops::Range;

use crate::claims::view::SentenceView;
use crate::lexicon::cues::Cue;
use crate::types::LexKind;

use super::Parser;

/// Most words of an attribute's name.
const NAME: usize = 4;

/// A part of a value, and the attribute that it tells with what it says of it.
type Part = (Range<usize>, Option<(String, Range<usize>)>);

impl Parser<'_> {
    /// The parts of a value behind a name, each with the base's attribute that it tells.
    pub(in crate::claims) fn terse_in(view: &SentenceView<'_>, value: &Range<usize>) -> Vec<Part> {
        let folded = view.folded();
        Parser::new(view, &folded, Vec::new()).terse(value)
    }

    /// "no pool": what a thing is told to lack.
    pub(in crate::claims) fn denied_member(
        view: &SentenceView<'_>,
        part: &Range<usize>,
    ) -> Option<(String, Range<usize>)> {
        let folded = view.folded();
        let denied = matches!(
            folded.get(part.start),
            "no" | "not" | "never" | "without" | "lacks" | "missing"
        );
        let article = matches!(folded.get(part.start + 1), "a" | "an" | "any" | "the");
        let rest = part.start + 1 + usize::from(article)..part.end;
        let plain = rest.clone().all(|i| view.kind(i) == Some(LexKind::Word));
        (denied && plain && (1..=2).contains(&rest.len())).then(|| ("has".to_owned(), rest))
    }

    /// A member that tells no attribute with its value: what it says, and whether that is denied; none of
    /// its own where it names a feature with more words ("sauna planned"), and no more members behind a
    /// label ("missing: sauna, gym").
    #[allow(clippy::option_option)]
    pub(in crate::claims) fn bare_member(
        view: &SentenceView<'_>,
        part: Range<usize>,
    ) -> Option<Option<(String, Range<usize>, bool)>> {
        let folded = view.folded();
        if part.clone().any(|i| view.word(i) == ":") {
            return None;
        }
        if let Some((predicate, object)) = Self::denied_member(view, &part) {
            return Some(Some((predicate, object, true)));
        }
        let feature = part.clone().any(|i| view.attributes.has(folded.get(i)));
        let more = part.len() > 1 && feature;
        Some((!more).then(|| ("is".to_owned(), part, false)))
    }

    /// The same in the sentence that is read.
    pub(super) fn terse(&self, value: &Range<usize>) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut from = value.start;
        for i in value.start..=value.end {
            let joint = || self.comma(i) || matches!(self.view.word(i), ";" | "·");
            if i < value.end && !joint() {
                continue;
            }
            if from < i {
                parts.push((from..i, self.told_tersely(&(from..i))));
            }
            from = i + 1;
        }
        parts
    }

    /// "curator Ann Lee", "curator: Ann Lee", "admission £6", "5,200 objects".
    fn told_tersely(&self, part: &Range<usize>) -> Option<(String, Range<usize>)> {
        if self.view.kind(part.start) == Some(LexKind::Number) && part.len() == 2 {
            let name = self.word(part.start + 1).then(|| self.counted(part))?;
            let name = name.filter(|name| self.view.attributes.has(name))?;
            return Some((name, part.clone()));
        }
        let plain = |i: usize| {
            let small = !self.capital(i) || i == part.start || self.view.word(i) == "CEO";
            self.word(i) && small && self.view.kind(i) != Some(LexKind::Number)
        };
        let end = part.clone().take_while(|i| plain(*i)).last()? + 1;
        let longest = end.min(part.start + NAME).min(part.end - 1);
        let (name, mut value) = (part.start + 1..=longest).rev().find_map(|at| {
            let name = self.attribute(&self.joined(part.start..at))?;
            let own = self.view.attributes.has(&name);
            own.then_some((name, at..part.end))
        })?;
        if self.past(part.start) {
            return None;
        }
        if self.view.word(value.start) == ":" {
            value.start += 1;
        }
        let first = self.view.lexemes.get(value.start)?.span;
        let figure = (self.view.quantities.iter().any(|q| q.span.overlaps(first)))
            || self.view.dates.iter().any(|date| date.span.overlaps(first));
        let called = value.clone().all(|i| self.word(i) && self.capital(i));
        let light = Cue::PREPOSITION.or(Cue::CONJUNCTION);
        let closed = value
            .clone()
            .all(|i| self.view.word(i) != "(" && !self.is(i, light));
        (!value.is_empty() && (called || figure && closed)).then_some((name, value))
    }
}
