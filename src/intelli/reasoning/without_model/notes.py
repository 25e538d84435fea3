"""Notes without a model: the sentences of passages that are evidence, and the topics without any."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intelli.language import grids, words
from intelli.reasoning.extractive import choose, question, weigh
from intelli.reasoning.extractive.choose import Chosen
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import QuotedFinding, SourceText
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.without_model import facets

# Sentences beyond these are weighed by their words alone: an embedder's time is not for the whole library.
MOST_EMBEDDED = 400
# A line of Markdown that opens or closes code is no part of what stands there.
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_BULLET = re.compile(r"^[-*\u2022\u2023\u25aa\u2013]\s+")

# How close each sentence is to a query, by the query.
Near = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """Queries by topic, each with its facets, and the sentences of the passages to compare them with."""

    queries: dict[str, list[str]]
    sentences: list[str]


def sought_in(given: NoteInput) -> EmbeddingRequest:
    """What an embedder is to compare; no sentences where there are too many for one."""
    found = _candidates(given.passages, words.language_of(_query(given)))
    sentences = [each.quote for each in found] if len(found) <= MOST_EMBEDDED else []
    return EmbeddingRequest(_queries(given), sentences)


def notes_of(given: NoteInput, near: Near | None = None) -> Notes:
    """What was found on each thing, and the things on which nothing was; `near` where an embedder can tell."""
    if given.from_documents:
        listed = tuple(each.model_copy(update={"about": given.task.title}) for each in given.from_documents)
        return Notes(task_title=given.task.title, findings=listed)
    if given.from_tables is not None:
        finding = given.from_tables.model_copy(update={"about": given.task.title})
        return Notes(task_title=given.task.title, findings=(finding,))
    found = _candidates(given.passages, words.language_of(_query(given)))
    queries = _queries(given)
    most = max(1, given.max_findings // (len(facets.of_task(_query(given))) or 1))
    looked = {about: _look(group, found, near or {}, most) for about, group in queries.items()}
    return Notes(
        task_title=given.task.title,
        findings=tuple(_finding(each, about) for about, chosen in looked.items() for each in chosen),
        open_questions=tuple(about for about, chosen in looked.items() if not chosen),
        closest=() if any(looked.values()) else _closest(given, found, near or {}),
    )


# What an embedder is to compare is looked for again a moment later, most often by the same process.
@lru_cache(maxsize=4)
def _candidates(passages: tuple[SourceText, ...], language: str) -> tuple[Candidate, ...]:
    return tuple(weigh.candidates(passages, language))


def _query(given: NoteInput) -> str:
    return given.task.queries[0] if given.task.queries else given.task.message


def _queries(given: NoteInput) -> dict[str, list[str]]:
    """By what they are about: a task of several things has a query for each."""
    together = facets.of_task(_query(given))
    if not together:
        return {given.task.title: list(facets.split(_query(given)))}
    return {facets.heading(each): [each] for each in together}


def _look(queries: Sequence[str], found: Sequence[Candidate], near: Near, most: int) -> list[Chosen]:
    """The best sentences for a query and its facets, each of which is looked for by itself."""
    language = words.language_of(queries[0])
    best: dict[int, Chosen] = {}
    for query in queries:
        wanted = question.read(query)
        # "Umsatzrendite" is another figure than "Umsatz", but bears on how that went.
        is_loose = wanted.kind in {question.QuestionKind.OPEN, question.QuestionKind.COURSE}
        known = weigh.with_compounds(found, wanted.terms, language) if is_loose else found
        seen = weigh.signs(wanted.terms, known, language, near.get(query))
        for each in choose.choose(known, seen, limit=most, wanted=wanted):
            before = best.get(each.candidate.position)
            if before is None or before.relevance < each.relevance:
                best[each.candidate.position] = each
    return sorted(best.values(), key=lambda each: -each.relevance)[:most]


def _closest(given: NoteInput, found: Sequence[Candidate], near: Near) -> tuple[QuotedFinding, ...]:
    """The statements nearest to what is asked, though they do not answer it."""
    query = next(iter(_queries(given).values()))[0]
    seen = weigh.signs(question.read(query).terms, found, words.language_of(query), near.get(query))
    return tuple(_finding(each, given.task.title) for each in choose.list_closest(found, seen))


def _finding(chosen: Chosen, about: str) -> QuotedFinding:
    candidate = chosen.candidate
    return QuotedFinding(
        text=_row(candidate) or _BULLET.sub("", " ".join(_FENCE.sub("", candidate.quote).split())),
        identifier=candidate.passage.identifier,
        quote=candidate.quote,
        relevance=round(chosen.relevance, 4),
        about=about,
    )


def _row(candidate: Candidate) -> str:
    """A row of a table, in words."""
    if not grids.is_row(candidate.quote) or "\n" in candidate.quote:
        return ""
    passage = candidate.passage
    return grids.told(passage.text, candidate.start, candidate.end, passage.header).text
