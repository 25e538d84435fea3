"""The short answer beside a deliverable: its gist in a few cited sentences, and where the whole is."""

from decimal import Decimal
from typing import Literal

from intelli.conversations.wire import Message, Speaker
from intelli.deliverables.labels import labels
from intelli.deliverables.sentences import title
from intelli.language import words
from intelli.language.markdown import plain
from intelli.language.quotes import skeleton
from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.usage import EXTRACTIVE, Usage
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs.answers.delta_writer import DeltaWriter
from intelli.runs.context import RunContext
from intelli.runs.events import AiMessage, MessageIsAnswer, PhaseCompleted
from intelli.runs.graph.chapter_brief import load_closing, load_rejected
from intelli.runs.graph.sources import load_outline
from intelli.runs.graph.state import State
from intelli.runs.ledger import RecordedStep
from intelli.runs.recorder import now_ms
from intelli.runs.steps import ANSWER

_CONFIDENCE = 0.8


class ShortAnswerInput(ReasonerInput):
    """The text of the answer."""

    verb: Literal["short_answer"] = "short_answer"
    text: str


async def write(context: RunContext) -> State:
    """Record the answer and emit it."""
    facts = context.facts
    answer = await _load(context)
    asked = ShortAnswerInput(text=answer.text)
    if await context.ledger.begin(ANSWER, asked, ceiling=Decimal(0), model=EXTRACTIVE) is None:
        writer = context.reasoner.name if facts.writes else EXTRACTIVE
        await context.ledger.record(ANSWER, RecordedStep(answer.model_dump(mode="json")), Usage(model=writer))
    context.recorder.emit(MessageIsAnswer(is_answer=True), "message_is_answer")
    deltas = DeltaWriter(context.recorder, facts.answer_id, await context.recorder.load_text(facts.answer_id))
    deltas.feed(answer.text)
    deltas.end(answer.text)
    message = Message(
        id=facts.answer_id,
        role=Speaker.AGENT,
        content=answer.text,
        run_id=facts.run_id,
        conversation_id=facts.conversation_id,
    )
    context.recorder.emit(AiMessage(message=message), "ai_message")
    context.recorder.emit(PhaseCompleted(phase="writing", timestamp=now_ms()), "phase:writing:completed")
    await context.recorder.settle()
    return State(is_answered=answer.is_answered)


async def _load(context: RunContext) -> Answer:
    """Return the answer that the closing gives, with the sentence that points to the deliverable."""
    outline, closing = await load_outline(context.ledger), await load_closing(context.ledger)
    rejected = await load_rejected(context.ledger)
    told = [each for each in closing.answer if skeleton(each.text) not in rejected]
    said = [
        " ".join([plain(each.text), *(citation_tag(name) for name in dict.fromkeys(c.identifier for c in each.cites))])
        for each in told
    ]
    language = words.language_of(" ".join(each.text for each in told) or context.facts.question)
    named = title(outline.title, context.facts.question)
    pointer = labels(language).delivered.format(plain(named))
    text = "\n\n".join(filter(None, (" ".join(said), pointer)))
    return Answer(text=text, is_answered=bool(said), confidence=_CONFIDENCE if said else 0)
