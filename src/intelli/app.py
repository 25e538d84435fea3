"""Composition root: builds an App from settings. Only here are rooms, ports and hooks connected."""

import asyncio
import os
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

from intelli.audit import anchors as anchored
from intelli.audit import keys as audit_keys
from intelli.audit.anchor_task import AnchorTask
from intelli.audit.anchors import AnchorLocation, Anchors
from intelli.audit.read import AuditFeeds, AuditFeedSource
from intelli.audit.record import CHANNEL as AUDIT_CHANNEL
from intelli.audit.room import ROOM as AUDIT
from intelli.checks.ports import CheckReasoners
from intelli.checks.room import ROOM as CHECKS
from intelli.checks.stream import CHANNEL as CHECKS_CHANNEL
from intelli.checks.stream import CheckFeeds, CheckFeedSource
from intelli.citations import staleness
from intelli.citations.deleted_documents import CitedDocuments
from intelli.citations.room import ROOM as CITATIONS
from intelli.citations.settings import EvidenceSettings
from intelli.content.ports import ArtifactStored
from intelli.content.room import ROOM as CONTENT
from intelli.content.settings import ContentSettings
from intelli.conversations.room import ROOM as CONVERSATIONS
from intelli.deliverables.ports import Delivered
from intelli.deliverables.room import ROOM as DELIVERABLES
from intelli.engine import Engine
from intelli.entities.room import ROOM as ENTITIES
from intelli.identity import installation
from intelli.identity.guard import Guard
from intelli.identity.passwords import Passwords
from intelli.identity.room import ROOM as IDENTITY
from intelli.identity.settings import IdentitySettings
from intelli.kit import queue
from intelli.kit.blobs import Blobs, open_blobs
from intelli.kit.compute import Compute, ForkServer, ProcessPool
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.feeds import ACCESS_CHANNEL, HEARTBEAT_S, StreamLimit
from intelli.kit.foreground import Foreground
from intelli.kit.http import AnswerSecret, Authenticator, PublicUrl
from intelli.kit.live import Live
from intelli.kit.objects import DirectoryObjects, open_objects
from intelli.kit.pools import open_pools
from intelli.kit.room import Room
from intelli.kit.telemetry import Telemetry
from intelli.library.change_channel import CHANNEL as LIBRARY_CHANNEL
from intelli.library.extraction.sandbox import Extractor
from intelli.library.overview import LibraryFeeds, LibraryFeedSource
from intelli.library.ports import EvidencePort, ExtractorPort, IndexPort, TextReady
from intelli.library.room import ROOM as LIBRARY
from intelli.library.settings import LibrarySettings
from intelli.library.sources import SOURCES, Sources
from intelli.memory.ports import MemoryReasoners
from intelli.memory.room import ROOM as MEMORY
from intelli.memory.settings import MemorySettings
from intelli.models.local.install_command import build_command
from intelli.models.local.supervise import LocalModelServer
from intelli.models.ports import InstallationModels
from intelli.models.reasoners import WorkspaceReasoners
from intelli.models.room import ROOM as MODELS
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.reasoner import Reasoner
from intelli.retrieval import reading_indexer
from intelli.retrieval.rerank import Rerankers
from intelli.retrieval.room import ROOM as RETRIEVAL
from intelli.runs import late_deliverables, library_adapter, memory_adapter
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.journal import Journal
from intelli.runs.ports import LibraryAccess, MemoryAccess, RunReasoners, SuspectRunLock
from intelli.runs.room import ROOM as RUNS
from intelli.runs.settings import RunSettings
from intelli.runs.stream import CHANNEL as RUNS_CHANNEL
from intelli.runs.stream import RunFeeds, RunFeedSource
from intelli.settings import Settings

