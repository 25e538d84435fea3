"""Pages drawn as pictures."""

import pypdfium2 as pdfium
from PIL import Image


class Undrawable(Exception):
    """The page has no size, or pdfium cannot draw it."""


def drawn(page: pdfium.PdfPage, scale: float, *, in_gray: bool = False) -> Image.Image:
    """The page as it is displayed, `scale` pixels to a point, with what was filled into its form."""
    try:
        picture: Image.Image = page.render(scale=scale, grayscale=in_gray, rev_byteorder=True).to_pil()
    except (pdfium.PdfiumError, ValueError, OverflowError) as error:
        raise Undrawable(str(error)) from error
    return picture.convert("L" if in_gray else "RGB")
