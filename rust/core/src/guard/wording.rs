//! Words that fit: lead-ins, statements, notes.

use crate::detect::TOPIC;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::phrases::{fill, phrases};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold;
use crate::tier::contradicted;
use crate::types::{EvidenceKind, Finding, Tier};

use super::label::{list_mark, remark};
use super::missing::{attribute_told, sort_of_value};

/// Characters of the stream that a statement quotes at most.
pub(super) const QUOTE_CAP: usize = 80;
/// Words of what a claim is about that a statement quotes at most.
const TOPIC_WORDS: usize = 8;

/// What a statement is about: it names a thing, never what was said of it.
pub(super) struct What {
    name: Option<String>,
    contradicted: bool,
    kind: Kind,
    /// The name is of what the claim is about, of which a source may well speak.
    about: bool,
    /// A source says otherwise.
    disputed: bool,
}

/// Findings whose own words make a poor name for what is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// "Studies show" without a study.
    Authority,
    /// A blank the writer left to be filled in.
    Blank,
    Other,
}

impl What {
    /// The same, named nowhere.
    pub(super) fn unnamed(self) -> Self {
        Self { name: None, ..self }
    }

    /// What a statement in a claim's place is about: the words of the claim, and a value of it,
    /// would say again what was taken back.
    pub(super) fn of(finding: &Finding) -> Self {
        let named = if about_name(finding) {
            &finding.text
        } else {
            topic(finding)
        };
        Self::called(finding, named, !about_name(finding))
    }

    /// What a note about a claim that the reader has is about; it may quote the claim's words.
    fn sent(finding: &Finding) -> Self {
        let named = if about_claim(finding) {
            topic(finding)
        } else {
            &finding.text
        };
        Self::called(finding, named, about_claim(finding))
    }

    fn called(finding: &Finding, name: &str, about: bool) -> Self {
        Self {
            name: quoted(name),
            about,
            disputed: from_source(finding),
            contradicted: contradicted(finding),
            kind: match finding.kind.as_str() {
                "stream.unsourced_authority" => Kind::Authority,
                "stream.placeholder" => Kind::Blank,
                _ => Kind::Other,
            },
        }
    }

    /// As [`What::of`], named by what else was found in the claim where the finding names nothing.
    pub(super) fn named(finding: &Finding, found: &[Finding]) -> Self {
        let mut own = Self::of(finding);
        if own.kind == Kind::Other
            && let Some(told) = attribute_told(finding, found)
        {
            own.name = Some(told);
            (own.about, own.disputed) = (false, true);
            return own;
        }
        if own.name.is_none() && own.kind == Kind::Other {
            own.name = found
                .iter()
                .filter(|other| other.tier >= Tier::Medium && about_name(other))
                .min_by_key(|other| other.span.map_or(usize::MAX, |span| span.start))
                .and_then(|other| quoted(&other.text));
            own.about = false;
        }
        if own.name.is_none() && own.kind == Kind::Other {
            let mut all = std::iter::once(finding).chain(found);
            if all
                .clone()
                .any(|one| one.kind == "stream.unsourced_authority")
            {
                own.kind = Kind::Authority;
            }
            let sort = all.find_map(sort_of_value);
            own.name = sort.and_then(|sort| phrases().missing_value.get(sort).cloned());
        }
        own
    }

    /// What is missing: the thing, or what was said of it.
    pub(super) fn missing(&self) -> Option<String> {
        let name = self.name.as_deref()?;
        Some(if self.about && !self.disputed {
            fill(&phrases().statement, "what", name)
        } else {
            name.to_owned()
        })
    }
}

/// Words of the stream in quotation marks; `None` for none, and for too many.
fn quoted(words: &str) -> Option<String> {
    let text = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !text.is_empty() && text.chars().count() <= QUOTE_CAP;
    fits.then(|| format!("“{}”", text.trim_end_matches(['.', ',', ';', ':'])))
}

