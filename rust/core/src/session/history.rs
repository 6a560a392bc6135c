//! Checkpoints, rollback and replay: invariant 3.

use std::sync::Arc;

use super::opened::{opened, same_opening};
use super::record::{Event, Item, PushRecord};
use super::state::State;
use super::{Context, Mark, Push, Session, Step};
use crate::error::{Category, Error, Result};
use crate::monitor::Monitor;

/// Newest checkpoints that are all kept; older ones are thinned out.
const RECENT: usize = 16;
/// Bytes of text between older checkpoints.
const STRIDE: usize = 4096;
/// Bytes before the oldest place that stay all the same, or as many as the rules look back at; so
/// does the sentence before it within four times as many.
const BEHIND: usize = 1024;

/// The stream before one push.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    /// Running number of the first item after it.
    pub(super) item: u64,
    pub(super) pushes: u64,
    pub(super) text_end: usize,
    /// The same as sent.
    pub(super) sent_end: usize,
    pub(super) log_end: u64,
    pub(super) log_weight: usize,
    pub(super) state: Arc<State>,
    pub(super) context: Arc<Context>,
}

impl Session {
    /// Takes back the last `pushes` pushes. What came between pushes (evidence, verdicts,
    /// reports) stays, as far as the claims it names are still there.
    ///
    /// # Errors
    /// `RollbackTooFar` if that is further than what is retained; nothing changes then.
    /// `Latched` after `finish` and after an internal fault.
    pub fn rollback(&mut self, pushes: u64) -> Result<()> {
        let target = self.pushes.checked_sub(pushes).ok_or_else(|| {
            Error::new(
                Category::RollbackTooFar,
                format!(
                    "cannot take back {pushes} pushes: there were {}",
                    self.pushes
                ),
            )
        })?;
        self.back_to(target)
    }

    /// Takes back every push after `mark`.
    ///
    /// # Errors
    /// As [`Session::rollback`]; `Argument` for a mark of another session, and for one whose place
    /// was taken back since.
    pub fn rollback_to(&mut self, mark: Mark) -> Result<()> {
        if !self.finished && self.latched.is_none() {
            self.is_own(mark)?;
        }
        self.back_to(mark.pushes())
    }

    fn back_to(&mut self, target: u64) -> Result<()> {
        if self.finished && self.latched.is_none() {
            return Err(Error::new(
                Category::Latched,
                "this session is finished, and what it reported stands: roll back before \
                 finish(), or open another session",
            ));
        }
        self.reopen_at(target)
    }

    /// Takes back all but the first `target` pushes, and where the stream has ended it goes on: a
    /// rewrite may follow what only the end decided.
    pub(crate) fn reopen_at(&mut self, target: u64) -> Result<()> {
        if let Some(reason) = &self.latched {
            return Err(Error::new(Category::Latched, reason.clone()));
        }
        if target > self.pushes {
            return Err(Error::argument(format!(
                "cannot roll back to push {target}: there were only {}",
                self.pushes
            )));
        }
        if target == self.pushes && !self.finished {
            self.observed = None;
            return Ok(());
        }
        let at = self.checkpoints.iter().rposition(|c| c.pushes <= target);
        if at.is_none() && self.items_base > 0 {
            return Err(Error::new(
                Category::RollbackTooFar,
                format!(
                    "cannot roll back to push {target}: text before byte {} is no longer \
                     retained; raise max_retained to go back further",
                    self.text_start()
                ),
            ));
        }
        self.observed = None;
        self.course.turn();
        let kept = self.items_after(at);
        self.restore(at);
        let mut done = self.pushes;
        for item in kept {
            match item {
                Item::Push(record) if done < target => {
                    done += 1;
                    if self.state.wants_checkpoint() {
                        self.checkpoint();
                    }
                    self.apply_push(record);
                }
                Item::Push(_) => {}
                Item::Other(event) => self.reapply(*event),
            }
        }
        Ok(())
    }

    /// The events since the beginning, enough to rebuild the session with [`Session::replay`].
    ///
    /// # Errors
    /// `RollbackTooFar` if the stream outgrew its cap, so that its beginning is gone.
    pub fn events(&self) -> Result<Vec<Event>> {
        if self.items_base > 0 {
            return Err(Error::new(
                Category::RollbackTooFar,
                "the beginning of this stream is no longer retained, so it cannot be replayed; \
                 raise max_retained",
            ));
        }
        let day = self.origin.reference.map(|date| Event::Reference { date });
        Ok(day
            .into_iter()
            .chain(opened(&self.origin))
            .chain(self.items.iter().map(Item::event))
            .collect())
    }

