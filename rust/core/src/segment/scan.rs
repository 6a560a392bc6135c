//! The window of lexemes that may still become a number or a date.

use super::brackets::{Beside, Lead};
use super::dates::dotted_date;
use super::item::{BLANK, after};
pub(super) use super::item::{Before, Class, Item};
use super::marks::{decimal_comma, is_label, mark_class};
use super::power::{Sign, opens_power, sign, times_ten};
use super::sign::{Barred, may_negate};
use super::{SegEvent, Sink, parse};
use crate::lexicon::units::{self, Role};
use crate::types::{DateExpr, LexFlags, LexKind, Lexeme, Quantity, QuantityKind, Span};

/// Lexemes a number or date may take up, with what has to be known after it.
pub(super) const WINDOW: usize = 14;
/// Those that room is kept for between numbers.
const FEW: usize = 4;

/// A number or date that has been read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    Quantity(Quantity),
    Date(DateExpr),
}

/// The window.
#[derive(Debug, Clone)]
pub(super) struct Scanner {
    /// At most [`WINDOW`].
    items: Vec<Item>,
    before: Before,
    barred: Barred,
    /// What stands before the bracket that comes next.
    pub lead: Lead,
    /// Where the items of the code span begin that is being read.
    code_from: Option<u8>,
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            before: Before::Other,
            barred: Barred::default(),
            lead: Lead::Other,
            code_from: None,
        }
    }
}

