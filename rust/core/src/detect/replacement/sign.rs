//! The sign of an amount, which is that of the value and never that of what it replaces: in the mark or
//! word, and at the place, that the sentence has for it.

use std::borrow::Cow;

/// What an amount below nothing is told with, in words.
const WORD: &str = "minus ";

/// Whether a character is written for a minus.
pub(in crate::detect) fn minus(c: char) -> bool {
    matches!(c, '-' | '−' | '–' | '\u{2010}' | '\u{2011}')
}

/// How a text has the sign of its amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The word; with a capital or not.
    Word(bool),
    Mark(char),
    Plus,
    Unsigned,
}

/// The sign of an amount as a text has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    form: Form,
    /// It stands before the currency ("-$5"), and not behind it.
    first: bool,
    /// The amount has its number in words.
    spelled: bool,
}

impl Sign {
    /// The sign of an amount, and the amount without it.
    pub(super) fn off(text: &str) -> (Self, Cow<'_, str>) {
        let digits = text.find(|c: char| c.is_ascii_digit());
        let spelled = digits.is_none();
        let made = |form, first| Self {
            form,
            first,
            spelled,
        };
        if let Some((word, rest)) = text.split_at_checked(WORD.len())
            && word.eq_ignore_ascii_case(WORD)
        {
            let capital = word.starts_with(char::is_uppercase);
            return (made(Form::Word(capital), true), Cow::Borrowed(rest));
        }
        let form = |c: char| match c {
            '+' => Some(Form::Plus),
            c => minus(c).then_some(Form::Mark(c)),
        };
        let lead = &text[..digits.unwrap_or(0)];
        if let Some(first) = lead.chars().next()
            && let Some(own) = form(first)
        {
            let rest = text[first.len_utf8()..].trim_start();
            return (made(own, true), Cow::Borrowed(rest));
        }
        if let Some(last) = lead.chars().next_back()
            && let Some(own) = form(last)
        {
            let before = &lead[..lead.len() - last.len_utf8()];
            let rest = format!("{before}{}", &text[lead.len()..]);
            return (made(own, false), Cow::Owned(rest));
        }
        // "EUR 5", and "$5".
        let code = lead.ends_with(' ') && lead.starts_with(char::is_alphabetic);
        (made(Form::Unsigned, !code), Cow::Borrowed(text))
    }

    /// The amount, which is written without a sign, with that of the value.
    pub(super) fn on(self, bare: &str, value: f64) -> String {
        let worded = matches!(self.form, Form::Word(_)) || self.spelled;
        if worded {
            let capital = match self.form {
                Form::Word(capital) => capital,
                _ => bare.starts_with(char::is_uppercase),
            };
            let mut text = bare.to_owned();
            if value < 0.0 {
                let lower = text.chars().next().map(char::to_lowercase);
                let rest = text.chars().skip(1);
                text = lower.into_iter().flatten().chain(rest).collect();
                text.insert_str(0, WORD);
            }
            return if capital { capitalised(&text) } else { text };
        }
        let mark = match self.form {
            Form::Mark(mark) if value < 0.0 => mark,
            Form::Plus if value > 0.0 => '+',
            _ if value < 0.0 => '-',
            _ => return bare.to_owned(),
        };
        let digit = || bare.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
        let at = if self.first { 0 } else { digit() };
        format!("{}{mark}{}", &bare[..at], &bare[at..])
    }
}

/// The text with a capital.
pub(in crate::detect) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// An amount with the minus of its source, where the one that it replaces had none: "−5 °C".
pub(super) fn as_told(text: String, said: &str, source: &str) -> String {
    let own = source.chars().next().filter(|c| minus(*c));
    let lead = said.split(|c: char| c.is_ascii_digit()).next();
    let had = lead.is_some_and(|lead| lead.contains(minus));
    match own {
        Some(mark) if !had && text.starts_with('-') => format!("{mark}{}", &text[1..]),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_that_of_the_value_at_the_place_of_the_sentences_own() {
        for (said, bare, value, right) in [
            ("−5 °C", "7 °C", 7.0, "7 °C"),
            ("−5 °C", "7 °C", -7.0, "−7 °C"),
            ("5 °C", "7 °C", -7.0, "-7 °C"),
            ("-$5", "$8", 8.0, "$8"),
            ("-$5", "$8", -8.0, "-$8"),
            ("$5", "$8", -8.0, "-$8"),
            ("$-5", "$8", -8.0, "$-8"),
            ("EUR 5", "EUR 8", -8.0, "EUR -8"),
            ("+5%", "7%", 7.0, "+7%"),
            ("+5%", "7%", -7.0, "-7%"),
            ("+5%", "0%", 0.0, "0%"),
            ("minus 5 °C", "7 °C", 7.0, "7 °C"),
            ("Minus five degrees", "seven degrees", 7.0, "Seven degrees"),
            ("Five degrees", "Seven degrees", -7.0, "Minus seven degrees"),
        ] {
            let (sign, _) = Sign::off(said);
            assert_eq!(sign.on(bare, value), right, "{said} {value}");
        }
        assert_eq!(Sign::off("US$-5M").1, "US$5M");
        assert_eq!(as_told("-5 °C".into(), "7 °C", "−5 °C"), "−5 °C");
        assert_eq!(as_told("-5 °C".into(), "-7 °C", "−5 °C"), "-5 °C");
    }
}
