"""Function words of a query: words that put the question and say nothing about what is wanted, "how much ... was"."""

import re
from functools import lru_cache

from intelli.language import words
from intelli.language.languages import UNSPACED, languages

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=1_000)
def content_spans(query: str) -> tuple[tuple[int, int], ...]:
    """Return the characters (start, end) of the words that say what is wanted; all words when none of them does.

    The function words are those of the query's language, or of all languages that it may be in. Words that ask and may
    also tell, "list" or "difference", are content unless they stand beside another function word: "list all of them",
    but "list price".
    """
    found = [(match.start(), match.end()) for match in _WORD.finditer(query)]
    spoken = [languages()[code] for code in words.find_languages(query) if code != UNSPACED]
    listed = frozenset[str]().union(*(each.stop_words for each in spoken))
    requests = frozenset[str]().union(*(each.requests for each in spoken))
    folded = [query[start:end].lower() for start, end in found]
    is_function = [word in listed and word not in requests for word in folded]
    is_listed = [word in listed for word in folded]
    beside = [
        is_in_list and (function or any(is_listed[at - 1 : at] + is_listed[at + 1 : at + 2]))
        for at, (is_in_list, function) in enumerate(zip(is_listed, is_function, strict=True))
    ]
    content = tuple(span for span, function in zip(found, beside, strict=True) if not function)
    return content or tuple(found)


def without_function_words(query: str) -> str:
    """Return the words that say what is wanted, joined by spaces: "how much copper was sold" → "copper sold"."""
    return " ".join(query[start:end] for start, end in content_spans(query))
