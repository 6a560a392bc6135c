"""What has to be known to answer a request: what it names, asks for and takes for granted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from groundwire import _core
from groundwire.errors import ArgumentError
from groundwire.profiles.stream.language import function_words, tables
from groundwire.profiles.stream.speakers import (
    asked_of_oneself,
    facts_of_oneself,
    names_speaker,
)
from groundwire.profiles.stream.wording import without_words

Kind = Literal["entity", "attribute", "implicit", "date", "referent", "recalled", "own"]

MAX_REQUEST = 20_000
"""Characters of a request that are read; what follows is a document, not a question."""
# Something named: a few words, without the marks that end a clause.
_SUBJECT = r"(?:the |an? |our |my )?[^\s,;:?!][^,;:?!\n]{0,80}?"
_CALENDAR = re.compile(r"(?:[A-Z][a-z]+day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)")
_PART = re.compile(r"(?:an?|the|its|their) [a-z][a-z-]*(?: [a-z][a-z-]*)?")
# The stop of a title or an initial ends nothing: "Dr. Nair".
_STOP = r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)(?<!\bprof)(?<!\b[a-z])\.(?:\s|$)"
_END = (
    rf"(?=\s*(?:[,;:?!\n]|{_STOP}|$)"
    r"|\s+(?:and (?:what|when|where|who|how)|please|by|in terms of|on)\b)"
)


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that has to be known.

    Attributes:
        kind: ``entity`` (who or what is this), ``attribute`` (one thing about it), ``date``
            (today's), ``implicit`` (taken for granted), ``referent`` (what a pronoun stands for),
            ``recalled`` (what somebody said before, of ``attribute``), ``own`` (what the person
            who asks can, may or must do, or has; ``attribute`` has the words that a text which
            tells it is known by).
        label: the need in words, fit to follow "I have nothing on".
        entity: whom it is about, as the request names it.
        attribute: which attribute is asked for, as the tables or the request name it.
        explicit: whether the request says so, or takes it for granted.
        cues: regular expressions; a text that every one of them matches supplies an implicit need.
        via: the attribute of ``entity`` whose value the need is about ("the director of X": when
            was that director born?), if it is not about ``entity`` itself.
        speaker: whose turns supply a recalled need, ``user`` or ``assistant``; ``user`` too where
            an own need is a fact about the person ("my birthday"), which nobody else can know.
    """

    kind: Kind
    label: str
    entity: str | None = None
    attribute: str | None = None
    explicit: bool = True
    cues: tuple[str, ...] = ()
    via: str | None = None
    speaker: str | None = None


def extract_needs(request: str, index: _core.EntityIndex | None = None) -> tuple[Need, ...]:
    """Return what ``request`` needs, in the order of explicit, then implicit (S4-003).

    Args:
        request: what is asked, in English; its first 20,000 characters are read.
        index: known names, so that those written in lower case are found too.

    Returns:
        Attributes asked for ("When was X founded?", "X's e-mail", "the capital of X"), both
        sides of comparisons, names that nothing is asked of in particular, and what is taken
        for granted ("book a room" needs rooms and prices, "this year's" today's date); and what
        the person who asks can, may or must do ("How many books can I borrow?"). Questions
        that name nobody ("How do plants grow?") need nothing, nor do names that are only words
        ("Translate 'X' into German").

    Raises:
        ArgumentError: the request is no string.

    """
    if not isinstance(request, str):
        raise ArgumentError(f"a request is a string, not {type(request).__name__}")
    text = without_words(request[:MAX_REQUEST])
    names = _names(text, index)
    found: list[Need] = [*_compared(text, names), *_asked(text, names), *_possessed(text, names)]
    found = [*_recalled(text), *_without_parts(found)]
    found += [Need("own", label, None, said) for label, said in asked_of_oneself(text)]
    own = facts_of_oneself(text)
    found += [Need("own", label, None, said, speaker="user") for label, said in own]
    spoken = [need.entity.casefold() for need in found if need.entity]
    for _, _, name in names:
        if not any(name.casefold() in entity for entity in spoken):
            found.append(Need("entity", name, name))
            spoken.append(name.casefold())
    found += _implied(text)
    return tuple(dict.fromkeys(found))


