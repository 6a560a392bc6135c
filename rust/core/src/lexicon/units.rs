//! Units of measure, number words, months and weekdays.

use super::listed::Sieve;
use crate::types::UnitId;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A unit or currency. Two units are comparable if their `base` is the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitDef {
    /// Its name ("kilometre", "USD").
    pub name: &'static str,
    /// What it measures ("length", "currency").
    pub dimension: &'static str,
    /// The unit its factor leads to.
    pub base: &'static str,
    /// Multiply by this …
    pub factor: f64,
    /// … and add this to get to the base unit.
    pub offset: f64,
    /// Its first sign that is no letters ("€"); empty where it has none.
    pub sign: &'static str,
    /// Its first word, and the one for several ("euro", "euros").
    pub words: (&'static str, &'static str),
}

/// What a word does in a number or date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(
    missing_docs,
    reason = "the names are those of the data file's second column"
)]
pub enum Role {
    #[default]
    Other,
    Ones,
    Ten,
    Hundred,
    Magnitude,
    Suffix,
    Ordinal,
    Half,
    Quarter,
    Parts,
    Article,
    Approx,
    More,
    Than,
    At,
    Least,
    Up,
    To,
    And,
    Or,
    The,
    Of,
    Month,
    MonthDoubtful,
    MonthShort,
    Weekday,
    WeekdayShort,
    Meridiem,
    Oclock,
    Era,
    Context,
    Per,
    Percent,
    Label,
    Plural,
    Minus,
}

impl Role {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "ones" => Self::Ones,
            "ten" => Self::Ten,
            "hundred" => Self::Hundred,
            "magnitude" => Self::Magnitude,
            "suffix" => Self::Suffix,
            "ordinal" => Self::Ordinal,
            "half" => Self::Half,
            "quarter" => Self::Quarter,
            "parts" => Self::Parts,
            "article" => Self::Article,
            "approx" => Self::Approx,
            "more" => Self::More,
            "than" => Self::Than,
            "at" => Self::At,
            "least" => Self::Least,
            "up" => Self::Up,
            "to" => Self::To,
            "and" => Self::And,
            "or" => Self::Or,
            "the" => Self::The,
            "of" => Self::Of,
            "month" => Self::Month,
            "month_doubtful" => Self::MonthDoubtful,
            "month_short" => Self::MonthShort,
            "weekday" => Self::Weekday,
            "weekday_short" => Self::WeekdayShort,
            "meridiem" => Self::Meridiem,
            "oclock" => Self::Oclock,
            "era" => Self::Era,
            "context" => Self::Context,
            "per" => Self::Per,
            "percent" => Self::Percent,
            "label" => Self::Label,
            "plural" => Self::Plural,
            "minus" => Self::Minus,
            _ => return None,
        })
    }
}

/// What the lexicon knows of a word.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NumberWord {
    /// What it does.
    pub role: Role,
    /// Its value, where its role has one.
    pub value: f64,
    /// Its number as a part of unit names; 0 for none.
    pub atom: u16,
    cased: bool,
}

#[derive(Default)]
struct Tables {
    units: Vec<UnitDef>,
    names: FxHashMap<&'static str, UnitId>,
    /// All names and symbols, as written.
    written: Vec<&'static str>,
    words: FxHashMap<&'static str, NumberWord>,
    /// (node, atom) → node; the root is 0.
    edges: FxHashMap<(u16, u16), u16>,
    /// Unit a node stands for, and whether longer names go through it.
    nodes: Vec<(Option<UnitId>, bool)>,
    /// Lengths of the known words, by first byte.
    lengths: Vec<u64>,
    sieve: Sieve,
}

impl Tables {
    fn word(&mut self, text: &'static str, cased: bool) -> &mut NumberWord {
        let first = text.as_bytes()[0];
        self.lengths[first as usize] |= 1 << text.len().min(63);
        if !cased {
            self.lengths[first.to_ascii_uppercase() as usize] |= 1 << text.len().min(63);
        }
        self.sieve.add(text);
        let word = self.words.entry(text).or_default();
        word.cased = cased && (word.cased || *word == NumberWord::default());
        word
    }

