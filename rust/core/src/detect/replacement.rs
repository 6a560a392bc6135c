//! What is put in the place of a wrong value or name: worded like what it replaces, fitted to the words
//! around it, and nothing where it would not read as the sentence does.

pub(in crate::detect) mod also_said;
pub(in crate::detect) mod amount;
mod behind;
mod coins;
pub(in crate::detect) mod converted;
pub(in crate::detect) mod fit;
pub(in crate::detect) mod fitted_time;
pub(in crate::detect) mod formed;
pub(in crate::detect) mod given;
pub(in crate::detect) mod grammar;
pub(in crate::detect) mod price;
pub(in crate::detect) mod remarked;
mod restated;
pub(in crate::detect) mod scientific;
pub(in crate::detect) mod seam;
pub(in crate::detect) mod sign;
pub(in crate::detect) mod style;
pub(in crate::detect) mod told_value;
pub(in crate::detect) mod wording;
