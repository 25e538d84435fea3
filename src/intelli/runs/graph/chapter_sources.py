"""The sources of a chapter: what its outline names, what is searched for it, and what tables answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from intelli.content.passage import Passage
from intelli.reasoning.values import QuotedFinding
from intelli.reasoning.verbs.outline import Outline, PlannedChapter
from intelli.runs.context import RunContext
from intelli.runs.errors import ToolFailed
from intelli.runs.evidence import TaskSearch
from intelli.runs.graph.sources import TaskSearchResult, arrange_by_document, collect_passages, merge, worth_reading
from intelli.runs.references import build_references
from intelli.runs.steps import chapter_search_key, chapter_tables_key
from intelli.runs.tools import answer_from_tables, search_documents
from intelli.runs.tools.answer_from_tables import AskTables
from intelli.runs.tools.search_documents import SearchInput
from intelli.runs.tools.tool import ToolCall

_PER_QUERY = 12
# What a model is given to write a chapter from.
_CHARACTERS = 18_000
_MOST_PASSAGES = 24
_MOST_DOCUMENTS = 60


@dataclass(frozen=True, slots=True)
class ChapterSources:
    """Finds the sources of chapters. `searches` are those of the tasks, which came before the outline."""

    context: RunContext
    outline: Outline
    searches: Sequence[TaskSearchResult]

    async def find(self, number: int) -> tuple[Passage, ...]:
        """Search for what a chapter lacks, and return all it is written from, best first."""
        chapter = self.outline.plain[number]
        searched = await self._search(number, chapter)
        known = collect_passages(self.searches)
        named = [known[name] for name in chapter.sources if name in known]
        if not named and not any(searched):
            searched = [search.passages for search in self.searches if search.is_search]
        best = merge([named, *(worth_reading(passages) for passages in searched)], most=_MOST_PASSAGES)
        if not self.context.facts.writes:
            return tuple(best)
        return tuple(arrange_by_document(_fitting(best)))

    async def ask_tables(self, number: int, passages: Sequence[Passage]) -> QuotedFinding | None:
        """Ask the tables of what was found for a chapter; a model reads them itself."""
        if self.context.facts.writes:
            return None
        chapter, key = self.outline.plain[number], chapter_tables_key(number)
        documents = dict.fromkeys(each.document_id for each in passages if each.document_id is not None)
        question = (*chapter.queries, chapter.heading)[0]
        asked = AskTables(question=question, document_ids=list(documents)[:_MOST_DOCUMENTS])
        try:
            answer = await self.context.tools.use(answer_from_tables.TOOL, ToolCall(key, asked))
        except ToolFailed:
            # The chapter has what the passages say.
            return None
        found = tuple(each.passage for each in answer.passages)
        await self._keep(number, [TaskSearch(key, question, found)], "tables")
        return answer.finding

    async def _search(self, number: int, chapter: PlannedChapter) -> list[Sequence[Passage]]:
        """Search for each query that was not searched for before; return the passages of all of them."""
        before = {search.query: search.passages for search in self.searches}
        fresh = [(at, query) for at, query in enumerate(chapter.queries) if query not in before]
        found = {query: before[query] for query in chapter.queries if query in before}
        searches = []
        for at, query in fresh:
            key = chapter_search_key(number, at)
            call = ToolCall(key, SearchInput(query=query, limit=_PER_QUERY))
            try:
                result = await self.context.tools.use(search_documents.TOOL, call)
            except ToolFailed:
                # The chapter is written from what else there is, and says what it misses.
                continue
            found[query] = tuple(each.passage for each in result.passages)
            searches.append(TaskSearch(key, query, found[query]))
        await self._keep(number, searches, "references")
        return list(found.values())

    async def _keep(self, number: int, searches: Sequence[TaskSearch], moment: str) -> None:
        passages = list({each.identifier: each for search in searches for each in search.passages}.values())
        if not passages:
            return
        index = self.context.facts.max_tasks + 1 + number
        found = await self.context.evidence.save_found(index, searches, passages)
        references = build_references(self.context.facts, found, {each.identifier for each in passages})
        if references is not None:
            self.context.recorder.emit(references, f"chapter:{number}:{moment}")


def _fitting(passages: Sequence[Passage]) -> list[Passage]:
    """Return as many passages as a model reads for a chapter; at least one."""
    room, kept = _CHARACTERS, list[Passage]()
    for each in passages:
        room -= len(each.text)
        if kept and room < 0:
            break
        kept.append(each)
    return kept
