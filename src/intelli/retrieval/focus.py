"""Focus: on which page of a passage that runs over several the words of the query stand."""

from collections.abc import Mapping

from intelli.retrieval import analysis

# Pages are joined with a form feed, which stands nowhere else in a text.
_PAGE_BREAK = "\f"


def page_of(body: str, first_page: int, *, worth: Mapping[int, float], language: str) -> int:
    """The page that a reader should see, by what each term of the query is worth; of equals the earlier one."""
    parts = body.split(_PAGE_BREAK)
    if len(parts) == 1 or not worth:
        return first_page
    values = [_value(part, worth, language) for part in parts]
    return first_page + values.index(max(values))


def _value(part: str, worth: Mapping[int, float], language: str) -> float:
    """Words that occur count once, and once more the more often they do."""
    counts = analysis.analyse(part, language).counts
    return sum(value * count / (count + 1) for term, value in worth.items() if (count := counts.get(term, 0)))
