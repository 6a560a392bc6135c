"""The compiled core; see ``groundwire`` for the public names."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Self, TypedDict, final

from typing_extensions import disjoint_base

from groundwire.findings import Claim, Finding, Verdict
from groundwire.report import Report

__all__ = [
    "Budget",
    "CoreMonitor",
    "Decoder",
    "Directive",
    "EntityIndex",
    "GroupConfidence",
    "Guard",
    "KnowledgeBase",
    "LinguisticSignal",
    "LogitStats",
    "Mark",
    "RuleMatch",
    "Ruleset",
    "Said",
    "Session",
    "Signals",
    "Step",
    "Table",
    "Vocab",
    "__version__",
    "base_confidence",
    "bits_to_trust",
    "boosted_probability",
    "budget",
    "check_lexicon",
    "coherence",
    "convert_unit",
    "default_policy_json",
    "default_settings_json",
    "detail_features",
    "entropy_varentropy",
    "exclusivity",
    "flare",
    "is_placeholder",
    "key_twice",
    "kl_bernoulli",
    "least_probability",
    "linguistic_signals",
    "listed_entropy",
    "logit_stats",
    "logit_stats_batch",
    "mean_lift",
    "negentropy",
    "p_max",
    "percentile",
    "profile_json",
    "qmv",
    "renormalised_entropy",
    "segment",
    "segments",
    "semantic_entropy",
    "sentences",
    "sequence_probability",
    "simd_level",
    "support_feature_names",
    "support_features",
    "token_confidence",
    "top_logprob_bounds",
    "top_margin",
    "wilson_upper",
]

__version__: str

# --- detok

@final
class Vocab:
    """The bytes of a tokenizer's token ids. Immutable, shared by streams and threads, picklable.

    Ids are whole numbers from 0 and may leave holes; ``len`` is one more than the highest.
    """

    @classmethod
    def from_json(cls, json: str | bytes) -> Vocab:
        """Read the table of a ``tokenizers`` JSON file, given as its text or bytes.

        Raises ``FormatError`` if it is no such file, ``ArgumentError`` for a tokenizer whose texts
        cannot be followed token by token.
        """
    @classmethod
    def from_entries(cls, entries: list[tuple[int, bytes, bool]]) -> Vocab:
        """Build a table of (id, bytes, special) entries; a special token gives no text.

        Raises ``ArgumentError`` for an entry of another form, and an id that is given twice.
        """
    @classmethod
    def from_bytes(cls, data: bytes | bytearray) -> Vocab:
        """Read what `to_bytes` wrote.

        Raises ``FormatError`` if it is damaged or of another version.
        """
    def to_bytes(self) -> bytes:
        """Return the table as bytes, for `from_bytes`."""
    def token_bytes(self, id: int) -> bytes:
        """Return the bytes a token gives within a sequence; none for a special one.

        Raises ``UnknownTokenError`` for an id the table lacks.
        """
    def special_content(self, id: int) -> bytes | None:
        """Return what a special token is written as; None for any other.

        Raises ``UnknownTokenError`` for an id the table lacks.
        """
    def is_special(self, id: int) -> bool:
        """Whether the token is special and gives no text; false for an id the table lacks."""
    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of a whole sequence; bytes that are no UTF-8 become U+FFFD.

        Raises ``UnknownTokenError`` for an id the table lacks.
        """
    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes of a whole sequence, before they are read as UTF-8.

        Raises ``UnknownTokenError`` for an id the table lacks.
        """
    @property
    def known(self) -> int:
        """How many ids have a token."""
    def __contains__(self, id: object, /) -> bool: ...
    def __len__(self) -> int: ...

@final
class Decoder:
    """Decodes one stream, token by token; without a vocabulary it takes bytes only."""

    def __new__(cls, vocab: Vocab | None = None) -> Decoder: ...
    def push(self, id: int) -> str:
        """Take the next token; return the text that it completes.

        Raises ``UnknownTokenError`` for an id the vocabulary lacks, ``ArgumentError`` without one;
        nothing changes then.
        """
    def push_all(self, ids: Iterable[int]) -> str:
        """Take several tokens, all or none; return the text that they complete.

        Raises as `push`.
        """
    def push_bytes(self, data: bytes | bytearray) -> str:
        """Take bytes that come from no token; return the text that they complete.

        Raises ``ArgumentError`` for what is no bytes.
        """
    def finish(self) -> str:
        """End the text; return what was still waiting. The decoder is fresh again."""
    @property
    def pending(self) -> int:
        """Bytes of a split character that wait for the rest, 0..3."""
    def __copy__(self) -> Decoder: ...

# --- end of detok

# --- entities

@final
class EntityIndex:
    """Names and the entities they belong to; immutable, shared freely between threads.

    A name is compared in normalised form: case, diacritics, punctuation, possessive endings and
    a leading "the" do not matter.
    """

    @staticmethod
    def build(names: Iterable[tuple[str, int]]) -> EntityIndex:
        """Index (name, entity id) pairs; ids are 0..2**32-1, a name may have several."""

    @staticmethod
    def load(path: str | PathLike[str], *, verify: bool = True) -> EntityIndex:
        """Memory-map an index written by `save`.

        With `verify`, every section is compared with its checksum (CRC-32), which reads the whole
        file; without, the contents are trusted, loading takes the same time for any size, and
        damage behind the header can give wrong answers. Measured once, pages in memory: 47 MB
        (300,000 names) take 1.7 ms with, 0.01 ms without; a cold file adds the time to read it.

        Raises `FormatError` if the file is no index, is cut off, damaged or of another version
        (then save it again), `OSError` if it cannot be read.
        """

    def save(self, path: str | PathLike[str]) -> None:
        """Write the index to `path`, replacing the file there in one step."""

    def lookup(self, name: str) -> tuple[str, list[int], list[int]]:
        """Return (kind, entity ids, distances).

        `kind` is "known", "near_miss" or "unknown". Near misses are the nearest eight, with their
        edit distances (optimal string alignment): at most 1 from 4 characters, 2 from 9.
        """

    def scan(self, text: str) -> list[tuple[int, int, str, list[int], list[int], int]]:
        """Return mentions as (start, end, kind, entity ids, distances, decided_at).

        Offsets count code points. `kind` may also be "common": a word that any text may hold, such
        as a month, a country or a large city.
        """

    @property
    def memory(self) -> int:
        """Bytes of the index."""

    def __len__(self) -> int:
        """Return the number of different normalised names."""

# --- text

def key_twice(text: str) -> tuple[str, int] | None:
    """Return the first key that an object of a JSON text has twice, and its line from 1 on."""

# --- segment

def segments(
    text: str,
    *,
    kb: KnowledgeBase | None = None,
    history: Sequence[tuple[str, str]] | None = None,
    question: str | None = None,
    reference_date: str | None = None,
) -> str:
    """Read a text without judging it; a JSON list, one object a sentence.

    Each has `index`, `text`, `span` (code points), `kind`, and what is read in it: `claims`;
    `entities` (`surface`, `span`, `mention_type`, `type`, `resolved`: the key in the knowledge
    base); `temporals` (`surface`, `span`, `resolved_date`, `first` and `last` as YYYY-MM-DD,
    `year`, `tense`, `relation` and its own `target`, `event`); `statements` (`surface`, `span`,
    `subject`, `predicate`, `object`, `negative`, `quantifier`, `scope`, `category`, `modality`).
    Pronouns may refer to `history`, pairs of role and text, and to `question`. Dates count from
    `reference_date`, as YYYY-MM-DD; without one, "last year" has no date.

    Raises ``ArgumentError`` for a lone surrogate and a date that is none.
    """

def coherence(text: str, turns: Sequence[str]) -> str:
    """Hold every statement of a text against every one of earlier turns, oldest first (S4-020).

    Returns JSON: `contradictions` (`claim`, `contradicts`, `severity` 0..1, `kind`: "value",
    "negation" or "quantifier"), `drifts` (`concept`, `first`, `now`, `drift` 0..1, `drifted`) of
    the concepts that both speak of, and `corrections`, the claims that openly take something back.

    Raises ``ArgumentError`` for a lone surrogate.
    """

def exclusivity(attribute: str) -> float:
    """Return how surely two values of an attribute of one thing exclude each other, 0..1."""

def base_confidence(source: str) -> float:
    """Return the base confidence of a kind of source (S4-009), 0..1.

    ``source`` is the document's name of it (``direct_observation``, ``file_content``,
    ``user_statement``, ``inference``) or a kind of ``Evidence``; any other has 0.3.
    """

def segment(text: str, *, chunk: int | None = None) -> list[dict[str, Any]]:
    """Split `text` into lexemes, quantities, dates and sentences, in the order they close.

    Each is a dict with `event` (lexeme, quantity, date, sentence), `text`, `start` and `end`
    (code points), `byte_start` and `byte_end`, `decided_at` (code points) and its own fields:
    `kind` and `flags`; `kind`, `value`, `unit`, `decimals`, `approximate`; `year`, `month` 1..12,
    `day` 1..31, `weekday` 1 (Monday)..7, `minutes` since midnight; `kind`, `index`,
    `terminator`, `capped`. With `chunk` the text is fed that many characters at a time; the
    result is the same. Raises ArgumentError if `chunk` is 0.
    """

def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text in code points, in order."""

