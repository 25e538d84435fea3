"""Reader of Word, PowerPoint, Excel and web pages for the peers: markitdown, the converter such pipelines use most."""

from pathlib import Path

from markitdown import MarkItDown

ENDINGS = (".csv", ".docx", ".html", ".pptx", ".xlsx")


class OfficeFiles:
    """Reads files as Markdown."""

    def __init__(self) -> None:
        self._converter = MarkItDown()

    def read(self, path: Path) -> str:
        """All of a file's text."""
        return self._converter.convert(path).text_content
