"""Pictures of pages with marked passages, and thumbnails."""

import io
from pathlib import Path

import pytest
from PIL import Image
from tests.library.extraction.pdfs import Sheet, make_pdf, show, write
from tests.library.extraction.pictures import encoded, picture_of

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Box, Unreadable
from intelli.library.extraction.pdf import extract_pdf
from intelli.library.extraction.render import page_png, thumbnail

PDF = "application/pdf"


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def is_marked(image: Image.Image, box: Box, scale: float) -> bool:
    """Whether the box is yellow with dark ink left in it."""
    part = image.convert("RGB").crop(tuple(round(value * scale) for value in box))
    colours = [colour for _, colour in part.getcolors(1 << 24) or []]
    yellow = any(red > 240 and green > 200 and blue < 80 for red, green, blue in colours)
    return yellow and any(sum(colour) < 120 for colour in colours) and not any(min(colour) > 200 for colour in colours)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_a_marked_word_stays_legible_wherever_the_page_is_turned(tmp_path: Path, rotate: int):
    path = write(tmp_path, make_pdf(Sheet(show("Marked words", 100, 300, size=30), rotate=rotate)))
    word = extract_pdf(path, Limits()).pages[0].words[0]
    image = opened(page_png(path, PDF, 1, boxes=[word.box], scale=1.5))
    assert image.format == "PNG"
    assert image.size == ((918, 1188) if rotate in {0, 180} else (1188, 918))
    assert is_marked(image, word.box, 1.5)
    assert not is_marked(opened(page_png(path, PDF, 1, boxes=[], scale=1.5)), word.box, 1.5)


def test_a_picture_is_a_page_too(tmp_path: Path):
    path = write(tmp_path, encoded(picture_of("Words", size=(2000, 1000), letters=80)), "picture.png")
    box = (50.0, 50.0, 200.0, 100.0)
    image = opened(page_png(path, "image/png", 1, boxes=[box], scale=1.0))
    assert image.size == (1000, 500)
    assert is_marked(image, box, 1.0)


@pytest.mark.parametrize("page", [0, 2, -1])
def test_a_page_that_is_not_there_is_refused(tmp_path: Path, page: int):
    path = write(tmp_path, make_pdf(Sheet(show("Only page", 72, 700))))
    with pytest.raises(Unreadable, match="no page"):
        page_png(path, PDF, page, boxes=[], scale=1.0)
    picture = write(tmp_path, encoded(picture_of("Words")), "picture.png")
    with pytest.raises(Unreadable, match="no page"):
        page_png(picture, "image/png", page, boxes=[], scale=1.0)


def test_a_text_has_no_pages_to_show(tmp_path: Path):
    with pytest.raises(Unreadable):
        page_png(write(tmp_path, b"text", "a.txt"), "text/plain", 1, boxes=[], scale=1.0)


def test_a_page_without_extent_is_refused(tmp_path: Path):
    path = write(tmp_path, make_pdf(Sheet(show("Nowhere", 72, 700), crop=(700, 900, 800, 1000))))
    with pytest.raises(Unreadable, match="cannot be shown"):
        page_png(path, PDF, 1, boxes=[], scale=1.0)


def test_an_enormous_page_is_drawn_small(tmp_path: Path):
    path = write(tmp_path, make_pdf(Sheet(show("Huge", 72, 700), size=(14_400, 14_400))))
    image = opened(page_png(path, PDF, 1, boxes=[], scale=4.0))
    assert image.width * image.height <= 16_100_000


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (make_pdf(Sheet(show("First page", 72, 700, size=40))), PDF),
        (make_pdf(Sheet(show("Wide", 72, 50), size=(2000, 100))), PDF),
        (make_pdf(Sheet(show("Narrow", 5, 700, size=8), size=(30, 3000))), PDF),
        (encoded(picture_of("Words")), "image/png"),
        (encoded(picture_of("W", size=(3, 9000))), "image/png"),
        (b"plain text", "text/plain"),
        (b"broken", PDF),
        (b"broken", "image/jpeg"),
    ],
    ids=["page", "wide page", "narrow page", "picture", "narrow picture", "text", "broken PDF", "broken picture"],
)
def test_everything_has_a_thumbnail_of_the_same_width(tmp_path: Path, content: bytes, media_type: str):
    image = opened(thumbnail(write(tmp_path, content, "any"), media_type, title="Title", text="Some text " * 50))
    assert image.format == "WEBP"
    assert image.width == 320
    assert 1 <= image.height <= 453


@pytest.mark.parametrize(
    ("title", "text"),
    [("", ""), ("x" * 5000, "y" * 50_000), ("標題", "文字" * 500), ("العنوان", "نص " * 300), ("\n\t", "\n" * 9000)],
)
def test_any_text_makes_a_card(tmp_path: Path, title: str, text: str):
    path = write(tmp_path, b"x", "a.docx")
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    assert opened(thumbnail(path, media_type, title=title, text=text)).size == (320, 452)
