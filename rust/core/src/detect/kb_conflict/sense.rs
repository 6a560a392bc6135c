//! Whether a verb or a name speaks of the attribute at all, or of something else that is told by the
//! same words: "attended the meeting" is no schooling, "joined the chess club" dates no employment,
//! "reported the bug to Ana" names no manager, "serves as treasurer of the club" is no job.

use std::ops::Range;

use crate::claims::{Clause, Folded, SentenceView, base_form};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{Table, stance};
use crate::normal::fold_name;
use crate::types::{Claim, LexFlags, LexKind, Resolution, Span};

use super::work::other_work;
use crate::detect::clash::{VALUES, paid};
use crate::detect::telling::{is_post, is_somebody};

/// Words between an article and the noun it begins ("a senior managing director").
const MODIFIERS: usize = 3;
/// Words behind a role's preposition among which the body stands that it is a role in.
const BODY: usize = 6;

/// A claim, the verb it is said with, and the fact.
struct Sense<'a> {
    view: &'a SentenceView<'a>,
    folded: &'a Folded<'a>,
    kb: &'a Snapshot,
    id: u32,
    fact: &'a Fact,
    object: Span,
    clause: &'a Clause,
    verb: String,
}

/// Whether the claim is no claim about the fact's attribute, going by its verb and what stands
/// between the verb and the value.
pub(super) fn other_sense(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    (kb, id): (&Snapshot, u32),
    fact: &Fact,
) -> bool {
    let Some(object) = claim.object_span else {
        return false;
    };
    if is_somebody(view.attributes.predicates(), fact)
        && (one_of_them(view, folded, claim) || described(view, folded, object))
    {
        return true;
    }
    if other_work(view, folded, object, (kb, id)) {
        return true;
    }
    let at = view.lexemes_in(object).start;
    let clauses = view.clauses();
    let Some(clause) = clauses
        .iter()
        .find(|clause| clause.range.contains(&at) && clause.group.end <= at)
    else {
        return false;
    };
    let Some(verb) = clause.verb.map(|verb| base_form(folded, verb)) else {
        return false;
    };
    let own = Sense {
        view,
        folded,
        kb,
        id,
        fact,
        object,
        clause,
        verb,
    };
    own.no_school()
        || own.joined_other()
        || own.done_to_other()
        || own.role_elsewhere()
        || own.no_employer()
        || own.one_of_several()
}

/// "a director of X", "another founder of X": there are more of them than the base may have.
fn one_of_them(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let Some(predicate) = claim.predicate.as_deref() else {
        return false;
    };
    let noun = predicate.rsplit('_').next().unwrap_or(predicate);
    let begins = |i: usize| {
        let words = (i.saturating_sub(MODIFIERS)..i).rev();
        let mut words = words.take_while(|i| view.kind(*i) == Some(LexKind::Word));
        words
            .find(|i| folded.cue(*i).is(Cue::DETERMINER.or(Cue::PREPOSITION)))
            .is_some_and(|i| matches!(folded.get(i), "a" | "an" | "another"))
    };
    (1..folded.len()).any(|i| folded.get(i) == noun && folded.get(i + 1) == "of" && begins(i))
}

/// "Acme's CEO", "its chairman", "the CEO": somebody by a post, whoever that is.
fn by_post(view: &SentenceView<'_>, folded: &Folded<'_>, range: &Range<usize>) -> bool {
    let owner = |i: usize| {
        let word = view.word(i);
        let genitive = ["'s", "’s", "s'", "s’"];
        folded.cue(i).is(Cue::POSSESSIVE.or(Cue::DETERMINER))
            || genitive.iter().any(|end| word.ends_with(end))
            || word == "s"
    };
    let Some(last) = range.clone().rev().find(|i| owner(*i)) else {
        return false;
    };
    let post = last + 1..range.end;
    let names = view.attributes.predicates();
    let noun: Vec<&str> = post.map(|i| folded.get(i)).collect();
    !noun.is_empty() && is_post(names, &noun.join("_"))
}

/// "is a friend of Ole Hansen", "is like Ole Hansen": who it is in regard to somebody else, and no name.
fn described(view: &SentenceView<'_>, folded: &Folded<'_>, object: Span) -> bool {
    let range = view.lexemes_in(object);
    let like = |i: usize| matches!(folded.get(i), "like" | "unlike");
    if like(range.start) || range.start.checked_sub(1).is_some_and(like) {
        return true;
    }
    if by_post(view, folded, &range) {
        return true;
    }
    let article = Cue::DETERMINER.or(Cue::POSSESSIVE);
    let name = (range.clone())
        .find(|i| view.lexemes[*i].flags.has(LexFlags::CAPITALIZED))
        .unwrap_or(range.end);
    let relation = |i: usize| {
        i > range.start + 1
            && i < name
            && matches!(folded.get(i), "of" | "to" | "from" | "at" | "in")
    };
    range.start + 1 < name
        && folded.cue(range.start).is(article)
        && (range.start..name).any(relation)
}

