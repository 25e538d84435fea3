"""Marked text in Word: statements underlined by verdict, comments on those to look at, and a table of all at the end.

A copy of the checked file keeps its layout: its runs are cut where a statement begins and ends, and nothing else.
"""

import io
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.run import Run

from intelli.deliverables.forms import zip_pack
from intelli.deliverables.forms.clean import clean_text

_AUTHOR, _INITIALS = "Intelli", "In"
_HEADS = ("No.", "Verdict", "Statement", "Reason", "Passages")
_SUMMARY = "Checked by Intelli"
_NOT_FOUND = "Statements that were not found again in this file"
# What a run says besides text; each stands for one character.
_SIGNS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_TEXT, _PARAGRAPH, _LOOK = qn("w:t"), qn("w:p"), qn("w:rPr")
# What closes a sentence belongs to it.
_FINAL = ".!?\u2026\u201d\u00bb\u3002"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_RUNS = "./w:r | ./w:hyperlink/w:r | ./w:ins/w:r | ./w:smartTag/w:r | ./w:sdt/w:sdtContent/w:r"


@dataclass(frozen=True, slots=True)
class StatementMark:
    """A statement to mark: its place and words in the text, what is said of it, and how it is underlined.

    One without a comment is only underlined.
    """

    start: int
    end: int
    words: str
    statement: str
    verdict: str
    reason: str
    sources: tuple[str, ...]
    comment: str
    underline: str
    colour: str


def write_text(title: str, text: str, marks: Sequence[StatementMark], *, summary: str) -> bytes:
    """Write a text, line by line, as a new Word document with its statements marked."""
    document = docx.Document()
    document.add_heading(clean_text(title), level=1)
    document.add_paragraph(clean_text(summary))
    pieces: dict[int, list[Any]] = {}
    at = 0
    for line in text.split("\n"):
        if line.strip():
            for number, run in _write_line(document.add_paragraph(), line, at, marks):
                pieces.setdefault(number, []).append(run)
        at += len(line) + 1
    for number, runs in sorted(pieces.items()):
        _comment(document, runs, marks[number])
    _conclude(document, marks, summary, missing=())
    return _save(document)


def annotate(original: bytes, marks: Sequence[StatementMark], *, summary: str) -> bytes:
    """Mark the statements in a copy of a Word file. Those that are not found again are listed at its end."""
    document = docx.Document(io.BytesIO(original))
    places = _Skeleton(document.element.body).find([mark.words for mark in marks])
    # A cut moves no character of its paragraph, so the places stay what they are.
    pieces = {number: [run for span in place for run in _cut(span)] for number, place in places.items()}
    for number, runs in pieces.items():
        for run in runs:
            _underline(run, marks[number])
        _comment(document, runs, marks[number])
    _conclude(document, marks, summary, missing=[mark for at, mark in enumerate(marks) if not pieces.get(at)])
    return _save(document)


def _write_line(paragraph: Any, line: str, at: int, marks: Sequence[StatementMark]) -> Iterator[tuple[int, Any]]:
    """Write a line that begins at a place of the text; yield the runs of statements with their numbers."""
    inside = [(number, mark) for number, mark in enumerate(marks) if mark.start < at + len(line) and mark.end > at]
    edges = {at, at + len(line)}
    edges |= {min(max(edge, at), at + len(line)) for _, mark in inside for edge in (mark.start, mark.end)}
    for start, end in pairwise(sorted(edges)):
        run = paragraph.add_run(clean_text(line[start - at : end - at]))._r
        number = next((number for number, mark in inside if mark.start <= start and end <= mark.end), None)
        if number is not None:
            _underline(run, marks[number])
            yield number, run


def _underline(run: Any, mark: StatementMark) -> None:
    look = run.get_or_add_rPr()
    for old in look.findall(qn("w:u")):
        look.remove(old)
    line = OxmlElement("w:u")
    line.set(qn("w:val"), mark.underline)
    line.set(qn("w:color"), mark.colour)
    look._insert_u(line)


def _comment(document: Any, runs: Sequence[Any], mark: StatementMark) -> None:
    if not mark.comment or not runs:
        return
    text = "\n".join(clean_text(line) for line in mark.comment.split("\n"))
    ends = [Run(runs[0], document), Run(runs[-1], document)]
    document.add_comment(ends, text=text, author=_AUTHOR, initials=_INITIALS)


