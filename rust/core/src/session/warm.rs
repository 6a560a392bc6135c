//! The tables of the readers and detectors, read before a stream needs them.

use std::sync::Once;

use super::{Context, Push, Session};
use crate::monitor::{Monitor, Settings};

/// Sentences that between them ask most readers and detectors; they are nobody's.
const SOURCE: &str = "The Harbour Museum was founded in 1987 by Ada Lind and has 14 rooms. It is open \
    from Monday to Friday, 9 am to 5 pm, and closed on Sundays. A ticket costs $12, and children \
    pay half. It has no lift, and the roof is not safe. Two thirds of the guests came in May 2019.";
const ANSWER: &str = "According to a study, the museum was founded in 1978 by Ada Lind [1]. It has a \
    lift and 15 rooms, and is open on Sunday from 10:00 to 18:00. Tickets cost $15 before tax. \
    Half of the guests came in May 2019, I think; nobody said so.\n\n- Address: 12 Quay Street\n\
    - Hours: daily\n\nIt might be unsafe, but all of the 300 visitors liked it. Is it cheap? Ask \
    them twice a week. I was wrong: \"the roof is safe\", she said in the third week.";

/// Reads the tables that are otherwise read when a stream first needs them, so that no token waits
/// for them; once a process. What streams say does not depend on it.
pub fn warm() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let all = Settings {
            support_threshold: 1.0,
            word_support_threshold: 1.0,
            detail_threshold: 0.0,
            ..Settings::default()
        };
        let Ok(monitor) = Monitor::builder().settings(all).build() else {
            return;
        };
        let source = [("source".to_owned(), SOURCE.to_owned())];
        let told = [("assistant".to_owned(), SOURCE.to_owned())];
        let question = Some("When was the museum founded?");
        let mut session = Session::new(&monitor, Context::new(&monitor, &source, &told, question));
        // A stream that stops here has said what it found to nobody.
        drop(session.contain(|session| {
            session.push_text(ANSWER, Push::default())?;
            session.finish()
        }));
    });
}
