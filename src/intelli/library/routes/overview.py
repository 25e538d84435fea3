"""Routes of the library's statistics and of its event stream."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from intelli.kit.feeds import FeedKey
from intelli.kit.http import Db, EventStream, Reader, Streams, part
from intelli.library import overview, status_wire, suggested_questions
from intelli.library.overview import LibraryFeeds
from intelli.library.ports import IndexPort

router = APIRouter(prefix="/library", tags=["library"])


@router.get("/status")
async def show_library_status(
    who: Reader, db: Db, index: Annotated[IndexPort, Depends(part(IndexPort))]
) -> status_wire.LibraryStatus:
    """How many documents there are, and how far they are on their way to being findable."""
    async with db.begin(who) as tx:
        return await overview.status(tx, index)


@router.get("/questions")
async def list_suggested_questions(
    who: Reader, db: Db, limit: Annotated[int, Query(ge=1, le=20)] = 4
) -> status_wire.SuggestedQuestions:
    """Questions to begin with, made from the documents; each was tried and has an answer."""
    async with db.begin(who) as tx:
        return await suggested_questions.show(tx, limit=limit)


@router.get("/stream", response_class=EventStream, responses={200: {"content": {"text/event-stream": {}}}})
async def stream_library(
    who: Reader, feeds: Annotated[LibraryFeeds, Depends(part(LibraryFeeds))], limit: Streams
) -> EventStream:
    """Progress as it happens: server-sent events `document` (a DocumentProgress) and `status` (a LibraryStatus)."""
    return EventStream(await feeds.open(who, FeedKey(who.tenant_id, who.tenant_id)), limit)
