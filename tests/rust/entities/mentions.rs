//! Mentions in text: golden cases, longest match, determinism.

use groundwire_core::entities::{EntityIndexBuilder, MentionScanner, Names};
use groundwire_core::normal::fold_name;
use groundwire_core::types::{Mention, Resolution};
use proptest::prelude::*;

use super::{lexemes, mentions};

fn kind(mention: &Mention) -> (&'static str, Vec<u32>) {
    match &mention.resolution {
        Resolution::Known(ids) => ("known", ids.clone()),
        Resolution::Common => ("common", Vec::new()),
        Resolution::NearMiss(near) => ("near", near.iter().map(|hit| hit.0).collect()),
        Resolution::Unknown => ("unknown", Vec::new()),
    }
}

fn names(list: &[(String, u32)]) -> Names {
    let mut builder = EntityIndexBuilder::new();
    for (name, entity) in list {
        builder.add(name, *entity);
    }
    Names::new(Some(builder.build()))
}

// req: S4-013
#[test]
fn golden_cases() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../vectors/entities.json")).expect("valid JSON");
    let list: Vec<(String, u32)> =
        serde_json::from_value(vectors["names"].clone()).expect("pairs of name and id");
    let base = names(&list);
    let overlay = Names::new(None).with_added(&list);
    let mut wrong = Vec::new();
    for case in vectors["cases"].as_array().expect("a list of cases") {
        let text = case["text"].as_str().expect("a text");
        let expected: Vec<(String, String, Vec<u32>)> =
            serde_json::from_value(case["mentions"].clone()).expect("mentions");
        let found: Vec<(String, String, Vec<u32>)> = mentions(&base, text)
            .iter()
            .map(|m| {
                let (kind, ids) = kind(m);
                (
                    text[m.span.start..m.span.end].to_owned(),
                    kind.to_owned(),
                    ids,
                )
            })
            .collect();
        if found != expected {
            wrong.push(format!(
                "{text}\n  found    {found:?}\n  expected {expected:?}"
            ));
        }
        assert_eq!(
            mentions(&overlay, text),
            mentions(&base, text),
            "overlay differs: {text}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Leftmost-longest by trying every stretch of words.
fn slow_matches(list: &[(String, u32)], words: &[&str]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (at + 1..=words.len()).rev().find(|&end| {
            list.iter()
                .any(|(name, _)| fold_name(name) == words[at..end].join(" "))
        });
        if let Some(end) = longest {
            out.push((at, end));
            at = end;
        } else {
            at += 1;
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn longest_match_is_brute_force(
        list in prop::collection::vec(("(qaa|qbb|qcc|qdd)( (qaa|qbb|qcc|qdd)){0,4}", 0_u32..9), 1..12),
        words in prop::collection::vec(prop::sample::select(vec!["qaa", "qbb", "qcc", "qdd", "qxx"]), 0..30),
        split in 0_usize..12,
    ) {
        let text = words.join(" ");
        let expected: Vec<(usize, usize)> = slow_matches(&list, &words)
            .into_iter()
            .map(|(from, to)| (from * 4, to * 4 - 1))
            .collect();
        let split = split.min(list.len());
        let layered = names(&list[..split]).with_added(&list[split..]);
        for all in [names(&list), layered] {
            let found: Vec<(usize, usize)> =
                mentions(&all, &text).iter().map(|m| (m.span.start, m.span.end)).collect();
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn mentions_come_in_order_with_bounded_state(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "Zorb", "of", "the", "Qa", "qa", "Qb", "Paris", ".", ",", "&", "-", "John", "J", "Quib's", "MAY", "7", "New", "York", "\"", "Dr",
            ]), 0..60),
        cut in any::<prop::sample::Index>(),
    ) {
        let list = [("Qa Qb Paris".to_owned(), 1), ("Zorb of the Qa".to_owned(), 2), ("Qb".to_owned(), 3)];
        let all = names(&list);
        let text = words.join(" ");
        let whole = mentions(&all, &text);
        let mut last = (0, 0);
        for mention in &whole {
            prop_assert!(mention.span.start >= last.0 && mention.decided_at >= last.1);
            prop_assert!(mention.span.start < mention.span.end && mention.span.end <= text.len());
            prop_assert!(mention.decided_at >= mention.span.end && mention.decided_at <= text.len());
            prop_assert!(text.is_char_boundary(mention.span.start) && text.is_char_boundary(mention.span.end));
            last = (mention.span.end, mention.decided_at);
        }
        // A stream that is cut has reported exactly what was decided by then, and a clone goes on
        // as the original does.
        let items = lexemes(&text);
        let cut = if items.is_empty() { 0 } else { cut.index(items.len()) };
        let mut scanner = MentionScanner::new();
        let mut early = Vec::new();
        for (lexeme, word, ends) in &items[..cut] {
            scanner.push(&all, lexeme, word, &mut |m| early.push(m));
            if *ends {
                scanner.sentence_end(&all, lexeme.decided_at, &mut |m| early.push(m));
            }
        }
        prop_assert_eq!(&early[..], &whole[..early.len()]);
        prop_assert!(scanner.memory() < 4096, "{} bytes", scanner.memory());
        let mut fork = scanner.clone();
        for (lexeme, word, ends) in &items[cut..] {
            fork.push(&all, lexeme, word, &mut |m| early.push(m));
            if *ends {
                fork.sentence_end(&all, lexeme.decided_at, &mut |m| early.push(m));
            }
        }
        fork.finish(&all, text.len(), &mut |m| early.push(m));
        prop_assert_eq!(early, whole);
    }
}
