//! What costs nothing, at odds with a source by which it costs extra, and the other way round.

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::words_at::Parts;
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::facing;
use crate::segment;
use crate::types::{QuantityKind, Span};

use super::plain::{Word, base, number, same_words, words};
use super::sources::sources;

/// A sentence that says whether something costs extra.
struct Charged {
    subject: Vec<String>,
    free: bool,
    /// It does so for some, at a time or in a case.
    bound: bool,
}

/// The sentence of a source by which it costs what this one has free, or the other way round; nothing where a
/// source has it as it is said, be it for some.
pub(super) fn charged<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    if !charging().may_stand_among(view.text, view.runs()) {
        return None;
    }
    let said = Charged::read(view.text).filter(|said| !said.bound)?;
    let mut found = None;
    for (source, own) in sources(evidence, Charged::read) {
        if !same_words(&own.subject, &said.subject) {
            continue;
        }
        if own.free == said.free {
            return None;
        }
        if !own.bound {
            found.get_or_insert(source.place());
        }
    }
    found
}

/// What words for a charge, or for none, begin with.
fn charging() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let listed = || {
        ["free", "paid"]
            .into_iter()
            .flat_map(|class| facing().listed(class))
    };
    PARTS.get_or_init(|| Parts::of(listed().copied().chain(["cost", "costs"])))
}

impl Charged {
    fn read(text: &str) -> Option<Self> {
        if text.contains(['?', '"', '“', '”', ';', ':', '(']) || !charging().may_stand_in(text)
        {
            return None;
        }
        let all = words(text);
        let has = |class: &str, word: &Word| facing().has(class, &word.folded);
        let parted = all.iter().skip(1).any(|word| word.parted);
        let denials = all.iter().filter(|word| word.denies()).count();
        if parted || denials > 1 {
            return None;
        }
        let money = segment::quantities(text);
        let money = money
            .iter()
            .any(|q| q.kind == QuantityKind::Money && q.value > 0.0);
        let free = all.iter().filter(|word| has("free", word)).count();
        let costs = |word: &Word| matches!(&*word.folded, "cost" | "costs");
        let paid = all
            .iter()
            .any(|word| has("paid", word) || costs(word) && money);
        let helps = |i: usize| {
            all[..i]
                .iter()
                .any(|word| word.helps() || word.folded == "comes")
        };
        let at = all.iter().enumerate().position(|(i, word)| {
            has("free", word) && helps(i)
                || costs(word) && money
                || i > 0 && (word.helps() || word.folded == "comes") && paid
        })?;
        if free > 1 || (free == 1) == paid {
            return None;
        }
        let counts = |word: &&Word| word.content && !word.helps() && !has("paid_light", word);
        let subject: Vec<String> = all[..at].iter().filter(counts).map(base).collect();
        let marks = |word: &Word| has("free", word) || has("paid", word) || costs(word);
        let bound = all[at..].iter().any(|word| {
            let counted = word.content && !word.helps() && !has("paid_light", word);
            counted && !marks(word) || matches!(&*word.folded, "if" | "when" | "unless" | "only")
        });
        // "Orders under 50 euros are shipped free."
        let bound = bound || free == 1 && all.iter().any(number);
        let open = all.iter().any(|word| {
            cue(&word.folded).is(Cue::HEDGE.or(Cue::CONDITION))
                || matches!(&*word.folded, "would" | "than")
        });
        (!subject.is_empty() && !open).then_some(Self {
            subject,
            free: (free == 1) != (denials == 1),
            bound,
        })
    }
}
