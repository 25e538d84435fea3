"""What a PDF is beyond its words: headings, running headers, title, comments, filled forms, attached files."""

from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, String
from tests.library.extraction.pdfs import Sheet, build_pdf, comment, make_pdf, paragraph, saved, show, write

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, ExtractedAttachment, Extraction
from intelli.library.extraction.pdf import extract_pdf

BODY = ["The body of the text is long, so that its font size is the usual one", "in this document, and it goes on."]


def read(folder: Path, content: bytes) -> Extraction:
    return extract_pdf(write(folder, content), Limits())


def headings(extraction: Extraction) -> list[tuple[str, int]]:
    return [
        (extraction.text[block.start : block.end], block.level)
        for block in extraction.blocks
        if block.kind is BlockKind.HEADING
    ]


def chapter(title: str, section: str) -> Sheet:
    return Sheet(
        show(title, 72, 700, size=24)
        + paragraph(BODY, 72, 660)
        + show(section, 72, 600, size=16)
        + paragraph(BODY, 72, 570)
    )


def test_larger_letters_make_headings_and_every_block_knows_those_above_it(tmp_path: Path):
    extraction = read(tmp_path, make_pdf(chapter("Alpha", "Beta"), chapter("Gamma", "Delta")))
    assert headings(extraction) == [("Alpha", 1), ("Beta", 2), ("Gamma", 1), ("Delta", 2)]
    assert [block.path for block in extraction.blocks if block.kind is BlockKind.PARAGRAPH] == [
        ("Alpha",),
        ("Alpha", "Beta"),
        ("Gamma",),
        ("Gamma", "Delta"),
    ]


def test_the_outline_decides_what_is_a_heading_and_how_deep(tmp_path: Path):
    text = show("1 Scope", 72, 700) + paragraph(BODY, 72, 670) + show("Terms", 72, 600) + paragraph(BODY, 72, 570)
    pdf = build_pdf(Sheet(text))
    with pdf.open_outline() as outline:
        scope = OutlineItem("Scope", 0)
        scope.children.append(OutlineItem("Terms", 0))
        outline.root.append(scope)
    assert headings(read(tmp_path, saved(pdf))) == [("1 Scope", 1), ("Terms", 2)]


def test_an_outline_that_bites_its_tail_ends(tmp_path: Path):
    pdf = build_pdf(Sheet(paragraph(BODY, 72, 700)))
    item = pdf.make_indirect(Dictionary(Title=String("Loop"), Dest=Array([pdf.pages[0].obj, Name.Fit])))
    item.Next = item
    pdf.Root.Outlines = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=item, Last=item, Count=1))
    assert read(tmp_path, saved(pdf)).text.startswith("The body")


def test_bold_lines_of_body_size_are_headings_but_sentences_and_captions_are_not(tmp_path: Path):
    content = (
        show("Introduction", 72, 720, font="F2")
        + paragraph(BODY, 72, 690)
        + show("Table 1: Results", 72, 640, font="F2")
        + show("This is a warning, read it with care.", 72, 600, font="F2")
        + paragraph(BODY, 72, 570)
    )
    assert [text for text, _ in headings(read(tmp_path, make_pdf(Sheet(content))))] == ["Introduction"]


def test_running_headers_and_page_numbers_are_marked_but_stay_in_the_text(tmp_path: Path):
    sheets = [
        Sheet(show("Annual report 2024", 72, 760) + paragraph(BODY, 72, 600) + show(f"- {number} -", 300, 30))
        for number in range(1, 6)
    ]
    extraction = read(tmp_path, make_pdf(*sheets))
    furniture = [
        extraction.text[block.start : block.end] for block in extraction.blocks if block.kind is BlockKind.FURNITURE
    ]
    assert furniture == [text for number in range(1, 6) for text in ("Annual report 2024", f"- {number} -")]


def test_what_stands_once_at_the_top_of_a_page_is_no_furniture(tmp_path: Path):
    sheets = [Sheet(show(f"{name} chapter", 72, 760) + paragraph(BODY, 72, 600)) for name in ("One", "Two", "Three")]
    assert not any(b.kind is BlockKind.FURNITURE for b in read(tmp_path, make_pdf(*sheets)).blocks)


def test_the_title_is_that_of_the_metadata_unless_a_program_made_it_up(tmp_path: Path):
    sheet = chapter("Shown title", "Section")
    assert read(tmp_path, make_pdf(sheet, info={"Title": "Real title"})).title == "Real title"
    for junk in ("Microsoft Word - report.docx", "untitled", "scan0001.pdf", "  ", "123"):
        assert read(tmp_path, make_pdf(sheet, info={"Title": junk})).title == "Shown title"


def test_author_subject_and_date_are_properties(tmp_path: Path):
    info = {"Author": "A. Writer", "Subject": "Tests", "CreationDate": "D:20240229120000Z"}
    properties = read(tmp_path, make_pdf(Sheet(show("Text", 72, 700)), info=info)).properties
    assert properties == {"author": "A. Writer", "subject": "Tests", "created": "2024-02-29"}


def test_comments_are_notes_at_their_place(tmp_path: Path):
    sheet = Sheet(show("Text", 72, 700), notes=[comment("Check this\r\nfigure", (400, 600, 420, 620))])
    extraction = read(tmp_path, make_pdf(sheet))
    assert extraction.text == "Text\n\nCheck this\nfigure"
    assert [block.kind for block in extraction.blocks] == [BlockKind.PARAGRAPH, BlockKind.NOTE]
    assert {word.box for word in extraction.pages[0].words[1:]} == {(400, 172, 420, 192)}


def test_what_was_filled_into_a_form_is_text_but_a_password_is_not(tmp_path: Path):
    pdf = build_pdf(Sheet(show("Name", 72, 700)))
    fields = [
        _field("name", "Ada Lovelace", (150, 690, 300, 710), label="Your name"),
        _field("pin", "secret", (150, 650, 300, 670), flags=1 << 13),
        _field("empty", "", (150, 610, 300, 630)),
    ]
    items = Array([pdf.make_indirect(field) for field in fields])
    pdf.pages[0].obj.Annots = items
    pdf.Root.AcroForm = Dictionary(Fields=items)
    assert read(tmp_path, saved(pdf)).text == "Name\n\nYour name: Ada Lovelace"


def _field(name: str, value: str, box: tuple[int, int, int, int], *, label: str = "", flags: int = 0) -> Dictionary:
    field = Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, Rect=Array(box), T=String(name), Ff=flags)
    field.V = String(value)
    if label:
        field.TU = String(label)
    return field


def test_attached_files_are_listed(tmp_path: Path):
    pdf = build_pdf(Sheet(show("Text", 72, 700)))
    pdf.attachments["figures.csv"] = pikepdf.AttachedFileSpec(pdf, b"a,b\n1,2\n", filename="figures.csv")
    assert read(tmp_path, saved(pdf)).attachments == (ExtractedAttachment("figures.csv", "text/csv", 8),)
