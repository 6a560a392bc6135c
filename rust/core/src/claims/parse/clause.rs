//! Where clauses and verb groups begin and end.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::phrases::phrases;
use crate::types::{LexFlags, LexKind};

use super::{Group, Parser};

impl Parser<'_> {
    /// Skips list marks and an adverbial in front; returns it where it starts with a preposition.
    pub(super) fn opening(&self) -> (usize, Option<Range<usize>>) {
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
    pub(super) fn finite(&self, i: usize, start: usize, has_subject: bool) -> bool {
        if !self.word(i) || self.opaque_at(i) || (i == start && !has_subject) {
            return false;
        }
        if self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) {
            let month = self.text(i) == "may" && self.capital(i);
            return !month && !matches!(self.text(i), "be" | "been" | "being" | "having");
        }
        let word = self.text(i);
        let Some(base) = self.verb(i) else {
            return false;
        };
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

    pub(super) fn group(&self, at: usize, verb_at: usize) -> Group {
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
            } else if !self.is(i, Cue::ADVERB.or(Cue::NEGATION)) || self.verb(i).is_some() {
                let participle = group.copula || group.has || i >= verb_at;
                let noun = group.copula && word.ends_with('s') && !word.ends_with("ss");
                if participle && !noun && !self.capital(i) {
                    group.base = self.verb(i);
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
    pub(super) fn about(&self, i: usize) -> bool {
        self.view
            .lexemes
            .get(i + 1)
            .is_some_and(|l| l.kind == LexKind::Number)
    }

    pub(super) fn capital(&self, i: usize) -> bool {
        self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
    }

    /// Where the clause of the verb group that ends at `from` ends.
    pub(super) fn clause_end(&self, from: usize) -> usize {
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
    pub(super) fn verb_follows(&self, from: usize) -> bool {
        (from..self.view.lexemes.len())
            .take_while(|i| self.word(*i) && !self.is(*i, Cue::CONJUNCTION))
            .any(|i| self.finite(i, from, true))
    }

    /// Words that can be the subject of the verb at `verb`, after conjunctions and relatives.
    pub(super) fn clause_subject(&self, start: usize, verb: usize) -> Range<usize> {
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
    pub(super) fn antecedent(&self, comma: usize) -> Range<usize> {
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
}
