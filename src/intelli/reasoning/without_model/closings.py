"""What is written last, without a model: the answer is a sentence of each of the first chapters, nothing is judged."""

from intelli.reasoning.verbs.chapter import CitedSentence
from intelli.reasoning.verbs.conclude import Closing, ClosingInput, ClosingSection
from intelli.reasoning.verbs.outline import ChapterRole

_MOST_IN_ANSWER = 3
_LONGEST = 320


def closing_of(given: ClosingInput) -> Closing:
    """Return the first sentence of each chapter; what needs a judgement is open."""
    first: dict[str, CitedSentence] = {}
    for each in given.statements:
        if len(each.sentence.text) <= _LONGEST and each.sentence.text.endswith("."):
            first.setdefault(each.chapter, each.sentence)
    summary = next((each for each in given.outline.chapters if each.role is ChapterRole.SUMMARY), None)
    sections = (
        (ClosingSection(role=ChapterRole.SUMMARY, heading=summary.heading, sentences=tuple(first.values())),)
        if summary is not None and first
        else ()
    )
    judged = (ChapterRole.ASSESSMENT, ChapterRole.RECOMMENDATION, ChapterRole.NEXT_STEPS)
    open_questions = tuple(each.heading for each in given.outline.chapters if each.role in judged)
    return Closing(answer=tuple(first.values())[:_MOST_IN_ANSWER], sections=sections, open_questions=open_questions)
