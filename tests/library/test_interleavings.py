"""Any interleaving of upload, change, delete, reading, sweeping and collection: nothing a document has is lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import text
from tests.content.makers import NO_GRACE, counts, kept_blobs, sha256_of
from tests.library.makers import Reader
from tests.support.database import SECRET
from tests.support.jobs import make_workspace
from tests.support.soak import often

from intelli.app import Engine
from intelli.citations.deleted_documents import CitedDocuments
from intelli.content import artifacts, gc, verify
from intelli.content.ports import ArtifactStored
from intelli.kit.blobs import Blobs, open_blobs
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.kit.errors import Conflict, NotFound
from intelli.kit.room import WorkspaceAccess
from intelli.library import documents, extract, folders, sweep, upload, versions, wire
from intelli.library import verify as library_verify
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.ports import ExtractorPort, IndexPort, TextReady
from intelli.library.settings import LibrarySettings
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import reading_indexer

CONTENTS = [b"", b"one", b"two words", b"three " * 300]
NAMES = ["a.txt", "b.txt"]
FOLDERS = ["/", "/x", "/x/y"]
_content, _name, _folder = st.integers(0, len(CONTENTS) - 1), st.sampled_from(NAMES), st.sampled_from(FOLDERS)
_step = st.one_of(
    st.tuples(st.just("upload"), _name, _folder, _content),
    st.tuples(st.just("delete"), st.integers(0, 5)),
    st.tuples(st.just("restore"), st.integers(0, 5)),
    st.tuples(st.just("rename"), st.integers(0, 5), _name),
    st.tuples(st.just("clear"), st.sampled_from(FOLDERS[1:])),
    st.tuples(st.just("shift"), st.sampled_from(FOLDERS[1:]), st.sampled_from(["x", "z"])),
    st.tuples(st.just("read"), _content),
    st.tuples(st.just("sweep")),
    st.tuples(st.just("collect")),
)


class Hand:
    """Does the work of a job without a queue."""

    attempt = 0

    def __init__(self, database: Database, who: System, blobs: Blobs) -> None:
        self.database, self.who = database, who
        self._parts = {
            Blobs: blobs,
            ExtractorPort: Reader(),
            LibrarySettings: LibrarySettings(),
            TextReady: TextReady(),
            IndexPort: reading_indexer.RetrievalIndex(Embedders(EmbeddingSettings(name=EmbeddingName.STATIC))),
        }

    @asynccontextmanager
    async def begin(self, tenant_id: UUID | None = None) -> AsyncIterator[Tx]:
        async with self.database.begin(self.who) as tx:
            yield tx

    def part(self, kind: type) -> object:
        return self._parts[kind]


class Interleavings(RuleBasedStateMachine):
    """Steps run one by one or several at once, each refused or done."""

    engine: Engine
    folder: Path

    @initialize()
    def open(self) -> None:
        self.runner = asyncio.Runner()
        self.runner.run(self._open())

    @rule(step=_step)
    def alone(self, step: tuple[object, ...]) -> None:
        self.runner.run(self._do(step))

    @rule(steps=st.lists(_step, min_size=2, max_size=5))
    def at_once(self, steps: list[tuple[object, ...]]) -> None:
        async def all_of_them() -> None:
            await asyncio.gather(*(self._do(step) for step in steps))

        self.runner.run(all_of_them())

    @invariant()
    def nothing_is_lost(self) -> None:
        if hasattr(self, "premises"):
            self.runner.run(self._check())

    def teardown(self) -> None:
        if not hasattr(self, "premises"):
            return

        async def end() -> None:
            await sweep.SWEEP.run(self.hand)
            await gc.collect(self.premises, NO_GRACE)
            held = {sha256 for sha256, count in (await counts(self.premises)).items() if count}
            assert await kept_blobs(self.premises) == set(await counts(self.premises)) == held
            assert await self._column("select sha256 from readings") == await self._column(
                "select distinct artifact_sha256 from document_versions"
            )
            await self.premises.blobs.close()
            await self.database.close()

        self.runner.run(end())
        self.runner.close()

    async def _open(self) -> None:
        self.database = Database(self.engine.app_url, secret=SECRET, pool_size=8)
        who = await make_workspace(self.database)
        blobs = open_blobs((self.folder / "kept").as_uri())
        self.premises = WorkspaceAccess(who.tenant_id, blobs, partial(self.database.begin, who))
        self.hand = Hand(self.database, who, blobs)

    async def _check(self) -> None:
        assert [finding async for finding in verify.findings(self.premises)] == []
        kept = await kept_blobs(self.premises)
        assert await self._column("select artifact_sha256 from document_versions") <= kept
        assert await self._column("select text_sha256 from readings where text_sha256 is not null") <= kept
        assert [finding async for finding in library_verify.findings(self.premises)] == []

    async def _column(self, query: str) -> set[str]:
        async with self.premises.begin() as tx:
            return set((await tx.session.scalars(text(query))).all())

    async def _do(self, step: tuple[object, ...]) -> None:
        with suppress(NotFound, Conflict):  # someone was quicker, and it was refused
            await self._step(*step)

    def _step(self, kind: str, *given: object) -> Awaitable[object]:  # noqa: PLR0911  # a table
        match kind, given:
            case "upload", (str(name), str(folder), int(which)):
                return self._upload(name, folder, CONTENTS[which])
            case "delete", (int(which),):
                return self._delete(which)
            case "restore", (int(which),):
                return self._restore(which)
            case "rename", (int(which), str(name)):
                return self._rename(which, name)
            case "clear", (str(folder),):
                return self._clear(folder)
            case "shift", (str(folder), str(name)):
                return self._shift(folder, name)
            case "read", (int(which),):
                return extract.EXTRACT.run(self.hand, sha256=sha256_of(CONTENTS[which]))
            case "sweep", ():
                return sweep.SWEEP.run(self.hand)
            case _:
                return gc.collect(self.premises, NO_GRACE)

    async def _upload(self, name: str, folder: str, content: bytes) -> None:
        async def chunks() -> AsyncIterator[bytes]:
            yield content

        receiving = artifacts.receive(self.premises.blobs, self.premises.tenant_id, chunks(), limit_bytes=1 << 20)
        async with receiving as received, self.premises.begin() as tx:
            arrival = upload.UploadedFile(filename=name, folder_path=folder)
            await upload.add(tx, received, arrival, storing=ArtifactStored())

    async def _some(self, query: str) -> UUID | None:
        async with self.premises.begin() as tx:
            return await tx.session.scalar(text(query))

    async def _document(self, which: int) -> UUID:
        found = await self._some(f"select id from documents order by id offset {which} limit 1")
        if found is None:
            raise NotFound("not so many")
        return found

    async def _delete(self, which: int) -> None:
        document_id = await self._document(which)
        async with self.premises.begin() as tx:
            await documents.delete(tx, document_id, basis=BaseVersion(), evidence=CitedDocuments())

    async def _restore(self, which: int) -> None:
        document_id = await self._document(which)
        async with self.premises.begin() as tx:
            await versions.restore(tx, document_id, 1, basis=BaseVersion())

    async def _rename(self, which: int, name: str) -> None:
        document_id = await self._document(which)
        async with self.premises.begin() as tx:
            await documents.change(tx, document_id, wire.ChangeDocument(name=name, folder_id=None), basis=BaseVersion())

    async def _clear(self, path: str) -> None:
        folder_id = await self._some(f"select id from folders where path = '{path}'")
        if folder_id:
            async with self.premises.begin() as tx:
                await folders.delete(tx, folder_id, recursive=True, basis=BaseVersion(), evidence=CitedDocuments())

    async def _shift(self, path: str, name: str) -> None:
        folder_id = await self._some(f"select id from folders where path = '{path}'")
        if folder_id:
            async with self.premises.begin() as tx:
                await folders.change(tx, folder_id, wire.ChangeFolder(name=name), basis=BaseVersion())


def test_no_interleaving_loses_what_a_document_has_or_leaves_what_none_has(engine: Engine, tmp_path: Path):
    class Machine(Interleavings):
        pass

    Machine.engine, Machine.folder = engine, tmp_path
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=often(6, soaking=500),
            stateful_step_count=often(10, soaking=30),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
