"""Evidence bundles: an answer or a deliverable with its sources and its run, as one zip that can be checked offline."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from uuid import UUID

from intelli.citations import origins
from intelli.citations import show as citations
from intelli.citations.wire import Citation
from intelli.content import manifests
from intelli.content.errors import ManifestNotFound
from intelli.content.span import Span
from intelli.conversations import messages
from intelli.deliverables import show as deliverables
from intelli.deliverables.brief import Cited, DataBrief, Finding, ListedSource
from intelli.deliverables.bundle.parts import BundleFile, BundleManifest, BundleParts, SourceFile
from intelli.deliverables.bundle.write import write
from intelli.deliverables.errors import NothingToDeliver
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx
from intelli.library import documents
from intelli.library.errors import DocumentNotFound
from intelli.runs import show
from intelli.runs.store import calls, log
from intelli.runs.tables import Run

_LONGEST_CHAIN = 100
_EVENTS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class BundledBlob:
    """A file of a bundle that is in the blob store."""

    name: str
    media_type: str
    sha256: str


@dataclass(frozen=True, slots=True)
class BundleContents:
    """Contents of a bundle as read from rows. The brief is given, or stored as the blob `brief_sha256`."""

    made_at: datetime
    brief: DataBrief | None = None
    brief_sha256: str | None = None
    files: Sequence[BundledBlob] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    manifests: Sequence[BundleManifest] = ()
    events: Sequence[Mapping[str, object]] = ()
    models: Sequence[Mapping[str, object]] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)


async def collect_deliverable(tx: Tx, deliverable_id: UUID) -> BundleContents:
    """Collect the contents of a deliverable's bundle; raise NothingToDeliver unless it is completed."""
    row = await deliverables.get(tx, deliverable_id)
    if row.status != "completed":
        raise NothingToDeliver(f"This deliverable is {row.status}. Only one that is completed can be bundled.")
    assert row.run_id is not None, "every deliverable is of a run"
    run = await show.get(tx, row.run_id)
    return BundleContents(
        made_at=row.finished_at or row.created_at,
        brief_sha256=row.brief_sha256,
        files=[BundledBlob(each["name"], each["media_type"], each["sha256"]) for each in row.files],
        manifests=await _list_manifests(tx, row.manifest_hash),
        events=await _list_events(tx, run.id),
        models=await _list_model_calls(tx, run.id),
        prompts=run.prompts,
    )


async def collect_message(tx: Tx, message_id: UUID, *, keep_excerpts: bool) -> BundleContents:
    """Collect the contents of an answer's bundle; raise NothingToDeliver when it cites nothing."""
    message = await messages.get(tx, message_id)
    cited = await citations.load_of_messages(tx, [message_id], keep_excerpts=keep_excerpts)
    found = cited.get(message_id, citations.NOTHING).citations
    if message.run_id is None or not found:
        raise NothingToDeliver("This message cites nothing. Choose an answer that has sources.")
    run = await show.get(tx, message.run_id)
    return BundleContents(
        made_at=run.finished_at or run.created_at,
        brief=_build_brief(run, found),
        written={"answer.md": message.content},
        events=await _list_events(tx, run.id),
        models=await _list_model_calls(tx, run.id),
        prompts=run.prompts,
    )


async def load_brief(blobs: Blobs, tenant_id: UUID, gathered: BundleContents) -> DataBrief:
    """Return the brief of a bundle, loaded from the blob store where it is not given."""
    if gathered.brief is not None:
        return gathered.brief
    assert gathered.brief_sha256 is not None, "what is completed has its brief"
    kept = b"".join([piece async for piece in await blobs.get(tenant_id, gathered.brief_sha256)])
    return DataBrief.model_validate_json(kept)


async def find_readable(tx: Tx, brief: DataBrief) -> dict[int, origins.TextOrigin]:
    """Return the text origins of the sources that the caller may open, by source number."""
    texts = await origins.find(tx, {source.sha256 for source in brief.sources})
    found: dict[int, origins.TextOrigin] = {}
    for source in brief.sources:
        if source.document_id is None:
            continue
        with suppress(DocumentNotFound):
            await documents.get(tx, source.document_id)
            found[source.number] = texts.get(source.sha256, origins.TextOrigin(None, None))
    return found


@dataclass(frozen=True, slots=True)
class BundleStore:
    """Blob store of a workspace and a temporary folder for its files, which the caller removes."""

    blobs: Blobs
    tenant_id: UUID
    folder: Path

    async def copy(self, sha256: str | None, name: str) -> Path | None:
        """Copy a blob to a file of the folder; return None when it is missing or damaged."""
        if sha256 is None:
            return None
        path = self.folder / name
        try:
            pieces = await self.blobs.get(self.tenant_id, sha256)
            with path.open("wb") as file:
                async for piece in pieces:
                    await asyncio.to_thread(file.write, piece)
        except (BlobMissing, BlobDamaged):
            return None
        return path


