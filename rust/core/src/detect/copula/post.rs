//! "is a Senior Developer" of a junior one, "is the Head of Product" of who heads Engineering.

use crate::claims::SentenceView;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::{kinds, roles};
use crate::normal::stem;
use crate::types::Span;

use super::{as_said, folded, groups, span_of, words};

/// Letters by which a word and what is derived from it are the same ("engineer", "engineering").
const SHARED: usize = 5;
/// Kinds of work that go beside others, or are said of many who do them now and then.
const LOOSE: [&str; 3] = ["teaching", "advising", "leading"];

/// The name of a post: "Senior Backend Developer", "Head of Product".
struct Post {
    head: String,
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
    if !said.excludes(&held, capital, titled) {
        return None;
    }
    Some((span, Some(as_said(view.at(span), own))))
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
        let told =
            self.rung.is_some() || self.subject.is_some() || kinds().has("alone", &self.head);
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
