"""Charts and comments of the sheets of an XLSX workbook."""

from collections.abc import Iterator
from dataclasses import dataclass

from intelli.library.extraction.chart import chart_table
from intelli.library.extraction.model import Unreadable
from intelli.library.extraction.ooxml import Package, relation_id
from intelli.library.extraction.xml import XmlElement, attribute, children_of, local_name

_MAIN = "xl/workbook.xml"
# Excel writes this into the old form of a comment that has replies; the new form has the text.
_THREADED = "[Threaded comment]"


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment at a cell."""

    cell: str
    author: str
    text: str


class Margins:
    """The charts and comments of a workbook by sheet. Damaged parts are skipped."""

    def __init__(self, package: Package) -> None:
        self._package = package
        main = package.main(_MAIN)
        relations = package.relations(main)
        self._parts = {
            each.get("name") or "": found.target
            for each in children_of(package.xml(main), "sheets")
            if (found := relations.get(relation_id(each) or "")) is not None
        }
        self._persons = self._read_persons(main)

    def charts(self, sheet: str) -> Iterator[str]:
        """Yield each chart of a sheet as a table."""
        for drawing in self._related(self._parts.get(sheet), "drawing"):
            for part in self._related(drawing, "chart"):
                root = self._xml(part)
                if root is not None and (text := chart_table(root)):
                    yield text

    def comments(self, sheet: str) -> Iterator[Comment]:
        """Yield the comments at the cells of a sheet."""
        for part in self._related(self._parts.get(sheet), "comments"):
            yield from _read_old_comments(self._xml(part))
        for part in self._related(self._parts.get(sheet), "threadedComment"):
            for each in children_of(self._xml(part)):
                author = self._persons.get(each.get("personId") or "", "")
                yield Comment(each.get("ref") or "", author, _comment_text(each))

    def _read_persons(self, main: str) -> dict[str, str]:
        return {
            each.get("id") or "": each.get("displayName") or ""
            for part in self._related(main, "person")
            for each in children_of(self._xml(part))
        }

    def _related(self, part: str | None, kind: str) -> list[str]:
        try:
            return self._package.related(part, kind) if part else []
        except Unreadable:
            return []

    def _xml(self, part: str) -> XmlElement | None:
        try:
            return self._package.xml(part)
        except Unreadable:
            return None


def _read_old_comments(root: XmlElement | None) -> Iterator[Comment]:
    """Yield the comments of the old format, without those that are stored in the threaded format too."""
    authors = [(each.text or "").strip() for each in children_of(root, "authors")]
    for each in children_of(root, "commentList"):
        number = attribute(each, "authorId") or ""
        author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
        text = _comment_text(each)
        if text and not text.startswith(_THREADED):
            yield Comment(each.get("ref") or "", author, text)


def _comment_text(element: XmlElement) -> str:
    texts = (each.text or "" for each in element.iter() if local_name(each) in ("t", "text"))
    return "".join(texts).strip()
