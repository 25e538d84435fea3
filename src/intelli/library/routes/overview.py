"""The library in numbers, and what changes in it as it happens."""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from intelli.kit.http import Db, LiveHub, Reader, event_stream, sse_frame
from intelli.library import overview, wire

router = APIRouter(prefix="/library", tags=["library"])


@router.get("/status")
async def show_library_status(who: Reader, db: Db) -> wire.LibraryStatus:
    """How many documents there are, and how far they are on their way to being findable."""
    async with db.begin(who) as tx:
        return await overview.status(tx)


@router.get("/stream", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def stream_library(who: Reader, db: Db, live: LiveHub) -> StreamingResponse:
    """Progress as it happens: server-sent events `document` (a DocumentProgress) and `status` (a LibraryStatus)."""

    async def frames() -> AsyncIterator[bytes]:
        number = 0
        async for change in overview.follow(db, live, who):
            number += 1
            match change:
                case None:
                    yield b": alive\n\n"
                case wire.LibraryStatus():
                    yield sse_frame(id=str(number), event="status", data=change.model_dump_json())
                case wire.DocumentProgress():
                    yield sse_frame(id=str(number), event="document", data=change.model_dump_json())

    return event_stream(frames())