async def write_bundle(
    store: BundleStore, gathered: BundleContents, brief: DataBrief, texts: Mapping[int, origins.TextOrigin]
) -> Path:
    """Write the bundle into the store's folder and return its path."""
    files = [
        BundleFile(name, "text/markdown", text.encode("utf-8", "replace")) for name, text in gathered.written.items()
    ]
    for number, each in enumerate(gathered.files):
        content = await store.copy(each.sha256, f"file-{number}")
        files += [BundleFile(each.name, each.media_type, content)] if content is not None else []
    cited = {each.source: each.text_sha256 for each in brief.citations if each.text_sha256}
    sources = [
        await _source(store, each, texts[each.number], cited.get(each.number))
        for each in brief.sources
        if each.number in texts
    ]
    parts = BundleParts(
        brief=brief,
        files=files,
        sources=sources,
        made_at=gathered.made_at,
        manifests=gathered.manifests,
        events=gathered.events,
        models=gathered.models,
        prompts=gathered.prompts,
        version=version("intelli"),
    )
    path = store.folder / "bundle.zip"
    await asyncio.to_thread(write, parts, path)
    return path


async def _source(
    store: BundleStore, source: ListedSource, origin: origins.TextOrigin, cited: str | None
) -> SourceFile:
    """Copy a source and its text: the text that was cited, if still stored, else that of the newest extraction."""
    stem = f"source-{source.number}"
    original = await store.copy(source.sha256, stem)
    if cited is not None and cited != origin.text_sha256:
        text = await store.copy(cited, f"{stem}.text")
        if text is not None:
            return SourceFile(number=source.number, original=original, text=text)
    return SourceFile(
        number=source.number,
        original=original,
        text=await store.copy(origin.text_sha256, f"{stem}.text"),
        span_map=await store.copy(origin.map_sha256, f"{stem}.map"),
    )


async def _list_manifests(tx: Tx, manifest_sha256: str | None) -> list[BundleManifest]:
    """List a manifest and its ancestors, newest first."""
    found: list[BundleManifest] = []
    with suppress(ManifestNotFound):
        while manifest_sha256 is not None and len(found) < _LONGEST_CHAIN:
            each = await manifests.get(tx, manifest_sha256)
            tree = {path: entry.model_dump(mode="json") for path, entry in each.tree.items()}
            found.append(BundleManifest(each.sha256, each.parent_sha256, each.message, tree))
            manifest_sha256 = each.parent_sha256
    return found


async def _list_events(tx: Tx, run_id: UUID) -> list[Mapping[str, object]]:
    """List the whole event log of a run."""
    found: list[Mapping[str, object]] = []
    after = 0
    while lines := await log.page(tx, run_id, after=after, limit=_EVENTS_AT_ONCE):
        found += [
            {"seq": line.seq, "created_at": line.created_at.isoformat(), "event": json.loads(line.payload)}
            for line in lines
        ]
        after = lines[-1].seq
    return found


async def _list_model_calls(tx: Tx, run_id: UUID) -> list[Mapping[str, object]]:
    """List the steps of a run with the model that did each."""
    made = await calls.list_of_run(tx, run_id)
    return [{"step": call.key, "verb": call.verb, "model": call.model, "problem": call.problem} for call in made]


def _build_brief(run: Run, cited: Sequence[Citation]) -> DataBrief:
    """Build a brief from an answer: its statements, citations and sources. Equal citations are merged."""
    sources: dict[str, ListedSource] = {}
    marks: dict[str, Cited] = {}
    for each in cited:
        source = sources.setdefault(each.sha256, _source_of(len(sources) + 1, each))
        spot = _identifier(each)
        facts = {name: getattr(each, name) for name in ("quote", "page", "section", "reason", "char_start", "char_end")}
        marks.setdefault(
            spot,
            Cited(
                id=str(each.id),
                identifier=spot,
                source=source.number,
                check=each.check.value,
                text_sha256=each.text_sha256 or "",
                **facts,
            ),
        )
    findings = [Finding(text=each.sentence, citations=(_identifier(each),)) for each in cited]
    return DataBrief(
        title=run.title or run.question[:120],
        question=run.question,
        summary=tuple(findings),
        sources=tuple(sources.values()),
        citations=tuple(marks.values()),
        made_on=run.created_at.date(),
    )


def _identifier(cited: Citation) -> str:
    """Return the identifier of the span that a citation is bound to."""
    return Span(cited.sha256, cited.char_start, cited.char_end).identifier


def _source_of(number: int, cited: Citation) -> ListedSource:
    return ListedSource(
        number=number,
        document_id=cited.document_id,
        file_name=cited.file_name,
        mime_type=cited.mime_type,
        sha256=cited.sha256,
    )
