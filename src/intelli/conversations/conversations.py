"""Conversations: create, get, change, list and delete."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.conversations import search, wire
from intelli.conversations.errors import ConversationNotFound, NotYourConversation
from intelli.conversations.store import conversations as store
from intelli.conversations.store.conversations import ConversationQuery, FoundConversation
from intelli.conversations.tables import Conversation
from intelli.identity import members
from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page
from intelli.library import documents, folders, text_documents
from intelli.library.errors import DocumentNotFound, FolderNotFound
from intelli.library.optimistic_lock import BaseVersion


@dataclass(frozen=True, slots=True)
class ConversationFilter:
    """Filter of a list of conversations; None means any."""

    archived: bool = False
    pinned: bool | None = None
    shared: bool = False
    query: str | None = None


async def begin(tx: Tx, request: wire.NewConversation) -> Conversation:
    """Create a conversation of the caller. Raises DocumentNotFound or FolderNotFound for what it is to be about."""
    about = await _find_beginning(tx, request)
    conversation = Conversation(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        user_id=tx.person_id,
        title=request.title,
        initialization_context=request.initialization_context,
        initialization_path=about.path,
        initialization_document_id=about.document_id,
        uses_memory=request.uses_memory,
    )
    store.add(tx, conversation)
    await store.flush(tx)
    return await get(tx, conversation.id)


@dataclass(frozen=True, slots=True)
class BeginningPlace:
    """Where a conversation was begun: a folder's path, or a document's path and id."""

    path: str | None = None
    document_id: UUID | None = None


async def _find_beginning(tx: Tx, request: wire.NewConversation) -> BeginningPlace:
    path = f"/{(request.initialization_path or '').strip('/')}"
    match request.initialization_context:
        case wire.Beginning.NEW_CHAT:
            return BeginningPlace()
        case wire.Beginning.FOLDER:
            if path != "/" and not await folders.is_folder(tx, path):
                raise FolderNotFound(f"There is no folder {path}. It may have been renamed; choose it again.")
            return BeginningPlace(path)
        case wire.Beginning.FILE:
            if request.initialization_document_id is not None:
                document = (await documents.get(tx, request.initialization_document_id)).document
                return BeginningPlace(document.path, document.id)
            found = await text_documents.find(tx, path)
            if found is None:
                raise DocumentNotFound(f"There is no document {path}. It may have been renamed; choose it again.")
            return BeginningPlace(found.path, found.document_id)


def get_focus(conversation: Conversation) -> list[wire.ContextReference]:
    """Return what a conversation is about, as the focus of a question that names none."""
    if conversation.initialization_document_id is not None:
        about = {"reference_type": wire.ReferenceType.FILE, "document_id": conversation.initialization_document_id}
    elif conversation.initialization_context == wire.Beginning.FOLDER and conversation.initialization_path:
        about = {"reference_type": wire.ReferenceType.FOLDER, "folder_path": conversation.initialization_path}
    else:
        return []
    return [wire.ContextReference.model_validate(about)]


async def get(tx: Tx, conversation_id: UUID) -> Conversation:
    """Return a conversation that the caller may read. Raises ConversationNotFound."""
    conversation = await store.find(tx, conversation_id)
    if conversation is None:
        raise not_found()
    return conversation


async def lock(tx: Tx, conversation_id: UUID) -> Conversation:
    """Return one of the caller's own conversations with its row locked. Raises NotYourConversation for a shared one."""
    conversation = await store.lock(tx, conversation_id)
    if conversation is None:
        await get(tx, conversation_id)
        raise NotYourConversation("This conversation is shared for reading. Begin one of your own to ask.")
    return conversation


async def change(
    tx: Tx, conversation_id: UUID, request: wire.ChangeConversation, *, basis: BaseVersion
) -> Conversation:
    """Rename, pin, archive or share a conversation. Sharing is written to the audit log."""
    conversation = await lock(tx, conversation_id)
    basis.check(conversation.version, what="conversation")
    asked = request.model_dump(exclude_unset=True, exclude={"expected_version"})
    values = {field: value for field, value in asked.items() if value not in {None, getattr(conversation, field)}}
    if not values:
        return conversation
    await store.change(tx, conversation_id, **values, version=conversation.version + 1)
    if "is_shared" in values:
        shared = bool(values["is_shared"])
        await record(tx, EventType.SETTINGS_CHANGE, conversation_id=conversation_id, setting="is_shared", value=shared)
    return await get(tx, conversation_id)


