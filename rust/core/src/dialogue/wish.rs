//! Whether a user's turn leaves what was said before it as it was.
//!
//! A plain question, thanks and doubt change nothing. A wish, a complaint, an order, a comparison
//! or a new circumstance ("One hour later, please.", "I just sold 3.") may change what an answer
//! arranged, set or reckoned, though it names no new value. What holds in the world it leaves.

use std::ops::Range;

use crate::claims::{Clause, Folded, SentenceView, Tense};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Table, turns};
use crate::types::{LexKind, QuantityKind, Span};

use super::statement::{Statement, StatementReader, timed};

/// Words at the start of a sentence among which a verb of asking is looked for.
const OPENING: usize = 7;
/// Words behind a preposition that say under what condition something is asked.
const GIVEN: usize = 3;

struct Words<'a> {
    view: &'a SentenceView<'a>,
    folded: Folded<'a>,
    at: Vec<usize>,
    table: &'static Table,
}

impl Words<'_> {
    fn get(&self, n: usize) -> &str {
        self.at.get(n).map_or("", |i| self.folded.get(*i))
    }

    fn is(&self, n: usize, class: &str) -> bool {
        self.table.has(class, self.get(n))
    }

    fn any(&self, range: Range<usize>, class: &str) -> bool {
        range.into_iter().any(|n| self.is(n, class))
    }

    fn asked(&self) -> bool {
        self.view.text.trim_end().ends_with('?')
    }

    fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether a number stands there that is no time of day and no year.
    fn number(&self, n: usize) -> bool {
        let Some(lexeme) = self.at.get(n).map(|i| &self.view.lexemes[*i]) else {
            return false;
        };
        let over = |span: Span| span.overlaps(lexeme.span);
        let mut amounts = self.view.quantities.iter().filter(|q| over(q.span));
        let dated = self.view.dates.iter().any(|date| over(date.span))
            || amounts.clone().any(|q| q.kind == QuantityKind::Year);
        !dated && (lexeme.kind == LexKind::Number || amounts.next().is_some())
    }

    /// "for two", "without cheese", "as a student": under what else it is asked; "for it" is none.
    fn conditioned(&self) -> bool {
        (1..self.len()).any(|n| {
            let within = n + 1..(n + 1 + GIVEN).min(self.len());
            self.is(n, "given")
                && !within.is_empty()
                && (!self.is(n + 1, "known")
                    || self.get(n).starts_with("with") && !self.is(n + 1, "bare"))
                && (self.get(n).starts_with("with")
                    || self.get(n) == "as"
                    || self.number(n + 1)
                    || self.get(n) == "for" && self.view.content(self.at[n + 1]).is_some()
                    || self.get(n) == "for" && matches!(self.get(n + 1), "a" | "an"))
        })
    }

    /// "later", "another", "if we pay now": something else than before; "which one", "as you said
    /// earlier" and "do you know if" want nothing else.
    fn else_wanted(&self) -> bool {
        let len = self.len();
        let told = self.any(0..len, "view") || self.any(0..len, "recite");
        (0..len).any(|n| {
            let before = n.checked_sub(1).map_or("", |n| self.get(n));
            let meant = match self.get(n) {
                "one" | "ones" => {
                    let next = self.at.get(n + 1).and_then(|i| self.view.content(*i));
                    // "And the large one?" goes on to another thing.
                    let known = (n.saturating_sub(GIVEN)..n).any(|m| self.is(m, "known"));
                    let pointed = self.asked() && known;
                    next.is_none() && !self.is(n + 1, "quantity") && before != "which" && !pointed
                }
                "earlier" | "if" => !told,
                _ => true,
            };
            meant && self.is(n, "other")
        })
    }

    /// Words by which the speaker asks to be told; "give me two more" does not.
    fn recites(&self, range: Range<usize>) -> bool {
        let len = self.len();
        let more = self.any(0..len, "quantity") || (0..len).any(|n| self.number(n));
        range.into_iter().any(|n| {
            let handed = self.is(n, "hand");
            self.is(n, "recite") && !(handed && more)
        })
    }

    /// Whether the sentence says "the price" or "your address" and no more.
    fn names_attribute(&self, from: usize) -> bool {
        (from..self.len()).all(|n| {
            self.is(n, "attribute")
                || self.is(n, "opens")
                || self.is(n, "known")
                || self.view.content(self.at[n]).is_none()
        })
    }
}

