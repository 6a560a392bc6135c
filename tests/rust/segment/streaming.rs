//! What must hold however the text is cut.

use super::events;
use groundwire_core::segment::{self, SegEvent, Segmenter};
use groundwire_core::types::{LexKind, Span};
use proptest::prelude::*;
use serde_json::Value;

/// Pieces that meet in the ways that matter: marks, numbers, abbreviations, line starts.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        " ",
        " ",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        ".",
        "!",
        "?",
        "…",
        ",",
        ":",
        ";",
        "-",
        "–",
        "—",
        "\"",
        "“",
        "”",
        "'",
        "’",
        "(",
        ")",
        "[",
        "]",
        "`",
        "```",
        "#",
        "# ",
        "- ",
        "* ",
        "•",
        "1. ",
        "a) ",
        "|",
        "/",
        "//",
        "://",
        "@",
        "_",
        "&",
        "%",
        "$",
        "€",
        "°",
        "~",
        "+",
        "−",
        "*",
        "Dr",
        "No",
        "U.S",
        "e.g",
        "J",
        "The",
        "Inc",
        "he",
        "Smith",
        "don't",
        "café",
        "東",
        "。",
        "é",
        "\u{301}",
        "\u{200d}",
        "😀",
        "¹",
        "½",
        "\u{a0}",
        "\u{2028}",
        "\u{2029}",
        "0",
        "5",
        "12",
        "1987",
        "250",
        "000",
        "1,250",
        "3.5",
        "3rd",
        "5M",
        "5kg",
        "km",
        "per",
        "cent",
        "hour",
        "million",
        "hundred",
        "and",
        "a",
        "half",
        "of",
        "twenty-five",
        "two",
        "third",
        "to",
        "in",
        "July",
        "May",
        "Jan",
        "Monday",
        "pm",
        "a.m",
        "o'clock",
        "square",
        "miles",
        "USD",
        "about",
        "more",
        "than",
        "at",
        "least",
        "https",
        "v2",
        "2023-07-23",
        "17:30",
        "BC",
    ])
    .prop_map(str::to_owned);
    prop_oneof![20 => fixed, 1 => "\\PC{0,3}", 1 => "[a-zA-Z0-9]{1,12}", 1 => "[ .,0-9]{1,8}"]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn span(event: &SegEvent) -> Span {
    match event {
        SegEvent::Lexeme(item) => item.span,
        SegEvent::Quantity(item) => item.span,
        SegEvent::Date(item) => item.span,
        SegEvent::Sentence(item) => item.span,
    }
}

fn golden_texts() -> Vec<String> {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/segment.json")).expect("valid vectors");
    cases
        .iter()
        .map(|case| case["text"].as_str().unwrap().to_owned())
        .collect()
}

/// Every cut in two, and character by character, gives the same events.
fn check_chunking(text: &str) {
    let whole = segment::collect(text);
    for (cut, _) in text.char_indices() {
        assert_eq!(
            events([&text[..cut], &text[cut..]]),
            whole,
            "cut at {cut} of {text:?}"
        );
    }
    let mut bytes = [0u8; 4];
    let mut out = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut sink = |event: SegEvent, text: &str| out.push((event, text.to_owned()));
    for c in text.chars() {
        segmenter.push(c.encode_utf8(&mut bytes), &mut sink);
    }
    segmenter.finish(&mut sink);
    assert_eq!(out, whole, "by characters: {text:?}");
}

/// A text without the tags that `tags.tsv` lists.
fn without_tags(text: &str) -> String {
    let listed = include_str!("../../../rust/core/data/en/tags.tsv");
    let lists = listed.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lists
        .filter_map(|line| line.split_once('\t'))
        .flat_map(|(_, names)| names.split(';'))
        .collect();
    let mut outside = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let tag = rest[at + 1..].split_once('>');
        let name = |inside: &str| {
            let named = inside.trim_start_matches('/');
            let end = named.find(|c: char| !c.is_ascii_alphanumeric());
            named[..end.unwrap_or(named.len())].to_ascii_lowercase()
        };
        let behind = tag.filter(|(inside, _)| names.contains(&name(inside).as_str()));
        outside.push_str(&rest[..at]);
        let Some((_, behind)) = behind else {
            outside.push('<');
            rest = &rest[at + 1..];
            continue;
        };
        rest = behind;
    }
    outside + rest
}

