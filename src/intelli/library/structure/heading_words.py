"""The words that head a document: its title and its first headings, or its first short line."""

from dataclasses import dataclass

from intelli.library.extraction.model import PieceKind
from intelli.library.structure.document_structure import DocumentStructure, flow
from intelli.library.structure.text_lines import ends_sentence

_MOST = 4
_WITHIN = 3000
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class HeadingWords:
    """A line that heads a document, and where it begins in the text."""

    text: str
    start: int


def heading_words(text: str, structure: DocumentStructure) -> list[HeadingWords]:
    """Return the title first, then the first headings; without any, the short line that the text begins with."""
    heads = [each for each in structure.pieces[:200] if each.kind in {PieceKind.TITLE, PieceKind.HEADING}]
    near = [each for each in heads if each.kind is PieceKind.TITLE or each.start <= _WITHIN]
    ordered = sorted(near, key=lambda each: (each.kind is not PieceKind.TITLE, each.start))[:_MOST]
    found = [HeadingWords(_one_line(text[each.start : each.end]), each.start) for each in ordered]
    first = next((each for each in structure.pieces if each.kind is PieceKind.PARAGRAPH), None)
    if first is not None and (not found or first.start < found[0].start):
        words = flow(text, first)
        # A sentence tells of other years and documents.
        if len(words) <= _LONGEST and not ends_sentence(words):
            found.append(HeadingWords(words, first.start))
    return found


def _one_line(words: str) -> str:
    return words[:_LONGEST].replace("\n", " ").replace("\t", " ")
