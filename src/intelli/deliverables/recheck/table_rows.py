"""Compare a row of a table with the line of its source: a footnote quotes the line alone, without the table's head."""

from collections.abc import Sequence

from intelli.citations.wording_tokens import tokenize
from intelli.language import words


def find_doubt(cells: Sequence[str], cell: str, quote: str) -> str:
    """Return why a changed cell is not in its source, or nothing: the line must have all cells in their order."""
    language = words.language_of(quote)
    line = [token.key for token in tokenize(quote, language)]
    missing = [token.written for token in tokenize(cell, language) if token.key not in line]
    if missing:
        return f"The row of the source does not have \u201c{missing[0]}\u201d."
    keys = [token.key for each in cells for token in tokenize(each, language) if token.key in line]
    rest = iter(line)
    is_in_order = all(key in rest for key in keys)
    return "" if is_in_order else "The row of the source has this in another column."