ROOMS: tuple[Room, ...] = (
    *(AUDIT, IDENTITY, CONTENT, MODELS, LIBRARY, RETRIEVAL, ENTITIES, CITATIONS, CONVERSATIONS, MEMORY),
    *(DELIVERABLES, CHECKS, RUNS),
)
JOBS = tuple(job for room in ROOMS for job in room.jobs)
CHANNELS = (AUDIT_CHANNEL, LIBRARY_CHANNEL, CHECKS_CHANNEL, RUNS_CHANNEL, ACCESS_CHANNEL)
# Modules whose functions run in processes of their own.
_COMPUTE_MODULES = (
    "intelli.reasoning.adapters.extractive",
    "intelli.citations.prove",
    "intelli.deliverables.compile_brief",
    "intelli.deliverables.compose",
    "intelli.checks.select",
    "intelli.memory.extracted",
)


class App:
    """All parts of one process, which edges look up by type in `parts`."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self.settings = settings
        self.engine = engine
        self.telemetry = Telemetry(version=version("intelli"), otlp_endpoint=settings.otlp_endpoint)
        self.foreground = Foreground()
        self.pools = open_pools(
            engine.app_url,
            requests=settings.database_pool_size,
            jobs=settings.worker.concurrency,
            secret=settings.signing_key,
            foreground=self.foreground,
            on_ended=self.telemetry.observe_transaction,
        )
        self.db = self.pools.requests
        self.blobs = open_blobs(settings.blobs_location, options=settings.blobs.options())
        self.anchors = open_log_anchors(settings)
        self.anchoring = AnchorTask(self.pools.maintenance, self.anchors, installation.list_workspace_ids)
        self.live = Live(engine.app_url, CHANNELS)
        self.passwords = Passwords()
        self.journal = Journal(self.pools.runs)
        self.stream_limit = StreamLimit(settings.streams_per_person)
        silence_s = settings.http.stream_silence_s
        self.run_feeds = RunFeeds(RunFeedSource(self.pools.streams), self.live, heartbeat_s=silence_s)
        silence_s = min(silence_s, HEARTBEAT_S)
        keep_excerpts = settings.evidence.keep_excerpts
        checks = CheckFeedSource(self.pools.streams, keep_excerpts=keep_excerpts)
        self.check_feeds = CheckFeeds(checks, self.live, heartbeat_s=silence_s)
        self.audit_feeds = AuditFeeds(AuditFeedSource(self.pools.streams), self.live, heartbeat_s=silence_s)
        self.storing = ArtifactStored()
        self.sources = Sources(SOURCES)
        self.evidence = CitedDocuments()
        self.extractor = Extractor(settings.library.limits(), settings.library.caps())
        self.embedders = Embedders(settings.embedding, settings.data / "models")
        self.rerankers = Rerankers(self.embedders, settings.search)
        self.index = reading_indexer.RetrievalIndex(self.embedders)
        library = LibraryFeedSource(self.pools.streams, self.index)
        self.library_feeds = LibraryFeeds(library, self.live, heartbeat_s=silence_s)
        self.entailment = EntailmentModels(settings.entailment)
        self.compute = ProcessPool(fork_server(), settings.compute)
        self.without_model: Reasoner = ExtractiveReasoner(self.embedders.reader, self.compute)
        self.local_model = LocalModelServer(settings.data)
        self.models = InstallationModels(
            settings=settings.model,
            local=self.local_model,
            allow_private=settings.allows_private_endpoints,
            own_port=settings.port,
            install_command=build_command(settings.data),
        )
        self.reasoners = WorkspaceReasoners(self.models, self.without_model)
        self.suspects = SuspectRunLock()
        self.memory = settings.memory.queued(in_one_queue=settings.is_embedded)
        self.memory_reasoners = MemoryReasoners(
            self.reasoners,
            self.embedders.quick,
            settings=self.memory,
            turns=asyncio.Semaphore(self.memory.model_calls_at_once),
            compute=self.compute,
        )
        self.telemetry.watch_queues(self._queue_depths)
        self.telemetry.watch_subscribers(lambda: self.stream_limit.streams)

    @property
    def parts(self) -> Mapping[type, object]:
        """Return each part under the type that edges ask for."""
        return {
            Database: self.db,
            Blobs: self.blobs,
            StreamLimit: self.stream_limit,
            RunFeeds: self.run_feeds,
            CheckFeeds: self.check_feeds,
            LibraryFeeds: self.library_feeds,
            AuditFeeds: self.audit_feeds,
            Anchors: self.anchors,
            Telemetry: self.telemetry,
            Passwords: self.passwords,
            IdentitySettings: self.settings,
            ContentSettings: self.settings.content,
            EvidenceSettings: self.settings.evidence,
            RunSettings: self.settings.budget,
            Journal: self.journal,
            LibraryAccess: library_adapter.build_library_access(
                self.pools.runs,
                self.blobs,
                embedders=self.embedders,
                reranker=self.rerankers.research,
                sources=self.sources,
            ),
            MemoryAccess: memory_adapter.build_memory_access(self.pools.runs, embedders=self.embedders),
            DocumentEditor: DocumentEditor(self.pools.runs, self.blobs, self.storing, self.evidence),
            InstallationModels: self.models,
            RunReasoners: RunReasoners(self.reasoners),
            CheckReasoners: CheckReasoners(self.reasoners, self.entailment),
            SuspectRunLock: self.suspects,
            MemorySettings: self.memory,
            MemoryReasoners: self.memory_reasoners,
            ArtifactStored: self.storing,
            LibrarySettings: self.settings.library,
            ExtractorPort: self.extractor,
            Sources: self.sources,
            EvidencePort: self.evidence,
            TextReady: TextReady(staleness.enqueue),
            IndexPort: self.index,
            Embedders: self.embedders,
            Rerankers: self.rerankers,
            EntailmentModels: self.entailment,
            Compute: self.compute,
            Delivered: Delivered(late_deliverables.append_events),
            Authenticator: Guard(self.db, self.settings),
            AnswerSecret: AnswerSecret(self.settings.signing_key),
            PublicUrl: PublicUrl(self.settings.public_url or ""),
        }

    async def listen(self) -> None:
        """Receive change notifications from the database and pass them to all open streams, until `close` is called."""
        async with asyncio.TaskGroup() as group:
            for part in (self.live, self.run_feeds, self.check_feeds, self.library_feeds, self.audit_feeds):
                group.create_task(part.run())

    async def close(self) -> None:
        """Close all parts, each before those that it uses or reports to."""
        self.live.close()
        await self.reasoners.close()
        self.compute.close()
        await self.extractor.close()
        await self.embedders.close()
        await self.blobs.close()
        await self.pools.close()
        await self.telemetry.close()
        self.passwords.close()

    async def _queue_depths(self) -> Mapping[tuple[str, str], int]:
        async with self.db.begin(WorkspaceLister()) as tx:
            return {(depth.queue, depth.status): depth.jobs for depth in await queue.count_jobs(tx)}


@cache
def fork_server() -> ForkServer:
    """Return the fork server of this process, which all its Apps share. It ends with the process."""
    return ForkServer(_COMPUTE_MODULES)


def open_log_anchors(settings: Settings) -> Anchors:
    """Open the stores of signed audit log ends: in the blob store, and in the data directory if there is one.

    Servers on a shared database and a bucket need no data directory, and a new server of that kind starts with an
    empty one.
    """
    blobs = open_objects(settings.blobs_location, anchored.FOLDER, options=settings.blobs.options())
    places = [AnchorLocation("blob store", blobs, is_lasting=True)]
    keeps_data = settings.is_embedded or settings.blobs_url is None
    if keeps_data or os.access(settings.data, os.W_OK):
        files = DirectoryObjects(settings.data / anchored.FOLDER)
        places.append(AnchorLocation("data directory", files, is_lasting=keeps_data))
    return Anchors(places, audit_keys.derive(settings.signing_key))
