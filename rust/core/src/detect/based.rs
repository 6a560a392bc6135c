//! "A Boston-based maker of lamps": where what is named beside it has its seat.

use std::ops::Range;

use crate::claims::SentenceView;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::regions;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::types::{Claim, LexFlags, LexKind, Mention, Modality, Polarity, Resolution, Span};

/// End of the word, behind the place.
const BASED: &str = "-based";
/// Most words of a place's name, and between the word and the name of what is based there.
const WORDS: usize = 3;

/// A claim of the seat for each place that is told so of a known name: "X is a Boston-based firm", "X, a
/// Boston-based firm, …", "the Boston-based firm X".
pub(super) fn based(view: &SentenceView<'_>, claims: &[Claim]) -> Vec<Claim> {
    let Some(template) = claims.first().filter(|claim| {
        !matches!(
            claim.modality,
            Modality::Question | Modality::Instruction | Modality::Quoted
        )
    }) else {
        return Vec::new();
    };
    let said = (0..view.lexemes.len()).filter(|i| view.word(*i).ends_with(BASED));
    said.filter_map(|at| {
        let reader = Based {
            view,
            at,
            place: place(view, at)?,
        };
        let mut own = match reader.said_to_be(claims) {
            Some(claim) => claim.clone(),
            None => {
                let name = reader.apposed().or_else(|| reader.named_behind())?;
                let contested = claims.iter().any(|claim| {
                    claim.contested && claim.subject_span.is_some_and(|own| own.overlaps(name))
                });
                Claim {
                    subject: Some(view.at(name).to_owned()),
                    subject_span: Some(name),
                    referent: None,
                    contested,
                    polarity: Polarity::Positive,
                    ..template.clone()
                }
            }
        };
        own.predicate = Some("location".to_owned());
        own.object = Some(view.at(reader.place).to_owned());
        own.object_span = Some(reader.place);
        own.object_referent = None;
        own.coordinated = None;
        Some(own)
    })
    .collect()
}

/// Whether the words at `place` stand in front of "-based".
pub(super) fn told_of_seat(view: &SentenceView<'_>, place: Span) -> bool {
    view.at(Span::new(place.end, place.end + BASED.len())) == BASED
}

/// The name of the place in front of "-based" at the lexeme, where it is one of a place.
fn place(view: &SentenceView<'_>, at: usize) -> Option<Span> {
    let own = view.lexemes[at].span;
    let end = own.end.checked_sub(BASED.len())?;
    let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
    let joined = |i: usize| {
        let (a, b) = (view.lexemes[i - 1].span, view.lexemes[i].span);
        capital(i - 1) && view.kind(i - 1) == Some(LexKind::Word) && a.end + 1 == b.start
    };
    let mut first = at;
    let mut found = None;
    while first + WORDS > at {
        let span = Span::new(view.lexemes[first].span.start, end);
        let name = fold_name(view.at(span));
        if class(&name).any(WordClass::CITY.with(WordClass::COUNTRY))
            || regions().has("region", &name)
        {
            found = Some(span);
        }
        if first == 0 || !joined(first) {
            break;
        }
        first -= 1;
    }
    found
}

struct Based<'a> {
    view: &'a SentenceView<'a>,
    /// Lexeme of the word.
    at: usize,
    place: Span,
}

impl Based<'_> {
    fn text(&self, i: usize) -> String {
        let mut out = String::new();
        if i < self.view.lexemes.len() {
            fold(self.view.word(i), &mut out);
        }
        out
    }

    fn capital(&self, i: usize) -> bool {
        self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
    }

    /// First lexeme of the place's name.
    fn first(&self) -> usize {
        self.view.lexemes_in(self.place).start
    }

    /// The words behind that belong to the same noun phrase, up to a name.
    fn noun(&self) -> Range<usize> {
        let ends = Cue::PREPOSITION
            .or(Cue::CONJUNCTION)
            .or(Cue::BREAK)
            .or(Cue::COPULA)
            .or(Cue::AUXILIARY);
        let open = |i: &usize| {
            self.view.kind(*i) == Some(LexKind::Word)
                && !cue(&self.text(*i)).is(ends)
                && !self.capital(*i)
        };
        let behind = self.at + 1..self.view.lexemes.len();
        let count = behind.take_while(open).count();
        self.at + 1..self.at + 1 + count
    }

    /// Whether a name goes on behind the noun: "the Boston-based Orion".
    fn names(&self) -> bool {
        let next = self.noun().end;
        next < self.view.lexemes.len()
            && self.view.kind(next) == Some(LexKind::Word)
            && self.capital(next)
    }

    /// The determiner of the noun phrase, only adjectives between: "a small Boston-based".
    fn article(&self) -> Option<usize> {
        let first = self.first();
        let from = first.saturating_sub(WORDS);
        let light = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::COPULA);
        (from..first)
            .rev()
            .take_while(|i| {
                self.view.kind(*i) == Some(LexKind::Word) && !cue(&self.text(*i)).is(light)
            })
            .find(|i| matches!(&*self.text(*i), "a" | "an" | "the"))
    }

    /// "X is a Boston-based firm".
    fn said_to_be<'c>(&self, claims: &'c [Claim]) -> Option<&'c Claim> {
        let article = self.article()?;
        claims.iter().find(|claim| {
            let object = claim
                .object_span
                .filter(|object| object.contains(self.place));
            claim.predicate.as_deref() == Some("is")
                && claim.polarity == Polarity::Positive
                && object.is_some_and(|object| self.view.lexemes_in(object).start == article)
                && !self.names()
        })
    }

    /// "X, a Boston-based firm, …": the name.
    fn apposed(&self) -> Option<Span> {
        let comma = self.article()?.checked_sub(1)?;
        let named = self.known(|m| m.end == self.view.lexemes[comma].span.start)?;
        (self.view.word(comma) == "," && !self.names() && !self.noun().is_empty()).then_some(named)
    }

    /// "the Boston-based firm X", "Boston-based X": the name.
    fn named_behind(&self) -> Option<Span> {
        let noun = self.noun();
        let next = self.view.lexemes.get(noun.end)?.span.start;
        self.known(|m| m.start == next)
            .filter(|_| noun.len() <= WORDS)
    }

    /// The known name in such a place.
    fn known(&self, stands: impl Fn(Span) -> bool) -> Option<Span> {
        let known = |m: &&Mention| matches!(m.resolution, Resolution::Known(_)) && stands(m.span);
        self.view.mentions.iter().find(known).map(|m| m.span)
    }
}
