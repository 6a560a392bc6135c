//! What square brackets hold: the mark of a reference or a note ("[1]", `[^1]`, "[Smith 2020]"), or text
//! ("founded in [1992]", "[54 employees]", "[1992](…)").
//!
//! The window of numbers asks at the word, with as much as it knows by then; a sentence that has closed is
//! read again from its text, by the same rules.

use std::ops::Range;

use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::brackets;
use crate::lexicon::units::{Role, number_word};

/// Most bytes between brackets, of a link's target, and of what is read before them.
const REACH: usize = 512;
/// Digits of a year; numbers of references have fewer.
pub(super) const YEAR: usize = 4;
/// Most words of a citation by name and year.
const NAMES: usize = 8;

/// What stands before a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lead {
    /// Nothing: a line, an item of a list or a cell of a table begins with it.
    Start,
    /// The colon behind what a value is given for ("Founded:").
    Field,
    /// What takes an amount ("has", "with", "about").
    Takes,
    /// What may stand before an amount, or before a reference too ("the", "and", a comma).
    Before,
    /// A preposition behind which references are spoken of as well ("in [12]").
    Place,
    /// A word without a space behind it.
    Joined,
    /// "!" of an image.
    Image,
    /// Anything else.
    #[default]
    Other,
}

impl Lead {
    /// The lead from the last word, the mark behind it, if one is (emphasis and brackets that open apart), and
    /// whether white space stands behind both.
    #[must_use]
    pub fn of(word: &str, mark: Option<char>, gap: bool) -> Self {
        let word = word.to_lowercase();
        let sources = || brackets().has("sources", &word);
        match mark {
            Some('|') => return Self::Start,
            Some('!') if !gap => return Self::Image,
            Some(':') if !sources() => return Self::Field,
            Some(',') => return Self::Before,
            Some(_) => return Self::Other,
            None if !gap => return Self::Joined,
            None => {}
        }
        let own = cue(&word);
        let takes = Cue::PREPOSITION
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA)
            .or(Cue::VERB);
        // "Note that [54] gives 1987."
        if sources() || word == "that" {
            Self::Other
        } else if brackets().has("places", &word) {
            Self::Place
        } else if own.is(Cue::DETERMINER.or(Cue::CONJUNCTION)) {
            Self::Before
        } else if own.is(takes) || verb(&word).is_some() {
            Self::Takes
        } else {
            Self::Other
        }
    }

    /// The lead at the end of a text, which begins where its sentence does.
    #[must_use]
    pub fn ends(text: &str) -> Self {
        let mut from = text.len().saturating_sub(REACH);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let mut rest = &text[from..];
        let mut gap = false;
        loop {
            let spaces = rest.trim_end();
            gap |= spaces.len() < rest.len();
            let bare = spaces.trim_end_matches(is_transparent);
            let tag = bare.strip_suffix('>').and_then(|inner| {
                let at = inner.rfind('<')?;
                (!inner[at..].contains(' ') && inner.len() - at < YEAR * 2).then_some(&bare[..at])
            });
            let bare = tag.unwrap_or(bare);
            if bare.len() == rest.len() {
                break;
            }
            rest = bare;
        }
        if is_marker(rest) {
            return Self::Start;
        }
        let last = rest.chars().next_back();
        let mark = last.filter(|c| !c.is_alphanumeric());
        let named = mark.map_or(rest, |mark| {
            let before = &rest[..rest.len() - mark.len_utf8()];
            before.trim_end_matches(|c: char| is_transparent(c) || c.is_whitespace())
        });
        let word = named.rsplit(|c: char| !c.is_alphanumeric()).next();
        Self::of(word.unwrap_or(""), mark, gap)
    }
}

/// Marks that say nothing of what stands behind them.
#[must_use]
pub const fn is_transparent(c: char) -> bool {
    matches!(c, '*' | '_' | '[' | '\\' | '~' | '"' | '“' | '`')
}

/// Whether a text is the mark of a list's item or of a heading, or ends a cell of a table.
fn is_marker(text: &str) -> bool {
    let text = text.trim();
    let marks = text.trim_end_matches(['-', '•', '#', '+', '>', '–']);
    let numbered = text.strip_suffix(['.', ')']);
    let digits = |own: &str| own.len() < YEAR && own.bytes().all(|b| b.is_ascii_digit());
    marks.is_empty() || numbered.is_some_and(digits)
}

