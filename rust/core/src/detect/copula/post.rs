//! "is a Senior Developer" of a junior one, "is the Head of Product" of who heads Engineering.

use crate::claims::SentenceView;
use crate::kb::{Fact, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{kinds, roles};
use crate::normal::{fold_name, stem};
use crate::types::{LexFlags, LexKind, Span};

use super::{as_said, folded, groups, span_of, words};

/// Letters by which a word and what is derived from it are the same ("engineer", "engineering").
const SHARED: usize = 5;
/// Kinds of work that go beside others, or are said of many who do them now and then.
const LOOSE: [&str; 3] = ["teaching", "advising", "leading"];

/// The name of a post: "Senior Backend Developer", "Head of Product".
struct Post {
    /// Stem of its noun.
    head: String,
    /// Whether that noun tells by itself what somebody is.
    alone: bool,
    /// Level and group of levels that are told apart.
    rung: Option<String>,
    aside: Option<String>,
    /// What it is for, before the head or behind "of".
    subject: Option<String>,
}

/// The post that is said and the right one, where they exclude each other.
pub(super) fn other(
    view: &SentenceView<'_>,
    object: Span,
    own: &str,
    titled: bool,
    facts: &[Fact],
) -> Option<(Span, Option<String>)> {
    let place = view.lexemes_in(object);
    let word = |i: usize| folded(view.word(i));
    let skipped = |i: &usize| {
        matches!(&*word(*i), "a" | "an" | "the" | "our" | "its" | "their")
            || kinds().has("light", &word(*i))
    };
    let first = place.clone().find(|i| !skipped(i))?;
    let inner = |i: &usize| {
        let word = word(*i);
        word != "of" && cue(&word).is(Cue::PREPOSITION)
            || matches!(view.word(*i), "," | "(" | "–" | "—")
            || matches!(&*word, "who" | "that" | "which")
    };
    let end = (first..place.end).find(inner).unwrap_or(place.end);
    // "a Senior Developer until May", "(Sales Manager, now retired)"
    let goes_on = matches!(
        &*word(end),
        "in" | "at" | "for" | "with" | "on" | "who" | "that"
    );
    if end < place.end && !goes_on {
        return None;
    }
    let span = span_of(view, &(first..end))?;
    let (said, held) = (Post::read(view.at(span))?, Post::read(own)?);
    let capital = view.at(span).starts_with(char::is_uppercase);
    if elsewhere(view, end, facts) {
        return None;
    }
    if !said.excludes(&held, capital, titled) {
        return None;
    }
    Some((span, Some(as_said(view.at(span), own))))
}

/// "head of sales for the charity Tern Aid", "a nurse at Northgate": a post in another body than those
/// that the base has of somebody, told from the lexeme at `link` on.
fn elsewhere(view: &SentenceView<'_>, link: usize, facts: &[Fact]) -> bool {
    let word = |i: usize| folded(view.word(i));
    let len = view.lexemes.len();
    if link >= len || !matches!(&*word(link), "for" | "at" | "with") {
        return false;
    }
    let stop = |i: &usize| {
        view.lexemes[*i].kind != LexKind::Word
            || *i > link + 1 && cue(&word(*i)).is(Cue::PREPOSITION.or(Cue::CONJUNCTION))
    };
    let end = (link + 1..len).find(stop).unwrap_or(len);
    let capital = |i: &usize| view.lexemes[*i].flags.has(LexFlags::CAPITALIZED);
    let body = link + 1..end;
    if body.clone().any(|i| kinds().has("voluntary", &word(i))) {
        return true;
    }
    let Some(first) = body.clone().find(capital) else {
        return false;
    };
    let Some(span) = span_of(view, &(first..end)) else {
        return false;
    };
    let said = fold_name(view.at(span));
    let names = view.attributes.predicates();
    let employed = (facts.iter()).any(|fact| names.same(&fact.predicate, "employer"));
    let held = facts.iter().any(|fact| match &fact.value {
        Value::Text(own) | Value::Entity(own) | Value::Enum(own) => {
            let own = fold_name(&own.replace('_', " "));
            own.contains(&said) || said.contains(&own)
        }
        _ => false,
    });
    employed && !held
}

impl Post {
    /// `None` where the last word is no post's, or there is more than one.
    fn read(text: &str) -> Option<Self> {
        if text.contains([',', '/', '&', '(', ';', '+', '|']) {
            return None;
        }
        let mut all = words(&text.to_lowercase().replace("vice president", "vp"));
        let other = |word: &String| word != "of" && cue(word).is(Cue::PREPOSITION);
        if let Some(end) = all.iter().position(other) {
            all.truncate(end);
        }
        let (front, behind) = match all.iter().position(|word| word == "of") {
            Some(of) => (&all[..of], Some(&all[of + 1..])),
            None => (&all[..], None),
        };
        let (head, before) = front.split_last()?;
        if !kinds().has("post", head) {
            return None;
        }
        let mut post = Self {
            head: stem(head).into_owned(),
            alone: kinds().has("alone", head),
            rung: None,
            aside: None,
            subject: None,
        };
        let mut subject: Vec<&str> = Vec::new();
        for word in before {
            let level = |prefix: &str| kinds().of(prefix, word).map(str::to_owned);
            if let Some(rung) = level("rung_").filter(|_| post.rung.is_none()) {
                post.rung = Some(rung);
            } else if let Some(aside) = level("aside_").filter(|_| post.aside.is_none()) {
                post.aside = Some(aside);
            } else if !kinds().has("light", word) {
                subject.push(word);
            }
        }
        if let Some(behind) = behind {
            if !subject.is_empty() {
                return None;
            }
            let plain = |word: &&str| {
                !matches!(
                    *word,
                    "the" | "our" | "its" | "department" | "team" | "division"
                )
            };
            subject = behind.iter().map(String::as_str).filter(plain).collect();
        }
        post.subject = (!subject.is_empty()).then(|| subject.join(" "));
        Some(post)
    }

    /// Whether nobody is both.
    fn excludes(&self, other: &Self, capital: bool, titled: bool) -> bool {
        if self.head != other.head {
            return !titled && self.of_other_work(other, capital);
        }
        if self.subject != other.subject {
            // "an electrical engineer": what somebody has learnt, whatever the post.
            let learnt = |what: &String| what.split(' ').all(|word| kinds().has("learnt", word));
            if !capital && self.subject.as_ref().is_some_and(learnt) {
                return false;
            }
            let of = |post: &Self| post.subject.as_ref().map(|what| groups("sub_", what));
            return match (of(self), of(other)) {
                (Some(a), Some(b)) => {
                    !a.is_empty() && !b.is_empty() && !a.iter().any(|group| b.contains(group))
                }
                // "an aspiring senior developer"
                (Some(one), None) | (None, Some(one)) => {
                    !one.is_empty() && self.of_other_level(other)
                }
                (None, None) => false,
            };
        }
        self.of_other_level(other)
    }

    fn of_other_level(&self, other: &Self) -> bool {
        let apart = |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
        apart(&self.rung, &other.rung) || apart(&self.aside, &other.aside)
    }

    fn of_other_work(&self, other: &Self, capital: bool) -> bool {
        let known = |post: &Self| {
            post.subject
                .as_ref()
                .is_none_or(|what| !groups("sub_", what).is_empty())
        };
        if !known(self) || !known(other) {
            return false;
        }
        let work = |head: &str| {
            let table = roles();
            let kind = table
                .under("post_")
                .find(|(_, list)| list.iter().any(|own| stem(own) == head));
            kind.map(|(name, _)| name)
        };
        let (Some(own), Some(held)) = (work(&self.head), work(&other.head)) else {
            return false;
        };
        let told = self.rung.is_some() || self.subject.is_some() || self.alone;
        let loose = |kind: &str| LOOSE.contains(&kind);
        let all = |post: &Self| {
            let subject = post.subject.iter().flat_map(|text| text.split(' '));
            subject
                .chain([post.head.as_str()])
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let shared = all(self).iter().any(|a| {
            all(other).iter().any(|b| {
                let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
                a == b || common >= SHARED
            })
        });
        own != held && told && !shared && (capital || !loose(own) && !loose(held))
    }
}
