"""What the extractive reasoner makes of messages: facts with their times, and nothing rather than nonsense."""

from datetime import date

import pytest

from intelli.language import times
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.without_model import fact_patterns, names

TODAY = date(2026, 11, 16)
Row = tuple[str, str, str, str | None, str | None, bool]


def _asked(text: str, *before: str) -> ExtractInput:
    passages = tuple(SourceText(identifier=str(n), title="", text=each) for n, each in enumerate(before))
    passage = SourceText(identifier="x", title="", text=text)
    return ExtractInput(passage=passage, before=passages, speaker="Uma", today=TODAY)


def _rows(text: str, *before: str) -> list[Row]:
    facts = fact_patterns.read(_asked(text, *before)).facts
    return [(f.subject, f.relation, f.object, f.valid_from, f.valid_until, f.is_over) for f in facts]


SAYS: list[tuple[str, list[Row]]] = [
    ("Ada works for Acme since May 2024.", [("Ada", "works for", "Acme", "2024-05", None, False)]),
    ("Ada Lovelace moved to Berlin.", [("Ada Lovelace", "lives in", "Berlin", None, None, False)]),
    ("I moved to Berlin last week.", [("Uma", "lives in", "Berlin", "2026-11-09", None, False)]),
    ("The price of the Roadster is 40 EUR.", [("Roadster", "price", "40 EUR", None, None, False)]),
    ("The price of tea rose to 2.50 EUR yesterday.", [("tea", "price", "2.50 EUR", "2026-11-15", None, False)]),
    ("The bike costs 300 EUR.", [("bike", "price", "300 EUR", None, None, False)]),
    ("Ada no longer works for Acme.", [("Ada", "works for", "Acme", None, None, True)]),
    ("Bob doesn't live in Paris anymore.", [("Bob", "lives in", "Paris", None, None, True)]),
    ("Frank left Acme yesterday.", [("Frank", "works for", "Acme", None, "2026-11-15", True)]),
    ("Ada worked for Acme from 2019 to 2021.", [("Ada", "works for", "Acme", "2019", "2021", False)]),
    ("In 2023 Ada worked for Acme.", [("Ada", "works for", "Acme", "2023", "2023", False)]),
    ("The price of tea was 2 EUR in December 2024.", [("tea", "price", "2 EUR", "2024-12", "2024-12", False)]),
    ("On 31 May 2024 the price of tea was 2 EUR.", [("tea", "price", "2 EUR", "2024-05-31", "2024-05-31", False)]),
    ("The price of tea was 2 EUR.", []),
    ("Correction: Ada left Acme in 2024.", [("Ada", "works for", "Acme", None, "2024", True)]),
    ("Ada lived in Rome until March 2020.", [("Ada", "lives in", "Rome", None, "2020-03", False)]),
    (
        "Ada works for Acme and lives in Berlin.",
        [("Ada", "works for", "Acme", None, None, False), ("Ada", "lives in", "Berlin", None, None, False)],
    ),
    (
        "Dora moved from Paris to London two months ago.",
        [
            ("Dora", "lives in", "London", "2026-09-16", None, False),
            ("Dora", "lives in", "Paris", None, "2026-09-16", True),
        ],
    ),
    (
        "Carl is the CEO of Initech.",
        [("Carl", "role", "CEO", None, None, False), ("Carl", "works for", "Initech", None, None, False)],
    ),
    ("Eve has been working at Hooli for three years.", [("Eve", "works for", "Hooli", "2023-11-16", None, False)]),
    ("My email is ada@example.org.", [("Uma", "email", "ada@example.org", None, None, False)]),
    ("Bob's favourite colour is green.", [("Bob", "favourite colour", "green", None, None, False)]),
    ("The deadline of Project X is 12 May 2026.", [("Project X", "deadline", "2026-05-12", None, None, False)]),
    (
        "I like hiking and jazz.",
        [("Uma", "likes", "hiking", None, None, False), ("Uma", "likes", "jazz", None, None, False)],
    ),
    ("Heidi divorced Ivan in 2020.", [("Heidi", "married to", "Ivan", None, "2020", True)]),
]


@pytest.mark.parametrize(("text", "rows"), SAYS, ids=[text for text, _ in SAYS])
def test_a_plain_message_says_its_fact(text: str, rows: list[Row]):
    assert _rows(text) == rows


@pytest.mark.parametrize(
    "text",
    [
        "Will Ada work for Acme?",
        "If Ada joins Acme, we win.",
        "Ada might move to Berlin.",
        "Ada wants to work for Acme.",
        "Ada worked for Acme.",
        "Ada is not happy.",
        "Ada never worked for Acme.",
        "It is what it is.",
        "This is the best thing ever.",
        "Thanks for the help!",
        "She lives in Rome.",
        "",
        "\u2026",
        "(" * 3_000,
        "A" * 100_000,
        "Ada and " * 5_000,
    ],
)
def test_what_is_asked_wished_denied_or_unclear_says_nothing(text: str):
    assert _rows(text) == []


def test_a_pronoun_means_the_person_spoken_of_before():
    assert _rows("Ada works for Acme. She lives in Rome.")[1][:3] == ("Ada", "lives in", "Rome")
    assert _rows("She lives in Rome.", "Uma(user): Ada works for Acme.")[0][:3] == ("Ada", "lives in", "Rome")


def test_every_fact_quotes_the_text_and_its_things_are_named():
    asked = _asked("Yesterday Ada Byron joined Initech. The capital of France is Paris.")
    found = names.extract(asked)
    assert all(fact.quote in asked.passage.text for fact in found.facts)
    kinds = {thing.name: thing.kind for thing in found.things}
    assert kinds["Ada Byron"] == "person"
    assert kinds["Initech"] == "organisation"
    assert not {"Yesterday", "May"} & set(kinds)


@pytest.mark.parametrize(
    ("words", "iso"),
    [
        ("3 June 2025", "2025-06-03"),
        ("June 3rd, 2025", "2025-06-03"),
        ("03.06.2025", "2025-06-03"),
        ("yesterday", "2026-11-15"),
        ("last Monday", "2026-11-09"),
        ("last year", "2025"),
        ("last month", "2026-10"),
        ("May", "2026-05"),
        ("December", "2025-12"),
        ("31 February 2025", None),
        ("99 years ago", "1927-11-16"),
    ],
)
def test_a_told_time_is_counted_from_the_day_it_was_said(words: str, iso: str | None):
    assert times.resolve(words, TODAY) == iso
