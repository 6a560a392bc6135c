//! The right value in the place of a wrong one.

use super::act::Case;
use super::owed::Owed;
use super::value::next_of;
use super::{Directive, Guard, wording};
use crate::types::{Action, Finding, Span};

impl Guard {
    pub(super) fn correct(
        &mut self,
        case: &Case,
        focus: &Finding,
        out: &mut Vec<Directive>,
    ) -> bool {
        let (Some(span), Some(right)) = (focus.span, focus.replacement.as_deref()) else {
            return self.interrupt(case, focus, out);
        };
        let (span, right) = if span.start >= self.released_to {
            (span, self.in_case(case.sentence.span.start, span, right))
        } else if let Some(rest) = self.rest_of_value(case.span(), span, right) {
            rest
        } else {
            return self.append(case, focus, Action::Correct, out);
        };
        *self.attempts.entry(case.sentence.span.start).or_insert(0) += 1;
        let behind = Span::new(span.end, case.sentence.span.end.max(span.end));
        let mut tail = self.session.slice(behind).to_owned();
        let (mut span, mut right) = (span, right);
        // What only begins as the wrong text did would be gone on with in the same way: the word
        // behind it tells the model that it is over.
        let left_out = self.session.slice(span).strip_prefix(&*right);
        if left_out.is_some_and(|rest| rest.trim_start().starts_with([',', '(', '—', '–'])) {
            let next = next_of(&tail);
            tail.drain(..next.len());
            span.end += next.len();
            right.push_str(&next);
        }
        let owed = Owed::of(case, span, &right, &tail);
        let over = self.rewrite(case, Action::Correct, span.start, &right, out);
        if over {
            self.owed = owed;
            self.follow_value(span.start, right, tail, case, focus);
        }
        over
    }

    /// What takes the place of a value, with the capital of the words that begin its sentence.
    fn in_case(&self, start: usize, place: Span, right: &str) -> String {
        let start = start.min(place.start);
        let whole = start >= self.session.text_start();
        let capital = self.session.slice(place).starts_with(char::is_uppercase);
        if capital && whole && wording::begins(self.session.slice(Span::new(start, place.start))) {
            wording::with_capital(right)
        } else {
            right.to_owned()
        }
    }
}
