//! Identifiers with rules of their own: a rule with a check fires where they are broken.

use serde::{Deserialize, Serialize};

use super::identifier::{account, label_end};

macro_rules! checks {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// An identifier whose form can be verified.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Check { $($(#[$doc])* $variant),+ }

        impl Check {
            /// All checks.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in rule files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

checks! {
    /// International Standard Book Number, 10 or 13 digits (ISO 2108).
    Isbn = "isbn",
    /// International Standard Serial Number (ISO 3297).
    Issn = "issn",
    /// International Bank Account Number (ISO 13616, ISO 7064 mod 97-10).
    Iban = "iban",
    /// The same without its name: judged where it is as long as its country's numbers are.
    IbanBare = "iban_bare",
    /// Digital Object Identifier (ISO 26324): prefix `10.` and registrant, a suffix.
    Doi = "doi",
    /// arXiv identifier, old and new scheme, with its month.
    Arxiv = "arxiv",
    /// Card and account numbers (ISO/IEC 7812-1, Luhn).
    Luhn = "luhn",
    /// ORCID iD (ISO 7064 mod 11-2).
    Orcid = "orcid",
}

impl Check {
    /// Whether the identifier in `text` (which may begin with its name, "ISBN: …") is well formed.
    pub(super) fn is_one(self, text: &str) -> bool {
        match self {
            Self::Isbn => isbn(&digits_x(text)),
            Self::Issn => issn(&digits_x(after_label(text, "issn"))),
            Self::Iban | Self::IbanBare => iban(text),
            Self::Doi => doi(text),
            Self::Arxiv => arxiv(text),
            Self::Luhn => luhn(&digits_x(text)),
            Self::Orcid => orcid(&digits_x(text)),
        }
    }
}

/// The text after `label`, if it has that.
fn after_label<'a>(text: &'a str, label: &str) -> &'a str {
    &text[label_end(text, label).unwrap_or_default()..]
}

/// Digits as numbers, a final X as 10.
fn digits_x(text: &str) -> Vec<u32> {
    text.chars()
        .filter_map(|c| match c {
            'x' | 'X' => Some(10),
            _ => c.to_digit(10),
        })
        .collect()
}

fn isbn(digits: &[u32]) -> bool {
    match digits.len() {
        10 => {
            let sum: u32 = digits.iter().zip((1..=10).rev()).map(|(d, w)| d * w).sum();
            digits[..9].iter().all(|&d| d < 10) && sum.is_multiple_of(11)
        }
        13 => {
            let sum: u32 = digits
                .iter()
                .zip([1, 3].iter().cycle())
                .map(|(d, w)| d * w)
                .sum();
            digits.iter().all(|&d| d < 10)
                && digits[..2] == [9, 7]
                && matches!(digits[2], 8 | 9)
                && sum.is_multiple_of(10)
        }
        _ => false,
    }
}

fn issn(digits: &[u32]) -> bool {
    let sum: u32 = digits.iter().zip((1..=8).rev()).map(|(d, w)| d * w).sum();
    digits.len() == 8 && digits[..7].iter().all(|&d| d < 10) && sum.is_multiple_of(11)
}

fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, &d)| match (i % 2, d) {
            (0, d) => d,
            (_, d) if d > 4 => 2 * d - 9,
            (_, d) => 2 * d,
        })
        .sum();
    digits.len() > 1 && digits.iter().all(|&d| d < 10) && sum.is_multiple_of(10)
}

fn orcid(digits: &[u32]) -> bool {
    if digits.len() != 16 || digits[..15].contains(&10) {
        return false;
    }
    let total = digits[..15].iter().fold(0, |total, d| (total + d) * 2 % 11);
    (12 - total) % 11 == digits[15]
}

/// Length of an IBAN by country (SWIFT IBAN registry).
const IBAN_LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 \
    CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 \
    GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 \
    LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 \
    QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 \
    VA22 VG24 XK20 YE30";

