"""HTTP routes of runs."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Response

from intelli.entities import entities
from intelli.entities import wire as entity_wire
from intelli.kit.feeds import FeedKey
from intelli.kit.http import Cursor, Db, EventStream, Limit, OnceOnly, Reader, Streams, Writer, part
from intelli.kit.wire import Page
from intelli.runs import control, event_parts, show, wire
from intelli.runs.routes.dependencies import Rules
from intelli.runs.start import start
from intelli.runs.stream import RunFeeds

router = APIRouter(prefix="/runs", tags=["runs"])
Feeds = Annotated[RunFeeds, Depends(part(RunFeeds))]
_LARGEST = 1 << 63
After = Annotated[int | None, Query(ge=0, lt=_LARGEST, description="Only events after this `seq`.")]
LastEventId = Annotated[int | None, Header(ge=0, lt=_LARGEST, description="The last `id` that was seen.")]


@router.post("", status_code=202)
async def start_run(body: wire.StartRun, who: Writer, once: OnceOnly, db: Db, rules: Rules) -> wire.Run:
    """Ask a question. The answer comes over the run's stream."""

    async def begin() -> wire.Run:
        return show.to_wire(await start(tx, body, rules))

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Run, begin)


@router.get("")
async def list_runs(
    who: Reader, db: Db, status: wire.RunStatus | None = None, cursor: Cursor = None, limit: Limit = 50
) -> Page[wire.Run]:
    """The caller's runs, newest first."""
    async with db.begin(who) as tx:
        return await show.list_runs(tx, status=status, cursor=cursor, limit=limit)


@router.get("/{run_id}")
async def show_run(run_id: UUID, who: Reader, db: Db) -> wire.Run:
    """A run, and how far it is."""
    async with db.begin(who) as tx:
        return show.to_wire(await show.get(tx, run_id))


@router.delete("/{run_id}", status_code=204)
async def delete_run(run_id: UUID, who: Writer, db: Db) -> None:
    """Delete a run with all that it found and made. One that is at work is stopped.

    A run of a conversation is deleted with it: 409.
    """
    async with db.begin(who) as tx:
        await control.delete(tx, run_id)


@router.post("/{run_id}/cancel")
async def cancel_run(run_id: UUID, who: Writer, db: Db) -> wire.Run:
    """Stop a run at once. What it has found stays."""
    async with db.begin(who) as tx:
        return show.to_wire(await control.cancel(tx, run_id))


@router.post("/{run_id}/retry")
async def retry_run(run_id: UUID, who: Writer, db: Db) -> wire.Run:
    """Go on with a run that failed or was cancelled, from where it stopped."""
    async with db.begin(who) as tx:
        return show.to_wire(await control.retry(tx, run_id))


@router.post("/{run_id}/clarify")
async def clarify_run(run_id: UUID, body: wire.Clarify, who: Writer, db: Db) -> wire.Run:
    """Answer what a run asked back, and let it go on."""
    async with db.begin(who) as tx:
        return show.to_wire(await control.clarify(tx, run_id, body.answer))


@router.get("/{run_id}/plan")
async def show_plan(run_id: UUID, who: Reader, db: Db) -> event_parts.PlanSet:
    """The plan of a run, with what each task has found."""
    async with db.begin(who) as tx:
        return await show.get_plan(tx, run_id)


@router.get("/{run_id}/entities")
async def list_entities_of_run(
    run_id: UUID, who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50
) -> Page[entity_wire.Entity]:
    """What a run found and made."""
    async with db.begin(who) as tx:
        run = await show.get(tx, run_id)
        return await entities.list_entities(tx, run_id=run.id, cursor=cursor, limit=limit)


@router.get("/{run_id}/interactions")
async def list_interactions(
    run_id: UUID, who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50
) -> Page[wire.Interaction]:
    """The tool calls of a run, in order."""
    async with db.begin(who) as tx:
        return await show.list_interactions(tx, run_id, cursor=cursor, limit=limit)


@router.get("/{run_id}/events", responses={200: {"model": wire.EventPage}}, response_class=Response)
async def list_events(run_id: UUID, who: Reader, db: Db, after: After = None, limit: Limit = 200) -> Response:
    """The log of a run, oldest first. Ask again after the last `seq` until it is `last_seq`."""
    async with db.begin(who) as tx:
        body = await show.render_events(tx, run_id, after=after or 0, limit=limit)
    return Response(body, media_type="application/json")


@router.get("/{run_id}/stream", response_class=EventStream, responses={200: {"content": {"text/event-stream": {}}}})
async def stream_run(
    run_id: UUID, who: Reader, feeds: Feeds, limit: Streams, last_event_id: LastEventId = None, after: After = None
) -> EventStream:
    """What a run tells, from its beginning or after an event, until its end. The id of an event is its `seq`."""
    begin = max(last_event_id or 0, after or 0)
    return EventStream(await feeds.open(who, FeedKey(who.tenant_id, run_id), after=begin), limit)
