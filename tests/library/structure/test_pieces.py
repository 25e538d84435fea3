"""Pieces: what each part of a document is, told by its format or by how it is laid out."""

import pytest
from tests.library.extraction.reading import read
from tests.library.structure import labelled

from intelli.library.extraction.model import Extraction, PieceKind
from intelli.library.structure import document_structure, packed_structure
from intelli.library.structure.document_structure import DocumentStructure, flow
from intelli.library.structure.pieces import is_statement

__all__ = ["read"]


def kinds(extraction: Extraction, structure: DocumentStructure) -> list[str]:
    return [f"{piece.kind} {' '.join(extraction.text[piece.start : piece.end].split())}" for piece in structure.pieces]


def check(found: list[str], labels: str) -> None:
    wanted = labels.strip().splitlines()
    assert [line[: len(label)] for line, label in zip(found, wanted, strict=False)] == wanted
    assert len(found) == len(wanted), found


@pytest.mark.parametrize(
    ("content", "name", "labels"),
    [
        (labelled.REPORT_MD, "report.md", labelled.REPORT_LABELS),
        (labelled.MAIL, "mail.eml", labelled.MAIL_LABELS),
        (labelled.NOTES_TXT, "notes.txt", labelled.NOTES_LABELS),
        (labelled.PAGE_HTML, "page.html", labelled.PAGE_LABELS),
        (labelled.report_pdf(), "report.pdf", labelled.PDF_LABELS),
        (labelled.report_docx(), "report.docx", labelled.DOCX_LABELS),
        (labelled.slides_pptx(), "slides.pptx", labelled.PPTX_LABELS),
        (labelled.sales_xlsx(), "sales.xlsx", labelled.XLSX_LABELS),
    ],
    ids=["markdown", "mail", "text", "html", "pdf", "word", "slides", "sheet"],
)
def test_each_piece_is_told_for_what_it_is(read, content, name, labels):
    extraction = read(content, name)
    check(kinds(extraction, document_structure.build(extraction)), labels)


def test_only_paragraphs_items_and_rows_can_be_findings():
    stated = {kind for kind in PieceKind if is_statement(kind)}
    assert stated == {PieceKind.PARAGRAPH, PieceKind.LIST_ITEM, PieceKind.TABLE}


def test_a_span_is_told_its_piece_and_the_headings_above_it(read):
    extraction = read(labelled.REPORT_MD, "report.md")
    structure = document_structure.build(extraction)
    start = extraction.text.index("Fuel prices")
    place = structure.place_of(start, start + 10)
    assert place.piece.kind is PieceKind.LIST_ITEM
    assert [extraction.text[each.start : each.end] for each in place.headings] == [
        "# Annual Report 2024",
        "## 2. Risks",
    ]


def test_a_sentence_goes_on_over_the_furniture_between_two_pages(read):
    extraction = read(labelled.report_pdf(), "report.pdf")
    structure = document_structure.build(extraction)
    pieces = structure.whole_statement(extraction.text.index("in the year before"))
    words = " ".join(flow(extraction.text, piece) for piece in pieces)
    assert "ordered more than in the year before. The outlook" in words


def test_words_on_one_line_keep_their_places(read):
    extraction = read(labelled.REPORT_MD, "report.md")
    structure = document_structure.build(extraction)
    piece = structure.place_of(extraction.text.index("Revenue rose"), extraction.text.index("Revenue rose") + 1).piece
    assert flow(extraction.text, piece) == "Revenue rose to EUR 857.1 million in the financial year 2024."
    assert len(flow(extraction.text, piece)) == piece.end - piece.start


@pytest.mark.parametrize(
    ("content", "name"), [(labelled.REPORT_MD, "a.md"), (labelled.report_pdf(), "a.pdf"), (labelled.MAIL, "a.eml")]
)
def test_a_structure_is_what_it_was_when_it_is_unpacked(read, content, name):
    extraction = read(content, name)
    structure = document_structure.build(extraction)
    assert packed_structure.unpack(packed_structure.pack(structure), chars=len(extraction.text)) == structure


def test_a_structure_of_a_longer_text_is_refused(read):
    extraction = read(labelled.REPORT_MD, "report.md")
    packed = packed_structure.pack(document_structure.build(extraction))
    with pytest.raises(packed_structure.DamagedStructure):
        packed_structure.unpack(packed, chars=len(extraction.text) - 100)
    with pytest.raises(packed_structure.DamagedStructure):
        packed_structure.unpack(packed[:-20], chars=len(extraction.text))


def test_a_data_table_below_a_heading_is_no_table_of_contents(read):
    rows = "Region\tUnits\nNorth\t10\nSouth\t20\nWest\t30\n"
    structure = document_structure.build(read(rows, "units.csv"))
    assert [piece.kind for piece in structure.pieces] == [PieceKind.TABLE]


def test_prose_that_begins_with_the_word_table_is_no_caption(read):
    extraction = read("# A\n\nTable 1 shows that revenue rose in 2024.\n\nMore.\n", "a.md")
    assert [piece.kind for piece in document_structure.build(extraction).pieces][1] is PieceKind.PARAGRAPH
