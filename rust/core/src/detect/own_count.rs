//! Numbers by which an answer counts or numbers what it says itself: "Here are 5 reasons", "## 12. Visit it".

use crate::claims::word_hash;
use crate::lexicon::tables::frames;
use crate::normal::{fold_name, stem};
use crate::types::{Quantity, QuantityKind};

use super::grounds::Grounds;

/// Largest number of such things.
const MOST: f64 = 25.0;
/// Words between the number and what it counts, at most.
const BETWEEN: usize = 2;

/// Whether a number counts the answer's own points, as far as what follows it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// It does.
    Yes,
    /// The words behind it may tell yet.
    Open,
    /// It says something.
    No,
}

/// Reads what stands around a number. A thing of which the evidence speaks is none of the answer's own.
pub(super) fn own_count(
    quantity: &Quantity,
    (before, after): (&str, &str),
    grounds: &Grounds<'_>,
) -> Own {
    let whole = quantity.value.fract() == 0.0 && (1.0..=MOST).contains(&quantity.value);
    if quantity.kind != QuantityKind::Cardinal || quantity.unit.is_some() || !whole {
        return Own::No;
    }
    let line = before.rsplit('\n').next().unwrap_or(before);
    let marks = line.trim_matches(|c| matches!(c, '#' | '*' | '_' | ' '));
    let numbered = after.starts_with(". ") || after.starts_with(") ");
    if marks.is_empty() && !line.is_empty() && numbered {
        return Own::Yes;
    }
    let mut words = after.split_whitespace();
    for _ in 0..=BETWEEN {
        let Some(word) = words.next() else {
            return Own::Open;
        };
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let folded = fold_name(bare);
        let noun = stem(&folded);
        if frames().has("own_count", &noun) {
            let told = grounds.evidence.is_some_and(|set| {
                let mut passages = set.passages().iter();
                passages.any(|p| !p.data().sentences_with(word_hash(&noun)).is_empty())
            });
            return if told { Own::No } else { Own::Yes };
        }
        if bare.len() < word.len() || !frames().has("own_sort", &folded) {
            return Own::No;
        }
    }
    Own::No
}
