//! dbg
use super::*;
#[test]
fn dbg1() {
    let r = Ruleset::new(vec![RuleSpec {
        literals: vec!["aba".into()],
        ..RuleSpec::of_regex("r", "[ab]")
    }])
    .unwrap();
    let mut st = r.start();
    for c in ["a", "b", "b"] {
        let mut v = vec![];
        r.push(&mut st, c, &mut |m| v.push(m));
        panic_free(&v, &st);
    }
}
fn panic_free(v: &Vec<RuleMatch>, st: &groundwire_core::patterns::PatternState) {
    eprintln!("{v:?} {st:?}");
}
