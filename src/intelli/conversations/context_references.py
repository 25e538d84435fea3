"""Context references: documents and folders that a question is restricted to. They must exist when it is asked."""

from collections.abc import Sequence

from intelli.conversations.wire import ContextReference, ReferenceType
from intelli.kit.db import Tx
from intelli.library import documents, folders
from intelli.library.errors import FolderNotFound

_EVERYTHING = "All files"


async def resolve(tx: Tx, references: Sequence[ContextReference]) -> list[ContextReference]:
    """Return the references with a display label each. Raises when a document or folder does not exist."""
    return [await _resolve(tx, each) for each in references]


async def _resolve(tx: Tx, reference: ContextReference) -> ContextReference:
    match reference.reference_type:
        case ReferenceType.FILE:
            assert reference.document_id is not None, "a file is named by its id"
            label = (await documents.get(tx, reference.document_id)).document.name
        case ReferenceType.FOLDER:
            label = await _folder_label(tx, reference.folder_path or "/")
        case ReferenceType.ALL_FILESYSTEM:
            label = _EVERYTHING
    return reference.model_copy(update={"display_label": reference.display_label or label})


async def _folder_label(tx: Tx, path: str) -> str:
    """Return the label of a folder. Raises FolderNotFound."""
    if path.strip("/") and not await folders.is_folder(tx, "/" + path.strip("/")):
        raise FolderNotFound(f"There is no folder {path}. It may have been renamed; choose it again.")
    return path.rstrip("/").rpartition("/")[2] or _EVERYTHING
