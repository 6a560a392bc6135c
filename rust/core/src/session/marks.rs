//! What looks like a gap in the text and stands there as it is meant: in code, in a link, or named
//! as the mark it is. Only what stands before the byte that decided a match is read, so that cuts
//! do not matter.

use super::Session;
use crate::claims::SentenceView;
use crate::lexicon::tables::frames;
use crate::patterns::{Rule, RuleMatch};
use crate::types::{Quantity, SentenceKind, Span};

/// Bytes before a match that are looked at.
const REACH: usize = 400;
/// Words before a mark that may say that it is one.
const WORDS: usize = 3;
/// Words beside the numbers of an answer that is a value.
const FEW: usize = 2;
/// Elements of HTML that hold code.
const ELEMENTS: [&str; 4] = ["code", "pre", "kbd", "samp"];

impl Session {
    /// What the sentence that is being written is part of, if one is.
    #[must_use]
    pub fn open_kind(&self) -> Option<SentenceKind> {
        self.state.open_kind()
    }

    /// Whether what comes next stands in a code fence.
    #[must_use]
    pub const fn in_fence(&self) -> bool {
        self.state.in_fence()
    }

    /// Reports the marks among `waiting` by which an editor asks for a source ("[citation needed]"), but
    /// those of a sentence that is `sourced`, and behind the full stop of one that was.
    pub(super) fn judge_needed(
        &mut self,
        view: &SentenceView<'_>,
        sourced: bool,
        waiting: &mut Vec<RuleMatch>,
    ) {
        let asks =
            |found: &RuleMatch| self.monitor.rules().rule(found.rule).kind == "invented_citation";
        let (needed, rest) = waiting.iter().copied().partition::<Vec<_>, _>(asks);
        if !needed.is_empty() {
            *waiting = rest;
        }
        let sourced = sourced || !needed.is_empty() && self.holds_numbers(view);
        let before = std::mem::replace(&mut self.state.sourced, sourced);
        for mut found in needed {
            found.decided_at = view.sentence.decided_at;
            let opens = view.at(Span::new(view.sentence.span.start, found.span.start));
            let met = if opens.trim().is_empty() {
                before
            } else {
                sourced
            };
            if !met && !self.state.is_forced(found.span) {
                self.rule_matched(found);
            }
        }
    }

    /// Whether a sentence says little more than numbers that the evidence has ("45 employees [citation needed]").
    fn holds_numbers(&self, view: &SentenceView<'_>) -> bool {
        let (grounds, numbers) = (self.context.grounds(), view.quantities);
        let known = |q: &Quantity| grounds.knows_quantity(q, view.at(q.span), view.antecedents);
        let passages = self.context.evidence.passages();
        let told = |stem| (passages.iter()).any(|p| !p.data().sentences_with(stem).is_empty());
        let counted = |span: Span| numbers.iter().any(|q| q.span.overlaps(span));
        let mut words = view.content_words().filter(|word| !counted(word.span));
        !passages.is_empty()
            && !numbers.is_empty()
            && numbers.iter().all(known)
            && words.by_ref().take(FEW).all(|word| told(word.stem))
            && words.next().is_none()
    }

    /// Whether what a rule takes for a placeholder is none.
    pub(super) fn is_meant(&self, rule: &Rule, found: &RuleMatch) -> bool {
        let cites = rule.kind == "invented_citation";
        if !cites && rule.kind != "placeholder" {
            return false;
        }
        let before = self.text.before(found.span.start, REACH);
        // Code shows with made-up names and numbers how it is used.
        if self.state.in_code || in_code(before) {
            return true;
        }
        let text = self.text.get(found.span);
        let after = Span::new(found.span.end, found.decided_at);
        if text.starts_with(['[', '{']) && is_bound(text, line(before)) {
            return true;
        }
        if cites {
            return is_named(line(before), self.text.get(after));
        }
        let bracket = text.starts_with('[');
        bracket && (is_pressed(text, line(before)) || is_quoted(text, line(before)))
            || shows_form(line(before))
            || self.explains(found.span)
            || self.holds_words(text)
    }
}

/// What stands before on the same line.
fn line(before: &str) -> &str {
    before.rsplit('\n').next().unwrap_or(before)
}

/// Whether code is open behind `before`: a span, an element, a line of a console, or a line that
/// is set in.
fn in_code(before: &str) -> bool {
    let line = line(before);
    spanned(line) || in_element(before) || set_in(line) || {
        let line = line.trim_start();
        frames().listed("console").iter().any(|head| {
            line.get(..head.len())
                .is_some_and(|own| own.eq_ignore_ascii_case(head))
        })
    }
}

