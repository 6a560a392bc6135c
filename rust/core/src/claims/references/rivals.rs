//! What else a pronoun, a description or one word of a name may mean than it was taken for.

use std::collections::VecDeque;

use super::fits::sort_hash;
use super::others::is_named_behind;
use super::phrases::{noun_phrase, seeks};
use super::siblings;
use super::{Gender, KEPT, REACH, References};
use crate::claims::content::word_hash;
use crate::claims::names::Name;
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::coherence::coherence;
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{frames, kinds, time};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Mention, Resolution, Span};

/// Names and entities that are remembered through a whole text.
const REMEMBERED: usize = 32;
/// Words before a copula among which "there" stands ("there used to be").
const THERE: usize = 4;

/// "a café", "Quillan's twin town": something brought in that has no name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Other {
    pub(super) head: u32,
    pub(super) person: bool,
    pub(super) thing: bool,
    pub(super) gender: Gender,
    pub(super) sentence: i64,
    /// Turns since.
    pub(super) turns: u8,
    /// Of the question that is answered: "Write a short text about …" brings in no text to be spoken of.
    pub(super) asked: bool,
    /// The sentence asks whether there is one: the answer tells of it.
    pub(super) sought: bool,
}

/// What was brought in besides the candidates, and which names were said in full.
#[derive(Debug, Clone, Default)]
pub(super) struct Rivals {
    pub(super) others: VecDeque<Other>,
    /// Entities named by more than one word of their names.
    introduced: VecDeque<u32>,
    /// Words of names that the knowledge base lacks.
    strangers: VecDeque<u64>,
    /// Names that stood as a part of another one's ("Lumo" in "Lumo 2").
    families: VecDeque<u64>,
    /// Nouns that somebody was said to be ("is an engineer").
    roles: VecDeque<u64>,
}

fn push<T>(queue: &mut VecDeque<T>, limit: usize, item: T) {
    if queue.len() == limit {
        queue.pop_front();
    }
    queue.push_back(item);
}

impl Rivals {
    pub(super) fn heap_bytes(&self) -> usize {
        self.others.capacity() * size_of::<Other>()
            + self.introduced.capacity() * size_of::<u32>()
            + (self.strangers.capacity() + self.families.capacity() + self.roles.capacity())
                * size_of::<u64>()
    }

    /// A new sentence begins.
    pub(super) fn pass(&mut self, sentence: i64) {
        while self
            .others
            .front()
            .is_some_and(|other| other.sentence + REACH < sentence)
        {
            self.others.pop_front();
        }
    }

    /// Notes a noun that somebody is said to be.
    pub(super) fn learned(&mut self, role: u64) {
        push(&mut self.roles, REMEMBERED, role);
    }

    /// Whether somebody was said to be that.
    pub(super) fn is_told(&self, role: u64) -> bool {
        self.roles.contains(&role)
    }

    /// What was brought in since the last turn is what the question asks for.
    pub(super) fn is_asked(&mut self) {
        for other in self.others.iter_mut().filter(|other| other.turns == 0) {
            other.asked = !other.sought;
        }
    }

    /// Another text begins, `next` sentences on.
    pub(super) fn turn_ends(&mut self, next: i64) {
        for other in &mut self.others {
            other.sentence -= next;
            other.turns = other.turns.saturating_add(1);
        }
    }

    /// Notes the names of a sentence.
    pub(super) fn meet(&mut self, view: &SentenceView<'_>, names: &[Name]) {
        for mention in view.mentions {
            if let Resolution::Known(ids) = &mention.resolution
                && !mention.partial
            {
                for id in ids.iter().take(REMEMBERED) {
                    if !self.introduced.contains(id) {
                        push(&mut self.introduced, REMEMBERED, *id);
                    }
                }
                let family = word_hash(&fold_name(view.at(mention.span)));
                if siblings::numbered(view, mention.span) && !self.families.contains(&family) {
                    push(&mut self.families, REMEMBERED, family);
                }
            }
        }
        for name in names {
            let mut mentions = view.mentions.iter();
            let known = mentions.any(|mention| {
                mention.span.overlaps(name.span)
                    && matches!(mention.resolution, Resolution::Known(_))
            });
            let folded = fold_name(view.at(name.span));
            if known || !folded.contains(' ') {
                continue;
            }
            for word in folded.split(' ').map(word_hash) {
                if !self.strangers.contains(&word) {
                    push(&mut self.strangers, REMEMBERED, word);
                }
            }
        }
    }

    /// Single words of known names that may belong to somebody else: nobody said the whole name
    /// here, or another name has the word too.
    pub(super) fn doubtful(&self, view: &SentenceView<'_>) -> Vec<Span> {
        let mentions = view.mentions.iter();
        mentions
            .filter(|mention| self.doubts(view, mention))
            .map(|mention| mention.span)
            .collect()
    }

    /// Whether the mention is such a word.
    pub(super) fn doubts(&self, view: &SentenceView<'_>, mention: &Mention) -> bool {
        let Resolution::Known(ids) = &mention.resolution else {
            return false;
        };
        let folded = fold_name(view.at(mention.span));
        let word = folded.strip_suffix(" s").unwrap_or(&folded);
        if !mention.partial {
            // "Lumo" once "Lumo 2" was spoken of: either.
            return self.families.contains(&word_hash(word));
        }
        is_named_behind(view, mention, ids)
            || !ids.iter().any(|id| self.introduced.contains(id))
            || self.strangers.contains(&word_hash(word))
    }
}

