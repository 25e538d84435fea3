"""The passport of a Word report: what it said when it was written, and what each citation of it rests on.

The citations' identifiers are document properties, which every program keeps; the whole record is a part of its own.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part

from intelli.deliverables.brief import Checked
from intelli.deliverables.forms.docx.reading import Said

NAMESPACE = "urn:intelli:passport:1"
PROPERTY = "Intelli citation"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_ITEM = "http://schemas.openxmlformats.org/officeDocument/2006/customXml"
_SET = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_RECORD_TYPE = "application/xml"
_ITEM_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps"


def attach(document: Any, citations: dict[str, object], said: Sequence[Said], checks: Mapping[str, Checked]) -> None:
    """Put the passport into a document. `checks` are what the footnotes came to, by their names."""
    statements = [
        {
            "text": each.text,
            "identifiers": list(each.identifiers),
            "checks": [checks[name] for name in each.notes if name in checks],
        }
        for each in said
    ]
    record = json.dumps({**citations, "statements": statements}, ensure_ascii=False, sort_keys=True)
    package = document.part.package
    item = Part(PackURI("/customXml/item7.xml"), _RECORD_TYPE, _record(record), package)
    described = Part(
        PackURI("/customXml/itemProps7.xml"), CONTENT_TYPE.OFC_CUSTOM_XML_PROPERTIES, _described(record), package
    )
    item.relate_to(described, _ITEM_RELATION)
    document.part.relate_to(item, RELATIONSHIP_TYPE.CUSTOM_XML)
    identifiers = list(dict.fromkeys(name for each in said for name in each.identifiers))
    properties = _properties(identifiers)
    custom = Part(PackURI("/docProps/custom.xml"), CONTENT_TYPE.OFC_CUSTOM_PROPERTIES, properties, package)
    package.relate_to(custom, RELATIONSHIP_TYPE.CUSTOM_PROPERTIES)


def _record(record: str) -> bytes:
    return f'{_HEAD}<passport xmlns="{NAMESPACE}">{escape(record)}</passport>'.encode()


def _described(record: str) -> bytes:
    guid = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{NAMESPACE}#{record}")).upper()
    return (
        f'{_HEAD}<ds:datastoreItem ds:itemID="{{{guid}}}" xmlns:ds="{_ITEM}">'
        f'<ds:schemaRefs><ds:schemaRef ds:uri="{NAMESPACE}"/></ds:schemaRefs></ds:datastoreItem>'
    ).encode()


def _properties(identifiers: Sequence[str]) -> bytes:
    rows = "".join(
        f'<property fmtid="{_SET}" pid="{number + 1}" name="{PROPERTY} {number}">'
        f"<vt:lpwstr>{escape(identifier)}</vt:lpwstr></property>"
        for number, identifier in enumerate(identifiers, start=1)
    )
    return f'{_HEAD}<Properties xmlns="{_CUSTOM}" xmlns:vt="{_TYPES}">{rows}</Properties>'.encode()
