"""Draws a card with the beginning of a text: the thumbnail of a document without pages."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from PIL import Image, ImageDraw, ImageFont

LINE_END = "\n"
_MARGIN = 16
_KINDS = {
    "wordprocessing": "DOCX",
    "spreadsheet": "XLSX",
    "ms-excel": "XLS",
    "presentation": "PPTX",
    "ms-powerpoint": "PPT",
    "msword": "DOC",
    "opendocument.text": "ODT",
    "csv": "CSV",
    "markdown": "MD",
    "html": "HTML",
    "json": "JSON",
    "xml": "XML",
    "rfc822": "MAIL",
    "zip": "ZIP",
    "vtt": "VTT",
    "subrip": "SRT",
    "pdf": "PDF",
}
_INK, _PALE_INK, _BAR, _ACCENT = "#1f2328", "#57606a", "#d0d7de", "#3b5bdb"

_GAP = "  "
_PLAIN = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2022ß", '-----\'\'"""*s')

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def text_card(title: str, text: str, media_type: str, *, width: int) -> Image.Image:
    """Draw a card in portrait format with title, text and a label for the kind of file."""
    height = round(width * 1.414)
    card = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(card)
    y = _write(draw, title[:200], top=_MARGIN, bottom=_MARGIN + 66, size=17, colour=_INK)
    _write(draw, text[:4000], top=y + 10, bottom=height - 44, size=11, colour=_PALE_INK)
    draw.rectangle((0, height - 28, width, height), fill=_ACCENT)
    draw.text((_MARGIN, height - 22), _label(media_type), font=ImageFont.load_default(13), fill="white")
    return card


def _label(media_type: str) -> str:
    return next((label for part, label in _KINDS.items() if part in media_type), "TEXT")


def _write(draw: ImageDraw.ImageDraw, text: str, *, top: int, bottom: int, size: int, colour: str) -> int:
    """Draw lines of text down to `bottom`; return the y coordinate of the next line."""
    font = ImageFont.load_default(size)
    y, line_height, width = top, round(size * 1.4), draw.im.size[0] - 2 * _MARGIN
    for line in _lines(text, font, size, width=width):
        if y + line_height > bottom:
            break
        _write_line(draw, y, line, font, colour=colour, size=size)
        y += line_height
    return y


def _lines(text: str, font: Font, size: int, *, width: float) -> Iterator[list[str]]:
    """Yield the words of each line, as many as fit its width."""
    line, taken, space = list[str](), 0.0, font.getlength(_GAP)
    for word in _words(text):
        length = 0.0 if word == LINE_END else _word_width(word, font, size)
        if word == LINE_END or (line and taken + length > width):
            yield line
            line, taken = [], 0.0
        if word != LINE_END:
            line.append(word)
            taken += length + space
    if line:
        yield line


def _words(text: str) -> Iterator[str]:
    """Yield words and line ends; words longer than a line are cut."""
    was_break = True
    for line in _strip_accents(text).splitlines():
        words = line.split()
        if not words and was_break:
            continue
        for word in words:
            yield from (word[start : start + 24] for start in range(0, len(word), 24))
        yield LINE_END
        was_break = not words


def _strip_accents(text: str) -> str:
    """Remove accents: at this size a plain letter reads better than the empty box of a missing glyph."""
    parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(character for character in parts if not unicodedata.combining(character))


def _is_drawable(word: str) -> bool:
    """Return whether the bundled font, which has only ASCII, can draw a word."""
    return word.isascii()


def _word_width(word: str, font: Font, size: int) -> float:
    """Return the width of a word in pixels."""
    return font.getlength(word) if _is_drawable(word) else len(word) * size * 0.6


def _write_line(draw: ImageDraw.ImageDraw, y: int, line: Sequence[str], font: Font, *, colour: str, size: int) -> None:
    """Draw each run of drawable words with one call, which is many times faster than word by word."""
    x, space = float(_MARGIN), font.getlength(_GAP)
    for is_drawable, words in groupby(line, _is_drawable):
        run = _GAP.join(words)
        if is_drawable:
            draw.text((x, y), run, font=font, fill=colour)
            x += font.getlength(run) + space
            continue
        # Bars where there would be rows of empty boxes.
        for word in run.split(_GAP):
            length = len(word) * size * 0.6
            draw.rounded_rectangle((x, y + 2, x + length - 2, y + size - 1), radius=2, fill=_BAR)
            x += length + space
