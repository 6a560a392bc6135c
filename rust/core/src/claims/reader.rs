//! What earlier sentences leave for later ones: the lead of a list, the head of a table, and
//! what pronouns and descriptions can stand for.

mod heads;
mod item;
mod reply;
mod table;

use std::ops::Range;
use std::sync::Arc;

use crate::types::{
    Claim, LexKind, MentionKind, NameType, Quantity, Referent, SentenceKind, Span, clip_text,
};

pub(super) use self::heads::heading;
use self::heads::{
    arranges, bare_name, card, keyed, known, labelling, lead, name_like, title, title_like,
};
use self::reply::Reply;
pub use self::reply::Shape;
use super::extract::extract;
use super::kinds::{Kinds, NoKinds};
use super::parse::Parser;
use super::references::References;
use super::scale::Scaled;
use super::value_of::{said_of_label, value_of};
use super::view::SentenceView;

/// Most bytes of a table's head cell or a list's lead that are kept.
const KEPT: usize = 80;
/// Most entities of one name that are kept.
const NAMESAKES: usize = 33;
/// Most words of the key in "key: value".
const KEY_WORDS: usize = 4;
/// The same with a unit or magnitude behind it.
const SCALED_WORDS: usize = 12;

/// Something spoken of: a name, a pronoun or a description, and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands.
    pub span: Span,
    /// How it appears.
    pub mention: MentionKind,
    /// What it is, as far as anything tells.
    pub kind: NameType,
    /// What a pronoun or description stands for.
    pub referent: Option<Referent>,
    /// Whether a pronoun or description may stand for something else as well.
    pub contested: bool,
    /// The attribute of `referent` that a description names: "The capacity is 17."
    pub attribute: Option<String>,
}

/// A sentence as read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// What it asserts.
    pub claims: Vec<Claim>,
    /// What it speaks of, in the order of the text.
    pub references: Vec<Reference>,
}

/// "The departments are:": what the items below it are.
#[derive(Debug)]
pub(super) struct Lead {
    subject: String,
    predicate: Option<String>,
    negative: bool,
    /// Whom the knowledge base knows by that name.
    pub(super) referent: Option<Referent>,
}

/// Reads closed sentences in their order. The state is small, bounded and cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    lead: Option<Arc<Lead>>,
    head: Option<Arc<Vec<String>>>,
    row: Option<Arc<Vec<String>>>,
    /// Entities that columns of the table are about, by their place in the row.
    columns: Option<Arc<Vec<(usize, Referent)>>>,
    /// The one entity that the question names, until the answer names another.
    asked: Option<Arc<Lead>>,
    /// What the question asks of it, until the answer's first sentence.
    reply: Option<Arc<Reply>>,
    references: References,
    /// The heading is of somebody's booking or the like: the name in a line below it is no owner of the
    /// others.
    arranged: bool,
    /// The lead is an item of the list itself.
    listed: bool,
}

