//! Python surface of `monitor`: everything compiled once, shared by streams and threads.

use std::collections::HashMap;
use std::sync::Arc;

use groundwire_core::error::Error;
use groundwire_core::guard::Guard as CoreGuard;
use groundwire_core::kb::Rows;
use groundwire_core::monitor::{Monitor as Core, Settings};
use groundwire_core::policy::Policy;
use groundwire_core::profile::Profile;
use groundwire_core::session::{
    Context, Event, Push, Session as CoreSession, Step as CoreStep, warm,
};
use groundwire_core::types::Finding;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::de::DeserializeOwned;

use crate::buffers::with_rows;
use crate::detok::Vocab;
use crate::errors::{OrRaise, raise, to_py};
use crate::guard::Guard;
use crate::input::{Text, checked, token};
use crate::kb::{KnowledgeBase, read_additions};
use crate::patterns::Ruleset;
use crate::session::Session;
use crate::step::to_json;
use crate::table::Table;

/// Vocabulary, rules, knowledge base, profiles and policy, compiled.
#[pyclass(frozen, subclass, module = "groundwire._core", name = "CoreMonitor")]
pub struct Monitor {
    inner: Core,
}

/// Passages, turns and question as given.
type Passages = Vec<(String, String)>;

impl Monitor {
    fn context(
        &self,
        evidence: &Passages,
        history: &Passages,
        question: Option<&str>,
        day: Option<&str>,
        rows: Option<Arc<Rows>>,
    ) -> PyResult<Context> {
        let mut context =
            Context::contained(&self.inner, evidence, history, question).or_raise()?;
        if let Some(rows) = rows {
            context = context.with_rows(rows);
        }
        match day {
            Some(day) => context.on_day(day).or_raise(),
            None => Ok(context),
        }
    }
}

/// A core value from JSON text; the message names the field.
fn read<T: DeserializeOwned>(what: &str, text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| {
        let named = wrong_key::<T>(text).unwrap_or_else(|| error.to_string());
        raise("ConfigError", &format!("{what}: {named}"))
    })
}

/// The first key whose value alone is refused, and why.
fn wrong_key<T: DeserializeOwned>(text: &str) -> Option<String> {
    let all: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    all.iter().find_map(|(key, value)| {
        let one = serde_json::json!({ key: value });
        let error = serde_json::from_value::<T>(one).err()?;
        let missing = error.to_string().starts_with("missing field");
        (!missing).then(|| format!("{key}: {error}"))
    })
}