/// Spans are right, in order and in bounds; sentences hold what was reported before them.
fn check_spans(text: &str) {
    let (mut decided, mut last, mut sentence_end, mut index) = (0, 0, 0, 0);
    for (event, word) in segment::collect(text) {
        let span = span(&event);
        assert!(
            span.start < span.end && span.end <= text.len(),
            "{event:?} of {text:?}"
        );
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        assert!(
            event.decided_at() >= decided,
            "{event:?} comes late in {text:?}"
        );
        assert!(event.decided_at() >= span.end && event.decided_at() <= text.len());
        decided = event.decided_at();
        match event {
            SegEvent::Lexeme(lexeme) => {
                assert!(span.start >= last, "{lexeme:?} overlaps in {text:?}");
                last = span.end;
                if lexeme.kind == LexKind::Newline {
                    // A tag that parts texts, as "<p>", is a line break too.
                    let between = without_tags(&text[span.start..span.end]);
                    assert!(between.trim().is_empty(), "{lexeme:?} of {text:?}");
                } else {
                    assert_eq!(word, text[span.start..span.end]);
                    assert!(span.start >= sentence_end);
                }
            }
            SegEvent::Sentence(sentence) => {
                assert_eq!(sentence.index, index);
                index += 1;
                assert!(
                    span.start >= sentence_end,
                    "{sentence:?} overlaps in {text:?}"
                );
                let inside = &text[span.start..span.end];
                assert!(
                    !inside.starts_with(' ') && !inside.ends_with(' '),
                    "{inside:?}"
                );
                sentence_end = span.end;
            }
            SegEvent::Quantity(item) => {
                assert!(word.is_empty() && item.value.is_finite());
                assert!(
                    span.start >= sentence_end && span.end <= last,
                    "{item:?} of {text:?}"
                );
            }
            SegEvent::Date(item) => {
                assert!(item.month.is_none_or(|m| (1..=12).contains(&m)), "{item:?}");
                assert!(item.day.is_none_or(|d| (1..=31).contains(&d)), "{item:?}");
                assert!(item.minutes.is_none_or(|m| m < 24 * 60), "{item:?}");
                assert!(span.start >= sentence_end && span.end <= last);
            }
        }
    }
}

/// An event is out once the text up to its `decided_at` is in, and not before.
fn check_causality(text: &str) {
    let whole: Vec<SegEvent> = segment::collect(text)
        .into_iter()
        .map(|(event, _)| event)
        .collect();
    let mut segmenter = Segmenter::new();
    let mut out = Vec::new();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        segmenter.push(&text[at..end], &mut |event, _| out.push(event));
        assert_eq!(segmenter.position(), end);
        assert!(whole.starts_with(&out), "at {end} of {text:?}");
        assert!(
            whole[..out.len()]
                .iter()
                .all(|event| event.decided_at() <= end)
        );
        if end < text.len() {
            assert!(
                whole[out.len()..]
                    .iter()
                    .all(|event| event.decided_at() > end)
            );
        }
    }
}

/// A copy goes on like the original, and both like nothing had been copied.
fn check_clone(text: &str) {
    let whole = segment::collect(text);
    for (cut, _) in text.char_indices() {
        let mut first = Vec::new();
        let mut segmenter = Segmenter::new();
        segmenter.push(&text[..cut], &mut |event, word| {
            first.push((event, word.to_owned()));
        });
        let mut copy = segmenter.clone();
        copy.push("Something else. ", &mut |_, _| {});
        let mut again = segmenter.clone();
        drop(segmenter);
        again.push(&text[cut..], &mut |event, word| {
            first.push((event, word.to_owned()));
        });
        again.finish(&mut |event, word| first.push((event, word.to_owned())));
        assert_eq!(first, whole);
    }
}

#[test]
fn golden_texts_hold_every_invariant() {
    for text in golden_texts() {
        check_chunking(&text);
        check_spans(&text);
        check_causality(&text);
        check_clone(&text);
    }
}

#[test]
fn sentences_come_with_their_first_undoubted_character() {
    let mut out = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut sink = |event: SegEvent, _: &str| {
        if let SegEvent::Sentence(sentence) = event {
            out.push((sentence.span, sentence.decided_at));
        }
    };
    segmenter.push("It rained.) [1]  We left. It", &mut sink);
    assert_eq!(out, [(Span::new(0, 15), 18), (Span::new(17, 25), 27)]);
}

#[test]
fn sentences_wait_for_no_marker_of_the_line_behind() {
    let ends = |text: &str| {
        let mut out = Vec::new();
        Segmenter::new().push(text, &mut |event, _| {
            if let SegEvent::Sentence(sentence) = event {
                out.push((sentence.span.end, sentence.decided_at));
            }
        });
        out
    };
    // The line behind is an item, or a sentence that begins with a number: this one is over.
    for text in [
        "It rained.\n2",
        "It rained.\n*",
        "It rained.\nB",
        "It rained.\n#",
    ] {
        assert_eq!(ends(text), [(10, 12)], "{text:?}");
    }
    // Without a stop, or behind a title, what follows decides.
    for text in [
        "It rained\n2",
        "It rained,\n*",
        "We met Mr.\n2",
        "It rained.\n[1",
    ] {
        assert_eq!(ends(text), [], "{text:?}");
    }
    assert_eq!(ends("It rained\n2. We left."), [(9, 13)]);
}

#[test]
fn a_number_waits_for_one_word_only() {
    for (text, value) in [
        ("He saw 5 people ", 5.0),
        ("He paid $5 million today ", 5e6),
    ] {
        let mut out = Vec::new();
        let mut segmenter = Segmenter::new();
        segmenter.push(text, &mut |event, _| {
            if let SegEvent::Quantity(quantity) = event {
                out.push((quantity.value, quantity.decided_at));
            }
        });
        assert_eq!(out, [(value, text.len())]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn chunking_never_matters(text in text()) {
        check_chunking(&text);
    }

    #[test]
    fn spans_are_never_wrong(text in text()) {
        check_spans(&text);
    }

    #[test]
    fn events_are_causal(text in text()) {
        check_causality(&text);
    }

    #[test]
    fn copies_go_on_alike(text in text()) {
        check_clone(&text);
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}") {
        check_chunking(&text);
        check_spans(&text);
        check_causality(&text);
    }
}
