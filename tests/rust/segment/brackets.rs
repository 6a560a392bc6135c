//! What square brackets hold, read from a text and at the word.

use std::time::Instant;

use groundwire_core::segment::brackets::{Kind, read};
use groundwire_core::segment::{SegEvent, quantities};
use groundwire_core::types::QuantityKind;

use super::events;

/// A text with one bracket that matters, its first, and what that holds.
const READ: [(&str, Kind); 70] = [
    ("It opened in [1992].", Kind::Text),
    ("It opened in [1650].", Kind::Text),
    ("It opened in [1992](https://x.example/y).", Kind::Text),
    (
        "It opened in [1992](https://x.example/y \"A title\").",
        Kind::Text,
    ),
    ("It opened in [1992](<https://x.example/a b>).", Kind::Text),
    ("It opened in [1992][1].", Kind::Text),
    ("It opened in [1992][].", Kind::Text),
    ("It opened in **[1992](https://x.example/y)**.", Kind::Text),
    ("It opened in [[1992]].", Kind::Text),
    ("[1992]", Kind::Text),
    ("[1992](https://x.example/y)", Kind::Text),
    ("- [1992]", Kind::Text),
    ("- Opened: [1992]", Kind::Text),
    ("**Opened:** [1992](https://x.example/y)", Kind::Text),
    ("| Opened | [1992] |", Kind::Text),
    ("| Opened | [1992](https://x.example/y) |", Kind::Text),
    ("It has [54] employees.", Kind::Text),
    ("It has [54] full-time employees.", Kind::Text),
    ("It employs [54] people.", Kind::Text),
    (
        "[54](https://x.example/y) employees work there.",
        Kind::Text,
    ),
    ("It has [54](https://x.example/y) employees.", Kind::Text),
    (
        "It has **[54](https://x.example/Harbour_(museum))** employees.",
        Kind::Text,
    ),
    ("It has [54][1] employees.", Kind::Text),
    ("It has [54][1][2] employees.", Kind::Text),
    ("It has three floors and [54] employees.", Kind::Text),
    ("It has [54 employees].", Kind::Text),
    ("It has [five] floors.", Kind::Text),
    ("Employees: [54]", Kind::Text),
    (
        "It was founded by [Bo Quist](https://x.example/y).",
        Kind::Text,
    ),
    ("It opened in 1992[1].", Kind::Mark),
    ("It opened in 1992 [1].", Kind::Mark),
    ("It opened in 1992[^1].", Kind::Mark),
    ("It opened in 1992[^note].", Kind::Mark),
    ("It opened in 1992[1](https://x.example/y).", Kind::Mark),
    ("It opened in 1992[[1]](https://x.example/y).", Kind::Mark),
    (
        "It opened in 1992[\\[1\\]](https://x.example/y).",
        Kind::Mark,
    ),
    ("It opened in 1992<sup>[1]</sup>.", Kind::Mark),
    ("It opened in 1992[1][2].", Kind::Mark),
    ("It opened in 1992 [3, 4].", Kind::Mark),
    ("It opened in 1992 [3-5].", Kind::Mark),
    ("It opened in 1992 [Smith 2020].", Kind::Mark),
    ("It opened in 1992 [Smith & Jones, 2020a].", Kind::Mark),
    ("It opened in 1992 [Smith et al. 2020].", Kind::Mark),
    (
        "It opened in 1992 [source](https://x.example/y).",
        Kind::Mark,
    ),
    ("It has 54 [1] employees.", Kind::Mark),
    ("rows[1] holds it.", Kind::Mark),
    ("Take list[0] first.", Kind::Mark),
    ("See [12] for details.", Kind::Mark),
    ("see [12] papers on it.", Kind::Mark),
    ("It is as shown in [3].", Kind::Mark),
    ("In [12] the authors say so.", Kind::Mark),
    ("In [12] authors say so.", Kind::Mark),
    ("The [54] reference says so.", Kind::Mark),
    ("Both are told in [1992, 1993].", Kind::Mark),
    ("It is shown in Fig. [2] below.", Kind::Mark),
    ("[1] Smith, J.: Museums.", Kind::Mark),
    ("| 1992 | [1] |", Kind::Mark),
    ("Sources: [1], [2]", Kind::Mark),
    ("It opened in 1992 [54, p. 12].", Kind::Mark),
    ("It opened in 1992 [54, Section 3].", Kind::Mark),
    ("It opened in 1992 [54: 12].", Kind::Mark),
    ("It opened in 1992 [12; 54].", Kind::Mark),
    ("It opened in 1992 [12–54].", Kind::Mark),
    ("It opened in 1992 [Lind 1990, p. 12].", Kind::Mark),
    ("Note that [54] gives 1992.", Kind::Mark),
    ("It was founded, and [12] confirms it.", Kind::Mark),
    ("It opened in 1992 [citation needed].", Kind::Editor),
    ("It is opend [sic] daily.", Kind::Editor),
    ("![1992](https://x.example/y.png)", Kind::Image),
    ("He saw [the museum] there.", Kind::Aside),
];

#[test]
fn what_brackets_hold() {
    for (text, kind) in READ {
        let open = text.find('[').expect("a bracket");
        let read = read(text, open).map(|read| read.kind);
        assert_eq!(read, Some(kind), "{text}");
    }
    for text in ["[1992", "[ and (", "[a\nb]", "["] {
        assert_eq!(read(text, 0), None, "{text}");
    }
}

#[test]
fn a_link_ends_with_its_target() {
    for (text, end) in [
        (
            "[54](https://x.example/y) employees",
            "[54](https://x.example/y)",
        ),
        (
            "[1992](/wiki/Harbour_(museum)).",
            "[1992](/wiki/Harbour_(museum))",
        ),
        ("[1992][src] or", "[1992][src]"),
        ("[1992](about then)", "[1992]"),
        ("[1][2]", "[1]"),
        ("[1](https://x.example/y)[2]", "[1](https://x.example/y)"),
    ] {
        let read = read(text, 0).expect("closed");
        assert_eq!(&text[..read.end], end);
    }
}

/// At the word a number is the mark's exactly where the closed sentence says so, however the text is cut.
#[test]
fn at_the_word_as_in_the_sentence() {
    for (text, kind) in READ {
        let open = text.find('[').expect("a bracket");
        let read = read(text, open).expect("closed");
        let whole = quantities(text);
        let inside = |at: usize| at > open && at < read.inner.end;
        let mut numbers = whole.iter().filter(|q| inside(q.span.start)).peekable();
        if matches!(kind, Kind::Text | Kind::Mark) && numbers.peek().is_some() {
            let labels = numbers.all(|q| q.kind == QuantityKind::Label);
            assert_eq!(labels, kind == Kind::Mark, "{text}");
        }
        let cut = text
            .char_indices()
            .map(|(at, c)| &text[at..at + c.len_utf8()]);
        let of = |event: &SegEvent| match event {
            SegEvent::Quantity(quantity) => Some(*quantity),
            _ => None,
        };
        let cut: Vec<_> = events(cut).iter().filter_map(|(e, _)| of(e)).collect();
        assert_eq!(cut, whole, "{text}");
    }
}

#[test]
fn brackets_that_nothing_closes_cost_linear_time() {
    for unit in ["[", "[1", "[1](", "![", "]", "[[1]](", "[a](b", "in [12, "] {
        let text = unit.repeat(100_000 / unit.len());
        let started = Instant::now();
        for (at, _) in text.match_indices('[').take(4096) {
            let _ = read(&text, at);
        }
        let _ = events([text.as_str()]);
        assert!(started.elapsed().as_secs() < 5, "{unit}");
    }
}
