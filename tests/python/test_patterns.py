from __future__ import annotations

import json
import pickle
import re
import threading
import unicodedata
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire._core import linguistic_signals
from groundwire.errors import ArgumentError, RuleError
from groundwire.rules import ObjectRules, Rule, Ruleset, load_rules

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "patterns.json").read_text(encoding="utf-8")
)


def assigned(c: str) -> bool:
    return unicodedata.category(c) not in {"Cn", "Cs"}


LETTERS = st.sampled_from("ab_1 -\n.éÉß²Ⅷ一ªʰ०’'\u0301\u200d\u203f\u00a0😀")
TEXTS = st.text(LETTERS | st.characters().filter(assigned), max_size=40)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
@pytest.mark.req("S4-014")
def test_golden_cases(case):
    text = case["text"]
    found = Ruleset.from_rules(case["rules"]).scan(text)
    data = text.encode()
    assert [[m.index, *m.byte_span, m.truncated] for m in found] == [
        [rule, start, end, truncated] for rule, start, end, _, truncated in case["matches"]
    ]
    for match, (_, start, end, decided_at, _) in zip(found, case["matches"], strict=True):
        assert match.text == data[start:end].decode() == text[slice(*match.span)]
        assert match.decided_at == len(data[:decided_at].decode())


@pytest.mark.parametrize(
    "pattern", [r"\b\w", r"\w\b", r"\B.\B", r"\b.\b", r"\s", r"\S", r"\W", r"\d"]
)
@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_classes_and_boundaries_are_those_of_re(pattern, text):
    ours = Ruleset.from_rules([{"id": "r", "regex": f"(?s:{pattern})"}]).scan(text)
    theirs = re.finditer(pattern, text, re.DOTALL)
    assert [m.span for m in ours] == [m.span() for m in theirs]


