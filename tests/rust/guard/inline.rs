//! A guard that can only append, driven as an engine drives it: tokens are bytes here, and a model
//! goes on with its script whatever was said in between.

use super::properties::script;
use super::*;
use groundwire_core::detok::Vocab;
use groundwire_core::guard::Said;
use groundwire_core::monitor::Monitor;
use groundwire_core::types::TokenId;

/// The monitor of the other tests, over a vocabulary of pieces.
fn with_pieces(pieces: &[String]) -> Monitor {
    let entries = (0..)
        .zip(pieces)
        .map(|(id, piece)| (id, piece.as_bytes().to_vec(), false))
        .collect();
    crate::session::builder()
        .vocab(Vocab::from_entries(entries).unwrap())
        .build()
        .unwrap()
}

/// What came of a stream of an engine.
struct Engine {
    ids: Vec<TokenId>,
    forced: Vec<bool>,
    text: String,
    guard: Guard,
}

struct Model {
    pieces: Vec<String>,
    monitor: Monitor,
}

impl Model {
    /// A model that can write these texts cut into pieces, and any character of a note.
    fn of(text: &str, size: usize) -> (Self, Vec<TokenId>) {
        let mut pieces: Vec<String> = (32..127_u8).map(|b| char::from(b).to_string()).collect();
        pieces.extend(["\n", "“", "”", "é", "…"].map(String::from));
        let mut ids = Vec::new();
        for piece in super::pieces(text, size) {
            let at = pieces.iter().position(|p| *p == piece).unwrap_or_else(|| {
                pieces.push(piece);
                pieces.len() - 1
            });
            ids.push(TokenId::try_from(at).unwrap());
        }
        let monitor = with_pieces(&pieces);
        (Self { pieces, monitor }, ids)
    }

    fn guard(&self, policy: Policy) -> Guard {
        Guard::appending(Session::new(&self.monitor, context(&self.monitor)), policy)
    }

    fn encode(&self, text: &str) -> Vec<TokenId> {
        text.chars()
            .map(|c| {
                let c = c.to_string();
                let at = self.pieces.iter().position(|p| *p == c);
                TokenId::try_from(at.expect("a character of a note")).unwrap()
            })
            .collect()
    }

    /// Runs the script as an engine does: what is to be said is asked for before each token.
    fn run(&self, script: &[TokenId], policy: Policy) -> Engine {
        let mut guard = self.guard(policy);
        let (mut ids, mut forced) = (Vec::new(), Vec::new());
        let mut rest = script.iter().copied();
        'answer: loop {
            let next = rest.clone().next();
            if let Some(said) = self.settled(&guard, next) {
                guard.speak(&said);
                for id in self.encode(&said.text) {
                    let (_, out) = guard.push(id, FORCED, 0).unwrap();
                    ids.push(id);
                    forced.push(true);
                    assert!(!rewinds(&out));
                    if guard.stopped().is_some() {
                        break 'answer;
                    }
                }
                continue;
            }
            let Some(id) = next else { break };
            rest.next();
            let (_, out) = guard.push(id, Push::default(), 0).unwrap();
            ids.push(id);
            forced.push(false);
            assert!(!rewinds(&out));
            if guard.stopped().is_some() {
                break;
            }
        }
        let text = ids.iter().map(|&id| &*self.pieces[id as usize]).collect();
        Engine {
            ids,
            forced,
            text,
            guard,
        }
    }

    /// What the guard foresees, as far as whoever reads the ids later comes to it as well.
    fn settled(&self, guard: &Guard, next: Option<TokenId>) -> Option<Said> {
        let said = guard.foresee(next.as_slice()).unwrap()?;
        let note = self.encode(&said.text);
        (guard.foresee(&note).unwrap().as_ref() == Some(&said)).then_some(said)
    }

    /// Tells from ids alone which were forced: what the front end and a preempted engine do.
    fn replay(&self, ids: &[TokenId], policy: Policy) -> (Guard, Vec<bool>) {
        let mut guard = self.guard(policy);
        let mut forced = Vec::new();
        while forced.len() < ids.len() && guard.stopped().is_none() {
            let at = forced.len();
            let said = guard.foresee(&ids[at..]).unwrap();
            let note = said.as_ref().map(|said| self.encode(&said.text));
            match (said, note) {
                (Some(said), Some(note)) if ids[at..].starts_with(&note) => {
                    guard.speak(&said);
                    for id in note {
                        guard.push(id, FORCED, 0).unwrap();
                        forced.push(true);
                    }
                }
                _ => {
                    guard.push(ids[at], Push::default(), 0).unwrap();
                    forced.push(false);
                }
            }
        }
        (guard, forced)
    }
}