/// What a user's sentence does to what was arranged, set or reckoned before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// It leaves it as it was.
    None,
    /// It may change it where it says what was not said yet: "And at 5%?", but not "Monday?".
    IfNew,
    /// It may change it.
    Change,
}

impl Wish {
    fn of(changes: bool) -> Self {
        if changes { Self::Change } else { Self::None }
    }
}

/// What a user's sentence does to what was arranged, set or reckoned before it.
pub(super) fn wish(view: &SentenceView<'_>) -> Wish {
    let folded = view.folded();
    let at: Vec<usize> = (0..view.lexemes.len())
        .filter(|i| view.is_term(*i))
        .collect();
    let words = Words {
        view,
        folded,
        at,
        table: turns(),
    };
    let len = words.len();
    // Thanks, agreement and doubt.
    if (0..len).all(|n| words.is(n, "opens")) {
        return Wish::None;
    }
    let start = (0..len)
        .find(|n| !contrast().is_polite(words.get(*n)) || words.is(*n, "able"))
        .filter(|n| !words.is(*n, "bare"))
        .unwrap_or(0);
    let start = match start.checked_sub(1) {
        // "I", "you" and the like are part of what is said.
        Some(before) if words.is(before, "person") => before,
        _ => start,
    };
    let clauses = view.clauses();
    if words.asked() {
        return asks_otherwise(&words, start, clauses);
    }
    Wish::of(says_otherwise(&words, start, clauses))
}

/// Whether a user's sentence asks for a fact, or to be told one, and for nothing else.
pub(super) fn only_asks(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    let mut words = (0..view.lexemes.len()).map(|i| folded.get(i));
    let asks = view.text.trim_end().ends_with('?') || words.any(|word| turns().has("asking", word));
    asks && wish(view) == Wish::None
}

/// A question that is a request, or asks under another condition.
fn asks_otherwise(words: &Words<'_>, start: usize, clauses: &[Clause]) -> Wish {
    let len = words.len();
    let opening = start..(start + OPENING).min(len);
    let what_if = matches!(
        (words.get(start), words.get(start + 1)),
        ("what" | "how", "if" | "about") | ("why", "not" | "don't") | ("what", "of")
    );
    if what_if || words.else_wanted() {
        return Wish::Change;
    }
    if words.recites(opening.clone()) {
        return Wish::None;
    }
    let asked = words.any(opening.clone(), "asking");
    if asked || words.is(start, "be") {
        return Wish::of(words.conditioned() || words.any(start..len, "wish"));
    }
    let requests = opening
        .clone()
        .any(|n| words.is(n, "able") && (words.is(n + 1, "person") || words.any(n..len, "wish")));
    if requests || words.any(start..len, "wish") {
        return Wish::Change;
    }
    let pointed = words.any(start..len, "known") && matches!(words.get(len - 1), "one" | "ones");
    if pointed {
        return Wish::None;
    }
    // "And at 5%?", "In blue?"; "The price?" asks for what is known.
    if clauses.is_empty() && !words.names_attribute(start) {
        Wish::IfNew
    } else {
        Wish::None
    }
}

