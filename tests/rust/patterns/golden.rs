//! The golden cases that Python reads too.

use groundwire_core::patterns::Ruleset;
use serde_json::Value;

use super::{scan_in_chunks, scan_kept};

// req: S4-014
#[test]
fn golden_cases_hold() {
    let data: Value = serde_json::from_str(include_str!("../../vectors/patterns.json")).unwrap();
    let cases = data["cases"].as_array().unwrap();
    assert!(cases.len() > 20);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let rules = Ruleset::from_json(&case["rules"].to_string()).expect(name);
        let text = case["text"].as_str().unwrap();
        let wanted: Vec<(u64, u64, u64, u64, bool)> =
            serde_json::from_value(case["matches"].clone()).unwrap();
        for sizes in [&[1][..], &[3, 1], &[100]] {
            let found: Vec<_> = scan_in_chunks(&rules, text, sizes)
                .into_iter()
                .map(|m| {
                    let (start, end) = (m.span.start as u64, m.span.end as u64);
                    (
                        u64::from(m.rule),
                        start,
                        end,
                        m.decided_at as u64,
                        m.truncated,
                    )
                })
                .collect();
            assert_eq!(found, wanted, "{name}");
            let kept = scan_kept(&rules, text, sizes);
            assert_eq!(kept, scan_in_chunks(&rules, text, sizes), "{name}");
        }
    }
}