    /// A session rebuilt from its events, on the day they name if they name one.
    ///
    /// # Errors
    /// `Argument` where `context` is not what the session was opened with, as far as its events
    /// say; else whatever the events' own calls raise: an id the vocabulary lacks, a claim that is
    /// not there.
    pub fn replay(monitor: &Monitor, context: Context, events: &[Event]) -> Result<Self> {
        let day = events.iter().find_map(|event| match event {
            Event::Reference { date } => Some(*date),
            _ => None,
        });
        same_opening(events, &context)?;
        let reference = day.or(context.reference);
        let mut session = Self::new(monitor, context.on(reference));
        for event in events {
            match event {
                Event::Reference { .. } | Event::Opened { .. } => {}
                Event::Token {
                    id,
                    forced,
                    own,
                    signals,
                } => {
                    let with = Push {
                        signals: *signals,
                        forced: *forced,
                        own: *own,
                        ..Push::default()
                    };
                    session.push(*id, with)?;
                }
                Event::Bytes {
                    bytes,
                    forced,
                    own,
                    signals,
                } => {
                    let with = Push {
                        signals: *signals,
                        forced: *forced,
                        own: *own,
                        ..Push::default()
                    };
                    session.push_bytes(bytes, with)?;
                }
                Event::Evidence { id, text } => session.add_evidence(id, text)?,
                Event::Expect { claim_id } => session.expect(claim_id)?,
                Event::Resolve { claim_id, verdict } => {
                    session.resolve(claim_id, verdict.clone())?;
                }
                Event::Report { claim_id, findings } => {
                    session.report_findings(claim_id.as_deref(), findings.clone())?;
                }
                Event::Cut => session.cut()?,
                Event::Finish => {
                    session.finish()?;
                }
            }
        }
        Ok(session)
    }

    /// The most pushes that end at or before `byte` with a whole character, and where they end. One
    /// that begins the next character is none of them: what comes behind it would be read with it.
    #[must_use]
    pub fn pushes_before(&self, byte: usize) -> Option<(u64, usize)> {
        let mut back = self.pushes;
        for item in self.items.iter().rev() {
            if let Item::Push(record) = item {
                if record.text_end <= byte && !record.partial {
                    return Some((back, record.text_end));
                }
                back -= 1;
            }
        }
        (self.items_base == 0).then_some((0, 0))
    }

    pub(super) fn apply_push(&mut self, mut record: PushRecord) -> Step {
        let before = self.log.end();
        let text_from = self.text_end();
        self.pushes += 1;
        self.process(&record);
        record.text_end = self.text_end();
        record.partial = !self.has_whole_characters();
        let item = Item::Push(record);
        self.items_cost += item.cost();
        self.items.push_back(item);
        let mut step = self.step_since(before, text_from);
        if let Some(signals) = &self.last_signals {
            step.signals = Some(**signals);
        }
        step
    }

    /// Applies an event again after a rollback, unless what it names is gone.
    fn reapply(&mut self, event: Event) {
        let still = match &event {
            Event::Cut | Event::Finish => false,
            Event::Expect { claim_id } | Event::Resolve { claim_id, .. } => {
                self.find_claim(claim_id).is_ok()
            }
            Event::Report { claim_id, findings } => {
                claim_id
                    .as_ref()
                    .is_none_or(|id| self.find_claim(id).is_ok())
                    && findings
                        .iter()
                        .all(|f| f.span.is_none_or(|span| span.end <= self.text_end()))
            }
            _ => true,
        };
        if still {
            self.happen(event);
        }
    }

    pub(super) fn checkpoint(&mut self) {
        let point = Checkpoint {
            item: self.items_base + self.items.len() as u64,
            pushes: self.pushes,
            text_end: self.text.end(),
            sent_end: self.text_end(),
            log_end: self.log.end(),
            log_weight: self.log.weight(),
            state: Arc::new(self.state.clone()),
            context: self.context.clone(),
        };
        self.state.checkpointed();
        self.checkpoints.push_back(point);
        let settled = self.checkpoints.len().saturating_sub(RECENT);
        if settled >= 2 {
            let (older, newer) = (settled - 2, settled - 1);
            let gap = self.checkpoints[newer].text_end - self.checkpoints[older].text_end;
            let pushes = self.checkpoints[newer].pushes - self.checkpoints[older].pushes;
            if gap < STRIDE && pushes < STRIDE as u64 {
                self.checkpoints.remove(newer);
            }
        }
    }

