//! Another season than a source's: "is open in winter" of what is open in summer.

use crate::claims::SentenceView;
use crate::detect::how_often::Otherwise;
use crate::evidence::EvidenceSet;
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{Role, number_word};
use crate::types::Span;

use super::plain::{Word, leaves_open, words};

/// A sentence that says in which season something is.
struct Seasonal {
    /// Where the season stands, and which one it is.
    span: Span,
    season: &'static str,
    /// Stems of its other words.
    rest: Vec<String>,
}

/// The season that a source has of just the same, where none of its sentences speaks of the one that
/// is said.
pub(super) fn in_season<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<Otherwise<'a>> {
    let said = Seasonal::read(view.text)?;
    let mut found = None;
    for passage in evidence.passages() {
        let data = passage.data();
        let speaks = |word: Word| season(&word.folded) == Some(said.season);
        if words(passage.text()).into_iter().any(speaks) {
            return None;
        }
        for (at, span) in (0_u32..).zip(data.sentences()) {
            let text = passage.text().get(span.start..span.end).unwrap_or("");
            let own = data.reading(at, || Seasonal::read(text));
            let Some(own) = &*own else { continue };
            let within = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
            if !within(&said.rest, &own.rest) || !within(&own.rest, &said.rest) {
                continue;
            }
            if found.is_some() {
                return None;
            }
            let base = view.sentence.span.start;
            found = Some(Otherwise {
                span: Span::new(base + said.span.start, base + said.span.end),
                text: text.get(own.span.start..own.span.end)?.to_owned(),
                fits: true,
                passage,
                sentence: *span,
            });
        }
    }
    found
}

fn season(word: &str) -> Option<&'static str> {
    let bare = word.strip_suffix('s').unwrap_or(word);
    let all = ["spring", "summer", "autumn", "winter"];
    let bare = if bare == "fall" { "autumn" } else { bare };
    all.into_iter().find(|season| *season == bare)
}

impl Seasonal {
    fn read(text: &str) -> Option<Self> {
        let lower = |word: &&str| text.contains(*word);
        if !["spring", "ummer", "utumn", "fall", "inter"]
            .iter()
            .any(lower)
        {
            return None;
        }
        let all = words(text);
        if leaves_open(text, &all) || all.iter().any(Word::denies) {
            return None;
        }
        let led = |i: usize| {
            let before = all[..i].iter().rev().find(|word| word.folded != "the");
            before.is_some_and(|word| {
                matches!(
                    &*word.folded,
                    "in" | "during" | "each" | "every" | "throughout"
                )
            })
        };
        let mut places = (0..all.len()).filter(|i| season(&all[*i].folded).is_some());
        let (at, None) = (places.next()?, places.next()) else {
            return None;
        };
        let time_words = |word: &Word| word.folded != all[at].folded && dated(word);
        let one = led(at) && !all.iter().any(time_words);
        let rest = (all.iter().enumerate()).filter(|(i, word)| {
            *i != at && word.content && !otherwise().has("season_light", &word.folded)
        });
        let rest: Vec<String> = rest.map(|(_, word)| word.stem()).collect();
        (one && rest.len() > 1).then(|| Self {
            span: Span::new(all[at].start, all[at].end),
            season: season(&all[at].folded).unwrap_or(""),
            rest,
        })
    }
}

/// A word of another time, or a number.
fn dated(word: &Word) -> bool {
    let digits = word.folded.starts_with(|c: char| c.is_ascii_digit());
    digits
        || matches!(
            number_word(&word.folded).role,
            Role::Month | Role::MonthShort
        )
}
