//! Whether what is said of an attribute is a value of the same kind as the base's text, or a remark on
//! it, a price, a comparison: "the breakfast is excellent" is beside "buffet", not against it.
//!
//! Of an attribute without rules of its own, another text is another value only where the two are of
//! one kind: words that exclude each other, opposites, two names, two measures of one dimension.

use crate::claims::SentenceView;
use crate::kb::{Fact, Value, dialled, is_free, period, tells_time, weekday_text};
use crate::lexicon::antonyms::antonyms;
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::persons::persons;
use crate::lexicon::predicates::{Predicates, predicates};
use crate::lexicon::tables::{frames, kinds, likeness, roles};
use crate::lexicon::units::unit;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::segment::{self, clocks};
use crate::types::{LexKind, NameType, Quantity, QuantityKind, Span};

/// How what is said stands to a value, going by kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Of one kind, and one excludes the other.
    Excluded,
    /// It may be of another kind.
    Beside,
    /// These rules are not for it.
    Unruled,
}

/// Words of a phrase that are compared: folded, without determiners.
struct Phrase {
    words: Vec<String>,
    written: Vec<String>,
    /// Whether "the" stood before them.
    definite: bool,
    /// Whether more followed, behind a preposition.
    cut: bool,
}

impl Phrase {
    /// Up to the first preposition but "of".
    fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut own = Self {
            words: Vec::new(),
            written: Vec::new(),
            definite: false,
            cut: false,
        };
        let mut words = words.peekable();
        while let Some(written) = words.next() {
            let bare = written.trim_matches(|c: char| !c.is_alphanumeric() && c != '%');
            let word = folded(bare);
            if word.is_empty() {
                continue;
            }
            let given = is_given(bare, words.peek().copied().unwrap_or(""));
            if cue(&word).is(Cue::PREPOSITION) && word != "of" && !given {
                own.cut = true;
                break;
            }
            if own.words.is_empty() && cue(&word).is(Cue::DETERMINER.or(Cue::POSSESSIVE)) {
                own.definite |= word == "the";
                continue;
            }
            own.written.push(bare.to_owned());
            own.words.push(word);
        }
        own
    }

    /// Whether it is written as a name is, and is no post, nationality or word in capitals alone.
    fn is_name(&self) -> bool {
        let small = |word: &str| cue(word).is(Cue::PREPOSITION.or(Cue::FUNCTION));
        // "ARM-based" is no name, "iOS" is.
        let capital = |word: &str| {
            let tail = word.rsplit_once('-').map_or("", |(_, tail)| tail);
            let describes = tail.len() > 2 && !tail.contains(char::is_uppercase);
            !describes && word.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
        };
        let mut pairs = self.words.iter().zip(&self.written);
        if !pairs.all(|(word, written)| capital(written) || small(word)) {
            return false;
        }
        if !self.written.iter().any(|w| w.contains(char::is_uppercase)) {
            return false;
        }
        let post = |word: &String| kinds().has("post", word) || persons().is_chief(word);
        let origin = |word: &String| class(word).has(WordClass::DEMONYM);
        let [word] = self.words.as_slice() else {
            return !self.words.iter().take(2).any(post);
        };
        // "is FREE", "the Board"
        let loud = self.written[0].chars().all(char::is_uppercase) && self.written[0].len() > 1;
        let common = class(word).has(WordClass::COMMON) && !(loud && frames().has("acronym", word));
        !(post(word) || origin(word) || common && (loud || self.definite))
    }

    /// A full name that begins with a given one.
    fn is_person(&self) -> bool {
        self.words.len() > 1 && class(&self.words[0]).has(WordClass::GIVEN_NAME)
    }

    /// Whether all of it may be a person's name, as far as word lists tell.
    fn may_be_person(&self) -> bool {
        let head = |word: &String| class(word).has(WordClass::NAME_HEAD);
        let listed = |word: &String| class(word).has(WordClass::COMMON);
        let letters = |word: &String| {
            word.chars()
                .all(|c| c.is_alphabetic() || "-.'’".contains(c))
        };
        self.is_person()
            || !self.definite
                && self.words.iter().all(|word| letters(word) && !head(word))
                && !self.words.iter().all(listed)
    }
}

/// Whether "Per" begins a name ("Per Lund") and is no preposition.
pub(super) fn is_given(word: &str, next: &str) -> bool {
    word == "Per" && next.starts_with(char::is_uppercase)
}

