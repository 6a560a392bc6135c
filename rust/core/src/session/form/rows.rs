//! Objects that name an entity of the knowledge base, as rows about it.

use crate::claims::{SentenceView, attribute_of_key, member_claims, unit_named};
use crate::kb::{Fact, Value};
use crate::lexicon::tables::forms;
use crate::types::{SentenceKind, UnitId};

use super::super::Session;
use super::units::{In, Scale, is_unit};
use super::{FormRead, Forms, Frame, LEXEMES, MEMBERS, Member, NAMED, Named, Piece, is_money};

/// Most facts of one attribute.
const FACTS: usize = 64;
/// How many times as large or small as the base's a number may be in the magnitude that is told.
const NEAR: f64 = 30.0;

impl Session {
    /// An object is over: its members are held against what the base has of the entity it names.
    pub(super) fn close_frame(
        &mut self,
        own: &mut Forms,
        view: &SentenceView<'_>,
        read: &mut FormRead,
    ) {
        let Some(mut frame) = own.frames.pop() else {
            return;
        };
        let depth = own.frames.len() + 1;
        if frame.refuted {
            let mut at = 0;
            let depths = read.depths.clone();
            read.pieces.retain(|_| {
                at += 1;
                depths[at - 1] < depth
            });
            read.depths.retain(|own| *own < depth);
        }
        if frame.voiced || frame.refuted {
            return;
        }
        hand_out(&mut frame, own);
        if frame.list {
            return;
        }
        let claimed = |member: &Member| !member.bare && forms().has("claimed", &member.key);
        for member in frame.members.iter().filter(|member| claimed(member)) {
            self.sentences(&member.text, member.at, (depth, &[]), view, read);
        }
        if frame.foreign {
            return;
        }
        let key = own
            .frames
            .last()
            .map_or_else(String::new, |outer| outer.key.clone());
        if frame.named.is_empty() {
            // What a part says is of the whole.
            if let Some(outer) = own.frames.last_mut()
                && !outer.list
                && forms().has("wrap", &key)
            {
                outer.bounded |= frame.bounded;
                outer.other |= frame.other;
                let room = MEMBERS.saturating_sub(outer.members.len());
                let members = std::mem::take(&mut frame.members);
                let told = members.into_iter().map(|member| Member {
                    within: frame.within_of(&member),
                    ..member
                });
                outer.members.extend(told.take(room));
            }
            return;
        }
        for member in &frame.members {
            if let Some(piece) = self.member(member, &frame, view, false) {
                read.pieces.push(piece);
                read.depths.push(depth);
            }
        }
        if let Some(outer) = own.frames.last_mut()
            && !outer.list
            && forms().has("named", &key)
            && outer.named.len() < NAMED
        {
            let first = frame.named.into_iter().take(1);
            outer.named.extend(first.map(|named| Named {
                primary: false,
                ..named
            }));
        }
    }

    /// Of objects that are still open where a sentence ends, and whose text may leave, what no
    /// later member bounds: names, words and years of what they are surely about.
    pub(super) fn judge_early(
        &self,
        own: &mut Forms,
        view: &SentenceView<'_>,
        read: &mut FormRead,
    ) {
        if view.sentence.kind == SentenceKind::Code || own.frames.iter().any(|f| f.voiced) {
            return;
        }
        for (depth, frame) in own.frames.iter_mut().enumerate() {
            let open = frame.list || frame.foreign || frame.other || frame.bounded || frame.refuted;
            if open || !frame.named.iter().any(|named| named.primary) {
                continue;
            }
            let members = std::mem::take(&mut frame.members);
            for member in members {
                if let Some(piece) = self.member(&member, frame, view, true) {
                    read.pieces.push(piece);
                    read.depths.push(depth + 1);
                } else {
                    frame.members.push(member);
                }
            }
        }
    }

