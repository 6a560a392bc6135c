//! Whether a number is how far something moved ("rose by 3 %", "up 3 %") rather than where it stands
//! ("rose to 3 %").

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::movement::movement;
use crate::lexicon::tables::stance;
use crate::lexicon::units::{Role, convert, number_word};
use crate::normal::fold;
use crate::types::{LexFlags, LexKind, Lexeme, Quantity, QuantityKind, Span};

use super::numbers::quantity_context;
use super::view::SentenceView;

/// What the words around a number say of a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Difference {
    /// "by" leads to it.
    by: bool,
    /// A word beside it says that it is one.
    moved: bool,
}

/// Words before a number among which the verb is looked for that it is the measure of.
const REACH: usize = 6;
/// Form of nouns in [`movement`].
const NOUN: u8 = 5;

impl Difference {
    /// Whether a number of that kind is one. "By 300 people" is one only behind a verb of change;
    /// behind others they are those who do it.
    #[must_use]
    pub fn of(self, kind: QuantityKind) -> bool {
        let measured = matches!(
            kind,
            QuantityKind::Money | QuantityKind::Percent | QuantityKind::Measure
        );
        self.moved || self.by && measured
    }

    /// What the lexemes before and after a number say.
    pub(super) fn beside<'a>(
        before: &[Lexeme],
        after: &[Lexeme],
        text: &impl Fn(Span) -> &'a str,
    ) -> Self {
        let (by, moved) = led_to(before, text);
        Self {
            by,
            moved: moved || followed(after, text),
        }
    }
}

/// What "to" makes of two numbers of which the first is told behind a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reached {
    /// "3 to 5 %": from one to the other, or no such two numbers.
    #[default]
    Range,
    /// "rose by 12 to 214": how far it moved, and where it stands now.
    Level,
    /// "rose by 30 to 60": either.
    Unclear,
}

/// Of two amounts with a unit each, from how many times the first on the second is where something
/// stands; set by hand, as the next one is.
const APART: f64 = 3.0;
/// The same of two counts ("by 12 to 214 employees").
const APART_COUNTS: f64 = 8.0;

/// How two numbers that stand next to each other with "to" between go together; `differs` says that
/// the first is how far something moved, `own_unit` that its unit or sign is written with it.
#[must_use]
pub fn reached(one: &Quantity, two: &Quantity, differs: bool, own_unit: bool) -> Reached {
    if !differs {
        return Reached::Range;
    }
    let two_value = match (one.unit, two.unit) {
        (Some(a), Some(b)) => convert(two.value, b, a),
        (None, None) => Some(two.value),
        _ => None,
    };
    let Some(value) = two_value.filter(|_| one.kind == two.kind) else {
        return Reached::Level;
    };
    let measured = one.unit.is_some() || one.kind == QuantityKind::Percent;
    let bar = match (own_unit, measured) {
        (true, _) => APART,
        // "by 5 to 20 metres"
        (false, true) => return Reached::Range,
        (false, false) => APART_COUNTS,
    };
    if value >= one.value * bar || value <= one.value {
        Reached::Level
    } else {
        Reached::Unclear
    }
}

/// Whether an amount is written with a unit or sign of its own.
#[must_use]
pub fn has_own_unit(text: &str) -> bool {
    let figure = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,-−+".contains(c);
    let rest = text.trim_matches(figure);
    !rest.is_empty()
        && !matches!(
            number_word(rest).role,
            Role::Magnitude | Role::Ones | Role::Ten
        )
}

/// Whether a number at that place of the sentence is how far something moved, where `attribute` does
/// not ask for just that ("growth").
#[must_use]
pub fn tells_difference(view: &SentenceView<'_>, place: Span, attribute: &str) -> bool {
    let asked = |word: &str| {
        movement(word).is_some()
            || stance().has("changed", word)
            || matches!(word, "change" | "difference" | "margin" | "gap" | "lead")
    };
    let moves = |span, kind| {
        let around = quantity_context(view.lexemes, span, |span| view.at(span));
        around.difference.of(kind)
    };
    let mut own = view.quantities.iter().filter(|q| q.span.overlaps(place));
    own.any(|q| moves(q.span, q.kind)) && !attribute.split('_').any(asked)
}

fn folded<'a, 'b>(
    lexeme: &Lexeme,
    text: &impl Fn(Span) -> &'a str,
    buffer: &'b mut String,
) -> &'b str {
    buffer.clear();
    fold(text(lexeme.span), buffer);
    buffer
}

/// Whether "by" leads to the number, and whether a word of movement does, with or without it.
fn led_to<'a>(before: &[Lexeme], text: &impl Fn(Span) -> &'a str) -> (bool, bool) {
    let mut buffer = String::new();
    let (mut by, mut first, mut small) = (false, true, false);
    for lexeme in before.iter().rev().take(REACH) {
        let word = folded(lexeme, text, &mut buffer);
        if lexeme.kind != LexKind::Word {
            let bold = matches!(word, "`" | "*" | "_" | "**" | "+" | "$" | "€" | "£");
            if bold {
                continue;
            }
            break;
        }
        // "The Falcon Rise has 500 seats": a name's, unless all is written so.
        let named = small
            && lexeme.flags.has(LexFlags::CAPITALIZED)
            && !lexeme.flags.has(LexFlags::SENTENCE_START);
        if let Some((_, form)) = movement(word).filter(|_| !named) {
            // "Growth was 3 %" is none of another amount's; "lower 3 floors" is no movement.
            return (by, form <= NOUN);
        }
        if stance().has("changed", word) {
            return (by, by);
        }
        match word {
            "by" => by = true,
            "up" | "down" if first || by => return (by, true),
            // "Up to", "to about": where it stands.
            "to" | "at" | "from" | "until" | "till" | "toward" | "towards" | "than" | "with"
            | "for" | "in" | "on" => break,
            "average" | "total" | "further" | "mere" | "whopping" | "estimated" => {}
            _ if cue(word).is(Cue::FUNCTION.or(Cue::ADVERB)) => {}
            _ => break,
        }
        first = false;
        small |= !lexeme.flags.has(LexFlags::CAPITALIZED);
    }
    (by, false)
}

/// "12 km higher", "5 % more", "a 20 mg increase", "6 kg lighter than".
fn followed<'a>(after: &[Lexeme], text: &impl Fn(Span) -> &'a str) -> bool {
    let mut buffer = String::new();
    let words: Vec<String> = after
        .iter()
        .take(3)
        .take_while(|lexeme| lexeme.kind == LexKind::Word)
        .map(|lexeme| folded(lexeme, text, &mut buffer).to_owned())
        .collect();
    let Some(next) = words.first() else {
        return false;
    };
    let than = |i: usize| words.get(i).is_some_and(|word| word == "than");
    let compares = |i: usize| {
        words
            .get(i)
            .is_some_and(|word| word.ends_with("er") && word != "rather")
            && than(i + 1)
    };
    movement(next).is_some_and(|(_, form)| form == 0 || form >= NOUN)
        || stance().has("by_how_much", next)
        || compares(0)
        || compares(1)
        || words
            .get(1)
            .is_some_and(|word| stance().has("by_how_much", word))
            && than(2)
}