def support_feature_names() -> list[str]:
    """Return the names of the grounding features, in their order."""

def support_features(
    text: str, evidence: Sequence[str], question: str | None = None
) -> dict[str, Any]:
    """Measure `text` against passages, at each content word and each sentence's end.

    Returns `names` and `rows`; a row is `(sentence, start, end, features)`: whether it is a whole
    sentence, from where to where it goes (code points of `text`), and the features in the order
    of the names. A row says nothing of what comes after its end. Words of `question` count
    neither as novel nor as evidence. This is what `tools/fit_support.py` fits on.
    """

def detail_features(
    text: str, evidence: Sequence[str], question: str | None = None
) -> dict[str, Any]:
    """Measure the words of each sentence of `text` against passages.

    Returns `names` and `rows`; a row is `(sentence, start, end, class, features)`: the number of
    the sentence, the code points of the word in `text`, what it is ("name", "number", "verb",
    "word", "pronoun", "negation"), and the features in the order of the names. This is what
    `tools/fit_details.py` fits on.
    """

def convert_unit(value: float, source: str, target: str) -> float | None:
    """Express `value` of the unit `source` in the unit `target`; None if not comparable.

    Raises NotFoundError for a name that is no unit's.
    """

# --- patterns

@final
class RuleMatch:
    """One match of one rule."""

    @property
    def rule(self) -> str:
        """Id of the rule."""
    @property
    def index(self) -> int:
        """Place of the rule in its set, from 0."""
    @property
    def kind(self) -> str:
        """Kind of the rule, "pattern" unless it says another."""
    @property
    def confidence(self) -> float:
        """Confidence of the rule, 0..1."""
    @property
    def message(self) -> str:
        """What to say, with the text put in."""
    @property
    def text(self) -> str:
        """The text that matched."""
    @property
    def segment(self) -> str:
        """The last 100 characters of text when the match was decided (S4-015)."""
    @property
    def span(self) -> tuple[int, int]:
        """Start and end in code points."""
    @property
    def byte_span(self) -> tuple[int, int]:
        """Start and end in bytes of UTF-8."""
    @property
    def decided_at(self) -> int:
        """Code points of text after which nothing could change the match."""
    @property
    def truncated(self) -> bool:
        """Whether the match could have been longer but for the rule's ``max_len``."""

@final
class LinguisticSignal:
    """One wording signal."""

    @property
    def kind(self) -> str:
        """One of hedging, overconfidence, vagueness, self_correction, certainty."""
    @property
    def strength(self) -> float:
        """How strong the wording is, 0..1."""
    @property
    def text(self) -> str:
        """The words."""
    @property
    def span(self) -> tuple[int, int]:
        """Start and end in code points."""
    @property
    def byte_span(self) -> tuple[int, int]:
        """Start and end in bytes of UTF-8."""

