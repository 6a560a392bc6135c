//! What is put right in texts with what nobody sees in them.

use serde_json::Value as Json;

use super::*;

#[test]
fn what_is_put_right_goes_with_what_stood_in_it() {
    let all: Json =
        serde_json::from_str(include_str!("../../vectors/visible.json")).expect("vectors");
    for pair in all["put_right"].as_array().expect("pairs") {
        let at = |i: usize| pair[i].as_str().expect("text");
        let (sent, right, rest) = (at(0), at(1), at(2));
        for size in [1, 3, 1000] {
            let done = drive(guarded(Policy::default()), &[sent, rest], size);
            assert_eq!(done.released, right, "{sent:?} by {size}");
        }
    }
}
