"""delete_document: a document of the library, with all its versions."""

from intelli.content.artifacts import Received
from intelli.kit.db import Tx
from intelli.kit.wire import Request
from intelli.library import texts
from intelli.library.errors import DocumentNotFound, NotText
from intelli.library.texts import Standing
from intelli.reasoning.verbs.change import Action
from intelli.runs.editing import Editor
from intelli.runs.proposals import Prepared, prepare
from intelli.runs.tools.change import Change, Changed
from intelli.runs.tools.tool import Bench


class DeleteAsked(Request):
    """Which document."""

    path: str


async def _propose(asked: DeleteAsked, bench: Bench) -> Prepared:
    path = texts.whole_path(asked.path)
    standing = await bench.edits.find(bench.who, path)
    if standing is None:
        raise DocumentNotFound(f"There is no document {path}.")
    before = await _text(standing, bench)
    return prepare(Action.DELETE, standing.path, before=before, after=None, standing=standing)


async def _text(standing: Standing, bench: Bench) -> str | None:
    """What would be gone, where it can be shown."""
    try:
        return await bench.edits.load(bench.who, standing)
    except NotText:
        return None


async def _write(tx: Tx, prepared: Prepared, placed: Received | None, *, editor: Editor) -> Changed:
    assert prepared.standing is not None, "what is deleted was there"
    await texts.delete(tx, prepared.standing)
    return Changed(path=prepared.path, document_id=prepared.standing.document_id, version=None)


CHANGE = Change(
    "delete_document", "Delete a document of the library.", DeleteAsked, _propose, _write, label="Delete a document"
)
