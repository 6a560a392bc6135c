//! Days that a statement tells together against those of another: "24–26 December", "24 December".

use crate::dialogue::{Statement, Valued};
use crate::segment::{Together, together};
use crate::types::{DateExpr, Span};

use super::Compared;

fn dates_of(statement: &Statement) -> Vec<DateExpr> {
    statement.dates.iter().map(|date| date.value).collect()
}

/// The stretch or list that all dates of a statement make together.
pub(super) fn told_together(statement: &Statement) -> Option<Together> {
    let dates = dates_of(statement);
    let text = |span: Span| {
        let at = |place: usize| place.saturating_sub(statement.span.start);
        let own = at(span.start)..at(span.end);
        statement.object.get(own).unwrap_or("")
    };
    let [days] = together(&dates, text)[..] else {
        return None;
    };
    (days.to - days.from == dates.len()).then_some(days)
}

/// A day against days that are told together, and two stretches by their ends. Of a day of which one
/// says no more, the other may tell a longer time.
fn days_together(
    said: &Statement,
    prior: &Statement,
    days: (Option<Together>, Option<Together>),
) -> Compared {
    let (own, other) = (dates_of(said), dates_of(prior));
    let different = |date: &DateExpr| Compared::Different(date.span, None);
    match days {
        (None, Some(days)) => match &own[..] {
            [day] if day.weekday.is_none() && day.minutes.is_none() => {
                match days.hold(&other, day) {
                    Some(true) => Compared::Same,
                    Some(false) => different(day),
                    None => Compared::Unknown,
                }
            }
            _ => Compared::Unknown,
        },
        (Some(a), Some(b)) if a.ranged == b.ranged => {
            let held = |date: &&DateExpr| b.hold(&other, date) == Some(true);
            if let Some(date) = own.iter().find(|date| b.hold(&other, date) == Some(false)) {
                return different(date);
            }
            let whole = own.iter().filter(held).count() == own.len();
            let back = other.iter().all(|date| a.hold(&own, date) == Some(true));
            if whole && back {
                Compared::Same
            } else {
                Compared::Unknown
            }
        }
        _ => Compared::Unknown,
    }
}

/// Day with day and time of day with time of day; a day that only one of them has restricts nothing.
pub(super) fn dates(said: &Statement, prior: &Statement) -> Compared {
    let days = (told_together(said), told_together(prior));
    if days.0.is_some() || days.1.is_some() {
        return days_together(said, prior, days);
    }
    let (Some(own), Some(other)) = (Slots::of(&said.dates), Slots::of(&prior.dates)) else {
        return Compared::Unknown;
    };
    let compare = |a: Option<&Valued<DateExpr>>, b: Option<&Valued<DateExpr>>| {
        a.zip(b).map(|(a, b)| one_date(a, b))
    };
    let (day, time) = (compare(own.day, other.day), compare(own.time, other.time));
    match (day, time) {
        // A weekday and a date may be one day or two.
        (Some(Compared::Unknown), _) | (None, None) => Compared::Unknown,
        (Some(Compared::Different(at, _)), Some(Compared::Different(..))) => {
            Compared::Different(at, None)
        }
        (Some(different @ Compared::Different(..)), _)
        | (_, Some(different @ Compared::Different(..))) => different,
        (Some(Compared::Same), _) | (_, Some(Compared::Same)) => Compared::Same,
        (None, Some(Compared::Unknown)) => Compared::Unknown,
    }
}

/// The day and the time of day of a value.
struct Slots<'a> {
    day: Option<&'a Valued<DateExpr>>,
    time: Option<&'a Valued<DateExpr>>,
}

impl<'a> Slots<'a> {
    /// None where it has two of one.
    fn of(dates: &'a [Valued<DateExpr>]) -> Option<Self> {
        let daily = |date: &&Valued<DateExpr>| {
            let date = &date.value;
            date.weekday.is_some() || date.month.is_some() || date.year.is_some()
        };
        let (days, times): (Vec<_>, Vec<_>) = dates.iter().partition(daily);
        (days.len() <= 1 && times.len() <= 1).then(|| Self {
            day: days.first().copied(),
            time: times.first().copied(),
        })
    }
}

fn one_date(a: &Valued<DateExpr>, b: &Valued<DateExpr>) -> Compared {
    let differ = |x: Option<i64>, y: Option<i64>| x.zip(y).map(|(x, y)| x != y);
    let parts = [
        differ(
            a.value.weekday.map(i64::from),
            b.value.weekday.map(i64::from),
        ),
        differ(a.value.year.map(i64::from), b.value.year.map(i64::from)),
        differ(a.value.month.map(i64::from), b.value.month.map(i64::from)),
        differ(a.value.day.map(i64::from), b.value.day.map(i64::from)),
        differ(
            a.value.minutes.map(i64::from),
            b.value.minutes.map(i64::from),
        ),
    ];
    if parts.contains(&Some(true)) {
        let shape = |date: &DateExpr| {
            (
                date.weekday.is_some(),
                date.year.is_some(),
                date.month.is_some(),
                date.day.is_some(),
                date.minutes.is_some(),
            )
        };
        let fits = shape(&a.value) == shape(&b.value);
        Compared::Different(a.value.span, fits.then(|| b.text.clone()))
    } else if parts.contains(&Some(false)) {
        Compared::Same
    } else {
        Compared::Unknown
    }
}
