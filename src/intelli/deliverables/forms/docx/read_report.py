"""Read the sentences of a Word report with the identifiers that each cites, as written or as edited since.

Tracked insertions count as text, tracked deletions do not. Headings and captions are read separately, since they cite
nothing; contents and lists of sources are skipped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

from intelli.citations import parse
from intelli.citations.statements import statements_of
from intelli.content.span import SpanAddress

IDENTIFIER = re.compile(r"\b[0-9a-f]{16}\.\d{1,12}-\d{1,12}\b")
_IN_NOTE = re.compile(r"n_([0-9a-f]{16})_(\d{1,12})_(\d{1,12})(?:_(\d{1,3}))?")
_AGAIN = re.compile(r"\bNOTEREF c_([0-9a-f]{16})_(\d{1,12})_(\d{1,12})(?:_(\d{1,3}))?\b")
_HEADINGS = ("heading", "title", "subtitle", "caption")
_UNSAID = (*_HEADINGS, "toc", "header", "footer", "intelli source", "intelli made")
# Fields that show a number which Word counts: it is none of the text's own.
_COUNTING = ("NOTEREF", "SEQ")
_LONGEST_BOOKMARK = 40
_SKIPPED = {qn("w:del"), qn("w:moveFrom"), qn("w:delText"), qn("w:delInstrText"), qn("w:pPr"), qn("w:rPr")}
_SPACES = {qn("w:tab"), qn("w:br"), qn("w:cr"), qn("w:noBreakHyphen")}
# What would be read as markup of ours or hide it: code, escapes, a tag that a person typed.
_TYPED_TAG = re.compile(r"<(?=/?gml-)")
_HARMLESS = str.maketrans({"`": "'", "\\": "/"})


def bookmark_of(identifier: str, turn: int = 1) -> str | None:
    """Return the bookmark of the first citation of an identifier; None when it exceeds Word's 40 characters."""
    return _bookmark("c", identifier, turn)


def note_bookmark_of(identifier: str, turn: int = 1) -> str | None:
    """Return the bookmark in the footnote on an identifier; None when it exceeds Word's 40 characters."""
    return _bookmark("n", identifier, turn)


def _bookmark(kind: str, identifier: str, turn: int) -> str | None:
    name = f"{kind}_{identifier}{f'_{turn}' if turn > 1 else ''}".replace(".", "_").replace("-", "_")
    return name if IDENTIFIER.fullmatch(identifier) and len(name) <= _LONGEST_BOOKMARK else None


@dataclass(frozen=True, slots=True)
class ReportStatement:
    """A statement of a document, and the identifiers it cites; `notes` are the names of its footnotes."""

    text: str
    identifiers: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportWording:
    """Statements and headings of a document."""

    said: list[ReportStatement]
    headings: list[str]


def read_wording(body: Any, style_names: Mapping[str, str], notes: Mapping[str, tuple[str, ...]]) -> ReportWording:
    """Read statements and headings of a document's body."""
    return ReportWording(read_statements(body, style_names, notes), read_headings(body, style_names))


def read_statements(
    body: Any, style_names: Mapping[str, str], notes: Mapping[str, tuple[str, ...]]
) -> list[ReportStatement]:
    """Read every statement of a document's body, in order."""
    found: list[ReportStatement] = []
    for paragraph in body.iter(qn("w:p")):
        if _style(paragraph, style_names).startswith(_UNSAID):
            continue
        text = "".join(_pieces(paragraph, notes)).strip()
        cited = [segment.identifier or "" for segment in parse.segments(text) if segment.ordinal is not None]
        for statement in statements_of(text, by_sentence=True):
            if any(character.isalnum() for character in statement.text) or statement.ordinals:
                names = tuple(dict.fromkeys(cited[ordinal] for ordinal in statement.ordinals))
                identifiers = tuple(dict.fromkeys(name.partition("#")[0] for name in names))
                found.append(ReportStatement(" ".join(statement.text.split()), identifiers, names))
    return found


