"""Answers of known grounding, made from openly licensed texts by evidence ablation.

An answer is put together from sentences that a passage supports: summaries and claims people wrote
about it, and sentences of the passage itself, lightly paraphrased. Then the sentences of the
passage that support one of them are taken out of the evidence, and that sentence is called
ungrounded. Nobody has to label anything, and the licence is that of the texts. Answers look like
those of a language model: lists, lead-ins, closing remarks, all written for this project.
"""

from __future__ import annotations

import collections
import itertools
import json
import math
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support_phrases import CLOSE, FUNCTION, INTRO, LEAD, LINK, OTHER_WORDS, QUESTIONS

from groundwire import _core

DIALOGUES = "samsum"
"""Its passages are chats without statements to summarise by; left out."""


@dataclass
class Source:
    """A text, what people wrote about it, and where it comes from."""

    name: str
    sentences: list[str]
    words: list[set[str]]
    claims: list[str] = field(default_factory=list)


@dataclass
class Answer:
    """An answer with its evidence and the spans (code points) that the evidence lacks."""

    text: str
    passages: list[str]
    question: str
    ungrounded: list[tuple[int, int]]
    number: int = 0
    """Number of its source."""


def read(path: Path) -> list[dict[str, Any]]:
    """Return the records of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text that hold a letter."""
    found = (e["text"].strip() for e in _core.segment(text) if e["event"] == "sentence")
    return [s for s in found if any(c.isalpha() for c in s)]


def content(text: str) -> set[str]:
    """Return the content words of a text without their endings."""
    out = set()
    for word in re.findall(r"[A-Za-z0-9']+", text.lower()):
        if word not in FUNCTION and len(word) > 1:
            out.add(re.sub(r"(?<=...)(ing|ies|ed|es|s)$", "", word))
    return out


def overlap(words: set[str], other: set[str]) -> float:
    """Return the share of ``words`` that ``other`` holds."""
    return len(words & other) / len(words) if words else 0.0


def texts(data: Path) -> dict[str, tuple[str, list[str]]]:
    """Return every text with its set's name and what people wrote that it supports.

    BUMP's and SummEdits' correct summaries, and WiCE's supported claims.
    """
    out: dict[str, tuple[str, list[str]]] = {}
    for record in read(data / "bump_task1.jsonl"):
        _, claims = out.setdefault(record["evidence"][0]["text"], ("bump", []))
        if not record["hallucinated"]:
            claims += sentences(re.sub(r" ([.,])", r"\1", record["response"]))
    for record in read(data / "summedits.jsonl"):
        if record["extra"]["domain"] != DIALOGUES:
            _, claims = out.setdefault(record["evidence"][0]["text"], ("summedits", []))
            if not record["hallucinated"]:
                claims += sentences(record["response"])
    for record in read(data / "wice_tokens_train.jsonl"):
        lines = [s for s in record["evidence"] if not s.startswith("(meta")]
        text = " ".join(s for s in lines if len(s.split()) > 5)
        _, claims = out.setdefault(text, ("wice", []))
        if record["label"] == "supported":
            claims.append(re.sub(r"<[^>]*>", "", record["claim"]).strip())
    return out


def sources(data: Path) -> list[Source]:
    """Return the texts of at least eight sentences."""
    out = []
    for text, (name, claims) in texts(data).items():
        own = [s for s in sentences(text) if 4 <= len(s.split()) <= 60]
        if len(own) >= 8:
            fit = dict.fromkeys(c for c in claims if 5 <= len(c.split()) <= 45)
            out.append(Source(name, own, [content(s) for s in own], list(fit)))
    return out


def common_words(data: Path) -> str:
    """Return the table of common words: a weight and the words that weigh so much.

    A word that stands in 3 % of the texts weighs 0.9 where it is novel, one of nearly all 0.3:
    0.3 + 0.7 ln(N / df) / ln(N / df0), in steps of 0.1.
    """
    all_texts = texts(data)
    df: collections.Counter[str] = collections.Counter()
    for text in all_texts:
        df.update({w for w in re.findall(r"[a-z]+", text.lower()) if len(w) > 2})
    count = len(all_texts)
    least = max(8, round(0.03 * count))
    levels: dict[float, list[str]] = collections.defaultdict(list)
    for word, n in df.items():
        if n >= least:
            share = math.log(count / n) / math.log(count / least)
            levels[max(0.3, min(0.9, math.ceil(3 + 7 * share) / 10))].append(word)
    return "".join(f"{k:.1f}\t{' '.join(sorted(v))}\n" for k, v in sorted(levels.items()))


