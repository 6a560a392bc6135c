//! What pronouns and descriptions stand for.
//!
//! Candidates are the names of the last sentences and the noun phrases that were subjects.
//! They must agree in kind, gender and number; the nearest sentence wins, in it the name whose
//! gender is known, then the first, which mostly is the subject. Across a paragraph only the
//! sentence right before offers candidates, and only where it leaves no choice. What earlier turns
//! named can be meant as long as it leaves no choice either.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::normal::fold_name;
use crate::types::{
    LexFlags, LexKind, MentionKind, NameType, Referent, Resolution, Span, clip_text,
};

use super::extract::without_possessive;
use super::kinds::Kinds;
use super::names::names_in;
use super::reader::Reference;
use super::view::{Folded, SentenceView};
use fits::{guesses, is_another, is_thing, sort_hash};
use phrases::{
    bare_subject, called, description, expletive, generic, is_plural, owner_in, part_of_named,
    pronoun, without_verb,
};
use rivals::Rivals;
use standing::Standing;

/// Candidates that are kept.
const KEPT: usize = 16;
/// Sentences back that a candidate is remembered for.
const REACH: i64 = 3;
/// Most entities of one name that are kept: beyond, the name says nothing.
const NAMESAKES: usize = 33;
/// Longest name that is kept, in bytes.
const LONGEST: usize = 80;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gender {
    Female,
    Male,
    Unknown,
}

#[derive(Debug, Clone)]
struct Candidate {
    referent: Referent,
    gender: Gender,
    /// Named together with others ("X and Y"), or a plural noun.
    plural: bool,
    /// A description ("the tower") rather than a name.
    described: bool,
    /// The name may be another one's.
    unsure: bool,
    /// How it stands in its sentence.
    standing: Standing,
    /// Nothing but two capitals says that it is a person.
    guessed: bool,
    /// Hash of what the knowledge base says that it is ("town"), or of what stands in for it; 0 for nothing.
    own: u32,
    /// Number of its sentence; those of earlier turns are below 0.
    sentence: i64,
    paragraph: u32,
}

/// What can be referred to, the latest last.
#[derive(Debug, Clone, Default)]
pub(super) struct References {
    candidates: VecDeque<Arc<Candidate>>,
    rivals: Rivals,
    paragraph: u32,
    end: usize,
    /// Number that the next sentence has at least.
    next: i64,
    /// The sentence before asks for somebody.
    who: bool,
}

