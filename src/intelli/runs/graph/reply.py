"""The node that replies to a message that needs no research: nothing is searched for and nothing cited."""

from langgraph.runtime import Runtime

from intelli.conversations.wire import Message, Speaker
from intelli.runs.answers.delta_writer import DeltaWriter
from intelli.runs.context import RunContext
from intelli.runs.events import AiMessage, MessageIsAnswer
from intelli.runs.graph.state import State
from intelli.runs.understood_message import load_understanding


async def reply(state: State, runtime: Runtime[RunContext]) -> State:
    """Emit the reply that came with the understanding of the message."""
    context, facts = runtime.context, runtime.context.facts
    text = (await load_understanding(context.ledger, facts.clarified)).reply or ""
    context.recorder.emit(MessageIsAnswer(is_answer=True), "message_is_answer")
    writer = DeltaWriter(context.recorder, facts.answer_id, await context.recorder.load_text(facts.answer_id))
    writer.feed(text)
    writer.end(text)
    message = Message(
        id=facts.answer_id, role=Speaker.AGENT, content=text, run_id=facts.run_id, conversation_id=facts.conversation_id
    )
    context.recorder.emit(AiMessage(message=message), "ai_message")
    await context.recorder.settle()
    return State()
