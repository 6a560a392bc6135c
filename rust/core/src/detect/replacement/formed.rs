//! A value in a form of its own in the place of another: the day of "2025-05-14T14:00:00Z", the part
//! of "85/100" that was scored.

use crate::claims::SentenceView;
use crate::detect::hours::timed;
use crate::kb::{Moment, moment, score};
use crate::types::{DateExpr, Quantity, QuantityKind, Span};

use super::amount::{Thousands, amount};
use super::wording::dated;

/// Where such a value goes, and how it is told there; `None` for a text of another form.
pub(in crate::detect) fn formed(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    dates: &[DateExpr],
    text: &str,
    style: Thousands,
) -> Option<(Span, Option<String>)> {
    if let Some(own) = moment(text) {
        return Some(at_moment(view, object, quantities, dates, own));
    }
    let own = score(text)?;
    Some(scored(view, quantities, own, text, style).unwrap_or((object, None)))
}

/// The day in the form of the one that was said, with its time where one was said.
fn at_moment(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    dates: &[DateExpr],
    own: Moment,
) -> (Span, Option<String>) {
    let of_day = |d: &&DateExpr| d.year.is_some() || d.month.is_some() || d.weekday.is_some();
    let days: Vec<DateExpr> = dates.iter().filter(of_day).copied().collect();
    let (of, told) = (own.date, days.first());
    let right = told.is_some_and(|day| {
        let month = day.month.is_none() || day.month == of.month;
        let year = day.year.is_none_or(|year| year == of.year);
        let same = day.day.is_none() || day.day == of.day;
        year && month && same && (day.month.is_some() || day.weekday == of.weekday())
    });
    if days.is_empty() && !dates.is_empty() || right {
        return timed(view, object, &own.time());
    }
    let (place, day) = dated(view, object, quantities, &days, own.date);
    let told = days.first().is_some_and(|day| day.minutes.is_some()) && !own.is_day();
    let text = day.map(|day| match told {
        true => format!("{day} at {}", own.time()),
        false => day,
    });
    (place, text)
}

/// The part in the place of another part of the same whole, or as a share in percent.
fn scored(
    view: &SentenceView<'_>,
    quantities: &[Quantity],
    (part, whole): (f64, f64),
    text: &str,
    style: Thousands,
) -> Option<(Span, Option<String>)> {
    let said = quantities.first()?;
    let written = view.at(said.span);
    let behind = view.at(Span::new(said.span.end, view.sentence.span.end));
    let of = behind.trim_start().strip_prefix("out of ").map(|of| {
        let end = of.find(|c: char| !c.is_ascii_digit()).unwrap_or(of.len());
        of[..end].parse::<f64>().ok()
    });
    let slash = behind.strip_prefix('/').map(|of| {
        let end = of.find(|c: char| !c.is_ascii_digit()).unwrap_or(of.len());
        (of[..end].parse::<f64>().ok(), end)
    });
    if let Some((of, len)) = slash.filter(|(of, _)| of.is_some()) {
        let place = Span::new(said.span.start, said.span.end + 1 + len);
        return Some((place, (of == Some(whole)).then(|| text.to_owned())));
    }
    let other_whole = of.is_some_and(|of| of != Some(whole));
    let put = match said.kind {
        QuantityKind::Percent if quantities.len() == 1 => {
            let percent = 1000.0 * part / whole;
            let even = (percent - percent.round()).abs() < 1e-6;
            even.then(|| amount(written, percent.round() / 10.0, None, style))
        }
        _ if other_whole || said.unit.is_some() => None,
        _ if written.contains('/') => Some(text.to_owned()),
        _ => Some(amount(written, part, None, style)),
    };
    Some((said.span, put))
}

/// "85 out of 100" and "85%" of a passage's "85/100": the same, or a part of the same whole.
pub(in crate::detect) fn scored_alike(said: &Quantity, text: &str) -> bool {
    score(text).is_some_and(|(part, whole)| {
        let same = |value: f64| (said.value - value).abs() < 1e-9;
        match said.kind {
            QuantityKind::Percent => (said.value - 100.0 * part / whole).abs() < 0.5,
            _ => same(part) || same(whole) || same(part / whole),
        }
    })
}

/// The part of a passage's "85/100" in the place of "90" out of 100.
pub(in crate::detect) fn rescored(
    view: &SentenceView<'_>,
    said: &Quantity,
    text: &str,
) -> Option<String> {
    let own = score(text)?;
    scored(view, &[*said], own, text, Thousands::Plain)?.1
}