fn rewinds(out: &[Directive]) -> bool {
    out.iter()
        .any(|d| matches!(d, Directive::Rewind { .. } | Directive::Wait))
}

fn answer(text: &str, size: usize, policy: Policy) -> Engine {
    let (model, ids) = Model::of(text, size);
    model.run(&ids, policy)
}

#[test]
fn a_note_stands_right_behind_its_claim() {
    // req: S4-028
    let text = "The Harbour Museum was founded in 1992. It is closed on Mondays.";
    for size in [1, 2, 3, 5, 39, 40] {
        let done = answer(text, size, Policy::default());
        if size == 40 {
            // The space behind the full stop came with it: the note is followed by one.
            assert_eq!(
                done.text,
                "The Harbour Museum was founded in 1992. (Correction: 1987, not 1992.) It is \
                 closed on Mondays."
            );
        }
        assert_eq!(
            done.text.replace(" (Correction: 1987, not 1992.)", ""),
            text,
            "{size}"
        );
        assert!(done.text.starts_with(
            "The Harbour Museum was founded in 1992. (Correction: 1987, not 1992.) It"
        ));
        assert_eq!(done.guard.interventions().len(), 1);
        assert!(done.guard.interventions()[0].already_sent);
    }
}

#[test]
fn a_line_break_does_not_part_a_note_from_its_claim() {
    for gap in ["\n", "\n\n"] {
        let text = format!("The Harbour Museum was founded in 1992.{gap}It is closed on Mondays.");
        let done = answer(&text, 1, Policy::default());
        let noted = "1992. (Correction: 1987, not 1992.)";
        assert_eq!(done.text, text.replace("1992.", noted));
        let right = text.replace("1992", "1987");
        assert_eq!(answer(&right, 1, Policy::default()).text, right);
    }
}

#[test]
fn a_list_is_not_torn_and_its_notes_follow_it() {
    let done = answer(
        "- The Harbour Museum was founded in 1992\n- It is closed on Mondays\n",
        1,
        Policy::default(),
    );
    assert_eq!(
        done.text,
        "- The Harbour Museum was founded in 1992\n- It is closed on Mondays\n\n(Correction: \
         1987, not 1992.)\n\n"
    );
}

#[test]
fn nothing_is_said_where_the_number_or_the_name_goes_on() {
    for text in [
        "The Harbour Museum was founded in 1987. It is closed on Mondays.",
        "The Harbour Museum is old, cf. Vol. 3.5 of the series. Really.",
        "Ada Lind founded it, with Tomas Berg Jr. and others, in 1987. Yes.",
    ] {
        for size in [1, 3] {
            let done = answer(text, size, Policy::default());
            assert_eq!(done.text, text);
        }
    }
}

