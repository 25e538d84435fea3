"""Word: real headings, contents, captions, footnotes and links; and a passport by which citations are found again."""
