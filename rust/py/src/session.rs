//! Python surface of `session`: one caller at a time; verdicts and reports from any thread.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};

use groundwire_core::error::Error;
use groundwire_core::session::{Mark as CoreMark, Session as Core, Step as CoreStep};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{OrRaise, raise};
use crate::input::{Data, Text, checked, place, pushes, read_findings, read_verdict, token};
use crate::mail::{Inbox, Mail};
use crate::push::{numbers, with_push};
use crate::step::{Signals, Step, to_json, to_python};

/// A place to roll back to.
#[pyclass(frozen, eq, hash, module = "groundwire._core", name = "Mark")]
#[derive(PartialEq, Eq, Hash)]
pub struct Mark {
    pub inner: CoreMark,
}

#[pymethods]
impl Mark {
    /// Pushes before the mark.
    #[getter]
    fn pushes(&self) -> u64 {
        self.inner.pushes()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(raise(
            "ArgumentError",
            "a Mark cannot be pickled or copied: it belongs to one session of this process",
        ))
    }

    fn __repr__(&self) -> String {
        format!("Mark(pushes={})", self.inner.pushes())
    }
}

/// One stream. One caller at a time: concurrent use raises `SessionBusy`.
#[pyclass(frozen, module = "groundwire._core", name = "Session")]
pub struct Session {
    inner: Mutex<Core>,
    inbox: Inbox,
    /// As given when the session was opened.
    #[pyo3(get)]
    session_id: Option<String>,
    /// As given when the session was opened.
    #[pyo3(get)]
    turn_id: Option<String>,
}

impl Session {
    pub fn new(core: Core, session_id: Option<String>, turn_id: Option<String>) -> Self {
        Self {
            inner: Mutex::new(core),
            inbox: Inbox::default(),
            session_id,
            turn_id,
        }
    }

    /// The session for one call; raises `SessionBusy` while another call is under way.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Core>> {
        let mut core = match self.inner.try_lock() {
            Ok(core) => core,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(raise(
                    "SessionBusy",
                    "this session is in use by another thread; give every stream a session of its \
                     own (only resolve and report may come from elsewhere)",
                ));
            }
        };
        self.inbox.deliver(&mut core);
        Ok(core)
    }

    /// The Python step for `step`, with what answers brought before it.
    pub fn show(&self, py: Python<'_>, core: &Core, step: &CoreStep) -> PyResult<Py<Step>> {
        self.inbox.step(py, core, step)
    }

    fn finish_report(&self, py: Python<'_>, core: &Core) -> PyResult<Py<PyAny>> {
        let json = to_json(&core.report())?;
        let class = py.import("groundwire.report")?.getattr("Report")?;
        let report = class.call_method1("from_core", (json, &self.session_id, &self.turn_id))?;
        Ok(report.unbind())
    }

    fn receive(&self, py: Python<'_>, mail: Mail) -> PyResult<Py<Step>> {
        match self.inner.try_lock() {
            Ok(mut core) => {
                self.inbox.deliver(&mut core);
                let step = core.contain(|core| mail.deliver(core)).or_raise()?;
                self.inbox.taken(&step);
                let held = Step::hold(&core, &step);
                // No Python runs while the session is taken, so that no push meets an answer.
                drop(core);
                Step::show(py, held)
            }
            Err(_) => {
                self.inbox.put(mail);
                Step::quiet(py)
            }
        }
    }
}

#[pymethods]
impl Session {
    /// Follows one token.
    ///
    /// `logits` is the raw row (one dimension, float32, float16 or bfloat16) the token was sampled
    /// from, `prior_logits` the row for the same prefix with the evidence taken out of the prompt.
    /// Engines that only have numbers pass `signals` (nats where a name does not say bits; ln p at
    /// most 0, margin 0..1, the others but `lift_bits` at least 0; `help(Signals)` has the list),
    /// or `top_logprobs` (tokens to natural logarithms of their probabilities, at most 0): only
    /// what such a list fixes exactly counts. NaN, and an infinity where none can be, is what a
    /// broken engine computes: the step's signals are then `invalid` and hold no number, and the
    /// report counts the token in `stats["invalid_rows"]`. `forced` is text that the model did not
    /// choose: no detector judges it.
    ///
    /// Raises `UnknownTokenError` for an id the vocabulary lacks, `ArgumentError` for what is no
    /// integer, rows that do not fit and numbers out of their range, `SessionLatched` after
    /// `finish` or an internal fault. Nothing changes then.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (token_id, *, logits=None, prior_logits=None, signals=None, top_logprobs=None, forced=false))]
    fn push(
        &self,
        py: Python<'_>,
        token_id: &Bound<'_, PyAny>,
        logits: Option<&Bound<'_, PyAny>>,
        prior_logits: Option<&Bound<'_, PyAny>>,
        signals: Option<&Bound<'_, PyAny>>,
        top_logprobs: Option<&Bound<'_, PyAny>>,
        forced: bool,
    ) -> PyResult<Py<Step>> {
        let id = token(token_id)?;
        let signals = numbers(signals, top_logprobs, token_id)?;
        let mut core = self.lock()?;
        let session: &mut Core = &mut core;
        let step = with_push(logits, prior_logits, signals, forced, |push| {
            session.contain(|core| core.push(id, push))
        })?
        .or_raise()?;
        self.inbox.step(py, &core, &step)
    }

