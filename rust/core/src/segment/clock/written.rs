//! What the way in which a time is written leaves open, and whether two can be the same.

use super::Clock;

/// Steps in minutes that a time may be rounded to, and how far off it may then be.
pub const FIVES: (u16, u16) = (5, 2);

impl Clock {
    /// The same, with its half of the day open where it was written as one of twelve hours without
    /// one: "7:30", not "19:30", "07:30" or "7:30 pm".
    #[must_use]
    pub fn as_written(self, text: &str) -> Self {
        let own = text.get(self.span.start..self.span.end).unwrap_or("");
        let digits = own.bytes().all(|byte| !byte.is_ascii_alphabetic());
        let twelve = (60..13 * 60).contains(&self.minutes) && !own.starts_with('0');
        let open = digits && twelve;
        Self {
            half: self.half && !open,
            ..self
        }
    }

    /// Whether both can be the same time.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        if other.half {
            self.near(other.minutes, 0)
        } else {
            other.near(self.minutes, 0)
        }
    }

    /// Whether it can be the other one, told to the minute, rounded to five: "8:40" of 8:41.
    #[must_use]
    pub fn rounds(&self, other: &Self) -> bool {
        let (step, by) = FIVES;
        self.minutes.is_multiple_of(step)
            && !other.minutes.is_multiple_of(step)
            && self.near(other.minutes, by)
    }
}
