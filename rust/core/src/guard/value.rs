//! What the model writes behind a value that was put in: it went on from another one, and may make
//! it longer. "Nina Hart" must not become "Nina Hartley", nor "450" "450,000".

use super::act::Case;
use super::{Directive, Fixed, Guard, wording};
use crate::lexicon::tables::frames;
use crate::lexicon::units::{Role, number_word};
use crate::types::{Action, Finding, Sentence, SentenceKind, Span};

/// A value that was put in a claim.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// Its end in the session's text.
    end: usize,
    text: String,
    /// What stood next behind the wrong value; empty once it was put behind this one too.
    rest: String,
    /// What stood behind the wrong value, up to the end of its sentence.
    tail: String,
    sentence: Sentence,
    focus: Finding,
}

impl Value {
    pub(super) const fn ends_by(&self, byte: usize) -> bool {
        self.end <= byte
    }
}

/// How a text goes on behind a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Onward {
    /// More text tells.
    Open,
    /// The value stands as it is.
    Ends,
    /// Another value, of which it is the beginning.
    Grows,
}

impl Guard {
    /// `right` was put at byte `start`, and the model is to write on behind it; `tail` is what
    /// stood behind the wrong value, up to the end of its sentence.
    pub(super) fn follow_value(
        &mut self,
        start: usize,
        right: String,
        tail: String,
        case: &Case,
        focus: &Finding,
    ) {
        if self.fixed != Fixed::No || self.inline.is_some() || right.is_empty() {
            return;
        }
        self.value = Some(Box::new(Value {
            end: start + right.len(),
            text: right,
            rest: next_of(&tail),
            tail,
            sentence: case.sentence,
            focus: focus.clone(),
        }));
    }

    /// Whether what follows the value begins its sentence again, as where the upstream cannot go on
    /// from it; none as long as more text tells.
    fn begins_anew(&self, value: &Value, after: &str) -> Option<bool> {
        let start = value.sentence.span.start.min(value.end);
        let mut own = self.session.slice(Span::new(start, value.end)).chars();
        let mut said = after.chars();
        for _ in 0..ANEW {
            match (own.next(), said.next()) {
                (Some(a), Some(b)) if a == b => {}
                (Some(_), None) => return None,
                _ => return Some(false),
            }
        }
        Some(true)
    }

    /// If the model made the last corrected value longer, that is taken back: the word that stood
    /// behind the wrong value is put there, and at the second time the sentence ends. Behind an end
    /// that was put in a space is put where the model writes none. True if text was rewritten.
    pub(super) fn settle_value(&mut self, out: &mut Vec<Directive>) -> bool {
        let Some(mut value) = self.value.take() else {
            return false;
        };
        let ended = self.session.is_finished();
        let end = self.session.text_end();
        let start = value.end - value.text.len();
        let put = self.session.slice(Span::new(start.min(end), end));
        if !value.text.starts_with(put) && !put.starts_with(&value.text) {
            // An application put in words of its own, which are its own matter.
            return false;
        }
        if end <= value.end && !ended {
            self.value = Some(value);
            return false;
        }
        if end <= value.end || self.released_to > value.end || self.session.text_start() > value.end
        {
            return false;
        }
        let after = self.session.slice(Span::new(value.end, end));
        match onward(&value.text, after, ended) {
            Onward::Ends => return false,
            Onward::Open => {
                self.value = Some(value);
                return false;
            }
            // What stood behind the wrong value is written again behind the right one.
            Onward::Grows if spaced_alike(&value.tail, after) => return false,
            Onward::Grows => {}
        }
        match self.begins_anew(&value, after) {
            Some(true) => return false,
            None if !ended => {
                self.value = Some(value);
                return false;
            }
            _ => {}
        }
        let rest = std::mem::take(&mut value.rest);
        let spaced = wording::ends_sentence(&value.text);
        let text = if spaced {
            " ".to_owned()
        } else if rest.is_empty() || onward(&value.text, &rest, true) == Onward::Grows {
            let kind = value.sentence.kind;
            if kind != SentenceKind::Prose && kind != SentenceKind::ListItem {
                return false;
            }
            let start = value.sentence.span.start.min(value.end);
            let before = self.session.slice(Span::new(start, value.end));
            format!("{}.", closing(before))
        } else {
            rest
        };
        let case = Case {
            sentence: Sentence {
                span: Span::new(value.sentence.span.start, end),
                ..value.sentence
            },
            tier: value.focus.tier,
            found: vec![value.focus.clone()],
        };
        let (at, rewrites) = (value.end, self.rewrites);
        let action = (!spaced).then_some(Action::Correct);
        let over = self.put(&case, action, at, &text, out);
        // It belongs to the correction, and comes twice at most.
        self.rewrites = rewrites;
        if over && !spaced {
            if text.ends_with('.') {
                value.end += text.len();
                value.text = text;
            }
            self.value = Some(value);
        }
        over
    }
}

