//! The candidate that a pronoun or a description stands for, and whether it may be another.

use std::sync::Arc;

use crate::types::{NameType, Referent, Span};

use super::fits::{
    describes, is_another, may_be, part_of, same_thing, shares_head, sort_hash, sort_of,
};
use super::others::is_somebody;
use super::{Candidate, Gender, References, Wanted};
use crate::lexicon::names::{NameCue, name_cue};
use crate::normal::fold_name;

/// Turns through which what one brought in may be meant: a question, its answer and the question behind it.
const RECENT: u8 = 3;

impl References {
    /// The nearest that fits what is wanted, as seen from the sentence of that number.
    pub(super) fn find(&self, wanted: Wanted<'_>, sentence: i64) -> Option<Referent> {
        self.find_beside(wanted, sentence, None)
    }

    /// The nearest but the one at `itself`: "Hanna Lind is her manager." tells of somebody else.
    pub(super) fn find_beside(
        &self,
        wanted: Wanted<'_>,
        sentence: i64,
        itself: Option<Span>,
    ) -> Option<Referent> {
        let other = |c: &Candidate| itself.is_none_or(|own| !own.overlaps(c.referent.span));
        let fits = |c: &Candidate| {
            other(c)
                && match wanted {
                    Wanted::Person(gender) => {
                        (c.referent.kind == NameType::Person
                            || c.gender != Gender::Unknown && c.referent.kind == NameType::Unknown)
                            && (c.gender == gender || c.gender == Gender::Unknown)
                    }
                    Wanted::Thing => c.referent.kind != NameType::Person && !c.plural,
                    Wanted::Group => c.plural || c.referent.kind == NameType::Organization,
                    // "the twin town", "the parent company"
                    Wanted::Noun(_, apart) if !c.described && is_another(apart) => false,
                    Wanted::Noun(noun, apart) => {
                        !c.described
                            && (describes(noun, c) || apart.is_empty() && sort_hash(noun) == c.own)
                            || c.described && same_thing(noun, apart, &c.referent.name)
                    }
                }
        };
        // The nearest sentence that has one.
        let nearest = self.candidates.iter().rev().find(|c| fits(c))?.sentence;
        let mut there: Vec<&Arc<Candidate>> = self
            .candidates
            .iter()
            .filter(|c| c.sentence == nearest && fits(c))
            .collect();
        // "Where is X?" "X is in Y." tells of X.
        if there.first()?.referent.turn.is_some() && there.iter().any(|c| !c.standing.aside()) {
            there.retain(|c| !c.standing.aside());
        }
        let first = there.first()?;
        if first.paragraph != self.paragraph {
            let choice = there.iter().any(|c| c.referent.name != first.referent.name);
            if choice || (nearest + 1 != sentence && first.referent.turn.is_none()) {
                return None;
            }
        }
        if let Wanted::Person(gender) = wanted
            && there.iter().any(|c| c.gender == gender)
        {
            there.retain(|c| c.gender == gender);
        }
        // "Ada wrote to her mother. She …": either; the one nobody knows is never judged wrongly.
        let kin = |c: &&Arc<Candidate>| c.described && c.referent.kind == NameType::Person;
        if matches!(wanted, Wanted::Person(_)) && there.iter().any(kin) {
            there.retain(|c| kin(c));
        }
        if matches!(wanted, Wanted::Group) && there.iter().any(|c| c.plural) {
            there.retain(|c| c.plural);
        }
        there.first().map(|c| c.referent.clone())
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
