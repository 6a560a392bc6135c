//! Words, numbers, dates, sentences and regions as they close.
