"""A plain answer: told while it is written, whole sentences from the sources with their citations."""

from intelli.conversations.wire import Message, Speaker
from intelli.reasoning import thoughts
from intelli.runs.answers.kind import Kind, Writing, Written
from intelli.runs.events import AiMessage, MessageDelta, MessageIsAnswer
from intelli.runs.steps import ANSWER


async def _write(writing: Writing) -> Written:
    """Tell the answer from where the stream left off, should this be a second try."""
    desk, facts = writing.desk, writing.desk.facts
    desk.notebook.say(MessageIsAnswer(is_answer=True), "message_is_answer")
    thinking = desk.think()
    asked = thoughts.AnswerAsked(
        question=facts.question,
        brief=writing.brief,
        passages=writing.passages,
        conversation=facts.turns,
        problems=writing.problems,
    )
    teller = Teller(writing, await desk.notebook.said(facts.answer_id))
    answer: thoughts.Answer | None = None
    async for part in thinking.answer(ANSWER, asked, known=writing.known):
        if isinstance(part, thoughts.Delta):
            teller.feed(part.text)
        else:
            answer = part
    assert answer is not None, "a reasoner's answer ends with the whole of it"
    teller.end(answer.text)
    message = Message(
        id=facts.answer_id,
        role=Speaker.AGENT,
        content=answer.text,
        run_id=facts.run_id,
        conversation_id=facts.conversation_id,
        confidence_score=answer.confidence,
    )
    desk.notebook.say(AiMessage(message=message), "ai_message")
    await desk.notebook.settle()
    return Written(answer, tuple(thinking.problems))


class Teller:
    """Tells a text in deltas, leaving out what was told before. Where the two part, it takes back what differs."""

    def __init__(self, writing: Writing, told: str) -> None:
        self._notebook = writing.desk.notebook
        self._message_id = writing.desk.facts.answer_id
        self._told = told
        self._length = 0

    def feed(self, text: str) -> None:
        """The next piece of the text."""
        before = self._told[self._length : self._length + len(text)]
        common = _common_prefix(before, text)
        start, self._length = self._length, self._length + len(text)
        if common == len(text):
            return
        self._say(text[common:], offset=start + common)
        self._told = self._told[: start + common]

    def end(self, text: str) -> None:
        """The text is complete: take back what an earlier try told beyond it."""
        if len(self._told) > len(text):
            self._say("", offset=len(text))

    def _say(self, delta: str, *, offset: int) -> None:
        event = MessageDelta(delta=delta, message_id=self._message_id, offset=offset)
        self._notebook.say(event, f"delta:{self._message_id}:{offset}")


def _common_prefix(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


KIND = Kind(writes=frozenset({"STANDARD"}), write=_write)
