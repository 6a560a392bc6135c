//! A claim in the form in which it is held against later ones (S4-020..024).

use crate::claims::told_apart as apart;
use crate::claims::{Bounds, Name, ReadCache, SentenceView, bounds, extract, names, word_hash};
use crate::lexicon::coherence::{Extent, coherence};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::types::{
    Claim, DateExpr, Modality, NameType, Polarity, Quantity, QuantityKind, Span, clip_text,
};

use super::occasion::{Occasion, in_phrase};

/// Attributes that only a human being has.
const PERSONAL: [&str; 7] = [
    "born",
    "birthplace",
    "died",
    "spouse",
    "employer",
    "department",
    "residence",
];

/// One thing said.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Number of the turn; none for the answer's own.
    pub turn: Option<u32>,
    /// The words of its claim.
    pub content: Box<str>,
    /// Which of the sentence's claims it is.
    pub claim: usize,
    /// Where the claim stands.
    pub span: Span,
    /// Where its value stands; the claim where it has none.
    pub at: Span,
    /// Hash of what it is about; 0 where nothing is named.
    pub subject: u64,
    /// What it is about, as written, without article.
    pub concept: Box<str>,
    /// Stems of that.
    pub name: Vec<u64>,
    /// The attribute spoken of; empty where none is.
    pub predicate: Box<str>,
    /// The value, as written.
    pub value: Box<str>,
    /// Stems of the value, sorted.
    pub value_words: Vec<u64>,
    /// Numbers written in digits in the value.
    pub numbers: Vec<f64>,
    /// Quantities of the value.
    pub quantities: Vec<Quantity>,
    /// What the words around some of them leave open ("over 40"), each with its number there.
    pub bounds: Vec<(usize, Bounds)>,
    /// Stems of the whole sentence without what denies, sorted.
    pub words: Vec<u64>,
    /// Stems before the subject and behind the value: circumstances. Sorted.
    pub around: Vec<u64>,
    /// Years named outside the value, and days of a year, below zero.
    pub years: Vec<i32>,
    /// Whether the sentence denies.
    pub denied: bool,
    /// Of how many it is said, where the sentence opens with that.
    pub extent: Option<Extent>,
    /// Stems of what follows that, sorted.
    pub extended: Vec<u64>,
    /// It openly takes back what was said.
    pub corrects: bool,
    /// It speaks of a change, an alternative, another one: at odds with nothing.
    pub changes: bool,
    /// It adds to what was said.
    pub adds: bool,
    /// It is about a human being, who is many things at once.
    pub person: bool,
    /// It says what is possible ("might").
    pub possible: bool,
    /// It is said of the past.
    pub past: bool,
    /// It is said of the present.
    pub present: bool,
    /// Its sentence gives the attribute several values.
    pub several: bool,
    /// Stated confidence, 0..=1.
    pub confidence: f64,
    /// What its event is of, and what it stands under.
    pub occasion: Occasion,
}

impl Eq for Said {}

impl Said {
    /// Its quantities, each with what is left open of it.
    pub fn amounts(&self) -> impl Iterator<Item = (&Quantity, Option<&Bounds>)> {
        let of = |at: usize| self.bounds.iter().find(|(own, _)| *own == at);
        let quantities = self.quantities.iter().enumerate();
        quantities.map(move |(at, quantity)| (quantity, of(at).map(|(_, bounds)| bounds)))
    }

    /// Whether it says what its subject is ("X is a …").
    #[must_use]
    pub fn defines(&self) -> bool {
        let article = self.value.split(' ').next().unwrap_or("");
        matches!(&*self.predicate, "is" | "is_a" | "type")
            && matches!(article, "a" | "an" | "A" | "An")
    }

    /// Whether anything later can be held against it.
    #[must_use]
    pub fn binds(&self) -> bool {
        if self.state().is_some() {
            return true;
        }
        let single = self.subject != 0 && coherence().exclusivity(&self.predicate) > 0.0;
        single || self.extent.is_some() || (self.subject != 0 && self.defines())
    }

