//! Texts meant to hurt: each must be read in bounded time and state.

use super::events;
use groundwire_core::segment::{MAX_LEXEME, MAX_SENTENCE, SegEvent, Segmenter};
use groundwire_core::types::LexFlags;
use std::time::Instant;

const SIZE: usize = 1 << 20;

fn read(unit: &str) {
    let text = unit.repeat(SIZE / unit.len() + 1);
    let started = Instant::now();
    let mut segmenter = Segmenter::new();
    let (mut decided, mut longest, mut lexemes, mut kept) = (0, 0, 0usize, 0);
    let mut sink = |event: SegEvent, word: &str| {
        assert!(event.decided_at() >= decided);
        decided = event.decided_at();
        kept = kept.max(word.len());
        match event {
            SegEvent::Lexeme(lexeme) => {
                lexemes += 1;
                assert!(
                    lexeme.span.len() <= MAX_LEXEME + 4 || word == "\n",
                    "{lexeme:?}"
                );
                assert_eq!(
                    lexeme.flags.has(LexFlags::OVERLONG),
                    word.len() < lexeme.span.len() && word != "\n"
                );
            }
            SegEvent::Sentence(sentence) => longest = longest.max(sentence.span.len()),
            _ => {}
        }
    };
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let cut = (4099..).find(|&at| at >= rest.len() || rest.is_char_boundary(at));
        let (chunk, more) = rest.split_at(cut.map_or(0, |at| at.min(rest.len())));
        segmenter.push(chunk, &mut sink);
        rest = more;
    }
    segmenter.finish(&mut sink);
    assert!(kept <= 256, "{kept} bytes of a word kept");
    assert!(
        longest <= MAX_SENTENCE + MAX_LEXEME + 64 || unit.trim() != unit,
        "{longest}: {unit:?}"
    );
    // Debug builds on a busy machine: 10 µs a byte would still be a linear scan's worst.
    assert!(
        started.elapsed().as_secs() < 10,
        "{unit:?} took {:?}",
        started.elapsed()
    );
}

#[test]
fn a_megabyte_of_anything_is_read() {
    for unit in [
        "a",
        "A",
        "1",
        "\"",
        "'",
        "-",
        ".",
        ",",
        "[",
        "(",
        "`",
        "#",
        "*",
        "|",
        " ",
        "\n",
        "\r",
        "$",
        "1,",
        "1,234,",
        "1.",
        "1-",
        "1/",
        "[1",
        ". [",
        "a.",
        "A. ",
        "a@",
        "a_",
        "a:",
        "a://",
        "/a",
        "é",
        "東",
        "\u{301}",
        "\u{200d}",
        "😀",
        "½",
        "¹",
        "\u{feff}",
        "\u{2029}",
        "\u{202e}",
        "°",
        "and ",
        "two ",
        "hundred ",
        "million ",
        "5 ",
        "5-",
        "half a ",
        "July ",
        "Monday, ",
        "$5 to ",
        "to ",
        "more than ",
        "a ",
        "per ",
        "square ",
        "twenty-",
        "two-five-",
        "+1 ",
        "1 000 ",
        "((((",
        "```\n",
        "- ",
        "- a\n",
        "1. \n",
        "\"a. \"",
        "“a",
        "U.S. ",
        "Inc. Abcdefghijklmnop",
        "\0",
    ] {
        read(unit);
    }
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<Segmenter>() <= 1536, "{}", size_of::<Segmenter>());
}

#[test]
fn an_overlong_word_keeps_its_first_bytes() {
    let text = "é".repeat(400);
    let out = events([text.as_str()]);
    let SegEvent::Lexeme(lexeme) = out[0].0 else {
        panic!("no lexeme: {:?}", out[0])
    };
    assert!(lexeme.flags.has(LexFlags::OVERLONG) && lexeme.span.len() == 800);
    assert_eq!(out[0].1, "é".repeat(128));
}

#[test]
fn endless_sentences_are_capped() {
    let text = "word ".repeat(10_000);
    let mut capped = 0;
    for (event, _) in events([text.as_str()]) {
        if let SegEvent::Sentence(sentence) = event {
            capped += usize::from(sentence.capped);
            assert!(sentence.span.len() <= MAX_SENTENCE);
        }
    }
    assert!(capped >= 30, "{capped}");
}
