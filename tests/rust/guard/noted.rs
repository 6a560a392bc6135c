//! Notes about claims that the reader has.

use super::*;

fn token() -> Policy {
    Policy {
        release: Release::Token,
        ..Policy::default()
    }
}

/// Every wrong value of a sentence is put right, and the record says of each what was done.
#[test]
fn each_wrong_value_of_a_sentence_that_has_left_is_put_right() {
    // req: S4-034
    let text =
        "Tomas Berg works in Marketing and the Harbour Museum was founded in 1992. It is open.";
    let (first, second) = (
        "(Correction: Conservation, not Marketing.)",
        "(Correction: 1987, not 1992.)",
    );
    for size in [1, 3] {
        let done = drive(
            guarded(token()),
            &[text, " It is open.", " It is open."],
            size,
        );
        for note in [first, second] {
            assert_eq!(done.released.matches(note).count(), 1, "{}", done.released);
        }
        assert!(done.released.ends_with("It is open."), "{}", done.released);
        let of_one = |i: &groundwire_core::guard::Intervention| {
            let wrong = i.findings.iter().filter(|f| f.replacement.is_some());
            i.action == Action::Correct && wrong.count() == 1
        };
        let done = done.guard.interventions().to_vec();
        assert_eq!(done.iter().filter(|i| of_one(i)).count(), 2, "{done:?}");
    }
    // One more than may be said is said of no value.
    let policy = Policy {
        max_interventions: 1,
        ..token()
    };
    let done = drive(guarded(policy), &[text, " It is open."], 1);
    assert_eq!(
        done.released.matches("(Correction").count(),
        1,
        "{}",
        done.released
    );
}
