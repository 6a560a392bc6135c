//! Speed of `entities`.

use std::collections::HashSet;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use groundwire_core::entities::{EntityIndex, EntityIndexBuilder, MentionScanner, Names};
use groundwire_core::lexicon::words;
use groundwire_core::normal::fold;
use groundwire_core::types::{LexFlags, LexKind, Lexeme, Span};

const NAMES: u32 = 1_000_000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Like a name's word: syllables, skewed towards few.
    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 32] = [
            "ba", "chen", "do", "el", "far", "gra", "hol", "is", "jen", "ka", "lo", "mar", "ne",
            "or", "pe", "qui", "ros", "san", "ta", "ul", "vin", "wes", "xan", "yo", "zel", "bra",
            "cor", "dun", "est", "fin", "gor", "hel",
        ];
        let n = 2 + self.below(3);
        (0..n).map(|_| SYLLABLES[self.below(32)]).collect()
    }
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

pub(crate) fn synthetic() -> Vec<String> {
    let mut random = Random(0x5eed);
    let firsts: Vec<String> = (0..5_000).map(|_| capital(&random.word())).collect();
    (0..NAMES)
        .map(|_| {
            // Few first names carry most people.
            let first = &firsts[random.below(5_000).min(random.below(5_000))];
            format!("{first} {}", capital(&random.word()))
        })
        .collect()
}

pub(crate) fn build(names: &[String]) -> EntityIndex {
    let mut builder = EntityIndexBuilder::new();
    for (id, name) in names.iter().enumerate() {
        builder.add(name, id as u32);
    }
    builder.build()
}

/// Words of ordinary text with a name every fifteen words.
fn text(names: &[String]) -> Vec<(Lexeme, String)> {
    let plain: Vec<&str> = words::entries()
        .filter(|(word, class)| class.has(words::WordClass::COMMON) && word.is_ascii())
        .map(|(word, _)| word)
        .collect();
    let mut random = Random(0xface);
    let (mut at, mut out) = (0, Vec::new());
    for i in 0..10_000 {
        let chosen = if i % 15 == 14 {
            names[random.below(names.len())].clone()
        } else {
            plain[random.below(plain.len())].to_owned()
        };
        for word in chosen.split(' ') {
            let mut flags = LexFlags::SPACE_BEFORE;
            if word.starts_with(char::is_uppercase) {
                flags = flags.with(LexFlags::CAPITALIZED);
            }
            let span = Span::new(at, at + word.len());
            let lexeme = Lexeme {
                kind: LexKind::Word,
                flags,
                span,
                decided_at: span.end + 1,
            };
            out.push((lexeme, word.to_owned()));
            at += word.len() + 1;
        }
    }
    out
}

fn edit(name: &str, edits: usize, random: &mut Random) -> String {
    let mut chars: Vec<char> = name.to_lowercase().chars().collect();
    for _ in 0..edits {
        let at = random.below(chars.len() - 1);
        match random.below(4) {
            0 => chars[at] = 'q',
            1 => chars.insert(at, 'q'),
            2 => {
                chars.remove(at);
            }
            _ => chars.swap(at, at + 1),
        }
    }
    chars.into_iter().collect()
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let names = synthetic();
    let mut group = criterion.benchmark_group("entities");
    group.sample_size(10);
    group.bench_function("build/100k", |b| {
        b.iter(|| build(black_box(&names[..100_000])));
    });
    let index = build(&names);
    group.bench_function(
        format!(
            "memory/1M names: {} MB in {} bytes",
            index.memory() / 1_000_000,
            index.memory()
        ),
        |b| b.iter(|| black_box(index.memory())),
    );
    let saved: groundwire_core::entities::Bytes = std::sync::Arc::new(index.to_bytes());
    group.bench_function("load/1M", |b| {
        b.iter(|| EntityIndex::from_bytes(black_box(saved.clone())).map(|index| index.len()));
    });

    let lexemes = text(&names);
    let known = Names::new(Some(index.clone()));
    group.throughput(Throughput::Elements(lexemes.len() as u64));
    group.bench_function("scan/1M names, a word", |b| {
        b.iter_batched(
            MentionScanner::new,
            |mut scanner| {
                let mut count = 0;
                for (lexeme, word) in &lexemes {
                    scanner.push(&known, lexeme, word, &mut |_| count += 1);
                }
                count
            },
            BatchSize::SmallInput,
        );
    });
    let set: HashSet<&str> = names.iter().flat_map(|name| name.split(' ')).collect();
    group.bench_function("floor/std HashSet look-up of the same words", |b| {
        b.iter(|| {
            lexemes
                .iter()
                .filter(|(_, word)| set.contains(word.as_str()))
                .count()
        });
    });
    group.bench_function("fold/a word", |b| {
        let mut out = String::new();
        b.iter(|| {
            for (_, word) in &lexemes {
                out.clear();
                fold(word, &mut out);
            }
            out.len()
        });
    });

    for edits in [1_usize, 2] {
        let mut random = Random(7 + edits as u64);
        let queries: Vec<String> = (0..500)
            .map(|_| edit(&names[random.below(names.len())], edits, &mut random))
            .collect();
        group.throughput(Throughput::Elements(queries.len() as u64));
        group.bench_function(format!("fuzzy/1M names, k={edits}"), |b| {
            b.iter(|| {
                queries
                    .iter()
                    .map(|query| index.fuzzy(query, edits as u8).len())
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}