    /// Follows a piece of text, cut anywhere; numbers and errors are those of `push`.
    ///
    /// Raises `ArgumentError` for a lone surrogate too.
    #[pyo3(signature = (text, *, signals=None, top_logprobs=None, forced=false))]
    fn push_text(
        &self,
        py: Python<'_>,
        text: Text<'_>,
        signals: Option<&Bound<'_, PyAny>>,
        top_logprobs: Option<&Bound<'_, PyAny>>,
        forced: bool,
    ) -> PyResult<Py<Step>> {
        let signals = match (signals, top_logprobs) {
            (None, None) => None,
            _ => numbers(signals, top_logprobs, PyString::new(py, &text).as_any())?,
        };
        let mut core = self.lock()?;
        let session: &mut Core = &mut core;
        let step = with_push(None, None, signals, forced, |push| {
            session.contain(|core| core.push_text(&text, push))
        })?
        .or_raise()?;
        self.inbox.step(py, &core, &step)
    }

    /// Follows raw UTF-8; a split character waits for its rest, what is none becomes U+FFFD.
    ///
    /// Numbers and errors are those of `push`.
    #[pyo3(signature = (data, *, signals=None, top_logprobs=None, forced=false))]
    fn push_bytes(
        &self,
        py: Python<'_>,
        data: Data,
        signals: Option<&Bound<'_, PyAny>>,
        top_logprobs: Option<&Bound<'_, PyAny>>,
        forced: bool,
    ) -> PyResult<Py<Step>> {
        let signals = match (signals, top_logprobs) {
            (None, None) => None,
            _ => numbers(signals, top_logprobs, PyBytes::new(py, &data).as_any())?,
        };
        let mut core = self.lock()?;
        let session: &mut Core = &mut core;
        let step = with_push(None, None, signals, forced, |push| {
            session.contain(|core| core.push_bytes(&data, push))
        })?
        .or_raise()?;
        self.inbox.step(py, &core, &step)
    }

    /// Remembers the row the next token will be sampled from (copied).
    ///
    /// Rows are those of `push`, and what they raise.
    #[pyo3(signature = (logits, prior_logits=None))]
    fn observe(
        &self,
        logits: &Bound<'_, PyAny>,
        prior_logits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut core = self.lock()?;
        let session: &mut Core = &mut core;
        with_push(Some(logits), prior_logits, None, false, |push| {
            let Some(row) = push.logits else {
                return Ok(());
            };
            session.contain(|core| core.observe(row, push.prior_logits))
        })?
        .or_raise()
    }

    /// Returns a place for `rollback(to=…)` of this session, or of a fork made later.
    fn mark(&self) -> PyResult<Mark> {
        let inner = self.lock()?.mark();
        Ok(Mark { inner })
    }

    /// Takes back the last `n` pushes, or everything after the mark `to`.
    ///
    /// Raises `RollbackTooFar` if that is no longer retained, `ArgumentError` for a mark of another
    /// session or of a place that was taken back since, `SessionLatched` once the stream has ended;
    /// nothing changes then.
    #[pyo3(signature = (n=None, *, to=None))]
    fn rollback(
        &self,
        #[pyo3(from_py_with = pushes)] n: Option<u64>,
        #[pyo3(from_py_with = place)] to: Option<CoreMark>,
    ) -> PyResult<()> {
        let mut core = self.lock()?;
        core.contain(|core| match (n, to) {
            (Some(n), None) => core.rollback(n),
            (None, Some(to)) => core.rollback_to(to),
            _ => Err(Error::argument(
                "rollback takes either a number of pushes or to=mark, not both and not neither",
            )),
        })
        .or_raise()
    }

    /// An independent copy of the stream.
    fn fork(&self) -> PyResult<Self> {
        let core = self.lock()?.fork();
        Ok(Self::new(
            core,
            self.session_id.clone(),
            self.turn_id.clone(),
        ))
    }

