"""Check that a value in a quoted table row is under the column that its name says."""

import re
from collections.abc import Sequence

from intelli.citations import numbers
from intelli.citations.prove import CitationProof
from intelli.deliverables.column_names import readable
from intelli.reasoning.extractive import grids

_BRACKETED = re.compile(r"(?:(?<!\s)\s++)?+[(\[][^)\]]*+(?:(?P<closed>[)\]])|\Z)")


def has(proof: CitationProof, name: str, about: Sequence[str], shown: str) -> bool:
    """Whether the quoted row has the value in the column of that name, and what it is about in other cells."""
    if proof.source is None or "\n" in proof.quote.strip() or not grids.is_row(proof.quote):
        return False
    columns = [_plain(each) for each in grids.columns_over(proof.source.text, proof.span.start)]
    cells = _cells(proof.quote)
    if len(columns) != len(cells) or columns.count(_plain(name)) != 1:
        return False
    at = columns.index(_plain(name))
    others = {_plain(each) for number, each in enumerate(cells) if number != at}
    value, found = numbers.numbers_of(shown), numbers.numbers_of(cells[at], proof.quote, *proof.around)
    is_same = len(value) == len(found) == 1 and numbers.is_same(value[0], found[0])
    return is_same and all(_plain(each) in others for each in about if each)


def _cells(row: str) -> list[str]:
    line = row.strip()
    return [each.strip() for each in (line.split("\t") if "\t" in line else line.strip("|").split("|"))]


def _plain(name: str) -> str:
    """A name as it is compared: a unit in brackets may be told elsewhere."""
    return readable(_BRACKETED.sub(lambda found: " " if found["closed"] else found[0], name).strip() or name).casefold()
