//! What an amount is per.

/// A time that an amount is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Rate {
    /// Not said.
    None,
    Hour,
    Day,
    Week,
    Month,
    Year,
    /// Of another thing ("per class").
    Other,
}

/// Words behind a number among which it is told.
const REACH: usize = 6;

impl Rate {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "hour" | "hourly" | "hr" => Self::Hour,
            "day" | "daily" => Self::Day,
            "week" | "weekly" => Self::Week,
            "month" | "monthly" | "mo" => Self::Month,
            "year" | "yearly" | "annually" | "annum" | "annual" | "yr" => Self::Year,
            _ => return None,
        })
    }

    /// What the amount comes to at other rates.
    pub(super) fn others(self) -> &'static [(f64, Self)] {
        match self {
            Self::Hour => &[(24.0, Self::Day)],
            Self::Day => &[(7.0, Self::Week), (30.0, Self::Month), (365.0, Self::Year)],
            Self::Week => &[(52.0, Self::Year)],
            Self::Month => &[(12.0, Self::Year)],
            Self::Year => &[(1.0 / 12.0, Self::Month), (1.0 / 52.0, Self::Week)],
            Self::None | Self::Other => &[],
        }
    }
}

/// What the words behind an amount say: "a month", "/month", "per user per month", "monthly".
pub(super) fn rate(behind: &str) -> Rate {
    let ends = behind.find(['.', ';', '!', '?']).unwrap_or(behind.len());
    let slashed = behind[..ends].replace('/', " per ");
    let mut linked = false;
    let mut found = Rate::None;
    for word in slashed
        .split(|c: char| !c.is_alphabetic())
        .filter(|w| !w.is_empty())
        .take(REACH)
    {
        let word = word.to_lowercase();
        let own = Rate::of(&word);
        if word.ends_with("ly") && own.is_some() {
            return own.unwrap_or(found);
        }
        if linked {
            match own {
                Some(own) => return own,
                None => found = Rate::Other,
            }
        }
        linked = matches!(word.as_str(), "a" | "an" | "per" | "each" | "every");
        if matches!(word.as_str(), "each" | "apiece" | "average") {
            found = Rate::Other;
        }
    }
    found
}

/// What a text that stands right behind an amount says it is for: how far that goes, and its word
/// ("a month", "/month", "per user", "monthly").
pub(in super::super) fn rate_phrase(behind: &str) -> Option<(usize, Rate, String)> {
    let rest = behind.trim_start_matches([' ', '\u{a0}']);
    let slashed = rest.strip_prefix('/');
    let rest = slashed.unwrap_or(rest).trim_start();
    let word = |text: &str| {
        let end = text
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(text.len());
        text[..end].to_lowercase()
    };
    let first = word(rest);
    let own = Rate::of(&first);
    let at = behind.len() - rest.len();
    if slashed.is_some() && !first.is_empty()
        || own.is_some() && first.ends_with("ly")
        || first == "annually"
    {
        return Some((at + first.len(), own.unwrap_or(Rate::Other), first));
    }
    if !matches!(first.as_str(), "a" | "an" | "per" | "each" | "every") {
        return None;
    }
    let after = rest[first.len()..].trim_start();
    let named = word(after);
    let length = behind.len() - after.len() + named.len();
    // "costs 5 euros a new ticket": only what an amount is for is a rate after "a".
    let own = Rate::of(&named);
    (!named.is_empty() && (own.is_some() || first == "per"))
        .then(|| (length, own.unwrap_or(Rate::Other), named))
}
