"""Verb `conclude`: what is written last, over the finished chapters: summary, assessment, recommendation, next steps.

It also gives the short answer that the conversation gets. Every sentence names the statements it rests on; what follows
from them and none of them says is marked as judgement.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText
from intelli.reasoning.verbs.chapter import CitedSentence
from intelli.reasoning.verbs.outline import ChapterRole, Outline
from intelli.reasoning.verbs.verb import NONE, Sources, Verb, VerbInput
from intelli.reasoning.verbs.write import strip_markup

_MOST_IN_ANSWER = 3
_MOST_SENTENCES = 12
_MOST_OPEN = 10
_LONGEST_SENTENCE = 600
_MOST_CITES = 6
_FIGURE = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f]\d+)*")


class ChapterStatement(ReasoningModel):
    """A statement of a finished chapter."""

    chapter: str
    sentence: CitedSentence


class ClosingSection(ReasoningModel):
    """A section that was written last."""

    role: ChapterRole
    heading: str
    sentences: tuple[CitedSentence, ...]


class Closing(ReasoningModel):
    """What is written last; `answer` is what the conversation gets."""

    answer: tuple[CitedSentence, ...]
    sections: tuple[ClosingSection, ...] = ()
    open_questions: tuple[str, ...] = ()


class ClosingInput(VerbInput[Closing]):
    """What do the finished chapters come to?"""

    verb: Literal["conclude"] = "conclude"
    question: str
    outline: Outline
    statements: tuple[ChapterStatement, ...]
    missing: tuple[str, ...] = ()
    today: date | None = None


class ClosingSentenceDraft(ReasoningModel):
    """A sentence by the handles of the statements it rests on."""

    text: str
    sources: list[str]
    is_judgement: bool


class ClosingSectionDraft(ReasoningModel):
    """A section in handles."""

    role: ChapterRole
    sentences: list[ClosingSentenceDraft]


class ClosingDraft(ReasoningModel):
    """What is written last, in handles."""

    answer: list[ClosingSentenceDraft]
    sections: list[ClosingSectionDraft]
    open_questions: list[str]


def _statements(given: ClosingInput) -> list[SourceText]:
    return [
        SourceText(identifier=str(number), title=each.chapter, text=each.sentence.text)
        for number, each in enumerate(given.statements)
    ]


def _slots(given: ClosingInput, fence: Fence) -> dict[str, str]:
    outline = given.outline
    last = [each for each in outline.chapters if each.role is not ChapterRole.CHAPTER]
    about = [f"Title: {outline.title}", f"For: {outline.audience}", f"Purpose: {outline.purpose}"]
    return {
        "question": given.question,
        "outline": fence.lines("", [each for each in about if not each.endswith(": ")]),
        "sections": "\n".join(f"- {each.role.value}" for each in last) or NONE,
        "missing": fence.lines("", [f"- {each}" for each in given.missing]) or NONE,
        "today": str(given.today or "not known"),
    }


def _check(draft: ClosingDraft, given: ClosingInput, sources: Sources) -> Closing:
    known = {handle: given.statements[int(source.identifier)].sentence for handle, source in sources.items()}
    answer = _sentences(draft.answer, known)[:_MOST_IN_ANSWER]
    if known and not answer:
        raise UnusableReply("no sentence of the answer rests on a statement; name statements by their handles")
    headings = {each.role: each.heading for each in given.outline.chapters if each.role is not ChapterRole.CHAPTER}
    by_role = {each.role: _sentences(each.sentences, known) for each in draft.sections}
    sections = tuple(
        ClosingSection(role=role, heading=heading, sentences=by_role[role])
        for role, heading in headings.items()
        if by_role.get(role)
    )
    plain = dict.fromkeys(strip_markup(each) for each in draft.open_questions[:_MOST_OPEN])
    return Closing(
        answer=tuple(each for each in answer if not each.is_judgement) or answer,
        sections=sections,
        open_questions=tuple(each for each in plain if each and len(each) <= _LONGEST_SENTENCE),
    )


def _sentences(drafts: Sequence[ClosingSentenceDraft], known: dict[str, CitedSentence]) -> tuple[CitedSentence, ...]:
    """Return the sentences that rest on statements which have their figures, each with the sources of those."""
    kept: dict[str, CitedSentence] = {}
    for each in drafts[:_MOST_SENTENCES]:
        names = dict.fromkeys(name.strip("[] ") for name in each.sources)
        rests_on = [known[name] for name in names if name in known]
        text = strip_markup(each.text)
        told = {figure for one in rests_on for figure in _FIGURE.findall(one.text)}
        is_told = each.is_judgement or told.issuperset(_FIGURE.findall(text))
        if not text or len(text) > _LONGEST_SENTENCE or not rests_on or not is_told:
            continue
        cites = dict.fromkeys(quote for one in rests_on for quote in one.cites)
        kept[text] = CitedSentence(text=text, cites=tuple(cites)[:_MOST_CITES], is_judgement=each.is_judgement)
    return tuple(kept.values())


def collect_open(given: ClosingInput, closing: Closing) -> tuple[str, ...]:
    """Return what is open: what the chapters missed, then what the closing adds, each once."""
    return tuple(dict.fromkeys((*given.missing, *closing.open_questions)))


VERB = Verb(
    input=ClosingInput,
    output=Closing,
    draft=ClosingDraft,
    slots=_slots,
    sources=_statements,
    check=_check,
)
