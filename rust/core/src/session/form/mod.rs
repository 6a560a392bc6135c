//! Answers in JSON: strings that are sentences are read as texts of their own, whatever stands in
//! other members, and an object that names an entity of the knowledge base is a row about it.
//!
//! A row is judged when its object closes, since what its other members say may bound it: another
//! name, a year, a verdict.

mod judge;
mod keys;
mod piece;
mod rows;
mod units;

use std::sync::Arc;

use crate::claims::{SentenceView, named_by, unit_named, whole};
use crate::kb::predicate_key;
use crate::lexicon::tables::forms;
use crate::lexicon::units::unit;
use crate::segment::{FormEvent, FormScanner, unescaped};
use crate::types::{Claim, LinguisticSignal, Referent, Sentence, SentenceKind, Span, UnitId};

use super::Session;
use super::kinds::BaseKinds;

use keys::{is_other, is_voiced, spelled, told_apart};
pub(super) use piece::Piece;
use piece::pieces;
use units::In;

/// Most members of an object, and most bytes of a value, that are kept until it closes.
const MEMBERS: usize = 48;
const VALUE: usize = 160;
/// Most entities that an object names.
const NAMED: usize = 4;
/// Most lexemes of a value.
const LEXEMES: usize = 24;

/// A member of an open object.
#[derive(Debug, Clone)]
struct Member {
    key: String,
    text: String,
    at: usize,
    bare: bool,
    /// One of several values in a list.
    listed: bool,
    /// What its number is in, as far as the object that it came from tells.
    within: In,
}

/// An entity of the base that an object names.
#[derive(Debug, Clone)]
struct Named {
    referent: Referent,
    /// By a key that names what the object is about and nothing else.
    primary: bool,
}

/// An object or list that is open.
#[derive(Debug, Clone, Default)]
struct Frame {
    list: bool,
    /// The key of its member, as written and as attributes are called; of a list, its own.
    own: String,
    key: String,
    named: Vec<Named>,
    members: Vec<Member>,
    /// The name by which it calls what it is about.
    called: Option<Member>,
    /// It is a list of objects or lists.
    nested: bool,
    /// It has a name that the base lacks.
    foreign: bool,
    /// It is about something else that it tells of, unless its name is an entity's.
    other: bool,
    /// Something in it says of what time, part or amount it is so.
    bounded: bool,
    /// The currency of its amounts; none where that is not known.
    currency: Option<Option<UnitId>>,
    /// What its numbers are in, and the number under one key.
    within: In,
    each: Vec<(String, In)>,
    /// It tells that itself.
    measured: bool,
    /// Its strings are put forward by nobody.
    voiced: bool,
    /// A member says that what it says is not so.
    refuted: bool,
}

/// What is kept of a form between sentences.
#[derive(Debug, Clone, Default)]
pub(super) struct Forms {
    scanner: FormScanner,
    frames: Vec<Frame>,
    /// The string that is being read, where it starts, and whether it is too long to be a value.
    text: String,
    start: usize,
    long: bool,
    /// The lines are those of a block of code that may hold a form.
    fenced: bool,
    /// Where the outermost object of such a block begins.
    from: Option<usize>,
}

impl Named {
    const fn primary(referent: Referent) -> Self {
        Self {
            referent,
            primary: true,
        }
    }
}

impl Forms {
    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let member = |m: &Member| size_of::<Member>() + m.key.capacity() + m.text.capacity();
        let frame = |f: &Frame| {
            size_of::<Frame>()
                + f.own.capacity()
                + f.key.capacity()
                + f.named.len() * size_of::<Named>()
                + f.each
                    .iter()
                    .map(|(of, _)| size_of::<(String, In)>() + of.capacity())
                    .sum::<usize>()
                + f.members.iter().chain(&f.called).map(member).sum::<usize>()
        };
        size_of::<Self>()
            + self.scanner.heap_bytes()
            + self.text.capacity()
            + self.frames.iter().map(frame).sum::<usize>()
    }
}

/// What a sentence holds of a form.
#[derive(Debug, Default)]
pub(super) struct FormRead {
    pub(super) pieces: Vec<Piece>,
    /// How deep in the form each of them stands.
    depths: Vec<usize>,
    /// Where values without quotation marks stand.
    pub(super) bare: Vec<Span>,
}

impl FormRead {
    /// The sentence or member that a claim was read from.
    pub(super) fn piece(&self, claim: &Claim) -> Option<&Piece> {
        let own = |piece: &&Piece| piece.claims.iter().any(|c| c.id == claim.id);
        self.pieces.iter().find(own)
    }

    /// What it claims; the sentence as a whole where it claims nothing more precise.
    pub(super) fn claims(&self, view: &SentenceView<'_>) -> Vec<Claim> {
        let claims: Vec<Claim> = self.pieces.iter().flat_map(|p| p.claims.clone()).collect();
        if claims.is_empty() && view.sentence.kind != SentenceKind::Code {
            return vec![whole(view)];
        }
        claims
    }
}