@final
class Ruleset:
    """Rules compiled together; `groundwire.Ruleset` is its public face."""

    def __new__(cls, rules: str | Iterable[Mapping[str, Any]]) -> Ruleset: ...
    @classmethod
    def from_toml(cls, text: str) -> Ruleset:
        """Compile the rules of a TOML text: tables ``[[rules]]``.

        Raises ``RuleError`` if the text or a rule is not valid.
        """
    @classmethod
    def from_rules(cls, rules: Iterable[Mapping[str, Any]]) -> Ruleset:
        """Compile rules: dicts with the keys of a rule file, or their JSON text.

        Raises ``RuleError`` if a rule is not valid.
        """
    @classmethod
    def builtin(cls) -> Ruleset:
        """Return the rules that come with groundwire."""
    def merge(self, other: Ruleset) -> Ruleset:
        """Return the rules of both sets; raises ``RuleError`` if an id is used twice."""
    def scan(self, text: str) -> list[RuleMatch]:
        """Return all matches of a whole text, as a stream would report them."""
    def rules(self) -> list[dict[str, Any]]:
        """Return the rules as dicts with the keys of a rule file."""
    def __len__(self) -> int: ...

def linguistic_signals(text: str) -> list[LinguisticSignal]:
    """Return the wording signals of a text, in order of their start (S0-072).

    Raises ``ArgumentError`` for a lone surrogate.
    """

# --- logits

@final
class LogitStats:
    """What one row of logits says; natural logarithms unless a name says bits.

    All numbers are NaN and ``top_k`` is empty if ``invalid``.
    """

    @property
    def logsumexp(self) -> float:
        """Ln of the sum of exp(logit); any number."""
    @property
    def entropy(self) -> float:
        """Entropy of the row; nats, 0..ln of the vocabulary."""
    @property
    def varentropy(self) -> float:
        """Variance of -ln p under the row; nats squared, 0 or more (entropix)."""
    @property
    def margin(self) -> float:
        """Difference of the two highest probabilities, 0..1."""
    @property
    def confidence(self) -> float:
        """-mean ln p of the 20 most likely tokens; nats, 0 or more (DeepConf, arXiv 2508.15260).

        Of fewer where fewer are unmasked. High is sure.
        """
    @property
    def surprisal(self) -> float | None:
        """-ln p of the sampled token, if one was named; nats, 0 or more, inf if it was masked."""
    @property
    def logprob(self) -> float | None:
        """Ln p of the sampled token, if one was named; nats, 0 or less, -inf if it was masked."""
    @property
    def prior_logprob(self) -> float | None:
        """Ln p of the sampled token in the prior row; nats, 0 or less, None without one."""
    @property
    def top_k(self) -> list[tuple[int, float]]:
        """Most likely tokens as (id, ln p), most likely first, lower id first among equals."""
    @property
    def kl(self) -> float | None:
        """KL(row || prior); nats, 0 or more. None without a prior or if either row is invalid."""
    @property
    def kl_bits(self) -> float | None:
        """KL(row || prior); bits, 0 or more. None as `kl`."""
    @property
    def lift_bits(self) -> float | None:
        """log2 of p(sampled) in the row over that in the prior; bits, of either sign.

        None without a sampled token, a prior, or if either row is invalid.
        """
    @property
    def invalid(self) -> bool:
        """Whether the row held NaN or +inf, or masked every token."""
    @property
    def invalid_reason(self) -> str | None:
        """Which of these, with a count."""
    def __len__(self) -> int: ...

@final
class GroupConfidence:
    """Mean of token confidence over a window (DeepConf, arXiv 2508.15260); O(1) a token, no drift.

    ``window`` is in tokens, 1..2**20. Raises ``ArgumentError`` for another.
    """

    def __new__(cls, window: int = 2048) -> GroupConfidence: ...
    def push(self, confidence: float) -> float | None:
        """Take in one token's confidence (nats, 0..4,095); the mean, once the window is full.

        What lies beyond is cut off, NaN is passed over.
        """
    @property
    def mean(self) -> float | None:
        """Mean of the window, nats; None until it is full."""
    @property
    def window(self) -> int:
        """Tokens of a full window."""

class _Bounds(TypedDict):
    surprisal: tuple[float, float]
    entropy: tuple[float, float]
    varentropy: tuple[float, float]
    margin: tuple[float, float]
    confidence: tuple[float, float]
    invalid: bool

def logit_stats(
    row: object, sampled: int | None = None, prior: object | None = None, top_k: int = 20
) -> LogitStats:
    """Statistics of one row of logits, read without a copy and with the GIL released.

    ``row`` and ``prior`` (the same prefix without the evidence): one dimension; NumPy arrays,
    ``array.array`` or other buffers of float32 or float16, uint16 or ``ml_dtypes`` bfloat16 as
    brain floats, torch CPU tensors or other DLPack exporters of float32, float16 or bfloat16.
    -inf masks a token; NaN, +inf and a row masked throughout make the result ``invalid``.
    Raises ArgumentError for an empty row, another type, shape, device or memory layout, rows of
    different lengths, a token id beyond the row, ``top_k`` above 1024.
    """

def logit_stats_batch(
    batch: object,
    sampled: Sequence[int | None] | None = None,
    prior: object | None = None,
    top_k: int = 20,
    threads: int = 1,
) -> list[LogitStats]:
    """Statistics of each row of a batch (rows x vocabulary); as `logit_stats` gives, bit for bit.

    The rows are shared among ``threads`` threads, at least 1. Raises as `logit_stats`, naming
    the row.
    """

def simd_level() -> str:
    """Name of the instruction set in use: scalar, avx2 or avx512; results do not depend on it."""

