//! Whether a known name stands in the name of another thing: "Lumo 2" and "the Lumo Mini" where the
//! base has "Lumo 3", alias "Lumo", and "the town of Arden" where it has a company. What the name
//! itself does not mean there, no pronoun means either.

use std::sync::Arc;

use super::{LONGEST, References};
use crate::claims::kinds::{Kinds, kind_named};
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::values;
use crate::normal::fold_name;
use crate::types::{LexFlags, LexKind, Lexeme, Mention, NameType, QuantityKind, Resolution, Span};

/// The word right behind a name, one blank or a hyphen away.
fn behind<'a>(view: &'a SentenceView<'_>, name: Span) -> Option<&'a Lexeme> {
    let next = view.lexemes.get(view.lexemes_in(name).end)?;
    let gap = view.at(Span::new(name.end, next.span.start.max(name.end)));
    (next.span.start >= name.end && matches!(gap, " " | "\u{a0}")).then_some(next)
}

/// Whether a version, a model's number or an edition stands right behind the name.
pub(super) fn numbered(view: &SentenceView<'_>, name: Span) -> bool {
    let Some(next) = behind(view, name) else {
        return joined(view, name);
    };
    let text = view.at(next.span);
    let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s"));
    let bare = bare.unwrap_or(text);
    match next.kind {
        LexKind::Number => model(view, name, next),
        LexKind::Word => {
            let capital = next.flags.has(LexFlags::CAPITALIZED);
            let letter = capital && bare.chars().count() == 1 && bare != "I";
            let model = bare.chars().any(|c| c.is_ascii_digit());
            letter || model || capital && values().has("edition", &fold_name(bare))
        }
        _ => false,
    }
}

/// "Lumo 2", not "in Oslo 1,200 people", "Oslo 1952" or "Lumo 2 litres".
fn model(view: &SentenceView<'_>, name: Span, number: &Lexeme) -> bool {
    let folded = view.folded();
    let at = view.lexemes_in(name);
    let placed = at.start > 0 && {
        let before = folded.get(at.start - 1);
        matches!(before, "in" | "at" | "near" | "from" | "around" | "to")
    };
    let text = view.at(number.span);
    let said = view
        .quantities
        .iter()
        .find(|q| q.span.overlaps(number.span));
    let amount = said.is_some_and(|q| {
        matches!(
            q.kind,
            QuantityKind::Money
                | QuantityKind::Percent
                | QuantityKind::Measure
                | QuantityKind::Year
                | QuantityKind::Ordinal
        )
    });
    !placed && !amount && !text.contains(',')
}

impl References {
    /// "St Mary's Hospital": of the hospital just kept, the name is the longer one.
    pub(super) fn owned_name(&mut self, view: &SentenceView<'_>, span: Span) {
        let mut before = self.candidates.iter().rev().skip(1);
        let sentence = i64::from(view.sentence.index);
        let owner = before.next().filter(|owner| owner.sentence == sentence);
        let Some(start) = owner.map(|owner| owner.referent.span) else {
            return;
        };
        let between = view.at(Span::new(start.end, span.start.max(start.end)));
        let Some(kept) = self.candidates.back_mut() else {
            return;
        };
        let whole = view.at(Span::new(start.start, span.end));
        let named = kept.referent.span == span && kept.referent.entities.is_empty();
        if matches!(between, "'s " | "’s ") && named && whole.len() <= LONGEST {
            whole.clone_into(&mut Arc::make_mut(kept).referent.name);
        }
    }
}

/// "Lumo-2": the name is a part of one word.
fn joined(view: &SentenceView<'_>, name: Span) -> bool {
    let mut inside = view.lexemes.iter().filter(|l| l.span.overlaps(name));
    inside.any(|lexeme| {
        let rest = view.at(Span::new(name.end.min(lexeme.span.end), lexeme.span.end));
        let rest = rest.strip_prefix(['-', '‐', '‑']);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase()))
    })
}

/// Whether the mention is a part of what is named there.
pub(super) fn another(
    view: &SentenceView<'_>,
    folded: &Folded,
    mention: &Mention,
    kinds: &dyn Kinds,
) -> bool {
    let Resolution::Known(ids) = &mention.resolution else {
        return false;
    };
    let kinds: Vec<NameType> = ids.iter().take(4).map(|id| kinds.of(*id)).collect();
    if kinds.contains(&NameType::Person) {
        return false;
    }
    if numbered(view, mention.span) {
        return true;
    }
    let at = view.lexemes_in(mention.span).start;
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    // "the town of Arden", "the town Arden"
    let of = folded.get(before) == "of";
    let Some(noun) = (if of {
        before.checked_sub(1)
    } else {
        Some(before)
    }) else {
        return false;
    };
    let lexeme = &view.lexemes[noun];
    if lexeme.kind != LexKind::Word || lexeme.flags.has(LexFlags::CAPITALIZED) && noun > 0 {
        return false;
    }
    let word = folded.get(noun);
    let kind = kind_named(word);
    let only_says = values().has("of_kind", word);
    let told = !kinds.contains(&NameType::Unknown);
    match kind {
        NameType::Person => false,
        NameType::Unknown => {
            let part = name_cue(word).is(NameCue::PLACE.or(NameCue::ORG));
            of && (only_says && !told || !only_says && part)
        }
        // "the harbour of Arden" is no Arden.
        kind if of => !only_says || !kinds.contains(&kind),
        kind => only_says && told && !kinds.contains(&kind),
    }
}

/// Whether the words of a name go on before or behind the known one, titles aside.
pub(super) fn longer(view: &SentenceView<'_>, name: Span, known: Span, kind: NameType) -> bool {
    kind != NameType::Person
        && view.lexemes[view.lexemes_in(name)].iter().any(|lexeme| {
            let word = fold_name(view.at(lexeme.span));
            lexeme.kind == LexKind::Word
                && !lexeme.flags.has(LexFlags::ALL_CAPS)
                && !known.overlaps(lexeme.span)
                && !name_cue(&word).is(NameCue::TITLE)
                && !matches!(word.as_str(), "the" | "s")
        })
}
