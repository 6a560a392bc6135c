//! A whole text as segments with what is read in them: claims, names, times, statements
//! (S0-015..019). The same readers as a stream's, without judging.

use jiff::civil::Date;
use serde_json::{Value, json};

use crate::claims::{
    Attributes, Clause, Folded, Proposition, ReadCache, SentenceView, Temporal, as_told, clauses,
    extract, propositions, temporals,
};
use crate::entities::{MentionScanner, Names};
use crate::kb::Snapshot;
use crate::lexicon::cues::Cue;
use crate::segment::{SegEvent, Segmenter};
use crate::types::{
    Claim, DateExpr, LexKind, Lexeme, Mention, MentionKind, Modality, Quantity, Resolution,
    Sentence, SentenceKind, Span,
};

/// Entities that a pronoun may stand for, the latest first.
const ANTECEDENTS: usize = 8;

/// The segments of `text` as JSON, one object a sentence, spans in code points from the start of
/// `text`. `before` is what was said earlier (turns, the question), oldest first: pronouns may
/// refer to it. `reference` is the day that counts as today.
///
/// Fields: `index`, `text`, `span`, `kind`; `claims` (as [`Claim`] is written, spans as
/// `[start, end]`); `entities` (`surface`, `span`, `mention_type`, `type`, `resolved`: the key of
/// the entity in the knowledge base, if it has just one); `temporals` (`surface`, `span`,
/// `resolved_date`, `first`, `last`, `year`, `tense`, `relation`, `target`, `event`);
/// `statements` (`surface`, `span`, `subject`, `predicate`, `object`, `negative`, `quantifier`,
/// `scope`, `category`, `modality`).
#[must_use]
pub fn segments(
    text: &str,
    kb: Option<&Snapshot>,
    before: &[&str],
    reference: Option<Date>,
) -> Value {
    let names = kb.map(|kb| kb.names().clone()).unwrap_or_default();
    let attributes = kb
        .map(|kb| Attributes::new(kb.attribute_names()).with_lexicon(kb.lexicon().clone()))
        .unwrap_or_default();
    let mut antecedents = Vec::new();
    for turn in before {
        for (mentions, ..) in read(turn, &names) {
            remember(&mut antecedents, &mentions);
        }
    }
    let points = Points::new(text);
    let mut out = Vec::new();
    for (mentions, sentence, lexemes, quantities, dates) in read(text, &names) {
        let view = SentenceView {
            text: &text[sentence.span.start..sentence.span.end],
            sentence: &sentence,
            lexemes: &lexemes,
            words: &[],
            quantities: &quantities,
            dates: &dates,
            mentions: &mentions,
            signals: &[],
            antecedents: &antecedents,
            attributes: &attributes,
            cache: &ReadCache::default(),
        };
        let told = as_told(&view);
        let retold = ReadCache::default();
        let view = match &told {
            Some(lexemes) => view.with_lexemes(lexemes, &retold),
            None => view,
        };
        out.push(segment(&view, &points, kb, reference));
        remember(&mut antecedents, &mentions);
    }
    Value::Array(out)
}

type Read = (
    Vec<Mention>,
    Sentence,
    Vec<Lexeme>,
    Vec<Quantity>,
    Vec<DateExpr>,
);

fn read(text: &str, names: &Names) -> Vec<Read> {
    let mut events = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut take = |event: SegEvent, word: &str| events.push((event, word.to_owned()));
    segmenter.push(text, &mut take);
    segmenter.finish(&mut take);
    let mut scanner = MentionScanner::new();
    let mut out = Vec::new();
    let (mut mentions, mut lexemes) = (Vec::new(), Vec::new());
    let (mut quantities, mut dates) = (Vec::new(), Vec::new());
    for (event, word) in events {
        match event {
            SegEvent::Lexeme(lexeme) => {
                scanner.push(names, &lexeme, &word, &mut |m| mentions.push(m));
                lexemes.push(lexeme);
            }
            SegEvent::Quantity(quantity) => quantities.push(quantity),
            SegEvent::Date(date) => dates.push(date),
            SegEvent::Sentence(sentence) => {
                scanner.sentence_end(names, sentence.decided_at, &mut |m| mentions.push(m));
                out.push((
                    std::mem::take(&mut mentions),
                    sentence,
                    std::mem::take(&mut lexemes),
                    std::mem::take(&mut quantities),
                    std::mem::take(&mut dates),
                ));
            }
        }
    }
    out
}

fn remember(antecedents: &mut Vec<u32>, mentions: &[Mention]) {
    for mention in mentions {
        if let Resolution::Known(ids) = &mention.resolution
            && let Some(&id) = ids.first()
        {
            antecedents.retain(|&other| other != id);
            antecedents.insert(0, id);
            antecedents.truncate(ANTECEDENTS);
        }
    }
}

/// Code points before each byte.
struct Points(Vec<usize>);

impl Points {
    fn new(text: &str) -> Self {
        let mut points = Vec::with_capacity(text.len() + 1);
        for (count, c) in text.chars().enumerate() {
            points.resize(points.len() + c.len_utf8(), count);
        }
        points.push(text.chars().count());
        Self(points)
    }

    fn span(&self, span: Span) -> Value {
        let at = |byte: usize| self.0.get(byte).or(self.0.last()).copied().unwrap_or(0);
        json!([at(span.start), at(span.end)])
    }
}

