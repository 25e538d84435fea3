"""Find questions to begin with: made from what documents tell, and kept only where they have an answer."""

from uuid import UUID

from intelli.identity import installation
from intelli.kit.context import System
from intelli.kit.work import Work
from intelli.library import suggested_questions
from intelli.reasoning import next_questions
from intelli.runs.ports import LibraryAccess, RunReasoners, SearchScope
from intelli.runs.tools.tool import ToolContext
from intelli.runs.try_question import QuestionTrial

# Of each document so many are tried and kept: each takes about what an answer takes.
_MOST_TRIED, _MOST_KEPT = 3, 2


async def suggest(work: Work) -> None:
    """Try questions for the documents of a workspace, until there are enough."""
    if not isinstance(work.who, System):
        await _wake_all(work)
        return
    while not work.is_stopping():
        async with work.begin() as tx:
            untried = await suggested_questions.list_untried(tx)
            reasoners = await work.part(RunReasoners).find(tx)
        if not untried:
            return
        document_id, sha256 = untried[0]
        tools = ToolContext(work.who, work.part(LibraryAccess), SearchScope())
        kept = await _find(document_id, QuestionTrial(tools, reasoners.fallback))
        async with work.begin() as tx:
            await suggested_questions.save(tx, document_id, sha256, kept)


async def _wake_all(work: Work) -> None:
    """Wake the job of every workspace that has documents to try."""
    async with work.begin() as tx:
        workspace_ids = await installation.list_workspace_ids(tx)
    for workspace_id in workspace_ids:
        async with work.begin(workspace_id) as tx:
            if await suggested_questions.list_untried(tx):
                await suggested_questions.wake(tx)


async def _find(document_id: UUID, trial: QuestionTrial) -> list[str]:
    """Return questions that a document was made to answer, and that the whole library answers."""
    library, who = trial.tools.library, trial.tools.who
    scope = SearchScope(document_ids=(document_id,))
    sources = await library.read_sources(who, [document_id], scope=scope)
    if not sources:
        return []
    tables = [each.table for each in await library.read_tables(who, [document_id], scope=scope)]
    kept: list[str] = []
    for question in next_questions.list_first(sources[0].values, tables)[:_MOST_TRIED]:
        if await trial.is_answered(question):
            kept.append(question)
        if len(kept) == _MOST_KEPT:
            break
    return kept
