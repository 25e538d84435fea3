"""Reader of PowerPoint presentations (PPTX)."""

from intelli.library.extraction.pptx.reader import extract_pptx

__all__ = ["extract_pptx"]