/// Whether a run of backticks is open: it closes with a run of the same length.
fn spanned(line: &str) -> bool {
    let mut open = None;
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let run = rest[at..].bytes().take_while(|&b| b == b'`').count();
        open = match open {
            None => Some(run),
            Some(known) if known == run => None,
            known => known,
        };
        rest = &rest[at + run..];
    }
    open.is_some()
}

fn in_element(before: &str) -> bool {
    ELEMENTS.iter().any(|name| {
        let opens = before.rmatch_indices('<').find(|(at, _)| {
            let tag = before[at + 1..].strip_prefix(name);
            tag.is_some_and(|rest| rest.starts_with(['>', ' ']))
        });
        opens.is_some_and(|(at, _)| !before[at..].contains(&format!("</{name}")))
    })
}

/// Whether the line is set in as code is, and no item of a list.
fn set_in(line: &str) -> bool {
    let words = line.trim_start();
    let item = words.starts_with(['-', '*', '+', '•', '–'])
        || words.starts_with(|c: char| c.is_ascii_digit());
    (line.starts_with("    ") || line.starts_with('\t')) && !item
}

/// Whether what stands right before a bracket makes it part of something else: a link's label
/// (`[text][source]`), an index (`rows[i][ref]`), an image, an attribute, a bracket in brackets.
fn is_bound(text: &str, line: &str) -> bool {
    let word = !text.contains(' ');
    if line.ends_with(['[', '!', '#', '@', '\\', '&', '$', '{'])
        || word && line.ends_with(']')
        || word && line.ends_with("] ")
    {
        return true;
    }
    // "y = [ref] - x", "Ctrl+[Insert]".
    if line.trim_end().ends_with(['=', '+', '<']) {
        return true;
    }
    let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let own = &line[start..];
    let inside = own.trim_matches(|c: char| !c.is_alphanumeric());
    // An identifier, as code has them.
    own.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        && (own.contains('_') || inside.contains(['.', '/', '=']))
}

/// Whether a mark is spoken of: in quotation marks of its own, or behind a word for marks.
fn is_named(line: &str, after: &str) -> bool {
    let quotes = ['"', '“', '”', '‘', '’', '\'', '«', '»'];
    if line.ends_with(quotes) && after.starts_with(quotes) {
        return true;
    }
    let words = line.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| !word.is_empty()).rev().take(WORDS);
    let known = frames().listed("marked");
    words
        .into_iter()
        .any(|word| known.iter().any(|own| word.eq_ignore_ascii_case(own)))
}

/// Whether a bracket holds what is on a key or a button: a verb for those stands before it, or
/// before others that it follows ("Click [File] and then [Your orders]").
fn is_pressed(text: &str, line: &str) -> bool {
    let own = text
        .get(1..5)
        .is_some_and(|head| head.eq_ignore_ascii_case("your"));
    let table = frames();
    let mut rest = line;
    loop {
        rest = rest.trim_end_matches(|c: char| {
            c.is_whitespace() || matches!(c, '>' | '→' | '»' | '›' | ',' | '"' | '“' | '*' | '_')
        });
        if let Some(inner) = rest.strip_suffix(']') {
            match inner.rfind('[') {
                Some(at) => rest = &inner[..at],
                None => return false,
            }
            continue;
        }
        let start = rest
            .rfind(|c: char| !c.is_alphanumeric() && c != '-')
            .map_or(0, |at| {
                at + rest[at..].chars().next().map_or(1, char::len_utf8)
            });
        let word = rest[start..].to_lowercase();
        if table.has("pressed", &word) || own && table.has("picked", &word) {
            return true;
        }
        if word.is_empty() || !table.has("beside_key", &word) {
            return false;
        }
        rest = &rest[..start];
    }
}

/// Whether a bracket with "the" is what an editor put into a quotation ("“He confirmed [the date]").
fn is_quoted(text: &str, line: &str) -> bool {
    let own = text
        .get(1..5)
        .is_some_and(|head| head.eq_ignore_ascii_case("the "));
    let curly = line.matches('“').count() > line.matches('”').count();
    own && (curly || line.matches('"').count() % 2 == 1)
}

/// Whether the words right before say how something is written ("in the form $XX.XX").
fn shows_form(line: &str) -> bool {
    let own = line.rfind(['.', '!', '?', ';']).map_or(0, |at| at + 1);
    let words = line[own..].rsplit(|c: char| !c.is_alphabetic());
    let mut words = words.filter(|word| !word.is_empty()).take(WORDS);
    words.any(|word| frames().has("notated", &word.to_lowercase()))
}
