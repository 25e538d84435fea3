"""Layout of a brief and a paper, prepared for every form: clean texts, headings without gaps, numbered footnotes.

A footnote is a cited passage with a number and the result of its check. Numbers follow the reading order; citations of
the brief that the paper does not use have none. All forms share one numbering: a mark is the number of a footnote, a
footnote names its source as [2], and the list of sources names the footnotes of each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from intelli.deliverables import charts, safe_vega
from intelli.deliverables.brief import Cited, DataBrief, ListedSource
from intelli.deliverables.forms import clean, shorten
from intelli.deliverables.forms import footnotes as forms_footnotes
from intelli.deliverables.forms.form import Edition, Options
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
    QuoteBlock,
    Row,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)

_BETWEEN = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_OFFICE = "application/vnd.openxmlformats-officedocument"
_MAIL = "E-mail"
_FILES = {
    f"{_OFFICE}.wordprocessingml.document": "Word",
    f"{_OFFICE}.presentationml.presentation": "PowerPoint",
    f"{_OFFICE}.spreadsheetml.sheet": "Excel",
    "application/pdf": "PDF",
    "application/json": "JSON",
    "application/msword": "Word",
    "application/vnd.ms-excel": "Excel",
    "application/vnd.ms-outlook": _MAIL,
    "application/vnd.ms-powerpoint": "PowerPoint",
    "application/vnd.oasis.opendocument.spreadsheet": "OpenDocument",
    "application/vnd.oasis.opendocument.text": "OpenDocument",
    "application/epub+zip": "EPUB",
    "application/rtf": "RTF",
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/tiff": "TIFF",
    "message/rfc822": _MAIL,
    "text/csv": "CSV",
    "text/html": "HTML",
    "text/markdown": "Markdown",
    "text/plain": "TXT",
    "text/tab-separated-values": "TSV",
}
# An ending is no part of what a reader calls a document.
_ENDING = 5
_DEEPEST = 3
_EMPHASIS = re.compile(r"^(?:\*\*|__)([^*_]{1,200})(?:\*\*|__)$")
_LEAST_RANGE = 2
# What a cover has room for beside the title.
_LONGEST_QUESTION = 300
# Letters that a figure may carry: EUR, kWh, bn.
_UNIT = 3


@dataclass(frozen=True, slots=True)
class Footnote:
    """A numbered cited passage, with its source."""

    number: int
    cited: Cited
    source: ListedSource | None
    phrases: Phrases = field(hash=False)
    turn: int = 1
    edition: Edition = Edition.CLEAN

    @property
    def file_name(self) -> str:
        """File name of the source."""
        return self.source.file_name if self.source else self.cited.identifier

    @property
    def name(self) -> str:
        """Name of the source as a reference gives it: in the proof edition with its number."""
        if self.edition is Edition.PROOF or self.source is None:
            return f"[{self.cited.source}] {self.file_name}"
        return source_name(self.source)

    @property
    def place(self) -> str:
        """Place in the source: the page, and the innermost heading."""
        page = f"{self.phrases.page} {self.cited.page}" if self.cited.page is not None else ""
        section = (self.cited.section or "").rpartition(_BETWEEN)[2].strip()
        return ", ".join(each for each in (page, section) if each)

    @property
    def verdict(self) -> str:
        """Result of the check, in words."""
        reason = f": {self.phrases.reason(self.cited.reason)}" if self.cited.reason else ""
        return f"{self.phrases.verdict(self.cited.check)}{reason}"

    @property
    def remark(self) -> str:
        """The verdict where a reader has to know it: in the clean edition only of what is not verified."""
        is_told = self.edition is Edition.PROOF or self.cited.check != "verified"
        return self.verdict if is_told else ""

    @property
    def shown_identifier(self) -> str:
        """The identifier where it is shown: in the proof edition."""
        return self.cited.identifier if self.edition is Edition.PROOF else ""


@dataclass(frozen=True, slots=True)
class PaperLayout:
    """Input of every form: prepared blocks and numbered footnotes."""

    brief: DataBrief
    title: str
    language: str
    blocks: tuple[Block, ...]
    footnotes: Mapping[str, Footnote]
    phrases: Phrases
    edition: Edition = Edition.CLEAN

    @property
    def is_proof(self) -> bool:
        """True when verdicts, identifiers and hashes are shown."""
        return self.edition is Edition.PROOF

    @property
    def made(self) -> str:
        """Workspace and date of the report."""
        return " \u00b7 ".join(each for each in (self.brief.workspace, self.phrases.day(self.brief.made_on)) if each)

    @property
    def question(self) -> str:
        """Beginning of the question, or "" when the title repeats it; the brief has the whole question."""
        asked = shorten.shorten_to_line(self.brief.question, _LONGEST_QUESTION)
        return asked if asked != self.title else ""

    @property
    def subtitle(self) -> str:
        """What stands below the title: the question in the proof edition; readers find it in small print at the end."""
        return self.question if self.is_proof else ""

    @property
    def small_print(self) -> str:
        """What stands below the sources: the question in the clean edition."""
        return f"{self.phrases.question}: {self.question}" if self.question and not self.is_proof else ""

    def source_name(self, source: ListedSource) -> str:
        """Return the name of a source in the list of sources."""
        return source.file_name if self.is_proof else source_name(source)

    def notes_after(self, run: TextRun) -> list[Footnote]:
        """Return the footnotes cited after a run."""
        return self.named(run.citations)

    def named(self, names: Sequence[str | None]) -> list[Footnote]:
        """Return the footnotes with these names, each once; unknown names are skipped."""
        known = self.footnotes
        return [known[each] for each in dict.fromkeys(names) if each is not None and each in known]

    @property
    def headings(self) -> list[Heading]:
        """The headings, for a table of contents."""
        return [block for block in flatten(self.blocks) if isinstance(block, Heading)]

    def notes_of_source(self, source: ListedSource) -> list[Footnote]:
        """Return the footnotes of a source."""
        return [note for note in self.footnotes.values() if note.cited.source == source.number]

    def noted(self, notes: Sequence[Footnote]) -> str:
        """Return the word before numbers of footnotes: singular for one, plural for several."""
        return self.phrases.note if len(notes) == 1 else self.phrases.notes


def lay_out(brief: DataBrief, paper: Paper, edition: Edition = Edition.CLEAN) -> PaperLayout:
    """Prepare a brief and its paper for rendering."""
    brief, paper = clean.clean_part(brief), clean.clean_part(paper)
    title = paper.title or brief.title or "Report"
    blocks, notes = forms_footnotes.assign_notes(
        brief, tuple(_Outline(title, _source_addresses(brief)).prepare(paper.blocks))
    )
    language = clean.valid_language(paper.language or brief.language)
    said = phrases(language)
    sources = {source.number: source for source in brief.sources}
    footnotes = {
        name: Footnote(note.number, note.cited, sources.get(note.cited.source), said, note.turn, edition)
        for name, note in notes.items()
    }
    return PaperLayout(brief, title, language, blocks, footnotes, said, edition)


def group_consecutive(notes: Sequence[Footnote]) -> list[tuple[Footnote, Footnote]]:
    """Group consecutive footnotes into ranges of first and last; a range has at least three."""
    found: list[list[Footnote]] = []
    for note in notes:
        if found and note.number == found[-1][-1].number + 1:
            found[-1].append(note)
        else:
            found.append([note])
    apart = [[run] if len(run) > _LEAST_RANGE else [[note] for note in run] for run in found]
    return [(run[0], run[-1]) for runs in apart for run in runs]


def file_kind(source: ListedSource) -> str:
    """Return the common name of a source's file type; its media type where there is none."""
    return _FILES.get(source.mime_type.partition(";")[0], source.mime_type)


