//! Words, numbers, dates, sentences and regions as they close.
use crate::types::*;
/// Event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SegEvent {
    /// Lexeme.
    Lexeme(Lexeme),
    /// Quantity.
    Quantity(Quantity),
    /// Date.
    Date(DateExpr),
    /// Sentence.
    Sentence(Sentence),
}
/// Stand-in.
#[derive(Debug, Clone, Default)]
pub struct Segmenter {
    text: String,
}
impl Segmenter {
    /// New.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Push.
    pub fn push(&mut self, text: &str, _sink: &mut dyn FnMut(SegEvent, &str)) {
        self.text.push_str(text);
    }
    /// Finish.
    pub fn finish(&mut self, sink: &mut dyn FnMut(SegEvent, &str)) {
        let text = std::mem::take(&mut self.text);
        let b: Vec<(usize, char)> = text.char_indices().collect();
        let mut i = 0;
        let mut start = None;
        let mut index = 0;
        let mut first = true;
        while i < b.len() {
            let (at, c) = b[i];
            if c.is_whitespace() { i += 1; continue; }
            start.get_or_insert(at);
            let mut j = i + 1;
            let kind = if c.is_ascii_digit() {
                while j < b.len() && (b[j].1.is_ascii_digit() || (b[j].1 == ',' || b[j].1 == '.') && j + 1 < b.len() && b[j + 1].1.is_ascii_digit()) { j += 1; }
                LexKind::Number
            } else if c.is_alphabetic() {
                while j < b.len() && (b[j].1.is_alphanumeric() || (b[j].1 == '\'' || b[j].1 == '’' || b[j].1 == '-') && j + 1 < b.len() && b[j + 1].1.is_alphabetic()) { j += 1; }
                LexKind::Word
            } else { LexKind::Punct };
            let end = if j < b.len() { b[j].0 } else { text.len() };
            let mut flags = LexFlags::default();
            if c.is_uppercase() { flags = flags.with(LexFlags::CAPITALIZED); }
            if first { flags = flags.with(LexFlags::SENTENCE_START); first = false; }
            let span = Span::new(at, end);
            sink(SegEvent::Lexeme(Lexeme { kind, flags, span, decided_at: end }), &text[at..end]);
            if kind == LexKind::Number {
                let value: f64 = text[at..end].replace(',', "").parse().unwrap_or(0.0);
                let year = end - at == 4 && (1000.0..2200.0).contains(&value);
                sink(SegEvent::Quantity(Quantity { span, value, kind: if year { QuantityKind::Year } else { QuantityKind::Cardinal }, unit: None, decimals: 0, approximate: false, decided_at: end }), "");
            }
            i = j;
            if kind == LexKind::Punct && ".!?".contains(c) || i >= b.len() {
                sink(SegEvent::Sentence(Sentence { index, span: Span::new(start.unwrap_or(at), end), kind: SentenceKind::Prose, terminator: ".!?".contains(c).then_some(c), capped: false, decided_at: end }), "");
                index += 1; start = None; first = true;
            }
        }
    }
}
