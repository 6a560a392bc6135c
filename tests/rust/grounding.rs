//! Tests of the grounding features, their scorer, and what a stream makes of them.

use groundwire_core::claims::{Content, ContentWord};
use groundwire_core::evidence::{Features, NAMES, Scorer, feature, rarity};
use groundwire_core::monitor::{Monitor, Settings};
use groundwire_core::profile::Profile;
use groundwire_core::segment;
use groundwire_core::session::{Context, Entry, Push, Session};
use groundwire_core::types::{Finding, Tier};
use proptest::prelude::*;
use rustc_hash::FxHashSet;

use crate::reading::{self, Told, text};

const LEAFLET: &str = "The Frans Hals House opened in 1987. It has 14 rooms and 120 paintings. \
    The house is closed on Monday. A ticket costs 12.50 euros. The garden covers 3.2 km². \
    About 50,000 people visit it every year. Anna Keller has led the house since 2015.";

/// What a text's words and sentences look like; a row is `(sentence?, end, features)`.
fn rows(text: &str, evidence: &str, question: &str) -> Vec<(bool, usize, Features)> {
    let mut out = Vec::new();
    reading::read(text, evidence, question, |told, tracker, against| {
        out.push(match told {
            Told::Word(lexeme) => (false, lexeme.span.end, tracker.features(against)),
            Told::Sentence(end) => (true, end, tracker.features(against)),
        });
    });
    out
}

fn last(text: &str) -> Features {
    rows(text, LEAFLET, "").pop().expect("a sentence").2
}

fn p(text: &str) -> f64 {
    Scorer::english().p_unsupported(&last(text))
}

// req: S0-049
#[test]
fn supported_above_unsupported() {
    let exact = p("The Frans Hals House opened in 1987.");
    let loose = p("Opened in 1987, the house has 14 rooms.");
    let mixed = p("The house has 120 rooms led by Rembrandt.");
    let invented = p("The cafeteria won a culinary award in 2003.");
    assert!(exact < 0.02, "{exact}");
    assert!(exact <= loose && loose < mixed, "{loose} {mixed}");
    assert!(mixed < invented && invented > 0.6, "{mixed} {invented}");
}

#[test]
fn features_mean_what_they_say() {
    let got = last("The cafeteria won a culinary award in 2003, led by Rembrandt.");
    let of = |name: &str| got.get(name).expect("a feature");
    assert_eq!((of("novel_numbers"), of("novel_names")), (1.0, 1.0));
    assert!(of("novelty") > 0.8 && of("coverage") < 0.2);
    let items = rows(
        "Here are two:\n\n1. Rooms: 14.\n2. Sauna: hot.\n",
        LEAFLET,
        "",
    );
    let sentences: Vec<_> = items.iter().filter(|row| row.0).collect();
    assert_eq!(sentences[0].2.get("intro"), Some(1.0));
    assert_eq!(sentences[0].2.get("colon"), Some(1.0));
    assert_eq!(sentences[2].2.get("item"), Some(2.0_f64.ln_1p()));
    assert_eq!(sentences[0].2.get("list"), Some(0.0));
    for (text, name) in [
        ("I hope this helps!", "closing"),
        ("The passages do not mention any sauna.", "absent"),
        ("The given passages name it.", "source"),
        ("Overall, the house is old.", "summary"),
        ("It is important to book.", "advice"),
        ("Things such as paintings.", "example"),
    ] {
        assert_eq!(last(text).get(name), Some(1.0), "{text}");
        assert_eq!(last("The house has rooms.").get(name), Some(0.0));
    }
    assert_eq!(
        last("The house is not closed on Monday.").get("negation"),
        Some(1.0)
    );
    let asked = rows("The cafeteria has 14 rooms.", LEAFLET, "Which cafeteria?");
    assert_eq!(asked.last().expect("rows").2.0[feature::novelty], 0.0);
}

