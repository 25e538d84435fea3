"""Makes small PDFs for the tests: a few glyphs, each where the test wants it."""

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, String

LETTER = (612, 792)


@dataclass(frozen=True)
class Sheet:
    """A page to be made; `notes` are annotations, ready for the page."""

    content: bytes = b""
    size: tuple[float, float] = LETTER
    rotate: int = 0
    crop: tuple[float, float, float, float] | None = None
    picture: tuple[bytes, int, int] | None = None  # gray pixels, width, height; named /Im
    notes: list[Dictionary] = field(default_factory=list)


def show(text: str, x: float, y: float, *, size: float = 12, font: str = "F1", turn: str = "1 0 0 1") -> bytes:
    """An operator sequence that paints the text with its baseline beginning at x, y from the bottom left."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("latin-1")
    return b"BT /%s %g Tf %s %g %g Tm (%s) Tj ET\n" % (font.encode(), size, turn.encode(), x, y, escaped)


def paragraph(lines: Iterable[str], x: float, y: float, *, size: float = 12, font: str = "F1") -> bytes:
    """Lines below each other."""
    return b"".join(show(line, x, y - n * 1.2 * size, size=size, font=font) for n, line in enumerate(lines))


def make_pdf(
    *sheets: Sheet, letters: str | dict[int, str] = "", info: dict[str, str] | None = None, encryption: object = None
) -> bytes:
    """A PDF with the fonts F1 (Helvetica), F2 (bold), F3 (Courier), and F4, whose glyph "A" means the first of
    `letters`, "B" the second, and so on."""
    pdf = build_pdf(*sheets, letters=letters)
    for name, value in (info or {}).items():
        pdf.docinfo[f"/{name}"] = value
    return saved(pdf, encryption)


def build_pdf(*sheets: Sheet, letters: str | dict[int, str] = "") -> pikepdf.Pdf:
    """The same, not saved yet."""
    pdf = pikepdf.new()
    fonts = Dictionary(F1=_font("Helvetica"), F2=_font("Helvetica-Bold"), F3=_font("Courier"), F4=_font("Helvetica"))
    if letters:
        fonts.F4.ToUnicode = pdf.make_stream(_unicode_map(letters))
    for sheet in sheets:
        _add(pdf, sheet, fonts)
    return pdf


def saved(pdf: pikepdf.Pdf, encryption: object = None) -> bytes:
    buffer = io.BytesIO()
    pdf.save(buffer, encryption=encryption or False)
    return buffer.getvalue()


def write(folder: Path, content: bytes, name: str = "file.pdf") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def comment(text: str, box: tuple[float, float, float, float]) -> Dictionary:
    """A sticky note."""
    return Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array(box), Contents=String(text))


def _font(name: str) -> Dictionary:
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{name}"), Encoding=Name.WinAnsiEncoding)


def _unicode_map(letters: str | dict[int, str]) -> bytes:
    meanings = letters if isinstance(letters, dict) else {ord("A") + n: letter for n, letter in enumerate(letters)}
    rows = "".join(f"<{code:02X}> <{text.encode('utf-16-be').hex()}>\n" for code, text in meanings.items())
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(meanings)} beginbfchar\n{rows}endbfchar\nendcmap end end"
    ).encode()


def _add(pdf: pikepdf.Pdf, sheet: Sheet, fonts: Dictionary) -> None:
    pdf.add_blank_page(page_size=sheet.size)
    page = pdf.pages[-1].obj
    page.Resources = Dictionary(Font=fonts)
    if sheet.picture:
        pixels, width, height = sheet.picture
        image = pdf.make_stream(pixels)
        image.Type, image.Subtype, image.ColorSpace = Name.XObject, Name.Image, Name.DeviceGray
        image.Width, image.Height, image.BitsPerComponent = width, height, 8
        page.Resources.XObject = Dictionary(Im=image)
    page.Contents = pdf.make_stream(sheet.content)
    if sheet.rotate:
        page.Rotate = sheet.rotate
    if sheet.crop:
        page.CropBox = Array(sheet.crop)
    if sheet.notes:
        page.Annots = Array([pdf.make_indirect(note) for note in sheet.notes])
