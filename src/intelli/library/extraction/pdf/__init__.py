"""PDF: text in reading order with a box for every word, from pdfium; repair by pikepdf, recognition by tesseract."""

from intelli.library.extraction.pdf.document import extract_pdf

__all__ = ["extract_pdf"]
