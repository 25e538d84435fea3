"""Reader of HTML: the visible text in reading order. The tree is walked without recursion, so depth is no problem."""

import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, PieceKind
from intelli.library.extraction.table import SpannedCell, expand_spans
from intelli.library.extraction.text import decode

_UNSEEN = {"script", "style", "noscript", "template", "head", "iframe", "object", "canvas", "datalist", "math-source"}
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "html", "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "search", "section", "summary", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
# What a tag says of the text inside it.
_TOLD = {
    "figcaption": PieceKind.CAPTION,
    "caption": PieceKind.CAPTION,
    "footer": PieceKind.FURNITURE,
    "nav": PieceKind.FURNITURE,
}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*+=\s*+[\"']?+\s*+([\w.:-]{2,40})", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f\v\u200b]+")
_TEXT = "-text"


def extract_html(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a web page, with its tables and headings."""
    assembly = TextAssembler(limits)
    title = add_html(assembly, _decode(path.read_bytes()), BlockLocation())
    return assembly.finish("text/html", title=title)


def add_html(assembly: TextAssembler, source: str, place: BlockLocation) -> str | None:
    """Append the visible text of a page to the assembler; return the page's title, or None."""
    try:
        tree = LexborHTMLParser(source)
    except SelectolaxError as error:  # any text is HTML, so this can only be want of memory
        raise MemoryError from error
    if tree.body is not None:
        _Walk(assembly, place).add(tree.body)
    title = tree.css_first("head > title")
    return title.text() if title is not None else None


def _decode(raw: bytes) -> str:
    """Decode by the charset that the page declares, unless its bytes contradict it."""
    declared = _CHARSET.search(raw[:4096])
    if declared and not raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return raw.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(raw)


class _Walk:
    """Visits nodes in document order and splits their text into blocks."""

    def __init__(self, assembly: TextAssembler, place: BlockLocation) -> None:
        self._assembly = assembly
        self._max_cells = assembly.limits.max_cells
        self._place = place
        self._words: list[str] = []
        self._lists: list[int | None] = []  # the next number of each open list; None where items have bullets
        self._item = ""
        self._furniture = 0
        self._code = 0
        self._told: list[PieceKind] = []

    def add(self, top: LexborNode) -> None:
        for node, is_end in _visits(top):
            if self._assembly.is_full:
                return
            if is_end:
                self._leave_node(node)
            else:
                self._enter_node(node)
        self._flush(BlockKind.PARAGRAPH)

    def _enter_node(self, node: LexborNode) -> None:
        tag = node.tag
        if tag == _TEXT:
            self._words.append(node.text_content or "")
        elif tag == "br":
            self._words.append("\n" if self._code else "\0")
        elif tag in ("img", "input", "area"):
            self._words.append(f" {_replacement_text(node)} ")
        elif tag == "table":
            self._flush(self._text_kind)
            self._add_table(node)
        elif tag in _BLOCKS:
            self._flush(self._text_kind)
            self._open_block(tag, node)
            if told := self._told_by(tag, node):
                self._told.append(told)

    def _open_block(self, tag: str, node: LexborNode) -> None:
        if tag in ("ol", "ul", "menu"):
            start = node.attributes.get("start") or "1"
            self._lists.append((int(start) if start.isdecimal() else 1) if tag == "ol" else None)
        elif tag == "li":
            self._item = self._next_marker()
        elif tag == "nav":
            self._furniture += 1
        elif tag == "pre":
            self._code += 1

    def _told_by(self, tag: str, node: LexborNode) -> PieceKind | None:
        """Return what a tag says of the text inside it. In a mail, a block quote is an earlier mail."""
        if tag == "blockquote" and self._place.part == "body":
            return PieceKind.QUOTED_REPLY
        return _TOLD.get(tag)

    def _leave_node(self, node: LexborNode) -> None:
        tag = node.tag
        if tag not in _BLOCKS or tag == "table":
            return
        level = int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1].isdecimal() else 0
        self._flush(BlockKind.HEADING if level else self._text_kind, level)
        if self._told and self._told_by(tag, node):
            self._told.pop()
        if tag in ("ol", "ul", "menu") and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._item = ""
        elif tag == "nav":
            self._furniture -= 1
        elif tag == "pre":
            self._code -= 1

    @property
    def _text_kind(self) -> BlockKind:
        if self._code:
            return BlockKind.CODE
        return BlockKind.LIST if self._lists else BlockKind.PARAGRAPH

    def _next_marker(self) -> str:
        if not self._lists:
            return "- "
        number = self._lists[-1]
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _flush(self, kind: BlockKind, level: int = 0) -> None:
        text = "".join(self._words)
        self._words.clear()
        if not self._code:
            text = "\n".join(_SPACE.sub(" ", line).strip() for line in text.split("\0")).strip("\n")
        if not text.strip():
            return
        if kind is BlockKind.LIST:
            text, self._item = self._item + text, ""
        if self._furniture:
            kind, level = BlockKind.FURNITURE, 0
        self._assembly.add(kind, text, self._place, level, told=self._told[-1] if self._told else None)

    def _add_table(self, table: LexborNode) -> None:
        kind = BlockKind.FURNITURE if self._furniture else BlockKind.TABLE
        rows = expand_spans(_rows(table), max_cells=self._max_cells)
        self._assembly.add(kind, "\n".join(rows), self._place)


