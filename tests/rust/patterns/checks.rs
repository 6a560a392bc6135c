//! Identifiers with check digits.

use groundwire_core::patterns::{Check, Ruleset};
use groundwire_core::types::Span;

// req: S4-018
#[test]
fn well_formed_and_broken() {
    let cases: [(Check, &[&str], &[&str]); 7] = [
        (
            Check::Isbn,
            &[
                "ISBN 978-3-16-148410-0",
                "ISBN-10: 0-306-40615-2",
                "ISBN 080442957X",
                "isbn-13 9780306406157",
            ],
            &[
                "ISBN 978-3-16-148410-1",
                "ISBN 0-306-40615-3",
                "ISBN 977-3-16-148410-0",
                "ISBN 12345",
                "ISBN 0X0442957X",
            ],
        ),
        (
            Check::Issn,
            &["ISSN 0378-5955", "ISSN 2434-561X"],
            &["ISSN 0378-5954", "ISSN 03785"],
        ),
        (
            Check::Iban,
            &[
                "IBAN DE89 3704 0044 0532 0130 00",
                "GB82WEST12345698765432",
                "IBAN: FR14 2004 1010 0505 0001 3M02 606",
                "IBAN DE89 3704 0044 0532 0130 00 BIC",
            ],
            &[
                "IBAN DE89 3704 0044 0532 0130 01",
                "IBAN DE89 3704 0044 0532 0130",
                "IBAN ZZ89 3704 0044 0532 0130 00",
                "IBAN DE89 3704 0044 0532 0130 001",
                "IBAN",
            ],
        ),
        (
            Check::Doi,
            &[
                "doi:10.1000/182",
                "https://doi.org/10.1038/s41586-020-2649-2",
                "10.1000.10/xyz(1)",
                "doi: 10.1002/(SICI)1097",
            ],
            &[
                "doi:10.12/abc",
                "doi:10.1000/",
                "doi:11.1000/182",
                "doi:10.10x0/182",
                "doi:10.1000",
            ],
        ),
        (
            Check::Arxiv,
            &[
                "arXiv:2301.12345",
                "arXiv:0704.0001v2",
                "arxiv.org/abs/1412.6980",
                "arXiv:hep-th/9901001",
                "arXiv:math.GT/0309136",
                "https://arxiv.org/pdf/1706.03762.pdf",
            ],
            &[
                "arXiv:2313.12345",
                "arXiv:2301.1234",
                "arXiv:0703.0001",
                "arXiv:1501.0001",
                "arXiv:2301.00000",
                "arXiv:foo/9901001",
                "arXiv:2301.12345v0",
            ],
        ),
        (
            Check::Luhn,
            &["4111 1111 1111 1111", "79927398713"],
            &["4111 1111 1111 1112", "7"],
        ),
        (
            Check::Orcid,
            &["0000-0002-1825-0097", "0000-0002-1694-233X"],
            &["0000-0002-1825-0098", "0000-0002"],
        ),
    ];
    for (check, good, bad) in cases {
        for text in good {
            assert!(check.fault(text).is_none(), "{check:?} {text}");
        }
        for text in bad {
            assert!(check.fault(text).is_some(), "{check:?} {text}");
        }
    }
}

// req: S4-018
#[test]
fn builtin_rules_fire_on_broken_identifiers_only() {
    let ids = |text: &str| -> Vec<String> {
        let rules = Ruleset::builtin();
        let found = rules.scan(text).into_iter().map(|m| rules.rule(m.rule));
        found
            .filter(|r| r.kind == "malformed_identifier")
            .map(|r| r.id.clone())
            .collect()
    };
    for text in [
        "ISBN 978-3-16-148410-0, 1985.",
        "Pay to IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFF.",
        "See doi:10.1038/s41586-020-2649-2, or doi: see below, and https://doi.org/.",
        "arXiv:1706.03762v5. arXiv: a preprint server. ORCID 0000-0002-1825-0097.",
        "ISSN 0378-5955 (print).",
    ] {
        assert!(ids(text).is_empty(), "{text}: {:?}", ids(text));
    }
    for (text, id) in [
        ("ISBN 978-3-16-148410-1.", "malformed.isbn"),
        ("ISSN: 0378-5954.", "malformed.issn"),
        ("IBAN: DE89 3704 0044 0532 0130 01.", "malformed.iban"),
        ("doi:10.12/abc", "malformed.doi"),
        ("https://arxiv.org/abs/2319.01234.", "malformed.arxiv"),
        ("ORCID: 0000-0002-1825-0098", "malformed.orcid"),
    ] {
        let found = ids(text);
        assert!(found.contains(&id.to_owned()), "{text}: {found:?}");
    }
}

