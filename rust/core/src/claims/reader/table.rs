//! The rows of a table as claims.

use std::ops::Range;
use std::sync::Arc;

use crate::lexicon::tables::roles;
use crate::types::{Claim, LexKind};

use super::super::extract::{Said, phrase_claims};
use super::super::kinds::Kinds;
use super::super::parse::Parser;
use super::super::scale::Scaled;
use super::super::view::SentenceView;
use super::heads::{is_attribute, is_named_attribute, known};
use super::{Lead, Reader, clipped, in_scale, span, words};

/// Most cells of a row that are read.
const CELLS: usize = 16;

impl Reader {
    /// Head cell → value, for the row's first cell.
    pub(super) fn table_row(
        &mut self,
        view: &SentenceView<'_>,
        lead: Option<&Lead>,
        kinds: &dyn Kinds,
    ) -> Option<Vec<Claim>> {
        let cells = cells(view);
        if cells.iter().all(Range::is_empty) {
            // The rule below the head.
            self.head = self.row.take();
            return None;
        }
        let texts =
            |cell: &Range<usize>| clipped(span(view, cell).map_or("", |span| view.at(span)));
        let Some(head) = self.head.clone() else {
            self.row = Some(Arc::new(cells.iter().map(texts).collect()));
            // "| Feature | X | Y |"
            let named = |(at, cell): (usize, &Range<usize>)| {
                Some((at, known(view, span(view, cell)?, kinds)?))
            };
            let columns: Vec<_> = cells.iter().enumerate().skip(1).filter_map(named).collect();
            let all = !columns.is_empty() && columns.len() + 1 == cells.len();
            self.columns = all.then(|| Arc::new(columns));
            return None;
        };
        if let Some(columns) = &self.columns {
            let attribute = cells.first().filter(|cell| !cell.is_empty())?;
            let attribute = Parser::named(view, attribute.clone());
            let said = columns.iter().filter_map(|(at, own)| {
                let cell = cells.get(*at).filter(|cell| !cell.is_empty())?.clone();
                Some((Said::Before(&own.name), attribute.clone(), cell, false))
            });
            return phrase_claims(view, said.collect());
        }
        // "| Name | X |": the rows below are of X.
        if let [key, value] = cells.as_slice()
            && !key.is_empty()
            && !value.is_empty()
            && let Some(named) = named_row(view, (key, value), kinds)
        {
            self.lead = Some(named);
            return None;
        }
        // "| Founded | 1987 |" below the heading "X"
        let headed = lead.filter(|lead| lead.predicate.is_none() && lead.referent.is_some());
        // "| Metric | 2015 |" has values of then.
        let dated = |name: &String| name.chars().any(|c| c.is_ascii_digit());
        let then = head.get(1).is_some_and(dated)
            && head
                .first()
                .is_some_and(|name| !is_named_attribute(view, name));
        if let (Some(lead), [key, value]) = (headed, cells.as_slice())
            && !then
            && !key.is_empty()
            && !value.is_empty()
            && is_attribute(view, key)
        {
            let text = span(view, key).map_or("", |place| view.at(place));
            let scaled = Scaled::of(text);
            let name = Parser::attribute_named(view, scaled.map_or(text, |scaled| scaled.name));
            let said = vec![(Said::Before(&lead.subject), name, value.clone(), false)];
            return phrase_claims(view, said).map(|claims| in_scale(view, claims, &[scaled]));
        }
        let subject = cells.first().filter(|cell| !cell.is_empty())?.clone();
        let told = cells
            .iter()
            .zip(head.iter())
            .skip(1)
            .filter(|(cell, name)| !cell.is_empty() && !name.is_empty())
            .map(|(cell, name)| (cell.clone(), name, Scaled::of(name)));
        let (mut said, mut scales) = (Vec::new(), Vec::new());
        for (cell, name, scaled) in told {
            let name = scaled.map_or(name.as_str(), |scaled| scaled.name);
            let predicate = Parser::attribute_named(view, name);
            said.push((Said::Here(subject.clone()), predicate, cell, false));
            scales.push(scaled);
        }
        phrase_claims(view, said).map(|claims| in_scale(view, claims, &scales))
    }
}

/// What the row says the rows below it are about.
fn named_row(
    view: &SentenceView<'_>,
    (key, value): (&Range<usize>, &Range<usize>),
    kinds: &dyn Kinds,
) -> Option<Arc<Lead>> {
    let key = view.at(span(view, key)?).to_lowercase();
    let referent = known(view, span(view, value)?, kinds)?;
    roles().has("card_name", &key).then(|| {
        Arc::new(Lead {
            subject: clipped(&referent.name),
            predicate: None,
            negative: false,
            referent: Some(referent),
        })
    })
}

/// The cells of a row; empty ones keep their place.
fn cells(view: &SentenceView<'_>) -> Vec<Range<usize>> {
    let bars: Vec<usize> = (0..view.lexemes.len())
        .filter(|i| view.word(*i) == "|")
        .collect();
    let text = |range: Range<usize>| {
        let range = words(view, range);
        let said = range
            .clone()
            .any(|i| matches!(view.lexemes[i].kind, LexKind::Word | LexKind::Number));
        if said { range } else { 0..0 }
    };
    let mut cells: Vec<Range<usize>> = bars
        .windows(2)
        .take(CELLS)
        .map(|pair| text(pair[0] + 1..pair[1]))
        .collect();
    // A row may go without its outer bars.
    if let (Some(first), Some(last)) = (bars.first(), bars.last()) {
        let before = text(0..*first);
        if !before.is_empty() {
            cells.insert(0, before);
        }
        let after = text(last + 1..view.lexemes.len());
        if !after.is_empty() && cells.len() < CELLS {
            cells.push(after);
        }
    }
    cells
}
