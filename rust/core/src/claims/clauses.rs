//! Clauses of a closed sentence: who, the verb group with its tense, and what follows.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{bases, stance};
use crate::types::{LexFlags, LexKind};

use super::contraction::uncontracted;
use super::view::{Folded, SentenceView};
use called::called;

pub(super) mod called;
mod subject;

/// When a clause says that something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// "was", "opened", "has opened".
    Past,
    /// "is", "opens".
    Present,
    /// "will open", "is scheduled to open".
    Future,
    /// Infinitives, modal verbs, clauses without a finite verb.
    Unknown,
}

impl Tense {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Past => "past",
            Self::Present => "present",
            Self::Future => "future",
            Self::Unknown => "unknown",
        }
    }
}

/// One clause; ranges are lexeme numbers of the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// All of it.
    pub range: Range<usize>,
    /// The word that opens it, if it is subordinate or joined ("if", "before", "and").
    pub opener: Option<usize>,
    /// Its subject; that of an earlier clause where it has none of its own.
    pub subject: Range<usize>,
    /// Whether the subject is an earlier clause's.
    pub inherited: bool,
    /// Whether it tells of what belongs to the noun before it ("X, whose parent has 3,000
    /// employees"): its subject says nothing of whose it is.
    pub possessed: bool,
    /// From the first auxiliary or the verb through the verb.
    pub group: Range<usize>,
    /// The full verb, unless it is "be" or "have" alone.
    pub verb: Option<usize>,
    /// What follows the group.
    pub rest: Range<usize>,
    /// When.
    pub tense: Tense,
    /// Denied.
    pub negative: bool,
    /// With "might", "would", "can" and the like.
    pub modal: bool,
    /// With a form of "be".
    pub copula: bool,
}

/// Most clauses of one sentence.
const CAP: usize = 12;
/// Words after a participle among which the clause's own verb is looked for.
const REACH: usize = 24;

/// Reads the clauses of a sentence.
#[must_use]
pub fn clauses(view: &SentenceView<'_>) -> Vec<Clause> {
    view.clauses().to_vec()
}

pub(super) fn read_clauses(view: &SentenceView<'_>) -> Vec<Clause> {
    let folded = &view.folded();
    let mut within = vec![false; view.lexemes.len()];
    let spans = (view.dates.iter().map(|d| d.span))
        .chain(view.quantities.iter().map(|q| q.span))
        .chain(view.mentions.iter().map(|m| m.span));
    for outer in spans {
        for i in view.lexemes_in(outer) {
            let span = view.lexemes[i].span;
            within[i] |= outer.start < span.start && span.end < outer.end;
        }
    }
    let reader = Reader {
        view,
        folded,
        within,
    };
    reader.read()
}

struct Reader<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    /// Lexemes inside a date, a number or a name.
    within: Vec<bool>,
}

