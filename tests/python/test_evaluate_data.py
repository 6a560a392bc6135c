"""Sets as their files stand, and what is said of files that are none."""

from __future__ import annotations

import json

import pytest

from groundwire.errors import FormatError, NotFoundError
from groundwire.evaluate.data import read_folder, read_records, record

PLAIN = {
    "id": "a-1",
    "set": "mine",
    "question": "When did it open?",
    "evidence": [{"id": "p1", "text": "It opened in 1962."}],
    "kb": [{"name": "mill", "opened": "1962"}],
    "history": [{"role": "user", "text": "Hello."}],
    "response": "It opened in 1974.",
    "hallucinated": True,
    "spans": [{"start": 13, "end": 17, "type": "Conflict"}],
    "extra": {"source_id": "s1"},
}
ENTRY = {
    "bibtex_key": "lind2031_fabricated",
    "bibtex_type": "article",
    "fields": {"title": "On Mills", "author": "Ada Lind", "doi": "10.1/x"},
    "label": "HALLUCINATED",
    "hallucination_type": "future_date",
    "difficulty_tier": 1,
}
CLAIM = {
    "claim": "The mill – old – has 12 (twelve) sails.",
    "claim_tokens": ["The", "mill", "–", "old", "–", "has", "12", "(", "twelve", "\u00a0", ")",
                     "sails", "."],
    "non_supported_spans": [False, False, False, True, False, False, True, True, True, True, True,
                            False, False],
    "label": "partially_supported",
    "evidence": ["TITLE: Mill", "The mill has sails."],
    "meta": {"id": "dev1"},
}  # fmt: skip


def write(folder, name, *lines):
    path = folder / name
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_common_form(tmp_path) -> None:
    write(tmp_path, "one.jsonl", PLAIN, "", {"response": "Fine.", "hallucinated": False})
    first, second = read_folder(tmp_path)["one"]
    assert first.response[first.spans[0].start : first.spans[0].end] == "1974"
    assert (first.spans[0].type, first.group, first.set) == ("Conflict", "source:s1", "mine")
    assert first.evidence == (("p1", "It opened in 1962."),)
    assert first.history == (("user", "Hello."),)
    assert first.kb[0]["opened"] == "1962"
    assert (second.id, second.set, second.question) == ("one.jsonl:3", "one", None)


def test_hallmark_entries_become_bibtex_without_their_telling_key() -> None:
    found = record(ENTRY)
    assert found.set == "hallmark"
    assert found.hallucinated
    assert "fabricated" not in found.response
    assert "title = {On Mills}" in found.response
    assert found.extra["error_type"] == "future_date"
    assert found.extra["entry"]["fields"]["doi"] == "10.1/x"


def test_wice_tokens_become_spans_of_the_claim() -> None:
    found = record(CLAIM)
    words = [found.response[s.start : s.end] for s in found.spans]
    assert words == ["old", "12 (twelve)"]
    assert found.evidence[0][1] == "TITLE: Mill\nThe mill has sails."
    tokens = found.extra["tokens"]
    assert len(tokens) == len(CLAIM["claim_tokens"])
    assert tokens[9][0] == tokens[9][1], "a token that the claim does not hold has no place"


