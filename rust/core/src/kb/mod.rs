//! Facts about entities: an immutable base and a mutable overlay.
//!
//! The base is one flat little-endian buffer, made by [`KbBuilder`] and read in place, so that it
//! can be mapped from a file. [`KnowledgeBase`] lays changes over it; a [`Snapshot`] keeps what it
//! saw while the base goes on changing.

mod ask;
mod base;
mod changes;
mod clock;
mod compare;
mod forms;
mod held;
mod loose;
mod measured;
mod model;
mod moment;
mod namings;
mod noted;
mod overlay;
mod period;
pub(crate) mod pounds;
mod records;
mod rows;
mod site;
mod tables;
mod texts;
mod unit;
mod value;
mod versions;
mod write;

pub use base::Bytes;
pub(crate) use compare::weekday_text;
pub use compare::{Agreement, Said};
pub(crate) use compare::{dialled, loose_year};
pub(crate) use forms::{same_sides, score};
pub(crate) use loose::{Loose, is_free, is_insertable, loose, rated_amount};
pub use loose::{is_placeholder, is_plain_line};
pub(crate) use measured::measured;
pub use model::{Entity, Fact, Qualifier, Record, predicate_key};
pub(crate) use moment::{Moment, moment};
pub(crate) use namings::one_thing;
pub use overlay::{KnowledgeBase, Snapshot};
pub(crate) use period::{is_time, period, prose, tells_time};
pub use records::{ParsedRecord, parse_record, read_attribute};
pub use rows::{Rows, Slot};
pub use tables::{Table, Tables};
pub(crate) use texts::{names_alike, names_differ};
pub use value::{Date, Value, ValueType};
pub use write::{KbBuilder, World};