    /// Gives back room that nothing fills.
    pub fn shrink(&mut self) {
        for words in [
            &mut self.name,
            &mut self.value_words,
            &mut self.words,
            &mut self.around,
            &mut self.extended,
        ] {
            words.shrink_to_fit();
        }
        self.numbers.shrink_to_fit();
        self.years.shrink_to_fit();
        self.quantities.shrink_to_fit();
        self.bounds.shrink_to_fit();
        self.occasion.shrink();
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let words = [
            &self.name,
            &self.value_words,
            &self.words,
            &self.around,
            &self.extended,
        ];
        self.content.len()
            + self.concept.len()
            + self.predicate.len()
            + self.value.len()
            + words.iter().map(|w| w.capacity() * 8).sum::<usize>()
            + self.numbers.capacity() * 8
            + self.years.capacity() * 4
            + self.quantities.capacity() * size_of::<Quantity>()
            + self.bounds.capacity() * size_of::<(usize, Bounds)>()
            + self.occasion.heap_bytes()
    }
}

/// What a sentence says, one entry a claim, in the order of its claims; nothing for what is asked,
/// ordered, quoted or supposed. `last` is what the sentence before was about, for its pronouns.
#[must_use]
pub fn said(view: &SentenceView<'_>, claims: &[Claim], last: &mut Option<Spoken>) -> Vec<Said> {
    let folded = view.folded();
    let mut words: Vec<usize> = Vec::with_capacity(view.lexemes.len());
    words.extend((0..view.lexemes.len()).filter(|i| view.is_term(*i)));
    let text: Vec<&str> = words.iter().map(|i| folded.get(*i)).collect();
    let skip = coherence().opener(&text);
    // What is marked as a correction is read without its mark.
    let rest;
    let (claims, own) = if skip > 0 && skip < words.len() {
        let cache = ReadCache::default();
        let inner = view.with_lexemes(&view.lexemes[words[skip]..], &cache);
        rest = extract(&inner);
        (rest.as_slice(), false)
    } else {
        (claims, true)
    };
    let Some(first) = claims.first() else {
        return Vec::new();
    };
    if !matches!(first.modality, Modality::Asserted | Modality::Hedged) {
        return Vec::new();
    }
    let extent = coherence()
        .extent(&text[skip..])
        .or_else(|| counted(view, &words[skip..], &text[skip..]));
    let skipped = skip + extent.map_or(0, |(_, n)| n);
    let mut stems: Vec<(u64, Span)> = Vec::with_capacity(words.len());
    let mut extended = Vec::with_capacity(words.len());
    let mut denials = 0;
    for (n, i) in words.iter().enumerate().skip(skip) {
        if coherence().denies(text[n]) {
            denials += 1;
            continue;
        }
        let Some(word) = view.content(*i) else {
            continue;
        };
        stems.push((word.stem, word.span));
        if n >= skipped {
            extended.push(word.stem);
        }
    }
    let (mut past, mut present) = (false, false);
    for (i, word) in words.iter().zip(&text) {
        let marks = view.time(*i);
        past |= marks.has("past");
        present |= marks.has("present") || matches!(*word, "has" | "have");
    }
    let shared = Shared {
        stems: &stems,
        extended: sorted(extended),
        denials,
        extent: extent.map(|(extent, _)| extent),
        corrects: skip > 0 || coherence().takes_back(&text),
        changes: text[skip..].iter().any(|word| contrast().corrects(word)),
        adds: coherence().adds(&text),
        possible: text.iter().any(|word| coherence().is_possible(word)),
        past,
        present,
    };
    let out: Vec<Said> = claims
        .iter()
        .enumerate()
        .map(|(n, claim)| {
            let same = |other: &&Claim| other.predicate == claim.predicate;
            let several = claims.iter().filter(same).count() > 1;
            let number = if own { n } else { 0 };
            Said {
                several,
                ..shared.said(view, claim, number, last)
            }
        })
        .collect();
    if let Some(one) = out.iter().find(|one| one.subject != 0) {
        *last = Some(Spoken {
            subject: one.subject,
            concept: one.concept.clone(),
            name: one.name.clone(),
        });
    }
    out
}