def attribute_label(attribute: str, entity: str) -> str:
    """Return an attribute of something in words: "when X was founded", "the colour of X"."""
    entry = tables()["attributes"].get(attribute)
    said = attribute.replace("_", " ")
    form = entry["label"] if entry else f"the {said} of {{entity}}"
    if entry is None and (said.endswith("ed") or said.split()[-1] in function_words()):
        # "made of", "renovated": no noun.
        form = f"the entry \u201c{said}\u201d of {{entity}}"
    return str(form.replace("{entity}", entity))


@lru_cache(maxsize=256)
def attribute_names(attribute: str) -> frozenset[str]:
    """Return the names under which an attribute may be stored, in lower case."""
    entry = tables()["attributes"].get(attribute, {})
    names = [n for key in ("names", "also") for n in entry.get(key, "").split("|") if n]
    names += () if entry else _nouns(attribute)
    plain = {plain_name(n) for n in (attribute, *names)}
    # "which awards" is answered by "award", and the other way round.
    own = plain_name(attribute)
    return frozenset(plain | {own.removesuffix("s") if own.endswith("s") else own + "s"})


def _nouns(participle: str) -> Iterator[str]:
    """Yield the names that "when was X renovated" may be stored under: "renovation date"."""
    own = plain_name(participle)
    if not own.endswith("ed") or " " in own:
        return
    base = own.removesuffix("ed")
    for noun in (own, f"{base}ion", f"{base}ment", f"{base}ing", f"{base}al"):
        yield noun
        for form in ("{} date", "date of {}", "last {}", "{} year", "year of {}", "{} on", "{} in"):
            yield form.format(noun)
    yield from (f"year {own}", f"last {own}", f"date {own}")


def table_attribute(name: str) -> str:
    """Return the tables' attribute that goes by ``name``, or the name itself."""
    return _known_names().get(plain_name(name), name)


def plain_name(name: str) -> str:
    """Return an attribute's name in the form that is compared."""
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()


@lru_cache(maxsize=1)
def _known_names() -> dict[str, str]:
    """Return the table's attribute for each of its names; the first that lists a name has it."""
    found: dict[str, str] = {}
    for attribute in tables()["attributes"]:
        found.setdefault(plain_name(attribute), attribute)
    for attribute in tables()["attributes"]:
        for name in tables()["attributes"][attribute]["names"].split("|"):
            found.setdefault(plain_name(name), attribute)
    return found


def _names(text: str, index: _core.EntityIndex | None) -> list[tuple[int, int, str]]:
    """Return names and where they stand."""
    openers = set(tables()["openers"].split())
    found = []
    for begin, end, kind, *_ in (index or _no_names()).scan(text):
        start = begin
        # A capitalised word that opens a request says what to do.
        while (first := re.match(r"([A-Za-z]+)\s+", text[start:end])) and (
            first.group(1).casefold() in openers
        ):
            start += first.end()
        name = _trim(text[start:end])
        if kind != "common" and name and name.casefold() not in openers and len(name) > 1:
            found.append((start, end, name))
    return found


@lru_cache(maxsize=1)
def _no_names() -> _core.EntityIndex:
    return _core.EntityIndex.build([])


def _trim(subject: str) -> str:
    plain = re.sub(r"^(?:the|an?)\s+", "", subject.strip(" \t\"“”'’.()"), flags=re.IGNORECASE)
    return re.sub(r"['’]s$", "", plain).strip()


def _group(match: re.Match[str]) -> str:
    return f"(?P<{match.group(1)}>{_SUBJECT})"


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, str | None, re.Pattern[str]], ...]:
    """Return the attribute each form asks for, what that is called, and the form."""
    found = []
    for form in tables()["forms"]:
        pattern = re.sub(r"\{(s\d?)\}", _group, form["pattern"])
        compiled = re.compile(rf"\b(?:{pattern}){_END}", re.IGNORECASE)
        found.append((form["attribute"], form.get("label"), compiled))
    return tuple(found)


@lru_cache(maxsize=1)
def _comparisons() -> tuple[re.Pattern[str], ...]:
    found = []
    for form in tables()["comparisons"]:
        pattern = form["pattern"].replace("{s}", rf"(?P<s>{_SUBJECT})")
        pattern = pattern.replace("{t}", rf"(?P<t>{_SUBJECT})") + _END
        found.append(re.compile(rf"\b{pattern}", re.IGNORECASE))
    return tuple(found)


