//! Names that stand only in the values of facts: nobody's entity, and yet not unknown.

use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;

use super::base::{Base, QUALIFIER_BYTES, Section, hash, u32_at, u64_at};

/// Most words of a name.
const WORDS: usize = 5;
/// Words that names hold inside, small.
const CONNECTORS: [&str; 12] = [
    "of", "the", "de", "da", "del", "der", "den", "di", "la", "le", "van", "von",
];

/// Hashes of the names in values, each with the entity whose fact holds it.
#[derive(Debug, Clone, Default)]
pub(super) struct HeldNames {
    sorted: Vec<(u64, u32)>,
}

impl HeldNames {
    /// The names in texts of facts, each given with its entity: short texts as a whole, and every
    /// run of capitalised words inside longer ones ("worked with Gabriel Lippmann in Paris").
    pub(super) fn of<'a>(texts: impl Iterator<Item = (u32, &'a str)>) -> Self {
        let mut sorted = Vec::new();
        for (id, text) in texts {
            let words: Vec<&str> = text.split_whitespace().collect();
            if words.len() <= WORDS {
                sorted.push((hash(&fold_name(text)), id));
            }
            if words.len() > 1 {
                runs(&words, &mut |name| {
                    sorted.push((hash(&fold_name(name)), id));
                });
            }
        }
        sorted.sort_unstable();
        sorted.dedup();
        sorted.shrink_to_fit();
        Self { sorted }
    }

    /// Entities whose facts hold the name.
    pub(super) fn holders(&self, name: &str) -> impl Iterator<Item = u32> {
        let wanted = hash(&fold_name(name));
        let first = self.sorted.partition_point(|(hash, _)| *hash < wanted);
        self.sorted[first..]
            .iter()
            .take_while(move |(hash, _)| *hash == wanted)
            .map(|(_, id)| *id)
    }
}

impl Base {
    /// Entities whose facts hold the name as, or inside, a value; gathered when first asked for.
    pub(super) fn holding(&self, name: &str) -> impl Iterator<Item = u32> {
        let all = || (0..self.entities).flat_map(|id| self.texts(id).map(move |text| (id, text)));
        self.held.get_or_init(|| HeldNames::of(all())).holders(name)
    }

    /// Words that values and qualifiers of an entity consist of.
    fn texts(&self, id: u32) -> impl Iterator<Item = &str> {
        let word = |bytes: &[u8], at: usize| {
            matches!(u32_at(bytes, at)?, 0 | 3 | 5)
                .then(|| u64_at(bytes, at + 4))
                .flatten()
                .and_then(|a| self.string(u32::try_from(a).ok()?))
        };
        let table = self.section(Section::Qualifiers);
        let held = table.len() / QUALIFIER_BYTES;
        self.stored(id).flat_map(move |(bytes, _)| {
            let (start, count) = (
                u32_at(bytes, 36).unwrap_or(0) as usize,
                u32_at(bytes, 40).unwrap_or(0) as usize,
            );
            let more = (start..start.saturating_add(count).min(held))
                .filter_map(move |i| word(table, i * QUALIFIER_BYTES + 4));
            word(bytes, 4).into_iter().chain(more)
        })
    }
}

/// Every stretch of capitalised words, connectors inside, that no mark parts.
fn runs(words: &[&str], sink: &mut dyn FnMut(&str)) {
    let capital = |word: &str| bare(word).starts_with(char::is_uppercase);
    for start in 0..words.len() {
        if !capital(words[start]) {
            continue;
        }
        for end in start..words.len().min(start + WORDS) {
            let word = words[end];
            if capital(word) {
                let name = words[start..=end].join(" ");
                let name = bare(&name);
                // "The", "In" and the like open sentences.
                if end > start || !class(&fold_name(name)).has(WordClass::STOPWORD) {
                    sink(name);
                }
            } else if !CONNECTORS.contains(&word) {
                break;
            }
            let initial = word.ends_with('.') && word.chars().count() <= 3;
            if word.ends_with([',', ';', ':', ')', '.', '!', '?']) && !initial {
                break;
            }
        }
    }
}

fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    ["'s", "’s"]
        .iter()
        .find_map(|end| word.strip_suffix(end))
        .unwrap_or(word)
}
