"""Try a question without a model and without a run: does it have an answer? Nothing is recorded and nothing is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.content.passage import Passage
from intelli.language import periods
from intelli.reasoning.document_answers import question as document_question
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.values import QuotedFinding, Turn
from intelli.reasoning.verbs.note import NoteInput
from intelli.reasoning.verbs.understand import PlannedTask, UnderstandInput
from intelli.runs.as_source_text import as_source_text
from intelli.runs.graph.sources import merge
from intelli.runs.tools.answer_about_documents import TOOL as DOCUMENTS
from intelli.runs.tools.answer_about_documents import AskDocuments
from intelli.runs.tools.answer_from_tables import TOOL as TABLES
from intelli.runs.tools.answer_from_tables import AskTables
from intelli.runs.tools.search_documents import FoundPassage
from intelli.runs.tools.tool import ToolContext

_PER_QUERY = 12
_MOST_TASKS = 2
_MOST_DOCUMENTS = 20
# A finding so likely is shown as an answer that one may rely on.
_SURE = 0.6


@dataclass(frozen=True, slots=True)
class QuestionTrial:
    """What a question is tried with: tools with the rights of a person, a reasoner that needs no model, earlier turns.

    Where `found` is given, an answer is looked for only in these passages and the tables of their documents.
    """

    tools: ToolContext
    reasoner: Reasoner
    turns: tuple[Turn, ...] = ()
    found: Sequence[Passage] | None = None

    async def is_answered(self, question: str) -> bool:
        """Return whether the sources answer a question: each part of it, surely, and for the years that it names."""
        understood, _ = await self.reasoner.do(UnderstandInput(question=question, conversation=self.turns))
        if understood.plan is None or understood.intent.clarification:
            return False
        years = set(periods.years_of(question))
        for task in understood.plan.tasks[:_MOST_TASKS]:
            findings, passages = await self._findings(question, task)
            if not findings or max(each.relevance for each in findings) < _SURE:
                return False
            used = {name for each in findings for name in each.identifiers}
            titles = [each.title.replace("_", " ") for each in passages if each.identifier in used]
            if years - set(periods.years_of("\n".join([*map(_told, findings), *titles]))):
                return False
        return True

    async def _findings(
        self, question: str, task: PlannedTask
    ) -> tuple[Sequence[QuotedFinding], Sequence[Passage | FoundPassage]]:
        asked = task.queries[0] if task.queries else task.message
        passages = self.found if self.found is not None else await self._search(task)
        documents = _documents(passages)
        form = next((each for each in (asked, question) if document_question.read(each) is not None), None)
        if form is not None:
            told = await DOCUMENTS.run(AskDocuments(question=form, document_ids=documents), self.tools)
            return told.findings, told.passages
        answer = await TABLES.run(AskTables(question=asked, document_ids=documents), self.tools)
        if answer.finding is not None:
            return (answer.finding,), answer.passages
        given = NoteInput(question=question, task=task, passages=tuple(as_source_text(each) for each in passages))
        return (await self.reasoner.do(given))[0].findings, passages

    async def _search(self, task: PlannedTask) -> Sequence[Passage]:
        library, who = self.tools.library, self.tools.who
        return merge(
            [await library.search(who, each, limit=_PER_QUERY, scope=self.tools.scope) for each in task.queries[:2]]
        )


def _documents(passages: Sequence[Passage]) -> list[UUID]:
    return list(dict.fromkeys(each.document_id for each in passages if each.document_id))[:_MOST_DOCUMENTS]


def _told(finding: QuotedFinding) -> str:
    cells = (cell for row in finding.table.rows for cell in row.cells) if finding.table else ()
    columns = finding.table.columns if finding.table else ()
    return "\n".join((finding.text, finding.quoted, *columns, *cells))
