//! From rules to their running form.

use regex_automata::meta::Regex;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

use super::beginnings::{SHORT_LEAD, beginnings};
use super::chars::fold;
use super::machine::Machine;
use super::nfa::{Nfa, as_python};
use super::prescan::{Hit, Starts, Texts};
use super::ruleset::Compiled;
use super::spec::{RuleSpec, rule_error};
use super::trie::Trie;
use crate::error::Result;

/// Longest whole-word literal that is found without attempts: its characters must fit the
/// stream's 64 bits of history.
const WORD_LIMIT: usize = 60;
/// Most bytes of the program of an `unless` regex.
const UNLESS_LIMIT: usize = 1 << 20;

/// The literal of a one-literal rule.
#[derive(Debug)]
pub(crate) struct Literal {
    /// Its rule.
    pub(crate) rule: u32,
    /// Its bytes, folded if the rule folds.
    pub(crate) len: usize,
    /// Its characters.
    pub(crate) chars: usize,
    /// Whole words only.
    pub(crate) word: bool,
    /// Two occurrences can overlap.
    pub(crate) overlaps: bool,
}

/// A rule that runs attempts.
#[derive(Debug)]
pub(crate) struct Scanner {
    /// Its rule.
    pub(crate) rule: u32,
    /// Most bytes of a match.
    pub(crate) cap: usize,
    /// Characters after which an attempt is begun.
    pub(crate) lead: usize,
    /// What attempts run on.
    pub(crate) machine: Machine,
}

/// Compiles valid rules.
pub(crate) fn compile(rules: Vec<RuleSpec>) -> Result<Compiled> {
    let mut literals = Vec::new();
    let mut scanners = Vec::new();
    let (mut exact, mut folded) = (Texts::default(), Texts::default());
    for (index, rule) in rules.iter().enumerate() {
        let rule_index = index as u32;
        let Some(text) = lone_literal(rule) else {
            let machine = machine(rule).map_err(|message| rule_error(&rule.id, message))?;
            scanners.push(Scanner {
                rule: rule_index,
                cap: rule.cap(),
                lead: 1,
                machine,
            });
            continue;
        };
        let text: String = if rule.ignore_case {
            text.chars().map(fold).collect()
        } else {
            text.to_owned()
        };
        let hit = Hit::Literal(literals.len() as u32);
        literals.push(Literal {
            rule: rule_index,
            len: text.len(),
            chars: text.chars().count(),
            word: rule.word,
            overlaps: has_border(text.as_bytes()),
        });
        if rule.ignore_case {
            &mut folded
        } else {
            &mut exact
        }
        .add(text, hit);
    }
    let (folds, beginnings) = beginnings(&rules, &scanners);
    let mut open = Vec::new();
    for (scanner, beginning) in (0..).zip(beginnings) {
        let Some((lead, prefixes)) = beginning else {
            open.push(scanner);
            continue;
        };
        for prefix in prefixes {
            if folds { &mut folded } else { &mut exact }.add(prefix, Hit::Begin(scanner));
        }
        scanners[scanner as usize].lead = lead;
    }
    let starts = (!open.is_empty()).then(|| {
        let open: Vec<_> = open
            .iter()
            .map(|&i| (i, &scanners[i as usize].machine))
            .collect();
        Starts::new(&open)
    });
    let unless = rules.iter().map(unless).collect::<Result<Vec<_>>>()?;
    let verifies = |rule: &&RuleSpec| rule.check.is_some() || !rule.unless.is_empty();
    let verified = rules.iter().filter(verifies).map(|rule| rule.cap() + 8);
    // Of a longer beginning the ring of a stream holds only the end.
    let begun = scanners.iter().filter(|one| one.lead > SHORT_LEAD);
    let begun = begun.map(|one| 4 * (one.lead + 1));
    let keep = verified.chain(begun).max().unwrap_or(0);
    Ok(Compiled {
        longest: literals
            .iter()
            .map(|literal| literal.len)
            .max()
            .unwrap_or(0),
        keep,
        unless,
        literals,
        scanners,
        exact: exact.build()?,
        fold: folded.build()?,
        starts,
        rules,
    })
}

fn lone_literal(rule: &RuleSpec) -> Option<&str> {
    match (rule.literals.as_slice(), &rule.regex) {
        ([text], None) if !rule.word || text.chars().count() <= WORD_LIMIT => Some(text),
        _ => None,
    }
}

/// Whether a beginning of `text` is also an end of it.
fn has_border(text: &[u8]) -> bool {
    let mut borders = vec![0; text.len()];
    let mut border = 0;
    for i in 1..text.len() {
        while border > 0 && text[i] != text[border] {
            border = borders[border - 1];
        }
        border += usize::from(text[i] == text[border]);
        borders[i] = border;
    }
    border > 0
}

fn machine(rule: &RuleSpec) -> std::result::Result<Machine, String> {
    let Some(regex) = &rule.regex else {
        let trie = Trie::new(&rule.literals, rule.ignore_case, rule.word);
        return Ok(Machine::Trie(Box::new(trie)));
    };
    let mut ways = vec![parse(&as_python(regex)?, rule.ignore_case)?];
    for literal in &rule.literals {
        ways.push(parse(&regex_syntax::escape(literal), rule.ignore_case)?);
    }
    let mut hir = Hir::alternation(ways);
    if rule.word {
        hir = Hir::concat(vec![
            parse(r"\b{start-half}", false)?,
            hir,
            parse(r"\b{end-half}", false)?,
        ]);
    }
    let cap = rule.cap();
    match (
        hir.properties().minimum_len(),
        hir.properties().maximum_len(),
    ) {
        (None, _) => return Err("the regex can match nothing".to_owned()),
        (_, Some(0)) => return Err("the regex can only match the empty text".to_owned()),
        (Some(least), _) if least > cap => {
            return Err(format!(
                "a match needs at least {least} bytes, more than max_len {cap}"
            ));
        }
        _ => {}
    }
    Machine::new(Nfa::new(&hir, cap)?, cap)
}

fn parse(pattern: &str, ignore_case: bool) -> std::result::Result<Hir, String> {
    ParserBuilder::new()
        .case_insensitive(ignore_case)
        .build()
        .parse(pattern)
        .map_err(|error| error.to_string())
}

fn unless(rule: &RuleSpec) -> Result<Vec<Regex>> {
    rule.unless
        .iter()
        .map(|pattern| {
            let config = Regex::config().nfa_size_limit(Some(UNLESS_LIMIT));
            let syntax =
                regex_automata::util::syntax::Config::new().case_insensitive(rule.ignore_case);
            as_python(pattern)
                .and_then(|pattern| {
                    Regex::builder()
                        .configure(config)
                        .syntax(syntax)
                        .build(&pattern)
                        .map_err(|error| error.to_string())
                })
                .map_err(|message| rule_error(&rule.id, format!("unless '{pattern}': {message}")))
        })
        .collect()
}