impl Sense<'_> {
    fn text(&self, i: usize) -> &str {
        self.folded.get(i)
    }

    fn words() -> &'static Table {
        stance()
    }

    fn has(&self, class: &str, i: usize) -> bool {
        Self::words().has(class, self.text(i))
    }

    fn is(&self, i: usize, class: Cue) -> bool {
        self.folded.cue(i).is(class)
    }

    fn capital(&self, i: usize) -> bool {
        self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
    }

    fn of(&self, attribute: &str) -> bool {
        let names = self.view.attributes.predicates();
        names.same(attribute, &self.fact.predicate)
    }

    /// What the base has of the thing under an attribute, folded.
    fn known(&self, attribute: &str) -> Vec<String> {
        let names = self.view.attributes.predicates();
        let facts = self
            .kb
            .few_facts(self.id, VALUES, &|name| names.same(name, attribute));
        let text = |fact: &Fact| match &fact.value {
            Value::Entity(reference) => {
                let named = self.kb.resolve(reference).first().copied();
                fold_name(named.and_then(|id| self.kb.name(id)).unwrap_or(reference))
            }
            value => fold_name(&value.to_string()),
        };
        facts.unwrap_or_default().iter().map(text).collect()
    }

    /// Whether the words are the body that the person works in: by its name, or as "the company".
    fn own_body(&self, words: Range<usize>) -> bool {
        if words.clone().any(|i| self.has("own_body", i)) {
            return true;
        }
        let (Some(first), Some(last)) = (words.clone().next(), words.last()) else {
            return false;
        };
        let lexemes = &self.view.lexemes;
        let span = Span::new(lexemes[first].span.start, lexemes[last].span.end);
        let said = fold_name(self.view.at(span));
        let said = said.strip_prefix("the ").unwrap_or(&said);
        let same = |own: &String| {
            let own = own.strip_prefix("the ").unwrap_or(own);
            !own.is_empty() && (said.contains(own) || own.contains(said))
        };
        self.known("employer").iter().any(same) || self.known("department").iter().any(same)
    }

    /// "attended the meeting", "studied at home", "studied at MIT" where the base has a degree.
    fn no_school(&self) -> bool {
        if !self.of("education") || self.of("degree") && !self.of("university") {
            return false;
        }
        let (Value::Text(own) | Value::Enum(own) | Value::Entity(own)) = &self.fact.value else {
            return false;
        };
        let range = self.view.lexemes_in(self.object);
        let listed = |class: &str| range.clone().any(|i| self.has(class, i));
        let folded = fold_name(own);
        let held = |class: &str| folded.split(' ').any(|word| Self::words().has(class, word));
        let place = |text: &str| text.split([',', '(']).count() > 1 || text.contains(" at ");
        let degree_only = held("degree") && !held("institution") && !place(own);
        let open = range.start < range.end
            && (self.is(range.start, Cue::DETERMINER.or(Cue::POSSESSIVE))
                && !listed("institution")
                || matches!(self.text(range.start), "a" | "an"));
        degree_only && !listed("degree")
            || listed("gathering") && !listed("institution")
            || open
            || !range.clone().any(|i| self.capital(i))
    }

    /// "joined the chess club in 2018": a date of the club, unless it is where the person works.
    fn joined_other(&self) -> bool {
        if !self.of("joined") || !matches!(self.verb.as_str(), "join" | "hire") {
            return false;
        }
        // "was joined by Tarn Ekholm in 2015"
        let verb = self.clause.verb.unwrap_or(0);
        if self.clause.copula && self.text(verb + 1) == "by" {
            return true;
        }
        let to = self.view.lexemes_in(self.object).start;
        let Some(thing) = self.direct(to) else {
            return false;
        };
        let company = |i: usize| {
            let span = self.view.lexemes[i].span;
            self.view.mentions.iter().any(|mention| {
                matches!(&mention.resolution, Resolution::Known(ids) if !ids.contains(&self.id))
                    && mention.span.overlaps(span)
            })
        };
        !thing.clone().any(company) && !self.own_body(thing)
    }

    /// "reported the bug to Ana", "serves coffee in the canteen": the verb has an object of its own.
    fn done_to_other(&self) -> bool {
        let to = self.view.lexemes_in(self.object).start;
        // "reported revenue of 4 million" tells its own.
        let names = self.view.attributes.predicates();
        let told = Self::words().has("reporting", &self.verb) && paid(names, &self.fact.predicate);
        !told
            && Self::words().has("with_object", &self.verb)
            && self.direct(to).is_some_and(|thing| {
                thing.end < to && !thing.clone().any(|i| self.has("itself", i))
            })
    }

    /// What the verb acts on, before the preposition that leads to the value.
    fn direct(&self, to: usize) -> Option<Range<usize>> {
        if self.clause.copula {
            return None;
        }
        let light = Cue::ADVERB.or(Cue::TEMPORAL);
        // "does not report": the verb may stand behind its group.
        let group = self.clause.group.end;
        let verb = self.clause.verb.map_or(group, |verb| group.max(verb + 1));
        let from = (verb..to).find(|i| !self.is(*i, light))?;
        let ends = Cue::PREPOSITION.or(Cue::CONJUNCTION).or(Cue::BREAK);
        let stops = |i: usize| {
            self.view.kind(i) != Some(LexKind::Word) && self.view.kind(i) != Some(LexKind::Number)
                || self.is(i, ends)
        };
        let end = (from..to).find(|i| stops(*i))?;
        let noun = (from..end).any(|i| {
            let pronoun = Cue::PRONOUN_PERSON
                .or(Cue::PRONOUN_THING)
                .or(Cue::PRONOUN_GROUP);
            self.is(i, pronoun) || !self.is(i, Cue::FUNCTION.or(light).or(Cue::PARTICLE))
        });
        noun.then_some(from..end)
    }

    /// "acts as treasurer of the club", "serves as a judge at the fair": a role elsewhere, or for
    /// a while.
    fn role_elsewhere(&self) -> bool {
        if !self.of("title") || self.of("department") {
            return false;
        }
        let range = self.view.lexemes_in(self.object);
        // "works as hard as anyone", "works as part of a team"
        let before = self.clause.group.end..range.start;
        let likened = before.filter(|i| self.text(*i) == "as").count() > 1;
        if self.verb == "act" || likened || self.text(range.start) == "part" {
            return true;
        }
        if !matches!(self.verb.as_str(), "serve" | "work") {
            return false;
        }
        if self.in_a_body(&range) {
            return true;
        }
        let len = self.folded.len();
        let link = (range.start..len.min(range.end + 1)).find(|i| {
            *i > range.start && matches!(self.text(*i), "of" | "for" | "at" | "on" | "to" | "in")
        });
        let Some(link) = link else {
            return false;
        };
        let first = link + 1;
        let stop = |i: &usize| {
            self.view.kind(*i) != Some(LexKind::Word)
                || *i > first && self.is(*i, Cue::PREPOSITION.or(Cue::CONJUNCTION))
        };
        let limit = len.min(first + BODY);
        let end = (first..limit).find(stop).unwrap_or(limit);
        if first >= end {
            return false;
        }
        let common = self.is(first, Cue::DETERMINER.or(Cue::POSSESSIVE)) && {
            !(first + 1..end).any(|i| self.capital(i))
        };
        common && !self.own_body(first..end)
    }

    /// "serves in the choir as treasurer", "plays in the choir and serves as its treasurer": the body that
    /// it is a role in stands in front.
    fn in_a_body(&self, role: &Range<usize>) -> bool {
        let its = matches!(self.text(role.start), "its" | "their");
        if its {
            return !self.own_body(0..role.start);
        }
        let from = self.clause.group.end;
        let link = |i: &usize| matches!(self.text(*i), "in" | "on" | "at" | "for" | "with");
        let Some(link) = (from..role.start).find(link) else {
            return false;
        };
        let body = link + 1
            ..(link..role.start)
                .rfind(|i| self.text(*i) == "as")
                .unwrap_or(link + 1);
        let named = body.clone().any(|i| self.capital(i));
        let known = !self.known("employer").is_empty();
        !body.is_empty() && (!named || known) && !self.own_body(body)
    }

    /// "works for charity", "works at a desk": nobody by name, where the base has a name.
    fn no_employer(&self) -> bool {
        let (Value::Text(own) | Value::Entity(own)) = &self.fact.value else {
            return false;
        };
        let mut range = self.view.lexemes_in(self.object);
        self.verb == "work"
            && self.of("employer")
            && own.chars().any(char::is_uppercase)
            && !range.any(|i| self.capital(i) || self.view.kind(i) == Some(LexKind::Number))
    }

    /// "speaks French": one of the languages, as a person may speak several.
    fn one_of_several(&self) -> bool {
        self.verb == "speak"
            && self.of("language")
            && !self.kb.is_closed(Some(&self.fact.predicate))
    }
}
