//! Whether a name is told apart from the thing that the base has under it: by what stands in
//! brackets behind it ("the Zed Phone (256 GB)") or before it ("the part-time MSc").

use std::ops::Range;

use crate::claims::{
    SentenceView, explains, in_brackets, kind_noun, noun_phrase, numbers_agree, unit_named,
};
use crate::kb::{Snapshot, Value};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{narrowing, regions, stance};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold_name, stem};
use crate::types::{LexFlags, LexKind, Quantity, QuantityKind, Span};

use super::binding::told_of;
use super::bracketed::measures_landmark;
use super::subject::PERSONS;

/// Facts of an entity that are looked through for a number or a place.
const FACTS: usize = 64;

/// Most words of an attribute in brackets.
const KEY: usize = 3;

/// Whether the name at `mention` is followed or led by what makes it another thing than `ids`.
pub(super) fn set_apart(
    view: &SentenceView<'_>,
    subject: Span,
    mention: Span,
    ids: &[u32],
    kb: &Snapshot,
) -> bool {
    let own = Named { view, ids, kb };
    own.behind(mention) || own.measured(mention) || own.ahead(subject, mention)
}

struct Named<'a> {
    view: &'a SentenceView<'a>,
    ids: &'a [u32],
    kb: &'a Snapshot,
}

