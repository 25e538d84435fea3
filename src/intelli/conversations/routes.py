"""HTTP routes of conversations. Those that start or end a run (a question, a deletion) are in the room of runs."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations.routes import Keeping
from intelli.content import file_names
from intelli.conversations import conversations, feedback, messages, wire
from intelli.conversations.export import FORMS, load, write
from intelli.entities.wire import Entity
from intelli.kit.etag import etag
from intelli.kit.http import Computing, Cursor, Db, IfMatch, Limit, OnceOnly, Reader, Writer
from intelli.kit.wire import Page
from intelli.library.optimistic_lock import BaseVersion

router = APIRouter(prefix="/conversations", tags=["conversations"])
of_messages = APIRouter(prefix="/messages", tags=["messages"])
ROUTERS = (router, of_messages)
Words = Annotated[
    str | None, Query(max_length=300, description="Words of the title or of a message; each may be cut short.")
]

EndOf = Annotated[UUID | None, Query(description="The end of the branch to write; the newest message if not given.")]


@router.post("", status_code=201)
async def begin_conversation(
    body: wire.NewConversation, who: Writer, once: OnceOnly, db: Db, response: Response
) -> wire.Conversation:
    """Begin a conversation."""

    async def begin() -> wire.Conversation:
        return await conversations.to_wire(tx, await conversations.begin(tx, body))

    async with db.begin(who) as tx:
        conversation = await once.answer(tx, wire.Conversation, begin)
    response.headers["ETag"] = etag(conversation.version)
    return conversation


@router.get("")
async def list_conversations(
    who: Reader,
    db: Db,
    archived: Annotated[bool, Query(description="Those in the archive, in place of the others.")] = False,
    pinned: Annotated[bool | None, Query(description="Only those that are pinned, or only the others.")] = None,
    shared: Annotated[bool, Query(description="Those that others share, in place of the caller's own.")] = False,
    q: Words = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[wire.ListedConversation]:
    """The caller's conversations, the one where something happened last first."""
    wanted = conversations.ConversationFilter(archived, pinned, shared, (q or "").strip() or None)
    async with db.begin(who) as tx:
        return await conversations.list_conversations(tx, wanted, cursor=cursor, limit=limit)


@router.get("/{conversation_id}")
async def show_conversation(conversation_id: UUID, who: Reader, db: Db, response: Response) -> wire.Conversation:
    """A conversation."""
    async with db.begin(who) as tx:
        conversation = await conversations.to_wire(tx, await conversations.get(tx, conversation_id))
    response.headers["ETag"] = etag(conversation.version)
    return conversation


@router.patch("/{conversation_id}")
async def change_conversation(
    conversation_id: UUID,
    body: wire.ChangeConversation,
    who: Writer,
    db: Db,
    response: Response,
    if_match: IfMatch = None,
) -> wire.Conversation:
    """Rename, pin, archive or share. When it is not at the version of If-Match, 409 tells which it is at."""
    based_on = BaseVersion(if_match, body.expected_version)
    async with db.begin(who) as tx:
        changed = await conversations.change(tx, conversation_id, body, basis=based_on)
        conversation = await conversations.to_wire(tx, changed)
    response.headers["ETag"] = etag(conversation.version)
    return conversation


@router.get(
    "/{conversation_id}/export",
    response_class=Response,
    responses={200: {"content": {form.media_type: {} for form in FORMS}}},
)
async def export_conversation(
    conversation_id: UUID,
    who: Reader,
    db: Db,
    keeping: Keeping,
    compute: Computing,
    format: wire.WrittenAs = wire.WrittenAs.MARKDOWN,
    message_id: EndOf = None,
) -> Response:
    """A conversation as a file, with its sources numbered. JSON holds every branch. The export is recorded."""
    async with db.begin(who) as tx:
        keep = keeping.keep_excerpts
        export = await load.load_export(tx, conversation_id, message_id=message_id, keep_excerpts=keep)
        await record(tx, EventType.EXPORT, conversation_id=conversation_id, what="conversation", format=format)
    file = await compute.run(write.write, export, format)
    headers = {"Content-Disposition": file_names.disposition("attachment", file.name), "Cache-Control": "no-store"}
    return Response(file.content, media_type=f"{file.media_type}; charset=utf-8", headers=headers)


@of_messages.get("/{message_id}/entities", tags=["entities"])
async def list_entities_of_message(
    message_id: UUID, who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50
) -> Page[Entity]:
    """What was found and made for a message."""
    async with db.begin(who) as tx:
        return await messages.list_entities(tx, message_id, cursor=cursor, limit=limit)


@of_messages.put("/{message_id}/feedback")
async def give_feedback(message_id: UUID, body: wire.GiveFeedback, who: Writer, db: Db) -> wire.Feedback:
    """Say what you think of a message, in place of what you said before."""
    async with db.begin(who) as tx:
        return await feedback.save(tx, message_id, body)


@of_messages.delete("/{message_id}/feedback", status_code=204)
async def take_back_feedback(message_id: UUID, who: Writer, db: Db) -> None:
    """Have no opinion on a message."""
    async with db.begin(who) as tx:
        await feedback.delete(tx, message_id)
