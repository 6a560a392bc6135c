//! Speed of `kb`, beside a hash map over the same names.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use criterion::Criterion;
use groundwire_core::kb::{KbBuilder, KnowledgeBase, Record, Value};

fn builder(entities: u32) -> KbBuilder {
    let mut builder = KbBuilder::new();
    for i in 0..entities {
        let record = Record::named(&format!("Entity Number{i}"))
            .alias(&format!("E{i}"))
            .fact(
                "founded",
                Value::Number {
                    value: f64::from(1900 + i % 120),
                    unit: None,
                },
            )
            .fact("city", Value::Text(format!("City{}", i % 500)));
        builder.add(record).expect("valid");
    }
    builder
}

/// Benchmarks of the room.
pub fn bench(criterion: &mut Criterion) {
    let builder = builder(20_000);
    let bytes = Arc::new(builder.to_bytes().expect("bytes"));
    let kb = KnowledgeBase::from_bytes(bytes.clone())
        .expect("read")
        .snapshot();
    let plain: HashMap<String, u32> = (0..20_000)
        .map(|i| (format!("entity number{i}"), i))
        .collect();
    let mut group = criterion.benchmark_group("kb");
    group.bench_function("find a name of 20,000", |b| {
        b.iter(|| kb.find(black_box("Entity Number777")));
    });
    group.bench_function("floor: a hash map, name folded before", |b| {
        b.iter(|| plain.get(black_box("entity number777")));
    });
    group.bench_function("facts of one attribute", |b| {
        b.iter(|| kb.facts(black_box(777), Some("city")));
    });
    group.bench_function("snapshot", |b| b.iter(|| black_box(&kb).clone()));
    group.bench_function("open a mapped base", |b| {
        b.iter(|| KnowledgeBase::from_bytes(bytes.clone()));
    });
    group.finish();
}
