"""Focus: from which page on a passage that runs over several is to be shown, by where the words of the query stand."""

from collections.abc import Mapping
from dataclasses import replace

from intelli.retrieval import analysis
from intelli.retrieval.store.passages import Passage

# Pages are joined with a form feed, which stands nowhere else in a text.
_PAGE_BREAK = "\f"


def focused(passage: Passage, *, worth: Mapping[int, float], language: str) -> Passage:
    """The passage from the page on that a reader should see, by what each term of the query is worth.

    Of pages that are worth the same, the earlier one.
    """
    parts = passage.body.split(_PAGE_BREAK)
    if passage.page is None or len(parts) == 1 or not worth:
        return passage
    values = [_value(part, worth, language) for part in parts]
    first = values.index(max(values))
    body = _PAGE_BREAK.join(parts[first:])
    return replace(passage, page=passage.page + first, body=body, char_start=passage.char_end - len(body))


def _value(part: str, worth: Mapping[int, float], language: str) -> float:
    """Words that occur count once, and once more the more often they do."""
    counts = analysis.analyse(part, language).counts
    return sum(value * count / (count + 1) for term, value in worth.items() if (count := counts.get(term, 0)))
