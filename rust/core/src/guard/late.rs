//! Where a rewrite and the text around it would not read as prose: a lead-in behind which nothing
//! follows, a note that comes when the next sentence has begun.

use super::act::{Case, MAX_CORRECTIONS, QUOTATION_REACH};
use super::layout::fence;
use super::wording::{self, What};
use super::{Directive, Fixed, Guard, Mark, StopReason};
use crate::policy::AfterInterrupt;
use crate::tier::contradicted;
use crate::types::{Action, Finding, Sentence, SentenceKind, Span, Tier};

/// Bytes at the end of a text that tell whether a sentence ends there.
const SENTENCE_TAIL: usize = 64;

/// A lead-in that was written before a claim.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    /// Where it begins.
    at: usize,
    /// End of the text that was forced there.
    forced_to: usize,
    /// Whether the text being pushed is still forced.
    open: bool,
    /// The claim it was written for.
    case: Case,
    focus: Finding,
}

/// A note about a claim the reader has.
#[derive(Debug, Clone)]
pub(super) struct Late {
    pub(super) case: Case,
    focus: Finding,
    action: Action,
}

impl Lead {
    pub(super) const fn begins_before(&self, byte: usize) -> bool {
        self.at < byte
    }

    pub(super) const fn case(&self) -> &Case {
        &self.case
    }
}

impl Guard {
    /// A lead-in is to be written at byte `at`.
    pub(super) fn leads_in(&mut self, at: usize, case: &Case, focus: &Finding) {
        self.lead = Some(Box::new(Lead {
            at,
            forced_to: at,
            open: true,
            case: case.clone(),
            focus: focus.clone(),
        }));
    }

    /// A push has come; the first that is not forced is the model's.
    pub(super) fn follow_lead(&mut self, forced: bool) {
        if let Some(lead) = &mut self.lead {
            lead.open &= forced;
            if lead.open {
                lead.forced_to = self.session.text_end();
            }
        }
    }

    /// A sentence has closed. If it is a lead-in and nothing more, it says nothing, so that what
    /// could not be verified is said in its place. True if text was rewritten or the answer ended.
    pub(super) fn settle_lead(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        let within = |lead: &Lead| sentence.span.start <= lead.at && lead.at < sentence.span.end;
        let Some(lead) = self.lead.take_if(|lead| within(lead)) else {
            return false;
        };
        let forced = Span::new(lead.at, lead.forced_to.min(sentence.span.end));
        let follows = self.session.slice(Span::new(forced.end, sentence.span.end));
        // An application's own words may say all there is to say.
        let complete = wording::ends_sentence(self.session.slice(forced));
        if complete {
            return false;
        }
        if follows.contains(char::is_alphanumeric) {
            return self.join_lead(&lead, sentence, forced, out);
        }
        let what = What::named(&lead.focus, &lead.case.found);
        let before = self.session.before(lead.at, QUOTATION_REACH).trim_end();
        let said = wording::unverified(&what, self.rewrites, before);
        // A list's mark may have left before what it stands for.
        let before = self.session.slice(Span::new(sentence.span.start, lead.at));
        let start = if before.contains(char::is_alphanumeric) {
            sentence.span.start
        } else {
            lead.at
        };
        let case = Case {
            sentence: Sentence {
                span: Span::new(start, sentence.span.end),
                ..sentence
            },
            ..lead.case
        };
        let at = lead.at.max(self.released_to);
        let waits = self.held_from().is_some_and(|from| from < at);
        let stops = self.policy.after_interrupt == AfterInterrupt::Stop;
        let reason = if stops {
            StopReason::Interrupted
        } else {
            StopReason::Exhausted
        };
        // The answer ends here only where nothing before may still turn out wrong.
        if waits || !(stops || self.rewrites >= self.policy.max_interventions) {
            return self.rewrite(&case, Action::Interrupt, at, &said, out);
        }
        self.settle_at(&case, Action::Interrupt, at, &said, out);
        self.end(reason, out);
        true
    }

    /// Keeps a note for the end of the sentence that the reader is in; false if there is none.
    ///
    /// Behind the row of a table, and in a line that has begun, a note would be read as part of it:
    /// it waits for the end of the list or table.
    fn comes_late(&mut self, case: &Case, focus: &Finding, action: Action) -> bool {
        let end = case.sentence.span.end;
        let reader_in = |start: usize| start >= end && start < self.released_to;
        let kind = case.sentence.kind;
        let inside = matches!(kind, SentenceKind::TableRow | SentenceKind::Code)
            || self.in_line_behind(end)
            || (!self.session.is_finished() && self.session.open_sentence().is_some_and(reader_in));
        if inside {
            self.late.push(Late {
                case: case.clone(),
                focus: focus.clone(),
                action,
            });
        }
        inside
    }

