"""Chapters without a model: what the sources say under their own headings, as tables and in their own sentences.

What tables answer stands first. Sections whose heading names the chapter follow, then those that the search found best.
Nothing is put into words here: a section that has neither a whole sentence nor a table is left out, and a chapter
without any is missing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intelli.language import grids, periods, words
from intelli.language.grids import Grid
from intelli.language.markdown import without_emphasis
from intelli.reasoning.extractive import data_tables, phrases, pick, question
from intelli.reasoning.extractive.token_match import place_of
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import QuotedTable, SourceQuote, SourceText
from intelli.reasoning.verbs.chapter import (
    ChapterBlock,
    ChapterBlockKind,
    ChapterInput,
    CitedCell,
    CitedSentence,
    WrittenChapter,
)
from intelli.reasoning.verbs.note import NoteInput
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.reasoning.without_model import notes
from intelli.reasoning.without_model.notes import MatchedTokens

_MOST_SECTIONS, _MOST_UNNAMED, _LEAST_SECTIONS = 5, 2, 3
_MOST_SENTENCES, _MOST_TABLES = 4, 2
# A section whose heading does not name the chapter has to have a statement that is so likely meant.
_LEAST_CHANCE, _CLOSE = 0.2, 0.05
_LEAST_WORDS = 5
# Beside the best statement of a section, those that are so much less likely are about something else.
_LEAST_BESIDE = 0.2
_PARTS = " \u203a "
_BULLET = re.compile(r"^(?:[-*\u2022\u2023\u25aa\u2013>]\s++)++")
_LONGEST_CAPTION = 80
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,2}(\S[^*_\n]{0,200}?)[*_]{1,2}(?!\w)")


@dataclass(slots=True)
class _Section:
    """The passages of one section of a document, with their statements and how likely these are meant."""

    first: SourceText
    rank: int
    passages: list[SourceText] = field(default_factory=list)
    statements: list[tuple[Candidate, float]] = field(default_factory=list)
    share: float = 0.0

    @property
    def chance(self) -> float:
        """How likely its best statement is meant."""
        return max((chance for _, chance in self.statements), default=0.0)


def note_input(given: ChapterInput) -> NoteInput:
    """Return what statements are to be matched with: the chapter's queries."""
    chapter = given.chapter
    queries = chapter.queries or (chapter.heading,)
    task = PlannedTask(title=chapter.heading, message=queries[0], queries=queries)
    return NoteInput(question=queries[0], task=task, passages=given.passages)


def chapter_of(given: ChapterInput, matched: MatchedTokens | None = None) -> WrittenChapter:
    """Return what the sources say on a chapter, section by section."""
    sections = _sections(given, matched)
    chosen = _choose(sections)
    blocks = (*_told_by_tables(given), *(block for section in chosen for block in _blocks(section, given)))
    missing = () if blocks else (given.chapter.heading,)
    return WrittenChapter(
        heading=given.chapter.heading, blocks=blocks or tuple(_nearest(sections, given)), missing=missing
    )


def _told_by_tables(given: ChapterInput) -> Iterator[ChapterBlock]:
    """Yield what tables answer: a sentence with its calculation, or the rows it rests on under what they come to."""
    told = given.from_tables
    if told is None:
        return
    if told.table is None:
        stated = CitedSentence(text=told.text, cites=told.quotes)
        yield ChapterBlock(kind=ChapterBlockKind.PARAGRAPH, sentences=(stated,))
        return
    rows = tuple(
        tuple(
            CitedCell(text=cell, cites=_whole(row.identifier) if at == len(row.cells) - 1 else ())
            for at, cell in enumerate(row.cells)
        )
        for row in told.table.rows
    )
    title = told.text.rstrip(".")
    yield ChapterBlock(kind=ChapterBlockKind.TABLE, title=title, columns=told.table.columns, rows=rows)


def _whole(identifier: str) -> tuple[SourceQuote, ...]:
    return (SourceQuote(text="", identifier=identifier),)


def _nearest(sections: Sequence[_Section], given: ChapterInput) -> Iterator[ChapterBlock]:
    """Yield what the section says that the search found best, and that it is no clear answer."""
    said = phrases.phrases_in(words.tongue_of(given.question))
    first = next((each for each in sections if each.statements and each.chance > 0), None)
    for block in _blocks(first, given) if first is not None else ():
        if block.kind is ChapterBlockKind.LIST:
            yield block.model_copy(update={"title": said.nearest.format(block.title)})


def _sections(given: ChapterInput, matched: MatchedTokens | None) -> list[_Section]:
    note = note_input(given)
    query = note.task.queries[0]
    found = notes.candidates_of(note)
    matches = matched.by_query.get(query) if matched else None
    chances = pick.chances_of(found, question.read(query), matches, model=matched.model if matched else "")
    sections: dict[tuple[str, str], _Section] = {}
    for rank, passage in enumerate(given.passages):
        section = sections.setdefault(_key(passage), _Section(passage, rank))
        section.passages.append(passage)
        section.share = max(section.share, _share(given, passage))
    for candidate, chance in zip(found, chances, strict=True):
        if _is_told(candidate):
            sections[_key(candidate.passage)].statements.append((candidate, float(chance)))
    return list(sections.values())


