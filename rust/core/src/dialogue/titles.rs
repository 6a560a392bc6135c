//! What stands above the lines of a card: a heading, a title in bold, the item that a list is under.

use crate::claims::{SentenceView, word_hash};
use crate::lexicon::cues::Cue;
use crate::normal::stem;
use crate::types::{LexKind, QuantityKind, SentenceKind};

use super::said::Said;
use super::statement::Statement;

/// Words of a title at most.
const WORDS: usize = 8;
/// Titles above each other at most.
const DEEP: usize = 6;
/// Depth of a title that is no heading.
const PLAIN: usize = 8;

/// The titles above the next line, the highest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Titles {
    above: Vec<(usize, Vec<u64>)>,
}

impl Titles {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let words = |(_, words): &(usize, Vec<u64>)| words.capacity() * size_of::<u64>();
        self.above.capacity() * size_of::<(usize, Vec<u64>)>()
            + self.above.iter().map(words).sum::<usize>()
    }

    /// Takes in a sentence that may be a title.
    pub fn note(&mut self, view: &SentenceView<'_>) {
        let Some(depth) = depth(view) else { return };
        let folded = view.folded();
        let closed = Cue::DETERMINER.or(Cue::POSSESSIVE);
        let words = (0..view.lexemes.len()).filter(|i| worded(view, *i));
        let mut words: Vec<u64> = words
            .filter(|i| !folded.cue(*i).is(closed))
            .map(|i| word_hash(&stem(folded.get(i))))
            .collect();
        words.sort_unstable();
        words.dedup();
        if !words.is_empty() {
            self.above.retain(|(above, _)| *above < depth);
            self.above.truncate(DEEP);
            self.above.push((depth, words));
        }
    }

    /// Notes in the statements of a sentence what they stand under, where they do not name it
    /// themselves ("Price: $650", "The price is $650").
    pub fn mark(&self, view: &SentenceView<'_>, said: &mut [Statement]) {
        let Some(under) = self.under() else { return };
        let own = listed(view);
        for one in said.iter_mut().filter(|one| own || one.bare) {
            one.circumstances.under.clone_from(&under);
        }
    }

    /// The same of what is held against earlier words.
    pub fn mark_said(&self, view: &SentenceView<'_>, said: &mut [Said]) {
        let Some(under) = self.under().filter(|_| listed(view)) else {
            return;
        };
        for one in said {
            one.occasion.under(&under);
        }
    }

    fn under(&self) -> Option<Vec<u64>> {
        let mut under: Vec<u64> = self
            .above
            .iter()
            .flat_map(|(_, own)| own)
            .copied()
            .collect();
        under.sort_unstable();
        under.dedup();
        (!under.is_empty()).then_some(under)
    }
}

/// Whether a line is an item of a list, or a label with its value.
fn listed(view: &SentenceView<'_>) -> bool {
    let labelled = (0..view.lexemes.len()).any(|i| view.word(i) == ":");
    labelled || view.sentence.kind == SentenceKind::ListItem
}

fn worded(view: &SentenceView<'_>, i: usize) -> bool {
    matches!(view.kind(i), Some(LexKind::Word | LexKind::Number))
}

/// How deep a line stands as a title; none where it is none.
fn depth(view: &SentenceView<'_>) -> Option<usize> {
    let marks = view.text.trim_start();
    if view.sentence.kind == SentenceKind::Heading {
        return Some(marks.chars().take_while(|c| *c == '#').count());
    }
    let plain = matches!(
        view.sentence.kind,
        SentenceKind::Prose | SentenceKind::ListItem
    );
    let mut words = (0..view.lexemes.len()).filter(|i| worded(view, *i));
    let last = words.clone().next_back()?;
    let short = words.by_ref().count() <= WORDS;
    let open = view.sentence.terminator.is_none() && view.clauses().is_empty();
    let valued = view.dates.is_empty()
        && view.quantities.iter().all(|q| {
            matches!(
                q.kind,
                QuantityKind::Label | QuantityKind::Cardinal | QuantityKind::Year
            )
        });
    // "Price: $650"
    let labels = (0..last).any(|i| view.word(i) == ":");
    let item = usize::from(view.sentence.kind == SentenceKind::ListItem);
    (plain && short && open && valued && !labels).then_some(PLAIN + item)
}
