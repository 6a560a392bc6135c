//! E-mail addresses, web addresses and phone numbers in a text, in the form in which two of them are
//! compared.

use std::sync::Arc;

use super::passage::PassageIndex;
use crate::lexicon::tables::frames;
use crate::types::Span;

/// Digits of a phone number, least and most (E.164 allows 15).
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// Bytes before a number in which a word may call it one to be phoned.
const CALLED_WITHIN: usize = 40;
/// The number under which a passage's addresses are kept: that of no sentence.
const WHOLE: u32 = u32::MAX;

/// Of which sort an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressKind {
    /// "info@example.org"
    Mail,
    /// "https://www.example.org/contact", "example.org"
    Web,
    /// "+47 22 33 44 55"
    Phone,
}

/// An address in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Its sort.
    pub kind: AddressKind,
    /// Where it stands, bytes.
    pub span: Span,
    /// Lower case, without scheme, `www.` and a slash at the end; of a phone number its digits without
    /// the zeros it begins with.
    pub normal: String,
    /// A number that is called one to be phoned, or is written as one between countries.
    pub called: bool,
}

/// What parts the words in which addresses are looked for.
fn parts(c: char) -> bool {
    c.is_whitespace() || "()<>[]{}|\"“”„‘’,;".contains(c)
}

/// All addresses of a text, in order; mail and web addresses first.
#[must_use]
pub fn addresses(text: &str) -> Vec<Address> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    // A stop that ends a sentence is in no address.
    let inside = |two: &[u8]| two[0] == b'.' && (two[1].is_ascii_alphanumeric() || two[1] == b'-');
    if bytes.contains(&b'@') || bytes.windows(2).any(inside) {
        let mut at = 0;
        for word in text.split_inclusive(parts) {
            if word.contains(['@', '.']) {
                found.extend(address(word.trim_end_matches(parts), at));
            }
            at += word.len();
        }
    }
    if bytes.iter().filter(|b| b.is_ascii_digit()).count() >= *DIGITS.start() {
        phones(text, &mut found);
    }
    found
}

fn address(word: &str, at: usize) -> Option<Address> {
    let marks = ['*', '_', '~', '`', '\''];
    let trimmed = word.trim_start_matches(marks);
    let start = at + word.len() - trimmed.len();
    let own = trimmed.trim_end_matches(['.', ':', '!', '?', '*', '_', '~', '`', '\'']);
    let span = Span::new(start, start + own.len());
    let lower = own.to_ascii_lowercase();
    let (kind, normal) = if let Some(mail) = mail(&lower) {
        (AddressKind::Mail, mail.to_owned())
    } else {
        (AddressKind::Web, web(&lower)?)
    };
    Some(Address {
        kind,
        span,
        normal,
        called: false,
    })
}

fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let top = host.rsplit('.').next().unwrap_or_default();
    host.contains('.')
        && host.split('.').all(label)
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_alphabetic())
}

fn mail(word: &str) -> Option<&str> {
    let word = word.strip_prefix("mailto:").unwrap_or(word);
    let (name, host) = word.split_once('@')?;
    let own = |b: u8| b.is_ascii_alphanumeric() || b"._%+-".contains(&b);
    (!name.is_empty() && name.bytes().all(own) && is_host(host)).then_some(word)
}

fn web(word: &str) -> Option<String> {
    let bare = word
        .strip_prefix("https://")
        .or_else(|| word.strip_prefix("http://"));
    let rest = bare.unwrap_or(word);
    let named = rest.strip_prefix("www.");
    let said = bare.is_some() || named.is_some();
    let rest = named.unwrap_or(rest);
    let rest = rest.split_once('#').map_or(rest, |(page, _)| page);
    let end = rest.find(['/', '?', ':']).unwrap_or(rest.len());
    let host = &rest[..end];
    let top = host.rsplit('.').next().unwrap_or_default();
    (is_host(host) && (said || frames().has("web_top", top)))
        .then(|| rest.trim_end_matches('/').to_owned())
}