impl Named<'_> {
    fn told(&self, word: &str) -> bool {
        self.ids.iter().any(|id| told_of(self.kb, *id, word))
    }

    /// Whether the base has the number of the entity.
    fn counted(&self, quantity: &Quantity) -> bool {
        self.ids.iter().any(|id| {
            let facts = self.kb.few_facts(*id, FACTS, &|_| true);
            facts.iter().flatten().any(|fact| match &fact.value {
                Value::Number { value, unit } => {
                    let of = unit.as_deref().and_then(unit_named);
                    numbers_agree(quantity, *value, of) == Some(true)
                }
                Value::Text(text) => {
                    let said = fold_name(self.view.at(quantity.span));
                    fold_name(text).contains(&said)
                }
                _ => false,
            })
        })
    }

    fn person(&self) -> bool {
        self.ids.iter().all(|id| {
            let kind = fold_name(self.kb.kind(*id).unwrap_or(""));
            let name = fold_name(self.kb.name(*id).unwrap_or(""));
            let given = class(name.split(' ').next().unwrap_or("")).has(WordClass::GIVEN_NAME);
            PERSONS
                .iter()
                .any(|person| kind.split(' ').any(|word| word == *person))
                || kind.is_empty() && given && name.contains(' ')
        })
    }

    /// "the Zed Phone (256 GB)", not "the Zed Phone (a mid-range device)".
    fn behind(&self, mention: Span) -> bool {
        let at = self.view.lexemes_in(mention).end;
        let Some(inner) = in_brackets(self.view, at) else {
            return false;
        };
        // "the Orla Tower (320 m)"
        let sized = self.view.quantities.iter().any(|said| {
            self.view.lexemes_in(said.span) == inner && measures_landmark(self.kb, self.ids, said)
        });
        if sized {
            return false;
        }
        // "(the engineer)" of somebody whose work is known may be a namesake.
        let person = self.person();
        let worker = person && self.working() && noun_phrase(self.view, &inner);
        let other = noun_phrase(self.view, &inner) && self.other_kind(&inner);
        if explains(self.view, &inner, self.view.at(mention)) && !worker && !other {
            return false;
        }
        let words: Vec<(usize, String)> = inner
            .clone()
            .filter(|i| self.view.is_term(*i))
            .map(|i| (i, fold_name(self.view.word(i))))
            .filter(|(_, word)| !cue(word).is(Cue::FUNCTION.or(Cue::DETERMINER)))
            .collect();
        let known = words.iter().all(|(i, word)| {
            let span = self.view.lexemes[*i].span;
            let mut all = self.view.quantities.iter();
            let number = all.find(|q| q.span.overlaps(span));
            number.map_or_else(|| self.told(word), |quantity| self.counted(quantity))
        });
        // "(Leeds, England)"
        let within = words.split_first().is_some_and(|((_, first), rest)| {
            self.told(first) && !rest.is_empty() && rest.iter().all(|(_, word)| is_region(word))
        });
        if known || within || self.stands_there(&words) || self.counts(&inner) || self.keyed(&inner)
        {
            return false;
        }
        let described = self.view.word(inner.start).eq_ignore_ascii_case("the");
        !person || described || words.iter().any(|(_, word)| kin(word))
    }

    /// "(5 stars, 68 rooms)": counts of what the base has counted too describe the one that it knows.
    fn counts(&self, inner: &Range<usize>) -> bool {
        let counted = |noun: &str| {
            self.ids.iter().any(|id| {
                let named = |predicate: &str| stem(predicate) == stem(noun);
                let facts = self.kb.few_facts(*id, FACTS, &named);
                let mut facts = facts.iter().flatten();
                facts.any(|fact| matches!(fact.value, Value::Number { .. }))
            })
        };
        let parts = inner.clone().collect::<Vec<_>>();
        parts
            .split(|i| self.view.word(*i) == ",")
            .all(|part| match part {
                [number, noun] => {
                    let span = self.view.lexemes[*number].span;
                    let mut all = self.view.quantities.iter();
                    all.any(|q| q.kind == QuantityKind::Cardinal && q.span.overlaps(span))
                        && counted(&fold_name(self.view.word(*noun)))
                }
                _ => false,
            })
    }

    /// "(height: 90 m, architect Ada Holt)": values of attributes that the base has of it.
    fn keyed(&self, inner: &Range<usize>) -> bool {
        let names = self.view.attributes.predicates();
        let has = |name: &str| {
            self.ids.iter().any(|id| {
                let own = |own: &str| names.same(own, name);
                let facts = self.kb.few_facts(*id, FACTS, &own);
                facts.is_some_and(|facts| !facts.is_empty())
            })
        };
        let parts = inner.clone().collect::<Vec<_>>();
        let mut parts = parts.split(|i| matches!(self.view.word(*i), "," | ";"));
        parts.all(|part| {
            let folded: Vec<String> = part.iter().map(|i| fold_name(self.view.word(*i))).collect();
            let longest = part.len().min(KEY + 1);
            let valued = |i: usize| {
                let number = self.view.kind(i) == Some(LexKind::Number);
                let capital = self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
                number || !self.view.is_term(i) || capital
            };
            (1..longest).any(|to| valued(part[to]) && has(&folded[..to].join("_")))
        })
    }

    /// "Bolt (the film)", where the base has a company.
    fn other_kind(&self, inner: &Range<usize>) -> bool {
        let kinds = [
            NameCue::IS_PERSON,
            NameCue::IS_ORG,
            NameCue::IS_PLACE,
            NameCue::IS_WORK,
            NameCue::IS_PRODUCT,
        ];
        let of = |word: &str| kinds.map(|kind| name_cue(word).is(kind));
        let words = inner.clone().map(|i| self.view.word(i).to_lowercase());
        let Some(said) = words
            .map(|word| of(&word))
            .find(|said| said.contains(&true))
        else {
            return false;
        };
        self.ids.iter().all(|id| {
            let kind = fold_name(self.kb.kind(*id).unwrap_or(""));
            let own = of(kind.split(' ').next_back().unwrap_or(""));
            own.contains(&true) && !own.iter().zip(said).any(|(own, said)| *own && said)
        })
    }

    /// "The Zed Phone, 256 GB, costs": a measure between commas or dashes, which the base lacks.
    fn measured(&self, mention: Span) -> bool {
        let view = self.view;
        let mark = |i: usize| matches!(view.word(i), "," | "–" | "—");
        let at = view.lexemes_in(mention).end;
        if at + 2 >= view.lexemes.len() || !mark(at) {
            return false;
        }
        let first = view.lexemes[at + 1].span;
        let mut all = view.quantities.iter();
        let said = all.find(|q| q.span.start == first.start && q.kind == QuantityKind::Measure);
        said.is_some_and(|said| {
            let end = view.lexemes_in(said.span).end;
            end < view.lexemes.len() && mark(end) && !self.counted(said)
        })
    }

    /// Whether the base says what a person does.
    fn working(&self) -> bool {
        self.ids.iter().any(|id| {
            let facts = self.kb.few_facts(*id, FACTS, &|name| {
                matches!(
                    name,
                    "title" | "role" | "job_title" | "occupation" | "profession" | "job"
                )
            });
            facts.is_some_and(|facts| !facts.is_empty())
        })
    }

    /// "Rowan House (Leeds)": where a house stands, of which the base has nothing.
    fn stands_there(&self, words: &[(usize, String)]) -> bool {
        let [(_, place)] = words else { return false };
        let site = |text: &str| {
            let folded = fold_name(text);
            folded.split(' ').any(|word| narrowing().has("site", word))
        };
        let housed = self.ids.iter().all(|id| {
            let named = self.kb.name(*id).is_some_and(site) || self.kb.kind(*id).is_some_and(site);
            named && !has_place(self.kb, *id)
        });
        housed && class(place).has(WordClass::CITY)
    }

    /// "the part-time MSc", "the 256 GB Zed Phone", not "the popular Zed Phone".
    fn ahead(&self, subject: Span, mention: Span) -> bool {
        let view = self.view;
        let to = view.lexemes_in(mention).start;
        let from = view.lexemes_in(subject).start;
        let folded = |i: usize| fold_name(view.word(i));
        // "Many think Vantor was": of another clause.
        let verb = |i: usize| view.clauses().iter().any(|c| c.group.contains(&i));
        let belief =
            |i: usize| stance().has("belief", &folded(i)) || stance().has("saying", &folded(i));
        let first = (from..to)
            .rev()
            .take_while(|i| !verb(*i) && !belief(*i))
            .take_while(|i| view.is_term(*i) || matches!(view.word(*i), "-" | "," | "–"))
            .last();
        let Some(first) = first.filter(|_| !self.person()) else {
            return false;
        };
        // "the spreadsheet tool GridView Pro": the name stands behind what it is.
        let last = view.word(to - 1).to_lowercase();
        let titled = class(&last).any(WordClass::TITLE.with(WordClass::NAME_HEAD));
        if kind_noun(&last) || titled || self.told(&last) {
            return false;
        }
        (first..to).filter(|i| view.is_term(*i)).any(|i| {
            let lexeme = &view.lexemes[i];
            let (word, written) = (folded(i), view.word(i).to_lowercase());
            let number = (view.quantities.iter())
                .find(|q| q.span.overlaps(lexeme.span) && q.kind != QuantityKind::Ordinal);
            if let Some(quantity) = number {
                return quantity.unit.is_some() && !self.counted(quantity);
            }
            let opens = lexeme.flags.has(LexFlags::SENTENCE_START);
            let capital = lexeme.flags.has(LexFlags::CAPITALIZED) && !opens;
            let closed = Cue::DETERMINER
                .or(Cue::FUNCTION)
                .or(Cue::POSSESSIVE)
                .or(Cue::ADVERB)
                .or(Cue::CONJUNCTION)
                .or(Cue::PREPOSITION);
            let tail = written.rsplit_once('-').map(|(_, tail)| tail);
            // "the women's Cup", "the under-21 Cup"
            let of_some = narrowing().has("of_whom", &written) || written.starts_with("under-");
            let light = capital
                || lexeme.kind != LexKind::Word
                || cue(&written).is(closed)
                || written.ends_with("'s")
                || written.ends_with("’s")
                || ["epithet", "light"]
                    .iter()
                    .any(|class| narrowing().has(class, &written))
                || tail.is_some_and(|tail| narrowing().has("epithet_tail", tail))
                || kind_noun(&word)
                || self.told(&word);
            of_some || !light
        })
    }
}

/// "(senior)", "(her father)".
fn kin(word: &str) -> bool {
    let kin = NameCue::KIN.or(NameCue::KIN_FEMALE).or(NameCue::KIN_MALE);
    name_cue(word).is(kin) || matches!(word, "senior" | "junior" | "elder" | "younger" | "relation")
}

/// Whether the base says where the entity is.
fn has_place(kb: &Snapshot, id: u32) -> bool {
    let facts = kb.few_facts(id, FACTS, &|_| true).unwrap_or_default();
    facts.iter().any(|fact| {
        let (Value::Text(text) | Value::Entity(text) | Value::Enum(text)) = &fact.value else {
            return false;
        };
        let folded = fold_name(text);
        folded
            .split(' ')
            .any(|word| class(word).has(WordClass::CITY) || is_region(word))
    })
}

fn is_region(word: &str) -> bool {
    class(word).has(WordClass::COUNTRY)
        || regions().has("region", word)
        || regions().has("country", word)
}
