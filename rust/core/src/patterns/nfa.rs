//! A pattern as an automaton over characters.

use regex_syntax::ast;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use rustc_hash::FxHashMap;

use super::chars::{KINDS, Kind, WORD_CLASS, word_ranges};

/// Most nodes a pattern may compile to.
const NODE_LIMIT: usize = 20_000;

/// One node.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// Reads a character of a set.
    Char {
        /// Index of the set.
        set: u32,
        /// Node after it.
        next: u32,
    },
    /// Goes on at any of these.
    Split(Vec<u32>),
    /// Goes on if the look-around holds.
    Look {
        /// The condition.
        look: Look,
        /// Node after it.
        next: u32,
    },
    /// The pattern has matched.
    Match,
}

/// A set of characters as inclusive ranges, in order.
type Ranges = Vec<(u32, u32)>;

/// The automaton, and the partition of all characters that it can tell apart.
#[derive(Debug, Clone)]
pub(crate) struct Nfa {
    /// Its nodes.
    pub(crate) nodes: Vec<Node>,
    /// Where it starts.
    pub(crate) start: u32,
    /// Which classes each set holds.
    pub(crate) members: Vec<Vec<bool>>,
    /// Kind of the characters of each class.
    pub(crate) class_kind: Vec<Kind>,
    /// The characters' classes.
    pub(crate) alphabet: Alphabet,
    /// Kinds that need not be told apart are one.
    pub(crate) reduce: [Kind; KINDS],
}

/// Maps characters to classes.
#[derive(Debug, Clone)]
pub(crate) struct Alphabet {
    ascii: [u16; 128],
    /// First character and class of each interval, in order.
    intervals: Vec<(u32, u16)>,
}

impl Alphabet {
    /// The class of `c`.
    #[inline]
    pub(crate) fn class(&self, c: char) -> u16 {
        let code = c as u32;
        if code < 128 {
            return self.ascii[code as usize];
        }
        let at = self.intervals.partition_point(|&(lo, _)| lo <= code);
        self.intervals[at - 1].1
    }

    /// The characters of `class`, or none if they are more than `limit`.
    pub(crate) fn chars(&self, class: u16, limit: usize) -> Option<Vec<char>> {
        let mut chars = Vec::new();
        for (i, &(lo, of)) in self.intervals.iter().enumerate() {
            if of != class {
                continue;
            }
            let end = self.intervals.get(i + 1).map_or(0x11_0000, |next| next.0);
            if (end - lo) as usize > limit {
                return None;
            }
            chars.extend((lo..end).filter_map(char::from_u32));
            if chars.len() > limit {
                return None;
            }
        }
        Some(chars)
    }
}

/// Rewrites `\w`, `\W`, `\s` and `\S` to what Python's `re` means by them, unless the pattern
/// switches Unicode off.
pub(crate) fn as_python(pattern: &str) -> Result<String, String> {
    let tree = ast::parse::Parser::new()
        .parse(pattern)
        .map_err(|e| e.to_string())?;
    let found = ast::visit(&tree, PerlClasses::default()).unwrap_or_default();
    if found.ascii {
        return Ok(pattern.to_owned());
    }
    let mut out = String::with_capacity(pattern.len() + 16 * found.at.len());
    let mut done = 0;
    for (start, end, word, negated) in found.at {
        out.push_str(&pattern[done..start]);
        out.push_str(match (word, negated) {
            (true, false) => WORD_CLASS,
            (true, true) => r"[^\p{L}\p{N}_]",
            (false, false) => r"[\s\x1c-\x1f]",
            (false, true) => r"[^\s\x1c-\x1f]",
        });
        done = end;
    }
    out.push_str(&pattern[done..]);
    Ok(out)
}

#[derive(Debug, Default)]
struct PerlClasses {
    at: Vec<(usize, usize, bool, bool)>,
    ascii: bool,
}

impl PerlClasses {
    fn perl(&mut self, class: &ast::ClassPerl) {
        let word = class.kind == ast::ClassPerlKind::Word;
        if word || class.kind == ast::ClassPerlKind::Space {
            let span = (class.span.start.offset, class.span.end.offset);
            self.at.push((span.0, span.1, word, class.negated));
        }
    }

