"""What a run says in its conversation: what it asks back, and its answer, whole or broken off.

The ids are made from the run's, so that whoever says it again after a crash says the same.
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
    """The id of the message that a run answers with."""
    return uuid5(run_id, "answer")


def question_id(run_id: UUID, number: int) -> UUID:
    """The id of what a run asks back."""
    return uuid5(run_id, f"question:{number}")


def reply_id(run_id: UUID, number: int) -> UUID:
    """The id of the person's reply to it."""
    return uuid5(run_id, f"clarification:{number}")


async def answer(tx: Tx, run: Run, content: str, account: AnswerDetails) -> Message:
    """Say the answer."""
    return await _save(tx, run, Message(id=answer_id(run.id), role=Speaker.AGENT, content=content), account)


async def ask_back(tx: Tx, run: Run, question: str) -> Message:
    """Ask the person."""
    message_id = question_id(run.id, len(run.clarifications) + 1)
    account = AnswerDetails(needs_clarification_message=question)
    return await _save(tx, run, Message(id=message_id, role=Speaker.AGENT, content=question), account)


async def reply(tx: Tx, run: Run, content: str) -> Message:
    """Keep what the person replied to the question that is open."""
    number = len(run.clarifications)
    message_id = reply_id(run.id, number)
    if run.conversation_id is None:
        return Message(id=message_id, role=Speaker.USER, content=content, run_id=run.id)
    await messages.settle(tx, question_id(run.id, number))
    draft = MessageDraft(message_id, run.conversation_id, question_id(run.id, number), content, run.id)
    return await messages.say(tx, draft)


async def break_off(tx: Tx, run: Run, why: str) -> str | None:
    """Keep what the run has said up to now, and why there is no more. A question that is open is dropped.

    What was said is proven once this transaction commits; until then it counts as said without evidence.
    """
    if run.conversation_id is not None and run.clarifications:
        await messages.settle(tx, question_id(run.id, len(run.clarifications)))
    said = await log.said(tx, run.id, answer_id(run.id))
    if said:
        await answer(tx, run, said, account_of(run, problems=[*run.problems, why]))
        cited_message = save.CitedMessage(answer_id(run.id), run.id, run.conversation_id, entities={})
        await save.keep_nothing(tx, cited_message, user_id=run.user_id)
        await salvage(tx, run.id)
    return said or None


def account_of(run: Run, *, problems: list[str]) -> AnswerDetails:
    """What a run has used up to now, and what it had to do without."""
    cost = run.cost_llm_input + run.cost_llm_output + run.cost_embeddings + run.cost_web_search
    return AnswerDetails(
        input_tokens=run.input_tokens, output_tokens=run.output_tokens, cost_cents=cost, problems=problems
    )


async def _save(tx: Tx, run: Run, message: Message, account: AnswerDetails) -> Message:
    """Keep a message of the agent below the last thing that the person said to it."""
    if run.conversation_id is None:
        values = {name: getattr(account, name) for name in AnswerDetails.__dataclass_fields__}
        return message.model_copy(update={**values, "run_id": run.id, "run_status": run.status})
    answered = sum(1 for entry in run.clarifications if entry["answer"] is not None)
    parent_id = reply_id(run.id, answered) if answered else run.message_id
    draft = MessageDraft(message.id, run.conversation_id, parent_id, message.content, run.id, run.deliverable_type)
    kept = await messages.answer(tx, draft, account)
    return kept.model_copy(update={"run_status": run.status})
