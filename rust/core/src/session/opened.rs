//! What a session was opened with, as its events name it: texts may be long and confidential, so that a
//! replay is given them anew, and refused where they are others.

use super::{Context, Event};
use crate::claims::word_hash;
use crate::error::{Error, Result};

/// The event that names what `context` holds; `None` where that is nothing.
pub(super) fn opened(context: &Context) -> Option<Event> {
    let mut digest = 0_u64;
    let mut add = |kind: &str, text: &str| {
        digest = digest.rotate_left(7) ^ word_hash(kind) ^ word_hash(text).rotate_left(23);
    };
    for passage in context.evidence.passages() {
        add("evidence", &passage.id);
        add("text", passage.text());
    }
    for turn in context.dialogue.turns() {
        add(turn.role.as_str(), turn.passage.text());
    }
    for passage in context.question.passages() {
        add("question", passage.text());
    }
    let (passages, turns) = (context.evidence.len(), context.dialogue.len());
    let (question, tables) = (!context.question.is_empty(), context.tables.len());
    (passages > 0 || turns > 0 || question || tables > 0).then(|| Event::Opened {
        passages,
        turns,
        question,
        tables,
        digest: format!("{digest:016x}"),
    })
}

/// Whether `context` is what the session of these events was opened with.
///
/// # Errors
/// `Argument` where it is not. Events that say nothing of it, as of sessions that were opened with
/// nothing, go with any.
pub(super) fn same_opening(events: &[Event], context: &Context) -> Result<()> {
    let Some(then) = events.iter().find(|e| matches!(e, Event::Opened { .. })) else {
        return Ok(());
    };
    let now = opened(context);
    if now.as_ref() == Some(then) {
        return Ok(());
    }
    let (then, now) = (told(Some(then)), told(now.as_ref()));
    let but = if then == now {
        "others of them were given here".to_owned()
    } else {
        format!("{now} were given here")
    };
    Err(Error::argument(format!(
        "these events are of a session that was opened with {then}, but {but}; replay it with the \
         same evidence, history, question and rows"
    )))
}

fn told(event: Option<&Event>) -> String {
    let Some(Event::Opened {
        passages,
        turns,
        question,
        tables,
        ..
    }) = event
    else {
        return "no evidence, turns, question or tables".to_owned();
    };
    let question = if *question { "a" } else { "no" };
    format!("evidence ({passages}), turns ({turns}), {question} question and tables ({tables})")
}
