"""Notes without a model: the sentences of passages that are evidence, and the topics without any."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intelli.language import grids, markdown, words
from intelli.reasoning import evidence_rules
from intelli.reasoning.evidence_rules import AGENT, SAID, SOURCE, Origin
from intelli.reasoning.extractive import phrases, pick, question, section, weigh
from intelli.reasoning.extractive.phrases import ReasonerPhrases
from intelli.reasoning.extractive.pick import Floats, Picked
from intelli.reasoning.extractive.token_match import StatementMatch
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import QuotedFinding, SourceText
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.without_model import amended, facets

# A line of Markdown that opens or closes code is no part of what stands there.
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
# A statement so likely needs no section around it.
_SURE = 0.6
_BULLET = re.compile(r"^[-*\u2022\u2023\u25aa\u2013]\s+")


@dataclass(frozen=True, slots=True)
class MatchedTokens:
    """How the tokens of each query match each statement of the passages, by an encoder."""

    model: str
    by_query: Mapping[str, Sequence[StatementMatch]]


@dataclass(frozen=True, slots=True)
class _Side:
    """Statements of one origin, and how their tokens match."""

    found: Sequence[Candidate]
    matched: MatchedTokens | None


def candidates_of(given: NoteInput) -> tuple[Candidate, ...]:
    """Return the statements of the passages among which an answer is looked for."""
    return _candidates(given.passages, words.language_of(_query(given)))


def queries_of(given: NoteInput) -> list[str]:
    """Return all that statements are to be matched with."""
    return [query for group in _queries(given).values() for query in group]


def notes_of(given: NoteInput, matched: MatchedTokens | None = None) -> Notes:
    """What was found on each thing, and the things on which nothing was; `matched` where an encoder is there."""
    if given.from_documents:
        listed = tuple(each.model_copy(update={"about": given.task.title}) for each in given.from_documents)
        return Notes(task_title=given.task.title, findings=listed)
    if given.from_tables is not None:
        finding = given.from_tables.model_copy(update={"about": given.task.title})
        return Notes(task_title=given.task.title, findings=(finding,))
    found = candidates_of(given)
    queries = _queries(given)
    most = max(1, given.max_findings // (len(facets.of_task(_query(given))) or 1))
    sides = [_of_origin(found, matched, origin) for origin in (SOURCE, AGENT, SAID)]
    looked = {about: _look_in_turn(group, sides, most) for about, group in queries.items()}
    said = phrases.phrases_in(words.tongue_of(_query(given)))
    return Notes(
        task_title=given.task.title,
        findings=tuple(
            each for about, chosen in looked.items() for each in _findings(chosen, about, sides[0].found, said)
        ),
        open_questions=tuple(about for about, chosen in looked.items() if not chosen),
        closest=() if any(looked.values()) else _closest(given, sides[0]),
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


def _of_origin(found: Sequence[Candidate], matched: MatchedTokens | None, origin: Origin) -> _Side:
    """The statements of one origin, with how their tokens match."""
    kept = [at for at, each in enumerate(found) if each.passage.origin == origin]
    if matched is None or len(kept) == len(found):
        return _Side([found[at] for at in kept], matched)
    by_query = {query: [matches[at] for at in kept] for query, matches in matched.by_query.items()}
    return _Side([found[at] for at in kept], MatchedTokens(matched.model, by_query))


def _look_in_turn(queries: Sequence[str], sides: Sequence[_Side], most: int) -> list[Picked]:
    """What answers of sources, then of what our agent wrote; only without either what a person stated."""
    picked = {origin: _look(queries, side, most) for origin, side in zip((SOURCE, AGENT, SAID), sides, strict=True)}
    return evidence_rules.list_told(picked)


def _look(queries: Sequence[str], side: _Side, most: int) -> list[Picked]:
    """The best statements for a query and its facets, each of which is looked for by itself."""
    found = side.found
    best: dict[int, Picked] = {}
    for query in queries:
        wanted = question.read(query)
        picked = pick.pick(found, _chances(query, side), wanted, most)
        if not picked or picked[0].relevance < _SURE:
            picked = section.pick_section(found, wanted, most) or picked
        for each in picked:
            before = best.get(each.candidate.position)
            if before is None or before.relevance < each.relevance:
                best[each.candidate.position] = each
    return sorted(best.values(), key=lambda each: -each.relevance)[:most]


def _chances(query: str, side: _Side) -> Floats:
    matched = side.matched
    matches = matched.by_query.get(query) if matched else None
    return pick.chances_of(side.found, question.read(query), matches, model=matched.model if matched else "")


def _closest(given: NoteInput, side: _Side) -> tuple[QuotedFinding, ...]:
    """The statements nearest to what is asked, though they do not answer it."""
    query = next(iter(_queries(given).values()))[0]
    closest = pick.list_closest(side.found, _chances(query, side))
    said = phrases.phrases_in(words.tongue_of(query))
    return tuple(_finding(each, given.task.title, said) for each in closest)


def _findings(
    chosen: Sequence[Picked], about: str, found: Sequence[Candidate], said: ReasonerPhrases
) -> list[QuotedFinding]:
    """What was chosen; of something that was amended what is in force, and below it what it amends."""
    pair = amended.find_pair(chosen, found)
    if not pair:
        return [_finding(each, about, said) for each in chosen]
    lead = said.amended.format(*(each.candidate.passage.title for each in pair))
    return [_finding(each, about, said).model_copy(update={"lead": lead}) for each in pair]


def _finding(chosen: Picked, about: str, said: ReasonerPhrases) -> QuotedFinding:
    candidate = chosen.candidate
    text = _row(candidate) or _BULLET.sub("", " ".join(_without_markup(candidate.quote).split()))
    return QuotedFinding(
        text=_told_apart(text, candidate.passage, said),
        identifier=candidate.passage.identifier,
        quote=candidate.quote,
        relevance=round(chosen.relevance, 4),
        about=about,
    )


def _told_apart(text: str, passage: SourceText, said: ReasonerPhrases) -> str:
    """A statement; one that is of no source with who made it."""
    if passage.origin == SOURCE:
        return text
    return said.said.format(passage.dated, text) if passage.origin == SAID else said.ours.format(passage.title, text)


def _without_markup(text: str) -> str:
    return markdown.without_emphasis(_FENCE.sub("", text))


def _row(candidate: Candidate) -> str:
    """A row of a table, in words."""
    if not grids.is_row(candidate.quote) or "\n" in candidate.quote:
        return ""
    passage = candidate.passage
    return grids.told(passage.text, candidate.start, candidate.end, passage.header).text
