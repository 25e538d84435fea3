"""What a document tells of itself: its date, period, parties and what it amends, each with the words for it."""

import pytest
from tests.library.extraction.reading import read
from tests.library.structure import labelled

from intelli.library.structure import document_facts, document_structure
from intelli.library.structure.document_facts import DocumentFacts

__all__ = ["read"]

AMENDMENT = """# Amendment No. 2 to the Framework Supply Agreement

between Nordhaven Logistics AG and Kranbau Meyer GmbH & Co. KG

14 March 2025

This amendment replaces Amendment No. 1 dated 3 May 2022. Clause 4 is changed as follows.
"""
NACHTRAG = """# Nachtrag zum Rahmenliefervertrag

Hamburg, 3. Mai 2024

zwischen M\u00fcller Stahl GmbH und Berta Bau AG
"""
INTERIM = "# Nordhaven Logistics AG\n\n## Half-Year Report\n\nfor the six months ended 30 June 2025\n\nRevenue rose.\n"


@pytest.fixture
def facts(read):
    def facts(content: str | bytes, name: str) -> DocumentFacts:
        extraction = read(content, name)
        found = document_facts.find_facts(extraction, document_structure.build(extraction))
        for told in (found.kind, found.date, found.period, *(each.words for each in (*found.parties, *found.amends))):
            if told is not None and told.span is not None:
                assert extraction.text[slice(*told.span)] == told.words
        assert document_facts.load(document_facts.dump(found), chars=len(extraction.text)) == found
        return found

    return facts


def test_an_amendment_tells_its_date_its_parties_and_what_it_changes(facts):
    found = facts(AMENDMENT, "a.md")
    assert (found.kind.value, found.date.value) == ("amendment", "2025-03-14")
    assert [each.words.value for each in found.parties] == ["Nordhaven Logistics AG", "Kranbau Meyer GmbH & Co. KG"]
    assert [(each.words.value, each.replaces) for each in found.amends] == [
        ("Framework Supply Agreement", False),
        ("Amendment No. 1 dated 3 May 2022", True),
    ]


def test_a_german_amendment_is_understood_too(facts):
    found = facts(NACHTRAG, "a.md")
    assert (found.kind.value, found.date.value) == ("nachtrag", "2024-05-03")
    assert [each.words.value for each in found.parties] == ["M\u00fcller Stahl GmbH", "Berta Bau AG"]
    assert [each.words.value for each in found.amends] == ["Rahmenliefervertrag"]


def test_a_report_tells_its_issuer_and_the_period_it_covers(facts):
    found = facts(INTERIM, "a.md")
    assert (found.kind.value, found.period.value) == ("half-year report", "2025-H1")
    assert [(each.role, each.words.value) for each in found.parties] == [("issuer", "Nordhaven Logistics AG")]


def test_a_mail_tells_when_it_was_sent_by_whom_and_to_whom(facts):
    found = facts(labelled.MAIL, "a.eml")
    assert found.date.value == "2025-03-14"
    assert [(each.role, each.words.value) for each in found.parties] == [
        ("sender", "Ingrid Solheim"),
        ("recipient", "Tom Berg"),
    ]


def test_a_sheet_covers_the_years_of_its_rows(facts):
    assert facts("Year,Revenue\n2019,1.5\n2020,2.5\n2021,3.5\n", "a.csv").period.value == "2019/2021"


def test_what_a_sentence_says_is_not_told_of_the_document(facts):
    assert facts("The cranes were renewed by Kranbau Meyer GmbH in 2019.\n", "a.txt") == DocumentFacts()
