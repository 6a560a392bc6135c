"""What somebody asks about what they can, may or must do: "How many books can I borrow?"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from groundwire.profiles.stream.language import content_words, stem, tables, words


def names_speaker(subject: str) -> bool:
    """Return whether a phrase has "I", "we", "you" in it, and so is no name ("I need", "we bring").

    The number of a ruler or a war ("Elizabeth I", "World War I") is none.
    """
    said = re.findall(r"[^\W\d_]+", subject)
    plain = set(tables()["own"]["speakers"].split())
    return any(
        word in plain or (word == "I" and (i == 0 or said[i - 1].islower()))
        for i, word in enumerate(said)
    )


def asked_of_oneself(text: str) -> list[tuple[str, str]]:
    """Return for each such question what is asked, in words, and the words that answers have.

    "How many books can I borrow?" asks "how many books you can borrow", and answers have "books" or
    "borrow", stemmed. Questions for a time, a kind or a way, and those without a word of a subject
    matter, are left out: nearly any text may answer them.
    """
    own = tables()["own"]
    loose = {stem(word) for word in own["loose"].split()}
    found = []
    for match in _forms().finditer(text):
        noun = match["noun"] or ""
        if any(word in own["open"].split() for word in noun.casefold().split()):
            continue
        rest = _turned(match["rest"]).strip()
        aux = own["turned"].get(match["aux"].casefold(), match["aux"].casefold())
        asks = match["q"].casefold()
        # "do I need": the verb says it alone.
        parts = [asks, noun, "you", "" if aux == "do" else aux, rest]
        said = content_words(f"{noun} {rest}") - loose
        if said and asks in {"what", "which"} and set(words(rest)) & set(own["brought"].split()):
            # "Bring a towel." tells which things are needed.
            said |= content_words(own["brought"])
        said |= content_words(own["of"].get(asks, ""))
        if said:
            found.append((" ".join(part for part in parts if part), " ".join(sorted(said))))
    return found


def facts_of_oneself(text: str) -> list[tuple[str, str]]:
    """Return what is asked of the speaker's own ("When is my birthday?"), as `asked_of_oneself`."""
    found = []
    for match in _facts().finditer(text):
        said = content_words(match["fact"])
        found.append((f"your {match['fact'].lower()}", " ".join(sorted(said))))
    return found


def answers(said: str, parts: list[str]) -> bool:
    """Return whether one of the sentences has one of the words, joined to a number or not."""
    sought = set(said.split())
    aged = "age" in sought or "ag" in sought
    return any(
        (aged and re.search(tables()["own"]["aged"], part, re.IGNORECASE) is not None)
        or sought & (content_words(part) | {stem(w) for w in re.findall(r"(?<=\d)[a-z]+", part)})
        for part in parts
    )


def _turned(text: str) -> str:
    """Return words of the person who asks as they are said to them: "my card" as "your card"."""
    turned: dict[str, Any] = tables()["own"]["turned"]
    return re.sub(r"[A-Za-z]+", lambda m: str(turned.get(m.group().casefold(), m.group())), text)


@lru_cache(maxsize=1)
def _facts() -> re.Pattern[str]:
    own = tables()["own"]
    return re.compile(rf"\b{own['asked']} my (?P<fact>{own['facts']})\b(?!['’])", re.IGNORECASE)


@lru_cache(maxsize=1)
def _forms() -> re.Pattern[str]:
    return re.compile(tables()["own"]["form"], re.IGNORECASE)