async def set_title(tx: Tx, conversation_id: UUID, title: str, *, in_place_of: Collection[str | None] = ()) -> bool:
    """Set a generated title; return whether the title changed.

    A title is replaced only when there is none or when it is in `in_place_of`.
    """
    conversation = await store.lock(tx, conversation_id)
    if conversation is None or title in {"", conversation.title}:
        return False
    if conversation.title is not None and conversation.title not in in_place_of:
        return False
    await store.change(tx, conversation_id, title=title, version=conversation.version + 1)
    return True


async def delete(tx: Tx, conversation_id: UUID, *, basis: BaseVersion) -> None:
    """Delete a conversation with its messages and everything found in it."""
    conversation = await lock(tx, conversation_id)
    basis.check(conversation.version, what="conversation")
    await store.remove(tx, conversation_id)
    await record(tx, EventType.ERASE, entity=("conversation", conversation_id), conversation_id=conversation_id)


async def list_conversations(
    tx: Tx, wanted: ConversationFilter, *, cursor: str | None, limit: int
) -> Page[wire.ListedConversation]:
    """Return a page of conversations, the one with the latest activity first."""
    words = search.split_words(wanted.query) if wanted.query else []
    if wanted.query and not words:
        return Page(items=[])
    which = ConversationQuery(
        user_id=None if wanted.shared else tx.person_id,
        not_user_id=tx.person_id if wanted.shared else None,
        is_archived=None if wanted.shared else wanted.archived,
        is_pinned=wanted.pinned,
        tsquery=search.build_tsquery(words) if words else None,
        literally=wanted.query if wanted.query and search.is_unspaced(wanted.query) else None,
    )
    rows = await store.list_by_activity(tx, which, after=_decode_cursor(cursor), limit=limit + 1)
    extra = await _load_extra_fields(tx, [row.conversation for row in rows])
    return pagination.moment_page(
        rows,
        limit,
        item=lambda found: _to_listed(found, words, extra[found.conversation.id]),
        moment=lambda found: (found.conversation.last_activity_at, str(found.conversation.id)),
    )


async def to_wire(tx: Tx, conversation: Conversation) -> wire.Conversation:
    """Convert a conversation into the wire model."""
    extra = await _load_extra_fields(tx, [conversation])
    return wire.Conversation.model_validate(conversation).model_copy(update=extra[conversation.id])


def not_found() -> ConversationNotFound:
    """Return the error for a conversation that does not exist for the caller."""
    return ConversationNotFound("There is no such conversation. List your conversations to find it.")


async def _load_extra_fields(tx: Tx, rows: Sequence[Conversation]) -> dict[UUID, dict[str, object]]:
    """Return fields that are not in the rows, by id: the owner's name, and whether an entity is in progress."""
    names = await members.load_names(tx, {row.user_id for row in rows})
    busy = await store.filter_in_progress(tx, [row.id for row in rows])
    return {
        row.id: {
            "user_name": names.get(row.user_id),
            "has_async_entities_in_progress": row.id in busy,
            "session_duration_seconds": max(0, int((row.last_activity_at - row.created_at).total_seconds())),
        }
        for row in rows
    }


def _to_listed(found: FoundConversation, words: list[str], extra: Mapping[str, object]) -> wire.ListedConversation:
    """Convert a found conversation into the wire model of a list, with an excerpt when words were searched."""
    conversation = found.conversation
    excerpt = (
        search.make_excerpt(found.content, words) if found.content is not None else conversation.last_message_preview
    )
    listed = wire.ListedConversation.model_validate(conversation)
    return listed.model_copy(update={**extra, "excerpt": excerpt if words else ""})


def _decode_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Decode a cursor into the last activity and id. Raises InvalidCursor."""
    place = pagination.decode_moment(cursor)
    if place is None:
        return None
    try:
        return place[0], UUID(place[1])
    except ValueError as error:
        raise pagination.InvalidCursor("This cursor is of another list. Leave it out to begin anew.") from error
