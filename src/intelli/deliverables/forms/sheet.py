"""The sheet: a brief and a paper made ready for every form. Clean texts, headings without gaps, numbered footnotes.

A footnote is a cited passage under its number. Numbers follow the order of reading; what the brief has and the paper
does not cite is no part of what is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from intelli.deliverables import charts
from intelli.deliverables.brief import Cited, DataBrief, ListedSource
from intelli.deliverables.forms import clean
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.phrases import Phrases, phrases
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Numbered,
    Paper,
    Paragraph,
    Quote,
    Row,
    Run,
    Runs,
    SourcesList,
    TableBlock,
)

MARKS = {"verified": "\u2713", "weak": "~", "failed": "\u2717", "unchecked": "?"}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
_BETWEEN = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_DEEPEST = 3
# Letters that a figure may carry: EUR, kWh, bn.
_UNIT = 3
# In characters.
_NARROW_COLUMN, _WIDE_COLUMN = 8, 36


@dataclass(frozen=True, slots=True)
class Footnote:
    """A cited passage under its number, with the source it stands in."""

    number: int
    cited: Cited
    source: ListedSource | None
    phrases: Phrases

    @property
    def file_name(self) -> str:
        """The name of the source's file."""
        return self.source.file_name if self.source else self.cited.identifier

    @property
    def place(self) -> str:
        """Where in the source: the page, and the last of the headings above it."""
        page = f"{self.phrases.page} {self.cited.page}" if self.cited.page is not None else ""
        section = (self.cited.section or "").rpartition(_BETWEEN)[2].strip()
        return ", ".join(each for each in (page, section) if each)

    @property
    def verdict(self) -> str:
        """What the check came to, in words."""
        reason = f": {self.cited.reason}" if self.cited.reason else ""
        return f"{self.phrases.verdict(self.cited.check)}{reason}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """What every form is written from."""

    brief: DataBrief
    title: str
    language: str
    blocks: tuple[Block, ...]
    footnotes: Mapping[str, Footnote]
    phrases: Phrases

    @property
    def made(self) -> str:
        """Where and when the report was made. Only English has its months spelt out here."""
        day = self.brief.made_on
        date = f"{day.day} {_MONTHS[day.month - 1]} {day.year}" if self.language.startswith("en") else day.isoformat()
        return " \u00b7 ".join(each for each in (self.brief.workspace, date) if each)

    @property
    def question(self) -> str:
        """What was asked, where the title does not say it already."""
        return self.brief.question if self.brief.question != self.title else ""

    def cited_after(self, run: Run) -> list[Footnote]:
        """The footnotes that stand after a run."""
        return self.named(run.citations)

    def named(self, identifiers: Sequence[str | None]) -> list[Footnote]:
        """The footnotes of identifiers, without those that nothing is known of."""
        known = self.footnotes
        return [known[each] for each in dict.fromkeys(identifiers) if each is not None and each in known]

    @property
    def headings(self) -> list[Heading]:
        """The headings, for a list of contents."""
        return [block for block in flat(self.blocks) if isinstance(block, Heading)]

    def of_source(self, source: ListedSource) -> list[Footnote]:
        """The footnotes of a source."""
        return [note for note in self.footnotes.values() if note.cited.source == source.number]


def lay(brief: DataBrief, paper: Paper) -> Sheet:
    """A brief and its paper as a sheet."""
    brief, paper = clean.part(brief), clean.part(paper)
    title = paper.title or brief.title or "Report"
    blocks = tuple(_Outline(title).settle(paper.blocks))
    language = clean.language(paper.language or brief.language)
    said = phrases(language)
    footnotes = {note.cited.identifier: note for note in _footnotes(brief, blocks, said)}
    return Sheet(brief, title, language, blocks, footnotes, said)


def flat(blocks: Sequence[Block]) -> Iterator[Block]:
    """Every block in the order of reading, without the rows that hold some."""
    for block in blocks:
        if isinstance(block, Row):
            yield from flat(block.primary)
            yield from flat(block.sidebar)
        else:
            yield block


def plain(runs: Runs) -> str:
    """The words of some runs."""
    return "".join(run.text for run in runs)


def numeric(table: TableBlock) -> list[bool]:
    """Which columns hold figures, and are set to the right."""
    columns = [[plain(row[at]) for row in table.rows if at < len(row)] for at in range(len(table.columns))]
    return [sum(map(_is_figure, column)) * 2 > len(column) for column in columns]


def widths(table: TableBlock) -> list[int]:
    """The share of the width that each column takes, by its longest text."""
    columns = [
        [name, *(plain(row[at]) for row in table.rows if at < len(row))] for at, name in enumerate(table.columns)
    ]
    return [min(max(_NARROW_COLUMN, *map(len, column)), _WIDE_COLUMN) for column in columns]


def link(note_or_source: Footnote | ListedSource, options: Options) -> str | None:
    """Where a source can be opened, at the passage if one is meant."""
    source = note_or_source.source if isinstance(note_or_source, Footnote) else note_or_source
    if source is None or not source.url:
        return None
    whole = f"{options.base_url.rstrip('/')}{source.url}" if source.url.startswith("/") else source.url
    at = f"#{note_or_source.cited.identifier}" if isinstance(note_or_source, Footnote) and "#" not in whole else ""
    return clean.address(f"{whole}{at}")


class _Outline:
    """Headings one below the other without gaps, with anchors of our own; the title is no heading of the text."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._count = 0
        self._level = 0

    def settle(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """The blocks as they are rendered."""
        for block in blocks:
            match block:
                case Heading():
                    yield from self._heading(block)
                case Row():
                    primary, sidebar = tuple(self.settle(block.primary)), tuple(self.settle(block.sidebar))
                    yield block.model_copy(update={"primary": primary, "sidebar": sidebar})
                case Chart():
                    yield _drawable(block)
                case SourcesList():
                    continue
                case Paragraph() | Quote() | Callout():
                    yield block.model_copy(update={"runs": _linked(block.runs)})
                case Bullets() | Numbered():
                    yield block.model_copy(update={"items": tuple(_linked(item) for item in block.items)})
                case TableBlock():
                    rows = tuple(tuple(_linked(cell) for cell in row) for row in block.rows)
                    yield block.model_copy(update={"rows": rows})
                case Metrics():
                    yield block

    def _heading(self, heading: Heading) -> Iterator[Block]:
        if not heading.text.strip() or (self._level == 0 and heading.text == self._title):
            return
        self._level = min(max(heading.level - 1, 1), self._level + 1, _DEEPEST)
        self._count += 1
        yield heading.model_copy(update={"level": self._level, "id": f"s{self._count}"})


def _drawable(chart: Chart) -> Block:
    """The chart with a spec that can do no harm; its words alone where nothing can be drawn."""
    spec = charts.safe(chart.spec)
    if spec is not None:
        spec = charts.untitled(spec) if spec.get("title", {}).get("text") == chart.caption else spec
        return chart.model_copy(update={"spec": spec, "alt": chart.alt or chart.caption or "Chart"})
    words = " ".join(each for each in (chart.caption, chart.alt) if each)
    return Paragraph(runs=(Run(text=words, citations=chart.citations),))


def _is_figure(text: str) -> bool:
    bare = text.strip(" \u00a0()$\u20ac\u00a3\u00a5%+-\u2212\u2013~\u2248")
    return bool(bare) and bare[0].isdigit() and sum(each.isalpha() for each in bare) <= _UNIT


def _linked(runs: Runs) -> Runs:
    """Runs with links that only open something; a space before a citation goes behind it."""
    settled: list[Run] = []
    for run in runs:
        href, bare = clean.address(run.href), run.text.rstrip(" ")
        if not run.citations or bare == run.text or not bare:
            settled.append(run.model_copy(update={"href": href}))
        else:
            settled += [run.model_copy(update={"href": href, "text": bare}), Run(text=" ")]
    return tuple(settled)


def _footnotes(brief: DataBrief, blocks: Sequence[Block], said: Phrases) -> Iterator[Footnote]:
    known = {cited.identifier: cited for cited in brief.citations}
    sources = {source.number: source for source in brief.sources}
    read = [each for each in dict.fromkeys(_identifiers(blocks)) if each in known]
    for number, identifier in enumerate(read, start=1):
        cited = known[identifier]
        yield Footnote(number, cited, sources.get(cited.source), phrases=said)


def _identifiers(blocks: Sequence[Block]) -> Iterator[str]:
    for block in flat(blocks):
        match block:
            case Paragraph() | Quote() | Callout():
                yield from _of_runs(block.runs)
            case Bullets() | Numbered():
                for item in block.items:
                    yield from _of_runs(item)
            case TableBlock():
                for row in block.rows:
                    for cell in row:
                        yield from _of_runs(cell)
            case Chart():
                yield from block.citations
            case Metrics():
                yield from (metric.citation for metric in block.metrics)


def _of_runs(runs: Runs) -> Iterator[str]:
    for run in runs:
        yield from run.citations
