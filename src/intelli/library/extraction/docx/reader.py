"""Word documents: paragraphs, headings, lists and tables in order, then notes and comments. No pages are invented."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.chart import chart_table
from intelli.library.extraction.docx import inline
from intelli.library.extraction.docx.numbering import Numbering
from intelli.library.extraction.docx.styles import Styles, outline_level
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, Unreadable
from intelli.library.extraction.ooxml import Package
from intelli.library.extraction.table import SpannedCell, spread
from intelli.library.extraction.xml import XmlElement, attribute, child, inner, local, value

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MAIN = "word/document.xml"


def extract_docx(path: Path, limits: Limits) -> Extraction:
    """A Word document as text."""
    with Package(path, limits) as package:
        main = package.main(_MAIN)
        assembly = TextAssembler(limits)
        walk = _Walk(assembly, package, main)
        for text in _running(package, main, "header", walk):
            assembly.add(BlockKind.FURNITURE, text)
        walk.blocks(inner(package.xml(main), "body"))
        walk.notes("footnotes", "footnote")
        walk.notes("endnotes", "endnote")
        walk.comments()
        for text in _running(package, main, "footer", walk):
            assembly.add(BlockKind.FURNITURE, text)
        title, properties = package.properties()
        return assembly.finish(_MEDIA_TYPE, title=title, properties=properties)


class _Walk:
    """Goes through a story of the document block by block."""

    def __init__(self, assembly: TextAssembler, package: Package, main: str) -> None:
        self._assembly = assembly
        self._package = package
        self._main = main
        self._relations = package.relations(main)
        self._styles = Styles(self._optional("styles"))
        self._numbering = Numbering(self._optional("numbering"))
        self._paragraph = 0
        self._page = 1
        self._has_pages = False

    def _optional(self, kind: str) -> XmlElement | None:
        """A part that the text can do without."""
        for part in self._package.related(self._main, kind):
            try:
                return self._package.xml(part)
            except Unreadable:
                self._assembly.warn(f"The {kind} of the document are damaged; its text is read without them.")
        return None

    def blocks(self, elements: Iterable[XmlElement]) -> None:
        """Paragraphs and tables, also those inside content controls and the like."""
        for element in elements:
            name = local(element)
            if self._assembly.is_full:
                return
            if name == "p":
                self._add_paragraph(element)
            elif name == "tbl":
                self._add_table(element)
            elif name == "sdt":
                self.blocks(inner(element, "sdtContent"))
            elif name in ("ins", "moveTo", "smartTag", "customXml", "AlternateContent", "Choice"):
                self.blocks(element)

    def _add_paragraph(self, element: XmlElement) -> None:
        self._paragraph += 1
        found = self._read(element)
        properties = child(element, "pPr")
        style = self._styles.find(value(properties, "pStyle"))
        level = outline_level(properties) or style.level
        label = self._label(properties)
        text = found.text.strip("\n") if style.is_code else found.text.strip()
        if text:
            kind = BlockKind.PARAGRAPH
            if level:
                kind = BlockKind.HEADING
            elif style.is_code:
                kind = BlockKind.CODE
            elif label is not None:
                kind = BlockKind.LIST
            self._assembly.add(kind, f"{label} {text}" if label else text, self._place(), level)
        for box in found.boxes:
            self.blocks(box)
        for relation in found.charts:
            self._add_chart(relation)

    def _add_chart(self, relation: str) -> None:
        found = self._relations.get(relation)
        if found is not None and self._package.has(found.target):
            with suppress(Unreadable):
                self._assembly.add(BlockKind.TABLE, chart_table(self._package.xml(found.target)), self._place())

    def _label(self, properties: XmlElement | None) -> str | None:
        style = self._styles.find(value(properties, "pStyle"))
        list_id = value(properties, "numPr", "numId") or style.list_id
        depth = value(properties, "numPr", "ilvl")
        return self._numbering.label(list_id, int(depth) if depth and depth.isdecimal() else style.list_level)

    def _read(self, paragraph: XmlElement) -> inline.ParagraphText:
        found = inline.read(paragraph)
        self._page += found.breaks
        self._has_pages = self._has_pages or found.breaks > 0
        return found

    def _place(self) -> BlockLocation:
        return BlockLocation(paragraph=self._paragraph, page=self._page if self._has_pages else None)

    def _add_table(self, table: XmlElement) -> None:
        self._paragraph += 1
        boxes: list[XmlElement] = []
        rows = list(self._rows(table, boxes))
        text = "\n".join(spread(rows, max_cells=self._assembly.limits.max_cells))
        self._assembly.add(BlockKind.TABLE, text, self._place())
        for box in boxes:
            self.blocks(box)

    def _rows(self, table: XmlElement, boxes: list[XmlElement]) -> Iterable[list[SpannedCell]]:
        """The cells of each row; one that is merged with the cell above repeats it."""
        above: dict[int, str] = {}
        for row in _descend(table, "tr"):
            cells: list[SpannedCell] = []
            column = 0
            for element in _descend(row, "tc"):
                properties = child(element, "tcPr")
                said = value(properties, "gridSpan")
                width = int(said) if said and said.isdecimal() and len(said) < 4 else 1
                text = " ".join(self._in_cell(element, boxes))
                if child(properties, "vMerge") is not None:
                    is_first = value(properties, "vMerge") == "restart"
                    above[column] = text = text if is_first else above.get(column, text)
                cells.append(SpannedCell(text, width))
                column += width
            yield cells

    def _in_cell(self, container: XmlElement, boxes: list[XmlElement]) -> Iterable[str]:
        """The texts in a cell; those of a table in the cell go row by row."""
        for element in container:
            name = local(element)
            if name == "p":
                found = self._read(element)
                boxes += found.boxes
                label = self._label(child(element, "pPr"))
                if text := found.text.strip():
                    yield f"{label} {text}" if label else text
            elif name not in ("tcPr", "trPr", "tblPr", "tblGrid", "sdtPr", "del", "moveFrom", "Fallback"):
                yield from self._in_cell(element, boxes)

    def notes(self, kind: str, name: str) -> None:
        """Footnotes or endnotes, each under the number that stands in the text."""
        for note in inner(self._optional(kind)):
            if local(note) != name or attribute(note, "type") in ("separator", "continuationSeparator"):
                continue
            if text := self.text_of(note):
                self._assembly.add(BlockKind.NOTE, f"[{attribute(note, 'id')}] {text}", BlockLocation(part=name))

    def comments(self) -> None:
        """What reviewers wrote in the margin."""
        for comment in inner(self._optional("comments")):
            if text := self.text_of(comment):
                author = attribute(comment, "author") or "a reviewer"
                self._assembly.add(BlockKind.NOTE, f"Comment by {author}: {text}", BlockLocation(part="comment"))

    def text_of(self, container: XmlElement) -> str:
        """All paragraphs of a small story as one text."""
        boxes: list[XmlElement] = []
        texts = list(self._in_cell(container, boxes))
        for box in boxes:
            texts += self._in_cell(box, [])
        return "\n".join(texts)


def _descend(container: XmlElement, name: str) -> Iterable[XmlElement]:
    """Rows of a table or cells of a row, also inside content controls; not those of tables inside."""
    for element in container:
        found = local(element)
        if found == name:
            yield element
        elif found in ("sdt", "sdtContent", "customXml", "ins", "smartTag"):
            yield from _descend(element, name)


def _running(package: Package, main: str, kind: str, walk: _Walk) -> Iterable[str]:
    """The headers or footers, each different one once."""
    seen: set[str] = set()
    for part in package.related(main, kind):
        try:
            text = walk.text_of(package.xml(part))
        except Unreadable:
            continue
        if text and text not in seen:
            seen.add(text)
            yield text
