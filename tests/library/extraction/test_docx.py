"""Word documents: what Word shows, in its order, each thing once."""

import pytest
from tests.library.extraction.files import docx, paragraph, part_of_word
from tests.library.extraction.reading import Read, shown

_STYLES = part_of_word(
    "styles",
    '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="H2"><w:name w:val="Custom"/><w:basedOn w:val="Base"/></w:style>'
    '<w:style w:styleId="Base"><w:name w:val="Base"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style>',
)
_NUMBERING = part_of_word(
    "numbering",
    '<w:abstractNum w:abstractNumId="1">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>'
    "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>',
)
_PARTS = {"styles.xml": ("styles", _STYLES), "numbering.xml": ("numbering", _NUMBERING)}


def styled(text: str, style: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style}"/>')


def item(text: str, *, of: int = 1, depth: int = 0) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{of}"/></w:numPr>')


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def row(*cells: str) -> str:
    return f"<w:tr>{''.join(cells)}</w:tr>"


def test_headings_lead_to_what_stands_below_them(read: Read):
    body = (
        styled("Ducks", "H1")
        + styled("Diving", "H2")
        + paragraph("They dive.")
        + styled("Geese", "H1")
        + paragraph("x")
    )
    extraction = read(docx(body, parts=_PARTS))
    assert [(block.level, block.path) for block in extraction.blocks] == [
        (1, ()),
        (2, ("Ducks",)),
        (0, ("Ducks", "Diving")),
        (1, ()),
        (0, ("Geese",)),
    ]


def test_list_items_carry_the_numbers_that_word_shows(read: Read):
    body = item("a") + item("b") + item("b1", depth=1) + item("b2", depth=1) + item("c") + item("dot", of=2) + item("d")
    extraction = read(docx(body, parts=_PARTS))
    assert extraction.text.split("\n") == ["1. a", "2. b", "2.a) b1", "2.b) b2", "3. c", "- dot", "4. d"]
    assert {kind for kind, _ in shown(extraction)} == {"list"}


def test_code_keeps_its_indentation(read: Read):
    extraction = read(docx(paragraph("x") + styled("    return 1", "Code"), parts=_PARTS))
    assert ("code", "return 1") in [(kind, text.strip()) for kind, text in shown(extraction)]


def test_a_style_that_is_based_on_itself_does_no_harm(read: Read):
    assert read(docx(styled("x", "Loop"), parts=_PARTS)).text == "x"


def test_merged_cells_stand_in_every_row_they_cover(read: Read):
    table = (
        row(cell("year", '<w:vMerge w:val="restart"/>'), cell("ducks", '<w:gridSpan w:val="2"/>'))
        + row(cell("", "<w:vMerge/>"), cell("wild"), cell("tame"))
        + row(cell("2024"), cell("3"), cell("4"))
    )
    extraction = read(docx(f"<w:tbl>{table}</w:tbl>"))
    assert shown(extraction) == [("table", "year\tducks\tducks\nyear\twild\ttame\n2024\t3\t4")]


def test_a_table_in_a_cell_is_read_where_it_stands(read: Read):
    inner = f"<w:tbl>{row(cell('b'), cell('c'))}</w:tbl>"
    outer = "<w:tc>" + paragraph("a") + inner + "</w:tc>"
    extraction = read(docx(f"<w:tbl>{row(outer, cell('d'))}</w:tbl>"))
    assert extraction.text == "a b c\td"


def test_a_text_box_is_read_once_though_it_is_stored_twice(read: Read):
    box = f"<w:txbxContent>{paragraph('in the box')}</w:txbxContent>"
    twice = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    twice = f"<mc:AlternateContent>{twice}</mc:AlternateContent>"
    extraction = read(docx(f"<w:p><w:r><w:t>before</w:t>{twice}</w:r></w:p>" + paragraph("after")))
    assert extraction.text == "before\n\nin the box\n\nafter"


def test_footnotes_comments_headers_and_footers_are_told_apart(read: Read):
    note = '<w:footnote w:type="separator" w:id="0"/>' + f'<w:footnote w:id="2">{paragraph("the note")}</w:footnote>'
    comment = f'<w:comment w:id="1" w:author="Ann">{paragraph("really?")}</w:comment>'
    parts = {
        "footnotes.xml": ("footnotes", part_of_word("footnotes", note)),
        "comments.xml": ("comments", part_of_word("comments", comment)),
        "header1.xml": ("header", part_of_word("hdr", paragraph("Annual report"))),
        "header2.xml": ("header", part_of_word("hdr", paragraph("Annual report"))),
        "footer1.xml": ("footer", part_of_word("ftr", paragraph("page"))),
    }
    body = '<w:p><w:r><w:t>text</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    assert shown(read(docx(body, parts=parts))) == [
        ("furniture", "Annual report"),
        ("paragraph", "text[2]"),
        ("note", "[2] the note"),
        ("note", "Comment by Ann: really?"),
        ("furniture", "page"),
    ]


def test_deleted_text_and_field_codes_are_not_read_and_inserted_text_is(read: Read):
    runs = (
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:tab/><w:t>x</w:t><w:noBreakHyphen/><w:t>y</w:t></w:r>"
    )
    assert read(docx(f"<w:p>{runs}</w:p>")).text == "new\tx\u2011y"


def test_content_controls_and_check_boxes_are_read(read: Read):
    box = "<w:fldChar><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar>"
    body = (
        f"<w:sdt><w:sdtContent>{paragraph('chosen')}</w:sdtContent></w:sdt><w:p><w:r>{box}<w:t> done</w:t></w:r></w:p>"
    )
    assert read(docx(body)).text == "chosen\n\n☒ done"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<m:f><m:num><m:t>a+b</m:t></m:num><m:den><m:t>2</m:t></m:den></m:f>", "(a+b)/2"),
        ("<m:sSup><m:e><m:t>x</m:t></m:e><m:sup><m:t>2</m:t></m:sup></m:sSup>", "x^2"),
        ("<m:rad><m:deg/><m:e><m:t>x</m:t></m:e></m:rad>", "√(x)"),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:t>x</m:t></m:e></m:d>', "[x]"),
    ],
)
def test_equations_are_written_on_one_line(read: Read, inside: str, text: str):
    assert read(docx(f"<w:p><m:oMath>{inside}</m:oMath></w:p>")).text == text


def test_pages_are_known_only_where_word_has_left_them(read: Read):
    extraction = read(docx(paragraph("one") + "<w:p><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>"))
    assert [(block.place.paragraph, block.place.page) for block in extraction.blocks] == [(1, None), (2, 2)]


def test_a_damaged_part_beside_the_text_costs_a_warning(read: Read):
    extraction = read(docx(paragraph("text"), parts={"styles.xml": ("styles", "<w:styles")}))
    assert extraction.text == "text"
    assert "styles" in extraction.warnings[0]


def test_text_beyond_the_limit_is_cut_with_a_warning(read: Read):
    extraction = read(docx("".join(paragraph(f"paragraph {n}") for n in range(100))), max_chars=50)
    assert len(extraction.text) <= 50
    assert extraction.warnings == ("Only the first 50 characters were read.",)