    fn flags(&mut self, flags: &ast::Flags) {
        self.ascii |= flags.flag_state(ast::Flag::Unicode) == Some(false);
    }
}

impl ast::Visitor for PerlClasses {
    type Output = Self;
    type Err = ();

    fn finish(self) -> Result<Self, ()> {
        Ok(self)
    }

    fn visit_pre(&mut self, tree: &ast::Ast) -> Result<(), ()> {
        match tree {
            ast::Ast::ClassPerl(class) => self.perl(class),
            ast::Ast::Flags(set) => self.flags(&set.flags),
            ast::Ast::Group(group) => {
                if let ast::GroupKind::NonCapturing(flags) = &group.kind {
                    self.flags(flags);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), ()> {
        if let ast::ClassSetItem::Perl(class) = item {
            self.perl(class);
        }
        Ok(())
    }
}

struct Compiler {
    nodes: Vec<Node>,
    sets: Vec<Ranges>,
    known: FxHashMap<Ranges, u32>,
    looks: Vec<Look>,
    cap: u32,
}

impl Compiler {
    fn node(&mut self, node: Node) -> Result<u32, String> {
        if self.nodes.len() >= NODE_LIMIT {
            return Err(format!(
                "compiles to more than {NODE_LIMIT} states; use smaller repeat counts"
            ));
        }
        self.nodes.push(node);
        Ok(self.nodes.len() as u32 - 1)
    }

    fn chars(&mut self, ranges: Ranges, next: u32) -> Result<u32, String> {
        let fresh = self.sets.len() as u32;
        let set = *self.known.entry(ranges.clone()).or_insert(fresh);
        if set == fresh {
            self.sets.push(ranges);
        }
        self.node(Node::Char { set, next })
    }

    fn compile(&mut self, hir: &Hir, next: u32) -> Result<u32, String> {
        match hir.kind() {
            HirKind::Empty => Ok(next),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|e| e.to_string())?;
                text.chars()
                    .rev()
                    .try_fold(next, |next, c| self.chars(vec![(c as u32, c as u32)], next))
            }
            HirKind::Class(class) => {
                let ranges = match class {
                    Class::Unicode(class) => class
                        .iter()
                        .map(|r| (r.start() as u32, r.end() as u32))
                        .collect(),
                    Class::Bytes(class) => class
                        .iter()
                        .map(|r| (u32::from(r.start()), u32::from(r.end())))
                        .collect(),
                };
                self.chars(ranges, next)
            }
            HirKind::Look(look) => {
                self.looks.push(*look);
                self.node(Node::Look { look: *look, next })
            }
            HirKind::Capture(capture) => self.compile(&capture.sub, next),
            HirKind::Concat(parts) => parts
                .iter()
                .rev()
                .try_fold(next, |next, part| self.compile(part, next)),
            HirKind::Alternation(parts) => {
                let ways = parts
                    .iter()
                    .map(|part| self.compile(part, next))
                    .collect::<Result<Vec<_>, _>>()?;
                self.node(Node::Split(ways))
            }
            HirKind::Repetition(rep) => {
                // Within the cap, more repeats than it has bytes are as good as any number.
                let min = rep.min.min(self.cap);
                let mut tail = next;
                match rep.max.filter(|&max| max <= self.cap) {
                    None => {
                        tail = self.node(Node::Split(Vec::new()))?;
                        let body = self.compile(&rep.sub, tail)?;
                        self.nodes[tail as usize] = Node::Split(vec![body, next]);
                    }
                    Some(max) => {
                        for _ in min..max.max(min) {
                            let body = self.compile(&rep.sub, tail)?;
                            tail = self.node(Node::Split(vec![body, next]))?;
                        }
                    }
                }
                (0..min).try_fold(tail, |next, _| self.compile(&rep.sub, next))
            }
        }
    }
}

impl Nfa {
    /// Compiles `hir`; repeats beyond `cap` are unbounded.
    pub(crate) fn new(hir: &Hir, cap: usize) -> Result<Self, String> {
        let mut compiler = Compiler {
            nodes: vec![Node::Match],
            sets: Vec::new(),
            known: FxHashMap::default(),
            looks: Vec::new(),
            cap: cap as u32,
        };
        let start = compiler.compile(hir, 0)?;
        let reduce = reduction(&compiler.looks);
        let (alphabet, class_kind, members) = partition(&compiler.sets, &reduce);
        Ok(Self {
            nodes: compiler.nodes,
            start,
            members,
            class_kind,
            alphabet,
            reduce,
        })
    }
}

/// Which kinds `looks` cannot tell apart.
fn reduction(looks: &[Look]) -> [Kind; KINDS] {
    use Look::{
        WordAscii, WordAsciiNegate, WordEndAscii, WordEndHalfAscii, WordEndHalfUnicode,
        WordEndUnicode, WordStartAscii, WordStartHalfAscii, WordStartHalfUnicode, WordStartUnicode,
        WordUnicode, WordUnicodeNegate,
    };
    let ascii = looks.iter().any(|look| {
        matches!(
            look,
            WordAscii
                | WordAsciiNegate
                | WordStartAscii
                | WordEndAscii
                | WordStartHalfAscii
                | WordEndHalfAscii
        )
    });
    let wide = looks.iter().any(|look| {
        matches!(
            look,
            WordUnicode
                | WordUnicodeNegate
                | WordStartUnicode
                | WordEndUnicode
                | WordStartHalfUnicode
                | WordEndHalfUnicode
        )
    });
    let lines = looks.iter().any(|look| {
        matches!(
            look,
            Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF
        )
    });
    let edges = lines
        || looks
            .iter()
            .any(|look| matches!(look, Look::Start | Look::End));
    Kind::ALL.map(|kind| match kind {
        Kind::Edge if !edges => Kind::Other,
        Kind::Lf | Kind::Cr if !lines => Kind::Other,
        Kind::AsciiWord if !ascii && !wide => Kind::Other,
        Kind::WideWord if !wide => Kind::Other,
        Kind::WideWord if !ascii => Kind::AsciiWord,
        other => other,
    })
}

fn partition(sets: &[Ranges], reduce: &[Kind; KINDS]) -> (Alphabet, Vec<Kind>, Vec<Vec<bool>>) {
    let kind_of = |code: u32| reduce[char::from_u32(code).map_or(Kind::Other, Kind::of) as usize];
    let mut cuts: Vec<u32> = (0..=128).collect();
    cuts.extend(sets.iter().flatten().flat_map(|&(lo, hi)| [lo, hi + 1]));
    if reduce[Kind::WideWord as usize] != Kind::Other {
        cuts.extend(word_ranges().iter().flat_map(|&(lo, hi)| [lo, hi + 1]));
    }
    cuts.retain(|&cut| cut < 0x11_0000);
    cuts.sort_unstable();
    cuts.dedup();
    let mut known: FxHashMap<(Vec<bool>, Kind), u16> = FxHashMap::default();
    let mut class_kind = Vec::new();
    let mut members: Vec<Vec<bool>> = vec![Vec::new(); sets.len()];
    let mut ascii = [0; 128];
    let mut intervals: Vec<(u32, u16)> = Vec::new();
    for cut in cuts {
        let signature: Vec<bool> = sets
            .iter()
            .map(|set| {
                let at = set.partition_point(|&(lo, _)| lo <= cut);
                at > 0 && cut <= set[at - 1].1
            })
            .collect();
        let kind = kind_of(cut);
        let fresh = class_kind.len() as u16;
        let class = *known.entry((signature.clone(), kind)).or_insert(fresh);
        if class == fresh {
            class_kind.push(kind);
            for (of, holds) in members.iter_mut().zip(signature) {
                of.push(holds);
            }
        }
        if cut < 128 {
            ascii[cut as usize] = class;
        }
        if intervals.last().is_none_or(|last| last.1 != class) {
            intervals.push((cut, class));
        }
    }
    (Alphabet { ascii, intervals }, class_kind, members)
}
