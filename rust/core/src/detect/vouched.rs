//! What the knowledge base accounts for in a sentence, where evidence was given beside it.

use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::claims::{ContentWord, SentenceView};
use crate::evidence::{EvidenceSet, Passage, rarity};
use crate::kb::{Fact, Snapshot};
use crate::lexicon::predicates::Predicates;
use crate::normal::fold;
use crate::segment::clocks;
use crate::types::{Claim, LexKind, Modality, Resolution, Span};

use super::grounds::Grounds;
use super::standing::base_has;
use super::subject::claim_entities;

/// Entities of one sentence that are asked.
const ENTITIES: usize = 16;
/// A name of more entities than this tells nobody who is meant.
const NAMESAKES: usize = 8;
/// Of an entity with more facts than this only the names are read.
const FACTS: usize = 256;
/// First letters by which a word and an attribute's name are of one family ("visit", "visitors").
const FAMILY: usize = 5;
/// What a word weighs at most that says little ([`rarity`]).
const COMMON: f64 = 0.7;
/// Words that say little which a sentence may have beside what the base accounts for.
const LIGHT: usize = 2;

/// The words of a sentence that the knowledge base says of the entities it names.
#[derive(Debug, Clone, Default)]
pub struct Vouched {
    spans: Vec<Span>,
    stems: FxHashSet<u64>,
    whole: bool,
    named: bool,
    reckoned: Vec<Span>,
}

impl Vouched {
    /// Whether it accounts for all that the sentence says.
    #[must_use]
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Stems of the words it accounts for.
    #[must_use]
    pub fn stems(&self) -> &FxHashSet<u64> {
        &self.stems
    }

    /// Whether it accounts for the names in the sentence and nothing else.
    #[must_use]
    pub fn names_only(&self) -> bool {
        self.named && self.reckoned.is_empty()
    }

    /// Whether it accounts for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Adds a number that follows from those of the sources.
    pub fn reckon(&mut self, view: &SentenceView<'_>, span: Span) {
        self.spans.push(span);
        self.reckoned.push(span);
        let words = view.content_words_in(view.lexemes_in(span));
        self.stems.extend(words.map(|word| word.stem));
    }

    /// Whether a number at `span` follows from those of the sources.
    #[must_use]
    pub fn follows(&self, span: Option<Span>) -> bool {
        span.is_some_and(|span| self.reckoned.iter().any(|own| own.overlaps(span)))
    }

    /// Whether the word or number at `span` is one of them.
    #[must_use]
    pub fn has(&self, span: Span) -> bool {
        self.spans.iter().any(|own| own.overlaps(span))
    }

    /// Whether all content words at `span` are among them.
    #[must_use]
    pub fn covers(&self, view: &SentenceView<'_>, span: Span) -> bool {
        let mut words = view.content_words_in(view.lexemes_in(span));
        self.whole || words.all(|word| self.has(word.span))
    }
}