/// What a sentence was about, for the pronouns of the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    subject: u64,
    concept: Box<str>,
    name: Vec<u64>,
}

/// What all claims of a sentence have in common.
struct Shared<'a> {
    stems: &'a [(u64, Span)],
    extended: Vec<u64>,
    denials: usize,
    extent: Option<Extent>,
    corrects: bool,
    changes: bool,
    adds: bool,
    possible: bool,
    past: bool,
    present: bool,
}

impl Shared<'_> {
    fn said(
        &self,
        view: &SentenceView<'_>,
        claim: &Claim,
        number: usize,
        last: &Option<Spoken>,
    ) -> Said {
        let object = claim.object_span;
        let inside = |span: Span| move |word: &&(u64, Span)| span.contains(word.1);
        let stems = |span: Option<Span>| {
            let span = span.unwrap_or_default();
            sorted(
                self.stems
                    .iter()
                    .filter(inside(span))
                    .map(|w| w.0)
                    .collect(),
            )
        };
        let (subject, concept, name) = subject(claim, stems(claim.subject_span), last);
        let called = claim.subject.as_deref().unwrap_or("").to_lowercase();
        let referent = claim.referent.as_ref().map(|referent| referent.kind);
        let both = claim.subject_span.zip(object);
        let around = both.map_or_else(Vec::new, |(a, b)| {
            let whole = Span::new(a.start.min(b.start), a.end.max(b.end));
            let outside = self.stems.iter().filter(|w| !whole.contains(w.1));
            let between = Span::new(a.end.min(b.start), b.start);
            let placed = self.stems.iter().filter(inside(between));
            let placed = placed.filter(|w| in_phrase(view, between, w.1));
            let words = outside.chain(placed).map(|w| w.0);
            sorted(words.chain(apart(view, claim)).collect())
        });
        let value = object.map_or("", |span| view.at(span));
        let outside = |span: Span| object.is_none_or(|object| !object.overlaps(span));
        let mut years: Vec<i32> = view
            .dates
            .iter()
            .filter(|date| outside(date.span))
            .filter_map(|date| date.year)
            .collect();
        let days = view.dates.iter().filter(|date| outside(date.span));
        let day = |date: &DateExpr| Some(i32::from(date.month?) * 32 + i32::from(date.day?));
        years.extend(days.filter_map(day).map(|day| -day));
        years.sort_unstable();
        let predicate = claim.predicate.as_deref().unwrap_or("");
        let predicate = view
            .attributes
            .lexicon()
            .predicates()
            .named(predicate)
            .map_or(predicate, |p| &*p.name);
        let counted = |q: &&Quantity| object.is_some_and(|object| object.overlaps(q.span));
        let denied = if claims_alone(view) {
            claim.polarity == Polarity::Negative || self.denials % 2 == 1
        } else {
            claim.polarity == Polarity::Negative
        };
        let extent = match self.extent {
            Some(Extent::Number) if denied => Some(Extent::NumberNot),
            extent => extent,
        };
        let article = value.split(' ').next().unwrap_or("").to_lowercase();
        let human = matches!(&*article, "a" | "an")
            && value
                .split(|c: char| !c.is_alphanumeric())
                .take_while(|word| !matches!(*word, "of" | "in" | "for" | "from" | "at" | "who"))
                .filter(|word| !word.is_empty())
                .last()
                .is_some_and(|word| coherence().is_human(&word.to_lowercase()));
        let quantities: Vec<Quantity> = view.quantities.iter().filter(counted).copied().collect();
        Said {
            turn: None,
            content: clip_text(claim.content.trim()).into(),
            claim: number,
            span: claim.span,
            at: object.unwrap_or(claim.span),
            subject,
            concept,
            name,
            predicate: predicate.into(),
            value: clip_text(value).into(),
            value_words: stems(object),
            numbers: digits(value),
            bounds: left_open(view, &quantities),
            quantities,
            words: sorted(self.stems.iter().map(|w| w.0).collect()),
            around,
            years,
            denied: denied && self.extent.is_none(),
            extent,
            extended: self.extended.clone(),
            corrects: self.corrects,
            changes: self.changes && !self.corrects,
            adds: self.adds,
            person: matches!(called.as_str(), "he" | "she")
                || referent == Some(NameType::Person)
                || human
                || PERSONAL.contains(&predicate)
                || matches!(predicate, "is" | "is_a" | "type") && names_a_person(view, claim),
            possible: self.possible,
            past: self.past,
            present: self.present && !self.past,
            several: false,
            confidence: claim.stated_confidence,
            occasion: Occasion::of(view, claim),
        }
    }
}

