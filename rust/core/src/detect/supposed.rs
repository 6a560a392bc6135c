//! Amounts that are supposed and stated of nothing: "suppose the fee were $20", "if you had 40
//! employees, you would need …", "with, say, 30 %", "for example, a group of 12 would pay $144".

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::frames;
use crate::lexicon::units::{Role, number_word};
use crate::types::Span;

use super::replacement::grammar::number_in_words;
use super::words_at::Parts;

/// Bytes of a sentence that are read before a number.
const READ: usize = 400;
/// Words of a supposition that no table has.
const OWN: [&str; 6] = [
    "say",
    "had",
    "were",
    "should",
    "hypothetical",
    "hypothetically",
];

/// A word or a mark of a sentence.
struct Term {
    text: String,
    mark: bool,
}

/// Whether the amount may stand in a supposition, by what the sentence says before it: what the rest of
/// the sentence is then decides.
#[must_use]
pub fn may_be_supposed(before: &str) -> bool {
    if !supposing().may_stand_in(before) {
        return false;
    }
    let terms = terms(before);
    let counterfactual = || condition(&terms).is_some_and(|from| past(&terms[from..]));
    opened(&terms) || said_so(&terms) || example(&terms) || counterfactual()
}

/// Whether the amount at `span` is supposed, now that its sentence is known.
#[must_use]
pub fn supposed(view: &SentenceView<'_>, span: Span) -> bool {
    if !supposing().may_stand_among(view.text, view.runs()) {
        return false;
    }
    let sentence = view.sentence.span;
    let start = sentence.start.min(span.start);
    let before = terms(view.at(Span::new(start, span.start)));
    let after = terms(view.at(Span::new(span.end, sentence.end.max(span.end))));
    let counterfactual = || {
        let Some(from) = condition(&before) else {
            return false;
        };
        let as_if = from >= 2 && matches!(&*before[from - 2].text, "as" | "what");
        let inside = !before[from..]
            .iter()
            .any(|term| term.mark || term.text == "then");
        // In the premise, or in what follows from a number of it.
        past(&before[from..])
            && (as_if || unreal(&before, false) || unreal(&after, false))
            && (inside || numbered(&before[from..]))
    };
    opened(&before)
        || said_so(&before)
        || (example(&before) || example(&after)) && (unreal(&before, true) || unreal(&after, false))
        || counterfactual()
}

/// Whether any amount of the sentence is supposed.
pub(super) fn supposes(view: &SentenceView<'_>) -> bool {
    let any = || view.quantities.iter().any(|q| supposed(view, q.span));
    view.once_supposes(any)
}

/// What the words begin with without which nothing is supposed: most texts have none of them.
fn supposing() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let listed = || {
        let classes = ["supposing", "suppose_one", "unreal_if"];
        let listed = classes.map(|class| frames().listed(class));
        let examples = frames().listed("exemplary").iter();
        // "For example": the longest word tells most.
        let telling = examples.filter_map(|phrase| phrase.split(' ').max_by_key(|word| word.len()));
        listed
            .into_iter()
            .flatten()
            .copied()
            .chain(telling)
            .chain(OWN)
    };
    PARTS.get_or_init(|| Parts::of(listed()))
}

fn terms(text: &str) -> Vec<Term> {
    let mut from = text.len().saturating_sub(READ);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut terms = Vec::new();
    for piece in text[from..].split_whitespace() {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '%');
        if piece.starts_with(['(', '—', '–']) {
            terms.push(Term {
                text: piece[..piece.chars().next().map_or(0, char::len_utf8)].into(),
                mark: true,
            });
        }
        if !word.is_empty() {
            let text = word.replace('’', "'").to_lowercase();
            terms.push(Term { text, mark: false });
        }
        if let Some(mark) = piece
            .chars()
            .last()
            .filter(|c| matches!(c, ',' | ':' | ';' | ')' | '—' | '–'))
        {
            terms.push(Term {
                text: mark.to_string(),
                mark: true,
            });
        }
    }
    terms
}

