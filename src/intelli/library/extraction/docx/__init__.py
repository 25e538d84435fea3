"""Reader of Word documents (DOCX)."""

from intelli.library.extraction.docx.reader import extract_docx

__all__ = ["extract_docx"]
