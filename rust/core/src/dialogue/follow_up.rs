//! Whether a user's turn goes on to another thing, so that "the price" after it is another price.

use rustc_hash::FxHashSet;

use crate::claims::{Folded, SentenceView, clauses, word_hash};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::turns;
use crate::lexicon::words::{WordClass, class};
use crate::normal::stem;
use crate::types::{LexKind, QuantityKind, Span};

use super::wish::{Wish, wish};

/// What a user's turn asks about that a turn before it may not have spoken of.
#[derive(Debug, Clone, Default)]
pub(super) struct Brings {
    /// It is a follow-up without a verb of its own, or joined to what was asked ("And in May?").
    follows: bool,
    /// Stems of its content words.
    content: Vec<u64>,
    /// Stems of those of them that tell one thing from another: names, numbers, days, "second".
    telling: Vec<u64>,
    /// Stems of words before a noun that may tell which one is meant ("a child ticket"), with its stem.
    sorts: Vec<(u64, u64)>,
    /// It asks for more, less or something else of what is counted ("Add one more.", "Louder.").
    counts: bool,
    /// It may change what was arranged before ("One hour later, please.").
    wishes: bool,
    /// The same, where what it asks about was not spoken of ("And at 5%?").
    may_wish: bool,
    /// What it only tells of the user or has done, which brings in another thing only where it has a name
    /// or speaks of what was spoken of ("I live in Paris.", "Send it to Anna.").
    told: Vec<Told>,
}

/// A sentence that asks about nothing.
#[derive(Debug, Clone, Default)]
struct Told {
    /// Stems of its nouns.
    nouns: Vec<u64>,
    /// Stems of its words that tell one thing from another.
    telling: Vec<u64>,
    /// Those of them that may be the name of a thing.
    named: Vec<u64>,
}

impl Told {
    /// Whether it brings in another of the things that `context` speaks of. What is arranged ("the
    /// meeting") is the same wherever the user lives; the price of a hotel may be of another one.
    fn goes_on(&self, context: &FxHashSet<u64>) -> bool {
        let new = |words: &[u64]| words.iter().any(|word| !context.contains(word));
        let of_them = self.nouns.iter().any(|word| context.contains(word));
        let mut events = turns().listed("event").iter();
        let arranged = events.any(|noun| context.contains(&word_hash(&stem(noun))));
        new(&self.named) || (of_them || !arranged) && new(&self.telling)
    }
}

impl Brings {
    /// Reads a sentence of the user's.
    pub(super) fn note(&mut self, view: &SentenceView<'_>) {
        if asks_for_more(view) || assents(view) {
            return;
        }
        let wish = wish(view);
        self.wishes |= wish == Wish::Change;
        self.may_wish |= wish == Wish::IfNew;
        let folded = view.folded();
        let words: Vec<usize> = (0..view.lexemes.len())
            .filter(|i| view.is_term(*i))
            .collect();
        let at = |n: usize| words.get(n).map_or("", |i| folded.get(*i));
        let joined = matches!(at(0), "and" | "or" | "but" | "also" | "plus")
            || matches!((at(0), at(1)), ("what" | "how", "about") | ("what", "of"));
        let asked = view.text.trim_end().ends_with('?');
        let bare = clauses(view).is_empty();
        self.follows |= joined || (bare && asked);
        let opens = words
            .iter()
            .map(|i| folded.get(*i))
            .find(|word| !contrast().is_polite(word));
        self.counts |= opens.is_some_and(|word| contrast().is_adding(word));
        let said = words.iter().rev().map(|i| folded.get(*i));
        let last = said.into_iter().find(|word| !contrast().is_polite(word));
        self.counts |= bare && !asked && last.is_some_and(comparative);
        let noun = |i: usize| (view.content(i)).filter(|word| !word.name && !word.number);
        for pair in words.windows(2).filter(|_| asked) {
            if let [sort, of] = pair
                && let (Some(one), Some(two)) = (noun(*sort), noun(*of))
                && !folded.cue(*sort).is(Cue::ADVERB.or(Cue::VERB))
            {
                self.sorts.push((one.stem, two.stem));
            }
        }
        // "I'm 70 years old.", "I can't make Monday.": that may well change what was said.
        let counts = |i: &usize| {
            let span = view.lexemes[*i].span;
            view.content(*i).is_some_and(|word| word.number)
                || view.dates.iter().any(|date| date.span.overlaps(span))
                || view.quantities.iter().any(|q| q.span.overlaps(span))
                || contrast().selects(folded.get(*i))
        };
        let itself = !asked && !words.iter().any(counts) && tells_of_itself(view, &words, bare);
        // "5": what was asked for, of nothing by name.
        let figure = |i: &usize| view.content(*i).is_some_and(|word| word.number);
        let figures = !asked && view.dates.is_empty() && words.iter().all(figure);
        let itself = itself || figures;
        let mut told = itself.then(Told::default);
        for i in words {
            let Some(word) = view.content(i) else {
                continue;
            };
            let text = folded.get(i);
            if (contrast().is_polite(text) && !word.name) || folded.cue(i).is(Cue::ADVERB) {
                continue;
            }
            let span = view.lexemes[i].span;
            let dated = view.dates.iter().any(|date| date.span.overlaps(span));
            let tells = word.name
                || word.number
                || dated
                || contrast().selects(text)
                || contrast().is_when(text);
            self.content.push(word.stem);
            let Some(told) = &mut told else {
                if tells {
                    self.telling.push(word.stem);
                }
                continue;
            };
            if tells {
                told.telling.push(word.stem);
            } else {
                told.nouns.push(word.stem);
            }
            let place = class(text).any(WordClass::CITY.with(WordClass::COUNTRY));
            if word.name && !place && !named_to(&folded, i) {
                told.named.push(word.stem);
            }
        }
        self.told.extend(told);
    }