#[pymethods]
impl Monitor {
    #[new]
    #[pyo3(signature = (*, vocab=None, rules=None, kb=None, profiles=None, policy=None, settings=None, lexicon=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        vocab: Option<&Bound<'_, Vocab>>,
        rules: Option<&Bound<'_, Ruleset>>,
        kb: Option<&Bound<'_, KnowledgeBase>>,
        profiles: Option<Vec<String>>,
        policy: Option<&str>,
        settings: Option<&str>,
        lexicon: Option<Text<'_>>,
    ) -> PyResult<Self> {
        let mut builder = Core::builder();
        if let Some(vocab) = vocab {
            builder = builder.vocab(vocab.get().inner.clone());
        }
        if let Some(rules) = rules {
            builder = builder.rules(rules.get().inner.clone());
        }
        if let Some(kb) = kb {
            builder = builder.kb(kb.get().shared());
        }
        if let Some(profiles) = profiles {
            let profiles: Vec<Profile> = profiles
                .iter()
                .map(|text| read("profile", text))
                .collect::<PyResult<_>>()?;
            builder = builder.profiles(profiles);
        }
        if let Some(policy) = policy {
            builder = builder.policy(read::<Policy>("policy", policy)?);
        }
        if let Some(settings) = settings {
            builder = builder.settings(read::<Settings>("settings", settings)?);
        }
        if let Some(lexicon) = lexicon {
            builder = builder.lexicon(read_additions(&lexicon)?);
        }
        let inner = builder.build().or_raise()?;
        py.detach(warm);
        Ok(Self { inner })
    }

    /// A stream.
    #[pyo3(signature = (evidence, history, question=None, session_id=None, turn_id=None, reference_date=None, rows=None))]
    #[allow(clippy::too_many_arguments)]
    fn open(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = checked)] evidence: Passages,
        #[pyo3(from_py_with = checked)] history: Passages,
        #[pyo3(from_py_with = checked)] question: Option<String>,
        #[pyo3(from_py_with = checked)] session_id: Option<String>,
        #[pyo3(from_py_with = checked)] turn_id: Option<String>,
        #[pyo3(from_py_with = checked)] reference_date: Option<String>,
        rows: Option<&Bound<'_, Table>>,
    ) -> PyResult<Session> {
        let rows = rows.map(|table| table.get().inner.clone());
        let core = py.detach(|| {
            let day = reference_date.as_deref();
            let context = self.context(&evidence, &history, question.as_deref(), day, rows)?;
            PyResult::Ok(CoreSession::new(&self.inner, context))
        })?;
        Ok(Session::new(core, session_id, turn_id))
    }

    /// A guarded stream; `policy` is JSON and replaces the monitor's, `lead` is text of the
    /// request that the stream goes on with.
    #[pyo3(signature = (evidence, history, question=None, policy=None, session_id=None, turn_id=None, reference_date=None, rows=None, lead=None, appending=false))]
    #[allow(clippy::too_many_arguments)]
    fn open_guard(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = checked)] evidence: Passages,
        #[pyo3(from_py_with = checked)] history: Passages,
        #[pyo3(from_py_with = checked)] question: Option<String>,
        policy: Option<&str>,
        #[pyo3(from_py_with = checked)] session_id: Option<String>,
        #[pyo3(from_py_with = checked)] turn_id: Option<String>,
        #[pyo3(from_py_with = checked)] reference_date: Option<String>,
        rows: Option<&Bound<'_, Table>>,
        #[pyo3(from_py_with = checked)] lead: Option<String>,
        appending: bool,
    ) -> PyResult<Guard> {
        let policy = match policy {
            Some(text) => {
                let policy: Policy = read("policy", text)?;
                policy.validate().or_raise()?;
                policy
            }
            None => self.inner.policy().clone(),
        };
        let rows = rows.map(|table| table.get().inner.clone());
        let core = py.detach(|| {
            let day = reference_date.as_deref();
            let context = self.context(&evidence, &history, question.as_deref(), day, rows)?;
            let mut session = CoreSession::new(&self.inner, context);
            if let Some(lead) = lead.filter(|lead| !lead.is_empty()) {
                let forced = Push {
                    forced: true,
                    ..Push::default()
                };
                session.push_text(&lead, forced).or_raise()?;
            }
            let mut guard = if appending {
                CoreGuard::appending(session, policy)
            } else {
                CoreGuard::with_policy(session, policy)
            };
            guard.goes_on_with_request();
            PyResult::Ok(guard)
        })?;
        Ok(Guard::new(core, session_id, turn_id))
    }

    /// A session rebuilt from its events (JSON).
    #[pyo3(signature = (events, evidence, history, question=None, reference_date=None, rows=None))]
    fn rebuild(
        &self,
        events: &str,
        #[pyo3(from_py_with = checked)] evidence: Passages,
        #[pyo3(from_py_with = checked)] history: Passages,
        #[pyo3(from_py_with = checked)] question: Option<String>,
        #[pyo3(from_py_with = checked)] reference_date: Option<String>,
        rows: Option<&Bound<'_, Table>>,
    ) -> PyResult<Session> {
        let events: Vec<Event> = serde_json::from_str(events)
            .map_err(|error| raise("FormatError", &format!("not a session's events: {error}")))?;
        let day = reference_date.as_deref();
        let rows = rows.map(|table| table.get().inner.clone());
        let context = self.context(&evidence, &history, question.as_deref(), day, rows)?;
        let core = CoreSession::replay(&self.inner, context, &events).or_raise()?;
        Ok(Session::new(core, None, None))
    }

    /// One token for each session, with one row each of `logits` and `prior_logits`; errors
    /// come back in the place of their row's step.
    #[pyo3(signature = (sessions, token_ids, *, logits=None, prior_logits=None))]
    fn push_many<'py>(
        &self,
        py: Python<'py>,
        sessions: Vec<Bound<'py, Session>>,
        token_ids: &Bound<'py, PyAny>,
        logits: Option<&Bound<'py, PyAny>>,
        prior_logits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let ids: Vec<Bound<'py, PyAny>> = token_ids.try_iter()?.collect::<PyResult<_>>()?;
        if ids.len() != sessions.len() {
            return Err(raise(
                "ArgumentError",
                &format!("{} sessions but {} token ids", sessions.len(), ids.len()),
            ));
        }
        let ids: Vec<PyResult<u32>> = ids.iter().map(token).collect();
        let mut locked = Vec::with_capacity(ids.len());
        let mut places = HashMap::with_capacity(sessions.len());
        for (i, (session, id)) in sessions.iter().zip(ids).enumerate() {
            let first = *places.entry(session.as_ptr()).or_insert(i);
            locked.push(id.and_then(|id| {
                if first == i {
                    Ok((id, session.get().lock()?))
                } else {
                    Err(raise(
                        "SessionBusy",
                        &format!(
                            "sessions[{i}] is sessions[{first}] again: a call pushes one token to \
                             each session; push the next one with another call"
                        ),
                    ))
                }
            }));
        }
        let mut jobs: Vec<Job<'_>> = Vec::with_capacity(locked.len());
        for (i, lock) in locked.iter_mut().enumerate() {
            if let Ok((id, core)) = lock {
                jobs.push(Job {
                    row: i,
                    id: *id,
                    core,
                    result: None,
                });
            }
        }
        let count = sessions.len();
        match (logits, prior_logits) {
            (None, None) => py.detach(|| run(&mut jobs, |_| Push::default())),
            (Some(batch), None) => with_rows(batch, |rows| {
                check_rows(rows.len(), count)?;
                run(&mut jobs, |i| Push {
                    logits: Some(rows[i]),
                    ..Push::default()
                });
                Ok(())
            })?
            .or_raise()?,
            (Some(batch), Some(prior)) => {
                crate::buffers::with_row_pairs(batch, prior, |rows, priors| {
                    check_rows(rows.len(), count)?;
                    check_rows(priors.len(), count)?;
                    run(&mut jobs, |i| Push {
                        logits: Some(rows[i]),
                        prior_logits: Some(priors[i]),
                        ..Push::default()
                    });
                    Ok(())
                })?
                .or_raise()?;
            }
            (None, Some(_)) => {
                return Err(raise(
                    "ArgumentError",
                    "prior_logits needs logits beside it",
                ));
            }
        }
        let mut done: Vec<Option<groundwire_core::error::Result<CoreStep>>> =
            (0..count).map(|_| None).collect();
        for job in jobs {
            done[job.row] = job.result;
        }
        let results = PyList::empty(py);
        for ((lock, result), session) in locked.into_iter().zip(done).zip(&sessions) {
            match (lock, result) {
                (Err(error), _) => results.append(error.into_value(py))?,
                (Ok((_, core)), Some(Ok(step))) => {
                    results.append(session.get().show(py, &core, &step)?)?;
                }
                (Ok(_), Some(Err(error))) => results.append(to_py(&error).into_value(py))?,
                (Ok(_), None) => results.append(py.None())?,
            }
        }
        Ok(results)
    }

    /// One token for each guard; returns for each what changed, or the error in its place.
    #[pyo3(signature = (guards, token_ids, forced=None, signals=None))]
    fn push_guards<'py>(
        &self,
        py: Python<'py>,
        guards: Vec<Bound<'py, Guard>>,
        token_ids: Vec<u32>,
        forced: Option<Vec<bool>>,
        signals: Option<Vec<Option<Bound<'py, PyAny>>>>,
    ) -> PyResult<Bound<'py, PyList>> {
        crate::guards::push(py, &guards, &token_ids, forced, signals)
    }

    /// What each profile makes of findings (JSON of the core's form), by name, as JSON.
    fn judge(&self, findings: &str) -> PyResult<String> {
        let mut findings: Vec<Finding> = serde_json::from_str(findings)
            .map_err(|error| raise("ArgumentError", &format!("not findings: {error}")))?;
        self.inner.appraise(&mut findings);
        let verdicts: std::collections::BTreeMap<_, _> = self
            .inner
            .profiles()
            .iter()
            .map(|p| {
                (
                    p.name.clone(),
                    p.verdict(&findings, |tier| self.inner.policy().action(tier)),
                )
            })
            .collect();
        to_json(&verdicts)
    }

    /// Names of the profiles, in order.
    #[getter]
    fn profile_names(&self) -> Vec<String> {
        self.inner
            .profiles()
            .iter()
            .map(|p| p.name.clone())
            .collect()
    }

    /// The policy as JSON.
    #[getter]
    fn policy_json(&self) -> PyResult<String> {
        to_json(self.inner.policy())
    }

    /// The settings as JSON.
    #[getter]
    fn settings_json(&self) -> PyResult<String> {
        to_json(self.inner.settings())
    }
}

