"""The reasoner without a model: deterministic, offline, free. It says nothing that a source does not say.

Each step is a pure function of what is asked, computed where it can be ended; only the embedder is asked from here.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from intelli.kit.compute import Compute, InProcess
from intelli.kit.errors import IntelliError
from intelli.reasoning import changing, remembering, thoughts, writing
from intelli.reasoning.asked import Asked
from intelli.reasoning.extractive import (
    asking,
    choose,
    commands,
    disagreeing,
    facets,
    figures,
    grids,
    intents,
    judging,
    tabulating,
    things,
    weigh,
    wording,
    words,
)
from intelli.reasoning.extractive.choose import Chosen
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.ports import Embedder
from intelli.reasoning.thoughts import Finding, Usage

NAME = "extractive"
_FREE = Usage(model=NAME)
# Sentences beyond these are weighed by their words alone: an embedder's time is not for the whole library.
_MOST_EMBEDDED = 400
# An embedder that does not know the question's language finds all of it alike.
_LEAST_FIT = 0.5
# Two facets at least: one alone is the question in other words.
_FEW = 2
# A line of Markdown that opens or closes code is no part of what stands there.
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_BULLET = re.compile(r"^[-*\u2022\u2023\u25aa\u2013]\s+")


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in passages: queries by what they are about, each with its facets, and the sentences there."""

    queries: dict[str, list[str]]
    sentences: list[str]


Near = Mapping[str, Sequence[float]]


class ExtractiveReasoner:
    """Reads and chooses; with an embedder it also sees nearness in meaning."""

    name = NAME

    def __init__(self, embedder: Embedder | None = None, compute: Compute | None = None) -> None:
        self._embedder = embedder
        self._compute = compute or InProcess()

    @property
    def prompts(self) -> Mapping[str, str]:
        """None are used."""
        return {}

    def ceiling(self, asked: Asked) -> Decimal:
        """Nothing, ever."""
        return Decimal(0)

    async def intent(self, asked: thoughts.IntentAsked) -> tuple[thoughts.Intent, Usage]:
        """By the words a message opens with."""
        return await self._compute.run(intents.intent, asked), _FREE

    async def plan(self, asked: thoughts.PlanAsked) -> tuple[thoughts.Plan, Usage]:
        """By the facets of the question."""
        return await self._compute.run(plan_of, asked), _FREE

    async def note(self, asked: thoughts.NoteAsked) -> tuple[thoughts.Notes, Usage]:
        """The sentences that are evidence, or the task as an open question."""
        near = await self._near(asked) if self._embedder else {}
        return await self._compute.run(notes_of, asked, near), _FREE

    async def brief(self, asked: thoughts.BriefAsked) -> tuple[thoughts.Brief, Usage]:
        """All findings, none twice, with their figures, dates and contradictions."""
        return await self._compute.run(brief_of, asked), _FREE

    async def tabulate(self, asked: thoughts.TabulateAsked) -> tuple[thoughts.Tabulated, Usage]:
        """What stands in findings and tables, as it stands."""
        return await self._compute.run(tabulating.tabulate, asked), _FREE

    async def answer(self, asked: thoughts.AnswerAsked) -> AsyncIterator[thoughts.Delta | thoughts.Answered]:
        """Paragraph by paragraph."""
        said: list[str] = []
        for piece in await self._compute.run(pieces_of, asked):
            delta = f"\n\n{piece}" if said else piece
            said.append(delta)
            yield thoughts.Delta(text=delta)
            await asyncio.sleep(0)  # all of it is there at once: others have their turn in between
        findings = asked.brief.findings
        answer = thoughts.Answer(
            text="".join(said),
            is_answered=bool(findings),
            confidence=max((finding.relevance for finding in findings), default=0),
        )
        yield thoughts.Answered(answer=answer, usage=_FREE)

    async def write(self, asked: writing.WriteAsked) -> tuple[writing.Section, Usage]:
        """Nothing: the findings are the sources' own sentences, and are told as they stand."""
        return writing.Section(heading=asked.heading), _FREE

    async def title(self, asked: thoughts.TitleAsked) -> tuple[thoughts.Title, Usage]:
        """The question, shortened."""
        return await self._compute.run(intents.title, asked), _FREE

    async def judge(self, asked: thoughts.JudgeAsked) -> tuple[thoughts.Judgement, Usage]:
        """By the words and figures that statement and passage share."""
        return await self._compute.run(judging.judge, asked), _FREE

    async def change(self, asked: changing.ChangeAsked) -> tuple[changing.Changes, Usage]:
        """By plain commands in the question, and nowhere else."""
        return await self._compute.run(commands.changes, asked), _FREE

    async def extract(self, asked: remembering.ExtractAsked) -> tuple[remembering.Extracted, Usage]:
        """By what is written like a name, and by the ways in which much is said."""
        return await self._compute.run(things.extract, asked), _FREE

    async def resolve(self, asked: remembering.ResolveAsked) -> tuple[remembering.Resolved, Usage]:
        """Nothing: what is in doubt stays apart."""
        return remembering.Resolved(), _FREE

    async def _near(self, asked: thoughts.NoteAsked) -> Near:
        """How close every sentence is to each query, where an embedder can tell."""
        assert self._embedder is not None, "only who has one asks it"
        embedder = self._embedder
        sought = await self._compute.run(sought_in, asked)
        if not 0 < len(sought.sentences) <= _MOST_EMBEDDED:
            return {}
        fits = await asyncio.to_thread(_fitting, embedder, list(sought.queries.values()))
        if not fits:
            return {}
        try:
            vectors = await embedder.embed(sought.sentences)
            return {
                query: weigh.closeness(vectors @ await embedder.embed_query(query), background=embedder.background)
                for query in fits
            }
        except IntelliError:
            # This reasoner stands in when others fail: the words alone must do.
            return {}