/// Whether a text begins as what stood there before did, in whole words.
fn spaced_alike(before: &str, after: &str) -> bool {
    let shared = before
        .bytes()
        .zip(after.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let whole = shared == after.len() || shared == before.len();
    after.starts_with(' ') && whole && shared > 1
}

/// The first word or mark of a text, with the spaces before it.
pub(super) fn next_of(text: &str) -> String {
    let spaces = text.len() - text.trim_start_matches(' ').len();
    let word = text[spaces..]
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(text.len() - spaces);
    let end = if word > 0 {
        word
    } else {
        text[spaces..].chars().next().map_or(0, char::len_utf8)
    };
    text[..spaces + end].to_owned()
}

/// Characters by which a sentence that is written anew is known.
const ANEW: usize = 12;

/// How `after` goes on behind `value`; where the answer has `ended`, there is no more to come.
fn onward(value: &str, after: &str, ended: bool) -> Onward {
    let open = if ended { Onward::Ends } else { Onward::Open };
    let grows = |is: bool| if is { Onward::Grows } else { Onward::Ends };
    let number = value.ends_with(|c: char| c.is_ascii_digit());
    let word = value.ends_with(char::is_alphanumeric);
    let mut chars = after.chars();
    let Some(first) = chars.next() else {
        return open;
    };
    if wording::ends_sentence(value) {
        // The next sentence begins without a space.
        return grows(first.is_alphanumeric());
    }
    let second = chars.next();
    let alone = || !chars.clone().next().is_some_and(char::is_alphanumeric);
    match (first, second) {
        (c, _) if c.is_alphanumeric() || c == '_' => grows(word),
        ('%' | '°' | '‰', _) => grows(number),
        ('\'' | '’' | '-' | '‐' | '‑' | '–' | '/' | ',' | '.' | ':', None) => open,
        ('\'' | '’', Some('s' | 'S')) if alone() => Onward::Ends,
        ('\'' | '’', Some(c)) => grows(c.is_alphanumeric()),
        ('-' | '‐' | '‑', Some(c)) if c.is_lowercase() && is_name(value) => {
            hyphened(&after[first.len_utf8()..]).map_or(open, grows)
        }
        ('-' | '‐' | '‑' | '–' | '/', Some(c)) => grows(c.is_numeric() || c.is_uppercase()),
        (',' | ':', Some(c)) if c.is_numeric() => grows(word),
        ('.', Some(c)) if c.is_numeric() || c.is_lowercase() => grows(word),
        (',', Some(' ')) => {
            // The next part of an address.
            let part = value.contains(char::is_numeric) && value.contains(char::is_alphabetic);
            match next_word(after, 2, ended) {
                Some((next, _)) => grows(part && next.starts_with(char::is_numeric)),
                None if part => open,
                None => Onward::Ends,
            }
        }
        (' ', _) => match next_word(after, 1, ended) {
            None => open,
            Some((next, _)) if number => {
                grows(next.starts_with(char::is_numeric) || is_magnitude(next))
            }
            // "$12 million" and "million" once more.
            Some((next, _)) if value.rsplit(' ').next().is_some_and(is_magnitude) => {
                grows(is_magnitude(next))
            }
            Some((next, to)) if is_name(value) => {
                if !frames().has("joins", next) {
                    return grows(capital(next) && next.chars().count() > 1);
                }
                let article = |word: &str| number_word(word).role == Role::Article;
                match next_word(after, to, ended) {
                    None => open,
                    Some((word, to)) if word == "the" || article(word) => {
                        match next_word(after, to, ended) {
                            None => open,
                            Some((word, _)) => grows(capital(word)),
                        }
                    }
                    Some((word, _)) => grows(capital(word)),
                }
            }
            Some(_) => Onward::Ends,
        },
        _ => Onward::Ends,
    }
}

/// Whether what follows a hyphen makes another name of the one before it ("-upon-Tyne"); none as long as
/// more text tells.
fn hyphened(after: &str) -> Option<bool> {
    let hyphen = |c: char| matches!(c, '-' | '‐' | '‑');
    let mut rest = after;
    loop {
        let Some(end) = rest.find(|c: char| !c.is_alphabetic()) else {
            // "-based" is told from "-bas-" by what comes next.
            let mut links = frames().listed("hyphened").iter();
            let may = links.any(|word| word.starts_with(rest));
            return if may { None } else { Some(false) };
        };
        let word = &rest[..end];
        if !frames().has("hyphened", word) || !rest[end..].starts_with(hyphen) {
            return Some(false);
        }
        rest = rest[end..].trim_start_matches(hyphen);
        match rest.chars().next() {
            None => return None,
            Some(c) if c.is_uppercase() => return Some(true),
            Some(_) => {}
        }
    }
}

fn is_magnitude(word: &str) -> bool {
    number_word(word).role == Role::Magnitude
}

/// Whether a value is written as a name.
fn is_name(value: &str) -> bool {
    let last = value.rsplit(' ').next().unwrap_or(value);
    capital(value) && capital(last)
}

fn capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// The word of `text` from byte `from` on, spaces passed over, and where it ends; none as long as
/// more of it may come. It is empty before a mark.
fn next_word(text: &str, from: usize, ended: bool) -> Option<(&str, usize)> {
    let bare = text.get(from..)?.trim_start_matches(' ');
    let start = text.len() - bare.len();
    let size = match bare.find(|c: char| !c.is_alphanumeric()) {
        Some(0) if bare.starts_with('&') => 1,
        Some(size) => size,
        None if ended => bare.len(),
        None => return None,
    };
    Some((&bare[..size], start + size))
}

/// The marks that close what is open in a sentence.
fn closing(sentence: &str) -> String {
    let mut open: Vec<char> = Vec::new();
    for c in sentence.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '“' => open.push('”'),
            '«' => open.push('»'),
            '"' if open.contains(&'"') => open.retain(|own| *own != '"'),
            '"' => open.push('"'),
            ')' | ']' | '”' | '»' => {
                if let Some(at) = open.iter().rposition(|own| *own == c) {
                    open.truncate(at);
                }
            }
            _ => {}
        }
    }
    let mut out = if sentence.matches("**").count() % 2 == 1 {
        "**".to_owned()
    } else {
        String::new()
    };
    out.extend(open.iter().rev());
    out
}