def read_headings(body: Any, style_names: Mapping[str, str]) -> list[str]:
    """Read the titles, headings and captions of a document's body, in order, without numbers that Word counts."""
    found: list[str] = []
    for paragraph in body.iter(qn("w:p")):
        if _style(paragraph, style_names).startswith(_HEADINGS):
            segments = parse.segments("".join(_pieces(paragraph, {})))
            text = " ".join("".join(each.text for each in segments if each.ordinal is None).split())
            found += [text] if text else []
    return found


def identifiers_of(footnotes: Any) -> dict[str, tuple[str, ...]]:
    """Return the identifiers in each footnote, by its number."""
    return {note.get(qn("w:id")): tuple(dict.fromkeys(_identifiers(note))) for note in footnotes.iter(qn("w:footnote"))}


def notes_of(footnotes: Any) -> list[tuple[str, str]]:
    """Return the text of each footnote that names an identifier, after that identifier."""
    named = ((_identifiers(note), words_of(note)) for note in footnotes.iter(qn("w:footnote")))
    return [(identifiers[-1], words) for identifiers, words in named if identifiers]


def _identifiers(note: Any) -> list[str]:
    """Return the identifiers of a footnote: those that it shows, else that of its bookmark."""
    shown = IDENTIFIER.findall(words_of(note))
    names = (_IN_NOTE.fullmatch(each.get(qn("w:name")) or "") for each in note.iter(qn("w:bookmarkStart")))
    return shown or [_identifier(match).partition("#")[0] for match in names if match is not None]


def words_of(element: Any) -> str:
    """Return the text of an element, its paragraphs joined by spaces."""
    return " ".join("".join(_pieces(paragraph, {})) for paragraph in element.iter(qn("w:p")))


def style_names_of(styles: Any) -> dict[str, str]:
    """Return the name of each style by its id: programs that save a file keep names, not ids."""
    names: dict[str, str] = {}
    for style in styles.iter(qn("w:style")):
        name = style.find(qn("w:name"))
        if name is not None:
            names[style.get(qn("w:styleId"))] = str(name.get(qn("w:val"))).lower()
    return names


def _style(paragraph: Any, style_names: Mapping[str, str]) -> str:
    style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    return "" if style is None else style_names.get(style.get(qn("w:val")), style.get(qn("w:val")).lower())


def _pieces(element: Any, notes: Mapping[str, tuple[str, ...]], inside: list[str] | None = None) -> Iterator[str]:
    """Yield text and citations. `inside` has the instructions of the open fields: a reference shows a number."""
    fields = [] if inside is None else inside
    for child in element:
        if child.tag in _SKIPPED:
            continue
        if child.tag == qn("w:fldChar"):
            _track_field(child, fields)
        elif child.tag == qn("w:instrText"):
            yield from _instruction(child.text or "", fields)
        elif child.tag == qn("w:t"):
            yield "" if _is_counted(fields) else _text(child.text or "")
        elif child.tag in _SPACES:
            yield " "
        elif child.tag == qn("w:footnoteReference"):
            yield from (parse.tag(each) for each in notes.get(child.get(qn("w:id")), ()))
        elif child.tag != qn("w:p"):
            yield from _pieces(child, notes, fields)


def _instruction(text: str, fields: list[str]) -> Iterator[str]:
    """Add to the instruction of the innermost field; yield the footnotes that it refers to again."""
    fields[-1:] = [(fields or [""])[-1] + text]
    yield from (parse.tag(_identifier(match)) for match in _AGAIN.finditer(text))


def _is_counted(fields: Sequence[str]) -> bool:
    """Return whether a field shows a number that Word computes."""
    return any(word in each for each in fields for word in _COUNTING)


def _track_field(character: Any, fields: list[str]) -> None:
    kind = character.get(qn("w:fldCharType"))
    if kind == "begin":
        fields.append("")
    elif kind == "end" and fields:
        fields.pop()


def _identifier(match: re.Match[str]) -> str:
    """Return the name of the footnote that a repeated citation refers to."""
    address = SpanAddress(match[1], int(match[2]), int(match[3]))
    return address.identifier + (f"#{match[4]}" if match[4] else "")


def _text(text: str) -> str:
    return _TYPED_TAG.sub("\u2039", text.translate(_HARMLESS).replace("~~~", "~ ~ ~"))