def top_logprob_bounds(
    entries: Sequence[tuple[int, float]],
    k: int | None = None,
    sampled: int | None = None,
    vocabulary: int | None = None,
) -> _Bounds:
    """Bounds (lower, upper) that the top logprobs of a row set to its statistics.

    ``entries``: (id, ln p; nats, 0 or less); the ``k`` most likely of them are the top of the row,
    a sampled token may be listed beside them. ``vocabulary`` is the number of all tokens, which
    bounds what the others hold. Units are those of `LogitStats`. Raises ``ArgumentError`` if there
    is no entry, ``k`` is 0 or the vocabulary smaller than the list.
    """

def token_confidence(logprobs: Sequence[float]) -> float:
    """-mean of the top logprobs; nats, 0 or more, high is sure (DeepConf, arXiv 2508.15260).

    Raises ``ArgumentError`` if there is none.
    """

def percentile(values: Sequence[float], percent: float) -> float:
    """Value below which ``percent`` (0..100) of the values lie, interpolated.

    DeepConf's bar is the 10th of the warm-up minima. Raises ``ArgumentError`` if there is no value,
    one is NaN, or ``percent`` is out of its range.
    """

def listed_entropy(logprobs: Sequence[float]) -> float:
    """Entropy terms of the listed logprobs as they are; nats, 0 for none.

    What is not listed adds nothing (lm-polygraph under vLLM).
    """

def renormalised_entropy(logprobs: Sequence[float]) -> float:
    """Entropy of the listed probabilities scaled to sum to 1; nats, 0..ln of their number."""

def negentropy(logprobs: Sequence[float]) -> float:
    """1 - H / ln K of the renormalised top K: 0 (uniform)..1 (sure, or one token alone) (uqlm).

    Raises ``ArgumentError`` if there is none.
    """

def top_margin(logprobs: Sequence[float]) -> float:
    """Difference of the first two probabilities of logprobs, most likely first; 0..1 (uqlm).

    Raises ``ArgumentError`` if there is none.
    """

def sequence_probability(logprobs: Sequence[float]) -> float:
    """Geometric mean of the tokens' probabilities, from their logprobs; 0..1.

    Raises ``ArgumentError`` if there is none.
    """

def least_probability(logprobs: Sequence[float]) -> float:
    """Least of the tokens' probabilities, from their logprobs; 0..1.

    Raises ``ArgumentError`` if there is none.
    """

def entropy_varentropy(p: Sequence[float]) -> tuple[float, float]:
    """Entropy (nats) and varentropy (nats squared) of probabilities that sum to 1 (entropix)."""

def boosted_probability(
    p: Sequence[float], token: int, jump: float = 0.3, least: float = 0.005
) -> float:
    """Probability of the dominant group for a token in it, else its own; 0..1.

    The group ends at the last fall by at least ``jump`` of a probability that is itself at least
    ``least`` (EMNLP 2025, main 166). Raises ``ArgumentError`` if ``token`` is beyond the list.
    """

def flare(p: Sequence[float], trigger: float = 0.8, mask: float = 0.4) -> tuple[bool, list[bool]]:
    """Whether to retrieve, and which tokens to leave out of the query (FLARE, arXiv 2305.06983).

    ``p`` are the tokens' probabilities: one at or below ``trigger`` asks for it, those at or below
    ``mask`` are left out.
    """

def semantic_entropy(classes: Sequence[int], weights: Sequence[float] | None = None) -> float:
    """Entropy (nats, 0 or more) of the shares of answers that mean the same (arXiv 2302.09664).

    ``classes`` has an id for each answer; ``weights`` are mean logprobs, whose exp weights it.
    Raises ``ArgumentError`` if there is no answer, or the lists differ in length.
    """

# --- budget
@final
class Budget:
    """What a claim needs and what its evidence supplies, in `unit`.

    Amounts are numbers where both probabilities were, else (lower, upper).
    """

    @property
    def required(self) -> float | tuple[float, float]:
        """KL(target || p0), 0 or more (SPEC-08.04)."""
    @property
    def observed(self) -> float | tuple[float, float]:
        """KL(p1 || p0), 0 or more (SPEC-08.04)."""
    @property
    def gap(self) -> float | tuple[float, float]:
        """Required less observed, of either sign; bounds one against the other (SPEC-08.04)."""
    @property
    def gap_joint(self) -> float | tuple[float, float]:
        """Required less observed; the exact range, both using the same p0; inside `gap`."""
    @property
    def status(self) -> str:
        """supported, contradicted, not_in_context or unverifiable."""
    @property
    def flagged(self) -> bool:
        """Whether the gap certainly exceeds the threshold and the claim is not supported."""
    @property
    def tier(self) -> str:
        """none, low, medium or high, as the budget profile has them."""
    @property
    def unit(self) -> str:
        """The unit of the amounts: bits or nats."""

class _Qmv(TypedDict):
    q_lo: float
    needed: float
    sufficiency: float
    jsd: float
    bound: float
    deviation: float
    answer: bool

def kl_bernoulli(p: float, q: float, eps: float = 0.01, unit: str = "bits") -> float:
    """KL(Ber(p) || Ber(q)) in ``unit`` ("bits" or "nats"); 0 or more (SPEC-08.06).

    ``p`` and ``q`` are probabilities, 0..1, both clipped to [eps, 1 - eps]; ``eps`` is at least 0
    and below 0.5. With 0 nothing is clipped, and the result may be infinite. Raises
    ``ArgumentError`` for a number out of its range and another unit.
    """

def budget(
    *,
    p0: float | tuple[float, float],
    p1: float | tuple[float, float],
    target: float = 0.95,
    eps: float = 0.01,
    unit: str = "bits",
    flag_threshold: float = 5.0,
    strict_seed: bool = False,
) -> Budget:
    """Information budget of a claim: ``p1`` with and ``p0`` without its evidence (SPEC-08.03).

    Both are probabilities, 0..1, or bounds (lower, upper) on one; ``target`` (0..1) is the
    confidence the claim is stated with, ``eps`` the clip of `kl_bernoulli`, ``flag_threshold`` an
    amount in ``unit`` ("bits" or "nats"). Contradicted (p1 < 0.2, or p0 > 0.5 and p1 < 0.3)
    whatever the gap; else supported from p1 >= target; else not_in_context, flagged above
    ``flag_threshold``; unverifiable where the bounds leave it open. ``strict_seed``: flagged if
    required > observed (SPEC-08.05). Raises ``ArgumentError`` as `kl_bernoulli`, and for reversed
    bounds.
    """

