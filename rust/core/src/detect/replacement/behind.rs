//! What stands right behind a wrong value and says more of it: with the right value in its place that would
//! be said of another one ("1889, at the end of the 19th century", "Paris (France)", "450 people, 300 of them
//! in York").

use crate::claims::SentenceView;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::circumstance;
use crate::types::{LexKind, QuantityKind, Span};

use super::also_said::{named, of_person};

/// Words between a number and the mark behind what it counts, at most.
const COUNTED: usize = 6;

/// Whether the words at `place` say once more what stands in front of them: "14 days, that is, two weeks".
fn told_again(view: &SentenceView<'_>, place: Span) -> bool {
    let folded = view.folded();
    let at = view.lexemes_in(place).start;
    let near = at.saturating_sub(4)..at;
    near.clone().any(|i| {
        folded.get(i) == "that" && folded.get(i + 1) == "is" && i > 0 && view.word(i - 1) == ","
            || matches!(folded.get(i), "ie" | "i.e" | "namely")
    })
}

/// Whether what stands behind `place` speaks of the value in it. `of` is what the value is said of: where it
/// comes behind the value, so does the rest of the statement.
pub(super) fn told_behind(view: &SentenceView<'_>, of: Option<Span>, place: Span) -> bool {
    if told_again(view, place) {
        return true;
    }
    let lexemes = view.lexemes_in(place);
    let year = |q: &&crate::types::Quantity| q.kind == QuantityKind::Year;
    let mut own = view.quantities.iter().filter(|q| q.span.overlaps(place));
    let time =
        own.clone().any(|q| year(&q)) || view.dates.iter().any(|date| date.span.overlaps(place));
    let number = own.find(|q| !year(q)).filter(|_| !time);
    let reader = Reader { view };
    let mut at = lexemes.end;
    if number.is_some() {
        at = reader.counted(at);
    }
    match reader.mark(at) {
        "(" | "[" => {
            let tail = at + 1..reader.phrase(at + 1);
            let text = view.at(place);
            let name = !time && number.is_none() && named(text);
            name && reader.bracketed(at + 1)
                || time && tail.clone().any(|i| reader.dated(i, place, false))
                || number.is_some_and(|q| reader.shared_out(tail, q.value))
        }
        "," | ":" | "–" | "—" | "-" => {
            let end = reader.phrase(at + 1);
            let subject = of.map_or(0, |of| of.start);
            let opens = subject >= place.end && end < view.lexemes.len();
            if subject >= place.end && (!opens || view.lexemes[end].span.start > subject) {
                return false;
            }
            let tail = at + 1..end;
            let first = view.folded().get(at + 1).to_owned();
            let valued = time || number.is_some();
            let concluded = valued
                && circumstance().has("concludes", &first)
                && tail.clone().any(|i| reader.counts(i));
            let after = first == "after";
            // "14 days, that is, two weeks", "i.e. 36 months"
            let again = first == "that" && view.folded().get(at + 2) == "is"
                || matches!(&*first, "ie" | "i.e" | "i.e." | "namely");
            let text = view.at(place);
            concluded
                || again
                || time && tail.clone().any(|i| reader.dated(i, place, after))
                || number.is_some_and(|q| reader.shared_out(tail, q.value))
                || !valued && named(text) && !of_person(text) && circumstance().has("lies", &first)
        }
        _ => false,
    }
}

struct Reader<'v, 'a> {
    view: &'v SentenceView<'a>,
}

impl Reader<'_, '_> {
    fn mark(&self, i: usize) -> &str {
        self.view.lexemes.get(i).map_or("", |_| self.view.word(i))
    }

    fn cue(&self, i: usize, cue: Cue) -> bool {
        i < self.view.lexemes.len() && self.view.folded().cue(i).is(cue)
    }

    /// Where the noun of a number ends, if a mark follows it.
    fn counted(&self, at: usize) -> usize {
        let verb = |i: usize| {
            let clauses = self.view.clauses();
            clauses.iter().any(|clause| clause.group.contains(&i)) || self.cue(i, Cue::COPULA)
        };
        let word = |i: &usize| {
            self.view
                .lexemes
                .get(*i)
                .is_some_and(|lexeme| lexeme.kind == LexKind::Word)
                && !verb(*i)
                && !matches!(self.view.word(*i), "and" | "or" | "but")
        };
        at + (at..at + COUNTED).take_while(word).count()
    }

    /// Where a phrase ends: at the next mark that is no part of a number or a word.
    fn phrase(&self, from: usize) -> usize {
        let ends = |i: &usize| matches!(self.mark(*i), "," | ";" | ":" | "(" | ")" | "–" | "—");
        (from..self.view.lexemes.len())
            .find(ends)
            .unwrap_or(self.view.lexemes.len())
    }

    /// Whether brackets hold more than where something is to be found.
    fn bracketed(&self, first: usize) -> bool {
        let word = self.mark(first).to_lowercase();
        let said = word.starts_with(char::is_alphanumeric);
        said && !circumstance().has("refers", &word)
    }

    /// Whether a number or a part of one stands there.
    fn counts(&self, i: usize) -> bool {
        let lexeme = self.view.lexemes.get(i);
        let mut quantities = self.view.quantities.iter();
        lexeme.is_some_and(|lexeme| quantities.any(|q| q.span.overlaps(lexeme.span)))
    }

    /// Whether a word places what stands in front of it in time: "century", another year, "years" behind a
    /// number unless it is what led up to it (`after`).
    fn dated(&self, i: usize, place: Span, after: bool) -> bool {
        let span = self.view.lexemes[i].span;
        let folded = self.view.folded();
        let counted = || i > 0 && self.counts(i - 1) || self.counts(i);
        let other = |q: &&crate::types::Quantity| {
            q.kind == QuantityKind::Year && self.view.at(q.span) != self.view.at(place)
        };
        circumstance().has("period", folded.get(i))
            || !after && circumstance().has("spell", folded.get(i)) && counted()
            || self
                .view
                .quantities
                .iter()
                .filter(other)
                .any(|q| q.span.overlaps(span))
    }

    /// Whether the words share out what was counted: "300 of them in York", "300 men and 150 women" of 450.
    fn shared_out(&self, tail: std::ops::Range<usize>, total: f64) -> bool {
        let folded = self.view.folded();
        let first = folded.get(tail.start);
        let again = circumstance().has("shares_number", first);
        // "95 metres high, 15 metres more than the church"
        let compared = |i: usize| {
            circumstance().has("shares", folded.get(i))
                && i > tail.start
                && folded.get(i + 1) == "than"
        };
        if self.counts(tail.start) && tail.clone().any(compared) {
            return true;
        }
        if circumstance().has("shares", first) || again && tail.clone().any(|i| self.counts(i)) {
            return true;
        }
        let of_them = tail.clone().any(|i| {
            folded.get(i) == "of"
                && i + 1 < tail.end
                && circumstance().has("them", folded.get(i + 1))
        });
        let parts = self.view.quantities.iter().filter(|q| {
            let i = self.view.lexemes_in(q.span).start;
            // "300 men, 150 women" goes on behind the next comma.
            i >= tail.start
        });
        let parts: Vec<f64> = parts.map(|q| q.value).collect();
        let sum: f64 = parts.iter().sum();
        of_them || parts.len() > 1 && (sum - total).abs() < 0.5
    }
}
