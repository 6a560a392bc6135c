//! Where clauses and verb groups begin and end.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::phrases::phrases;
use crate::lexicon::units::{Role, number_word};
use crate::types::{LexFlags, LexKind};

use super::super::clauses::called::called;
use super::{Group, Leading, Parser};

/// Words before a verb among which the "and" of its subject must stand.
const NEAR: usize = 12;

impl Parser<'_> {
    /// The first word of the sentence, without the number of its list item.
    pub(super) fn first_word(&self) -> usize {
        let len = self.view.lexemes.len();
        let first = |from: usize| {
            let mut words = (from..len).filter(|i| self.word(*i) && !self.opaque_at(*i));
            words.next().unwrap_or(len)
        };
        let start = first(0);
        let numbered = start < len
            && self.view.lexemes[start].kind == LexKind::Number
            && matches!(self.view.word(start + 1), "." | ")");
        if numbered { first(start + 1) } else { start }
    }

    /// Skips list marks and an adverbial in front; returns it where it starts with a preposition.
    pub(super) fn opening(&self) -> (usize, Option<Leading>) {
        let len = self.view.lexemes.len();
        let mut start = self.first_word();
        start = self.behind_label(start).unwrap_or(start);
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
        // "Back in 1980, …"
        start += usize::from(self.text(start) == "back" && self.text(start + 1) == "in");
        let adverbial = Cue::PREPOSITION
            .or(Cue::BREAK)
            .or(Cue::ADVERB)
            .or(Cue::CONDITION);
        let comma = || (start..len).find(|i| self.comma(*i));
        if start < len && self.past(start) && self.is(start + 1, Cue::PREPOSITION.or(Cue::ADVERB)) {
            if let Some(comma) = comma() {
                return (comma + 1, Some(Leading::Participle(start..comma)));
            }
        } else if let Some(end) = self.scene_in_front(start) {
            return (end, None);
        } else if start < len
            && self.comma(start + 1)
            && (self.is(start, Cue::FUNCTION.or(Cue::META).or(Cue::ADVERB))
                || self.text(start).ends_with("ly"))
        {
            return (start + 2, None);
        } else if let Some(end) = self.compared_in_front(start) {
            return (end, None);
        } else if let Some((date, end)) = self.cleft_date(start) {
            return (end, Some(Leading::Adverbial(date)));
        } else if let Some(end) = self.date_in_front(start) {
            return (end, Some(Leading::Adverbial(start..end)));
        } else if start < len
            && (self.is(start, adverbial) || self.text(start) == "according")
            && let Some(comma) = comma()
        {
            // "Because demand fell, …" says so; "If it rains, …" and "When …" do not.
            let stated = matches!(
                self.text(start),
                "because"
                    | "although"
                    | "though"
                    | "while"
                    | "whereas"
                    | "since"
                    | "after"
                    | "before"
            );
            if stated && (start + 1..comma).any(|i| self.finite(i, start + 1, false)) {
                return (start + 1, None);
            }
            let adverbial = self.is(start, Cue::PREPOSITION).then_some(start..comma);
            let end = self.past_second(start, comma);
            return (end, adverbial.map(Leading::Adverbial));
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
            let noun = matches!(self.text(i), "will" | "can" | "might" | "must")
                && i > start
                && matches!(
                    self.text(i - 1),
                    "the" | "a" | "an" | "his" | "her" | "their" | "its" | "my"
                );
            return !month && !noun && !matches!(self.text(i), "be" | "been" | "being" | "having");
        }
        let word = self.text(i);
        let Some(base) = self.verb(i) else {
            return false;
        };
        let previous = i.checked_sub(1).filter(|p| *p >= start);
        let blocked = Cue::DETERMINER.or(Cue::PREPOSITION).or(Cue::POSSESSIVE);
        let relative = |p: usize| {
            matches!(self.text(p), "that" | "who" | "which") && p > 0 && self.word(p - 1)
        };
        if word.ends_with("ing")
            || self.capital(i)
            || previous.is_some_and(|p| {
                let closed = self.is(p, blocked) && !relative(p) && !self.floats(p, start);
                closed && !(p > start && called(self.view, self.folded, p, i)) || self.owns(p)
            })
        {
            return false;
        }
        let next = i + 1;
        let follows = self.word(next);
        let verbal = follows && self.is(next, Cue::COPULA.or(Cue::AUXILIARY));
        let after = follows && !self.capital(next) && self.verb(next).is_some();
        // "the Tarn Optics head office": no verb.
        let compound = || self.attribute(&self.joined(i..next + 1)).is_some();
        if word == base && follows && !self.capital(next) && previous.is_some() && compound() {
            return false;
        }
        if word == base {
            if self.is(i, Cue::UNCHANGED) {
                return self.text(next) != "of" && !verbal;
            }
            // Another base form is a verb only after a plural.
            let Some(previous) = previous else {
                return has_subject;
            };
            let plural = self.is(previous, Cue::PRONOUN_GROUP.or(Cue::PRONOUN_OTHER))
                || self.text(previous).ends_with('s')
                || matches!(
                    self.text(previous),
                    "people" | "men" | "women" | "children" | "police"
                )
                || relative(previous) && self.text(previous - 1).ends_with('s')
                || (start.max(previous.saturating_sub(NEAR))..previous)
                    .any(|n| self.text(n) == "and")
                    && !self.is(previous, Cue::ADJECTIVE)
                || self.is(previous, Cue::ADVERB) && has_subject;
            return plural && !verbal && !(after && self.past(next)) && self.text(next) != "of";
        }
        if self.past(i) {
            return true;
        }
        // "reports", "works": a verb unless what follows is one, or it is counted.
        let noun = verbal
            || after
                && (self.past(next)
                    || self.text(next) == self.verb(next).unwrap_or("")
                        && self.word(next + 1)
                        && !self.is(
                            next + 1,
                            Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::BREAK),
                        ))
            || self.text(next) == "of"
                && !matches!(base, "consist" | "die" | "think" | "approve" | "speak")
            || previous.is_some_and(|p| {
                self.view.lexemes[p].kind == LexKind::Number && !(p > start && self.capital(p - 1))
                    || self.is(p, Cue::ADJECTIVE)
            });
        !noun
    }

    /// "X and Y both opened": a word that stands behind what it counts.
    fn floats(&self, i: usize, start: usize) -> bool {
        let Some(before) = i.checked_sub(1).filter(|before| *before >= start) else {
            return false;
        };
        let light = Cue::DETERMINER
            .or(Cue::PREPOSITION)
            .or(Cue::POSSESSIVE)
            .or(Cue::CONJUNCTION);
        matches!(self.text(i), "both" | "each")
            && self.word(before)
            && !self.is(before, light)
            && (start..before).any(|joint| self.text(joint) == "and")
    }

    /// Where the verb group starts, adverbs and negations before the verb among it.
    pub(super) fn group_start(&self, start: usize, verb: usize, has_subject: bool) -> usize {
        (start..verb)
            .rev()
            .take_while(|i| {
                self.is(*i, Cue::ADVERB.or(Cue::NEGATION))
                    || self.floats(*i, start)
                    || (self.text(*i) == "no" && self.text(*i + 1) == "longer")
                    || (self.text(*i) == "longer"
                        && i.checked_sub(1).is_some_and(|p| self.text(p) == "no"))
            })
            .last()
            .filter(|i| *i > start || has_subject)
            .unwrap_or(verb)
    }

    /// Whether an article or a number stands here.
    fn opens_noun(&self, at: usize) -> bool {
        let number = self.view.kind(at) == Some(LexKind::Number)
            || matches!(number_word(self.text(at)).role, Role::Ones | Role::Ten);
        number || self.is(at, Cue::DETERMINER) || matches!(self.text(at), "a" | "an" | "no")
    }

    pub(super) fn group(&self, at: usize, verb_at: usize) -> Group {
        let mut group = Group {
            end: at,
            verb: verb_at,
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
                group.negative |= self.denies(i) || (word == "no" && self.text(i + 1) == "longer");
                group.end += 1;
                continue;
            }
            group.negative |= self.denies(i);
            if self.is(i, Cue::COPULA) {
                group.copula = true;
                group.has = false;
            } else if self.is(i, Cue::AUXILIARY) {
                group.has = matches!(word, "has" | "have" | "had");
            } else if group.has && word == "got" && self.opens_noun(i + 1) {
                // "has got four rooms"
            } else if !self.is(i, Cue::ADVERB.or(Cue::NEGATION)) || self.verb(i).is_some() {
                // "- Founded in 1987" begins with its verb.
                if self.capital(i) && i != verb_at {
                    break;
                }
                let finite = i == verb_at;
                // "is open": a form that is no participle is an adjective after "is".
                let participle = !group.copula
                    || self.past(i)
                    || self.is(i, Cue::UNCHANGED) && word != "open"
                    || word.ends_with("ing");
                if (finite || participle && (group.copula || group.has || i > verb_at))
                    && let Some(base) = self.verb(i)
                {
                    // "Researchers found": of finding, not of founding.
                    let base = if word == "found" && !group.copula {
                        "find"
                    } else {
                        base
                    };
                    group.base = Some(base.to_owned());
                    group.verb = i;
                }
                let noun =
                    group.base.as_deref() == Some(word) && word != "set" || word.ends_with("ing");
                if group.has && noun {
                    // "has work to do", "has parking": a noun.
                    group.base = None;
                }
                if let Some(base) = &group.base {
                    if word.ends_with("ing") {
                        group.copula = false;
                    }
                    group.has = false;
                    group.end += 1;
                    if base == "fail" && self.text(group.end) == "to" {
                        // "fails to detect": does not.
                        if let Some(inner) = self.verb(group.end + 1) {
                            group.base = Some(inner.to_owned());
                            group.negative = !group.negative;
                            group.verb = group.end + 1;
                            group.end += 2;
                        }
                    } else if self.is(group.end, Cue::PARTICLE)
                        || base == "take" && self.text(group.end) == "place"
                    {
                        group.base = Some(format!("{base} {}", self.text(group.end)));
                        group.end += 1;
                    }
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
        if group.end < len && matches!(self.text(group.end), "no" | "neither") {
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
            if self.comma(i)
                && i > from
                && let Some(more) = self.list_end(i)
            {
                i = more + 1;
                continue;
            }
            let lexeme = &self.view.lexemes[i];
            let mark = self.view.word(i);
            if self.opaque_at(i) || lexeme.kind == LexKind::Newline {
                break;
            }
            if lexeme.kind == LexKind::Punct
                && !self.inside_value(i)
                && !self.view.abbreviates(i)
                && matches!(
                    mark,
                    "," | ";" | ":" | "—" | "–" | "." | "!" | "?" | "…" | "(" | ")" | "|" | "["
                )
            {
                break;
            }
            if i > from && self.text(i) == "whose" {
                break;
            }
            if i > from
                && self.is(i, Cue::BREAK.or(Cue::CONDITION))
                && !self.is(i, Cue::PREPOSITION)
            {
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
            .any(|i| self.acts(i, from))
    }

    /// Words that can be the subject of the verb at `verb`, after conjunctions and relatives.
    pub(super) fn clause_subject(&self, start: usize, verb: usize) -> Range<usize> {
        let opener = Cue::CONDITION
            .or(Cue::CONJUNCTION)
            .or(Cue::ADVERB)
            .or(Cue::BREAK)
            .or(Cue::NEGATION);
        let mut first = start;
        while first < verb && (!self.word(first) || self.is(first, opener) || self.opaque_at(first))
        {
            first += 1;
        }
        let relative = (first..verb)
            .find(|i| matches!(self.text(*i), "which" | "who" | "that" | "whose") && *i > first);
        let verb = relative
            .filter(|i| {
                (i + 1..verb)
                    .all(|n| self.is(n, Cue::ADVERB.or(Cue::NEGATION)) || self.text(*i) == "whose")
            })
            .unwrap_or(verb);
        first..verb
    }
}
