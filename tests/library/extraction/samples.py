"""Files of every format with the same words in them, so that it is known what must come out of each."""

import csv
import io
import json
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import docx
import openpyxl
import typst
from pptx import Presentation
from tests.library.extraction.files import compound, opendocument
from tests.support.quality import SAMPLE

Rows = Sequence[Sequence[str]]
TABLE: Rows = (
    ("Town", "Inhabitants", "Mayor"),
    ("Kall", "1204", "Maren Holt"),
    ("Ostrand", "88310", "Liv Aune"),
    ("Varn", "412", "Jakob Rehm"),
)


@dataclass(frozen=True)
class Chapter:
    """A heading and the paragraphs below it."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Sample:
    """A file and the words in it, in their order."""

    name: str
    content: bytes
    words: str


def chapters(most: int = 6) -> tuple[Chapter, ...]:
    """Chapters made of the abstracts of our sample."""
    lines = (SAMPLE / "scifact" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()[:most]
    rows = [json.loads(line) for line in lines]
    return tuple(
        Chapter(row["title"].rstrip("."), (" ".join(row["sentences"][:2]), " ".join(row["sentences"][2:])))
        for row in rows
    )


def samples() -> Iterator[Sample]:
    """One file of each format."""
    told = chapters()
    prose = "\n".join("\n".join((each.heading, *each.paragraphs)) for each in told)
    table = "\n".join("\t".join(row) for row in TABLE)
    makers: dict[str, Callable[[Sequence[Chapter]], bytes]] = {
        "docx": _docx,
        "html": _html,
        "md": _markdown,
        "odt": _odt,
        "pptx": _pptx,
        "pdf": _pdf,
        "doc": _doc,
        "ppt": _ppt,
    }
    for kind, make in makers.items():
        has_table = kind not in {"pptx", "ppt", "doc"}
        yield Sample(f"sample.{kind}", make(told), f"{prose}\n{table}" if has_table else prose)
    yield Sample("columns.pdf", _pdf(told, columns=2), f"{prose}\n{table}")
    yield Sample("sample.csv", _csv(), table)
    yield Sample("sample.xlsx", _xlsx(), table)
    yield Sample("sample.xls", _xls(), table)
    yield Sample("sample.vtt", _subtitles(told), "\n".join(each.paragraphs[0] for each in told))


def handbook(pages_of: int = 30) -> bytes:
    """A PDF of many pages with head and foot, as a company's handbook has them."""
    return _pdf(chapters(pages_of), head='#set page(header: [Handbook], footer: context counter(page).display("1"))\n')


def _docx(told: Sequence[Chapter]) -> bytes:
    document = docx.Document()
    for each in told:
        document.add_heading(each.heading, 1)
        for paragraph in each.paragraphs:
            document.add_paragraph(paragraph)
    table = document.add_table(rows=0, cols=len(TABLE[0]))
    for row in TABLE:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    return _saved(document.save)


def _pptx(told: Sequence[Chapter]) -> bytes:
    presentation = Presentation()
    for each in told:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = each.heading
        slide.placeholders[1].text = "\n".join(each.paragraphs)
    return _saved(presentation.save)


def _xlsx() -> bytes:
    book = openpyxl.Workbook()
    for row in TABLE:
        book.active.append(list(row))
    return _saved(book.save)


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


def _html(told: Sequence[Chapter]) -> bytes:
    parts = [
        f"<h1>{escape(each.heading)}</h1>" + "".join(f"<p>{escape(text)}</p>" for text in each.paragraphs)
        for each in told
    ]
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in TABLE)
    return f"<!doctype html><html><body>{''.join(parts)}<table>{rows}</table></body></html>".encode()


def _markdown(told: Sequence[Chapter]) -> bytes:
    parts = ["\n\n".join((f"# {each.heading}", *each.paragraphs)) for each in told]
    head, *rows = ("| " + " | ".join(row) + " |" for row in TABLE)
    return "\n\n".join([*parts, "\n".join([head, "| --- | --- | --- |", *rows])]).encode()


def _odt(told: Sequence[Chapter]) -> bytes:
    parts = [
        f'<text:h text:outline-level="1">{escape(each.heading)}</text:h>'
        + "".join(f"<text:p>{escape(text)}</text:p>" for text in each.paragraphs)
        for each in told
    ]
    rows = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in TABLE
    )
    return opendocument("text", f"{''.join(parts)}<table:table>{rows}</table:table>")