def test_word_characters_are_those_of_re():
    # `²` is a word character to Python, a combining mark is not: check every assigned one.
    rules = Ruleset.from_rules([{"id": "w", "regex": r"\w"}])
    ours, theirs = set(), set()
    for block in range(0, 0x110000, 0x1000):
        text = " ".join(chr(c) for c in range(block, block + 0x1000) if assigned(chr(c)))
        ours.update(m.text for m in rules.scan(text))
        theirs.update(re.findall(r"\w", text))
    assert ours == theirs


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, words=st.lists(st.text(LETTERS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_literals_are_found_where_python_finds_them(text, words):
    rules = Ruleset.from_rules([{"id": f"r{i}", "literals": [w]} for i, w in enumerate(words)])
    found: list[list[int]] = [[] for _ in words]
    for match in rules.scan(text):
        found[match.index].append(match.span[0])
    assert found == [[m.start() for m in re.finditer(re.escape(w), text)] for w in words]


def test_spans_count_code_points():
    text = "😀é " * 200 + "studies show that"
    (match,) = (m for m in Ruleset.builtin().scan(text) if m.kind == "unsourced_authority")
    assert text[slice(*match.span)] == match.text == "studies show that"
    assert text.encode()[slice(*match.byte_span)].decode() == match.text


@pytest.mark.req("S4-015")
def test_a_warning_carries_the_last_hundred_characters():
    text = "é" * 300 + " John Doe" + " and so he went on."
    (match,) = (m for m in Ruleset.builtin().scan(text) if m.kind == "placeholder")
    assert match.segment == text[: match.decided_at][-100:]
    assert len(match.segment) == 100
    assert match.rule == "placeholder.name"
    assert match.confidence == 0.7
    assert match.message == "'John Doe' is a placeholder, not a name"


def test_a_ruleset_pickles_and_merges():
    rules = Ruleset.builtin().merge(Ruleset.from_rules([{"id": "x", "literals": ["zz"]}]))
    copy = pickle.loads(pickle.dumps(rules))
    assert len(copy) == len(rules) == len(Ruleset.builtin()) + 1
    assert copy.rules() == rules.rules()
    assert [m.rule for m in copy.scan("zz")] == ["x"]
    with pytest.raises(RuleError, match=r"rule 'unsourced.*the id is used twice"):
        rules.merge(copy)


@pytest.mark.parametrize(
    "rules",
    [
        Rule(id="a", literals="abc"),
        [Rule(id="a", literals="abc")],
        {"id": "a", "literals": "abc"},
        (rule for rule in [MappingProxyType({"id": "a", "literals": ("abc",)})]),
        '[{"id": "a", "literals": ["abc"]}]',
    ],
)
def test_what_a_ruleset_is_made_of(rules):
    made = gw.Ruleset(rules)
    assert [m.text for m in made.scan("xabcx")] == ["abc"]
    assert made.rules() == Ruleset.from_rules([{"id": "a", "literals": ["abc"]}]).rules()


def test_one_text_is_the_only_one_of_its_list():
    rule = {"id": "a", "literals": "abc", "unless": "zz"}
    (kept,) = Ruleset.from_rules([rule]).rules()
    assert (kept["literals"], kept["unless"]) == (["abc"], ["zz"])
    assert rule["literals"] == "abc"
    report = gw.Monitor(rules=[rule], builtin_rules=False).check("xabcx")
    assert [f.text for f in report.findings] == ["abc"]


@pytest.mark.parametrize("make", [Ruleset, Ruleset.from_rules, Ruleset.from_toml])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_told_what_reads_it(tmp_path, make, kind):
    path = tmp_path / "r.toml"
    path.write_text('[[rules]]\nid = "a"\nliterals = ["abc"]\n', "utf-8")
    with pytest.raises(ArgumentError, match=r"r\.toml.*Monitor\(rules=path\).*load_rules\(path\)"):
        make(kind(path))
    assert gw.Monitor(rules=kind(path)).check("xabcx").findings
    assert len(load_rules(kind(path))) == 1


def test_an_object_cannot_be_compiled():
    with pytest.raises(ArgumentError, match=r"Says object.*Monitor\(rules=…\)"):
        Ruleset([Says()])
    with pytest.raises(ArgumentError, match="merged with another"):
        Ruleset.builtin().merge([])


def test_the_end_of_a_regex_is_the_end_of_the_text():
    rules = Ruleset({"id": "end", "regex": "foo$"})
    assert (len(rules.scan("a foo")), len(rules.scan("a foo\n"))) == (1, 0)


def test_threads_share_a_ruleset():
    rules, text, results = Ruleset.builtin(), "Studies show John Doe may be 555-0123. " * 50, []
    threads = [
        threading.Thread(target=lambda: results.append([m.span for m in rules.scan(text)]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] and len(result) >= 150 for result in results)


def test_rule_files(tmp_path):
    rule = Rule(id="acme", literals=("ACME", "Acme"), tier="high", confidence=0.9)
    toml, yaml = tmp_path / "rules.toml", tmp_path / "rules.yaml"
    toml.write_text(
        '[[rules]]\nid="acme"\nliterals=["ACME","Acme"]\ntier="high"\nconfidence=0.9\n', "utf-8"
    )
    yaml.write_text(
        "rules:\n- id: acme\n  literals: [ACME, Acme]\n  tier: high\n  confidence: 0.9\n", "utf-8"
    )
    wanted = Ruleset.from_rules([rule.to_dict()]).rules()
    assert load_rules(toml).rules() == load_rules(str(yaml)).rules() == wanted
    assert wanted == [
        {"id": "acme", "literals": ["ACME", "Acme"], "kind": "pattern", "confidence": 0.9,
         "tier": "high"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.toml", "[[rules]]\nid='x'\nregexp='a'", "rule 'x': unknown key 'regexp'.*'regex'"),
        ("r.yaml", "rules: [{id: x, regex: '('}]", "rule 'x': regex parse error"),
        ("r.yaml", "rules: {id: x}", "must be a list"),
        ("r.yml", "- just a string", "rule '#1': is not a table"),
        ("r.yml", "rule: []", "unknown key 'rule'"),
        ("r.yml", "a: [", "not valid YAML"),
        ("r.json", "[]", "ends in .toml"),
    ],
)
def test_bad_files_name_file_and_rule(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(RuleError, match=f"(?s){re.escape(name)}: .*{message}"):
        load_rules(path)


def test_a_rule_bomb_is_refused_by_name():
    bomb = {"id": "bomb", "regex": "a{1,1000}{1,1000}", "max_len": 1024}
    with pytest.raises(RuleError, match="rule 'bomb': compiles to"):
        Ruleset.from_rules([bomb])
    with pytest.raises(ValueError, match="rule 'x'"):
        Ruleset.from_rules([{"id": "x"}])


@pytest.mark.req("S0-072")
def test_linguistic_signals():
    text = "É possible: I think it might rain, and there is no doubt about 40 things."
    found = [(s.kind, s.text, s.strength) for s in linguistic_signals(text)]
    assert found == [
        ("hedging", "I think", 0.5),
        ("hedging", "might", 0.6),
        ("overconfidence", "there is no doubt", 0.8),
        ("hedging", "about", 0.25),
        ("vagueness", "things", 0.55),
    ]
    assert all(text[slice(*s.span)] == s.text for s in linguistic_signals(text))


class Shouting:
    name = "shouting"

    def __init__(self):
        self.longest = 0

    def matches(self, text):
        self.longest = max(self.longest, len(text))
        return re.finditer(r"\b[A-Z]{4,}\b", text)

    def confidence(self, text):
        return 0.9


class Says:
    name = "says"

    def matches(self, text):
        return "secret plan" in text

    def confidence(self, text):
        return 0.4


@pytest.mark.req("S4-016")
@pytest.mark.req("S4-015")
def test_objects_are_rules():
    shouting = Shouting()
    rules = ObjectRules([shouting, Says()])
    sentences = ["This is FINE. ", "He has a secret ", "plan. ", "x" * 2000 + " ", "WHAT now?"]
    text, found = "", []
    for sentence in sentences:
        text += sentence
        for warning in rules.feed(sentence):
            assert warning["segment"] == text[-100:]
            found.append((warning["pattern"], text[slice(*warning["span"])], warning["confidence"]))
    assert found == [("shouting", "FINE", 0.9), ("says", "plan. ", 0.4), ("shouting", "WHAT", 0.9)]
    assert shouting.longest == 1024


@pytest.mark.req("S4-016")
def test_bad_objects_are_refused():
    with pytest.raises(ArgumentError, match="needs name, matches"):
        ObjectRules([object()])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="window 5"):
        ObjectRules([], window=5)

    class Wrong:
        name = "wrong"

        def matches(self, text):
            return [(0, len(text) + 1)]

        def confidence(self, text):
            return 0.5

    with pytest.raises(ArgumentError, match=r"'wrong'.*no span"):
        list(ObjectRules([Wrong()]).feed("text"))

    class Sure(Wrong):
        def matches(self, text):
            return True

        def confidence(self, text):
            return 7

    with pytest.raises(ArgumentError, match="confidence 7"):
        list(ObjectRules([Sure()]).feed("text"))


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ({"id": "odd", "regex": "x", "confidence": float("nan")}, "rule 'odd': confidence"),
        ({"id": "odd", "regex": "x", "confidence": float("inf")}, "rule 'odd': confidence"),
        ({"regex": "x", "confidence": float("-inf")}, "rule 2: confidence"),
        ({"id": "odd", "literals": [b"x"]}, "rule 'odd': literals"),
        ({"id": "odd", "regex": "x", "signal": {"kind": "hedging", "strength": float("nan")}},
         "rule 'odd': signal"),
    ],
)  # fmt: skip
def test_a_value_that_is_no_finite_number_is_told_with_its_rule(rule, wrong):
    with pytest.raises(RuleError, match=wrong):
        Ruleset.from_rules([{"id": "fine", "regex": "y"}, rule])


def test_a_rule_file_with_such_a_number_names_its_rule_and_key():
    text = '[[rules]]\nid = "odd"\nregex = "x"\nconfidence = nan\n'
    with pytest.raises(RuleError, match="rule 'odd': confidence is NaN"):
        Ruleset.from_toml(text)


def test_a_rule_file_with_a_key_twice_is_refused(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text("rules:\n- id: a\n  regex: x\n  regex: y\n", encoding="utf-8")
    with pytest.raises(RuleError, match=r"rules\.yaml: .*'regex' is given twice, in lines 3 and 4"):
        load_rules(path)
    path.write_text("rules:\n- {id: a, regex: x}\n- {id: b, regex: x}\n", encoding="utf-8")
    assert len(load_rules(path)) == 2
    with pytest.raises(RuleError, match="'id' is given twice"):
        Ruleset.from_rules('[{"id": "a", "regex": "x", "id": "b"}]')