#[test]
fn weights_are_read_whole_or_not_at_all() {
    let scorer = Scorer::parse("# x\nbias\t1\nfeature\tlist\t0:0\t1:2\n").expect("valid");
    let mut features = Features::default();
    features.0[feature::list] = 0.25;
    assert!((scorer.score(&features) - 1.5).abs() < 1e-12);
    features.0[feature::list] = 9.0;
    assert!((scorer.score(&features) - 3.0).abs() < 1e-12);
    for wrong in [
        "bias",
        "bias\tnan",
        "feature\tno_such\t0:1",
        "feature\tlist",
        "feature\tlist\t1:0\t0:1",
        "feature\tlist\t0:1\nfeature\tlist\t0:1",
        "calibration\t1",
        "else\t1",
    ] {
        let error = Scorer::parse(wrong).expect_err(wrong).to_string();
        assert!(error.contains("line "), "{error}");
    }
}

#[test]
fn every_shipped_line_runs_one_way() {
    let scorer = Scorer::english();
    for (at, name) in NAMES.iter().enumerate() {
        let mut features = Features::default();
        let scores: Vec<f64> = (0..=400)
            .map(|i| {
                features.0[at] = f64::from(i) / 20.0;
                scorer.score(&features)
            })
            .collect();
        let rises = scores.windows(2).all(|w| w[1] >= w[0]);
        let falls = scores.windows(2).all(|w| w[1] <= w[0]);
        assert!(rises || falls, "{name}");
    }
}

fn monitor(word: f64) -> Monitor {
    Monitor::builder()
        .profiles(vec![Profile::stream()])
        .settings(Settings {
            word_support_threshold: word,
            ..Settings::default()
        })
        .build()
        .expect("a monitor")
}

fn session(monitor: &Monitor) -> Session {
    let evidence = [("leaflet".to_owned(), LEAFLET.to_owned())];
    Session::new(monitor, Context::new(monitor, &evidence, &[], None))
}

fn spans(session: &Session) -> Vec<Finding> {
    session
        .log_since(0)
        .filter_map(|entry| match entry {
            Entry::Finding { finding, .. } => Some((**finding).clone()),
            _ => None,
        })
        .filter(|f| f.kind == "stream.unsupported_span")
        .collect()
}

const INVENTED: &str = "The cafeteria serves award-winning buttermilk pancakes with maple syrup \
    and roasted walnuts to hungry schoolchildren from neighbouring villages every single morning.";

#[test]
fn a_stretch_holds_whole_words_and_names() {
    let monitor = monitor(1.0);
    let texts = [
        (
            "The Gallery of Modern Art in Zagreb shows twenty-one post-war paintings by Ivana \
             Kovač-Horvat and the Ministry of Culture's e-mail list, with 3,500 visitors a day at \
             $5.50 per head, as John F. Kennedy said in New York.",
            &[
                "Ivana Kovač-Horvat",
                "Ministry of Culture",
                "John F. Kennedy",
                "New York",
            ][..],
        ),
        (
            "To contact the Harbour Light Maritime Museum, you can send a message to Anna Maria \
             Del Rio or her colleague Pietro Bellini of the Bank of the West",
            &[
                "Harbour Light Maritime Museum",
                "Anna Maria Del Rio",
                "Pietro Bellini",
                "Bank of the West",
            ],
        ),
    ];
    for (text, names) in texts {
        let mut whole = session(&monitor);
        whole.push_text(text, Push::default()).expect("open");
        whole.finish().expect("finished");
        let found = spans(&whole);
        assert!(found.len() >= 3, "{found:?}");
        for finding in &found {
            let span = finding.span.expect("span");
            let (before, after) = (&text[..span.start], &text[span.end..]);
            let part = |c: char| c.is_alphanumeric();
            assert!(
                !before.ends_with(part) && !after.starts_with(part),
                "{finding:?}"
            );
            assert!(!finding.text.starts_with([',', '.']), "{finding:?}");
            for name in names {
                let at = text.find(name).expect("in the text");
                let end = at + name.len();
                let cut =
                    (at < span.start && span.start < end) || (at < span.end && span.end < end);
                assert!(!cut, "{name:?} is cut by {:?}", finding.text);
            }
        }
        // Letter by letter it is the same (invariant 1).
        let mut cut = session(&monitor);
        for piece in text.split_inclusive(|_: char| true) {
            cut.push_text(piece, Push::default()).expect("open");
        }
        cut.finish().expect("finished");
        assert_eq!(spans(&cut), found);
    }
}

