"""Detects the format of a file from its bytes; the name is used only where the bytes are plain text."""

import re
import zipfile
from enum import StrEnum
from pathlib import Path, PurePath
from unicodedata import category

from intelli.library.extraction import compound
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.extraction.text import decode

_HEAD_BYTES = 64 << 10


class FileFormat(StrEnum):
    """The formats that can be read."""

    PDF = "pdf"
    IMAGE = "image"
    DOCX = "docx"
    PPTX = "pptx"
    SHEET = "sheet"
    DOC = "doc"
    PPT = "ppt"
    ODT = "odt"
    ODP = "odp"
    RTF = "rtf"
    EPUB = "epub"
    MAIL = "mail"
    OUTLOOK = "outlook"
    ARCHIVE = "archive"
    HTML = "html"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    JSON_LINES = "json_lines"
    SUBTITLES = "subtitles"
    TEXT = "text"


_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"BM")
_SAVE_AS = "Save it as DOCX, PDF or another format Intelli reads, and upload it again."
_FOREIGN = (
    (b"Rar!\x1a\x07", "RAR archives are not read. Pack the files as ZIP and upload again."),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archives are not read. Pack the files as ZIP and upload again."),
    (b"\x1f\x8b", "Compressed files (gzip) are not read. Unpack it and upload what is inside, or a ZIP of it."),
    (b"BZh", "Compressed files (bzip2) are not read. Unpack it and upload what is inside, or a ZIP of it."),
    (b"\xfd7zXZ\0", "Compressed files (xz) are not read. Unpack it and upload what is inside, or a ZIP of it."),
    (b"\x7fELF", "This is a program, not a document."),
    (b"MZ", "This is a program, not a document."),
    (b"ID3", "Sound is not read. Upload a transcript instead."),
    (b"OggS", "Sound is not read. Upload a transcript instead."),
    (b"fLaC", "Sound is not read. Upload a transcript instead."),
    (b"\x1aE\xdf\xa3", "Video is not read. Upload a transcript instead."),
    (b"%!PS", "PostScript is not read. Save it as PDF and upload it again."),
)
_SUFFIXES = {
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.CSV,
    ".tab": FileFormat.CSV,
    ".md": FileFormat.MARKDOWN,
    ".markdown": FileFormat.MARKDOWN,
    ".json": FileFormat.JSON,
    ".geojson": FileFormat.JSON,
    ".ipynb": FileFormat.JSON,
    ".jsonl": FileFormat.JSON_LINES,
    ".ndjson": FileFormat.JSON_LINES,
    ".html": FileFormat.HTML,
    ".htm": FileFormat.HTML,
    ".xhtml": FileFormat.HTML,
    ".eml": FileFormat.MAIL,
    ".vtt": FileFormat.SUBTITLES,
    ".srt": FileFormat.SUBTITLES,
}
_HTML = re.compile(
    r"\s*+(<\?xml[^>]*+>\s*+)?+((?><!--.*?-->)\s*+)*+<(!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_HEADER = re.compile(
    r"(from|to|cc|subject|date|received|return-path|message-id|mime-version|delivered-to|reply-to|content-type"
    r"|dkim-signature|x-[\w-]+|thread-[\w-]+|sender|[a-z][\w-]*):(\s|$)",
    re.IGNORECASE,
)
_TELLING = {"from", "to", "subject", "date", "received", "return-path", "message-id", "mime-version", "delivered-to"}
_NO_TEXT = {"Cc", "Cn", "Co", "Cs"}  # controls, and code points that mean nothing
_PADDING = 0.3  # share of NUL that text may have
_CUE = re.compile(r"\s*\d+\s*\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}")


