"""Sanitizer of untrusted Markdown: its output is safe to open in any viewer.

Headings, lists, quotes, tables, emphasis and code stay. Links, images, addresses and HTML become plain text, so a
viewer fetches nothing and links nowhere: `[a](http://b.c)` is shown as these very characters. The text is parsed and
written again from the syntax tree, so that no two Markdown parsers understand it differently.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

_MARKUP = re.compile(r"[\\`*_{}\[\]<>|~&$^]")
# What viewers turn into a link by themselves. An escaped sign is no part of an address.
_LINKED = re.compile(r":(?=//)|(?<=mailto):|(?<=xmpp):|(?<=www)\.|@", re.IGNORECASE)
# What begins a list or heading, or underlines one, at the start of a line; quotes and fences are escaped everywhere.
_LEADING = re.compile(r"^(#{1,6}(?=\s|$)|[-+=:](?=\s|$|[-=+:|])|\d{1,9}[.)](?=\s|$))")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TICKS = re.compile("`+")
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}", re.ASCII)
_NESTED = 20


def sanitize(text: str) -> str:
    """Return the Markdown without anything that a viewer would fetch, open or run."""
    root = SyntaxTreeNode(parser().parse(_CONTROLS.sub("", text)))
    return "\n\n".join(_blocks(root.children))


def escape_line(text: str) -> str:
    """Escape text so that Markdown shows it literally; white space is collapsed into one line."""
    return _escape_start(_escape(" ".join(_CONTROLS.sub("", text).split())))


@cache
def parser() -> MarkdownIt:
    """Return the parser, for which links, images and HTML are plain text."""
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
            written = _escape_lines(_inline(node))
        case "blockquote":
            written = _prefix("\n\n".join(_blocks(node.children)), "> ", "> ")
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
        _prefix(("\n" if is_tight else "\n\n").join(_blocks(item.children)), f"{mark} ", " " * (len(mark) + 1))
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
    """Render a cell on one line. Parsers differ on whether `|` in code ends a cell: such code becomes plain text."""
    words = (
        _escape(child.content) if child.type == "code_inline" and "|" in child.content else _render_inline(child)
        for inline in node.children
        for child in inline.children
    )
    return "".join(words).replace("\n", " ")


def _inline(node: SyntaxTreeNode) -> str:
    return "".join(_render_inline(child) for inline in node.children for child in inline.children)


def _render_inline(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text" | "text_special":
            return _escape(node.content)
        case "softbreak":
            return "\n"
        case "hardbreak":
            return "\\\n"
        case "code_inline":
            return _code_inline(node.content)
        case "em" | "strong":
            mark = "*" if node.type == "em" else "**"
            return f"{mark}{''.join(map(_render_inline, node.children))}{mark}"
        case _:
            return _escape(node.content)


def _code_inline(content: str) -> str:
    ticks = "`" * (1 + max(map(len, _TICKS.findall(content)), default=0))
    pad = " " if content[:1] in {"`", " "} or content[-1:] in {"`", " "} else ""
    return f"{ticks}{pad}{content}{pad}{ticks}"


def _escape(text: str) -> str:
    return _LINKED.sub(r"\\\g<0>", _MARKUP.sub(r"\\\g<0>", text))


def _escape_lines(text: str) -> str:
    """Escape a paragraph so that none of its lines begins a list, a heading or another block."""
    return "\n".join(_escape_start(line.strip(" \t")) for line in text.split("\n"))


def _escape_start(line: str) -> str:
    found = _LEADING.match(line)
    if found is None:
        return line
    mark = found[1]
    escaped = f"\\{mark}" if not mark[0].isdigit() else f"{mark[:-1]}\\{mark[-1]}"
    return f"{escaped}{line[found.end() :]}"


def _prefix(text: str, first: str, rest: str) -> str:
    begin, *others = text.split("\n")
    return "\n".join([f"{first}{begin}".rstrip(), *(f"{rest}{line}".rstrip() for line in others)])
