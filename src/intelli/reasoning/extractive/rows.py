"""Whether a table row is about the subject of a question, by its numbers: a table seldom says it in words."""

import re

from intelli.language import grids, periods, words
from intelli.reasoning.extractive.question import ParsedQuestion
from intelli.reasoning.extractive.weigh import Candidate

_YEAR = re.compile(periods.YEAR)
_LEAST_DIGITS = 3


def has_number(row: Candidate, number: str, wanted: ParsedQuestion) -> bool:
    """Whether a row has a number where a question has it: with another of its words, in a cell or over it."""
    columns = grids.columns_over(row.passage.text, row.start, row.passage.header)
    cells = grids.cells_of(row.quote)
    names = columns if len(columns) == len(cells) else ("",) * len(cells)
    asked = set(wanted.terms) - {number}
    for at, (name, cell) in enumerate(zip(names, cells, strict=True)):
        terms = words.terms_of(cell, wanted.language)
        # A number that a row without names begins with is what the row is called by.
        is_called = at == 0 and not name
        if number in terms and (is_called or asked & {*words.terms_of(name, wanted.language), *terms}):
            return True
    return False


def is_particular(term: str) -> bool:
    """Whether a term is a figure that two texts hardly have in common by chance."""
    digits = re.sub(r"\D", "", term) if term[0].isdigit() else ""
    return len(digits) >= _LEAST_DIGITS and not digits.endswith("00") and not _YEAR.fullmatch(term)
