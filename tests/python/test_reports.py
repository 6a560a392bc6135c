"""Reports as text, JSON and workflow annotations; and their schema."""

from __future__ import annotations

import time
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from groundwire.errors import FormatError
from groundwire.plain import tier_rank
from groundwire.reports import github, json, text
from groundwire.reports.places import Lines
from sample_reports import SECRETS, TEXT, finding, report


@pytest.mark.req("U-1")
def test_the_sample_is_valid_under_the_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.schema())
    jsonschema.validate(report(), json.schema())


@pytest.mark.parametrize(
    ("key", "value"),
    [("p_hallucinated", 1.2), ("tier", "severe"), ("span", [1]), ("type", "no namespace")],
)
def test_the_schema_refuses(key: str, value: Any) -> None:
    broken = report(findings=[finding("1962", **{key: value})])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json.schema())


def test_json_round_trip_and_mask() -> None:
    assert json.parse(json.render(report())) == report()
    masked = json.render(report(), mask=True)
    assert not [word for word in SECRETS if word in masked]
    assert json.parse(masked)["findings"][1]["id"] == "f-year"


def test_masked_sources_are_numbered_over_the_whole_report() -> None:
    def found(*sources: str) -> dict[str, Any]:
        pieces = [{**report()["findings"][1]["evidence"][0], "source": s} for s in sources]
        return finding("1962", evidence=pieces)

    given: Any = report(findings=[found("the archive"), found("a diary", "the archive")])
    masked = json.parse(json.render(given, mask=True))
    names = [[piece["source"] for piece in f["evidence"]] for f in masked["findings"]]
    assert names == [["[source 1]"], ["[source 2]", "[source 1]"]]
    again = json.parse(json.render(masked, mask=True))
    assert again["findings"][1]["evidence"] == masked["findings"][1]["evidence"]
    shown = text.render(given, mask=True)
    assert "kb_fact [source 1]" in shown and "kb_fact [source 2]" in shown
    assert "diary" not in shown and "archive" not in shown
    assert "the archive, 12" in text.render(given)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("{", "no report"),
        ("[]", "schema_version"),
        ('{"schema_version": "2.0"}', "version 2.0"),
        ('{"schema_version": "1.3"}', "lacks text and findings"),
    ],
)
def test_json_that_is_no_report(content: str, part: str) -> None:
    with pytest.raises(FormatError, match=part):
        json.parse(content)


def test_github() -> None:
    lines = github.render(report(), "docs/a,b.md", first_line=11).splitlines()
    assert lines[0] == (
        "::notice file=docs/a%2Cb.md,title=groundwire%3A stream.unsourced_authority,"
        "line=13,endLine=13,col=1,endColumn=17::“Studies show 40 %25” names no source"
    )
    assert lines[1].startswith("::error file=docs/a%2Cb.md,")
    assert ",line=12,endLine=12,col=23,endColumn=26::opened is 1958, not 1962%0A" in lines[1]
    assert github.render(report(findings=[]), "x") == ""


@given(st.text())
def test_no_message_ends_its_command(words: str) -> None:
    out = github.render(report(findings=[finding("1962", type=words, suggestion=words)]), words)
    assert out.count("\n") == 1
    assert out.count("\r") == 0


def test_github_masks() -> None:
    out = github.render(report(), "a.md", mask=True)
    assert not [word for word in SECRETS if word in out]
    assert "opened is [masked], not [masked]" in out


def test_claims_that_were_not_checked_are_told() -> None:
    said = "not checked: the limit of a text is 100; raise dialogue.max_claims in the configuration"
    for beyond, were in ((1, "1 claim was"), (3, "3 claims were")):
        given = report(stats={"claims": 100 + beyond, "claims_unverifiable": beyond})
        for mask in (False, True):
            assert text.render(given, width=120, mask=mask).splitlines()[-1] == f"{were} {said}"
        last = github.render(given, "a.md").splitlines()[-1]
        title = "groundwire%3A claims not checked"
        assert last == f"::warning file=a.md,title={title}::{were} {said}"
    all_checked = report(stats={"claims": 100, "claims_unverifiable": 0})
    assert "not checked" not in text.render(all_checked) + github.render(all_checked, "a.md")


def test_text() -> None:
    out = text.render(report(), source="answer.txt", width=100)
    assert out.index("answer.txt:2:23") < out.index("answer.txt:3:1")
    assert "  The archive opened in 1962 under Ada Prévost – see below." in out
    assert "\n" + " " * 24 + "^^^^\n" in out
    assert "opened is 1958, not 1962" in out
    assert "evidence: kb_fact archive.jsonl, 12: “opened: 1958”" in out
    assert "suggestion: Check the archive's year." in out
    last = out.splitlines()[-1]
    assert last.startswith("answer.txt: tier high · 2 findings (1 contradicted, 1 unverifiable) ·")
    assert last.endswith("· verdict fail, interrupt")
    assert "\x1b" not in out
    assert "\x1b[" in text.render(report(), color=True)


def test_text_masks() -> None:
    out = text.render(report(), mask=True)
    assert not [word for word in SECRETS if word in out]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_text_respects_the_width(width: int) -> None:
    long = "x" * 50 + " 1962 " + "漢字" * 60
    found = finding("1962", span=[51, 55])
    out = text.render(report(text=long, findings=[found]), source="a", width=width)
    assert max(cell_len(line) for line in out.splitlines()) <= width
    assert "1962" in out
    assert "^^^^" in out


def test_an_excerpt_of_a_long_line_looks_no_further_than_it_shows() -> None:
    line = "x " * 100_000 + "Zorblax" + " é\u0301y" * 100_000
    at = line.index("Zorblax")
    for span in (at, 0, 6, 40):
        lines, before = Lines(line[at - span :]), time.process_time()
        for _ in range(50):
            shown, marks = text.excerpt(lines, [span, span + 7], 40)
        assert time.process_time() - before < 2.0
        assert shown[len(marks) - 7 : len(marks)] == "Zorblax" and marks.endswith("^" * 7)
        assert cell_len(shown) <= 40
        assert shown.startswith("…") == (span > 24)


def test_no_control_character_reaches_a_terminal() -> None:
    evil = "a \x1b[31m1962\x1b]0;title\x07 b"
    found = finding("1962", span=[0, len(evil)], suggestion=evil)
    out = text.render(report(text=evil, findings=[found]))
    assert "\x1b" not in out
    assert "\\x1b[31m1962" in out


@given(st.text(alphabet="ab\né\r"), st.data())
def test_places_against_counting(source: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    lines = Lines(source)
    place = lines.place(start, end)
    assert place.line == source[:start].count("\n") + 1
    assert place.column == start - (source.rfind("\n", 0, start) + 1) + 1
    assert place.end_line == source[: max(start, end - 1)].count("\n") + 1
    assert lines.line(place.line) == source.split("\n")[place.line - 1].rstrip("\r")


def test_tiers_and_spans() -> None:
    assert [tier_rank(t) for t in ("none", "critical", "?")] == [0, 4, 0]
    assert TEXT[slice(*finding("1962")["span"])] == "1962"
