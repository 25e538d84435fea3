"""Export of a check: Word with comments, a page, and JSON."""