#[cfg(test)]
mod tests {
    use super::{Onward, closing, onward};

    #[test]
    fn what_makes_a_value_longer_is_told_from_what_follows_it() {
        for (value, after) in [
            ("Nina Hart", "ley, an"),
            ("Nina Hart", " Blackmore."),
            ("Nina Hart", "-Smith"),
            ("Newark", "-on-Trent."),
            ("Ashby", "-de-la-Zouch"),
            ("Villeneuve", "-sur-Lot"),
            ("Nina Hart", " and Bob "),
            ("Nina Hart", " of the North "),
            ("Nina Hart", "’Acqua"),
            ("Collections", " and Management "),
            ("Visitor Services", " for the Blind."),
            ("Research & Design", " & Sales "),
            ("1987", "5 by"),
            ("1987", "s by"),
            ("1987", " 1992."),
            ("450", ",000 visitors"),
            ("450", ".5 million"),
            ("450", " thousand visitors"),
            ("450", "-500"),
            ("12", "% of"),
            ("$12 million", " million."),
            ("$12 million", " billion,"),
            ("$12 million", ",000."),
            ("Chart Room 11, 12th floor", ", 1000 New"),
            ("example", ".com"),
            ("I could not verify “the mill”.", "The mill"),
            (").", "It"),
        ] {
            assert_eq!(onward(value, after, false), Onward::Grows, "{value}{after}");
        }
        for (value, after) in [
            ("Nina Hart", ", a painter"),
            ("Nina Hart", "'s son"),
            ("Nina Hart", "’s"),
            ("Nina Hart", " since 2012 "),
            ("Nina Hart", " and has "),
            ("Nina Hart", " I think "),
            ("Nina Hart", ".\n"),
            ("Nina Hart", ". It"),
            ("Nina Hart", "\nNext"),
            ("Lyon", "-based "),
            ("Lyon", "-on-demand "),
            ("Lyon", "-born"),
            ("Lyon", "-to-Nice "),
            ("450", "-seat "),
            ("450", " visitors "),
            ("1987", ", 12 years"),
            ("1987", ". In"),
            ("1987", ", and"),
            ("12 Harbour Street", ", Galway "),
            ("12 March", " 1987 "),
            ("$12 million", " in 2023 "),
            ("€39 per month", " and the "),
            ("red", " and Blue "),
            ("I could not verify that.", " It is"),
            ("I could not verify that.", "\n"),
        ] {
            assert_eq!(onward(value, after, true), Onward::Ends, "{value}{after}");
            assert_eq!(onward(value, after, false), Onward::Ends, "{value}{after}");
        }
        for (value, after) in [
            ("Nina Hart", ""),
            ("Nina Hart", " "),
            ("Nina Hart", " Bl"),
            ("Newark", "-o"),
            ("Newark", "-on"),
            ("Newark", "-on-"),
            ("Nina Hart", " and"),
            ("Nina Hart", " and "),
            ("450", ","),
            ("450", " tho"),
        ] {
            assert_eq!(onward(value, after, false), Onward::Open, "{value}{after}");
        }
    }

    #[test]
    fn a_sentence_that_ends_early_closes_what_it_opened() {
        assert_eq!(closing("It (led by **Nina Hart"), "**)");
        assert_eq!(closing("He said \"it (the hall) is “new” and"), "\"");
        assert_eq!(closing("Plain"), "");
    }
}