def bits_to_trust(h_star: float, q_lo: float) -> float:
    """Nats (0 or more) that an answer needs above the prior ``q_lo`` (EDFL, arXiv 2509.11208).

    ``h_star`` is the error rate aimed at; both are 0..1. 0 where the prior is at or above 1 - h*.
    Raises ``ArgumentError`` for what is no probability.
    """

def mean_lift(p: float, weak: Sequence[float], cap: float = 12.0) -> float:
    """Mean of ln p - ln weak, each clipped to [0, cap]; nats (EDFL, arXiv 2509.11208).

    ``p`` and each of ``weak``, under the weakened prompts, are 0..1; ``cap`` is in nats, 0 or more.
    Raises ``ArgumentError`` if ``weak`` is empty or a value is no probability.
    """

def p_max(lift: float, q: float) -> float:
    """Highest success probability that ``lift`` nats allow from the prior ``q``; 0..1 (EDFL).

    Raises ``ArgumentError`` if ``q`` is not in 0..1 or ``lift`` is below 0 or NaN.
    """

def wilson_upper(failures: int, n: int, z: float = 1.959964) -> float:
    """Upper end of Wilson's score interval for a rate of ``failures`` in ``n``; 0..1.

    ``z`` is in standard deviations, above 0 (1.96 for 95 %). Raises ``ArgumentError`` if ``n`` is
    0, ``failures`` exceeds it or ``z`` is out of its range.
    """

def qmv(p_ref: float, q: Sequence[float], h_star: float = 0.05) -> _Qmv:
    """The quantile rule over permuted prompts (arXiv 2509.11208): amounts, and whether to answer.

    ``q`` are P(yes) under permuted prompts, ``p_ref`` under the reference prompt, ``h_star`` the
    error rate aimed at; all 0..1. ``q_lo`` is the 5 % quantile of ``q``, ``needed`` the nats above
    it, ``sufficiency`` what is there over what is needed (0 or more), ``jsd`` the divergence of the
    permuted answers (nats), ``bound`` and ``deviation`` their mean deviation (0..1), at most and as
    it is. Raises ``ArgumentError`` if ``q`` is empty or a value is no probability.
    """

# --- kb

@disjoint_base
class KnowledgeBase:
    """Facts about entities; `groundwire.kb.KnowledgeBase` is its public face."""

    def __new__(cls) -> Self: ...
    def _read_jsonl(self, text: str, source: str | None = None) -> None: ...
    def _read_file(self, path: Path, verify: bool) -> None: ...
    def _read_bytes(self, data: bytes | bytearray, verify: bool) -> None: ...
    def _path(self) -> Path | None: ...
    def _put(self, record: str, replace: bool) -> int: ...
    def _put_attribute(self, entity: int, attribute: str, value: str) -> None: ...
    def _remove(self, entity: int) -> bool: ...
    def _entity(self, id: int) -> dict[str, Any] | None: ...
    def remove_attribute(self, entity: int, attribute: str) -> int:
        """Remove the facts of an entity's attribute; return how many there were.

        Raises ``NotFoundError`` if there is no such entity.
        """
    def find(self, name: str) -> list[int]:
        """Return the ids of entities of which a name or alias equals ``name``.

        Names are compared as `EntityIndex` compares them.
        """
    def find_key(self, key: str) -> int | None:
        """Return the id of the entity of that key, or None."""
    def _holders(self, name: str) -> list[int]: ...
    def facts(self, entity: int, attribute: str | None = None) -> list[dict[str, Any]]:
        """Return the facts of an entity, of one attribute or of all; none for an unknown id.

        Each is a dict with ``predicate``, ``type``, ``value``, ``unit`` (of numbers that have one),
        ``source``, ``confidence`` (0..1), ``valid_from`` and ``valid_to`` (YYYY-MM-DD or None) and
        ``qualifiers``.
        """
    def ids(self) -> list[int]:
        """Return the ids of all entities, ascending; 0..2**32-1."""
    def attribute_names(self) -> list[str]:
        """Return the names of all attributes, in alphabetical order."""
    def is_closed(self, attribute: str | None = None) -> bool:
        """Whether what is missing is false: in one attribute, or in the whole base."""
    def set_world(self, closed: bool = False, attributes: list[str] = ...) -> None:
        """Declare the base complete as a whole, or in some attributes."""
    def to_bytes(self) -> bytes:
        """Return the base as bytes, changes folded in, for ``KnowledgeBase.from_bytes``."""
    def _lexicon(self) -> str: ...
    def _set_lexicon(self, additions: str) -> None: ...
    def attribute_synonyms(self, attribute: str) -> list[str]:
        """Return other names that mean the attribute: lower case, with ``_``."""
    def table_names(self) -> list[str]:
        """Return the names of the tables, in alphabetical order."""
    def _table(self, name: str) -> tuple[list[str], int | None, int]: ...
    def _put_table(
        self, name: str, columns: list[str], rows: list[list[str]], key: str | None = None
    ) -> None: ...
    def remove_table(self, name: str) -> bool:
        """Remove a table; return whether there was one."""
    def _upsert_row(self, name: str, cells: list[str]) -> None: ...
    def _remove_rows(self, name: str, wanted: list[tuple[str, str]]) -> int: ...
    def _rows(self, name: str, wanted: list[tuple[str, str]]) -> list[list[str]]: ...
    def __len__(self) -> int: ...

def check_lexicon(additions: str) -> None:
    """Raise ``ArgumentError`` for words that no lexicon can take (JSON of its parts)."""

