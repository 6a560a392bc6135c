//! The words and marks of a text, and which of them tell times of day.

use crate::lexicon::tables::{Marks, schedule};
use crate::segment::{Clock, told_hours};
use crate::types::Span;

/// A word or mark.
#[derive(Debug)]
pub(super) struct Word {
    /// In lower case, with plain apostrophes and dashes.
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) capital: bool,
    /// No letter or digit.
    pub(super) mark: bool,
    /// Whether it touches the one before it.
    pub(super) joined: bool,
    /// Part of a time of day.
    pub(super) timed: bool,
}

/// All of them, with the times of day.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) all: Vec<Word>,
    pub(super) clocks: Vec<Clock>,
    /// Whether the text is a value: two letters can be a day.
    pub(super) value: bool,
}

impl Words {
    pub(super) fn read(text: &str, value: bool) -> Self {
        let mut all: Vec<Word> = Vec::new();
        let mut chars = text.char_indices().peekable();
        let mut end = usize::MAX;
        while let Some((start, c)) = chars.next() {
            if c.is_whitespace() && c != '\n' {
                continue;
            }
            let mut stop = start + c.len_utf8();
            if c.is_alphanumeric() {
                while let Some(&(at, next)) = chars.peek() {
                    let inner = matches!(next, '\'' | '’')
                        && text[at + next.len_utf8()..].starts_with(char::is_alphanumeric);
                    if !(next.is_alphanumeric() || inner) {
                        break;
                    }
                    stop = at + next.len_utf8();
                    chars.next();
                }
            }
            let written = &text[start..stop];
            let plain = match c {
                '–' | '—' | '-' | '−' | '‐' | '‑' => "-".to_owned(),
                '\n' | ';' | '|' | '•' | '·' => ";".to_owned(),
                _ => written.to_lowercase().replace('’', "'"),
            };
            all.push(Word {
                text: plain,
                span: Span::new(start, stop),
                capital: c.is_uppercase(),
                mark: !c.is_alphanumeric(),
                joined: end == start,
                timed: false,
            });
            end = stop;
        }
        let mut words = Self {
            all,
            clocks: told_hours(text),
            value,
        };
        words.halves(text);
        words.ranges();
        words.time();
        words.close();
        words
    }

    /// "it's" and "museum's": two words.
    fn halves(&mut self, text: &str) {
        let mut out: Vec<Word> = Vec::with_capacity(self.all.len());
        for mut word in std::mem::take(&mut self.all) {
            let stem = word
                .text
                .rfind('\'')
                .filter(|at| matches!(&word.text[*at..], "'s" | "'re"));
            let Some(at) = stem.filter(|at| *at > 0) else {
                out.push(word);
                continue;
            };
            let tail = word.text.split_off(at);
            let whole = &text[word.span.start..word.span.end];
            let cut = word.span.start + whole.rfind(['\'', '’']).unwrap_or(whole.len());
            let span = Span::new(cut, word.span.end);
            word.span.end = cut;
            out.push(word);
            out.push(Word {
                text: tail,
                span,
                capital: false,
                mark: false,
                joined: true,
                timed: false,
            });
        }
        self.all = out;
    }

    /// "9–17": hours of which the second cannot be one of half a day.
    fn ranges(&mut self) {
        for i in 0..self.all.len() {
            let (Some(from), Some(to)) = (self.hour(i), self.hour(i + 2)) else {
                continue;
            };
            let joint = &self.all[i + 1];
            let range = joint.mark && joint.text == "-" || schedule().has("through", &joint.text);
            let spans = [self.all[i].span, self.all[i + 2].span];
            let read = |span: Span| self.clocks.iter().any(|clock| clock.span.overlaps(span));
            if !range || read(spans[0]) || read(spans[1]) || self.is(i + 3, "day_noun") {
                continue;
            }
            for (hour, span) in [(from, spans[0]), (to, spans[1])] {
                self.clocks.push(Clock {
                    minutes: hour * 60 % (24 * 60),
                    span,
                    half: true,
                });
            }
        }
        self.clocks.sort_by_key(|clock| clock.span.start);
    }

    fn hour(&self, i: usize) -> Option<u16> {
        let word = self.all.get(i)?;
        // "10:30", "14.5": a number with a part.
        let part = |mark: usize, digit: usize| {
            let joined = |i: usize| self.all.get(i).is_some_and(|word| word.joined);
            let dotted = self.is_mark(mark, ":") || self.is_mark(mark, ".");
            let number = self.text(digit).starts_with(|c: char| c.is_ascii_digit());
            dotted && number && joined(i.max(digit))
        };
        if part(i + 1, i + 2) || i > 1 && part(i - 1, i - 2) {
            return None;
        }
        let hour: u16 = word.text.parse().ok()?;
        (hour <= 24 && word.text.len() <= 2).then_some(hour)
    }

    fn time(&mut self) {
        let spans: Vec<Span> = self.clocks.iter().map(|clock| clock.span).collect();
        for word in &mut self.all {
            word.timed = spans.iter().any(|span| span.overlaps(word.span));
        }
        // "am" behind the first of two, and what joins them.
        let joins = |word: &Word| {
            word.mark && matches!(&*word.text, "-" | ":" | ".")
                || schedule().has("through", &word.text)
                || schedule().has("list", &word.text)
                || schedule().has("half", &word.text)
        };
        for i in 1..self.all.len() {
            let before = self.all[i - 1].timed;
            let behind = self.all.get(i + 1).is_some_and(|word| word.timed);
            let half = schedule().has("half", &self.all[i].text);
            if before && !self.all[i].timed && (behind && joins(&self.all[i]) || half) {
                self.all[i].timed = true;
            }
        }
        // Phrases for the whole day.
        for phrase in schedule().listed("all_hours") {
            let parts: Vec<&str> = phrase.split(' ').collect();
            for i in 0..self.all.len().saturating_sub(parts.len() - 1) {
                let own = &mut self.all[i..i + parts.len()];
                if own
                    .iter()
                    .zip(&parts)
                    .all(|(word, part)| word.text == *part)
                {
                    own.iter_mut().for_each(|word| word.timed = true);
                }
            }
        }
    }

    /// Without the marks that close a sentence.
    fn close(&mut self) {
        while self
            .all
            .last()
            .is_some_and(|w| w.mark && matches!(&*w.text, "." | "!" | ";" | ")" | "\"" | "”" | "*"))
        {
            self.all.pop();
        }
    }

    pub(super) fn get(&self, i: usize) -> Option<&Word> {
        self.all.get(i)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn text(&self, i: usize) -> &str {
        self.all.get(i).map_or("", |word| &word.text)
    }

    pub(super) fn marks(&self, i: usize) -> Marks<'static> {
        schedule().marks(self.text(i))
    }

    pub(super) fn is(&self, i: usize, class: &str) -> bool {
        schedule().has(class, self.text(i))
    }

    pub(super) fn is_mark(&self, i: usize, mark: &str) -> bool {
        self.all
            .get(i)
            .is_some_and(|word| word.mark && word.text == mark)
    }

    pub(super) fn timed(&self, i: usize) -> bool {
        self.all.get(i).is_some_and(|word| word.timed)
    }

    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        match (
            self.all.get(from),
            to.checked_sub(1).and_then(|at| self.all.get(at)),
        ) {
            (Some(first), Some(last)) => Span::new(first.span.start, last.span.end),
            _ => Span::default(),
        }
    }
}
