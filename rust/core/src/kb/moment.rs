//! Dates with a time of day as exports and databases write them: "2025-05-14T14:00:00Z",
//! "1999-05-01 00:00:00.000000".

use std::fmt;

use crate::segment;

use super::compare::{Agreement, Said, dates};
use super::value::Date;

/// From which time of day on a day of Greenwich has ended where many live.
const EVENING: u16 = 18 * 60;
/// Hours by which a place may be off Greenwich, at most.
const OFFSET: u16 = 14;

/// A day with a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) date: Date,
    minutes: u16,
    /// It says how far it is off Greenwich; where it is told, the clock may be another.
    zoned: bool,
}

impl Moment {
    /// Whether it is midnight, by which a day without a time is written.
    pub(crate) fn is_day(self) -> bool {
        self.minutes == 0
    }

    /// Its time of day ("14:00").
    pub(crate) fn time(self) -> String {
        format!("{:02}:{:02}", self.minutes / 60, self.minutes % 60)
    }

    /// Its day is the next one where the sun rises earlier.
    fn may_be_next_day(self, said: &Said<'_>) -> bool {
        let next = || {
            let (month, day) = (self.date.month?, self.date.day?);
            let next = Date::checked(self.date.year, Some(month), Some(day + 1));
            let after = || Date::checked(self.date.year, Some(month + 1), Some(1));
            next.or_else(after)
                .or_else(|| Date::checked(self.date.year + 1, Some(1), Some(1)))
        };
        self.zoned
            && self.minutes >= EVENING
            && next().is_some_and(|next| dates(said, next) == Agreement::Same)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.date.fmt(f)?;
        if self.is_day() {
            return Ok(());
        }
        write!(f, " {}", self.time())
    }
}

/// The moment that a text is as a whole, in the form of ISO 8601, with or without seconds and offset.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let text = text.trim();
    let date = Date::parse_iso(text.get(..10)?).filter(|date| date.day.is_some())?;
    let rest = text.get(10..)?;
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let hour = two(time, 24)?;
    let rest = time.get(2..)?.strip_prefix(':')?;
    let minute = two(rest, 60)?;
    let mut rest = rest.get(2..)?;
    let seconds = rest.strip_prefix(':');
    if let Some(seconds) = seconds {
        two(seconds, 61)?;
        rest = seconds.get(2..)?;
        if let Some(parts) = rest.strip_prefix(['.', ',']) {
            rest = parts.trim_start_matches(|c: char| c.is_ascii_digit());
            (parts.len() > rest.len()).then_some(())?;
        }
    }
    let zone = rest.trim();
    // "2025-05-14 09:00-12:00" tells from when to when.
    let hours = seconds.is_none() && text.as_bytes()[10] == b' ';
    let known = zone.is_empty() || is_zone(zone) && !(hours && zone.starts_with('-'));
    known.then_some(Moment {
        date,
        minutes: hour * 60 + minute,
        zoned: !zone.is_empty(),
    })
}

/// The number below a limit that the first two digits of a text are.
fn two(text: &str, below: u16) -> Option<u16> {
    let digits = text.get(..2)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|n| plain && *n < below)
}

/// "Z", "+02:00", "-0500", "+01".
fn is_zone(text: &str) -> bool {
    let offset = text.strip_prefix(['+', '-', '−']).is_some_and(|offset| {
        let digits = offset.replacen(':', "", 1);
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && matches!(digits.len(), 2 | 4);
        plain && two(&digits, OFFSET + 1).is_some()
    });
    offset || matches!(text, "Z" | "z" | "UTC" | "GMT")
}

/// How what is said stands to a text that is a moment; `None` for any other text. A time of day is held
/// against it where that of the place is known.
pub(super) fn moment_agrees(said: &Said<'_>, text: &str) -> Option<Agreement> {
    let own = moment(text)?;
    let day = dates(said, own.date);
    if day == Agreement::Different && own.may_be_next_day(said) {
        return Some(Agreement::Incomparable);
    }
    if own.is_day() || day == Agreement::Different {
        return Some(day);
    }
    let told = segment::clocks(said.text);
    if told.is_empty() {
        return Some(day);
    }
    Some(if told.iter().all(|clock| clock.near(own.minutes, 0)) {
        Agreement::Same
    } else if own.zoned {
        Agreement::Incomparable
    } else {
        Agreement::Different
    })
}