def is_placeholder(text: str) -> bool:
    """Whether a text only holds the place of a value: "unknown", "n/a", "tbd", "-", nothing."""

@disjoint_base
class Table:
    """Rows indexed by their values; `groundwire.Table` is its public face."""

    def __new__(cls, columns: list[str], rows: list[list[str]]) -> Self: ...
    def __len__(self) -> int: ...

# --- end of kb

# --- monitor, session, guard

@final
class Signals:
    """What is known about one token; natural logarithms unless a name says bits.

    Where rows were given, no number is beyond ±1e6: an infinity (a token that is masked, a KL to a
    row that rules a token out) is told as the end of that range, so that sums over tokens stay
    finite. `LogitStats` has the numbers as they are. Signals from elsewhere are kept as given.
    """

    @property
    def surprisal(self) -> float | None:
        """-ln p of the token that was chosen; nats, 0 or more."""
    @property
    def entropy(self) -> float | None:
        """Entropy of the row; nats, 0 or more."""
    @property
    def varentropy(self) -> float | None:
        """Variance of -ln p under the row; nats squared, 0 or more (entropix)."""
    @property
    def margin(self) -> float | None:
        """Difference of the two highest probabilities, 0..1."""
    @property
    def confidence(self) -> float | None:
        """-mean ln p of the 20 most likely tokens; nats, 0 or more (DeepConf, arXiv 2508.15260).

        High is sure: the others then have little probability.
        """
    @property
    def group_confidence(self) -> float | None:
        """Mean of `confidence` over the last ``group_window`` tokens; nats, 0 or more (DeepConf).

        None until so many tokens came.
        """
    @property
    def kl_bits(self) -> float | None:
        """KL(row || prior row); bits, 0 or more. None without a prior row."""
    @property
    def lift_bits(self) -> float | None:
        """log2 of p(token) with the evidence over that without; bits, of either sign."""
    @property
    def logprob(self) -> float | None:
        """Ln p of the token with the evidence; nats, 0 or less."""
    @property
    def prior_logprob(self) -> float | None:
        """Ln p of the token without the evidence; nats, 0 or less."""
    @property
    def invalid(self) -> bool:
        """Whether the row, or a number that was given, cannot be; all numbers are None then."""
    def to_dict(self) -> dict[str, float | bool]:
        """Return the numbers that are known, by name, and ``invalid``."""

@final
class Step:
    """What is new after one push; false in a condition if that is nothing."""

    @property
    def tier(self) -> str:
        """Highest tier among the new findings: none, low, medium, high or critical."""
    @property
    def action(self) -> str:
        """What the policy does about that tier."""
    @property
    def signals(self) -> Signals | None:
        """What is known about the token; None if nothing is."""
    @property
    def findings(self) -> tuple[Finding, ...]:
        """New findings, in the order in which they were decided."""
    @property
    def claims(self) -> tuple[Claim, ...]:
        """Claims that closed, in order."""
    def __bool__(self) -> bool: ...

@final
class Mark:
    """A place in one session to roll back to, from ``Session.mark``. Immutable."""

    @property
    def pushes(self) -> int:
        """Pushes before the mark."""

    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...

@final
class Session:
    """One stream. One caller at a time: concurrent use raises ``SessionBusy``."""

    @property
    def reference_date(self) -> str | None:
        """The day that counts as today, as YYYY-MM-DD; None if there is none."""
    @property
    def session_id(self) -> str | None:
        """As given when the session was opened."""
    @property
    def turn_id(self) -> str | None:
        """As given when the session was opened."""
    @property
    def text(self) -> str:
        """The text so far; of more than ``max_retained`` bytes, the end."""
    @property
    def pushes(self) -> int:
        """Pushes so far, without those taken back."""
    @property
    def latched(self) -> str | None:
        """Why monitoring stopped: an internal fault; None while it goes on."""
    @property
    def finished(self) -> bool:
        """Whether the stream has ended."""
    def push(
        self,
        token_id: int,
        *,
        logits: Any = None,
        prior_logits: Any = None,
        signals: Signals | Mapping[str, float] | None = None,
        top_logprobs: Mapping[Any, float] | None = None,
        forced: bool = False,
    ) -> Step:
        """Follow one token.

        ``logits`` is the raw row (one dimension, float32, float16 or bfloat16) the token was
        sampled from, ``prior_logits`` the row for the same prefix with the evidence taken out
        of the prompt. Engines that only have numbers pass ``signals`` (nats where a name does not
        say bits; ln p at most 0, margin 0..1, the others but ``lift_bits`` at least 0), or
        ``top_logprobs`` (tokens to natural logarithms of their probabilities, at most 0): only
        what such a list fixes exactly counts. NaN, and an infinity where none can be, is what a
        broken engine computes: the step's signals are then ``invalid`` and hold no number, and the
        report counts the token in ``stats["invalid_rows"]``.

        Raises ``UnknownTokenError`` for an id the vocabulary lacks, ``ArgumentError`` for what is
        no integer, rows that do not fit and numbers out of their range, ``SessionLatched`` after
        ``finish`` or an internal fault. Nothing changes then.
        """

    def push_text(
        self,
        text: str,
        *,
        signals: Signals | Mapping[str, float] | None = None,
        top_logprobs: Mapping[Any, float] | None = None,
        forced: bool = False,
    ) -> Step:
        """Follow a piece of text, cut anywhere; numbers and errors are those of ``push``.

        Raises ``ArgumentError`` for a lone surrogate too.
        """

    def push_bytes(
        self,
        data: bytes | bytearray,
        *,
        signals: Signals | Mapping[str, float] | None = None,
        top_logprobs: Mapping[Any, float] | None = None,
        forced: bool = False,
    ) -> Step:
        """Follow raw UTF-8; a split character waits for its rest, what is none becomes U+FFFD.

        Numbers and errors are those of ``push``.
        """

    def observe(self, logits: Any, prior_logits: Any = None) -> None:
        """Remember the row the next token will be sampled from (copied)."""

    def mark(self) -> Mark:
        """Return a place for ``rollback(to=…)`` of this session, or of a fork made later."""

    def rollback(self, n: int | None = None, *, to: Mark | None = None) -> None:
        """Take back the last ``n`` pushes, or everything after the mark ``to``.

        Raises ``RollbackTooFar`` if that is no longer retained, ``ArgumentError`` for a mark of
        another session or of a place that was taken back since, ``SessionLatched`` once the stream
        has ended; nothing changes then.
        """

    def fork(self) -> Session:
        """Return an independent copy of the stream."""

    def add_evidence(self, text: str, id: str | None = None) -> None:
        """Add a passage the answer may rest on from here on.

        Raises ``ArgumentError`` for a lone surrogate, ``SessionLatched`` after the end.
        """

    def events(self) -> list[dict[str, Any]]:
        """Return what happened so far, as plain data for ``Monitor.replay``.

        Raises ``RollbackTooFar`` if the beginning is no longer retained.
        """
    def expect(self, claim_id: str) -> None:
        """Say that a verifier will answer for this claim; raises ``NotFoundError`` for none."""

    def resolve(self, claim_id: str, verdict: Verdict) -> Step:
        """Take a verifier's answer; from any thread.

        Raises ``NotFoundError`` for a claim that is not in the log.
        """

    def report(self, claim_id: str | None, findings: Iterable[Finding]) -> Step:
        """Take findings from outside; from any thread.

        Raises ``NotFoundError`` for a claim that is not in the log, ``ArgumentError`` for a
        finding whose span or probability is not valid.
        """

    def show_answers_later(self) -> None:
        """Let the next step show what ``resolve`` and ``report`` bring.

        For answers from other threads, which have no use for the step that is returned to them.
        """

    def poll(self) -> Step:
        """Return what came in from other threads since the last call."""

    def close(self) -> Step:
        """End the stream; return what its end decided.

        Raises ``SessionLatched`` after an internal fault.
        """
    def finish(self) -> Report:
        """End the stream and report everything about it; the same again if called again."""
    def peek(self) -> Report:
        """Report what there is so far, without ending the stream."""
    def __enter__(self) -> Session: ...
    def __exit__(self, *_args: object) -> bool: ...