fn segment(
    view: &SentenceView<'_>,
    points: &Points,
    kb: Option<&Snapshot>,
    reference: Option<Date>,
) -> Value {
    let folded = view.folded();
    let claims = extract(view);
    let modality = claims.first().map_or(Modality::Asserted, |c| c.modality);
    let read = !matches!(
        view.sentence.kind,
        SentenceKind::Code | SentenceKind::Heading
    );
    let clauses = if read { clauses(view) } else { Vec::new() };
    let times = temporals(view, &folded, &clauses, reference);
    let said = propositions(view, &folded, &clauses, &times, modality);
    json!({
        "index": view.sentence.index,
        "text": view.text,
        "span": points.span(view.sentence.span),
        "kind": view.sentence.kind,
        "claims": claims.iter().map(|c| claim(c, points)).collect::<Vec<_>>(),
        "entities": entities(view, &folded, points, kb),
        "temporals": times
            .iter()
            .map(|t| temporal(view, &folded, &clauses, t, points))
            .collect::<Vec<_>>(),
        "statements": said.iter().map(|s| statement(view, s, points)).collect::<Vec<_>>(),
    })
}

/// A claim as it is written, every span in code points.
fn claim(claim: &Claim, points: &Points) -> Value {
    let mut value = serde_json::to_value(claim).unwrap_or_default();
    respan(&mut value, points);
    value
}

/// Turns `{"start", "end"}` in bytes into `[start, end]` in code points, however deep.
fn respan(value: &mut Value, points: &Points) {
    match value {
        Value::Object(map) => {
            let place = |name: &str| map.get(name).and_then(Value::as_u64);
            if map.len() == 2
                && let (Some(start), Some(end)) = (place("start"), place("end"))
            {
                *value = points.span(Span::new(start as usize, end as usize));
                return;
            }
            for (_, inner) in map.iter_mut() {
                respan(inner, points);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| respan(inner, points)),
        _ => {}
    }
}

fn entities(
    view: &SentenceView<'_>,
    folded: &Folded,
    points: &Points,
    kb: Option<&Snapshot>,
) -> Vec<Value> {
    let known = |id: u32| {
        let entity = kb?.entity(id)?;
        Some((entity.key.to_string(), kb?.kind(id).map(str::to_owned)))
    };
    let mut found: Vec<(Span, Value)> = Vec::new();
    let mut add = |span: Span, kind: &str, id: Option<u32>| {
        let entity = id.and_then(known);
        let (key, sort) = entity.map_or((None, None), |(key, sort)| (Some(key), sort));
        let sort = sort.filter(|sort| !sort.is_empty());
        found.push((
            span,
            json!({
                "surface": view.at(span),
                "span": points.span(span),
                "mention_type": kind,
                "type": sort.unwrap_or_else(|| "unknown".to_owned()),
                "resolved": key,
            }),
        ));
    };
    for mention in view.mentions {
        let kind = match mention.kind {
            MentionKind::ProperName => "proper_name",
            MentionKind::DefiniteDesc => "definite_desc",
            MentionKind::Pronoun => "pronoun",
            MentionKind::Generic => "generic",
        };
        let id = match &mention.resolution {
            Resolution::Known(ids) if ids.len() == 1 => ids.first().copied(),
            _ => None,
        };
        add(mention.span, kind, id);
    }
    let mut latest = view.antecedents.first().copied();
    for (i, lexeme) in view.lexemes.iter().enumerate() {
        let named = view.mentions.iter().find(|m| m.span.overlaps(lexeme.span));
        if let Some(mention) = named {
            if let Resolution::Known(ids) = &mention.resolution {
                latest = ids.first().copied();
            }
            continue;
        }
        let pronoun = Cue::PRONOUN_PERSON.or(Cue::PRONOUN_GROUP);
        let it = matches!(folded.get(i), "it");
        if lexeme.kind == LexKind::Word && (it || folded.cue(i).is(pronoun)) {
            let determiner = matches!(folded.get(i), "these" | "those" | "her");
            let alone = view
                .lexemes
                .get(i + 1)
                .is_none_or(|next| next.kind != LexKind::Word);
            if !determiner || alone {
                add(lexeme.span, "pronoun", latest);
            }
        }
    }
    found.sort_by_key(|(span, _)| *span);
    found.into_iter().map(|(_, value)| value).collect()
}

fn day(date: Option<Date>) -> Value {
    date.map_or(Value::Null, |date| date.to_string().into())
}

fn temporal(
    view: &SentenceView<'_>,
    folded: &Folded,
    clauses: &[Clause],
    temporal: &Temporal,
    points: &Points,
) -> Value {
    let event = temporal.clause.and_then(|i| clauses.get(i)).map(|clause| {
        let verb = clause.verb.unwrap_or(clause.group.start);
        folded.get(verb).to_owned()
    });
    let target = temporal.target.map(|target| {
        json!({
            "surface": view.at(target.span),
            "resolved_date": day(target.first),
        })
    });
    json!({
        "surface": view.at(temporal.span),
        "span": points.span(temporal.span),
        "resolved_date": day(temporal.resolved),
        "first": day(temporal.first),
        "last": day(temporal.last),
        "year": temporal.year,
        "tense": temporal.tense.as_str(),
        "relation": temporal.relation.map(|relation| relation.as_str()),
        "target": target,
        "event": event.unwrap_or_default(),
    })
}

fn statement(view: &SentenceView<'_>, statement: &Proposition, points: &Points) -> Value {
    json!({
        "surface": view.at(statement.span),
        "span": points.span(statement.span),
        "subject": statement.subject,
        "predicate": statement.predicate,
        "object": statement.object,
        "negative": statement.negative,
        "quantifier": statement.quantifier.map(|quantifier| quantifier.as_str()),
        "scope": statement.scope.trim(),
        "category": statement.category,
        "modality": statement.modality,
    })
}
