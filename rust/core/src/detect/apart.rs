//! Whether a value is told of something else than the thing that the sentence is about: in a
//! clause with a subject of its own ("built before the war ended in 1945"), by a second verb
//! ("built and then widened in 1930"), of a group ("Acme and its suppliers"), of others of its
//! kind ("a company like Acme") or of a part ("a wall 2 m high").

use std::ops::Range;

use crate::claims::{Folded, SentenceView};
use crate::kb::{Fact, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::segment;
use crate::types::{LexFlags, LexKind, QuantityKind, Span};

use super::kb_conflict::scenic;

/// Words between the head of "a company like X" and its article.
const HEAD: usize = 4;

/// The words of a sentence around a value.
pub(super) struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
}

/// Whether the fact is an amount, which a group has another of than its members.
pub(super) fn summed(fact: &Fact) -> bool {
    match &fact.value {
        Value::Number { .. } => true,
        // "49 euros a month"
        Value::Text(text) => segment::quantities(text).iter().any(|q| {
            let amount = matches!(q.kind, QuantityKind::Money | QuantityKind::Measure);
            amount && !text[..q.span.start].contains(char::is_alphabetic)
        }),
        _ => false,
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(view: &'a SentenceView<'a>, folded: &'a Folded<'a>) -> Self {
        Self { view, folded }
    }

    /// Whether the value at `object` belongs to something else than `subject`. Without a subject
    /// only what the words around the value say by themselves is looked at.
    pub(super) fn apart(&self, subject: Option<Span>, object: Span) -> bool {
        let at = self.value(self.view.lexemes_in(object));
        let from = subject
            .filter(|subject| subject.end <= object.start)
            .map_or(0, |subject| self.view.lexemes_in(subject).end);
        self.subordinate(from, at) || self.second_verb(from, at)
    }

    /// Whether the amount at `object` is that of a group, of which its members' own say nothing,
    /// or of others like it.
    pub(super) fn of_several(&self, subject: Option<Span>, object: Span) -> bool {
        let object = self.view.lexemes_in(object);
        let subject = subject.map(|subject| self.view.lexemes_in(subject));
        self.likened(&object) || self.together(subject, &object)
    }

    /// The noun in "has a wall 2 m high", which the measure at `object` is of, where one stands.
    pub(super) fn measured_part(&self, object: Span) -> Option<String> {
        let (view, folded) = (self.view, self.folded);
        let object = view.lexemes_in(object);
        let measure = view.quantities.iter().any(|q| {
            q.kind == QuantityKind::Measure && view.lexemes_in(q.span).start == object.start
        });
        let noun = object.start.checked_sub(1)?;
        let plain = Cue::FUNCTION.or(Cue::PREPOSITION).or(Cue::ADVERB);
        let named = self.word(noun)
            && !self.is(noun, plain.or(Cue::COPULA).or(Cue::AUXILIARY))
            && folded.known(noun).verb.is_none()
            && view
                .attributes
                .predicates()
                .named(self.text(object.end))
                .is_some();
        let owned = (noun.saturating_sub(HEAD)..noun)
            .any(|i| matches!(self.text(i), "has" | "have" | "had" | "with"));
        (measure && named && owned).then(|| self.text(noun).to_owned())
    }
}

impl Reader<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn word(&self, i: usize) -> bool {
        self.view.kind(i) == Some(LexKind::Word)
    }

    fn comma(&self, i: usize) -> bool {
        matches!(self.view.word(i), "," | ";" | "—" | "–" | "(" | ")")
    }

    /// The first number or date of the object, else its first word.
    fn value(&self, object: Range<usize>) -> usize {
        let dates = self.view.dates.iter().map(|date| date.span);
        let numbers = self.view.quantities.iter().map(|quantity| quantity.span);
        let starts = dates
            .chain(numbers)
            .map(|span| self.view.lexemes_in(span).start);
        starts
            .filter(|at| object.contains(at))
            .min()
            .unwrap_or(object.start)
    }

    /// Whether the word may be the verb of a clause, its subject standing in front.
    fn verb(&self, i: usize) -> bool {
        let capital = self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
        if !self.word(i) || capital {
            return false;
        }
        let text = self.text(i);
        if self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) {
            return !matches!(text, "be" | "been" | "being" | "having");
        }
        let blocked = Cue::DETERMINER
            .or(Cue::PREPOSITION)
            .or(Cue::POSSESSIVE)
            .or(Cue::ADJECTIVE);
        let noun = i.checked_sub(1).is_some_and(|before| {
            self.is(before, blocked) || self.view.lexemes[before].kind == LexKind::Number
        });
        if noun || text.ends_with("ing") {
            return false;
        }
        self.participle(i) || self.folded.known(i).verb.is_some_and(|base| base != text)
    }

    /// A form of the past of a verb, known or regular.
    fn participle(&self, i: usize) -> bool {
        let text = self.text(i);
        text.len() > 4 && text.ends_with("ed") && !self.is(i, Cue::ADJECTIVE)
            || self
                .folded
                .known(i)
                .verb
                .is_some_and(|base| base != text && !text.ends_with('s') && !text.ends_with("ing"))
    }

    /// "… before the towers fell in 2001": between the sentence's own verb and the value a clause
    /// opens that has a subject and a verb of its own.
    fn subordinate(&self, from: usize, at: usize) -> bool {
        let from = (from..at).rev().find(|i| self.comma(*i)).unwrap_or(from);
        let Some(own) = (from..at).find(|i| self.verb(*i)) else {
            return false;
        };
        (own + 1..at)
            .filter(|i| self.opens(*i))
            .any(|i| self.has_clause(i + 1, at))
    }

    /// Whether the word can open a clause that tells when, where or why.
    fn opens(&self, i: usize) -> bool {
        self.is(i, Cue::BREAK) && !matches!(self.text(i), "which" | "who" | "that")
            || matches!(
                self.text(i),
                "as" | "until" | "till" | "once" | "than" | "unless"
            )
    }

    /// Whether a noun and then a verb stand in the range, which joins nothing to the clause before.
    fn has_clause(&self, from: usize, to: usize) -> bool {
        let light = Cue::ADVERB.or(Cue::PREPOSITION).or(Cue::DETERMINER);
        let nominal = |i: usize| {
            self.word(i)
                && (!self.is(i, light)
                    || self.is(
                        i,
                        Cue::PRONOUN_PERSON
                            .or(Cue::PRONOUN_THING)
                            .or(Cue::PRONOUN_GROUP),
                    ))
        };
        let mut subject = false;
        for i in from..to {
            if self.is(i, Cue::CONJUNCTION) {
                // "after the war and reopened": of the clause before.
                let next = (i + 1..to).find(|j| !self.is(*j, Cue::ADVERB));
                if next.is_some_and(|j| self.verb(j)) {
                    return false;
                }
                continue;
            }
            if subject && self.verb(i) {
                return true;
            }
            subject |= nominal(i);
        }
        false
    }

    /// "was built and then widened in 1930": the value stands with the second verb, which the
    /// reader of claims may not know.
    fn second_verb(&self, from: usize, at: usize) -> bool {
        (from..at).any(|i| {
            let joins = self.is(i, Cue::CONJUNCTION) && i > from;
            let next = (i + 1..at).find(|j| {
                !self.is(*j, Cue::ADVERB) && !matches!(self.text(*j), "then" | "later" | "soon")
            });
            let behind = |j: usize| {
                let known = self.folded.known(j).verb.is_some();
                let lower = !self.view.lexemes[j].flags.has(LexFlags::CAPITALIZED);
                let form = self.text(j);
                let past = form.len() > 4 && form.ends_with("ed");
                let objectless = self.is(j + 1, Cue::PREPOSITION) && j + 2 >= at;
                !known && lower && past && objectless
            };
            joins
                && (from..i).any(|j| self.verb(j) || self.participle(j))
                && next.is_some_and(behind)
        })
    }

    /// "A company like X", "firms such as X": what is said is said of the kind.
    fn likened(&self, object: &Range<usize>) -> bool {
        (1..object.start).any(|i| {
            let like = self.text(i) == "like"
                || self.text(i) == "such" && self.text(i + 1) == "as"
                || matches!(self.text(i), "similar" | "comparable") && self.text(i + 1) == "to";
            let head = i - 1;
            let noun = self.word(head)
                && !self.is(head, Cue::COPULA.or(Cue::AUXILIARY).or(Cue::ADVERB))
                && !self.view.lexemes[head].flags.has(LexFlags::CAPITALIZED);
            let kind = self.text(head).ends_with('s')
                || (head.saturating_sub(HEAD)..head).any(|j| {
                    matches!(
                        self.text(j),
                        "a" | "an"
                            | "any"
                            | "every"
                            | "each"
                            | "another"
                            | "no"
                            | "average"
                            | "typical"
                            | "most"
                            | "some"
                    )
                });
            // "looks like X": no kind.
            let said = (0..head).any(|j| self.verb(j)) || self.verb(head);
            like && noun && kind && !said
        })
    }

    /// "X and Y", "X and its suppliers", "X, with its subsidiaries,", "X, including its mount,".
    fn together(&self, subject: Option<Range<usize>>, object: &Range<usize>) -> bool {
        let own = |i: usize| self.is(i, Cue::POSSESSIVE) || self.text(i) == "all";
        // "including 30 engineers" is no more than what was counted.
        let named = |i: usize| {
            let number = |at: Span| self.view.quantities.iter().any(|q| q.span.overlaps(at));
            self.word(i) && !number(self.view.lexemes[i].span)
        };
        let len = self.folded.len();
        let beside = (0..len).filter(|i| !object.contains(i)).any(|i| {
            match self.text(i) {
                word if stance().has("summing", word) => true,
                "including" | "excluding" | "counting" | "plus" => named(i + 1),
                // "mount included"
                "included" | "excluded" | "counted" => i > 0 && self.word(i - 1),
                "with" | "without" => {
                    own(i + 1) && self.aside(i) && !self.describes(i) && !self.values(i, object)
                }
                _ => false,
            }
        });
        let joined = subject.is_some_and(|subject| {
            let verb = (subject.end..object.start).find(|i| self.verb(*i) || self.plural_verb(*i));
            let between = subject.end..verb.unwrap_or(subject.end);
            // "each", "both": what is said is said of every one of them.
            let each = (0..len.min(object.end + 2))
                .any(|i| matches!(self.text(i), "each" | "both" | "respectively" | "either"));
            let links = |i: usize| matches!(self.text(i), "and" | "plus" | "&");
            let behind = between.clone().any(links);
            let ahead = subject.start > 1
                && subject.start < object.start
                && links(subject.start - 1)
                && !(0..subject.start).any(|i| self.verb(i) || self.comma(i));
            !each && (behind || ahead)
        });
        beside || joined
    }

    /// "with its height of 90 m": the attribute whose value stands at `object`.
    fn values(&self, i: usize, object: &Range<usize>) -> bool {
        object.start > i + 3
            && self.text(object.start - 1) == "of"
            && (i + 2..object.start - 1).all(|i| self.word(i) && !self.is(i, Cue::FUNCTION))
    }

    /// "With its friendly staff, X …".
    fn describes(&self, i: usize) -> bool {
        let end = (i..self.folded.len()).find(|end| self.comma(*end));
        i == 0 && end.is_some_and(|end| scenic(self.folded, 0, end))
    }

    /// "with its mount" beside the subject or at the end, not "opened with its …".
    fn aside(&self, i: usize) -> bool {
        i == 0
            || self.comma(i - 1)
            || !self
                .folded
                .known(i - 1)
                .verb
                .is_some_and(|_| self.verb(i - 1))
    }

    /// A base form behind a plural: "its suppliers employ".
    fn plural_verb(&self, i: usize) -> bool {
        let text = self.text(i);
        self.folded.known(i).verb == Some(text)
            && i > 0
            && self.word(i - 1)
            && !self.is(
                i - 1,
                Cue::DETERMINER
                    .or(Cue::PREPOSITION)
                    .or(Cue::POSSESSIVE)
                    .or(Cue::ADJECTIVE),
            )
    }
}
