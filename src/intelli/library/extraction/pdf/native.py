"""Functions of pdfium with plain addresses for arguments: those called for every glyph cost half as much that way."""

import ctypes
from collections.abc import Callable
from functools import partial

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c


def address_of(handle: object) -> int:
    """Where the thing behind a handle of pdfium lies; 0 for none."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0  # type: ignore[arg-type]  # handles are pointers


def loose_box_writer(text_page: pdfium.PdfTextPage) -> Callable[[int, int], int]:
    """Called with a glyph and an address, writes the box of the glyph there: left, top, right, bottom as floats."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    write = kind(address_of(pdfium_c.FPDFText_GetLooseCharBox))
    return partial(write, address_of(text_page.raw))


def text_object_finder(text_page: pdfium.PdfTextPage) -> Callable[[int], int | None]:
    """Called with a glyph, gives the address of its text object."""
    kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    find = kind(address_of(pdfium_c.FPDFText_GetTextObject))
    return partial(find, address_of(text_page.raw))


def as_page_object(address: int) -> object:
    """The handle of a page object at this address."""
    return ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
