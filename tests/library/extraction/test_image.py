"""Pictures as documents: their words, their pages, and pictures that cannot be opened."""

import shutil
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image
from tests.library.extraction.pictures import encoded, picture_of

from intelli.library.extraction.image import extract_image
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Refusal, Unreadable

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def write(folder: Path, content: bytes) -> Path:
    path = folder / "picture"
    path.write_bytes(content)
    return path


@needs_tesseract
@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_the_words_in_a_picture_are_its_text(tmp_path: Path, file_format: str):
    extraction = extract_image(write(tmp_path, encoded(picture_of("Invoice 4711"), file_format)), Limits())
    assert extraction.text == "Invoice 4711"
    assert extraction.media_type == f"image/{file_format.lower()}"
    (page,) = extraction.pages
    assert (page.width, round(page.height)) == (1000, 667)
    x0, y0, _, y1 = page.words[0].box
    assert x0 == pytest.approx(100 * 1000 / 1200, abs=5)
    assert y0 < 120 * 1000 / 1200 < y1


@needs_tesseract
def test_each_page_of_a_tiff_is_a_page(tmp_path: Path):
    pages = [picture_of("First page"), picture_of("Second page")]
    content = encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    extraction = extract_image(write(tmp_path, content), Limits())
    assert extraction.text == "First page\fSecond page"
    assert [block.place.page for block in extraction.blocks] == [1, 2]


@needs_tesseract
def test_a_picture_that_the_camera_turned_is_read_upright(tmp_path: Path):
    turned = picture_of("Upright words").rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    extraction = extract_image(write(tmp_path, encoded(turned, "JPEG", exif=exif)), Limits())
    assert extraction.text == "Upright words"
    assert extraction.pages[0].width > extraction.pages[0].height


@needs_tesseract
def test_black_words_on_nothing_are_read(tmp_path: Path):
    shape = picture_of("Transparent ground")
    ink = Image.new("RGBA", shape.size, (0, 0, 0, 0))
    ink.putalpha(shape.point(lambda value: 255 - value))
    assert extract_image(write(tmp_path, encoded(ink)), Limits()).text == "Transparent ground"


@needs_tesseract
def test_a_picture_without_words_is_readable_and_says_so(tmp_path: Path):
    extraction = extract_image(write(tmp_path, encoded(Image.new("RGB", (50, 50), "red"))), Limits())
    assert extraction.text == ""
    assert extraction.blocks == ()
    assert extraction.warnings == ("No words were recognised in this picture.",)


def test_without_tesseract_a_picture_is_readable_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", "/nonexistent")
    extraction = extract_image(write(tmp_path, encoded(picture_of("Words"))), Limits())
    assert extraction.text == ""
    assert "Install tesseract" in extraction.warnings[0]


def huge_png() -> bytes:
    """60,000 by 60,000 pixels in a few bytes."""
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b""))
    body = b"".join(struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (huge_png(), Refusal.TOO_LARGE),
        (encoded(picture_of("Words"))[:700], Refusal.DAMAGED),
        (encoded(picture_of("Words"), "JPEG")[:900], Refusal.DAMAGED),
        (b"GIF89a", Refusal.DAMAGED),
        (b"", Refusal.DAMAGED),
    ],
    ids=["bomb", "cut PNG", "cut JPEG", "header only", "empty"],
)
def test_a_picture_that_cannot_be_opened_is_refused(tmp_path: Path, content: bytes, refusal: Refusal):
    with pytest.raises(Unreadable) as caught:
        extract_image(write(tmp_path, content), Limits())
    assert caught.value.refusal is refusal
