//! What else a pronoun, a description or one word of a name may mean than it was taken for.

use std::collections::VecDeque;

use super::fits::{may_be, part_of, same_thing, shares_head, sort_hash, sort_of};
use super::others::{is_named_behind, is_somebody};
use super::phrases::{noun_phrase, seeks};
use super::siblings;
use super::{Candidate, Gender, KEPT, REACH, References, Wanted};
use crate::claims::content::word_hash;
use crate::claims::names::Name;
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::coherence::coherence;
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{frames, kinds, time};
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Mention, NameType, Referent, Resolution, Span};

/// Names and entities that are remembered through a whole text.
const REMEMBERED: usize = 32;
/// Words before a copula among which "there" stands ("there used to be").
const THERE: usize = 4;

/// Turns through which what one brought in may be meant: a question, its answer and the question behind it.
const RECENT: u8 = 3;

/// "a café", "Quillan's twin town": something brought in that has no name.
#[derive(Debug, Clone, Copy)]
struct Other {
    head: u32,
    person: bool,
    thing: bool,
    gender: Gender,
    sentence: i64,
    /// Turns since.
    turns: u8,
    /// Of the question that is answered: "Write a short text about …" brings in no text to be spoken of.
    asked: bool,
    /// The sentence asks whether there is one: the answer tells of it.
    sought: bool,
}

/// What was brought in besides the candidates, and which names were said in full.
#[derive(Debug, Clone, Default)]
pub(super) struct Rivals {
    others: VecDeque<Other>,
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

    /// Whether something else than `referent` fits as well.
    pub(super) fn open(&self, wanted: Wanted<'_>, referent: Option<&Referent>) -> bool {
        self.open_beside(wanted, referent, None)
    }