impl Reader {
    /// The claims and references of the next sentence. `kinds` says what an entity of the
    /// knowledge base is.
    pub fn read(&mut self, view: &SentenceView<'_>, kinds: &dyn Kinds) -> Reading {
        let kind = view.sentence.kind;
        if kind != SentenceKind::TableRow {
            (self.head, self.row, self.columns) = (None, None, None);
        }
        let heads = kind == SentenceKind::Heading;
        if heads
            || view.sentence.terminator.is_none() && kind == SentenceKind::Prose && title_like(view)
        {
            self.arranged = arranges(view);
        }
        let card = card(view, kinds).filter(|_| !self.arranged);
        let over = self.above(view).filter(|_| card.is_none());
        let said = match kind {
            SentenceKind::ListItem => self.item(view, over.as_deref()),
            SentenceKind::TableRow => self.table_row(view, over.as_deref(), kinds),
            SentenceKind::Prose if self.labelled(view) => self.item(view, over.as_deref()),
            _ => None,
        };
        let below = said.is_some();
        let mut claims = said.unwrap_or_else(|| extract(view));
        let above = over.filter(|_| below);
        let mut reply = self.reply.take();
        let open = claims.iter().all(|claim| claim.predicate.is_none());
        reply = reply.filter(|_| open || Reply::is_told_in(view));
        match reply.as_deref().and_then(|reply| reply.claims(view)) {
            Some(told) => claims = told,
            None => reply = None,
        }
        let label = below && kind == SentenceKind::Prose;
        if card.is_some() {
            self.lead = card;
        } else if !matches!(kind, SentenceKind::ListItem | SentenceKind::TableRow) && !label {
            self.lead = match kind {
                SentenceKind::Prose => lead(view, kinds).or_else(|| title(view, kinds)),
                SentenceKind::Heading => heading(view, kinds),
                _ => None,
            };
        }
        // "1. X" above items of its own.
        if kind == SentenceKind::ListItem {
            let open = self
                .lead
                .as_deref()
                .is_none_or(|lead| lead.referent.is_none());
            if let Some(name) = bare_name(view, kinds).filter(|_| open || self.listed) {
                (self.lead, self.listed) = (Some(name), true);
            } else if self.listed && name_like(view) {
                (self.lead, self.listed) = (None, false);
            }
        } else {
            self.listed = false;
        }
        // "- CEO of Y: …" below "X": whose the items after it are is not told.
        let labelled = |lead: &Lead| lead.predicate.is_none() && lead.label_leaves(view);
        if kind == SentenceKind::ListItem
            && self
                .lead
                .as_deref()
                .is_some_and(|lead| lead.referent.is_some() && labelled(lead))
        {
            (self.lead, self.asked) = (None, None);
        }
        if self
            .asked
            .as_deref()
            .is_some_and(|asked| asked.left_by(view))
        {
            self.asked = None;
        }
        let references = self.references.read(view, kinds);
        let label = Parser::label_in(view).and_then(|label| labelling(view, &label, kinds));
        let doubtful = self.references.doubtful(view);
        for claim in &mut claims {
            claim.contested = claim.subject_span.is_some_and(|span| {
                let open = |r: &Reference| r.contested && r.span.overlaps(span);
                doubtful.iter().any(|own| own.overlaps(span)) || references.iter().any(open)
            });
            claim.object_referent = claim.object_span.and_then(|span| {
                let sure = |r: &&Reference| {
                    r.span == span && r.mention == MentionKind::Pronoun && !r.contested
                };
                references.iter().find(sure)?.referent.clone()
            });
            if claim.subject_span.is_none()
                && let Some(columns) = self.columns.as_deref().filter(|_| below)
            {
                let own = columns
                    .iter()
                    .find(|(_, own)| Some(own.name.as_str()) == claim.subject.as_deref());
                claim.referent = own.map(|(_, own)| own.clone());
                continue;
            }
            if let Some(reply) = &reply {
                claim.referent.clone_from(&reply.lead.referent);
                continue;
            }
            if claim.subject_span.is_none()
                && let Some(above) = &above
            {
                claim.referent.clone_from(&above.referent);
                continue;
            }
            let meant = claim
                .subject_span
                .and_then(|span| references.iter().find(|reference| reference.span == span));
            claim.referent = meant.and_then(|reference| reference.referent.clone());
            if let Some(attribute) = meant.and_then(|reference| reference.attribute.as_ref()) {
                value_of(claim, attribute, view);
            }
        }
        if let Some((owner, end)) = &label {
            for claim in &mut claims {
                said_of_label(claim, owner, *end, view, kinds);
            }
        }
        for i in 0..claims.len() {
            if claims[i].referent.is_none() {
                claims[i].referent = beside(view, &claims, &claims[i], kinds);
            }
        }
        Reading { claims, references }
    }

    /// Notes only what later sentences can refer to; what the sentence itself refers to.
    pub fn note(&mut self, view: &SentenceView<'_>, kinds: &dyn Kinds) -> Vec<Reference> {
        self.references.read(view, kinds)
    }

    /// What was read so far was the turn of that number, and another text begins: its lists and
    /// tables are over, what it named can still be referred to.
    pub fn turn_ends(&mut self, turn: u32) {
        (self.lead, self.head, self.row, self.columns) = (None, None, None, None);
        (self.asked, self.reply, self.arranged) = (None, None, false);
        self.references.turn_ends(turn);
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let reply = self.reply.as_deref().map(|reply| &reply.lead);
        let leads = [&self.lead, &self.asked].into_iter().flatten();
        let leads = leads.map(|lead| &**lead).chain(reply).map(|lead| {
            size_of::<Lead>()
                + lead.subject.capacity()
                + lead.predicate.as_ref().map_or(0, String::capacity)
                + lead.referent.as_ref().map_or(0, |r| {
                    r.name.capacity() + size_of_val(r.entities.as_slice())
                })
        });
        let cells = [&self.head, &self.row].into_iter().flatten().map(|cells| {
            cells
                .iter()
                .map(|cell| size_of::<String>() + cell.capacity())
                .sum::<usize>()
        });
        let columns = self.columns.iter().flat_map(|columns| columns.iter());
        let columns = columns.map(|(_, own)| {
            own.name.capacity() + size_of_val(own.entities.as_slice()) + size_of::<Referent>()
        });
        leads.sum::<usize>()
            + cells.sum::<usize>()
            + columns.sum::<usize>()
            + self.references.heap_bytes()
    }

