//! Tests of `claims`.
use groundwire_core::segment;

#[test]
fn probe() {
    for t in ["40% of 12 km and $5 million in 1987, 5,000,000 euros, May 2, 1987, 2 May 1987, closed on Mondays at 9:30, twelve rooms, 3rd floor, about 300 people, 12-14 years"] {
        for (e, s) in segment::collect(t) { eprintln!("{e:?} {s:?}"); }
    }
    panic!();
}