def lowered(sentence: str) -> str:
    """Return the sentence as it goes on after a lead-in."""
    first, _, rest = sentence.partition(" ")
    if first.lower() in FUNCTION and first != "I":
        return f"{first.lower()} {rest}".strip()
    return sentence


def paraphrase(sentence: str, rng: random.Random) -> str:
    """Return the sentence with parts dropped, turned round or said in other words."""
    plain = re.sub(r'\([^)]*\)|["“”]', "", sentence)
    parts = [part.strip() for part in plain.rstrip(".!? ").split(", ")]
    if len(parts) > 2 and rng.random() < 0.5:
        parts.pop(rng.randrange(1, len(parts)))
    if len(parts) == 2 and rng.random() < 0.3 and len(parts[1].split()) > 3:
        parts = [parts[1], lowered(parts[0])]
    words = ", ".join(parts).split()
    if len(words) > 12 and rng.random() < 0.4:
        breaks = ("who", "which", "after", "before", "because", "while", "when", "and", "but")
        cuts = [i for i, w in enumerate(words) if w.lower() in breaks and i > 6]
        if cuts:
            words = words[: rng.choice(cuts)]
    drop = rng.choice([0, 0.03, 0.08])
    small = ("very", "also", "just", "then", "now", "the", "a")
    words = [
        w
        for i, w in enumerate(words)
        if not (i and rng.random() < drop and (w.endswith("ly") or w.lower() in small))
    ]
    words = [OTHER_WORDS[w] if w in OTHER_WORDS and rng.random() < 0.4 else w for w in words]
    text = " ".join(words).strip(" ,;:-")
    return text[:1].upper() + text[1:] + "."


def topic(parts: Sequence[str], rng: random.Random) -> str:
    """Return a pair of words that comes up twice, else a frequent word."""
    words = re.findall(r"[A-Za-z][a-z'-]+", " ".join(parts))
    told = [w.lower() not in FUNCTION and len(w) > 3 for w in words]
    pairs = collections.Counter(
        f"{words[i]} {words[i + 1]}" for i in range(len(words) - 1) if told[i] and told[i + 1]
    )
    if pairs and pairs.most_common(1)[0][1] > 1:
        return pairs.most_common(1)[0][0]
    single = collections.Counter(w for w, t in zip(words, told, strict=True) if t)
    return rng.choice(single.most_common(3))[0] if single else "this"


Unit = tuple[str, list[int] | None]
"""A sentence of an answer and the numbers of the sentences it rests on; ``None`` for a foreign
one."""


def _units(source: Source, rng: random.Random) -> tuple[list[Unit], list[int]]:
    """Choose what an answer says, and the window of the text it is about."""
    claims = list(source.claims)
    rng.shuffle(claims)
    rests: dict[str, list[int]] = {}
    for claim in claims[: rng.choice([0, 1, 2, 3])]:
        words = content(claim)
        shares = [overlap(words, other) for other in source.words]
        best = sorted(range(len(shares)), key=lambda i: -shares[i])[:3]
        if words:
            rests[claim] = [i for i in best if shares[i] > 0.15]
    size = rng.choice([8, 11, 14, 18])
    n = len(source.sentences)
    base = rng.randrange(0, max(1, min(n, 60) - size + 1))
    wanted = {i for rest in rests.values() for i in rest}
    window = sorted(set(range(base, min(n, base + size))) | wanted)[:26]
    units: list[Unit] = [(c, r) for c, r in rests.items() if all(i in window for i in r)]
    for i in rng.sample(window, min(rng.choice([1, 2, 3, 4, 5]), len(window))):
        own = source.sentences[i]
        if len(own.split()) >= 6:
            units.append((paraphrase(own, rng) if rng.random() < 0.8 else own, [i]))
    rng.shuffle(units)
    return [u for u in units if len(u[0].split()) >= 5], window