    /// The same, without what stands at `itself` ([`References::find_beside`]).
    pub(super) fn open_beside(
        &self,
        wanted: Wanted<'_>,
        referent: Option<&Referent>,
        itself: Option<Span>,
    ) -> bool {
        let own = self
            .candidates
            .iter()
            .rev()
            .find(|candidate| Some(&candidate.referent) == referent);
        if own.is_some_and(|own| own.unsure) {
            return true;
        }
        // "Lumo X is new. It …", where nothing else can be meant.
        let unsure = |c: &std::sync::Arc<Candidate>| c.unsure && !c.referent.entities.is_empty();
        if referent.is_none()
            && !matches!(wanted, Wanted::Person(_))
            && self.candidates.iter().any(unsure)
        {
            return true;
        }
        let from = own.map_or(i64::MIN, |own| own.sentence);
        let name = referent.map(|referent| fold_name(&referent.name));
        // "She worked at the Louvre. The museum …": no pronoun takes up where something was, but a noun does.
        let nouned = referent.is_none() && matches!(wanted, Wanted::Noun(..));
        // "Tarn is near Kelby. The town …", "Mount Iskar looks down on Mount Tolv. The mountain …"
        let another = |candidate: &Candidate| match wanted {
            Wanted::Noun(noun, _) if !candidate.described => {
                let other = fold_name(&candidate.referent.name);
                let headed = name.as_ref().is_some_and(|name| shares_head(name, &other));
                let apart = sort_of(noun) == "settlement" || name_cue(noun).is(NameCue::IS_WORK);
                headed || candidate.standing.beside() && (apart || candidate.guessed)
            }
            Wanted::Group => candidate.standing.beside(),
            _ => false,
        };
        // "He was succeeded by his assistant. He …"
        let somebody = |candidate: &Candidate| {
            let person = candidate.referent.kind == NameType::Person
                || is_somebody(&candidate.referent.name);
            candidate.described && person && matches!(wanted, Wanted::Person(_))
        };
        let since = |candidate: &&std::sync::Arc<Candidate>| {
            let counts =
                !candidate.standing.aside() || nouned || another(candidate) || somebody(candidate);
            let other = itself.is_none_or(|own| !own.overlaps(candidate.referent.span));
            candidate.sentence >= from && counts && other
        };
        let surely = |gender: Gender| {
            let mut later = self.candidates.iter().filter(since);
            later.any(|candidate| candidate.gender == gender)
        };
        // "Ada Holt and Bo Ek live here. They …" is said of both.
        let joined = own.is_some_and(|own| own.plural && !own.described);
        if joined && matches!(wanted, Wanted::Group) {
            return true;
        }
        let vessel = own.is_some_and(|own| own.own == sort_hash("ship"));
        let fits = |candidate: &Candidate| match wanted {
            Wanted::Person(_) if vessel && candidate.described => candidate.standing.asked(),
            // "The MV Ada met the MV Bo. She …"
            Wanted::Person(_) if vessel && !candidate.described => {
                let thing = candidate.referent.kind != NameType::Person || candidate.guessed;
                thing && may_be("ship", name.as_deref(), candidate)
            }
            Wanted::Person(gender) => {
                // "The deputy was hired later. She …"
                let person = candidate.referent.kind == NameType::Person;
                if candidate.described {
                    let other = candidate.gender != Gender::Unknown && candidate.gender != gender;
                    let acts = || {
                        ["er", "or", "ist", "ian"]
                            .iter()
                            .any(|end| candidate.referent.name.ends_with(end))
                    };
                    return !other
                        && (person
                            || is_somebody(&candidate.referent.name)
                            || candidate.standing.asked() && acts());
                }
                let known = candidate.gender != Gender::Unknown;
                // "Ada Holt and Nuala are sisters. She …"
                let beside = joined
                    && candidate.referent.kind == NameType::Unknown
                    && own.is_some_and(|own| own.sentence == candidate.sentence);
                if beside {
                    return !known || candidate.gender == gender;
                }
                (person || known && candidate.referent.kind == NameType::Unknown)
                    && (candidate.gender == gender || !known && !surely(gender))
            }
            Wanted::Thing => {
                let person = candidate.gender != Gender::Unknown
                    && candidate.referent.kind == NameType::Unknown;
                let thing = candidate.referent.kind != NameType::Person || candidate.guessed;
                // "It is made by Acme. It weighs …"
                let does = candidate.standing.agent()
                    && own.is_some_and(|own| own.referent.kind != NameType::Organization);
                thing && !candidate.plural && !person && !does
            }
            Wanted::Group if candidate.described && candidate.standing.asked() => true,
            // "The Rovers lost to Dunmore City. They …"
            Wanted::Group if own.is_some_and(|own| own.own == sort_hash("club")) => {
                !candidate.described && may_be("club", name.as_deref(), candidate)
            }
            Wanted::Group => candidate.plural || candidate.referent.kind == NameType::Organization,
            Wanted::Noun(noun, apart) if candidate.described => {
                // "When was the sequel released?" "The film …"
                candidate.standing.asked() || same_thing(noun, apart, &candidate.referent.name)
            }
            Wanted::Noun(noun, _) => may_be(noun, name.as_deref(), candidate),
        };
        let mut rivals: Vec<String> = Vec::new();
        for candidate in self.candidates.iter().filter(since) {
            // The cheaper question first: few fit.
            if !fits(candidate) {
                continue;
            }
            let other = &candidate.referent;
            let folded = fold_name(&other.name);
            // "Algebra II follows Algebra I."
            let apart = candidate.unsure && name.as_ref().is_some_and(|name| *name != folded);
            let shares = !apart
                && referent
                    .is_some_and(|own| own.entities.iter().any(|id| other.entities.contains(id)));
            let alike =
                |name: &String| !apart && (part_of(name, &folded) || part_of(&folded, name));
            if shares || name.as_ref().is_some_and(alike) {
                continue;
            }
            if referent.is_some() {
                return true;
            }
            if !rivals.iter().any(alike) {
                rivals.push(folded);
            }
        }
        let others = self.rivals.others.iter();
        let mut others = others.filter(|other| other.sentence >= from);
        let brought = others.any(|other| match wanted {
            Wanted::Person(gender) => {
                let fits = other.gender == gender || other.gender == Gender::Unknown;
                // "The ship met a tanker. She …"
                let fits = if vessel {
                    other.thing
                } else {
                    other.person && fits
                };
                !other.asked && other.turns <= RECENT && fits
            }
            Wanted::Thing => other.thing && !other.asked && other.turns <= RECENT,
            // "have a women's team. They …"
            Wanted::Group => {
                let many = other.head == sort_hash("club") || other.head == sort_hash("firm");
                many && other.turns <= RECENT
            }
            Wanted::Noun(noun, _) => other.head == sort_hash(noun),
        });
        // What nothing stands for may still be the one entity of its kind: anybody else of whom
        // was spoken is in the way.
        let stranger = rivals.len() > 1 || matches!(wanted, Wanted::Noun(..)) && !rivals.is_empty();
        brought || stranger
    }
}
