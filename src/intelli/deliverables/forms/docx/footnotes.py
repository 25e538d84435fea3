"""Word footnotes: a part of their own, with source, place, quote, check and link of each citation.

Its identifier is the name of a bookmark; the proof edition also shows it.

A repeated citation refers to the first footnote by a field; Word cannot have two references to one footnote.
"""

from typing import Any
from xml.sax.saxutils import escape, quoteattr

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import nsdecls, qn

from intelli.deliverables.forms.docx import fields
from intelli.deliverables.forms.docx.read_report import bookmark_of, note_bookmark_of
from intelli.deliverables.forms.docx.styles import StyleIds
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import Footnote, group_consecutive, link

_HAIR = "\u200a"
_STYLE, _TEXT, _IDENTIFIER = "footnote reference", "footnote text", "Intelli Identifier"
# Numbers of bookmarks are unique in a document; headings and sources have those below.
_FIRST_BOOKMARK = 100_000
_FIRST_IN_NOTES = 200_000
# What the schema puts behind the footnotes' settings.
_AFTER_NOTES = (
    *("endnotePr", "compat", "docVars", "rsids", "themeFontLang", "clrSchemeMapping", "shapeDefaults"),
    *("decimalSymbol", "listSeparator"),
)
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr>'
    "<w:r><w:separator/></w:r></w:p></w:footnote>"
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr>'
    "<w:r><w:continuationSeparator/></w:r></w:p></w:footnote>"
)


class Footnotes:
    """Collects the footnotes of a document and writes their part."""

    def __init__(self, document: Any, options: Options, styles: StyleIds) -> None:
        self._document = document
        self._styles = styles
        self._options = options
        self._written: list[str] = []
        self._first: dict[int, int] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        uri = PackURI("/word/footnotes.xml")
        self._part = Part(uri, CONTENT_TYPE.WML_FOOTNOTES, b"", document.part.package)

    def refer(self, paragraph: Any, notes: list[Footnote]) -> None:
        """Add references to the end of a paragraph; a hair space parts them from a figure, a comma from each other."""
        for at, note in enumerate(notes):
            self._styles.add_run(paragraph, _STYLE, "," if at else _HAIR)
            name = bookmark_of(note.cited.identifier, note.turn)
            first = self._first.get(note.number)
            if first is not None and name is not None:
                self._refer_again(paragraph, name, first)
            else:
                self._refer_first(paragraph, note, name)

    def list_numbers(self, paragraph: Any, notes: list[Footnote]) -> None:
        """Write the numbers of footnotes as fields, which stay right when somebody adds another footnote."""
        for at, (first, last) in enumerate(group_consecutive(notes)):
            paragraph.add_run(", " if at else " ")
            self._number(paragraph, first)
            if last is not first:
                paragraph.add_run("\u2013")
                self._number(paragraph, last)

    def _number(self, paragraph: Any, note: Footnote) -> None:
        name, number = bookmark_of(note.cited.identifier, note.turn), self._first.get(note.number)
        if name is None or number is None:
            paragraph.add_run(str(number or note.number))
        else:
            fields.add_field(paragraph, rf"NOTEREF {name} \h", str(number))

    def finish(self) -> None:
        """Write the part and relate it to the document."""
        body = "".join(self._written)
        part = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:footnotes {nsdecls("w", "r")}>'
        self._part._blob = f"{part}{_SEPARATORS}{body}</w:footnotes>".encode()
        self._document.part.relate_to(self._part, RELATIONSHIP_TYPE.FOOTNOTES)

    def _refer_first(self, paragraph: Any, note: Footnote, name: str | None) -> None:
        number = self._add(note)
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), str(number))
        run = self._styles.add_run(paragraph, _STYLE)
        run._r.append(reference)
        if name is not None:
            fields.bookmark_run(run._r, name, _FIRST_BOOKMARK + number)

    def _refer_again(self, paragraph: Any, name: str, number: int) -> None:
        before = len(paragraph.runs)
        fields.add_field(paragraph, rf"NOTEREF {name} \f \h", str(number))
        for run in paragraph.runs[before:]:
            run._r.style = self._styles[_STYLE]

    def _add(self, note: Footnote) -> int:
        number = len(self._written) + 1
        self.names[str(number)] = (name_of(note),)
        self._first.setdefault(note.number, number)
        styles = self._styles
        number_run = f'<w:r><w:rPr><w:rStyle w:val="{styles[_STYLE]}"/></w:rPr><w:footnoteRef/></w:r>'
        self._written.append(
            f'<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="{styles[_TEXT]}"/></w:pPr>'
            f"{_bookmark(note, _FIRST_IN_NOTES + number)}{number_run}{_run(' ')}{self._whole(note)}"
            f"{self._identifier(note)}</w:p></w:footnote>"
        )
        return number

    def _identifier(self, note: Footnote) -> str:
        if not note.shown_identifier:
            return ""
        style = f'<w:rPr><w:rStyle w:val="{self._styles[_IDENTIFIER]}"/></w:rPr>'
        return f"<w:r>{style}{_text(note.shown_identifier)}</w:r>"

    def _whole(self, note: Footnote) -> str:
        cited = note.cited
        anchor = f'<w:hyperlink w:anchor="source_{cited.source}" w:history="1">'
        place = f", {note.place}" if note.place else ""
        quote = f": \u201c{cited.quote}\u201d" if cited.quote else ""
        remark = f" {note.remark}. ".replace(".. ", ". ") if note.remark else " "
        return f"{anchor}{_run(note.name)}</w:hyperlink>{_run(f'{place}{quote}{remark}')}{self._opening(note)}"

    def _opening(self, note: Footnote) -> str:
        address = link(note, self._options)
        if address is None:
            return ""
        relation = self._part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        style = f'<w:rPr><w:rStyle w:val="{self._styles["Hyperlink"]}"/></w:rPr>'
        opens = f"<w:r>{style}{_text(note.phrases.open)}</w:r>"
        return f"<w:hyperlink r:id={quoteattr(relation)}>{opens}</w:hyperlink>{_run(' ')}"


def _bookmark(note: Footnote, number: int) -> str:
    name = note_bookmark_of(note.cited.identifier, note.turn)
    if name is None:
        return ""
    return f'<w:bookmarkStart w:id="{number}" w:name="{name}"/><w:bookmarkEnd w:id="{number}"/>'


def name_of(note: Footnote) -> str:
    """Return the name of a footnote: the identifier of its quote, and its turn among those on the same quote."""
    return note.cited.identifier if note.turn == 1 else f"{note.cited.identifier}#{note.turn}"


def declare_separators(document: Any) -> None:
    """Declare the separators in the settings, where Word looks for them."""
    settings = document.settings.element
    properties = OxmlElement("w:footnotePr")
    for number in ("-1", "0"):
        named = OxmlElement("w:footnote")
        named.set(qn("w:id"), number)
        properties.append(named)
    later = {qn(f"w:{name}") for name in _AFTER_NOTES}
    later.add("{http://schemas.openxmlformats.org/officeDocument/2006/math}mathPr")
    at = next((index for index, each in enumerate(settings) if each.tag in later), len(settings))
    settings.insert(at, properties)


def _run(text: str) -> str:
    return f"<w:r>{_text(text)}</w:r>"


def _text(text: str) -> str:
    return f'<w:t xml:space="preserve">{escape(text)}</w:t>'