@final
class Directive:
    """One thing an integration is to do: ``release``, ``rewind``, ``wait`` or ``stop``."""

    @property
    def kind(self) -> str:
        """``release``, ``rewind``, ``wait`` or ``stop``."""
    @property
    def text(self) -> str | None:
        """Text to release, or to force after a rewind; None for the other kinds."""
    @property
    def keep(self) -> int | None:
        """Pushes that stay after a rewind, 0 or more; None for the other kinds."""
    @property
    def reason(self) -> str | None:
        """Why the answer ends, as ``Guard.stopped`` says; None for the other kinds."""

@final
class Guard:
    """The release and rewriting of one stream."""

    @property
    def session_id(self) -> str | None:
        """As given when the guard was opened."""
    @property
    def turn_id(self) -> str | None:
        """As given when the guard was opened."""
    @property
    def released(self) -> str:
        """What the reader has so far; of more than ``max_retained`` bytes, the end."""
    @property
    def text(self) -> str:
        """The session's text so far; of more than ``max_retained`` bytes, the end."""
    @property
    def missing(self) -> str | None:
        """What the last intervention says is missing, in its words; none where it names nothing."""
    @property
    def pushes(self) -> int:
        """Pushes so far, without those taken back."""
    @property
    def held(self) -> int:
        """Bytes of the stream's text that wait to leave."""
    @property
    def stopped(self) -> str | None:
        """Why the answer ended; None while it goes on.

        ``end`` (complete), ``interrupted``, ``discarded``, ``exhausted`` (as many rewrites as the
        policy allows) or ``failed`` (monitoring failed, and the profile stops then).
        """
    @property
    def interventions(self) -> int:
        """How often something was done to the answer so far, as ``Report.interventions`` tells."""
    def push(
        self,
        token_id: int,
        *,
        logits: Any = None,
        prior_logits: Any = None,
        signals: Signals | Mapping[str, float] | None = None,
        top_logprobs: Mapping[Any, float] | None = None,
        forced: bool = False,
        now_ms: int = 0,
    ) -> tuple[Step, list[Directive]]:
        """Follow one token; returns what it brought, and what to do, in order.

        ``now_ms`` is the caller's clock in milliseconds, 0 or more, which never goes back; the
        rest, and what is raised, is as for ``Session.push``. A session that a fault has latched
        makes the guard go on without judging, or stop, as the profile says.
        """

    def push_text(
        self,
        text: str,
        *,
        signals: Signals | Mapping[str, float] | None = None,
        top_logprobs: Mapping[Any, float] | None = None,
        forced: bool = False,
        now_ms: int = 0,
    ) -> tuple[Step, list[Directive]]:
        """Follow a piece of text; otherwise as ``push``."""

    def poll(self, now_ms: int = 0) -> list[Directive]:
        """Look again after answers came in or time passed; what to do, in order."""

    def cut(self) -> None:
        """The answer is cut off here, as by a limit of tokens; before ``finish``.

        The end is then judged without a last word that no space and no mark closed, and nothing is
        reported of what that word may still change: an amount or a name right before it. Text that
        follows takes it back.
        """

    def finish(self, now_ms: int = 0) -> list[Directive]:
        """The model has ended; may ask for a rewind or for waiting, else ends with ``stop``."""

    def close(self, now_ms: int = 0) -> tuple[Step, list[Directive]]:
        """As ``finish``, with the step that the end itself brought; it comes once."""

    def ask_about_claims(self) -> None:
        """From here on somebody answers about every closed claim.

        Its text and the end wait for ``answered``, as far as the policy holds unresolved claims
        and up to its limits.
        """

    def cannot_rewind(self, *, in_place: bool = False) -> None:
        """From here on no text can be generated anew from a place further back.

        A hedge is an annotation. A claim that would have been interrupted ends the answer with
        what is missing in its place (``stop`` as ``interrupted``), and so does a wrong value,
        unless it is exchanged ``in_place``: the caller then carries a ``rewind`` out by pushing its
        text, and behind it what it took back but for the value. A note after text that has left
        needs no rewind.
        """

    def answered(self, claim_id: str) -> None:
        """Everybody who was asked about this claim has answered; from any thread."""

    def cannot_answer(self, reason: str) -> None:
        """Somebody who was asked failed; from any thread.

        The answer ends at the next call where a profile's ``failure`` is ``stop``.
        """

    def give_up_on_answers(self) -> None:
        """Let what is held for answers leave at the next call."""

    @property
    def at_boundary(self) -> bool:
        """Whether something could be said here, of a guard that only appends."""
    @property
    def whole(self) -> bool:
        """Whether the text so far ends with a whole character."""
    def fork(self) -> Guard:
        """Return an independent copy; answers that wait to be read do not go with it."""

    def foresee(self, next_ids: Sequence[int]) -> Said | None:
        """Return what has to be said here before the model goes on with ``next_ids``.

        Without ids, the answer ends here. None where the sentence goes on, and for guards that do
        more than append. Raises ``UnknownTokenError`` for an id the vocabulary lacks.
        """

    def speak(self, said: Said) -> None:
        """Say that ``said`` is forced from here on: push its tokens with ``forced=True``.

        The answer stops with the last of them where it says so.
        """

    def unsaid(self) -> Said | None:
        """Return what was to be said and never was, for whoever can still add it."""

    def add_evidence(self, text: str, id: str | None = None) -> None:
        """Add a passage the answer may rest on from here on; raises as ``Session.add_evidence``."""
    def expect(self, claim_id: str) -> None:
        """Say that a verifier will answer for this claim; raises ``NotFoundError`` for none."""
    def resolve(self, claim_id: str, verdict: Verdict) -> None:
        """Take a verifier's answer; from any thread, acted upon at the next call.

        An answer about a claim that was taken back is dropped.
        """
    def report_findings(self, claim_id: str | None, findings: Iterable[Finding]) -> None:
        """Take findings from outside; from any thread, acted upon at the next call.

        Raises ``ArgumentError`` for what are no findings.
        """
    def report(self) -> Report:
        """Report everything about the stream, and what was done to it."""

