"""Remember conversations: pass questions and answers on to the person's own memory."""

from datetime import datetime

from intelli.conversations import messages
from intelli.conversations.plain_text import strip_citations
from intelli.conversations.wire import Message
from intelli.identity import accounts
from intelli.kit.db import Tx
from intelli.memory import enqueue, groups, jobs
from intelli.memory.settings import MemorySettings
from intelli.memory.wire import MAX_CONTENT, NewMessage, RoleType
from intelli.runs.store import runs as store
from intelli.runs.tables import Run


async def enqueue_exchange(tx: Tx, run: Run, answer: Message, settings: MemorySettings) -> None:
    """Enqueue the question, its clarifications and the answer for memory; a question asked again is left out."""
    if run.conversation_id is None or run.message_id is None or not settings.conversations:
        return
    name = await accounts.get_name(tx, run.user_id)
    said = [] if await store.was_answered(tx, run) else await _user_messages(tx, run, name)
    where = f"conversation {run.conversation_id}"
    answered = _message(answer.content, role_type=RoleType.ASSISTANT, at=answer.created_at)
    told = [each.model_copy(update={"source_description": where}) for each in (*said, answered) if each.content]
    await enqueue.add_messages(
        tx, groups.personal_id(run.user_id), told, job=jobs.REMEMBER, in_one_queue=settings.in_one_queue
    )


async def _user_messages(tx: Tx, run: Run, name: str) -> list[NewMessage]:
    assert run.message_id is not None, "it is asked only of a run in a conversation"
    question = await messages.get(tx, run.message_id)
    at = question.created_at
    replies = [entry["answer"] for entry in run.clarifications if entry["answer"] is not None]
    return [_message(text, role_type=RoleType.USER, at=at, role=name) for text in (question.content, *replies)]


def _message(content: str, *, role_type: RoleType, at: datetime, role: str | None = None) -> NewMessage:
    return NewMessage(content=strip_citations(content)[:MAX_CONTENT], role_type=role_type, role=role, timestamp=at)
