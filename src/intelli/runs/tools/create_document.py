"""create_document: create a text document at a free path of the library."""

from pydantic import Field

from intelli.content.artifacts import ReceivedBytes
from intelli.kit.db import Tx
from intelli.kit.wire import Request
from intelli.library import text_documents
from intelli.reasoning.verbs.change import Action
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.proposals import PreparedChange, prepare
from intelli.runs.tools.change import ChangeResult, ChangeTool
from intelli.runs.tools.tool import ToolContext


class CreateInput(Request):
    """Where, and what is to stand there."""

    path: str
    content: str = Field(max_length=text_documents.MOST_BYTES)


async def _propose(asked: CreateInput, context: ToolContext) -> PreparedChange:
    path = text_documents.normalise_path(asked.path)
    text_documents.check_name(path)
    await context.document_editor.check_free(context.who, path)
    return prepare(Action.CREATE, path, before=None, after=asked.content)


async def _write(
    tx: Tx, prepared: PreparedChange, placed: ReceivedBytes | None, *, editor: DocumentEditor
) -> ChangeResult:
    assert placed is not None, "what is created has content"
    found = await text_documents.create(tx, prepared.path, placed, storing=editor.storing)
    return ChangeResult(path=found.document.path, document_id=found.document.id, version=found.document.version)


CHANGE = ChangeTool(
    "create_document",
    "Create a text document in the library.",
    CreateInput,
    _propose,
    _write,
    label="Create a document",
)