fn phones(text: &str, found: &mut Vec<Address>) {
    let bytes = text.as_bytes();
    let own = |b: u8| b.is_ascii_digit() || b" -./()+".contains(&b) || b == b'\t';
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_digit() || bytes[at] == b'+' || bytes[at] == b'(') {
            at += 1;
            continue;
        }
        let mut end = at;
        // What its digits may stand apart by; a plus begins another.
        while end < bytes.len() && own(bytes[end]) {
            if bytes[end] == b'+' && end > at {
                break;
            }
            end += 1;
        }
        let run = text[at..end].trim_end_matches(|c: char| !c.is_ascii_digit());
        // "+44 (0)20 7946 0991": the zero is only dialled at home.
        let dialled = run.replacen("(0)", "", 1);
        let digits = dialled.bytes().filter(u8::is_ascii_digit);
        let before = text[..at].chars().next_back();
        let joined =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "/@#=€$£".contains(c));
        let normal: String = digits.map(char::from).collect();
        let after = text[at + run.len()..].chars().next();
        let counted = is_grouped(run) || holds_date(run);
        if DIGITS.contains(&normal.len()) && !counted && !joined(before) && !joined(after) {
            let mut start = at.saturating_sub(CALLED_WITHIN);
            while !text.is_char_boundary(start) {
                start += 1;
            }
            found.push(Address {
                kind: AddressKind::Phone,
                span: Span::new(at, at + run.len()),
                called: run.starts_with('+') || is_called(&text[start..at]),
                normal: normal.trim_start_matches('0').to_owned(),
            });
        }
        at = end.max(at + 1);
    }
}

fn groups(run: &str) -> impl Iterator<Item = &str> {
    run.split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty())
}

/// "10 000 000", which counts something; a number to be phoned seldom has its digits so.
#[must_use]
pub fn is_grouped(run: &str) -> bool {
    let plain = run
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b' ' || b == b'.');
    let mut groups = groups(run);
    let first = groups.next().unwrap_or("");
    let behind: Vec<&str> = groups.collect();
    plain
        && !first.starts_with('0')
        && first.len() <= 3
        && !behind.is_empty()
        && behind.iter().all(|group| group.len() == 3)
}

/// Whether a day stands in it ("2024-05-01", "1.5.2024").
fn holds_date(run: &str) -> bool {
    let groups: Vec<&str> = groups(run).collect();
    let part = |text: &str, most: u32| {
        text.len() <= 2 && text.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n))
    };
    let year = |text: &str| text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    groups.windows(3).any(|three| match three {
        [y, m, d] if year(y) => part(m, 12) && part(d, 31),
        [a, b, y] if year(y) => part(a, 31) && part(b, 12) || part(a, 12) && part(b, 31),
        _ => false,
    })
}

/// Whether the last words of a text call what follows a number to be phoned.
#[must_use]
pub fn is_called(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let calls = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| !word.is_empty() && frames().has("phoned", &word.to_lowercase()))
    };
    for word in line.split_whitespace().rev() {
        if calls(word) {
            return true;
        }
        // "tel." is one of them; any other stop ends what is said of the number.
        if word.ends_with(['.', ';', '!', '?']) {
            return false;
        }
    }
    false
}

/// The addresses of a passage.
struct Listed(Vec<Address>);

impl PassageIndex {
    fn addresses(&self) -> Arc<Listed> {
        self.reading(WHOLE, || Listed(addresses(self.text())))
    }

    /// Whether the digits are part of a phone number that the passage has.
    #[must_use]
    pub fn has_in_phone(&self, digits: &str) -> bool {
        let own = digits.trim_start_matches('0');
        !own.is_empty()
            && (self.addresses().0.iter())
                .any(|one| one.kind == AddressKind::Phone && one.normal.contains(own))
    }

    /// Whether the passage has the address: the same or a longer one of the same page; a host also
    /// where somebody there has mail; a phone number with or without the country's.
    #[must_use]
    pub fn has_address(&self, said: &Address) -> bool {
        let same = |own: &Address| match (said.kind, own.kind) {
            (AddressKind::Web, AddressKind::Web) => own
                .normal
                .strip_prefix(said.normal.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', ':'])),
            (AddressKind::Web, AddressKind::Mail) => {
                own.normal.split_once('@').is_some_and(|(_, host)| {
                    let of = host.strip_suffix(said.normal.as_str());
                    of.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
                })
            }
            (AddressKind::Mail, AddressKind::Mail) => own.normal == said.normal,
            (AddressKind::Phone, AddressKind::Phone) => {
                let (long, short) = if own.normal.len() < said.normal.len() {
                    (&said.normal, &own.normal)
                } else {
                    (&own.normal, &said.normal)
                };
                long.ends_with(short.as_str())
            }
            _ => false,
        };
        self.addresses().0.iter().any(same)
    }
}