fn faults(text: &str) -> Vec<&str> {
    let rules = Ruleset::builtin();
    let found = rules.scan(text).into_iter();
    let mut spans: Vec<Span> = found
        .filter(|m| rules.rule(m.rule).kind == "malformed_identifier")
        .map(|m| m.span)
        .collect();
    spans.dedup();
    // A rule for bare identifiers knows those with a label too.
    let inside = |span: &Span| {
        spans
            .iter()
            .any(|other| other != span && other.contains(*span))
    };
    let outer = spans.iter().filter(|span| !inside(span));
    outer.map(|span| &text[span.start..span.end]).collect()
}

// req: S4-018
#[test]
fn identifiers_are_read_however_they_are_labelled() {
    for (text, wrong) in [
        (
            "The book's ISBN is 978-0-262-03384-9.",
            "ISBN is 978-0-262-03384-9",
        ),
        ("**ISBN-13:** 978-0-262-03384-9", "978-0-262-03384-9"),
        ("| ISBN | 978-0-262-03384-9 |", "978-0-262-03384-9"),
        ("ISBN number 9780262033849.", "ISBN number 9780262033849"),
        ("\"isbn\": \"978-0-262-03384-9\"", "978-0-262-03384-9"),
        ("ISBN: `0-306-40615-3`", "0-306-40615-3"),
        (
            "ISBNs 978-0-262-03384-8 and 0-306-40615-3 were listed.",
            "0-306-40615-3",
        ),
        (
            "ISBN 978\u{2011}0\u{2011}262\u{2011}03384\u{2011}9",
            "ISBN 978\u{2011}0\u{2011}262\u{2011}03384\u{2011}9",
        ),
        ("See 978-0-262-03384-9 there.", "978-0-262-03384-9"),
        ("ISBN 54321 it says.", "ISBN 54321"),
        ("ISBN 0-306-40615-3 350 pages", "ISBN 0-306-40615-3"),
        (
            "**IBAN:** GB29 NWBK 6016 1331 9268 18",
            "GB29 NWBK 6016 1331 9268 18",
        ),
        (
            "IBAN number: NL91ABNA0417164301",
            "IBAN number: NL91ABNA0417164301",
        ),
        (
            "Send it to FR14 2004 1010 0505 0001 3M02 607 by Friday.",
            "FR14 2004 1010 0505 0001 3M02 607",
        ),
        ("The DOI is 10.12/xyz.", "DOI is 10.12/xyz"),
        ("**DOI:** 12.1016/j.cell", "12.1016/j.cell"),
        (
            "[doi](https://doi.org/10.12/abc)",
            "https://doi.org/10.12/abc",
        ),
        ("See arxiv.org/abs/2415.01234.", "arxiv.org/abs/2415.01234"),
        ("The arXiv id is 1999.12345.", "arXiv id is 1999.12345"),
        ("arXiv preprint 2314.00001v2", "arXiv preprint 2314.00001v2"),
        ("**ISSN:** 0378-5954", "0378-5954"),
        ("The ISSN is 0028-0837.", "ISSN is 0028-0837"),
        (
            "Her ORCID iD is 0000-0002-1825-0098.",
            "ORCID iD is 0000-0002-1825-0098",
        ),
    ] {
        assert_eq!(faults(text), [wrong], "{text}");
    }
    for text in [
        "The book's ISBN is 978-0-262-03384-8.",
        "**ISBN-13:** 978-0-262-03384-8",
        "| ISBN | 978-0-262-03384-8 |",
        "ISBN number 9780262033848, 350 pages",
        "\"isbn\": \"978-0-262-03384-8\"",
        "ISBN: `0-306-40615-2`",
        "ISBNs 978-0-262-03384-8 and 0-306-40615-2 were listed.",
        "ISBN 0-306-40615-2 350 pages",
        "ISBN 13 978 0 262 03384 8",
        "ISBN 13 digits long since 2007, ISBN-10 before.",
        "The ISBN was introduced in 1970; 978 and 979 are prefixes.",
        "978-0-262-0338-8 is the number of an order.",
        "**IBAN:** GB29 NWBK 6016 1331 9268 19",
        "Send it to FR14 2004 1010 0505 0001 3M02 606 by Friday.",
        "| IBAN | AT61 1904 3002 3457 3201 |",
        "An IBAN is up to 34 characters; the German one has DE and 20 digits.",
        "The order SE12 3456 7890 was sent.",
        "The DOI is 10.1016/j.cell.2020.01.001.",
        "| DOI | 10.1038/nature14539 |",
        "A DOI is a string, 3 of 10 / 5.",
        "[paper](https://doi.org/10.1000/abc).",
        "arxiv.org/abs/2412.01234 has it.",
        "arXiv preprint 2312.00001v2",
        "The arXiv paper of 2023.10 was read.",
        "The ISSN is 0028-0836.",
        "Her ORCID iD is 0000-0002-1825-0097.",
    ] {
        assert!(faults(text).is_empty(), "{text}: {:?}", faults(text));
    }
}
