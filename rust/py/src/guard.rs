//! Python surface of `guard`.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use groundwire_core::guard::{Directive as CoreDirective, Guard as Core, Said as CoreSaid};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::errors::{OrRaise, raise};
use crate::input::{Text, checked, milliseconds, read_findings, read_verdict, token};
use crate::mail::{Inbox, Mail};
use crate::push::{numbers, with_push};
use crate::step::{Step, to_json};

/// One thing the integration is to do.
#[pyclass(frozen, get_all, module = "groundwire._core", name = "Directive")]
pub struct Directive {
    /// `release`, `rewind`, `wait` or `stop`.
    kind: &'static str,
    /// Text to release, or to force after a rewind.
    text: Option<String>,
    /// Pushes that stay after a rewind.
    keep: Option<u64>,
    /// Why the answer ends.
    reason: Option<&'static str>,
}

#[pymethods]
impl Directive {
    fn __repr__(&self) -> String {
        match self.kind {
            "release" => format!("release({:?})", self.text.as_deref().unwrap_or("")),
            "rewind" => format!(
                "rewind(keep={}, text={:?})",
                self.keep.unwrap_or(0),
                self.text.as_deref().unwrap_or("")
            ),
            "stop" => format!("stop({:?})", self.reason.unwrap_or("")),
            kind => kind.to_owned(),
        }
    }
}

impl From<CoreDirective> for Directive {
    fn from(directive: CoreDirective) -> Self {
        let empty = Self {
            kind: "wait",
            text: None,
            keep: None,
            reason: None,
        };
        match directive {
            CoreDirective::Release { text } => Self {
                kind: "release",
                text: Some(text),
                ..empty
            },
            CoreDirective::Rewind { keep, text } => Self {
                kind: "rewind",
                text: Some(text),
                keep: Some(keep),
                ..empty
            },
            CoreDirective::Wait => empty,
            CoreDirective::Stop { reason } => Self {
                kind: "stop",
                reason: Some(reason.as_str()),
                ..empty
            },
        }
    }
}

/// What a guard that only appends wants said.
#[pyclass(frozen, module = "groundwire._core", name = "Said")]
pub struct Said(CoreSaid);

#[pymethods]
impl Said {
    /// Text to force, with the spaces around it.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// Why the answer ends after it, or `None`.
    #[getter]
    fn stop(&self) -> Option<&'static str> {
        self.0.stop.map(groundwire_core::guard::StopReason::as_str)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        format!("Said({:?})", self.0.text)
    }
}

/// What those who were asked about claims say besides their findings.
enum Answer {
    Done(String),
    Failed(String),
}

/// The release and rewriting of one stream.
#[pyclass(frozen, module = "groundwire._core", name = "Guard")]
pub struct Guard {
    inner: Mutex<Core>,
    inbox: Inbox,
    answers: Mutex<Vec<Answer>>,
    /// As given when the guard was opened.
    #[pyo3(get)]
    session_id: Option<String>,
    /// As given when the guard was opened.
    #[pyo3(get)]
    turn_id: Option<String>,
}

impl Guard {
    pub fn new(core: Core, session_id: Option<String>, turn_id: Option<String>) -> Self {
        Self {
            inner: Mutex::new(core),
            inbox: Inbox::default(),
            answers: Mutex::default(),
            session_id,
            turn_id,
        }
    }

    /// The guard for one call; raises `SessionBusy` while another call is under way.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Core>> {
        let mut core = match self.inner.try_lock() {
            Ok(core) => core,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(raise(
                    "SessionBusy",
                    "this guard is in use by another thread; give every stream a guard of its own",
                ));
            }
        };
        // Taken first: what was found about these claims is then in the inbox.
        let answers = std::mem::take(&mut *self.waiting());
        self.inbox.deliver(core.session_mut());
        for answer in answers {
            match answer {
                Answer::Done(claim_id) => core.answered(&claim_id),
                Answer::Failed(reason) => core.cannot_answer(&reason),
            }
        }
        Ok(core)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Answer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn directives<'py>(py: Python<'py>, found: Vec<CoreDirective>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for directive in found {
        list.append(Py::new(py, Directive::from(directive))?)?;
    }
    Ok(list)
}

