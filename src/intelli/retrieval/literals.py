"""Literals: parts of a query to be matched exactly, quoted or recognised by their signs: "§12(3)", "C++", "AT&T".

The index has words only. So the chunks with all words of a literal are searched for its exact text, and those that
contain it rank first. In a query of many words, signs are taken for punctuation.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from intelli.kit.db import Tx
from intelli.retrieval import analysis, postings, stemmers
from intelli.retrieval.postings import Floats, Keys
from intelli.retrieval.store import passages
from intelli.retrieval.store.lexical import TermHits
from intelli.retrieval.store.scope import IndexScope

_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e]([^\"\u201c\u201d\u201e]{2,})[\"\u201c\u201d]|\u00ab([^\u00ab\u00bb]{2,})\u00bb"
)
# Signs that belong to a word, between its letters, behind or before them; others are punctuation.
_SIGNED = re.compile(
    r"[^\W_][-#$%&*+/:=@^~.()][^\W_]|[^\W_][#%+*\u00b0\u00ae\u2122]|[#$@.\u00a7\u20ac\u00a3\u00a5][^\W_]"
)
_UNSPACED = re.compile(f"[{stemmers.UNSPACED}]")
_ENDING = re.compile(r"(?<=[\w)%+#])[^\w)%+#*\u00b0\u00ae\u2122]+$")
# In a query of so few words every sign is intended.
_FEW = 4
_LONGEST = 200
_MOST_LITERALS = 4
# Chunks that are searched for a literal: those in which its words are most frequent.
_MOST_LOOKED_AT = 3_000
_MOST_FOUND = 100


@dataclass(frozen=True, slots=True)
class QueryLiterals:
    """The literals of a query, and their share of its words."""

    texts: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class LiteralMatches:
    """Chunks by key in rising order, with the share of the literals in each; `weight` as in `QueryLiterals`."""

    keys: Keys
    shares: Floats
    weight: float

    def shares_of(self, keys: Keys) -> Floats:
        """Return the shares of chunks; 0 for those without a match."""
        known = dict(zip(self.keys.tolist(), self.shares.tolist(), strict=True))
        return np.array([known.get(key, 0.0) for key in keys.tolist()], np.float64)


NOTHING = LiteralMatches(np.empty(0, np.int64), np.empty(0), 0.0)


def parse(query: str) -> QueryLiterals:
    """Parse the literals of a query: `who uses "deep sea"` → `deep sea`."""
    quoted = [_clean("".join(match.groups(""))) for match in _QUOTED.finditer(query)]
    pieces = _QUOTED.sub(" ", query).split()
    signed = [_clean(piece) for piece in pieces if _is_signed(piece)] if len(pieces) <= _FEW else []
    texts = tuple(dict.fromkeys(text for text in (*quoted, *signed) if text))[:_MOST_LITERALS]
    return QueryLiterals(texts, len(texts) / max(len(quoted) + len(pieces), 1))


def terms_of(query: str, languages: Sequence[str]) -> set[int]:
    """Return the terms of the words in a query's literals."""
    words = (word for text in parse(query).texts for word in analysis.parse_query(text, languages))
    return {term for word in words for term in word.terms}


async def find(tx: Tx, query: str, scope: IndexScope, hits: Mapping[int, TermHits]) -> LiteralMatches:
    """Return the chunks that contain literals of a query; `hits` are those of their terms."""
    asked = parse(query)
    if not asked.texts:
        return NOTHING
    found = [await _find_containing(tx, text, scope.languages, hits) for text in asked.texts]
    keys = reduce(np.union1d, found)
    shares = sum(np.isin(keys, each).astype(np.float64) for each in found) / len(found)
    return LiteralMatches(keys, np.asarray(shares, np.float64), asked.weight)


async def _find_containing(tx: Tx, literal: str, languages: Sequence[str], hits: Mapping[int, TermHits]) -> Keys:
    words = await asyncio.to_thread(analysis.parse_query, literal, languages)
    of_words = [[hits[term] for term in word.terms if term in hits] for word in words]
    if not of_words or not all(of_words):
        return NOTHING.keys
    # Of frequent words only the best hits are known: rarer ones tell better where the literal may be.
    whole = [each for each in of_words if not any(found.chunks for found in each)] or of_words
    joined = [postings.concatenate([found.occurrences for found in each]) for each in whole]
    keys = reduce(np.intersect1d, [each.keys for each in joined])
    often = sum(_frequencies(each, keys) for each in joined)
    places = [
        postings.place_of(key) for key in keys[np.argsort(-np.asarray(often), kind="stable")][:_MOST_LOOKED_AT].tolist()
    ]
    matched = await passages.find_containing(tx, places, _spellings(literal), limit=_MOST_FOUND)
    return np.unique(np.array([postings.key_of(*place) for place in matched], np.int64))


def _frequencies(found: postings.Occurrences, keys: Keys) -> Floats:
    """Return the share of each chunk's terms that are this word."""
    order = np.argsort(found.keys, kind="stable")
    place = order[np.searchsorted(found.keys, keys, sorter=order)]
    counts: Floats = found.counts[place] / np.maximum(found.lengths[place], 1)
    return counts


def _is_signed(piece: str) -> bool:
    return _SIGNED.search(_ENDING.sub("", piece)) is not None and not _UNSPACED.search(piece)


def _spellings(literal: str) -> list[str]:
    """Return the spellings of a literal that are searched: lower-casing every chunk would take many times as long."""
    return list(dict.fromkeys((literal, literal.lower(), literal.upper(), literal.capitalize(), literal.title())))


def _clean(text: str) -> str:
    return " ".join(_ENDING.sub("", text.strip()).split())[:_LONGEST]
