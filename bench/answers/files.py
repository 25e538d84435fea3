"""Makes the files that people have of a labelled document's source: PDF, Word, PowerPoint, Excel, HTML."""

import html
import io
import re
from collections.abc import Callable, Mapping, Sequence

import typst
from docx import Document
from docx.shared import Pt
from openpyxl import Workbook
from openpyxl.styles import Font
from pptx import Presentation
from pptx.util import Inches

from bench.answers.blocks import (
    Block,
    HeadingBlock,
    ItemsBlock,
    PageBreak,
    ParagraphBlock,
    TableBlock,
    read_blocks,
    read_options,
    split_row,
)

_TYPST_MARKS = re.compile(r"([\\#$*_@<>`~\[\]=+/-])")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_CAPTION = re.compile(r"(?:Table|Figure|Tabelle|Abbildung) \d+[:.]")


def pdf(source: str) -> bytes:
    """Make a PDF. Options: columns, contents, head, foot, lang."""
    options, text = read_options(source)
    head, foot = (_typst_text(options.get(name, "")) for name in ("head", "foot"))
    lang = options.get("lang", "en")
    page = f'paper: "a4", columns: {options.get("columns", "1")}, margin: 2.2cm'
    number = "#h(1fr) #context counter(page).display()"
    begun = [
        f"#set page({page}, header: [#text(8pt)[{head}]], footer: [#text(8pt)[{foot} {number}]])",
        f'#set text(size: 10pt, lang: "{lang}", hyphenate: {"true" if "columns" in options else "false"})',
        "#set par(justify: true)",
    ]
    if "contents" in options:
        begun.append(f"#outline(title: [{_typst_text(options['contents'])}])\n#pagebreak()")
    return bytes(typst.compile("\n".join([*begun, *map(_typst_block, read_blocks(text))]).encode()))


def _typst_text(text: str) -> str:
    return _TYPST_MARKS.sub(r"\\\1", text.replace("**", ""))


def _typst_block(block: Block) -> str:
    match block:
        case HeadingBlock(level, text):
            return f"\n{'=' * level} {_typst_text(text)}\n"
        case ItemsBlock(texts, is_numbered):
            return "\n" + "\n".join(f"{'+' if is_numbered else '-'} {_typst_text(each)}" for each in texts) + "\n"
        case TableBlock(rows):
            return _typst_table(rows)
        case PageBreak():
            return "#pagebreak()"
        case ParagraphBlock(text) if _CAPTION.match(text):
            return f"#align(center)[#text(8pt)[{_typst_text(text)}]]\n"
        case ParagraphBlock(text):
            return f"{_typst_text(text)}\n"


def _typst_table(rows: Sequence[Sequence[str]]) -> str:
    cells = [f"[{_typst_text(cell)}]" for row in rows for cell in row]
    return f"#table(columns: {len(rows[0])}, stroke: 0.4pt, {', '.join(cells)})\n"


def docx(source: str) -> bytes:
    """Make a Word file. Options: head, foot."""
    options, text = read_options(source)
    document = Document()
    document.sections[0].header.paragraphs[0].text = options.get("head", "")
    document.sections[0].footer.paragraphs[0].text = options.get("foot", "")
    for block in read_blocks(text):
        _add_to_docx(document, block)
    return _saved(document.save)


def _add_to_docx(document: "Document", block: Block) -> None:
    match block:
        case HeadingBlock(level, text):
            document.add_heading(_plain(text), level)
        case ItemsBlock(texts, is_numbered):
            for each in texts:
                document.add_paragraph(_plain(each), style="List Number" if is_numbered else "List Bullet")
        case TableBlock(rows):
            table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
            for row in rows:
                for cell, value in zip(table.add_row().cells, row, strict=True):
                    cell.text = _plain(value)
        case PageBreak():
            document.add_page_break()
        case ParagraphBlock(text):
            run = document.add_paragraph().add_run(_plain(text))
            run.font.size = Pt(9) if _CAPTION.match(text) else Pt(11)


