"""XML of strangers: no entities, no network, no trees deeper or larger than the parser's own safe bounds."""

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
    """What we use of an element of lxml."""

    tag: object
    text: str | None
    tail: str | None
    attrib: Mapping[str, str]

    def __iter__(self) -> Iterator["XmlElement"]: ...
    def __len__(self) -> int: ...

    def get(self, name: str, /) -> str | None:
        """An attribute."""

    def iter(self) -> Iterator["XmlElement"]:
        """The element and all below it."""

    def getprevious(self) -> "XmlElement | None":
        """The element before it."""


def parse(raw: bytes) -> XmlElement:
    """The root of a document."""
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


def local(element: XmlElement) -> str:
    """An element's name without its namespace; strict and transitional Office files differ only in that."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: XmlElement, name: str) -> str | None:
    """An attribute by its name without namespace."""
    if (plain := element.get(name)) is not None:
        return plain
    return next((str(said) for key, said in element.attrib.items() if str(key).endswith("}" + name)), None)


def child(element: XmlElement | None, *names: str) -> XmlElement | None:
    """The first element along a path of local names."""
    for name in names:
        if element is None:
            return None
        element = next((found for found in element if local(found) == name), None)
    return element


def inner(element: XmlElement | None, *names: str) -> list[XmlElement]:
    """The elements inside the one along a path; none when it does not exist."""
    found = child(element, *names)
    return list(found) if found is not None else []


def value(element: XmlElement | None, *names: str) -> str | None:
    """The `val` of the element along a path."""
    found = child(element, *names)
    return attribute(found, "val") if found is not None else None
