"""Archives: every entry that can be read, under its path; books and open documents, which are archives too."""

import zipfile

import pytest
from tests.library.extraction.files import docx, opendocument, paragraph, zipped
from tests.library.extraction.reading import Read, shown

from intelli.library.extraction.model import Refusal, Unreadable


def test_entries_are_parts_under_their_path(read: Read):
    entries = {
        "notes/a.txt": "plain",
        "b.docx": docx(paragraph("in Word")),
        "c.csv": "x,y\n1,2\n",
        "__MACOSX/._a.txt": "litter",
        "folder/": "",
    }
    extraction = read(zipped(entries))
    assert shown(extraction) == [
        ("heading", "notes/a.txt"),
        ("paragraph", "plain"),
        ("heading", "b.docx"),
        ("paragraph", "in Word"),
        ("heading", "c.csv"),
        ("table", "x\ty\n1\t2"),
    ]
    assert [block.place.part for block in extraction.blocks][1::2] == ["notes/a.txt", "b.docx", "c.csv"]
    assert [(each.name, each.media_type) for each in extraction.attachments][::2] == [
        ("notes/a.txt", "text/plain"),
        ("c.csv", "text/csv"),
    ]


def test_an_entry_that_cannot_be_read_costs_a_warning_only(read: Read):
    extraction = read(zipped({"odd.bin": b"\x93\0\1\2" * 100, "a.txt": "fine"}))
    assert "fine" in extraction.text
    assert extraction.warnings[0].startswith("odd.bin: ")
    assert len(extraction.attachments) == 2


def test_a_damaged_entry_costs_a_warning_only(read: Read):
    content = bytearray(zipped({"a.txt": "some words " * 50, "b.txt": "fine"}))
    content[content.index(b"a.txt") + 8] ^= 0xFF
    extraction = read(bytes(content))
    assert "fine" in extraction.text
    assert "a.txt: " in extraction.warnings[0]


def test_an_archive_with_nothing_in_it_is_empty(read: Read):
    with pytest.raises(Unreadable) as refused:
        read(zipped({"folder/": ""}))
    assert refused.value.refusal is Refusal.EMPTY


def test_too_many_entries_are_refused(read: Read):
    with pytest.raises(Unreadable) as refused:
        read(zipped({f"{number}.txt": "x" for number in range(30)}), max_entries=20)
    assert refused.value.refusal is Refusal.HOSTILE


def test_what_is_honestly_too_large_is_not_called_an_attack(read: Read):
    content = zipped({"a.txt": bytes(range(256)) * 40})
    with pytest.raises(Unreadable) as refused:
        read(content, max_archive_bytes=1000)
    assert refused.value.refusal is Refusal.TOO_LARGE


def test_a_book_is_read_in_the_order_of_its_spine(read: Read):
    package = (
        "<package><metadata><title>Birds</title><creator>Ann</creator></metadata>"
        '<manifest><item id="1" href="one.xhtml"/><item id="2" href="two.xhtml"/></manifest>'
        '<spine><itemref idref="2"/><itemref idref="1"/></spine></package>'
    )
    extraction = read(
        zipped(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": '<container><rootfile full-path="O/p.opf"/></container>',
                "O/p.opf": package,
                "O/one.xhtml": "<html><body><h1>One</h1></body></html>",
                "O/two.xhtml": "<html><body><h1>Two</h1></body></html>",
            }
        )
    )
    assert extraction.text == "Two\n\nOne"
    assert (extraction.title, extraction.properties) == ("Birds", {"author": "Ann"})


def test_an_open_text_is_read_with_lists_tables_notes_and_spaces(read: Read):
    body = (
        '<text:h text:outline-level="2">Ducks</text:h><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>the note</text:p>"
        "</text:note-body></text:note></text:p>"
        "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item>"
        "</text:list></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell>"
        "<text:p>y</text:p></table:table-cell></table:table-row></table:table>"
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
    )
    extraction = read(opendocument("text", body))
    assert shown(extraction) == [
        ("heading", "Ducks"),
        ("paragraph", "a   b\tc\nd[1]"),
        ("note", "[1] the note"),
        ("list", "- one"),
        ("list", "- inner"),
        ("table", "x\ty"),
    ]
    assert extraction.blocks[0].level == 2


def test_an_open_presentation_has_a_page_for_each_slide(read: Read):
    slide = (
        "<draw:page><draw:frame><draw:text-box><text:p>body</text:p></draw:text-box></draw:frame>"
        '<draw:frame presentation:class="title"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame>'
        '<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>say it</text:p>'
        "</draw:text-box></draw:frame></presentation:notes></draw:page>"
    )
    extraction = read(opendocument("presentation", slide * 2))
    assert shown(extraction) == [("heading", "Title"), ("paragraph", "body"), ("note", "say it")] * 2
    assert [block.place.slide for block in extraction.blocks] == [1, 1, 1, 2, 2, 2]
    assert len(extraction.pages) == 2


def test_an_archive_is_stored_or_packed(read: Read, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.txt", "stored")
    assert "stored" in read((tmp_path / "a.zip").read_bytes()).text
