//! Times of day: "15:00", "3 pm", "9:00-17:00".

use crate::segment::{self, Clock};
use crate::types::{DateExpr, Quantity};

use super::compare::Agreement;
use super::loose::written_loosely;

/// Minutes by which "around 10 am" may differ.
const ABOUT: u16 = 30;
/// Minutes of half a day.
const HALF: u16 = 12 * 60;

/// How what is said stands to a value that holds times of day; `None` where it holds none.
pub(super) fn clock_agrees(
    said: &str,
    quantities: &[Quantity],
    dates: &[DateExpr],
    value: &str,
) -> Option<Agreement> {
    let own: Vec<u16> = segment::clocks(value).iter().map(|c| c.minutes).collect();
    if own.is_empty() {
        return None;
    }
    let about = ["about", "around", "roughly", "approximately", "~", "circa"]
        .iter()
        .any(|word| said.to_lowercase().contains(word))
        || written_loosely(value);
    let slack = if about { ABOUT } else { 0 };
    let told = if own.len() == 2 {
        segment::told_hours(said)
    } else {
        segment::told_clocks(said)
    };
    if told.is_empty() {
        // "at ten": which half of the day is not said.
        let hour = |q: &&Quantity| {
            q.unit.is_none() && q.value.fract() == 0.0 && (0.0..=24.0).contains(&q.value)
        };
        let Some(quantity) = quantities.iter().find(hour) else {
            return Some(Agreement::Incomparable);
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let minutes = quantity.value as u16 * 60 % HALF;
        let same = own
            .iter()
            .any(|own| (own % HALF).abs_diff(minutes) <= slack);
        return Some(if same {
            Agreement::Same
        } else {
            Agreement::Different
        });
    }
    // "on Sundays from 10": hours of one day, which the value may not speak of.
    let named = dates.iter().any(|date| date.weekday.is_some())
        || segment::dates(value)
            .iter()
            .any(|date| date.weekday.is_some());
    let same = match (told.as_slice(), own.as_slice()) {
        ([from, to], [own_from, own_to]) => {
            // "7 to 9 p.m." may be the whole day.
            let bare = said.get(from.span.start..from.span.end).unwrap_or("");
            let open = to.minutes >= HALF && !bare.contains(['m', 'M', ':', '.']);
            let from = Clock {
                half: from.half && !open,
                ..*from
            };
            from.near(*own_from, slack) && to.near(*own_to, slack)
        }
        _ => told
            .iter()
            .all(|time| own.iter().any(|own| time.near(*own, slack))),
    };
    Some(match (same, named && own.len() != 2 || own.len() > 2) {
        (true, _) => Agreement::Same,
        (false, true) => Agreement::Incomparable,
        (false, false) => Agreement::Different,
    })
}