/// What the words around quantities leave open.
fn left_open(view: &SentenceView<'_>, quantities: &[Quantity]) -> Vec<(usize, Bounds)> {
    if quantities.is_empty() {
        return Vec::new();
    }
    let folded = view.folded();
    let of = |(at, quantity)| Some((at, bounds(view, &folded, quantity)?));
    quantities.iter().enumerate().filter_map(of).collect()
}

/// Whether the subject is a human being's name, of more than one word.
fn names_a_person(view: &SentenceView<'_>, claim: &Claim) -> bool {
    let same = |name: &Name| {
        claim
            .subject_span
            .is_some_and(|span| span.overlaps(name.span))
    };
    names(view)
        .iter()
        .any(|name| name.kind == NameType::Person && view.at(name.span).contains(' ') && same(name))
}

/// "three students", "two people": so many, and how many words say so.
fn counted(view: &SentenceView<'_>, words: &[usize], text: &[&str]) -> Option<(Extent, usize)> {
    let first = view.lexemes[*words.first()?].span;
    let mut own = view.quantities.iter();
    let number = own.find(|q| q.span == first && q.kind == QuantityKind::Cardinal)?;
    let people = matches!(text.get(1), Some(&"people" | &"persons"));
    let whole = number.value >= 1.0 && number.value.fract() == 0.0 && number.unit.is_none();
    (whole && words.len() > 2).then_some((Extent::Number, 1 + usize::from(people)))
}

/// Whether what denies anything in the sentence denies all of it: it has one clause.
fn claims_alone(view: &SentenceView<'_>) -> bool {
    let joins = |word: &str| matches!(word, "and" | "but" | "or" | "," | ";");
    !(0..view.lexemes.len()).any(|i| joins(view.word(i)))
}

/// Hash, words and stems of what a claim is about.
fn subject(claim: &Claim, stems: Vec<u64>, last: &Option<Spoken>) -> (u64, Box<str>, Vec<u64>) {
    let written = match (&claim.referent, &claim.subject) {
        (Some(referent), _) => referent.name.as_str(),
        (None, Some(subject)) => subject.as_str(),
        (None, None) => return (0, "".into(), Vec::new()),
    };
    let lower = written.trim().to_lowercase();
    if cue(&lower).is(Cue::PRONOUN_PERSON.or(Cue::PRONOUN_THING)) || lower == "it" {
        return last.as_ref().map_or((0, "".into(), Vec::new()), |last| {
            (last.subject, last.concept.clone(), last.name.clone())
        });
    }
    let plain = ["the ", "a ", "an ", "our ", "my ", "your "]
        .iter()
        .find_map(|article| lower.strip_prefix(article))
        .unwrap_or(&lower);
    if plain.is_empty() {
        return (0, "".into(), Vec::new());
    }
    (word_hash(plain), clip_text(plain).into(), stems)
}

fn sorted(mut words: Vec<u64>) -> Vec<u64> {
    words.sort_unstable();
    words.dedup();
    words
}

/// Numbers written in digits, without their separators.
fn digits(text: &str) -> Vec<f64> {
    let mut out = Vec::new();
    let mut open = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let more = chars.peek().is_some_and(char::is_ascii_digit);
        match c {
            '0'..='9' => open.push(c),
            '.' if !open.is_empty() && more => open.push(c),
            ',' if !open.is_empty() && more => {}
            _ if open.is_empty() => {}
            _ => {
                out.extend(open.parse::<f64>());
                open.clear();
            }
        }
    }
    out.extend(open.parse::<f64>());
    out
}
