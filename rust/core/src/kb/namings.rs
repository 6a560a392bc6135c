//! Names and abbreviations of one thing: "US" and "United States of America", "R&D" and "research
//! and development", "CTO" and "chief technology officer".

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::normal::fold;

/// One way to name a thing.
struct Naming {
    /// Its words; with a capital as they are written, else folded.
    words: Vec<String>,
    /// It counts only where it is all that is said.
    whole: bool,
    /// The word that stands for the thing.
    thing: &'static str,
}

/// Words beside a name that is all that is said.
const BESIDE: [&str; 12] = [
    "the",
    "a",
    "an",
    "in",
    "at",
    "of",
    "from",
    "to",
    "our",
    "department",
    "team",
    "division",
];

/// Namings by their first word, the longest first.
static NAMINGS: LazyLock<FxHashMap<String, Vec<Naming>>> = LazyLock::new(|| {
    let mut all: FxHashMap<String, Vec<Naming>> = FxHashMap::default();
    let read = |word: &str| {
        let mut folded = String::new();
        fold(word, &mut folded);
        if word.contains(char::is_uppercase) {
            word.to_owned()
        } else {
            folded
        }
    };
    let rows = table!("namings.tsv").lines();
    for line in rows.filter(|line| !line.starts_with('#')) {
        let Some((thing, list)) = line.split_once('\t') else {
            continue;
        };
        for name in list.split(';') {
            let bare = name.strip_prefix('=');
            let words: Vec<String> = bare.unwrap_or(name).split(' ').map(read).collect();
            all.entry(words[0].clone()).or_default().push(Naming {
                words,
                whole: bare.is_some(),
                thing,
            });
        }
    }
    for own in all.values_mut() {
        own.sort_by_key(|naming| std::cmp::Reverse(naming.words.len()));
    }
    all
});

/// A word of a text: as written, without points and the marks around it, and folded.
struct Piece {
    written: String,
    folded: String,
}

impl Piece {
    fn of(text: &str) -> Self {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = if bare.is_empty() { text } else { bare };
        let mut written = bare.replace('.', "");
        for end in ["'s", "’s"] {
            if let Some(name) = written.strip_suffix(end) {
                written.truncate(name.len());
            }
        }
        let mut folded = String::new();
        fold(&written, &mut folded);
        Self { written, folded }
    }

    fn is(&self, word: &str) -> bool {
        if word.contains(char::is_uppercase) {
            self.written == word
        } else {
            self.folded == word
        }
    }
}

/// Whether a word as written may be the first of a naming.
fn may_begin(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    if bare.contains('.') || !bare.is_ascii() {
        return true;
    }
    let bare = bare.strip_suffix("'s").unwrap_or(bare);
    let mut lower = [0u8; 24];
    let Some(lower) = lower.get_mut(..bare.len()) else {
        return false;
    };
    lower.copy_from_slice(bare.as_bytes());
    lower.make_ascii_lowercase();
    let folded = std::str::from_utf8(lower).unwrap_or("");
    NAMINGS.contains_key(bare) || NAMINGS.contains_key(folded)
}

/// The text with every name of a thing that goes by several put as the one word for it; none where it
/// has no such name. Of a name for two things, the second one in another `turn`.
fn in_one_name(text: &str, turn: usize) -> Option<String> {
    if !text.split_whitespace().any(may_begin) {
        return None;
    }
    let pieces: Vec<Piece> = text.split_whitespace().map(Piece::of).collect();
    let mut out = String::new();
    let (mut at, mut found) = (0, false);
    while let Some(piece) = pieces.get(at) {
        let keys = [piece.written.as_str(), piece.folded.as_str()];
        let known = keys.iter().filter_map(|key| NAMINGS.get(*key)).flatten();
        let mut known = known.filter(|naming| {
            let end = at + naming.words.len();
            let own = pieces.get(at..end).unwrap_or(&[]);
            let here = !own.is_empty() && own.iter().zip(&naming.words).all(|(p, w)| p.is(w));
            let mut beside = pieces[..at].iter().chain(pieces.get(end..).unwrap_or(&[]));
            here && (!naming.whole || beside.all(|p| BESIDE.contains(&p.folded.as_str())))
        });
        let first = known.next();
        let naming = known.nth(turn.wrapping_sub(1)).or(first);
        out.push(' ');
        if let Some(naming) = naming {
            found = true;
            out.push_str(naming.thing);
            at += naming.words.len();
        } else {
            out.push_str(&piece.written);
            at += 1;
        }
    }
    found.then_some(out)
}

/// Things that one name may stand for.
const TURNS: usize = 2;

/// Whether two texts are the same, as `same` tells, with every name of a thing put as one.
pub(super) fn otherwise_named(said: &str, value: &str, same: impl Fn(&str, &str) -> bool) -> bool {
    let named = |text: &str| -> Vec<String> {
        let turns = 0..TURNS;
        turns.filter_map(|turn| in_one_name(text, turn)).collect()
    };
    let of = named(value);
    !of.is_empty() && {
        let own = named(said);
        own.iter().any(|said| of.iter().any(|of| same(said, of)))
    }
}

/// Whether two texts are nothing but names of one thing.
pub(crate) fn one_thing(a: &str, b: &str) -> bool {
    otherwise_named(a, b, |a, b| a == b)
}
