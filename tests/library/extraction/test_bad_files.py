"""Files made to hurt: each ends as text or as a typed refusal with a sentence, and the extractor serves the next."""

import io
import json
import random
import struct
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.library.extraction.files import compound, docx, opendocument, paragraph, pdf_of, zipped

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Extraction, Refusal, Unreadable
from intelli.library.extraction.sandbox import Caps, Extractor

pytestmark = pytest.mark.asyncio(loop_scope="module")

_LIMITS = Limits(max_pages=50, max_archive_bytes=16 << 20, ocr_s=0)
_CAPS = Caps(memory_bytes=256 << 20, cpu_s=1, wall_s=20)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def extractor() -> AsyncIterator[Extractor]:
    extractor = Extractor(_LIMITS, _CAPS)
    yield extractor
    await extractor.close()


async def _read(extractor: Extractor, folder: Path, content: bytes, name: str = "file") -> Extraction:
    path = folder / "content"
    path.write_bytes(content)
    return await extractor.extract(path, name=name)


async def _refusal(extractor: Extractor, folder: Path, content: bytes, name: str = "file") -> Refusal:
    """Why a file is refused, once it is shown that the next file is read all the same."""
    with pytest.raises(Unreadable) as refused:
        await _read(extractor, folder, content, name)
    assert refused.value.reason.endswith(".")
    assert (await _read(extractor, folder, b"still here", "next.txt")).text == "still here"
    return refused.value.refusal


async def test_an_empty_file_is_empty(extractor: Extractor, tmp_path: Path):
    assert await _refusal(extractor, tmp_path, b"", "report.pdf") is Refusal.EMPTY


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
async def test_a_truncated_document_is_damaged(extractor: Extractor, tmp_path: Path, share: float):
    whole = docx("".join(paragraph(f"paragraph {number} {random.Random(number).random()}") for number in range(400)))
    assert await _refusal(extractor, tmp_path, whole[: int(len(whole) * share)], "a.docx") is Refusal.DAMAGED


async def test_a_document_whose_text_is_damaged_is_damaged(extractor: Extractor, tmp_path: Path):
    assert await _refusal(extractor, tmp_path, docx("<w:p><w:r>"), "a.docx") is Refusal.DAMAGED


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.pptx", "a"])
async def test_a_new_office_file_with_a_password_is_encrypted(extractor: Extractor, tmp_path: Path, name: str):
    content = compound({"EncryptionInfo": b"x", "EncryptedPackage": b"y" * 5000})
    assert await _refusal(extractor, tmp_path, content, name) is Refusal.ENCRYPTED


async def test_an_old_word_file_with_a_password_is_encrypted(extractor: Extractor, tmp_path: Path):
    head = struct.pack("<HH6xH", 0xA5EC, 0x00C1, 0x0100)
    assert await _refusal(extractor, tmp_path, compound({"WordDocument": head, "0Table": b""})) is Refusal.ENCRYPTED


async def test_an_open_document_with_a_password_is_encrypted(extractor: Extractor, tmp_path: Path):
    content = opendocument("text", "", manifest="<manifest><encryption-data/></manifest>")
    assert await _refusal(extractor, tmp_path, content) is Refusal.ENCRYPTED


