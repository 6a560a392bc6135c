//! What a closed sentence asserts.
//!
//! [`extract`] reads a closed sentence with the scanners' results as claims. The content words
//! and the comparison of numbers are here too, since evidence is indexed by them.

mod acts;
mod attribute;
mod bounds;
mod brackets;
mod citations;
mod clauses;
mod content;
mod contraction;
mod days;
mod denial;
mod difference;
mod discourse;
mod extract;
mod folded;
mod forms;
mod hedges;
mod kinds;
mod links;
mod members;
mod modality;
mod names;
mod numbers;
mod parse;
mod partial;
mod preface;
mod proposition;
mod reader;
mod references;
mod runs;
mod scale;
mod share;
mod shouted;
mod stance;
mod temporal;
mod topic;
mod value_of;
mod view;

pub use attribute::{AttributeNoun, Modifiers, ValueKind, year_at};
pub use bounds::{Bounds, amounts_agree, bounds};
pub use brackets::{
    explains, explanations, in_brackets, kind_noun, noun_phrase, told_apart, value_narrowed,
};
pub use citations::citations;
pub use clauses::{Clause, Tense, clauses};
pub use content::{Content, ContentWord, word_hash};
pub(crate) use content::{content_word, named_word};
pub use contraction::uncontracted;
pub use days::{Days, days};
pub(crate) use denial::{denied_words, may_deny, said_words};
pub use difference::{Difference, Reached, has_own_unit, reached, tells_difference};
pub use discourse::Discourse;
pub use extract::extract;
pub use forms::base_form;
pub use kinds::{Kinds, NoKinds, kind_named};
pub use links::{shown_text, told_numbers, without_links};
pub use members::{attribute_of_key, member_claims, named_by, whole};
pub use modality::{hedge_strength, modality};
pub use names::{Name, names};
pub(crate) use numbers::ABOUT_YEARS;
pub use numbers::{
    Led, QuantityContext, Turn, decade_holds, numbers_agree, quantity_context, rounded_to,
    unit_named,
};
pub use partial::{denies_every, denies_part};
pub use preface::as_told;
pub use proposition::{Frequency, Proposition, Quantifier, Value, propositions};
pub use reader::{Reader, Reading, Reference, Shape};
pub(crate) use runs::Runs;
pub use scale::{labelled_scale, scale_of};
pub(crate) use share::{is_share, percent_of_ratio, says_share};
pub use stance::{attributed, unasserted};
pub use temporal::{Temporal, TimeRelation, TimeTarget, temporals};
pub use topic::topic;
pub use value_of::said_to_be;
pub use view::{Attributes, Folded, ReadCache, SentenceView, words_of};