/// Whether the finding's text is a name, and the name itself what is missing; an address is none that
/// a statement may say again.
fn about_name(finding: &Finding) -> bool {
    finding.rule != "unknown_address"
        && matches!(
            finding.kind.as_str(),
            "dialogue.nonexistent_entity" | "stream.unknown_entity"
        )
        && !contradicted(finding)
}

/// Whether it is the evidence or the base that says otherwise: what the answer said itself, a verifier
/// or the calendar speaks against was never given as a source.
fn from_source(finding: &Finding) -> bool {
    contradicted(finding)
        && matches!(
            finding.kind.as_str(),
            "stream.contradicts_evidence"
                | "stream.quantity_conflict"
                | "dialogue.wrong_attribute"
                | "dialogue.contradicts_fact"
        )
}

/// Whether the finding is about a claim as a whole rather than about words in it.
fn about_claim(finding: &Finding) -> bool {
    finding.system == "budget"
        || matches!(
            finding.kind.as_str(),
            "stream.unsupported_sentence"
                | "stream.contradicts_evidence"
                | "stream.verifier_contradicted"
                | "stream.verifier_unsupported"
                | "dialogue.fabricated_fact"
                | "dialogue.unsupported_claim"
        )
}

/// What the claim is about, as its detector noted it; empty where it did not, or where the word
/// only points at something ("it").
fn topic(finding: &Finding) -> &str {
    let pronoun = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::PRONOUN_OTHER);
    let topic = finding.extra.get(TOPIC).and_then(|topic| topic.as_str());
    topic
        .filter(|topic| {
            // So many words, or words of two lines, say what was claimed.
            !topic.contains('\n') && topic.split_whitespace().count() <= TOPIC_WORDS
        })
        .filter(|topic| {
            let mut folded = String::new();
            fold(topic.split_whitespace().next().unwrap_or(""), &mut folded);
            !cue(&folded).is(pronoun)
        })
        .unwrap_or("")
}

/// A lead-in and the bytes of the claim it replaces.
pub(super) struct LeadIn {
    /// Bytes of the claim (a list mark) that stay before it.
    pub(super) after: usize,
    pub(super) text: String,
}

/// The opening for a claim; `turn` rotates the phrases.
pub(super) fn lead_in(claim: &str, turn: u32) -> LeadIn {
    let phrases = phrases();
    let after = list_mark(claim);
    let remark = remark(&claim[after..]);
    if let Some((_, softer)) = phrases.certainty_opening(&claim[after + remark..]) {
        let mut text = softer.to_owned();
        // "Yes, we believe that", but "I" keeps its capital.
        if remark > 0 && !text.starts_with("I ") {
            text[..1].make_ascii_lowercase();
        }
        return LeadIn {
            after: after + remark,
            text,
        };
    }
    let i = turn as usize % phrases.lead_ins.len();
    LeadIn {
        after,
        text: phrases.lead_ins[i].clone(),
    }
}

/// Whether the claim tells to do something, as far as its first words say: "Screw the lid on", which no
/// statement begins like. Reads less closely than what finds instructions: for want of an opening only.
pub(super) fn opens_with_order(claim: &str) -> bool {
    let bare = claim[list_mark(claim)..].trim_start_matches(['*', '_', '`']);
    let mut words = bare.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else {
        return false;
    };
    let mut folded = String::new();
    fold(first, &mut folded);
    let other = Cue::FUNCTION
        .or(Cue::ADVERB)
        .or(Cue::PREPOSITION)
        .or(Cue::QUESTION);
    let verb = first.chars().all(char::is_alphabetic)
        && !["s", "ed", "ing", "ly"]
            .iter()
            .any(|end| folded.ends_with(end))
        && class(&folded).has(WordClass::COMMON)
        && !cue(&folded).is(other);
    verb && matches!(
        second,
        "the" | "a" | "an" | "your" | "it" | "them" | "each" | "every"
    )
}

/// Whether the claim stands in a form (JSON), in which no opening has a place.
pub(super) fn opens_with_form(claim: &str) -> bool {
    let mut rest = claim.trim_start_matches(|c: char| c.is_whitespace() || "[]{},".contains(c));
    if rest.len() == claim.len() {
        return false;
    }
    rest = rest.trim_start();
    rest.is_empty() || rest.starts_with('"')
}

