"""create_document: a new text in the library, where nothing is yet."""

from pydantic import Field

from intelli.content.artifacts import Received
from intelli.kit.db import Tx
from intelli.kit.wire import Request
from intelli.library import texts
from intelli.reasoning.verbs.change import Action
from intelli.runs.editing import Editor
from intelli.runs.proposals import Prepared, prepare
from intelli.runs.tools.change import Change, Changed
from intelli.runs.tools.tool import Bench


class CreateAsked(Request):
    """Where, and what is to stand there."""

    path: str
    content: str = Field(max_length=texts.MOST_BYTES)


async def _propose(asked: CreateAsked, bench: Bench) -> Prepared:
    path = texts.whole_path(asked.path)
    texts.insist_on_name(path)
    await bench.edits.insist_on_free(bench.who, path)
    return prepare(Action.CREATE, path, before=None, after=asked.content)


async def _write(tx: Tx, prepared: Prepared, placed: Received | None, *, editor: Editor) -> Changed:
    assert placed is not None, "what is created has content"
    found = await texts.create(tx, prepared.path, placed, storing=editor.storing)
    return Changed(path=found.document.path, document_id=found.document.id, version=found.document.version)


CHANGE = Change(
    "create_document",
    "Create a text document in the library.",
    CreateAsked,
    _propose,
    _write,
    label="Create a document",
)
