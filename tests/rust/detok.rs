//! Tests of `detok`.

use groundwire_core::detok::{DetokState, MAX_TOKEN_ID, Utf8State, Vocab};
use groundwire_core::error::{Category, Result};
use proptest::prelude::*;
use serde_json::{Value, json};

fn whole(pieces: &[&[u8]]) -> String {
    let (mut state, mut text) = (Utf8State::default(), String::new());
    for piece in pieces {
        state.push(piece, &mut text);
    }
    state.finish(&mut text);
    assert_eq!(state, Utf8State::default());
    text
}

/// Bytes that hit every branch of the decoder far more often than uniform ones.
fn telling_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => any::<u8>(),
        2 => Just(b'a'),
        4 => 0x80u8..=0xBF,
        4 => prop::sample::select(vec![0xC2, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5, 0xFF]),
    ];
    prop::collection::vec(byte, 0..40)
}

fn table(decoder: Value, pieces: &[&str]) -> Result<Vocab> {
    let vocab: serde_json::Map<String, Value> = pieces
        .iter()
        .enumerate()
        .map(|(id, piece)| ((*piece).to_owned(), json!(id)))
        .collect();
    let added = json!([{"id": pieces.len(), "content": "<s>", "special": true}]);
    let file = json!({"model": {"vocab": vocab}, "decoder": decoder, "added_tokens": added});
    Vocab::from_tokenizer_json(file.to_string())
}

fn streamed(vocab: &Vocab, ids: &[u32]) -> String {
    let (mut state, mut utf8) = (DetokState::default(), Utf8State::default());
    let (mut bytes, mut text) = (Vec::new(), String::new());
    for &id in ids {
        vocab.push(&mut state, id, &mut bytes).expect("id is known");
        utf8.push(&bytes, &mut text);
        bytes.clear();
    }
    vocab.finish(&mut state, &mut bytes);
    utf8.push(&bytes, &mut text);
    utf8.finish(&mut text);
    assert_eq!(state, DetokState::default());
    text
}

#[test]
fn golden_vectors_at_every_cut() {
    let file = include_str!("../vectors/utf8.json");
    let cases: Vec<Value> = serde_json::from_str(file).expect("vectors are JSON");
    assert!(cases.len() > 300);
    for case in &cases {
        let hex = case["hex"].as_str().expect("hex");
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex"))
            .collect();
        let text = case["text"].as_str().expect("text");
        for cut in 0..=bytes.len() {
            let (left, right) = bytes.split_at(cut);
            assert_eq!(whole(&[left, right]), text, "{hex} cut at {cut}");
        }
        assert_eq!(
            whole(&bytes.chunks(1).collect::<Vec<_>>()),
            text,
            "{hex} byte by byte"
        );
    }
}

#[test]
fn utf8_state_is_small() {
    assert!(size_of::<Utf8State>() <= 8);
    assert!(size_of::<DetokState>() <= 32);
}

