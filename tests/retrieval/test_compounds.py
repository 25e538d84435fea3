"""German compounds are found by their parts, and by what says the same in several words."""

import numpy as np
import pytest
from tests.retrieval.makers import Shelf

from intelli.retrieval import analysis, compound_scores, compounds
from intelli.retrieval.compound_scores import CompoundWord


def _split(word: str) -> list[str]:
    splitter = compounds.splitter("de")
    assert splitter is not None
    return list(splitter.split(word))


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("lieferverzug", ["liefer", "verzug"]),
        ("produktionskapazität", ["produktions", "kapazität"]),
        ("jahresumsatz", ["jahres", "umsatz"]),
        ("kindergarten", ["kinder", "garten"]),
        ("wartungsverträge", ["wartungs", "verträge"]),
    ],
)
def test_a_compound_is_split_behind_its_links(word: str, parts: list[str]):
    assert _split(word) == parts


@pytest.mark.parametrize(
    "word", ["abteilung", "dauerhaft", "unternehmen", "gesellschaft", "urlaub", "hamburg", "haus", "x1"]
)
def test_a_word_that_only_looks_like_a_compound_stays_whole(word: str):
    assert _split(word) == [word]


def test_words_of_other_languages_stay_whole():
    assert compounds.splitter("en") is None
    assert len(analysis.analyse("jahresumsatz", "en").counts) == 1


def test_parts_are_terms_but_do_not_make_a_passage_longer():
    found = analysis.analyse("Der Jahresumsatz stieg", "de")
    assert found.length == 3
    assert analysis.analyse("Umsatz", "de").counts.keys() < found.counts.keys()


def test_a_word_between_the_whole_and_its_parts_is_found_too():
    found = analysis.analyse("Krankenhausaufenthalt", "de").counts.keys()
    (word,) = analysis.parse_query("Krankenhaus", ["de"])
    assert word.terms <= found


def test_the_parts_of_a_query_are_not_words_of_their_own():
    (word,) = analysis.parse_query("Lieferverzug", ["de", "en"])
    assert word.terms == set(word.term_in.values())
    assert analysis.analyse("Verzug Lieferung", "de").counts.keys() <= word.part_terms


def test_a_chunk_is_credited_with_the_whole_or_the_parts():
    values = {
        1: (np.array([0, 1]), np.array([5.0, 5.0])),
        2: (np.array([0, 2]), np.array([2.0, 2.0])),
        3: (np.array([0, 3]), np.array([2.0, 2.0])),
    }
    compound = CompoundWord(frozenset({1}), [frozenset({2}), frozenset({3})])
    twice = compound_scores.surplus([compound], values, 4)
    assert twice.tolist() == [4.0, 0.0, 0.0, 0.0]


async def test_a_compound_finds_its_parts_and_a_part_its_compounds(shelf: Shelf):
    await shelf.put("/whole.txt", "Der Lieferverzug wurde dem Kunden am Montag gemeldet und danach sofort behoben.")
    await shelf.put("/parts.txt", "Bei Verzug mit der Lieferung kann der Kunde nach vierzehn Tagen zurücktreten.")
    await shelf.put("/other.txt", "Die Produktionskapazität in Aachen wurde erweitert, was alle Kunden freut.")
    assert (await shelf.names("Lieferverzug"))[:2] == ["whole.txt", "parts.txt"]
    assert (await shelf.names("Kapazität"))[0] == "other.txt"
