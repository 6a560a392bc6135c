//! A string or number of a form, read as a text of its own.

use super::units::Scale;
use crate::claims::{Attributes, ReadCache, SentenceView, unit_named};
use crate::detect;
use crate::entities::{MentionScanner, Names};
use crate::lexicon::columns::unit_of_name;
use crate::lexicon::units::unit;
use crate::segment::{SegEvent, Segmenter};
use crate::types::{
    Claim, DateExpr, Finding, LexKind, Lexeme, LinguisticSignal, Mention, Quantity, QuantityKind,
    Sentence, SentenceKind, Span, UnitId,
};

/// Parts of a currency's unit.
const CENTS: f64 = 100.0;
/// How many times as large the base's amount is from which a bare one may be in thousands or more,
/// as a later member may say.
const FAR: f64 = 250.0;

/// One sentence of it, with what the scanners find there.
#[derive(Debug)]
pub(in crate::session) struct Piece {
    text: String,
    pub(in crate::session) sentence: Sentence,
    lexemes: Vec<Lexeme>,
    quantities: Vec<Quantity>,
    dates: Vec<DateExpr>,
    mentions: Vec<Mention>,
    signals: Vec<LinguisticSignal>,
    cache: ReadCache,
    pub(in crate::session) claims: Vec<Claim>,
    /// It is the value of a member that says something of its object's entity.
    pub(in crate::session) member: bool,
    /// It is an object of a block of code as a whole.
    pub(in crate::session) object: bool,
    /// It stands in no quotation marks.
    pub(in crate::session) bare: bool,
    /// What its number was multiplied by.
    pub(in crate::session) factor: f64,
}

impl Piece {
    /// Whether it has a word.
    pub(super) fn worded(&self) -> bool {
        self.lexemes.iter().any(|l| l.kind == LexKind::Word)
    }

    /// Whether numbers and words are all that it has, and few of them.
    pub(super) fn short(&self, most: usize) -> bool {
        self.sentence.terminator.is_none() && self.lexemes.len() <= most
    }

    /// The sentence as detectors read it.
    pub(in crate::session) fn view<'a>(
        &'a self,
        antecedents: &'a [u32],
        attributes: &'a Attributes,
    ) -> SentenceView<'a> {
        SentenceView {
            text: &self.text,
            sentence: &self.sentence,
            lexemes: &self.lexemes,
            words: &[],
            quantities: &self.quantities,
            dates: &self.dates,
            mentions: &self.mentions,
            signals: &self.signals,
            antecedents,
            attributes,
            cache: &self.cache,
        }
    }

    /// Reads it as the value of a key: its number is in the unit that the key names.
    pub(super) fn as_member(&mut self, key: &str, bare: bool) {
        self.member = true;
        self.bare = bare;
        self.sentence.kind = SentenceKind::ListItem;
        if let Some(id) = unit_of_name(key).and_then(unit_named) {
            self.measured(id);
        }
    }

    /// Gives an amount its currency; none where it is the base's in cents, or may be in thousands
    /// or more.
    pub(super) fn in_unit(&mut self, id: UnitId, known: f64) -> Option<()> {
        if let [quantity] = self.quantities.as_slice()
            && quantity.unit.is_none()
            && ((quantity.value - known * CENTS).abs() < 0.5
                || quantity.value != 0.0 && (known / quantity.value).abs() >= FAR)
        {
            return None;
        }
        self.measured(id);
        Some(())
    }

    /// What takes its number's place is in its magnitude too.
    pub(in crate::session) fn as_written(&self, finding: &mut Finding) {
        let Some(text) = finding.replacement.take_if(|_| self.factor != 1.0) else {
            return;
        };
        finding.replacement = detect::in_magnitude(&finding.text, &text, self.factor);
        if finding.replacement.is_none() {
            finding.extra.insert("no_substitute".into(), true.into());
        }
    }

    /// Whether it is a number and nothing else.
    pub(super) fn is_number(&self) -> bool {
        let [quantity] = self.quantities.as_slice() else {
            return false;
        };
        quantity.unit.is_none() && quantity.span.len() == self.sentence.span.len()
    }

    /// Its number, as written.
    pub(super) fn value(&self) -> f64 {
        self.quantities.first().map_or(0.0, |own| own.value)
    }

    /// Gives its number magnitude and unit.
    pub(super) fn scaled(&mut self, scale: Scale) {
        if !self.is_number() {
            return;
        }
        if let Some(id) = scale.unit {
            self.measured(id);
        }
        for quantity in &mut self.quantities {
            quantity.value *= scale.factor;
            if quantity.kind == QuantityKind::Year {
                quantity.kind = QuantityKind::Cardinal;
            }
        }
        self.factor = scale.factor;
    }

    /// Gives its number a unit, where it is a number and nothing else.
    fn measured(&mut self, id: UnitId) {
        if !self.is_number() {
            return;
        }
        for quantity in &mut self.quantities {
            quantity.unit = Some(id);
            quantity.kind = if unit(id).dimension == "currency" {
                QuantityKind::Money
            } else {
                QuantityKind::Measure
            };
        }
    }
}

/// The sentences of a text that stands at byte `base`. Each is decided with the sentence of the
/// answer that it is in, whose wording signals are `signals`.
pub(super) fn pieces(
    text: &str,
    base: usize,
    around: &Sentence,
    names: &Names,
    signals: &[LinguisticSignal],
) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut scanner = MentionScanner::new();
    let (mut lexemes, mut quantities, mut dates) = (Vec::new(), Vec::new(), Vec::new());
    let mut mentions = Vec::new();
    let placed = |span: Span| Span::new(span.start + base, span.end + base);
    let mut segmenter = Segmenter::new();
    let mut events = Vec::new();
    segmenter.push(text, &mut |event, _| events.push(event));
    segmenter.finish(&mut |event, _| events.push(event));
    let at = around.decided_at;
    for event in events {
        match event {
            SegEvent::Lexeme(mut lexeme) => {
                let word = &text[lexeme.span.start..lexeme.span.end];
                (lexeme.span, lexeme.decided_at) = (placed(lexeme.span), at);
                scanner.push(names, &lexeme, word, &mut |m| mentions.push(m));
                if lexeme.kind != LexKind::Newline {
                    lexemes.push(lexeme);
                }
            }
            SegEvent::Quantity(mut quantity) => {
                (quantity.span, quantity.decided_at) = (placed(quantity.span), at);
                quantities.push(quantity);
            }
            SegEvent::Date(mut date) => {
                (date.span, date.decided_at) = (placed(date.span), at);
                dates.push(date);
            }
            SegEvent::Sentence(sentence) => {
                scanner.sentence_end(names, at, &mut |m| mentions.push(m));
                let span = placed(sentence.span);
                let own = |signal: &&LinguisticSignal| span.contains(signal.span);
                found.push(Piece {
                    text: text[sentence.span.start..sentence.span.end].to_owned(),
                    sentence: Sentence {
                        index: around.index,
                        span,
                        decided_at: at,
                        ..sentence
                    },
                    lexemes: std::mem::take(&mut lexemes),
                    quantities: std::mem::take(&mut quantities),
                    dates: std::mem::take(&mut dates),
                    mentions: std::mem::take(&mut mentions),
                    signals: signals.iter().filter(own).copied().collect(),
                    cache: ReadCache::default(),
                    claims: Vec::new(),
                    member: false,
                    object: false,
                    bare: false,
                    factor: 1.0,
                });
            }
        }
    }
    found
}
