//! What stands above a list: a lead, a heading, or a line that is a name.

use std::sync::Arc;

use super::super::parse::Parser;
use super::super::view::SentenceView;
use super::{KEY_WORDS, Lead, NAMESAKES, body, clipped, span, words};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{roles, stance};
use crate::types::{LexKind, Mention, NameType, Referent, Resolution, Span};

/// What a sentence that ends in a colon says of the items below it.
pub(super) fn lead(
    view: &SentenceView<'_>,
    kind_of: &dyn Fn(u32) -> NameType,
) -> Option<Arc<Lead>> {
    let last = view
        .lexemes
        .iter()
        .rposition(|l| l.kind != LexKind::Newline)?;
    if view.word(last) != ":" {
        return None;
    }
    if let Some(lead) = listing(view, last, kind_of) {
        return Some(lead);
    }
    let (subject, predicate, negative) = Parser::lead_of(view, last)?;
    let place = span(view, &subject)?;
    Some(Arc::new(Lead {
        subject: clipped(view.at(place)),
        predicate,
        negative,
        referent: known(view, place, kind_of),
    }))
}

/// "Here are the specs of X:", "X has the following features:": a heading in all but its form. X is
/// all that the sentence names, and stands before the colon or at the beginning.
fn listing(
    view: &SentenceView<'_>,
    colon: usize,
    kind_of: &dyn Fn(u32) -> NameType,
) -> Option<Arc<Lead>> {
    let folded = view.folded();
    let known = |m: &&Mention| matches!(m.resolution, Resolution::Known(_));
    let mut named = view.mentions.iter().filter(known);
    let (mention, None) = (named.next()?, named.next()) else {
        return None;
    };
    let says = |class: &str| (0..colon).any(|i| stance().has(class, folded.get(i)));
    let denied = (0..colon).any(|i| folded.cue(i).is(Cue::NEGATION));
    let own = view.lexemes_in(mention.span);
    let first = (0..colon).find(|i| view.kind(*i) == Some(LexKind::Word))?;
    let article = first + usize::from(folded.get(first) == "the");
    // "… of the X:", "The X has the following …:"
    let behind = own.end == colon
        && own.start.checked_sub(1).is_some_and(|i| {
            let i = if folded.get(i) == "the" {
                i.saturating_sub(1)
            } else {
                i
            };
            matches!(folded.get(i), "of" | "for" | "about" | "on")
        });
    let ahead = own.start == article
        && (own.end..colon).any(|i| matches!(folded.get(i), "following" | "these"));
    if denied || !says("listed") || !(behind || ahead) {
        return None;
    }
    let referent = self::known(view, mention.span, kind_of)?;
    Some(Arc::new(Lead {
        subject: clipped(view.at(mention.span)),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// A line that is the name of an entity and nothing else: a heading in all but its marks.
pub(super) fn title(
    view: &SentenceView<'_>,
    kind_of: &dyn Fn(u32) -> NameType,
) -> Option<Arc<Lead>> {
    heading(view, kind_of).filter(|_| view.sentence.terminator.is_none())
}

/// A heading that is the name of an entity: whom the items below it are about.
pub(in crate::claims) fn heading(
    view: &SentenceView<'_>,
    kind_of: &dyn Fn(u32) -> NameType,
) -> Option<Arc<Lead>> {
    let marks = |i: &usize| view.word(*i).chars().all(|c| c == '#');
    let first = (0..view.lexemes.len()).find(|i| !marks(i))?;
    let place = span(view, &words(view, first..view.lexemes.len()))?;
    let referent = known(view, place, kind_of)?;
    Some(Arc::new(Lead {
        subject: clipped(view.at(place)),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// "Name: X", X an entity: whom the lines below it are about.
pub(super) fn card(
    view: &SentenceView<'_>,
    kind_of: &dyn Fn(u32) -> NameType,
) -> Option<Arc<Lead>> {
    let body = body(view);
    let mut colons = body.clone().filter(|i| view.word(*i) == ":");
    let (Some(colon), None) = (colons.next(), colons.next()) else {
        return None;
    };
    let key = words(view, body.start..colon);
    let key = view.at(span(view, &key)?).to_lowercase();
    let place = span(view, &words(view, colon + 1..body.end))?;
    let referent = known(view, place, kind_of).filter(|_| roles().has("card_name", &key))?;
    Some(Arc::new(Lead {
        subject: clipped(&referent.name),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// The entity that the whole of a phrase names, an article aside.
pub(super) fn known(
    view: &SentenceView<'_>,
    place: Span,
    kind_of: &dyn Fn(u32) -> NameType,
) -> Option<Referent> {
    let mention = view.mentions.iter().find(|m| place.overlaps(m.span))?;
    let Resolution::Known(ids) = &mention.resolution else {
        return None;
    };
    let rest = view.at(Span::new(place.start, mention.span.start.max(place.start)));
    let whole = mention.span.end >= place.end && matches!(rest.trim(), "" | "The" | "the");
    let kind = ids.first().map_or(NameType::Unknown, |id| kind_of(*id));
    whole.then(|| Referent {
        name: clipped(view.at(mention.span)),
        span: mention.span,
        kind,
        turn: None,
        entities: ids.iter().copied().take(NAMESAKES).collect(),
    })
}

/// Whether a line is the name of an attribute, a colon and a value ("**Founded:** 1987").
pub(super) fn keyed(view: &SentenceView<'_>) -> bool {
    let body = body(view);
    let mut colons = body.clone().filter(|i| view.word(*i) == ":");
    let (Some(colon), None) = (colons.next(), colons.next()) else {
        return false;
    };
    let key = words(view, body.start..colon);
    if key.is_empty() || key.len() > KEY_WORDS {
        return false;
    }
    let name = Parser::named(view, key);
    view.attributes.has(&name) || view.attributes.predicates().named(&name).is_some()
}

impl Lead {
    /// What a question asks about, as what stands above a list.
    pub(super) fn asked(name: &str, entity: u32, kind: NameType) -> Self {
        Self {
            subject: clipped(name),
            predicate: None,
            negative: false,
            referent: Some(Referent {
                name: clipped(name),
                span: Span::default(),
                kind,
                turn: None,
                entities: vec![entity],
            }),
        }
    }

    /// Whether it only announces a list: "Here are the specs:".
    pub(super) fn general(&self) -> bool {
        let last = self.subject.rsplit(' ').next().unwrap_or("");
        stance().has("listed", &last.to_lowercase())
    }

    /// Whether a sentence names another entity than this.
    pub(super) fn left_by(&self, view: &SentenceView<'_>) -> bool {
        let own = self
            .referent
            .as_ref()
            .map_or(&[][..], |own| own.entities.as_slice());
        view.mentions
            .iter()
            .any(|mention| match &mention.resolution {
                Resolution::Known(ids) => !ids.iter().any(|id| own.contains(id)),
                _ => false,
            })
    }
}
