//! What a sentence changes of what was said before it.

use crate::claims::{SentenceView, word_hash};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::normal::stem;
use crate::types::Resolution;

use super::Role;
use super::statement::Statement;
use super::subject::{entity_head, speaker_head};
use super::wish::only_asks;

/// What a speaker has had made otherwise, so that earlier statements of it say nothing any more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Stems of what it names.
    pub words: Vec<u64>,
    /// Entities of the knowledge base that it names, as heads of subjects.
    pub entities: Vec<u64>,
    /// It names nothing but "it": what was spoken of last is meant.
    pub pronoun: bool,
    /// Who says that something about the speaker is otherwise ("I moved to Milan").
    pub speaker: Option<u64>,
}

impl Change {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        (self.words.capacity() + self.entities.capacity()) * size_of::<u64>()
    }

    /// Whether an earlier statement is about what was changed.
    #[must_use]
    pub fn touches(&self, statement: &Statement) -> bool {
        let named = |head: u64| self.words.contains(&head) || self.entities.contains(&head);
        let attribute = word_hash(&stem(&statement.predicate));
        match &statement.subject {
            Some(subject) => {
                self.pronoun
                    || self.speaker == Some(subject.head)
                    || named(subject.head)
                    || named(attribute)
            }
            None => self.pronoun || statement.words.iter().any(|word| named(*word)),
        }
    }
}

/// What the sentence changes of what was said before: an order of the user to make something
/// otherwise ("Please move the meeting to Friday"), or anybody's word that something is otherwise
/// now ("it was moved to Friday").
#[must_use]
pub fn change(view: &SentenceView<'_>, role: Role) -> Option<Change> {
    let folded = view.folded();
    let any = |test: &dyn Fn(usize) -> bool| (0..view.lexemes.len()).any(test);
    // "When does it start?" orders nothing.
    let ordered =
        role == Role::User && any(&|i| contrast().changes(folded.get(i))) && !only_asks(view);
    let said_so = any(&|i| contrast().corrects(folded.get(i)));
    if !ordered && !said_so {
        return None;
    }
    let words: Vec<u64> = view
        .content_words()
        .filter(|word| !word.number)
        .map(|word| word.stem)
        .collect();
    let entities = view
        .mentions
        .iter()
        .filter_map(|mention| match &mention.resolution {
            Resolution::Known(ids) => ids.first().copied().map(entity_head),
            _ => None,
        });
    // "Make it Friday."
    let noun = any(&|i| {
        folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE)) && !folded.get(i + 1).is_empty()
    });
    let pronoun = any(&|i| matches!(folded.get(i), "it" | "that" | "this" | "them")) && !noun;
    let oneself = said_so && any(&|i| folded.get(i).split(['\'', '’']).next() == Some("i"));
    Some(Change {
        words,
        entities: entities.collect(),
        pronoun,
        speaker: oneself.then(|| speaker_head(role)),
    })
}