proptest! {
    #[test]
    fn chunking_of_bytes_never_matters(bytes in telling_bytes(), size in 1usize..9) {
        let text = whole(&bytes.chunks(size).collect::<Vec<_>>());
        prop_assert_eq!(&text, &String::from_utf8_lossy(&bytes));
        prop_assert_eq!(whole(&[&bytes]), text);
    }

    #[test]
    fn only_an_unfinished_character_waits(bytes in telling_bytes()) {
        let (mut state, mut text) = (Utf8State::default(), String::new());
        for byte in &bytes {
            state.push(&[*byte], &mut text);
            prop_assert!(state.pending() <= 3);
        }
        let shown = text.clone();
        let waiting = state.pending();
        state.finish(&mut text);
        prop_assert_eq!(text.len() > shown.len(), waiting > 0);
    }

    /// A stream read token by token equals the joined text read by the standard library.
    #[test]
    fn steps_over_joined_text_equal_the_whole(
        lead in 0usize..6,
        body in prop::collection::vec(0u32..7, 0..20),
        trail in 0usize..6,
        start in 0usize..4,
        stop in 0usize..4,
    ) {
        let pieces = ["a", "ab", "b", " ", "aab", "é", " a "];
        let ids = [vec![3; lead], body, vec![3; trail]].concat();
        let replace = |from: &str, to: &str| {
            json!({"type": "Replace", "pattern": {"String": from}, "content": to})
        };
        let vocab = table(
            json!({"type": "Sequence", "decoders": [
                {"type": "Fuse"},
                replace("aab", "-"),
                replace("bé", "  "),
                {"type": "Strip", "content": " ", "start": start, "stop": stop},
            ]}),
            &pieces,
        ).expect("decoder is supported");
        let joined: String = ids.iter().map(|&id| pieces[id as usize]).collect();
        let replaced = joined.replace("aab", "-").replace("bé", "  ");
        let mut text = replaced.as_str();
        for _ in 0..start {
            text = text.strip_prefix(' ').unwrap_or(text);
        }
        for _ in 0..stop {
            text = text.strip_suffix(' ').unwrap_or(text);
        }
        prop_assert_eq!(&streamed(&vocab, &ids), text);
        prop_assert_eq!(vocab.decode(&ids).expect("ids are known"), text);
    }

    #[test]
    fn a_batch_is_its_tokens(ids in prop::collection::vec(0u32..7, 0..24), cut in 0usize..24) {
        let decoder = json!({"type": "BPEDecoder", "suffix": "</w>"});
        let vocab = table(decoder, &["a", "b</w>", "x</w>y", "</w>", "c", "</w></w>", "d</w>"])
            .expect("decoder is supported");
        let (mut state, mut bytes) = (DetokState::default(), Vec::new());
        let (left, right) = ids.split_at(cut.min(ids.len()));
        vocab.push_all(&mut state, left, &mut bytes).expect("ids are known");
        vocab.push_all(&mut state, right, &mut bytes).expect("ids are known");
        vocab.finish(&mut state, &mut bytes);
        prop_assert_eq!(String::from_utf8(bytes).expect("text"), streamed(&vocab, &ids));
    }

    #[test]
    fn stored_tables_survive_and_damage_is_found(at in any::<prop::sample::Index>(), flip in 1u8..) {
        let decoder = json!({"type": "WordPiece", "prefix": "##", "cleanup": true});
        let vocab = table(decoder, &["play", "##ing", " .", "n't"]).expect("decoder is supported");
        let mut stored = vocab.to_bytes();
        let again = Vocab::from_bytes(&stored).expect("just written");
        prop_assert_eq!(again.to_bytes(), stored.clone());
        prop_assert_eq!(streamed(&again, &[0, 1, 2, 3]), streamed(&vocab, &[0, 1, 2, 3]));
        let at = at.index(stored.len());
        stored[at] ^= flip;
        let error = Vocab::from_bytes(&stored).expect_err("damaged");
        prop_assert_eq!(error.category(), Category::Format);
        prop_assert!(Vocab::from_bytes(&stored[..at]).is_err());
    }
}

#[test]
fn the_first_token_and_the_later_ones() {
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"});
    let vocab = table(metaspace, &["▁the", "▁fox", "y", "▁"]).expect("supported");
    assert_eq!(streamed(&vocab, &[4, 0, 1, 4, 2]), "the foxy");
    assert_eq!(vocab.bytes(0).expect("known"), b" the");
    // The mark is dropped from the first token only, whatever that token is.
    assert_eq!(streamed(&vocab, &[3, 0]), " the");

    let vocab = table(Value::Null, &["a", "b"]).expect("supported");
    assert_eq!(streamed(&vocab, &[0, 2, 1, 0]), "a b a");
}

#[test]
fn a_suffix_space_waits_for_the_next_word() {
    let decoder = json!({"type": "BPEDecoder", "suffix": "</w>"});
    let vocab = table(decoder, &["un", "do</w>", "it</w>"]).expect("supported");
    let (mut state, mut out) = (DetokState::default(), Vec::new());
    vocab
        .push_all(&mut state, &[0, 1, 3], &mut out)
        .expect("known");
    assert_eq!(out, b"undo");
    vocab.push(&mut state, 2, &mut out).expect("known");
    vocab.finish(&mut state, &mut out);
    assert_eq!(out, b"undo it");
}

