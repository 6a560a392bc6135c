//! What is looked at of one word, by name.

/// Number of features of a word.
pub const DETAIL_COUNT: usize = 29;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $at:literal;)+) => {
        /// Places of the features in [`super::Detail::values`].
        #[allow(non_upper_case_globals, reason = "the names are those of the weights file")]
        pub mod detail_feature {
            $($(#[$doc])* pub const $name: usize = $at;)+
        }

        /// Names of the features, in the order of [`super::Detail::values`].
        pub const DETAIL_NAMES: [&str; DETAIL_COUNT] = [$(stringify!($name)),+];
    };
}

features! {
    /// 1 for every word.
    base = 0;
    /// 1 for the first word of a sentence.
    opens = 1;
    /// 1 where the evidence does not hold the word.
    novel = 2;
    /// The same, less for a common word.
    novel_rare = 3;
    /// 1 where the evidence has other words between the same neighbours.
    novel_slot = 4;
    /// 1 where a word of the evidence shares the first letters.
    novel_related = 5;
    /// 1 where the evidence holds a word of opposite meaning instead.
    opposite = 6;
    /// How well that word fits the words around this one, 0..=1.
    opposite_context = 7;
    /// 1 where the opposite stands between the same neighbours.
    slot_opposite = 8;
    /// 1 where the word stands nowhere near the evidence's best sentence.
    elsewhere = 9;
    /// How few of the words around it stand around it in the evidence: 1 for none, 0 from half on.
    apart = 10;
    /// The same within four words, for a word with one place in the evidence.
    apart_once = 11;
    /// 1 where no neighbour stands next to it in the evidence.
    unpaired = 12;
    /// 1 where both do.
    paired = 13;
    /// 1 where the content word before it stands more than six words off.
    before_far = 14;
    /// 1 where the content word after it does.
    after_far = 15;
    /// 1 where the content word before it stands behind it.
    before_turned = 16;
    /// 1 where the content word after it stands before it.
    after_turned = 17;
    /// 1 where it stands elsewhere and its opposite around the best sentence.
    opposite_near = 18;
    /// By how much the opposite fits the words around it better.
    opposite_gain = 19;
    /// 1 for a pronoun that opens an answer of which no question told what it is about.
    opening = 20;
    /// 1 for a pronoun before which no name stands.
    unnamed = 21;
    /// For a negation: coverage, where the best sentence denies nothing.
    denied = 22;
    /// For a negation: 1 where the evidence has the word it denies, nowhere denied.
    denies_said = 23;
    /// 1 where the evidence has the word only denied, and the sentence does not deny it.
    undenied = 24;
    /// For "he" and "she": share of the other one among those that the evidence has.
    other_gender = 25;
    /// 1 where it is one of three words or more that stand so in the evidence.
    copied_3 = 26;
    /// The same for five.
    copied_5 = 27;
    /// The same for eight.
    copied_8 = 28;
}
