"""Makers of files: sound ones, and ones that no program would make."""

import io
import struct
import zipfile
from collections.abc import Mapping

from tests.support.quality import BESIDE

# Public files beside the repository; not everybody has them.
DATA = BESIDE / "files"

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_RELS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}'
    "</Relationships>"
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def zipped(entries: Mapping[str, bytes | str]) -> bytes:
    """A ZIP archive; names are taken as they are."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return kept.getvalue()


def docx(body: str, *, prolog: str = "", parts: Mapping[str, tuple[str, str]] | None = None) -> bytes:
    """A Word document with this inside its body. `parts` are name: (kind, XML)."""
    parts = parts or {}
    relations = "".join(
        f'<Relationship Id="r{number}" Type="{_OFFICE}/{kind}" Target="{name}"/>'
        for number, (name, (kind, _)) in enumerate(parts.items(), 1)
    )
    document = f'{prolog}<w:document xmlns:w="{_W}" {_NAMESPACES}><w:body>{body}</w:body></w:document>'
    main = f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
    return zipped(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _RELS.format(main),
            "word/document.xml": document,
            "word/_rels/document.xml.rels": _RELS.format(relations),
            **{f"word/{name}": xml for name, (_, xml) in parts.items()},
        }
    )


_NAMESPACES = (
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)


def paragraph(text: str, properties: str = "") -> str:
    """A paragraph of a Word document."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def part_of_word(root: str, inside: str) -> str:
    """A part of a Word document beside its body."""
    return f'<w:{root} xmlns:w="{_W}">{inside}</w:{root}>'


def opendocument(kind: str, body: str, *, manifest: str = "<manifest/>") -> bytes:
    """An OpenDocument file with this inside its body."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "draw", "presentation")
    )
    inner = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {spaces}>{inner}</office:document-content>",
            "META-INF/manifest.xml": manifest,
        }
    )


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file of old Office with these streams, each of at least 4096 bytes."""
    contents = {name: content.ljust(4096, b"\0") for name, content in streams.items()}
    names = ["Root Entry", *contents]
    directory_sectors = -(-len(names) // 4)
    fat = [0xFFFFFFFD]
    fat += [*range(2, directory_sectors + 1), 0xFFFFFFFE]
    starts, body = [], b""
    for content in contents.values():
        sectors = -(-len(content) // 512)
        starts.append(len(fat))
        fat += [*range(len(fat) + 1, len(fat) + sectors), 0xFFFFFFFE]
        body += content.ljust(sectors * 512, b"\0")
    none = 0xFFFFFFFF
    entries = [_entry("Root Entry", 5, child=1 if contents else none)]
    for number, (name, start) in enumerate(zip(contents, starts, strict=True), 1):
        following = number + 1 if number < len(contents) else none
        entries.append(_entry(name, 2, right=following, start=start, size=len(contents[name])))
    directory = b"".join(entries).ljust(directory_sectors * 512, b"\0")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII109I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 62, 3, 0xFFFE, 9, 6,
        0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0, *[none] * 108,
    )  # fmt: skip
    assert len(fat) <= 128, "one sector holds the whole table"
    table = struct.pack("<128I", *fat, *[none] * (128 - len(fat)))
    return header + table + directory + body


def _entry(
    name: str, kind: int, *, right: int = 0xFFFFFFFF, child: int = 0xFFFFFFFF, start: int = 0, size: int = 0
) -> bytes:
    raw = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", raw, len(raw) + 2, kind, 1, 0xFFFFFFFF, right, child, start, size)


def pdf_of(pages: int, text: str) -> bytes:
    """A PDF whose pages all show the same line."""
    kids = b" ".join(b"%d 0 R" % (number + 5) for number in range(pages))
    stream = b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % text.encode("latin-1")
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        *[page] * pages,
    ]
    made, offsets = io.BytesIO(b"%PDF-1.4\n"), []
    made.seek(0, io.SEEK_END)
    for number, content in enumerate(objects, 1):
        offsets.append(made.tell())
        made.write(b"%d 0 obj%s\nendobj\n" % (number, content))
    start = made.tell()
    made.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    made.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    made.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return made.getvalue()
