//! Reference marks: `[1]`, `[^note]`, `(Smith 2020)`, `Smith (2020)`, `REF-012`, DOIs.

use std::sync::OnceLock;

use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;
use regex_automata::{Anchored, Input};

use crate::segment::brackets::{self, Kind};
use crate::types::{Citation, Span};

/// Unbounded repeats, since a count multiplies what has to be compiled at the first mark (30 ms);
/// [`LONGEST`] bounds them.
const MARKS: [&str; 6] = [
    // [1], [1, 2], [^note], [Smith 2020]
    r"\[(\^?[A-Za-z0-9][A-Za-z0-9_.:, \-–]{0,40})\]",
    // (Smith 2020), (Smith & Jones, 2020a), (Smith et al., 2020)
    r"\((\p{Lu}[\p{L}'’\-]+(?:(?: and | & |, )\p{Lu}[\p{L}'’\-]+){0,4}(?: et al\.?)?),? ([12][0-9]{3})[a-z]?\)",
    // REF-012
    r"\b(REF-[0-9]{1,6})\b",
    // DOI
    r"\b(10\.[0-9]{4,9}/[^\s\]\)>,;]+)",
    // (2020), behind the names of its authors
    r"\(([12][0-9]{3})[a-z]?\)",
    // <sup>1</sup>, <sup>[1]</sup>
    r"<sup>(\[?\^?[0-9]{1,3}(?:[,–-] ?[0-9]{1,3})*\]?)</sup>",
];

/// Parts of words by which a sentence speaks of research; a name and a year are a citation there,
/// and elsewhere a film, a match or a year of birth.
const RESEARCH: [&str; 16] = [
    "stud",
    "research",
    "review",
    "trial",
    "evidence",
    "literature",
    "survey",
    "experiment",
    "found",
    "finds",
    "show",
    "report",
    "argu",
    "suggest",
    "e.g.",
    "see ",
];

/// The authors in front of a year in brackets at byte `end`, and where their names begin: "Walker",
/// "Walker and Ross", "Walker et al."; none in a text that does not speak of research.
fn authors_before(text: &str, end: usize) -> Option<(usize, Vec<String>)> {
    let lower = text.to_lowercase();
    let mut before = text[..end].trim_end();
    let several = [" et al.", " et al"]
        .iter()
        .find_map(|et| before.strip_suffix(et));
    if several.is_none() && !RESEARCH.iter().any(|part| lower.contains(part)) {
        return None;
    }
    before = several.unwrap_or(before);
    let last = |text: &str| {
        let start = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let start = start + text[start..].find(|c| !matches!(c, '(' | '[' | '"' | '“'))?;
        let name = &text[start..];
        let mut letters = name.chars();
        let named = letters.next().is_some_and(char::is_uppercase)
            && name.chars().count() > 2
            && letters.all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
            && name.chars().any(char::is_lowercase);
        named.then(|| (start, name.to_owned()))
    };
    let (mut start, name) = last(before)?;
    let mut authors = vec![name];
    let joined = text[..start].trim_end();
    let first = [" and", " &"]
        .iter()
        .find_map(|and| joined.strip_suffix(and));
    if let Some((at, name)) = first.and_then(last) {
        start = at;
        authors.insert(0, name);
    }
    // "Blue Marsh (1948)": a title, or a name in full.
    let word = text[..start].split_whitespace().next_back().unwrap_or("");
    let titled =
        word.chars().next().is_some_and(char::is_uppercase) && text[..start].trim() != word;
    (!titled).then_some((start, authors))
}

fn marks() -> Option<&'static Regex> {
    static REGEX: OnceLock<Option<Regex>> = OnceLock::new();
    REGEX.get_or_init(|| Regex::new_many(&MARKS).ok()).as_ref()
}

/// Whether the text has what every mark of one kind has; few sentences do.
fn may_have_marks(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has = |part: &str| text.contains(part);
    bytes.iter().enumerate().any(|(i, b)| match b {
        b']' => has("["),
        // "2020)", "2020a)"
        b')' => {
            let year = match &bytes[..i] {
                [year @ .., b'a'..=b'z'] => year,
                year => year,
            };
            year.last().is_some_and(u8::is_ascii_digit) && has("(")
        }
        b'-' => bytes[..i].ends_with(b"REF"),
        b'/' => has("10."),
        b'>' => has("<sup>"),
        _ => false,
    })
}

