"""Context references: what the person put in focus. What is named has to be there when the question is asked."""

from collections.abc import Sequence

from intelli.conversations.wire import ContextReference, ReferenceType
from intelli.kit.db import Tx
from intelli.library import documents, folders
from intelli.library.errors import FolderNotFound

_EVERYTHING = "All files"


async def named(tx: Tx, references: Sequence[ContextReference]) -> list[ContextReference]:
    """The references with a label each; one whose document or folder is gone is refused."""
    return [await _named(tx, each) for each in references]


async def _named(tx: Tx, reference: ContextReference) -> ContextReference:
    match reference.reference_type:
        case ReferenceType.FILE:
            assert reference.document_id is not None, "a file is named by its id"
            label = (await documents.get(tx, reference.document_id)).document.name
        case ReferenceType.FOLDER:
            label = await _folder(tx, reference.folder_path or "/")
        case ReferenceType.ALL_FILESYSTEM:
            label = _EVERYTHING
    return reference.model_copy(update={"display_label": reference.display_label or label})


async def _folder(tx: Tx, path: str) -> str:
    if path.strip("/") and not await folders.is_folder(tx, "/" + path.strip("/")):
        raise FolderNotFound(f"There is no folder {path}. It may have been renamed; choose it again.")
    return path.rstrip("/").rpartition("/")[2] or _EVERYTHING
