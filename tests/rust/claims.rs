//! Tests of `claims`.

mod labelled;
mod words;

use groundwire_core::claims::{
    Attributes, NoKinds, Reader, SentenceView, citations, extract, kind_named,
};
use groundwire_core::kb::Snapshot;
use groundwire_core::segment::{SegEvent, Segmenter};
use groundwire_core::types::{
    Claim, DateExpr, LexFlags, LexKind, Lexeme, Mention, MentionKind, Modality, NameType, Polarity,
    Quantity, Resolution, Sentence, Span,
};
use proptest::prelude::*;
use serde::Deserialize;

/// A text with everything the scanners find in it; mentions by brute force.
#[derive(Debug, Default)]
pub struct Analysed {
    pub text: String,
    pub lexemes: Vec<Lexeme>,
    pub quantities: Vec<Quantity>,
    pub dates: Vec<DateExpr>,
    pub sentences: Vec<Sentence>,
    pub mentions: Vec<Mention>,
    pub attributes: Attributes,
}

impl Analysed {
    pub fn new(text: &str, kb: Option<&Snapshot>) -> Self {
        let mut out = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        let mut segmenter = Segmenter::new();
        let mut sink = |event: SegEvent, _: &str| match event {
            SegEvent::Lexeme(lexeme) => out.lexemes.push(lexeme),
            SegEvent::Quantity(quantity) => out.quantities.push(quantity),
            SegEvent::Date(date) => out.dates.push(date),
            SegEvent::Sentence(sentence) => out.sentences.push(sentence),
        };
        segmenter.push(text, &mut sink);
        segmenter.finish(&mut sink);
        out.find_mentions(kb);
        if let Some(kb) = kb {
            out.attributes = Attributes::new(kb.attribute_names());
        }
        out
    }

    /// Longest known name at each word, else runs of capitals that do not open a sentence.
    fn find_mentions(&mut self, kb: Option<&Snapshot>) {
        let words: Vec<Lexeme> = self.lexemes.clone();
        let mut i = 0;
        while i < words.len() {
            let known = kb.and_then(|kb| {
                (i + 1..=(i + 6).min(words.len())).rev().find_map(|end| {
                    let span = Span::new(words[i].span.start, words[end - 1].span.end);
                    let edge = |l: &Lexeme| matches!(l.kind, LexKind::Word | LexKind::Number);
                    if !edge(&words[i]) || !edge(&words[end - 1]) {
                        return None;
                    }
                    let ids = kb.find(&self.text[span.start..span.end]);
                    (!ids.is_empty()).then_some((end, span, Resolution::Known(ids)))
                })
            });
            let capital =
                |l: &Lexeme| l.kind == LexKind::Word && l.flags.has(LexFlags::CAPITALIZED);
            let unknown = || {
                let run = words[i..].iter().take_while(|l| capital(l)).count();
                let starts = words[i].flags.has(LexFlags::SENTENCE_START);
                (run > 0 && !starts).then(|| {
                    let span = Span::new(words[i].span.start, words[i + run - 1].span.end);
                    (i + run, span, Resolution::Unknown)
                })
            };
            if let Some((end, span, resolution)) = known.or_else(unknown) {
                let (kind, decided_at) = (MentionKind::ProperName, span.end);
                self.mentions.push(Mention {
                    span,
                    kind,
                    resolution,
                    decided_at,
                    partial: false,
                });
                i = end;
            } else {
                i += 1;
            }
        }
    }

    /// Calls `each` with a view of every sentence; entities mentioned before are antecedents.
    pub fn each<'a>(&'a self, mut each: impl FnMut(&SentenceView<'a>)) {
        for sentence in &self.sentences {
            let span = sentence.span;
            fn within<T>(all: &[T], span: Span, of: impl Fn(&T) -> Span) -> &[T] {
                let start = all.partition_point(|item| of(item).start < span.start);
                let end = all.partition_point(|item| of(item).start < span.end);
                &all[start..end]
            }
            let mut antecedents = Vec::new();
            for mention in self
                .mentions
                .iter()
                .rev()
                .filter(|m| m.span.end <= span.start)
            {
                if let Resolution::Known(ids) = &mention.resolution {
                    antecedents.extend(
                        ids.iter()
                            .filter(|id| !antecedents.contains(*id))
                            .copied()
                            .collect::<Vec<_>>(),
                    );
                }
            }
            let view = SentenceView {
                text: &self.text[span.start..span.end],
                sentence,
                lexemes: within(&self.lexemes, span, |l| l.span),
                words: &[],
                quantities: within(&self.quantities, span, |q| q.span),
                dates: within(&self.dates, span, |d| d.span),
                mentions: within(&self.mentions, span, |m| m.span),
                signals: &[],
                antecedents: Box::leak(antecedents.into_boxed_slice()),
                attributes: &self.attributes,
                cache: Box::leak(Box::default()),
            };
            each(&view);
        }
    }

