//! Amounts: examples beside limits, other limits, products, values of other things, and prices put
//! into sentences.

use std::sync::{Arc, RwLock};

use groundwire_core::monitor::Monitor;
use groundwire_core::session::Context;
use groundwire_core::types::{Finding, Status, Tier};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::reading::{base_of, in_pieces, passages, texts};

fn found(case: &Json, text: &str, step: usize) -> Vec<Finding> {
    let builder = base_of(case["kb"].as_array().into_iter().flatten());
    let mut monitor = Monitor::builder();
    if case["kb"].is_array() {
        monitor = monitor.kb(Arc::new(RwLock::new(builder.build().expect("built"))));
    }
    let monitor = monitor.build().expect("monitor");
    let evidence = passages(&case["evidence"]);
    in_pieces(
        &monitor,
        Context::new(&monitor, &evidence, &[], None),
        text,
        step,
    )
    .findings
}

fn shown(found: &[Finding]) -> Vec<String> {
    let show = |f: &Finding| format!("{:?} {} {:?} {:?}", f.tier, f.kind, f.text, f.replacement);
    found.iter().map(show).collect()
}

fn contradicted(found: &[Finding]) -> bool {
    found.iter().any(|f| f.status == Status::Contradicted)
}

fn numbers(f: &Finding) -> bool {
    f.tier >= Tier::Medium
        && matches!(
            &*f.kind,
            "stream.unsupported_number" | "stream.altered_detail"
        )
}

/// The text with the right values put in, from the last to the first.
fn mended(text: &str, found: &[Finding]) -> String {
    let mut places: Vec<_> = (found.iter().filter(|f| f.status == Status::Contradicted))
        .filter_map(|f| Some((f.span?, f.replacement.as_deref()?)))
        .collect();
    places.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut out = text.to_owned();
    for (span, right) in places {
        out.replace_range(span.start..span.end, right);
    }
    out
}

// req: S0-005 S4-020 S0-053
#[test]
fn amounts_and_their_look_alikes() {
    hold(include_str!("../vectors/amounts.json"));
}

// req: S0-005 S0-007 S4-020
#[test]
fn wordings_and_their_look_alikes() {
    hold(include_str!("../vectors/wordings.json"));
}

// req: S0-005 S0-053 S4-020
#[test]
fn numbers_in_markup_and_other_notations() {
    hold(include_str!("../vectors/notations.json"));
}

// req: S0-007 S0-005 S4-020
#[test]
fn values_in_forms_of_their_own() {
    hold(include_str!("../vectors/forms_of_values.json"));
}

fn hold(vectors: &str) {
    let vectors: Json = serde_json::from_str(vectors).expect("vectors");
    let mut wrong = Vec::new();
    for case in vectors["cases"].as_array().expect("cases") {
        let mut expect = |text: &str, right: &dyn Fn(&[Finding]) -> bool| {
            let whole = found(case, text, usize::MAX);
            if !right(&whole) {
                wrong.push(format!("{text:?}: {:?}", shown(&whole)));
            }
            for step in [1, 7] {
                if shown(&found(case, text, step)) != shown(&whole) {
                    wrong.push(format!("cuts of {step} matter: {text:?}"));
                }
            }
        };
        for text in texts(&case["silent"]) {
            expect(text, &|found| {
                !contradicted(found) && !found.iter().any(numbers)
            });
        }
        for text in texts(&case["unopposed"]) {
            expect(text, &|found| !contradicted(found));
        }
        for text in texts(&case["doubted"]) {
            expect(text, &|found| {
                contradicted(found) || found.iter().any(numbers)
            });
        }
        for pair in case["mended"].as_array().into_iter().flatten() {
            let pair = texts(pair);
            expect(pair[0], &|found| mended(pair[0], found) == pair[1]);
            expect(pair[1], &|found| !contradicted(found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An amount of so many hundredths as a form writes it.
fn written(form: &str, hundredths: u32) -> String {
    let (whole, cents) = (hundredths / 100, hundredths % 100);
    let digits = if whole >= 1000 && form.contains('G') {
        format!("{},{:03}", whole / 1000, whole % 1000)
    } else {
        whole.to_string()
    };
    let number = if cents == 0 && !form.contains('C') {
        digits
    } else {
        format!("{digits}.{cents:02}")
    };
    form.replace(['G', 'C'], "").replace('#', &number)
}

const FORMS: [&str; 10] = [
    "€#", "€G#", "€C#", "#€", "# €", "# euros", "#C euros", "EUR #", "# EUR", "#G EUR",
];
const RATES: [&str; 6] = [
    "",
    " a month",
    " per month",
    "/month",
    " monthly",
    " every month",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    // req: S0-006
    #[test]
    fn a_price_put_in_reads_as_one(
        own in 2_u32..400_000, cents in prop::bool::ANY, off in 1_u32..9,
        form in 0..FORMS.len(), said in 0..FORMS.len(), rate in 0..RATES.len(), said_rate in 0..RATES.len(),
        typed in prop::bool::ANY,
    ) {
        let own = if cents { own.max(200) } else { own.max(200) / 100 * 100 };
        let typed = typed && rate == 0;
        let value = if typed {
            json!(f64::from(own) / 100.0)
        } else {
            json!(format!("{}{}", written(FORMS[form], own), RATES[rate]))
        };
        let case = json!({"kb": [{"name": "Helio Box", "attributes": {"price": value}}]});
        let text = format!(
            "The Helio Box costs {}{}.", written(FORMS[said], own + off * 1000 + 300), RATES[said_rate]
        );
        let all = found(&case, &text, usize::MAX);
        let put = all.iter().any(|f| f.status == Status::Contradicted && f.replacement.is_some());
        prop_assume!(put);
        let out = mended(&text, &all);
        let price = out.strip_prefix("The Helio Box costs ").expect("head");
        let price = price.strip_suffix('.').expect("end");
        // One of the currency's forms with the amount of the base, and what it is for once.
        let rates: Vec<&str> = if RATES[rate].is_empty() { vec![RATES[said_rate]] } else {
            RATES.iter().copied().filter(|rate| !rate.is_empty()).collect()
        };
        let fits = FORMS.iter().any(|form| {
            let styles = ["", "C", "G", "CG"].map(|style| format!("{form}{style}"));
            let one = |style: &String| {
                rates.iter().any(|rate| format!("{}{rate}", written(style, own)) == price)
            };
            styles.iter().any(one)
        });
        prop_assert!(fits, "{value} made {text:?} {out:?}");
        prop_assert!(!contradicted(&found(&case, &out, usize::MAX)), "{value} still against {out:?}");
    }
}
