"""Messages that a run adds to its conversation: clarification questions and its answer, complete or broken off.

Their ids are derived from the run's, so that saving them again after a crash writes the same rows.
"""

from uuid import UUID, uuid5

from intelli.citations import save
from intelli.conversations import messages
from intelli.conversations.messages import AnswerDetails, MessageDraft
from intelli.conversations.wire import Message, Speaker
from intelli.kit.db import Tx
from intelli.runs.store import log
from intelli.runs.tables import Run
from intelli.runs.wake import salvage


def answer_id(run_id: UUID) -> UUID:
    """Return the id of a run's answer message."""
    return uuid5(run_id, "answer")


def question_id(run_id: UUID, number: int) -> UUID:
    """Return the id of a run's clarification question; numbers count from 1."""
    return uuid5(run_id, f"question:{number}")


def reply_id(run_id: UUID, number: int) -> UUID:
    """Return the id of the person's reply to a clarification question."""
    return uuid5(run_id, f"clarification:{number}")


async def save_answer(tx: Tx, run: Run, content: str, account: AnswerDetails) -> Message:
    """Save the answer."""
    return await _save(tx, run, Message(id=answer_id(run.id), role=Speaker.AGENT, content=content), account)


async def save_question(tx: Tx, run: Run, question: str) -> Message:
    """Save a clarification question."""
    message_id = question_id(run.id, len(run.clarifications) + 1)
    account = AnswerDetails(needs_clarification_message=question)
    return await _save(tx, run, Message(id=message_id, role=Speaker.AGENT, content=question), account)


async def save_reply(tx: Tx, run: Run, content: str) -> Message:
    """Save the person's reply to the open clarification question."""
    number = len(run.clarifications)
    message_id = reply_id(run.id, number)
    if run.conversation_id is None:
        return Message(id=message_id, role=Speaker.USER, content=content, run_id=run.id)
    await messages.clear_clarification(tx, question_id(run.id, number))
    draft = MessageDraft(message_id, run.conversation_id, question_id(run.id, number), content, run.id)
    return await messages.save_question(tx, draft)


async def save_broken_off(tx: Tx, run: Run, why: str) -> str | None:
    """Save the text emitted so far as the answer, with the reason why it breaks off; drop an open question.

    Its citations are checked by a job once this transaction commits; until then it has no evidence. Returns None when
    no text was emitted.
    """
    if run.conversation_id is not None and run.clarifications:
        await messages.clear_clarification(tx, question_id(run.id, len(run.clarifications)))
    said = await log.load_text(tx, run.id, answer_id(run.id))
    if said:
        await save_answer(tx, run, said, build_details(run, problems=[*run.problems, why]))
        cited_message = save.CitedMessage(answer_id(run.id), run.id, run.conversation_id, entities={})
        await save.save_empty_evidence(tx, cited_message, user_id=run.user_id)
        await salvage(tx, run.id)
    return said or None


def build_details(run: Run, *, problems: list[str]) -> AnswerDetails:
    """Return what a run has cost so far, and its problems."""
    cost = run.cost_llm_input + run.cost_llm_output + run.cost_embeddings + run.cost_web_search
    return AnswerDetails(
        input_tokens=run.input_tokens, output_tokens=run.output_tokens, cost_cents=cost, problems=problems
    )


async def _save(tx: Tx, run: Run, message: Message, account: AnswerDetails) -> Message:
    """Save a message of the agent below the person's latest message to it; without a conversation only build it."""
    if run.conversation_id is None:
        values = {name: getattr(account, name) for name in AnswerDetails.__dataclass_fields__}
        return message.model_copy(
            update={**values, "run_id": run.id, "run_status": run.status, "reasoner": run.reasoner}
        )
    answered = sum(1 for entry in run.clarifications if entry["answer"] is not None)
    parent_id = reply_id(run.id, answered) if answered else run.message_id
    draft = MessageDraft(message.id, run.conversation_id, parent_id, message.content, run.id, run.deliverable_type)
    kept = await messages.save_answer(tx, draft, account)
    return kept.model_copy(update={"run_status": run.status, "reasoner": run.reasoner})