    pub fn claims(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        self.each(|view| claims.extend(extract(view)));
        claims
    }
}

#[derive(Deserialize)]
struct Expected {
    subject: String,
    predicate: String,
    object: String,
    polarity: Polarity,
}

#[derive(Deserialize)]
struct Case {
    text: String,
    modality: Modality,
    claims: Vec<Expected>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../vectors/claims.json")).expect("vectors")
}

// req: S0-016 SPEC-08.07 SPEC-08.09
#[test]
fn golden_sentences() {
    let mut wrong = Vec::new();
    for case in cases() {
        let claims = Analysed::new(&case.text, None).claims();
        if claims.iter().any(|claim| claim.modality != case.modality) || claims.is_empty() {
            wrong.push(format!(
                "{:?}: {:?}",
                case.text,
                claims.iter().map(|c| c.modality).collect::<Vec<_>>()
            ));
        }
        if case.claims.is_empty() {
            continue;
        }
        let got: Vec<_> = claims
            .iter()
            .map(|c| {
                let text = |t: &Option<String>| t.clone().unwrap_or_default();
                (
                    text(&c.subject),
                    text(&c.predicate),
                    text(&c.object),
                    c.polarity,
                )
            })
            .collect();
        let want: Vec<_> = case
            .claims
            .iter()
            .map(|c| {
                (
                    c.subject.clone(),
                    c.predicate.clone(),
                    c.object.clone(),
                    c.polarity,
                )
            })
            .collect();
        if got != want {
            wrong.push(format!("{:?}\n   got {got:?}\n  want {want:?}", case.text));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

// req: SPEC-08.08
#[test]
fn reference_marks() {
    let text = "It rose [1], fell [2, 3] (Smith et al., 2020) and rose (Lee & Park 2019). See REF-012, [^n], 10.1234/ab.c";
    let all = citations(text, 100);
    let raws: Vec<&str> = all.iter().map(|c| c.raw.as_str()).collect();
    assert_eq!(
        raws,
        [
            "[1]",
            "[2, 3]",
            "(Smith et al., 2020)",
            "(Lee & Park 2019)",
            "REF-012",
            "[^n]",
            "10.1234/ab.c"
        ]
    );
    assert_eq!(all[0].evidence_ref, Some(0));
    assert_eq!(all[2].authors, ["Smith"]);
    assert_eq!(all[3].authors, ["Lee", "Park"]);
    assert_eq!(all[3].year, Some(2019));
    assert_eq!(all[6].doi.as_deref(), Some("10.1234/ab.c"));
    for mark in &all {
        assert_eq!(&text[mark.span.start - 100..mark.span.end - 100], mark.raw);
    }
    assert!(citations("[a list, of words] and (in 2020) f[i]", 0).is_empty());
    let named =
        |text: &str| -> Vec<String> { citations(text, 0).into_iter().map(|c| c.raw).collect() };
    for (text, raw) in [
        (
            "Studies show this, e.g. Hartwell (2016).",
            "Hartwell (2016)",
        ),
        (
            "This was found by Osei and Lund (2019b) in a trial.",
            "Osei and Lund (2019b)",
        ),
        ("Marín et al. (2008) disagree.", "Marín et al. (2008)"),
        (
            "According to Hartwell (2016), research shows it.",
            "Hartwell (2016)",
        ),
    ] {
        assert_eq!(named(text), [raw], "{text}");
    }
    for text in [
        "Her first film was Harbour (1996).",
        "A review of Blue Marsh (1948) appeared.",
        "The report was published in spring (2016).",
    ] {
        assert!(named(text).is_empty(), "{text}");
    }
}

#[test]
fn ids_follow_from_place_and_words() {
    let text = "Acme was founded in 1987 by Maria Lopez. Acme was founded in 1987 by Maria Lopez.";
    let claims = Analysed::new(text, None).claims();
    let again = Analysed::new(text, None).claims();
    assert_eq!(claims, again);
    let mut ids: Vec<&str> = claims.iter().map(|c| c.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4, "{claims:?}");
}

#[test]
fn attribute_names_of_the_base_are_predicates() {
    let mut analysed = Analysed::new("The blast radius of Atlas is 12 km.", None);
    analysed.attributes = Attributes::new(["blast_radius".to_owned()]);
    let claims = analysed.claims();
    assert_eq!(claims[0].predicate.as_deref(), Some("blast_radius"));
    assert_eq!(claims[0].subject.as_deref(), Some("Atlas"));
    assert_eq!(claims[0].object.as_deref(), Some("12 km"));
}

fn read(text: &str) -> Vec<Claim> {
    let analysed = Analysed::new(text, None);
    let (mut reader, mut claims) = (Reader::default(), Vec::new());
    analysed.each(|view| claims.extend(reader.read(view, &NoKinds).claims));
    claims
}

/// The subject of a list's items stands before the list: they name it and have no span for it.
// req: S0-016
#[test]
fn items_take_the_subject_of_their_lead() {
    let claims = read("Ben Frey:\n- Email: ben@oakfield.example\n\nHe left.\n- Fees: 12 euros");
    let said: Vec<_> = claims
        .iter()
        .map(|c| {
            (
                c.subject.as_deref(),
                c.subject_span.is_some(),
                c.predicate.as_deref(),
            )
        })
        .collect();
    assert!(
        said.contains(&(Some("Ben Frey"), false, Some("email"))),
        "{said:?}"
    );
    assert!(said.contains(&(Some("Fees"), true, Some("is"))), "{said:?}");
}

/// Parts of one coordinated object say so, so that a base that has one of them contradicts none.
#[test]
fn coordinated_objects_know_their_whole() {
    let text = "Malta's languages are Maltese and English.";
    let claims = read(text);
    let wholes: Vec<_> = claims
        .iter()
        .map(|c| c.coordinated.map(|s| &text[s.start..s.end]))
        .collect();
    assert_eq!(wholes, [Some("Maltese and English"); 2]);
}

/// Across a paragraph a pronoun needs the sentence right before, and no choice in it.
// req: S0-043 S0-045
#[test]
fn pronouns_and_paragraphs() {
    let referent = |text: &str| {
        let claims = read(text);
        let last = claims.last().and_then(|c| c.referent.clone());
        last.map(|r| r.name)
    };
    assert_eq!(
        referent("Ruth Adler left. She lives in Kiel.").as_deref(),
        Some("Ruth Adler")
    );
    assert_eq!(
        referent("Ruth Adler left.\n\nShe lives in Kiel.").as_deref(),
        Some("Ruth Adler")
    );
    assert_eq!(
        referent("Ruth Adler met Nora Blake.\n\nShe lives in Kiel."),
        None
    );
    assert_eq!(referent("Paul Denton left. She lives in Kiel."), None);
    assert_eq!(
        referent("Ruth Adler left. It is possible that the train was late."),
        None
    );
    assert_eq!(
        referent(
            "Ruth Adler left. A day passed. Rain fell. Wind blew. Snow fell. She lives in Kiel."
        ),
        None
    );
}

#[test]
fn kinds_of_a_base_are_types() {
    let kinds = ["company", "Person", "art museum", "city", "", "gizmo"].map(kind_named);
    let (org, unknown) = (NameType::Organization, NameType::Unknown);
    assert_eq!(
        kinds,
        [
            org,
            NameType::Person,
            org,
            NameType::Place,
            unknown,
            unknown
        ]
    );
}

proptest! {
    /// Whatever the text: no panic, spans inside it, and they are what subject and object say.
    #[test]
    fn any_text(text in r#"([A-Z]?[a-z]{1,8}|the|of|is|was|founded|in|by|has|not|1987|12|,|\.|\?|;|and|which|'s|\(|\)|\[1\]|—| |\n|"|é|中){0,60}"#) {
        let analysed = Analysed::new(&text, None);
        for claim in analysed.claims() {
            for (words, span) in [(&claim.subject, claim.subject_span), (&claim.object, claim.object_span)] {
                if let (Some(words), Some(span)) = (words, span) {
                    prop_assert_eq!(words.as_str(), &text[span.start..span.end]);
                    prop_assert!(claim.span.contains(span));
                    prop_assert!(!words.is_empty());
                }
            }
            prop_assert!((0.0..=1.0).contains(&claim.stated_confidence));
        }
        let mut reader = Reader::default();
        let mut end = 0;
        let mut readings = Vec::new();
        analysed.each(|view| readings.push(reader.read(view, &NoKinds)));
        for reading in readings {
            for reference in reading.references {
                prop_assert!(end <= reference.span.start, "in the order of the text");
                end = reference.span.end;
                prop_assert!(!text[reference.span.start..end].is_empty());
                if let Some(referent) = reference.referent {
                    prop_assert_eq!(&referent.name, &text[referent.span.start..referent.span.end]);
                    prop_assert!(referent.span.end <= reference.span.start);
                }
            }
            for claim in reading.claims {
                if let (Some(words), Some(span)) = (&claim.object, claim.object_span) {
                    prop_assert_eq!(words.as_str(), &text[span.start..span.end]);
                }
            }
        }
    }
}