def _pdf(told: Sequence[Chapter], *, columns: int = 1, head: str = "") -> bytes:
    # As strings of typst, in which nothing but quotes and backslashes has a meaning.
    parts = [
        f"#heading({json.dumps(each.heading)})\n"
        + "\n\n".join(f"#text({json.dumps(text)})" for text in each.paragraphs)
        for each in told
    ]
    cells = ", ".join(f"[{cell}]" for row in TABLE for cell in row)
    source = f"{head}#set page(columns: {columns})\n{chr(10).join(parts)}\n\n#table(columns: 3, {cells})"
    made: bytes = typst.compile(source.encode())
    return made


def _csv() -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(TABLE)
    return buffer.getvalue().encode()


def _subtitles(told: Sequence[Chapter]) -> bytes:
    cues = [f"00:00:{n:02}.000 --> 00:00:{n + 1:02}.000\n{each.paragraphs[0]}" for n, each in enumerate(told, 1)]
    return "\n\n".join(["WEBVTT", *cues]).encode()


def _doc(told: Sequence[Chapter]) -> bytes:
    """Word 97: the text in one piece, and a page of properties that says which paragraphs are headings."""
    styled = [(1, each.heading) for each in told], [(0, text) for each in told for text in each.paragraphs]
    ordered = [pair for n in range(len(told)) for pair in (styled[0][n], *styled[1][2 * n : 2 * n + 2])]
    start, properties = 1024, 512
    starts, text = [], b""
    for _, paragraph in ordered:
        starts.append(start + len(text))
        text += paragraph.encode("cp1252") + b"\r"
    page = struct.pack(f"<{len(ordered) + 1}I", *starts, start + len(text))
    for number in range(len(ordered)):
        page += struct.pack("<B12x", (500 - 4 * number) // 2)
    page = bytearray(page.ljust(511, b"\0") + bytes([len(ordered)]))
    for number, (style, _) in enumerate(ordered):
        page[500 - 4 * number : 503 - 4 * number] = struct.pack("<BH", 2, style)
    pieces = struct.pack("<II2xI2x", 0, len(text), (start * 2) | 0x40000000)
    clx = struct.pack("<BI", 2, len(pieces)) + pieces
    runs = struct.pack("<III", start, start + len(text), properties // 512)
    head = bytearray(512)
    struct.pack_into("<HH6xH", head, 0, 0xA5EC, 0x00C1, 0x0200)
    struct.pack_into("<I", head, 76, len(text))
    struct.pack_into("<II", head, 258, len(clx), len(runs))
    struct.pack_into("<II", head, 418, 0, len(clx))
    return compound({"WordDocument": bytes(head + page) + text, "1Table": clx + runs})


def _ppt(told: Sequence[Chapter]) -> bytes:
    """PowerPoint 97: a list of slides with their outline, and one edit that says where it stands."""
    listed = b""
    for number, each in enumerate(told, 1):
        listed += _record(0x03F3, struct.pack("<IIIII", 100 + number, 0, 2, number, 0))
        for kind, text in ((0, each.heading), (1, "\r".join(each.paragraphs))):
            listed += _record(0x0F9F, struct.pack("<I", kind)) + _record(0x0FA0, text.encode("utf-16-le"))
    document = _record(0x03E8, _record(0x0FF0, listed, version=0xF), version=0xF)
    places = _record(0x1772, struct.pack("<II", 1 | 1 << 20, 0))
    edit = _record(0x0FF5, struct.pack("<IIIIIII", 0, 0, 0, len(document), 1, 0, 0))
    user = struct.pack("<16xI", len(document) + len(places))
    return compound({"PowerPoint Document": document + places + edit, "Current User": user})


def _record(kind: int, content: bytes, *, version: int = 0) -> bytes:
    return struct.pack("<HHI", version, kind, len(content)) + content


def _xls() -> bytes:
    """Excel 97: a workbook with one sheet of labels."""
    sheet = _biff(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
    sheet += _biff(0x0200, struct.pack("<IIHHH", 0, len(TABLE), 0, len(TABLE[0]), 0))
    for number, row in enumerate(TABLE):
        for column, text in enumerate(row):
            label = struct.pack("<HHHHB", number, column, 0, len(text), 0) + text.encode("latin-1")
            sheet += _biff(0x0204, label)
    sheet += _biff(0x000A, b"")
    opened = _biff(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0))
    opened += _biff(0x0042, struct.pack("<H", 1200))
    name = b"Towns"
    place = len(opened) + 4 + 8 + len(name) + 4
    named = _biff(0x0085, struct.pack("<IBBBB", place, 0, 0, len(name), 0) + name)
    return compound({"Workbook": opened + named + _biff(0x000A, b"") + sheet})


def _biff(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content
