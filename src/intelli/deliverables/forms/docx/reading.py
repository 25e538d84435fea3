"""What a Word report says, sentence by sentence, with the identifiers that each cites: as written, or as edited since.

Insertions under review count as said, deletions do not. Headings, captions, contents and lists of sources are no
statements.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

from intelli.citations import parse
from intelli.citations.statements import statements_of

IDENTIFIER = re.compile(r"\b[0-9a-f]{16}\.\d{1,12}-\d{1,12}\b")
_AGAIN = re.compile(r"\bNOTEREF c_([0-9a-f]{16})_(\d{1,12})_(\d{1,12})(?:_(\d{1,3}))?\b")
_UNSAID = ("heading", "title", "subtitle", "caption", "toc", "header", "footer", "intelli source", "intelli made")
_LONGEST_BOOKMARK = 40
_SKIPPED = {qn("w:del"), qn("w:moveFrom"), qn("w:delText"), qn("w:delInstrText"), qn("w:pPr"), qn("w:rPr")}
_SPACES = {qn("w:tab"), qn("w:br"), qn("w:cr"), qn("w:noBreakHyphen")}
# What would be read as markup of ours or hide it: code, escapes, a tag that a person typed.
_TYPED_TAG = re.compile(r"<(?=/?gml-)")
_HARMLESS = str.maketrans({"`": "'", "\\": "/"})


def bookmark_of(identifier: str, turn: int = 1) -> str | None:
    """The name of the place where something is first cited, by which it is cited again; Word takes 40 characters."""
    name = f"c_{identifier}{f'_{turn}' if turn > 1 else ''}".replace(".", "_").replace("-", "_")
    return name if IDENTIFIER.fullmatch(identifier) and len(name) <= _LONGEST_BOOKMARK else None


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a document, and the identifiers of what it cites; `notes` are the footnotes, by their names."""

    text: str
    identifiers: tuple[str, ...]
    notes: tuple[str, ...] = ()


def said(body: Any, style_names: Mapping[str, str], notes: Mapping[str, tuple[str, ...]]) -> list[Said]:
    """Every statement of a document's body, in order."""
    found: list[Said] = []
    for paragraph in body.iter(qn("w:p")):
        if _is_unsaid(paragraph, style_names):
            continue
        text = "".join(_pieces(paragraph, notes)).strip()
        cited = [segment.identifier or "" for segment in parse.segments(text) if segment.ordinal is not None]
        for statement in statements_of(text, by_sentence=True):
            if any(character.isalnum() for character in statement.text) or statement.ordinals:
                names = tuple(dict.fromkeys(cited[ordinal] for ordinal in statement.ordinals))
                identifiers = tuple(dict.fromkeys(name.partition("#")[0] for name in names))
                found.append(Said(" ".join(statement.text.split()), identifiers, names))
    return found


def identifiers_of(footnotes: Any) -> dict[str, tuple[str, ...]]:
    """The identifiers that stand in each footnote, by its number."""
    return {
        note.get(qn("w:id")): tuple(dict.fromkeys(IDENTIFIER.findall(words_of(note))))
        for note in footnotes.iter(qn("w:footnote"))
    }


def notes_of(footnotes: Any) -> list[str]:
    """The words of each footnote."""
    return [words_of(note) for note in footnotes.iter(qn("w:footnote"))]


def words_of(element: Any) -> str:
    """All words of an element, those of its paragraphs one after the other."""
    return " ".join("".join(_pieces(paragraph, {})) for paragraph in element.iter(qn("w:p")))


def style_names_of(styles: Any) -> dict[str, str]:
    """The name of each style by its id: programs that save a file keep names, not ids."""
    names: dict[str, str] = {}
    for style in styles.iter(qn("w:style")):
        name = style.find(qn("w:name"))
        if name is not None:
            names[style.get(qn("w:styleId"))] = str(name.get(qn("w:val"))).lower()
    return names


def _is_unsaid(paragraph: Any, style_names: Mapping[str, str]) -> bool:
    style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    name = "" if style is None else style_names.get(style.get(qn("w:val")), style.get(qn("w:val")).lower())
    return name.startswith(_UNSAID)


def _pieces(element: Any, notes: Mapping[str, tuple[str, ...]], inside: list[str] | None = None) -> Iterator[str]:
    """Words and citations. `inside` are the instructions of the fields that are open: a reference shows a number."""
    fields = [] if inside is None else inside
    for child in element:
        if child.tag in _SKIPPED:
            continue
        if child.tag == qn("w:fldChar"):
            _follow(child, fields)
        elif child.tag == qn("w:instrText"):
            fields[-1:] = [(fields or [""])[-1] + (child.text or "")]
            yield from (parse.tag(_identifier(match)) for match in _AGAIN.finditer(child.text or ""))
        elif child.tag == qn("w:t"):
            yield "" if any("NOTEREF" in each for each in fields) else _text(child.text or "")
        elif child.tag in _SPACES:
            yield " "
        elif child.tag == qn("w:footnoteReference"):
            yield from (parse.tag(each) for each in notes.get(child.get(qn("w:id")), ()))
        elif child.tag != qn("w:p"):
            yield from _pieces(child, notes, fields)


def _follow(character: Any, fields: list[str]) -> None:
    kind = character.get(qn("w:fldCharType"))
    if kind == "begin":
        fields.append("")
    elif kind == "end" and fields:
        fields.pop()


def _identifier(match: re.Match[str]) -> str:
    """The name of the footnote that is referred to again."""
    return f"{match[1]}.{match[2]}-{match[3]}{f'#{match[4]}' if match[4] else ''}"


def _text(text: str) -> str:
    return _TYPED_TAG.sub("\u2039", text.translate(_HARMLESS).replace("~~~", "~ ~ ~"))
