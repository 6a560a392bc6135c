//! A power of ten in the form of the one that it replaces: "3.3 × 10^23", "3.3×10²³", "3.3e23".

/// Digits behind the point that are written at most.
const PLACES: usize = 5;

/// The parts of a number written as a power of ten.
struct Parts<'a> {
    /// Before the first digit.
    lead: &'a str,
    /// Between the number and the exponent's digits: " × 10^", "e"; of "10^6" all before the exponent.
    link: &'a str,
    /// Whether a number stands before the link.
    multiplied: bool,
    /// Whether the exponent is raised.
    raised: bool,
    /// From behind the exponent on.
    tail: &'a str,
}

/// `value` written as `text` writes its own; `None` where that is no power of ten.
pub(in crate::detect) fn as_power(text: &str, value: f64) -> Option<String> {
    let parts = Parts::of(text)?;
    let short = format!("{value:e}");
    let (digits, power) = short.split_once('e')?;
    let rounded = format!("{value:.PLACES$e}");
    let (number, power) = match rounded.split_once('e') {
        Some((less, power)) if less.len() < digits.len() => {
            (less.trim_end_matches('0').trim_end_matches('.'), power)
        }
        _ => (digits, power),
    };
    let power = if parts.raised {
        power.chars().map(raised).collect()
    } else {
        power.to_owned()
    };
    let (lead, link, tail) = (parts.lead, parts.link, parts.tail);
    Some(match (parts.multiplied, number) {
        (false, "1") => format!("{lead}{link}{power}{tail}"),
        (false, _) => format!("{lead}{number} × {link}{power}{tail}"),
        (true, _) => format!("{lead}{number}{link}{power}{tail}"),
    })
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let (lead, rest) = text.split_at(start);
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let behind = &rest[end..];
        // "3.3e23", "1.6E-19"
        if let Some(power) = behind.strip_prefix(['e', 'E']) {
            let sign = power.strip_prefix(['+', '-']).unwrap_or(power);
            let digits = sign
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(sign.len());
            return (digits > 0).then(|| Self {
                lead,
                link: &behind[..1],
                multiplied: true,
                raised: false,
                tail: &sign[digits..],
            });
        }
        let signs = |c: char| c.is_whitespace() || "×·⋅∙xX*\\times".contains(c);
        let ten = behind
            .find("10")
            .filter(|at| *at > 0 && behind[..*at].chars().all(signs));
        let (multiplied, link_end) = match ten {
            Some(at) => (true, end + at + 2),
            None if rest[..end] == *"10" => (false, end),
            None => return None,
        };
        let mark = &rest[link_end..];
        let opener = ["^{", "^(", "**", "^", "<sup>"]
            .into_iter()
            .find(|opener| mark.starts_with(opener))
            .unwrap_or("");
        let exponent = &mark[opener.len()..];
        let high = |c: char| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c);
        let raised = opener.is_empty();
        let own = |c: char| {
            if raised {
                high(c)
            } else {
                c.is_ascii_digit() || "-−+".contains(c)
            }
        };
        let last = exponent.find(|c| !own(c)).unwrap_or(exponent.len());
        if last == 0 {
            return None;
        }
        let from = if multiplied { end } else { 0 };
        Some(Self {
            lead,
            link: &rest[from..link_end + opener.len()],
            multiplied,
            raised,
            tail: &exponent[last..],
        })
    }
}

fn raised(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).unwrap_or(c),
        other => other,
    }
}
