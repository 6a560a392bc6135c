//! A text read against a passage event by event or by a session in pieces, and made-up passages:
//! what tests share.

use groundwire_core::evidence::{Against, EvidenceSet, Passage, Tracker};
use groundwire_core::kb::KbBuilder;
use groundwire_core::monitor::Monitor;
use groundwire_core::segment::{SegEvent, Segmenter};
use groundwire_core::session::{Context, Push, Report, Session};
use groundwire_core::types::Lexeme;
use proptest::prelude::*;
use serde_json::Value as Json;

/// What the tracker was just told of.
pub enum Told {
    /// A word that counts as content.
    Word(Lexeme),
    /// The end of a sentence, at this byte.
    Sentence(usize),
}

/// Reads a text against one passage and a question; `see` is told of each content word and of each
/// sentence before the tracker leaves it.
pub fn read(
    text: &str,
    evidence: &str,
    question: &str,
    mut see: impl FnMut(Told, &Tracker, &Against<'_>),
) {
    let set = EvidenceSet::new(vec![Passage::index("p", evidence)]);
    let known = Passage::index("q", question).data().stems().collect();
    let against = Against {
        evidence: &set,
        known: &known,
    };
    let mut tracker = Tracker::default();
    let mut sink = |event: SegEvent, word: &str| match event {
        SegEvent::Lexeme(lexeme) => {
            if tracker.lexeme(&lexeme, word, &against) {
                see(Told::Word(lexeme), &tracker, &against);
            }
        }
        SegEvent::Quantity(quantity) => tracker.quantity(&quantity, &against),
        SegEvent::Date(_) => {}
        SegEvent::Sentence(sentence) => {
            see(Told::Sentence(sentence.span.end), &tracker, &against);
            tracker.sentence();
        }
    };
    let mut segmenter = Segmenter::new();
    segmenter.push(text, &mut sink);
    segmenter.finish(&mut sink);
}

/// A word of a small alphabet, so that words meet.
pub fn vocabulary() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "alpha", "Beta", "gamma", "delta", "Epsilon", "1987", "14", "rooms", "opened",
    ])
    .prop_map(str::to_owned)
}

/// A text of fewer than so many sentences of such words.
pub fn text(sentences: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::collection::vec(vocabulary(), 1..6), 1..sentences).prop_map(|all| {
        all.iter()
            .map(|words| format!("The {}. ", words.join(" ")))
            .collect()
    })
}

/// What a session over `text` reports, pushed in pieces of `step` characters.
pub fn in_pieces(monitor: &Monitor, context: Context, text: &str, step: usize) -> Report {
    let mut session = Session::new(monitor, context);
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(step) {
        let piece: String = piece.iter().collect();
        session.push_text(&piece, Push::default()).expect("pushed");
    }
    session.finish().expect("finished");
    session.report()
}

/// The texts of a list of a vector; none where it has no such list.
pub fn texts(list: &Json) -> Vec<&str> {
    let list = list.as_array().into_iter().flatten();
    list.map(|text| text.as_str().expect("text")).collect()
}

/// A knowledge base of the records of a vector.
pub fn base_of<'a>(records: impl IntoIterator<Item = &'a Json>) -> KbBuilder {
    let mut builder = KbBuilder::new();
    for record in records {
        builder
            .read_jsonl(&record.to_string(), None)
            .expect("valid");
    }
    builder
}

/// The texts of such a list as passages with ids.
pub fn passages(list: &Json) -> Vec<(String, String)> {
    let texts = texts(list).into_iter().enumerate();
    texts
        .map(|(i, text)| (format!("e{i}"), text.to_owned()))
        .collect()
}
