"""Open a Word report that may have been edited: its sentences, its citations, and its original text.

The file is untrusted: its zip is checked before it is unpacked, its XML is read without entities.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intelli.citations.wire import Check
from intelli.deliverables.forms.docx import citation_cover, embedded_record, read_report
from intelli.deliverables.forms.docx.citation_cover import Covered
from intelli.deliverables.forms.docx.read_report import ReportStatement
from intelli.deliverables.forms.phrases import list_verdicts
from intelli.kit.errors import Invalid
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Unreadable
from intelli.library.extraction.ooxml import Package

_QUOTED = re.compile(r"\A(?>.*?\u201c)(.*)\u201d", re.DOTALL)
_TAKEN = "Name a report in Word's form (.docx) that Intelli wrote, as it was saved after the edit."


class NoReport(Invalid):
    """The file is no Word report, or is damaged."""

    code = "no_report"


@dataclass(frozen=True, slots=True)
class OpenedReport:
    """A report as it is now, with the cover of each statement, and as it was written, if that is recorded."""

    title: str
    is_recorded: bool
    covered: list[Covered]
    said: list[ReportStatement]
    headings: list[str]
    originals: list[ReportStatement]
    original_headings: list[str]
    footnotes: dict[str, list[str]]
    quotes: dict[str, str]
    checks: dict[ReportStatement, list[Check]] = field(default_factory=dict)


def open_report(path: Path) -> OpenedReport:
    """Read the report in a file; raise NoReport when it is no Word report of ours."""
    try:
        with Package(path, Limits()) as package:
            return _open(package)
    except Unreadable as error:
        raise NoReport(f"{path.name} cannot be read as a Word document. {_TAKEN}") from error


def _open(package: Package) -> OpenedReport:
    main = package.main("word/document.xml")
    styles = package.related(main, "styles")
    names = read_report.style_names_of(package.xml(styles[0])) if styles else {}
    parts = package.related(main, "footnotes")
    notes = package.xml(parts[0]) if parts else None
    identifiers = read_report.identifiers_of(notes) if notes is not None else {}
    record = _record(package, main)
    body = package.xml(main)
    now = read_report.read_wording(body, names, identifiers)
    shown = _footnotes(notes) if notes is not None else {}
    if record is None and not any(identifiers.values()):
        raise NoReport(f"This document has no citations of Intelli in it: no footnote names a source. {_TAKEN}")
    cited = (record or {}).get("citations", [])
    stated = (record or {}).get("statements", [])
    originals = [ReportStatement(each["text"], tuple(each["identifiers"])) for each in stated]
    return OpenedReport(
        title=str((record or {}).get("title", "")),
        is_recorded=record is not None,
        covered=citation_cover.list_covers(body, names, identifiers),
        said=now.said,
        headings=now.headings,
        originals=originals,
        # A report of an earlier version has not kept them: they count as they stand.
        original_headings=(record or {}).get("headings", now.headings),
        footnotes=shown,
        quotes={**_quotes(shown), **{each["identifier"]: each["quote"] for each in cited}},
        checks={
            said: [Check(check) for check in each.get("checks", ())]
            for said, each in zip(originals, stated, strict=True)
        },
    )


def _footnotes(notes: Any) -> dict[str, list[str]]:
    """Return the texts of the footnotes by the identifier in them."""
    found: dict[str, list[str]] = {}
    for identifier, words in read_report.notes_of(notes):
        found.setdefault(identifier, []).append(words)
    return found


def _quotes(footnotes: dict[str, list[str]]) -> dict[str, str]:
    """Extract the quote of each footnote: it ends before the verdict, or with the last quotation mark."""
    ends = "|".join(map(re.escape, list_verdicts()))
    quote = re.compile(rf"\A(?>.*?\u201c)(.*?)\u201d\s++(?:{ends})", re.DOTALL)
    quoted = {identifier: quote.search(words[0]) or _QUOTED.search(words[0]) for identifier, words in footnotes.items()}
    return {identifier: match[1] for identifier, match in quoted.items() if match is not None}


def _record(package: Package, main: str) -> dict[str, Any] | None:
    """Read the embedded record; None when the program that saved the file dropped it."""
    for part in package.related(main, "customXml"):
        root = package.xml(part)
        if root.tag == f"{{{embedded_record.NAMESPACE}}}passport":
            return _parse_record(root.text or "")
    packed = embedded_record.unpack_record(_properties(package))
    return None if packed is None else _parse_record(packed)


def _properties(package: Package) -> dict[str, str]:
    """Read the document's custom properties, by name."""
    rows = (row for part in package.related("", "custom-properties") for row in package.xml(part))
    return {row.get("name") or "": "".join(child.text or "" for child in row).strip() for row in rows}


def _parse_record(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
        is_ours = all(
            isinstance(each["identifier"], str) and isinstance(each["quote"], str) for each in record["citations"]
        ) and all(
            isinstance(each["text"], str)
            and list(each["identifiers"]) is not None
            and all(Check(check) for check in each.get("checks", ()))
            for each in record["statements"]
        )
        is_ours = is_ours and all(isinstance(each, str) for each in record.get("headings", ()))
    except (ValueError, KeyError, TypeError) as error:
        raise NoReport("The passport of this report is damaged, so what it said at first is not known.") from error
    return dict(record) if is_ours else {}