#[test]
fn a_note_that_comes_late_is_said_once_and_nothing_else_is_lost() {
    // The first sentence closes with a piece that reaches into the next: its note comes after
    // that one, together with the next one's own.
    let text = "The Harbour Museum was founded in 1992. Tomas Berg works in the Marketing \
                department. It is open.";
    let (mut model, _) = Model::of(text, 3);
    let cut = [
        "The Harbour Museum was founded in 1992. Tomas",
        " Berg works in the Marketing department",
        ".",
        " It is open.",
    ];
    let mut ids = Vec::new();
    for piece in cut {
        model.pieces.push(piece.into());
        ids.push(TokenId::try_from(model.pieces.len() - 1).unwrap());
    }
    model.monitor = with_pieces(&model.pieces);
    let done = model.run(&ids, Policy::default());
    assert_eq!(
        done.text.matches("1987, not 1992").count(),
        1,
        "{}",
        done.text
    );
    assert_eq!(
        done.text
            .matches("the Conservation department, not the Marketing department")
            .count(),
        1,
        "{}",
        done.text
    );
    assert!(
        done.text.contains(
            "Marketing department. (Correction: 1987, not 1992.) (Correction: the Conservation \
             department, not the Marketing department.) It is open."
        ),
        "{}",
        done.text
    );
}

#[test]
fn an_answer_that_ends_there_says_so_first() {
    let policy = Policy {
        after_interrupt: AfterInterrupt::Stop,
        medium: Action::Interrupt,
        ..Policy::default()
    };
    let text = "It is open. Zorblax Quimby opened the wing. It is closed on Mondays.";
    let done = answer(text, 1, policy);
    assert_eq!(done.guard.stopped(), Some(StopReason::Interrupted));
    assert!(
        done.text
            .trim_end()
            .ends_with("opened the wing. (I could not confirm this.)"),
        "{}",
        done.text
    );
}

#[test]
fn what_is_to_be_discarded_ends_at_once_and_says_nothing() {
    let policy = Policy {
        medium: Action::Discard,
        ..Policy::default()
    };
    let text = "It is open. Zorblax Quimby opened the wing. It is closed on Mondays.";
    let done = answer(text, 3, policy);
    assert_eq!(done.guard.stopped(), Some(StopReason::Discarded));
    assert!(!done.text.contains('('), "{}", done.text);
    assert!(!done.text.contains("closed"), "{}", done.text);
}

#[test]
fn at_most_so_many_notes() {
    let text = String::from("The Harbour Museum was founded in 1992. ")
        + "Tomas Berg works in the Marketing department. The Harbour Museum opened in 1993. \
           It was founded in 1994. Done.";
    let policy = Policy {
        max_interventions: 1,
        ..Policy::default()
    };
    let done = answer(&text, 3, policy);
    assert_eq!(done.guard.stopped(), Some(StopReason::Exhausted));
    assert_eq!(
        done.text.matches("I will stop here").count(),
        1,
        "{}",
        done.text
    );
}

#[test]
fn nothing_is_said_inside_a_quotation_or_a_character() {
    let text = "Ada Lind said: “The Harbour Museum was founded in 1992. It is old.” So it is. Yes.";
    let done = answer(text, 1, Policy::default());
    let quotation = done.text.find('”').unwrap();
    assert!(!done.text[..quotation].contains('('), "{}", done.text);

    let monitor = crate::session::monitor();
    let mut guard = Guard::appending(Session::new(&monitor, context(&monitor)), Policy::default());
    guard.push_text("It is open.", Push::default(), 0).unwrap();
    assert!(guard.at_boundary());
    guard
        .session_mut()
        .push_bytes(&[0xc3], Push::default())
        .unwrap();
    assert!(!guard.at_boundary());
}

#[test]
fn a_policy_that_only_watches_asks_nowhere() {
    let (model, ids) = Model::of("The Harbour Museum was founded in 1992. It is open.", 3);
    for (policy, asks) in [(Policy::observe(), false), (Policy::default(), true)] {
        assert_eq!(policy.only_watches(), !asks);
        let mut guard = model.guard(policy);
        let mut boundaries = 0;
        for &id in &ids {
            guard.push(id, Push::default(), 0).unwrap();
            boundaries += usize::from(guard.at_boundary());
        }
        guard.finish(0).unwrap();
        assert_eq!(boundaries > 0, asks);
        assert!(!guard.report().report.findings.is_empty());
    }
}

