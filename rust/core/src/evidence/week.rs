//! The weekly schedules that a passage tells, sentence by sentence.

use crate::segment::week::{Days, Statement, Subject, Weeks, topic, weeks};
use crate::types::Span;

/// A schedule and the sentence that tells it.
#[derive(Debug)]
pub struct Scheduled {
    /// Its subject is that of the text before it where its own is left out or a pronoun.
    pub statement: Statement,
    /// The sentence.
    pub sentence: Span,
}

/// All schedules of a passage.
#[derive(Debug, Default)]
pub struct Schedules {
    /// Those that were read.
    pub told: Vec<Scheduled>,
    /// Days of whose opening something is said that was not read.
    pub unclear: Days,
    /// Days of which something else is said.
    pub mentioned: Days,
    /// Whether a sentence on opening could not be read: no list of the passage is complete then.
    pub open_ended: bool,
}

impl Schedules {
    /// Reads the sentences of a text.
    #[must_use]
    pub(super) fn read(text: &str, sentences: &[Span]) -> Self {
        let mut all = Self::default();
        let mut about: Option<Subject> = None;
        // Sentences whose topics are read when one is asked for.
        let mut passed: Vec<&str> = Vec::new();
        for span in sentences {
            let sentence = text.get(span.start..span.end).unwrap_or("");
            match weeks(sentence) {
                Weeks::Nothing(days) => {
                    all.mentioned = all.mentioned.or(days);
                    passed.push(sentence);
                }
                Weeks::Unclear(days) => {
                    all.unclear = all.unclear.or(days);
                    all.open_ended = true;
                    about = None;
                    passed.clear();
                }
                Weeks::Told(told) => {
                    let mut topics = passed.drain(..).rev().map(topic);
                    let named = |own: &Option<Subject>| {
                        own.as_ref().is_none_or(|own| own.pronoun.is_none())
                    };
                    if let Some(own) = topics.find(named) {
                        about = own;
                    }
                    drop(topics);
                    for mut statement in told {
                        let own = statement.subject.take();
                        let named = own.as_ref().is_some_and(|own| own.pronoun.is_none());
                        if named {
                            about.clone_from(&own);
                        }
                        let spoken = own.filter(|own| own.pronoun.as_deref() == Some("we"));
                        statement.subject = spoken.or_else(|| about.clone());
                        all.told.push(Scheduled {
                            statement,
                            sentence: *span,
                        });
                    }
                }
            }
        }
        all
    }
}
