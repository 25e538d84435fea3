"""Follow-up questions of an answered run: made from what it found, and only those which that answers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from intelli.citations.wire import Citation
from intelli.content.passage import Passage
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.errors import IntelliError
from intelli.language import grids, periods
from intelli.library import document_facts, list_documents
from intelli.reasoning import next_questions
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.amended_names import names_document
from intelli.reasoning.next_questions import AnsweredFrom
from intelli.reasoning.values import Turn
from intelli.runs.graph.sources import TaskSearchResult, collect_passages
from intelli.runs.tools.tool import ToolContext
from intelli.runs.try_question import QuestionTrial

_MOST, _MOST_TRIED = 3, 5
_MOST_DOCUMENTS = 12
# An answer is there by then: a person should not wait for what may be asked next.
_LONGEST_S = 3


async def find_next_questions(
    question: str,
    answer: str,
    searches: Sequence[TaskSearchResult],
    cited: Sequence[Citation],
    *,
    tools: ToolContext,
    db: Database,
    turns: tuple[Turn, ...],
) -> list[str]:
    """Return up to three questions that come next and have an answer; none for an answer without citations."""
    passages = [each for each in collect_passages(searches).values() if each.document_id]
    if not cited or not passages:
        return []
    given = await _answered_from(question, answer, passages, cited, db=db, who=tools.who)
    exchange = (*turns, Turn(role="user", text=question), Turn(role="assistant", text=answer))
    # Without an encoder and without further searches: trying takes a fraction of what the answer took.
    trial = QuestionTrial(tools, ExtractiveReasoner(), exchange, passages)
    kept: list[str] = []
    with suppress(TimeoutError, IntelliError):
        async with asyncio.timeout(_LONGEST_S):
            for each in next_questions.list_next(given)[:_MOST_TRIED]:
                if await trial.is_answered(each):
                    kept.append(each)
                if len(kept) == _MOST:
                    break
    return kept


async def _answered_from(
    question: str, answer: str, passages: Sequence[Passage], cited: Sequence[Citation], *, db: Database, who: System
) -> AnsweredFrom:
    used = {each.document_id for each in cited if each.document_id}
    near = [each for each in passages if each.document_id in used]
    told = "\n".join(each.quote for each in cited)
    return AnsweredFrom(
        question=question,
        text=f"{answer}\n{told}",
        years=list(dict.fromkeys(year for each in passages for year in periods.years_of(_placed(each)))),
        cited_years=periods.years_of("\n".join({each.title.replace("_", " ") for each in near})),
        headings=list(dict.fromkeys(each.section for each in near if each.section)),
        labels=list(dict.fromkeys(label for each in near for label in _labels(each.text))),
        amendments=await _amendments(db, who, passages, cited),
    )


def _placed(passage: Passage) -> str:
    return f"{passage.title.replace('_', ' ')}\n{passage.section or ''}\n{passage.header}\n{passage.text}"


def _labels(text: str) -> list[str]:
    """Return what the rows of a table begin with."""
    rows = [line for line in text.splitlines() if grids.is_row(line) and not grids.is_header(line)]
    firsts = (row.strip().strip("|").replace("\t", "|").partition("|")[0].strip() for row in rows)
    return [each for each in firsts if each and each[0].isalpha()]


async def _amendments(
    db: Database, who: System, passages: Sequence[Passage], cited: Sequence[Citation]
) -> Sequence[str]:
    """Return the names of documents at hand that amend one that is cited."""
    ids = list(dict.fromkeys(each.document_id for each in passages if each.document_id))[:_MOST_DOCUMENTS]
    async with db.begin(who) as tx:
        found = await list_documents.list_of(tx, ids)
    names = {each.document_id for each in cited}
    titles = {each.document.id: each.document.name for each in found if each.document.id in names}
    amending = []
    for each in found:
        amends = [one.value for one in document_facts.show(each.document, each.reading).amends]
        if any(
            names_document(one, title) for one in amends for key, title in titles.items() if key != each.document.id
        ):
            amending.append(each.document.name)
    return amending
