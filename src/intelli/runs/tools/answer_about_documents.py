"""answer_about_documents: tell which documents speak of something, what a folder holds, or what a document says."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from pydantic import Field

from intelli.content.passage import Passage
from intelli.kit.wire import Request, Wire
from intelli.reasoning import evidence_rules
from intelli.reasoning.document_answers import question as document_question
from intelli.reasoning.document_answers.answer import answer_about
from intelli.reasoning.document_answers.question import DocumentQuestion, QuestionForm
from intelli.reasoning.document_answers.source_document import AnswerLine, CitedRange
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.runs.ports import ReadSource
from intelli.runs.tools.search_documents import FoundPassage
from intelli.runs.tools.tool import Tool, ToolContext

# Passages that are looked for by the topic of a question, beside those that were found for its words.
_PER_SEARCH = 50
# The lines of an answer are told in their order.
_SURE = 0.9


class AskDocuments(Request):
    """A question, and the documents that were found for it."""

    question: str
    document_ids: list[UUID] = Field([], max_length=60)


class DocumentsTold(Wire):
    """What is told about documents, a finding for each line, with the passages that they cite."""

    findings: list[QuotedFinding]
    passages: list[FoundPassage]


async def _ask(asked: AskDocuments, context: ToolContext) -> DocumentsTold:
    question = document_question.read(asked.question)
    if question is None:
        return DocumentsTold(findings=[], passages=[])
    ids = list(asked.document_ids)
    if question.form is QuestionForm.MENTION:
        ids = [*await _search(question, context), *ids]
    elif question.form is QuestionForm.FOLDER:
        ids = []
    is_focus = bool(context.scope.document_ids) and not context.scope.folders
    if is_focus:
        ids = [each for each in ids if each in context.scope.document_ids]
    read = await context.library.read_sources(context.who, list(dict.fromkeys(ids)), scope=context.scope)
    if question.form is not QuestionForm.FOLDER:
        read = [each for each in read if _may_tell(each, asked.question, context)]
    return await asyncio.to_thread(_tell, asked.question, question, read, is_focus=is_focus)


def _may_tell(read: ReadSource, question: str, context: ToolContext) -> bool:
    """Return whether a document may be told of: what our agent wrote only where the question is about it."""
    document = read.document
    if document.origin == evidence_rules.SOURCE or document.document_id is None:
        return True
    focus = context.scope.document_ids
    return evidence_rules.is_in_focus(document.path, document.document_id, focus=focus, question=question)


async def _search(question: DocumentQuestion, context: ToolContext) -> list[UUID]:
    found = await context.library.search(context.who, question.topic, limit=_PER_SEARCH, scope=context.scope)
    return [each.document_id for each in found if each.document_id is not None]


def _tell(asked: str, question: DocumentQuestion, read: Sequence[ReadSource], *, is_focus: bool) -> DocumentsTold:
    told = answer_about(asked, question, [each.values for each in read], is_focus=is_focus)
    if told is None:
        return DocumentsTold(findings=[], passages=[])
    cited = [[_passage(each, read) for each in line.cited] for line in told.lines]
    findings = [_finding(line, passages, told.lead) for line, passages in zip(told.lines, cited, strict=True)]
    known = {passage.identifier: passage for passages in cited for passage in passages}
    return DocumentsTold(findings=findings, passages=[FoundPassage.of(each) for each in known.values()])


def _passage(cited: CitedRange, read: Sequence[ReadSource]) -> Passage:
    return read[cited.document].passage(cited.start, cited.end)


def _finding(line: AnswerLine, passages: Sequence[Passage], lead: str) -> QuotedFinding:
    first, *others = passages
    return QuotedFinding(
        text=line.text,
        identifier=first.identifier,
        quote=first.text,
        relevance=_SURE,
        further=tuple(SourceQuote(text=each.text, identifier=each.identifier) for each in others),
        lead=lead,
        goes_on=line.goes_on,
    )


TOOL = Tool(
    "answer_about_documents",
    "Tell which documents speak of something, what a folder holds, or what a document says.",
    AskDocuments,
    DocumentsTold,
    _ask,
    label="Read documents",
)
