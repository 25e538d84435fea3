"""HTTP routes of citations."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from intelli.citations import evidence, recheck, review, show, wire
from intelli.citations.settings import EvidenceSettings
from intelli.content.routes.transfer import BlobStore
from intelli.kit.http import Computing, Db, Reader, Writer, part

router = APIRouter(tags=["citations"])
Keeping = Annotated[EvidenceSettings, Depends(part(EvidenceSettings))]


@router.get("/messages/{message_id}/citations")
async def list_citations(message_id: UUID, who: Reader, db: Db, keeping: Keeping) -> wire.MessageCitations:
    """The citations of an answer, each with what its check came to, and the files they are of."""
    async with db.begin(who) as tx:
        return await evidence.get_citations(tx, message_id, keep_excerpts=keeping.keep_excerpts)


@router.get("/messages/{message_id}/figures")
async def list_figures(message_id: UUID, who: Reader, db: Db) -> wire.Figures:
    """Every figure of an answer, with the place it was read from or the calculation that gives it."""
    async with db.begin(who) as tx:
        return await evidence.get_figures(tx, message_id)


@router.get("/messages/{message_id}/statements")
async def list_statements(message_id: UUID, who: Reader, db: Db) -> wire.MessageStatements:
    """Every statement of an answer with its verdict, what carries it, and the calculations that were verified."""
    async with db.begin(who) as tx:
        return await evidence.get_statements(tx, message_id)


@router.get("/messages/{message_id}/evidence")
async def show_evidence(message_id: UUID, who: Reader, db: Db) -> wire.Evidence:
    """What was searched for an answer, what became of what was found, and what was not found."""
    async with db.begin(who) as tx:
        return await evidence.get_summary(tx, message_id)


@router.post("/citations/{citation_id}/recheck")
async def recheck_citation(  # one for each part that it needs
    citation_id: UUID, who: Writer, db: Db, blobs: BlobStore, keeping: Keeping, compute: Computing
) -> wire.Citation:
    """Check a citation once more against the stored text of its source."""
    async with db.begin(who) as tx:
        citation, found = await recheck.load_citation(tx, citation_id)
    outcome = await recheck.check_again(recheck.StoredSource(blobs, who.tenant_id, found), citation, compute)
    async with db.begin(who) as tx:
        row = await recheck.save_outcome(tx, citation_id, outcome)
        return show.to_wire(row, keep_excerpts=keeping.keep_excerpts)


@router.put("/citations/{citation_id}/review")
async def review_citation(
    citation_id: UUID, body: wire.ReviewCitation, who: Writer, db: Db, keeping: Keeping
) -> wire.Citation:
    """Accept or dispute a citation."""
    async with db.begin(who) as tx:
        row = await review.review(tx, citation_id, body)
        return show.to_wire(row, keep_excerpts=keeping.keep_excerpts)


@router.get("/documents/{document_id}/impact")
async def show_impact(document_id: UUID, who: Reader, db: Db, keeping: Keeping) -> wire.Impact:
    """Every answer that relies on a document, with the version it relied on and whether it is stale."""
    async with db.begin(who) as tx:
        return await evidence.get_impact(tx, document_id, keep_excerpts=keeping.keep_excerpts)
