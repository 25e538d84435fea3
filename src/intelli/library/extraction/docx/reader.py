"""Reader of Word documents: paragraphs, headings, lists and tables in order, then notes and comments.

The extraction has no pages: a location has a page number only where Word stored its page breaks.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.chart import chart_table
from intelli.library.extraction.docx import inline
from intelli.library.extraction.docx.numbering import Numbering
from intelli.library.extraction.docx.styles import Styles, outline_level
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, PieceKind, Unreadable
from intelli.library.extraction.ooxml import Package
from intelli.library.extraction.table import SpannedCell, expand_spans
from intelli.library.extraction.xml import XmlElement, attribute, child, children_of, local_name, val_attribute

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MAIN = "word/document.xml"


def extract_docx(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a Word document."""
    with Package(path, limits) as package:
        main = package.main(_MAIN)
        assembly = TextAssembler(limits)
        walk = _DocumentWalk(assembly, package, main)
        for text in _read_running_texts(package, main, "header", walk):
            assembly.add(BlockKind.FURNITURE, text)
        walk.add_blocks(children_of(package.xml(main), "body"))
        walk.add_notes("footnotes", "footnote")
        walk.add_notes("endnotes", "endnote")
        walk.add_comments()
        for text in _read_running_texts(package, main, "footer", walk):
            assembly.add(BlockKind.FURNITURE, text)
        title, properties = package.properties()
        return assembly.finish(_MEDIA_TYPE, title=title, properties=properties)


