//! Tests of `segment`.

mod brackets;
mod clock;
mod hostile;
mod oracle;
mod streaming;
mod units;
mod vectors;

use groundwire_core::segment::{SegEvent, Segmenter};

/// Events with their texts, the text pushed in the given pieces.
pub fn events<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<(SegEvent, String)> {
    let mut out = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut sink = |event: SegEvent, text: &str| out.push((event, text.to_owned()));
    for piece in pieces {
        segmenter.push(piece, &mut sink);
    }
    segmenter.finish(&mut sink);
    out
}

#[test]
fn a_sentence_ends_where_the_space_behind_it_was_left_out() {
    for (text, wanted) in [
        ("It is closed on Mondays.The café is open.", 2),
        ("It opened in 1992.It has 45 rooms.", 2),
        ("It is run by the administration.In May it closes.", 2),
        ("See Yahoo.Com or Node.Js for it.", 1),
        ("The U.S.The is no word, and e.g.The neither.", 1),
        ("Version 2.It is no number of a sentence.", 1),
    ] {
        let found = groundwire_core::segment::sentences(text);
        assert_eq!(found.len(), wanted, "{text:?}: {found:?}");
    }
}

#[test]
fn a_number_that_is_the_whole_answer_is_no_label() {
    use groundwire_core::types::{QuantityKind, SentenceKind};
    for (text, value) in [("46.", 46.0), ("7.", 7.0)] {
        let [one] = groundwire_core::segment::quantities(text)[..] else {
            panic!("{text:?}");
        };
        assert_eq!((one.value, one.kind), (value, QuantityKind::Cardinal));
    }
    let items = groundwire_core::segment::sentences("1. Rooms\n2.");
    assert!(
        items.iter().all(|one| one.kind == SentenceKind::ListItem),
        "{items:?}"
    );
}