    /// Whether a line below a heading that names an entity, or in the answer to a question about one, gives
    /// one of its attributes, as an item of a list would ("**Founded:** 1987").
    fn labelled(&self, view: &SentenceView<'_>) -> bool {
        let headed = |lead: &Lead| lead.predicate.is_none() && lead.referent.is_some();
        let above = match &self.lead {
            Some(lead) => headed(lead),
            None => self.asked.is_some(),
        };
        above && keyed(view)
    }

    /// What an item stands below: its lead, or what was asked about, where an attribute is given
    /// and nothing above the list says whose.
    fn above(&self, view: &SentenceView<'_>) -> Option<Arc<Lead>> {
        let general = |lead: &Lead| lead.referent.is_none() && lead.general();
        let open = self.asked.is_some() && self.lead.as_deref().is_none_or(general);
        let row = view.sentence.kind == SentenceKind::TableRow;
        // "- Founded in 1987"
        let told = || {
            let item = view.sentence.kind == SentenceKind::ListItem;
            item && !Parser::unspoken_in(view, words(view, body(view))).is_empty()
        };
        if open && (row || keyed(view) || told()) {
            return self.asked.clone();
        }
        self.lead.clone()
    }
}

/// Whether words are few enough for the name of an attribute, its unit aside.
fn is_key(view: &SentenceView<'_>, key: &Range<usize>) -> bool {
    let scaled = || span(view, key).and_then(|place| Scaled::of(view.at(place)));
    key.len() <= KEY_WORDS || key.len() <= SCALED_WORDS && scaled().is_some()
}

/// The claims with their numbers in what is told of each, where a number is all of a value.
fn in_scale(
    view: &SentenceView<'_>,
    mut claims: Vec<Claim>,
    scales: &[Option<Scaled<'_>>],
) -> Vec<Claim> {
    for (claim, scaled) in claims.iter_mut().zip(scales) {
        let (Some(place), Some(scaled)) = (claim.object_span, scaled) else {
            continue;
        };
        let whole =
            |q: &&mut Quantity| view.at(q.span) == view.at(place).trim() && place.contains(q.span);
        if let Some(quantity) = claim.quantities.iter_mut().find(whole) {
            scaled.put(quantity);
        }
    }
    claims
}

fn clipped(text: &str) -> String {
    let mut end = text.len().min(KEPT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    clip_text(&text[..end]).to_owned()
}

fn span(view: &SentenceView<'_>, range: &Range<usize>) -> Option<Span> {
    let first = view.lexemes.get(range.start)?;
    let last = view.lexemes.get(range.end.checked_sub(1)?)?;
    Some(Span::new(first.span.start, last.span.end)).filter(|span| !span.is_empty())
}

/// The range without marks at its ends.
fn words(view: &SentenceView<'_>, mut range: Range<usize>) -> Range<usize> {
    let mark = |i: usize| {
        view.lexemes[i].kind == LexKind::Newline
            || view.lexemes[i].kind == LexKind::Punct
                && matches!(
                    view.word(i),
                    "." | "," | ";" | ":" | "*" | "**" | "-" | "–" | "—" | "|" | "•" | "_"
                )
    };
    while range.start < range.end && mark(range.start) {
        range.start += 1;
    }
    while range.start < range.end && mark(range.end - 1) {
        range.end -= 1;
    }
    range
}

/// An item without its list mark.
fn body(view: &SentenceView<'_>) -> Range<usize> {
    let len = view.lexemes.len();
    let base = view.sentence.span.start;
    let first = (0..len)
        .find(|i| view.lexemes[*i].span.start >= base)
        .unwrap_or(len);
    let number = view
        .lexemes
        .get(first)
        .is_some_and(|l| l.kind == LexKind::Number)
        && matches!(view.word(first + 1), "." | ")");
    words(view, if number { first + 2 } else { first }..len)
}

/// Whether the phrase is the name of an entity of the knowledge base.
fn is_known(view: &SentenceView<'_>, phrase: &Range<usize>) -> bool {
    span(view, phrase).is_some_and(|place| known(view, place, &NoKinds).is_some())
}

/// Whom "its director, Ada Lind," names: an apposition that another claim has read.
fn beside(
    view: &SentenceView<'_>,
    all: &[Claim],
    claim: &Claim,
    kinds: &dyn Kinds,
) -> Option<Referent> {
    let subject = claim.subject_span?;
    all.iter().find_map(|other| {
        let (owner, name) = (other.subject_span?, other.object_span?);
        let apposed = name.start > subject.end
            && view.at(Span::new(subject.end, name.start)).trim() == ","
            && subject.contains(owner)
            && owner != subject;
        apposed.then(|| known(view, name, kinds)).flatten()
    })
}