def sniff(path: Path, name: str | None) -> FileFormat:
    """Detect the format of a file. Raises Unreadable with the reason when it cannot be read."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        raise Unreadable(Refusal.EMPTY, "The file is empty. Upload it again if it should have content.")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _sniff_zip(path)
    if head.startswith(compound.MAGIC):
        return _sniff_compound(path)
    return _sniff_magic(head) or _sniff_text(head, PurePath(name or "").suffix.lower())


def _sniff_magic(head: bytes) -> FileFormat | None:
    if _is_pdf(head):
        return FileFormat.PDF
    if _is_image(head):
        return FileFormat.IMAGE
    if head.lstrip()[:5] == b"{\\rtf":
        return FileFormat.RTF
    if head[4:8] == b"ftyp":
        raise Unreadable(Refusal.UNSUPPORTED, "Video and HEIC pictures are not read. Save a picture as JPEG or PNG.")
    if head[257:262] == b"ustar":
        raise Unreadable(Refusal.UNSUPPORTED, "TAR archives are not read. Pack the files as ZIP and upload again.")
    for magic, reason in _FOREIGN:
        if head.startswith(magic) and not _is_text(head):
            raise Unreadable(Refusal.UNSUPPORTED, reason)
    return None


def _is_pdf(head: bytes) -> bool:
    """Return whether there is a PDF marker at the beginning, or after some garbage; a text about PDF is no PDF."""
    before, mark, after = head[:1024].partition(b"%PDF-")
    return bool(mark) and (not before.strip(b"\xef\xbb\xbf \r\n\t\0") or b" obj" in after or not _is_text(before))


def _is_image(head: bytes) -> bool:
    if head[:4] == b"RIFF":
        return head[8:12] == b"WEBP"
    return head.startswith(_IMAGES) and not _is_text(head)


def _is_text(head: bytes) -> bool:
    """Return whether the first bytes have no control characters."""
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x0b\x1b" for byte in head[:4096])
    return controls == 0


def _sniff_zip(path: Path) -> FileFormat:
    try:
        with zipfile.ZipFile(path) as archive:
            names = {entry.lstrip("/").replace("\\", "/") for entry in archive.namelist()[:20_000]}
            kind = _read_declared(archive)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        reason = "The file is damaged: its archive cannot be opened. Upload the original again."
        raise Unreadable(Refusal.DAMAGED, reason) from error
    if kind:
        return kind
    for folder, found in (("word/", FileFormat.DOCX), ("ppt/", FileFormat.PPTX), ("xl/", FileFormat.SHEET)):
        if any(name.lower().startswith(folder) for name in names) and any("content_types" in x.lower() for x in names):
            return found
    return FileFormat.ARCHIVE


def _read_declared(archive: zipfile.ZipFile) -> FileFormat | None:
    """Return the format that OpenDocument and EPUB files declare in a small entry; None without one."""
    try:
        with archive.open("mimetype") as entry:
            media_type = entry.read(200).decode("ascii", "replace").strip()
    except (KeyError, RuntimeError, zipfile.BadZipFile, OSError, NotImplementedError):
        return None
    for found, marker in (
        (FileFormat.ODT, "opendocument.text"),
        (FileFormat.ODP, "opendocument.presentation"),
        (FileFormat.SHEET, "opendocument.spreadsheet"),
        (FileFormat.EPUB, "epub"),
    ):
        if marker in media_type:
            return found
    return None


def _sniff_compound(path: Path) -> FileFormat:
    with compound.open_compound(path) as file:
        streams = file.names
    if "EncryptedPackage" in streams:
        raise Unreadable(Refusal.ENCRYPTED, "The file is protected by a password. Remove it and upload the file again.")
    for stream, found in (
        ("WordDocument", FileFormat.DOC),
        ("PowerPoint Document", FileFormat.PPT),
        ("Workbook", FileFormat.SHEET),
        ("Book", FileFormat.SHEET),
        ("__properties_version1.0", FileFormat.OUTLOOK),
    ):
        if stream in streams:
            return found
    raise Unreadable(Refusal.UNSUPPORTED, f"This old Office format is not read. {_SAVE_AS}")


def _sniff_text(head: bytes, suffix: str) -> FileFormat:
    text = decode(head).lstrip("\ufeff")
    if _is_binary(text):
        raise Unreadable(Refusal.UNSUPPORTED, f"The format of this file is not known. {_SAVE_AS}")
    expected = _SUFFIXES.get(suffix, FileFormat.TEXT)
    if text.startswith("WEBVTT") or _CUE.match(text):
        return FileFormat.SUBTITLES
    if _HTML.match(text):
        return FileFormat.HTML
    if expected is FileFormat.TEXT and _is_mail(text):
        return FileFormat.MAIL
    if expected is FileFormat.TEXT and text.lstrip()[:1] in ("{", "[") and suffix in ("", ".txt"):
        return FileFormat.JSON
    return expected


def _is_binary(text: str) -> bool:
    """Return whether decoded text has too many characters that text does not have."""
    sample = text[:4096]
    odd = [char for char in set(sample) if char not in "\t\n\r\f\v\x1b" and category(char) in _NO_TEXT]
    if odd == ["\0"]:  # fields that a program padded, unless it is most of the file
        return sample.count("\0") > len(sample) * _PADDING
    return sum(map(sample.count, {*odd, "\ufffd"})) > len(sample) * 0.02


def _is_mail(text: str) -> bool:
    """Return whether the text begins with headers up to a blank line, two of them typical of e-mail."""
    telling: set[str] = set()
    for line in text.lstrip().splitlines()[:200]:
        if not line.strip():
            break
        if line[0] in " \t":
            continue
        if line.startswith("From ") and not telling:
            continue
        found = _HEADER.match(line)
        if not found:
            return False
        telling |= {found[1].lower()} & _TELLING
    return len(telling) > 1
