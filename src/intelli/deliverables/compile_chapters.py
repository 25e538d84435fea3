"""Compile a data brief from written chapters: each sentence once, each value bound to its words, cells calculated.

Pure: the same material gives the same brief, so that a replay writes the same deliverable.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from intelli.content.passage import Passage
from intelli.deliverables import brief as briefs
from intelli.deliverables import brief_statements, column_names, formulas, metrics
from intelli.deliverables.brief import Chapter, ChapterExhibit, ChapterText, DataBrief, Finding, Moment
from intelli.deliverables.compile_brief import CompiledBrief, list_sources
from intelli.deliverables.labels import labels
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.deliverables.sentences import sentence, title
from intelli.language import grids, words
from intelli.language.quotes import skeleton
from intelli.reasoning.values import QuotedMetric, QuotedPoint, QuotedSeries, SourceQuote
from intelli.reasoning.verbs.chapter import (
    ChapterBlock,
    ChapterBlockKind,
    CitedCell,
    CitedSentence,
    FigureKind,
    WrittenChapter,
)
from intelli.reasoning.verbs.conclude import Closing
from intelli.reasoning.verbs.outline import ChapterRole, Outline
from intelli.reasoning.verbs.tabulate import DataTables

_LEAST_POINTS = 3
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_MOST_METRICS = 6
_FORMS = {ChapterBlockKind.LIST: "list", ChapterBlockKind.STEPS: "steps", ChapterBlockKind.QUOTE: "quote"}


@dataclass(frozen=True, slots=True)
class ChapterMaterial:
    """Written chapters in the order of the outline's plain ones, as far as they are written, and what they may cite.

    Sentences in `rejected` (bare of all but letters and digits) did not pass the check, and are left out.
    """

    question: str
    outline: Outline
    written: Sequence[WrittenChapter]
    closing: Closing | None
    passages: Mapping[str, Passage]
    made_on: date
    workspace: str = ""
    rejected: frozenset[str] = field(default_factory=frozenset)


def compile_chapters(material: ChapterMaterial) -> CompiledBrief:
    """Return the data brief of written chapters."""
    quoting = QuoteCitations(material.passages, {})
    language = language_of(material)
    compiler = _Compiler(material, quoting, language)
    chapters = tuple(compiler.chapters())
    figures = tuple(compiler.figures())[:_MOST_METRICS]
    summary = next((each.sentences for each in chapters if each.role == "summary"), ())
    parts: tuple[Sequence[brief_statements.Part], ...] = (chapters, figures)
    used = {mark for part in parts for _, marks in brief_statements.of_parts(part) for mark in marks}
    references = {name: each for name, each in quoting.references.items() if name in used}
    sources, cited = list_sources(references, quoting.quotes)
    brief = DataBrief(
        title=title(material.outline.title, material.question),
        question=material.question,
        summary=summary,
        chapters=chapters,
        metrics=figures,
        open_questions=_open_questions(material),
        sources=sources,
        citations=cited,
        made_on=material.made_on,
        workspace=material.workspace,
        language=language,
    )
    return CompiledBrief(column_names.named(brief), references, quoting.passages)


def language_of(material: ChapterMaterial) -> str:
    """Return the language that the chapters are written in; that of the order while none is."""
    text = " ".join(each.text for chapter in material.written[:2] for each in chapter.sentences)
    own = " ".join(each.heading for each in material.outline.chapters)
    return words.language_of(f"{own} {text}" if text and material.outline.language else material.question)


def _open_questions(material: ChapterMaterial) -> tuple[str, ...]:
    """Return what the chapters miss, then what the closing adds, each once."""
    missing = (each for chapter in material.written for each in chapter.missing)
    added = material.closing.open_questions if material.closing else ()
    return tuple({skeleton(each): each for each in reversed((*missing, *added))}.values())[::-1]


class _Compiler:
    """Turns written chapters into those of a brief; what was told once is not told again."""

    def __init__(self, material: ChapterMaterial, quoting: QuoteCitations, language: str) -> None:
        self._material = material
        self._quoting = quoting
        self._language = language
        self._told: set[str] = set()

    def chapters(self) -> Iterator[Chapter]:
        """Return the chapters in the order of the outline; one that has nothing to say is left out."""
        written = iter(self._material.written)
        last = {each.role: each for each in self._material.closing.sections} if self._material.closing else {}
        for planned in self._material.outline.chapters:
            if planned.role is ChapterRole.CHAPTER:
                each = next(written, None)
                blocks = self._chapter(each) if each is not None else ()
                message = _borne_out(each.message, blocks) if each is not None else ""
            else:
                section = last.get(planned.role)
                blocks = self._last(planned.role, section.sentences) if section is not None else ()
                message = ""
            is_last = planned.role is ChapterRole.OPEN_QUESTIONS and self._material.closing is not None
            if blocks or is_last:
                yield Chapter(heading=planned.heading, message=message, role=planned.role.value, blocks=blocks)

    def _chapter(self, written: WrittenChapter) -> tuple[ChapterText | ChapterExhibit, ...]:
        """Return the blocks of a chapter without what was told before.

        One that would be left with nothing says it again, for it was asked for. What stands in one that is missing
        only lies near to it, and is not told by that.
        """
        is_missing = written.heading in written.missing
        fresh = () if is_missing else tuple(self._blocks(written, self._told))
        return fresh or tuple(self._blocks(written, set()))

    def figures(self) -> Iterator[briefs.Metric]:
        """Return the figures of the chapters, each once, with the words for what is only expected."""
        for each in (figure for chapter in self._material.written for figure in chapter.figures):
            quoted = QuotedMetric(
                name=each.name, value=each.value, unit=each.unit, period=each.period, entity=each.entity,
                identifier=each.cite.identifier, quote=self._row_of(each.cite.identifier, each.value) or each.cite.text,
            )  # fmt: skip
            for metric in metrics.metrics(DataTables(metrics=(quoted,)), self._quoting):
                key = skeleton(f"{metric.name}{metric.period}{metric.entity}")
                if key in self._told:
                    continue
                self._told.add(key)
                period = metric.period
                if each.kind is not FigureKind.ACTUAL:
                    period = f"{period}, {getattr(labels(self._language), each.kind.value)}"
                yield metric.model_copy(update={"key": key[:80], "period": period, "kind": each.kind.value})

    def _last(self, role: ChapterRole, sentences: Sequence[CitedSentence]) -> tuple[ChapterText, ...]:
        """Return a section that was written last; it may say again what a chapter says."""
        told = set[str]()
        findings = tuple(found for each in sentences if (found := self._finding(each, told)) is not None)
        form = "steps" if role is ChapterRole.NEXT_STEPS else "paragraph"
        return (ChapterText(form=form, sentences=findings),) if findings else ()

    def _blocks(self, chapter: WrittenChapter, told: set[str]) -> Iterator[ChapterText | ChapterExhibit]:
        for block in chapter.blocks:
            match block.kind:
                case ChapterBlockKind.TABLE:
                    yield from self._table(block, told)
                case ChapterBlockKind.CHART:
                    yield from self._chart(block, told)
                case ChapterBlockKind.TIMELINE:
                    yield from self._timeline(block)
                case _:
                    findings = tuple(found for each in block.sentences if (found := self._finding(each, told)))
                    if findings:
                        form = _FORMS.get(block.kind, "paragraph")
                        yield ChapterText.model_validate({"form": form, "title": block.title, "sentences": findings})

    def _finding(self, given: CitedSentence, told: set[str]) -> Finding | None:
        """Return a sentence with what it cites; None for one that was told, was rejected, or has lost its sources."""
        key = skeleton(given.text)
        if key in self._material.rejected or key in told:
            return None
        cited = self._cite(given.cites, given.text)
        if given.cites and not cited:
            return None
        told.add(key)
        return Finding(text=sentence(given.text), citations=cited, is_judgement=given.is_judgement)

    def _cite(self, cites: Sequence[SourceQuote], statement: str) -> tuple[str, ...]:
        marks = (
            self._quoting.cite(each.identifier, statement, each.text or self._row_of(each.identifier, statement))
            for each in cites
        )
        return tuple(dict.fromkeys(mark for mark in marks if mark is not None))

    def _row_of(self, identifier: str, statement: str) -> str:
        """Return the row of a source's table that has most figures of a statement, from its heads on; else nothing."""
        passage = self._material.passages.get(identifier)
        figures = set(_FIGURE.findall(statement))
        best = max(
            (
                (len(figures.intersection(_FIGURE.findall(row.quote))), -number, grid, row)
                for grid in (grids.grids(passage) if passage is not None else ())
                for number, row in enumerate(grid.rows)
            ),
            key=lambda each: each[:2],
            default=None,
        )
        return best[2].reach(best[3]) if best is not None and best[0] else ""

    def _table(self, block: ChapterBlock, told: set[str]) -> Iterator[ChapterExhibit]:
        """Return a table that was not shown before, its calculated cells computed."""
        key = skeleton("".join(cell.text for row in block.rows for cell in row))
        if key in told:
            return
        told.add(key)
        texts = [[cell.text for cell in row] for row in block.rows]
        plain = [
            [self._cell(cell, f"{row[0].text} {block.columns[at]}") for at, cell in enumerate(row)]
            for row in block.rows
        ]
        calculations: dict[str, None] = {}
        for at, row in enumerate(block.rows):
            for column, cell in enumerate(row):
                found = formulas.calculate(cell.formula, block.columns, texts, self._language) if cell.formula else None
                if found is not None:
                    plain[at][column] = _calculated(found, plain)
                    is_across = len({place[0] for place in found.cells}) == 1
                    calculations[f"{block.columns[column] if is_across else row[0].text} = {found.named}"] = None
        table = briefs.Table(
            key=metrics.key(block.title, str(len(self._told))),
            title=block.title,
            columns=block.columns,
            rows=tuple(tuple(row) for row in plain),
            calculations=tuple(calculations),
        )
        yield ChapterExhibit(table=table)

    def _cell(self, cell: CitedCell, heads: str) -> briefs.Cell:
        marks = self._cite(cell.cites, f"{heads} {cell.text}")
        return briefs.Cell(text=cell.text or "\u2013", citation=marks[0] if marks else None, further=marks[1:])

    def _chart(self, block: ChapterBlock, told: set[str]) -> Iterator[ChapterExhibit]:
        """Return a chart; a table of the same values where they are no series of one unit."""
        points = [self._point(row) for row in block.rows]
        sound = tuple(each for each in points if each is not None)
        quoted = QuotedSeries(title=block.title or block.columns[1], unit=block.unit, points=sound)
        is_whole = len(sound) == len(points) >= _LEAST_POINTS
        made = metrics.series(DataTables(series=(quoted,)), self._quoting) if is_whole else ()
        if not made:
            yield from self._table(block, told)
        for each in made:
            yield ChapterExhibit(series=each.model_copy(update={"key": metrics.key(each.title, str(len(self._told)))}))

    def _point(self, row: Sequence[CitedCell]) -> QuotedPoint | None:
        label, value = row[0].text, row[1]
        for each in value.cites:
            passage = self._material.passages.get(each.identifier)
            lines = (each.text or passage.text).splitlines() if passage is not None else []
            line = next((line for line in lines if value.text in line), "")
            if line:
                quote = self._row_of(each.identifier, f"{label} {value.text}") or line.strip()
                return QuotedPoint(label=label, value=value.text, identifier=each.identifier, quote=quote)
        return None

    def _timeline(self, block: ChapterBlock) -> Iterator[ChapterExhibit]:
        moments = []
        for when, what, *_ in block.rows:
            cited = self._cite((*what.cites, *when.cites), f"{when.text} {what.text}")
            if cited:
                moments.append(Moment(date=when.text, label=sentence(what.text), citation=cited[0]))
        if moments:
            yield ChapterExhibit(title=block.title, moments=tuple(moments))


def _calculated(found: formulas.CalculatedCell, plain: Sequence[Sequence[briefs.Cell]]) -> briefs.Cell:
    """Return the result of a formula, citing what its cells cite."""
    marks = tuple(dict.fromkeys(mark for row, column in found.cells for mark in plain[row][column].citations))
    return briefs.Cell(text=found.shown, citation=marks[0] if marks else None, further=marks[1:], formula=found.told)


def _borne_out(message: str, blocks: Sequence[ChapterText | ChapterExhibit]) -> str:
    """Return what a chapter brings home, if each of its figures stands in the chapter: it cites nothing by itself."""
    shown = {figure for block in blocks for text in _texts(block) for figure in _FIGURE.findall(text)}
    return message if shown.issuperset(_FIGURE.findall(message)) else ""


def _texts(block: ChapterText | ChapterExhibit) -> Iterator[str]:
    if isinstance(block, ChapterText):
        yield from (each.text for each in block.sentences)
        return
    if block.table is not None:
        yield from (cell.text for row in block.table.rows for cell in row)
        yield from block.table.columns
    if block.series is not None:
        yield from (text for point in block.series.points for text in (point.label, str(point.value)))
    yield from (text for moment in block.moments for text in (moment.date, moment.label))