/// How the words at `said` stand to the fact.
pub(super) fn likeness_of(
    view: &SentenceView<'_>,
    names: &Predicates,
    fact: &Fact,
    said: Span,
) -> Likeness {
    let (Value::Text(own) | Value::Enum(own) | Value::Entity(own)) = &fact.value else {
        return Likeness::Unruled;
    };
    let range = view.lexemes_in(said);
    let words = range
        .clone()
        .filter(|i| view.lexemes[*i].kind != LexKind::Punct)
        .map(|i| view.word(i));
    let told = Phrase::of(words);
    let held = Phrase::of(own.split(|c: char| c.is_whitespace() || c == ',' || c == '/'));
    let amounts: Vec<&Quantity> = view
        .quantities
        .iter()
        .filter(|q| said.overlaps(q.span))
        .collect();
    if compares(&told, amounts.is_empty()) || of_a_part(view, said, own) {
        return Likeness::Beside;
    }
    let excluded = || {
        let apart = || plain(&told) && exclusive(&told, &held) || stages_differ(&told, &held);
        !told.cut && closed(view, said) && apart()
    };
    let own_amounts: Vec<Quantity> = segment::quantities(own)
        .into_iter()
        .filter(measured)
        .collect();
    let typed = ruled(names, &fact.predicate) || of_its_own(own);
    if !own_amounts.is_empty() && !of_its_own(own) {
        let free = own_amounts.iter().any(|q| q.kind == QuantityKind::Money)
            && is_free(view.at(said))
            && closed(view, said);
        let like = own_amounts
            .iter()
            .any(|own| amounts.iter().any(|said| same_dimension(own, said)));
        let bare = own_amounts.iter().any(|q| q.kind == QuantityKind::Money)
            && amounts.iter().any(|q| plain_number(view, q));
        return if free || like || bare {
            Likeness::Unruled
        } else if excluded() {
            Likeness::Excluded
        } else {
            Likeness::Beside
        };
    }
    if typed {
        return Likeness::Unruled;
    }
    if amounts.iter().any(|q| q.kind == QuantityKind::Money) {
        let free = is_free(own) || likeness().has("free", &fold_name(own));
        return if free {
            Likeness::Unruled
        } else {
            Likeness::Beside
        };
    }
    if excluded() {
        return Likeness::Excluded;
    }
    let counted = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    if amounts.iter().any(|q| q.kind != QuantityKind::Ordinal) && counted(own) {
        return Likeness::Unruled;
    }
    if both_names(view, said, &told, &held) {
        return Likeness::Excluded;
    }
    Likeness::Beside
}

/// Whether the attribute has rules of its own, or its words are the user's.
fn ruled(names: &Predicates, predicate: &str) -> bool {
    let listed = |name: &str| likeness().has("typed", name);
    let shipped = |name: &str| predicates().named(name).is_some();
    let known = names.named(predicate);
    listed(predicate) || known.is_some_and(|own| listed(&own.name) || !shipped(&own.name))
}

/// A day, a time, a number to dial, an address: what is read by itself.
fn of_its_own(own: &str) -> bool {
    weekday_text(own).is_some()
        || !clocks(own).is_empty()
        || period(own).is_some()
        || tells_time(own)
        || dialled(own).is_some()
        || own.contains('@')
        || own.contains("://")
}

fn measured(quantity: &Quantity) -> bool {
    matches!(quantity.kind, QuantityKind::Money | QuantityKind::Measure) && quantity.unit.is_some()
}

fn same_dimension(own: &Quantity, said: &Quantity) -> bool {
    let of = |q: &Quantity| q.unit.map(|id| unit(id).dimension);
    of(own).is_some() && of(own) == of(said)
}

/// "costs 20": digits without a unit.
fn plain_number(view: &SentenceView<'_>, quantity: &Quantity) -> bool {
    quantity.unit.is_none()
        && matches!(quantity.kind, QuantityKind::Cardinal | QuantityKind::Year)
        && view
            .at(quantity.span)
            .starts_with(|c: char| c.is_ascii_digit())
}

/// "the same as last year's", "less than its rivals"; "less than €15" tells an amount.
fn compares(told: &Phrase, plain: bool) -> bool {
    let first = told.words.first().map_or("", String::as_str);
    let same = told.definite && first == "same" || first == "similar" || first == "identical";
    let amount = !plain && matches!(first, "more" | "less" | "fewer" | "no" | "not" | "rather");
    same || !amount && told.words.iter().any(|word| word == "than")
}

/// "One year on the battery" of "2 yrs limited", "two adults and a child" of "3 people".
fn of_a_part(view: &SentenceView<'_>, said: Span, own: &str) -> bool {
    let [quantity] = segment::quantities(own)[..] else {
        return false;
    };
    let worded = quantity.span.start == 0 && own[quantity.span.end..].contains(char::is_alphabetic);
    let next = view.lexemes_in(said).end;
    let word = view.lexemes.get(next).map(|l| folded(view.at(l.span)));
    let word = word.unwrap_or_default();
    worded
        && match quantity.kind {
            QuantityKind::Measure => cue(&word).is(Cue::PREPOSITION) && word != "per",
            QuantityKind::Cardinal => matches!(word.as_str(), "and" | "plus" | "or" | "with"),
            _ => false,
        }
}

