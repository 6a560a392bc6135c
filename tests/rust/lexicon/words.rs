//! The table of words.

use groundwire_core::lexicon::words::{self, WordClass, class};
use groundwire_core::normal::fold_name;

#[test]
fn every_entry_is_folded_and_found() {
    let mut count = 0;
    for (word, expected) in words::entries() {
        assert_eq!(fold_name(word), word, "{word:?} is not in folded form");
        assert_eq!(class(word), expected, "{word:?}");
        assert!(expected.is_known());
        count += 1;
    }
    assert_eq!(count, words::len());
    assert!(count > 60_000, "{count} entries");
    assert!(words::longest_phrase() >= 4);
}

#[test]
fn classes_are_what_they_say() {
    let cases = [
        ("however", WordClass::STOPWORD),
        ("march", WordClass::MONTH),
        ("wed", WordClass::WEEKDAY),
        ("tuesday", WordClass::WEEKDAY),
        ("french", WordClass::LANGUAGE),
        ("french", WordClass::DEMONYM),
        ("germany", WordClass::COUNTRY),
        ("united kingdom", WordClass::COUNTRY),
        ("euro", WordClass::CURRENCY),
        ("tokyo", WordClass::CITY),
        ("new york", WordClass::COUNTRY),
        ("sarah", WordClass::GIVEN_NAME),
        ("mr", WordClass::TITLE),
        ("museum", WordClass::NAME_HEAD),
        ("united nations", WordClass::WELL_KNOWN),
        ("table", WordClass::COMMON),
        ("einstein", WordClass::PROPER),
    ];
    for (word, expected) in cases {
        assert!(class(word).has(expected), "{word:?} has {:?}", class(word));
    }
    for word in ["zorblax", "", " ", "qwertz uiop"] {
        assert!(!class(word).is_known(), "{word:?}");
    }
}
