//! Tests of `segment`.

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