/// Characters of the account numbers of a country, of which `text` begins with the code.
pub(super) fn iban_length(text: &str) -> Option<usize> {
    let country = text.get(..2)?.to_ascii_uppercase();
    let mut entries = IBAN_LENGTHS.split_ascii_whitespace();
    entries.find_map(|entry| entry.strip_prefix(country.as_str())?.parse().ok())
}

fn iban(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    let body = after_label(&upper, "iban");
    let Some(body) = account(body).map(|at| &body[at..]) else {
        return false;
    };
    let Some(length) = iban_length(body) else {
        return false;
    };
    let mut code = Vec::new();
    for part in body.split_whitespace() {
        // A word after a complete number is no part of it.
        if code.len() == length {
            break;
        }
        code.extend(part.chars().filter(char::is_ascii_alphanumeric));
    }
    if code.len() != length || !code[2..4].iter().all(char::is_ascii_digit) {
        return false;
    }
    let rest = code[4..].iter().chain(&code[..4]).fold(0, |rest, &c| {
        let digit = c.to_digit(36).unwrap_or(0);
        (rest * if digit > 9 { 100 } else { 10 } + digit) % 97
    });
    rest == 1
}

fn doi(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let body = match (lower.rfind("doi.org/"), lower.find("doi")) {
        (Some(at), _) => &text[at + 8..],
        (None, Some(at)) => &text[at + 3..],
        (None, None) => text,
    };
    let body = body.trim_start_matches(|c: char| !c.is_ascii_digit());
    let Some((prefix, suffix)) = body.split_once('/') else {
        return false;
    };
    let Some(registrant) = prefix.strip_prefix("10.") else {
        return false;
    };
    let mut parts = registrant.split('.');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let first = parts.next().unwrap_or_default();
    (4..=9).contains(&first.len())
        && digits(first)
        && parts.all(digits)
        && suffix.chars().any(char::is_alphanumeric)
}

const ARXIV_ARCHIVES: &str = "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an \
    chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph \
    hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio \
    quant-ph solv-int supr-con";

fn arxiv(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let body = ["abs/", "pdf/", "arxiv:"]
        .iter()
        .find_map(|label| lower.rfind(label).map(|at| &lower[at + label.len()..]))
        .unwrap_or_else(|| {
            after_label(&lower, "arxiv").trim_start_matches(|c: char| !c.is_ascii_digit())
        });
    let body = body.trim_matches(|c: char| !c.is_alphanumeric());
    let body = body.trim_end_matches(".pdf");
    let (body, version) = match body.rsplit_once('v') {
        Some((before, version)) if before.ends_with(|c: char| c.is_ascii_digit()) => {
            (before, Some(version))
        }
        _ => (body, None),
    };
    let number = |s: &str| {
        (!s.is_empty() && s.bytes().all(|b| b.is_ascii_digit())).then(|| s.parse::<u64>().ok())
    };
    if version.is_some_and(|v| !matches!(number(v), Some(Some(1..=999)))) {
        return false;
    }
    if let Some((archive, digits)) = body.split_once('/') {
        let name = archive.split('.').next().unwrap_or_default();
        return ARXIV_ARCHIVES
            .split_ascii_whitespace()
            .any(|known| known == name)
            && digits.len() == 7
            && digits.bytes().all(|b| b.is_ascii_digit())
            && month_of(&digits[..4]).is_some_and(|(yy, _)| (91..=99).contains(&yy) || yy <= 7)
            && digits[4..] != *"000";
    }
    let Some((month, digits)) = body.split_once('.') else {
        return false;
    };
    let length = match month_of(month) {
        Some((yy, mm)) if (yy, mm) >= (15, 1) => 5,
        Some((yy, mm)) if (yy, mm) >= (7, 4) => 4,
        _ => return false,
    };
    digits.len() == length && matches!(number(digits), Some(Some(1..)))
}

fn month_of(text: &str) -> Option<(u32, u32)> {
    if text.len() != 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (yy, mm) = (text[..2].parse().ok()?, text[2..].parse().ok()?);
    (1..=12).contains(&mm).then_some((yy, mm))
}