class _DocumentWalk:
    """Appends the text of a document to an assembler, block by block."""

    def __init__(self, assembly: TextAssembler, package: Package, main: str) -> None:
        self._assembly = assembly
        self._package = package
        self._main = main
        self._relations = package.relations(main)
        self._styles = Styles(self._load_optional("styles"))
        self._numbering = Numbering(self._load_optional("numbering"))
        self._paragraph = 0
        self._page = 1
        self._has_pages = False

    def _load_optional(self, kind: str) -> XmlElement | None:
        """Load a part that the text can do without; warn and return None if it is damaged, None if missing."""
        for part in self._package.related(self._main, kind):
            try:
                return self._package.xml(part)
            except Unreadable:
                self._assembly.warn(f"The {kind} of the document are damaged; its text is read without them.")
        return None

    def add_blocks(self, elements: Iterable[XmlElement]) -> None:
        """Append paragraphs and tables, also those inside content controls and the like."""
        for element in elements:
            name = local_name(element)
            if self._assembly.is_full:
                return
            if name == "p":
                self._add_paragraph(element)
            elif name == "tbl":
                self._add_table(element)
            elif name == "sdt":
                self.add_blocks(children_of(element, "sdtContent"))
            elif name in ("ins", "moveTo", "smartTag", "customXml", "AlternateContent", "Choice"):
                self.add_blocks(element)

    def _add_paragraph(self, element: XmlElement) -> None:
        self._paragraph += 1
        found = self._read(element)
        properties = child(element, "pPr")
        style = self._styles.get(val_attribute(properties, "pStyle"))
        level = outline_level(properties) or style.level
        label = self._next_label(properties)
        text = found.text.strip("\n") if style.is_code else found.text.strip()
        if text:
            kind = BlockKind.PARAGRAPH
            if level:
                kind = BlockKind.HEADING
            elif style.is_code:
                kind = BlockKind.CODE
            elif label is not None:
                kind = BlockKind.LIST
            self._assembly.add(kind, f"{label} {text}" if label else text, self._place(), level, told=style.told)
        for box in found.boxes:
            self.add_blocks(box)
        for relation in found.charts:
            self._add_chart(relation)

    def _add_chart(self, relation: str) -> None:
        found = self._relations.get(relation)
        if found is not None and self._package.has(found.target):
            with suppress(Unreadable):
                self._assembly.add(BlockKind.TABLE, chart_table(self._package.xml(found.target)), self._place())

    def _next_label(self, properties: XmlElement | None) -> str | None:
        style = self._styles.get(val_attribute(properties, "pStyle"))
        list_id = val_attribute(properties, "numPr", "numId") or style.list_id
        depth = val_attribute(properties, "numPr", "ilvl")
        return self._numbering.next_label(list_id, int(depth) if depth and depth.isdecimal() else style.list_level)

    def _read(self, paragraph: XmlElement) -> inline.ParagraphText:
        found = inline.read_paragraph(paragraph)
        self._page += found.breaks
        self._has_pages = self._has_pages or found.breaks > 0
        return found

    def _place(self) -> BlockLocation:
        return BlockLocation(paragraph=self._paragraph, page=self._page if self._has_pages else None)

    def _add_table(self, table: XmlElement) -> None:
        self._paragraph += 1
        boxes: list[XmlElement] = []
        rows = list(self._rows(table, boxes))
        text = "\n".join(expand_spans(rows, max_cells=self._assembly.limits.max_cells))
        self._assembly.add(BlockKind.TABLE, text, self._place())
        for box in boxes:
            self.add_blocks(box)

    def _rows(self, table: XmlElement, boxes: list[XmlElement]) -> Iterable[list[SpannedCell]]:
        """Yield the cells of each row; a cell merged with the cell above repeats its text."""
        above: dict[int, str] = {}
        for row in _find_nested(table, "tr"):
            cells: list[SpannedCell] = []
            column = 0
            for element in _find_nested(row, "tc"):
                properties = child(element, "tcPr")
                span = val_attribute(properties, "gridSpan")
                width = int(span) if span and span.isdecimal() and len(span) < 4 else 1
                text = " ".join(self._cell_texts(element, boxes))
                if child(properties, "vMerge") is not None:
                    is_first = val_attribute(properties, "vMerge") == "restart"
                    above[column] = text = text if is_first else above.get(column, text)
                cells.append(SpannedCell(text, width))
                column += width
            yield cells

    def _cell_texts(self, container: XmlElement, boxes: list[XmlElement]) -> Iterable[str]:
        """Yield the texts in a cell; a nested table yields its texts row by row."""
        for element in container:
            name = local_name(element)
            if name == "p":
                found = self._read(element)
                boxes += found.boxes
                label = self._next_label(child(element, "pPr"))
                if text := found.text.strip():
                    yield f"{label} {text}" if label else text
            elif name not in ("tcPr", "trPr", "tblPr", "tblGrid", "sdtPr", "del", "moveFrom", "Fallback"):
                yield from self._cell_texts(element, boxes)

    def add_notes(self, kind: str, name: str) -> None:
        """Append footnotes or endnotes, each with the number by which the text refers to it."""
        for note in children_of(self._load_optional(kind)):
            if local_name(note) != name or attribute(note, "type") in ("separator", "continuationSeparator"):
                continue
            if text := self.text_of(note):
                numbered, where = f"[{attribute(note, 'id')}] {text}", BlockLocation(part=name)
                self._assembly.add(BlockKind.NOTE, numbered, where, told=PieceKind.FOOTNOTE)

    def add_comments(self) -> None:
        """Append the comments of reviewers."""
        for comment in children_of(self._load_optional("comments")):
            if text := self.text_of(comment):
                author = attribute(comment, "author") or "a reviewer"
                where = BlockLocation(part="comment")
                self._assembly.add(BlockKind.NOTE, f"Comment by {author}: {text}", where, told=PieceKind.COMMENT)

    def text_of(self, container: XmlElement) -> str:
        """Return all paragraphs of a note, comment, header or footer as one text."""
        boxes: list[XmlElement] = []
        texts = list(self._cell_texts(container, boxes))
        for box in boxes:
            texts += self._cell_texts(box, [])
        return "\n".join(texts)


def _find_nested(container: XmlElement, name: str) -> Iterable[XmlElement]:
    """Yield rows of a table or cells of a row, also inside content controls, but not those of nested tables."""
    for element in container:
        found = local_name(element)
        if found == name:
            yield element
        elif found in ("sdt", "sdtContent", "customXml", "ins", "smartTag"):
            yield from _find_nested(element, name)


def _read_running_texts(package: Package, main: str, kind: str, walk: _DocumentWalk) -> Iterable[str]:
    """Yield the distinct texts of the headers or footers."""
    seen: set[str] = set()
    for part in package.related(main, kind):
        try:
            text = walk.text_of(package.xml(part))
        except Unreadable:
            continue
        if text and text not in seen:
            seen.add(text)
            yield text
