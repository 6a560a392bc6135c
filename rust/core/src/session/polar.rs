//! "Yes" and "no" in answer to a question: judged as the sentence that they stand for.

use std::sync::Arc;

use crate::claims::{SentenceView, uncontracted};
use crate::error::Result;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::circumstance;
use crate::types::{Finding, LexKind, Span, Status};

use super::{Context, Entry, Push, Session};

/// What is found of a bare "yes" may be said of what is so.
const JUDGED: [&str; 2] = ["dialogue.wrong_attribute", "dialogue.contradicts_fact"];

/// Where a finding of a "yes" or "no" has the sentence that it stands for.
const ANSWERS: &str = "answers";

/// A "yes" or "no" that opens an answer.
pub(super) struct Reply {
    yes: bool,
    /// Where it stands; with "he is" behind it, where the sentence says no more.
    span: Span,
    /// The sentence says no more.
    whole: bool,
}

impl Session {
    /// The "yes" or "no" with which the answer begins, behind a question for one.
    pub(super) fn polar_reply(&self, view: &SentenceView<'_>) -> Option<Reply> {
        let asked = view.sentence.index == 0 && self.context.asks.polar().is_some();
        asked.then(|| Reply::of(view)).flatten()
    }

    /// The finding of such a reply, where the base says otherwise; `from` is where in the log the rest of its
    /// sentence was judged.
    pub(super) fn judge_polar(
        &self,
        view: &SentenceView<'_>,
        reply: &Reply,
        from: u64,
    ) -> Option<Finding> {
        let polar = self.context.asks.polar()?;
        let beside = self.log_since(from).filter_map(|entry| match entry {
            Entry::Finding { finding, .. } => Some(finding),
            _ => None,
        });
        let beside: Vec<_> = beside
            .filter(|own| own.status == Status::Contradicted)
            .collect();
        // "Yes, it is 420 m long." was set right with its "Yes".
        let sent = self.text.span(reply.span);
        let over = |own: &&Arc<Finding>| own.span.is_some_and(|span| span.overlaps(sent));
        if beside.iter().any(over) {
            return None;
        }
        // "Yes, he's in Berlin." is set right as a whole or not at all.
        let corrected = beside.iter().any(|own| own.replacement.is_some());
        let said = if reply.yes { &polar.yes } else { &polar.no };
        let mut found = self.found_of(said).ok()??;
        found.span = Some(reply.span);
        found.spans = vec![reply.span];
        view.at(reply.span).clone_into(&mut found.text);
        found.content = found.text.clone();
        found.claim_id = None;
        found.decided_at = view.sentence.decided_at;
        let other = if reply.yes { "No" } else { "Yes" };
        found.replacement = (reply.whole || corrected).then(|| other.to_owned());
        found
            .extra
            .insert("answers".to_owned(), said.as_str().into());
        Some(found)
    }

    /// Whether a "yes" or "no" that was an answer by itself is turned: what follows it fits what it becomes.
    pub(super) fn is_turned(&self) -> bool {
        (self.state.recent.iter())
            .any(|own| own.replacement.is_some() && own.extra.contains_key(ANSWERS))
    }

    /// What the knowledge base has against a sentence by itself.
    fn found_of(&self, said: &str) -> Result<Option<Finding>> {
        let own = &*self.context;
        let context = Context {
            kb: own.kb.clone(),
            names: own.names.clone(),
            attributes: own.attributes.clone(),
            reference: own.reference,
            ..Context::default()
        };
        let mut session = Self::new(&self.monitor, context);
        session.push_text(said, Push::default())?;
        session.finish()?;
        let mut found = session.log_since(0).filter_map(|entry| match entry {
            Entry::Finding { finding, .. } => Some(finding),
            _ => None,
        });
        let found = found.find(|finding| {
            finding.status == Status::Contradicted && JUDGED.contains(&&*finding.kind)
        });
        Ok(found.map(|finding| (**finding).clone()))
    }
}

impl Reply {
    fn of(view: &SentenceView<'_>) -> Option<Self> {
        let folded = view.folded();
        let words = |from: usize| (from..view.lexemes.len()).find(|i| view.is_term(*i));
        let first = words(0)?;
        let yes = match folded.get(first) {
            "yes" | "yeah" | "yep" => true,
            "no" | "nope" => false,
            _ => return None,
        };
        let mark = |i: usize| view.kind(i).is_none_or(|kind| kind == LexKind::Punct);
        if !mark(first + 1) {
            return None;
        }
        let rest: Vec<usize> = (first + 1..view.lexemes.len())
            .filter(|i| view.is_term(*i))
            .collect();
        let at = view.lexemes[first].span;
        // "Yes, until 2020.", "No, but …"
        let open = |i: &usize| {
            let word = folded.get(*i);
            circumstance().has("polar_open", word) || circumstance().has("asked_then", word)
        };
        if rest.iter().any(open) {
            return None;
        }
        let echo = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::COPULA)
            .or(Cue::AUXILIARY)
            .or(Cue::NEGATION);
        let echoes = |i: &usize| {
            let word = folded.get(*i);
            folded.cue(*i).is(echo)
                || matches!(word, "there" | "not" | "that" | "correct" | "right")
                || uncontracted(word).is_some()
        };
        let whole = rest.iter().all(echoes);
        let end = match rest.last() {
            Some(last) if whole => view.lexemes[*last].span.end,
            _ => at.end,
        };
        Some(Self {
            yes,
            span: Span::new(at.start, end),
            whole,
        })
    }
}
