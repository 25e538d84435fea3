"""The packages of Word, PowerPoint and Excel: parts by name, and the relationships that lead from part to part."""

import posixpath
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.extraction.xml import XmlElement, attribute, local, parse
from intelli.library.extraction.zip_files import open_zip, read_entry


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a relationship leads; `kind` is the last word of its type."""

    kind: str
    target: str


class Package:
    """An opened package."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._archive = open_zip(path, limits)
        self._entries = {_canonical(entry.filename): entry for entry in self._archive.infolist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def main(self, kind: str) -> str:
        """The part that all others hang on; its name as by convention when the package does not say."""
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and self.has(relation.target):
                return relation.target
        if self.has(kind):
            return kind
        raise Unreadable(Refusal.DAMAGED, "The file is damaged: its main part is missing. Upload the original again.")

    def has(self, part: str) -> bool:
        """Whether there is such a part."""
        return _canonical(part) in self._entries

    def read(self, part: str) -> bytes:
        """A part's bytes."""
        return read_entry(self._archive, self._entries[_canonical(part)])

    def xml(self, part: str) -> XmlElement:
        """A part's root element."""
        return parse(self.read(part))

    def relations(self, part: str) -> dict[str, Relation]:
        """What a part refers to inside the package, by the id it uses for it."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", name + ".rels")
        if not self.has(rels):
            return {}
        found = {}
        for each in self.xml(rels):
            target = each.get("Target") or ""
            if local(each) != "Relationship" or each.get("TargetMode") == "External" or not target:
                continue
            whole = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            found[each.get("Id") or ""] = Relation((each.get("Type") or "").rpartition("/")[2], whole)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """The existing parts of a kind that a part refers to."""
        return [
            relation.target
            for relation in self.relations(part).values()
            if relation.kind == kind and self.has(relation.target)
        ]

    def properties(self) -> tuple[str | None, dict[str, str]]:
        """Title and author, as the program that made the file noted them."""
        found: dict[str, str] = {}
        for part in self.related("", "core-properties"):
            try:
                root = self.xml(part)
            except Unreadable:
                continue
            found |= {local(each): each.text.strip() for each in root if each.text and each.text.strip()}
        known = {"creator": "author", "subject": "subject", "keywords": "keywords", "modified": "modified"}
        return found.get("title"), {known[key]: text for key, text in found.items() if key in known}


def relation_id(element: XmlElement) -> str | None:
    """The id of the relationship an element refers to."""
    return next(
        (
            str(text)
            for key, text in element.attrib.items()
            if str(key).endswith(("}id", "}embed")) and "relationships" in str(key)
        ),
        None,
    ) or attribute(element, "id")


def _canonical(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()
