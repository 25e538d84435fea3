"""Renders PDF pages as pictures."""

import pypdfium2 as pdfium
from PIL import Image


class Undrawable(Exception):
    """The page has no size, or pdfium cannot draw it."""


def draw_page(page: pdfium.PdfPage, scale: float, *, in_gray: bool = False) -> Image.Image:
    """Render a page as it is displayed, form fields included, at `scale` pixels per point. Raises Undrawable."""
    try:
        picture: Image.Image = page.render(scale=scale, grayscale=in_gray, rev_byteorder=True).to_pil()
    except (pdfium.PdfiumError, ValueError, OverflowError) as error:
        raise Undrawable(str(error)) from error
    return picture.convert("L" if in_gray else "RGB")
