//! Identifiers with check digits.

use groundwire_core::patterns::{Check, Ruleset};

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
            assert!(check.is_well_formed(text), "{check:?} {text}");
        }
        for text in bad {
            assert!(!check.is_well_formed(text), "{check:?} {text}");
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
        assert_eq!(ids(text), [id], "{text}");
    }
}
