"""Reader of PowerPoint presentations: each slide is a page, its shapes in reading order, then notes and comments."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.chart import chart_table
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Box, Extraction, PieceKind, Unreadable
from intelli.library.extraction.ooxml import Package, Relation, relation_id
from intelli.library.extraction.pptx.shapes import Shape, in_reading_order, placeholder_boxes
from intelli.library.extraction.pptx.words import read_table_rows, read_text_body
from intelli.library.extraction.table import expand_spans
from intelli.library.extraction.xml import XmlElement, child, children_of, local_name

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_MAIN = "ppt/presentation.xml"
_EMU_PER_PT = 12_700
_SLIDE_PT = (720.0, 540.0)


def extract_pptx(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a presentation; each slide is a page."""
    with Package(path, limits) as package:
        main = package.main(_MAIN)
        root = package.xml(main)
        assembly = TextAssembler(limits)
        width, height = _size(child(root, "sldSz"))
        slides = _slides(package, main, root)
        context = _SlideContext(package, assembly, _authors(package, main))
        for number, part in enumerate(slides[: limits.max_pages], 1):
            assembly.begin_page(width, height)
            try:
                _Slide(context, part, number).add()
            except Unreadable:
                assembly.warn(f"Slide {number} is damaged and was left out.")
        if len(slides) > limits.max_pages:
            assembly.warn(f"Only the first {limits.max_pages:,} slides were read.")
        title, properties = package.properties()
        return assembly.finish(_MEDIA_TYPE, title=title, properties=properties)


def _size(element: XmlElement | None) -> tuple[float, float]:
    sizes = [element.get(name) or "" for name in ("cx", "cy")] if element is not None else []
    if len(sizes) == 2 and all(size.isdecimal() and len(size) < 12 for size in sizes):
        return int(sizes[0]) / _EMU_PER_PT, int(sizes[1]) / _EMU_PER_PT
    return _SLIDE_PT


def _slides(package: Package, main: str, root: XmlElement) -> list[str]:
    """Return the part names of the slides, in the order they are shown."""
    relations = package.relations(main)
    ids = [relation_id(each) or "" for each in children_of(root, "sldIdLst")]
    return [relations[each].target for each in ids if each in relations and package.has(relations[each].target)]


@dataclass(frozen=True, slots=True)
class _SlideContext:
    """State that all slides share."""

    package: Package
    assembly: TextAssembler
    authors: dict[str, str]


class _Slide:
    """Appends one slide to the assembler."""

    def __init__(self, context: "_SlideContext", part: str, number: int) -> None:
        package = self._package = context.package
        self._part = part
        self._number = number
        self._assembly = context.assembly
        self._authors = context.authors
        self._relations = package.relations(part)

    def add(self) -> None:
        tree = children_of(self._package.xml(self._part), "cSld", "spTree")
        for shape in in_reading_order(tree, self._inherited_boxes()):
            self._add_shape(shape)
        self._add_notes()
        self._add_comments()

    def _inherited_boxes(self) -> dict[tuple[str, str], Box]:
        """Return the boxes of placeholders set by layout and master; those of the layout take precedence."""
        found: dict[tuple[str, str], Box] = {}
        part = self._part
        for kind in ("slideLayout", "slideMaster"):
            parts = self._package.related(part, kind)
            if not parts:
                break
            part = parts[0]
            with suppress(Unreadable):
                found = placeholder_boxes(children_of(self._package.xml(part), "cSld", "spTree")) | found
        return found

    def _place(self, shape: Shape | None = None) -> BlockLocation:
        return BlockLocation(slide=self._number, box=shape.box if shape else None)

    def _add_shape(self, shape: Shape) -> None:
        text, is_list = read_text_body(child(shape.element, "txBody"))
        if shape.is_furniture:
            self._assembly.add(BlockKind.FURNITURE, text, self._place(shape))
        elif shape.is_title:
            told = PieceKind.TITLE if shape.role == "ctrTitle" and self._number == 1 else None
            self._assembly.add(BlockKind.HEADING, " ".join(text.split()), self._place(shape), 1, told=told)
        elif text:
            is_list = is_list or (shape.role in ("body", "obj") and "\n" in text)
            self._assembly.add(BlockKind.LIST if is_list else BlockKind.PARAGRAPH, text, self._place(shape))
        elif local_name(shape.element) == "graphicFrame":
            self._add_graphic(shape)

    def _add_graphic(self, shape: Shape) -> None:
        for element in shape.element.iter():
            name = local_name(element)
            if name == "tbl":
                rows = expand_spans(read_table_rows(element), max_cells=self._assembly.limits.max_cells)
                self._assembly.add(BlockKind.TABLE, "\n".join(rows), self._place(shape))
            elif name == "chart":
                self._add_part(relation_id(element), shape, BlockKind.TABLE)
            elif name == "relIds":
                data = next((str(text) for key, text in element.attrib.items() if str(key).endswith("}dm")), None)
                self._add_part(data, shape, BlockKind.LIST)

    def _add_part(self, relation: str | None, shape: Shape, kind: BlockKind) -> None:
        """Append a chart, or the texts of a diagram; skip it when it is missing or damaged."""
        found: Relation | None = self._relations.get(relation or "")
        if found is None or not self._package.has(found.target):
            return
        with suppress(Unreadable):
            root = self._package.xml(found.target)
            text = chart_table(root) if kind is BlockKind.TABLE else _diagram(root)
            self._assembly.add(kind, text, self._place(shape))

    def _add_notes(self) -> None:
        for part in self._package.related(self._part, "notesSlide"):
            with suppress(Unreadable):
                for shape in in_reading_order(children_of(self._package.xml(part), "cSld", "spTree"), {}):
                    if shape.role == "body":
                        text, _ = read_text_body(child(shape.element, "txBody"))
                        self._assembly.add(BlockKind.NOTE, text, self._place(), told=PieceKind.PARAGRAPH)

    def _add_comments(self) -> None:
        for part in self._package.related(self._part, "comments"):
            with suppress(Unreadable):
                for comment in self._package.xml(part).iter():
                    if local_name(comment) in ("cm", "reply"):
                        author = self._authors.get(comment.get("authorId") or "", "a reviewer")
                        text = _comment(comment, author)
                        self._assembly.add(BlockKind.NOTE, text, self._place(), told=PieceKind.COMMENT)


def _authors(package: Package, main: str) -> dict[str, str]:
    """Map ids to names of those who commented, from the old and the new comment format."""
    found: dict[str, str] = {}
    for kind in ("commentAuthors", "authors"):
        for part in package.related(main, kind):
            with suppress(Unreadable):
                found |= {each.get("id") or "": each.get("name") or "" for each in package.xml(part)}
    return found


def _comment(comment: XmlElement, author: str) -> str:
    plain = child(comment, "text")
    text = plain.text or "" if plain is not None else read_text_body(child(comment, "txBody"))[0]
    return f"Comment by {author}: {text.strip()}" if text.strip() else ""


def _diagram(root: XmlElement) -> str:
    texts = (read_text_body(each)[0] for each in root.iter() if local_name(each) == "t" and len(each))
    return "\n".join(f"- {text}" for text in texts if text)