/// What the knowledge base accounts for in a sentence: the names of the entities it speaks of,
/// the attributes and values of their facts, and claims that a fact supports. `None` where the
/// sentence speaks of no entity of the base, or of more than 16.
#[must_use]
pub fn vouched(
    view: &SentenceView<'_>,
    claims: &[Claim],
    kb: &Snapshot,
    grounds: &Grounds<'_>,
    index: impl FnOnce(&str) -> Arc<Passage>,
) -> Option<Vouched> {
    let mut ids = Vec::new();
    for mention in view.mentions {
        match &mention.resolution {
            Resolution::Known(known) if known.len() <= NAMESAKES => ids.extend(known),
            _ => {}
        }
    }
    let subjects: Vec<Vec<u32>> = claims
        .iter()
        .map(|claim| claim_entities(view, claim, kb))
        .collect();
    ids.extend(subjects.iter().flatten());
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() || ids.len() > ENTITIES {
        return None;
    }
    let names = view.attributes.predicates();
    let facts: Vec<Vec<Fact>> = ids
        .iter()
        .map(|id| kb.few_facts(*id, FACTS, &|_| true).unwrap_or_default())
        .collect();
    let (text, families) = told(kb, &ids, &facts, names);
    let set = EvidenceSet::new(vec![index(&text)]);
    let mut own = Vouched::default();
    let mut supported = 0;
    for (claim, subjects) in claims.iter().zip(&subjects) {
        let asserted = matches!(claim.modality, Modality::Asserted | Modality::Hedged);
        if asserted && base_has(view, claim, kb).is_some() {
            supported += 1;
            own.spans.extend(claim.subject_span);
            own.spans.extend(claim.object_span);
            own.spans.extend(verb(view, claim));
        } else if let Some(predicate) = claim.predicate.as_deref() {
            // The verb that names an attribute which the base has of the subject.
            let held = ids.iter().zip(&facts).any(|(id, facts)| {
                subjects.contains(id) && facts.iter().any(|f| names.same(&f.predicate, predicate))
            });
            if held {
                own.spans.extend(verb(view, claim));
            }
        }
    }
    let grounds = Grounds {
        evidence: Some(&set),
        ..*grounds
    };
    let measured = view.quantities.iter().filter(|quantity| {
        let text = view.at(quantity.span);
        grounds.knows_quantity(quantity, text, &ids) || grounds.has_otherwise(quantity, false)
    });
    own.spans.extend(measured.map(|quantity| quantity.span));
    let dated = view
        .dates
        .iter()
        .filter(|date| grounds.knows_date(date, view.at(date.span), &ids));
    own.spans.extend(dated.map(|date| date.span));
    let start = view.sentence.span.start;
    let told = clocks(view.text).into_iter();
    own.spans.extend(
        told.filter(|clock| set.has_clock(clock))
            .map(|clock| Span::new(clock.span.start + start, clock.span.end + start)),
    );
    let held = |word: &ContentWord| {
        !set.passages()[0]
            .data()
            .sentences_with(word.stem)
            .is_empty()
            || !word.number && related(view.at(word.span), &families)
    };
    let name = |span: Span| {
        view.mentions
            .iter()
            .any(|mention| mention.span.overlaps(span))
    };
    own.named = true;
    let (mut light, mut open) = (0, 0);
    for word in view.content_words() {
        if own.has(word.span) || held(&word) {
            own.named &= name(word.span);
            own.spans.push(word.span);
            own.stems.insert(word.stem);
        } else if !word.number && !word.name && rarity(word.stem) <= COMMON {
            light += 1;
        } else {
            open += 1;
        }
    }
    own.whole = open == 0 && light <= LIGHT && own.stems.len() > light
        || (!claims.is_empty() && supported == claims.len());
    Some(own)
}

/// All that the base says of the entities, as a text, and the names of their attributes.
fn told(
    kb: &Snapshot,
    ids: &[u32],
    facts: &[Vec<Fact>],
    names: &Predicates,
) -> (String, Vec<String>) {
    let (mut text, mut families) = (String::new(), Vec::new());
    let mut attribute = |name: &str| {
        for name in std::iter::once(name).chain(names.names_of(name)) {
            for word in name.split('_').filter(|word| word.len() >= FAMILY) {
                families.push(word.to_owned());
            }
        }
        name.replace('_', " ")
    };
    for (id, facts) in ids.iter().zip(facts) {
        let kind = kb.kind(*id).unwrap_or("");
        for name in kb.names_of(*id).into_iter().chain([kind]) {
            text.push_str(name);
            text.push_str(".\n");
        }
        for fact in facts {
            let name = attribute(&fact.predicate);
            let _ = writeln!(text, "{name}: {}.", fact.value);
            for qualifier in &fact.qualifiers {
                let name = attribute(&qualifier.name);
                let _ = writeln!(text, "{name}: {}.", qualifier.value);
            }
        }
    }
    families.sort_unstable();
    families.dedup();
    (text, families)
}

/// Whether the word shares its first letters with one of an attribute's name.
fn related(word: &str, families: &[String]) -> bool {
    let mut folded = String::new();
    fold(word, &mut folded);
    let Some(start) = folded.get(..FAMILY) else {
        return false;
    };
    families.iter().any(|own| own.starts_with(start))
}

/// The words of a claim between its subject and its object.
fn verb(view: &SentenceView<'_>, claim: &Claim) -> Vec<Span> {
    let Some((subject, object)) = claim.subject_span.zip(claim.object_span) else {
        return Vec::new();
    };
    let (first, last) = if subject.start <= object.start {
        (subject, object)
    } else {
        (object, subject)
    };
    let between = Span::new(first.end, last.start.max(first.end));
    let own = view.lexemes[view.lexemes_in(between)].iter();
    own.filter(|lexeme| lexeme.kind == LexKind::Word)
        .map(|lexeme| lexeme.span)
        .collect()
}
