"""Values of a graph that are resources: compared, and put into answers, by their names alone."""

from __future__ import annotations

from typing import Any

import pytest

import groundwire as gw
from groundwire._rdf_names import readable
from groundwire.lookup import Lookup, RdfSource

GRAPH = """
@prefix r: <http://dbpedia.org/resource/> .
@prefix o: <http://dbpedia.org/ontology/> .
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
r:Veldt_Works rdfs:label "Veldt Works"@en ;
    o:founder wd:Q5501 ; o:foundingYear 1911 ; o:headquarters r:Lucerne ; o:ceo wd:Q9 ;
    o:owner [ rdfs:label "Nobody" ] ; o:chairman wd:Q12 .
wd:Q5501 rdfs:label "Ines Moreau"@en , "Inès Moreau"@fr ; skos:altLabel "Ines M. Moreau" .
wd:Q12 rdfs:label "Конрад Велт"@ru .
wd:Q700 rdfs:label "Tarn Brewery"@en ; o:founder wd:Q701 , wd:Q702 ; o:headquarters wd:Q703 .
wd:Q701 rdfs:label "Otis Brandt"@en .
wd:Q703 rdfs:label "Ghent"@en , "Gent"@nl .
r:Mira_Sol rdfs:label "Mira Sol"@en ; o:birthPlace r:S%C3%A8te ; o:spouse <http://x.org/p/77> ;
    o:employer <http://x.org/Mercury_(company)> .
"""
TRUE = [
    "Veldt Works was founded by Ines Moreau.",
    "Veldt Works was founded by Inès Moreau.",
    "Veldt Works was founded by Ines M. Moreau.",
    "Ines Moreau founded Veldt Works.",
    "Veldt Works was founded in 1911.",
    "Veldt Works is headquartered in Lucerne.",
    "The CEO of Veldt Works is Paula Grant.",
    "The owner of Veldt Works is Paula Grant.",
    "The chairman of Veldt Works is Konrad Veldt.",
    "Tarn Brewery was founded by Otis Brandt.",
    "Tarn Brewery was founded by Leo Fall.",
    "Tarn Brewery is headquartered in Ghent.",
    "Tarn Brewery is headquartered in Gent.",
    "Mira Sol was born in Sète.",
    "The spouse of Mira Sol is Karl Otto.",
    "The employer of Mira Sol is Mercury.",
]
WRONG = {
    "Veldt Works was founded by Karl Otto.": "Ines Moreau",
    "Veldt Works was founded in 1923.": "1911",
    "Veldt Works is headquartered in Zurich.": "Lucerne",
    "Tarn Brewery is headquartered in Antwerp.": "Ghent",
    "Mira Sol was born in Pavia.": "Sète",
    "The employer of Mira Sol is Veldt Works.": "Mercury",
}


@pytest.fixture(scope="module", params=["loaded", "asked", "query"])
def how(request: Any) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def monitor(how: str, tmp_path_factory: pytest.TempPathFactory) -> gw.Monitor:
    pytest.importorskip("rdflib")
    path = tmp_path_factory.mktemp("rdf") / "graph.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    if how == "loaded":
        return gw.Monitor(kb=gw.KnowledgeBase.from_rdf(path), profiles=("dialogue",))
    query = None
    if how == "query":
        asked = {"founder", "foundingYear", "headquarters", "birthPlace", "employer", "spouse"}
        rows = " ".join(f"OPTIONAL {{ ?s o:{one} ?{one} }}" for one in sorted(asked))
        query = (
            "PREFIX o: <http://dbpedia.org/ontology/> "
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
            f"SELECT * WHERE {{ ?s rdfs:label ?name . {rows} FILTER(STR(?name) = STR(?wanted)) }}"
        )
    return gw.Monitor(detectors=[Lookup(RdfSource(path, query=query))], profiles=("dialogue",))


@pytest.mark.req("S0-022")
@pytest.mark.parametrize("text", TRUE)
def test_a_name_is_the_resource_it_names(monitor: gw.Monitor, how: str, text: str) -> None:
    # A query gives one name a resource: what else it is called is not asked for.
    named_otherwise = "Inès" in text or "M. Moreau" in text or "Gent." in text
    if named_otherwise and how == "query":
        pytest.skip("a query brings one name of a resource")
    assert [f for f in monitor.check(text).findings if f.tier not in {"none", "low"}] == []


@pytest.mark.req("S0-022")
@pytest.mark.parametrize("text", WRONG)
def test_what_is_put_in_its_place_can_be_read(monitor: gw.Monitor, text: str) -> None:
    found = [f for f in monitor.check(text).findings if f.type == "dialogue.wrong_attribute"]
    assert [f.replacement for f in found] == [WRONG[text]]


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://dbpedia.org/resource/Como", "Como"),
        ("http://x.org/Andr%C3%A9_Fell_(painter)", "André Fell"),
        ("http://x.org/Jean-Luc_O'Hara", "Jean-Luc O'Hara"),
        ("http://x.org/Apollo_11", "Apollo 11"),
        ("http://x.org/J._R._Brandt", "J. R. Brandt"),
        ("http://x.org/%E6%9D%B1%E4%BA%AC", "東京"),
        ("urn:places:Bath", "Bath"),
        ("http://www.wikidata.org/entity/Q76346", None),
        ("http://x.org/staff/p17", None),
        ("http://x.org/ann", None),
        ("http://siemens.com/", None),
        ("http://x.org/Logo.svg", None),
        ("http://x.org/WernerVon", None),
        ("http://x.org/3f2a-99bc", None),
        ("http://x.org/A", None),
    ],
)
def test_the_last_part_of_an_iri_is_a_name_or_none(iri: str, name: str | None) -> None:
    assert readable(iri) == name