/// What a word is to a number or a name in brackets beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Beside {
    /// No word, or one that says nothing here.
    #[default]
    None,
    /// A name, as of an author.
    Name,
    /// What joins names ("and", "et al.").
    Joint,
    /// Any other word in lower case.
    Word,
    /// A plural, which may be counted.
    Counted,
}

impl Beside {
    /// What the word is, as it is written.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let lower = word.to_lowercase();
        let own = cue(&lower);
        if matches!(&*lower, "and" | "et" | "al") {
            return Self::Joint;
        }
        let function = Cue::DETERMINER
            .or(Cue::PREPOSITION)
            .or(Cue::CONJUNCTION)
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA)
            .or(Cue::PRONOUN_PERSON)
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::PRONOUN_OTHER)
            .or(Cue::VERB);
        if own.is(function) || !word.starts_with(char::is_alphabetic) {
            return Self::None;
        }
        if word.starts_with(char::is_uppercase) {
            return Self::Name;
        }
        let reports = verb(&lower).is_some_and(|base| cue(base).is(Cue::REPORT));
        let authors = brackets().has("authors", &lower);
        if reports || authors || own.is(Cue::ADVERB) || lower.ends_with("ly") {
            return Self::None;
        }
        let plural = lower.len() > 3 && lower.ends_with('s') && !lower.ends_with("ss");
        if plural || brackets().has("plurals", &lower) {
            Self::Counted
        } else if verb(&lower).is_some() {
            Self::None
        } else {
            Self::Word
        }
    }
}

/// Whether a number by itself in brackets is the mark of a reference. `linked` says that the brackets are the
/// text of a link, `beside` what follows them.
#[must_use]
pub fn marks(lead: Lead, digits: usize, linked: bool, beside: Beside) -> bool {
    let text = match lead {
        Lead::Image => false,
        _ if linked && digits >= YEAR => true,
        Lead::Joined => false,
        // "[2020] Smith, J.: …" begins a list of references.
        Lead::Start if digits >= YEAR => matches!(beside, Beside::None | Beside::Counted),
        Lead::Other => linked && beside == Beside::Counted,
        _ if digits >= YEAR => true,
        // A cell or a line of its own is of references as well ("| [1] |").
        Lead::Start | Lead::Before => beside == Beside::Counted,
        Lead::Field => true,
        Lead::Takes => matches!(beside, Beside::Counted | Beside::Word),
        Lead::Place => linked && beside == Beside::Counted,
    };
    !text
}

/// What brackets hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The mark of a reference or a note.
    Mark,
    /// What an editor has put there ("[citation needed]", "[sic]").
    Editor,
    /// An image's description.
    Image,
    /// A text of the sentence.
    Text,
    /// A text in brackets as in parentheses ("[the museum]").
    Aside,
}

/// Brackets, with the target of the link that they are the text of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bracket {
    /// What they hold.
    pub kind: Kind,
    /// What stands before them.
    pub lead: Lead,
    /// Bytes of what stands between them.
    pub inner: Range<usize>,
    /// Where they end, with the target.
    pub end: usize,
}

/// Reads the brackets that open at byte `open` of a sentence's text; none where nothing closes them.
#[must_use]
pub fn read(text: &str, open: usize) -> Option<Bracket> {
    let close = closing(text, open, ('[', ']'))?;
    let inner = open + 1..close;
    let lead = Lead::ends(&text[..open]);
    let behind = &text[close + 1..];
    let inline = behind.starts_with('(').then(|| target(text, close + 1));
    let inline = inline.flatten();
    let label = behind
        .starts_with('[')
        .then(|| closing(text, close + 1, ('[', ']')));
    let label = label.flatten().map(|end| end + 1);
    let held = text[inner.clone()].trim();
    let core = held
        .trim_start_matches(['[', '\\', '*', '_'])
        .trim_end_matches([']', '\\', '*', '_']);
    let nested = held.starts_with('[') && held.ends_with(']');
    let linked = inline.or(label).is_some() || nested;
    let after = inline.or(label).unwrap_or(close + 1);
    let numbers = core.split(|c: char| matches!(c, ',' | '-' | '–' | ';') || c.is_whitespace());
    let mut numbers = numbers.filter(|part| !part.is_empty()).peekable();
    let numeric = numbers.peek().is_some()
        && (numbers.clone()).all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    let kind = if lead == Lead::Image {
        Kind::Image
    } else if core.starts_with('^') || numeric && numbers.clone().count() > 1 {
        Kind::Mark
    } else if numeric {
        // Short numbers with a label are two marks.
        let linked = inline.is_some() || linked && core.len() >= YEAR;
        if marks(lead, core.len(), linked, behind_of(&text[after..])) {
            Kind::Mark
        } else {
            Kind::Text
        }
    } else if brackets().has("editor", &core.to_lowercase()) {
        Kind::Editor
    } else if linked && brackets().has("sources", &core.to_lowercase())
        || !linked && (is_cited(core) || is_located(core))
    {
        Kind::Mark
    } else if linked || counts(core) || is_spelled(core) {
        Kind::Text
    } else {
        Kind::Aside
    };
    // "[1][2]" are two marks.
    let end = match kind {
        Kind::Mark | Kind::Editor => inline.unwrap_or(close + 1),
        _ => after,
    };
    Some(Bracket {
        kind,
        lead,
        inner,
        end,
    })
}

