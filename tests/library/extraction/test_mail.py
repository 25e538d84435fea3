"""E-mails: who, when, what, and the files that came along."""

from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.library.extraction.files import DATA, docx, paragraph, zipped
from tests.library.extraction.reading import Read, check, shown
from tests.support.quality import SAMPLE

from intelli.library.extraction import extract
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import ExtractedAttachment

_MAILS = [path for folder in (SAMPLE, DATA) for path in sorted((folder / "email").glob("*.eml"))]


def mail(body: str = "Dear Bob,\n\nducks.", **headers: str) -> EmailMessage:
    message = EmailMessage()
    said = {
        "Subject": "Ducks",
        "From": "Ann <ann@example.com>",
        "To": "bob@example.com",
        "Date": "Tue, 29 Jul 2025 12:42:06 +0000",
    }
    for name, value in (said | headers).items():
        message[name] = value
    message.set_content(body)
    return message


def test_headers_are_properties_and_part_of_the_text(read: Read):
    extraction = read(mail(Subject="Größe der Enten", Cc="Zoë <zoe@example.com>").as_bytes())
    assert extraction.title == "Größe der Enten"
    assert extraction.properties == {
        "subject": "Größe der Enten",
        "from": "Ann <ann@example.com>",
        "to": "bob@example.com",
        "cc": "Zoë <zoe@example.com>",
        "date": "Tue, 29 Jul 2025 12:42:06 +0000",
    }
    assert [
        (kind, block.place.part) for (kind, _), block in zip(shown(extraction), extraction.blocks, strict=True)
    ] == [
        ("heading", "headers"),
        ("note", "headers"),
        ("paragraph", "body"),
        ("paragraph", "body"),
    ]


def test_of_two_forms_of_the_body_one_is_read(read: Read):
    message = mail("Dear Bob, the ducks swim.")
    message.add_alternative("<p>Dear <b>Bob</b>, the ducks swim.</p>", subtype="html")
    assert read(message.as_bytes()).text.count("ducks swim") == 1


def test_a_plain_body_that_only_points_to_the_other_is_passed_over(read: Read):
    message = mail("See the HTML.")
    message.add_alternative(f"<table><tr><td>Ducks<td>3</table><p>{'They swim and dive. ' * 5}", subtype="html")
    extraction = read(message.as_bytes())
    assert "Ducks\t3" in extraction.text
    assert "See the HTML" not in extraction.text


def test_attachments_are_listed_and_read(read: Read):
    message = mail()
    word = docx(paragraph("inside the attachment"))
    message.add_attachment(word, maintype="application", subtype="octet-stream", filename="Bericht für Köln.docx")
    message.add_attachment(b"\x93\x00\x01\x02" * 50, maintype="application", subtype="x-odd", filename="odd.bin")
    message.add_attachment(
        zipped({"deep/note.txt": "in the archive"}), maintype="application", subtype="zip", filename="a.zip"
    )
    extraction = read(message.as_bytes())
    assert extraction.attachments[0] == ExtractedAttachment(
        "Bericht für Köln.docx", "application/octet-stream", len(word)
    )
    assert [attachment.name for attachment in extraction.attachments] == ["Bericht für Köln.docx", "odd.bin", "a.zip"]
    parts = {extraction.text[block.start : block.end]: block.place.part for block in extraction.blocks}
    assert parts["inside the attachment"] == "Bericht für Köln.docx"
    assert parts["in the archive"] == "a.zip/deep/note.txt"
    assert any(warning.startswith("odd.bin: ") for warning in extraction.warnings)


def test_of_an_encrypted_mail_the_attachments_are_named_in_the_text(read: Read):
    raw = (
        'Subject: Secret\nMIME-Version: 1.0\nContent-Type: multipart/encrypted; boundary="x"\n\n'
        "--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
        '--x\nContent-Type: application/octet-stream; name="plan.asc"\n'
        'Content-Disposition: inline; filename="plan.asc"\n\nhidden words\n--x--\n'
    )
    extraction = read(raw, "x.eml")
    attachments = [text for kind, text in shown(extraction) if kind == "attachment"]
    assert attachments == [
        "application/pgp-encrypted",
        "plan.asc (application/octet-stream)",
    ]
    assert "hidden" not in extraction.text


def test_a_forwarded_mail_is_read_with_its_own_headers(read: Read):
    message = mail()
    message.add_attachment(mail("the inner body", Subject="Inner"))
    extraction = read(message.as_bytes())
    assert "the inner body" in extraction.text
    assert extraction.attachments[0].name == "Inner.eml"


def test_files_in_files_in_files_are_opened_only_so_deep(read: Read):
    content: bytes = b"the innermost"
    name = "a.txt"
    for depth in range(5):
        content, name = zipped({name: content}), f"{depth}.zip"
    extraction = read(content)
    assert "the innermost" not in extraction.text
    assert "more archives within archives" in extraction.warnings[0]


def test_odd_headers_do_no_harm(read: Read):
    raw = b"From: =?x-unknown?q?J=F6rg?= <a@example.com>\nSubject: =?utf-8?b?broken\n"
    raw += b"Date: yesterday\nTo: \xff\xfe\n\nbody"
    extraction = read(raw, "x.eml")
    assert extraction.properties["date"] == "yesterday"
    assert "body" in extraction.text


@pytest.mark.parametrize("path", _MAILS, ids=lambda path: path.stem)
def test_whole_mails_give_what_they_have(path: Path):
    """What the headers say in plain ASCII must come out as it stands; the rest is for eyes."""
    extraction = extract(path, name=path.name, limits=Limits(ocr_pages=0))
    check(extraction)
    raw = path.read_bytes()
    head = raw.replace(b"\r\n", b"\n").lstrip().partition(b"\n\n")[0].replace(b"\n\t", b" ").replace(b"\n ", b" ")
    for line in head.split(b"\n") if b"\0" not in raw else []:
        name, _, value = line.decode("ascii", "replace").partition(":")
        if name.lower() in ("subject", "from", "to", "cc", "date") and "=?" not in value:
            assert " ".join(value.split()) in extraction.properties[name.lower()]
    names = [line.split(b'filename="')[1].split(b'"')[0].decode() for line in raw.split(b"\n") if b'filename="' in line]
    assert set(names) <= {attachment.name for attachment in extraction.attachments}
