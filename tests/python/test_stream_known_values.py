"""Questions that a base answers by a value, under another name, or of somebody with a title."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.profiles.stream import verify_knowledge

KB = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Old Mill Theatre",
            "type": "theatre",
            "attributes": {
                "artistic_director": "Nils Aker",
                "owner": "City of Varde",
                "opened": "1964-10-03",
                "capacity": 320,
                "opening_hours": "Tue-Sun 17:00-23:00",
                "address": "Mill Street 2",
                "box_office_phone": "+45 75 11 22 33",
            },
        },
        {
            "name": "Rosa Keller",
            "aliases": ["Prof. Keller"],
            "type": "person",
            "attributes": {
                "born": "1961-02-11",
                "birthplace": "Graz",
                "field": "botany",
                "employer": "Linden University",
                "phone": "+43 316 55 66",
            },
        },
        {
            "name": "Linden University",
            "type": "university",
            "attributes": {
                "rector": "Jana Holm",
                "founded": 1902,
                "students": 14200,
                "campus_area": "35 ha",
                "city": "Graz",
            },
        },
        {
            "name": "Kestrel Bike",
            "type": "product",
            "attributes": {
                "price": "649 euros",
                "weight": "11 kg",
                "frame": "aluminium",
                "warranty": "5 years",
                "maker": "Halden Works",
                "top_speed": "25 km/h",
            },
        },
        {
            "name": "Silver Lake",
            "type": "lake",
            "attributes": {"depth": "41 m", "surface_area": "12 km2", "country": "Finland"},
        },
        {
            "name": "Ferry 7",
            "type": "service",
            "attributes": {
                "departure_time": "07:40",
                "operator": "Sund Line",
                "duration": "55 minutes",
                "fare": "9 euros",
            },
        },
    ]
)
ANSWERED = """
Is Nils Aker the artistic director of the Old Mill Theatre?
Who is Nils Aker?
Which theatre does Nils Aker direct?
What is Nils Aker known for?
How old is Prof. Keller?
When was Prof. Keller born?
What is Prof. Keller's phone number?
Where does Prof. Keller work?
Where was Rosa Keller born?
Which field does Rosa Keller work in?
When is the Old Mill Theatre open?
Until when is the Old Mill Theatre open?
On which days is the Old Mill Theatre open?
What time does the Old Mill Theatre open?
What are the opening hours of the Old Mill Theatre?
How old is the Old Mill Theatre?
When did the Old Mill Theatre open?
When was the Old Mill Theatre built?
How big is the Old Mill Theatre?
Where is the Old Mill Theatre?
Who owns the Old Mill Theatre?
What does the City of Varde own?
Who is Jana Holm?
Is Jana Holm the rector of Linden University?
What is Jana Holm's position?
What does Jana Holm do?
When was Linden University founded?
How old is Linden University?
How many students does Linden University have?
How big is the campus of Linden University?
In which city is Linden University?
Where is Linden University?
How much does the Kestrel Bike cost?
What is the price of the Kestrel Bike?
How heavy is the Kestrel Bike?
How fast is the Kestrel Bike?
Who makes the Kestrel Bike?
What does Halden Works make?
Who is the maker of the Kestrel Bike?
How long is the warranty of the Kestrel Bike?
What is the frame of the Kestrel Bike made of?
How deep is Silver Lake?
How big is Silver Lake?
In which country is Silver Lake?
Does Ferry 7 leave at 07:40?
Who operates Ferry 7?
How long does Ferry 7 take?
What does Sund Line operate?
Is the Kestrel Bike made by Halden Works?
"""
MISSING = """
Is Olga Brandt the rector of Linden University?
Which theatre does Olga Brandt direct?
When was Nils Aker born?
How old is Jana Holm?
What is Nils Aker's phone number?
What is Jana Holm's salary?
Where does Jana Holm live?
When is Linden University open?
Who founded the Old Mill Theatre?
Who designed the Old Mill Theatre?
How heavy is Silver Lake?
How long is Silver Lake?
Who owns Silver Lake?
How old is Prof. Adeyemi?
What is Prof. Adeyemi's email?
Who is Rosa Keller married to?
What does Rosa Keller earn?
How tall is Rosa Keller?
What is the email address of the Old Mill Theatre?
How many employees does Linden University have?
What is the revenue of Halden Works?
When was Halden Works founded?
Where is Sund Line based?
How many bikes has Halden Works sold?
What is the battery life of the Kestrel Bike?
Who leads the Kestrel Orchestra?
How much does the Falcon Bike cost?
When does the Grand Mill Theatre open?
What is the website of Linden University?
Which languages does Rosa Keller speak?
"""


@pytest.mark.req("S4-002", "S4-004")
@pytest.mark.parametrize("question", ANSWERED.strip().splitlines())
def test_what_the_base_holds_is_known(question: str) -> None:
    assert verify_knowledge(question, {"kb": KB}).verified


@pytest.mark.req("S4-002", "S4-004")
@pytest.mark.parametrize("question", MISSING.strip().splitlines())
def test_what_it_lacks_is_missing(question: str) -> None:
    assert not verify_knowledge(question, {"kb": KB}).verified


@pytest.mark.req("S4-005")
@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("When was Nils Aker born?", "when Nils Aker was born"),
        ("How old is Jana Holm?", "how old Jana Holm is"),
        ("Who owns Silver Lake?", "who owns Silver Lake"),
        ("Who founded the Old Mill Theatre?", "who founded the Old Mill Theatre"),
        ("Who leads the Kestrel Orchestra?", "the Kestrel Orchestra"),
        ("Who is Dr. Okafor married to?", "Dr. Okafor"),
        ("How old is Dr. Okafor?", "Dr. Okafor"),
        ("When is Linden University open?", "the opening hours of Linden University"),
    ],
)
def test_only_what_is_missing_is_called_so(question: str, missing: str) -> None:
    check = verify_knowledge(question, {"kb": KB})
    assert check.missing_knowledge == missing
    assert check.limitation.startswith(
        f"I can't answer this reliably: I have nothing on {missing}."
    )
