//! Lines of an answer and the markers of its lists.

use crate::types::{LexFlags, LexKind, Lexeme};

/// Where lines and items of lists begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    /// At the beginning of a line.
    pub(super) fresh: bool,
    /// A bullet or a number that the next lexeme may make a marker.
    pub(super) marker: Option<f64>,
    pub(super) bullet: bool,
    pub(super) list: bool,
    pub(super) item: f64,
    pub(super) bullets: f64,
}

pub(super) const FIRST_LINE: Lines = Lines {
    fresh: true,
    marker: None,
    bullet: false,
    list: false,
    item: 0.0,
    bullets: 0.0,
};

impl Lines {
    /// Whether the lexeme belongs to the marker of a list's item.
    pub(super) fn marker(&mut self, lexeme: &Lexeme, text: &str) -> bool {
        let lines = self;
        let fresh = std::mem::take(&mut lines.fresh);
        if let Some(number) = lines.marker.take() {
            let closes = if lines.bullet {
                lexeme.flags.has(LexFlags::SPACE_BEFORE)
            } else {
                matches!(text, "." | ")")
            };
            if closes {
                lines.list = true;
                lines.item = number;
                if lines.bullet {
                    lines.bullets += 1.0;
                }
                return !lines.bullet;
            }
        }
        if !fresh {
            return false;
        }
        lines.bullet = matches!(text, "*" | "-" | "•" | "–" | "·" | "+");
        if lines.bullet {
            if !lines.list {
                lines.bullets = 0.0;
            }
            lines.marker = Some(lines.bullets + 1.0);
            return true;
        }
        if lexeme.kind == LexKind::Number
            && let Ok(number) = text.parse::<u16>()
            && number < 1000
        {
            lines.marker = Some(f64::from(number));
            return true;
        }
        false
    }
}