impl Session {
    /// Reads a sentence as part of a form; `None` where it is none.
    pub(super) fn read_form(&mut self, view: &SentenceView<'_>, fence: bool) -> Option<FormRead> {
        let sentence = view.sentence;
        let code = sentence.kind == SentenceKind::Code;
        if fence {
            let mut marks = view.text.trim_start_matches(['`', '~']).split_whitespace();
            let said = marks.next().unwrap_or("").to_lowercase();
            let may = matches!(said.as_str(), "" | "json" | "jsonc" | "json5" | "jsonl");
            self.state.forms = (self.state.in_code && may).then(|| {
                Arc::new(Forms {
                    scanner: FormScanner::in_block(),
                    fenced: true,
                    ..Forms::default()
                })
            });
            return None;
        }
        let begun = self.state.forms.is_some();
        if !begun && (code || !view.text.contains(['{', '['])) {
            return None;
        }
        let mut forms = self.state.forms.take().unwrap_or_default();
        let own = Arc::make_mut(&mut forms);
        if code != own.fenced {
            *own = Forms::default();
        }
        let mut events = Vec::new();
        let inside = own.scanner.inside();
        let base = sentence.span.start;
        let raw = self.text.get(sentence.span).to_owned();
        own.scanner
            .push(&raw, base, &mut |event| events.push(event));
        if own.fenced && own.frames.is_empty() {
            own.from = raw.find('{').map(|at| base + at).or(own.from);
        }
        let mut read = (inside || !events.is_empty()).then(|| self.follow(own, events, view));
        if let Some(read) = &mut read
            && own.frames.is_empty()
            && let Some(end) = raw.rfind('}')
            && let Some(from) = own.from.take()
        {
            self.object(Span::new(from, base + end + 1), view, read);
        }
        if !own.scanner.idle() || own.fenced {
            self.state.forms = Some(forms);
        }
        read
    }

    /// Reads what the end of the text leaves open.
    pub(super) fn finish_form(&mut self, view: &SentenceView<'_>) -> Option<FormRead> {
        let mut forms = self.state.forms.take()?;
        let own = Arc::make_mut(&mut forms);
        let mut events = Vec::new();
        own.scanner.finish(&mut |event| events.push(event));
        let from = own.from.take();
        let mut read = (!events.is_empty()).then(|| self.follow(own, events, view));
        // An object of a block that was cut off.
        if let Some(from) = from {
            let end = self.text.end();
            self.object(
                Span::new(from, end.max(from)),
                view,
                read.get_or_insert_default(),
            );
        }
        read
    }

    fn follow(
        &mut self,
        own: &mut Forms,
        events: Vec<FormEvent>,
        view: &SentenceView<'_>,
    ) -> FormRead {
        let mut read = FormRead::default();
        for event in events {
            match event {
                FormEvent::Open { list } => {
                    if let Some(outer) = own.frames.last_mut() {
                        outer.nested |= outer.list;
                    }
                    let outer = own.frames.last();
                    let key = outer.map_or_else(String::new, |frame| frame.key.clone());
                    let voiced = outer.is_some_and(|frame| frame.voiced) || is_voiced(&key);
                    let mut frame = Frame {
                        list,
                        voiced,
                        other: !list && is_other(&key),
                        within: outer.map_or(In::Open, |frame| frame.within),
                        currency: outer.and_then(|frame| frame.currency),
                        ..Frame::default()
                    };
                    // "{"Northwind": {…}}"
                    if let Some(outer) = outer.filter(|outer| !list && !outer.list) {
                        let referent = self
                            .entity(&outer.own, view)
                            .or_else(|| self.entity(&spelled(&outer.own)?, view));
                        frame.named.extend(referent.map(Named::primary));
                    }
                    frame.key = key;
                    own.frames.push(frame);
                }
                FormEvent::Key(key) => {
                    if let Some(frame) = own.frames.last_mut() {
                        frame.key = predicate_key(&key);
                        frame.own = key;
                    }
                }
                FormEvent::Close => self.close_frame(own, view, &mut read),
                FormEvent::Text {
                    span,
                    opens,
                    closes,
                } => self.string(own, (span, opens, closes), view, &mut read),
                FormEvent::Scalar(span) => {
                    read.bare.push(span);
                    let text = self.text.get(span).to_owned();
                    self.value(own, text, span.start, true, view);
                }
                FormEvent::Prose(span) => {
                    let text = self.text.get(span).to_owned();
                    self.sentences(&text, span.start, (0, &[]), view, &mut read);
                }
            }
        }
        self.judge_early(own, view, &mut read);
        read
    }

