//! Whether what a claim says may be of another noun than its subject, or of a list in pairs.

use crate::claims::{Folded, SentenceView, in_brackets};
use crate::kb::Value;
use crate::lexicon::cues::Cue;
use crate::lexicon::words::{WordClass, class};
use crate::types::{Claim, LexFlags, Lexeme, Span};

use crate::detect::object::Object;

/// Prepositions whose phrase only says where the noun before it is.
const PLACED: [&str; 3] = ["in", "at", "from"];
/// Words behind the object among which the verb of the main clause stands.
const MAIN: usize = 3;

/// Words that count without a number.
const COUNTS: [&str; 9] = [
    "several", "many", "few", "some", "multiple", "numerous", "various", "both", "no",
];

/// A claim's words from its subject to its object, in lexemes.
struct Gap<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    from: usize,
    to: usize,
    /// Where the object ends.
    end: usize,
}

/// Whether the claim may be about a noun that stands between its subject and its object:
/// "X, like Y, which opened in 1997", "X has a son, born in 2001", "X's neighbour's president",
/// "X is the mother of a 20-year-old".
pub(super) fn of_another(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    if object.start < subject.end {
        return false;
    }
    let object = view.lexemes_in(object);
    // "Norland's" is one lexeme, of which the subject is the first part.
    let from = view
        .lexemes
        .partition_point(|lexeme| lexeme.span.start < subject.end);
    // Brackets behind the subject explain it, or were read before.
    let from = in_brackets(view, from).map_or(from, |inner| inner.end + 1);
    let from = from.min(object.start);
    let gap = Gap {
        view,
        folded,
        from,
        to: object.start,
        end: object.end,
    };
    if likeness(view, folded, subject) {
        return true;
    }
    from < object.start && (gap.owned_twice() || gap.aged() || gap.described())
}

/// "a replica of X which was built": a clause that narrows never follows a name, so it is of the
/// noun before.
fn likeness(view: &SentenceView<'_>, folded: &Folded<'_>, subject: Span) -> bool {
    let range = view.lexemes_in(subject);
    let named = view.lexemes[range.clone()]
        .iter()
        .any(|lexeme| lexeme.flags.has(LexFlags::CAPITALIZED));
    let of = (0..range.start)
        .rev()
        .find(|i| folded.get(*i) != "the")
        .is_some_and(|i| folded.get(i) == "of" && i > 0);
    named && of && matches!(folded.get(range.end), "which" | "that" | "who")
}