    /// A member as a claim about the one entity of its object that has such an attribute.
    fn member(
        &self,
        member: &Member,
        frame: &Frame,
        view: &SentenceView<'_>,
        early: bool,
    ) -> Option<Piece> {
        let kb = self.context.kb.as_ref()?;
        let mut found = self.pieces(&member.text, member.at, view.sentence, &[]);
        let mut piece = found.pop().filter(|_| found.is_empty())?;
        if !piece.short(LEXEMES) {
            return None;
        }
        piece.as_member(&member.key, member.bare);
        let own = piece.view(&[], view.attributes);
        let attribute = attribute_of_key(&own, &member.key);
        let names = view.attributes.predicates();
        let same = |name: &str| names.same(name, &attribute);
        let number = piece.is_number();
        let counted =
            |value: &Value| (number || matches!(value, Value::Number { .. })) && !lasting(value);
        let told = |fact: &Fact| {
            (!frame.bounded || lasting(&fact.value)) && !(early && counted(&fact.value))
        };
        let (mut money, mut amount) = (None, None);
        let has = |of: &&Named| {
            (of.primary || !frame.other)
                && of.referent.entities.iter().any(|id| {
                    let facts = kb.few_facts(*id, FACTS, &same).unwrap_or_default();
                    money = money.or_else(|| facts.iter().find_map(|fact| priced(&fact.value)));
                    amount = amount.or_else(|| facts.iter().find_map(|fact| measured(&fact.value)));
                    // Of what the base has one of, a list may name others besides.
                    let several = !member.listed || facts.len() > 1;
                    several && !facts.is_empty() && facts.iter().all(told)
                })
        };
        let mut named = frame.named.iter().filter(has);
        let (subject, None) = (named.next()?, named.next()) else {
            return None;
        };
        let within = frame.within_of(member);
        if number && within != In::Open && amount != Some(None) {
            let (In::Told(Some(scale)), Some(of)) = (within, amount.flatten()) else {
                return None;
            };
            let (known, of) = of;
            // Of several numbers a magnitude may be meant for the others.
            let said = piece.value() * scale.factor;
            if scale.factor != 1.0 && !(known / NEAR..=known * NEAR).contains(&said) {
                return None;
            }
            let unit = match (scale.unit, of, frame.currency) {
                (Some(unit), Some(_), _) => Some(unit),
                (Some(_), None, _) => return None,
                (None, Some(of), Some(currency)) if is_money(of) => Some(currency?),
                (None, of, _) => of,
            };
            piece.scaled(Scale { unit, ..scale });
        } else if let Some((currency, value)) = money {
            let currency = frame.currency.unwrap_or(Some(currency))?;
            piece.in_unit(currency, value)?;
        }
        let own = piece.view(&[], view.attributes);
        piece.claims = member_claims(&own, &subject.referent, &attribute);
        Some(piece)
    }
}

/// What a list holds is said of the object around it under the list's key, and so is what an object
/// calls its own thing: "manager": {"name": "Ada Lind"}.
fn hand_out(frame: &mut Frame, own: &mut Forms) {
    let Some(outer) = own.frames.last_mut().filter(|outer| !outer.list) else {
        return;
    };
    let key = outer.key.clone();
    let table = forms();
    if table.has("bounds", &key) || table.has("other", &key) {
        return;
    }
    let room = MEMBERS.saturating_sub(outer.members.len());
    if frame.list {
        let all = std::mem::take(&mut frame.members);
        let alone = all.len() == 1;
        let nested = frame.nested;
        outer.members.extend(
            all.into_iter()
                .take(room)
                .filter(|_| !nested)
                .map(|member| Member {
                    listed: !alone,
                    ..member
                }),
        );
        return;
    }
    // "revenue": {"value": 48, "unit": "EUR million"}
    let amount = |member: &Member| table.has("amount", &member.key);
    let rest = |member: &Member| is_unit(&member.key) || amount(member);
    if frame.named.is_empty() && !frame.bounded && frame.members.iter().all(rest) && room > 0 {
        let mut told = std::mem::take(&mut frame.members);
        told.retain(amount);
        if let ([member], None) = (told.as_slice(), &frame.called) {
            let within = frame.within_of(member);
            let currency = frame.currency.map_or(In::Open, |unit| {
                In::Told(unit.map(|unit| Scale {
                    factor: 1.0,
                    unit: Some(unit),
                }))
            });
            outer.members.push(Member {
                key,
                within: within.and(currency),
                ..member.clone()
            });
        }
        return;
    }
    let own_thing = table.has("wrap", &key) || table.has("named", &key);
    if frame.bounded || own_thing || room == 0 {
        return;
    }
    if let Some(called) = frame.called.take() {
        outer.members.push(Member { key, ..called });
    }
}

impl Frame {
    /// What a member's number is in.
    fn within_of(&self, member: &Member) -> In {
        let own = self.each.iter().filter(|(of, _)| *of == member.key);
        let own = own.fold(In::Open, |all, (_, told)| all.and(*told));
        member.within.or(own).or(self.within)
    }
}

/// An amount and its unit, where it has one; none of what is no amount or stays for years.
fn measured(value: &Value) -> Option<Option<(f64, Option<UnitId>)>> {
    match value {
        _ if lasting(value) => Some(None),
        Value::Number { unit, value } => {
            let unit = match unit {
                Some(unit) => Some(unit_named(unit)?),
                None => None,
            };
            Some(Some((*value, unit)))
        }
        _ => None,
    }
}

/// Whether a value stays as it is in other years.
fn lasting(value: &Value) -> bool {
    match value {
        Value::Number { value, unit } => unit.is_none() && (1000.0..2200.0).contains(value),
        Value::Date(_) => true,
        _ => false,
    }
}

/// Currency and amount of a sum of money.
fn priced(value: &Value) -> Option<(UnitId, f64)> {
    let Value::Number {
        unit: Some(of),
        value,
    } = value
    else {
        return None;
    };
    let currency = unit_named(of).filter(|id| is_money(*id))?;
    Some((currency, *value))
}