#[test]
fn byte_level_pieces_stand_for_every_byte() {
    // The stand-ins of the bytes that do not print, in the order of those bytes.
    let hidden: Vec<u8> = (0..=0x20).chain(0x7F..=0xA0).chain([0xAD]).collect();
    let pieces: Vec<String> = (0..=u8::MAX)
        .map(|byte| match hidden.iter().position(|&h| h == byte) {
            Some(at) => char::from_u32(0x100 + at as u32)
                .expect("a character")
                .to_string(),
            None => char::from(byte).to_string(),
        })
        .chain(["日本".to_owned()])
        .collect();
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let vocab = table(json!({"type": "ByteLevel"}), &pieces).expect("supported");
    for byte in 0..=u8::MAX {
        assert_eq!(vocab.bytes(u32::from(byte)).expect("known"), [byte]);
    }
    assert_eq!(vocab.bytes(256).expect("known"), "日本".as_bytes());
}

#[test]
fn fallback_bytes_are_bytes() {
    let decoder = json!({"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]});
    let pieces = [
        "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "▁a", "<0x20>", "<0x2>",
    ];
    let vocab = table(decoder, &pieces).expect("supported");
    assert_eq!(streamed(&vocab, &[4, 0, 1, 2, 3, 4]), "a😀 a");
    assert_eq!(streamed(&vocab, &[0, 1, 4]), "\u{fffd} a");
    assert_eq!(streamed(&vocab, &[5, 5, 6]), " <0x2>");
}

#[test]
fn an_unknown_id_changes_nothing() {
    let vocab = Vocab::from_entries(vec![(0, b"a".to_vec(), false), (3, b"b".to_vec(), false)])
        .expect("entries are fine");
    assert_eq!((vocab.len(), vocab.known()), (4, 2));
    let (mut state, mut out) = (DetokState::default(), b"kept".to_vec());
    for id in [1, 4, u32::MAX] {
        let before = state.clone();
        let error = vocab
            .push(&mut state, id, &mut out)
            .expect_err("no such token");
        assert_eq!(error.category(), Category::UnknownToken);
        assert!(
            error.message().contains(&format!("token id {id} ")),
            "{error}"
        );
        assert!(error.message().contains("below 4"), "{error}");
        assert!(vocab.push_all(&mut state, &[0, 3, id], &mut out).is_err());
        assert!(vocab.bytes(id).is_err() && !vocab.is_special(id));
        assert_eq!((&before, out.as_slice()), (&state, b"kept".as_slice()));
    }
}

#[test]
fn entries_are_checked() {
    let twice = vec![(1, vec![], false), (1, vec![], true)];
    let far = vec![(MAX_TOKEN_ID + 1, vec![], false)];
    for entries in [twice, far] {
        let error = Vocab::from_entries(entries).expect_err("refused");
        assert_eq!(error.category(), Category::Argument);
    }
}

#[test]
fn every_length_is_copied_whole() {
    let token = |len: usize| vec![b'a' + (len % 26) as u8; len];
    let lengths = [0, 1, 15, 16, 17, 31, 1024, 1025, 70_000];
    let entries = lengths
        .iter()
        .enumerate()
        .map(|(id, &len)| (id as u32, token(len), false))
        .collect();
    let vocab = Vocab::from_entries(entries).expect("entries are fine");
    let (mut state, mut out, mut expected) = (DetokState::default(), Vec::new(), Vec::new());
    for (id, &len) in lengths.iter().enumerate().rev() {
        vocab.push(&mut state, id as u32, &mut out).expect("known");
        expected.extend(token(len));
        assert_eq!(out, expected);
    }
}

#[test]
fn bytes_between_tokens_are_kept_as_they_are() {
    let strip = json!({"type": "Sequence", "decoders": [
        {"type": "Fuse"},
        {"type": "Replace", "pattern": {"String": "ab"}, "content": "-"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 1},
    ]});
    let vocab = table(strip, &["a", "b", " "]).expect("supported");
    let (mut state, mut out) = (DetokState::default(), Vec::new());
    vocab
        .push_all(&mut state, &[2, 0], &mut out)
        .expect("known");
    assert_eq!(
        out, b"",
        "the leading space is stripped, the letter may begin a pattern"
    );
    vocab.interrupt(&mut state, &mut out);
    out.extend_from_slice(b"b ");
    vocab
        .push_all(&mut state, &[2, 0, 1, 2], &mut out)
        .expect("known");
    vocab.finish(&mut state, &mut out);
    assert_eq!(out, b"ab  -");
}
