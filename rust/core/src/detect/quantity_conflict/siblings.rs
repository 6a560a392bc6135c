//! Whether a number that the evidence tells is a sibling's: of the thing with a longer or shorter name
//! ("the Swift Pro", "the Swift"), with another number in it ("Line 4", "World War II"), of another
//! size or group ("the 16-inch model", "children aged 6 to 12"), or of whom a clause behind another
//! noun tells ("her grandmother, who is 81").

use std::ops::Range;

use crate::claims::{Clause, SentenceView, clauses, numbers_agree, shown_text};
use crate::evidence::{Conflict, PassageIndex};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::frames;
use crate::lexicon::words::{WordClass, class};
use crate::normal::stem;
use crate::types::{LexKind, Quantity, QuantityKind, Span};

/// Bytes of a passage before a sentence in which the name is looked for that it does not have itself.
const BACK: usize = 600;
/// Words of a name, at most.
const NAME: usize = 6;

/// Whether the conflict's number is told of a sibling of what the sentence tells of.
pub(super) fn of_sibling(
    view: &SentenceView<'_>,
    said: Span,
    conflict: &Conflict,
    data: &PassageIndex,
) -> bool {
    let parts = clauses(view);
    let at = view.lexemes_in(said).start;
    let clause = parts.iter().find(|clause| clause.range.contains(&at));
    let told = Told {
        data,
        sentence: conflict.sentence,
        number: conflict.span,
    };
    let own = Own { view, said, clause };
    own.named_otherwise(&told)
        || own.restricted_otherwise(&told)
        || own.other_group(&told)
        || told.told_behind(view)
}

/// A word of a text.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    /// A mark ends the phrase behind it.
    ends: bool,
}

impl Token<'_> {
    fn folded(&self) -> String {
        self.text.to_lowercase()
    }

    fn capital(&self) -> bool {
        self.text.contains(char::is_uppercase)
    }

    /// "4", "II", "X2": what tells things of one name apart by number.
    fn number(&self) -> bool {
        let digits = self.text.starts_with(|c: char| c.is_ascii_digit())
            && self.text.chars().all(char::is_alphanumeric);
        let roman = self.text.len() <= 4 && self.text.chars().all(|c| "IVX".contains(c));
        digits || roman
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let lead = piece.len()
            - piece
                .trim_start_matches(|c: char| !c.is_alphanumeric())
                .len();
        let word = piece[lead..].trim_end();
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let plain = ["'s", "’s"]
            .iter()
            .find_map(|end| bare.strip_suffix(end))
            .unwrap_or(bare);
        if lead > 0
            && piece[..lead].contains(['(', '"', '“', '-', '–', '—', '|', '*', '#'])
            && let Some(last) = out.last_mut()
        {
            let last: &mut Token<'_> = last;
            last.ends = true;
        }
        if !plain.is_empty() {
            out.push(Token {
                text: plain,
                start: at + lead,
                ends: plain.len() < word.len(),
            });
        }
        at += piece.len();
    }
    out
}

/// A name in a text: capitals and the numbers behind them, or a noun of things in a row and its number.
fn names(all: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let token = &all[at];
        let folded = token.folded();
        let closed = cue(&folded).is(Cue::FUNCTION)
            || class(&folded).any(
                WordClass::MONTH
                    .with(WordClass::WEEKDAY)
                    .with(WordClass::STOPWORD),
            );
        let designates = frames().has("designator", &folded)
            || (folded.strip_suffix('s')).is_some_and(|one| frames().has("designator", one));
        let opens = token.capital() && !token.number() && !closed || designates;
        if !opens {
            at += 1;
            continue;
        }
        let end = extent(all, at);
        let numbered = end > at + 1 && all[end - 1].number();
        if token.capital() || designates && numbered {
            out.push(at..end);
        }
        at = end;
    }
    out
}

/// Where the name ends that begins at `at`.
fn extent(all: &[Token<'_>], at: usize) -> usize {
    let mut end = at + 1;
    while end < all.len() && end - at < NAME && !all[end - 1].ends {
        let token = &all[end];
        let capital = all[at].capital() && token.capital() && !token.number();
        if !capital && !token.number() {
            break;
        }
        end += 1;
    }
    end
}

struct Told<'a> {
    data: &'a PassageIndex,
    sentence: Span,
    number: Span,
}