impl References {
    /// Notes the thing or person that a noun phrase up to `end` brings in.
    pub(super) fn bring(&mut self, view: &SentenceView<'_>, folded: &Folded, end: usize) {
        let head = folded.get(end - 1);
        let cue = name_cue(head);
        let kin = NameCue::KIN_FEMALE.or(NameCue::KIN_MALE).or(NameCue::KIN);
        let gender = if cue.is(NameCue::KIN_FEMALE) || matches!(head, "woman" | "girl" | "lady") {
            Gender::Female
        } else if cue.is(NameCue::KIN_MALE) || matches!(head, "man" | "boy") {
            Gender::Male
        } else {
            Gender::Unknown
        };
        let person = gender != Gender::Unknown
            || cue.is(kin.or(NameCue::IS_PERSON))
            || coherence().is_human(head)
            || frames().has("somebody", head);
        // "a dancer" is in no list, "a heater" neither.
        let acts = ["er", "or", "ist", "ian"]
            .iter()
            .any(|end| head.ends_with(end));
        let either = matches!(head, "one" | "ones");
        let nothing = frames().has("no_thing", head) || time().of("unit_", head).is_some();
        // "default port", which the base has
        let own = end > 1 && view.attributes.has_both(folded.get(end - 2), head);
        let attribute = own || view.attributes.predicates().named(head).is_some();
        let placed = cue.is(NameCue::IS_ORG.or(NameCue::IS_PLACE));
        let sort = !own && (placed || kinds().of("same_", head).is_some());
        if !person && (nothing || attribute && !sort) {
            return;
        }
        let other = Other {
            head: sort_hash(if kinds().has("another_firm", head) {
                "firm"
            } else {
                head
            }),
            person: person || acts || either,
            // A firm has rivals and owners as well.
            thing: !person || either || frames().has("whoever", head),
            gender,
            sentence: i64::from(view.sentence.index),
            turns: 0,
            asked: false,
            sought: seeks(view, folded),
        };
        push(&mut self.rivals.others, KEPT, other);
    }

    /// "has a café", "met a singer"; not what is only said to be one ("is a museum", "X, a port").
    pub(super) fn indefinite(&mut self, view: &SentenceView<'_>, folded: &Folded, at: usize) {
        let any = folded.get(at) == "any" && seeks(view, folded);
        if !any && !matches!(folded.get(at), "a" | "an" | "another") {
            return;
        }
        let before = (0..at).rev().find(|i| {
            !folded.cue(*i).is(Cue::ADVERB.or(Cue::NEGATION)) || folded.get(*i) == "about"
        });
        // "Next to X is a chapel", "There is a café in X".
        let first = (0..at).find(|i| view.lexemes[*i].kind == LexKind::Word);
        let turned = first.is_some_and(|i| {
            // "Is a charger included?"
            let led = folded.cue(i).is(Cue::PREPOSITION)
                || before == Some(i) && folded.cue(i).is(Cue::COPULA)
                || matches!(
                    folded.get(i),
                    "next" | "there" | "here" | "opposite" | "beside"
                );
            led && !(i..at).any(|j| view.word(j) == ",")
        });
        // "Before X was built, there was a ferry"
        let turned = turned
            || before.is_some_and(|i| {
                let near = (i.saturating_sub(THERE)..i).rev();
                let mut near = near.take_while(|j| view.word(*j) != ",");
                near.any(|j| folded.get(j) == "there")
            });
        let same = before.is_some_and(|i| {
            let named = i > 0 && view.lexemes[i - 1].flags.has(LexFlags::CAPITALIZED);
            folded.cue(i).is(Cue::COPULA) && !turned
                || matches!(
                    folded.get(i),
                    "as" | "like"
                        | "become"
                        | "becomes"
                        | "became"
                        | "remain"
                        | "remains"
                        | "remained"
                        | "called"
                        | "such"
                        | "what"
                        | "per"
                        | "becoming"
                )
                || view.lexemes[i].kind == LexKind::Punct && named
        });
        let counted = |i: &usize| {
            view.lexemes
                .get(*i)
                .is_some_and(|l| l.kind != LexKind::Number)
        };
        let Some(first) = (at + 1..at + 3).find(counted) else {
            return;
        };
        if same {
            self.rivals.note_role(view, folded, first);
            return;
        }
        // "a cheaper one"
        if let Some(one) = (first..first + 3).find(|i| matches!(folded.get(*i), "one" | "ones"))
            && one > at + 1
        {
            self.bring(view, folded, one + 1);
        } else if let Some(end) = noun_phrase(view, folded, first) {
            self.bring(view, folded, end);
        }
    }

    /// "Quillan's twin town", "its café": the possessive stands before lexeme `at`.
    pub(super) fn owned(&mut self, view: &SentenceView<'_>, folded: &Folded, at: usize) {
        // "her first film"
        let counted = usize::from(frames().has("tells_apart", folded.get(at)));
        let phrase = noun_phrase(view, folded, at);
        let Some(end) = phrase.or_else(|| noun_phrase(view, folded, at + counted)) else {
            return;
        };
        let person = NameCue::KIN_FEMALE
            .or(NameCue::KIN_MALE)
            .or(NameCue::KIN)
            .or(NameCue::IS_PERSON);
        // Whom a possessive brings in is kept as a candidate, or is an office.
        let head = folded.get(end - 1);
        if !name_cue(head).is(person) || frames().has("whoever", head) {
            let before = self.rivals.others.len();
            self.bring(view, folded, end);
            // "When was her next film released?" asks of that film.
            if let Some(other) = self.rivals.others.back_mut().filter(|_| before < KEPT) {
                let asked = view.text.trim_end().ends_with('?') && !frames().has("aspect", head);
                other.sought |= asked && other.sentence == i64::from(view.sentence.index);
            }
        }
    }
}
