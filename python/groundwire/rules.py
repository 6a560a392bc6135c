"""Rules: those of a file, and any Python object that looks like one (S4-016)."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self, TypedDict, runtime_checkable

from groundwire import _core
from groundwire._files import KeyTwice, parse_yaml, path_of, read_text
from groundwire.errors import ArgumentError, RuleError

__all__ = [
    "ObjectRules",
    "PatternWarning",
    "Rule",
    "RuleLike",
    "Ruleset",
    "compile_rules",
    "load_rules",
]

_SUFFIXES = (".toml", ".yaml", ".yml")
_SEVERAL = ("literals", "unless")
"""Keys with a list of texts, of which there may be one alone."""

SEGMENT_CHARS = 100
"""Characters of text that a warning carries (S4-015)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Rule:
    """One rule, with the keys of a rule file; `Ruleset` says whether it is valid.

    A match is the leftmost-longest text that one of ``literals`` or ``regex`` describes, at most
    ``max_len`` (16..1,024, by default 256) bytes. ``confidence`` is 0..1. ``check`` names an
    identifier (isbn, issn, iban, doi, arxiv, luhn, orcid): only malformed ones match.
    ``ignore_case`` compares by Unicode's simple case folding, one character with one: "ß" is not
    "ss". In a regex, ``$`` is the end of the text alone, not also the place before a last line
    break as in Python's ``re``. A match in which one of the regexes ``unless`` is found does not
    count; with ``unless_cited`` none counts in a sentence that carries a citation. Of the kind
    ``unsourced_authority`` none counts where the sentence names its source, speaks of one named
    before ("the study"), or is followed by an example that names one; it is decided by the first
    word of the next sentence where that begins no example. A match with a ``check`` is as long as
    the malformed identifier. ``signal`` is a wording signal, ``{"kind": "hedging", "strength":
    0.6}``. One plain string counts as the only one of ``literals`` or ``unless``; in a TOML file
    they are lists.
    """

    id: str
    literals: Sequence[str] = ()
    regex: str | None = None
    kind: str = "pattern"
    confidence: float = 0.5
    message: str = ""
    suggestion: str | None = None
    tier: str | None = None
    severity: str | None = None
    ignore_case: bool = False
    word: bool = False
    max_len: int | None = None
    check: str | None = None
    unless: Sequence[str] = ()
    unless_cited: bool = False
    signal: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Take one plain string as the only one of ``literals`` or ``unless``."""
        for name in _SEVERAL:
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))

    def to_dict(self) -> dict[str, Any]:
        """Return the keys that were set, as a rule file has them."""
        fields = dataclasses.fields(self)
        found = {field.name: getattr(self, field.name) for field in fields}
        defaults = {field.name: field.default for field in fields}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
            if name == "id" or value != defaults[name]
        }


class Ruleset:
    """Rules compiled together; immutable, shared by threads and streams, picklable.

    Args:
        rules: rules as `Rule` or mappings with the keys of a rule file, one or several; or their
            JSON text. A rule file is read by `load_rules`, or by ``Monitor(rules=path)``.

    Raises:
        ArgumentError: it is none of these.
        RuleError: a rule is not valid; the message names it.

    """

    __slots__ = ("_compiled",)
    _compiled: _core.Ruleset

    def __init__(self, rules: str | Rule | Mapping[str, Any] | Iterable[Any]) -> None:
        """Compile the rules."""
        if isinstance(rules, os.PathLike):
            raise ArgumentError(_no_text(rules))
        if isinstance(rules, Rule | Mapping):
            rules = [rules]
        if not isinstance(rules, str) and isinstance(rules, Iterable):
            rules = [_plain(rule) for rule in rules]
        try:
            self._compiled = _core.Ruleset(rules)
        except RuleError as error:
            raise _read_for(rules, error) from error

    @classmethod
    def from_rules(cls, rules: str | Rule | Mapping[str, Any] | Iterable[Any]) -> Self:
        """Compile rules, as the class does."""
        return cls(rules)

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Compile the rules of a TOML text: tables ``[[rules]]``.

        Raises:
            ArgumentError: it is no text, or a file's path.
            RuleError: the text or a rule is not valid; the message names line or rule.

        """
        if isinstance(text, os.PathLike):
            raise ArgumentError(_no_text(text))
        try:
            return cls._of(_core.Ruleset.from_toml(text))
        except RuleError as error:
            raise _read_for(text, error) from error

    @classmethod
    def builtin(cls) -> Self:
        """Return the rules that come with groundwire."""
        return cls._of(_core.Ruleset.builtin())

    @classmethod
    def _of(cls, compiled: _core.Ruleset) -> Self:
        self = cls.__new__(cls)
        self._compiled = compiled
        return self

    @property
    def compiled(self) -> _core.Ruleset:
        """The core's own set, which a monitor is built with."""
        return self._compiled

    def merge(self, other: Ruleset) -> Self:
        """Return the rules of both sets.

        Raises:
            ArgumentError: ``other`` is no `Ruleset`.
            RuleError: an id is used twice, or together they compile to too much.

        """
        if not isinstance(other, Ruleset):
            raise ArgumentError(f"a Ruleset is merged with another, not with {other!r:.60}")
        return self._of(self._compiled.merge(other._compiled))

    def scan(self, text: str) -> list[_core.RuleMatch]:
        """Return all matches of a whole text, as a stream would report them.

        Raises:
            ArgumentError: it is no text, or holds a lone surrogate.

        """
        return self._compiled.scan(text)

    def rules(self) -> list[dict[str, Any]]:
        """Return the rules as mappings with the keys of a rule file."""
        return self._compiled.rules()

    def __len__(self) -> int:
        """Return the number of rules."""
        return len(self._compiled)

    def __repr__(self) -> str:
        """Say how many rules there are."""
        return repr(self._compiled)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the rules themselves."""
        return type(self)._of, (self._compiled,)


def _plain(rule: Any) -> Any:
    """Return a rule as the core reads it: what may be one plain string as a list."""
    if isinstance(rule, Rule):
        return rule.to_dict()
    if isinstance(rule, Mapping):
        return {
            key: [value] if key in _SEVERAL and isinstance(value, str) else value
            for key, value in rule.items()
        }
    if isinstance(rule, RuleLike):
        raise ArgumentError(
            f"{rule!r:.60} is an object that finds by itself and cannot be compiled; give it to "
            "Monitor(rules=…), which runs it beside the stream"
        )
    return rule


def _no_text(given: str | os.PathLike[str]) -> str:
    return (
        f"{str(given)!a:.80} is a file's path: Monitor(rules=path) takes it, and "
        "groundwire.rules.load_rules(path) returns its Ruleset"
    )


def _read_for(given: Any, error: RuleError) -> ArgumentError | RuleError:
    """Return what to say of rules that were refused: a path was given where their text belongs."""
    if isinstance(given, str) and given.lower().endswith(_SUFFIXES) and "\n" not in given:
        return ArgumentError(_no_text(given))
    return error


def load_rules(path: str | Path) -> Ruleset:
    """Read a rule file: TOML (``.toml``) or YAML (``.yaml``, ``.yml``), tables under ``rules``.

    Raises:
        ArgumentError: The path is a folder, or no path at all.
        FormatError: The file is not UTF-8.
        RuleError: The file is not valid, or a rule is not; the message names file and rule.
        OSError: The file cannot be read.

    """
    path = path_of(path, "a rule file")
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES and not path.is_dir():
        raise RuleError(
            f"{path}: a rule file ends in .toml, .yaml or .yml; rules that are no file are given "
            "as a list of mappings or Rule objects"
        )
    text = read_text(path, "a rule file")
    try:
        return (
            Ruleset.from_toml(text) if suffix == ".toml" else Ruleset.from_rules(_yaml_rules(text))
        )
    except RuleError as error:
        raise RuleError(f"{path}: {error}") from error


def compile_rules(rules: Any, *, builtin: bool = True) -> tuple[Ruleset | None, tuple[Any, ...]]:
    """Compile what a monitor is given as rules.

    ``rules`` is a `Ruleset`, a rule file's path, one rule (a mapping, `Rule` or an object that
    looks like a rule), or an iterable of those. Returns the compiled set (none: the built-in one
    alone) and the objects, which run beside the stream.

    Raises:
        ArgumentError: it is none of these; an object lacks name, matches or confidence.
        RuleError: a rule or rule file is not valid; the message names it.
        OSError: the rule file cannot be read.

    """
    objects: list[Any] = []
    own: Ruleset | None = None
    if isinstance(rules, Ruleset):
        own = rules
    elif isinstance(rules, str | Path):
        own = load_rules(rules)
    elif rules is not None:
        if isinstance(rules, Mapping | Rule | RuleLike):
            rules = [rules]
        elif not isinstance(rules, Iterable):
            raise ArgumentError(
                f"rules is a Ruleset, a rule file's path or a list of rules, not {rules!a:.60}"
            )
        plain: list[Any] = []
        for rule in rules:
            if isinstance(rule, Rule | Mapping):
                plain.append(rule)
            else:
                objects.append(rule)
        own = Ruleset.from_rules(plain) if plain else None
        ObjectRules(objects)
    if own is None:
        return (None if builtin else Ruleset.from_rules([])), tuple(objects)
    return (Ruleset.builtin().merge(own) if builtin else own), tuple(objects)


def _yaml_rules(text: str) -> list[Any]:
    import yaml

    try:
        data = parse_yaml(text)
    except (KeyTwice, yaml.YAMLError) as error:
        raise RuleError(f"not valid YAML: {error}") from error
    if isinstance(data, Mapping):
        others = [key for key in data if key != "rules"]
        if others:
            raise RuleError(f"unknown key {others[0]!r} beside the rules; use a list under 'rules'")
        data = data.get("rules")
    if data is None:
        return []
    if not isinstance(data, list):
        raise RuleError("'rules' must be a list of rules")
    return data


@runtime_checkable
class RuleLike(Protocol):
    """Any object that finds something in a text (S4-016).

    ``matches`` returns whether the text matches, or where: pairs (start, end) or match objects
    with ``span()``. ``confidence`` returns 0..1.
    """

    @property
    def name(self) -> str:
        """Name of the rule."""

    def matches(self, text: str) -> Any:
        """Return whether, or where, the text matches."""

    def confidence(self, text: str) -> float:
        """Return how sure a match in the text is, 0..1."""


class PatternWarning(TypedDict):
    """One warning (S4-015)."""

    pattern: str
    segment: str
    confidence: float
    span: tuple[int, int]


class ObjectRules:
    """Runs Python rules beside a stream, over a bounded window of its text.

    `feed` is called with each closed sentence or claim. A rule sees the last ``window`` characters
    of all text so far; a text longer than half of that is read in pieces. A position is warned of
    once a rule (D-6), at the first feed that shows it.
    """

    def __init__(self, rules: Iterable[RuleLike], *, window: int = 1024) -> None:
        """Take ``rules``; ``window`` is in characters, at least 100.

        Raises:
            ArgumentError: A rule lacks name, matches or confidence; the window is too small.

        """
        self._rules = tuple(rules)
        for rule in self._rules:
            if not isinstance(rule, RuleLike):
                raise ArgumentError(
                    f"{rule!r} is no rule: it needs name, matches(text) and confidence(text)"
                )
        if window < SEGMENT_CHARS:
            raise ArgumentError(f"window {window} is smaller than {SEGMENT_CHARS} characters")
        self._window = window
        self._tail = ""
        self._end = 0
        self._warned: list[set[int]] = [set() for _ in self._rules]

    @property
    def rules(self) -> tuple[RuleLike, ...]:
        """The rules that run."""
        return self._rules

    def feed(self, text: str) -> Iterator[PatternWarning]:
        """Yield the warnings that ``text``, which follows all text so far, brings.

        Spans count characters from the start of the stream; of a rule that only says yes, the
        span is that of ``text`` as far as it is in the window.

        Raises:
            ArgumentError: A rule returned spans or a confidence that cannot be.

        """
        for fresh in self._read(text):
            for index in range(len(self._rules)):
                yield from self._of(index, fresh)

    def feed_each(
        self, text: str, failed: Callable[[int, BaseException], None]
    ) -> list[PatternWarning]:
        """Return the warnings that ``text`` brings, as `feed`; what a rule raises ends only it.

        ``failed`` is told the rule's index and what it raised.
        """
        warnings: list[PatternWarning] = []
        broken: set[int] = set()
        for fresh in self._read(text):
            for index in range(len(self._rules)):
                if index in broken:
                    continue
                try:
                    warnings.extend(self._of(index, fresh))
                except BaseException as error:
                    broken.add(index)
                    failed(index, error)
        return warnings

    def _read(self, text: str) -> Iterator[int]:
        """Move the window over ``text``; yield, a piece at a time, where in it the piece begins."""
        step = self._window // 2
        for at in range(0, max(len(text), 1), step):
            piece = text[at : at + step]
            self._tail = (self._tail + piece)[-self._window :]
            self._end += len(piece)
            yield max(len(self._tail) - len(piece), 0)

    def _of(self, index: int, fresh: int) -> Iterator[PatternWarning]:
        """Yield the warnings of one rule over the window."""
        rule, warned = self._rules[index], self._warned[index]
        start = self._end - len(self._tail)
        segment = self._tail[-SEGMENT_CHARS:]
        warned.difference_update([at for at in warned if at < start])
        for lo, hi in self._spans(rule, fresh):
            if start + lo in warned:
                continue
            warned.add(start + lo)
            confidence = float(rule.confidence(self._tail))
            if not 0.0 <= confidence <= 1.0:
                raise ArgumentError(f"rule {rule.name!r}: confidence {confidence} is not in 0..1")
            yield PatternWarning(
                pattern=rule.name,
                segment=segment,
                confidence=confidence,
                span=(start + lo, start + hi),
            )

    def _spans(self, rule: RuleLike, fresh: int) -> list[tuple[int, int]]:
        """Return where ``rule`` matches the window, as offsets into it."""
        found = rule.matches(self._tail)
        if found is None or found is False:
            return []
        if found is True:
            # What stood before may be all that matches: then it was warned of before.
            new = rule.matches(self._tail[fresh:]) or not rule.matches(self._tail[:fresh])
            return [(fresh, len(self._tail))] if new else []
        if hasattr(found, "span"):
            found = [found]
        spans = [item.span() if hasattr(item, "span") else tuple(item) for item in found]
        for span in spans:
            if len(span) != 2 or not 0 <= span[0] <= span[1] <= len(self._tail):
                raise ArgumentError(f"rule {rule.name!r}: {span} is no span of the text it saw")
        return [(int(lo), int(hi)) for lo, hi in spans]