def _fitting(embedder: Embedder, queries: Sequence[Sequence[str]]) -> list[str]:
    """The queries whose language an embedder knows."""
    return [query for group in queries if embedder.fit(group[0]) >= _LEAST_FIT for query in group]


def plan_of(asked: thoughts.PlanAsked) -> thoughts.Plan:
    """The facets of a question. What is to be done with the answer is no part of what is to be found out."""
    return facets.plan(asked.model_copy(update={"question": commands.rest(asked.question) or asked.question}))


def pieces_of(asked: thoughts.AnswerAsked) -> list[str]:
    """The paragraphs of an answer."""
    return list(wording.pieces(asked))


def sought_in(asked: thoughts.NoteAsked) -> Sought:
    """What an embedder is to compare; no sentences where there are too many for one."""
    found = _candidates(asked.passages, words.language_of(_query(asked)))
    sentences = [each.quote for each in found] if len(found) <= _MOST_EMBEDDED else []
    return Sought(_queries(asked), sentences)


def notes_of(asked: thoughts.NoteAsked, near: Near) -> thoughts.Notes:
    """What was found on each thing, and the things on which nothing was."""
    found = _candidates(asked.passages, words.language_of(_query(asked)))
    queries = _queries(asked)
    most = max(1, asked.max_findings // (len(facets.of_task(_query(asked))) or 1))
    looked = {about: _look(group, found, near, most) for about, group in queries.items()}
    return thoughts.Notes(
        task_title=asked.task.title,
        findings=tuple(_finding(each, about) for about, chosen in looked.items() for each in chosen),
        open_questions=tuple(about for about, chosen in looked.items() if not chosen),
    )


# What an embedder is to compare is looked for again a moment later, most often by the same process.
@lru_cache(maxsize=4)
def _candidates(passages: tuple[thoughts.Passage, ...], language: str) -> tuple[Candidate, ...]:
    return tuple(weigh.candidates(passages, language))


def _query(asked: thoughts.NoteAsked) -> str:
    return asked.task.queries[0] if asked.task.queries else asked.task.message


def _queries(asked: thoughts.NoteAsked) -> dict[str, list[str]]:
    """By what they are about: a task of several things has a query for each."""
    together = facets.of_task(_query(asked))
    if not together:
        return {asked.task.title: list(facets.split(_query(asked)))}
    return {facets.heading(each): [each] for each in together}


def _look(queries: Sequence[str], found: Sequence[Candidate], near: Near, most: int) -> list[Chosen]:
    """The best sentences for a query and its facets, each of which is looked for by itself."""
    language = words.language_of(queries[0])
    best: dict[int, Chosen] = {}
    for query in queries:
        wanted = asking.read(query)
        # "Umsatzrendite" is another figure than "Umsatz", but bears on how that went.
        is_loose = wanted.kind in {asking.Kind.OPEN, asking.Kind.COURSE}
        known = weigh.with_compounds(found, wanted.terms, language) if is_loose else found
        seen = weigh.signs(wanted.terms, known, language, near.get(query))
        for each in choose.choose(known, seen, limit=most, wanted=wanted):
            before = best.get(each.candidate.position)
            if before is None or before.relevance < each.relevance:
                best[each.candidate.position] = each
    return sorted(best.values(), key=lambda each: -each.relevance)[:most]


def _finding(chosen: Chosen, about: str) -> Finding:
    candidate = chosen.candidate
    return Finding(
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


def brief_of(asked: thoughts.BriefAsked) -> thoughts.Brief:
    """All findings, none twice, with what follows from them."""
    language = words.language_of(asked.question)
    findings = _distinct([finding for notes in _telling(asked) for finding in notes.findings], language)
    return thoughts.Brief(
        title=intents.title(thoughts.TitleAsked(question=commands.rest(asked.question))).title or asked.question,
        question=asked.question,
        findings=findings,
        metrics=figures.metrics_of(findings),
        timeline=figures.timeline_of(findings),
        quotes=tuple(thoughts.Quote(text=each.quote, identifier=each.identifier) for each in findings),
        disagreements=disagreeing.disagreements_of(asked.question, findings, asked.passages),
        open_questions=_open_questions(asked),
        sources=tuple(dict.fromkeys(finding.identifier for finding in findings)),
    )


def _telling(asked: thoughts.BriefAsked) -> Sequence[thoughts.Notes]:
    """Without those on the whole question where each of its facets has its own; a comparison needs both."""
    first, *others = asked.notes or (None,)
    if first is None or len(others) < _FEW or not _is_whole(first, asked) or facets.is_comparison(asked.question):
        return asked.notes
    return others if all(notes.findings for notes in others) else asked.notes


def _is_whole(notes: thoughts.Notes, asked: thoughts.BriefAsked) -> bool:
    return notes.task_title == facets.heading(asked.question)


def _open_questions(asked: thoughts.BriefAsked) -> tuple[str, ...]:
    """What no passage answers; the whole question is not open when a facet of it is answered."""
    is_answered = any(notes.findings for notes in asked.notes)
    first = 1 if is_answered and len(asked.notes) > 1 and _is_whole(asked.notes[0], asked) else 0
    return tuple(dict.fromkeys(each for notes in asked.notes[first:] for each in notes.open_questions))


def _distinct(findings: Sequence[Finding], language: str) -> tuple[Finding, ...]:
    """Each sentence once, under the task it serves best; tasks in the order of the plan."""
    best: dict[tuple[frozenset[str], str], Finding] = {}
    for finding in findings:
        # The ends of a table tell how each of several things went: they belong to every one.
        whose = finding.about if _is_end(finding) else ""
        key = (frozenset(words.terms_of(finding.text, language)), whose)
        if key not in best or best[key].relevance < finding.relevance:
            best[key] = finding
    kept = {id(finding) for finding in best.values()}
    return tuple(finding for finding in findings if id(finding) in kept)


def _is_end(finding: Finding) -> bool:
    """Whether a row of a table was found for how something went."""
    return grids.is_row(finding.quote) and asking.read(finding.about).kind is asking.Kind.COURSE
