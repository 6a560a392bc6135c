//! A light chunker: who does or is what, in the sentence shapes that answers are made of.
//!
//! Closed classes and the verbs of the lexicon mark verb groups; what stands before one is its
//! subject, what follows its objects, parted by prepositions. Ranges are lexeme numbers.

use std::ops::Range;

use crate::lexicon::cues::{Cue, cue, predicates, verb};
use crate::lexicon::phrases::phrases;
use crate::types::{LexFlags, LexKind, Span};

use super::view::{Folded, SentenceView};

/// One thing said: ranges of lexemes and the attribute spoken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) subject: Range<usize>,
    pub(super) predicate: String,
    pub(super) object: Range<usize>,
    pub(super) negative: bool,
}

/// Most relations of one sentence.
const CAP: usize = 8;

/// Attributes whose values are dates, by which "born in 1987" and "born in Utrecht" part.
const DATED: [&str; 10] = [
    "founded",
    "opened",
    "built",
    "born",
    "died",
    "published",
    "launched",
    "joined",
    "ended",
    "acquired",
];

/// Nouns between subject and value that only carry the value ("the number of employees").
const CARRIERS: [&str; 6] = ["number", "total", "amount", "count", "size", "value"];

pub(super) struct Parser<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded,
    cues: Vec<Cue>,
    /// Lexemes of reference marks and brackets, which no phrase goes through.
    opaque: Vec<Span>,
    found: Vec<Relation>,
}

/// A verb group: auxiliaries, adverbs and at most one lexical verb.
struct Group {
    end: usize,
    base: Option<&'static str>,
    copula: bool,
    has: bool,
    negative: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(view: &'a SentenceView<'a>, folded: &'a Folded, opaque: Vec<Span>) -> Self {
        let cues = (0..folded.len()).map(|i| cue(folded.get(i))).collect();
        Self {
            view,
            folded,
            cues,
            opaque,
            found: Vec::new(),
        }
    }

