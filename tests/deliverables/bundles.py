"""Makers of evidence bundles, small enough to flip every byte of."""

import hashlib
from datetime import UTC, date, datetime
from pathlib import Path

from intelli.deliverables.brief import Cited, DataBrief, ListedSource
from intelli.deliverables.bundle.parts import BundleFile, BundleManifest, BundleParts, SourceFile
from intelli.deliverables.bundle.write import write
from intelli.kit import canonical

ORIGINAL = b"%PDF-1.7 the yard, as it was scanned"
TEXT = "The yard has 47 lamps. Each lamp burns 30 W."
QUOTE = "The yard has 47 lamps."
REPORT = b"<h1>The yard</h1><p>The yard has 47 lamps.</p>"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def brief() -> DataBrief:
    source = ListedSource(
        number=1, document_id=None, file_name="../yard;scan.PDF", mime_type="application/pdf", sha256=sha256(ORIGINAL)
    )
    cited = Cited(
        id="c1",
        identifier=f"{sha256(ORIGINAL)[:16]}.0-44",
        source=1,
        quote=QUOTE,
        page=1,
        check="verified",
        char_start=0,
        char_end=len(QUOTE),
        text_sha256=sha256(TEXT.encode()),
    )
    return DataBrief(
        title="The yard", question="How many lamps?", sources=(source,), citations=(cited,), made_on=date(2026, 11, 16)
    )


def manifests() -> list[BundleManifest]:
    entry = {"sha256": sha256(REPORT), "media_type": "text/x-gml", "entity_type": "REPORT", "size_bytes": len(REPORT)}
    first = canonical.sha256({"tree": {}, "parent_sha256": None, "message": "first"})
    tree = {"report.gml": entry}
    second = canonical.sha256({"tree": tree, "parent_sha256": first, "message": "second"})
    return [BundleManifest(second, first, "second", tree), BundleManifest(first, None, "first", {})]


def parts() -> BundleParts:
    return BundleParts(
        brief=brief(),
        files=[
            BundleFile("report.gml", "text/x-gml", REPORT),
            BundleFile("Report of 2026 (ä).gml", "text/x-gml", REPORT),
        ],
        sources=[SourceFile(1, ORIGINAL, TEXT.encode(), b"map")],
        made_at=datetime(2026, 11, 16, tzinfo=UTC),
        manifests=manifests(),
        events=[{"type": "run_started"}, {"type": "done"}],
        models=[{"name": "extractive", "version": "1"}],
        prompts={"write": "sha256:ab"},
        version="0.1.0",
    )


def make(path: Path) -> Path:
    write(parts(), path)
    return path
