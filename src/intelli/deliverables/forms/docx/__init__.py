"""Word form: real headings, contents, captions, footnotes and links, and an embedded record of the citations."""
