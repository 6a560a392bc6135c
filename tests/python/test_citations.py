"""Bibliography entries: read with their places, and checked against themselves."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.citations import Entry, Field, check_bibliography, check_entry, read_bibtex
from groundwire.citations.entries import isbn_valid, issn_valid, venue_of
from groundwire.errors import ArgumentError

TODAY = date(2024, 5, 1)
SOUND = """
% what stands between entries is no entry
@InProceedings{lind2022,
  author    = {Ada Lind and Bo {van den} Berg},
  title     = "On {Mills} and their "
            # {Sails},
  booktitle = {Proceedings of the 39th International Conference on Machine Learning (ICML)},
  year      = 2022,
  doi       = {10.48550/arXiv.2111.01234v2},
  isbn      = {978-0-306-40615-7},
  issn      = {0378-5955},
}
@comment{@article{no, year = {2999}}}
"""


def checked(**fields: str) -> list[tuple[str, str, str | None]]:
    entry = Entry("inproceedings", "k", {name: Field(value) for name, value in fields.items()})
    found = check_entry(entry, reference_date=TODAY)
    assert all(0 < f.p_hallucinated <= 1 and f.message and f.key == "k" for f in found)
    return [(f.rule, f.field, f.expected) for f in found]


def test_entries_are_read_with_their_places() -> None:
    entry = read_bibtex(SOUND)[0]
    assert (entry.kind, entry.key) == ("inproceedings", "lind2022")
    assert list(entry.fields) == [
        "author", "title", "booktitle", "year", "doi", "isbn", "issn",
    ]  # fmt: skip
    for name in ("author", "booktitle", "year", "doi"):
        start, end = entry.fields[name].span
        assert SOUND[start:end] == entry.fields[name].value
    assert entry.fields["title"].value == "On {Mills} and their Sails"
    assert SOUND[entry.span[0]] == "@"


def test_what_breaks_off_keeps_what_stands_before() -> None:
    (entry,) = read_bibtex("@misc{a, title = {One}, year = {20")
    assert {name: f.value for name, f in entry.fields.items()} == {"title": "One"}
    (twice,) = read_bibtex("@misc{a, year = 2001, year = 2002}")
    assert twice.fields["year"].value == "2001"
    assert [e.key for e in read_bibtex("@misc{a, title={x} @misc{b, year=2000}")] == ["a", "b"]
    assert read_bibtex("no entry at all, me@example.org") == []
    with pytest.raises(ArgumentError, match="is a text, not int"):
        read_bibtex(3)  # type: ignore[arg-type]


@given(st.text(alphabet='@abc{}"=,# \n019', max_size=80))
def test_any_text_is_read(text: str) -> None:
    for entry in read_bibtex(text):
        assert 0 <= entry.span[0] < entry.span[1] <= len(text)
        for value in entry.fields.values():
            assert entry.span[0] <= value.span[0] <= value.span[1] <= entry.span[1]
    check_bibliography(text, reference_date=TODAY)


def test_a_sound_entry_is_left_alone() -> None:
    assert check_bibliography(SOUND, reference_date=TODAY) == []


ICML = "International Conference on Machine Learning"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"year": "2031"}, [("future_year", "year", None)]),
        ({"doi": "10.12/abc"}, [("malformed_doi", "doi", None)]),
        ({"doi": "10.1109/CVPR.2021.XXXXX"}, [("malformed_doi", "doi", None)]),
        ({"doi": "doi.org/10.1109/5.771073"}, [("malformed_doi", "doi", None)]),
        ({"doi": "10.48550/arXiv.2113.01234"}, [("malformed_arxiv", "doi", None)]),
        ({"doi": "10.48550/arXiv.0601.01234"}, [("malformed_arxiv", "doi", None)]),
        (
            {"archiveprefix": "arXiv", "eprint": "2100.01234"},
            [("malformed_arxiv", "eprint", None)],
        ),
        (
            {"doi": "10.48550/arXiv.2301.01234", "year": "2021"},
            [("identifier_year", "year", "2023")],
        ),
        (
            {"doi": "10.48550/arXiv.1801.01234", "year": "2021"},
            [("identifier_year", "year", "2018")],
        ),
        (
            {"doi": "10.1109/CVPR52688.2022.00751", "year": "2021", "booktitle": "CVPR"},
            [("identifier_year", "year", "2022")],
        ),
        (
            {"doi": "10.1609/AAAI.V36I2.20016", "year": "2021", "booktitle": "AAAI"},
            [("identifier_year", "year", "2022")],
        ),
        (
            {"doi": "10.18653/v1/2021.acl-long.12", "year": "2021", "booktitle": "EMNLP"},
            [("identifier_venue", "booktitle", "ACL")],
        ),
        (
            {"doi": "10.1109/CVPR52688.2022.00751", "year": "2022", "booktitle": "Days of Sails"},
            [("identifier_venue", "booktitle", "CVPR")],
        ),
        (
            {"booktitle": f"Proceedings of the 38th {ICML}", "year": "2022"},
            [("venue_number", "booktitle", "2021")],
        ),
        (
            {"booktitle": "2019 Conference on Mills", "year": "2022"},
            [("venue_year", "booktitle", "2019")],
        ),
        ({"isbn": "978-0-306-40615-8"}, [("malformed_isbn", "isbn", None)]),
        ({"issn": "0378-5956"}, [("malformed_issn", "issn", None)]),
        ({"author": "First Author and Second Author"}, [("placeholder", "author", None)]),
        ({"author": "Ada Lind et al."}, [("placeholder", "author", None)]),
        ({"booktitle": "Proceedings of the ..."}, [("placeholder", "booktitle", None)]),
    ],
)
def test_what_cannot_be_is_said(fields, expected) -> None:
    assert checked(**fields) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"year": "2025"},
        {"year": "1987"},
        {"year": "in press"},
        {"doi": "https://doi.org/10.1109/CVPR52688.2022.00751", "year": "2022",
         "booktitle": "IEEE/CVF Conference on Computer Vision and Pattern Recognition"},
        {"doi": "10.1609/aaai.v37i9.26237", "year": "2023", "booktitle": "AAAI"},
        {"doi": "10.48550/arXiv.2111.01234", "year": "2022", "booktitle": "ICLR"},
        {"doi": "10.48550/arXiv.1906.01234", "year": "2021"},
        {"doi": "10.1038/s41586-021-03819-2", "year": "2021", "journal": "Nature"},
        {"doi": "10.1007/978-3-031-19775-8_1", "year": "2022", "booktitle": "ECCV"},
        {"doi": "10.18653/v1/2021.findings-emnlp.9", "year": "2021", "booktitle": "Findings"},
        {"doi": "10.1109/CVPRW53098.2021.00123", "year": "2021", "booktitle": "Workshop on Mills"},
        {"booktitle": f"Proceedings of the 38th {ICML}", "year": "2021"},
        {"booktitle": "Proceedings of the 12th Conference on Mills", "year": "2021"},
        {"booktitle": "Advances in Neural Information Processing Systems 34", "year": "2021"},
        {"booktitle": "arXiv preprint arXiv:1606.06565", "year": "2016"},
        {"author": "Jane Doering and John Author"},
        {"author": "Ada Lind and others"},
        {"title": "Attention Is All You Need?"},
        {"title": "Super Bowl XXX"},
        {"isbn": "0-306-40615-2"},
        {"isbn": "080442957X"},
        {"issn": "2434-561X"},
        {"eprint": "hep-th/9711200", "archiveprefix": "arXiv", "year": "1997"},
    ],
)  # fmt: skip
def test_look_alikes_stay_silent(fields) -> None:
    assert checked(**fields) == []


def test_findings_stand_at_their_field_in_the_text() -> None:
    text = SOUND.replace("= 2022,", "= 2042,").replace("40615-7", "40615-1")
    found = check_bibliography(text, reference_date=TODAY)
    assert [text[slice(*f.span)] for f in found] == [
        "Proceedings of the 39th International Conference on Machine Learning (ICML)",
        "2042",
        "2042",
        "978-0-306-40615-1",
    ]
    assert [f.rule for f in found] == [
        "venue_number", "future_year", "identifier_year", "malformed_isbn",
    ]  # fmt: skip
    assert {f.key for f in found} == {"lind2022"}
    assert check_bibliography(text), "without a date today's counts"


def test_check_digits_catch_every_single_digit() -> None:
    for valid, number in ((isbn_valid, "9780306406157"), (isbn_valid, "0306406152"),
                          (issn_valid, "03785955")):  # fmt: skip
        assert valid(number)
        for i, digit in enumerate(number):
            for other in set("0123456789") - {digit}:
                assert not valid(number[:i] + other + number[i + 1 :])


def test_venues_by_acronym_and_by_name() -> None:
    assert venue_of("Proc. of NIPS") == venue_of("Neural  Information Processing Systems")
    assert venue_of("NAACL-HLT") == "naacl"
    assert venue_of("International Conference on Computer Vision (ICCV)") == "iccv"
    assert venue_of("Conference on Computer Vision and Pattern Recognition") == "cvpr"
    assert venue_of("Annals of Mills") is None


def test_the_harness_reads_them_out_of_the_response() -> None:
    pytest.importorskip("numpy")
    from groundwire.evaluate.data import record
    from groundwire.evaluate.detectors import detector

    data = {
        "bibtex_key": "a", "bibtex_type": "inproceedings", "label": "HALLUCINATED",
        "fields": {"title": "Mills", "year": "2026", "booktitle": "Proceedings of the ..."},
        "added_to_benchmark": "2020-01-01",
    }  # fmt: skip
    item = record(data)
    judged = detector("entries").judge(item, "whole")
    assert [item.response[s.start : s.end] for s in judged.spans] == [
        "2026", "Proceedings of the ...",
    ]  # fmt: skip
    assert judged.score == pytest.approx(1 - 0.05 * 0.3)
    later = record({**data, "added_to_benchmark": "2026-01-01"})
    assert [s.type for s in detector("entries").judge(later, "whole").spans] == ["placeholder"]
    plain = record({"response": "The mill is old.", "hallucinated": False})
    assert detector("entries").judge(plain, "whole").score is None