/// What the word that follows a bracket is.
fn behind_of(text: &str) -> Beside {
    let mut text = text.trim_start_matches([')', '*', '_', ']', '"', '”']);
    // "[45][1][2] employees"
    while text.starts_with('[')
        && let Some(close) = closing(text, 0, ('[', ']'))
    {
        text = &text[close + 1..];
    }
    let Some(rest) = text.strip_prefix(' ') else {
        return Beside::None;
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-');
    Beside::of(&rest[..end.unwrap_or(rest.len())])
}

/// "54 employees".
fn counts(held: &str) -> bool {
    held.split_once(' ').is_some_and(|(number, rest)| {
        number.starts_with(|c: char| c.is_ascii_digit())
            && number
                .bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.'))
            && rest.starts_with(char::is_lowercase)
    })
}

/// "54, p. 12", "Lind 1992, Section 3", "12; 54".
fn is_located(held: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let locates = |word: &str| {
        let bare = word.trim_end_matches('.');
        bare.split(['-', '–']).all(digits) || brackets().has("locators", &bare.to_lowercase())
    };
    held.match_indices([',', ';', ':']).any(|(at, _)| {
        let (head, rest) = (held[..at].trim(), &held[at + 1..]);
        let cites = !head.is_empty() && digits(head) || is_cited(head);
        let mut words = rest.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'));
        cites && words.all(locates)
    })
}

/// "five": references are numbered in digits.
fn is_spelled(held: &str) -> bool {
    matches!(number_word(held).role, Role::Ones | Role::Ten)
}

/// "Smith 2020", "Smith & Jones, 2020a", "Smith et al. 2020".
fn is_cited(held: &str) -> bool {
    let words = held.split(|c: char| c.is_whitespace() || c == ',');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(NAMES).collect();
    let Some((year, names)) = words.split_last() else {
        return false;
    };
    let year = year.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let named = |word: &&str| {
        let word = word.trim_end_matches('.');
        word == "&" || matches!(Beside::of(word), Beside::Name | Beside::Joint)
    };
    let dated = year.len() == YEAR && year.bytes().all(|b| b.is_ascii_digit());
    let leads = names
        .first()
        .is_some_and(|word| Beside::of(word) == Beside::Name);
    dated && leads && names.iter().all(named)
}

/// Where what opens at byte `open` closes, on the same line.
fn closing(text: &str, open: usize, (opens, closes): (char, char)) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text[open..].char_indices() {
        if c == '\n' || at > REACH {
            return None;
        }
        if c == opens {
            depth += 1;
        } else if c == closes {
            depth -= 1;
            if depth == 0 {
                return Some(open + at);
            }
        }
    }
    None
}

/// Where the target of a link ends that opens at byte `open`: "(https://x.example)", with a title, or between
/// angle brackets. A text in parentheses is none.
fn target(text: &str, open: usize) -> Option<usize> {
    let close = closing(text, open, ('(', ')'))?;
    let held = text[open + 1..close].trim();
    let titled = held.split_once(char::is_whitespace);
    let fits = held.starts_with('<')
        || titled.is_none_or(|(_, title)| title.trim_start().starts_with(['"', '\'', '(']));
    fits.then_some(close + 1)
}