def _key(passage: SourceText) -> tuple[str, str]:
    return data_tables.bytes_of(passage.identifier), passage.section or ""


def _share(given: ChapterInput, passage: SourceText) -> float:
    """Return the share of a chapter's heading that the heading over a passage has, or the name of its document."""
    language = words.language_of(given.question)
    asked = set(words.terms_of(given.chapter.heading, language))
    known = set(words.terms_of(given.outline.subject, language))
    said = set(words.terms_of(_own_heading(passage), language))
    wanted = asked - known or asked
    return len(wanted & said) / len(wanted) if wanted else 0.0


def _own_heading(passage: SourceText) -> str:
    return (passage.section or place_of(passage)).rpartition(_PARTS.strip())[2].strip()


def _is_told(candidate: Candidate) -> bool:
    """Whether a statement is a whole sentence, which can be read alone."""
    text = candidate.quote.strip()
    is_whole = text.endswith((".", "!", "\u3002")) and text[:1].upper() == text[:1] and text.count('"') % 2 == 0
    return is_whole and not grids.is_row(text) and len(text.split()) >= _LEAST_WORDS


def _choose(sections: Sequence[_Section]) -> list[_Section]:
    """Return the sections that are told: those that are named, the newest first, and the best of the others."""
    named = [each for each in sections if each.share > 0 and (each.statements or _grids(each))]
    best = max((each.share for each in named), default=0.0)
    named = [each for each in named if each.share >= best / 2]
    others = [each for each in sections if each not in named and each.chance >= _LEAST_CHANCE]
    others.sort(key=lambda each: -each.chance)
    named.sort(key=lambda each: (-each.share, _age(each.first), each.rank))
    chosen = [*named, *others[:_MOST_UNNAMED]][:_MOST_SECTIONS]
    if named:
        return chosen
    # No heading names the chapter: sections that may be meant say more together than one lucky statement.
    near = [each for each in sections if each not in chosen and each.chance >= _CLOSE]
    return [*chosen, *near][:_LEAST_SECTIONS]


def _age(passage: SourceText) -> int:
    """Return how old a passage's document is, by its date or else by the year in its name: the newest is least."""
    years = [passage.dated.year] if passage.dated else [int(year) for year in periods.years_of(passage.title)]
    return -max(years, default=0)


def _blocks(section: _Section, given: ChapterInput) -> Iterator[ChapterBlock]:
    """Yield what a section says: its sentences, then its tables."""
    title = _title(section.first)
    near = [each for each in section.statements if each[1] >= _LEAST_BESIDE * section.chance]
    best = sorted(near, key=lambda each: -each[1])[:_MOST_SENTENCES]
    told = sorted((candidate for candidate, _ in best), key=lambda each: each.position)
    if told:
        yield ChapterBlock(kind=ChapterBlockKind.LIST, title=title, sentences=tuple(map(_sentence, told)))
    # What tables answer is told with its rows already.
    for grid in _grids(section)[:_MOST_TABLES] if given.from_tables is None else ():
        yield from _data(grid, given, title)


def _title(passage: SourceText) -> str:
    """Return the name of a document as a person would say it, with the heading over a passage."""
    document = place_of(passage).partition(_PARTS.strip())[0].strip()
    document = f"{document[:1].upper()}{document[1:]}"
    return f"{document}{_PARTS}{_own_heading(passage)}" if passage.section else document


def _sentence(candidate: Candidate) -> CitedSentence:
    text = _plain(_BULLET.sub("", " ".join(candidate.quote.split())))
    return CitedSentence(text=text, cites=(SourceQuote(text=candidate.quote, identifier=candidate.passage.identifier),))


def _plain(text: str) -> str:
    return _EMPHASIS.sub(r"\1", without_emphasis(text)).strip()


def _grids(section: _Section) -> list[Grid]:
    return [grid for passage in section.passages for grid in grids.grids(passage)]


def _data(grid: Grid, given: ChapterInput, title: str) -> Iterator[ChapterBlock]:
    """Yield a table of at least two rows."""
    language = words.tongue_of(given.question)
    table = data_tables.table_of(grid, lambda row: (0.0,), language)
    if len(table.rows) > 1:
        yield _table(table, title)


def _table(table: QuotedTable, title: str) -> ChapterBlock:
    rows = tuple(
        tuple(
            CitedCell(text=_plain(cell), cites=_row_cites(table, row.quote) if at == len(row.cells) - 1 else ())
            for at, cell in enumerate(row.cells)
        )
        for row in table.rows
    )
    return ChapterBlock(
        kind=ChapterBlockKind.TABLE, title=_caption(table, title), columns=tuple(map(_plain, table.columns)), rows=rows
    )


def _caption(table: QuotedTable, title: str) -> str:
    own = table.title.rpartition(_PARTS.strip())[2].strip()
    return title if not own or own in title or len(own) > _LONGEST_CAPTION else f"{title}{_PARTS}{own}"


def _row_cites(table: QuotedTable, quote: str) -> tuple[SourceQuote, ...]:
    return (SourceQuote(text=quote, identifier=table.identifier),)
