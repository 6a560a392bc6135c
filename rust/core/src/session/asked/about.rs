//! What a question asks of the one thing that it is about: what answers it may leave out whose value it is.

use crate::claims::{SentenceView, Shape, kind_named, said_to_be};
use crate::detect;
use crate::lexicon::predicates::predicate_key;
use crate::lexicon::tables::circumstance;
use crate::normal::{fold, stem};
use crate::types::{Claim, NameType, Polarity, Referent, Resolution, Span, clip_text};

use super::asking::Asking;
use super::gives::{gives, is_name};
use super::{Things, words};

/// The thing that a question is about.
#[derive(Debug)]
pub(super) struct About {
    pub(super) thing: Referent,
    /// Its names as questions write them.
    names: Vec<String>,
    /// The attributes that the question names.
    attributes: Vec<String>,
    /// Those that the base has of it.
    own: Vec<String>,
    /// The one of them whose value it wants.
    pub(super) value: Option<(String, Shape)>,
    /// It asks of what was.
    past: bool,
}

impl About {
    pub(super) fn read(question: &str, thing: u32, things: &Things<'_>) -> Option<Self> {
        let name = things.kb.name(thing)?;
        let marked = things.marked(question);
        let asking = Asking::new(&marked, things);
        let (attributes, value) = (asking.attributes(), asking.value());
        // "Who was it before?"
        let own = match asking.asks_of_then() {
            true => Vec::new(),
            false => things.own.names.clone(),
        };
        let thing = Referent {
            name: clip_text(name).to_owned(),
            span: Span::default(),
            kind: kind_named(things.kb.kind(thing).unwrap_or("")),
            turn: None,
            entities: vec![thing],
        };
        Some(Self {
            thing,
            names: things.names.clone(),
            attributes,
            own,
            value,
            past: asking
                .words
                .iter()
                .any(|word| matches!(*word, "was" | "were" | "did")),
        })
    }

    /// Puts in the thing and its attribute where the claim gives a value of it without saying so.
    pub(super) fn completes(&self, view: &SentenceView<'_>, claim: &mut Claim) {
        // What the sentence itself names is its value.
        let here = |id: &&u32| {
            view.mentions.iter().any(
                |mention| matches!(&mention.resolution, Resolution::Known(ids) if ids.contains(id)),
            )
        };
        let first = view.antecedents.iter().find(|id| !here(id));
        let other =
            |known: &Referent| !known.entities.is_empty() && known.entities != self.thing.entities;
        if first.is_some_and(|id| !self.thing.entities.contains(id))
            || claim.polarity == Polarity::Negative
        {
            return;
        }
        let subject = folded(view, claim.subject_span);
        if claim.predicate.as_deref() == Some("exist") {
            self.counts(claim, &subject);
        } else if claim.referent.as_ref().is_some_and(other) || !self.told(view, claim, &subject) {
            self.turned(view, claim);
        }
    }

    fn same(&self, view: &SentenceView<'_>, name: &str) -> bool {
        let names = view.attributes.predicates();
        let named = self.attributes.iter().any(|own| names.same(own, name));
        // What an answer begins with is told of what was asked about.
        named || view.sentence.index == 0 && self.own.iter().any(|own| own == name)
    }

    fn put(&self, claim: &mut Claim, attribute: String) {
        claim.referent = Some(self.thing.clone());
        claim.subject = Some(self.thing.name.clone());
        claim.subject_span = None;
        claim.contested = false;
        claim.predicate = Some(attribute);
    }

