//! Base forms of verbs.

use crate::lexicon::tables::bases;

use super::view::Folded;

/// The base form of a folded verb form: the lexicon's, else the regular one the table of events
/// has, else the form itself.
#[must_use]
pub fn base_form(folded: &Folded, at: usize) -> String {
    if let Some(base) = folded.known(at).verb {
        return base.to_owned();
    }
    let form = folded.get(at);
    let staged = bases(form).find(|base| folded.lexicon().stage(base).is_some());
    staged.unwrap_or_else(|| regular(form))
}

/// The form without a regular ending of the past.
fn regular(form: &str) -> String {
    form.strip_suffix("ied")
        .map(|stem| format!("{stem}y"))
        .or_else(|| form.strip_suffix("ed").map(str::to_owned))
        .or_else(|| {
            form.strip_suffix("ing")
                .filter(|stem| stem.len() > 2)
                .map(str::to_owned)
        })
        .unwrap_or_else(|| form.to_owned())
}