#[pymethods]
impl Guard {
    /// Follows one token; returns what it brought, and what to do, in order.
    ///
    /// `now_ms` is the caller's clock in milliseconds, 0 or more, which never goes back; the rest,
    /// and what is raised, is as for `Session.push`. A session that a fault has latched makes the
    /// guard go on without judging, or stop, as the profile says.
    #[pyo3(signature = (token_id, *, logits=None, prior_logits=None, signals=None, top_logprobs=None, forced=false, now_ms=0))]
    #[allow(clippy::too_many_arguments)]
    fn push<'py>(
        &self,
        py: Python<'py>,
        token_id: &Bound<'py, PyAny>,
        logits: Option<&Bound<'py, PyAny>>,
        prior_logits: Option<&Bound<'py, PyAny>>,
        signals: Option<&Bound<'py, PyAny>>,
        top_logprobs: Option<&Bound<'py, PyAny>>,
        forced: bool,
        #[pyo3(from_py_with = milliseconds)] now_ms: u64,
    ) -> PyResult<(Py<Step>, Bound<'py, PyList>)> {
        let id = token(token_id)?;
        let signals = numbers(signals, top_logprobs, token_id)?;
        let mut core = self.lock()?;
        let guard: &mut Core = &mut core;
        let (step, found) = with_push(logits, prior_logits, signals, forced, |push| {
            guard.contain(|core| core.push(id, push, now_ms))
        })?
        .or_raise()?;
        Ok((Step::of(py, core.session(), &step)?, directives(py, found)?))
    }

    /// Follows a piece of text; otherwise as `push`.
    #[pyo3(signature = (text, *, signals=None, top_logprobs=None, forced=false, now_ms=0))]
    fn push_text<'py>(
        &self,
        py: Python<'py>,
        text: Text<'_>,
        signals: Option<&Bound<'py, PyAny>>,
        top_logprobs: Option<&Bound<'py, PyAny>>,
        forced: bool,
        #[pyo3(from_py_with = milliseconds)] now_ms: u64,
    ) -> PyResult<(Py<Step>, Bound<'py, PyList>)> {
        let signals = match (signals, top_logprobs) {
            (None, None) => None,
            _ => numbers(signals, top_logprobs, PyString::new(py, &text).as_any())?,
        };
        let mut core = self.lock()?;
        let guard: &mut Core = &mut core;
        let (step, found) = with_push(None, None, signals, forced, |push| {
            guard.contain(|core| core.push_text(&text, push, now_ms))
        })?
        .or_raise()?;
        Ok((Step::of(py, core.session(), &step)?, directives(py, found)?))
    }

    /// Looks again after answers came in or time passed; returns what to do, in order.
    ///
    /// `now_ms` is the caller's clock in milliseconds, as for `push`.
    #[pyo3(signature = (now_ms=0))]
    fn poll<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = milliseconds)] now_ms: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut core = self.lock()?;
        let found = core.contain(|core| Ok(core.poll(now_ms))).or_raise()?;
        directives(py, found)
    }

    /// The answer is cut off here, as by a limit of tokens; before `finish`.
    fn cut(&self) -> PyResult<()> {
        self.lock()?.cut();
        Ok(())
    }

    /// The model has ended its answer; it is over once a `stop` comes back.
    #[pyo3(signature = (now_ms=0))]
    fn finish<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = milliseconds)] now_ms: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut core = self.lock()?;
        let found = core.contain(|core| core.finish(now_ms)).or_raise()?;
        directives(py, found)
    }

    /// As `finish`, with the step that the end itself brought.
    #[pyo3(signature = (now_ms=0))]
    fn close<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = milliseconds)] now_ms: u64,
    ) -> PyResult<(Py<Step>, Bound<'py, PyList>)> {
        let mut core = self.lock()?;
        let (step, found) = core.contain(|core| core.close_stream(now_ms)).or_raise()?;
        Ok((Step::of(py, core.session(), &step)?, directives(py, found)?))
    }

    /// Says that somebody answers about every claim that closes from here on.
    fn ask_about_claims(&self) -> PyResult<()> {
        self.lock()?.ask_about_claims();
        Ok(())
    }

    /// From here on no text can be generated anew.
    #[pyo3(signature = (*, in_place=false))]
    fn cannot_rewind(&self, in_place: bool) -> PyResult<()> {
        self.lock()?.cannot_rewind(in_place);
        Ok(())
    }

    /// Everybody who was asked about this claim has answered; from any thread.
    fn answered(&self, #[pyo3(from_py_with = checked)] claim_id: String) {
        self.waiting().push(Answer::Done(claim_id));
    }

    /// Somebody who was asked cannot answer; from any thread.
    fn cannot_answer(&self, #[pyo3(from_py_with = checked)] reason: String) {
        self.waiting().push(Answer::Failed(reason));
    }

    /// What is held for answers may leave at the next call.
    fn give_up_on_answers(&self) -> PyResult<()> {
        self.lock()?.give_up_on_answers();
        Ok(())
    }

    /// Adds a passage the answer may rest on from here on.
    #[pyo3(signature = (text, id=None))]
    fn add_evidence(
        &self,
        text: Text<'_>,
        #[pyo3(from_py_with = checked)] id: Option<String>,
    ) -> PyResult<()> {
        let mut core = self.lock()?;
        let session = core.session_mut();
        let id = id.unwrap_or_else(|| format!("e{}", session.context().evidence.len()));
        session
            .contain(|session| session.add_evidence(&id, &text))
            .or_raise()
    }

    /// Says that a verifier will answer for this claim; raises `NotFoundError` for none.
    fn expect(&self, claim_id: Text<'_>) -> PyResult<()> {
        let mut core = self.lock()?;
        core.session_mut()
            .contain(|session| session.expect(&claim_id))
            .or_raise()
    }

    /// Takes a verifier's answer; from any thread. Acted upon at the next call.
    fn resolve(
        &self,
        #[pyo3(from_py_with = checked)] claim_id: String,
        verdict: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.inbox
            .put(Mail::Resolve(claim_id, read_verdict(verdict)?));
        Ok(())
    }

    /// Takes findings from outside; from any thread. Acted upon at the next call.
    fn report_findings(
        &self,
        #[pyo3(from_py_with = checked)] claim_id: Option<String>,
        findings: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.inbox
            .put(Mail::Report(claim_id, read_findings(findings)?));
        Ok(())
    }

    /// An independent copy of a guard; nothing that waits in the inbox goes with it.
    fn fork(&self) -> PyResult<Self> {
        let core = self.lock()?.fork();
        Ok(Self::new(
            core,
            self.session_id.clone(),
            self.turn_id.clone(),
        ))
    }

    /// What has to be said here before the model goes on with these tokens, or `None`.
    fn foresee(&self, next_ids: Vec<u32>) -> PyResult<Option<Said>> {
        let mut core = self.lock()?;
        let said = core.contain(|core| core.foresee(&next_ids)).or_raise()?;
        Ok(said.map(Said))
    }

    /// From here on this is forced: push its tokens with `forced=True`.
    fn speak(&self, said: &Said) -> PyResult<()> {
        self.lock()?.speak(&said.0);
        Ok(())
    }

    /// What was to be said and never was, or `None`.
    fn unsaid(&self) -> PyResult<Option<Said>> {
        Ok(self.lock()?.unsaid().map(Said))
    }

    /// Whether something could be said here.
    #[getter]
    fn at_boundary(&self) -> PyResult<bool> {
        Ok(self.lock()?.at_boundary())
    }

    /// Whether the text so far ends with a whole character.
    #[getter]
    fn whole(&self) -> PyResult<bool> {
        Ok(self.lock()?.session().has_whole_characters())
    }

    /// Panics inside the guard, to test that a fault stays inside; only in builds for debugging.
    #[cfg(debug_assertions)]
    fn _fault(&self) -> PyResult<()> {
        self.lock()?
            .contain(|_| panic!("a fault that was asked for"))
            .or_raise()
    }

    /// Everything about the stream and what was done to it.
    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let core = self.lock()?;
        let json = to_json(&core.report())?;
        let class = py.import("groundwire.report")?.getattr("Report")?;
        let report = class.call_method1("from_core", (json, &self.session_id, &self.turn_id))?;
        Ok(report.unbind())
    }

    /// What the reader has so far; of more than `max_retained` bytes, the end.
    #[getter]
    fn released(&self) -> PyResult<String> {
        Ok(self.lock()?.released().to_owned())
    }

    /// The session's text so far; of more than `max_retained` bytes, the end.
    #[getter]
    fn text(&self) -> PyResult<String> {
        Ok(self.lock()?.session().text().to_owned())
    }

    /// What the last intervention says is missing, or `None`.
    #[getter]
    fn missing(&self) -> PyResult<Option<String>> {
        Ok(self.lock()?.missing())
    }

    /// Pushes of the surviving text.
    #[getter]
    fn pushes(&self) -> PyResult<u64> {
        Ok(self.lock()?.session().pushes())
    }

    /// Bytes of the stream's text that wait to leave.
    #[getter]
    fn held(&self) -> PyResult<usize> {
        Ok(self.lock()?.held())
    }

    /// Why the answer ended; None while it goes on.
    ///
    /// `end` (complete), `interrupted`, `discarded`, `exhausted` (as many rewrites as the policy
    /// allows) or `failed` (monitoring failed, and the profile stops then).
    #[getter]
    fn stopped(&self) -> PyResult<Option<&'static str>> {
        Ok(self
            .lock()?
            .stopped()
            .map(groundwire_core::guard::StopReason::as_str))
    }

    /// How often something was done to the answer so far, as `Report.interventions` tells.
    #[getter]
    fn interventions(&self) -> PyResult<u64> {
        Ok(self.lock()?.intervened())
    }
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Guard>()?;
    module.add_class::<Directive>()?;
    module.add_class::<Said>()?;
    Ok(())
}
