//! Tests of `segment`.

use groundwire_core::segment;

#[test]
fn abbreviations_and_initials_do_not_end_sentences() {
    let text = "Dr. Smith met J. K. Rowling in the U.S. Army base. He left.";
    let spans: Vec<&str> = segment::sentences(text)
        .iter()
        .map(|s| &text[s.span.start..s.span.end])
        .collect();
    assert_eq!(
        spans,
        [
            "Dr. Smith met J. K. Rowling in the U.S. Army base.",
            "He left."
        ]
    );
}
