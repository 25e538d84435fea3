"""Renders pictures of documents: a page as PNG with marked passages, and a thumbnail for any document."""

import io
import math
from collections.abc import Sequence
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageChops, ImageDraw

from intelli.library.extraction.image import count_frames, load_frame, open_image, page_size
from intelli.library.extraction.model import Box, Refusal, Unreadable
from intelli.library.extraction.pdf.draw_page import Undrawable, draw_page
from intelli.library.extraction.pdf.open_pdf import open_pdf
from intelli.library.extraction.thumbnail_card import text_card

THUMBNAIL_WIDTH = 320
_TALLEST = 1.414  # height over width of a thumbnail: that of A4
_MAX_PIXELS = 16_000_000
_MARKER = (255, 221, 51)
_PDF = "application/pdf"


def page_png(path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
    """Render a page of a PDF or picture as PNG, `scale` pixels per point, boxes highlighted. Raises Unreadable."""
    picture, drawn_scale = _render_page(path, media_type, page, scale)
    if boxes:
        picture = _highlight_boxes(picture, boxes, drawn_scale)
    return _encode(picture, "PNG")


def thumbnail(path: Path, media_type: str, *, title: str, text: str) -> bytes:
    """Render a WebP thumbnail 320 pixels wide: the first page, the picture, or a card with the first lines of text."""
    try:
        picture = _small_picture(path, media_type)
    except Unreadable:
        picture = None
    if picture is None:
        picture = text_card(title, text, media_type, width=THUMBNAIL_WIDTH)
    return _encode(picture, "WEBP")


def _encode(picture: Image.Image, file_format: str) -> bytes:
    buffer = io.BytesIO()
    if file_format == "WEBP":
        picture.save(buffer, "WEBP", quality=80, method=1)
    else:
        picture.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def _render_page(path: Path, media_type: str, page: int, scale: float) -> tuple[Image.Image, float]:
    if media_type == _PDF:
        return _pdf_page(path, page, scale)
    if media_type.startswith("image/"):
        return _image_page(path, page, scale)
    raise Unreadable(Refusal.UNSUPPORTED, "Only PDF files and pictures have pages that can be shown.")


def _pdf_page(path: Path, number: int, scale: float) -> tuple[Image.Image, float]:
    with open_pdf(path) as document:
        if not 1 <= number <= len(document):
            raise _no_page_error(number)
        if document.get_formtype() != pdfium_c.FORMTYPE_NONE:
            document.init_forms()
        try:
            page = document[number - 1]
            scale = _limit_scale(scale, page.get_size())
            return draw_page(page, scale), scale
        except (pdfium.PdfiumError, Undrawable) as error:
            raise Unreadable(Refusal.DAMAGED, f"Page {number} is damaged and cannot be shown.") from error


def _image_page(path: Path, number: int, scale: float) -> tuple[Image.Image, float]:
    with open_image(path) as image:
        if not 1 <= number <= count_frames(image):
            raise _no_page_error(number)
        picture = load_frame(image, number)
    width, height = page_size(picture)
    scale = _limit_scale(scale, (width, height))
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return picture.resize(size, Image.Resampling.LANCZOS), scale


def _no_page_error(number: int) -> Unreadable:
    return Unreadable(Refusal.UNSUPPORTED, f"There is no page {number} in this file.")


def _limit_scale(scale: float, size: tuple[float, float]) -> float:
    """Reduce a scale so that the page has no more than the most pixels allowed."""
    return min(scale, math.sqrt(_MAX_PIXELS / max(size[0] * size[1], 1.0)))


def _highlight_boxes(picture: Image.Image, boxes: Sequence[Box], scale: float) -> Image.Image:
    # Multiplied, so that dark text stays dark.
    layer = Image.new("RGB", picture.size, "white")
    draw = ImageDraw.Draw(layer)
    for x0, y0, x1, y1 in boxes:
        corners = (x0 * scale - 1, y0 * scale - 1, max(x1 * scale, x0 * scale) + 1, max(y1 * scale, y0 * scale) + 1)
        draw.rounded_rectangle(corners, radius=3, fill=_MARKER)
    return ImageChops.multiply(picture, layer)


def _small_picture(path: Path, media_type: str) -> Image.Image | None:
    """Return the first page or the picture, scaled and cropped to a thumbnail; None for other formats."""
    if media_type == _PDF:
        picture, _ = _pdf_thumbnail(path)
    elif media_type.startswith("image/"):
        with open_image(path) as image:
            image.draft("RGB", (2 * THUMBNAIL_WIDTH, 2 * THUMBNAIL_WIDTH))
            picture = load_frame(image, 1)
    else:
        return None
    picture = picture.crop((0, 0, picture.width, min(picture.height, max(round(picture.width * _TALLEST), 1))))
    height = max(round(picture.height * THUMBNAIL_WIDTH / picture.width), 1)
    return picture.resize((THUMBNAIL_WIDTH, height), Image.Resampling.LANCZOS)


def _pdf_thumbnail(path: Path) -> tuple[Image.Image, float]:
    with open_pdf(path) as document:
        width = document.get_page_size(0)[0]
    return _pdf_page(path, 1, min(THUMBNAIL_WIDTH / max(width, 1.0), 4.0))
