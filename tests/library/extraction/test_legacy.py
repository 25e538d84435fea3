"""Old formats: read as far as they can be, and refused with advice where they cannot."""

import struct

import pytest
from tests.library.extraction.files import DATA, compound
from tests.library.extraction.reading import Read, shown
from tests.library.extraction.samples import samples

from intelli.library.extraction.model import Refusal, Unreadable

_MADE = {sample.name: sample.content for sample in samples()}


def _files(made: str, real: str) -> list[bytes]:
    """A file of our making, and one that Office wrote, where the public files are beside the repository."""
    path = DATA / "graded" / real
    return [_MADE[made], *([path.read_bytes()] if path.exists() else [])]


@pytest.mark.parametrize("content", _files("sample.doc", "doc/greek_heading_styles.doc"))
def test_an_old_word_document_is_read_with_its_headings(read: Read, content: bytes):
    extraction = read(content)
    assert extraction.media_type == "application/msword"
    assert [block.level for block in extraction.blocks if block.level]


@pytest.mark.parametrize("content", _files("sample.ppt", "ppt/legacy_sample.ppt"))
def test_an_old_presentation_is_read_slide_by_slide(read: Read, content: bytes):
    extraction = read(content)
    assert len(extraction.pages) > 1
    assert extraction.blocks[0].level == 1


@pytest.mark.parametrize("content", _files("sample.xls", "xls/legacy_sample.xls"))
def test_an_old_workbook_is_read(read: Read, content: bytes):
    extraction = read(content)
    assert extraction.media_type == "application/vnd.ms-excel"
    assert "\t" in extraction.text


def test_word_from_before_1997_is_refused_with_advice(read: Read):
    with pytest.raises(Unreadable) as refused:
        read(compound({"WordDocument": struct.pack("<HH6xH", 0xA5DC, 0x0065, 0)}))
    assert refused.value.refusal is Refusal.UNSUPPORTED
    assert "DOCX" in refused.value.reason


def test_rich_text_is_read_without_its_formatting(read: Read):
    source = (
        r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\*\generator no;}{\info{\title no}}"
        r"{\header running}\pard\outlinelevel0 Ducks\par\pard"
        r" They \b swim\b0 , sch\'f6n \u28450?\u-10179?\u-8704?.\line Much."
        r"{\footnote the note}\par\pard\intbl a\cell b\cell\row\pard\intbl c\cell d\cell\row\pard\{x\}\par}"
    )
    assert shown(read(source)) == [
        ("heading", "Ducks"),
        ("paragraph", "They swim, schön 漢😀.\nMuch."),
        ("note", "the note"),
        ("table", "a\tb\nc\td"),
        ("paragraph", "{x}"),
    ]


def test_an_outlook_mail_is_read(read: Read):
    def text(value: str) -> bytes:
        return value.encode("utf-16-le")

    streams = {
        "__properties_version1.0": b"",
        "__substg1.0_0037001F": text("Ducks"),
        "__substg1.0_0C1A001F": text("Ann"),
        "__substg1.0_5D01001F": text("ann@example.com"),
        "__substg1.0_0E04001F": text("Bob"),
        "__substg1.0_1000001F": text("They swim."),
        "__substg1.0_007D001F": text("Date: Tue, 29 Jul 2025 12:42:06 +0000\n"),
    }
    extraction = read(compound(streams))
    assert extraction.properties == {
        "subject": "Ducks",
        "from": "Ann <ann@example.com>",
        "to": "Bob",
        "date": "Tue, 29 Jul 2025 12:42:06 +0000",
    }
    assert "They swim." in extraction.text
    assert extraction.attachments == ()
