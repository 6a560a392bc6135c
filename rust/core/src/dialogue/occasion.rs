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
        (self.of, self.repeats) = event(view, folded, clause);
    }

    /// Notes on what condition the sentence is told ("when streaming").
    pub(super) fn condition(&mut self, view: &SentenceView<'_>, folded: &Folded<'_>) {
        self.when = condition(view, folded);
    }

    /// Whether two dates are of two events: of other things, or of what comes again.
    #[must_use]
    pub fn another_event(&self, other: &Self) -> bool {
        another((&self.of, self.repeats), (&other.of, other.repeats))
    }

    /// Whether what stands above them names two things.
    #[must_use]
    pub fn under_others(&self, other: &Self) -> bool {
        apart(&self.under, &other.under)
    }
}

/// Stems of what the clause's event is of, sorted, and whether it may come again.
fn event(view: &SentenceView<'_>, folded: &Folded<'_>, clause: &Clause) -> (Vec<u64>, bool) {
    let mut of = Vec::new();
    let Some(verb) = clause.verb else {
        return (of, false);
    };
    let again = |word: &str| turns().has("repeats", word);
    let repeats = again(folded.get(verb)) || again(&base_form(folded, verb));
    if clause.copula {
        return (of, repeats);
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
            of.push(word_hash(&stem(folded.get(i))));
        }
    }
    of.sort_unstable();
    of.dedup();
    (of, repeats)
}

/// Stems of the condition that the sentence is told on, sorted.
fn condition(view: &SentenceView<'_>, folded: &Folded<'_>) -> Vec<u64> {
    let mut when = Vec::new();
    let light = Cue::DETERMINER
        .or(Cue::POSSESSIVE)
        .or(Cue::AUXILIARY)
        .or(Cue::COPULA)
        .or(Cue::PRONOUN_PERSON)
        .or(Cue::PRONOUN_THING);
    let mut inside = false;
    // Most sentences are told on none.
    let opens = |i: &usize| view.turn(*i).has("condition");
    let Some(first) = (0..view.lexemes.len()).find(opens) else {
        return when;
    };
    for i in first..view.lexemes.len() {
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
            when.push(word_hash(&stem(folded.get(i))));
        }
    }
    when.sort_unstable();
    when.dedup();
    when
}

/// Whether neither has all the words of the other.
fn apart(a: &[u64], b: &[u64]) -> bool {
    let within = |a: &[u64], b: &[u64]| a.iter().all(|word| b.contains(word));
    !within(a, b) && !within(b, a)
}

/// Whether two events are of other things, or of what comes again.
fn another(a: (&[u64], bool), b: (&[u64], bool)) -> bool {
    apart(a.0, b.0) || a.1 && b.1
}

/// What tells the event or the value of a claim from others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Occasion {
    /// Stems of what its event is of, sorted.
    of: Vec<u64>,
    /// Whether that comes again by nature.
    repeats: bool,
    /// Stems of the condition it is told on, sorted.
    when: Vec<u64>,
    /// Stems of the titles above it, sorted.
    under: Vec<u64>,
    /// Years in the value, sorted.
    years: Vec<i32>,
}

impl Occasion {
    /// That of a claim.
    pub(super) fn of(view: &SentenceView<'_>, claim: &Claim) -> Self {
        let mut own = Self::default();
        let folded = view.folded();
        own.when = condition(view, &folded);
        let Some(value) = claim.object_span else {
            return own;
        };
        let at = view.lexemes_in(value).start;
        let clauses = view.clauses();
        let clause = clauses.iter().find(|clause| clause.range.contains(&at));
        if let Some(clause) = clause.or_else(|| clauses.first()) {
            (own.of, own.repeats) = event(view, &folded, clause);
        }
        let dates = view.dates.iter().filter(|date| value.overlaps(date.span));
        own.years = dates.filter_map(|date| date.year).collect();
        own.years.sort_unstable();
        own
    }

    /// Takes in what the claim stands under.
    pub(super) fn under(&mut self, titles: &[u64]) {
        self.under = titles.to_vec();
    }

    /// Whether the two are told of other things, times or conditions; `dated` says that the value
    /// itself is the date.
    pub(super) fn is_another(&self, other: &Self, dated: bool) -> bool {
        let years = !self.years.is_empty() && !other.years.is_empty() && self.years != other.years;
        let times = if dated {
            another((&self.of, self.repeats), (&other.of, other.repeats))
        } else {
            years
        };
        times || self.when != other.when || apart(&self.under, &other.under)
    }

    pub(super) fn shrink(&mut self) {
        self.years.shrink_to_fit();
        for words in [&mut self.of, &mut self.when, &mut self.under] {
            words.shrink_to_fit();
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let words = self.of.capacity() + self.when.capacity() + self.under.capacity();
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