    fn alias(&mut self, alias: &'static str, cased: bool, unit: UnitId) {
        let mut node = 0;
        for part in alias.split(' ') {
            let fresh = self.words.values().map(|word| word.atom).max().unwrap_or(0) + 1;
            let word = self.word(part, cased);
            if word.atom == 0 {
                word.atom = fresh;
            }
            let atom = word.atom;
            self.nodes[node as usize].1 = true;
            let next = self.nodes.len() as u16;
            node = *self.edges.entry((node, atom)).or_insert(next);
            if node == next {
                self.nodes.push((None, false));
            }
        }
        self.nodes[node as usize].0.get_or_insert(unit);
    }
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        nodes: vec![(None, false)],
        lengths: vec![0; 256],
        ..Tables::default()
    };
    for line in table!("numbers.tsv").lines() {
        let mut fields = line.split('\t');
        let (Some(words), Some(role), Some(value)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let (Some(role), Ok(value)) = (Role::parse(role), value.parse()) else {
            continue;
        };
        for text in words.split(' ') {
            let (text, cased) = text
                .strip_prefix('=')
                .map_or((text, false), |text| (text, true));
            let word = tables.word(text, cased);
            (word.role, word.value) = (role, value);
        }
    }
    for line in table!("units.tsv").lines() {
        let fields: Vec<&'static str> = line.split('\t').collect();
        let [name, dimension, base, factor, offset, symbols, words] = fields[..] else {
            continue;
        };
        let (Ok(factor), Ok(offset)) = (factor.parse(), offset.parse()) else {
            continue;
        };
        let unit = UnitId(tables.units.len() as u16);
        let sign = (symbols.split('|')).find(|s| !s.contains(|c: char| c.is_ascii_alphanumeric()));
        let mut forms = words.split('|');
        let one = forms.next().unwrap_or("");
        let many = forms
            .next()
            .filter(|many| many.strip_suffix('s') == Some(one));
        tables.units.push(UnitDef {
            name,
            dimension,
            base,
            factor,
            offset,
            sign: sign.unwrap_or(""),
            words: (one, many.unwrap_or(one)),
        });
        tables.names.insert(name, unit);
        tables.written.push(name);
        for (list, cased) in [(symbols, true), (words, false)] {
            for alias in list.split('|').filter(|alias| !alias.is_empty()) {
                tables.alias(alias, cased, unit);
                tables.written.push(alias);
            }
        }
    }
    tables
});

/// The unit of that id; `None` for an id that did not come from this table.
#[must_use]
pub fn get(id: UnitId) -> Option<&'static UnitDef> {
    TABLES.units.get(id.0 as usize)
}

/// The unit of that id; an unknown id gives a nameless one that converts to nothing.
#[must_use]
pub fn unit(id: UnitId) -> &'static UnitDef {
    static NONE: UnitDef = UnitDef {
        name: "",
        dimension: "",
        base: "",
        factor: 1.0,
        offset: 0.0,
        sign: "",
        words: ("", ""),
    };
    get(id).unwrap_or(&NONE)
}

/// The unit whose name is `name` ("kilometre", "USD").
#[must_use]
pub fn by_name(name: &str) -> Option<UnitId> {
    TABLES.names.get(name).copied()
}

/// Names, symbols and words of all units, as written.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.written.iter().copied()
}

/// Whether amounts in the two units can be compared.
#[must_use]
pub fn comparable(a: UnitId, b: UnitId) -> bool {
    a == b || (!unit(a).base.is_empty() && unit(a).base == unit(b).base)
}

/// Whether the unit is the pound that weighs, whose word is that of the currency too.
#[must_use]
pub fn is_pound(id: UnitId) -> bool {
    unit(id).name == "pound"
}

/// Whether one word names both currencies in common use ("dollar", "peso", "pound").
#[must_use]
pub fn same_name(a: UnitId, b: UnitId) -> bool {
    const FAMILIES: [&[&str]; 5] = [
        &["USD", "CAD", "AUD", "NZD", "HKD", "SGD"],
        &["SEK", "NOK", "DKK"],
        &["JPY", "CNY"],
        &["GBP", "EGP"],
        &["AED", "SAR"],
    ];
    // "8 pounds" may weigh as much or cost it.
    let pounds = |a: UnitId, b: UnitId| unit(a).name == "pound" && unit(b).name == "GBP";
    if pounds(a, b) || pounds(b, a) {
        return true;
    }
    let (a, b) = (unit(a).base, unit(b).base);
    a == b || FAMILIES.iter().any(|f| f.contains(&a) && f.contains(&b))
}

/// `value` of `from` expressed in `to`; `None` if the two are not comparable.
#[must_use]
pub fn convert(value: f64, from: UnitId, to: UnitId) -> Option<f64> {
    if from == to {
        return Some(value);
    }
    let (a, b) = (unit(from), unit(to));
    comparable(from, to).then(|| ((value * a.factor + a.offset) - b.offset) / b.factor)
}

/// What the lexicon knows of `word`, in any case where case does not matter.
#[must_use]
pub fn number_word(word: &str) -> NumberWord {
    let tables = &*TABLES;
    let bytes = word.as_bytes();
    if bytes.is_empty() || tables.lengths[bytes[0] as usize] & (1 << bytes.len().min(63)) == 0 {
        return NumberWord::default();
    }
    // A word with a capital may stand there without it.
    if !tables.sieve.may_have(word) && !bytes.iter().any(u8::is_ascii_uppercase) {
        return NumberWord::default();
    }
    if let Some(&found) = tables.words.get(word) {
        return found;
    }
    let mut lower = [0u8; 24];
    if bytes.len() > lower.len() || !bytes.iter().any(u8::is_ascii_uppercase) {
        return NumberWord::default();
    }
    let lower = &mut lower[..bytes.len()];
    lower.copy_from_slice(bytes);
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower)
        .ok()
        .and_then(|lower| tables.words.get(lower))
        .filter(|found| !found.cased)
        .copied()
        .unwrap_or_default()
}

