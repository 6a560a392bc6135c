//! What stands above a list: a lead, a heading, or a line that is a name.

use std::ops::Range;
use std::sync::Arc;

use super::super::kinds::Kinds;
use super::super::parse::Parser;
use super::super::scale::Scaled;
use super::super::view::SentenceView;
use super::{Lead, NAMESAKES, body, clipped, is_key, is_known, span, words};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{roles, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold_name;
use crate::types::{
    LexFlags, LexKind, Mention, NameType, Referent, Resolution, SentenceKind, Span,
};

/// Words and marks of a line that may be a heading.
const TITLE: usize = 14;

/// What a sentence that ends in a colon says of the items below it.
pub(super) fn lead(view: &SentenceView<'_>, kinds: &dyn Kinds) -> Option<Arc<Lead>> {
    let last = view
        .lexemes
        .iter()
        .rposition(|l| l.kind != LexKind::Newline)?;
    if view.word(last) != ":" {
        return None;
    }
    if let Some(lead) = listing(view, last, kinds) {
        return Some(lead);
    }
    let (subject, predicate, negative) = Parser::lead_of(view, last)?;
    let place = span(view, &subject)?;
    Some(Arc::new(Lead {
        subject: clipped(view.at(place)),
        predicate,
        negative,
        referent: known(view, place, kinds),
    }))
}

/// "Here are the specs of X:", "X has the following features:": a heading in all but its form. X is
/// all that the sentence names, and stands before the colon or at the beginning.
fn listing(view: &SentenceView<'_>, colon: usize, kinds: &dyn Kinds) -> Option<Arc<Lead>> {
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
    // "Here is what I know about X:", "X at a glance:", "I found X for you:"
    let opens = |class: &str| stance().has(class, folded.get(first));
    let told = behind
        && opens("list_here")
        && own.start.checked_sub(1).is_some_and(|i| {
            let i = i - usize::from(folded.get(i) == "the" && i > 0);
            matches!(folded.get(i), "about" | "on")
        });
    let titled = own.start == article
        && own.end < colon
        && (own.end..colon).all(|i| {
            view.is_mark(i)
                || stance().has("listed", folded.get(i))
                || stance().has("list_title", folded.get(i))
        });
    let chosen = opens("list_finder")
        && (first..own.start).any(|i| stance().has("list_found", folded.get(i)))
        && (first..colon).all(|i| own.contains(&i) || view.is_mark(i) || opens_with(folded.get(i)));
    let plain = (0..colon).any(|i| stance().has("list_other", folded.get(i)));
    let listed = says("listed") && (behind || ahead);
    if denied || plain || !(listed || told || titled || chosen) {
        return None;
    }
    let referent = self::known(view, mention.span, kinds)?;
    Some(Arc::new(Lead {
        subject: clipped(view.at(mention.span)),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// Whether a word only says that something was found for somebody.
fn opens_with(word: &str) -> bool {
    ["list_finder", "list_found", "list_chosen"]
        .iter()
        .any(|class| stance().has(class, word))
}

/// A line that is the name of an entity and nothing else: a heading in all but its marks.
pub(super) fn title(view: &SentenceView<'_>, kinds: &dyn Kinds) -> Option<Arc<Lead>> {
    let line = view.sentence.terminator.is_none();
    heading(view, kinds).filter(|_| line)
}

/// A heading that is the name of an entity: whom the items below it are about.
pub(in crate::claims) fn heading(view: &SentenceView<'_>, kinds: &dyn Kinds) -> Option<Arc<Lead>> {
    let marks = |i: &usize| view.word(*i).chars().all(|c| c == '#');
    let first = (0..view.lexemes.len()).find(|i| !marks(i))?;
    let line = words(view, first..view.lexemes.len());
    let place = span(view, &line)?;
    let Some(referent) = known(view, place, kinds) else {
        // "Key facts about X", "X at a glance"
        let short = title_like(view) && !view.text.trim_end().ends_with(['?', '.', '!']);
        return listing(view, line.end, kinds).filter(|_| short);
    };
    Some(Arc::new(Lead {
        subject: clipped(view.at(place)),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// An item of a list that is the name of an entity and nothing else.
pub(super) fn bare_name(view: &SentenceView<'_>, kinds: &dyn Kinds) -> Option<Arc<Lead>> {
    let place = span(view, &body(view))?;
    let referent = known(view, place, kinds)?;
    Some(Arc::new(Lead {
        subject: clipped(view.at(place)),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// Whether an item may be the name of something and nothing else: words with capitals, up to a bracket.
pub(super) fn name_like(view: &SentenceView<'_>) -> bool {
    let body = body(view);
    let open = body.clone().find(|i| view.word(*i) == "(");
    let capital = |i: usize| view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
    let mut name = (body.start..open.unwrap_or(body.end)).filter(|i| view.is_term(*i));
    let joins = |i: usize| view.folded().cue(i).is(Cue::FUNCTION);
    name.all(|i| capital(i) || view.kind(i) == Some(LexKind::Number) || joins(i))
}

/// The entity that a label names, with or without something in brackets, and where the label ends.
pub(super) fn labelling(
    view: &SentenceView<'_>,
    label: &Range<usize>,
    kinds: &dyn Kinds,
) -> Option<(Referent, usize)> {
    let open = label.clone().find(|i| view.word(*i) == "(");
    let name = words(view, label.start..open.unwrap_or(label.end));
    let referent = known(view, span(view, &name)?, kinds)?;
    Some((referent, view.lexemes.get(label.end)?.span.start))
}

/// Whether a heading is of what somebody arranged: "Your booking", "Details of your stay".
pub(super) fn arranges(view: &SentenceView<'_>) -> bool {
    let folded = view.folded();
    (0..folded.len()).any(|i| stance().has("list_arranged", folded.get(i)))
}

/// Whether a line may be a heading in all but its marks: a few words and no value.
pub(super) fn title_like(view: &SentenceView<'_>) -> bool {
    view.lexemes.len() <= TITLE
        && !(0..view.lexemes.len().saturating_sub(1)).any(|i| view.word(i) == ":")
}

/// "Name: X", X an entity: whom the lines below it are about.
pub(super) fn card(view: &SentenceView<'_>, kinds: &dyn Kinds) -> Option<Arc<Lead>> {
    let body = body(view);
    let mut colons = body.clone().filter(|i| view.word(*i) == ":");
    let (Some(colon), None) = (colons.next(), colons.next()) else {
        return None;
    };
    let key = words(view, body.start..colon);
    let key = view.at(span(view, &key)?).to_lowercase();
    let place = span(view, &words(view, colon + 1..body.end))?;
    let referent = known(view, place, kinds).filter(|_| roles().has("card_name", &key))?;
    Some(Arc::new(Lead {
        subject: clipped(&referent.name),
        predicate: None,
        negative: false,
        referent: Some(referent),
    }))
}

/// The entity that the whole of a phrase names, an article aside.
pub(super) fn known(view: &SentenceView<'_>, place: Span, kinds: &dyn Kinds) -> Option<Referent> {
    let mention = view.mentions.iter().find(|m| place.overlaps(m.span))?;
    let Resolution::Known(ids) = &mention.resolution else {
        return None;
    };
    let rest = view.at(Span::new(place.start, mention.span.start.max(place.start)));
    let whole = mention.span.end >= place.end && matches!(rest.trim(), "" | "The" | "the");
    let kind = ids.first().map_or(NameType::Unknown, |id| kinds.of(*id));
    whole.then(|| Referent {
        name: clipped(view.at(mention.span)),
        span: mention.span,
        kind,
        turn: None,
        entities: ids.iter().copied().take(NAMESAKES).collect(),
    })
}

/// What parts the name of an attribute from its value in a line: a colon, or a dash between spaces behind
/// such a name ("Owner – Ada Lind").
pub(super) fn separator(view: &SentenceView<'_>, body: &Range<usize>) -> Option<usize> {
    if let Some(colon) = body.clone().find(|i| view.word(*i) == ":") {
        return Some(colon);
    }
    let spaced = |i: usize| {
        let own = |i: usize| {
            view.lexemes
                .get(i)
                .is_some_and(|lexeme| lexeme.flags.has(LexFlags::SPACE_BEFORE))
        };
        own(i) && own(i + 1)
    };
    let dash = body
        .clone()
        .find(|i| *i > body.start && matches!(view.word(*i), "-" | "–" | "—") && spaced(*i))?;
    let key = words(view, body.start..dash);
    let named = !key.is_empty() && is_key(view, &key);
    (named && (is_attribute(view, &key) || is_known(view, &key))).then_some(dash)
}

/// Whether a line is the name of an attribute, a colon or dash and a value ("**Founded:** 1987").
pub(super) fn keyed(view: &SentenceView<'_>) -> bool {
    let body = body(view);
    let Some(colon) = separator(view, &body) else {
        return false;
    };
    if view.word(colon) == ":" && (colon + 1..body.end).any(|i| view.word(i) == ":") {
        return false;
    }
    let key = words(view, body.start..colon);
    !key.is_empty() && is_key(view, &key) && is_attribute(view, &key)
}

/// Whether words are the name of an attribute.
pub(super) fn is_attribute(view: &SentenceView<'_>, key: &Range<usize>) -> bool {
    is_named_attribute(view, span(view, key).map_or("", |place| view.at(place)))
}

/// Whether a text is the name of an attribute, with or without a unit.
pub(super) fn is_named_attribute(view: &SentenceView<'_>, text: &str) -> bool {
    let name = Scaled::of(text).map_or(text, |scaled| scaled.name);
    let name = Parser::attribute_named(view, name);
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

    /// Whether a sentence names another entity than this, or is about one that nobody knows: in a
    /// heading, before a colon, or where this one is not named.
    pub(super) fn left_by(&self, view: &SentenceView<'_>) -> bool {
        let own = |mention: &Mention| match &mention.resolution {
            Resolution::Known(ids) => Some(self.is_one_of(ids)),
            _ => None,
        };
        if view.mentions.iter().any(|m| own(m) == Some(false)) {
            return true;
        }
        let named = view.mentions.iter().any(|m| own(m) == Some(true));
        match view.sentence.kind {
            SentenceKind::Heading => view.mentions.iter().any(is_stranger),
            SentenceKind::ListItem => self.label_leaves(view),
            _ => {
                !named
                    && view
                        .mentions
                        .iter()
                        .any(|m| is_stranger(m) && !is_person(view, m))
            }
        }
    }

    /// Whether the words before the colon of an item name another than this ("CEO of Y: …"): whose the
    /// items below are is not told.
    pub(super) fn label_leaves(&self, view: &SentenceView<'_>) -> bool {
        let colon = (0..view.lexemes.len()).find(|i| view.word(*i) == ":");
        let Some(colon) = colon else { return false };
        let end = view.lexemes[colon].span.start;
        let mut label = view.mentions.iter().filter(|m| m.span.end <= end);
        label.any(|mention| match &mention.resolution {
            Resolution::Known(ids) => !self.is_one_of(ids),
            _ => is_stranger(mention),
        })
    }

    fn is_one_of(&self, ids: &[u32]) -> bool {
        let own = self.referent.as_ref();
        own.is_some_and(|own| ids.iter().any(|id| own.entities.contains(id)))
    }
}

/// Whether a name is one that the base lacks.
fn is_stranger(mention: &Mention) -> bool {
    matches!(
        mention.resolution,
        Resolution::Unknown | Resolution::NearMiss(_)
    )
}

fn is_person(view: &SentenceView<'_>, mention: &Mention) -> bool {
    let name = fold_name(view.at(mention.span));
    class(name.split(' ').next().unwrap_or("")).has(WordClass::GIVEN_NAME)
}
