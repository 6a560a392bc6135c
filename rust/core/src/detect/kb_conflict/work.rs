//! A work that has the name of another: the film of a novel.

use crate::claims::{Folded, SentenceView};
use crate::kb::Snapshot;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::normal::fold_name;
use crate::types::{LexKind, QuantityKind, Span};

/// Whether the year at `object` stands before a sort of work that the base does not say it is: "The Salt
/// Road is a 2015 film", where the base has the novel.
pub(super) fn other_work(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    object: Span,
    (kb, id): (&Snapshot, u32),
) -> bool {
    let year = view.quantities.iter().find(|q| q.span == object);
    let at = view.lexemes_in(object);
    let opened = at.start > 0 && folded.cue(at.start - 1).is(Cue::DETERMINER);
    if !opened || year.is_none_or(|q| q.kind != QuantityKind::Year) {
        return false;
    }
    let own = (at.end..folded.len())
        .take_while(|i| {
            view.kind(*i) == Some(LexKind::Word) && !folded.cue(*i).is(Cue::PREPOSITION)
        })
        .filter(|i| stance().has("dated_work", folded.get(*i)))
        .last();
    let (Some(noun), Some(kind)) = (own, kb.kind(id)) else {
        return false;
    };
    let said = folded.get(noun);
    let alike = |word: &str| {
        let both = |class: &str| stance().has(class, word) && stance().has(class, said);
        word == said
            || ["author_of", "director_of", "artist_of"]
                .into_iter()
                .any(both)
    };
    !fold_name(kind).split(' ').any(alike)
}