def _ablate(
    source: Source, units: Sequence[Unit], window: Sequence[int], labels: list[bool]
) -> tuple[list[tuple[str, bool]], list[int]]:
    """Take out what supports the labelled sentences; drop those that are neither nor."""
    gone: set[int] = set()
    for (text, rest), label in zip(units, labels, strict=True):
        if label and rest is not None:
            words = content(text)
            gone |= set(rest) | {i for i in window if overlap(words, source.words[i]) > 0.45}
    left = [i for i in window if i not in gone]
    kept = []
    for (text, rest), label in zip(units, labels, strict=True):
        words = content(text)
        held = max((overlap(words, source.words[i]) for i in left), default=0.0)
        lost = rest is not None and any(i in gone for i in rest[:1])
        if (label and held > 0.5) or (not label and lost and held >= 0.4):
            continue
        kept.append((text, label or lost))
    return kept, left


def _write(
    kept: Sequence[tuple[str, bool]], about: str, listed: bool, rng: random.Random
) -> tuple[str, list[tuple[int, int]]]:
    """Write the answer down; returns it with the spans that are ungrounded."""
    text = ""
    spans = []
    if listed and rng.random() < 0.8:
        text = rng.choice(INTRO).format(about)
    numbered = rng.random() < 0.65
    bullet = rng.choice(["* ", "- ", "• "])
    for i, (sentence, label) in enumerate(kept):
        said = sentence
        if listed:
            text += "\n\n" if i == 0 and text else "\n" if text else ""
            text += f"{i + 1}. " if numbered else bullet
            words = [w for w in re.findall(r"[A-Za-z]+", said) if w.lower() not in FUNCTION]
            if rng.random() < 0.3 and words:
                said = f"{' '.join(words[: rng.choice([1, 2])]).capitalize()}: {said}"
        else:
            lead = rng.choice(LEAD if i == 0 or rng.random() < 0.15 else LINK)
            said = lead + (lowered(said) if lead else said)
            text += " " if text else ""
        if label:
            spans.append((len(text), len(text) + len(said)))
        text += said
    if rng.random() < 0.5:
        text += "\n\n" if listed else rng.choice([" ", "\n\n"])
        text += rng.choice(CLOSE).format(about)
    return text, spans


def answer(source: Source, others: Sequence[Source], rng: random.Random) -> Answer | None:
    """Make one answer about a text; ``None`` where too little of it is left."""
    units, window = _units(source, rng)
    if not units:
        return None
    if rng.random() < 0.15:
        other = rng.choice(others)
        if other is not source and other.claims:
            units.insert(rng.randrange(1, len(units) + 1), (rng.choice(other.claims), None))
    listed = rng.random() < 0.55
    labels = [rest is None for _, rest in units]
    if rng.random() < (0.55 if listed else 0.33):
        # What a model makes up stands together, and late in a list.
        first = rng.randrange(len(units))
        if listed:
            first = max(first, rng.randrange(len(units)))
        for i in range(first, min(len(units), first + rng.choice([1, 1, 1, 2, 3]))):
            labels[i] = True
    kept, left = _ablate(source, units, window, labels)
    if not kept or len(left) < 4:
        return None
    cuts = [0, *sorted(rng.sample(range(1, len(left)), 2)), len(left)]
    passages = [
        " ".join(source.sentences[i] for i in left[a:b]) for a, b in itertools.pairwise(cuts)
    ]
    about = topic([source.sentences[i] for i in window], rng)
    question = rng.choice(QUESTIONS).format(about.lower())
    text, spans = _write(kept, about, listed, rng)
    return Answer(text, passages, question, spans)


def answers(found: Sequence[Source], seeds: Iterable[int]) -> list[Answer]:
    """Make six answers about each text that people wrote about and three about each other one."""
    out = []
    for seed in seeds:
        rng = random.Random(seed)
        for number, source in enumerate(found):
            for _ in range(6 if source.claims else 3):
                made = answer(source, found, rng)
                if made is not None:
                    made.number = number
                    out.append(made)
    return out
