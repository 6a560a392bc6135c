"""Grounding features as the fitting script sees them."""

import json

import pytest

import groundwire as gw
from groundwire import _core

EVIDENCE = ["The house opened in 1987. It has 14 rooms.", "A ticket costs 12 euros."]


def test_rows_are_words_and_sentences() -> None:
    """Every content word and every sentence has a row with all features."""
    text = "Ünïcode: the house opened in 1987. The cafeteria sells pancakes."
    found = _core.support_features(text, EVIDENCE, "When did it open?")
    assert found["names"] == _core.support_feature_names()
    sentences = [row for row in found["rows"] if row[0]]
    assert [text[a:b] for _, a, b, _ in sentences] == [
        "Ünïcode: the house opened in 1987.",
        "The cafeteria sells pancakes.",
    ]
    words = [text[a:b].rsplit(maxsplit=1)[-1] for whole, a, b, _ in found["rows"] if not whole]
    assert words[-3:] == ["cafeteria", "sells", "pancakes"]
    assert all(len(row[3]) == len(found["names"]) for row in found["rows"])
    novelty = found["names"].index("novelty")
    assert sentences[1][3][novelty] == pytest.approx(1.0)
    assert 0 <= sentences[0][3][novelty] < 0.7


def test_arguments_of_the_wrong_type_are_refused() -> None:
    """Evidence is a list of texts."""
    with pytest.raises(TypeError):
        _core.support_features("x", 7)  # type: ignore[arg-type]


def test_findings_say_what_they_rest_on() -> None:
    """A finding names the strongest parts of its score; thresholds are settings."""
    text = "The cafeteria serves buttermilk pancakes with maple syrup to hungry schoolchildren."
    monitor = gw.Monitor()
    session = monitor.session(evidence=EVIDENCE)
    session.push_text(text)
    found = session.finish().findings
    kinds = {f.type for f in found}
    assert {"stream.unsupported_span", "stream.unsupported_sentence"} <= kinds
    sentence = next(f for f in found if f.type == "stream.unsupported_sentence")
    detected = sentence.detected
    assert isinstance(detected, dict)
    assert detected["support"] == pytest.approx(1 - sentence.p_hallucinated)
    assert set(detected["parts"]) == set(detected["features"])
    assert "copied_run" not in detected["parts"]
    json.dumps(detected)
    quiet = gw.Monitor(settings={"support_threshold": 0.0, "word_support_threshold": 0.0})
    session = quiet.session(evidence=EVIDENCE)
    session.push_text(text)
    assert not [f for f in session.finish().findings if "unsupported_s" in f.type]
