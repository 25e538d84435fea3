"""Weights of a query's terms: inverse document frequencies, by language, and those of the parts of compounds."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from intelli.retrieval import compound_scores
from intelli.retrieval.analysis import QueryWord
from intelli.retrieval.compound_scores import CompoundWord
from intelli.retrieval.store.lexical import Size

# With this number of chunks in a language, its document frequencies are reliable.
_ENOUGH = 100
# Least share of a language's chunks that a word is assumed to be in, chunks added to smooth that share, and the least
# difference between the summed logarithms of shares that tells two languages apart.
_RARE, _FEW_CHUNKS, _DOUBT = 1e-3, 10, 2.0


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term with its weight `idf`, and the number of the query's word that it stands for."""

    term: int
    idf: float
    word: int


def weigh(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> list[WeightedTerm]:
    """Return the query's terms with their inverse document frequency (idf).

    A word gets a weight in each language that contains it. But the weight of a word of the query's likely language is a
    maximum for its other languages, whose texts merely quote it: "the" is rare in German texts.
    """
    everywhere = sum(size.chunks for size in sizes)
    likely = _likely(words, sizes, counts)
    weighed = []
    for number, word in enumerate(words):
        held = {term: counts[term] for term in word.terms if counts.get(term)}
        own = {word.term_in[language] for language in likely if language in word.term_in}
        worth = {}
        # A word that occurs nowhere is weighted as if one chunk had it: in a small workspace that is most words.
        for term, count in (held or dict.fromkeys(word.terms, 1)).items():
            total = sum(size.chunks for size in sizes if word.term_in.get(size.language) == term)
            # That it is missing in a few chunks says little about how rare it is.
            lent = min(everywhere - total, math.inf if held else total)
            rate = sum(held.values()) / everywhere
            worth[term] = _idf(count, total, lent=lent, rate=rate)
        most = max((idf for term, idf in worth.items() if term in own), default=math.inf)
        weighed += [WeightedTerm(term, min(idf, most), number) for term, idf in worth.items()]
    return weighed


def weigh_parts(
    words: Sequence[QueryWord], wholes: Sequence[WeightedTerm], sizes: Sequence[Size], counts: Mapping[int, int]
) -> tuple[list[WeightedTerm], list[CompoundWord]]:
    """Return the parts of the query's compounds with their weights; a word that is in the query itself is no part."""
    most = dict[int, float]()
    for whole in wholes:
        most[whole.word] = max(most.get(whole.word, 0.0), whole.idf)
    taken = {whole.term for whole in wholes}
    weighed: list[WeightedTerm] = []
    compounds = []
    for number, word in enumerate(words):
        compound = CompoundWord(frozenset(word.terms))
        for language, parts in word.parts_in.items():
            total = sum(size.chunks for size in sizes if size.language == language)
            held = [max((counts.get(term, 0) for term in part), default=0) for part in parts]
            idfs = [_idf(count, total, lent=0.0, rate=0.0) for count in held]
            share = compound_scores.share(most.get(number, 0.0), idfs)
            for part, count, idf in zip(parts, held, idfs, strict=True):
                new = {term for term in part if counts.get(term)} - taken if count else set[int]()
                weighed += [WeightedTerm(term, idf * share, number) for term in new]
                taken |= new
                compound.parts.append(frozenset(new))
        if any(compound.parts):
            compounds.append(compound)
    return weighed, compounds


def _likely(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> set[str]:
    """Return the likely languages of a query: those whose chunks contain its words about as often as any other's."""
    chances = {size.language: 0.0 for size in sizes}
    for word in words:
        # Languages may share a term, and its count in each of them is not known.
        chunks = Counter[int | None]()
        for size in sizes:
            chunks[word.term_in.get(size.language)] += size.chunks
        for language in chances:
            term = word.term_in.get(language)
            held = 0 if term is None else counts.get(term, 0)
            chances[language] += math.log(max(_RARE, held / (chunks[term] + _FEW_CHUNKS)))
    best = max(chances.values(), default=0.0)
    return {language for language, chance in chances.items() if chance >= best - _DOUBT}


def _idf(count: int, total: int, *, lent: float, rate: float) -> float:
    """Return the idf of a term among the chunks of the languages that could contain it.

    Where these are few, chunks of other languages are added (`lent`), at the word's rate in all languages.
    """
    lent = min(lent, max(0.0, _ENOUGH - total))
    held, of = count + lent * rate, max(total, count) + lent
    return math.log(1 + (of - held + 0.5) / (held + 0.5))
