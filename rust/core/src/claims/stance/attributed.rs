//! What is laid into the mouth of a third source ("according to an old brochure", "a newspaper
//! reported that", "I was told that", "reportedly"), as opposed to what the writer's own sources
//! are said to state ("according to our records", "the handbook says that").

use std::ops::Range;

use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, LexKind, Resolution, Span};

use super::{BACK, Reader};

/// Most words of a source.
const SOURCE: usize = 10;
/// Words before a participle among which its subject is looked for.
const TOLD: usize = 4;

/// The words that name the third source of what stands at `at`, or that say it is hearsay; none
/// where the writer says it himself or of his own sources.
#[must_use]
pub fn attributed(view: &SentenceView<'_>, folded: &Folded<'_>, at: Span) -> Option<Range<usize>> {
    let reader = Reader::new(view, folded, at)?;
    let behind = |i: usize| reader.cited(i).or_else(|| reader.hearsay(i));
    (0..view.lexemes.len())
        .find_map(behind)
        .or_else(|| (0..reader.target).find_map(|i| reader.told_by(i)))
        .or_else(|| reader.told_behind())
}

impl Reader<'_> {
    /// "According to …", "as reported by …", before or behind.
    fn cited(&self, i: usize) -> Option<Range<usize>> {
        let according = self.text(i) == "according" && self.text(i + 1) == "to";
        let as_said =
            self.text(i + 1) == "by" && self.verb("saying", i) && i > 0 && self.text(i - 1) == "as";
        if !according && !as_said {
            return None;
        }
        let end = self.part_end(i + 2);
        let covers = if end <= self.target {
            !self.parted(end, self.target)
        } else {
            self.target < i && !self.parted(self.target, i)
        };
        Some(i + 2..end).filter(|source| covers && self.third(source))
    }

    /// "Reportedly, …", "X allegedly has", "…, supposedly".
    fn hearsay(&self, i: usize) -> Option<Range<usize>> {
        if !self.has("hearsay_adverb", i) {
            return None;
        }
        let comma = |i: usize| self.view.word(i) == ",";
        let set_off = comma(i + 1) || i + 2 >= self.folded.len();
        let (from, to) = (i.min(self.target), i.max(self.target));
        // "X, allegedly the oldest, has": said of what it stands in.
        let apart = (from + 1..to).any(comma) && !set_off;
        (!apart && !self.parted(from, to)).then_some(i..i + 1)
    }

    /// "A newspaper reported that …", "I was told that …".
    fn told_by(&self, i: usize) -> Option<Range<usize>> {
        let saying = self.verb("saying", i);
        let heard = self.has("heard", i);
        let thought = self.verb("belief", i);
        if !saying && !heard && !thought || self.ended(i) || !self.complement(i) {
            return None;
        }
        let skip = Cue::ADVERB
            .or(Cue::NEGATION)
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA);
        let last = (i.saturating_sub(TOLD)..i)
            .rev()
            .find(|j| !self.is(*j, skip) && !self.text(*j).ends_with("'ve"))?;
        if self.mark(last) {
            return None;
        }
        let passive = (last + 1..i).any(|j| self.is(j, Cue::COPULA));
        if self.has("first_person", last) {
            let received = heard || passive && self.has("informed", i);
            // What is told of an earlier answer is no longer the answer's own.
            let earlier = !passive && self.has("said", i) && !self.is_as(last);
            return ((received || earlier) && !self.denied(i)).then_some(last..i);
        }
        let source = self.phrase_to(last);
        let says = saying || thought && self.is_user(&source);
        if passive || !says || self.is_as(source.start) {
            return None;
        }
        self.third(&source).then_some(source)
    }

    /// "…, a newspaper reported", "…, says Ana".
    fn told_behind(&self) -> Option<Range<usize>> {
        let len = self.folded.len();
        let last = (0..len).rev().find(|i| !self.mark(*i))?;
        let comma = (self.target..last)
            .rev()
            .find(|i| self.view.word(*i) == ",")?;
        if last - comma > SOURCE || self.parted(self.target, comma) {
            return None;
        }
        let source = if self.verb("saying", last) {
            comma + 1..last
        } else if self.verb("saying", comma + 1) {
            comma + 2..last + 1
        } else {
            return None;
        };
        let light = Cue::AUXILIARY.or(Cue::COPULA).or(Cue::BREAK);
        let plain = !source.clone().any(|i| self.is(i, light) || self.mark(i));
        (plain && self.third(&source)).then_some(source)
    }

    /// Whether "as" stands before the word: "as you said", which agrees.
    fn is_as(&self, i: usize) -> bool {
        i > 0 && self.text(i - 1) == "as" || self.text(i) == "as"
    }

    /// "you", "your message": who is spoken to.
    fn is_user(&self, source: &Range<usize>) -> bool {
        let (first, last) = (source.start, source.end - 1);
        self.text(last) == "you" || self.text(first) == "your" && self.has("user_text", last)
    }

    /// The noun phrase that ends with the word at `last`.
    fn phrase_to(&self, last: usize) -> Range<usize> {
        let ends = Cue::BREAK.or(Cue::CONJUNCTION).or(Cue::COPULA);
        let start = (last.saturating_sub(BACK + 1)..=last)
            .rev()
            .take_while(|j| !self.mark(*j) && !self.is(*j, ends))
            .last();
        start.unwrap_or(last)..last + 1
    }

    /// One past the source that begins at `from`.
    fn part_end(&self, from: usize) -> usize {
        let len = self.folded.len();
        let inside = |i: usize| {
            let span = self.view.lexemes[i].span;
            let names = self.view.mentions.iter().map(|mention| mention.span);
            let mut names = names.chain(self.view.dates.iter().map(|date| date.span));
            names.any(|name| name.contains(span) && name.end > span.end)
        };
        (from..len.min(from + SOURCE))
            .find(|i| self.mark(*i) && !inside(*i) || self.is(*i, Cue::COPULA.or(Cue::AUXILIARY)))
            .unwrap_or(len.min(from + SOURCE))
    }

    /// Whether something between the two says otherwise or begins anew.
    fn parted(&self, from: usize, to: usize) -> bool {
        (from..to).any(|j| {
            matches!(self.view.word(j), ";" | "—" | "–")
                || matches!(
                    self.text(j),
                    "but" | "however" | "actually" | "whereas" | "although" | "though" | "while"
                )
        })
    }

    /// Whether the words name somebody else than the writer's sources: "a newspaper", "my friend",
    /// "Wikipedia", "media reports", not "the handbook", "our records" or "Section 4".
    fn third(&self, source: &Range<usize>) -> bool {
        let any = |class: &str| source.clone().any(|i| self.has(class, i));
        let number = |i: usize| self.view.kind(i) == Some(LexKind::Number);
        let Some(first) = source.clone().find(|i| !self.mark(*i)) else {
            return false;
        };
        let numbered = (source.start..source.end).any(|i| self.has("numbered", i) && number(i + 1));
        if self.is_user(source) {
            return true;
        }
        if any("own_mark") || numbered {
            return false;
        }
        if any("stale") || any("press") {
            return true;
        }
        if any("own_source") {
            return false;
        }
        let opens = self.text(first);
        // "the Daily Post", "The Guardian", not "the Lorn Hotel" of which something is known.
        let titled = |i: usize| {
            let flags = self.view.lexemes.get(i).map(|lexeme| lexeme.flags);
            flags.is_some_and(|flags| flags.has(LexFlags::CAPITALIZED)) && source.contains(&i)
        };
        if opens == "the" && titled(first + 1) && !source.clone().any(|i| self.known(i)) {
            return true;
        }
        if matches!(opens, "a" | "an" | "my" | "another") || self.has("indefinite", first) {
            return !matches!(opens, "he" | "she" | "they");
        }
        if self.is(first, Cue::DETERMINER.or(Cue::POSSESSIVE)) || number(first) {
            return false;
        }
        if any("unnamed") || self.has("teller", source.end - 1) {
            return true;
        }
        let flags = self.view.lexemes[first].flags;
        let capital = flags.has(LexFlags::CAPITALIZED) || flags.has(LexFlags::MIXED_CASE);
        let starts = flags.has(LexFlags::SENTENCE_START);
        let named = |i: usize| {
            let span = self.view.lexemes[i].span;
            self.view
                .mentions
                .iter()
                .any(|mention| mention.span.overlaps(span))
        };
        let genitive = source.clone().any(|i| self.view.word(i).ends_with("'s"));
        // "Tavira's website": what it says of itself.
        capital && (!starts || named(first)) && !(genitive && self.known(first))
    }

    fn known(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        let mut mentions = self.view.mentions.iter();
        mentions.any(|mention| {
            mention.span.overlaps(span) && matches!(mention.resolution, Resolution::Known(_))
        })
    }
}