    /// "The CEO is Ada Holt.", "It is 52,000.", "It is on 3 May."
    fn told(&self, view: &SentenceView<'_>, claim: &mut Claim, subject: &str) -> bool {
        let said = claim.predicate.as_deref().unwrap_or("");
        let wants = self.value.as_ref();
        let pronoun = self.is_it(subject);
        let whose = is_whose(subject);
        // "She reports to Grace Obi.", behind "Who is Ada's manager?"
        let names = view.attributes.predicates();
        let wanted = wants.is_some_and(|(own, _)| own == said || names.same(own, said));
        if claim.referent.is_none() && (pronoun || whose) && self.may_be(subject) && wanted {
            claim.referent = Some(self.thing.clone());
            claim.contested = false;
            return true;
        }
        // "It costs 90 euros.", behind "What is the price at …?"
        let priced =
            wants.is_some_and(|(own, shape)| *shape == Shape::Any && names.same(own, said));
        if subject == "it" && priced {
            claim.referent = Some(self.thing.clone());
            claim.contested = false;
            return true;
        }
        let verbal = (pronoun && self.may_be(subject)).then(|| self.by_verb(view, claim));
        if let Some((attribute, span)) = verbal.flatten() {
            claim.object = Some(view.at(span).to_owned());
            claim.object_span = Some(span);
            self.put(claim, attribute);
            return true;
        }
        if !said_to_be(view, claim) {
            return false;
        }
        let value = wants.filter(|(name, shape)| {
            pronoun
                && gives(view, claim, (name, *shape), self.past)
                && !self.comes_from(view, claim)
        });
        if let Some((attribute, _)) = value {
            // "She's on leave."
            let state = claim.object_span;
            let state = state.and_then(|span| detect::prepositional_state(view, span));
            if let Some(span) = state {
                (claim.object, claim.object_span) = (Some(view.at(span).to_owned()), Some(span));
            }
            self.put(claim, attribute.clone());
            return true;
        }
        let bare = subject.strip_prefix("the ").unwrap_or(subject);
        let key = predicate_key(bare);
        let named = |name: &str| self.same(view, name);
        let longer = |tail: &str| Some(format!("{key}_{tail}")).filter(|name| named(name));
        let attribute = if bare.is_empty() || pronoun {
            None
        } else if named(&key) {
            Some(key.clone())
        } else {
            // "The exam is on 3 May.", of the exam's date
            ["date", "time", "day"].into_iter().find_map(longer)
        };
        let Some(attribute) = attribute else {
            return false;
        };
        self.put(claim, attribute);
        true
    }

    /// "She is from London." says nothing of where somebody is now.
    fn comes_from(&self, view: &SentenceView<'_>, claim: &Claim) -> bool {
        let at = claim.object_span.map(|span| view.lexemes_in(span).start);
        let before = at.and_then(|at| at.checked_sub(1));
        self.thing.kind == NameType::Person
            && before.is_some_and(|i| view.folded().get(i) == "from")
    }

    /// Whether a subject is a pronoun or the thing's own name.
    fn is_it(&self, subject: &str) -> bool {
        let bare = subject.strip_prefix("the ").unwrap_or(subject);
        matches!(subject, "it" | "he" | "she" | "they")
            || self.names.iter().any(|name| name == bare)
    }

    /// Whether the pronoun may stand for the thing.
    fn may_be(&self, pronoun: &str) -> bool {
        match self.thing.kind {
            NameType::Person => !matches!(pronoun, "it" | "its"),
            NameType::Unknown => true,
            _ => !matches!(pronoun, "he" | "she" | "his" | "her"),
        }
    }

    /// "Ada Holt is the CEO."
    fn turned(&self, view: &SentenceView<'_>, claim: &mut Claim) {
        let object = folded(view, claim.object_span);
        let Some(noun) = object.strip_prefix("the ") else {
            return;
        };
        let key = predicate_key(noun);
        let name = claim.subject_span.is_some_and(|span| is_name(view, span));
        if name && said_to_be(view, claim) && self.same(view, &key) {
            claim.object = claim.subject.take();
            claim.object_span = claim.subject_span;
            self.put(claim, key);
        }
    }

    /// "There are 120 rooms.", behind "How many rooms does the Grand Hotel have?"
    fn counts(&self, claim: &mut Claim, subject: &str) {
        let (Some((attribute, Shape::Number)), [number], Some(span)) =
            (&self.value, &*claim.quantities, claim.subject_span)
        else {
            return;
        };
        let own = |word: &str| attribute.split('_').any(|part| stem(part) == stem(word));
        let mut all = words(subject);
        let plain = |word: &str| {
            own(word)
                || word.bytes().any(|b| b.is_ascii_digit())
                || circumstance().has("reply_amount", word)
        };
        if span.overlaps(number.span) && all.all(plain) {
            claim.object = claim.subject.take();
            claim.object_span = claim.subject_span;
            self.put(claim, attribute.clone());
        }
    }
}

fn is_whose(subject: &str) -> bool {
    matches!(subject, "its" | "his" | "her" | "their")
}

fn folded(view: &SentenceView<'_>, span: Option<Span>) -> String {
    let mut folded = String::new();
    fold(span.map_or("", |span| view.at(span)), &mut folded);
    folded
}