@final
class Said:
    """What a guard that only appends wants said."""

    @property
    def text(self) -> str:
        """Text to force, with the spaces around it."""
    @property
    def stop(self) -> str | None:
        """Why the answer ends after it."""
    def __eq__(self, other: object, /) -> bool: ...

@disjoint_base
class CoreMonitor:
    """What ``groundwire.Monitor`` is built on."""

    def __new__(
        cls,
        *,
        vocab: Vocab | None = None,
        rules: Ruleset | None = None,
        kb: KnowledgeBase | None = None,
        profiles: Sequence[str] | None = None,
        policy: str | None = None,
        settings: str | None = None,
        lexicon: str | None = None,
    ) -> Self: ...
    def open(
        self,
        evidence: list[tuple[str, str]],
        history: list[tuple[str, str]],
        question: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        reference_date: str | None = None,
        rows: Table | None = None,
    ) -> Session:
        """Open a stream; ``evidence`` is pairs (id, text), ``history`` pairs (role, text).

        Raises ``ArgumentError`` for a ``reference_date`` that is no day, YYYY-MM-DD.
        """
    def open_guard(
        self,
        evidence: list[tuple[str, str]],
        history: list[tuple[str, str]],
        question: str | None = None,
        policy: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        reference_date: str | None = None,
        rows: Table | None = None,
        lead: str | None = None,
        appending: bool = False,
    ) -> Guard:
        """Open a guarded stream.

        With ``appending``, one for engines that cannot go back: each token has left when it is
        pushed, nothing is rewound, and ``foresee`` tells what is to be said after a claim.
        """

    def rebuild(
        self,
        events: str,
        evidence: list[tuple[str, str]],
        history: list[tuple[str, str]],
        question: str | None = None,
        reference_date: str | None = None,
        rows: Table | None = None,
    ) -> Session:
        """Rebuild a session from its events (JSON) and what it was opened with.

        Raises ``FormatError`` if these are no events, and what replaying one of them raises.
        """
    def push_many(
        self,
        sessions: Sequence[Session],
        token_ids: Iterable[int],
        *,
        logits: Any = None,
        prior_logits: Any = None,
    ) -> list[Step | Exception]:
        """Push one token to each session, the interpreter released.

        ``logits`` and ``prior_logits`` are batches with one row a session. An error comes back
        in the place of its row's step and changes only that row's session: nothing.
        """

    def push_guards(
        self,
        guards: Sequence[Guard],
        token_ids: Sequence[int],
        forced: Sequence[bool] | None = None,
        signals: Sequence[Signals | Mapping[str, float] | None] | None = None,
    ) -> list[int | Exception]:
        """Push one token to each guard, the interpreter released.

        Returns for each what came of it: 1 something was found or closed, 2 something could be
        said here, 4 the answer is to end here, added up; or an error in the place of its row.
        Raises ``ArgumentError`` for lists of different lengths.
        """

    def judge(self, findings: str) -> str:
        """Return what each profile makes of findings, both as JSON; by the profile's name.

        Raises ``ArgumentError`` for what are no findings.
        """
    @property
    def profile_names(self) -> list[str]:
        """Names of the profiles, in order."""
    @property
    def policy_json(self) -> str:
        """The policy as JSON."""
    @property
    def settings_json(self) -> str:
        """The settings as JSON."""

def profile_json(name: str) -> str:
    """Return the built-in profile of that name as JSON; raises ``NotFoundError`` for none."""

def default_policy_json() -> str:
    """Return the default policy as JSON."""

def default_settings_json() -> str:
    """Return the default settings as JSON."""