def test_benign_and_questionable_spans_do_not_count() -> None:
    spans = [
        {"start": 0, "end": 2, "type": "Benign"},
        {"start": 3, "end": 9, "type": "Unwanted/Unwanted.Intrinsic"},
        {"start": 10, "end": 12, "type": "Questionable"},
    ]
    found = record({**PLAIN, "spans": spans})
    assert [(s.start, s.end) for s in found.spans] == [(3, 9)]
    assert record({**PLAIN, "spans": spans[:1]}).spans == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "bad.jsonl:2: not JSON"),
        ("[1]", "a record is an object, not list"),
        ({"hallucinated": True}, "there is no 'response'"),
        ({"response": "x"}, "'hallucinated' is missing; it is true or false"),
        ({"response": 3, "hallucinated": True}, "'response' is a text, not int"),
        ({"response": "x", "hallucinated": "yes"}, "'hallucinated' is true or false, not 'yes'"),
        ({**PLAIN, "spans": [{"start": 2, "end": 99}]}, r"spans\[0\]: 2\.\.99 does not lie"),
        ({**PLAIN, "spans": [{"start": 5, "end": 5}]}, r"spans\[0\]: 5\.\.5 does not lie"),
        ({**PLAIN, "spans": [{"start": 1.5, "end": 3}]}, "whole numbers, not 1.5"),
        ({**PLAIN, "spans": ["x"]}, r"spans\[0\] is an object"),
        ({**PLAIN, "evidence": [{"id": "e"}]}, r"evidence\[0\] is an object with a text"),
        ({**PLAIN, "evidence": "text"}, "'evidence' is a list, not str"),
        ({**PLAIN, "history": ["x"]}, r"history\[0\] is an object"),
        ({**PLAIN, "kb": ["x"]}, r"kb\[0\] is an object"),
        ({**ENTRY, "label": "MAYBE"}, "'label' is VALID or HALLUCINATED"),
        ({**ENTRY, "fields": None}, "an object 'fields'"),
        ({**CLAIM, "non_supported_spans": [True]}, "13 claim_tokens, 1 non_supported_spans"),
        ({**CLAIM, "evidence": [1]}, "'evidence' is a list of lines"),
        ({**CLAIM, "meta": 3}, "'meta' is an object, not int"),
        ({**ENTRY, "difficulty_tier": "hard"}, "'difficulty_tier' is a whole number from 1"),
        ({**ENTRY, "added_to_benchmark": "soon"}, "'added_to_benchmark' is a day"),
        ({**PLAIN, "extra": {"pair": [1]}}, r"extra\.pair is a name or a number"),
        ({**PLAIN, "extra": {"peers": "x"}}, r"extra\.peers is an object of scores"),
        ({**PLAIN, "extra": {"peers": {"hhem-2.1": "high"}}}, r"extra\.peers is an object"),
        ({**PLAIN, "extra": {"qi": "yes"}}, r"extra\.qi is true or false, not 'yes'"),
        ({**PLAIN, "kb": [{"a": {"b": 1}}]}, r"kb\[0\] holds dict in 'a'; a cell is one value"),
        ({**PLAIN, "response": "a \ud800 b", "spans": []}, "'response': a lone surrogate at char"),
        ({**PLAIN, "evidence": ["a \ud800 b"]}, r"evidence\[0\]: a lone surrogate"),
        ({**PLAIN, "history": [{"text": "\udfff"}]}, r"history\[0\]: a lone surrogate"),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path, line, said) -> None:
    path = write(tmp_path, "bad.jsonl", PLAIN, line)
    with pytest.raises(FormatError, match=said) as caught:
        list(read_records(path))
    assert "bad.jsonl:2" in str(caught.value)


def test_other_bytes_and_deep_nesting_are_named(tmp_path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b'{"response": "\xff"}')
    with pytest.raises(FormatError, match=r"odd\.jsonl:1: not UTF-8 at byte 14"):
        list(read_records(path))
    path.write_text("[" * 200_000, encoding="utf-8")
    with pytest.raises(FormatError, match=r"odd\.jsonl:1"):
        list(read_records(path))


def test_folders_and_names(tmp_path) -> None:
    with pytest.raises(NotFoundError, match="there is no folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(NotFoundError, match=r"holds no \.jsonl file"):
        read_folder(tmp_path)
    write(tmp_path, "a.jsonl", *[{**PLAIN, "id": str(i)} for i in range(5)])
    write(tmp_path, "b.jsonl", {**PLAIN, "set": "other"})
    assert list(read_folder(tmp_path)) == ["a", "b"]
    assert list(read_folder(tmp_path, names=["mine"])) == ["a"]
    assert list(read_folder(tmp_path, names=["b"])) == ["b"]
    assert len(read_folder(tmp_path, limit=2)["a"]) == 2
    with pytest.raises(NotFoundError, match="no set 'c'; there are a, b"):
        read_folder(tmp_path, names=["c"])
    (tmp_path / "z.jsonl").mkdir()
    with pytest.raises(FormatError, match=r"z\.jsonl is no file"):
        read_folder(tmp_path)
    (tmp_path / "z.jsonl").rmdir()
    write(tmp_path, "empty.jsonl", "")
    with pytest.raises(FormatError, match=r"empty\.jsonl holds no record"):
        read_folder(tmp_path)


def test_sentences_and_tokens_cover_the_response() -> None:
    texts = ["One. Two three! (Four) five", "", "no stop at all", "  A.\n\n- b\n- c\n", "…"]
    for text in texts:
        found = record({"response": text, "hallucinated": False})
        assert "".join(text[a:b] for a, b in found.sentences) == text
        apart = "".join(c if c.isalnum() else f" {c} " for c in text)
        assert [text[a:b] for a, b in found.tokens] == apart.split()


def test_records_of_one_source_share_a_group() -> None:
    bare = {"response": "x", "hallucinated": False}
    one = record({**bare, "id": "1", "evidence": ["text"]})
    two = record({**bare, "id": "2", "evidence": [{"id": "z", "text": "text"}]})
    assert one.group == two.group
    assert record({**bare, "id": "1"}).group != record({**bare, "id": "2"}).group
    pairs = [record({**bare, "id": i, "extra": {"pair": 7}}).group for i in "ab"]
    assert pairs[0] == pairs[1]
