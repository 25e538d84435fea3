"""Reader of pictures: each is a page whose text is recognised by OCR; a TIFF may have many. Words are not required."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from intelli.library.extraction import ocr
from intelli.library.extraction.layout.headings import assign_heading_levels, finish_blocks
from intelli.library.extraction.layout.page import DraftPage, draft_page
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Extraction, Refusal, Unreadable

LONG_SIDE_PT = 1000.0  # a picture has pixels and no size: the longer side of a large one is this long
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
_OCR_LONG_SIDE = (1600, 3500)  # pixels: below, letters are too small for tesseract; above, it is only slower
_PAGE_S = 60.0
_DAMAGED = "This picture is damaged. Save or export it again."
_TOO_LARGE = "This picture has too many pixels to be opened safely. Upload a smaller version of it."


def extract_image(path: Path, limits: Limits) -> Extraction:
    """Extract the words in a picture, each with its box."""
    with open_image(path) as image:
        media_type = Image.MIME.get(image.format or "", "image/png")
        count = count_frames(image)
        pages, notes = _read_frames(image, min(count, limits.max_pages), limits)
    assign_heading_levels(pages, outline=())
    if len(pages) < count:
        notes.append(f"Only the first {len(pages):,} of {count:,} pages were read.")
    return Extraction(
        text="\f".join(page.text for page in pages),
        blocks=tuple(finish_blocks(pages)),
        media_type=media_type,
        pages=tuple(page.to_text_page() for page in pages),
        warnings=tuple(notes),
    )


@contextmanager
def open_image(path: Path) -> Iterator[Image.Image]:
    """Open a picture without decoding it, and close it after the block. Raises Unreadable."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(path, formats=FORMATS) as image:
                yield image
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise Unreadable(Refusal.TOO_LARGE, _TOO_LARGE) from error
        except UnidentifiedImageError as error:
            raise Unreadable(Refusal.DAMAGED, _DAMAGED) from error
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise Unreadable(Refusal.DAMAGED, _DAMAGED) from error


def count_frames(image: Image.Image) -> int:
    """Count the pages of a picture: only a TIFF has more than one; frames of other formats are animations."""
    return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def load_frame(image: Image.Image, number: int) -> Image.Image:
    """Return a page of the picture (numbers begin at 1), upright and without transparency."""
    if number > 1:
        image.seek(number - 1)
    upright = ImageOps.exif_transpose(image)
    if upright.mode in {"RGBA", "LA", "PA"} or "transparency" in upright.info:
        paper = Image.new("RGBA", upright.size, "white")
        return Image.alpha_composite(paper, upright.convert("RGBA")).convert("RGB")
    return upright.convert("RGB")


def page_size(picture: Image.Image) -> tuple[float, float]:
    """Return width and height in points of the page that a picture becomes."""
    scale = min(1.0, LONG_SIDE_PT / max(picture.size))
    return picture.width * scale, picture.height * scale


def _read_frames(image: Image.Image, count: int, limits: Limits) -> tuple[list[DraftPage], list[str]]:
    deadline = time.monotonic() + limits.ocr_s
    pages: list[DraftPage] = []
    notes: list[str] = []
    start = 0
    for number in range(1, count + 1):
        picture = load_frame(image, number)
        remaining_s = deadline - time.monotonic() if number <= limits.ocr_pages else 0.0
        page, note = _read_frame(
            picture, number, start, languages=limits.ocr_languages, timeout_s=min(remaining_s, _PAGE_S)
        )
        pages.append(page)
        if note and note not in notes:
            notes.append(note)
        start = page.end + 1
    if not notes and not any(page.text for page in pages):
        notes.append("No words were recognised in this picture.")
    return pages, notes


def _read_frame(
    picture: Image.Image, number: int, start: int, *, languages: str, timeout_s: float
) -> tuple[DraftPage, str | None]:
    """Recognise one page; return it with a warning, or None if there is nothing to warn of."""
    size = page_size(picture)
    if not ocr.is_available():
        return DraftPage(number, start, *size, is_ocr=True), f"Words in pictures are not read. {ocr.INSTALL}"
    if timeout_s < 1:
        return DraftPage(number, start, *size, is_ocr=True), "Some pages were not read: too many pictures for one file."
    try:
        found = ocr.recognise(_resize_for_ocr(picture), width_pt=size[0], languages=languages, timeout_s=timeout_s)
    except ocr.RecognitionFailed:
        return DraftPage(number, start, *size, is_ocr=True), "The words in this picture could not be recognised."
    page = draft_page(number, start=start, size=size, runs=found.runs)
    page.is_ocr, page.quality = True, round(found.confidence, 3)
    return page, None


def _resize_for_ocr(picture: Image.Image) -> Image.Image:
    """Scale a picture to a size at which tesseract works well."""
    least, most = _OCR_LONG_SIDE
    factor = min(most / max(picture.size), max(1.0, min(least / max(picture.size), 3.0)))
    if factor == 1.0:
        return picture
    size = (max(round(picture.width * factor), 1), max(round(picture.height * factor), 1))
    return picture.resize(size, Image.Resampling.LANCZOS)