impl<'a> Told<'a> {
    fn text(&self) -> &'a str {
        let text = self.data.text();
        text.get(self.sentence.start..self.sentence.end)
            .unwrap_or("")
    }

    /// What stands before the sentence.
    fn before(&self) -> &'a str {
        let text = self.data.text().get(..self.sentence.start).unwrap_or("");
        let mut from = text.len().saturating_sub(BACK);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        &text[from..]
    }

    /// Numbers of the sentence.
    fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let all = self.data.quantities.iter().map(|own| &own.quantity);
        all.filter(|own| self.sentence.contains(own.span))
    }

    /// The number stands in a clause of its own behind a noun that the other sentence does not have.
    fn told_behind(&self, view: &SentenceView<'_>) -> bool {
        let text = self.text();
        let number = self.number.start.saturating_sub(self.sentence.start);
        let all = tokens(text);
        let mut ahead = (0..all.len()).filter(|i| all[*i].start < number).rev();
        let mut relative = None;
        for i in ahead.by_ref() {
            if matches!(&*all[i].folded(), "who" | "which" | "whose") {
                relative = Some(i);
                break;
            }
            // "…, which opened in 1931, is 120 m long"
            if text[all[i].start..].starts_with(all[i].text) && all[i].ends {
                let end = all[i].start + all[i].text.len();
                if text[end..].starts_with([',', ';', ')', '—']) {
                    return false;
                }
            }
        }
        let Some(head) = relative.and_then(|i| i.checked_sub(1)) else {
            return false;
        };
        let word = stem(&all[head].folded()).into_owned();
        let folded = view.folded();
        !(0..view.lexemes.len()).any(|i| stem(folded.get(i)) == word)
    }
}

struct Own<'v, 'a> {
    view: &'v SentenceView<'a>,
    said: Span,
    clause: Option<&'v Clause>,
}

impl Own<'_, '_> {
    /// A name before the number, or around it, is a longer or shorter one than the evidence's, or has
    /// another number.
    fn named_otherwise(&self, told: &Told<'_>) -> bool {
        let base = self.view.sentence.span.start;
        let text = shown_text(self.view);
        let all = tokens(&text);
        let sentence = tokens(told.text());
        let before = tokens(told.before());
        names(&all).into_iter().any(|name| {
            let place = base + all[name.start].start;
            if place >= self.said.end || self.counts(&all, &name, base) {
                return false;
            }
            let own = &all[name];
            match differs(own, &sentence, true) {
                Some(differs) => differs,
                None => differs(own, &before, false) == Some(true),
            }
        })
    }