/// Whether byte `at` of `text`, which follows `before`, stands inside quotation marks. A line
/// break closes what was left open.
pub(super) fn inside_quotation(before: &str, text: &str, at: usize) -> bool {
    let (mut straight, mut curly) = (false, 0_i32);
    let head = text
        .char_indices()
        .take_while(|&(i, _)| i < at)
        .map(|(_, c)| c);
    for c in before.chars().chain(head) {
        match c {
            '"' => straight = !straight,
            '“' | '«' | '„' => curly += 1,
            '”' | '»' => curly = (curly - 1).max(0),
            '\n' => (straight, curly) = (false, 0),
            _ => {}
        }
    }
    straight || curly > 0
}

/// Whether `text` ends where a sentence may end, closing marks and spaces apart.
pub(super) fn ends_sentence(text: &str) -> bool {
    let bare = text.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '”' | '»' | '\'' | '’' | ')' | ']' | '*' | '_')
    });
    text.ends_with('\n') || bare.ends_with(['.', '!', '?', '…', ':', ';', '。', '！', '？'])
}

/// A sentence in place of a claim that could not be verified, behind `before`.
pub(super) fn unverified(what: &What, turn: u32, before: &str) -> String {
    let phrases = phrases();
    let alone = |said: &str| {
        let next = if what.disputed {
            &phrases.disputed_next
        } else {
            &phrases.unverified_next
        };
        let again = before.ends_with(said);
        if again { next } else { said }.to_owned()
    };
    match what.missing() {
        _ if what.kind == Kind::Authority => alone(&phrases.unverified_authority),
        _ if what.kind == Kind::Blank => alone(&phrases.unverified_blank),
        Some(missing) => {
            let ways = if what.disputed {
                &phrases.disputed
            } else {
                &phrases.unverified
            };
            let said = |turn: usize| fill(&ways[turn % ways.len()], "what", &missing);
            let turn = turn as usize;
            Some(said(turn))
                .filter(|said| !before.ends_with(said.as_str()))
                .unwrap_or_else(|| said(turn + 1))
        }
        None if what.disputed => alone(&phrases.disputed_plain),
        None => alone(&phrases.unverified_plain),
    }
}

/// The statement that takes the place of an answer; `sent` says that the reader has the claim already.
pub(super) fn limitation(what: &What, sent: bool) -> String {
    let phrases = phrases();
    let missing = match (&what.name, what.contradicted) {
        _ if what.kind == Kind::Authority => phrases.limitation_authority.clone(),
        _ if what.kind == Kind::Blank => phrases.limitation_blank.clone(),
        (Some(name), true) => fill(&phrases.limitation_contradicted, "what", name),
        (Some(name), false) => fill(&phrases.limitation_missing, "what", name),
        (None, true) => phrases.limitation_contradicted_plain.clone(),
        (None, false) => phrases.limitation_plain.clone(),
    };
    let missing = if sent {
        missing.replacen(&phrases.limitation_held, &phrases.limitation_sent, 1)
    } else {
        missing
    };
    let disagrees = what.contradicted && !matches!(what.kind, Kind::Authority | Kind::Blank);
    let help = if disagrees {
        &phrases.limitation_help_contradicted
    } else {
        &phrases.limitation_help
    };
    fill(
        &fill(&phrases.limitation, "missing", &missing),
        "help",
        help,
    )
}

