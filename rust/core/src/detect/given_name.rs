//! A bare given name where somebody in particular is meant.

use serde_json::json;

use crate::lexicon::persons::persons;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::types::{Finding, Mention, MentionKind, Message, Resolution};

use super::draft::draft;
use super::grounds::Grounds;

/// In an open world, or against passages, somebody of that name may well exist: chosen by hand so
/// that the finding stays in the low tier, not fitted.
const P_BARE: f64 = 0.40;
/// A base declared complete has nobody of that name: as other names that should have been there.
const P_CLOSED: f64 = 0.65;
/// Classes that a given name may have besides and still be only that.
const PURE: WordClass = WordClass::GIVEN_NAME.with(WordClass::PROPER);
/// Words after "from" or "in" within which the part of an organisation is named.
const REACH: usize = 4;

/// `stream.unknown_entity` for a bare given name (S0-013: "You should contact Sarah from the
/// Analytics team"): it stands where a person is addressed ("contact Sarah", "according to
/// Sarah"), or is followed by where the person works ("Sarah from the Analytics team"), and
/// evidence, question, dialogue and knowledge base all lack it. `before` and `after` are the text
/// of its sentence on both sides. Without `after` (at the word) the first is asked, with it (at
/// the sentence's end) the second alone.
///
/// Names that are also words, places or months ("Will", "Florence", "May"), famous ones, and
/// sentences that speak of an example or a tale are passed over. Below medium unless the base is
/// declared closed.
#[must_use]
pub fn unknown_given_name(
    mention: &Mention,
    text: &str,
    before: &str,
    after: Option<&str>,
    grounds: &Grounds<'_>,
) -> Option<Finding> {
    let name = fold_name(text);
    let known = class(&name);
    let bare = mention.kind == MentionKind::ProperName
        && mention.resolution == Resolution::Common
        && known.has(WordClass::GIVEN_NAME)
        && known.0 & !PURE.0 == 0
        && !persons().is_famous(&name);
    let based = grounds.kb.is_some_and(|kb| !kb.is_empty());
    if !bare || !(based || grounds.has_evidence()) {
        return None;
    }
    let words = words(before);
    let addressed = persons().follows(&words);
    // What is seen at the word is not reported again at the sentence.
    let placed = after.map_or(addressed, |after| !addressed && works_somewhere(after));
    if !placed
        || quoted(before)
        || words.iter().any(|word| persons().is_tale(word))
        || grounds.knows_name(text)
    {
        return None;
    }
    let absence = grounds.absence(None);
    let mut finding = draft(
        "stream.unknown_entity",
        "unknown_given_name",
        Some(mention.span),
        text,
        mention.decided_at,
    );
    finding.p_hallucinated = if absence.closed { P_CLOSED } else { P_BARE };
    absence.note(&mut finding);
    finding.message =
        Message::new("No source given here knows anybody called '{name}'").sensitive("name", text);
    finding.detected = json!(text);
    finding.extra.insert("given_name".into(), json!(true));
    Some(finding)
}

/// Whether a quotation is open at the end of a text.
fn quoted(text: &str) -> bool {
    let single = text.split_whitespace().fold(false, |open, piece| {
        let closes = piece.trim_end_matches(['.', ',', '!', '?']);
        (open || piece.starts_with(['\'', '‘'])) && !closes.ends_with(['\'', '’'])
    });
    single || text.matches('"').count() % 2 == 1 || text.rfind('“') > text.rfind('”')
}

/// Folded words of a text; a mark that parts phrases stands as an empty word.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for piece in text.split_whitespace() {
        let mut folded = String::new();
        fold(
            piece.trim_matches(|c: char| !c.is_alphanumeric()),
            &mut folded,
        );
        out.push(folded);
        if piece.ends_with([',', ';', ':', ')', '"', '”']) {
            out.push(String::new());
        }
    }
    out
}

/// "from the Analytics team", "in HR".
fn works_somewhere(after: &str) -> bool {
    let Some(rest) = after
        .strip_prefix(" from ")
        .or_else(|| after.strip_prefix(" in "))
    else {
        return false;
    };
    let capital = |piece: &str| piece.starts_with(char::is_uppercase);
    let mut named = false;
    for piece in rest.split_whitespace().take(REACH) {
        let mut folded = String::new();
        fold(
            piece.trim_matches(|c: char| !c.is_alphanumeric()),
            &mut folded,
        );
        named |= capital(piece);
        if named && persons().is_unit(&folded) {
            return true;
        }
        if piece.ends_with([',', '.', ';', '!', '?']) {
            break;
        }
    }
    false
}