/// The words that do one of those things, in small letters.
pub fn words_of(role: impl Fn(Role) -> bool) -> impl Iterator<Item = &'static str> {
    let words = TABLES.words.iter();
    words.filter_map(move |(word, known)| role(known.role).then_some(*word))
}

/// Whether `word`, of which more letters may follow, may become a unit, a magnitude or a part of a
/// date ("mill", "Dec", "be" is none). A single letter only counts as it stands ("5 m").
#[must_use]
pub fn may_measure(word: &str) -> bool {
    let lower = word.to_lowercase();
    let measures = |known: &NumberWord| {
        known.atom != 0
            || matches!(
                known.role,
                Role::Hundred
                    | Role::Magnitude
                    | Role::Suffix
                    | Role::Parts
                    | Role::Percent
                    | Role::Per
                    | Role::Era
                    | Role::Meridiem
                    | Role::Month
                    | Role::MonthShort
            )
    };
    let reaches = |text: &str, cased: bool| {
        let written = if cased { word } else { lower.as_str() };
        if word.chars().nth(1).is_some() {
            text.starts_with(written)
        } else {
            text == written
        }
    };
    let mut words = TABLES.words.iter();
    !word.is_empty() && words.any(|(text, known)| measures(known) && reaches(text, known.cased))
}

/// A step in the tree of unit names: the node after `node` by `atom`.
#[must_use]
pub fn unit_step(node: u16, atom: u16) -> Option<u16> {
    TABLES.edges.get(&(node, atom)).copied()
}

/// The unit a node stands for, and whether longer names go on from it.
#[must_use]
pub fn unit_node(node: u16) -> (Option<UnitId>, bool) {
    TABLES
        .nodes
        .get(node as usize)
        .copied()
        .unwrap_or((None, false))
}

/// The value of a decimal digit: European, full-width, Arabic, Persian or Devanagari.
#[must_use]
pub fn digit(c: char) -> Option<u8> {
    let zero = match c {
        '0'..='9' => '0',
        _ if c.is_ascii() => return None,
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6F0}'..='\u{6F9}' => '\u{6F0}',
        '\u{966}'..='\u{96F}' => '\u{966}',
        '\u{FF10}'..='\u{FF19}' => '\u{FF10}',
        _ => return None,
    };
    Some((c as u32 - zero as u32) as u8)
}

/// Splits digits from the letters after them ("5kg", "3rd", "−2.5bn").
#[must_use]
pub fn split_number(text: &str) -> (&str, &str) {
    let at = text
        .find(|c: char| !(digit(c).is_some() || ",.'’+-−\u{A0}\u{202F}\u{2009}".contains(c)))
        .unwrap_or(text.len());
    text.split_at(at)
}

/// The power of ten behind digits in scientific notation: 6 for the "e6" of "1e6".
#[must_use]
pub fn exponent(suffix: &str) -> Option<i32> {
    // With a capital it is more often a name ("gate 3E2").
    let digits = suffix.strip_prefix('e')?;
    let short = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| short)
}

/// Whether the letters after the digits of `text` make it a number ("5kg", "3rd").
#[must_use]
pub fn number_suffix(text: &str) -> bool {
    let (digits, suffix) = split_number(text);
    if digits.is_empty() && !text.is_empty() {
        return fraction(text).is_some();
    }
    let other_digits = suffix.is_empty() && !text.is_ascii();
    let written = fraction(suffix).is_some() || exponent(suffix).is_some() || other_digits;
    matches!(suffix, "st" | "nd" | "rd" | "th" | "s") || written || {
        let word = number_word(suffix);
        word.atom != 0 || matches!(word.role, Role::Suffix | Role::Magnitude | Role::Meridiem)
    }
}

/// The value of a one-character fraction.
#[must_use]
pub fn fraction(text: &str) -> Option<f64> {
    Some(match text {
        "¼" => 0.25,
        "½" => 0.5,
        "¾" => 0.75,
        "⅓" => 1.0 / 3.0,
        "⅔" => 2.0 / 3.0,
        "⅕" => 0.2,
        "⅖" => 0.4,
        "⅗" => 0.6,
        "⅘" => 0.8,
        "⅙" => 1.0 / 6.0,
        "⅚" => 5.0 / 6.0,
        "⅛" => 0.125,
        "⅜" => 0.375,
        "⅝" => 0.625,
        "⅞" => 0.875,
        _ => return None,
    })
}
