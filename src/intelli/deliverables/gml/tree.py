"""GML as a tree of allowed elements, parsed in linear time: other tags are dropped and their text stays.

The grammar is in `docs/reference/gml.md`; `contracts/cases/gml.json` has the cases that this parser and the UI share.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_NAME = r"[A-Za-z][A-Za-z0-9-]*"
_ATTRIBUTE = r"[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?"
_TOKEN = re.compile(
    rf"<!--(?:.*?-->|.*$)|<[!?][^>]{{0,500}}+>|<(?P<end>/)?(?P<name>{_NAME})(?P<attributes>(?:\s+{_ATTRIBUTE})*)\s*(?P<closed>/)?>",
    re.DOTALL | re.ASCII,
)
_EACH = re.compile(r"([A-Za-z_:][\w:.-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+)))?", re.ASCII)
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));", re.ASCII)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\u00a0"}
_SAFE_HREF = re.compile(r"(?:https?://|mailto:|#|/(?!/))[^\x00-\x20\x7f\\]*", re.IGNORECASE | re.ASCII)
# What a stream may still complete: a tag, a comment or an entity.
_UNFINISHED = re.compile(r"<(?:[A-Za-z/!?](?:[^>\"']|\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z))*)?\Z|&(?:#?[0-9A-Za-z]{0,8})?\Z")
_LONGEST_TAG = 2000
_DEEPEST = 32

_PLAIN: frozenset[str] = frozenset()
ALLOWED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "blockquote", "pre", "hr", "br"), _PLAIN),
    **dict.fromkeys(("strong", "em", "b", "i", "code", "sup", "sub"), _PLAIN),
    **dict.fromkeys(("table", "thead", "tbody", "tr", "th", "td"), _PLAIN),
    "a": frozenset({"href"}),
    "gml-inlinecitation": frozenset({"identifier"}),
    "gml-chartcontainer": frozenset({"caption", "alt"}),
    "gml-infoblockmetric": frozenset({"key", "name", "value", "unit", "period", "entity"}),
    "gml-gradientinsightbox": frozenset({"title"}),
    "gml-table": frozenset({"caption"}),
    **dict.fromkeys(("gml-row", "gml-primarycolumn", "gml-sidebarcolumn", "gml-blockquote", "gml-sources"), _PLAIN),
}
VOID = frozenset({"br", "hr", "gml-inlinecitation", "gml-sources"})


@dataclass(slots=True)
class GmlElement:
    """An allowed element with its allowed attributes."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Node]" = field(default_factory=list)


Node = GmlElement | str


def parse(text: str) -> list[Node]:
    """Parse a whole text into a tree."""
    root = GmlElement("")
    open_ones = [root]
    at = 0
    for token in _TOKEN.finditer(text):
        _append_text(open_ones[-1], decode(text[at : token.start()]))
        at = token.end()
        name = (token["name"] or "").lower()
        if name in ALLOWED:
            _open_or_close(open_ones, name, token)
    _append_text(open_ones[-1], decode(text[at:]))
    return root.children


def parse_prefix(text: str) -> list[Node]:
    """Parse the received part of a stream, without a tag or entity at its end that is still incomplete."""
    start = max(0, len(text) - _LONGEST_TAG)
    opened = text.rfind("<", start)
    cut = _UNFINISHED.search(text, opened if opened >= 0 else start)
    return parse(text[: cut.start()] if cut else text)


def write(nodes: Iterable[Node]) -> str:
    """Write a tree as GML, in the canonical form."""
    return "".join(_write_node(node) for node in nodes)


def text_of(nodes: Iterable[Node]) -> str:
    """Return the text of a tree."""
    return "".join(node if isinstance(node, str) else text_of(node.children) for node in nodes)


def encode(text: str) -> str:
    """Escape text for use between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def encode_attribute(text: str) -> str:
    """Escape text for use in an attribute."""
    return encode(text).replace('"', "&quot;")


def decode(text: str) -> str:
    """Replace the entities of the grammar by their characters; other entities stay as text."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[3]:
        return _NAMED[entity[3]]
    number = int(entity[1]) if entity[1] else int(entity[2], 16)
    is_character = 0x20 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    return chr(number) if is_character or number in {9, 10, 13} else "\ufffd"


def _open_or_close(open_ones: list[GmlElement], name: str, token: re.Match[str]) -> None:
    """Open or close an element. Closing one also closes all that were opened inside it."""
    if token["end"]:
        depth = next((at for at in range(len(open_ones) - 1, 0, -1) if open_ones[at].tag == name), 0)
        if depth:
            del open_ones[depth:]
        return
    if len(open_ones) > _DEEPEST:
        return
    element = GmlElement(name, _attributes(name, token["attributes"]))
    open_ones[-1].children.append(element)
    if name not in VOID and not token["closed"]:
        open_ones.append(element)


def _attributes(name: str, written: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, double, single, bare in _EACH.findall(written or ""):
        value = decode(double or single or bare)
        if key.lower() not in ALLOWED[name] or key.lower() in found:
            continue
        if key.lower() == "href" and not _SAFE_HREF.fullmatch(value):
            continue
        found[key.lower()] = value
    return found


def _append_text(element: GmlElement, words: str) -> None:
    if not words:
        return
    if element.children and isinstance(element.children[-1], str):
        element.children[-1] += words
    else:
        element.children.append(words)


def _write_node(node: Node) -> str:
    if isinstance(node, str):
        return encode(node)
    attributes = "".join(f' {name}="{encode_attribute(value)}"' for name, value in sorted(node.attributes.items()))
    if node.tag in VOID:
        return f"<{node.tag}{attributes}/>"
    return f"<{node.tag}{attributes}>{write(node.children)}</{node.tag}>"


def as_json(nodes: Sequence[Node]) -> list[object]:
    """Convert a tree to the JSON notation of the shared test cases."""
    return [
        node
        if isinstance(node, str)
        else {"tag": node.tag, "attributes": node.attributes, "children": as_json(node.children)}
        for node in nodes
    ]
