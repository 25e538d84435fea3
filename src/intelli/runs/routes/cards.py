"""HTTP route of the cards of documents: what research reads of them."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from intelli.kit.context import System
from intelli.kit.http import Db, Reader, part
from intelli.runs import document_card, wire
from intelli.runs.ports import LibraryAccess

router = APIRouter(prefix="/documents", tags=["documents"])


@router.get("/{document_id}/card")
async def show_document_card(
    document_id: UUID, who: Reader, db: Db, library: Annotated[LibraryAccess, Depends(part(LibraryAccess))]
) -> wire.DocumentCard:
    """What a document is: its kind, date, period and parties, its chapters and its key figures."""
    return await document_card.build_card(library, db, System(who.tenant_id, who.user_id), document_id)