def _visits(top: LexborNode, *, into_tables: bool = False) -> Iterator[tuple[LexborNode, bool]]:
    """Yield every visible node twice: (node, False) before its descendants and (node, True) after them."""
    pending = [(top, False)]
    while pending:
        node, is_end = pending.pop()
        if is_end:
            yield node, True
        elif node.tag not in _UNSEEN and not _is_hidden(node):
            yield node, False
            pending.append((node, True))
            if into_tables or node.tag != "table":
                children = list(node.iter(include_text=True))
                pending += [(child, False) for child in reversed(children)]


def _is_hidden(node: LexborNode) -> bool:
    if not node.is_element_node:
        return False
    attributes = node.attributes
    return "hidden" in attributes or bool(_HIDDEN.search(attributes.get("style") or ""))


def _replacement_text(node: LexborNode) -> str:
    """Return the text that an image or input shows: its alternative text, value or check box."""
    attributes = node.attributes
    if node.tag != "input":
        return attributes.get("alt") or ""
    kind = (attributes.get("type") or "text").lower()
    if kind in ("hidden", "password", "file", "image", "radio"):
        return ""
    if kind == "checkbox":
        return "[x]" if "checked" in attributes else "[ ]"
    return attributes.get("value") or ""


def _rows(table: LexborNode) -> Iterator[list[SpannedCell]]:
    """Yield the rows of a table; a table inside a cell is read as text of the cell."""
    row: list[SpannedCell] = []
    words: list[str] = []
    depth = 0
    for node, is_end in _visits(table, into_tables=True):
        tag = node.tag
        if tag == "table":
            depth += -1 if is_end else 1
        if tag in _BLOCKS or tag == "br":
            words.append(" ")
        if depth == 1 and is_end and tag in ("td", "th", "caption"):
            row.append(_cell(node, "".join(words)))
            words.clear()
        if row and _is_row_boundary(tag, depth):
            yield row
            row = []
        if not is_end:
            words.append(_own_text(node))


def _is_row_boundary(tag: str | None, depth: int) -> bool:
    """Return whether a row ends here; `depth` counts the tables that are open, nested ones included."""
    return depth == 0 or (depth == 1 and tag in ("tr", "caption"))


def _own_text(node: LexborNode) -> str:
    """Return the text of a node without that of its descendants."""
    if node.tag == _TEXT:
        return node.text_content or ""
    return f" {_replacement_text(node)} " if node.tag in ("img", "input") else ""


def _cell(node: LexborNode, text: str) -> SpannedCell:
    columns, rows = (_span(node.attributes.get(name)) for name in ("colspan", "rowspan"))
    return SpannedCell(_SPACE.sub(" ", text).strip(), columns, rows)


def _span(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 6 else 1
