//! Which words are phrases that stand for something: descriptions, nouns, the "it" of nothing.

use super::{Gender, Wanted};
use crate::claims::view::{Folded, SentenceView};
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{frames, stance};
use crate::lexicon::words::{WordClass, class};
use crate::types::{LexFlags, LexKind, NameType, Resolution, Span};

/// "It rains", "it is possible that", "it takes two hours to".
pub(super) fn expletive(view: &SentenceView<'_>, folded: &Folded, i: usize) -> bool {
    if folded.get(i) != "it" {
        return false;
    }
    let weather = folded
        .known(i + 1)
        .verb
        .is_some_and(|v| matches!(v, "rain" | "snow" | "seem" | "appear"));
    let copula = folded.cue(i + 1).is(Cue::COPULA.or(Cue::AUXILIARY));
    let clause = copula
        && (i + 2..(i + 7).min(view.lexemes.len()))
            .take_while(|n| view.lexemes[*n].kind == LexKind::Word)
            .any(|n| {
                matches!(folded.get(n), "that" | "whether")
                    || folded.get(n) == "to"
                        && !folded.cue(n - 1).is(Cue::DETERMINER)
                        && folded.get(n - 1).ends_with("le")
            });
    weather || clause
}

/// "CEO of Lindtek" is read as one name; what it brings in is Lindtek.
pub(super) fn owner_in(view: &SentenceView<'_>, folded: &Folded, name: Span) -> Option<Span> {
    let range = view.lexemes_in(name);
    let of = folded.get(range.start + 1) == "of" && range.len() > 2;
    let attribute = || {
        let names = view.attributes.predicates();
        names.named(folded.get(range.start)).is_some()
    };
    let owner = || Span::new(view.lexemes[range.start + 2].span.start, name.end);
    let known = |span: &Span| {
        view.mentions.iter().any(|mention| {
            mention.span == *span && matches!(mention.resolution, Resolution::Known(_))
        })
    };
    (of && attribute()).then(owner).filter(known)
}

/// One past "the museum", "this company"; no longer phrase, and none that "of" goes on with.
pub(super) fn description(view: &SentenceView<'_>, folded: &Folded, i: usize) -> Option<usize> {
    if !matches!(folded.get(i), "the" | "this" | "that") {
        return None;
    }
    // "The Spanish branch".
    let people = class(folded.get(i + 1)).has(WordClass::DEMONYM);
    let first = i + 1 + usize::from(people);
    // "the other ship"
    let counted = usize::from(frames().has("tells_apart", folded.get(first)));
    let end =
        noun_phrase(view, folded, first).or_else(|| noun_phrase(view, folded, first + counted))?;
    // "the current CEO"
    let next = view.lexemes.get(end);
    let leads = next.is_some_and(|l| l.flags.has(LexFlags::CAPITALIZED))
        && stance().has("plain", folded.get(end - 1));
    (!leads && folded.get(end) != "of").then_some(end)
}

/// One past "the antenna", which goes on with "of the Eiffel Tower" and opens the sentence: another thing than what
/// is named, unless it is only called so ("the city of Bergen") or told of it ("the history of Acme").
pub(super) fn part_of_named(view: &SentenceView<'_>, folded: &Folded, i: usize) -> Option<usize> {
    let opens = !view.lexemes[..i].iter().any(|l| l.kind == LexKind::Word);
    if !opens || !matches!(folded.get(i), "the" | "this" | "that") {
        return None;
    }
    let end = noun_phrase(view, folded, i + 1)?;
    let (head, article) = (
        folded.get(end - 1),
        usize::from(folded.get(end + 1) == "the"),
    );
    let named = view.lexemes.get(end + 1 + article);
    let named = named.is_some_and(|l| l.flags.has(LexFlags::CAPITALIZED));
    let table = frames();
    let itself = ["any_kind", "settlement", "aspect"]
        .iter()
        .any(|class| table.has(class, head));
    (folded.get(end) == "of" && named && !itself).then_some(end)
}

