"""delete_document: delete a document of the library with all its versions."""

from intelli.content.artifacts import ReceivedBytes
from intelli.kit.db import Tx
from intelli.kit.wire import Request
from intelli.library import text_documents
from intelli.library.errors import DocumentNotFound, NotText
from intelli.library.text_documents import CurrentDocument
from intelli.reasoning.verbs.change import Action
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.proposals import PreparedChange, prepare
from intelli.runs.tools.change import ChangeResult, ChangeTool
from intelli.runs.tools.tool import ToolContext


class DeleteInput(Request):
    """Which document."""

    path: str


async def _propose(asked: DeleteInput, context: ToolContext) -> PreparedChange:
    path = text_documents.normalise_path(asked.path)
    standing = await context.document_editor.find(context.who, path)
    if standing is None:
        raise DocumentNotFound(f"There is no document {path}.")
    before = await _text(standing, context)
    return prepare(Action.DELETE, standing.path, before=before, after=None, standing=standing)


async def _text(standing: CurrentDocument, context: ToolContext) -> str | None:
    """Return the text that would be deleted; None when the document is not text."""
    try:
        return await context.document_editor.load(context.who, standing)
    except NotText:
        return None


async def _write(
    tx: Tx, prepared: PreparedChange, placed: ReceivedBytes | None, *, editor: DocumentEditor
) -> ChangeResult:
    assert prepared.standing is not None, "what is deleted was there"
    await text_documents.delete(tx, prepared.standing, evidence=editor.evidence)
    return ChangeResult(path=prepared.path, document_id=prepared.standing.document_id, version=None)


CHANGE = ChangeTool(
    "delete_document", "Delete a document of the library.", DeleteInput, _propose, _write, label="Delete a document"
)