    /// Whether the reader is in a later line than byte `end`, of which something has left.
    fn in_line_behind(&self, end: usize) -> bool {
        let left = self
            .session
            .slice(Span::new(end.min(self.released_to), self.released_to));
        left.trim_start_matches([' ', '\t'])
            .starts_with(['\n', '\r'])
            && !left.trim().is_empty()
    }

    /// The sentence that the reader was in has closed and stays: the oldest note is written behind
    /// it. True if text was rewritten.
    pub(super) fn settle_late(&mut self, sentence: Sentence, out: &mut Vec<Directive>) -> bool {
        let prose = sentence.kind == SentenceKind::Prose;
        let Some(first) = self.late.first().map(|late| late.case.sentence) else {
            return false;
        };
        if !prose || first.span.end >= sentence.span.end || self.gap(&first).is_some() {
            return false;
        }
        self.say_late(sentence.span.end, out)
    }

    /// Writes the notes that wait behind an empty line, and at the end of the answer all of them.
    /// True if text was rewritten.
    pub(super) fn settle_breaks(&mut self, out: &mut Vec<Directive>) -> bool {
        while let Some(late) = self.late.first() {
            let ends = self.session.is_finished();
            let at =
                (self.gap(&late.case.sentence)).or_else(|| ends.then(|| self.session.text_end()));
            let Some(at) = at else { return false };
            if self.rewrites >= self.policy.max_interventions {
                return false;
            }
            if self.say_late(at, out) {
                return true;
            }
        }
        false
    }

    fn say_late(&mut self, end: usize, out: &mut Vec<Directive>) -> bool {
        if self.rewrites >= self.policy.max_interventions {
            return false;
        }
        let late = self.late.remove(0);
        // What is due at the same place is said at once: each would take back what the other says.
        let room = (self.policy.max_interventions - self.rewrites).saturating_sub(1) as usize;
        let due = self.late.iter().take(room);
        let due = due
            .take_while(|other| other.case.sentence.span.end < end)
            .count();
        let others: Vec<Late> = self.late.drain(..due).collect();
        self.append_at(&late, &others, end, out)
    }

    /// Where the first empty line behind a claim ends behind which nothing has left, code apart.
    fn gap(&self, claim: &Sentence) -> Option<usize> {
        let from = self.session.text_start().max(claim.span.end);
        let text = self.session.slice(Span::new(from, self.session.text_end()));
        let opens = fence(self.session.slice(claim.span)).is_some();
        let (mut at, mut ended) = (from, false);
        let mut code = claim.kind == SentenceKind::Code && !opens;
        for line in text.split_inclusive('\n') {
            let blank = line.trim().is_empty();
            at += line.len();
            code ^= ended && fence(line).is_some();
            // The first piece is the rest of the claim's own line.
            if blank && ended && !code && line.ends_with('\n') && at >= self.released_to {
                return Some(at);
            }
            ended = line.ends_with('\n');
        }
        None
    }

    /// The reader has the claim: what is to be said is appended after it, and every other value in it
    /// that is known to be wrong is put right there too.
    pub(super) fn append(
        &mut self,
        case: &Case,
        focus: &Finding,
        action: Action,
        out: &mut Vec<Directive>,
    ) -> bool {
        self.attempts
            .insert(case.sentence.span.start, MAX_CORRECTIONS);
        let (case, others) = self.apart(case, focus);
        if self.inline.is_some() {
            let mut over = self.note(&case, focus, action);
            for other in &others {
                over = over || self.note(&other.case, &other.focus, other.action);
            }
            return over;
        }
        let stops =
            action == Action::Interrupt && self.policy.after_interrupt == AfterInterrupt::Stop;
        if !stops && self.comes_late(&case, focus, action) {
            self.late.extend(others);
            return false;
        }
        let end = case.sentence.span.end;
        let late = Late {
            case,
            focus: focus.clone(),
            action,
        };
        self.append_at(&late, &others, end, out)
    }

    /// A claim with what was found in it but for the wrong values that a note of their own puts right,
    /// beside the one in focus, as far as more may be said.
    fn apart(&self, case: &Case, focus: &Finding) -> (Case, Vec<Late>) {
        let room = self
            .policy
            .max_interventions
            .saturating_sub(self.rewrites + 1) as usize;
        let mut said: Vec<Span> = focus.span.into_iter().collect();
        let mut own = Case {
            found: Vec::new(),
            ..case.clone()
        };
        let mut others = Vec::new();
        for finding in &case.found {
            let wrong = finding.tier >= Tier::Medium
                && contradicted(finding)
                && finding.replacement.is_some()
                && finding.p_hallucinated >= self.policy.auto_correct;
            let fresh = |span: &Span| !said.iter().any(|other| other.overlaps(*span));
            match finding.span.filter(fresh) {
                Some(span) if wrong && others.len() < room => {
                    said.push(span);
                    others.push(Late {
                        case: Case {
                            found: vec![finding.clone()],
                            ..case.clone()
                        },
                        focus: finding.clone(),
                        action: Action::Correct,
                    });
                }
                _ => own.found.push(finding.clone()),
            }
        }
        (own, others)
    }

