"""read_answer: render an answer, this run's or the one before it, as a document with numbered sources."""

from uuid import UUID

from intelli.kit.wire import Request, Wire
from intelli.runs.tools.tool import Tool, ToolContext


class ReadAnswerInput(Request):
    """The text of the answer that a message holds, or the question before which one was given."""

    message_id: UUID | None = None
    text: str = ""
    question_id: UUID | None = None


class ReadAnswer(Wire):
    """The document; empty when there is no answer."""

    text: str


async def _read(asked: ReadAnswerInput, context: ToolContext) -> ReadAnswer:
    if asked.message_id is not None:
        return ReadAnswer(text=await context.document_editor.render_answer(context.who, asked.message_id, asked.text))
    if asked.question_id is not None:
        return ReadAnswer(text=await context.document_editor.render_answer_before(context.who, asked.question_id) or "")
    return ReadAnswer(text="")


TOOL = Tool("read_answer", "Read an answer with its sources.", ReadAnswerInput, ReadAnswer, _read)
