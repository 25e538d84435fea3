"""Reader of electronic books (EPUB): the chapters of the spine, each read as HTML."""

import posixpath
import zipfile
from pathlib import Path
from urllib.parse import unquote

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.html import add_html
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockLocation, Extraction, Refusal, Unreadable
from intelli.library.extraction.text import decode
from intelli.library.extraction.xml import XmlElement, children_of, local_name, parse
from intelli.library.extraction.zip_files import open_zip, read_entry

_MEDIA_TYPE = "application/epub+zip"
_DAMAGED = "The book is damaged: its table of parts is missing. Upload the original again."


def extract_epub(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a book; warn of damaged chapters."""
    with open_zip(path, limits) as archive:
        if "META-INF/encryption.xml" in archive.namelist() and "META-INF/rights.xml" in archive.namelist():
            raise Unreadable(Refusal.ENCRYPTED, "The book is protected against copying and cannot be read.")
        package = _find_package(archive)
        root = parse(read_entry(archive, package))
        assembly = TextAssembler(limits)
        for chapter in _spine(root, posixpath.dirname(package)):
            try:
                add_html(assembly, decode(read_entry(archive, chapter)), BlockLocation(part=chapter))
            except Unreadable:
                assembly.warn(f"{chapter}: It is damaged and was left out.")
        title, properties = _metadata(root)
        return assembly.finish(_MEDIA_TYPE, title=title, properties=properties)


def _find_package(archive: zipfile.ZipFile) -> str:
    """Return the path of the package document. Raises Unreadable when it is missing."""
    if "META-INF/container.xml" in archive.namelist():
        for each in parse(read_entry(archive, "META-INF/container.xml")).iter():
            if local_name(each) == "rootfile" and (found := each.get("full-path") or "") in archive.namelist():
                return found
    raise Unreadable(Refusal.DAMAGED, _DAMAGED)


def _spine(root: XmlElement, folder: str) -> list[str]:
    """Return the paths of the chapters in reading order."""
    items = {each.get("id"): each.get("href") or "" for each in children_of(root, "manifest")}
    hrefs = [items.get(each.get("idref"), "") for each in children_of(root, "spine")]
    return [posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0]))) for href in hrefs if href]


def _metadata(root: XmlElement) -> tuple[str | None, dict[str, str]]:
    found: dict[str, str] = {}
    for each in children_of(root, "metadata"):
        if each.text and each.text.strip():
            found.setdefault(local_name(each), each.text.strip())
    return found.get("title"), {"author": found["creator"]} if "creator" in found else {}