    /// Items after checkpoint `at` (after the beginning, if none).
    fn items_after(&self, at: Option<usize>) -> Vec<Item> {
        let from = at.map_or(0, |i| self.checkpoints[i].item);
        let skip = usize::try_from(from.saturating_sub(self.items_base)).unwrap_or(usize::MAX);
        self.items.iter().skip(skip).cloned().collect()
    }

    fn restore(&mut self, at: Option<usize>) {
        self.finished = false;
        let (item, ends, log_end, log_weight) = if let Some(i) = at {
            let point = &self.checkpoints[i];
            self.state = (*point.state).clone();
            self.state.checkpointed();
            self.context = point.context.clone();
            self.pushes = point.pushes;
            let ends = (point.text_end, point.sent_end);
            (point.item, ends, point.log_end, point.log_weight)
        } else {
            self.context = self.origin.clone();
            self.state = State::new(&self.monitor, &self.origin);
            self.pushes = 0;
            (0, (0, 0), 0, 0)
        };
        self.checkpoints.truncate(at.map_or(0, |i| i + 1));
        self.text.truncate(ends.0, ends.1);
        self.log.truncate(log_end, log_weight);
        let keep = usize::try_from(item - self.items_base).unwrap_or(usize::MAX);
        self.items.truncate(keep);
        self.items_cost = self.items.iter().map(Item::cost).sum();
        self.rebuild_group();
    }

    /// Drops the oldest text and items past the cap, a checkpoint at a time.
    pub(super) fn enforce_cap(&mut self) {
        let cap = self.monitor.settings().max_retained;
        let oldest = self.checkpoints.front().filter(|_| self.items_base > 0);
        let mut log = self.log.weight() - oldest.map_or(0, |c| c.log_weight);
        if self.text().len() + self.items_cost + log <= cap {
            return;
        }
        // More than needed goes at once, so that what stays is seldom moved.
        let room = cap - cap / 8;
        let (mut text, mut cost) = (self.text().len(), self.items_cost);
        let base = self.text.base();
        let mut point = None;
        let mut gone = 0;
        while text + cost + log > room {
            if self.checkpoints.len() < 2
                && self
                    .checkpoints
                    .back()
                    .is_none_or(|c| c.pushes < self.pushes)
            {
                // One push may bring more than the cap: nothing before its end is kept then.
                self.checkpoint();
            }
            // What lies before the second checkpoint can go: that is then the oldest place a
            // rollback can reach. The last one stays.
            let last = self.checkpoints.len() < 2;
            if !last {
                self.checkpoints.pop_front();
            }
            let Some(first) = self.checkpoints.front() else {
                break;
            };
            let start = first.state.open_sentence().unwrap_or(first.text_end);
            // What is judged next looks back, at the same text wherever the cuts are.
            let reach = BEHIND.max(self.monitor.rules().reach());
            let behind = first.text_end.saturating_sub(reach);
            let previous = first.state.previous.start;
            let previous = previous.max(first.text_end.saturating_sub(4 * BEHIND));
            let start = start.min(behind).min(previous).max(base);
            let items = usize::try_from(first.item - self.items_base).unwrap_or(usize::MAX);
            cost -= self.items.range(gone..items).map(Item::cost).sum::<usize>();
            gone = items;
            log = self.log.weight() - first.log_weight;
            text = self.text.sent_from(start);
            point = Some(start);
            if last {
                break;
            }
        }
        let Some(start) = point else { return };
        self.text.drop_before(start);
        self.course.forget(self.items.range(..gone));
        self.items.drain(..gone);
        self.items_base += gone as u64;
        self.items_cost = cost;
        self.truncated = true;
    }

    /// Drops entries of the log that no report will tell of, whatever is taken back, and that are
    /// not those of the last step, which begins with number `from`.
    pub(super) fn forget_entries(&mut self, from: u64) {
        let Some(oldest) = self.checkpoints.front().filter(|_| self.items_base > 0) else {
            return;
        };
        if self.outgrown(oldest.sent_end, oldest.log_weight) {
            let most = self.monitor.settings().max_entries;
            let later = self.log.end() - oldest.log_end.min(from);
            let later = usize::try_from(later).unwrap_or(usize::MAX);
            self.log.shrink(later.saturating_add(most), most);
        }
    }

    /// Whether so much text and log are more than a session retains. Pushes do not count, so that
    /// what a report tells of depends on no cuts.
    pub(super) fn outgrown(&self, text_end: usize, log_weight: usize) -> bool {
        text_end + log_weight > self.monitor.settings().max_retained
    }
}
