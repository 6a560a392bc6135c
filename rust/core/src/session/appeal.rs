//! An appeal to research that names nobody waits for how the next sentence begins: it may tell an
//! example ("Research shows that … For example, Ericsson (1993) …"). Most begin otherwise, so that
//! one word is enough.

use super::Session;
use crate::claims::SentenceView;
use crate::detect;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::sources;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold;
use crate::patterns::RuleMatch;
use crate::types::{Finding, LexFlags, LexKind, Lexeme, Span};

/// The type that waits.
const KIND: &str = "stream.unsourced_authority";

/// How the next sentence begins, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Begins {
    /// Not yet.
    Unread,
    /// With a word that may begin an example.
    Perhaps(Box<str>),
    /// With an example, or with words that may be a name; `true` for the former.
    Example(bool),
}

/// Appeals of the last sentence.
#[derive(Debug, Clone)]
pub(super) struct Appeal {
    matches: Vec<RuleMatch>,
    /// The wording of their sentence, by which they are scored.
    wording: Vec<RuleMatch>,
    /// Start of their sentence.
    start: usize,
    begins: Begins,
}

impl Appeal {
    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let word = match &self.begins {
            Begins::Perhaps(word) => word.len(),
            Begins::Unread | Begins::Example(_) => 0,
        };
        size_of::<Self>()
            + (self.matches.capacity() + self.wording.capacity()) * size_of::<RuleMatch>()
            + word
    }
}

impl Session {
    /// Where text begins that what follows may still give a source: a closed sentence that appeals
    /// to nobody in particular so far, or a bracket that may be a link's label.
    #[must_use]
    pub fn open_source(&self) -> Option<usize> {
        let appeal = self.state.appeal.as_ref().map(|appeal| appeal.start);
        appeal.into_iter().chain(self.open_label()).min()
    }

    /// Whether a finding is of the type that waits for the next sentence.
    #[must_use]
    pub fn is_appeal(finding: &Finding) -> bool {
        finding.kind == KIND
    }

    /// Where the closed sentence begins of which the next one may still say whom it appeals to, in the
    /// text as sent.
    #[must_use]
    pub fn open_appeal(&self) -> Option<usize> {
        let appeal = self.state.appeal.as_ref();
        appeal.map(|appeal| self.text.start(appeal.start))
    }

    /// Keeps the appeals among `waiting` for the next sentence; what is left is certain.
    pub(super) fn appeals_wait(
        &mut self,
        span: Span,
        waiting: &[RuleMatch],
        wording: &[RuleMatch],
    ) -> Vec<RuleMatch> {
        // What was forced is known by its sentence's end alone.
        let said = |found: &&RuleMatch| !self.state.is_forced(found.span);
        let waits = |found: &RuleMatch| {
            let kind = &self.monitor.rules().rule(found.rule).kind;
            KIND.strip_prefix("stream.") == Some(kind.as_str())
        };
        let (matches, rest): (Vec<RuleMatch>, _) =
            waiting.iter().filter(said).copied().partition(waits);
        if !matches.is_empty() && self.monitor.wants(KIND) {
            self.state.appeal = Some(Box::new(Appeal {
                matches,
                wording: wording.to_vec(),
                start: span.start,
                begins: Begins::Unread,
            }));
        }
        rest
    }

    /// A word of the next sentence.
    pub(super) fn appeal_hears(&mut self, lexeme: Lexeme) {
        let Some(appeal) = &mut self.state.appeal else {
            return;
        };
        if lexeme.kind != LexKind::Word || matches!(appeal.begins, Begins::Example(_)) {
            return;
        }
        let mut word = String::new();
        fold(self.text.get(lexeme.span), &mut word);
        let said = match &appeal.begins {
            Begins::Perhaps(first) => format!("{first} {word}"),
            _ => word.clone(),
        };
        let phrases = sources().listed("exemplify");
        let known = class(&word);
        let name = lexeme.flags.has(LexFlags::CAPITALIZED)
            && !cue(&word).is(Cue::PRONOUN_PERSON)
            && !known.any(
                WordClass::COMMON
                    .with(WordClass::STOPWORD)
                    .with(WordClass::DEMONYM),
            );
        appeal.begins = if phrases.contains(&&*said) {
            Begins::Example(true)
        } else if appeal.begins == Begins::Unread
            && phrases.iter().any(|phrase| begins_with(phrase, &word))
        {
            Begins::Perhaps(word.into())
        } else if name {
            Begins::Example(false)
        } else {
            return self.appeal_stands(lexeme.decided_at);
        };
    }

    /// The next sentence has closed.
    pub(super) fn appeal_settles(&mut self, view: &SentenceView<'_>) {
        let Some(appeal) = &self.state.appeal else {
            return;
        };
        let named = match appeal.begins {
            Begins::Example(true) => detect::exemplifies(view),
            Begins::Example(false) => detect::is_sourced(view),
            Begins::Unread | Begins::Perhaps(_) => false,
        };
        if named {
            self.state.appeal = None;
        } else {
            self.appeal_stands(view.sentence.decided_at);
        }
    }

    /// Nothing names the source: reports it.
    pub(super) fn appeal_stands(&mut self, decided_at: usize) {
        let Some(mut appeal) = self.state.appeal.take() else {
            return;
        };
        std::mem::swap(&mut self.state.open.wording, &mut appeal.wording);
        for mut found in appeal.matches {
            found.decided_at = decided_at;
            self.rule_matched(found);
        }
        self.state.open.wording = appeal.wording;
    }
}

fn begins_with(phrase: &str, word: &str) -> bool {
    let rest = phrase.strip_prefix(word);
    rest.is_some_and(|rest| rest.starts_with([' ', '.']))
}