def _conclude(document: Any, marks: Sequence[StatementMark], summary: str, *, missing: Sequence[StatementMark]) -> None:
    """Add the table of verdicts, and what was not found again."""
    document.add_page_break()
    document.add_paragraph().add_run(_SUMMARY).bold = True
    document.add_paragraph(clean_text(summary))
    if missing:
        document.add_paragraph().add_run(_NOT_FOUND).bold = True
        for mark in missing:
            document.add_paragraph(clean_text(f"{mark.verdict}: {mark.statement}"))
    table = document.add_table(rows=1, cols=len(_HEADS))
    _add_borders(table)
    for cell, head in zip(table.rows[0].cells, _HEADS, strict=True):
        cell.paragraphs[0].add_run(head).bold = True
    for number, mark in enumerate(marks, start=1):
        told = (str(number), mark.verdict, mark.statement, mark.reason, "\n".join(mark.sources))
        for cell, words in zip(table.add_row().cells, told, strict=True):
            cell.paragraphs[0].add_run("\n".join(clean_text(line) for line in words.split("\n")))


def _add_borders(table: Any) -> None:
    """Draw the lines of a table itself: a file of others need not have a style for that."""
    borders = OxmlElement("w:tblBorders")
    for edge in ("top", "left", "bottom", "right", "insideH", "insideV"):
        line = OxmlElement(f"w:{edge}")
        line.set(qn("w:val"), "single")
        line.set(qn("w:sz"), "4")
        line.set(qn("w:color"), "BFBFBF")
        borders.append(line)
    table._tbl.tblPr.append(borders)


def _save(document: Any) -> bytes:
    saved = io.BytesIO()
    document.save(saved)
    return zip_pack.make_reproducible(saved.getvalue())


@dataclass(frozen=True, slots=True)
class _ParagraphSpan:
    """Characters `start` up to `end` of a paragraph."""

    paragraph: Any
    start: int
    end: int


class _Skeleton:
    """The letters and digits of a document in order, and the place of each: layout and punctuation do not matter."""

    def __init__(self, body: Any) -> None:
        self._paragraphs = list(body.iter(_PARAGRAPH))
        self._texts = ["".join(map(_text_of, _runs_of(paragraph))) for paragraph in self._paragraphs]
        letters: list[str] = []
        self._places: list[tuple[int, int]] = []
        for number, text in enumerate(self._texts):
            for at, character in enumerate(text):
                # Some characters are two in lower case, and each has its place.
                for letter in character.casefold() if character.isalnum() else "":
                    letters.append(letter)
                    self._places.append((number, at))
        self._letters = "".join(letters)

    def find(self, words: Sequence[str]) -> dict[int, list[_ParagraphSpan]]:
        """Find texts, in their order, by their number in the sequence; those that are not there are left out."""
        found: dict[int, list[_ParagraphSpan]] = {}
        behind = 0
        for number, each in enumerate(words):
            wanted = "".join(character.casefold() for character in each if character.isalnum())
            at = self._letters.find(wanted, behind) if wanted else -1
            if at >= 0:
                behind = at + len(wanted)
                found[number] = list(self._spans(at, behind))
        return found

    def _spans(self, start: int, end: int) -> Iterator[_ParagraphSpan]:
        places = self._places[start:end]
        for number in dict.fromkeys(paragraph for paragraph, _ in places):
            inside = [at for paragraph, at in places if paragraph == number]
            end, text = inside[-1] + 1, self._texts[number]
            while end < len(text) and text[end] in _FINAL:
                end += 1
            yield _ParagraphSpan(self._paragraphs[number], inside[0], end)


def _runs_of(paragraph: Any) -> list[Any]:
    return list(paragraph.xpath(_RUNS))


def _text_of(run: Any) -> str:
    return "".join((child.text or "") if child.tag == _TEXT else _SIGNS.get(child.tag, "") for child in run)


def _cut(span: _ParagraphSpan) -> list[Any]:
    """Cut the runs of a paragraph at the ends of a span, and return those inside, in order."""
    inside: list[Any] = []
    at = 0
    for run in _runs_of(span.paragraph):
        length = len(_text_of(run))
        start, end = max(span.start - at, 0), min(span.end - at, length)
        at += length
        if start >= end:
            continue
        if end < length:
            _split(run, end)
        inside.append(_split(run, start) if start else run)
    return inside


def _split(run: Any, offset: int) -> Any:
    """Cut a run before a character; return the second part, which follows it and looks the same."""
    rest = deepcopy(run)
    run.addnext(rest)
    for part, is_rest in ((run, False), (rest, True)):
        at = 0
        for child in list(part):
            at = _keep(part, child, at, offset, is_rest=is_rest)
    return rest


def _keep(run: Any, child: Any, at: int, offset: int, *, is_rest: bool) -> int:
    """Keep of a run's child at a place what is on one side of the cut; return the place behind the child.

    What is no text, such as the mark of a footnote, belongs to the words before it.
    """
    if child.tag == _TEXT:
        text, cut = child.text or "", max(offset - at, 0)
        child.text = text[cut:] if is_rest else text[:cut]
        child.set(_SPACE, "preserve")
        if not child.text:
            run.remove(child)
        return at + len(text)
    is_sign = child.tag in _SIGNS
    is_behind = at >= offset if is_sign else at > offset
    if child.tag != _LOOK and is_behind != is_rest:
        run.remove(child)
    return at + is_sign
