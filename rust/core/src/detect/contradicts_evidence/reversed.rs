//! Who did it to whom, at odds with a source: "Tilda bought Nordwind" of "Nordwind bought Tilda".

use crate::claims::SentenceView;
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::facing;
use crate::types::Span;

use super::plain::{Word, each_word, leaves_open, number, words};
use super::sources::sources;

/// A sentence of two names and a verb between them.
struct Deed {
    verb: &'static str,
    by: Vec<String>,
    to: Vec<String>,
    numbers: Vec<String>,
}

/// The sentence of a source that has the two names of this one the other way round; nothing where another has
/// them as they are said.
pub(super) fn reversed<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    let said = Deed::read(view.text)?;
    let mut found = None;
    for (source, own) in sources(evidence, Deed::read) {
        if own.verb != said.verb {
            continue;
        }
        if own.by == said.by && own.to == said.to {
            return None;
        }
        let timed = said
            .numbers
            .iter()
            .all(|number| own.numbers.contains(number));
        if own.by == said.to && own.to == said.by && timed {
            found.get_or_insert(source.place());
        }
    }
    found
}

fn is_name(text: &str, word: &Word) -> bool {
    text[word.start..].starts_with(char::is_uppercase) && (word.content || number(word))
}

fn is_article(word: &Word) -> bool {
    cue(&word.folded).is(Cue::DETERMINER)
}

/// Whether a name begins it, with the form of a verb behind: told by no more of its words than that.
fn begins(text: &str) -> bool {
    let mut words = each_word(text).peekable();
    words.next_if(is_article);
    let named = words.next_if(|word| is_name(text, word) && !word.parted);
    while words
        .next_if(|word| is_name(text, word) && !word.parted)
        .is_some()
    {}
    words.next_if(Word::helps);
    let done = |word: &Word| verb(&word.folded).is_some_and(|base| base != word.folded);
    named.is_some() && words.next().is_some_and(|word| done(&word))
}

impl Deed {
    fn read(text: &str) -> Option<Self> {
        if text.contains([';', ':', '(']) {
            return None;
        }
        // Most sentences are told by their first words.
        if !begins(text) {
            return None;
        }
        let all = words(text);
        let name = |word: &Word| is_name(text, word);
        let first = usize::from(is_article(all.first()?));
        let front = all[first..]
            .iter()
            .take_while(|word| name(word) && !word.parted)
            .count();
        let mut at = first + front;
        let passive = all.get(at).is_some_and(Word::helps);
        if passive {
            at += 1;
        }
        let base = verb(&all.get(at)?.folded).filter(|base| *base != all[at].folded)?;
        let mut from = at + 1;
        if passive {
            if all.get(from)?.folded != "by" {
                return None;
            }
            from += 1;
        }
        from += usize::from(is_article(all.get(from)?));
        let back = all[from..]
            .iter()
            .take_while(|word| name(word) && !word.parted)
            .count();
        let end = from + back;
        let more = all.get(end).is_some_and(|word| {
            word.parted || matches!(&*word.folded, "and" | "or" | "with") || word.content
        });
        let owned = |word: &Word| word.folded.ends_with("'s") || word.folded.ends_with('’');
        let open = leaves_open(text, &all)
            || all.iter().any(|word| word.denies() || owned(word))
            || facing().has("mutual", base);
        if front == 0 || back == 0 || more || open {
            return None;
        }
        let stems = |range: std::ops::Range<usize>| -> Vec<String> {
            all[range].iter().map(|word| word.stem()).collect()
        };
        let (subject, object) = (stems(first..first + front), stems(from..end));
        let (by, to) = if passive {
            (object, subject)
        } else {
            (subject, object)
        };
        let numbers = all[end..].iter().filter(|word| number(word));
        let numbers = numbers.map(|word| word.folded.clone()).collect();
        Some(Self {
            verb: base,
            by,
            to,
            numbers,
        })
    }
}
