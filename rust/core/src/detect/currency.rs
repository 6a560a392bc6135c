//! The amount of a source in another currency: "€5M" where the base has 5 million dollars.
//!
//! Only the same figures are at odds, and no round ones: others may be what it comes to.

use crate::claims::{SentenceView, numbers_agree, unit_named};
use crate::kb::Value;
use crate::lexicon::units::{UnitDef, comparable, same_name, unit};
use crate::segment;
use crate::types::{Quantity, QuantityKind, Span, UnitId};

use super::replacement::sign::minus;

/// The amount of money that a value is, and its currency.
fn money(value: &Value) -> Option<(f64, UnitId)> {
    let (value, id) = match value {
        Value::Number {
            value,
            unit: Some(of),
        } => (*value, unit_named(of)?),
        // "€9 per month"
        Value::Text(text) => match segment::quantities(text).as_slice() {
            [own] if own.span.start == 0 => (own.value, own.unit?),
            _ => return None,
        },
        _ => return None,
    };
    (unit(id).dimension == "currency").then_some((value, id))
}

/// Whether an amount has the figures of the value in a currency that cannot be the same one.
pub(super) fn other_currency(said: &Quantity, value: &Value) -> bool {
    let Some((value, own)) = money(value) else {
        return false;
    };
    let bare = Quantity {
        unit: None,
        ..*said
    };
    said.kind == QuantityKind::Money
        && !said.approximate
        && said
            .unit
            .is_some_and(|id| !comparable(id, own) && !same_name(id, own))
        && numbers_agree(&bare, value, None) == Some(true)
}

/// Whether the signs of the amounts can be compared: of "A$6 million" and "Rs 40 crore" they are read
/// in part or not at all.
pub(super) fn readable(view: &SentenceView<'_>, said: &[Quantity], value: &Value) -> bool {
    let mut money = said
        .iter()
        .filter(|q| q.kind == QuantityKind::Money)
        .peekable();
    if money.peek().is_none() {
        return true;
    }
    let half_read = |q: &Quantity| {
        let before = Span::new(view.sentence.span.start.min(q.span.start), q.span.start);
        view.at(before).ends_with(char::is_alphabetic)
    };
    !money.any(half_read) && !matches!(value, Value::Text(own) if strange_sign(own))
}

/// Whether an amount begins with letters that are no currency known here.
fn strange_sign(value: &str) -> bool {
    let rest = value.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let lead = &value[..value.len() - rest.len()];
    let amount = rest.trim_start_matches(['$', '.', ' ']);
    (1..=3).contains(&lead.len())
        && lead.starts_with(char::is_uppercase)
        && amount.starts_with(|c: char| c.is_ascii_digit())
        && (rest.starts_with('$') || rest.starts_with([' ', '.']) && lead == "Rs")
}

/// The amount as it is written, in the currency of the value: "$5M" for "€5M".
pub(super) fn in_currency(written: &str, said: &Quantity, value: &Value) -> Option<String> {
    let (_, own) = money(value).filter(|_| other_currency(said, value))?;
    let (old, own) = (unit(said.unit?), unit(own));
    let number = |c: char| c.is_numeric();
    let start = written.find(|c: char| number(c) || c == '.')?;
    let (lead, rest) = written.split_at(start);
    if !lead.is_empty() {
        return Some(format!("{}{rest}", before(lead, own)?));
    }
    let end = named_behind(rest, old)?;
    let name = rest[end..].trim_start();
    let gap = &rest[end..rest.len() - name.len()];
    let signed = !old.sign.is_empty() && name == old.sign;
    let named = match own {
        _ if signed && !own.sign.is_empty() => own.sign,
        _ if signed || name == old.name => own.name,
        _ if name.ends_with('s') => own.words.1,
        _ => own.words.0,
    };
    let gap = if signed && named != own.sign {
        " "
    } else {
        gap
    };
    (!named.is_empty()).then(|| format!("{}{gap}{named}", &rest[..end]))
}

/// What stands before the digits, with the currency's sign or code in place of the other's.
fn before(lead: &str, own: &UnitDef) -> Option<String> {
    let sign = |c: &char| minus(*c) || *c == '+';
    let sign = lead.chars().next().filter(sign).map(String::from);
    let minus = sign.unwrap_or_default();
    let code = lead.contains(|c: char| c.is_ascii_alphabetic());
    let gap = if lead.ends_with(' ') { " " } else { "" };
    match (code, own.sign) {
        (false, sign) if !sign.is_empty() => Some(format!("{minus}{sign}{gap}")),
        _ => Some(format!("{minus}{} ", own.name)),
    }
}

/// Where the number ends and its currency begins ("5 million" of "5 million euros").
fn named_behind(text: &str, old: &UnitDef) -> Option<usize> {
    let lower = text.to_lowercase();
    let names = [old.words.1, old.words.0, old.name, old.sign];
    let found = names.iter().find_map(|name| {
        let name = name.to_lowercase();
        (!name.is_empty() && lower.ends_with(&name)).then(|| lower.len() - name.len())
    })?;
    let bare = text.get(..found)?;
    Some(bare.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::quantities;

    #[test]
    fn an_amount_takes_the_currency_of_the_value_where_its_own_stood() {
        let dollars = Value::infer("$5 million");
        let cases = [
            ("€5M", Some("$5M")),
            ("5 million euros", Some("5 million dollars")),
            ("EUR 5 million", Some("USD 5 million")),
            ("£5,000,000", Some("$5,000,000")),
            ("5 million €", Some("5 million $")),
            // Figures that it may come to, and a dollar of another country.
            ("€4.6 million", None),
            ("C$5 million", None),
            ("$5 million", None),
        ];
        for (text, expected) in cases {
            let said = quantities(text);
            let put = said.first().and_then(|q| in_currency(text, q, &dollars));
            assert_eq!(put.as_deref(), expected, "{text}");
        }
        let francs = Value::infer("CHF 90");
        let said = quantities("€90");
        assert_eq!(
            in_currency("€90", &said[0], &francs).as_deref(),
            Some("CHF 90")
        );
    }
}
