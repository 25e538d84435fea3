"""The record embedded in a Word report: its original text, and the evidence of each citation.

The record is a custom XML part and, compressed, also in the document's properties: a program that saves the report in
another format than Word's keeps those and nothing else. The citations' identifiers are properties as well.
"""

import base64
import binascii
import json
import uuid
import zlib
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part

from intelli.deliverables.brief import Checked
from intelli.deliverables.forms.docx.read_report import ReportWording

NAMESPACE = "urn:intelli:passport:1"
_CITATION = "Intelli citation"
_PIECE = "Intelli passport"
# Word takes no longer ones.
_PIECE_CHARS = 255
_MOST_BYTES = 64 << 20
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_ITEM = "http://schemas.openxmlformats.org/officeDocument/2006/customXml"
_SET = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_RECORD_TYPE = "application/xml"
_ITEM_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps"


def attach(document: Any, wording: ReportWording, citations: dict[str, object], checks: Mapping[str, Checked]) -> None:
    """Embed the record in a document. `checks` are the results of the footnotes, by their names."""
    statements = [
        {
            "text": each.text,
            "identifiers": list(each.identifiers),
            "checks": [checks[name] for name in each.notes if name in checks],
        }
        for each in wording.said
    ]
    whole = {**citations, "statements": statements, "headings": wording.headings}
    record = json.dumps(whole, ensure_ascii=False, sort_keys=True)
    package = document.part.package
    item = Part(PackURI("/customXml/item7.xml"), _RECORD_TYPE, _record_part(record), package)
    described = Part(
        PackURI("/customXml/itemProps7.xml"), CONTENT_TYPE.OFC_CUSTOM_XML_PROPERTIES, _item_properties(record), package
    )
    item.relate_to(described, _ITEM_RELATION)
    document.part.relate_to(item, RELATIONSHIP_TYPE.CUSTOM_XML)
    identifiers = list(dict.fromkeys(name for each in wording.said for name in each.identifiers))
    properties = _properties(_number_names(_CITATION, identifiers) | _number_names(_PIECE, _pack_record(record)))
    custom = Part(PackURI("/docProps/custom.xml"), CONTENT_TYPE.OFC_CUSTOM_PROPERTIES, properties, package)
    package.relate_to(custom, RELATIONSHIP_TYPE.CUSTOM_PROPERTIES)


def _record_part(record: str) -> bytes:
    return f'{_HEAD}<passport xmlns="{NAMESPACE}">{escape(record)}</passport>'.encode()


def _item_properties(record: str) -> bytes:
    guid = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{NAMESPACE}#{record}")).upper()
    return (
        f'{_HEAD}<ds:datastoreItem ds:itemID="{{{guid}}}" xmlns:ds="{_ITEM}">'
        f'<ds:schemaRefs><ds:schemaRef ds:uri="{NAMESPACE}"/></ds:schemaRefs></ds:datastoreItem>'
    ).encode()


def unpack_record(properties: Mapping[str, str]) -> str | None:
    """Unpack the record from a document's properties; None when it is missing or damaged."""
    pieces: list[str] = []
    while (name := f"{_PIECE} {len(pieces) + 1}") in properties:
        pieces.append(properties[name])
    try:
        unpacking = zlib.decompressobj()
        record = unpacking.decompress(base64.b64decode("".join(pieces)), _MOST_BYTES)
        return record.decode() if unpacking.eof else None
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return None


def _pack_record(record: str) -> list[str]:
    text = base64.b64encode(zlib.compress(record.encode(), 9)).decode()
    return [text[at : at + _PIECE_CHARS] for at in range(0, len(text), _PIECE_CHARS)]


def _number_names(name: str, texts: Sequence[str]) -> dict[str, str]:
    return {f"{name} {number}": text for number, text in enumerate(texts, start=1)}


def _properties(properties: Mapping[str, str]) -> bytes:
    # The first number that is free for properties of one's own is 2.
    rows = "".join(
        f'<property fmtid="{_SET}" pid="{number}" name="{name}"><vt:lpwstr>{escape(text)}</vt:lpwstr></property>'
        for number, (name, text) in enumerate(properties.items(), start=2)
    )
    return f'{_HEAD}<Properties xmlns="{_CUSTOM}" xmlns:vt="{_TYPES}">{rows}</Properties>'.encode()
