"""Parses untrusted XML: no entities, no network, and no trees deeper or larger than the parser's safe limits."""

from collections.abc import Iterator, Mapping
from typing import Protocol, cast

from lxml import etree

from intelli.library.extraction.model import Refusal, Unreadable

_NESTED = "The file is nested too deeply to be read. Save it anew in a simpler form and upload it again."
_ENTITIES = "The file defines XML entities, as attacks do and documents do not. It was not read."
_BROKEN = (
    "The file is damaged: its XML cannot be parsed. Open it in the program that made it, save it again, and upload."
)


class XmlElement(Protocol):
    """The part of an lxml element's interface that the readers use."""

    tag: object
    text: str | None
    tail: str | None
    attrib: Mapping[str, str]

    def __iter__(self) -> Iterator["XmlElement"]: ...
    def __len__(self) -> int: ...

    def get(self, name: str, /) -> str | None:
        """Return an attribute."""

    def iter(self) -> Iterator["XmlElement"]:
        """Iterate over the element and all its descendants."""

    def getprevious(self) -> "XmlElement | None":
        """Return the preceding sibling."""


def parse(raw: bytes) -> XmlElement:
    """Parse a document and return its root. Raises Unreadable."""
    if b"<!ENTITY" in raw[:65536]:
        raise Unreadable(Refusal.HOSTILE, _ENTITIES)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    try:
        root = etree.fromstring(raw, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error):
            raise Unreadable(Refusal.HOSTILE, _NESTED) from error
        raise Unreadable(Refusal.DAMAGED, _BROKEN) from error
    if root is None:
        raise Unreadable(Refusal.DAMAGED, _BROKEN)
    return cast(XmlElement, root)  # lxml comes without types


def local_name(element: XmlElement) -> str:
    """Return an element's name without namespace; strict and transitional Office files differ only in namespaces."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: XmlElement, name: str) -> str | None:
    """Return an attribute by its name without namespace; None without one."""
    if (plain := element.get(name)) is not None:
        return plain
    return next((str(text) for key, text in element.attrib.items() if str(key).endswith("}" + name)), None)


def child(element: XmlElement | None, *names: str) -> XmlElement | None:
    """Return the first element along a path of local names; None when there is none."""
    for name in names:
        if element is None:
            return None
        element = next((found for found in element if local_name(found) == name), None)
    return element


def children_of(element: XmlElement | None, *names: str) -> list[XmlElement]:
    """Return the child elements of the element along a path; empty when it does not exist."""
    found = child(element, *names)
    return list(found) if found is not None else []


def val_attribute(element: XmlElement | None, *names: str) -> str | None:
    """Return the `val` attribute of the element along a path; None without one."""
    found = child(element, *names)
    return attribute(found, "val") if found is not None else None