def source_name(source: ListedSource) -> str:
    """Return what a reader calls a source: its file name without the ending."""
    path = PurePath(source.file_name)
    is_ending = path.suffix[1:].isalnum() and len(path.suffix) <= _ENDING + 1
    return path.stem if is_ending and not path.suffix[1:].isdigit() else source.file_name


def numbers_of(notes: Sequence[Footnote]) -> str:
    """Format the numbers of footnotes, with ranges: 1, 4, 11-16."""
    spans = group_consecutive(notes)
    return ", ".join(str(a.number) if a is b else f"{a.number}\u2013{b.number}" for a, b in spans)


def flatten(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield every block in reading order, with rows replaced by their blocks."""
    for block in blocks:
        if isinstance(block, Row):
            yield from flatten(block.primary)
            yield from flatten(block.sidebar)
        else:
            yield block


def plain_text(runs: Runs) -> str:
    """Return the text of some runs."""
    return "".join(run.text for run in runs)


def numeric_columns(table: TableBlock) -> list[bool]:
    """Return which columns have figures, and are right-aligned; never the first, which labels the rows."""
    columns = [[plain_text(row[at]) for row in table.rows if at < len(row)] for at in range(len(table.columns))]
    are_figures = [sum(map(is_figure, column)) * 2 > len(column) for column in columns]
    return [False, *are_figures[1:]] if len(are_figures) > 1 else are_figures


def is_figure(text: str) -> bool:
    """Return whether a cell is a number, with its sign and unit."""
    bare = text.strip(" \u00a0()$\u20ac\u00a3\u00a5%+-\u2212\u2013~\u2248")
    return bool(bare) and bare[0].isdigit() and sum(each.isalpha() for each in bare) <= _UNIT


def link(note_or_source: Footnote | ListedSource, options: Options) -> str | None:
    """Return the URL of a source, or of a footnote's passage in it; None when it has none."""
    source = note_or_source.source if isinstance(note_or_source, Footnote) else note_or_source
    if source is None or not source.url:
        return None
    whole = f"{options.base_url.rstrip('/')}{source.url}" if source.url.startswith("/") else source.url
    at = f"#{note_or_source.cited.identifier}" if isinstance(note_or_source, Footnote) and "#" not in whole else ""
    return clean.plain_address(f"{whole}{at}")


class _Outline:
    """Prepares blocks: headings without gaps in their levels and with our own anchors, without the title."""

    def __init__(self, title: str, addresses: frozenset[str]) -> None:
        self._title = title
        self._addresses = addresses
        self._count = 0
        self._level = 0

    def prepare(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """Yield the blocks as they are rendered."""
        for block in blocks:
            match block:
                case Heading():
                    yield from self._heading(block)
                case Row():
                    primary, sidebar = tuple(self.prepare(block.primary)), tuple(self.prepare(block.sidebar))
                    yield block.model_copy(update={"primary": primary, "sidebar": sidebar})
                case Chart():
                    yield _sanitize_chart(block)
                case SourcesList():
                    continue
                case Paragraph() | QuoteBlock() | Callout():
                    yield block.model_copy(update={"runs": self._keep_source_links(block.runs)})
                case Bullets() | Numbered():
                    yield block.model_copy(
                        update={"items": tuple(self._keep_source_links(item) for item in block.items)}
                    )
                case TableBlock():
                    rows = tuple(
                        tuple(self._keep_source_links(_plain_cell(cell)) for cell in row) for row in block.rows
                    )
                    yield block.model_copy(update={"rows": rows})
                case Metrics():
                    yield block

    def _keep_source_links(self, runs: Runs) -> Runs:
        """Keep links to sources only, since the text is untrusted; move a space before a citation behind it."""
        settled: list[TextRun] = []
        for given in runs:
            run = given if given.href is None or given.href in self._addresses else _remove_link(given)
            bare = run.text.rstrip(" ")
            if not run.citations or bare == run.text or not bare:
                settled.append(run)
            else:
                settled += [run.model_copy(update={"text": bare}), TextRun(text=" ")]
        return tuple(settled)

    def _heading(self, heading: Heading) -> Iterator[Block]:
        if not heading.text.strip() or (self._level == 0 and heading.text == self._title):
            return
        self._level = min(max(heading.level - 1, 1), self._level + 1, _DEEPEST)
        self._count += 1
        yield heading.model_copy(update={"level": self._level, "id": f"s{self._count}"})


def _plain_cell(runs: Runs) -> Runs:
    """Return a cell without the marks of emphasis that a source written in Markdown has around it."""
    return tuple(run.model_copy(update={"text": _EMPHASIS.sub(r"\1", run.text)}) for run in runs)


def _sanitize_chart(chart: Chart) -> Block:
    """Return the chart with a sanitised spec, or its text as a paragraph when nothing can be drawn."""
    spec = safe_vega.sanitize(chart.spec)
    if spec is not None:
        spec = charts.remove_title(spec) if spec.get("title", {}).get("text") == chart.caption else spec
        return chart.model_copy(update={"spec": spec, "alt": chart.alt or chart.caption or "Chart"})
    words = " ".join(each for each in (chart.caption, chart.alt) if each)
    return Paragraph(runs=(TextRun(text=words, citations=chart.citations),))


def _source_addresses(brief: DataBrief) -> frozenset[str]:
    """Return the web addresses of the sources: the only links that the text may contain."""
    return frozenset(address for source in brief.sources if (address := clean.plain_address(source.url)) is not None)


def _remove_link(run: TextRun) -> TextRun:
    """Remove the link of a run; a harmless address is appended to the text."""
    address = clean.plain_address(run.href)
    told = f" ({address})" if address and address not in run.text else ""
    return run.model_copy(update={"href": None, "text": f"{run.text.rstrip(' ')}{told}" if told else run.text})