    fn string(
        &mut self,
        own: &mut Forms,
        (span, opens, closes): (Span, bool, bool),
        view: &SentenceView<'_>,
        read: &mut FormRead,
    ) {
        let text = unescaped(self.text.get(span));
        if opens {
            own.text.clear();
            (own.start, own.long) = (span.start, false);
        }
        own.long |= own.text.len() + text.len() > VALUE;
        if !own.long {
            own.text.push_str(&text);
        }
        let voiced = own.frames.iter().any(|frame| frame.voiced)
            || own.frames.last().is_some_and(|frame| is_voiced(&frame.key));
        let claimed = closes
            && !own.long
            && own
                .frames
                .last()
                .is_some_and(|frame| forms().has("claimed", &frame.key));
        if !voiced && !claimed {
            let keys: Vec<String> = own.frames.iter().map(|frame| frame.own.clone()).collect();
            let depth = own.frames.len();
            self.sentences(&text, span.start, (depth, &keys), view, read);
        }
        if closes && !own.long {
            let value = std::mem::take(&mut own.text);
            self.value(own, value, own.start, false, view);
        }
    }

    /// The sentences of a text, as far as they claim something.
    fn sentences(
        &mut self,
        text: &str,
        base: usize,
        (depth, keys): (usize, &[String]),
        view: &SentenceView<'_>,
        read: &mut FormRead,
    ) {
        let found = self.pieces(text, base, view.sentence, view.signals);
        let kb = self.context.kb.clone();
        let kinds = BaseKinds(kb.as_ref());
        for mut piece in found {
            if !piece.worded() {
                continue;
            }
            let own = piece.view(view.antecedents, view.attributes);
            let mut claims = self.state.reader.read(&own, &kinds).claims;
            if piece.short(LEXEMES) {
                claims.retain(|claim| claim.predicate.is_some());
            }
            claims.retain(|claim| !told_apart(keys, claim));
            if !claims.is_empty() {
                piece.claims = claims;
                read.pieces.push(piece);
                read.depths.push(depth);
            }
        }
    }

    fn pieces(
        &self,
        text: &str,
        base: usize,
        around: &Sentence,
        signals: &[LinguisticSignal],
    ) -> Vec<Piece> {
        pieces(text, base, around, &self.context.names, signals)
    }

    /// The entity whose name a text is.
    fn entity(&self, text: &str, view: &SentenceView<'_>) -> Option<Referent> {
        let kb = self.context.kb.as_ref()?;
        let kinds = BaseKinds(Some(kb));
        let found = self.pieces(text, view.sentence.span.start, view.sentence, &[]);
        let [piece] = found.as_slice() else {
            return None;
        };
        named_by(&piece.view(&[], view.attributes), &kinds)
    }

    /// Notes what a member's value tells: a name, a time, a verdict, or something of the entity.
    fn value(&self, own: &mut Forms, text: String, at: usize, bare: bool, view: &SentenceView<'_>) {
        let Some(frame) = own.frames.last_mut() else {
            return;
        };
        let said = text.trim().to_lowercase();
        let table = forms();
        if said.is_empty() || table.has("blank", said.trim_end_matches('.')) {
            return;
        }
        let key = frame.key.as_str();
        if table.has("verdict", key) && table.has("refuted", &said) {
            frame.refuted = true;
        }
        let member = |key: &str, listed| Member {
            key: key.to_owned(),
            text: text.clone(),
            at,
            bare,
            listed,
            within: In::Open,
        };
        if frame.list {
            if frame.members.len() < MEMBERS {
                frame.members.push(member(key, true));
            }
            return;
        }
        if table.has("calls", key) && !bare {
            frame.called = Some(member(key, false));
        }
        let told = units::told(key, &text, bare);
        if table.has("currency", key) && told.is_none() {
            frame.currency = Some(unit_named(&text).filter(|id| is_money(*id)));
            return;
        }
        if let Some((of, told)) = told {
            match of {
                Some(of) if frame.each.len() < NAMED => frame.each.push((of.to_owned(), told)),
                Some(_) => frame.within = In::Told(None),
                None => {
                    let first = !std::mem::replace(&mut frame.measured, true);
                    frame.within = if first { told } else { frame.within.and(told) };
                }
            }
            if table.has("currency", key) {
                frame.currency = None;
            }
        }
        let counts = !bare && told.is_some_and(|(_, told)| told != In::Told(None));
        frame.bounded |= table.has("bounds", key) && !counts;
        frame.other |= is_other(key);
        let entity = if bare { None } else { self.entity(&text, view) };
        let kind = |referent: &Referent| {
            let kb = self.context.kb.as_ref();
            let kinds = referent.entities.iter().filter_map(|id| kb?.kind(*id));
            kinds
                .map(predicate_key)
                .any(|kind| kind == key || key.strip_suffix("_name").is_some_and(|own| own == kind))
        };
        match entity {
            Some(entity)
                if table.has("named", key) || table.has("titled", key) || kind(&entity) =>
            {
                if frame.named.len() < NAMED {
                    frame.named.push(Named {
                        referent: entity,
                        primary: table.has("primary", key),
                    });
                }
                return;
            }
            None if table.has("named", key) && !bare => frame.foreign = true,
            None if table.has("primary", key) && !bare => frame.other = true,
            _ => {}
        }
        if frame.members.len() < MEMBERS {
            frame.members.push(member(key, false));
        }
    }
}

fn is_money(id: UnitId) -> bool {
    unit(id).dimension == "currency"
}