def pptx(source: str) -> bytes:
    """Make slides; each heading of level 1 begins one."""
    _, text = read_options(source)
    deck = Presentation()
    slide = None
    for block in read_blocks(text):
        if isinstance(block, HeadingBlock) and block.level == 1:
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = block.text
            continue
        assert slide is not None, "slides begin with a heading"
        _add_to_slide(slide, block)
    return _saved(deck.save)


def _add_to_slide(slide: "Presentation", block: Block) -> None:
    frame = slide.placeholders[1].text_frame
    match block:
        case TableBlock(rows):
            place = (Inches(0.6), Inches(4.2), Inches(8.8), Inches(0.35) * len(rows))
            table = slide.shapes.add_table(len(rows), len(rows[0]), *place).table
            for y, row in enumerate(rows):
                for x, value in enumerate(row):
                    table.cell(y, x).text = _plain(value)
        case ItemsBlock(texts, _):
            for each in texts:
                frame.add_paragraph().text = _plain(each)
        case HeadingBlock(_, text) | ParagraphBlock(text):
            frame.add_paragraph().text = _plain(text)
        case PageBreak():
            return


def xlsx(source: str) -> bytes:
    """Make a workbook: `# name` begins a sheet, each other line is a row; a cell `<` is merged with the one before."""
    book = Workbook()
    book.remove(book.active)
    for part in source.split("\n# "):
        name, *lines = part.removeprefix("# ").splitlines()
        sheet = book.create_sheet(name.strip())
        for y, line in enumerate(lines, 1):
            _add_row(sheet, y, split_row(line) if line.strip() else ())
    return _saved(book.save)


def _add_row(sheet: "Workbook", y: int, cells: Sequence[str]) -> None:
    for x, cell in enumerate(cells, 1):
        if cell == "<":
            first = next(before for before in range(x - 1, 0, -1) if cells[before - 1] != "<")
            is_last = x == len(cells) or cells[x] != "<"
            if is_last:
                sheet.merge_cells(start_row=y, end_row=y, start_column=first, end_column=x)
        elif cell:
            sheet.cell(y, x, float(cell) if _NUMBER.fullmatch(cell) else cell.replace("**", ""))
            sheet.cell(y, x).font = Font(bold=cell.startswith("**"))


def page(source: str) -> bytes:
    """Make an HTML page. Options: title, lang, menu and foot, as sites have them."""
    options, text = read_options(source)
    menu = "".join(f'<li><a href="#">{html.escape(each)}</a></li>' for each in options.get("menu", "Home").split(","))
    body = "\n".join(map(_html_block, read_blocks(text)))
    return (
        f'<!doctype html><html lang="{options.get("lang", "en")}"><head><meta charset="utf-8">'
        f"<title>{html.escape(options.get('title', ''))}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<main>{body}</main><footer>{html.escape(options.get('foot', ''))}</footer></body></html>"
    ).encode()


def _html_block(block: Block) -> str:
    match block:
        case HeadingBlock(level, text):
            return f"<h{level}>{_escaped(text)}</h{level}>"
        case ItemsBlock(texts, is_numbered):
            tag = "ol" if is_numbered else "ul"
            return f"<{tag}>" + "".join(f"<li>{_escaped(each)}</li>" for each in texts) + f"</{tag}>"
        case TableBlock(rows):
            first, *rest = ("<tr>" + "".join(f"<td>{_escaped(cell)}</td>" for cell in row) + "</tr>" for row in rows)
            return f"<table><thead>{first.replace('td>', 'th>')}</thead><tbody>{''.join(rest)}</tbody></table>"
        case PageBreak():
            return "<hr>"
        case ParagraphBlock(text):
            return f"<p>{_escaped(text)}</p>"


def _escaped(text: str) -> str:
    return html.escape(_plain(text))


def _plain(text: str) -> str:
    return text.replace("**", "")


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    save(out)
    return out.getvalue()


MAKERS: Mapping[str, Callable[[str], bytes]] = {".pdf": pdf, ".docx": docx, ".pptx": pptx, ".xlsx": xlsx, ".html": page}
