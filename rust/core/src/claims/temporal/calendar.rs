//! Stretches of the calendar as their first and last days.

use jiff::ToSpan;
use jiff::civil::Date;

/// First and last day.
pub(super) type Days = (Date, Date);

pub(super) fn whole_years(from: i32, until: i32) -> Option<Days> {
    let first = Date::new(i16::try_from(from).ok()?, 1, 1).ok()?;
    let last = Date::new(i16::try_from(until).ok()?, 12, 31).ok()?;
    Some((first, last))
}

pub(super) fn whole_month(year: i32, month: u8) -> Option<Days> {
    let first = Date::new(i16::try_from(year).ok()?, month as i8, 1).ok()?;
    Some((first, first.last_of_month()))
}

pub(super) fn quarter_days(year: i32, quarter: u8) -> Option<Days> {
    let first = whole_month(year, quarter * 3 - 2)?.0;
    let last = whole_month(year, quarter * 3)?.1;
    Some((first, last))
}

/// Seasons as generous as both hemispheres' calendars need is the whole year; these are the
/// northern months, a month wider on both sides.
pub(super) fn season_days(season: &str, year: i32) -> Option<Days> {
    match season {
        "spring" => Some((whole_month(year, 2)?.0, whole_month(year, 7)?.1)),
        "summer" => Some((whole_month(year, 5)?.0, whole_month(year, 10)?.1)),
        "autumn" | "fall" => Some((whole_month(year, 8)?.0, whole_month(year, 12)?.1)),
        _ => whole_years(year, year),
    }
}

pub(super) fn monday_of(day: Date) -> Option<Date> {
    let past = i64::from(day.weekday().to_monday_zero_offset());
    day.checked_sub(past.days()).ok()
}

pub(super) fn unit_days(kind: &str, day: Date, by: i32) -> Option<Days> {
    let year = i32::from(day.year());
    match kind {
        "day" => {
            let day = day.checked_add(i64::from(by).days()).ok()?;
            Some((day, day))
        }
        "week" | "weekend" => {
            let monday = monday_of(day)?
                .checked_add((i64::from(by) * 7).days())
                .ok()?;
            Some((monday, monday.checked_add(6.days()).ok()?))
        }
        "month" => {
            let there = day
                .first_of_month()
                .checked_add(i64::from(by).months())
                .ok()?;
            Some((there, there.last_of_month()))
        }
        "quarter" => {
            let there = day.checked_add((i64::from(by) * 3).months()).ok()?;
            quarter_days(i32::from(there.year()), (there.month() as u8).div_ceil(3))
        }
        "year" => whole_years(year + by, year + by),
        "decade" => {
            let from = year.div_euclid(10) * 10 + by * 10;
            whole_years(from, from + 9)
        }
        "century" => {
            let from = (year - 1).div_euclid(100) * 100 + 1 + by * 100;
            whole_years(from, from + 99)
        }
        _ => None,
    }
}