impl Gap<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn word(&self, i: usize) -> bool {
        self.view.is_term(i)
    }

    fn verbal(&self, i: usize) -> bool {
        self.folded.cue(i).is(Cue::COPULA.or(Cue::AUXILIARY))
            || self.folded.known(i).verb.is_some() && !self.folded.cue(i).is(Cue::PREPOSITION)
    }

    fn possessive(&self, i: usize) -> bool {
        let word = self.view.word(i);
        let apart = |next: &Lexeme| {
            let mark = matches!(self.view.at(next.span), "'" | "’");
            mark && next.span.start == self.view.lexemes[i].span.end
        };
        ["'s", "’s", "s'", "s’"]
            .iter()
            .any(|end| word.ends_with(end))
            || word.ends_with('s') && self.view.lexemes.get(i + 1).is_some_and(apart)
    }

    /// "Norland's neighbour's president".
    fn owned_twice(&self) -> bool {
        let own = self.from > 0 && self.possessive(self.from - 1)
            || self.possessive(self.from) && self.view.word(self.from).starts_with(['\'', '’']);
        let next = self.from + usize::from(self.view.word(self.from).starts_with(['\'', '’']));
        own && (next..self.to)
            .take_while(|i| self.word(*i) && !self.folded.cue(*i).is(Cue::COPULA))
            .any(|i| self.possessive(i))
    }

    /// "the mother of a 20-year-old".
    fn aged(&self) -> bool {
        let object = self.view.lexemes[self.to].span;
        let rest = crate::types::Span::new(object.start, self.view.sentence.span.end);
        let rest = self.view.at(rest);
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        (behind.starts_with("-year-") || rest.contains("-year-old") && behind.len() == rest.len())
            && (self.from..self.to).any(|i| self.folded.cue(i).is(Cue::PREPOSITION))
    }

    /// A relative clause or a participle that does not follow the subject itself.
    fn described(&self) -> bool {
        let relative = (self.from..self.to).rev().find(|i| {
            matches!(
                self.text(*i),
                "which" | "who" | "whom" | "whose" | "that" | "where"
            )
        });
        if let Some(at) = relative {
            return !self.clear(at);
        }
        // "a branch in Y, opened in 1999 and directed by Z": the second is of what the first is of.
        for at in (self.from..self.to).rev().filter(|i| self.past(*i)) {
            if self.reduced(at) && !self.clear(at) {
                return true;
            }
            let before = at.checked_sub(1).filter(|i| *i >= self.from);
            if before.is_none_or(|i| self.text(i) != "and") {
                return false;
            }
        }
        false
    }

    fn past(&self, i: usize) -> bool {
        let word = self.text(i);
        let own = self.folded.cue(i).is(Cue::COPULA.or(Cue::AUXILIARY));
        !own && self.folded.known(i).verb.is_some_and(|base| {
            let present = word.ends_with("ing") || word.ends_with('s') && !word.ends_with("ss");
            word != base && !present
        })
    }

    /// Whether the past form describes a noun rather than being the verb of a clause.
    fn reduced(&self, at: usize) -> bool {
        let ahead = (self.from..at)
            .rev()
            .find(|i| !self.folded.cue(*i).is(Cue::ADVERB));
        let Some(before) = ahead else {
            return false;
        };
        let led = Cue::COPULA.or(Cue::AUXILIARY).or(Cue::CONJUNCTION);
        if self.folded.cue(before).is(led) {
            return false;
        }
        let commas = (self.from..at)
            .filter(|i| self.view.word(*i) == ",")
            .count();
        // "X, designed by P, opened in 1941": the verb of X.
        let aside = commas == 2
            && self.view.word(self.from) == ","
            && self.past(self.from + 1)
            && self.view.word(at - 1) == ",";
        let later = self.view.word(self.end) == ","
            && (self.end + 1..self.end + 1 + MAIN).any(|i| self.word(i) && self.verbal(i))
            && !self.folded.cue(self.end + 1).is(Cue::CONJUNCTION);
        if aside && !later {
            return false;
        }
        commas % 2 == 1 || later || (self.from..at).any(|i| self.verbal(i))
    }

    /// Whether what stands in front of `at` is nothing, or one more description of the subject:
    /// "X, which", "X is a boat that", "X, a large bank in Y founded".
    fn clear(&self, at: usize) -> bool {
        let mut words = (self.from..at).filter(|i| {
            let light = Cue::ADVERB.or(Cue::NEGATION);
            self.word(*i) && !self.folded.cue(*i).is(light)
        });
        let Some(mut first) = words.next() else {
            return true;
        };
        if self.folded.cue(first).is(Cue::COPULA) {
            let Some(next) = words.next() else {
                return true;
            };
            first = next;
        }
        let plain = |i: usize| {
            let place = PLACED.contains(&self.text(i));
            // "a Norwegian company" names nothing else.
            let named = i > first
                && self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
                && !class(self.text(i)).has(WordClass::DEMONYM);
            let placed = i > first && PLACED.contains(&self.text(i - 1));
            (place || !self.folded.cue(i).is(Cue::PREPOSITION.or(Cue::CONJUNCTION)))
                && (!named || placed)
                && !self.folded.cue(i).is(Cue::COPULA.or(Cue::AUXILIARY))
                && !self.possessive(i)
        };
        self.folded.cue(first).is(Cue::DETERMINER) && (first..at).all(|i| self.word(i) && plain(i))
    }
}

/// Whether it counts what the base names: "has two children" of whom the base has the names.
pub(super) fn counts_names(view: &SentenceView<'_>, object: &Object<'_>, value: &Value) -> bool {
    let (Value::Text(own) | Value::Entity(own) | Value::Enum(own)) = value else {
        return false;
    };
    let range = view.lexemes_in(object.span());
    let first = view.word(range.start).to_lowercase();
    let counted = object
        .quantities
        .iter()
        .any(|q| q.span.start == object.span().start)
        || COUNTS.contains(&first.as_str());
    let named = |i: usize| {
        let flags = view.lexemes[i].flags;
        flags.has(LexFlags::CAPITALIZED) && !flags.has(LexFlags::ALL_CAPS)
    };
    counted
        && range.len() > 1
        && !own.contains(|c: char| c.is_ascii_digit())
        && !(range.start + 1..range.end).any(named)
}

/// Whether several subjects stand beside several objects: "A and B have 800 and 90", where each
/// may have its own.
pub(super) fn paired(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    all: &[Claim],
) -> bool {
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    let several = all.iter().any(|other| {
        other.object_span == Some(object)
            && other.predicate == claim.predicate
            && other.subject_span.is_some_and(|own| own != subject)
    });
    if !several {
        return false;
    }
    if (0..folded.len()).any(|i| folded.get(i) == "respectively") {
        return true;
    }
    let range = view.lexemes_in(object);
    let joint = |i: usize| {
        let comma = view.word(i) == ",";
        comma || folded.get(i) == "and"
    };
    let alike = |i: usize| {
        view.lexemes.get(i).is_some_and(|lexeme| {
            lexeme.flags.has(LexFlags::CAPITALIZED)
                || view.quantities.iter().any(|q| q.span.overlaps(lexeme.span))
                || view.dates.iter().any(|d| d.span.overlaps(lexeme.span))
        })
    };
    let behind = joint(range.end)
        && (alike(range.end + 1) || folded.get(range.end + 1) == "and" && alike(range.end + 2));
    let before = range.start > 1 && joint(range.start - 1) && alike(range.start - 2);
    let inner = range.clone().any(|i| folded.get(i) == "and");
    behind || before || inner
}