def _compared(text: str, names: list[tuple[int, int, str]]) -> Iterator[Need]:
    for pattern in _comparisons():
        for match in pattern.finditer(text):
            sides = [_subject(match, side, names) for side in ("s", "t")]
            asked = match.groupdict().get("adj")
            attribute = tables()["compared"].get((asked or "").casefold())
            after = re.match(
                r"\s+(?:by|in terms of|on)\s+(?:the |their )?([a-z][a-z -]{1,40}?)(?=[?.!,;]|$)",
                text[match.end() :],
            )
            if after:
                attribute = table_attribute(after.group(1).strip())
            for side in sides:
                if side is None or names_speaker(side):
                    continue
                if attribute is None:
                    yield Need("entity", side, side)
                else:
                    yield Need("attribute", attribute_label(attribute, side), side, attribute)


def _asked(text: str, names: list[tuple[int, int, str]]) -> Iterator[Need]:
    taken: list[tuple[int, int]] = []
    people: list[tuple[int, str, str]] = []
    """Where a person is asked for, by whose attribute: the leader of X."""
    later: list[tuple[int, str, str]] = []
    for attribute, label, pattern in _forms():
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            groups = match.groupdict()
            group = next(g for g in groups if g.startswith("s") and groups[g] is not None)
            what = attribute or table_attribute(groups["a"].strip())
            said = groups[group].strip()
            if names_speaker(said):
                # "How many books can I borrow?" asks nothing of a thing called "I borrow".
                continue
            subject = _subject(match, group, names)
            if subject is None and _PART.fullmatch(said):
                # "…, and what does a ticket cost?": of what was named before.
                subject = next((n for start, _, n in names[::-1] if start < match.start()), None)
                said = subject or said
            if said.casefold() in tables()["persons"].split():
                taken.append(match.span())
                later.append((match.start(), what, said))
                continue
            if said.casefold() in tables()["pronouns"].split():
                taken.append(match.span())
                before = [name for start, _, name in names if start < match.start()]
                if not before:
                    yield Need("referent", f"what “{said}” refers to", None, what)
                    continue
                subject = before[-1]
            if subject is None:
                continue
            taken.append(match.span())
            via = _via(said, subject)
            part = None if via else _part(said, subject)
            if part is not None:
                # "How long does X's battery last?" is told by the battery life.
                what = part
            whose = f"the {via} of {subject}" if via else subject
            for one in _several(what):
                called = label and label.replace("{entity}", subject).replace("{a}", one)
                named = called or attribute_label(one, whose)
                yield Need("attribute", named, subject, one, via=via)
                role = via is None and one in tables()["roles"].split()
                people += [(match.start(), one, subject)] * role
    for at, what, said in later:
        yield _of_person(at, what, said, people, names)


def _several(attribute: str) -> list[str]:
    """Return the attributes in "price and weight"; one whose own name has an "and" is one."""
    if plain_name(attribute) in _known_names():
        return [attribute]
    parts = [plain_name(part) for part in re.split(r",\s*|\s+and\s+(?:the\s+)?", attribute)]
    known = len(parts) > 1 and any(part in _known_names() for part in parts)
    return [table_attribute(part) for part in parts if part] if known else [attribute]


def _of_person(
    at: int,
    what: str,
    said: str,
    people: list[tuple[int, str, str]],
    names: list[tuple[int, int, str]],
) -> Need:
    """Return what is asked of "he" or "she" at a place: whom the request asked for, or named."""
    for start, role, subject in sorted(people, reverse=True):
        if start < at:
            whose = f"the {role} of {subject}"
            return Need("attribute", attribute_label(what, whose), subject, what, via=role)
    before = [name for start, _, name in names if start < at]
    if not before:
        return Need("referent", f"what “{said}” refers to", None, what)
    return Need("attribute", attribute_label(what, before[-1]), before[-1], what)


def _part(said: str, subject: str) -> str | None:
    """Return the part in "X's battery", where that is no attribute by itself."""
    found = re.fullmatch(
        rf"(?:the )?{re.escape(subject)}['’]s? (?P<part>[a-z][a-z-]*(?: [a-z][a-z-]*)?)",
        said.strip(),
        re.IGNORECASE,
    )
    return found and plain_name(found["part"])


