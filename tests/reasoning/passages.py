"""Passages and the steps of a run, for tests of reasoners."""

from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.verbs.understand import PlannedTask, UnderstandInput

ACME = SourceText(
    identifier="acme-report",
    title="Acme annual report",
    text="Acme was founded in 1990 by Jane Doe. Acme's revenue in 2020 was $3.4 billion. The weather was nice.",
    page=3,
)
NEWS = SourceText(
    identifier="news",
    title="News",
    text="In 2020 the revenue of Acme was $3.9 billion. Globex Corp bought a bakery in Berlin.",
)


def passage(text: str, identifier: str = "one", title: str = "Notes") -> SourceText:
    return SourceText(identifier=identifier, title=title, text=text)


def task(query: str) -> PlannedTask:
    return PlannedTask(title=query, message=query, queries=(query,))


async def note(reasoner: Reasoner, query: str, *passages: SourceText) -> Notes:
    notes, _ = await reasoner.do(NoteInput(question=query, task=task(query), passages=passages))
    return notes


async def brief_of(reasoner: Reasoner, question: str, *passages: SourceText) -> Brief:
    """Plan, note and brief, as a run does."""
    understood, _ = await reasoner.do(UnderstandInput(question=question))
    tasks = understood.plan.tasks if understood.plan else ()
    notes = [(await reasoner.do(NoteInput(question=question, task=each, passages=passages)))[0] for each in tasks]
    brief, _ = await reasoner.do(BriefInput(question=question, notes=tuple(notes), passages=passages))
    return brief


async def answered(reasoner: Reasoner, asked: AnswerInput) -> tuple[list[str], AnswerEnd]:
    """The deltas and the end of an answer."""
    parts = [part async for part in reasoner.answer(asked)]
    assert isinstance(parts[-1], AnswerEnd)
    return [part.text for part in parts[:-1] if not isinstance(part, AnswerEnd)], parts[-1]


async def answer(reasoner: Reasoner, question: str, *passages: SourceText, problems: tuple[str, ...] = ()) -> Answer:
    """From question to answer."""
    brief = await brief_of(reasoner, question, *passages)
    deltas, end = await answered(
        reasoner, AnswerInput(question=question, brief=brief, passages=passages, problems=problems)
    )
    assert "".join(deltas) == end.answer.text
    return end.answer
