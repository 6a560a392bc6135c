//! A share in percent and as so many of so many: "60 % of the members", "300 of the 400 members".

use crate::dialogue::Statement;
use crate::lexicon::tables::{frames, otherwise};

use super::{Contradiction, ContradictionType, VALUES};

/// How far two shares may be apart that are one, in percent.
const NEAR: f64 = 2.5;

/// How two statements stand of which one tells a share in percent and the other that of the same in
/// numbers; none where they do not, or one of them leaves it open.
pub(super) fn shared(said: &Statement, prior: &Statement) -> Option<Result<Contradiction, bool>> {
    if said.negative != prior.negative {
        return None;
    }
    let (own, other) = (share(&said.content)?, share(&prior.content)?);
    let one = own.percent != other.percent && own.rest == other.rest && !own.rest.is_empty();
    let agree = (own.value - other.value).abs() <= NEAR;
    one.then_some(if agree {
        Err(true)
    } else {
        Ok(Contradiction {
            kind: ContradictionType::IncompatibleValues,
            confidence: VALUES,
            at: said.span,
            replacement: None,
        })
    })
}

struct Share {
    value: f64,
    percent: bool,
    /// The other words.
    rest: Vec<String>,
}

fn share(text: &str) -> Option<Share> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '%');
            bare.to_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect();
    let at = |i: usize| words.get(i).map_or("", String::as_str);
    let number = |i: usize| {
        let plain = at(i).replace(',', "");
        let digits = plain.starts_with(|c: char| c.is_ascii_digit());
        plain.parse::<f64>().ok().filter(|_| digits)
    };
    let article = |i: usize| matches!(at(i), "the" | "all" | "its" | "our" | "their" | "your");
    let mut found: Option<(std::ops::Range<usize>, f64, bool)> = None;
    for i in 0..words.len() {
        if found.as_ref().is_some_and(|(range, ..)| range.contains(&i)) {
            continue;
        }
        let (value, to, percent) = match at(i).strip_suffix('%').map(str::parse::<f64>) {
            Some(Ok(value)) => (value, i + 1, true),
            _ => match (number(i), at(i + 1), at(i + 2)) {
                (Some(value), "%" | "percent", _) => (value, i + 2, true),
                (Some(value), "per", "cent") => (value, i + 3, true),
                (Some(value), _, _) => (value, i + 1, false),
                (None, _, _) => continue,
            },
        };
        let of = to + usize::from(!percent && at(to) == "out");
        if at(of) != "of" {
            // Another number beside it.
            return None;
        }
        let next = of + 1 + usize::from(article(of + 1));
        let told = if percent {
            (i..next, value, true)
        } else {
            let whole = number(next).filter(|whole| *whole >= value && *whole >= 2.0)?;
            (i..next + 1, value / whole * 100.0, false)
        };
        let bound = i.checked_sub(1).is_some_and(|before| {
            let limits = ["over", "under", "at_least", "at_most"];
            let last = at(before);
            frames().has("loose", last)
                || matches!(last, "than" | "least" | "most" | "to")
                || limits.iter().any(|class| otherwise().has(class, last))
        });
        if bound || found.is_some() {
            return None;
        }
        found = Some(told);
    }
    let (range, value, percent) = found?;
    let rest = (0..words.len())
        .filter(|i| !range.contains(i) && !matches!(at(*i), "the" | "a" | "an"))
        .map(|i| words[i].clone())
        .collect();
    Some(Share {
        value,
        percent,
        rest,
    })
}
