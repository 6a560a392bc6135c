//! The items of a list, and lines below a heading that are like them.

use std::ops::Range;

use super::super::extract::{Said, phrase_claims};
use super::super::parse::Parser;
use super::super::scale::Scaled;
use super::super::view::SentenceView;
use super::heads::separator;
use super::{Lead, Reader, body, in_scale, is_key, is_known, span, words};
use crate::types::Claim;

impl Reader {
    /// "- Finance" below "The departments are:", "- Email: …" below "Ben Frey:".
    pub(super) fn item(&self, view: &SentenceView<'_>, lead: Option<&Lead>) -> Option<Vec<Claim>> {
        if Parser::label_in(view).is_some() {
            return None;
        }
        let body = body(view);
        let colon = separator(view, &body);
        let key = colon
            .map(|colon| without_bracket(view, words(view, body.start..colon)))
            .filter(|key| !key.is_empty() && is_key(view, key) && !in_brackets(view, key));
        if let (Some(key), Some(colon)) = (key, colon) {
            let value = words(view, colon + 1..body.end);
            // "CEO of X: V" is read as outside of lists.
            let headed = lead.is_some_and(|lead| lead.referent.is_some());
            if value.is_empty() || !headed && names_owner(view, &key) {
                return None;
            }
            return match lead {
                Some(lead) => {
                    let (predicate, object) = match &lead.predicate {
                        Some(predicate) => (predicate.clone(), key),
                        None => {
                            let text = span(view, &key).map_or("", |span| view.at(span));
                            if let Some(scaled) = Scaled::of(text) {
                                let name = Parser::attribute_named(view, scaled.name);
                                let subject = Said::Before(&lead.subject);
                                let said = vec![(subject, name, value, lead.negative)];
                                return phrase_claims(view, said)
                                    .map(|claims| in_scale(view, claims, &[Some(scaled)]));
                            }
                            (Parser::named(view, key), value)
                        }
                    };
                    let subject = Said::Before(&lead.subject);
                    phrase_claims(view, vec![(subject, predicate, object, lead.negative)])
                }
                None if is_known(view, &key)
                    && !Parser::unspoken_in(view, value.clone()).is_empty() =>
                {
                    // "**Orion**: founded in 1987".
                    let said = Parser::unspoken_in(view, value.clone()).into_iter();
                    let said = said.map(|(predicate, object, negative)| {
                        (Said::Here(key.clone()), predicate, object, negative)
                    });
                    let mut said: Vec<_> = said.collect();
                    // "founded in 1987, CEO Ada Lind", "opened 1972, 900 seats"
                    let parts = Parser::terse_in(view, &value);
                    let first = parts.first().map_or(value.end, |(part, _)| part.end);
                    let more: Vec<_> = parts
                        .into_iter()
                        .skip(1)
                        .filter_map(|part| part.1)
                        .collect();
                    if !more.is_empty() {
                        said.retain(|(_, _, own, _)| own.start < first);
                        for (_, _, own, _) in &mut said {
                            own.end = own.end.min(first);
                        }
                    }
                    said.extend(more.into_iter().map(|(predicate, object)| {
                        (Said::Here(key.clone()), predicate, object, false)
                    }));
                    phrase_claims(view, said)
                }
                None if is_known(view, &key)
                    && Parser::terse_in(view, &value)
                        .iter()
                        .any(|(_, told)| told.is_some()) =>
                {
                    // "**Orion**: CEO Ada Lind, 310 employees".
                    let said = Parser::terse_in(view, &value).into_iter();
                    let said = said.map_while(|(part, told)| match told {
                        Some((predicate, object)) => Some(Some((predicate, object, false))),
                        None => Parser::bare_member(view, part),
                    });
                    let said = said.flatten().map(|(predicate, object, denied)| {
                        (Said::Here(key.clone()), predicate, object, denied)
                    });
                    phrase_claims(view, said.collect())
                }
                None => {
                    let named = Parser::attribute_of_value(view, &key, &value);
                    if named.is_none()
                        && let Some((predicate, object)) = Parser::denied_member(view, &value)
                    {
                        return phrase_claims(
                            view,
                            vec![(Said::Here(key), predicate, object, true)],
                        );
                    }
                    let further = named.is_none() && is_known(view, &key);
                    let predicate = named.unwrap_or_else(|| "is".to_owned());
                    let mut said = vec![(Said::Here(key.clone()), predicate, value.clone(), false)];
                    if let Some((end, more)) = Parser::further_in(view, &value).filter(|_| further)
                    {
                        said[0].2.end = end;
                        said.extend(more.into_iter().map(|(predicate, object, negative)| {
                            (Said::Here(key.clone()), predicate, object, negative)
                        }));
                    }
                    phrase_claims(view, said)
                }
            };
        }
        let lead = lead?;
        let Some(predicate) = lead.predicate.clone() else {
            // "- works in Marketing" below "Ben Frey:".
            let body = words(view, body);
            let said = Parser::unspoken_in(view, body.clone()).into_iter();
            let mut said: Vec<_> = said
                .map(|(predicate, object, negative)| {
                    let denied = negative != lead.negative;
                    (Said::Before(&lead.subject), predicate, object, denied)
                })
                .collect();
            // "- 310 employees", "- CEO Ada Lind"
            if said.is_empty() && lead.referent.is_some() && !lead.negative {
                let told = Parser::terse_in(view, &body).into_iter();
                let told = told.map(|(_, told)| told).collect::<Option<Vec<_>>>();
                said.extend(told.into_iter().flatten().map(|(predicate, object)| {
                    (Said::Before(&lead.subject), predicate, object, false)
                }));
            }
            return phrase_claims(view, said);
        };
        let object = words(view, body);
        if object.is_empty() || Parser::acts_in(view) {
            return None;
        }
        phrase_claims(
            view,
            vec![(
                Said::Before(&lead.subject),
                predicate,
                object,
                lead.negative,
            )],
        )
    }
}

/// Whether words are an attribute of an entity that they name ("CEO of X", "X's CEO").
fn names_owner(view: &SentenceView<'_>, key: &Range<usize>) -> bool {
    !is_known(view, key) && Parser::owned_in(view, key)
}

/// "X (curator: Ann Lee)": the colon stands inside brackets.
fn in_brackets(view: &SentenceView<'_>, key: &Range<usize>) -> bool {
    let opened = key.clone().filter(|i| view.word(*i) == "(").count();
    opened > key.clone().filter(|i| view.word(*i) == ")").count()
}

/// "X (Oslo)" as "X", where that is a name of the base.
fn without_bracket(view: &SentenceView<'_>, key: Range<usize>) -> Range<usize> {
    let open = key.clone().find(|i| view.word(*i) == "(");
    let name = open.map(|open| words(view, key.start..open));
    name.filter(|name| !name.is_empty() && is_known(view, name))
        .unwrap_or(key)
}