/// One row's push.
struct Job<'a> {
    row: usize,
    id: u32,
    core: &'a mut CoreSession,
    result: Option<groundwire_core::error::Result<CoreStep>>,
}

fn run<'r>(jobs: &mut [Job<'_>], with: impl Fn(usize) -> Push<'r>) {
    for job in jobs {
        job.result = Some(job.core.contain(|core| core.push(job.id, with(job.row))));
    }
}

fn check_rows(rows: usize, sessions: usize) -> groundwire_core::error::Result<()> {
    if rows == sessions {
        Ok(())
    } else {
        Err(Error::argument(format!(
            "{sessions} sessions but {rows} rows of logits"
        )))
    }
}

/// The built-in profile of that name, as JSON.
#[pyfunction]
fn profile_json(name: Text<'_>) -> PyResult<String> {
    to_json(&Profile::named(&name).or_raise()?)
}

/// The default policy, as JSON.
#[pyfunction]
fn default_policy_json() -> PyResult<String> {
    to_json(&Policy::default())
}

/// The default settings, as JSON.
#[pyfunction]
fn default_settings_json() -> PyResult<String> {
    to_json(&Settings::default())
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Monitor>()?;
    module.add_function(wrap_pyfunction!(profile_json, module)?)?;
    module.add_function(wrap_pyfunction!(default_policy_json, module)?)?;
    module.add_function(wrap_pyfunction!(default_settings_json, module)?)?;
    Ok(())
}
