"""Packages of Word, PowerPoint and Excel: parts by name, and the relationships between parts."""

import posixpath
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.extraction.xml import XmlElement, attribute, local_name, parse
from intelli.library.extraction.zip_files import open_zip, read_entry


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship to another part; `kind` is the last segment of its type."""

    kind: str
    target: str


class Package:
    """An open package."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._archive = open_zip(path, limits)
        self._entries = {_normalize(entry.filename): entry for entry in self._archive.infolist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def main(self, kind: str) -> str:
        """Return the name of the main part: as the package declares it, else the conventional name `kind`."""
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and self.has(relation.target):
                return relation.target
        if self.has(kind):
            return kind
        raise Unreadable(Refusal.DAMAGED, "The file is damaged: its main part is missing. Upload the original again.")

    def has(self, part: str) -> bool:
        """Return whether a part exists."""
        return _normalize(part) in self._entries

    def read(self, part: str) -> bytes:
        """Return the bytes of a part."""
        return read_entry(self._archive, self._entries[_normalize(part)])

    def xml(self, part: str) -> XmlElement:
        """Parse a part and return its root element."""
        return parse(self.read(part))

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relationships of a part to others in the package, by relationship id."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", name + ".rels")
        if not self.has(rels):
            return {}
        found = {}
        for each in self.xml(rels):
            target = each.get("Target") or ""
            if local_name(each) != "Relationship" or each.get("TargetMode") == "External" or not target:
                continue
            whole = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            found[each.get("Id") or ""] = Relation((each.get("Type") or "").rpartition("/")[2], whole)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Return the names of existing parts of a kind that a part refers to."""
        return [
            relation.target
            for relation in self.relations(part).values()
            if relation.kind == kind and self.has(relation.target)
        ]

    def properties(self) -> tuple[str | None, dict[str, str]]:
        """Return the title, or None, and author, subject, keywords and date of change, where they are set."""
        found: dict[str, str] = {}
        for part in self.related("", "core-properties"):
            try:
                root = self.xml(part)
            except Unreadable:
                continue
            found |= {local_name(each): each.text.strip() for each in root if each.text and each.text.strip()}
        known = {"creator": "author", "subject": "subject", "keywords": "keywords", "modified": "modified"}
        return found.get("title"), {known[key]: text for key, text in found.items() if key in known}


def relation_id(element: XmlElement) -> str | None:
    """Return the id of the relationship that an element refers to; None without one."""
    return next(
        (
            str(text)
            for key, text in element.attrib.items()
            if str(key).endswith(("}id", "}embed")) and "relationships" in str(key)
        ),
        None,
    ) or attribute(element, "id")


def _normalize(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()