/// What a pronoun asks for.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Person(Gender),
    Thing,
    Group,
    /// "the old museum": the noun, and what it is told apart by.
    Noun(&'a str, &'a [&'a str]),
}

impl References {
    pub(super) fn heap_bytes(&self) -> usize {
        let one = |c: &Arc<Candidate>| {
            size_of::<Candidate>()
                + c.referent.name.capacity()
                + size_of_val(c.referent.entities.as_slice())
        };
        self.candidates.capacity() * size_of::<usize>()
            + self.candidates.iter().map(one).sum::<usize>()
            + self.rivals.heap_bytes()
    }

    /// The references of the next sentence.
    pub(super) fn read(&mut self, view: &SentenceView<'_>, kinds: &dyn Kinds) -> Vec<Reference> {
        let folded = view.folded();
        let span = view.sentence.span;
        if self.end > 0 && span.start > self.end + 1 {
            self.paragraph += 1;
        }
        self.end = span.end;
        let sentence = i64::from(view.sentence.index);
        self.next = sentence + 1;
        let first = view.lexemes.iter().position(|l| l.kind == LexKind::Word);
        let asks = first.is_some_and(|i| matches!(folded.get(i), "who" | "whom"));
        while self
            .candidates
            .front()
            .is_some_and(|c| c.sentence + REACH < sentence)
        {
            self.candidates.pop_front();
        }
        self.rivals.pass(sentence);
        let names = names_in(view, &folded);
        self.rivals.meet(view, &names);
        let mut found = Vec::with_capacity(names.len());
        let mut next = names.iter().peekable();
        let mut i = 0;
        while i < view.lexemes.len() {
            let at = view.lexemes[i].span;
            if let Some(name) = next.next_if(|name| name.span.start <= at.start) {
                let reference = self.name(view, &folded, name.span, name.kind, kinds);
                found.push(reference);
                while i < view.lexemes.len() && view.lexemes[i].span.start < name.span.end {
                    i += 1;
                }
                // "Quillan's twin town", not "Acme Robotics grows".
                let owner = if i > 0 { view.word(i - 1) } else { "" };
                let behind = || view.at(Span::new(name.span.end, view.sentence.span.end));
                let owned = owner.ends_with(['’', '\''])
                    || ["'s", "’s"].iter().any(|own| owner.ends_with(own))
                    || owner.ends_with('s') && behind().starts_with(['’', '\'']);
                if owned {
                    self.kin(view, &folded, i - 1, name.span.start);
                    self.owned(view, &folded, i);
                }
                continue;
            }
            if let Some(wanted) = pronoun(&folded, i) {
                let owns = folded.cue(i).is(Cue::POSSESSIVE) || folded.get(i) == "her";
                let itself = found.last().filter(|name: &&Reference| {
                    let copula = i.checked_sub(1).filter(|i| folded.cue(*i).is(Cue::COPULA));
                    let ends = |at: usize| view.lexemes_in(name.span).end == at;
                    owns && name.mention == MentionKind::ProperName && copula.is_some_and(ends)
                });
                let itself = itself.map(|name| name.span);
                let referent = if expletive(view, &folded, i) {
                    None
                } else {
                    self.find_beside(wanted, sentence, itself)
                };
                let contested = self.open_beside(wanted, referent.as_ref(), itself);
                if let Some(referent) = referent.as_ref().filter(|_| !contested && !owns) {
                    self.goes_on(referent, sentence);
                }
                if owns {
                    self.learn(wanted, referent.as_ref());
                    self.kin(view, &folded, i, at.start);
                    self.owned(view, &folded, i + 1);
                }
                found.push(Reference {
                    span: at,
                    mention: MentionKind::Pronoun,
                    kind: referent.as_ref().map_or(NameType::Unknown, |r| r.kind),
                    referent,
                    contested,
                    attribute: None,
                });
            } else if let Some((last, referent)) = self.owner_described(view, &folded, i) {
                // "The hall's capacity"
                let word = view.lexemes[last].span;
                found.push(Reference {
                    span: without_possessive(view, Span::new(at.start, word.end)),
                    mention: MentionKind::DefiniteDesc,
                    kind: referent.kind,
                    referent: Some(referent),
                    contested: false,
                    attribute: None,
                });
                self.kin(view, &folded, last, at.start);
                self.owned(view, &folded, last + 1);
                i = last + 1;
                continue;
            } else if let Some(end) = description(view, &folded, i) {
                let end = without_verb(view, &folded, i, end);
                let range = Span::new(at.start, view.lexemes[end - 1].span.end);
                if next.peek().is_none_or(|name| name.span.start >= range.end) {
                    let head = folded.get(end - 1).to_owned();
                    let apart: Vec<&str> = (i + 1..end - 1).map(|n| folded.get(n)).collect();
                    let wanted = Wanted::Noun(&head, &apart);
                    let referent = self.find(wanted, sentence);
                    let owner = (referent.is_none())
                        .then(|| self.owner(view, &folded, i..end, kinds))
                        .flatten();
                    let kind = referent.as_ref().map_or(NameType::Unknown, |r| r.kind);
                    let another = kind == NameType::Person
                        && self.may_be_another(view, &folded, end, referent.as_ref());
                    let contested = another
                        || self.open(wanted, referent.as_ref())
                        || self.is_beside_itself(&folded, i, referent.as_ref(), sentence);
                    // "And the price?" brings in nothing to be spoken of.
                    let sort = fits::is_thing(&head) || name_cue(&head).is(NameCue::IS_PLACE);
                    let asked = view.text.trim_end().ends_with('?')
                        && !is_another(&apart)
                        && !sort
                        && view.attributes.predicates().named(&head).is_some();
                    if referent.is_none() && !asked {
                        self.keep(
                            view,
                            &folded,
                            (range, NameType::Unknown, Vec::new()),
                            true,
                            is_plural(&head),
                        );
                    }
                    let (owner, attribute) = owner.unzip();
                    found.push(Reference {
                        span: range,
                        mention: MentionKind::DefiniteDesc,
                        kind,
                        contested: contested && owner.is_none(),
                        referent: referent.or(owner),
                        attribute,
                    });
                    i = end;
                    continue;
                }
            } else if let Some(end) = bare_subject(view, &folded, i) {
                let range = Span::new(at.start, view.lexemes[end - 1].span.end);
                let kind = called(view, &folded, end);
                self.keep(view, &folded, (range, kind, Vec::new()), false, false);
            } else if generic(&folded, i) {
                found.push(Reference {
                    span: at,
                    mention: MentionKind::Generic,
                    kind: NameType::Person,
                    referent: None,
                    contested: false,
                    attribute: None,
                });
            } else {
                if let Some(end) = part_of_named(view, &folded, i) {
                    self.bring(view, &folded, end);
                }
                self.indefinite(view, &folded, i);
            }
            i += 1;
        }
        self.who = asks;
        found
    }

    /// What was read since the last turn is the question that is answered.
    pub(super) fn is_asked(&mut self) {
        self.rivals.is_asked();
        let here = |c: &&mut Arc<Candidate>| c.described && c.sentence >= 0 && !c.standing.aside();
        for candidate in self.candidates.iter_mut().filter(here) {
            Arc::make_mut(candidate).standing.mark_asked();
        }
    }

    /// What was read so far was the turn of that number, and another text begins.
    pub(super) fn turn_ends(&mut self, turn: u32) {
        for candidate in &mut self.candidates {
            let candidate = Arc::make_mut(candidate);
            candidate.sentence -= self.next;
            candidate.referent.turn.get_or_insert(turn);
        }
        self.rivals.turn_ends(self.next);
        self.paragraph += 1;
        (self.end, self.next) = (0, 0);
    }

    fn name(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        span: Span,
        kind: NameType,
        kinds: &dyn Kinds,
    ) -> Reference {
        let whole = span;
        let span = owner_in(view, folded, span).unwrap_or(span);
        let mention = view.mentions.iter().find(|m| m.span.overlaps(span));
        let unsure = mention.is_some_and(|mention| {
            self.rivals.doubts(view, mention)
                || siblings::longer(view, span, mention.span, kind)
                || siblings::another(view, folded, mention, kinds)
        });
        let entities = match mention.map(|m| &m.resolution) {
            Some(Resolution::Known(ids)) => ids.iter().copied().take(NAMESAKES).collect(),
            _ => Vec::new(),
        };
        // "Kellby" may be no club, though one has it in its name.
        let entity = entities.first().copied().filter(|_| !unsure);
        let known = entity.map_or(NameType::Unknown, |id| kinds.of(id));
        let own = entity.map_or_else(String::new, |id| fold_name(kinds.kind(id)));
        let range = view.lexemes_in(span);
        let own = own.rsplit(' ').next().unwrap_or("");
        // "the tanker Aurelia"
        let said = range.start.checked_sub(1).filter(|_| entity.is_none());
        let said = said.filter(|i| *i > 0 && folded.cue(i - 1).is(Cue::DETERMINER));
        let said = said.map(|i| folded.get(i)).filter(|noun| is_thing(noun));
        let own = said.unwrap_or(own);
        let replies = self.who
            && !view.lexemes[range.end..]
                .iter()
                .any(|l| l.kind == LexKind::Word);
        let (kind, guessed) = if known != NameType::Unknown {
            (known, false)
        } else if !own.is_empty() && kind == NameType::Person && is_thing(own) {
            // "MV Corrina", a ship.
            (NameType::Unknown, false)
        } else if entity.is_none() && kind == NameType::Unknown && replies {
            (NameType::Person, true)
        } else if entity.is_none() && fits::may_be_anything(view, folded, span) {
            (NameType::Unknown, true)
        } else {
            let guessed = entity.is_none() && kind == NameType::Person;
            (kind, guessed && guesses(view, folded, &range))
        };
        let joined = folded.get(range.end) == "and"
            && view
                .lexemes
                .get(range.end + 1)
                .is_some_and(|l| l.flags.has(LexFlags::CAPITALIZED));
        // "Its CEO is Ada Holt. It …"
        let attribute = entities.is_empty()
            && range.len() == 1
            && (view.attributes.predicates())
                .named(folded.get(range.start))
                .is_some();
        if !attribute {
            self.keep(view, folded, (span, kind, entities), false, joined);
            self.owned_name(view, span);
        }
        if let Some(kept) = self.candidates.back_mut()
            && (unsure || guessed || !own.is_empty())
            && kept.referent.span == span
        {
            let kept = Arc::make_mut(kept);
            (kept.unsure, kept.guessed) = (unsure, guessed);
            kept.own = sort_hash(own);
            if kept.gender == Gender::Unknown && kept.own == sort_hash("ship") {
                kept.gender = Gender::Female;
            }
        }
        Reference {
            span: whole,
            mention: MentionKind::ProperName,
            kind,
            referent: None,
            contested: false,
            attribute: None,
        }
    }

    /// Single words of known names in the sentence just read that may belong to somebody else.
    pub(super) fn doubtful(&self, view: &SentenceView<'_>) -> Vec<Span> {
        self.rivals.doubtful(view)
    }

    /// Keeps what later words can refer to; `described` rather than named.
    fn keep(
        &mut self,
        view: &SentenceView<'_>,
        folded: &Folded,
        (span, kind, entities): (Span, NameType, Vec<u32>),
        described: bool,
        plural: bool,
    ) {
        let text = view.at(span);
        if text.len() > LONGEST {
            return;
        }
        let words = view.lexemes_in(span);
        let gender = words.clone().find_map(|i| {
            let word = folded.in_name(i);
            let cue = name_cue(word.strip_suffix("'s").unwrap_or(word));
            match (cue.is(NameCue::FEMALE), cue.is(NameCue::MALE)) {
                (true, false) => Some(Gender::Female),
                (false, true) => Some(Gender::Male),
                _ => None,
            }
        });
        if self.candidates.len() == KEPT {
            self.candidates.pop_front();
        }
        let standing = Standing::of(view, folded, (span, kind), described);
        self.candidates.push_back(Arc::new(Candidate {
            referent: Referent {
                name: clip_text(text).to_owned(),
                span,
                turn: None,
                kind,
                entities,
            },
            gender: gender.unwrap_or(Gender::Unknown),
            plural,
            described,
            unsure: false,
            standing,
            guessed: false,
            own: 0,
            sentence: i64::from(view.sentence.index),
            paragraph: self.paragraph,
        }));
    }
}

mod find;
mod fits;
mod kin;
mod others;
mod owners;
mod phrases;
mod rivals;
mod siblings;
mod standing;
