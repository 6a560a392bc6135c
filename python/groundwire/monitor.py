"""The front door: a monitor is compiled once and opens a session for every stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from groundwire import _core
from groundwire._answers import Detector, Verifier, check_parts, opened
from groundwire._checks import day, seconds, several, whole_number, words
from groundwire._given import passages, turns
from groundwire._many import aended, check_in, ended, handed_out, plain_sessions
from groundwire._parts import profile_json, settings_json
from groundwire.beside import TIMEOUT_S, WatchedSession
from groundwire.beside_guard import WatchedGuard
from groundwire.errors import ArgumentError
from groundwire.events import EventSink, check_sinks
from groundwire.findings import Finding
from groundwire.lexicon import Lexicon
from groundwire.policy import Policy
from groundwire.report import ProfileVerdict, Report
from groundwire.rules import compile_rules
from groundwire.table import table_of
from groundwire.vocabulary import vocabulary

PIECE = 4096
"""Characters of a text that ``check`` pushes at once."""


class Monitor(_core.CoreMonitor):
    """Vocabulary, rules, knowledge base, profiles and policy, compiled; shared by all streams.

    Args:
        kb: a ``KnowledgeBase``, or the path of one saved by ``KnowledgeBase.save`` or of a JSONL
            file. Sessions run on a snapshot taken when they open.
        policy: what tiers lead to; ``Policy()`` by default.
        tokenizer: anything ``groundwire.vocabulary.vocabulary`` reads; needed to push token ids.
        profiles: names of built-in profiles (``stream``, ``dialogue``, ``budget``), or mappings
            with a ``name`` and the fields that differ from it; or one name or mapping alone.
        rules: a ``Ruleset``, rules as mappings or ``Rule``, objects with ``name``,
            ``matches(text)`` and ``confidence(text)``, or the path of a TOML or YAML file; added to
            the built-in rules.
        builtin_rules: whether the built-in rules count.
        detectors: Python detectors (``name``, ``detect(claim, text)``), run beside the stream on
            closed claims.
        verifiers: verifiers (``name``, ``verify(claim)``), likewise. A guard holds a claim's text
            for them as its policy says.
        workers: threads for detectors and verifiers of one session, at least 1.
        timeout_s: seconds that a session's ``finish`` waits for them, unless told otherwise, and
            ``check`` in all; a guard waits for as long as its policy holds text.
        events: a sink, or several, that hear of findings, interventions and ends of streams, masked
            unless the sink was made otherwise (see ``groundwire.events``).
        reference_date: the day that counts as today, a ``date`` or ``YYYY-MM-DD``; what "last year"
            means, and which dates lie in the future, follows from it. By default every stream
            takes the UTC date at which it opens, and keeps it.
        lexicon: a ``groundwire.lexicon.Lexicon``, a mapping of its parts, or a file's path: words
            that texts are read with beside the built-in ones and those of ``kb``.
        settings: limits and constants that differ from the defaults (``max_retained`` …).

    Raises:
        ArgumentError: a value is out of range; the message names it.
        RuleError: a rule is not valid; the message names it.
        NotFoundError: there is no profile of that name.
    """

    _parts: dict[str, Any]
    tokenizer: Any
    policy: Policy
    detectors: tuple[Detector, ...]
    verifiers: tuple[Verifier, ...]
    workers: int
    timeout_s: float
    events: tuple[EventSink, ...]
    reference_date: str | None

    def __new__(
        cls,
        *,
        kb: _core.KnowledgeBase | str | Path | None = None,
        policy: Policy | Mapping[str, Any] | None = None,
        tokenizer: Any = None,
        profiles: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] = (
            "stream",
            "dialogue",
        ),
        rules: Any = None,
        builtin_rules: bool = True,
        detectors: Iterable[Detector] = (),
        verifiers: Iterable[Verifier] = (),
        workers: int = 2,
        timeout_s: float = TIMEOUT_S,
        events: EventSink | Iterable[EventSink] = (),
        reference_date: date | str | None = None,
        lexicon: Any = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Monitor:
        """Compile a monitor; see the class."""
        if isinstance(profiles, str | Mapping):
            profiles = (profiles,)
        profiles = tuple(several(profiles, "profiles", "names or mappings"))
        detectors = tuple(several(detectors, "detectors", "detectors"))
        verifiers = tuple(several(verifiers, "verifiers", "verifiers"))
        events = (events,) if isinstance(events, EventSink) else events
        events = tuple(several(events, "events", "sinks"))
        check_parts(detectors, verifiers)
        check_sinks(events)
        whole_number(workers, "workers", least=1)
        timeout_s = seconds(timeout_s, "timeout_s")
        policy = policy or Policy()
        if not isinstance(policy, Policy):
            policy = Policy.from_mapping(policy)
        core_settings = settings_json(settings)
        ruleset, objects = compile_rules(rules, builtin=builtin_rules)
        vocab = None if tokenizer is None else vocabulary(tokenizer)
        base_kb = kb
        if isinstance(base_kb, str | Path):
            from groundwire.kb import KnowledgeBase

            base_kb = KnowledgeBase.open(base_kb)
        if base_kb is not None and not isinstance(base_kb, _core.KnowledgeBase):
            raise ArgumentError(f"kb is a KnowledgeBase or a path, not {base_kb!r:.60}")
        self = super().__new__(
            cls,
            vocab=vocab,
            rules=None if ruleset is None else ruleset.compiled,
            kb=base_kb,
            profiles=[profile_json(p) for p in profiles],
            policy=policy.to_json(),
            settings=core_settings,
            lexicon=None if lexicon is None else Lexicon.of(lexicon).to_json(),
        )
        self._parts = {
            "kb": base_kb,
            "policy": policy,
            "tokenizer": vocab,
            "profiles": profiles,
            "rules": rules,
            "builtin_rules": builtin_rules,
            "detectors": detectors,
            "verifiers": verifiers,
            "workers": workers,
            "timeout_s": timeout_s,
            "events": events,
            "reference_date": day(reference_date, "reference_date"),
            "lexicon": lexicon,
            "settings": dict(settings or {}),
        }
        self.tokenizer = tokenizer
        self.policy = policy
        self.detectors = (*self._parts["detectors"], *objects)
        self.verifiers = self._parts["verifiers"]
        self.workers = workers
        self.timeout_s = timeout_s
        self.events = self._parts["events"]
        self.reference_date = self._parts["reference_date"]
        return self

    @property
    def kb(self) -> _core.KnowledgeBase | None:
        """The knowledge base that the monitor was built with."""
        kb: _core.KnowledgeBase | None = self._parts["kb"]
        return kb

    @classmethod
    def from_config(cls, config: Any = None, **parts: Any) -> Monitor:
        """Compile a monitor from a ``Config``, or a configuration file and the environment.

        ``parts`` are arguments of the class that a file cannot hold: ``kb``, ``tokenizer`` …
        Raises ``ConfigError`` naming a wrong key or value.
        """
        from groundwire.config import Config
        from groundwire.config.core import monitor_arguments

        if not isinstance(config, Config):
            config = Config.load(config)
        return cls(**{**monitor_arguments(config), **parts})

    def today(self, reference_date: date | str | None = None) -> str:
        """Return the day a stream counts from, as ``YYYY-MM-DD``.

        It is the one given, else the monitor's, else the UTC date now.

        Raises:
            ArgumentError: what is given is no day of the calendar.

        """
        given = day(reference_date, "reference_date") or self.reference_date
        return given or datetime.now(UTC).date().isoformat()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by configuration: the other process compiles its own monitor."""
        return (_rebuild, (type(self), self._parts))

    def session(
        self,
        *,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
        question: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        reference_date: date | str | None = None,
        rows: Any = None,
    ) -> _core.Session | WatchedSession:
        """Open a stream.

        Args:
            evidence: passages: strings, ``(id, text)`` pairs, mappings with ``text`` and ``id``,
                or ``Evidence``.
            history: earlier turns: mappings with ``role`` and ``text`` (or ``content``), or
                ``(role, text)`` pairs.
            question: what is being answered; names and numbers in it are not news.
            session_id: any id of your own, kept in the report.
            turn_id: any id of your own, kept in the report.
            reference_date: the day that counts as today, a ``date`` or ``YYYY-MM-DD``; by default
                the monitor's, else the UTC date now. ``Session.events()`` records it.
            rows: a ``Table``, or rows (mappings from column to cell) whose values must stand
                together in one row where the answer puts them together.

        Returns:
            A session; use it in a ``with`` statement, or call ``finish()``.

        Raises:
            ArgumentError: evidence, history, a text or the date is none; the message names it.
        """
        given, said = passages(evidence), turns(history)
        texts = {"question": question, "session_id": session_id, "turn_id": turn_id}
        for name, text in texts.items():
            if text is not None:
                words(text, name)
        today = self.today(reference_date)
        core = self.open(given, said, question, session_id, turn_id, today, table_of(rows))
        if self.detectors or self.verifiers or self.events:
            verifiers = opened(self.verifiers, given, said, question)
            return WatchedSession(
                core, self.detectors, verifiers, self.workers, self.timeout_s, self.events
            )
        return core

    def guard(
        self,
        *,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
        question: str | None = None,
        policy: Policy | Mapping[str, Any] | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        reference_date: date | str | None = None,
        rows: Any = None,
        lead: str = "",
    ) -> _core.Guard | WatchedGuard:
        """Open a guarded stream: the release and rewriting of one answer.

        Arguments are those of ``session``, a policy that replaces the monitor's, and ``lead``: the
        unfinished sentence of the prompt that the answer goes on with. It is read as the start of
        the answer's first claim, but is no part of what is released or rewritten. Detectors,
        verifiers and Python rules run beside it. Where the policy has ``hold_unresolved`` and
        releases by claim or response, the text of a closed claim waits until they have answered
        about it, or its limits have passed (see ``WatchedGuard``). Raises
        ``ArgumentError`` as ``session`` does, and for a policy that is not valid.
        """
        if policy is not None and not isinstance(policy, Policy):
            policy = Policy.from_mapping(policy)
        given, said = passages(evidence), turns(history)
        core = self.open_guard(
            given,
            said,
            question,
            None if policy is None else policy.to_json(),
            session_id,
            turn_id,
            self.today(reference_date),
            table_of(rows),
            words(lead, "lead"),
        )
        if self.detectors or self.verifiers:
            verifiers = opened(self.verifiers, given, said, question)
            return WatchedGuard(core, self.detectors, verifiers, self.workers)
        return core

    def check(
        self,
        text: str,
        *,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
        question: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        reference_date: date | str | None = None,
        rows: Any = None,
    ) -> Report:
        """Judge a whole text in one call; the answer is that of any streaming of it.

        Arguments are those of ``session``. Raises ``ArgumentError`` as ``session`` does, and for a
        text with a lone surrogate.
        """
        words(text, "text")
        session = self.session(
            evidence=evidence,
            history=history,
            question=question,
            session_id=session_id,
            turn_id=turn_id,
            reference_date=reference_date,
            rows=rows,
        )
        # In pieces, so that a long text is retained like a stream's.
        pieces = [text[at : at + PIECE] for at in range(0, max(len(text), 1), PIECE)]
        report = check_in(session, pieces)
        return report.over(text) if report.truncated and report.finished else report

    def replay(
        self,
        events: Sequence[Mapping[str, Any]],
        *,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
        question: str | None = None,
        reference_date: date | str | None = None,
        rows: Any = None,
    ) -> _core.Session:
        """Rebuild a session from ``Session.events()`` and what it was opened with.

        The events name the day they counted from; ``reference_date`` is for events that do not.
        Raises ``FormatError`` if these are no events, and what replaying one of them raises.
        """
        return self.rebuild(
            json.dumps(list(several(events, "events", "what Session.events() gave"))),
            passages(evidence),
            turns(history),
            question,
            day(reference_date, "reference_date"),
            table_of(rows),
        )

    def watch(self, stream: Iterable[Any], **given: Any) -> Iterator[_core.Step]:
        """Follow an iterable of text pieces or token ids; yields a step for each.

        ``given`` is what ``session`` takes. After the last piece comes a step with what the end
        decided. Where detectors or verifiers have not answered by then, it waits for them, up to
        ``timeout_s``, and yields one more step with what they found, if anything. Raises, at the
        piece in question, what ``Session.push`` and ``Session.push_text`` raise.
        """
        if isinstance(stream, bytes):
            raise ArgumentError("a stream is made of text or token ids; decode the bytes")
        session = self.session(**given)
        for piece in stream:
            yield session.push_text(piece) if isinstance(piece, str) else session.push(piece)
        yield from ended(session)

    async def awatch(self, stream: AsyncIterator[Any], **given: Any) -> AsyncIterator[_core.Step]:
        """Follow an asynchronous stream of text pieces or token ids; yields a step for each.

        Steps and errors are those of ``watch``.
        """
        session = self.session(**given)
        async for piece in stream:
            yield session.push_text(piece) if isinstance(piece, str) else session.push(piece)
        async for step in aended(session):
            yield step

    def push_many(
        self,
        sessions: Sequence[_core.Session | WatchedSession],
        token_ids: Iterable[int],
        *,
        logits: Any = None,
        prior_logits: Any = None,
    ) -> list[_core.Step | Exception]:
        """Push one token to each session, the interpreter released.

        ``logits`` and ``prior_logits`` are batches with one row a session. An error comes back
        in the place of its row's step and changes only that row's session: nothing. Raises
        ``ArgumentError`` for something that is no session, and for as many ids or rows as there
        are no sessions.
        """
        given = list(several(sessions, "sessions", "sessions"))
        plain = plain_sessions(given)
        steps = super().push_many(plain, token_ids, logits=logits, prior_logits=prior_logits)
        return handed_out(given, steps)

    def verdicts(self, findings: Iterable[Finding]) -> dict[str, ProfileVerdict]:
        """Return each profile's verdict over findings that were made anywhere.

        Those without a score are scored as a session scores the first finding of a stream.

        Raises ``ArgumentError`` if one is no ``Finding``.
        """
        found = list(several(findings, "findings", "findings"))
        for i, finding in enumerate(found):
            if not isinstance(finding, Finding):
                raise ArgumentError(f"findings[{i}] is not a groundwire.Finding: {finding!r:.60}")
        data = json.dumps([f.to_core() for f in found])
        return {
            name: ProfileVerdict(v["status"], v["action"], v["tier"], tuple(v["reasons"]))
            for name, v in json.loads(self.judge(data)).items()
        }


def _rebuild(cls: type[Monitor], parts: dict[str, Any]) -> Monitor:
    return cls(**parts)
