//! Numbers written in words.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::units::{Role, number_word};

/// A whole number below one hundred in words ("thirty-one"), where the language has words for it.
#[must_use]
pub fn spelled(value: f64) -> Option<String> {
    static WORDS: OnceLock<FxHashMap<u32, &'static str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let firsts = table!("numbers.tsv").lines();
        let firsts = firsts.filter_map(|line| line.split(['\t', ' ']).next());
        let number = |word: &'static str| {
            let own = number_word(word);
            let counts = matches!(own.role, Role::Ones | Role::Ten);
            counts.then(|| (whole(own.value), word))
        };
        firsts.filter_map(number).collect()
    });
    if value.fract() != 0.0 || !(0.0..100.0).contains(&value) {
        return None;
    }
    let value = whole(value);
    if let Some(word) = words.get(&value) {
        return Some((*word).to_owned());
    }
    let ones = value % 10;
    Some(format!(
        "{}-{}",
        words.get(&(value - ones))?,
        words.get(&ones)?
    ))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(value: f64) -> u32 {
    value as u32
}
