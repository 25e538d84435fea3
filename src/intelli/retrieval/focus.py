"""Focus: from which page on a passage that runs over several is to be shown, by where the words of the query stand."""

from collections.abc import Mapping
from dataclasses import replace

from intelli.retrieval import analysis
from intelli.retrieval.store.passages import Passage

# Pages are joined with a form feed, which stands nowhere else in a text.
_PAGE_BREAK = "\f"


def focused(passage: Passage, *, worth: Mapping[int, float], language: str) -> Passage:
    """The passage from the page on that a reader should see."""
    if passage.page is None:
        return passage
    page = page_of(passage.body, passage.page, worth=worth, language=language)
    body = passage.body.split(_PAGE_BREAK, page - passage.page)[-1]
    return replace(passage, page=page, body=body, char_start=passage.char_end - len(body))


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
