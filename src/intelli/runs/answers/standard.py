"""The plain answer: streamed while it is written, sentences from the sources with their citations."""

from intelli.conversations.wire import Message, Speaker
from intelli.reasoning.verbs.answer import Answer, AnswerInput, Delta
from intelli.runs import read_on
from intelli.runs.answers.answer_kind import AnswerKind, AnswerMaterial, WrittenAnswer
from intelli.runs.answers.delta_writer import DeltaWriter
from intelli.runs.events import AiMessage, MessageIsAnswer
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.steps import ANSWER


async def _write(writing: AnswerMaterial) -> WrittenAnswer:
    """Stream the answer, continuing what an earlier attempt emitted."""
    context, facts = writing.context, writing.context.facts
    context.recorder.emit(MessageIsAnswer(is_answer=True), "message_is_answer")
    reasoner = context.recorded_reasoner()
    asked = AnswerInput(
        question=facts.question,
        today=facts.asked_on if facts.reads_directly else None,
        brief=writing.brief,
        tasks=writing.tasks,
        passages=writing.passages,
        conversation=facts.turns,
        problems=writing.problems,
        may_read_on=writing.is_direct and facts.reads_on and any(each.document_id for each in writing.found.values()),
    )
    if await read_on.load_request(context.ledger):
        # It asked before the run was interrupted, or when it was recorded.
        asked = await read_on.read_on(context, asked, writing.found)
    writer = DeltaWriter(context.recorder, facts.answer_id, await context.recorder.load_text(facts.answer_id))
    answer = await _stream(reasoner, asked, writing, writer)
    if answer.wanted:
        asked = await read_on.read_on(context, asked, writing.found)
        answer = await _stream(reasoner, asked, writing, writer)
    writer.end(answer.text)
    message = Message(
        id=facts.answer_id,
        role=Speaker.AGENT,
        content=answer.text,
        run_id=facts.run_id,
        conversation_id=facts.conversation_id,
    )
    context.recorder.emit(AiMessage(message=message), "ai_message")
    await context.recorder.settle()
    return WrittenAnswer(answer, tuple(reasoner.problems))


async def _stream(
    reasoner: RecordedReasoner, asked: AnswerInput, writing: AnswerMaterial, writer: DeltaWriter
) -> Answer:
    """Emit the answer as it arrives and return the whole; one that asks to read on has no text."""
    known = frozenset(writing.found) | {each.identifier for each in asked.passages}
    answer: Answer | None = None
    async for part in reasoner.answer(ANSWER, asked, known=known):
        if isinstance(part, Delta):
            writer.feed(part.text)
        else:
            answer = part
    assert answer is not None, "a reasoner's answer ends with the whole of it"
    return answer


KIND = AnswerKind(writes=frozenset({"STANDARD"}), write=_write)