/// No mark is longer, bytes.
const LONGEST: usize = 1024;

/// The matches one after the other. Each mark has a beginning of its own, so that only there one is
/// looked for.
fn found(regex: &Regex, text: &str) -> Vec<Captures> {
    let mut all = Vec::new();
    let mut captures = regex.create_captures();
    let mut at = 0;
    while let Some(offset) = text[at..].find(['[', '(', '<', 'R', '1']) {
        let start = at + offset;
        at = start + 1;
        let rest = &text[start..];
        if rest.starts_with('R') && !rest.starts_with("REF-")
            || rest.starts_with('1') && !rest.starts_with("10.")
        {
            continue;
        }
        let mut end = text.len().min(start + LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let input = Input::new(text).range(start..end).anchored(Anchored::Yes);
        regex.search_captures(&input, &mut captures);
        if let Some(whole) = captures.get_match() {
            at = whole.end();
            all.push(captures.clone());
        }
    }
    all
}

/// Reference marks in a text that starts at byte `base` of the stream.
#[must_use]
pub fn citations(text: &str, base: usize) -> Vec<Citation> {
    if !may_have_marks(text) {
        return Vec::new();
    }
    let Some(regex) = marks() else {
        return Vec::new();
    };
    let group =
        |captures: &Captures, i: usize| captures.get_group(i).map(|span| &text[span.range()]);
    found(regex, text)
        .iter()
        .filter_map(|captures| {
            let whole = captures.get_match()?;
            let span = Span::new(base + whole.start(), base + whole.end());
            let raw = text[whole.range()].to_owned();
            let first = group(captures, 1)?;
            let mut citation = Citation {
                raw,
                span,
                key: None,
                authors: Vec::new(),
                year: None,
                doi: None,
                evidence_ref: None,
            };
            match whole.pattern().as_usize() {
                4 => {
                    let (start, authors) = authors_before(text, whole.start())?;
                    citation.span = Span::new(base + start, base + whole.end());
                    text[start..whole.end()].clone_into(&mut citation.raw);
                    citation.key = Some(format!("{}{first}", authors[0].to_lowercase()));
                    citation.authors = authors;
                    citation.year = first.parse().ok();
                }
                0 => {
                    let key = first.trim_start_matches('^').trim();
                    // "[a list, of words]" is no mark: a key is a number, a note or one word.
                    let numbers = key
                        .split([',', '-', '–', ' '])
                        .filter(|part| !part.is_empty());
                    let numeric = numbers
                        .clone()
                        .all(|part| part.bytes().all(|b| b.is_ascii_digit()));
                    let read = brackets::read(text, whole.start())?;
                    // A key of letters and digits ("[doc1]") stands by itself.
                    let cites = matches!(read.kind, Kind::Mark | Kind::Aside)
                        && key.bytes().any(|b| b.is_ascii_digit());
                    if !cites && !first.starts_with('^') {
                        return None;
                    }
                    if numeric {
                        let index = numbers.clone().next()?.parse::<u32>().ok();
                        citation.evidence_ref = index.and_then(|n| n.checked_sub(1));
                    }
                    citation.key = Some(key.to_owned());
                }
                1 => {
                    let year = group(captures, 2)?;
                    citation.authors = first
                        .trim_end_matches('.')
                        .trim_end_matches(" et al")
                        .split([',', '&'])
                        .flat_map(|part| part.split(" and "))
                        .map(|name| name.trim().to_owned())
                        .filter(|name| !name.is_empty())
                        .collect();
                    citation.year = year.parse().ok();
                    let author = citation.authors.first()?;
                    citation.key = Some(format!("{}{year}", author.to_lowercase()));
                }
                2 => citation.key = Some(first.to_owned()),
                5 => citation.key = Some(first.trim_matches(['[', ']', '^']).to_owned()),
                _ => citation.doi = Some(first.trim_end_matches('.').to_owned()),
            }
            Some(citation)
        })
        .collect()
}
