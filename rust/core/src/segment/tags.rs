//! HTML tags: markup, of which nothing is a word, a number or a mark.
//!
//! From "<" on, characters are held until they are a tag or can be none. A tag ends the word before
//! it and leaves nothing; one that parts texts counts as an empty line. What is no tag is read as if
//! it had never been held.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{Segmenter, Sink};
use crate::types::SentenceKind;

/// Bytes of a tag, at most.
const MAX_TAG: usize = 512;

/// The names of tags, and whether one parts the text before it from the text behind it.
static TAGS: LazyLock<FxHashMap<&'static str, bool>> = LazyLock::new(|| {
    table!("tags.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .flat_map(|(class, names)| names.split(';').map(move |name| (name, class == "apart")))
        .collect()
});

/// What may become a tag.
#[derive(Debug, Clone, Default)]
pub(super) struct Tag {
    pub text: String,
    at: usize,
}

/// How a text that begins with "<" stands to a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// It may become one.
    Open,
    /// It is one; whether it parts texts.
    Tag(bool),
    /// It is none.
    No,
}

fn reading(text: &str) -> Reading {
    let body = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    let closing = text.starts_with("</");
    let size = body.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, rest) = body.split_at(size);
    if rest.is_empty() {
        let starts = name.is_empty() || name.starts_with(|c: char| c.is_ascii_alphabetic());
        return if starts && size <= 10 {
            Reading::Open
        } else {
            Reading::No
        };
    }
    let Some(&apart) = TAGS.get(name.to_ascii_lowercase().as_str()) else {
        return Reading::No;
    };
    let (rest, ended) = rest
        .strip_suffix('>')
        .map_or((rest, false), |rest| (rest, true));
    let inner = rest.trim();
    let key = inner.split('=').next().unwrap_or("").trim_end();
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    let attributes = rest.starts_with(char::is_whitespace)
        && !closing
        && key.chars().all(letters)
        && (!ended || inner.contains('='));
    // "a<b > 60": a space behind a single letter is no way to write a tag.
    let compared = ended && inner.is_empty() && !rest.is_empty() && size == 1 && !closing;
    if compared || !(inner.is_empty() || inner == "/" && !closing || attributes) {
        Reading::No
    } else if ended {
        Reading::Tag(apart)
    } else {
        Reading::Open
    }
}

impl Segmenter {
    /// Whether what was read last may be the beginning of a tag.
    pub(super) const fn in_tag(&self) -> bool {
        !self.tag.text.is_empty()
    }

    /// Reads `c`, which is "<" or stands in what may be a tag.
    pub(super) fn markup(&mut self, c: char, at: usize, sink: &mut Sink<'_>) {
        if !self.in_tag() {
            let code = self.sent.open && self.sent.kind == SentenceKind::Code
                || self.sent.fence.is_some()
                || self.lex.inline_code;
            if c != '<' || code {
                return self.step(c, at, sink);
            }
            self.tag.text.push(c);
            self.tag.at = at;
            return;
        }
        if matches!(c, '<' | '\n' | '\r') || self.tag.text.len() >= MAX_TAG {
            self.no_tag(sink);
            return self.markup(c, at, sink);
        }
        self.tag.text.push(c);
        match reading(&self.tag.text) {
            Reading::Open => {}
            Reading::No => self.no_tag(sink),
            Reading::Tag(apart) => {
                self.tag.text.clear();
                let start = self.tag.at;
                if apart {
                    self.step('\n', start, sink);
                    self.step('\n', start, sink);
                } else {
                    self.settle(sink);
                }
            }
        }
    }

    /// Reads what was held; it is no tag.
    pub(super) fn no_tag(&mut self, sink: &mut Sink<'_>) {
        let text = std::mem::take(&mut self.tag.text);
        for (i, c) in text.char_indices() {
            self.step(c, self.tag.at + i, sink);
        }
        self.tag.text = text;
        self.tag.text.clear();
    }
}

/// The tags of a text: from where to where each stands.
fn tags(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    text.match_indices('<').filter_map(move |(at, _)| {
        let end = at + text[at..].find('>')? + 1;
        matches!(reading(&text[at..end]), Reading::Tag(_)).then_some((at, end))
    })
}

/// Whether a text holds an HTML tag.
#[must_use]
pub fn has_tag(text: &str) -> bool {
    text.contains('<') && tags(text).next().is_some()
}

/// A text without the HTML tags in it.
#[must_use]
pub fn untagged(text: &str) -> Cow<'_, str> {
    if !has_tag(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, end) in tags(text) {
        out.push_str(&text[from..at]);
        from = end;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}
