//! Which way something moved and between which values, at odds with a source: "rose from 8 to 12" of
//! what "fell from 12 to 8", "down 3 %" of what was up as much.

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::words_at::Parts;
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::movement::{movement, movements};
use crate::lexicon::tables::{otherwise, time};
use crate::lexicon::units::{Role, number_word};
use crate::lexicon::words::{WordClass, class};
use crate::segment;
use crate::types::{Quantity, QuantityKind, Span};

use super::plain::{Word, leaves_open, within, words};
use super::sources::sources;

/// A sentence that tells of movements.
struct Told {
    moves: Vec<Move>,
    /// Stems of all its other words.
    words: Vec<String>,
    /// Those of them that are of a time.
    times: Vec<String>,
}

/// How something moved.
#[derive(Default)]
struct Move {
    up: bool,
    from: Option<Quantity>,
    to: Option<Quantity>,
    by: Option<Quantity>,
    /// Stems of what stands before it.
    subject: Vec<String>,
}

/// The passage and its sentence that has the same movement the other way, or between the same values
/// in the other order. Nothing where a source tells it as it is said.
pub(super) fn turned<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    if !may_move(view) {
        debug_assert!(Told::read(view.text).is_none(), "{}", view.text);
        return None;
    }
    let told = Told::read(view.text)?;
    let [said] = &told.moves[..] else {
        return None;
    };
    let mut found = None;
    for (source, other) in sources(evidence, Told::read) {
        for own in &other.moves {
            match said.against(own) {
                Some(Against { clash: false, .. }) => return None,
                Some(Against { firm, dated, .. }) => {
                    let timed = || told.times.iter().any(|time| other.times.contains(time));
                    let same = within(&told.words, &other.words)
                        && within(&told.times, &other.times)
                        && !told.words.is_empty();
                    let subject = firm || within(&own.subject, &told.words);
                    if same && subject && (!dated || timed()) {
                        found.get_or_insert(source.place());
                    }
                }
                None => {}
            }
        }
    }
    found
}

/// Whether a sentence may tell of a movement: most do not.
fn may_move(view: &SentenceView<'_>) -> bool {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let parts = PARTS.get_or_init(|| Parts::of(movements().chain(["up", "down"])));
    view.text.bytes().any(|b| b.is_ascii_digit()) && parts.may_stand_among(view.text, view.runs())
}

/// How two movements stand to each other.
struct Against {
    clash: bool,
    /// Both values are the same, which tells that it is the same movement.
    firm: bool,
    /// It clashes where both tell of one time.
    dated: bool,
}

impl Move {
    fn against(&self, own: &Self) -> Option<Against> {
        let clash = |clash, firm, dated| Some(Against { clash, firm, dated });
        let turned = self.up != own.up;
        match (&self.from, &self.to, &own.from, &own.to) {
            (Some(a), Some(b), Some(c), Some(d)) => {
                if equal(a, c) && equal(b, d) {
                    clash(turned, true, false)
                } else if equal(a, d) && equal(b, c) {
                    clash(true, true, false)
                } else {
                    None
                }
            }
            (None, Some(b), from, Some(d)) => {
                let start = from.as_ref().is_some_and(|from| equal(b, from));
                if equal(b, d) {
                    clash(turned, false, true)
                } else if start {
                    clash(true, false, true)
                } else {
                    None
                }
            }
            _ => {
                let (a, b) = self.by.as_ref().zip(own.by.as_ref())?;
                equal(a, b).then_some(Against {
                    clash: turned,
                    firm: false,
                    dated: false,
                })
            }
        }
    }
}

fn equal(a: &Quantity, b: &Quantity) -> bool {
    let kind =
        a.kind == b.kind || a.kind == QuantityKind::Cardinal || b.kind == QuantityKind::Cardinal;
    let unit = a.unit.zip(b.unit).is_none_or(|(a, b)| a == b);
    kind && unit && (a.value - b.value).abs() <= 1e-9 * a.value.abs()
}

impl Told {
    fn read(text: &str) -> Option<Self> {
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let all = words(text);
        let ways: Vec<Option<bool>> = (0..all.len()).map(|i| way(&all, i)).collect();
        let first = ways.iter().position(Option::is_some)?;
        if leaves_open(text, &all) || all.iter().any(Word::denies) {
            return None;
        }
        let light = |word: &Word| otherwise().has("moved_light", &word.folded);
        let numbers = segment::quantities(text);
        let amount = |word: &Word| {
            let of = |q: &&Quantity| q.span.start < word.end && word.start < q.span.end;
            numbers.iter().find(of)
        };
        let year = |q: &Quantity| q.kind == QuantityKind::Year;
        let (mut moves, mut own) = (Vec::<Move>::new(), Vec::new());
        let mut times = Vec::new();
        let mut subject = Vec::new();
        for (i, word) in all.iter().enumerate() {
            let told = amount(word);
            if let Some(up) = ways[i] {
                moves.push(Move {
                    up,
                    subject: std::mem::take(&mut subject),
                    ..Move::default()
                });
            } else if let Some(told) = told.filter(|told| !year(told)) {
                let plain = !matches!(told.kind, QuantityKind::Ordinal | QuantityKind::Label);
                let begins = told.span.start >= word.start.saturating_sub(4)
                    && word.start <= told.span.start + 4;
                let at = if i < first { None } else { moves.last_mut() };
                if let Some(at) = at.filter(|_| plain && begins) {
                    let place = match all[..i].last().map(|word| &*word.folded) {
                        Some("from") => &mut at.from,
                        Some("to") => &mut at.to,
                        Some("by") => &mut at.by,
                        _ if ways[i - 1].is_some() => &mut at.by,
                        _ => continue,
                    };
                    place.get_or_insert(*told);
                }
            } else if dated(word) {
                times.push(word.stem());
            } else if word.content && !light(word) {
                own.push(word.stem());
                subject.push(word.stem());
            }
        }
        moves.retain(|own| own.by.is_some() || own.to.is_some());
        (!moves.is_empty()).then_some(Self {
            moves,
            words: own,
            times,
        })
    }
}

/// Classes of the words of a time.
const TIMES: [&str; 7] = [
    "unit_day",
    "unit_week",
    "unit_month",
    "unit_quarter",
    "unit_year",
    "unit_decade",
    "season",
];

/// A word of a time.
fn dated(word: &Word) -> bool {
    let own = &*word.folded;
    own.starts_with(|c: char| c.is_ascii_digit())
        || class(own).has(WordClass::WEEKDAY)
        || month(word)
        || TIMES.iter().any(|of| time().has(of, own) && own != "fall")
}

fn month(word: &Word) -> bool {
    matches!(
        number_word(&word.folded).role,
        Role::Month | Role::MonthDoubtful | Role::MonthShort
    )
}

/// Which way the word says that something moved.
fn way(all: &[Word], i: usize) -> Option<bool> {
    let word = &*all[i].folded;
    if matches!(word, "up" | "down") {
        let next = all.get(i + 1).map_or("", |word| &word.folded);
        let before = i.checked_sub(1).map_or("", |i| &all[i].folded);
        let number = next.starts_with(|c: char| c.is_ascii_digit());
        let moved = otherwise().has("moved_light", before) || i > 0 && all[i - 1].helps();
        let leads = number || matches!(next, "to" | "from" | "by") && moved;
        return leads.then_some(word == "up");
    }
    movement(word)
        .filter(|(_, form)| *form < 5)
        .map(|(up, _)| up)
}