/// A sentence that orders, wishes, complains or tells of something new.
fn says_otherwise(words: &Words<'_>, start: usize, clauses: &[Clause]) -> bool {
    let len = words.len();
    let opening = start..(start + OPENING).min(len);
    let view_of =
        |n: usize| words.is(n, "view") && (n.saturating_sub(2)..n).any(|m| words.is(m, "person"));
    if words.else_wanted() {
        return true;
    }
    // "I forgot to mention that I'm married."
    if opening
        .clone()
        .any(|n| words.get(n).starts_with("forg") && words.get(n + 1) == "to")
    {
        return true;
    }
    let recites = words.recites(opening.clone());
    if recites || opening.clone().any(view_of) {
        return false;
    }
    let rest_bare = |from: usize| (from..len).all(|n| words.is(n, "bare") || words.is(n, "opens"));
    // "I love it.", "I'll take it.", "Book it, please.", "Let's do that."
    let accepts = opening
        .clone()
        .any(|n| (words.is(n, "take") || words.is(n, "liking")) && n + 1 < len && rest_bare(n + 1));
    let denied = words.any(0..len, "not") || (0..len).any(|n| words.get(n).ends_with("n't"));
    // "I didn't get that."
    let missed = (opening.clone()).any(|n| words.is(n, "grasp") && n + 1 < len && rest_bare(n + 1));
    if missed || accepts && !denied {
        return false;
    }
    // "That's good to know."
    let pleased = words.any(opening, "pleased") && clauses.iter().any(|c| c.copula);
    let of_it = words.get(start).starts_with("that")
        || words.get(start).starts_with("this")
        || words.get(start).starts_with("it")
        || words.get(start).starts_with("all");
    if pleased && of_it && !denied {
        return false;
    }
    let asks_again = words.any(start..len, "asking") && clauses.is_empty();
    !(asks_again || clauses.is_empty() && words.names_attribute(start))
}

/// Whether what a clause says holds in the world, whatever a user wishes: what is over, what is
/// said of somebody or something named, and properties of things that stand.
///
/// `arranged` says that its value is a price, a time or the like, which may be made otherwise.
fn lasts(
    view: &SentenceView<'_>,
    clause: Option<&Clause>,
    subject: Span,
    predicate: &str,
    arranged: bool,
) -> bool {
    let folded = view.folded();
    let table = turns();
    if table.has("lasting", predicate) {
        return true;
    }
    let at = view.lexemes_in(subject);
    let oneself = at
        .clone()
        .any(|i| table.has("person", folded.get(i)) && !folded.cue(i).is(Cue::POSSESSIVE));
    let over = clause.is_some_and(|clause| {
        let scheduled = (clause.group.clone()).any(|i| contrast().schedules(folded.get(i)));
        clause.tense == Tense::Past && !scheduled
    });
    if over && !oneself {
        return true;
    }
    if arranged || table.has("arranged", predicate) {
        return false;
    }
    let named = at
        .clone()
        .any(|i| view.content(i).is_some_and(|word| word.name));
    let of = at
        .clone()
        .find(|i| folded.get(*i) == "of")
        .unwrap_or(at.end);
    let head = of.checked_sub(1).map_or("", |i| folded.get(i));
    named || table.has("standing", head)
}

impl StatementReader<'_> {
    /// Whether no wish of the user's changes what is stated of the phrase at `place`.
    pub(super) fn lasting(&self, statement: &Statement, place: Span) -> bool {
        let clause = (self.clauses.iter())
            .rfind(|clause| {
                let first = self.view.lexemes.get(clause.range.start);
                first.is_some_and(|first| first.span.start <= place.start)
            })
            .or(self.clauses.first());
        let mut amounts = statement.quantities.iter();
        let money = amounts.any(|q| q.value.kind == QuantityKind::Money);
        let state = statement.said.iter().any(|word| contrast().is_state(word));
        let arranged =
            money || statement.free || state || statement.dates.iter().any(|d| timed(&d.value));
        let kind = statement.general && !arranged && statement.quantities.is_empty();
        kind || lasts(self.view, clause, place, &statement.predicate, arranged)
    }
}
