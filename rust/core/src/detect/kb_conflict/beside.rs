//! Values that another one may stand beside: one of several awards, a faith beside a nationality, a
//! district of the city, a post beside the main one.

use crate::claims::{Folded, SentenceView, clauses};
use crate::kb::{Snapshot, Value};
use crate::lexicon::tables::{regions, stance};
use crate::normal::fold_name;
use crate::types::{Claim, LexKind, Polarity, Span};

use crate::detect::clash::Clash;
use crate::detect::subject::claim_entities;

/// Words behind "as" among which a post beside the main one is told.
const POST: usize = 4;

/// Whether what is said may be so beside what the base has.
pub(super) fn stands_beside(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    kb: &Snapshot,
    clash: &Clash,
) -> bool {
    let (Some(object), Polarity::Positive) = (claim.object_span, claim.polarity) else {
        return false;
    };
    let name = clash.fact.predicate.as_str();
    let (Value::Text(own) | Value::Enum(own) | Value::Entity(own)) = &clash.fact.value else {
        return false;
    };
    let one = |class: &str| {
        let names = view.attributes.predicates();
        stance().has(class, name)
            || (names.named(name)).is_some_and(|known| stance().has(class, &known.name))
    };
    let listed = stance().has("several", name) && !kb.is_closed(Some(name));
    listed
        || one("origin") && other_origin(view.at(object), own)
        || one("engaged") && second_post(view, folded, object)
        || one("held_twice") && also_so(view, folded, object)
        || inside(view, folded, object, own)
        || in_one_kingdom(&fold_name(own), &fold_name(view.at(object)))
}

/// "Britain" beside "Scotland", not "England" beside it.
fn in_one_kingdom(own: &str, said: &str) -> bool {
    let all = |class: &str| regions().has(class, own) && regions().has(class, said);
    all("united_kingdom") && !(all("home_nation") && own != said)
}

/// Whether one is a faith, or both are of one country ("British", "Welsh").
fn other_origin(said: &str, own: &str) -> bool {
    let bare = |text: &str| {
        let folded = fold_name(text);
        let plain = folded.strip_prefix("a ").or(folded.strip_prefix("an "));
        let plain = plain.unwrap_or(&folded);
        let end = ["women", "woman", "men", "man"];
        let root = end.iter().find_map(|end| plain.strip_suffix(end));
        root.filter(|root| root.len() > 2)
            .unwrap_or(plain)
            .trim_end()
            .to_owned()
    };
    let (said, own) = (bare(said), bare(own));
    let both = |class: &str| stance().has(class, &said) && stance().has(class, &own);
    let faith = |word: &str| stance().has("faith", word);
    let region = regions().has("region_people", &said) || regions().has("region_people", &own);
    said == own || faith(&said) != faith(&own) || region || both("british")
}

/// "works at Y as a guest lecturer", "teaches at Y on the side".
fn second_post(view: &SentenceView<'_>, folded: &Folded<'_>, object: Span) -> bool {
    let end = view.lexemes_in(object).end;
    let reach = folded.len().min(end + POST);
    (end..reach).any(|i| stance().has("side_post", folded.get(i)))
        || view
            .lexemes_in(object)
            .any(|i| stance().has("side_post", folded.get(i)))
}

/// "also works for Y", "lives in Y as well".
fn also_so(view: &SentenceView<'_>, folded: &Folded<'_>, object: Span) -> bool {
    let at = view.lexemes_in(object).start;
    let clause = clauses(view).into_iter().find(|c| c.range.contains(&at));
    let opens = (0..folded.len()).find(|i| view.kind(*i) == Some(LexKind::Word));
    let within = clause.map_or(0..folded.len(), |clause| clause.range);
    opens.into_iter().chain(within).any(|i| {
        stance().has("also", folded.get(i)) || folded.get(i) == "as" && folded.get(i + 1) == "well"
    })
}

/// "in Riverside Clinic in Y", where Y is what the base has.
fn inside(view: &SentenceView<'_>, folded: &Folded<'_>, object: Span, own: &str) -> bool {
    let end = view.lexemes_in(object).end;
    let links = matches!(folded.get(end), "in" | "at" | "near" | "of") || view.word(end) == ",";
    if !links || end + 1 >= view.lexemes.len() {
        return false;
    }
    let rest = Span::new(view.lexemes[end + 1].span.start, view.sentence.span.end);
    let (rest, own) = (fold_name(view.at(rest)), fold_name(own));
    let rest = rest.strip_prefix("the ").unwrap_or(&rest);
    let own = own.strip_prefix("the ").unwrap_or(&own);
    let behind = rest.strip_prefix(own);
    !own.is_empty() && behind.is_some_and(|more| !more.starts_with(char::is_alphanumeric))
}

/// Whether another claim of the sentence has the base's value for the attribute: "designed by X
/// and built by Y".
pub(super) fn said_too(
    view: &SentenceView<'_>,
    claim: &Claim,
    all: &[Claim],
    clash: &Clash,
    kb: &Snapshot,
) -> bool {
    let names = view.attributes.predicates();
    let own = claim_entities(view, claim, kb);
    // "Ada works in Sales and Bo works in Finance": the other one's value is no second one of hers.
    let of_another = |other: &Claim| {
        let ids = claim_entities(view, other, kb);
        !ids.is_empty() && !own.is_empty() && !ids.iter().any(|id| own.contains(id))
    };
    let right: Vec<String> = clash.values.iter().map(|value| fold_name(value)).collect();
    let said = claim.predicate.as_deref().unwrap_or("");
    claim.polarity == Polarity::Positive
        && matches!(clash.fact.value, Value::Text(_) | Value::Entity(_))
        && all.iter().any(|other| {
            let same = other
                .predicate
                .as_deref()
                .is_some_and(|name| name == said || names.same(name, said));
            same && other.polarity == Polarity::Positive
                && other.coordinated.is_none()
                && !of_another(other)
                && (other.object_span).is_some_and(|span| {
                    Some(span) != claim.object_span && right.contains(&fold_name(view.at(span)))
                })
        })
}
