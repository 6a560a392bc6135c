"""Features of changed details as the fitting script and the harness see them."""

import pytest

import groundwire as gw
from groundwire import _core
from groundwire.evaluate.detectors.base import JOINT, Judgement, ScoredSpan, response_score

EVIDENCE = ["The council voted to increase the budget for local schools by 12 percent."]
EDITED = "Ünïcode: the council voted to decrease the budget for schools."


def test_rows_are_words_with_their_class() -> None:
    """Every name, number, content word, pronoun and negation has a row with all features."""
    found = _core.detail_features(EDITED, EVIDENCE)
    words = {EDITED[a:b]: (kind, values) for _, a, b, kind, values in found["rows"]}
    assert words["decrease"][0] == "verb"
    assert all(len(values) == len(found["names"]) for _, values in words.values())
    novel, opposite = found["names"].index("novel"), found["names"].index("opposite")
    assert words["decrease"][1][novel] == words["decrease"][1][opposite] == 1.0
    assert words["budget"][1][novel] == 0.0
    assert "the" not in words
    with pytest.raises(TypeError):
        _core.detail_features("x", 7)  # type: ignore[arg-type]


def test_findings_say_which_word_and_why() -> None:
    """The span is the word; its parts are named; the threshold is a setting."""
    monitor = gw.Monitor(settings={"detail_threshold": 0.0})
    session = monitor.session(evidence=EVIDENCE)
    session.push_text(EDITED)
    found = [f for f in session.finish().findings if f.type == "stream.altered_detail"]
    assert [f.text for f in found] == ["decrease"]
    detected = found[0].detected
    assert isinstance(detected, dict)
    assert "opposite_context" in detected["parts"]
    assert 0 < detected["share"] <= 1
    quiet = gw.Monitor(settings={"detail_threshold": 1.0}).session(evidence=EVIDENCE)
    quiet.push_text(EDITED)
    assert not [f for f in quiet.finish().findings if f.type == "stream.altered_detail"]


def test_joint_stretches_add_up() -> None:
    """Details are witnesses beside the highest other score, each less the more there are."""
    plain = [ScoredSpan(0, 2, 0.5, 2), ScoredSpan(2, 4, 0.3, 4)]
    joint = [ScoredSpan(0, 1, 0.2, 2, joint=True), ScoredSpan(3, 4, 0.1, 4, joint=True)]
    both = JOINT / 2**0.5
    assert response_score(Judgement(), plain) == 0.5
    one = response_score(Judgement(), joint[:1])
    assert one == pytest.approx(1 - 0.8**JOINT)
    assert response_score(Judgement(), joint) == pytest.approx(1 - (0.8 * 0.9) ** both)
    assert response_score(Judgement(), plain + joint) == pytest.approx(1 - 0.5 * 0.72**both)
    assert response_score(Judgement(score=0.7), plain + joint) == 0.7


def test_a_sentences_last_verdict_counts_for_the_answer() -> None:
    """What was said of its beginning does not, unless nothing was said of the whole."""
    early = ScoredSpan(0, 4, 0.8, 4, "open", settled_by="closed")
    later = ScoredSpan(0, 9, 0.3, 9, "closed")
    other = ScoredSpan(10, 19, 0.2, 19, "closed")
    assert response_score(Judgement(), [early, other]) == 0.8
    assert response_score(Judgement(), [early, later, other]) == 0.3
    assert response_score(Judgement(), [later, ScoredSpan(0, 4, 0.8, 10, "open")]) == 0.8