def _via(said: str, subject: str) -> str | None:
    """Return the attribute in "the director of X" or "X's director"; none in "X" alone."""
    name = re.escape(subject)
    found = re.fullmatch(
        rf"(?:the )?(?P<a>[a-z][a-z -]{{1,40}}?) (?:of|at|in) (?:the )?{name}"
        rf"|(?:the )?{name}['’]s? (?P<b>[a-z][a-z -]{{1,40}})",
        said.strip(),
        re.IGNORECASE,
    )
    attribute = found and (found["a"] or found["b"])
    return attribute if attribute and plain_name(attribute) in _known_names() else None


def _without_parts(needs: list[Need]) -> Iterator[Need]:
    """Leave out what only leads to another need: the director, where her birth is asked for."""
    ways = {(n.entity, table_attribute(n.via)) for n in needs if n.via}
    for need in needs:
        if need.via or (need.entity, need.attribute) not in ways:
            yield need


def _recalled(text: str) -> Iterator[Need]:
    for speaker, pattern in _recalls():
        for match in pattern.finditer(text):
            topic = re.sub(r"^(?:the|my|our|your|an?)\s+", "", match["t"].strip(), flags=re.I)
            who = "you" if speaker == "user" else "I"
            label = f"what {who} said about {topic}"
            yield Need("recalled", label, None, topic, speaker=speaker)


@lru_cache(maxsize=1)
def _recalls() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (
            entry["speaker"],
            re.compile(
                r"\b" + entry["pattern"].replace("{t}", rf"(?P<t>{_SUBJECT})") + _END, re.IGNORECASE
            ),
        )
        for entry in tables()["recalled"]
    )


def _possessed(text: str, names: list[tuple[int, int, str]]) -> Iterator[Need]:
    named = {(start, end) for start, end, _ in names}
    for start, end, kind, *_ in _no_names().scan(text):
        # Bob and France are in no list of names, but are asked about all the same.
        name = _trim(text[start:end])
        after = re.match(r"['’]s?\s+([a-z-]+(?: [a-z-]+){0,2})", text[end:])
        inside = any(a <= start and end <= b for a, b in named)
        if kind != "common" or inside or after is None or _CALENDAR.match(name):
            continue
        given = after.group(1).split()
        tried = (plain_name(" ".join(given[:n])) for n in range(len(given), 0, -1))
        if attribute := next((_known_names()[a] for a in tried if a in _known_names()), None):
            yield Need("attribute", attribute_label(attribute, name), name, attribute)
    for start, end, name in names:
        after = re.match(r"(?:['’]s?)?\s+([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})", text[end:])
        marked = re.match(r"['’]", text[end:]) or re.search(r"['’]s?$", text[start:end])
        if after is None or not marked:
            continue
        given = after.group(1).split()
        known = _known_names()
        # The longest known name wins; an unknown attribute is one word.
        for length in range(len(given), 0, -1):
            attribute = known.get(plain_name(" ".join(given[:length])))
            if attribute is not None:
                break
        else:
            attribute = given[0]
        yield Need("attribute", attribute_label(attribute, name), name, attribute)


def _subject(match: re.Match[str], group: str, names: list[tuple[int, int, str]]) -> str | None:
    """Return the name in a group of ``match``, or none where nobody is named."""
    start, end = match.span(group)
    inside = [name for a, b, name in names if start <= a and b <= end + 2]
    if not inside:
        # Names that any text may hold (countries, large cities) are still asked about.
        return _trim(match.group(group)) if re.search(r"\b[A-Z]", match.group(group)) else None
    whole = _trim(match.group(group))
    return whole if len(inside) == 1 and len(whole) <= len(inside[0]) + 4 else inside[-1]


def _implied(text: str) -> Iterator[Need]:
    for entry in tables()["implicit"]:
        match = re.search(entry["trigger"], text, re.IGNORECASE)
        if match is None:
            continue
        said = re.sub(r"^my\s+", "", match.group(), flags=re.IGNORECASE)
        for need in entry["needs"]:
            label = need["label"].replace("{match}", said.casefold())
            kind: Kind = "date" if need.get("kind") == "date" else "implicit"
            yield Need(kind, label, explicit=False, cues=tuple(need.get("cues", ())))