/// A note after a claim the reader already has; `apart` says that other text stands between.
pub(super) fn after_the_fact(finding: &Finding, correct: bool, apart: bool) -> String {
    let phrases = phrases();
    let name = || {
        What::sent(finding)
            .missing()
            .or_else(|| quoted(&finding.text))
    };
    let name = apart.then(name).flatten();
    let (plain, named) = if from_source(finding) {
        (&phrases.sent_disputed, &phrases.sent_disputed_apart)
    } else {
        (&phrases.sent_unverified, &phrases.sent_unverified_apart)
    };
    match &finding.replacement {
        Some(right) if correct && finding.text.contains(&**right) => {
            told_fact(finding).unwrap_or_else(|| plain.clone())
        }
        Some(right) if correct => fill(
            &fill(&phrases.sent_corrected, "right", right),
            "wrong",
            &finding.text,
        ),
        _ => match name {
            Some(name) => fill(named, "what", &name),
            None => plain.clone(),
        },
    }
}

/// Attributes that are written in capitals.
const SHORT: [&str; 6] = ["ceo", "cfo", "coo", "cto", "hq", "vp"];

/// The fact against a claim that is put right by leaving words out ("Ole Haug, mayor of Brackwater,"): what
/// is left of them is not what is right.
fn told_fact(finding: &Finding) -> Option<String> {
    let value = |name: &str| {
        let mut params = finding.message.params.iter();
        params
            .find(|param| param.name == name)
            .map(|param| &*param.value)
    };
    let attribute = value("attribute")?;
    let short = SHORT.contains(&attribute).then(|| attribute.to_uppercase());
    let attribute = short.as_deref().unwrap_or(attribute);
    let text = fill(&phrases().sent_corrected_fact, "attribute", attribute);
    let text = fill(&text, "name", value("name")?);
    Some(fill(&text, "right", value("expected")?))
}

/// The same where other sentences stand between: it says what it is about.
pub(super) fn long_after_the_fact(finding: &Finding, correct: bool) -> String {
    let phrases = phrases();
    if correct && finding.replacement.is_some() {
        return after_the_fact(finding, correct, true);
    }
    let (plain, named) = if from_source(finding) {
        (&phrases.late_disputed_plain, &phrases.sent_disputed_apart)
    } else {
        (&phrases.late_unverified_plain, &phrases.late_unverified)
    };
    match What::sent(finding).name {
        Some(name) => fill(named, "what", &name),
        None => plain.clone(),
    }
}

/// Whether a sentence may have ended at the end of `text`, as far as its last characters tell.
pub(super) fn may_end(text: &str) -> bool {
    ends_sentence(text) && !text.trim_end().ends_with([':', ';']) && !text.trim().is_empty()
}

/// The mark of a low-risk claim.
pub(super) fn inline_mark(finding: &Finding) -> String {
    let phrases = phrases();
    let confidence = format!("{:.0} %", (1.0 - finding.p_hallucinated) * 100.0);
    match source(finding) {
        Some(source) => format!(
            "{} {}",
            fill(&phrases.inline_confidence, "confidence", &confidence),
            fill(&phrases.inline_source, "source", source)
        ),
        None => phrases.inline_unverified.clone(),
    }
}

/// The note of a low-risk claim.
pub(super) fn footnote(finding: &Finding) -> String {
    let message = finding.message.render(false);
    match source(finding) {
        Some(source) => format!("{message} ({source})"),
        None => message,
    }
}

/// Where the source that disagrees comes from; what was merely not found has none.
fn source(finding: &Finding) -> Option<&str> {
    if !contradicted(finding) {
        return None;
    }
    finding
        .evidence
        .iter()
        .filter(|e| !matches!(e.kind, EvidenceKind::Rule | EvidenceKind::Signal))
        .find_map(|e| e.source.as_deref())
}
/// Whether nothing but the mark or number of a list item and opening marks stand before the first word
/// of a sentence.
pub(super) fn begins(before: &str) -> bool {
    let lead = before.trim_start();
    let item = lead.trim_start_matches(|c: char| c.is_ascii_digit());
    let lead = match item.strip_prefix(['.', ')']) {
        Some(rest) if item.len() < lead.len() => rest,
        _ => lead,
    };
    !lead.contains(|c: char| c.is_alphanumeric() || c == ':')
}

/// A text with a capital, unless its first word has one of its own further in ("iPhone").
pub(super) fn with_capital(text: &str) -> String {
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or("");
    if word.contains(char::is_uppercase) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
