//! What an event is of, whether it comes again by nature, and on what condition a value is told.

use crate::claims::{Clause, Folded, SentenceView, base_form, word_hash};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::turns;
use crate::normal::stem;
use crate::types::{Claim, LexFlags, LexKind, Span};

use super::circumstances::Circumstances;

impl Circumstances {
    /// Notes what the clause's event is of ("released Revolver"), and whether it may come again.
    pub(super) fn event(&mut self, view: &SentenceView<'_>, folded: &Folded<'_>, clause: &Clause) {
        self.of.clear();
        self.repeats = false;
        let Some(verb) = clause.verb else { return };
        let again = |word: &str| turns().has("repeats", word);
        self.repeats = again(folded.get(verb)) || again(&base_form(folded, verb));
        if clause.copula {
            return;
        }
        let closed = Cue::PREPOSITION
            .or(Cue::CONJUNCTION)
            .or(Cue::BREAK)
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA);
        for i in clause.group.end..view.lexemes.len() {
            let lexeme = &view.lexemes[i];
            let dated = view.dates.iter().any(|d| d.span.overlaps(lexeme.span));
            let name = lexeme.flags.has(LexFlags::CAPITALIZED);
            let word = matches!(lexeme.kind, LexKind::Word | LexKind::Number);
            let joins = matches!(view.word(i), "-" | "'" | "\"" | "“" | "*" | "**" | "_");
            if dated || !(word || joins) || folded.cue(i).is(closed) && !name {
                break;
            }
            // "takes place"
            let light = turns().has("light_object", folded.get(i));
            let open =
                word && !light && (name || !folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE)));
            if open {
                self.of.push(word_hash(&stem(folded.get(i))));
            }
        }
        self.of.sort_unstable();
        self.of.dedup();
    }

    /// Notes on what condition the sentence is told ("when streaming").
    pub(super) fn condition(&mut self, view: &SentenceView<'_>, folded: &Folded<'_>) {
        self.when.clear();
        let light = Cue::DETERMINER
            .or(Cue::POSSESSIVE)
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA)
            .or(Cue::PRONOUN_PERSON)
            .or(Cue::PRONOUN_THING);
        let mut inside = false;
        for i in 0..view.lexemes.len() {
            let word = matches!(view.lexemes[i].kind, LexKind::Word | LexKind::Number);
            // "…, while the stable is": of something else.
            let marks = view.turn(i);
            let beside = || i > 0 && view.word(i - 1) == "," && marks.has("beside");
            if marks.has("condition") && !beside() {
                inside = true;
            } else if !inside {
                // Nothing is told of what stands outside.
            } else if matches!(view.word(i), "," | ";" | "." | "(" | ")" | "–" | "—") {
                inside = false;
            } else if word && !folded.cue(i).is(light) {
                self.when.push(word_hash(&stem(folded.get(i))));
            }
        }
        self.when.sort_unstable();
        self.when.dedup();
    }

    /// Whether two dates are of two events: of other things, or of what comes again.
    #[must_use]
    pub fn another_event(&self, other: &Self) -> bool {
        let within = |a: &[u64], b: &[u64]| a.iter().all(|word| b.contains(word));
        let apart = !within(&self.of, &other.of) && !within(&other.of, &self.of);
        apart || self.repeats && other.repeats
    }

    /// Whether what stands above them names two things.
    #[must_use]
    pub fn under_others(&self, other: &Self) -> bool {
        let within = |a: &[u64], b: &[u64]| a.iter().all(|word| b.contains(word));
        !within(&self.under, &other.under) && !within(&other.under, &self.under)
    }
}

/// What tells the event or the value of a claim from others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Occasion {
    event: Circumstances,
    /// Years in the value, sorted.
    years: Vec<i32>,
}

impl Occasion {
    /// That of a claim.
    pub(super) fn of(view: &SentenceView<'_>, claim: &Claim) -> Self {
        let mut own = Self::default();
        let folded = view.folded();
        own.event.condition(view, &folded);
        let Some(value) = claim.object_span else {
            return own;
        };
        let at = view.lexemes_in(value).start;
        let clauses = view.clauses();
        let clause = clauses.iter().find(|clause| clause.range.contains(&at));
        if let Some(clause) = clause.or_else(|| clauses.first()) {
            own.event.event(view, &folded, clause);
        }
        let dates = view.dates.iter().filter(|date| value.overlaps(date.span));
        own.years = dates.filter_map(|date| date.year).collect();
        own.years.sort_unstable();
        own
    }

    /// Takes in what the claim stands under.
    pub(super) fn under(&mut self, titles: &[u64]) {
        self.event.under = titles.to_vec();
    }

    /// Whether the two are told of other things, times or conditions; `dated` says that the value
    /// itself is the date.
    pub(super) fn is_another(&self, other: &Self, dated: bool) -> bool {
        let (own, told) = (&self.event, &other.event);
        let years = !self.years.is_empty() && !other.years.is_empty() && self.years != other.years;
        let times = if dated {
            own.another_event(told)
        } else {
            years
        };
        times || own.when != told.when || own.under_others(told)
    }

    pub(super) fn shrink(&mut self) {
        self.years.shrink_to_fit();
        let own = &mut self.event;
        for words in [&mut own.of, &mut own.when, &mut own.under] {
            words.shrink_to_fit();
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let own = &self.event;
        let words = own.of.capacity() + own.when.capacity() + own.under.capacity();
        words * size_of::<u64>() + self.years.capacity() * size_of::<i32>()
    }
}

/// Whether a word between a subject and a value stands behind a preposition, outside a date: "was
/// published in English in 1972" is of one edition.
pub(super) fn in_phrase(view: &SentenceView<'_>, between: Span, word: Span) -> bool {
    let folded = view.folded();
    let dated = view.dates.iter().any(|date| date.span.overlaps(word));
    let at = view.lexemes_in(word);
    let end = view.lexemes_in(between).end;
    // "opens at 9 and closes at 6": of the clause before.
    let joined = (at.end..end).any(|i| folded.cue(i).is(Cue::CONJUNCTION.or(Cue::BREAK)));
    let before = (view.lexemes_in(between).start..at.start).rev();
    let mut own = before.take_while(|i| !folded.cue(*i).is(Cue::CONJUNCTION.or(Cue::BREAK)));
    !dated && !joined && own.any(|i| folded.cue(i).is(Cue::PREPOSITION))
}