    /// The same after byte `end`; with other text between, the note says what it is about. Notes about
    /// `others` follow it.
    fn append_at(
        &mut self,
        late: &Late,
        others: &[Late],
        end: usize,
        out: &mut Vec<Directive>,
    ) -> bool {
        let (case, focus, action) = (&late.case, &late.focus, late.action);
        let at = end.max(self.released_to);
        let between = Span::new(case.sentence.span.end.min(at), at);
        let apart = !self.session.slice(between).trim().is_empty();
        let note = wording::after_the_fact(focus, action == Action::Correct, apart);
        let (before, after) = self.around(&case.sentence, at, &note);
        let between = if before.contains('\n') || after.contains('\n') {
            "\n\n"
        } else {
            " "
        };
        let more: Vec<String> = (others.iter())
            .map(|one| {
                let apart = apart || one.case.sentence.span != case.sentence.span;
                wording::after_the_fact(&one.focus, one.action == Action::Correct, apart)
            })
            .collect();
        let code = if self.session.in_fence() && at == self.session.text_end() {
            self.close_fence(at)
        } else {
            String::new()
        };
        let before = if code.is_empty() { before } else { &code };
        let mut said = vec![note.as_str()];
        for one in &more {
            if !said.contains(&one.as_str()) {
                said.push(one);
            }
        }
        let note = format!("{before}{}{after}", said.join(between));
        let over = self.put_note(late, at, &note, out);
        let stands = over || self.fixed != Fixed::No;
        for (one, said) in others.iter().zip(&more) {
            if stands {
                self.record(&one.case, one.action, Span::new(at, at), "", said);
                self.rewrites += 1;
            } else {
                self.annotate(&one.case, &one.focus);
            }
        }
        over
    }

    /// Puts a note at byte `at`. True if text was rewritten or the answer ended.
    fn put_note(&mut self, late: &Late, at: usize, note: &str, out: &mut Vec<Directive>) -> bool {
        let (case, action) = (&late.case, late.action);
        if action == Action::Interrupt && self.policy.after_interrupt == AfterInterrupt::Stop {
            self.settle_at(case, action, at, note, out);
            self.end(StopReason::Interrupted, out);
            return true;
        }
        if self.fixed != Fixed::No {
            self.marks
                .entry(at)
                .or_default()
                .push(Mark::Text(note.to_owned()));
            self.record(case, action, Span::new(at, at), "", note);
            self.rewrites += 1;
            return false;
        }
        self.rewrite(case, action, at, note, out)
    }

    /// What stands before and behind a note at byte `at` about a claim that ends before it.
    fn around(&self, of: &Sentence, at: usize, note: &str) -> (&'static str, &str) {
        let before = self.session.before(at, SENTENCE_TAIL);
        let space = self.session.slice(Span::new(of.span.end.min(at), at));
        // Behind other lines, and behind a table, a note is a paragraph.
        let block = matches!(of.kind, SentenceKind::TableRow | SentenceKind::Code);
        let alone = block || (space.contains('\n') && !space.trim().is_empty());
        if alone && self.gap_before(at) {
            return (
                "",
                if self.session.is_finished() {
                    ""
                } else {
                    "\n\n"
                },
            );
        }
        if alone && self.session.is_finished() {
            let ends = before.trim_end_matches([' ', '\t']);
            return (if ends.ends_with('\n') { "\n" } else { "\n\n" }, "");
        }
        // Nobody who only goes on writes the space again that has left before the note.
        let again = self.fixed != Fixed::No && space.trim().is_empty();
        (self.joint(at, note), if again { space } else { "" })
    }

    /// Whether an empty line ends at byte `at`.
    fn gap_before(&self, at: usize) -> bool {
        let before = self.session.before(at, SENTENCE_TAIL);
        let mut lines = before.rsplit('\n');
        lines.next() == Some("") && lines.next().is_some_and(|line| line.trim().is_empty())
    }

    /// What stands between the text before byte `at` and a statement put there. Where holding was
    /// given up the text may end inside a word or a sentence: that is closed first.
    pub(super) fn joint(&self, at: usize, statement: &str) -> &'static str {
        let before = self.session.before(at, SENTENCE_TAIL);
        let inside = |start: usize| start < at;
        let cut = self
            .session
            .sentences_from(at)
            .any(|sentence| inside(sentence.span.start))
            || self.session.open_sentence().is_some_and(inside);
        // What was left out took its space with it.
        let left = at == self.released_to && !self.released.is_empty();
        let said = if left { &self.released } else { before };
        match (
            cut && !wording::ends_sentence(before),
            statement.starts_with(char::is_whitespace),
        ) {
            (true, true) => "…",
            (true, false) => "… ",
            (false, true) => "",
            (false, false) if said.ends_with(|c: char| !c.is_whitespace()) => " ",
            (false, false) => "",
        }
    }
}