impl Scanner {
    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.items.capacity() * size_of::<Item>()
    }

    /// Reads a lexeme; `label` if it is a list number.
    pub fn lexeme(
        &mut self,
        lexeme: &Lexeme,
        text: &str,
        label: bool,
        now: usize,
        sink: &mut Sink<'_>,
    ) {
        let code = lexeme.flags.has(LexFlags::CODE);
        if lexeme.kind == LexKind::Punct && text == "`" {
            return self.back_tick(code, now, sink);
        }
        if code != self.code_from.is_some() {
            self.flush(now, sink);
            if code {
                return;
            }
        }
        let mut item = BLANK;
        item.span = lexeme.span;
        item.adjacent = !lexeme.flags.has(LexFlags::SPACE_BEFORE);
        item.capital = lexeme.flags.has(LexFlags::CAPITALIZED);
        item.caps = lexeme.flags.has(LexFlags::ALL_CAPS);
        item.first = lexeme.flags.has(LexFlags::SENTENCE_START);
        match lexeme.kind {
            LexKind::Newline => return,
            LexKind::Word => return self.word(item, lexeme.flags, text, now, sink),
            LexKind::Number if label => {
                item.class = Class::Label;
                item.value = text.parse().unwrap_or(0.0);
            }
            LexKind::Number => return self.number(item, text, now, sink),
            LexKind::Punct => {
                item.class = mark_class(text);
                item.lead = self.lead;
                item.sign = sign(text);
                item.minus = may_negate(text);
                item.atom = units::number_word(text).atom;
                if item.class == Class::Mark && item.atom != 0 {
                    item.class = Class::Currency;
                }
            }
        }
        self.add(item, now, sink);
    }

    fn word(
        &mut self,
        mut item: Item,
        flags: LexFlags,
        text: &str,
        now: usize,
        sink: &mut Sink<'_>,
    ) {
        // "2025-10-02T09:14": the day and the hour.
        let digit = flags.has(LexFlags::HAS_DIGIT);
        if let Some((day, hour)) = digit.then(|| text.split_once('T')).flatten() {
            let two = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
            if item.adjacent && two(day) && two(hour) {
                let start = item.span.start;
                item.span = Span::new(start, start + 2);
                self.number(item, day, now, sink);
                item.span = Span::new(start + 3, start + 5);
                item.adjacent = false;
                return self.number(item, hour, now, sink);
            }
        }
        if !self.items.is_empty() {
            item.sign = sign(text);
        }
        if digit && let Some((number, sign)) = opens_power(text) {
            item.sign = sign;
            item.value = number.parse().unwrap_or(0.0);
            item.decimals = number
                .find('.')
                .map_or(0, |i| (number.len() - i - 1).min(255)) as u8;
        }
        let near = self.items.last().map_or(self.before.opens(), |last| {
            matches!(last.class, Class::Bracket | Class::Closed | Class::Mark)
                || last.beside != Beside::None
        });
        if near {
            item.beside = Beside::of(text);
        }
        if digit && is_label(text) {
            item.class = Class::Label;
            self.add(item, now, sink);
            return;
        }
        let known = units::number_word(text);
        if known.role == Role::Other && known.atom == 0 {
            if let Some(from) = self.code_from {
                let own = self.items.get(usize::from(from));
                if !own.is_some_and(|item| item.class.amount()) {
                    return self.flush(now, sink);
                }
                // "`54 employees`", "`1992 by" that nothing closes
                self.code_from = None;
                self.run(false, now, sink);
            }
            if text.as_bytes().contains(&b'-') && !flags.has(LexFlags::TECHNICAL) {
                let part = text.split('-').next().unwrap_or("");
                let first = units::number_word(part).role;
                let rest = text[part.len()..].trim_start_matches('-');
                let next = units::number_word(rest.split('-').next().unwrap_or(""));
                if matches!(
                    first,
                    Role::Ones | Role::Ten | Role::Hundred | Role::Half | Role::Magnitude
                ) && (next.atom != 0 || next.role != Role::Other)
                {
                    self.compound(item, text, now, sink);
                    return;
                }
            }
            if self.items.is_empty() {
                item.class = Class::Word(Role::Other);
                self.before = after(self.before, &item);
                return;
            }
        }
        item.class = Class::Word(known.role);
        (item.value, item.atom) = (known.value, known.atom);
        item.plural = known.role == Role::Plural
            || (known.atom == 0
                && !item.capital
                && text.len() > 4
                && text.ends_with('s')
                && !text.ends_with("ss"));
        self.add(item, now, sink);
    }

    /// "twenty-five-year": each part on its own.
    fn compound(&mut self, whole: Item, text: &str, now: usize, sink: &mut Sink<'_>) {
        let mut start = whole.span.start;
        for (i, part) in text.split('-').take(4).enumerate() {
            let known = units::number_word(part);
            let mut item = whole;
            item.class = Class::Word(known.role);
            (item.value, item.atom) = (known.value, known.atom);
            item.span = Span::new(start, start + part.len());
            item.adjacent |= i > 0;
            start += part.len() + 1;
            self.add(item, now, sink);
        }
    }

    fn number(&mut self, mut item: Item, text: &str, now: usize, sink: &mut Sink<'_>) {
        let (digits, suffix) = units::split_number(text);
        let comma = decimal_comma(digits);
        let pointed =
            comma.map(|at| format!("{}.{}", digits[..at].replace('.', ""), &digits[at + 1..]));
        let plain: String = pointed
            .as_deref()
            .unwrap_or(digits)
            .chars()
            .filter_map(|c| match c {
                '−' => Some('-'),
                '.' | '-' => Some(c),
                _ => units::digit(c).map(|value| char::from(b'0' + value)),
            })
            .collect();
        let dots = plain.matches('.').count();
        item.class = Class::Number;
        item.plus = digits.starts_with('+');
        let bare_digits = digits.chars().all(|c| units::digit(c).is_some());
        item.dressed = !bare_digits;
        item.comma = comma.is_some();
        item.digits = plain.bytes().filter(u8::is_ascii_digit).count().min(255) as u8;
        item.decimals = plain
            .find('.')
            .map_or(0, |i| (plain.len() - i - 1).min(255)) as u8;
        if dots > 1 {
            item.class = Class::Label;
            if let Some(packed) = dotted_date(&plain) {
                item.class = Class::DottedDate;
                item.value = packed;
            }
            return self.add(item, now, sink);
        }
        item.value = plain.parse().unwrap_or(0.0);
        let rest = suffix.len();
        if rest == 0 {
            return self.add(item, now, sink);
        }
        if let Some(part) = units::fraction(suffix) {
            item.value += part;
            item.decimals = item.decimals.max(2 + u8::from(part * 4.0 % 1.0 > 0.0));
            item.dressed = true;
            return self.add(item, now, sink);
        }
        if let Some(power) = units::exponent(suffix) {
            item.value = times_ten(item.value, power);
            item.decimals = item.decimals.saturating_sub(power as u8);
            item.dressed = true;
            return self.add(item, now, sink);
        }
        match suffix {
            "st" | "nd" | "rd" | "th" => item.class = Class::OrdinalNumber,
            "s" if !item.dressed && matches!(item.digits, 2 | 4) && item.value % 10.0 == 0.0 => {
                item.class = Class::Decade;
            }
            _ => {
                let known = units::number_word(suffix);
                let mut tail = item;
                if matches!(suffix, "e" | "E") {
                    item.sign = Sign::Exponential;
                }
                item.span.end -= rest;
                tail.span.start = item.span.end;
                tail.adjacent = true;
                tail.class = Class::Word(known.role);
                (tail.value, tail.atom) = (known.value, known.atom);
                self.add(item, now, sink);
                return self.add(tail, now, sink);
            }
        }
        self.add(item, now, sink);
    }

    /// A code span that is a number and nothing else (`1992`, `5 km`) is read as if it were no
    /// code; of any other, and of a block of code, nothing is read.
    fn back_tick(&mut self, code: bool, now: usize, sink: &mut Sink<'_>) {
        match self.code_from {
            None if !code => self.code_from = Some(self.items.len() as u8),
            None => self.flush(now, sink),
            Some(from) => {
                let own = &self.items[usize::from(from)..];
                if own.iter().any(|item| item.class.amount()) {
                    self.code_from = None;
                    self.run(false, now, sink);
                } else {
                    self.flush(now, sink);
                }
            }
        }
    }

    fn add(&mut self, item: Item, now: usize, sink: &mut Sink<'_>) {
        if self.code_from.is_some() {
            if item.class.other() || self.items.len() + 1 == WINDOW {
                return self.flush(now, sink);
            }
            self.items.push(item);
            return;
        }
        if self.items.is_empty() && !parse::may_start(&item) {
            self.before = after(self.before, &item);
            self.barred.passed(&item);
            return;
        }
        self.items.push(item);
        self.run(self.items.len() == WINDOW, now, sink);
    }

    /// Nothing more follows: reports what the window holds.
    pub fn flush(&mut self, now: usize, sink: &mut Sink<'_>) {
        if let Some(from) = self.code_from.take() {
            self.items.truncate(usize::from(from));
        }
        self.run(true, now, sink);
        self.before = Before::Other;
    }

    /// Reports what is settled. A full window is read as if nothing followed, once.
    fn run(&mut self, mut last: bool, now: usize, sink: &mut Sink<'_>) {
        let drain = last && self.items.len() < WINDOW;
        while !self.items.is_empty() {
            let items = self.items.as_slice();
            let used = if parse::may_start(&items[0]) {
                let barred = self.barred.holds(&items[0]);
                match parse::parse(items, last, (self.before, barred), now) {
                    Err(parse::More) => return,
                    Ok(read) => {
                        for found in read.found.into_iter().flatten() {
                            match found {
                                Found::Quantity(item) => sink(SegEvent::Quantity(item), ""),
                                Found::Date(item) => sink(SegEvent::Date(item), ""),
                            }
                        }
                        if read.used > 0 {
                            self.before = read.after;
                            self.barred
                                .amount(items[read.used.min(items.len()) - 1].span);
                        }
                        read.used
                    }
                }
            } else {
                0
            };
            if used == 0 {
                self.before = after(self.before, &items[0]);
                self.barred.passed(&items[0]);
            }
            let used = used.max(1).min(items.len());
            self.items.drain(..used);
            last = drain;
        }
        // Few numbers take more.
        self.items.shrink_to(FEW);
    }
}

/// A quantity without a unit; the reader fills in the rest.
pub(super) const fn bare(span: Span, value: f64, kind: QuantityKind, now: usize) -> Quantity {
    Quantity {
        span,
        value,
        kind,
        unit: None,
        decimals: 0,
        approximate: false,
        decided_at: now,
    }
}
