"""Speed of the name index beside its peers, over the same 200,000 names."""

from __future__ import annotations

import random

import pytest

from groundwire._core import EntityIndex

COUNT = 200_000
SYLLABLES = [
    "ba",
    "chen",
    "do",
    "el",
    "far",
    "gra",
    "hol",
    "is",
    "jen",
    "ka",
    "lo",
    "mar",
    "ne",
    "or",
    "pe",
    "qui",
    "ros",
    "san",
    "ta",
    "ul",
    "vin",
]


@pytest.fixture(scope="module")
def names():
    rng = random.Random(5)

    def word() -> str:
        return "".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))).capitalize()

    return [f"{word()} {word()}" for _ in range(COUNT)]


@pytest.fixture(scope="module")
def text(names):
    rng = random.Random(6)
    return " ".join(f"Then we met {rng.choice(names)} near the old bridge." for _ in range(500))


@pytest.fixture(scope="module")
def index(names):
    return EntityIndex.build((name, i) for i, name in enumerate(names))


def misspelt(names):
    rng = random.Random(7)
    out = []
    for name in rng.sample(names, 50):
        at = rng.randrange(1, len(name) - 2)
        out.append((name[:at] + name[at + 1] + name[at] + name[at + 2 :]).lower())
    return out


@pytest.mark.benchmark(group="scan")
def test_scan(benchmark, index, text):
    assert len(benchmark(index.scan, text)) >= 500


@pytest.mark.benchmark(group="scan")
def test_scan_pyahocorasick(benchmark, names, text):
    ahocorasick = pytest.importorskip("ahocorasick")
    automaton = ahocorasick.Automaton()
    for i, name in enumerate(names):
        automaton.add_word(name.lower(), i)
    automaton.make_automaton()
    assert benchmark(lambda: sum(1 for _ in automaton.iter(text.lower()))) >= 500


@pytest.mark.benchmark(group="fuzzy, 50 names")
def test_fuzzy(benchmark, index, names):
    queries = misspelt(names)
    kinds = benchmark(lambda: [index.lookup(query)[0] for query in queries])
    assert set(kinds) <= {"near_miss", "known"}


@pytest.mark.benchmark(group="fuzzy, 50 names")
def test_fuzzy_rapidfuzz(benchmark, names):
    process = pytest.importorskip("rapidfuzz.process")
    distance = pytest.importorskip("rapidfuzz.distance").OSA.distance
    folded = [name.lower() for name in names]
    queries = misspelt(names)

    def run():
        return [
            process.extract(query, folded, scorer=distance, score_cutoff=2, limit=8)
            for query in queries
        ]

    assert all(benchmark.pedantic(run, rounds=1))