    /// "Berlin 300 people": the number begins another noun phrase.
    fn counts(&self, all: &[Token<'_>], name: &Range<usize>, base: usize) -> bool {
        let last = &all[name.end - 1];
        let at = self.view.lexemes_in(self.said).start;
        let begins = self.clause.is_some_and(|clause| clause.subject.start == at);
        last.number() && base + last.start == self.said.start && begins
    }

    /// Where the subject may stand: from its first word to the verb.
    fn subject(&self) -> Range<usize> {
        let at = self.view.lexemes_in(self.said).start;
        match self.clause {
            Some(own) if !own.subject.is_empty() && own.subject.start < own.group.start => {
                own.subject.start..own.group.start
            }
            _ => 0..at,
        }
    }

    /// Quantities that tell which of several things the subject is.
    fn restricting(&self) -> Vec<&Quantity> {
        let view = self.view;
        let folded = view.folded();
        let subject = self.subject();
        let front = self
            .clause
            .map_or(0..0, |own| own.range.start..subject.start);
        let known = subject.end < view.lexemes_in(self.said).start;
        let later = view
            .quantities
            .iter()
            .any(|q| q.span.start >= self.said.end);
        let all = view.quantities.iter().filter(|q| {
            let at = view.lexemes_in(q.span);
            if matches!(q.kind, QuantityKind::Year | QuantityKind::Ordinal) {
                return false;
            }
            if subject.contains(&at.start) || q.span == self.said && !known && later {
                let next = view.kind(at.end) == Some(LexKind::Word) && at.end < subject.end;
                let joined = view.word(at.end) == "-" || view.at(q.span).contains('-');
                // "The 128 GB model costs"
                let opens = later && at.start <= 1 && view.kind(at.end) == Some(LexKind::Word);
                let measured = q.unit.is_some() && (next && known || opens || joined);
                return measured || self.linked(subject.start, at.start);
            }
            // "For 20 people the price is"
            front.contains(&at.start) && at.start > front.start && folded.get(front.start) == "for"
        });
        all.collect()
    }

    /// "Parcels up to 10 kg", "a pack of 24": a noun and words that lead to the number behind it.
    fn linked(&self, from: usize, number: usize) -> bool {
        let folded = self.view.folded();
        let link = |i: usize| frames().has("restricts", folded.get(i));
        let first = (from..number).rev().take_while(|i| link(*i)).last();
        let Some((first, noun)) = first.and_then(|i| Some((i, i.checked_sub(1)?))) else {
            return false;
        };
        let word = folded.get(noun);
        let content = noun >= from
            && self.view.kind(noun) == Some(LexKind::Word)
            && !cue(word).is(Cue::FUNCTION.or(Cue::ADVERB).or(Cue::PREPOSITION));
        let one = word.strip_suffix('s').unwrap_or(word);
        content
            && (first + 1 < number
                || folded.get(first) != "of"
                || frames().has("container", one)
                || frames().has("container", word))
    }

    fn restricted_otherwise(&self, told: &Told<'_>) -> bool {
        let restricting = self.restricting();
        let has = |q: &Quantity| {
            let same = |other: &Quantity| numbers_agree(q, other.value, other.unit) == Some(true);
            told.quantities()
                .any(|other| other.span != told.number && same(other))
        };
        restricting.iter().any(|q| {
            if q.span != self.said {
                return !has(q);
            }
            // "Crates up to 40 kg travel for 11 euros": where the rest is the evidence's, the limit is wrong.
            let mut others = self.view.quantities.iter();
            let mut others = others
                .by_ref()
                .filter(|other| other.span != q.span)
                .peekable();
            let alone = others.peek().is_none();
            let led = self.linked(self.subject().start, self.view.lexemes_in(q.span).start);
            alone && !led || others.any(|other| !has(other))
        })
    }

    /// "Children take 200 mg", where the evidence has it of adults.
    fn other_group(&self, told: &Told<'_>) -> bool {
        let folded = self.view.folded();
        let first = match self.clause {
            Some(own) if own.inherited => return false,
            Some(own) if own.subject.len() == 1 => own.subject.start,
            Some(own) if !own.subject.is_empty() => return false,
            _ if folded.known(1).verb.is_some() => 0,
            _ => return false,
        };
        let group = |word: &str| {
            let many = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
            (many || frames().has("irregular_plural", word))
                && !cue(word).is(Cue::FUNCTION.or(Cue::PREPOSITION))
        };
        let Some(word) = self.view.content(first) else {
            return false;
        };
        let sentences = told.data.sentences();
        let at = sentences.iter().position(|own| *own == told.sentence);
        let about = at.is_some_and(|at| told.data.is_about(at as u32, word.stem));
        let theirs = tokens(told.text());
        let theirs = theirs.first().map(Token::folded);
        group(folded.get(first)) && !about && theirs.is_some_and(|word| group(&word))
    }
}

/// Whether the text has the name only as a part of another, or another as a part of it; `None` where it has
/// nothing of it. `all` says that one that is the same settles it, else the last does.
fn differs(own: &[Token<'_>], text: &[Token<'_>], all: bool) -> Option<bool> {
    let first = own[0].folded();
    let mut found = None;
    for at in 0..text.len() {
        let word = text[at].folded();
        let plural =
            word.strip_suffix('s') == Some(&first) || first.strip_suffix('s') == Some(&word);
        let same = word == first && text[at].capital() == own[0].capital();
        if !same && !plural {
            continue;
        }
        let end = extent(text, at);
        let other = unlike(own, &text[at..end], at.checked_sub(1).map(|i| &text[i]));
        if all && !other {
            return Some(false);
        }
        found = Some(other);
    }
    found
}

fn unlike(own: &[Token<'_>], told: &[Token<'_>], ahead: Option<&Token<'_>>) -> bool {
    // "South Sudan", "the first Atlas"
    let ahead = ahead.filter(|token| !token.ends).map(Token::folded);
    if ahead.is_some_and(|word| frames().has("sibling_lead", &word)) {
        return true;
    }
    let same = |a: &Token<'_>, b: &Token<'_>| a.folded() == b.folded();
    let shared = own
        .iter()
        .zip(told)
        .skip(1)
        .take_while(|(a, b)| same(a, b))
        .count()
        + 1;
    match (own.get(shared), told.get(shared)) {
        (None, None) => false,
        (Some(more), None) | (None, Some(more)) => {
            let word = more.folded();
            // "Adults 12 euros, children 6"
            let counted = more.number()
                && own.len().min(told.len()) == 1
                && class(&own[0].folded()).has(WordClass::COMMON);
            if counted {
                return false;
            }
            let given = class(&own[0].folded()).has(WordClass::GIVEN_NAME);
            let kind = class(&word).has(WordClass::NAME_HEAD)
                && !frames().has("sibling_head", &word)
                || name_cue(&word).is(NameCue::ORG);
            let first = given && own.len().min(told.len()) == 1;
            !(kind || first)
        }
        (Some(a), Some(b)) => a.number() || b.number() || shared > 0,
    }
}