impl Reader<'_> {
    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn len(&self) -> usize {
        self.view.lexemes.len()
    }

    fn word(&self, i: usize) -> bool {
        self.view.is_term(i)
    }

    /// Inside a date, a number or a name, whose marks part nothing.
    fn inside(&self, i: usize) -> bool {
        self.within.get(i).copied().unwrap_or(false)
    }

    fn comma(&self, i: usize) -> bool {
        self.view.word(i) == "," && !self.inside(i)
    }

    /// A mark that no clause goes across.
    fn hard(&self, i: usize) -> bool {
        matches!(self.view.word(i), ";" | ":" | "—" | "(" | ")" | "–") && !self.inside(i)
            || self.view.lexemes[i].kind == LexKind::Newline
    }

    fn read(&self) -> Vec<Clause> {
        let mut found: Vec<Clause> = Vec::new();
        let mut from = 0;
        let mut subject = 0..0;
        // The noun that goes on behind what is told of its possession.
        let mut owner: Option<Range<usize>> = None;
        while found.len() < CAP {
            let Some(at) = (from..self.len()).find(|i| self.finite(*i, from)) else {
                break;
            };
            let (group, mut clause) = self.group(at);
            let begin = self.begin(from, at);
            let opener = (begin < at)
                .then_some(begin)
                .filter(|i| self.is(*i, Cue::BREAK.or(Cue::CONJUNCTION)));
            let own = self.subject(begin, at);
            clause.inherited = own.is_empty();
            if let Some((head, of)) = self.possession(begin, at) {
                clause.inherited = false;
                clause.possessed = true;
                owner = Some(head).filter(|head| !head.is_empty()).or(owner);
                subject = of;
            } else if !own.is_empty() {
                subject = own;
                owner = None;
            } else if owner.is_some() && opener.is_some_and(|i| self.is(i, Cue::CONJUNCTION)) {
                // "whose wife was born in 1760 and sang"
                clause.possessed = true;
            } else if let Some(head) = owner.take() {
                subject = head;
            }
            let end = self.end(group.end);
            clause.subject = subject.clone();
            clause.opener = opener;
            clause.range = begin..end;
            clause.rest = group.end..end;
            clause.group = group;
            from = end.max(at + 1);
            found.push(clause);
        }
        found
    }

    /// Whether a finite verb group begins there, the clause beginning at `from`.
    fn finite(&self, i: usize, from: usize) -> bool {
        if !self.word(i) || self.inside(i) || self.hard(i) {
            return false;
        }
        let text = self.text(i);
        if self.is(i, Cue::COPULA) {
            return !matches!(text, "be" | "been" | "being");
        }
        if contracted(text).is_some() {
            return true;
        }
        if self.is(i, Cue::AUXILIARY) {
            // "May" with a capital is the month.
            let flags = self.view.lexemes[i].flags;
            return text != "having" && !(text == "may" && flags.has(LexFlags::CAPITALIZED));
        }
        if i == from || text.ends_with("ing") || text.len() < 3 {
            return false;
        }
        if self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED) {
            return false;
        }
        let before = (from..i).rev().find(|j| !self.is(*j, Cue::ADVERB));
        let Some(before) = before.filter(|j| self.word(*j) || self.comma(*j)) else {
            return false;
        };
        let blocked = Cue::DETERMINER.or(Cue::PREPOSITION).or(Cue::POSSESSIVE);
        let pronoun = self.is(
            before,
            Cue::PRONOUN_PERSON
                .or(Cue::PRONOUN_THING)
                .or(Cue::PRONOUN_GROUP)
                .or(Cue::PRONOUN_OTHER),
        );
        // "not locked" denies a state, no finite verb stands so.
        let helped = matches!(self.text(before), "to" | "be" | "been" | "being")
            || self.text(i - 1) == "not";
        // "five seats": a plural behind its number.
        let counted = text.ends_with('s') && before + 1 == i && self.view.counts(before);
        let called = before > from && called(self.view, self.folded, before, i);
        let closed = self.is(before, blocked) && !pronoun;
        if helped || !called && (counted || closed) {
            return false;
        }
        if !pronoun && text.ends_with('s') && self.amounts(i) {
            return false;
        }
        let known = self.folded.known(i).verb;
        let past = match known {
            Some(base) if base == text => return pronoun || self.text(before).ends_with('s'),
            Some(_) => !text.ends_with('s') || irregular_past(text),
            None if text.ends_with("ed") && text.len() > 4 => true,
            None => {
                return text.ends_with('s')
                    && pronoun
                    && bases(text).any(|base| self.folded.lexicon().stage(&base).is_some());
            }
        };
        // "The house built in 1990 was sold": a participle before the clause's own verb.
        !past || !self.verb_before_mark(i + 1)
    }

    /// "Shipping costs of $5 are not refunded": a plural before its amount and the clause's verb.
    fn amounts(&self, i: usize) -> bool {
        let leads = |j: &usize| stance().has("amounting", self.text(*j));
        let led = (i + 1..self.len()).take_while(leads).count();
        let at = self.view.lexemes.get(i + 1 + led).map(|next| next.span);
        let counts = |span| (self.view.quantities.iter()).any(|q| q.span.overlaps(span));
        led > 0 && at.is_some_and(counts) && self.verb_before_mark(i + 1 + led)
    }

    /// Whether a form of "be", "have" and the like stands before the next mark or joining word.
    fn verb_before_mark(&self, from: usize) -> bool {
        (from..self.len())
            .take(REACH)
            .take_while(|i| {
                !self.comma(*i) && !self.hard(*i) && !self.is(*i, Cue::CONJUNCTION.or(Cue::BREAK))
            })
            .any(|i| {
                let text = self.text(i);
                self.is(i, Cue::COPULA.or(Cue::AUXILIARY))
                    && !matches!(text, "be" | "been" | "being" | "having")
                    && self.text(i.saturating_sub(1)) != "to"
            })
    }

    /// Reads the verb group that begins at `at`.
    fn group(&self, at: usize) -> (Range<usize>, Clause) {
        let mut clause = Clause {
            range: at..at,
            opener: None,
            subject: 0..0,
            inherited: false,
            possessed: false,
            group: at..at,
            verb: None,
            rest: at..at,
            tense: Tense::Unknown,
            negative: false,
            modal: false,
            copula: false,
        };
        // "never opened", "no longer opens": the denial stands in front.
        let mut i = at;
        for back in (at.saturating_sub(3)..at).rev() {
            if !self.is(back, Cue::ADVERB.or(Cue::NEGATION))
                && !matches!(self.text(back), "no" | "longer")
            {
                break;
            }
            let longer = self.text(back) == "no" && self.text(back + 1) == "longer";
            clause.negative |= longer || self.denies(back);
        }
        let first = self.text(at);
        let (mut perfect, mut infinitive) = (false, false);
        while i < self.len() {
            let text = self.text(i);
            let helper = self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) || contracted(text).is_some();
            let longer = text == "no" && self.text(i + 1) == "longer";
            if !helper && !self.is(i, Cue::ADVERB.or(Cue::NEGATION)) && !longer {
                break;
            }
            clause.negative |= longer || self.denies(i);
            clause.copula |=
                self.is(i, Cue::COPULA) || matches!(contracted(text), Some("is" | "are" | "am"));
            let marks = self.view.time(i);
            clause.modal |= marks.has("modal");
            perfect |= marks.has("perfect");
            if helper {
                // "did not vote": whatever follows is the verb.
                infinitive = marks.has("infinitive");
            }
            i += if longer { 2 } else { 1 };
        }
        let helped = i > at;
        let text = self.text(i);
        let full = i < self.len()
            && self.word(i)
            && !self.inside(i)
            && (!helped
                || self.folded.known(i).verb.is_some()
                || (infinitive && !self.is(i, Cue::DETERMINER.or(Cue::PREPOSITION)))
                || (text.len() > 4 && (text.ends_with("ed") || text.ends_with("ing"))))
            && !self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
        if full {
            clause.verb = Some(i);
        }
        let end = if full { i + 1 } else { i };
        // "is to open", not "does not report to Ana"
        let named = self.view.lexemes.get(end + 1).is_some_and(|next| {
            let closed = Cue::DETERMINER.or(Cue::POSSESSIVE);
            next.flags.has(LexFlags::CAPITALIZED) || self.is(end + 1, closed)
        });
        let infinite = self.text(end) == "to" && helped && !(infinitive && full && named);
        let prospect = full && self.view.time(i).has("prospect") || infinite;
        clause.tense = if clause.modal {
            Tense::Unknown
        } else if self.view.time(at).has("will") || first.ends_with("'ll") {
            Tense::Future
        } else if self.view.time(at).has("past") || perfect && (full || clause.copula) {
            if prospect {
                Tense::Unknown
            } else {
                Tense::Past
            }
        } else if helped {
            let future = prospect || text == "going";
            if future {
                Tense::Future
            } else {
                Tense::Present
            }
        } else if let Some(base) = self.folded.known(i).verb {
            if base == text || text.ends_with('s') && !irregular_past(text) {
                Tense::Present
            } else {
                Tense::Past
            }
        } else if text.ends_with("ed") {
            Tense::Past
        } else {
            Tense::Present
        };
        (at..end.max(at + 1), clause)
    }

    fn denies(&self, i: usize) -> bool {
        let text = self.text(i);
        // "not only", "doesn't just": said, and more than that.
        let merely = stance().has("merely", self.text(i + 1));
        !merely && (text.ends_with("n't") || (self.is(i, Cue::NEGATION) && text != "no longer"))
    }

    /// Where the clause whose group ends at `from` ends.
    fn end(&self, from: usize) -> usize {
        let hard = (from..self.len())
            .find(|i| self.hard(*i))
            .unwrap_or(self.len());
        let mut cut = None;
        for i in from..hard {
            if self.comma(i) {
                cut = Some(i + 1);
            } else if self.is(i, Cue::BREAK.or(Cue::CONJUNCTION)) && !self.inside(i) {
                cut = Some(cut.filter(|c| *c == i).unwrap_or(i));
            } else if let Some(cut) = cut
                && self.finite(i, cut)
            {
                return cut;
            } else if cut.is_none() && self.own_verb(i, from) {
                return i;
            }
        }
        hard
    }

    /// A form of "be" or "have" where no word joins the clauses ("he says it is open").
    fn own_verb(&self, i: usize, from: usize) -> bool {
        i > from
            && self.is(i, Cue::COPULA.or(Cue::AUXILIARY))
            && !matches!(self.text(i), "be" | "been" | "being" | "having")
            && self.text(i - 1) != "to"
    }
}

/// Past forms that end in "s".
fn irregular_past(text: &str) -> bool {
    matches!(text, "was")
}

/// "it's" and the like: the verb in them.
fn contracted(text: &str) -> Option<&'static str> {
    let (word, verb) = uncontracted(text)?;
    let pronoun = matches!(
        word,
        "it" | "he" | "she" | "that" | "there" | "they" | "we" | "you" | "i" | "who"
    );
    pronoun.then_some(verb)
}