async def test_an_archive_with_a_password_is_encrypted(extractor: Extractor, tmp_path: Path):
    content = bytearray(zipped({"a.txt": "secret"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert await _refusal(extractor, tmp_path, bytes(content)) is Refusal.ENCRYPTED


@pytest.mark.parametrize(
    "case",
    [
        (docx(paragraph("hello")), "a.pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (b"<!DOCTYPE html><p>hello", "a.csv", "text/html"),
        (b"hello", "a.docx", "text/plain"),
        (b"From: a@example.com\nTo: b@example.com\nSubject: hello\n\nhello", "a.txt", "message/rfc822"),
        (zipped({"a.txt": "hello"}), "a.xlsx", "application/zip"),
    ],
)
async def test_a_wrong_extension_changes_nothing(extractor: Extractor, tmp_path: Path, case: tuple[bytes, str, str]):
    content, name, media_type = case
    read = await _read(extractor, tmp_path, content, name)
    assert (read.media_type, "hello" in read.text) == (media_type, True)


async def test_bytes_of_no_format_are_not_supported(extractor: Extractor, tmp_path: Path):
    content = random.Random(1).randbytes(5000)
    assert await _refusal(extractor, tmp_path, b"\x93" + content, "a.docx") is Refusal.UNSUPPORTED


async def test_an_entry_that_inflates_is_a_bomb(extractor: Extractor, tmp_path: Path):
    assert await _refusal(extractor, tmp_path, zipped({"zeros.txt": b"\0" * (12 << 20)})) is Refusal.HOSTILE


async def test_a_bomb_in_a_document_is_a_bomb(extractor: Extractor, tmp_path: Path):
    with zipfile.ZipFile(io.BytesIO(docx(paragraph("x")))) as archive:
        entries: dict[str, bytes] = {name: archive.read(name) for name in archive.namelist()}
    entries["word/document.xml"] += b" " * (12 << 20)
    assert await _refusal(extractor, tmp_path, zipped(entries), "a.docx") is Refusal.HOSTILE


async def test_archives_within_archives_share_one_budget(extractor: Extractor, tmp_path: Path):
    noise = random.Random(2).randbytes(1 << 13)
    inner = zipped({f"{number}.txt": noise * 500 for number in range(3)})  # 12 MB each time it is unpacked
    assert (
        await _refusal(extractor, tmp_path, zipped({f"{number}.zip": inner for number in range(4)})) is Refusal.HOSTILE
    )


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..\\windows\\x", "a/../../b", "C:\\x"])
async def test_a_path_that_leaves_its_archive_is_hostile(extractor: Extractor, tmp_path: Path, name: str):
    assert await _refusal(extractor, tmp_path, zipped({name: "x"})) is Refusal.HOSTILE


async def test_entities_that_multiply_are_hostile(extractor: Extractor, tmp_path: Path):
    lines = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    prolog = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">{lines}]>'
    assert await _refusal(extractor, tmp_path, docx(paragraph("&a9;"), prolog=prolog)) is Refusal.HOSTILE


async def test_an_entity_cannot_bring_in_a_file(extractor: Extractor, tmp_path: Path):
    prolog = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    assert await _refusal(extractor, tmp_path, docx(paragraph("&a;"), prolog=prolog)) is Refusal.HOSTILE


async def test_a_document_nested_beyond_reason_is_hostile(extractor: Extractor, tmp_path: Path):
    body = "<w:sdt><w:sdtContent>" * 5000 + paragraph("x") + "</w:sdtContent></w:sdt>" * 5000
    assert await _refusal(extractor, tmp_path, docx(body), "a.docx") is Refusal.HOSTILE


async def test_tables_in_tables_in_tables_are_read(extractor: Extractor, tmp_path: Path):
    body = "<w:tbl><w:tr><w:tc>" * 60 + paragraph("the innermost") + "</w:tc></w:tr></w:tbl>" * 60
    assert "the innermost" in (await _read(extractor, tmp_path, docx(body))).text


async def test_a_parser_that_does_not_come_back_is_stopped(extractor: Extractor, tmp_path: Path):
    content = b"<!DOCTYPE html>" + b"<div>" * 60_000 + b"x"  # costs the parser the square of its depth
    assert await _refusal(extractor, tmp_path, content) is Refusal.TIMEOUT


async def test_a_file_that_needs_too_much_memory_is_refused(extractor: Extractor, tmp_path: Path):
    content = b"<!DOCTYPE html>" + b"<p>x" * 4_000_000
    assert await _refusal(extractor, tmp_path, content) in (Refusal.MEMORY, Refusal.TIMEOUT)


async def test_a_sheet_with_two_distant_cells_is_read(extractor: Extractor, tmp_path: Path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active["A1"] = "first"
    book.active["XFD1048576"] = "last"
    book.save(tmp_path / "a.xlsx")
    read = await _read(extractor, tmp_path, (tmp_path / "a.xlsx").read_bytes(), "a.xlsx")
    assert "first" in read.text
    assert "last" in read.text


async def test_a_pdf_of_ten_thousand_pages_is_read_up_to_the_limit(extractor: Extractor, tmp_path: Path):
    read = await _read(extractor, tmp_path, pdf_of(10_000, "the same on every page"))
    assert len(read.pages) == 50
    assert "the same on every page" in read.text
    assert any("50" in warning for warning in read.warnings)


@pytest.mark.parametrize("depth", [500, 100_000])
async def test_deep_json_is_still_text(extractor: Extractor, tmp_path: Path, depth: int):
    read = await _read(extractor, tmp_path, b"[" * depth + b'"x"' + b"]" * depth, "a.json")
    assert '"x"' in read.text


async def test_mail_within_mail_without_end_is_stopped(extractor: Extractor, tmp_path: Path):
    content = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number) for number in range(4000)
    )
    assert await _refusal(extractor, tmp_path, b"Subject: x\nFrom: y\n" + content, "a.eml") in (
        Refusal.HOSTILE,
        Refusal.TIMEOUT,
    )


async def test_braces_without_end_are_hostile(extractor: Extractor, tmp_path: Path):
    assert await _refusal(extractor, tmp_path, b"{\\rtf1" + b"{" * 100_000) is Refusal.HOSTILE


async def test_a_compound_file_that_goes_in_circles_is_damaged(extractor: Extractor, tmp_path: Path):
    content = bytearray(compound({"WordDocument": b"x" * 6000}))
    content[512 + 4 : 512 + 8] = struct.pack("<I", 1)  # the directory's sector follows itself
    assert await _refusal(extractor, tmp_path, bytes(content)) is Refusal.DAMAGED


async def test_one_line_of_many_megabytes_is_read(extractor: Extractor, tmp_path: Path):
    read = await _read(extractor, tmp_path, b"word " * 2_000_000, "a.txt")
    assert len(read.text) == 10_000_000


async def test_json_too_large_for_its_objects_is_read_as_text(tmp_path: Path):
    extractor = Extractor(_LIMITS, Caps(memory_bytes=96 << 20, cpu_s=10))
    try:
        content = json.dumps([[]] * 1_500_000).encode()
        assert (await _read(extractor, tmp_path, content, "a.json")).media_type == "text/plain"
    finally:
        await extractor.close()
