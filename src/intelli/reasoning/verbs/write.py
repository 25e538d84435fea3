"""Verb `write`: write a section of a report, each sentence with the quotes that support it.

A model's section is checked against its findings: a sentence without a finding, or with a figure that they lack and
that is not calculated of theirs, is dropped; a finding that is omitted because of that is written in its place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from intelli.language import negation
from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence, findings_as_sources
from intelli.reasoning.values import QuotedFinding, ReasoningModel, SourceQuote
from intelli.reasoning.verbs.verb import NONE, Sources, Verb, VerbInput

_MOST_PARAGRAPHS = 6
_MOST_SENTENCES = 10
_MOST_MISSING = 5
_LONGEST_SENTENCE = 800
# A calculation shows at least so many figures that it is made of.
_LEAST_OPERANDS = 2
_LONGEST_HEADING = 90
_HANDLES = re.compile(r"(?:(?<!\s)\s++)?+[\[(]\s*+s\d{1,4}(?:\s*+[,;]\s*+s\d{1,4})*+\s*+[\])]")
# The space before a mark is entered at its beginning alone: a run of empty lines is not read anew from each of them.
_MARKDOWN = re.compile(
    r"\*\*|__|`+|[\u2022\u2023\u25aa]\s*+|(?:\A\s*+|(?<!\s)([^\S\n]*+\n)\s*+|^)(?:#{1,6}|[-*+>])\s++", re.MULTILINE
)
_FIGURE = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f]\d+)*")
_SPACED = re.compile(r"(?<!\s)\s++([.,;:!?])")


class WrittenSentence(ReasoningModel):
    """A sentence, and the words of the sources that it rests on: at least some."""

    text: str
    quotes: tuple[SourceQuote, ...]


class WrittenSection(ReasoningModel):
    """A section in paragraphs of sentences; one without any is told by its findings as they stand."""

    heading: str
    paragraphs: tuple[tuple[WrittenSentence, ...], ...] = ()
    # Left out where there is nothing, as in the sections of earlier runs.
    missing: tuple[str, ...] = Field(
        (), exclude_if=lambda value: not value, description="What it should tell and no finding says."
    )


class WriteInput(VerbInput[WrittenSection]):
    """Write one section of a report from the findings of its task."""

    verb: Literal["write"] = "write"
    question: str
    title: str = Field("", description="Of the whole report.")
    heading: str = Field(description="Title of the task that the section tells of.")
    message: str = Field("", description="What the task was to find out.")
    findings: tuple[QuotedFinding, ...]
    others: tuple[str, ...] = Field((), description="Titles of the other sections, which tell the rest.")


class SentenceDraft(ReasoningModel):
    """A sentence by the handles of its findings."""

    text: str
    sources: list[str] = Field(description="Handles of findings, such as s1.")


class ParagraphDraft(ReasoningModel):
    """Sentences that belong together."""

    sentences: list[SentenceDraft]


class SectionDraft(ReasoningModel):
    """A section of a report in handles."""

    heading: str
    paragraphs: list[ParagraphDraft]
    missing: list[str]


def _slots(given: WriteInput, fence: Fence) -> Mapping[str, str]:
    return {
        "question": given.question,
        "title": fence.lines("", [given.title]) or NONE,
        "task": f"{given.heading}: {given.message}" if given.message else given.heading,
        "others": fence.lines("The other sections:", given.others),
    }


def check(draft: SectionDraft, given: WriteInput, sources: Sources) -> WrittenSection:
    """Return the sentences of a draft that the findings support."""
    by_handle = dict(zip(sources, given.findings, strict=False))
    told: set[str] = set()
    paragraphs = []
    for each in draft.paragraphs[:_MOST_PARAGRAPHS]:
        said = [kept for one in each.sentences[:_MOST_SENTENCES] for kept in _supported_sentences(one, by_handle, told)]
        paragraphs += [tuple(said)] if said else []
    if not paragraphs:
        raise UnusableReply("no sentence rests on a finding with its figures; name findings by their handles")
    return WrittenSection(
        heading=_heading(draft.heading, given), paragraphs=tuple(paragraphs), missing=_missing(draft.missing, given)
    )


def _missing(sentences: Sequence[str], given: WriteInput) -> tuple[str, ...]:
    """Return sentences that say what is not known: denials or questions, with no figure but those asked about."""
    asked = set(_FIGURE.findall(f"{given.heading} {given.message} {given.question}"))
    plain = dict.fromkeys(strip_markup(each) for each in sentences[:_MOST_MISSING])
    return tuple(
        each
        for each in plain
        if len(each) <= _LONGEST_SENTENCE
        and asked.issuperset(_FIGURE.findall(each))
        and (each.endswith("?") or negation.is_negated(each))
    )


def _supported_sentences(
    draft: SentenceDraft, by_handle: Mapping[str, QuotedFinding], told: set[str]
) -> Iterator[WrittenSentence]:
    """Yield the sentence; when it has a figure that its findings lack, yield its unused findings instead."""
    names = dict.fromkeys(name.strip("[] ") for name in draft.sources)
    findings = [by_handle[name] for name in names if name in by_handle]
    text = strip_markup(draft.text)
    if not findings or not text or len(text) > _LONGEST_SENTENCE:
        return
    sentences = (
        [_sentence(text, findings)]
        if _are_figures_quoted(text, findings)
        else [_sentence(f.text, [f]) for f in findings]
    )
    for each in sentences:
        if each.text not in told:
            told.add(each.text)
            yield each


def strip_markup(text: str) -> str:
    """Return a model's text on one line, without handles and Markdown."""
    bare = _MARKDOWN.sub(r"\1", _HANDLES.sub("", text))
    return _SPACED.sub(r"\1", " ".join(bare.split()))


def _sentence(text: str, findings: Sequence[QuotedFinding]) -> WrittenSentence:
    quotes = dict.fromkeys(quote for each in findings for quote in each.quotes)
    return WrittenSentence(text=text, quotes=tuple(quotes))


def _are_figures_quoted(text: str, findings: Sequence[QuotedFinding]) -> bool:
    """Return whether every figure of a sentence is in its quotes, written the same, or beside what it is made of.

    Whether a calculation comes out is checked when the section is composed, with the rules of all statements.
    """
    quoted = {figure for each in findings for figure in _FIGURE.findall(each.quoted)}
    figures = list(dict.fromkeys(_FIGURE.findall(text)))
    new = [figure for figure in figures if figure not in quoted]
    return not new or (len(new) == 1 and len(figures) - 1 >= _LEAST_OPERANDS)


def _heading(text: str, given: WriteInput) -> str:
    """Return the model's heading; the task's own when it states a new figure, is a question or is too long."""
    line = strip_markup(text).strip(" .:\"'\u201c\u201d")
    known = set(_FIGURE.findall(f"{given.heading} {given.question}"))
    is_fit = line and len(line) <= _LONGEST_HEADING and not line.endswith(("?", "!", "\uff1f", "\u061f"))
    return line if is_fit and known.issuperset(_FIGURE.findall(line)) else given.heading


def _without_sentences(given: WriteInput) -> WrittenSection:
    """Return a section without sentences: the findings are the sources' own words and are used as they are."""
    return WrittenSection(heading=given.heading)


VERB = Verb(
    input=WriteInput,
    output=WrittenSection,
    draft=SectionDraft,
    slots=_slots,
    sources=lambda given: findings_as_sources(given.findings),
    check=check,
    without_model=_without_sentences,
)
