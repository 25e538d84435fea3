"""Verb `outline`: what a deliverable will tell, chapter by chapter, before any of it is written.

It follows the person's own words first: what they ask for by name is there, in their order. What was found decides the
rest. A model's outline that leaves out an ordered heading gets it back in its place.
"""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import Field

from intelli.language import words
from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText, Turn
from intelli.reasoning.verbs.verb import NONE, Sources, Verb, VerbInput

MOST_CHAPTERS = 12
_MOST_QUERIES = 3
_MOST_SOURCES = 16
_LONGEST_HEADING = 90
_LONGEST_TITLE = 120


class ChapterRole(StrEnum):
    """What a chapter is for. All but the plain ones are written last, over those that are finished."""

    CHAPTER = "chapter"
    SUMMARY = "summary"
    ASSESSMENT = "assessment"
    RECOMMENDATION = "recommendation"
    NEXT_STEPS = "next_steps"
    OPEN_QUESTIONS = "open_questions"


class ChapterForm(StrEnum):
    """How a chapter tells what it has to tell."""

    PROSE = "prose"
    LIST = "list"
    TABLE = "table"
    CHART = "chart"
    COMPARISON = "comparison"
    TIMELINE = "timeline"


class PlannedChapter(ReasoningModel):
    """A chapter: what it says, in which form, and what it is made from.

    `queries` are searched for it, and `sources` are passages found before that bear on it.
    """

    heading: str
    message: str = Field("", description="What the chapter is to tell, in a sentence.")
    role: ChapterRole = ChapterRole.CHAPTER
    form: ChapterForm = ChapterForm.PROSE
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Outline(ReasoningModel):
    """The plan of a deliverable, in the order in which it is read."""

    title: str
    audience: str = ""
    purpose: str = ""
    length: str = ""
    language: str = ""
    subject: str = Field("", description="What all chapters are about, as a search needs it beside their headings.")
    chapters: tuple[PlannedChapter, ...]

    @property
    def plain(self) -> tuple[PlannedChapter, ...]:
        """The chapters that are written from sources, in order."""
        return tuple(each for each in self.chapters if each.role is ChapterRole.CHAPTER)


class Order(ReasoningModel):
    """What a person orders by name: the subject, and headings in their order; empty where they name none."""

    subject: str = ""
    headings: tuple[str, ...] = ()


class OutlineInput(VerbInput[Outline]):
    """How is this deliverable to be built?"""

    verb: Literal["outline"] = "outline"
    question: str
    conversation: tuple[Turn, ...] = ()
    kind: str = Field(description="What is delivered: a report, slides, a website, a document.")
    order: Order = Order()
    tasks: tuple[str, ...] = Field((), description="What was researched so far.")
    today: date | None = None
    passages: tuple[SourceText, ...] = Field((), description="How the passages begin that were found.")


class PlannedChapterDraft(ReasoningModel):
    """A chapter with the handles of its sources."""

    heading: str
    message: str
    role: ChapterRole
    form: ChapterForm
    queries: list[str]
    sources: list[str]


class OutlineDraft(ReasoningModel):
    """An outline in handles."""

    title: str
    audience: str
    purpose: str
    length: str
    language: str
    chapters: list[PlannedChapterDraft]


def _slots(given: OutlineInput, fence: Fence) -> dict[str, str]:
    return {
        "question": given.question,
        "conversation": fence.conversation(given.conversation),
        "kind": given.kind,
        "ordered": "\n".join(f"- {each}" for each in given.order.headings) or NONE,
        "tasks": fence.lines("", [f"- {each}" for each in given.tasks]) or NONE,
        "today": str(given.today or "not known"),
        "most": str(MOST_CHAPTERS),
    }


def _check(draft: OutlineDraft, given: OutlineInput, sources: Sources) -> Outline:
    chapters = [_chapter(each, sources) for each in draft.chapters if each.heading.strip()]
    chapters = _with_ordered(chapters, given.order)[:MOST_CHAPTERS]
    if not any(each.role is ChapterRole.CHAPTER for each in chapters):
        raise UnusableReply("it has no chapter of the role `chapter`, which is what is written from the sources")
    return Outline(
        title=_line(draft.title)[:_LONGEST_TITLE] or given.question[:_LONGEST_TITLE],
        audience=_line(draft.audience),
        purpose=_line(draft.purpose),
        length=_line(draft.length),
        language=_line(draft.language),
        subject=given.order.subject,
        chapters=tuple(chapters),
    )


def _chapter(draft: PlannedChapterDraft, sources: Sources) -> PlannedChapter:
    named = dict.fromkeys(name.strip("[] ") for name in draft.sources)
    return PlannedChapter(
        heading=_line(draft.heading).rstrip(" .:")[:_LONGEST_HEADING],
        message=_line(draft.message),
        role=draft.role,
        form=draft.form,
        queries=tuple(query for each in draft.queries[:_MOST_QUERIES] if (query := _line(each))),
        sources=tuple(sources[name].identifier for name in named if name in sources)[:_MOST_SOURCES],
    )


def _with_ordered(chapters: Sequence[PlannedChapter], order: Order) -> list[PlannedChapter]:
    """Return the chapters with every ordered heading among them, those in the order in which they were asked for."""
    left, ordered = list(chapters), list[PlannedChapter]()
    for heading in order.headings:
        found = _best_match(heading, left)
        if found is None:
            queries = dict.fromkeys((heading, f"{heading} {order.subject}".strip()))
            ordered.append(PlannedChapter(heading=heading, queries=tuple(queries)))
        else:
            left.remove(found)
            ordered.append(found)
    if not ordered:
        return left
    first = next((at for at, each in enumerate(chapters) if any(each is other for other in ordered)), len(chapters))
    before = [each for each in chapters[:first] if any(each is other for other in left)]
    return [*before, *ordered, *(each for each in left if not any(each is other for other in before))]


def _best_match(heading: str, chapters: Sequence[PlannedChapter]) -> PlannedChapter | None:
    """Return the chapter whose heading, or else whose message, has most words of an ordered heading."""
    wanted = _terms(heading)
    for texts in ([each.heading for each in chapters], [each.message for each in chapters]):
        shared = [(len(wanted & _terms(text)), -at) for at, text in enumerate(texts)]
        count, place = max(shared, default=(0, 0))
        if count:
            return chapters[-place]
    return None


def _terms(text: str) -> set[str]:
    return set(words.terms_of(text, words.language_of(text)))


def _line(text: str) -> str:
    return " ".join(text.split())


VERB = Verb(
    input=OutlineInput,
    output=Outline,
    draft=OutlineDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
)
