"""Markdown of strangers, written anew so that a file of it is safe to open anywhere.

Headings, lists, quotes, tables, emphasis and code stay. Links, images, addresses and HTML become the words they are
written with: whoever shows the file fetches nothing and leads nowhere. It is parsed and written from what was parsed,
so that no two readers of Markdown understand it differently.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

_MARKUP = re.compile(r"[\\`*_{}\[\]<>|~&$^]")
# What readers make a link of without being asked to. An escaped sign is no part of an address.
_LINKED = re.compile(r":(?=//)|(?<=mailto):|(?<=xmpp):|(?<=www)\.|@", re.IGNORECASE)
# What begins a list, a heading, or underlines one when it stands first; a quote and a fence are escaped everywhere.
_LEADING = re.compile(r"^(#{1,6}(?=\s|$)|[-+=:](?=\s|$|[-=+:|])|\d{1,9}[.)](?=\s|$))")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TICKS = re.compile("`+")
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}", re.ASCII)
_NESTED = 20


def rewrite(text: str) -> str:
    """The same Markdown with nothing in it that is fetched, opened or run."""
    root = SyntaxTreeNode(parser().parse(_CONTROLS.sub("", text)))
    return "\n\n".join(_blocks(root.children))


def plain(text: str) -> str:
    """Words on one line that Markdown shows as they are."""
    return _first(_escaped(" ".join(_CONTROLS.sub("", text).split())))


@cache
def parser() -> MarkdownIt:
    """Reads Markdown whose links, images and HTML are words."""
    return (
        MarkdownIt("commonmark", {"html": False, "maxNesting": _NESTED})
        .enable("table")
        .disable(["image", "link", "autolink", "reference", "html_block", "html_inline"])
    )


def _blocks(nodes: Sequence[SyntaxTreeNode]) -> Iterator[str]:
    is_second = False
    for before, node in zip([None, *nodes], nodes, strict=False):
        # Two lists in a row are one unless their marks differ.
        is_second = before is not None and before.type == node.type and not is_second
        yield _block(node, is_second=is_second)


def _block(node: SyntaxTreeNode, *, is_second: bool) -> str:
    match node.type:
        case "heading":
            written = f"{'#' * int(node.tag[1])} {_inline(node).replace(chr(10), ' ')}".rstrip()
        case "paragraph":
            written = _lines(_inline(node))
        case "blockquote":
            written = _prefixed("\n\n".join(_blocks(node.children)), "> ", "> ")
        case "bullet_list":
            written = _list(node, ["*" if is_second else "-"] * len(node.children))
        case "ordered_list":
            start, mark = int(node.attrs.get("start", 1)), ")" if is_second else "."
            written = _list(node, [f"{number}{mark}" for number in range(start, start + len(node.children))])
        case "fence" | "code_block":
            written = _code(node)
        case "table":
            written = _table(node)
        case _:
            written = "---"
    return written


def _list(node: SyntaxTreeNode, marks: Sequence[str]) -> str:
    is_tight = all(child.hidden for item in node.children for child in item.children if child.type == "paragraph")
    items = [
        _prefixed(("\n" if is_tight else "\n\n").join(_blocks(item.children)), f"{mark} ", " " * (len(mark) + 1))
        for item, mark in zip(node.children, marks, strict=True)
    ]
    return ("\n" if is_tight else "\n\n").join(items)


def _code(node: SyntaxTreeNode) -> str:
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(node.content)), default=0))
    language = _LANGUAGE.match(node.info.strip()) if node.info else None
    return f"{fence}{language[0] if language else ''}\n{node.content.rstrip(chr(10))}\n{fence}"


def _table(node: SyntaxTreeNode) -> str:
    rows = [[_cell(cell) for cell in row.children] for part in node.children for row in part.children]
    aligned = [str(cell.attrs.get("style", "")) for cell in node.children[0].children[0].children]
    rule = ["---:" if "right" in each else ":---:" if "center" in each else "---" for each in aligned]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], rule, *rows[1:]))


def _cell(node: SyntaxTreeNode) -> str:
    """Words on one line. Readers differ on whether a bar in code ends the cell, so such code is written as words."""
    words = (
        _escaped(child.content) if child.type == "code_inline" and "|" in child.content else _words(child)
        for inline in node.children
        for child in inline.children
    )
    return "".join(words).replace("\n", " ")


def _inline(node: SyntaxTreeNode) -> str:
    return "".join(_words(child) for inline in node.children for child in inline.children)


def _words(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text" | "text_special":
            return _escaped(node.content)
        case "softbreak":
            return "\n"
        case "hardbreak":
            return "\\\n"
        case "code_inline":
            return _code_inline(node.content)
        case "em" | "strong":
            mark = "*" if node.type == "em" else "**"
            return f"{mark}{''.join(map(_words, node.children))}{mark}"
        case _:
            return _escaped(node.content)


def _code_inline(content: str) -> str:
    ticks = "`" * (1 + max(map(len, _TICKS.findall(content)), default=0))
    pad = " " if content[:1] in {"`", " "} or content[-1:] in {"`", " "} else ""
    return f"{ticks}{pad}{content}{pad}{ticks}"


def _escaped(text: str) -> str:
    return _LINKED.sub(r"\\\g<0>", _MARKUP.sub(r"\\\g<0>", text))


def _lines(text: str) -> str:
    """A paragraph none of whose lines begins anything else."""
    return "\n".join(_first(line.strip(" \t")) for line in text.split("\n"))


def _first(line: str) -> str:
    found = _LEADING.match(line)
    if found is None:
        return line
    mark = found[1]
    escaped = f"\\{mark}" if not mark[0].isdigit() else f"{mark[:-1]}\\{mark[-1]}"
    return f"{escaped}{line[found.end() :]}"


def _prefixed(text: str, first: str, rest: str) -> str:
    begin, *others = text.split("\n")
    return "\n".join([f"{first}{begin}".rstrip(), *(f"{rest}{line}".rstrip() for line in others)])
