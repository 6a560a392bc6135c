//! The detectors, one file each: pure functions from what is known to drafts of findings.
//!
//! A draft has everything but its id, score, risk and tier. Its `p_hallucinated` is the
//! detector's own, set by hand: judged by what tier it should lead to and, for some, checked
//! against labelled sets with few cases of a kind. None is fitted and none is a calibrated
//! probability. `extra.absence` tells findings
//! that only say that something is missing from those that contradict.

mod altered_detail;
mod apart;
mod appeal;
mod based;
mod binding;
mod budget;
mod case;
mod circumstance;
mod clash;
mod confidence;
mod contradiction;
mod contradicts_evidence;
mod contradicts_fact;
mod contradicts_prior;
mod copula;
mod currency;
mod descriptive;
mod disputed;
mod draft;
mod fabricated_fact;
mod given_name;
mod goalpost;
mod grounds;
mod hours;
mod how_often;
mod impossible;
mod kb_conflict;
mod known_parts;
mod likeness;
mod logical_inconsistency;
mod magnitude;
mod mirrored;
mod naming;
mod narrowed;
mod nonexistent_entity;
mod notated;
mod number;
mod object;
mod occasion;
mod own_figure;
mod pattern;
mod period;
mod place;
mod qualified;
mod quantity_conflict;
mod rated;
mod ratio;
mod reckoned;
mod registry;
mod remark;
mod replacement;
mod reread;
mod restated;
mod row;
mod schedule;
mod scope;
mod set_apart;
mod sides;
mod sourced;
mod specificity_drift;
mod spoken;
mod standing;
mod subject;
mod support;
mod supposed;
mod swapped;
mod telling;
mod temporal_error;
mod tried;
mod unknown_entity;
mod unsupported_claim;
mod variant;
mod verdict;
mod vouched;
mod words_at;
mod wrong_attribute;
mod yes_no;

pub use altered_detail::{DETAIL_THRESHOLD, altered_detail};
pub use appeal::{appeals, resumes};
pub use budget::budget_finding;
pub use confidence::low_confidence;
pub use contradiction::{Contradiction, ContradictionType, contradiction};
pub use contradicts_evidence::contradicts_evidence;
pub use contradicts_prior::{HistoryBars, contradicts_prior};
pub use disputed::sources_disagree;
pub use draft::{Absence, TOPIC, draft, note_named, note_topic};
pub use fabricated_fact::{fabricated_fact, fabrication_confidence};
pub use given_name::unknown_given_name;
pub use goalpost::{Told, moved};
pub use grounds::Grounds;
pub use impossible::beyond_limits;
pub use kb_conflict::sentence_conflicts;
pub use logical_inconsistency::{Propositions, logical_inconsistencies};
pub use magnitude::in_magnitude;
pub use nonexistent_entity::{nonexistence_confidence, nonexistent_entity};
pub use number::{FOLLOWS, Numbered, note_reckoned, unsupported_date, unsupported_number};
pub use own_figure::of_the_user;
pub use pattern::rule_finding;
pub use quantity_conflict::quantity_conflicts;
pub use registry::{Registry, TypeInfo};
pub use replacement::fit::fit;
pub use row::{GivenTable, RowClaim, RowText, SaidOfRows, row_carries, row_conflicts};
pub use schedule::{Scheduled, schedules};
pub use sides::Sided;
pub use sourced::{exemplifies, is_sourced, told_source};
pub use specificity_drift::{Specifics, specificity_drift};
pub use spoken::{closing_words, greets, hailed, is_joint, may_be_addressed, signed};
pub use standing::{based, in_evidence, standing};
pub use subject::subject_entities;
pub use support::{
    FIRST_WORDS, Grounding, SUPPORT_THRESHOLD, WORD_SUPPORT_THRESHOLD, unsupported_sentence,
    unsupported_span,
};
pub use supposed::{may_be_supposed, supposed};
pub use temporal_error::{TimeView, Timeline, subject_keys, temporal_errors};
pub use unknown_entity::unknown_entity;
pub use unsupported_claim::unsupported_claim;
pub use variant::{of_a_belonging, of_several, offered_besides, with_added};
pub use verdict::verdict_finding;
pub use vouched::{Vouched, vouched};
