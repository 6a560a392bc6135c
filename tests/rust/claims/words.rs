//! The words of a sentence are the same, cut out beforehand or not.

use groundwire_core::claims::{ReadCache, words_of};
use groundwire_core::normal::fold;

use super::Analysed;

// req: S0-015
#[test]
fn words_cut_out_beforehand_are_those_of_the_text() {
    let texts = [
        "The museum, chaired by Per Lund, opened on May 3, 1987; it isn't small (14 rooms).",
        "“Café Ödön” – 12,5 % off, says Ms. Straße; not quite 40 came. Does it may?",
        "- *Opens:* 9 am\n- “日本語のテキスト” and more…\n\nx_y = \"a\\b\";",
    ];
    for text in texts {
        let analysed = Analysed::new(text, None);
        let mut sentences = 0;
        analysed.each(|view| {
            sentences += 1;
            let words = words_of(view.text, view.sentence.span.start, view.lexemes);
            let cache = ReadCache::default();
            let cut = view.with_lexemes(view.lexemes, &cache).with_words(&words);
            let (here, there) = (view.folded(), cut.folded());
            for i in 0..view.lexemes.len() + 2 {
                let span = view.lexemes.get(i).map(|lexeme| lexeme.span);
                let word = span.map_or("", |span| &text[span.start..span.end]);
                assert_eq!((view.word(i), cut.word(i)), (word, word));
                assert_eq!(here.get(i), there.get(i));
                let mut folded = String::new();
                fold(word, &mut folded);
                assert!(here.get(i) == folded || here.get(i) == word, "{word:?}");
                assert_eq!(here.known(i), there.known(i), "{word:?}");
            }
        });
        assert!(sentences > 0);
    }
}
