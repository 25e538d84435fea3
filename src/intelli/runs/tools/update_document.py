"""update_document: write new content of a text document as its next version."""

from pydantic import Field

from intelli.content.artifacts import ReceivedBytes
from intelli.kit.db import Tx
from intelli.kit.wire import Request
from intelli.library import text_documents
from intelli.library.errors import DocumentNotFound
from intelli.reasoning.verbs.change import Action, Edit
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.errors import ToolFailed
from intelli.runs.proposals import PreparedChange, prepare
from intelli.runs.tools.change import ChangeResult, ChangeTool
from intelli.runs.tools.tool import ToolContext


class UpdateInput(Request):
    """Which document, and its whole content or what to replace in it."""

    path: str
    content: str | None = Field(None, max_length=text_documents.MOST_BYTES)
    edits: tuple[Edit, ...] = ()


async def _propose(asked: UpdateInput, context: ToolContext) -> PreparedChange:
    path = text_documents.normalise_path(asked.path)
    standing = await context.document_editor.find(context.who, path)
    if standing is None:
        raise DocumentNotFound(f"There is no document {path}.")
    before = await context.document_editor.load(context.who, standing)
    after = asked.content if asked.content is not None else apply_edits(before, asked.edits, standing.path)
    if after == before:
        raise ToolFailed(f"{standing.path} says so already.")
    if len(after.encode()) > text_documents.MOST_BYTES:
        raise ToolFailed(f"{standing.path} would become too large to be edited here.")
    return prepare(Action.UPDATE, standing.path, before=before, after=after, standing=standing)


def apply_edits(text: str, edits: tuple[Edit, ...], path: str) -> str:
    """Return the text with every occurrence of each edit's words replaced; raise ToolFailed when one does not occur."""
    for edit in edits:
        if edit.find not in text:
            raise ToolFailed(f"{path} does not say \u201c{edit.find[:200]}\u201d.")
        text = text.replace(edit.find, edit.replace)
    return text


async def _write(
    tx: Tx, prepared: PreparedChange, placed: ReceivedBytes | None, *, editor: DocumentEditor
) -> ChangeResult:
    assert placed is not None, "what is updated has content"
    assert prepared.standing is not None, "what is updated was there"
    found = await text_documents.update(tx, prepared.standing, placed, storing=editor.storing)
    return ChangeResult(path=found.document.path, document_id=found.document.id, version=found.document.version)


CHANGE = ChangeTool(
    "update_document",
    "Change a text document of the library.",
    UpdateInput,
    _propose,
    _write,
    label="Change a document",
)
