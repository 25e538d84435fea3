"""PDF reader: text in reading order with a box for every word (pdfium), repair (pikepdf), OCR (tesseract)."""

from intelli.library.extraction.pdf.document import extract_pdf

__all__ = ["extract_pdf"]
