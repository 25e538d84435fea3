"""Excerpts: choose the part of a passage to show, by the words of the query in it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace

from intelli.retrieval import analysis
from intelli.retrieval.store.passages import FoundChunk

# Pages are joined with a form feed, which occurs nowhere else in a text.
_PAGE_BREAK = "\f"
_WORD = re.compile(r"\w+")
_DOTS = "\N{HORIZONTAL ELLIPSIS}"
# Detecting the language would take a second to load its model; in other languages only equal word forms match.
_LANGUAGE = "en"
_BEFORE = 40  # characters that are shown before the first word of the query


def begin_at_best_page(chunk: FoundChunk, *, worth: Mapping[int, float], language: str) -> FoundChunk:
    """Cut a chunk that spans several pages so that it begins with the page most relevant to the query."""
    if chunk.page is None:
        return chunk
    page = find_best_page(chunk.body, chunk.page, worth=worth, language=language)
    body = chunk.body.split(_PAGE_BREAK, page - chunk.page)[-1]
    return replace(chunk, page=page, body=body, char_start=chunk.char_end - len(body))


def find_best_page(body: str, first_page: int, *, worth: Mapping[int, float], language: str) -> int:
    """Return the page of a chunk that is most relevant, by the weights of the query's terms; the first of equals."""
    parts = body.split(_PAGE_BREAK)
    if len(parts) == 1 or not worth:
        return first_page
    values = [_value(part, worth, language) for part in parts]
    return first_page + values.index(max(values))


def shorten(body: str, query: str, *, most: int) -> str:
    """Return the part of a passage, at most `most` characters, with most words of a query; ellipses mark the cuts."""
    if len(body) <= most:
        return body
    start = _best_start(body, query, most=most)
    end = start + most
    return "".join((_DOTS if start else "", body[start:end].rstrip(), _DOTS if end < len(body) else ""))


def _best_start(body: str, query: str, *, most: int) -> int:
    """Return the offset at which the excerpt with most words of the query begins, with a few characters of context."""
    wanted = {term for word in analysis.parse_query(query, [_LANGUAGE]) for term in word.terms}
    words = list(_WORD.finditer(body))
    terms_at = [wanted & analysis.analyse(word[0], _LANGUAGE).counts.keys() for word in words]
    starts, ends = [word.start() for word in words], [word.end() for word in words]
    begins = [starts[bisect_left(starts, start - _BEFORE)] if start > _BEFORE else 0 for start in starts]

    def worth(at: int) -> int:
        return len(set[int]().union(*terms_at[at : bisect_right(ends, begins[at] + most)]))

    hits = [at for at, terms in enumerate(terms_at) if terms]
    return begins[max(hits, key=lambda at: (worth(at), -at))] if hits else 0


def _value(part: str, worth: Mapping[int, float], language: str) -> float:
    """Score a page: the weight of each term, times a factor that grows from 1/2 towards 1 with its count."""
    counts = analysis.analyse(part, language).counts
    return sum(value * count / (count + 1) for term, value in worth.items() if (count := counts.get(term, 0)))