fn numbered(terms: &[Term]) -> bool {
    terms.iter().any(|term| {
        term.text.contains(|c: char| c.is_ascii_digit())
            || number_in_words(&term.text)
            || number_word(&term.text).role == Role::Half
    })
}

/// Whether the word at `i` begins what is said: nothing stands before it but words that join.
fn begins(terms: &[Term], i: usize) -> bool {
    let lead = |term: &Term| term.mark || frames().has("suppose_lead", &term.text);
    i == 0 || lead(&terms[i - 1])
}

/// Behind "suppose", "imagine", "let's say", "take a …" with what they open still open.
fn opened(terms: &[Term]) -> bool {
    let word = |i: usize| terms.get(i).map_or("", |term| &*term.text);
    (0..terms.len()).any(|i| {
        let own = word(i);
        let open = if frames().has("supposing", own) {
            // "Imagine: it was founded in 1894!"
            begins(terms, i) && !matches!(word(i + 1), ":" | "," | "so" | "not")
                || own == "picture" && word(i + 1) == "this"
        } else if own == "say" {
            let led = i > 0 && matches!(word(i - 1), "let's" | "us");
            let next = word(i + 1);
            begins(terms, i) && (frames().has("supposed", next) || led && next != "it")
        } else if frames().has("suppose_one", own) {
            begins(terms, i) && matches!(word(i + 1), "a" | "an" | "someone" | "somebody")
        } else {
            return matches!(own, "hypothetical" | "hypothetically");
        };
        let rest = &terms[(i + 1).min(terms.len())..];
        // "Assuming you are a member, you may bring 5": what follows is stated.
        let ends = |term: &Term| {
            matches!(&*term.text, ":" | ";") || term.text == "," && own.ends_with("ing")
        };
        let end = rest
            .iter()
            .position(ends)
            .filter(|at| *at > 1 || word(i) != "picture");
        open && end.is_none_or(|end| numbered(&rest[..end]))
    })
}

/// "With, say, 30 %", "say 30 %".
fn said_so(terms: &[Term]) -> bool {
    let mut rest = terms.iter().rev().skip_while(|term| {
        term.mark || frames().has("loose", &term.text) || matches!(&*term.text, "$" | "€" | "£")
    });
    let say = rest.next().is_some_and(|term| term.text == "say");
    let before = rest.next();
    say && before.is_none_or(|term| {
        term.mark || cue(&term.text).is(Cue::PREPOSITION.or(Cue::COPULA)) || term.text == "let's"
    })
}

/// Whether an example is announced.
fn example(terms: &[Term]) -> bool {
    let phrases = frames().listed("exemplary");
    (0..terms.len()).any(|i| {
        phrases.iter().any(|phrase| {
            let mut words = phrase.split(' ').enumerate();
            words.all(|(at, word)| terms.get(i + at).is_some_and(|term| term.text == word))
        })
    })
}

/// Whether something would be so; `open` where "if" or "would" may tell so yet.
fn unreal(terms: &[Term], open: bool) -> bool {
    terms.iter().any(|term| {
        let text = &*term.text;
        frames().has("unreal", text) || text.ends_with("'d") || open && text == "if"
    })
}

/// Where a condition begins that is open or has ended: behind its word.
fn condition(terms: &[Term]) -> Option<usize> {
    let found = terms
        .iter()
        .rposition(|term| frames().has("unreal_if", &term.text));
    let inverted = (0..terms.len())
        .rfind(|i| matches!(&*terms[*i].text, "had" | "were" | "should") && begins(terms, *i));
    found.map(|at| at + 1).max(inverted)
}

/// Whether the words have a past form, by which a condition is none of now.
fn past(terms: &[Term]) -> bool {
    terms.iter().any(|term| {
        let text = &*term.text;
        frames().has("unreal_past", text) || text.len() > 4 && text.ends_with("ed")
    })
}
