"""Reader of workbooks."""

from intelli.library.extraction.sheet.reader import extract_sheet, extract_sheet_slowly

__all__ = ["extract_sheet", "extract_sheet_slowly"]