#[test]
fn a_fork_is_a_stream_of_its_own() {
    let (model, ids) = Model::of("The Harbour Museum was founded in 1992. It is open.", 3);
    let mut guard = model.guard(Policy::default());
    for &id in &ids[..8] {
        guard.push(id, Push::default(), 0).unwrap();
    }
    let before = guard.report();
    let mut fork = guard.fork();
    for &id in &ids[8..] {
        fork.push(id, Push::default(), 0).unwrap();
    }
    assert_ne!(fork.report(), before);
    assert_eq!(guard.report(), before);
}

#[test]
fn what_was_not_said_is_there_for_whoever_can_say_it() {
    let (model, ids) = Model::of("The Harbour Museum was founded in 1992.", 3);
    let mut guard = model.guard(Policy::default());
    for id in ids {
        guard.push(id, Push::default(), 0).unwrap();
    }
    assert_eq!(guard.unsaid(), None);
    guard.finish(0).unwrap();
    assert_eq!(
        guard.unsaid().unwrap().text,
        " (Correction: 1987, not 1992.)"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_script_stays_and_the_ids_tell_what_was_forced(
        text in script(0), size in 1..9_usize, turns in 1..6_u32,
    ) {
        let policy = Policy { max_interventions: turns, ..Policy::default() };
        let (model, ids) = Model::of(&text, size);
        let done = model.run(&ids, policy.clone());
        // Every token of the model is there, in order, up to where the answer ended.
        let own: Vec<TokenId> = done.ids.iter().zip(&done.forced)
            .filter(|(_, forced)| !**forced).map(|(id, _)| *id).collect();
        prop_assert!(ids.starts_with(&own));
        if done.guard.stopped().is_none() {
            prop_assert_eq!(&own, &ids);
        }
        // Whoever reads the ids comes to the same state. Whether a space before a note was the
        // model's own can't be told where spaces are tokens.
        let (again, forced) = model.replay(&done.ids, policy);
        let words = |flags: &[bool]| -> Vec<bool> {
            let shown = done.ids.iter().zip(flags);
            shown.filter(|(id, _)| model.pieces[**id as usize] != " ").map(|(_, f)| *f).collect()
        };
        prop_assert_eq!(words(&forced), words(&done.forced));
        let noted = |guard: &Guard| -> Vec<_> {
            guard.interventions().iter().map(|i| (i.action, i.span, i.inserted.clone())).collect()
        };
        prop_assert_eq!(noted(&again), noted(&done.guard));
        prop_assert_eq!(again.stopped(), done.guard.stopped());
        prop_assert_eq!(again.unsaid(), done.guard.unsaid());
        prop_assert_eq!(done.guard.session().text(), &done.text);
    }

    #[test]
    fn a_note_is_about_what_the_session_finds_without_it(text in script(0), size in 1..9_usize) {
        let policy = Policy { max_interventions: 100, ..Policy::default() };
        let (model, ids) = Model::of(&text, size);
        let done = model.run(&ids, policy);
        let mut plain = Session::new(&model.monitor, context(&model.monitor));
        plain.push_text(&text, Push::default()).unwrap();
        plain.finish().unwrap();
        let found: Vec<_> = plain
            .log_since(0)
            .filter_map(|entry| match entry {
                Entry::Finding { finding, .. } => Some(finding),
                _ => None,
            })
            .collect();
        for made in done.guard.interventions() {
            // How well a sentence is supported depends on the words around it, forced ones too.
            for finding in made.findings.iter().filter(|f| f.status == Status::Contradicted) {
                prop_assert!(
                    found.iter().any(|f| f.kind == finding.kind && f.text == finding.text),
                    "{finding:?}"
                );
            }
        }
    }
}