    /// Adds a passage the answer may rest on from here on.
    ///
    /// Raises `ArgumentError` for a lone surrogate, `SessionLatched` after the end.
    #[pyo3(signature = (text, id=None))]
    fn add_evidence(
        &self,
        text: Text<'_>,
        #[pyo3(from_py_with = checked)] id: Option<String>,
    ) -> PyResult<()> {
        let mut core = self.lock()?;
        let id = id.unwrap_or_else(|| format!("e{}", core.context().evidence.len()));
        core.contain(|core| core.add_evidence(&id, &text))
            .or_raise()
    }

    /// The day that counts as today, as YYYY-MM-DD; None where nothing is judged against one.
    #[getter]
    fn reference_date(&self) -> PyResult<Option<String>> {
        let day = self.lock()?.context().reference;
        Ok(day.map(|day| day.to_string()))
    }

    /// Returns what happened so far, as plain data for `Monitor.replay`.
    ///
    /// Raises `RollbackTooFar` if the beginning is no longer retained.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let events = self.lock()?.events().or_raise()?;
        to_python(py, &events)
    }

    /// Says that a verifier will answer for this claim; raises `NotFoundError` for none.
    fn expect(&self, claim_id: Text<'_>) -> PyResult<()> {
        let mut core = self.lock()?;
        core.contain(|core| core.expect(&claim_id)).or_raise()
    }

    /// Takes a verifier's answer; from any thread.
    ///
    /// Raises `NotFoundError` for a claim that is not in the log.
    fn resolve(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = checked)] claim_id: String,
        verdict: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Step>> {
        let verdict = read_verdict(verdict)?;
        self.receive(py, Mail::Resolve(claim_id, verdict))
    }

    /// Takes findings from outside; from any thread.
    ///
    /// Raises `NotFoundError` for a claim that is not in the log, `ArgumentError` for a finding
    /// whose span or probability (0..1) is not valid.
    fn report(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = checked)] claim_id: Option<String>,
        findings: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Step>> {
        let findings = read_findings(findings)?;
        self.receive(py, Mail::Report(claim_id, findings))
    }

    /// Lets the next step show what resolve and report bring: their callers have no use for it.
    fn show_answers_later(&self) {
        self.inbox.show_later();
    }

    /// What came in from other threads since the last call.
    fn poll(&self, py: Python<'_>) -> PyResult<Py<Step>> {
        let core = self.lock()?;
        let from = self.inbox.unseen.swap(u64::MAX, Ordering::AcqRel);
        Step::since(py, &core, from, None)
    }

    /// Ends the stream; returns what its end decided.
    ///
    /// Raises `SessionLatched` after an internal fault.
    fn close(&self, py: Python<'_>) -> PyResult<Py<Step>> {
        let mut core = self.lock()?;
        let step = core.contain(Core::finish).or_raise()?;
        self.inbox.step(py, &core, &step)
    }

    /// Closes what is open and says everything about the stream; again if called again.
    fn finish(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut core = self.lock()?;
        if core.latched().is_none() {
            core.contain(Core::finish).or_raise()?;
        }
        self.finish_report(py, &core)
    }

    /// The report so far, without ending the stream.
    fn peek(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let core = self.lock()?;
        self.finish_report(py, &core)
    }

    /// Panics inside the session, to test that a fault stays inside; only in builds for debugging.
    #[cfg(debug_assertions)]
    fn _fault(&self) -> PyResult<()> {
        self.lock()?
            .contain(|_| panic!("a fault that was asked for"))
            .or_raise()
    }

    /// The text so far; of more than `max_retained` bytes, the end.
    #[getter]
    fn text(&self) -> PyResult<String> {
        Ok(self.lock()?.text().to_owned())
    }

    /// Pushes so far, without those taken back.
    #[getter]
    fn pushes(&self) -> PyResult<u64> {
        Ok(self.lock()?.pushes())
    }

    /// Why monitoring stopped: an internal fault; None while it goes on.
    #[getter]
    fn latched(&self) -> PyResult<Option<String>> {
        Ok(self.lock()?.latched().map(str::to_owned))
    }

    /// Whether the stream has ended.
    #[getter]
    fn finished(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_finished())
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, _args: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mut core = self.lock()?;
        if core.latched().is_none() && !core.is_finished() {
            core.contain(Core::finish).or_raise()?;
        }
        Ok(false)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(raise(
            "ArgumentError",
            "a Session cannot be pickled; keep its events() and rebuild it with Monitor.replay",
        ))
    }

    fn __repr__(&self) -> PyResult<String> {
        let core = self.lock()?;
        Ok(format!(
            "Session(pushes={}, bytes={})",
            core.pushes(),
            core.text_end()
        ))
    }
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Session>()?;
    module.add_class::<Mark>()?;
    module.add_class::<Step>()?;
    module.add_class::<Signals>()?;
    Ok(())
}
