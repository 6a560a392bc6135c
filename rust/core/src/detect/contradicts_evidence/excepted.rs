//! What a source says of all but one thing: "Pets are not allowed, except guide dogs".

use std::sync::OnceLock;

use crate::claims::SentenceView;
use crate::detect::words_at::Parts;
use crate::evidence::{EvidenceSet, Passage};
use crate::lexicon::contrast::contrast;
use crate::lexicon::denials::side;
use crate::lexicon::tables::otherwise;
use crate::types::Span;

use super::plain::{Word, leaves_open, sided, words};
use super::sources::sources;

/// A sentence that says something of all but what it excepts.
struct Rule {
    /// What it says, with the words that deny as what they deny.
    said: Vec<String>,
    /// Those of them from its verb on.
    verbal: Vec<String>,
    denied: bool,
    /// Stems of what it excepts; none where that is a condition.
    except: Vec<String>,
}

/// The passage and its sentence that says the opposite of this one of all but what it excepts, or
/// excepts just what this one says the same of.
pub(super) fn excepted<'a>(
    view: &SentenceView<'_>,
    evidence: &'a EvidenceSet,
) -> Option<(&'a Passage, Span)> {
    let mut read = None;
    for (source, rule) in sources(evidence, Rule::read) {
        let (said, denied) = read.get_or_insert_with(|| plainly(view.text)).as_ref()?;
        if rule.against(said, *denied) {
            return Some(source.place());
        }
    }
    None
}

/// What a sentence says outright of all, and whether it is denied.
fn plainly(text: &str) -> Option<(Vec<String>, bool)> {
    let all = words(text);
    let open = leaves_open(text, &all)
        || all.iter().any(|word| {
            contrast().is_part(&word.folded)
                || opens(word) != Opens::Nothing
                || matches!(
                    &*word.folded,
                    "only" | "but" | "other" | "all" | "every" | "mostly"
                )
        });
    if open {
        return None;
    }
    sided(all.iter())
}

#[derive(PartialEq, Eq)]
enum Opens {
    Nothing,
    Exception,
    Condition,
}

fn opens(word: &Word) -> Opens {
    match &*word.folded {
        "unless" => Opens::Condition,
        own if otherwise().has("excepts", own) => Opens::Exception,
        _ => Opens::Nothing,
    }
}

/// Whether a text may have a word that opens one of the two, told without a copy of its words.
fn may_open(text: &str) -> bool {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let listed = || otherwise().listed("excepts").iter().copied();
    let parts = PARTS.get_or_init(|| Parts::of(listed().chain(["unless"])));
    parts.may_stand_in(text)
}

impl Rule {
    fn read(text: &str) -> Option<Self> {
        if text.contains('?') || !may_open(text) {
            return None;
        }
        let all = words(text);
        let at = all.iter().position(|word| opens(word) != Opens::Nothing)?;
        let several = all[at + 1..]
            .iter()
            .any(|word| opens(word) != Opens::Nothing);
        let condition = opens(&all[at]) == Opens::Condition;
        let verb = |word: &Word| word.helps() || side(&word.folded, true).is_some_and(|s| s.listed);
        let ends = |word: &Word| word.parted || !condition && verb(word);
        let end = all[at + 1..].iter().position(ends);
        let end = end.map_or(all.len(), |len| at + 1 + len);
        // "with the exception of"
        let open = (at.saturating_sub(2)..at).find(|i| all[*i].folded == "with");
        let main = || all[..open.unwrap_or(at)].iter().chain(&all[end..]);
        let bound =
            main().any(|word| matches!(&*word.folded, "but" | "and" | "or" | "if" | "when"));
        if several || bound {
            return None;
        }
        let (said, denied) = sided(main())?;
        let (verbal, _) = sided(main().skip_while(|word| !verb(word)))?;
        let content = all[at + 1..end].iter().filter(|word| word.content);
        let except: Vec<String> = content.map(|word| word.stem()).collect();
        let known = !said.is_empty() && !except.is_empty();
        known.then_some(Self {
            said,
            verbal,
            denied,
            except: if condition { Vec::new() } else { except },
        })
    }

    fn against(&self, said: &[String], denied: bool) -> bool {
        let within = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
        if within(said, &self.said) && within(&self.said, said) {
            return denied != self.denied;
        }
        let excepts = !self.except.is_empty() && within(&self.except, said);
        let mut rest = said.iter().filter(|word| !self.except.contains(word));
        excepts
            && denied == self.denied
            && !self.verbal.is_empty()
            && within(&self.verbal, said)
            && rest.all(|word| self.said.contains(word))
    }
}
