//! The seams of a replacement: what stands directly before or behind its place is not said again,
//! be it a sign, a mark, a unit, a rate or a word.

use crate::claims::SentenceView;
use crate::lexicon::tables::frames;
use crate::lexicon::units::{Role, number_word};
use crate::segment;
use crate::types::{QuantityKind, Span};

use super::price::Rates;
use super::sign::minus;

/// Words of a phrase beside a place, at most.
const PHRASE: usize = 4;
/// Words at a seam that are compared, at most.
const WORDS: usize = 6;
/// Marks in pairs around a quotation, and those that do for both.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('“', '”'),
    ('‘', '’'),
    ('\'', '\''),
    ('«', '»'),
    ('`', '`'),
];

/// The place and the text so that both seams hold; `None` where they cannot.
pub(in crate::detect) fn seamed(
    view: &SentenceView<'_>,
    place: Span,
    text: String,
) -> Option<(Span, String)> {
    let mut seam = Seam {
        view,
        place,
        text: text.trim().to_owned(),
    };
    seam.unquote();
    seam.open_token()?;
    seam.in_brackets()?;
    seam.cover_amount();
    seam.cover_signs();
    seam.cover_rates();
    seam.drop_before();
    seam.drop_behind();
    seam.drop_degrees();
    (!seam.text.is_empty() && !seam.doubled() && !seam.signed_before())
        .then_some((seam.place, seam.text))
}

struct Seam<'v, 'a> {
    view: &'v SentenceView<'a>,
    place: Span,
    text: String,
}

fn sign(c: char) -> bool {
    matches!(
        c,
        '#' | '€' | '$' | '£' | '¥' | '₹' | '~' | '≈' | '±' | '@' | '§' | '№'
    )
}

fn unit_mark(c: char) -> bool {
    matches!(c, '%' | '‰' | '°' | '€' | '$' | '£' | '¥' | '₹' | '″' | '′')
}

/// A word without the marks around it, in small letters.
fn bare(word: &str) -> String {
    let edge = |c: char| !c.is_alphanumeric() && !unit_mark(c) && !sign(c);
    word.trim_matches(edge).to_lowercase()
}

