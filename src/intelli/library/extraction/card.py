"""A card with the beginning of a text: the thumbnail of a document that has no pages to show."""

from collections.abc import Iterator

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

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def text_card(title: str, text: str, media_type: str, *, width: int) -> Image.Image:
    """A page in portrait with title, text and a label for the kind of file."""
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
    """Writes lines until the bottom; returns where the next one would stand."""
    font = ImageFont.load_default(size)
    space, line_height = size * 0.3, round(size * 1.4)
    x, y, right = float(_MARGIN), top, draw.im.size[0] - _MARGIN
    for word in _words(text):
        length = _length(draw, word, font, size) if word != LINE_END else 0.0
        if word == LINE_END or (x + length > right and x > _MARGIN):
            x, y = float(_MARGIN), y + line_height
        if y + line_height > bottom:
            return y
        if word != LINE_END:
            _write_word(draw, (x, y), word, font, colour=colour, size=size)
            x += length + space
    return y


def _words(text: str) -> Iterator[str]:
    """Words and line ends; what is longer than a line is cut."""
    was_break = True
    for line in text.splitlines():
        words = line.split()
        if not words and was_break:
            continue
        for word in words:
            yield from (word[start : start + 24] for start in range(0, len(word), 24))
        yield LINE_END
        was_break = not words


def _is_drawable(word: str) -> bool:
    """The bundled font has Latin letters only."""
    return all(ord(character) < 0x250 or 0x2010 <= ord(character) <= 0x2026 for character in word)


def _length(draw: ImageDraw.ImageDraw, word: str, font: Font, size: int) -> float:
    return draw.textlength(word, font=font) if _is_drawable(word) else len(word) * size * 0.6


def _write_word(
    draw: ImageDraw.ImageDraw, at: tuple[float, int], word: str, font: Font, *, colour: str, size: int
) -> None:
    if _is_drawable(word):
        draw.text(at, word, font=font, fill=colour)
        return
    # A bar where there would be a row of empty boxes.
    x, y = at
    draw.rounded_rectangle((x, y + 2, x + len(word) * size * 0.6 - 2, y + size - 1), radius=2, fill=_BAR)
