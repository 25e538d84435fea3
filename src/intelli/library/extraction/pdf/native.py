"""pdfium functions called with plain addresses: half the cost for those that are called for every glyph."""

import ctypes
from collections.abc import Callable
from functools import partial

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c


def address_of(handle: object) -> int:
    """Return the address behind a pdfium handle; 0 for a null handle."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0  # type: ignore[arg-type]  # handles are pointers


def loose_box_writer(text_page: pdfium.PdfTextPage) -> Callable[[int, int], int]:
    """Return a function of (glyph index, address) that writes the glyph's loose box to the address.

    The box is written as four floats: left, top, right, bottom.
    """
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    write = kind(address_of(pdfium_c.FPDFText_GetLooseCharBox))
    return partial(write, address_of(text_page.raw))


def text_object_finder(text_page: pdfium.PdfTextPage) -> Callable[[int], int | None]:
    """Return a function that maps a glyph index to the address of its text object, or None."""
    kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    find = kind(address_of(pdfium_c.FPDFText_GetTextObject))
    return partial(find, address_of(text_page.raw))


def as_page_object(address: int) -> object:
    """Convert an address to a handle of a page object."""
    return ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
