//! A limit of age other than a source's: "children under twelve get in free" of those under six.

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::how_often::Otherwise;
use crate::detect::replacement::amount::{Thousands, amount};
use crate::detect::words_at::Parts;
use crate::evidence::EvidenceSet;
use crate::lexicon::tables::otherwise;
use crate::segment;
use crate::types::{QuantityKind, Span};

use super::plain::{Word, leaves_open, words};

/// Years that somebody has at most.
const OLDEST: f64 = 120.0;

/// Who is told of by age.
struct Limit {
    /// Stem of whom.
    of: String,
    below: bool,
    years: f64,
    /// Where the number stands.
    span: Span,
    /// Stems of what is said of them.
    said: Vec<String>,
}

/// The age that a source has as the limit, where the sentence's lets in those that it does not.
pub(super) fn limited<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    if !limiting().may_stand_among(view.text, view.runs()) {
        debug_assert!(Limit::read_each(view.text).is_empty(), "{}", view.text);
        return None;
    }
    let [said] = &Limit::read_each(view.text)[..] else {
        return None;
    };
    let mut found = None;
    for passage in evidence.passages() {
        let data = passage.data();
        for (at, span) in (0_u32..).zip(data.sentences()) {
            let text = passage.text().get(span.start..span.end).unwrap_or("");
            for own in &*data.reading(at, || Limit::read_each(text)) {
                if own.of != said.of || own.below != said.below {
                    continue;
                }
                let wider = if said.below {
                    said.years > own.years
                } else {
                    said.years < own.years
                };
                // Of another limit, or of fewer: so it may be.
                if !wider || !said.said.iter().all(|word| own.said.contains(word)) {
                    if said.years.total_cmp(&own.years).is_eq() {
                        return None;
                    }
                    continue;
                }
                if found.is_some() {
                    return None;
                }
                let base = view.sentence.span.start;
                let place = Span::new(base + said.span.start, base + said.span.end);
                let text = amount(view.at(place), own.years, None, Thousands::Plain);
                found = Some(Otherwise {
                    span: place,
                    text,
                    fits: true,
                    passage,
                    sentence: *span,
                });
            }
        }
    }
    found
}

/// The words that lead a limit.
fn limiting() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let words = ["under", "below", "over", "above", "younger", "older"];
    PARTS.get_or_init(|| Parts::of(words.into_iter()))
}

impl Limit {
    fn read_each(text: &str) -> Vec<Self> {
        let limits = [
            "under", "below", "over", "above", "younger", "older", "Under", "Over",
        ];
        if !limits.iter().any(|word| text.contains(word)) {
            return Vec::new();
        }
        let all = words(text);
        if leaves_open(text, &all) || all.iter().any(Word::denies) {
            return Vec::new();
        }
        let numbers = segment::quantities(text);
        let limit = |i: usize| {
            let (below, mut next) = match (&*all[i].folded, all.get(i + 1).map(|w| &*w.folded)) {
                ("under" | "below", _) => (true, i + 1),
                ("over" | "above", _) => (false, i + 1),
                ("younger", Some("than")) => (true, i + 2),
                ("older", Some("than")) => (false, i + 2),
                _ => return None,
            };
            let age = |next: &usize| {
                let word = all.get(*next).map(|word| &*word.folded);
                matches!(word, Some("the" | "age" | "of"))
            };
            while age(&next) {
                next += 1;
            }
            let number = all.get(next)?;
            let own = numbers.iter().find(|q| q.span.start == number.start)?;
            let year = |id| crate::lexicon::units::unit(id).name == "year";
            let plain = own.kind == QuantityKind::Cardinal && own.unit.is_none();
            let aged = plain || own.unit.is_some_and(year);
            if !aged || !(1.0..=OLDEST).contains(&own.value) {
                return None;
            }
            // "under 12-metre masts"
            let next_word = all.get(next + 1);
            let counted =
                next_word.is_some_and(|word| text.get(number.end..word.start) == Some("-"));
            let before = (0..i)
                .rev()
                .find(|i| !matches!(&*all[*i].folded, "aged" | "are" | "who"))?;
            let of = all.get(before).filter(|word| word.content)?;
            let part =
                |word: &&Word| word.parted || matches!(&*word.folded, "and" | "but" | "while");
            let start = all[..before]
                .iter()
                .rposition(|word| part(&word))
                .unwrap_or(0);
            let rest = all[next + 1..].iter().position(|word| part(&word));
            let end = rest.map_or(all.len(), |len| next + 1 + len);
            let own_words = all[start..end].iter().enumerate().filter(|(at, word)| {
                let at = start + at;
                let light = otherwise().has("aged_light", &word.folded);
                word.content && !light && at != before && !(i..=next).contains(&at)
            });
            let said: Vec<String> = own_words.map(|(_, word)| word.stem()).collect();
            (!counted && !said.is_empty()).then(|| Self {
                of: of.stem(),
                below,
                years: own.value,
                span: Span::new(number.start, number.end),
                said,
            })
        };
        (1..all.len()).filter_map(limit).collect()
    }
}