    /// Whether it goes on to what `context` has no word of; `answered` says that the answer is to it.
    pub(super) fn goes_on(&self, context: &FxHashSet<u64>, answered: bool) -> bool {
        let new = |words: &[u64]| words.iter().any(|word| !context.contains(word));
        let another = |(sort, noun): &(u64, u64)| !context.contains(sort) && context.contains(noun);
        new(&self.telling)
            || self.told.iter().any(|told| told.goes_on(context))
            || answered && self.sorts.iter().any(another)
            || (answered && self.follows && new(&self.content))
    }

    /// Whether it may change what was arranged before, in a turn with the words of `context`.
    pub(super) fn wishes(&self, context: &FxHashSet<u64>) -> bool {
        let mut content = self.content.iter();
        self.wishes || self.may_wish && content.any(|word| !context.contains(word))
    }

    /// Whether it has what is counted made otherwise.
    pub(super) const fn recounts(&self) -> bool {
        self.counts
    }
}

/// Whether a sentence tells of who says it or has something done, and asks for nothing to be told: "I live
/// in Paris.", "My name is Zed.", "Please send it to Anna."
fn tells_of_itself(view: &SentenceView<'_>, words: &[usize], bare: bool) -> bool {
    let folded = view.folded();
    let word = |i: &usize| folded.get(*i).split(['\'', '’']).next().unwrap_or("");
    let itself = |word: &str| matches!(word, "i" | "my" | "we" | "our");
    let polite = |word: &&str| turns().has("opens", word) && !itself(word);
    let first = words
        .iter()
        .map(word)
        .find(|word| !polite(word))
        .unwrap_or("");
    let own = itself(first) && !bare;
    let order = turns().has("order", first);
    (own || order)
        && !words
            .iter()
            .map(word)
            .any(|word| turns().has("about", word))
}

/// Whether a name is one of somebody who is told or given something, or is what somebody is called ("to
/// Anna", "my name is Zed").
fn named_to(folded: &Folded<'_>, name: usize) -> bool {
    let before = |n: usize| name.checked_sub(n).map_or("", |i| folded.get(i));
    // "I work at Acme."
    let belongs = matches!(before(1), "at" | "in") && turns().has("belongs", before(2));
    belongs
        || matches!(
            before(1),
            "to" | "with" | "for" | "from" | "by" | "is" | "am" | "i'm" | "i’m"
        )
}

/// "Great, 100% agree.": whether a sentence of a share only says how far its writer agrees.
fn assents(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let terms = || (0..view.lexemes.len()).filter(|i| view.is_term(*i));
    let says =
        |i: usize| turns().has("opens", folded.get(i)) || turns().has("assent", folded.get(i));
    let share = |i: usize| {
        let own = view.lexemes[i].span;
        (view.quantities.iter()).any(|q| q.kind == QuantityKind::Percent && q.span.overlaps(own))
    };
    terms().any(|i| turns().has("assent", folded.get(i))) && terms().all(|i| says(i) || share(i))
}

/// "louder", "more", "less"
fn comparative(word: &str) -> bool {
    matches!(word, "more" | "less" | "another") || (word.len() > 5 && word.ends_with("er"))
}

/// "Anything else?", "Is that all?": whether a sentence asks for more and for nothing by name.
fn asks_for_more(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let words = (0..view.lexemes.len()).filter(|i| view.is_term(*i));
    let words: Vec<&str> = words.map(|i| folded.get(i)).collect();
    let mut said = words.as_slice();
    while let [first, rest @ ..] = said {
        if !turns().has("opens", first) || turns().has("more", &said.join(" ")) {
            break;
        }
        said = rest;
    }
    turns().has("more", &said.join(" "))
}

/// Whether a phrase names what is known by one word, or by a pronoun: "the price", "your cart",
/// "it". Which one is meant is what was asked about.
pub(super) fn is_bare(view: &SentenceView<'_>, span: Span) -> bool {
    let folded = view.folded();
    let at = view.lexemes_in(span);
    let mut words = at.clone().filter(|i| view.is_term(*i));
    let Some(first) = words.next() else {
        return false;
    };
    let opens = matches!(folded.get(first), "the" | "this" | "that")
        || folded.cue(first).is(Cue::POSSESSIVE.or(Cue::PRONOUN_THING));
    let (Some(_) | None, None) = (words.next(), words.next()) else {
        return false;
    };
    let plain = at.clone().all(|i| {
        let word = view.content(i);
        let post = contrast().is_post(folded.get(i));
        view.kind(i) == Some(LexKind::Word)
            && !word.is_some_and(|word| word.name && !post || word.number)
            && !contrast().selects(folded.get(i))
    });
    opens && plain
}

/// Whether what a phrase names is the user, or is only the user's to say ("I", "my budget").
pub(super) fn of_the_speaker(view: &SentenceView<'_>, span: Span) -> bool {
    let folded = view.folded();
    let word = |i: usize| folded.get(i).split(['\'', '’']).next().unwrap_or("");
    let at = view.lexemes_in(span);
    if at.clone().any(|i| matches!(word(i), "i" | "we")) {
        return true;
    }
    // Of "my budget" a claim may have "my" as what it is about, and the noun as its attribute.
    let first = at.start.saturating_sub(1);
    let own = (first..at.end).find(|i| matches!(word(*i), "my" | "our"));
    let Some(own) = own else { return false };
    let last = if own + 1 >= at.end {
        own + 1
    } else {
        at.end - 1
    };
    contrast().is_personal(word(last))
}