/// One past the last of up to three words that are a noun with what stands before it.
pub(super) fn noun_phrase(view: &SentenceView<'_>, folded: &Folded, first: usize) -> Option<usize> {
    let noun = |n: usize| {
        view.lexemes
            .get(n)
            .is_some_and(|l| l.kind == LexKind::Word && !l.flags.has(LexFlags::CAPITALIZED))
            && !folded.cue(n).is(Cue::FUNCTION
                .or(Cue::COPULA)
                .or(Cue::AUXILIARY)
                .or(Cue::PREPOSITION)
                .or(Cue::CONJUNCTION)
                .or(Cue::ADVERB))
    };
    let verbal = |n: usize| {
        folded
            .known(n)
            .verb
            .is_some_and(|base| base != folded.get(n))
    };
    let last = (first..first + 3)
        .take_while(|n| noun(*n) && (*n == first || !verbal(*n)))
        .last()?;
    Some(last + 1)
}

/// "Heron is a proxy": a noun without a determiner that opens the sentence and is something.
pub(super) fn bare_subject(view: &SentenceView<'_>, folded: &Folded, i: usize) -> Option<usize> {
    let opens = !view.lexemes[..i].iter().any(|l| l.kind == LexKind::Word);
    let noun = view.lexemes[i].kind == LexKind::Word
        && view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
        && !folded
            .cue(i)
            .is(Cue::FUNCTION.or(Cue::ADVERB).or(Cue::DETERMINER));
    (opens && noun && matches!(folded.get(i + 1), "is" | "was" | "has")).then_some(i + 1)
}

pub(super) fn generic(folded: &Folded, i: usize) -> bool {
    matches!(
        folded.get(i),
        "someone" | "somebody" | "anyone" | "anybody" | "everyone" | "everybody" | "nobody"
    )
}

/// What a noun before "is" at `at` is said to be: "Acme is a company".
pub(super) fn called(view: &SentenceView<'_>, folded: &Folded, at: usize) -> NameType {
    let article = matches!(folded.get(at + 1), "a" | "an");
    let end = noun_phrase(view, folded, at + 2).filter(|_| article);
    let Some(cue) = end.map(|end| name_cue(folded.get(end - 1))) else {
        return NameType::Unknown;
    };
    [
        (NameCue::IS_ORG, NameType::Organization),
        (NameCue::IS_PLACE, NameType::Place),
        (NameCue::IS_PRODUCT, NameType::Product),
        (NameCue::IS_WORK, NameType::Work),
    ]
    .into_iter()
    .find(|(own, _)| cue.is(*own))
    .map_or(NameType::Unknown, |(_, kind)| kind)
}

/// Whether a noun is told of several, by its ending.
pub(super) fn is_plural(noun: &str) -> bool {
    let single = ["ss", "us", "is", "lens", "gas"];
    noun.ends_with('s') && !single.iter().any(|end| noun.ends_with(end))
}

/// What the pronoun at `i` asks for.
pub(super) fn pronoun<'a>(folded: &Folded, i: usize) -> Option<Wanted<'a>> {
    match folded.get(i) {
        "he" | "him" | "his" => Some(Wanted::Person(Gender::Male)),
        "she" | "her" | "hers" => Some(Wanted::Person(Gender::Female)),
        "it" | "its" => Some(Wanted::Thing),
        "they" | "them" | "their" | "theirs" => Some(Wanted::Group),
        _ => None,
    }
}

/// Whether the sentence asks whether there is something: "Is there a …?", "Do you have a …?".
pub(super) fn seeks(view: &SentenceView<'_>, folded: &Folded) -> bool {
    let mut words = (0..view.lexemes.len()).filter(|i| view.lexemes[*i].kind == LexKind::Word);
    let Some(first) = words.next() else {
        return false;
    };
    if !folded.cue(first).is(Cue::COPULA.or(Cue::AUXILIARY)) {
        return false;
    }
    let next = folded.get(first + 1);
    let offered = |i: usize| {
        matches!(
            folded.get(i),
            "have" | "got" | "offer" | "sell" | "make" | "stock" | "include" | "provide"
        )
    };
    matches!(next, "there" | "a" | "an" | "any") || words.any(offered)
}

/// End of the description at `i` without the verb of the question: "When does the café open?"
pub(super) fn without_verb(
    view: &SentenceView<'_>,
    folded: &Folded,
    i: usize,
    end: usize,
) -> usize {
    let asks = view.text.trim_end().ends_with('?')
        && (0..i).any(|n| matches!(folded.get(n), "do" | "does" | "did" | "can" | "will"));
    let verb = folded.known(end - 1).verb == Some(folded.get(end - 1));
    if asks && verb && end - i > 2 {
        end - 1
    } else {
        end
    }
}