#[test]
fn capitals_without_end_are_no_name() {
    let monitor = monitor(1.0);
    let mut session = session(&monitor);
    let shouted = "PANCAKES ".repeat(4) + &"CAFETERIA WALNUTS SYRUP ".repeat(12);
    session.push_text(&shouted, Push::default()).expect("open");
    let found = spans(&session);
    assert!(found.len() >= 2, "{found:?}");
    for finding in &found {
        assert!(finding.text.split_whitespace().count() <= 24);
    }
}

#[test]
fn a_stretch_is_reported_at_its_last_word() {
    let monitor = monitor(Settings::default().word_support_threshold);
    let mut open = session(&monitor);
    open.push_text(INVENTED, Push::default()).expect("open");
    // The sentence is still open, and the reader was warned long before its end.
    let found = spans(&open);
    assert!(found.len() >= 2, "{found:?}");
    for pair in found.windows(2) {
        assert!(pair[0].span.expect("span").end <= pair[1].span.expect("span").start);
    }
    for finding in &found {
        let span = finding.span.expect("span");
        assert_eq!(finding.text, INVENTED[span.start..span.end]);
        assert!(finding.text.split_whitespace().count() <= 8);
        assert!(finding.decided_at <= span.end + 1);
        assert!(finding.tier <= Tier::Low);
        assert!(finding.detected["parts"].is_object());
    }
    assert!(found[0].span.expect("span").end < INVENTED.len() / 2);
    let mut fine = session(&monitor);
    fine.push_text(LEAFLET, Push::default()).expect("open");
    fine.finish().expect("finished");
    assert!(spans(&fine).is_empty());
    let mut asked = session(&monitor);
    let question = "Which cafeteria serves award-winning buttermilk pancakes with syrup?";
    asked.push_text(question, Push::default()).expect("open");
    asked.finish().expect("finished");
    assert!(spans(&asked).is_empty());
}

#[test]
fn a_word_that_a_limit_cut_is_in_no_finding() {
    let monitor = monitor(1.0);
    for at in (20..INVENTED.len()).filter(|&at| INVENTED.is_char_boundary(at)) {
        let text = &INVENTED[..at];
        let mut cut = session(&monitor);
        cut.push_text(text, Push::default()).expect("open");
        cut.cut().expect("open");
        cut.finish().expect("finished");
        let open = text.ends_with(char::is_alphanumeric);
        let word = text.rfind(' ').map_or(0, |space| space + 1);
        let limit = if open { word } else { at };
        assert!(
            spans(&cut)
                .iter()
                .all(|f| f.span.expect("span").end <= limit),
            "{text}"
        );
        assert!(cut.cut().is_err(), "it is finished");
    }
}

#[test]
fn evidence_that_comes_late_counts_for_the_open_sentence() {
    let monitor = monitor(1.0);
    let (first, rest) = INVENTED.split_at(30);
    let mut late = session(&monitor);
    late.push_text(first, Push::default()).expect("open");
    late.add_evidence("menu", INVENTED).expect("evidence");
    late.push_text(rest, Push::default()).expect("open");
    late.finish().expect("finished");
    let mut early = session(&monitor);
    early.add_evidence("menu", INVENTED).expect("evidence");
    early.push_text(INVENTED, Push::default()).expect("open");
    early.finish().expect("finished");
    let p = |s: &Session| spans(s).last().map(|f| f.p_hallucinated);
    assert_eq!(p(&late), p(&early));
}

fn words(text: &str) -> Vec<ContentWord> {
    let mut content = Content::default();
    segment::words(text)
        .iter()
        .filter_map(|(lexeme, word)| content.word(lexeme, word))
        .collect()
}