    pub(super) fn relations(mut self) -> Vec<Relation> {
        let len = self.view.lexemes.len();
        let (mut start, leading) = self.opening();
        let mut subject = start..start;
        while start < len && self.found.len() < CAP {
            let Some(at) = (start..len).find(|i| self.finite(*i, start, !subject.is_empty()))
            else {
                break;
            };
            // Adverbs and negations before the verb belong to it.
            let free = start..at;
            let verb_at = at;
            let at = free
                .rev()
                .take_while(|i| {
                    self.is(*i, Cue::ADVERB.or(Cue::NEGATION))
                        || (self.text(*i) == "no" && self.text(*i + 1) == "longer")
                        || (self.text(*i) == "longer"
                            && i.checked_sub(1).is_some_and(|p| self.text(p) == "no"))
                })
                .last()
                .filter(|i| *i > start || !subject.is_empty())
                .unwrap_or(at);
            let own = self.trim(self.clause_subject(start, at));
            if !own.is_empty() {
                subject = self.appositions(own);
            }
            let group = self.group(at, verb_at);
            let end = self.clause_end(group.end);
            if subject.is_empty() {
                start = end.max(at + 1);
                continue;
            }
            let before = self.found.len();
            self.predicate(&subject, &group, end);
            if before == self.found.len()
                && let (Some(leading), Some(base)) = (&leading, group.base)
            {
                // "In 1990, X was founded": the date stands in front.
                let prep = self.folded.get(leading.start).to_owned();
                self.prepositional(
                    &subject,
                    base,
                    &prep,
                    leading.start + 1..leading.end,
                    group.negative,
                );
            }
            start = end.max(group.end);
        }
        self.found.truncate(CAP);
        self.found
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.cues.get(i).is_some_and(|cue| cue.is(class))
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn word(&self, i: usize) -> bool {
        self.view
            .lexemes
            .get(i)
            .is_some_and(|l| matches!(l.kind, LexKind::Word | LexKind::Number))
    }

    fn opaque_at(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        self.opaque.iter().any(|mark| mark.overlaps(span))
    }

    fn comma(&self, i: usize) -> bool {
        i < self.view.lexemes.len() && self.view.word(i) == "," && !self.inside_value(i)
    }

    /// Inside a date, a number or a name, where punctuation parts nothing.
    fn inside_value(&self, i: usize) -> bool {
        let span = self.view.lexemes[i].span;
        let inside = |outer: Span| outer.start < span.start && span.end < outer.end;
        self.view.dates.iter().any(|date| inside(date.span))
            || self
                .view
                .quantities
                .iter()
                .any(|quantity| inside(quantity.span))
            || self
                .view
                .mentions
                .iter()
                .any(|mention| inside(mention.span))
    }

    /// Skips list marks and an adverbial in front; returns it where it starts with a preposition.
    fn opening(&self) -> (usize, Option<Range<usize>>) {
        let len = self.view.lexemes.len();
        let mut start = (0..len)
            .find(|i| self.word(*i) && !self.opaque_at(*i))
            .unwrap_or(len);
        let numbered = |at: usize| {
            self.view.lexemes[at].kind == LexKind::Number
                && matches!(self.view.word(at + 1), "." | ")")
        };
        if start < len && numbered(start) {
            start = (start + 1..len).find(|i| self.word(*i)).unwrap_or(len);
        }
        // "I know that …", "As far as I know, …": how sure, not what of.
        if let Some(lexeme) = self.view.lexemes.get(start) {
            let base = self.view.sentence.span.start;
            let text = self.view.text.get(lexeme.span.start - base..).unwrap_or("");
            if let Some(length) = phrases().opening_length(text) {
                let after = lexeme.span.start + length;
                start = (start..len)
                    .find(|i| self.view.lexemes[*i].span.start >= after && self.word(*i))
                    .unwrap_or(len);
            }
        }
        let adverbial = Cue::PREPOSITION.or(Cue::BREAK).or(Cue::ADVERB);
        if start < len && (self.is(start, adverbial) || self.text(start) == "according") {
            let comma = (start..len).find(|i| self.comma(*i));
            if let Some(comma) = comma {
                let range = self.is(start, Cue::PREPOSITION).then_some(start..comma);
                return (comma + 1, range);
            }
        }
        (start, None)
    }

    /// Whether a finite verb stands here; `start` is where its subject may begin.
    fn finite(&self, i: usize, start: usize, has_subject: bool) -> bool {
        if !self.word(i) || self.opaque_at(i) || (i == start && !has_subject) {
            return false;
        }
        if self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) {
            return !matches!(self.text(i), "be" | "been" | "being" | "having")
                && !(self.text(i) == "may"
                    && self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED));
        }
        let word = self.text(i);
        let Some(base) = verb(word) else { return false };
        let previous = i.checked_sub(1).filter(|p| *p >= start);
        let blocked = Cue::DETERMINER.or(Cue::PREPOSITION).or(Cue::POSSESSIVE);
        if word.ends_with("ing")
            || self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
            || previous.is_some_and(|p| self.is(p, blocked) || self.view.word(p).ends_with("'s"))
        {
            return false;
        }
        // A base form is a verb only after a plural.
        word != base
            || matches!(word, "cost" | "set" | "lay" | "found")
            || previous.is_some_and(|p| {
                self.is(p, Cue::PRONOUN_GROUP.or(Cue::PRONOUN_OTHER)) || self.text(p).ends_with('s')
            })
    }

    fn group(&self, at: usize, verb_at: usize) -> Group {
        let mut group = Group {
            end: at,
            base: None,
            copula: false,
            has: false,
            negative: false,
        };
        let len = self.view.lexemes.len();
        while group.end < len {
            let i = group.end;
            let word = self.text(i);
            if i < verb_at {
                group.negative |=
                    self.is(i, Cue::NEGATION) || (word == "no" && self.text(i + 1) == "longer");
                group.end += 1;
                continue;
            }
            if self.is(i, Cue::NEGATION)
                || word.ends_with("n't")
                || word.ends_with("nt") && self.is(i, Cue::COPULA)
            {
                group.negative = true;
            }
            if self.is(i, Cue::COPULA) {
                group.copula = true;
                group.has = false;
            } else if self.is(i, Cue::AUXILIARY) {
                group.has = matches!(word, "has" | "have" | "had");
            } else if !self.is(i, Cue::ADVERB.or(Cue::NEGATION)) || verb(word).is_some() {
                let participle = group.copula || group.has || i >= verb_at;
                let noun = group.copula && word.ends_with('s') && !word.ends_with("ss");
                if participle && !noun && !self.capital(i) {
                    group.base = verb(word);
                }
                if group.has && group.base.is_some_and(|base| base == word && base != "set") {
                    // "has work to do": a noun.
                    group.base = None;
                }
                if group.base.is_some() {
                    group.has = false;
                    group.end += 1;
                    while group.end < len
                        && self.is(group.end, Cue::ADVERB)
                        && !self.about(group.end)
                    {
                        group.end += 1;
                    }
                }
                break;
            } else if self.about(i) {
                break;
            }
            group.end += 1;
        }
        if group.end < len && self.text(group.end) == "no" {
            group.negative = true;
        }
        group
    }

    /// An adverb that belongs to the number after it.
    fn about(&self, i: usize) -> bool {
        self.view
            .lexemes
            .get(i + 1)
            .is_some_and(|l| l.kind == LexKind::Number)
    }

    fn capital(&self, i: usize) -> bool {
        self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
    }

    /// Where the clause of the verb group that ends at `from` ends.
    fn clause_end(&self, from: usize) -> usize {
        let len = self.view.lexemes.len();
        let mut i = from;
        while i < len {
            let lexeme = &self.view.lexemes[i];
            let mark = self.view.word(i);
            if self.opaque_at(i) || lexeme.kind == LexKind::Newline {
                break;
            }
            if lexeme.kind == LexKind::Punct
                && !self.inside_value(i)
                && matches!(
                    mark,
                    "," | ";" | ":" | "—" | "–" | "." | "!" | "?" | "…" | "(" | ")" | "|" | "["
                )
            {
                break;
            }
            if i > from && self.is(i, Cue::BREAK) && !self.is(i, Cue::PREPOSITION) {
                break;
            }
            if self.is(i, Cue::CONJUNCTION) && self.verb_follows(i + 1) {
                break;
            }
            i += 1;
        }
        i
    }

    /// Whether a finite verb stands before the next mark.
    fn verb_follows(&self, from: usize) -> bool {
        (from..self.view.lexemes.len())
            .take_while(|i| self.word(*i) && !self.is(*i, Cue::CONJUNCTION))
            .any(|i| self.finite(i, from, true))
    }

    /// Words that can be the subject of the verb at `verb`, after conjunctions and relatives.
    fn clause_subject(&self, start: usize, verb: usize) -> Range<usize> {
        let opener = Cue::CONJUNCTION
            .or(Cue::ADVERB)
            .or(Cue::BREAK)
            .or(Cue::NEGATION);
        let mut first = start;
        while first < verb && (!self.word(first) || self.is(first, opener) || self.opaque_at(first))
        {
            let relative = matches!(self.text(first), "which" | "who");
            first += 1;
            if relative && first >= verb {
                return self.antecedent(start);
            }
        }
        first..verb
    }

    /// The name right before a relative clause.
    fn antecedent(&self, comma: usize) -> Range<usize> {
        let Some(end) = comma
            .checked_sub(1)
            .and_then(|i| self.view.lexemes.get(i))
            .map(|l| l.span.end)
        else {
            return 0..0;
        };
        let mention = self
            .view
            .mentions
            .iter()
            .find(|mention| mention.span.end == end);
        mention.map_or(0..0, |mention| self.view.lexemes_in(mention.span))
    }

    /// Takes the first part of "X, the CEO of Y," as subject and reads the others.
    fn appositions(&mut self, range: Range<usize>) -> Range<usize> {
        let commas: Vec<usize> = range.clone().filter(|i| self.comma(*i)).collect();
        let Some(first) = commas.first() else {
            return range;
        };
        let subject = self.trim(range.start..*first);
        for (n, comma) in commas.iter().enumerate() {
            let part = self.trim(comma + 1..commas.get(n + 1).copied().unwrap_or(range.end));
            if part.is_empty() {
                continue;
            }
            if let Some(base) = verb(self.text(part.start)).filter(|_| !self.capital(part.start)) {
                let group = Group {
                    end: part.start + 1,
                    base: Some(base),
                    copula: true,
                    has: false,
                    negative: false,
                };
                self.predicate(&subject, &group, part.end);
            } else if self.is(part.start, Cue::DETERMINER) || self.of(&part).is_some() {
                self.copula(&subject, part, false);
            }
        }
        subject
    }

    /// Without leading and trailing marks and adverbs.
    fn trim(&self, mut range: Range<usize>) -> Range<usize> {
        let skip = |i: usize| !self.word(i) || self.opaque_at(i);
        while range.start < range.end && skip(range.start) {
            range.start += 1;
        }
        while range.start < range.end && skip(range.end - 1) {
            range.end -= 1;
        }
        range
    }

    fn predicate(&mut self, subject: &Range<usize>, group: &Group, end: usize) {
        let rest = group.end..end.max(group.end);
        let Some(base) = group.base else {
            let object = self.trim(rest);
            if object.is_empty() {
                return;
            }
            if group.copula {
                self.copula(subject, object, group.negative);
            } else if group.has {
                self.has(subject, object, group.negative);
            }
            return;
        };
        let mut pieces = self.pieces(rest);
        pieces.retain(|(_, object)| !object.is_empty());
        let before = self.found.len();
        let direct = pieces
            .iter()
            .find(|(prep, _)| prep.is_none())
            .map(|(_, object)| object.clone());
        let inverse = predicates()
            .of_phrase(&format!("^{base}"))
            .next()
            .filter(|_| !group.copula);
        let mut holder = subject.clone();
        if let (Some(inverse), Some(object)) = (inverse, &direct) {
            // "P founded X in 1987": both things are said of X.
            holder = object.clone();
            self.push(
                holder.clone(),
                inverse.name.to_owned(),
                subject.clone(),
                group.negative,
            );
        }
        for (prep, object) in pieces
            .iter()
            .filter_map(|(prep, object)| Some((prep.as_ref()?, object)))
        {
            self.prepositional(&holder, base, prep, object.clone(), group.negative);
        }
        let Some(object) = direct.filter(|_| inverse.is_none()) else {
            return;
        };
        let named = predicates().of_phrase(base).next();
        if let Some(named) = named.filter(|_| !group.copula) {
            self.push(
                subject.clone(),
                named.name.to_owned(),
                object,
                group.negative,
            );
        } else if self.found.len() == before && !group.copula {
            self.push(subject.clone(), base.to_owned(), object, group.negative);
        } else if group.copula && self.found.len() == before {
            self.copula(subject, object, group.negative);
        }
    }

    /// Parts of what follows a verb, each with the preposition that opens it.
    fn pieces(&self, rest: Range<usize>) -> Vec<(Option<String>, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut prep = None;
        let mut from = rest.start;
        for i in rest.clone() {
            let opens = self.is(i, Cue::PREPOSITION)
                && self.text(i) != "of"
                && !self.inside_value(i)
                && !self.is(i, Cue::ADVERB)
                && !self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
            if opens {
                pieces.push((prep.take(), self.trim(from..i)));
                prep = Some(self.text(i).to_owned());
                from = i + 1;
            }
        }
        pieces.push((prep, self.trim(from..rest.end)));
        pieces
    }

    /// `verb prep object`, if the lexicon knows which attribute that speaks of.
    fn prepositional(
        &mut self,
        subject: &Range<usize>,
        base: &str,
        prep: &str,
        object: Range<usize>,
        negative: bool,
    ) {
        let phrase = format!("{base} {prep}");
        let dated = self.dated(&object);
        let known = |name: &str| {
            self.view.attributes.has(name)
                || predicates()
                    .named(name)
                    .is_some_and(|p| p.synonyms.iter().any(|s| self.view.attributes.has(s)))
        };
        let candidates: Vec<&'static str> = predicates()
            .of_phrase(&phrase)
            .map(|predicate| predicate.name)
            .filter(|name| !dated || DATED.contains(name))
            .collect();
        let plain = candidates
            .iter()
            .find(|name| dated || !DATED.contains(*name));
        let chosen = candidates
            .iter()
            .find(|name| known(name) && (dated || !DATED.contains(*name)))
            .or(plain)
            .or(candidates.first());
        let own = format!("{base}_{prep}");
        let name = if self.view.attributes.has(&own) {
            own
        } else {
            chosen.map_or(String::new(), |n| (*n).to_owned())
        };
        if !name.is_empty() {
            self.push(subject.clone(), name, object, negative);
        } else if !dated
            && !matches!(
                prep,
                "as" | "since" | "during" | "after" | "before" | "until"
            )
        {
            self.push(subject.clone(), format!("{base}_{prep}"), object, negative);
        }
    }

    fn dated(&self, object: &Range<usize>) -> bool {
        let Some(span) = self.span(object) else {
            return false;
        };
        let dates = self.view.dates.iter();
        dates
            .filter(|date| date.year.is_some() || date.month.is_some())
            .any(|date| span.overlaps(date.span))
            || self.view.quantities.iter().any(|quantity| {
                quantity.kind == crate::types::QuantityKind::Year && span.overlaps(quantity.span)
            })
    }

    pub(super) fn span(&self, range: &Range<usize>) -> Option<Span> {
        let first = self.view.lexemes.get(range.start)?;
        let last = self.view.lexemes.get(range.end.checked_sub(1)?)?;
        Some(Span::new(first.span.start, last.span.end))
    }

    fn push(
        &mut self,
        subject: Range<usize>,
        predicate: String,
        object: Range<usize>,
        negative: bool,
    ) {
        let relation = Relation {
            subject,
            predicate,
            object,
            negative,
        };
        if self.found.len() < CAP && !self.found.contains(&relation) {
            self.found.push(relation);
        }
    }
}

mod shapes;