impl<'a> Seam<'_, 'a> {
    fn before(&self) -> &'a str {
        let start = self.view.sentence.span.start;
        self.view
            .at(Span::new(start.min(self.place.start), self.place.start))
    }

    fn behind(&self) -> &'a str {
        let end = self.view.sentence.span.end;
        self.view
            .at(Span::new(self.place.end, end.max(self.place.end)))
    }

    /// A quotation in the marks of the sentence keeps those alone.
    fn unquote(&mut self) {
        for (open, close) in QUOTES {
            let inner = (self.text.strip_prefix(open)).and_then(|text| text.strip_suffix(close));
            let marks = |c: char| QUOTES.iter().any(|(a, b)| *a == c || *b == c);
            let around = self.before().ends_with(marks) && self.behind().starts_with(marks);
            if let Some(inner) = inner.filter(|_| around) {
                self.text = inner.to_owned();
                return;
            }
        }
    }

    /// "4" of "4:1" and "9" of "9:30" are no values by themselves: all of it goes where the text is
    /// of that form too.
    fn open_token(&mut self) -> Option<()> {
        let digit = |c: char| c.is_ascii_digit();
        let joint = |c: char| matches!(c, ':' | '/');
        let figures = |text: &str| text.find(|c| !digit(c)).unwrap_or(text.len());
        let said = self.view.at(self.place);
        let behind = self.behind();
        let on =
            said.ends_with(digit) && behind.starts_with(joint) && behind[1..].starts_with(digit);
        let before = self.before();
        let back = said.starts_with(digit)
            && before.ends_with(joint)
            && before[..before.len() - 1].ends_with(digit);
        if !on && !back {
            return Some(());
        }
        let mark = if on {
            behind.chars().next()
        } else {
            before.chars().last()
        }?;
        let alike = self
            .text
            .split_once(mark)
            .is_some_and(|(a, b)| a.ends_with(digit) && b.starts_with(digit));
        if !alike {
            return None;
        }
        if on {
            self.place.end += 1 + figures(&behind[1..]);
        }
        if back {
            let head = &before[..before.len() - 1];
            let own = head.len() - head.trim_end_matches(digit).len();
            self.place.start -= 1 + own;
        }
        Some(())
    }

    /// "(5) million", "(5) km": the brackets hold the number alone, and what follows them is not said in
    /// them too.
    fn in_brackets(&mut self) -> Option<()> {
        let said = self.view.at(self.place);
        let rest = self.behind().strip_prefix(')').map(str::trim_start);
        let Some(rest) = rest.filter(|_| self.before().ends_with('(')) else {
            return Some(());
        };
        let word = rest
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        let known = number_word(&word.to_lowercase());
        let measures = matches!(known.role, Role::Magnitude | Role::Hundred) || known.atom != 0;
        if !said.ends_with(|c: char| c.is_ascii_digit()) || word.is_empty() || !measures {
            return Some(());
        }
        let (number, own) = self.text.split_once(' ')?;
        if own != word && !rest.starts_with(&format!("{own} ")) {
            return None;
        }
        self.text = number.to_owned();
        Some(())
    }

    /// Whether the sign of the wrong number would stay before the right one.
    fn signed_before(&self) -> bool {
        let before = self.before();
        let word = before.split_whitespace().next_back().unwrap_or("");
        let spelled = before.ends_with(' ') && word.eq_ignore_ascii_case("minus");
        let apart = before
            .strip_suffix(|c| minus(c) || c == '+')
            .is_some_and(|rest| {
                rest.is_empty() || rest.ends_with(|c: char| c.is_whitespace() || "(|:[".contains(c))
            });
        let first = self.text.split([' ', '-']).next().unwrap_or("");
        let number = self
            .text
            .starts_with(|c: char| c.is_ascii_digit() || unit_mark(c) || minus(c))
            || super::grammar::number_in_words(first);
        number && (spelled || apart)
    }

    /// An amount that brings its own unit takes the place of the whole amount.
    fn cover_amount(&mut self) {
        let own = segment::quantities(&self.text);
        let Some(first) = own.first() else { return };
        let measured = |kind: QuantityKind| {
            matches!(
                kind,
                QuantityKind::Money | QuantityKind::Percent | QuantityKind::Measure
            )
        };
        if !measured(first.kind) || first.span.start > 0 {
            return;
        }
        let mut said = self.view.quantities.iter();
        if let Some(said) = said.find(|q| measured(q.kind) && q.span.overlaps(self.place)) {
            self.place.start = self.place.start.min(said.span.start);
            self.place.end = self.place.end.max(said.span.end);
        }
    }

    /// Signs on either side that the text has as well.
    fn cover_signs(&mut self) {
        let first = self.text.chars().next().filter(|c| sign(*c));
        let last = self.before().chars().last().filter(|c| sign(*c));
        if let (Some(first), Some(last)) = (first, last)
            && (first == last || unit_mark(first) && unit_mark(last))
        {
            self.place.start -= last.len_utf8();
        }
        let next = self.behind().chars().next().filter(|c| unit_mark(*c));
        if let Some(next) = next
            && self.text.contains(next)
        {
            self.place.end += next.len_utf8();
        }
    }

    /// What the amount is for stands once, in the sentence's words where it is the same.
    fn cover_rates(&mut self) {
        let told = Rates::of(self.behind());
        if told.is_empty() {
            return;
        }
        let spaces = self.text.match_indices([' ', '/']).map(|(at, _)| at);
        let own = spaces.map(|at| (at, Rates::of(&self.text[at..])));
        let whole = |(at, rates): &(usize, Rates)| {
            !rates.is_empty() && at + rates.end == self.text.len() && *at > 0
        };
        let mut own = own.filter(whole);
        let Some((at, rates)) = own.next() else {
            return;
        };
        if rates.same(&told) {
            self.text.truncate(at);
        } else {
            self.place.end += told.end;
        }
    }

    /// Words before the place that the text begins with.
    fn drop_before(&mut self) {
        let before = self.before();
        if !before.ends_with(' ') {
            return;
        }
        let said: Vec<String> = before
            .split_whitespace()
            .rev()
            .take(WORDS)
            .map(bare)
            .collect();
        let own: Vec<&str> = self.text.split(' ').collect();
        let most = said.len().min(own.len() - 1);
        let same = |length: usize| {
            (0..length).all(|i| !said[i].is_empty() && said[i] == bare(own[length - 1 - i]))
        };
        let open = |length: usize| {
            // "Rome, Rome": a mark between them is an end.
            let words: Vec<&str> = before.split_whitespace().rev().take(length).collect();
            words
                .first()
                .is_some_and(|word| !word.ends_with([',', ';', ':']))
        };
        let found = (1..=most)
            .rev()
            .find(|length| same(*length) && open(*length));
        if let Some(length) = found {
            self.text = own[length..].join(" ");
        }
    }

    /// Words behind the place that the text ends with.
    fn drop_behind(&mut self) {
        let behind = self.behind();
        if !behind.starts_with(' ') {
            return;
        }
        let said: Vec<&str> = behind.split_whitespace().take(WORDS).collect();
        let own: Vec<&str> = self.text.split(' ').collect();
        let most = said.len().min(own.len() - 1);
        let same = |length: usize| {
            (0..length).all(|i| {
                let (a, b) = (bare(said[i]), bare(own[own.len() - length + i]));
                let closed = i + 1 == length || !said[i].ends_with([',', ';', ':']);
                !a.is_empty() && a == b && closed
            })
        };
        if let Some(length) = (1..=most).rev().find(|length| same(*length)) {
            self.text = own[..own.len() - length].join(" ");
        }
    }

    /// "A little over 300", "not quite 300": words that told how near the wrong number is go with it.
    fn drop_degrees(&mut self) {
        let number = |c: char| c.is_ascii_digit();
        let opens = self.text.trim_start_matches(|c| sign(c) || minus(c));
        let word = opens.split([' ', '-']).next().unwrap_or("");
        if !opens.starts_with(number) && !super::grammar::number_in_words(word) {
            return;
        }
        let view = self.view;
        let folded = view.folded();
        let lead = view.lexemes_in(self.place).start;
        let bounded = view
            .lexemes
            .get(lead)
            .is_some_and(|lexeme| !view.at(lexeme.span).starts_with(|c| number(c) || sign(c)))
            && !super::grammar::number_in_words(&view.word(lead).to_lowercase());
        let mut at = lead;
        while let Some(length) = (1..=PHRASE.min(at)).rev().find(|length| {
            let words: Vec<&str> = (at - length..at).map(|i| folded.get(i)).collect();
            let phrase = words.join(" ");
            frames().has("nearing", &phrase) || bounded && frames().has("degree", &phrase)
        }) {
            at -= length;
        }
        if at < lead {
            self.place.start = view.lexemes[at].span.start;
            let capital = view.at(self.place).starts_with(char::is_uppercase);
            let mut letters = self.text.chars();
            if let Some(first) = letters.next().filter(|c| capital && c.is_lowercase()) {
                self.text = first.to_uppercase().chain(letters).collect();
            }
        }
    }

    /// Whether something would stand twice all the same.
    fn doubled(&self) -> bool {
        let (before, behind) = (self.before(), self.behind());
        let first = self.text.chars().next();
        let last = self.text.chars().last();
        let marks = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
        let ends = first.filter(marks).is_some_and(|c| before.ends_with(c));
        let begins = last
            .filter(|c| marks(c) && !matches!(c, ')' | '.' | '!' | '?'))
            .is_some_and(|c| behind.starts_with(c));
        // A sign that nothing with a number follows.
        let bare_sign = before.ends_with(|c| sign(c) && c != '~')
            && !self
                .text
                .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '('))
            && !before.ends_with(['@', '#']);
        let word = |text: Option<&str>| text.map(bare).filter(|word| !word.is_empty());
        let joined = before.ends_with(' ')
            && word(before.split_whitespace().last())
                .is_some_and(|word| Some(&word) == self.text.split(' ').next().map(bare).as_ref())
            && !before.trim_end().ends_with([',', ';', ':', '.']);
        let goes_on = behind.starts_with(' ')
            && word(behind.split_whitespace().next())
                .is_some_and(|word| Some(&word) == self.text.rsplit(' ').next().map(bare).as_ref());
        ends || begins || bare_sign || joined || goes_on
    }
}