proptest! {
    #[test]
    fn coverage_novelty_and_pairs_as_by_brute_force(evidence in text(8), said in text(2)) {
        let got = rows(&said, &evidence, "").pop().expect("a sentence").2;
        let sentences: Vec<FxHashSet<u64>> = segment::sentences(&evidence)
            .iter()
            .map(|s| words(&evidence[s.span.start..s.span.end]).iter().map(|w| w.stem).collect())
            .collect();
        let mut seen = FxHashSet::default();
        let in_any = |stem: u64| sentences.iter().any(|s| s.contains(&stem));
        let all = words(&said);
        let unique: Vec<ContentWord> = all.iter().copied().filter(|w| seen.insert(w.stem)).collect();
        let idf = |stem: u64| {
            let df = sentences.iter().filter(|s| s.contains(&stem)).count() as f64;
            (1.0 + sentences.len() as f64 / (df + 0.5)).ln()
        };
        let top = (1.0 + sentences.len() as f64 / 0.5).ln();
        let weight = |w: &ContentWord| {
            let proper = if w.name || w.number { 1.25 } else { 1.0 };
            let rare = if in_any(w.stem) || w.number { 1.0 } else { rarity(w.stem) };
            proper * idf(w.stem) / top * rare
        };
        let total: f64 = unique.iter().map(weight).sum();
        let novel: f64 = unique.iter().filter(|w| !in_any(w.stem)).map(weight).sum();
        let held = |places: &[usize]| -> f64 {
            let in_one = |w: &&ContentWord| places.iter().any(|i| sentences.get(*i).is_some_and(|s| s.contains(&w.stem)));
            unique.iter().filter(in_one).map(weight).sum()
        };
        let best = |width: usize| {
            (0..sentences.len()).map(|i| held(&(i..i + width).collect::<Vec<_>>())).fold(0.0, f64::max)
        };
        let neighbours: Vec<_> = all.windows(2).filter(|p| p[0].stem != p[1].stem).collect();
        let together = neighbours
            .iter()
            .filter(|p| sentences.iter().any(|s| s.contains(&p[0].stem) && s.contains(&p[1].stem)))
            .count();
        if !unique.is_empty() {
            let near = |name: &str, wanted: f64| (got.get(name).expect("a feature") - wanted).abs() < 1e-9;
            prop_assert!(near("novelty", novel / total));
            prop_assert!(near("novel_mass", novel));
            prop_assert!(near("coverage", best(1) / total));
            prop_assert!(near("window", best(2) / total));
            if !neighbours.is_empty() {
                prop_assert!(near("pairs", together as f64 / neighbours.len() as f64));
            }
        }
    }

    #[test]
    fn what_follows_changes_no_word(
        evidence in text(6),
        said in prop::collection::vec("[A-Za-z0-9,:;.*\n -]{1,12}", 1..12),
        cut in 0..12_usize,
    ) {
        let whole = said.concat();
        let cut: usize = said.iter().take(cut).map(String::len).sum();
        let all = rows(&whole, &evidence, "alpha");
        let part = rows(&whole[..cut], &evidence, "alpha");
        // The last word may go on, and what ends with the text is a sentence there.
        for (a, b) in part.iter().zip(&all) {
            if a.1 + 16 > cut { break; }
            prop_assert_eq!(a, b);
        }
        for (_, _, features) in &all {
            prop_assert!(features.0.iter().all(|x| x.is_finite() && *x >= 0.0));
            let p = Scorer::english().p_unsupported(features);
            prop_assert!((0.0..=1.0).contains(&p));
        }
    }

    #[test]
    fn cuts_and_rollbacks_change_no_stretch(cut in 1..40_usize, back in 1..6_u64) {
        let monitor = monitor(1.0);
        let text = format!("{LEAFLET} {INVENTED}\n\n1. {INVENTED}\n");
        let whole = {
            let mut s = session(&monitor);
            s.push_text(&text, Push::default()).expect("push");
            s.finish().expect("finish");
            spans(&s)
        };
        let mut s = session(&monitor);
        let mut at = 0;
        while at < text.len() {
            let mut end = (at + cut).min(text.len());
            while !text.is_char_boundary(end) { end += 1; }
            s.push_text(&text[at..end], Push::default()).expect("push");
            at = end;
            for _ in 0..back {
                s.push_text(" Unheard-of wombats gallop.", Push::default()).expect("push");
            }
            s.rollback(back).expect("rollback");
        }
        s.finish().expect("finish");
        prop_assert!(!whole.is_empty());
        prop_assert_eq!(spans(&s), whole);
    }
}
