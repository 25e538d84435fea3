"""The number ledger: figures that were read, figures that were calculated, and figures that nothing supports."""

import random
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.citations.checking import material_of, prove_with
from tests.citations.texts import abstracts, cited
from tests.support.quality import BESIDE, SAMPLE, where_there

from intelli.citations.figures import FigureEntry, entries_of
from intelli.citations.wire import Check
from intelli.language.numbers import is_same, numbers_of

QUOTE = (
    "Revenue came to 412.7 million euros in 2025, after 389.2 million in 2024. On 31 December 2025 it had three sites. "
    "Costs were 100 and 50."
)
_PLAIN = re.compile(r"\d+(?:[.,]\d+)*")


def _only(statement: str) -> FigureEntry:
    (entry,) = entries_of(statement, [cited(QUOTE)])
    return entry


@pytest.mark.parametrize(
    "statement",
    [
        "It was 412.7 million euros.", "It was \u20ac412.7 million.", "It was 412,700,000 euros.", "in 2024",
        "It was 413 million euros.",
        "on 2025-12-31", "in December 2025", "on December 31", "It had 3 sites.", "It came to about 413 million euros.",
        "It is over 400 million euros.",
    ],
)  # fmt: skip
def test_a_figure_that_stands_in_the_quote_is_found_however_it_is_written(statement: str):
    entry = _only(statement)
    assert entry.is_found
    assert QUOTE[entry.read[0].start : entry.read[0].end] == entry.read[0].written


@pytest.mark.parametrize(
    "statement",
    [
        "It was 414 million euros.", "It was 412.7 billion euros.", "It was 412.7 million dollars.",
        "It was 41.27 million.", "in 2023", "on 30 December 2025", "in November 2025", "It had 4 sites.",
        "It came to about 500 million euros.", "It fell by 12 percent.",
    ],
)  # fmt: skip
def test_a_figure_that_does_not_is_missing(statement: str):
    assert not _only(statement).is_found


@pytest.mark.parametrize(
    ("text", "worth"),
    [("1,577", "1577"), ("1.577", "1.577"), ("15.77", "15.77"), ("1.234.567,89", "1234567.89"), ("0,5", "0.5"),
     ("1'000", "1000"), ("$3.5bn", "3500000000"), ("\u22125 %", "-5"), (".05", "0.05"), ("2 Mrd.", "2000000000")],
)  # fmt: skip
def test_numbers_are_worth_what_they_say(text: str, worth: str):
    (number,) = numbers_of(text)
    assert number.worth == Decimal(worth)


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("It employs 1,577 people.", "Die Firma hat 1.577 Mitarbeiter."),
        ("Die Firma hat 1.577 Mitarbeiter.", "It employs 1,577 people."),
        ("The share is 3.5%.", "Der Anteil ist 3,5 %."),
        ("La part est de 3,5 %.", "The share is 3.5%."),
        ("It employs 12,577 people.", "Le groupe emploie 12 577 personnes dans les usines."),
        ("Le groupe emploie 12 577 personnes.", "Die Gruppe hat 12.577 Mitarbeiter."),
        ("1.577 Mitarbeiter", "Die Firma hat 1.577 Mitarbeiter."),
        ("1.577 Mitarbeiter", "1.577 Mitarbeiter"),
        ("It grew to 1,234,567.8 tons.", "Die Menge stieg auf 1.234.567,8 Tonnen."),
        ("The mean is 0.125.", "Der Wert ist 0,125."),
    ],
)
def test_a_number_is_the_same_in_the_writing_of_another_language(statement: str, quote: str):
    entries = entries_of(statement, [cited(quote)])
    assert entries
    assert all(entry.is_found for entry in entries)
    assert quote[entries[0].read[0].start : entries[0].read[0].end] == entries[0].read[0].written


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("It employs 1.577 people.", "It employs 1,577 people."),
        ("Die Firma hat 1,577 Mitarbeiter.", "Die Firma hat 1.577 Mitarbeiter."),
        ("It weighs 1.577 kg.", "Die Kiste ist 1.577 kg schwer."),
        ("It employs 1,577 people.", "Die Firma hat 15.77 Mitarbeiter."),
        ("The share is 35%.", "Der Anteil ist 3,5 %."),
        ("1.577 people", "It employs 1,577 people."),
        ("1.577", "1,577"),
        ("It employs 12,577 people.", "It employs 12 577 people."),
    ],
)
def test_a_separator_that_means_another_thing_there_makes_another_number(statement: str, quote: str):
    assert not all(entry.is_found for entry in entries_of(statement, [cited(quote)]))


_IN = {
    "en": ("The plant made {} tons in the year of the report.", ",", "."),
    "de": ("Das Werk hat {} Tonnen in dem Jahr des Berichts gemacht.", ".", ","),
    "fr": ("L\u2019usine a fait {} tonnes dans le courant de cette ann\u00e9e.", " ", ","),
    "es": ("La planta hizo {} toneladas en el curso de este a\u00f1o.", ".", ","),
    "it": ("La fabbrica ha fatto {} tonnellate nel corso di questo anno.", ".", ","),
}


_PAIRS = st.tuples(st.sampled_from(sorted(_IN)), st.sampled_from(sorted(_IN)))


def _written(value: Decimal, language: str) -> str:
    frame, group, decimals = _IN[language]
    whole, _, rest = f"{value:,}".partition(".")
    return frame.format(whole.replace(",", group) + (decimals + rest if rest else ""))


@given(digits=st.integers(1, 10**10), places=st.integers(0, 3), by=st.integers(1, 9), languages=_PAIRS)
def test_any_number_is_itself_in_any_language_and_never_another(
    digits: int, places: int, by: int, languages: tuple[str, str]
):
    one, other = languages
    value, wrong = (Decimal(each).scaleb(-places) for each in (digits, digits + by))
    quote = cited(_written(value, other))
    assert all(entry.is_found for entry in entries_of(_written(value, one), [quote]))
    assert not all(entry.is_found for entry in entries_of(_written(wrong, one), [quote]))


@pytest.mark.parametrize(("folder", "least"), where_there((SAMPLE, 50), (BESIDE, 150)))
def test_planted_wrong_numbers_are_found(folder: Path, least: int):
    """One digit changed in sentences of abstracts: each must fail its check."""
    chance = random.Random(11)
    planted = found = 0
    for sentences in abstracts(folder, 250):
        for sentence in sentences:
            plain = [match for match in _PLAIN.finditer(sentence) if _is_apart(sentence, match)]
            if not plain:
                continue
            match = chance.choice(plain)
            at = chance.choice([at for at in range(match.start(), match.end()) if sentence[at].isdigit()])
            digit = (int(sentence[at]) + chance.randrange(1, 10)) % 10
            changed = f"{sentence[:at]}{digit}{sentence[at + 1 :]}"
            (proof,) = prove_with(f"{changed} @0", material_of(sentence)).proofs
            assert proof.outcome.check is not Check.VERIFIED, (sentence, changed)
            planted += 1
            found += proof.outcome.check is Check.FAILED
    assert planted > least
    assert found / planted >= 0.95


def _is_apart(text: str, match: re.Match[str]) -> bool:
    """Not a piece of a name such as B12."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return not (before.isalnum() or after.isalnum() or before in {"-", "(", "^", "/"} or after in {"-", ")", "/"})


def test_a_name_in_a_line_tells_nothing_of_its_language():
    (shown,) = numbers_of("Deductible, Northwind Health Plus: $2,000")
    (said,) = numbers_of("Northwind Health Plus has a deductible of $2,000 per year.")
    assert is_same(shown, said)
    assert shown.value == 2000
