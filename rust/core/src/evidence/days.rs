//! Days that a passage tells together: "24–26 December", "on 3 and 10 May".

use jiff::civil::Date;

use crate::claims::{Led, QuantityContext};
use crate::segment::Together;
use crate::types::{DateExpr, Span};

use super::passage::{Dated, PassageIndex};

/// Which end of a stretch a date is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its first day.
    First,
    /// Its last day.
    Last,
}

impl PassageIndex {
    /// Whether a day lies in a stretch of days that is told.
    pub(super) fn in_stretch(&self, said: &DateExpr) -> bool {
        let stretches = self.dates.iter().filter_map(|own| own.together);
        let all = || self.expressions();
        let bare = said.weekday.is_none() && said.minutes.is_none();
        bare && stretches
            .filter(|days| days.ranged)
            .any(|days| days.hold(&all(), said) == Some(true))
    }

    fn expressions(&self) -> Vec<DateExpr> {
        self.dates.iter().map(|own| own.date).collect()
    }

    /// How a day stands to those that one of the passage's dates is told with: where they stand, and
    /// whether it is one of them. An end of a stretch is compared with the same end; `None` where the
    /// date is the other one, or is told alone.
    pub(super) fn beside(
        &self,
        own: &Dated,
        said: &DateExpr,
        end: Option<End>,
    ) -> Option<(Span, bool)> {
        let days: Together = own.together?;
        let all = self.expressions();
        let held = days.hold(&all, said)?;
        let place = match end.filter(|_| days.ranged) {
            Some(End::First) => days.of(&all).first()?.span,
            Some(End::Last) => days.of(&all).last()?.span,
            None => days.span(&all),
        };
        Some((place, held))
    }
}

/// "from 9:00 to 20:00": of two hours that end a stretch no word but its beginning stands before.
pub(super) fn both_close(said: &DateExpr, around: &QuantityContext, own: &Dated) -> bool {
    let closes = |context: &QuantityContext| context.before == 0 && context.led == Some(Led::To);
    let times = said.minutes.is_some() && own.date.minutes.is_some();
    times && closes(around) && closes(&own.context)
}

/// The weekday of a date, 1 (Monday) ..= 7: as it is written, else the calendar's.
pub(super) fn weekday_of(date: &DateExpr) -> Option<u8> {
    date.weekday.or_else(|| on_calendar(date))
}

/// The weekday that the calendar has for a date of which all parts are written.
fn on_calendar(date: &DateExpr) -> Option<u8> {
    let year = i16::try_from(date.year?).ok()?;
    let month = i8::try_from(date.month?).ok()?;
    let day = Date::new(year, month, i8::try_from(date.day?).ok()?).ok()?;
    u8::try_from(day.weekday().to_monday_one_offset()).ok()
}

/// The date without a weekday that follows from its other parts: who says both says no more.
pub(super) fn without_own_weekday(date: &DateExpr) -> DateExpr {
    let follows = date.weekday.is_some() && on_calendar(date) == date.weekday;
    DateExpr {
        weekday: date.weekday.filter(|_| !follows),
        ..*date
    }
}

/// Whether two dates agree in the parts both name; `None` where they name different parts.
pub(super) fn dates_agree(said: &DateExpr, own: &DateExpr) -> Option<bool> {
    fn both<T: PartialEq>(said: Option<T>, own: Option<T>) -> Option<bool> {
        said.zip(own).map(|(said, own)| said == own)
    }
    let parts = [
        // "Monday, 13 March" and 13 March of a year in which that is a Friday.
        both(
            said.weekday,
            own.weekday.or_else(|| said.day.and(on_calendar(own))),
        ),
        both(said.year, own.year),
        both(said.month, own.month),
        both(said.day, own.day),
        both(said.minutes, own.minutes),
    ];
    let mut compared = parts.into_iter().flatten().peekable();
    compared.peek()?;
    Some(compared.all(|same| same))
}
