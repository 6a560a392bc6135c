//! What the grounding scorer looks at, by name.

/// Number of features.
pub const COUNT: usize = 44;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $at:literal;)+) => {
        /// Places of the features in [`Features`].
        #[allow(non_upper_case_globals, reason = "the names are those of the weights file")]
        pub mod feature {
            $($(#[$doc])* pub const $name: usize = $at;)+
        }

        /// Names of the features, in the order of [`Features`].
        pub const NAMES: [&str; COUNT] = [$(stringify!($name)),+];
    };
}

features! {
    /// ln(1 + content words).
    words = 0;
    /// Share of the words' weight that is nowhere in the evidence, 0..=1.
    novelty = 1;
    /// The same, where a word that shares its first letters with one of the evidence counts half.
    soft_novelty = 2;
    /// Weight of the novel words; a rare word weighs 1.
    novel_mass = 3;
    /// The same, where related words count half.
    soft_mass = 4;
    /// Share of neighbouring content words that stand together in a sentence of the evidence.
    pairs = 5;
    /// ln(1 + neighbouring content words that stand together nowhere).
    pairs_missing = 6;
    /// Share of the weight that the best sentence of the evidence holds.
    coverage = 7;
    /// Share of the weight that the best two neighbouring sentences hold.
    window = 8;
    /// Share of the weight by which the best sentence is ahead of the next.
    margin = 9;
    /// Highest novelty of a clause of two content words or more.
    clause_novelty = 10;
    /// Highest novel weight of a clause.
    clause_mass = 11;
    /// Lowest coverage of a clause of two content words or more.
    clause_coverage = 12;
    /// Numbers that are nowhere in the evidence, at most 3.
    novel_numbers = 13;
    /// Names that are nowhere in the evidence, at most 3.
    novel_names = 14;
    /// Numbers of the evidence that the best sentence and its neighbours lack, at most 3.
    moved_numbers = 15;
    /// Names of the evidence that the best sentence and its neighbours lack, at most 3.
    moved_names = 16;
    /// 1 in an item of a list.
    list = 17;
    /// ln(1 + number of the item).
    item = 18;
    /// 1 where the sources are named.
    source = 19;
    /// 1 where something is said to be missing.
    absent = 20;
    /// 1 where the answer takes leave.
    closing = 21;
    /// 1 where it sums up.
    summary = 22;
    /// 1 where it advises.
    advice = 23;
    /// 1 after "such as" and its like.
    example = 24;
    /// 1 where a list is announced.
    intro = 25;
    /// 1 where the wording softens.
    hedge = 26;
    /// 1 after a negation.
    negated = 27;
    /// Novel weight after "such as" and its like.
    example_mass = 28;
    /// ln(1 + sentences before).
    position = 29;
    /// ln(1 + words of the evidence).
    evidence_words = 30;
    /// Share of the content words that only the question or the dialogue holds.
    question = 31;
    /// Share of neighbouring words, of any kind, that stand so in the evidence.
    copied = 32;
    /// ln(1 + longest run of such neighbours).
    copied_run = 33;
    /// Novelty of the sentence before.
    before = 34;
    /// Novelty of the answer before this sentence.
    answer = 35;
    /// Coverage, where the best sentence is negated and this one is not, or the reverse.
    negation = 36;
    /// Novel weight of the last few content words, each counting 0.7 of the next.
    recent = 37;
    /// 1 where the sentence ends with a colon so far.
    colon = 38;
    /// 1 where it speaks to the reader ("you").
    reader = 39;
    /// 1 where it opens with an instruction.
    imperative = 40;
    /// Novelty of the open clause.
    open_novelty = 41;
    /// Coverage of the open clause.
    open_coverage = 42;
    /// Share of the weight that the evidence holds, but not in the best two sentences.
    scattered = 43;
}

/// What the grounding scorer looks at, of a sentence or of its beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features(pub [f64; COUNT]);

impl Default for Features {
    fn default() -> Self {
        Self([0.0; COUNT])
    }
}

impl Features {
    /// The feature of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        NAMES
            .iter()
            .position(|own| *own == name)
            .map(|at| self.0[at])
    }
}
