"""Parse GML into a paper. No text is lost: text or elements in a wrong place become paragraphs."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from intelli.deliverables import safe_vega
from intelli.deliverables.brief import Metric
from intelli.deliverables.gml import tree
from intelli.deliverables.gml.tree import GmlElement, Node
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

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4}
_BOLD, _ITALIC = {"strong", "b"}, {"em", "i"}
_INLINE = _BOLD | _ITALIC | {"a", "code", "sup", "sub", "br", "gml-inlinecitation"}
_SPACE = re.compile(r"[ \t\r\n\f]+")
_UNFIT = re.compile(r"[^\w-]+")
_LONGEST_ID = 60


@dataclass(frozen=True, slots=True)
class _Style:
    bold: bool = False
    italic: bool = False
    href: str | None = None


def parse(text: str, *, language: str = "en") -> Paper:
    """Parse a GML text into a paper."""
    blocks = tuple(_with_heading_ids(_blocks(tree.parse(text))))
    title = next((each.text for each in blocks if isinstance(each, Heading) and each.level == 1), "")
    return Paper(title=title, blocks=blocks, language=language)


def make_anchor(text: str, taken: set[str]) -> str:
    """Return an id for a heading that is not in `taken`, and add it there."""
    stem = _UNFIT.sub("-", text.lower()).strip("-_")[:_LONGEST_ID] or "section"
    made, number = stem, 2
    while made in taken:
        made, number = f"{stem}-{number}", number + 1
    taken.add(made)
    return made


def _with_heading_ids(blocks: Sequence[Block]) -> Iterator[Block]:
    taken: set[str] = set()
    for block in blocks:
        yield _with_ids(block, taken)


def _with_ids(block: Block, taken: set[str]) -> Block:
    match block:
        case Heading():
            return block.model_copy(update={"id": make_anchor(block.text, taken)})
        case Row():
            primary = tuple(_with_ids(each, taken) for each in block.primary)
            return Row(primary=primary, sidebar=tuple(_with_ids(each, taken) for each in block.sidebar))
        case _:
            return block


def _blocks(nodes: Sequence[Node]) -> list[Block]:
    """Convert nodes to blocks: adjacent inline nodes become one paragraph, adjacent metrics one group."""
    found: list[Block] = []
    loose: list[Node] = []
    for node in nodes:
        if isinstance(node, str) or node.tag in _INLINE:
            loose.append(node)
            continue
        found += _paragraph(loose)
        loose = []
        for block in _block(node):
            if isinstance(block, Metrics) and found and isinstance(found[-1], Metrics):
                found[-1] = Metrics(metrics=(*found[-1].metrics, *block.metrics))
            else:
                found.append(block)
    return found + _paragraph(loose)


def _block(element: GmlElement) -> list[Block]:  # noqa: PLR0911  # one line for each tag
    match element.tag:
        case "h1" | "h2" | "h3" | "h4":
            return _heading(element)
        case "ul" | "ol":
            return _list(element)
        case "blockquote" | "gml-blockquote":
            runs = runs_of(element.children)
            return [QuoteBlock(runs=runs)] if runs else []
        case "table":
            return _table(element, "")
        case "gml-table":
            return _table(element, element.attributes.get("caption", ""))
        case "gml-chartcontainer":
            return _chart(element)
        case "gml-infoblockmetric":
            return _metric(element)
        case "gml-gradientinsightbox":
            return [Callout(title=element.attributes.get("title", ""), runs=runs_of(element.children))]
        case "gml-row":
            return _row(element)
        case "gml-sources":
            return [SourcesList()]
        case "p" | "pre" | "li":
            return _paragraph_or_blocks(element)
        case _:
            return _blocks(element.children)


def _heading(element: GmlElement) -> list[Block]:
    """Read a heading; its citations become a paragraph below it."""
    words = _collapse_space(tree.text_of(element.children))
    heading: list[Block] = [Heading(level=_HEADINGS[element.tag], text=words, id="")] if words else []
    return heading + _paragraph([each for each in element.children if _is_citation(each)])


def _paragraph_or_blocks(element: GmlElement) -> list[Block]:
    """Read a paragraph; when it contains blocks, its children become blocks of their own."""
    if any(isinstance(each, GmlElement) and each.tag not in _INLINE for each in element.children):
        return _blocks(element.children)
    return _paragraph(element.children)


def _paragraph(nodes: Sequence[Node]) -> list[Block]:
    runs = runs_of(nodes)
    return [Paragraph(runs=runs)] if runs else []


def _list(element: GmlElement) -> list[Block]:
    items = [each for each in element.children if isinstance(each, GmlElement) or each.strip()]
    runs = tuple(found for each in items if (found := runs_of([each])))
    if not runs:
        return []
    return [Numbered(items=runs)] if element.tag == "ol" else [Bullets(items=runs)]


def _row(element: GmlElement) -> list[Block]:
    sides: dict[str, list[Node]] = {"gml-primarycolumn": [], "gml-sidebarcolumn": []}
    for child in element.children:
        name = child.tag if isinstance(child, GmlElement) else ""
        if isinstance(child, GmlElement) and name in sides:
            sides[name] += child.children
        else:
            sides["gml-primarycolumn"].append(child)
    primary, sidebar = (tuple(_blocks(side)) for side in sides.values())
    return [Row(primary=primary, sidebar=sidebar)] if primary or sidebar else []


def _table(element: GmlElement, caption: str) -> list[Block]:
    """Read a table, padding rows to equal length. The first row is the header; loose text precedes the table."""
    rows = list(_rows(element))
    loose = [each for each in element.children if isinstance(each, str) and each.strip()]
    if not rows:
        return _blocks(element.children)
    width = max(len(row) for row in rows)
    cells = [tuple(runs_of(cell.children) for cell in row) + ((),) * (width - len(row)) for row in rows]
    has_header = all(cell.tag == "th" for cell in rows[0])
    columns = tuple("".join(run.text for run in cell) for cell in cells[0]) if has_header else ("",) * width
    body = tuple(cells[1:] if has_header else cells)
    return [*_paragraph(loose), TableBlock(caption=caption, columns=columns, rows=body)]


def _rows(element: GmlElement) -> Iterator[list[GmlElement]]:
    for child in element.children:
        if not isinstance(child, GmlElement):
            continue
        if child.tag == "tr":
            cells = [each for each in child.children if isinstance(each, GmlElement) and each.tag in {"td", "th"}]
            if cells:
                yield cells
        elif child.tag in {"thead", "tbody", "table"}:
            yield from _rows(child)


def _chart(element: GmlElement) -> list[Block]:
    """Read a chart; when its text is not a spec that is safe to draw, return the text as a paragraph."""
    words = "".join(each for each in element.children if isinstance(each, str)).strip()
    cited = _identifiers(element)
    try:
        said = json.loads(words)
    except (ValueError, RecursionError):
        said = None
    spec = safe_vega.sanitize(said) if isinstance(said, dict) else None
    if spec is None:
        return _paragraph(element.children)
    named = element.attributes
    return [Chart(spec=spec, caption=named.get("caption", ""), alt=named.get("alt", ""), citations=cited)]


def _metric(element: GmlElement) -> list[Block]:
    """Read a metric; when its value is not a finite number, return a paragraph."""
    said = element.attributes
    shown = _collapse_space(tree.text_of(element.children))
    cited = _identifiers(element)
    try:
        value = Decimal(said.get("value", ""))
    except InvalidOperation:
        return _paragraph([said.get("name", ""), " ", *element.children])
    if not value.is_finite():
        return _paragraph([said.get("name", ""), " ", *element.children])
    metric = Metric(
        key=said.get("key", ""),
        name=said.get("name", ""),
        value=value,
        unit=said.get("unit", ""),
        period=said.get("period", ""),
        entity=said.get("entity", ""),
        shown=shown,
        citation=cited[0] if cited else "",
    )
    return [Metrics(metrics=(metric,))]


def runs_of(nodes: Sequence[Node]) -> Runs:
    """Convert inline nodes to runs: white space is collapsed, and a citation belongs to the text before it."""
    runs: list[TextRun] = []
    _collect_runs(nodes, _Style(), runs)
    if runs and not runs[0].citations:
        runs[0] = runs[0].model_copy(update={"text": runs[0].text.lstrip(" ")})
    if runs and not runs[-1].citations:
        runs[-1] = runs[-1].model_copy(update={"text": runs[-1].text.rstrip(" ")})
    return tuple(run for run in runs if run.text or run.citations)


def _collect_runs(nodes: Sequence[Node], style: _Style, runs: list[TextRun]) -> None:
    for node in nodes:
        if isinstance(node, str):
            _append_text(node, style, runs)
        elif node.tag == "gml-inlinecitation":
            _append_citation(node.attributes.get("identifier", ""), runs)
        elif node.tag == "br":
            _append_text(" ", style, runs)
        elif node.tag == "gml-chartcontainer":
            _collect_runs(node.children, style, runs)
        else:
            _collect_runs(node.children, _styled(node, style), runs)


def _styled(node: GmlElement, style: _Style) -> _Style:
    if node.tag in _BOLD:
        return replace(style, bold=True)
    if node.tag in _ITALIC:
        return replace(style, italic=True)
    return replace(style, href=node.attributes["href"]) if "href" in node.attributes else style


def _append_text(words: str, style: _Style, runs: list[TextRun]) -> None:
    text = _SPACE.sub(" ", words)
    last = runs[-1] if runs else None
    if last is not None and not last.citations and _Style(last.bold, last.italic, last.href) == style:
        runs[-1] = last.model_copy(update={"text": _SPACE.sub(" ", last.text + text)})
    elif text:
        runs.append(TextRun(text=text, bold=style.bold, italic=style.italic, href=style.href))


def _append_citation(identifier: str, runs: list[TextRun]) -> None:
    if not identifier:
        return
    if not runs:
        runs.append(TextRun(text="", citations=(identifier,)))
        return
    runs[-1] = runs[-1].model_copy(update={"citations": (*runs[-1].citations, identifier)})


def _identifiers(element: GmlElement) -> tuple[str, ...]:
    """Return the identifiers that an element cites itself."""
    inner = [each for each in element.children if isinstance(each, GmlElement) and each.tag == "gml-inlinecitation"]
    return tuple(each.attributes.get("identifier", "") for each in inner)


def _is_citation(node: Node) -> bool:
    return isinstance(node, GmlElement) and node.tag == "gml-inlinecitation"


def _collapse_space(text: str) -> str:
    return _SPACE.sub(" ", text).strip(" ")
