//! Yes/no questions, and what their answers say: "Yes.", behind "Is Tom Brandt based in Berlin?", says that he is.

use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::circumstance;

use super::{Things, sentences, words};

/// What "yes" and "no" say in answer to a question.
#[derive(Debug)]
pub(in crate::session) struct Polar {
    pub(in crate::session) yes: String,
    pub(in crate::session) no: String,
}

/// Words of an attribute's name behind "X's", at most.
const ATTRIBUTE: usize = 3;

impl Polar {
    /// Of a question for yes or no about one thing, asked of now and with nothing to choose from.
    pub(super) fn of(question: &str, thing: u32, things: &Things<'_>) -> Option<Self> {
        let mut asking = sentences(question).filter(|text| text.ends_with('?'));
        let (one, other) = (asking.next()?, asking.next());
        if other.is_some() {
            return None;
        }
        // "Hi, is Tom in Berlin?"
        let asked = match one.split_once(", ") {
            Some((greeting, rest)) if words(greeting).count() < 3 => rest,
            _ => one,
        };
        let asked = asked.trim_end_matches(['?', ' ']);
        let (aux, rest) = asked.split_once(' ')?;
        let aux = aux.to_lowercase();
        let chooses = words(asked).any(|word| matches!(&*word.to_lowercase(), "or" | "and"));
        if chooses || asked.contains([',', ';', ':']) {
            return None;
        }
        let (subject, said) = subject_of(rest.trim_start(), thing, things)?;
        let said = said.trim();
        let then = |word: &str| circumstance().has("asked_then", &word.to_lowercase());
        if said.is_empty() || words(said).any(then) {
            return None;
        }
        let past = matches!(&*aux, "was" | "were" | "did");
        let made = |word: &str| circumstance().has("polar_made", &word.to_lowercase());
        // "Was she based in Berlin?" asks of then.
        if past && !said.contains(|c: char| c.is_ascii_digit()) && !words(said).any(made) {
            return None;
        }
        let (subject, yes, no) = match &*aux {
            "is" | "are" | "was" | "were" if subject == "there" => {
                let bare = ["a ", "an ", "any "]
                    .iter()
                    .find_map(|article| said.strip_prefix(article));
                let yes = said.strip_prefix("any ").unwrap_or(said);
                let no = ["no ", bare.unwrap_or(said)].concat();
                (
                    "There".to_owned(),
                    [&aux, " ", yes].concat(),
                    [&aux, " ", &no].concat(),
                )
            }
            "is" | "are" | "was" | "were" | "has" | "have" => {
                let yes = [&aux, " ", said].concat();
                (subject, yes, [&aux, " not ", said].concat())
            }
            "does" => {
                let (base, object) = said.split_once(' ').unwrap_or((said, ""));
                if verb(base) != Some(base) && base != "have" {
                    return None;
                }
                let object = object.strip_prefix("any ").unwrap_or(object);
                let yes = [&third_person(base), " ", object].concat();
                (subject, yes, ["does not ", said].concat())
            }
            "did" => (
                subject,
                ["did ", said].concat(),
                ["did not ", said].concat(),
            ),
            _ => return None,
        };
        Some(Self {
            yes: [&subject, " ", yes.trim_end(), "."].concat(),
            no: [&subject, " ", &no, "."].concat(),
        })
    }
}

/// What a question behind its first word is about, by the base's name, and the rest.
fn subject_of<'t>(text: &'t str, thing: u32, things: &Things<'_>) -> Option<(String, &'t str)> {
    let full = things.kb.name(thing)?;
    if let Some(named) = things.named_first(text) {
        let rest = &text[named..];
        let own = rest
            .strip_prefix("'s ")
            .or_else(|| rest.strip_prefix("’s "));
        let Some(own) = own else {
            return rest.starts_with(' ').then(|| (full.to_owned(), rest));
        };
        // "Is Ada's manager Grace Obi?"
        let ends = own.match_indices(' ').map(|(at, _)| at).take(ATTRIBUTE);
        let of = |end: &usize| {
            let name = own[..*end].replace(' ', "_").to_lowercase();
            let predicates = things.attributes.predicates();
            things.own.names.contains(&name) || predicates.named(&name).is_some()
        };
        let end = ends.filter(of).last()?;
        return Some(([full, "'s ", &own[..end]].concat(), &own[end..]));
    }
    let (first, rest) = text.split_once(' ')?;
    let first = first.to_lowercase();
    let next = words(rest).next()?.to_lowercase();
    // "Are pets allowed at Harbor Loft?"
    let done = verb(&next).is_some_and(|base| base != next) && cue(&first) == Cue::default();
    let whole = things.marked(rest).contains(super::NAME);
    (whole && (first == "there" || done)).then(|| {
        let mut letters = first.chars();
        let subject = match letters.next() {
            Some(initial) if first != "there" => initial.to_uppercase().chain(letters).collect(),
            _ => first.clone(),
        };
        (subject, rest)
    })
}

/// "has", "works", "carries", "teaches".
fn third_person(base: &str) -> String {
    let sibilant = ["s", "sh", "ch", "x", "z", "o"];
    match base.strip_suffix('y') {
        _ if base == "have" => "has".to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => [stem, "ies"].concat(),
        _ if sibilant.iter().any(|end| base.ends_with(end)) => [base, "es"].concat(),
        _ => [base, "s"].concat(),
    }
}
