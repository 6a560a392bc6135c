//! dbg
use super::*;
#[test]
fn dbg1() {
    let t = std::time::Instant::now();
    let r = Ruleset::builtin();
    eprintln!("{:?} {} rules", t.elapsed(), r.len());
    for t in [
        "Studies show that 40 % of people agree.",
        "According to a recent study, ISBN 978-3-16-148410-1 is bad. ISBN 978-3-16-148410-0 is good, IBAN DE89 3704 0044 0532 0130 00 BIC ok. arXiv:1399.1234 x",
        "I am not certain, May 2020, it may be",
    ] {
        for m in r.scan(t) {
            eprintln!(
                "{} {:?} {}",
                r.rule(m.rule).id,
                &t[m.span.start..m.span.end],
                m.decided_at
            );
        }
    }
}
