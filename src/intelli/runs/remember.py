"""Remember conversations: pass what a person stated on to their own memory.

Questions and orders state nothing, and our own answers are no source: what they say stands in the documents. Where
memory is left aside, nothing is remembered.
"""

from intelli.conversations import messages
from intelli.identity import accounts
from intelli.kit.db import Tx
from intelli.memory import enqueue, groups, jobs, recall
from intelli.memory.settings import MemorySettings
from intelli.memory.wire import MAX_CONTENT, NewMessage, RoleType
from intelli.reasoning import evidence_rules
from intelli.runs.store import runs as store
from intelli.runs.tables import Run


async def enqueue_stated(tx: Tx, run: Run, settings: MemorySettings) -> None:
    """Enqueue what the person stated in a message and its clarifications; a message sent again is left out."""
    if run.conversation_id is None or run.message_id is None or not settings.conversations:
        return
    if not run.context.get("memory"):
        return
    if await store.was_answered(tx, run):
        return
    name = await accounts.get_name(tx, run.user_id)
    where = f"{recall.CONVERSATION}{run.conversation_id}"
    said = await _user_messages(tx, run, name)
    told = [each.model_copy(update={"source_description": where}) for each in said if each.content]
    if not told:
        return
    await enqueue.add_messages(
        tx, groups.personal_id(run.user_id), told, job=jobs.REMEMBER, in_one_queue=settings.in_one_queue
    )


async def _user_messages(tx: Tx, run: Run, name: str) -> list[NewMessage]:
    assert run.message_id is not None, "it is asked only of a run in a conversation"
    question = await messages.get(tx, run.message_id)
    at = question.created_at
    replies = [entry["answer"] for entry in run.clarifications if entry["answer"] is not None]
    stated = (evidence_rules.find_statements(text[:MAX_CONTENT]) for text in (question.content, *replies))
    return [NewMessage(content=text, role_type=RoleType.USER, role=name, timestamp=at) for text in stated]