/// Whether nothing that could narrow it stands behind what is said.
fn closed(view: &SentenceView<'_>, said: Span) -> bool {
    let next = view.lexemes_in(said).end;
    let before = view.lexemes_in(said).start.checked_sub(1);
    let led = before.is_none_or(|i| {
        let word = folded(view.word(i));
        !cue(&word).is(Cue::ADVERB) || likeness().has("amid", &word)
    });
    let ends = view.lexemes.get(next).is_none_or(|lexeme| {
        let word = folded(view.at(lexeme.span));
        lexeme.kind == LexKind::Punct && !matches!(view.at(lexeme.span), "-" | "/" | "(")
            || matches!(word.as_str(), "and" | "but" | "while")
    });
    led && ends
}

/// Whether nothing stands before the head but words that leave it as it is: "very quiet", "disc
/// brakes", not "sometimes noisy", "harder than".
fn plain(told: &Phrase) -> bool {
    told.words.len() <= 3
        && told.words.iter().all(|word| {
            !cue(word).is(Cue::ADVERB.or(Cue::CONJUNCTION).or(Cue::PREPOSITION))
                || likeness().has("amid", word)
                || !groups(word).is_empty()
        })
}

/// The groups of a folded word, and which of their kinds it is.
fn groups(word: &str) -> Vec<(&'static str, &'static str)> {
    let classes: Vec<&str> = likeness().classes(word).collect();
    let each = classes
        .iter()
        .filter_map(|class| class.strip_prefix("each_"));
    each.map(|group| {
        let kind = classes.iter().find_map(|class| {
            let (own, kind) = class.split_once('_')?;
            (own == group).then_some(kind)
        });
        let listed = likeness().listed(&format!("each_{group}"));
        let word = listed
            .iter()
            .find(|own| **own == word)
            .copied()
            .unwrap_or("");
        (group, kind.unwrap_or(word))
    })
    .collect()
}

/// Whether a word of one excludes one of the other, and none is of the same kind.
fn exclusive(told: &Phrase, held: &Phrase) -> bool {
    let said: Vec<_> = told.words.iter().flat_map(|word| groups(word)).collect();
    let own: Vec<_> = held.words.iter().flat_map(|word| groups(word)).collect();
    let of = |all: &[(&str, &str)], group: &str, kind: &str| {
        all.iter().any(|(other, of)| *other == group && *of == kind)
    };
    let apart = said.iter().any(|(group, _)| {
        let both = own.iter().any(|(other, _)| other == group);
        let mut kinds = said.iter().filter(|(other, _)| other == group);
        both && kinds.all(|(group, kind)| !of(&own, group, kind))
    });
    let [word] = told
        .words
        .iter()
        .filter(|word| !likeness().has("amid", word))
        .collect::<Vec<_>>()[..]
    else {
        return apart || shades_differ(told, held);
    };
    let opposed = |a: &str, b: &str| {
        antonyms()
            .iter()
            .any(|(one, two)| *one == a && *two == b || *one == b && *two == a)
    };
    let apart = apart || shades_differ(told, held) || stages_differ(told, held);
    let origin = |word: &str| class(word).has(WordClass::DEMONYM);
    let foreign = matches!(held.words.as_slice(), [own] if origin(own) && origin(word));
    apart || foreign || held.words.len() == 1 && opposed(word, &held.words[0])
}

/// Two colours that are no neighbours.
fn shades_differ(told: &Phrase, held: &Phrase) -> bool {
    let of = |phrase: &Phrase| -> Vec<&str> {
        let words = phrase.words.iter();
        words
            .flat_map(|word| kinds().classes(word))
            .filter(|class| class.starts_with("colour_"))
            .collect()
    };
    let (said, own) = (of(told), of(held));
    !said.is_empty() && !own.is_empty() && !said.iter().any(|colour| own.contains(colour))
}

/// How far an order or a project has come, where both tell it of the same.
fn stages_differ(told: &Phrase, held: &Phrase) -> bool {
    let stage = |phrase: &Phrase| roles().of("stage_", &phrase.words.join(" "));
    let order = |stage: &str| stage.parse::<u8>().is_ok();
    stage(told).zip(stage(held)).is_some_and(|(said, own)| {
        let off = said == "off" || own == "off";
        said != own && (off || order(said) == order(own))
    })
}

/// Whether both are names, and not one a person's and the other a company's.
fn both_names(view: &SentenceView<'_>, said: Span, told: &Phrase, held: &Phrase) -> bool {
    if !told.is_name() || !held.is_name() {
        return false;
    }
    let body = || {
        let found = crate::claims::names(view);
        let kind = found
            .iter()
            .find(|name| name.span.overlaps(said))
            .map_or(NameType::Unknown, |name| name.kind);
        matches!(
            kind,
            NameType::Organization | NameType::Place | NameType::Event
        )
    };
    if held.is_person() && !told.is_person() {
        return told.words.len() > 1 && told.may_be_person() && !body();
    }
    let single = held.words.len() == 1;
    let given = || class(&held.words[0]).has(WordClass::GIVEN_NAME);
    !told.is_person() || held.may_be_person() && (!single || given())
}

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word, &mut out);
    out
}
