"""Text recognition (OCR) in pictures with tesseract: words with boxes, like those of a text layer.

Without tesseract on the PATH nothing is recognised, and a warning names what to install.
"""

import csv
import io
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from intelli.library.extraction import tesseract
from intelli.library.extraction.layout.words import Direction, PlacedWord, ReadingFrame, Style, WordRun

INSTALL = "Install tesseract on the server, then retry."
_LEAST_CONFIDENCE = 20.0  # below it, strokes of drawings are taken for letters
_LINE, _WORD = "4", "5"


class RecognitionFailed(Exception):
    """Tesseract ended with an error or took too long."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """The words recognised in a picture, in points of the page it fills; `confidence` is between 0 and 1."""

    runs: list[WordRun]
    confidence: float


def is_available() -> bool:
    """Return whether tesseract is installed."""
    return tesseract.find_program() is not None


def recognise(image: Image.Image, *, width_pt: float, languages: str, timeout_s: float) -> Recognition:
    """Recognise the words in a picture that fills a page of this width. Raises RecognitionFailed."""
    scale = width_pt / image.width
    table = _run_tesseract(image, dpi=round(72 / scale), languages=languages, timeout_s=timeout_s)
    words: list[PlacedWord] = []
    confidences: list[float] = []
    for word, confidence in _parse_words(table, scale):
        words.append(word)
        confidences.append(confidence)
    frame = ReadingFrame(Direction.RIGHT, width_pt, image.height * scale)
    mean = sum(confidences) / len(confidences) / 100 if confidences else 0.0
    return Recognition([WordRun(frame, words)] if words else [], mean)


def _run_tesseract(image: Image.Image, *, dpi: int, languages: str, timeout_s: float) -> str:
    """Run tesseract on a picture and return its table of words (TSV)."""
    picture = io.BytesIO()
    image.convert("L").save(picture, "BMP")  # uncompressed: packing what is read at once saves nothing
    try:
        table = tesseract.run(picture.getvalue(), dpi=dpi, languages=languages, timeout_s=timeout_s)
    except tesseract.TesseractFailed as error:
        raise RecognitionFailed(str(error)) from error
    return table.decode("utf-8", "replace")


def _parse_words(table: str, scale: float) -> Iterator[tuple[PlacedWord, float]]:
    style = Style(10.0)
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == _LINE:
            # The height of the line, since that of a word depends on the letters it happens to have.
            style = Style(round(max(int(row["height"]) * scale, 1.0), 1))
        text = "".join((row["text"] or "").split())
        if row["level"] != _WORD or not text or float(row["conf"]) < _LEAST_CONFIDENCE:
            continue
        x, y, width, height = (int(row[name]) * scale for name in ("left", "top", "width", "height"))
        box = (round(x, 2), round(y, 2), round(x + width, 2), round(y + height, 2))
        is_rtl = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in text)
        yield PlacedWord(text, box, *box, style=style, is_rtl=is_rtl), float(row["conf"])
