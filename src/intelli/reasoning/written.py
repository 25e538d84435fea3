"""A section that a model wrote, held against its findings: a sentence that rests on none, or has a figure that they
do not have, is dropped; where that leaves a finding untold, the finding is told in its place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from intelli.reasoning.drafts import SectionDraft, SentenceDraft, Unfit
from intelli.reasoning.thoughts import Finding, Passage, Quote
from intelli.reasoning.writing import Section, Sentence, WriteAsked

_MOST_PARAGRAPHS = 6
_MOST_SENTENCES = 10
_LONGEST_SENTENCE = 800
_LONGEST_HEADING = 90
_HANDLES = re.compile(r"(?:(?<!\s)\s++)?+[\[(]\s*+s\d{1,4}(?:\s*+[,;]\s*+s\d{1,4})*+\s*+[\])]")
# The space before a mark is entered at its beginning alone: a run of empty lines is not read anew from each of them.
_MARKDOWN = re.compile(
    r"\*\*|__|`+|[\u2022\u2023\u25aa]\s*+|(?:\A\s*+|(?<!\s)([^\S\n]*+\n)\s*+|^)(?:#{1,6}|[-*+>])\s++", re.MULTILINE
)
_FIGURE = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f]\d+)*")
_SPACED = re.compile(r"(?<!\s)\s++([.,;:!?])")


def proven(draft: SectionDraft, asked: WriteAsked, sources: Mapping[str, Passage]) -> Section:
    """What of a draft stands in the findings."""
    by_handle = dict(zip(sources, asked.findings, strict=False))
    told: set[str] = set()
    paragraphs = []
    for each in draft.paragraphs[:_MOST_PARAGRAPHS]:
        said = [kept for one in each.sentences[:_MOST_SENTENCES] for kept in _kept(one, by_handle, told)]
        paragraphs += [tuple(said)] if said else []
    if not paragraphs:
        raise Unfit("no sentence rests on a finding with its figures; name findings by their handles")
    return Section(heading=_heading(draft.heading, asked), paragraphs=tuple(paragraphs))


def _kept(draft: SentenceDraft, by_handle: Mapping[str, Finding], told: set[str]) -> Iterator[Sentence]:
    """The sentence; where it has a figure of its own, the findings it names that nothing has told yet."""
    names = dict.fromkeys(name.strip("[] ") for name in draft.sources)
    findings = [by_handle[name] for name in names if name in by_handle]
    text = plain(draft.text)
    if not findings or not text or len(text) > _LONGEST_SENTENCE:
        return
    sentences = [_sentence(text, findings)] if _stands(text, findings) else [_sentence(f.text, [f]) for f in findings]
    for each in sentences:
        if each.text not in told:
            told.add(each.text)
            yield each


def plain(text: str) -> str:
    """A model's text as one line, without handles and Markdown."""
    bare = _MARKDOWN.sub(r"\1", _HANDLES.sub("", text))
    return _SPACED.sub(r"\1", " ".join(bare.split()))


def _sentence(text: str, findings: Sequence[Finding]) -> Sentence:
    return Sentence(text=text, quotes=tuple(Quote(text=each.quote, identifier=each.identifier) for each in findings))


def _stands(text: str, findings: Sequence[Finding]) -> bool:
    """Whether every figure of a sentence stands in the quotes that it rests on, written the same."""
    quoted = {figure for each in findings for figure in _FIGURE.findall(each.quote)}
    return all(figure in quoted for figure in _FIGURE.findall(text))


def _heading(text: str, asked: WriteAsked) -> str:
    """The model's heading; one that states a figure, asks, or is too long for one would rest on nothing."""
    line = plain(text).strip(" .:\"'\u201c\u201d")
    known = set(_FIGURE.findall(f"{asked.heading} {asked.question}"))
    is_fit = line and len(line) <= _LONGEST_HEADING and not line.endswith(("?", "!", "\uff1f", "\u061f"))
    return line if is_fit and known.issuperset(_FIGURE.findall(line)) else asked.heading
